//! Errors about the manifest, the lockfile, the store and the skills in them.

use super::{Error, ErrorKind, Fact};
use crate::{difference::Difference, slashes::with_slashes};
use helix_skills_format::{
    __internal::{and_more, listed, listed_all, path_key},
    DirPath, Finding, Integrity, LockedSkill, ObjectId, Position, SkillName, SourceKey,
};
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Maximum number of skills that a message on missing skills names.
const MAX_MISSING: usize = 5;

/// Maximum number of skills with the same name that a message lists; a source may have thousands.
const MAX_PLACES: usize = 20;

/// The hint for a lockfile or store that is not what the locked commit has.
#[cfg(feature = "git")]
const MERGED_OR_CHANGED: &str = "if git merged two changes of its source, run `skills sync`; if not, restore the store and the lockfile from version control, and find out who changed them";

impl Error {
    pub(crate) fn no_manifest(start: &Path) -> Self {
        let message = format!(
            "cannot find `helix.skills.json` in `{}` or any parent directory",
            start.display()
        );
        Self::new(ErrorKind::Usage, "no-manifest", message)
            .with_hint("run `skills init` in the project's directory")
            .about(Fact::NoManifest(start.to_owned()))
    }

    /// Returns an error for a manifest that the caller named.
    pub(crate) fn manifest_missing(file: &Path) -> Self {
        let message = format!("cannot find the manifest `{}`", file.display());
        Self::new(ErrorKind::Usage, "no-manifest", message).with_hint(
            "check the path, which is relative to the working directory, or create a manifest with `skills init`",
        )
    }

    pub(crate) fn no_lock(file: PathBuf) -> Self {
        let message = format!("cannot find the lockfile `{}`", file.display());
        Self::new(ErrorKind::Drift, "no-lock", message)
            .with_hint("run `skills sync` and commit `helix.skills.lock` and `helix.skills/`")
            .at(file, None)
    }

    /// Returns an error for a manifest without sources and without a lockfile.
    pub(crate) fn no_source(manifest: PathBuf) -> Self {
        Self::new(ErrorKind::Drift, "no-source", "the manifest has no sources")
            .with_hint("run `skills add OWNER/REPO` or `skills add ./PATH`")
            .at(manifest, None)
    }

    /// Returns an error for a difference between the lockfile and the manifest or the files.
    pub(crate) fn drift(message: String) -> Self {
        Self::new(ErrorKind::Drift, "drift", message)
            .with_hint("run `skills sync` and commit what it writes")
    }

    /// Returns an error for a file of the store, by its path from the project's root.
    pub(crate) fn edited(skill: &SkillName, path: PathBuf, difference: Difference) -> Self {
        let path = with_slashes(&path);
        let message = format!("`{}` of the skill `{skill}`: {difference}", path.display());
        Self::new(ErrorKind::Mismatch, difference.code(), message)
            .with_hint(difference.hint())
            .at(path.clone(), None)
            .about(Fact::Edited(skill.clone(), path, difference))
    }

    /// Returns an error for files that do not have the locked integrity.
    pub(crate) fn integrity(
        skill: &SkillName,
        (place, locked): (&str, &LockedSkill),
        found: Integrity,
    ) -> Self {
        let LockedSkill { source: key, integrity: expected, .. } = locked;
        let message = format!(
            "the skill `{skill}` from {place} has the integrity {found}, but the lockfile has {expected}"
        );
        Self::new(ErrorKind::Mismatch, "integrity", message).with_hint(format!(
            "the source changed after it was locked, or the lockfile was edited: restore the lockfile from version control, or run `skills update {key}` and review the new files"
        ))
    }

    /// Returns an error for a pin that does not resolve to the commit in the lockfile.
    pub(crate) fn moved(key: &SourceKey, pin: &str, expected: &ObjectId, found: &ObjectId) -> Self {
        Self::resolves_to(key, pin, found, &format!("{expected} from the lockfile")).with_hint(
            format!("a release should not move: ask upstream, review the new commit, then run `skills update {key}`"),
        )
    }

