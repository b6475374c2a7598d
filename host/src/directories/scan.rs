//! A scan of all directories.
//!
//! Names, frontmatter and file versions are kept, never the text of a body. Apart from its root,
//! one file is open at a time.

use crate::{
    Discovered, DiscoveredSkill, Error, Root,
    discovered::Contents,
    error::Problem,
    file_version::FileVersion,
    frontmatter,
    rooted_dir::{EntryKind, RootedDir},
    search::LazyIndex,
};
use helix_skills_format::{
    __internal::{near_skill, root_is_skill},
    Limits, Severity, SkillMd,
};
use helix_skills_runtime::Profile;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// Maximum number of bytes of frontmatter in one root, which bounds the memory for its skills. Ten
/// thousand skills have about five million. Without a limit, links, or files that a git pack stores
/// once, could multiply it at almost no cost for an attacker.
const MAX_ROOT_BYTES: u64 = 16 << 20;

/// Number of bytes that each directory of a root, and each finding about a directory, adds to the
/// bytes of its frontmatter. This bounds the number of both.
const DIRECTORY_BYTES: u64 = 256;

/// Maximum number of entries of a directory without a `SKILL.md` that are looked at.
const MAX_SEARCHED: usize = 256;

/// The result of a scan, with what the next scan needs to detect changes.
pub(super) struct Scan {
    pub(super) discovered: Discovered,
    /// Keyed by the path of the root, then by the name of the directory.
    directories: HashMap<PathBuf, BTreeMap<String, ScannedDirectory>>,
}

/// What a scan needs to know, besides the roots.
pub(super) struct ScanSettings {
    pub(super) profile: Profile,
    pub(super) limits: Limits,
    /// The real paths of the directories that links to skills may lead into.
    pub(super) targets: Vec<PathBuf>,
}

/// A directory that has a `SKILL.md`.
#[derive(Clone)]
struct ScannedDirectory {
    file_name: &'static str,
    version: FileVersion,
    /// Whether an equal version means an equal file.
    is_settled: bool,
    /// The part of [`MAX_ROOT_BYTES`] that it uses.
    bytes: u64,
    outcome: Result<Arc<DiscoveredSkill>, Error>,
}

impl Scan {
    /// Scans the roots, and reads the files that have changed since `previous`.
    pub(super) fn new(
        roots: &[(&Root, PathBuf)],
        settings: &ScanSettings,
        previous: Option<&Self>,
    ) -> Self {
        let mut directories: HashMap<PathBuf, BTreeMap<String, ScannedDirectory>> = HashMap::new();
        let mut skills: BTreeMap<String, Arc<DiscoveredSkill>> = BTreeMap::new();
        let mut problems = Vec::new();
        // From the skills that take precedence to those that they hide.
        for (root, path) in roots.iter().rev() {
            let previous = previous.and_then(|previous| previous.directories.get(path));
            let (path_of_root, remaining) = (Arc::from(&**path), MAX_ROOT_BYTES);
            let mut scan =
                RootScan { root, path: path_of_root, settings, remaining, problems: &mut problems };
            let scanned = match scan.run(previous) {
                Ok(scanned) => scanned,
                Err(error) if error.is_missing() && root.is_optional => continue,
                Err(error) => {
                    problems.push(error);
                    continue;
                }
            };
            let mut in_root = Vec::new();
            for directory in scanned.values() {
                match &directory.outcome {
                    Ok(found) => in_root.push(found),
                    Err(error) => problems.push(error.clone()),
                }
            }
            // Within one root, neither was meant to hide the other.
            in_root.sort_by_key(|found| Reverse(found.name_match())); // stable
            for found in in_root {
                let name = || found.name().to_owned();
                let by = skills.entry(name()).or_insert_with(|| Arc::clone(found));
                // A link to a skill, or one directory given as two roots, hides nothing.
                if found.skill_md != by.skill_md && !found.version.is_same_file(&by.version) {
                    let (by, name) = (by.skill_md.clone(), name());
                    problems.push(Problem::Hidden { by, name }.at(found.skill_md.clone()));
                }
            }
            directories.insert(path.clone(), scanned);
        }
        // The order in which directories are read depends on the file system.
        problems.sort_by(|one, other| one.path().cmp(&other.path()));
        let skills = skills.into_values().collect();
        Self {
            discovered: Discovered(Arc::new(Contents {
                skills,
                problems,
                profile: settings.profile,
                index: LazyIndex::default(),
            })),
            directories,
        }
    }
}

