//! The files of one skill in memory, and the rules for them.

use crate::manifest::Select;
use crate::{
    Error, ExitCode,
    error::{ExceededLimit, FileProblem, SourceErrors, Usage},
};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use helix_skills_format::{DirPath, Limits, Listing, RelPath, SkillMd};
use helix_skills_runtime::is_git_name;
use std::{
    collections::{BTreeSet, HashMap},
    ops::Bound,
};

/// One file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceFile {
    /// Its path in the skill.
    pub path: RelPath,
    /// Its bytes, exactly as the source has them.
    pub bytes: Vec<u8>,
    /// Whether it is executable: in the lockfile and set on disk, but not part of the digest.
    pub executable: bool,
}

impl SourceFile {
    /// A file that is not executable.
    #[must_use]
    pub fn new(path: RelPath, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path, bytes: bytes.into(), executable: false }
    }
}

/// All files of a skill, sorted by path bytes.
///
/// ```
/// use helix_skills_project::{Contents, SourceFile, format::RelPath};
/// let file = |path: &str, text: &str| SourceFile::new(RelPath::new(path).unwrap(), text);
/// let contents = Contents::new(vec![file("references/x.md", "x"), file("SKILL.md", "---\n")]);
/// assert_eq!(contents.files()[0].path.as_str(), "SKILL.md");
/// // The integrity in the lockfile does not depend on executable bits.
/// assert!(contents.listing().integrity().to_string().starts_with("sha256:"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents(Vec<SourceFile>);

impl Contents {
    /// Sorts `files` by path.
    #[must_use]
    pub fn new(mut files: Vec<SourceFile>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self(files)
    }

    /// The files, sorted by path bytes.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.0
    }

    /// Returns the files, sorted by path bytes.
    #[must_use]
    pub fn into_files(self) -> Vec<SourceFile> {
        self.0
    }

    /// The digests of the files. The digest of the listing is the integrity of the skill.
    #[must_use]
    pub fn listing(&self) -> Listing {
        Listing::from_files(self.0.iter().map(|file| (file.path.clone(), &file.bytes)))
    }

    /// The paths of the executable files.
    pub(crate) fn executable(&self) -> BTreeSet<RelPath> {
        self.0.iter().filter(|file| file.executable).map(|file| file.path.clone()).collect()
    }

    /// The same files with the executable bits that the lockfile has, if it has them.
    pub(crate) fn with_executable(mut self, locked: Option<&BTreeSet<RelPath>>) -> Self {
        if let Some(locked) = locked {
            self.0.iter_mut().for_each(|file| file.executable = locked.contains(&file.path));
        }
        self
    }

    /// Size of all files in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|file| file.bytes.len() as u64).sum()
    }

    /// The file `SKILL.md`, or `skill.md` if there is no `SKILL.md`.
    #[must_use]
    pub fn skill_md(&self) -> Option<&SourceFile> {
        SkillMd::FILE_NAMES
            .into_iter()
            .find_map(|name| self.0.iter().find(|file| file.path.as_str() == name))
    }
}

/// Which files of a source are taken, and how large skills may be.
pub(crate) struct FileRules {
    exclude: GlobSet,
    pub(crate) limits: Limits,
}

impl FileRules {
    pub(crate) fn new(select: &Select, limits: Limits) -> Result<Self, Error> {
        let bad = |error: globset::Error| Usage::Glob { source: error.into() };
        let mut set = GlobSetBuilder::new();
        for glob in &select.exclude_files {
            set.add(GlobBuilder::new(glob).literal_separator(true).build().map_err(bad)?);
        }
        Ok(Self { exclude: set.build().map_err(bad)?, limits })
    }

    /// Whether `files.exclude` leaves a file or a directory out, by its path in the skill.
    pub(crate) fn leaves_out(&self, path: &str) -> bool {
        self.exclude.is_match(path)
    }
}

/// Whether `files.exclude` leaves no skill its SKILL.md.
pub(crate) fn excludes_skill_md(select: &Select) -> bool {
    let rules = FileRules::new(select, Limits::default());
    rules.is_ok_and(|rules| SkillMd::FILE_NAMES.iter().any(|name| rules.leaves_out(name)))
}

/// Maximum number of entries, including directories, per allowed file of a skill.
const ENTRIES_PER_FILE: u64 = 4;

/// Maximum number of excluded entries per allowed file.
const LEFT_OUT_PER_FILE: u64 = 64;

/// Characters of a path that a message shows: as long as a path of a skill may be. Names of entries in a tree may have
/// megabytes.
const SHOWN: usize = 1024;