    /// Returns an error for a pin that does not resolve to the manifest's `sha`.
    #[cfg(feature = "git")]
    pub(crate) fn moved_from_sha(
        key: &SourceKey,
        pin: &str,
        expected: &ObjectId,
        found: &ObjectId,
    ) -> Self {
        Self::resolves_to(key, pin, found, &format!("{expected} from `sha`"))
            .with_hint(format!(
                "if you changed `version` or `ref`, set `\"sha\": \"{found}\"`; if not, the tag or branch was moved: review the new commit before you do"
            ))
    }

    fn resolves_to(key: &SourceKey, pin: &str, found: &ObjectId, expected: &str) -> Self {
        let message = format!(
            "the source `{key}`: {pin} resolves to the commit {found}, expected {expected}"
        );
        Self::new(ErrorKind::Mismatch, "moved", message)
    }

    /// Returns an error for a locked commit that upstream no longer has, or for its tag.
    #[cfg(feature = "git")]
    pub(crate) fn vanished(key: &SourceKey, tag: Option<&str>, commit: &ObjectId) -> Self {
        let message = match tag {
            Some(tag) => format!(
                "the source `{key}`: the tag `{tag}` no longer exists; it was locked at the commit {commit}"
            ),
            None => format!("the source `{key}`: the locked commit {commit} no longer exists"),
        };
        Self::new(ErrorKind::Mismatch, "vanished", message).with_hint(format!(
            "upstream rewrote its history, removed the tag, or serves only commits of branches and tags: ask upstream, or run `skills update {key}` to resolve the pin again"
        ))
    }

    /// Returns an error for a locked tree that is not the one in its commit.
    #[cfg(feature = "git")]
    pub(crate) fn tree_mismatch(
        skill: &SkillName,
        commit: &ObjectId,
        path: &DirPath,
        expected: &ObjectId,
        found: Option<&ObjectId>,
    ) -> Self {
        let found = match found {
            None => format!("the commit {commit} has no `{path}`"),
            Some(found) => format!("`{path}` of the commit {commit} is {found}"),
        };
        let message =
            format!("the lockfile has the tree {expected} for the skill `{skill}`, but {found}");
        Self::other_tree(message)
    }

    /// Returns an error for fields of a locked skill that are not those of the locked commit.
    #[cfg(feature = "git")]
    pub(crate) fn fields_mismatch(
        skill: &SkillName,
        fields: &str,
        commit: &ObjectId,
        path: &DirPath,
    ) -> Self {
        let message = format!(
            "the lockfile has other {fields} for the skill `{skill}` than `{path}` of the commit {commit}"
        );
        Self::other_tree(message)
    }

    /// Returns an error for a locked skill that is not the one that its commit has.
    #[cfg(feature = "git")]
    pub(crate) fn other_tree(message: String) -> Self {
        Self::new(ErrorKind::Mismatch, "tree-mismatch", message).with_hint(MERGED_OR_CHANGED)
    }

    /// Returns an error for a stored file that is not the one of the locked commit.
    #[cfg(feature = "git")]
    pub(crate) fn other_file(
        skill: &SkillName,
        commit: &ObjectId,
        path: &DirPath,
        file: &str,
    ) -> Self {
        let message = format!(
            "the store has another `{file}` for the skill `{skill}` than `{path}` of the commit {commit}"
        );
        Self::new(ErrorKind::Mismatch, "origin", message).with_hint(MERGED_OR_CHANGED)
    }

    /// Returns an error for a field of a locked source that is not what its locked commit says.
    #[cfg(feature = "git")]
    pub(crate) fn other_source(key: &SourceKey, field: &str) -> Self {
        let message = format!(
            "the lockfile has another `{field}` for the source `{key}` than the locked commit"
        );
        Self::new(ErrorKind::Mismatch, "origin", message)
            .with_hint("restore the lockfile from version control and find out who changed it")
    }

