//! The files of one skill in memory, and the rules that they must follow.

use crate::manifest::Select;
use crate::{
    Error, ErrorKind,
    error::{SourceErrors, excluding, usage},
};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use helix_skills_format::{
    __internal::{leftover, listed},
    DirPath, Limits, Listing, RelPath, SkillMd, SourceKey,
};
use helix_skills_runtime::__internal::is_git_name;
use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    ops::Bound,
};

/// One file of a skill in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFile {
    /// Its path in the skill.
    pub(crate) path: RelPath,
    /// Its bytes, exactly as the source has them.
    pub(crate) bytes: Vec<u8>,
    /// Whether it is executable. The lockfile lists executable files, and a sync sets the bits on
    /// disk; they are not part of the integrity. A skill whose lockfile entry has no such list gets
    /// the bits that were fetched last, from the cache.
    pub(crate) executable: bool,
}

impl SourceFile {
    /// Creates a file that is not executable.
    pub(crate) fn new(path: RelPath, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path, bytes: bytes.into(), executable: false }
    }
}

/// All files of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// Sorted by path bytes.
    files: Vec<SourceFile>,
    /// The paths that were left out because git would treat them specially in the store.
    of_git: Vec<String>,
}

impl Contents {
    /// Creates contents from `files`, in any order.
    pub(crate) fn new(mut files: Vec<SourceFile>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, of_git: Vec::new() }
    }

    /// Adds what was left out of other contents.
    #[cfg(feature = "git")]
    pub(crate) fn leaving_out(self, other: &Self) -> Self {
        Self { of_git: other.of_git.clone(), ..self }
    }

    /// Returns a warning on files in `place` that were left out.
    pub(crate) fn left_out(&self, place: &str) -> Option<String> {
        let listed = listed(&self.of_git, MAX_LISTED);
        let warning = || format!("{place}: left out {listed}, which git would read in the store");
        (!self.of_git.is_empty()).then(warning)
    }

    /// Returns the files, sorted by path bytes.
    pub(crate) fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the files, sorted by path bytes.
    #[cfg(feature = "git")]
    pub(crate) fn into_files(self) -> Vec<SourceFile> {
        self.files
    }

    /// Returns the digests of the files. The digest of the listing is the integrity of the skill.
    pub(crate) fn listing(&self) -> Listing {
        Listing::from_files(self.files.iter().map(|file| (file.path.clone(), &file.bytes)))
    }

    /// Returns the paths of the executable files.
    pub(crate) fn executable(&self) -> BTreeSet<RelPath> {
        self.files.iter().filter(|file| file.executable).map(|file| file.path.clone()).collect()
    }

    /// Sets the executable bits to those of the lockfile, if it has them.
    pub(crate) fn with_executable(mut self, locked: Option<&BTreeSet<RelPath>>) -> Self {
        if let Some(locked) = locked {
            self.files.iter_mut().for_each(|file| file.executable = locked.contains(&file.path));
        }
        self
    }

    /// Returns the total size of the files in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes.len() as u64).sum()
    }

    /// Returns the file `SKILL.md`, or `skill.md` if it does not exist.
    pub(crate) fn skill_md(&self) -> Option<&SourceFile> {
        SkillMd::FILE_NAMES
            .into_iter()
            .find_map(|name| self.files.iter().find(|file| file.path.as_str() == name))
    }
}

/// Which files of a source belong to its skills, and the size limits of the skills.
pub(crate) struct FileRules {
    exclude: GlobSet,
    /// `files.include`: leftovers to take, and further files of a skill at a root.
    include: GlobSet,
    /// The directories above what `include` may match.
    above_included: GlobSet,
    /// Whether leftovers of editors and systems are left out.
    in_place: bool,
    pub(crate) limits: Limits,
}

impl FileRules {
    /// Creates the rules of a source whose files are pinned as a whole.
    pub(crate) fn new(select: &Select, limits: Limits) -> Result<Self, Error> {
        let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
        let set = |globs: &BTreeSet<String>| -> Result<GlobSet, globset::Error> {
            let mut set = GlobSetBuilder::new();
            for text in globs {
                set.add(glob(text)?);
            }
            set.build()
        };
        let mut above = GlobSetBuilder::new();
        for text in &select.include_files {
            for (at, _) in text.match_indices('/') {
                // The start is not a glob if the slash is in braces.
                above.add(glob(&text[..at]).or_else(|_| glob("**")).map_err(usage::glob)?);
            }
        }
        Ok(Self {
            exclude: set(&select.exclude_files).map_err(usage::glob)?,
            include: set(&select.include_files).map_err(usage::glob)?,
            above_included: above.build().map_err(usage::glob)?,
            in_place: false,
            limits,
        })
    }