/// What to do with an entry of a directory.
pub(crate) enum Verdict {
    /// It belongs to the skill, under this path.
    Take(RelPath),
    /// It does not.
    Leave,
}

/// Collects the files of one skill, and the errors in them.
pub(crate) struct Collector<'r> {
    rules: &'r FileRules,
    /// Those of the source, also of its other skills.
    errors: &'r mut SourceErrors,
    /// How many errors the source had before this skill.
    errors_before: u64,
    /// The skill's directory, for messages: `SOURCE: path`, or where a `path` source has it.
    place: String,
    files: Vec<SourceFile>,
    /// Every path and directory seen, by what a forgiving file system makes of it; and whether it is a file.
    seen: HashMap<String, (String, bool)>,
    bytes: u64,
    /// Files and directories so far, also those that were refused.
    entries: u64,
    over: bool,
    /// What was left out: git's own names, what `files.exclude` matches, what belongs to the repository.
    left_out: Vec<String>,
}

impl<'r> Collector<'r> {
    /// `place` is the skill's directory, for messages.
    pub(crate) fn new(rules: &'r FileRules, place: String, errors: &'r mut SourceErrors) -> Self {
        Self {
            rules,
            errors_before: errors.count(),
            errors,
            place,
            files: Vec::new(),
            seen: HashMap::new(),
            bytes: 0,
            entries: 0,
            over: false,
            left_out: Vec::new(),
        }
    }