/// The scan of one root.
struct RootScan<'s> {
    root: &'s Root,
    path: Arc<Path>,
    settings: &'s ScanSettings,
    /// The remaining bytes of frontmatter.
    remaining: u64,
    problems: &'s mut Vec<Error>,
}

impl RootScan<'_> {
    fn run(
        &mut self,
        previous: Option<&BTreeMap<String, ScannedDirectory>>,
    ) -> Result<BTreeMap<String, ScannedDirectory>, Error> {
        let root = RootedDir::open(&self.path)?;
        let mut directories = BTreeMap::new();
        let mut bytes = 0_u64;
        for entry in root.read_dir(Path::new(""))? {
            let (name, kind) = entry?;
            if kind == Some(EntryKind::File) && name.to_str().is_some_and(SkillMd::is_file_name) {
                let (path, findings) = (root.path_to(Path::new(&name)), vec![root_is_skill()]);
                self.problems.push(Problem::Invalid { findings }.at(path));
            }
            if !matches!(kind, None | Some(EntryKind::Directory))
                || name.as_encoded_bytes().starts_with(b".")
            {
                continue;
            }
            bytes += DIRECTORY_BYTES;
            let name = match name.into_string() {
                Ok(name) => name,
                Err(name) => {
                    let path = root.path_to(Path::new(&name));
                    let source = "it is not UTF-8".into();
                    self.problems.push(Problem::InvalidPath { source }.at(path));
                    continue;
                }
            };
            let scanned =
                self.directory(&root, &name, previous.and_then(|previous| previous.get(&name)));
            bytes +=
                scanned.as_ref().ok().and_then(Option::as_ref).map_or(0, |scanned| scanned.bytes);
            if bytes > self.remaining {
                let excess = "too many bytes of frontmatter".to_owned();
                let hint = "split the directory into several roots".to_owned();
                let problem = Problem::Limit { excess, limit: self.remaining, hint };
                return Err(problem.at(&*self.path));
            }
            match scanned {
                Ok(Some(scanned)) => drop(directories.insert(name, scanned)),
                Ok(None) if kind.is_some() => self.problems.extend(near(&root, &name)),
                Ok(None) => {}
                Err(error) => self.problems.push(error),
            }
        }
        Ok(directories)
    }

    /// Reads the directory `name`, also if it is a link to a skill in another root or in a
    /// directory that the host named.
    fn directory(
        &self,
        root: &RootedDir,
        name: &str,
        previous: Option<&ScannedDirectory>,
    ) -> Result<Option<ScannedDirectory>, Error> {
        let outside = match self.read(root, &self.path, name, name, previous) {
            Err(error)
                if matches!(error.problem(), Problem::Outside { .. })
                    && root.is_link(Path::new(name)) =>
            {
                error
            }
            read => return read,
        };
        let link = root.path_to(Path::new(name));
        let real = dunce::canonicalize(link).unwrap_or_default();
        let target = self.settings.targets.iter().find_map(|target| {
            let inner = real.strip_prefix(target).ok()?.to_str()?;
            Some((target, inner)).filter(|(_, inner)| !inner.is_empty())
        });
        let Some((target, inner)) = target else { return Err(outside) };
        // The path of the link is not used any more: files are opened below `target`.
        self.read(&RootedDir::open(target)?, &Arc::from(&**target), inner, name, previous)
    }

    /// Reads the directory `inner` of `root`, or returns it as it was in `previous` if its file has
    /// not changed. `None` if it has no `SKILL.md`.
    fn read(
        &self,
        root: &RootedDir,
        path_of_root: &Arc<Path>,
        inner: &str,
        name: &str,
        previous: Option<&ScannedDirectory>,
    ) -> Result<Option<ScannedDirectory>, Error> {
        let (file_name, mut file) = match root.open_skill_md(Path::new(inner)) {
            Ok(opened) => opened,
            Err(error) => {
                return match error.problem() {
                    Problem::Missing => Ok(None),
                    // A link to a file, or a special file: not a directory.
                    Problem::Read { source } if source.kind() == ErrorKind::NotADirectory => {
                        Ok(None)
                    }
                    _ => Err(error),
                };
            }
        };
        if let Some(previous) =
            previous.filter(|previous| previous.is_settled && previous.file_name == file_name)
            && previous.version == file.version
        {
            return Ok(Some(previous.clone()));
        }
        let is_settled = file.version.is_settled(SystemTime::now());
        let outcome =
            frontmatter::metadata(&mut file, Some(name), file_name, self.settings.profile);
        let version = file.version;
        let bytes = match &outcome {
            Ok((_, len)) => *len as u64,
            Err(error) => error.findings().len() as u64 * DIRECTORY_BYTES,
        };
        let outcome = outcome.map(|(mut parsed, _)| {
            // Those that are reported for a skill that is used as it is.
            parsed.findings.retain(|finding| finding.code.when_baking() > Severity::Silent);
            Arc::new(DiscoveredSkill {
                skill: parsed.value.to_catalog_entry(&parsed.value.name),
                skill_md: self.path.join(name).join(file_name),
                kind: self.root.kind.as_deref().map(Arc::from),
                sandbox: None,
                findings: parsed.findings,
                version,
                root: Arc::clone(path_of_root),
                inner: inner.to_owned(),
                directory: name.to_owned(),
                file: file_name,
                profile: self.settings.profile,
                limits: self.settings.limits,
            })
        });
        // An I/O error may be temporary, so the file is read again.
        let is_settled =
            is_settled && !matches!(&outcome, Err(error) if error.findings().is_empty());
        Ok(Some(ScannedDirectory { file_name, version, is_settled, bytes, outcome }))
    }
}