    /// Returns an error for a skill that a locked entry selects, and the lockfile lacks.
    #[cfg(feature = "git")]
    pub(crate) fn dropped(key: &SourceKey, commit: &ObjectId, path: &DirPath) -> Self {
        let message = format!(
            "the source `{key}` selects the skill in `{path}` of the commit {commit}, which the lockfile does not have"
        );
        Self::new(ErrorKind::Mismatch, "origin", message).with_hint(MERGED_OR_CHANGED)
    }

    /// Returns an error for a locked commit that is not on the branch it was locked from.
    #[cfg(feature = "git")]
    pub(crate) fn not_on_branch(key: &SourceKey, branch: &str, commit: &ObjectId) -> Self {
        let message = format!(
            "the branch `{branch}` of the source `{key}` does not have the locked commit {commit}"
        );
        Self::new(ErrorKind::Mismatch, "origin", message).with_hint(format!(
            "if upstream rewrote the branch, run `skills update {key}` and review the changes; if not, restore the lockfile from version control and find out who changed it"
        ))
    }

    /// Returns an error for an origin file that does not prove what the lockfile has.
    #[cfg(feature = "git")]
    pub(crate) fn not_proved(why: &Self) -> Self {
        Self::new(ErrorKind::Mismatch, "origin", why.to_string()).with_hint(
            "remove the file and run `skills sync` to read the commit again; if the check still fails, restore the lockfile and the store from version control, and find out who changed them",
        )
    }

    /// Returns an error for a locked plugin that is not where its marketplace says.
    #[cfg(feature = "git")]
    pub(crate) fn plugin_mismatch(
        key: &SourceKey,
        plugin: &helix_skills_format::PluginName,
        commit: &ObjectId,
        expected: &str,
        found: Option<&str>,
    ) -> Self {
        let found = match found {
            None => "has no such plugin".to_owned(),
            Some(found) => format!("has it in {found}"),
        };
        let message = format!(
            "the source `{key}`: the lockfile has the plugin `{plugin}` in {expected}, but the commit {commit} of the marketplace {found}"
        );
        Self::new(ErrorKind::Mismatch, "plugin-mismatch", message).with_hint("the lockfile does not match the locked commit: restore it from version control and find out who changed it")
    }

    /// Returns an error for several skills that would have the same name.
    pub(crate) fn same_name(name: &str, places: Vec<(SourceKey, DirPath)>) -> Self {
        let shown = places.iter().take(MAX_PLACES);
        let shown: Vec<_> = shown.map(|(key, path)| format!("{key}: {path}")).collect();
        let more = and_more(places.len() - shown.len());
        let message =
            format!("{} skills have the name `{name}`: {}{more}", places.len(), shown.join(", "));
        let other = "exclude it with `exclude`";
        let hint = match places.last() {
            None => other.to_owned(),
            Some((key, path)) => {
                let has_name = |(other, at): &&(SourceKey, DirPath)| {
                    other == key && at.file_name() == path.file_name()
                };
                let directory = match places.iter().filter(has_name).count() {
                    1 => path.file_name().unwrap_or(name).to_owned(),
                    _ => path_key(path),
                };
                let rename = serde_json::json!({ directory: key.qualify(name) });
                format!(
                    "write `\"rename\": {rename}` in the source `{key}` of the manifest, or {other}"
                )
            }
        };
        Self::new(ErrorKind::Usage, "same-name", message)
            .with_hint(hint)
            .about(Fact::SameName(name.to_owned(), places))
    }