    /// Whether so much is wrong that looking further is a waste.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Judges the name of an entry below the skill, before anything is read.
    pub(crate) fn admit(&mut self, path: &str, directory: bool) -> Verdict {
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_gits = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(".git"));
        if is_gits || self.rules.leaves_out(path) {
            self.leave_out(path.to_owned());
            return Verdict::Leave;
        }
        // Directories count as well: links can make a few of them into very many.
        self.entries += 1;
        let limit = self.rules.limits.files_per_skill;
        if self.entries > limit.saturating_mul(ENTRIES_PER_FILE) && !self.over {
            self.over = true;
            self.limit(limit, |skill| ExceededLimit::Entries { skill });
        }
        if self.over {
            return Verdict::Leave;
        }
        if directory && path.split('/').count() as u64 > self.rules.limits.tree_depth {
            self.limit(self.rules.limits.tree_depth, |place| ExceededLimit::Depth {
                directory: format!("{place}/{}", shown(path)),
                depth: path.split('/').count(),
            });
            return Verdict::Leave;
        }
        match RelPath::new(path) {
            Ok(path) => Verdict::Take(path),
            Err(error) => {
                self.refuse(path, FileProblem::BadPath(error));
                Verdict::Leave
            }
        }
    }

    /// An entry that belongs to the repository and not to the skill.
    pub(crate) fn leave_out(&mut self, path: String) {
        self.left_out.push(path);
        let limit = self.rules.limits.files_per_skill;
        if self.left_out.len() as u64 > limit.saturating_mul(LEFT_OUT_PER_FILE) && !self.over {
            self.over = true;
            let entries = self.left_out.len() as u64;
            self.limit(limit, |skill| ExceededLimit::ExcludedEntries { skill, entries });
        }
    }

    /// A file that is larger than a file may be, by how much is not known.
    #[cfg(feature = "git")]
    pub(crate) fn too_large(&mut self, path: &RelPath) {
        let limit = self.rules.limits.bytes_per_file;
        self.limit(limit, |place| ExceededLimit::FileBytes {
            file: format!("{place}/{path}"),
            bytes: None,
        });
    }

    /// Something at `path` cannot be baked.
    pub(crate) fn refuse(&mut self, path: &str, why: FileProblem) {
        let place = &self.place;
        self.errors.add("file", ExitCode::Drift, || {
            let exclude =
                || format!("\"files\": {{\"exclude\": [{}]}}", serde_json::Value::from(path));
            let exclude = (path.len() <= SHOWN).then(exclude);
            Error::File { place: format!("{place}/{}", shown(path)), why: Box::new(why), exclude }
        });
    }

    pub(crate) fn fail(&mut self, error: Error) {
        self.errors.push(error);
    }

    /// Something is over a limit: `what` it is, by the skill's place.
    fn limit(&mut self, limit: u64, what: impl FnOnce(String) -> ExceededLimit) {
        let place = &self.place;
        let error = || Error::Limit { what: Box::new(what(place.clone())), limit };
        self.errors.add("limit", ExitCode::Policy, error);
    }

    /// Takes a file whose size is known before its bytes are read; tells whether to read it.
    pub(crate) fn admit_size(&mut self, path: &RelPath, size: u64) -> bool {
        let limits = &self.rules.limits;
        if size > limits.bytes_per_file {
            let limit = limits.bytes_per_file;
            self.limit(limit, |place| ExceededLimit::FileBytes {
                file: format!("{place}/{path}"),
                bytes: Some(size),
            });
            return false;
        }
        self.bytes += size;
        let (files, bytes) = (self.files.len() as u64 + 1, self.bytes);
        let (per_files, per_bytes) = (limits.files_per_skill, limits.bytes_per_skill);
        if files > per_files {
            self.over = true;
            self.limit(per_files, |skill| ExceededLimit::Files { skill, files });
        } else if bytes > per_bytes {
            self.over = true;
            self.limit(per_bytes, |skill| ExceededLimit::SkillBytes { skill, bytes });
        }
        !self.over
    }

    /// Adds a file that was admitted.
    pub(crate) fn add(&mut self, path: RelPath, bytes: Vec<u8>, executable: bool) {
        if let Some(bytes) = lfs_pointer(&bytes) {
            return self.refuse(&path, FileProblem::LfsPointer { bytes });
        }
        if let Some(other) = self.collision(&path) {
            return self.refuse(&path, FileProblem::Collision { other });
        }
        self.files.push(SourceFile { path, bytes, executable });
    }

    /// Another path, or a directory of one, that some file system takes for this or for a directory of this.
    fn collision(&mut self, path: &RelPath) -> Option<String> {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        for end in ends {
            let part = &path[..end];
            let is_file = end == path.len();
            let Ok(checked) = RelPath::new(part) else { continue };
            let before = self.seen.insert(checked.folded(), (part.to_owned(), is_file));
            if let Some((other, _)) =
                before.filter(|(other, was_file)| other != part || is_file || *was_file)
            {
                return Some(other);
            }
        }
        None
    }

    /// Refuses directories that git takes for a repository: whoever runs git there runs what their `config` says.
    fn refuse_repositories(&mut self) {
        // As git sees it on a file system that does not know upper from lower case: a repository has a `HEAD`, and either
        // `objects` and `refs` or the name of the directory that has them.
        let paths: BTreeSet<String> =
            self.files.iter().map(|file| file.path.to_ascii_lowercase()).collect();
        let has_below = |directory: &str| {
            paths
                .range::<str, _>((Bound::Included(directory), Bound::Unbounded))
                .next()
                .is_some_and(|path| path.starts_with(directory))
        };
        let is_head = |path: &str| {
            let directory = path
                .strip_suffix("head")
                .filter(|above| above.is_empty() || above.ends_with('/'))?;
            let is_repository = paths.contains(&format!("{directory}commondir"))
                || has_below(&format!("{directory}objects/"))
                    && has_below(&format!("{directory}refs/"));
            is_repository.then_some(directory.len())
        };
        let found: Vec<String> = self
            .files
            .iter()
            .filter_map(|file| {
                let length = is_head(&file.path.to_ascii_lowercase())?;
                // At the top, the skill itself cannot be left out.
                Some(file.path[..length].strip_suffix('/').unwrap_or(&file.path).to_owned())
            })
            .collect();
        for path in found {
            self.refuse(&path, FileProblem::BareRepository);
        }
    }

    /// The files, unless there were errors; and what was left out.
    pub(crate) fn finish(mut self) -> (Option<Contents>, Vec<String>) {
        self.refuse_repositories();
        let contents =
            (self.errors.count() == self.errors_before).then(|| Contents::new(self.files));
        (contents, self.left_out)
    }
}

/// A path for a message: on one line, and cut if it is longer than any that is taken.
fn shown(path: &str) -> String {
    match path.char_indices().nth(SHOWN) {
        None => path.escape_debug().to_string(),
        Some((end, _)) => format!("{}...", path[..end].escape_debug()),
    }
}