    /// Creates the rules of skills that are read where they are, without what editors and systems
    /// leave behind there.
    pub(crate) fn in_place(select: &Select, limits: Limits) -> Result<Self, Error> {
        Ok(Self { in_place: true, ..Self::new(select, limits)? })
    }

    /// Returns whether a file or directory does not belong to the skill, by its path in the skill.
    pub(crate) fn excludes(&self, path: &str, directory: bool) -> bool {
        let is_left_out =
            || self.in_place && leftover(path).is_some() && !self.includes(path, directory);
        self.exclude.is_match(path) || is_left_out()
    }

    /// Returns whether `files.include` names a path, a directory that it is in, or something in
    /// this directory.
    pub(crate) fn includes(&self, path: &str, directory: bool) -> bool {
        let mut ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.any(|end| self.include.is_match(&path[..end]))
            || (directory && self.above_included.is_match(path))
    }

    /// Returns the leftovers among the files of the skill in `directory`, each with the glob of
    /// `files.exclude` that leaves it out.
    pub(crate) fn leftovers(&self, directory: &DirPath, files: &Listing) -> Vec<(String, String)> {
        let found = files.iter().filter_map(|(file, _)| {
            let pattern = leftover(file).filter(|_| !self.includes(file, false))?;
            // Globs do not ignore case, and the patterns of names do.
            let name = file.split('/').find(|name| name.eq_ignore_ascii_case(pattern));
            Some((format!("{directory}/{file}"), format!("**/{}", name.unwrap_or(pattern))))
        });
        found.collect()
    }
}

/// Maximum number of files that a warning lists.
const MAX_LISTED: usize = 12;

/// Returns a warning on files that editors or systems left behind in a repository, with their
/// globs. They are kept, because the commit is pinned with them.
pub(crate) fn leftovers_kept(key: &SourceKey, found: &[(String, String)]) -> Option<String> {
    let paths = found.iter().map(|(path, _)| path.escape_debug());
    let globs: BTreeSet<String> = found.iter().map(|(_, glob)| format!("\"{glob}\"")).collect();
    let globs = globs.into_iter().collect::<Vec<_>>().join(", ");
    (!found.is_empty()).then(|| {
        format!(
            "the source `{key}` has files that editors or systems left behind: {}; leave them out with `\"files\": {{\"exclude\": [{globs}]}}`",
            listed(paths, MAX_LISTED)
        )
    })
}

/// Returns whether `files.exclude` matches SKILL.md.
pub(crate) fn excludes_skill_md(select: &Select) -> bool {
    let rules = FileRules::new(select, Limits::default());
    rules.is_ok_and(|rules| SkillMd::FILE_NAMES.iter().any(|name| rules.excludes(name, false)))
}

/// Maximum number of entries, including directories, per allowed file of a skill. Links can make a
/// few directories appear very often.
const ENTRIES_PER_FILE: u64 = 4;

/// Maximum number of excluded entries per allowed file.
const EXCLUDED_PER_FILE: u64 = 64;

/// Maximum number of characters of a path in a message, the maximum length of a skill's path. Names
/// of entries in a git tree may have megabytes.
const MAX_SHOWN: usize = 1024;

/// Why an entry of a directory cannot belong to a skill.
pub(crate) const NAME_NOT_UTF8: &str = "its name is not UTF-8";
pub(crate) const LINK_ABOVE: &str = "the link leads back to a directory above it";

/// Whether an entry of a directory belongs to a skill.
pub(crate) enum Admission {
    /// The entry belongs to the skill, under this path.
    Include(RelPath),
    /// The entry is excluded or refused.
    Skip,
}

