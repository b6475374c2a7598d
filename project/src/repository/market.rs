//! Looking up plugins in the index of a marketplace.

use super::{
    Repository, SourceResult,
    commit_files::{self, directory},
    location::Location,
    of_source,
    resolve::full_names,
};
use crate::{
    Error,
    error::At,
    manifest::SourceKind,
    marketplace::{Marketplace, Plugin, PluginName, PluginSource},
};
use helix_skills_format::{DirPath, Finding, GitUrl, ObjectId, SourceKey};
use helix_skills_git::{self as git, Session};

/// Returns the index of the marketplace at `url`; `None` if a commit has none that can be read.
pub(super) fn index(
    session: &mut Session<'_>,
    (key, url): (&SourceKey, &GitUrl),
    root: ObjectId,
) -> Result<Option<Marketplace>, git::Error> {
    let (file, _) = commit_files::index(session, root)?;
    let text = of_source(commit_files::text(session, key, root, file))?;
    Ok(text
        .ok()
        .flatten()
        .and_then(|text| Marketplace::parse(&text).ok())
        .map(|index| index.at(url)))
}

impl Repository<'_, '_> {
    /// Finds the entry of a source's plugin.
    pub(super) fn find_plugin(
        &mut self,
        key: &SourceKey,
        (url, name): (&GitUrl, &PluginName),
        root: ObjectId,
    ) -> SourceResult<Plugin> {
        self.session.count_steps_for(key.as_str());
        let (file, _) = commit_files::index(self.session, root)?;
        let Some(text) = commit_files::text(self.session, key, root, file)? else {
            let why = format!("the repository is not a marketplace: it has no `{file}`");
            let hint = "use `\"type\": \"git\"` for a repository of skills";
            return Err(Error::unresolved(key, why).with_hint(hint).into());
        };
        let place = format!("{key}: {file}");
        let at_place = |findings: Vec<Finding>| Error::of_file(&place, findings, None);
        let marketplace = Marketplace::parse(&text).map_err(at_place)?;
        let marketplace = marketplace.at(url);
        let mut plugin = marketplace.plugin(name).map_err(|why| {
            if why.findings.is_empty() {
                return Error::unresolved(key, why.to_string()).with_hint(why.hint);
            }
            let with_hint = |finding: Finding| match finding.hint {
                None => finding.hint(why.hint.clone()),
                Some(_) => finding,
            };
            at_place(why.findings.into_iter().map(with_hint).collect())
        })?;
        if plugin.name != *name {
            self.notes.warn(format!(
                "the source `{key}`: the plugin `{name}` was renamed to `{}`; use the new name in the manifest",
                plugin.name
            ));
        }
        if let PluginSource::Relative { path, otherwise: Some(otherwise) } = &plugin.source
            && directory(self.session, root, path)?.is_err()
            && directory(self.session, root, otherwise)?.is_ok()
        {
            self.notes.warn(format!(
                "the source `{key}`: the plugin `{}` is in `{otherwise}`, not in `{path}` as in the marketplace",
                plugin.name
            ));
            plugin.source = PluginSource::Relative { path: otherwise.clone(), otherwise: None };
        }
        // Findings on other plugins are only details.
        for finding in marketplace.findings() {
            self.notes.detail(key, || format!("{place}{}: {finding}", At(finding.at)));
        }
        Ok(plugin)
    }

    /// Checks the locked location of a plugin against the index of the locked commit.
    pub(super) fn verify_plugin(&mut self, location: &Location) -> SourceResult<()> {
        let (key, source) = (&location.key, &location.locked);
        let SourceKind::Marketplace { repository, plugin } = &source.entry.kind else {
            return Ok(());
        };
        let (Some(locked), Some(commit)) = (&source.plugin, &source.commit) else { return Ok(()) };
        // Notes on the index were reported when the plugin was locked.
        let notes = std::mem::take(&mut self.notes);
        let found = self.find_plugin(key, (&repository.url, plugin), location.root);
        self.notes = notes;
        let found = of_source(found)?.ok().map(|plugin| match plugin.source {
            PluginSource::Relative { path, .. } => (path, None, None, None),
            PluginSource::Git { url, path, reference, sha } => (path, Some(url), reference, sha),
        });
        let matches = found.as_ref().is_some_and(|(path, url, reference, sha)| {
            let led_to_commit = match (&locked.reference, sha) {
                (_, Some(sha)) => locked.commit == Some(*sha),
                // The default branch, or a branch or tag of this name.
                (Some(name), None) if name.starts_with("refs/tags/") => {
                    reference.as_ref().is_some_and(|pin| full_names(pin.as_str()).contains(name))
                }
                (name, None) => name.is_some() == url.is_some(),
            };
            (path, url) == (&locked.path, &locked.url) && led_to_commit
        });
        if matches {
            return Ok(());
        }
        let show = |path: &DirPath, url: Option<&GitUrl>, sha: Option<&ObjectId>| {
            let url = url.map(|url| format!(" of `{url}`")).unwrap_or_default();
            let at = sha.map(|sha| format!(" at {sha}")).unwrap_or_default();
            format!("`{path}`{url}{at}")
        };
        let found = found.map(|(path, url, _, sha)| show(&path, url.as_ref(), sha.as_ref()));
        let expected = show(&locked.path, locked.url.as_ref(), locked.commit.as_ref());
        Err(Error::plugin_mismatch(key, plugin, commit, &expected, found.as_deref()).into())
    }
}