/// The size in a git LFS pointer; none if `bytes` are anything else.
///
/// The form is that of the specification of git LFS: UTF-8 text below 1024 bytes whose first line names the version.
fn lfs_pointer(bytes: &[u8]) -> Option<u64> {
    if bytes.len() >= 1024 || !bytes.starts_with(b"version https://git-lfs.github.com/spec/") {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    text.lines().find_map(|line| line.strip_prefix("size "))?.trim().parse().ok()
}

/// The parts of a skill that lies at the root of a repository; everything else there belongs to the repository.
#[cfg(feature = "git")]
pub(crate) fn belongs_to_root_skill(first_part: &str) -> bool {
    SkillMd::is_file_name(first_part) || matches!(first_part, "references" | "scripts" | "assets")
}

/// Whether a directory of skills may be called `name`: `.git` never is.
pub(crate) fn is_skill_directory(name: &str) -> bool {
    !is_git_name(name)
}

/// How a directory is shown in messages.
pub(crate) fn show_place(key: &impl std::fmt::Display, path: &DirPath) -> String {
    if path.is_root() { format!("{key}: .") } else { format!("{key}: {path}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use helix_skills_format::SourceKey;

    fn rules(exclude: &[&str]) -> FileRules {
        let exclude_files = exclude.iter().map(|glob| (*glob).to_owned()).collect();
        let limits = Limits {
            files_per_skill: 3,
            bytes_per_skill: 10,
            bytes_per_file: 8,
            tree_depth: 2,
            ..Limits::default()
        };
        FileRules::new(&Select { exclude_files, ..Select::default() }, limits).expect("good globs")
    }

    /// The errors of a skill with these files, and what was left out.
    fn collect(exclude: &[&str], files: &[(&str, &[u8])]) -> (Vec<Error>, Vec<String>) {
        let (rules, mut errors) = (rules(exclude), SourceErrors::new());
        let mut collector = Collector::new(&rules, "k: skills/a".to_owned(), &mut errors);
        for (path, bytes) in files {
            if let Verdict::Take(path) = collector.admit(path, false)
                && collector.admit_size(&path, bytes.len() as u64)
            {
                collector.add(path, bytes.to_vec(), false);
            }
        }
        let (contents, left_out) = collector.finish();
        assert_eq!(contents.is_none(), errors.count() > 0);
        (errors_of(errors), left_out)
    }

    fn errors_of(errors: SourceErrors) -> Vec<Error> {
        errors.into_vec(&SourceKey::new("k").expect("a key"))
    }

    #[test]
    fn names_that_one_file_system_merges_are_refused() {
        for (first, second) in [
            ("a.md", "A.md"),
            ("x/a", "X/b"),
            ("é", "e\u{301}"),
            ("a", "A/b"),
            ("a", "a/b"),
            ("a/b", "a"),
        ] {
            assert_eq!(collect(&[], &[(first, b""), (second, b"")]).0.len(), 1, "{first} {second}");
        }
        assert_eq!(collect(&[], &[("x/a", b""), ("x/b", b"")]).0.len(), 0);
    }

    #[test]
    fn git_entries_are_left_out_and_look_alikes_refused() {
        let (errors, left_out) =
            collect(&[], &[(".gitignore", b"*"), ("a/.GITattributes", b"*"), ("git~1", b"*")]);
        assert_eq!(left_out, [".gitignore", "a/.GITattributes"]);
        assert_eq!(errors.len(), 1);
    }

    #[test]
    fn limits_name_their_field() {
        let field = |files: &[(&str, &[u8])]| match collect(&[], files).0.first() {
            Some(Error::Limit { what, .. }) => what.field().unwrap_or_default(),
            Some(other) => panic!("{other}"),
            None => "",
        };
        assert_eq!(field(&[("a", b""), ("b", b""), ("c", b"")]), "");
        assert_eq!(
            field(&[("a", b""), ("b", b""), ("c", b""), ("d", b"")]),
            "limits.filesPerSkill"
        );
        assert_eq!(field(&[("a", &[0; 9])]), "limits.bytesPerFile");
        assert_eq!(field(&[("a", &[0; 8]), ("b", &[0; 3])]), "limits.bytesPerSkill");
    }

    #[test]
    fn a_directory_is_shown_on_one_line() {
        let (rules, mut errors) = (rules(&[]), SourceErrors::new());
        let mut collector = Collector::new(&rules, "k: skills/a".to_owned(), &mut errors);
        assert!(matches!(collector.admit("a/b/c\nd", true), Verdict::Leave));
        let errors = errors_of(errors);
        assert!(
            errors[0].to_string().starts_with("k: skills/a/a/b/c\\nd is a directory at depth 3"),
            "{}",
            errors[0]
        );
    }

    #[test]
    fn a_long_path_is_cut() {
        let (errors, _) = collect(&[], &[(&"x".repeat(1 << 20), b"")]);
        assert!(errors[0].to_string().len() < 2 * SHOWN, "{} bytes", errors[0].to_string().len());
        assert!(errors[0].hint().is_some_and(|hint| hint.len() < SHOWN));
    }

    #[test]
    fn lfs_pointers_are_told_from_text() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert_eq!(lfs_pointer(pointer), Some(12345));
        assert_eq!(lfs_pointer(b"version 1\nsize 3\n"), None);
    }

    #[test]
    fn excluded_files_are_not_judged() {
        assert_eq!(
            collect(&["*.bin", "assets/**"], &[("con.bin", b""), ("assets/x/aux", b"")]).0.len(),
            0
        );
    }
}