/// Collects the files of one skill, and the errors in them.
pub(crate) struct Collector<'r> {
    rules: &'r FileRules,
    /// The errors of the source, including those of its other skills.
    errors: &'r mut SourceErrors,
    /// Number of errors that the source had before this skill.
    errors_before: u64,
    /// The skill's directory, for messages: `SOURCE: path`, or a path on disk.
    place: String,
    /// The key of `exclude` that leaves out the skill.
    exclude: String,
    files: Vec<SourceFile>,
    /// All files and directories by their folded path, with the original path and whether it is a
    /// file. File systems that ignore case or normalize names treat paths with one folded path as
    /// one file, and a reviewer cannot tell them apart if they differ in invisible characters.
    seen: HashMap<String, (String, bool)>,
    bytes: u64,
    /// Number of files and directories, including those that were refused.
    entries: u64,
    over: bool,
    /// The excluded paths: git's own files, those that the rules exclude, and those that belong to
    /// the repository instead of the skill.
    excluded: Vec<String>,
    /// The excluded paths that git would treat specially in the store.
    of_git: Vec<String>,
}

impl<'r> Collector<'r> {
    /// Creates a collector without files. `place` is the skill's directory, for messages, and
    /// `directory` its name, which the root does not have.
    pub(crate) fn new(
        rules: &'r FileRules,
        (place, directory): (String, Option<&str>),
        errors: &'r mut SourceErrors,
    ) -> Self {
        let exclude = directory.unwrap_or("./").to_owned();
        Self {
            rules,
            errors_before: errors.count(),
            errors,
            place,
            exclude,
            files: Vec::new(),
            seen: HashMap::new(),
            bytes: 0,
            entries: 0,
            over: false,
            excluded: Vec::new(),
            of_git: Vec::new(),
        }
    }

    /// Returns whether a limit was exceeded, so that no more files are collected.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Checks the path of an entry of the skill before the entry is read.
    pub(crate) fn admit(&mut self, path: &str, directory: bool) -> Admission {
        let is_of_git = is_git_name(path.rsplit('/').next().unwrap_or(path));
        let is_excluded = self.rules.excludes(path, directory);
        if is_of_git || is_excluded {
            self.of_git.extend((!is_excluded).then(|| shown(path)));
            self.exclude(path.to_owned());
            return Admission::Skip;
        }
        // Directories count as well.
        self.entries += 1;
        let limit = self.rules.limits.files_per_skill;
        if self.entries > limit.saturating_mul(ENTRIES_PER_FILE) && !self.over {
            self.exceed(limit, "filesPerSkill", "its directories and rejected entries");
        }
        if self.over {
            return Admission::Skip;
        }
        if directory && path.split('/').count() as u64 > self.rules.limits.tree_depth {
            self.limit(self.rules.limits.tree_depth, "treeDepth", |place| {
                format!("{place}/{} at depth {}", shown(path), path.split('/').count())
            });
            return Admission::Skip;
        }
        match RelPath::new(path) {
            Ok(path) => Admission::Include(path),
            Err(error) => {
                self.refuse(path, error);
                Admission::Skip
            }
        }
    }

    /// Records an entry that does not belong to the skill.
    pub(crate) fn exclude(&mut self, path: String) {
        self.excluded.push(path);
        let limit = self.rules.limits.files_per_skill;
        if self.excluded.len() as u64 > limit.saturating_mul(EXCLUDED_PER_FILE) && !self.over {
            let entries = self.excluded.len() as u64;
            self.exceed(limit, "filesPerSkill", &format!("{entries} excluded entries"));
        }
    }

    /// Reports a file of unknown size that is larger than `limits.bytesPerFile`.
    #[cfg(feature = "git")]
    pub(crate) fn too_large(&mut self, path: &RelPath) {
        let limit = self.rules.limits.bytes_per_file;
        self.limit(limit, "bytesPerFile", |place| format!("{place}/{path}"));
    }

    /// Reports an entry that cannot be part of a skill.
    pub(crate) fn refuse(&mut self, path: &str, why: impl fmt::Display) {
        let place = &self.place;
        self.errors.add("file", ErrorKind::Drift, || {
            let exclude = || match SkillMd::is_file_name(path) {
                true => excluding(&self.exclude),
                false => format!("\"files\": {{{}}}", excluding(path)),
            };
            let exclude = (path.len() <= MAX_SHOWN).then(exclude);
            Error::excludable(format!("{place}/{}", shown(path)), why, exclude.as_deref())
        });
    }

    /// Reports an error.
    pub(crate) fn fail(&mut self, error: Error) {
        self.errors.push(error);
    }

    /// Reports that the skill has more than a limit allows, and ends the collection.
    fn exceed(&mut self, limit: u64, field: &'static str, what: &str) {
        self.over = true;
        self.limit(limit, field, |skill| format!("{skill} with {what}"));
    }