    /// Returns the errors of a SKILL.md, or of a file of a plugin; at least one. `exclude` is the
    /// line for the manifest that excludes the skill.
    pub(crate) fn of_file(place: &str, findings: Vec<Finding>, exclude: Option<&str>) -> Self {
        let excludable = |mut finding: Finding| {
            if let Some(exclude) = exclude {
                let or = finding.hint.map(|hint| format!("{hint}; or ")).unwrap_or_default();
                finding.hint = Some(format!("{or}exclude the skill with `{exclude}`"));
            }
            finding
        };
        let findings = findings.into_iter().map(excludable).collect();
        Self::invalid(ErrorKind::Drift, Path::new(place), findings)
    }

    /// Returns an error for invisible text in a file that the finding names, of a skill in
    /// `directory`. `skill` is its name in the lockfile; the hint has the line for the manifest
    /// that allows the text.
    pub(crate) fn invisible(
        (skill, directory): (&SkillName, &str),
        finding: &Finding,
        hint: String,
    ) -> Self {
        let file = finding.file.as_deref().unwrap_or_default();
        let message = format!("{directory}/{file}{}: {finding}", At(finding.at));
        Self::new(ErrorKind::Policy, finding.code.as_str(), message)
            .at(Path::new(skill.as_str()).join(file), finding.at)
            .with_hint(hint)
    }

    /// Returns an error for a text for models that exceeds its budget of tokens, the manifest's
    /// `field`. `parts` are the most expensive skills, with the cost of each.
    pub(crate) fn budget(
        what: &str,
        tokens: u64,
        budget: u64,
        field: &str,
        parts: &[(String, u64)],
    ) -> Self {
        let parts: Vec<_> =
            parts.iter().map(|(name, tokens)| format!("`{name}` ({tokens})")).collect();
        let before = if parts.is_empty() { "" } else { "; the largest are " };
        let message = format!(
            "{what} costs about {tokens} tokens, over the budget of {budget} (`{field}`){before}{}",
            parts.join(", ")
        );
        Self::new(ErrorKind::Policy, "budget", message).with_hint(format!(
            "exclude skills with `exclude` or `include`, or raise `{field}` in the manifest"
        ))
    }

    /// Returns an error for a source that needs the network in offline mode. Without `skills`, the
    /// source has to be resolved.
    pub(crate) fn offline(key: &SourceKey, skills: &[&SkillName], why: &str) -> Self {
        let what = match skills {
            [] => format!("cannot resolve the source `{key}`"),
            skills => format!("cannot fetch {} of the source `{key}`", listed_all(skills)),
        };
        let message = format!("{what} without the network (`--offline` or `--frozen`): {why}");
        Self::new(ErrorKind::Network, "offline", message)
            .with_hint("run `skills sync` once with network access")
    }
}

#[doc(hidden)]
impl Error {
    /// Returns the errors of an invalid file, such as the manifest or the lockfile; at least one.
    #[must_use]
    pub fn invalid(kind: ErrorKind, file: &Path, findings: Vec<Finding>) -> Self {
        let error = |finding: Finding| {
            let message = format!("{}{}: {finding}", file.display(), At(finding.at));
            Self::new(kind, finding.code.as_str(), message)
                .at(file, finding.at)
                .hinted(finding.hint)
        };
        findings.into_iter().map(error).collect::<Vec<_>>().into()
    }

    /// Returns an error for skills of the lockfile that are not in the store.
    #[must_use]
    pub fn not_stored(skills: Vec<SkillName>) -> Self {
        let named = listed(&skills, MAX_MISSING);
        let message = match skills.as_slice() {
            [_] => format!("the skill {named} is not in the store"),
            _ => format!("the skills {named} are not in the store"),
        };
        Self::new(ErrorKind::Drift, "not-stored", message)
            .with_hint("run `skills sync`")
            .about(Fact::NotStored(skills))
    }

    /// Returns the error of a canceled operation.
    pub(crate) fn interrupted() -> Self {
        Self::new(ErrorKind::Interrupted, "interrupted", "interrupted")
    }
}

/// Formats a position as `:line:column`, after a file's name.
pub(crate) struct At(pub(crate) Option<Position>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |at| write!(f, ":{at}"))
    }
}