/// Returns a problem if a directory without a `SKILL.md` looks like a skill.
fn near(root: &RootedDir, directory: &str) -> Option<Error> {
    let entries = root.read_dir(Path::new(directory)).ok()?.take(MAX_SEARCHED).flatten();
    let entries: Vec<_> = entries
        .filter_map(|(name, kind)| Some((name.into_string().ok()?, kind?)))
        .map(|(name, kind)| (name, kind == EntryKind::Directory))
        .collect();
    let has_skill = |name: &str| {
        let inner = Path::new(directory).join(name).join(SkillMd::FILE_NAMES[0]);
        Ok::<_, Error>(root.entry_kind(&inner) == EntryKind::File)
    };
    let names = entries.iter().map(|(name, is_directory)| (&**name, *is_directory));
    let (path, finding) = near_skill(directory, names, has_skill).ok()??;
    Some(Problem::Invalid { findings: vec![finding] }.at(root.path_to(Path::new(&path))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frontmatter_of_a_root_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, description: &str| {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            let text = format!(
                "---\nname: {name}\ndescription: {description}\n---\n{}",
                "x".repeat(9_000)
            );
            std::fs::write(folder.path().join(name).join("SKILL.md"), text).unwrap();
        };
        let (root, mut problems) = (Root::new(folder.path()), Vec::new());
        let mut scan = |remaining| {
            let (path, problems) = (Arc::from(folder.path()), &mut problems);
            let (profile, limits) = (Profile::Helix, Limits::default());
            let settings = &ScanSettings { profile, limits, targets: Vec::new() };
            RootScan { root: &root, path, settings, remaining, problems }
                .run(None)
                .map(|directories| directories.len())
        };
        // Bodies do not count, and each directory counts for 256 bytes.
        ["a", "b", "c"].iter().for_each(|name| write(name, "d"));
        std::fs::create_dir(folder.path().join("empty")).unwrap();
        assert_eq!(scan(4 * 256 + 3 * 31).unwrap(), 3);
        assert!(scan(4 * 256 + 3 * 31 - 1).is_err());
        write("d", &"d".repeat(1_000));
        let error = scan(2_000).unwrap_err();
        assert!(
            error.to_string().ends_with(" has too many bytes of frontmatter; the limit is 2000"),
            "{error}"
        );
        assert_eq!(error.hint().unwrap(), "split the directory into several roots");
        assert_eq!(scan(6_000).unwrap(), 4);
    }
}