    /// Reports an exceeded limit. `what` describes what exceeds it, given the skill's directory for
    /// messages.
    fn limit(&mut self, limit: u64, field: &'static str, what: impl FnOnce(&str) -> String) {
        let place = &self.place;
        let error = || Error::limit(what(place), limit, Some(field));
        self.errors.add("limit", ErrorKind::Policy, error);
    }

    /// Counts a file whose size is known before its bytes are read. Returns whether to read it.
    pub(crate) fn admit_size(&mut self, path: &RelPath, size: u64) -> bool {
        let limits = &self.rules.limits;
        if size > limits.bytes_per_file {
            let limit = limits.bytes_per_file;
            self.limit(limit, "bytesPerFile", |place| format!("{place}/{path} with {size} bytes"));
            return false;
        }
        self.bytes += size;
        let (bytes, limit) = (self.bytes, limits.bytes_per_skill);
        if !self.is_over_with(self.files.len() + 1) && bytes > limit {
            self.exceed(limit, "bytesPerSkill", &format!("{bytes} bytes or more"));
        }
        !self.over
    }

    /// Returns whether a limit of the whole skill has been exceeded, also by the number of `files`.
    pub(crate) fn is_over_with(&mut self, files: usize) -> bool {
        let limit = self.rules.limits.files_per_skill;
        if files as u64 > limit && !self.over {
            self.exceed(limit, "filesPerSkill", &format!("{files} files or more"));
        }
        self.over
    }

    /// Adds a file that was admitted, and checks its bytes.
    pub(crate) fn add(&mut self, path: RelPath, bytes: Vec<u8>, executable: bool) {
        if let Some(bytes) = lfs_pointer(&bytes) {
            return self.refuse(
                &path,
                format!(
                    "it is a pointer to a file of {bytes} bytes in git LFS, which is not fetched"
                ),
            );
        }
        if let Some(other) = self.collision(&path) {
            return self.refuse(
                &path,
                format!("its name is that of `{other}` on some file systems, or looks the same (letter case, Unicode form or invisible characters)"),
            );
        }
        self.files.push(SourceFile { path, bytes, executable });
    }

    /// Returns another path, or a parent of one, that some file systems treat as the same as `path`
    /// or as a parent of it.
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

    /// Refuses directories that git treats as a repository, because git would run the commands in
    /// their `config`.
    fn refuse_repositories(&mut self) {
        // As git does on a file system that ignores case: a repository has a `HEAD`, and either
        // `objects` and `refs` or a `commondir` with the path of the directory that has them.
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
                .filter(|parent| parent.is_empty() || parent.ends_with('/'))?;
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
                // The skill itself cannot be excluded: the path of `HEAD` is reported instead.
                Some(file.path[..length].strip_suffix('/').unwrap_or(&file.path).to_owned())
            })
            .collect();
        for path in found {
            self.refuse(
                &path,
                "it makes its directory a bare git repository, and git would use its `config`",
            );
        }
    }

    /// Returns the files, unless there were errors, and the excluded paths.
    pub(crate) fn finish(mut self) -> (Option<Contents>, Vec<String>) {
        self.refuse_repositories();
        let contents = (self.errors.count() == self.errors_before)
            .then(|| Contents { of_git: self.of_git, ..Contents::new(self.files) });
        (contents, self.excluded)
    }
}

/// Formats a path for a message: on one line, truncated after [`MAX_SHOWN`] characters.
fn shown(path: &str) -> String {
    match path.char_indices().nth(MAX_SHOWN) {
        None => path.escape_debug().to_string(),
        Some((end, _)) => format!("{}...", path[..end].escape_debug()),
    }
}

/// Returns the size in a git LFS pointer; `None` if `bytes` are not a pointer.
///
/// The specification of git LFS defines a pointer as UTF-8 text of less than 1024 bytes whose first
/// line names the version.
fn lfs_pointer(bytes: &[u8]) -> Option<u64> {
    if bytes.len() >= 1024 || !bytes.starts_with(b"version https://git-lfs.github.com/spec/") {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    text.lines().find_map(|line| line.strip_prefix("size "))?.trim().parse().ok()
}

/// Returns whether a directory of this name may belong to a skill: not `.git` or a name that file
/// systems treat as it.
pub(crate) fn is_skill_directory(name: &str) -> bool {
    !is_git_name(name)
}

/// Formats a directory of a source for messages: `SOURCE: path`.
pub(crate) fn show_place(key: &impl fmt::Display, path: &DirPath) -> String {
    if path.is_root() { format!("{key}: .") } else { format!("{key}: {path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(exclude: &[&str]) -> FileRules {
        let mut select = Select::default();
        select.exclude_files = exclude.iter().map(|glob| (*glob).to_owned()).collect();
        let limits = Limits {
            files_per_skill: 3,
            bytes_per_skill: 10,
            bytes_per_file: 8,
            tree_depth: 2,
            ..Limits::default()
        };
        FileRules::new(&select, limits).expect("good globs")
    }

    /// Returns the errors of a skill with these files, and the excluded paths.
    fn collect(exclude: &[&str], files: &[(&str, &[u8])]) -> (Vec<Error>, Vec<String>) {
        let (rules, mut errors) = (rules(exclude), SourceErrors::new());
        let mut collector =
            Collector::new(&rules, ("k: skills/a".to_owned(), Some("a")), &mut errors);
        for (path, bytes) in files {
            if let Admission::Include(path) = collector.admit(path, false)
                && collector.admit_size(&path, bytes.len() as u64)
            {
                collector.add(path, bytes.to_vec(), false);
            }
        }
        let (contents, excluded) = collector.finish();
        assert_eq!(contents.is_none(), errors.count() > 0);
        (errors_of(errors), excluded)
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
    fn only_names_that_git_reserves_are_left_out() {
        let names = [
            ".gitignore",
            "a/.GITattributes",
            "git~1",
            "GI7EBA~1",
            ".gitmodules. .",
            ".git::$INDEX_ALLOCATION",
            ".g\u{200c}it",
        ];
        let files = names.map(|name| (name, &b"*"[..]));
        let (errors, excluded) = collect(&[], &files);
        assert_eq!((excluded, errors.len()), (names.map(str::to_owned).to_vec(), 0));
        let (errors, excluded) =
            collect(&[], &[(".gitkeep", b""), (".github/x", b""), (".gitlab-ci.yml", b"")]);
        assert_eq!((errors.len(), excluded.len()), (0, 0));
    }

    #[test]
    fn limits_name_their_field() {
        let first = |files: &[(&str, &[u8])]| {
            collect(&[], files).0.first().map_or(String::new(), ToString::to_string)
        };
        let names = |message: String, field: &str| {
            assert!(message.ends_with(&format!(" (`limits.{field}`)")), "{message}");
        };
        assert_eq!(first(&[("a", b""), ("b", b""), ("c", b"")]), "");
        names(first(&[("a", b""), ("b", b""), ("c", b""), ("d", b"")]), "filesPerSkill");
        names(first(&[("a", &[0; 9])]), "bytesPerFile");
        names(first(&[("a", &[0; 8]), ("b", &[0; 3])]), "bytesPerSkill");
    }

    #[test]
    fn paths_are_printed_on_one_line() {
        let (rules, mut errors) = (rules(&[]), SourceErrors::new());
        let mut collector =
            Collector::new(&rules, ("k: skills/a".to_owned(), Some("a")), &mut errors);
        assert!(matches!(collector.admit("a/b/c\nd", true), Admission::Skip));
        let errors = errors_of(errors);
        assert!(
            errors[0].to_string().starts_with("k: skills/a/a/b/c\\nd at depth 3 is over"),
            "{}",
            errors[0]
        );
    }

    #[test]
    fn long_paths_are_truncated() {
        let (errors, _) = collect(&[], &[(&"x".repeat(1 << 20), b"")]);
        let length = errors[0].to_string().len();
        assert!(length < 2 * MAX_SHOWN, "{length} bytes");
        assert!(errors[0].hint().is_some_and(|hint| hint.len() < MAX_SHOWN));
    }

    #[test]
    fn lfs_pointers_are_recognized() {
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
        assert_eq!(lfs_pointer(pointer), Some(12345));
        assert_eq!(lfs_pointer(b"version 1\nsize 3\n"), None);
    }

    #[test]
    fn excluded_files_are_not_checked() {
        assert_eq!(
            collect(&["*.bin", "assets/**"], &[("con.bin", b""), ("assets/x/aux", b"")]).0.len(),
            0
        );
    }
}
