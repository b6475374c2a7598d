//! Compares the store, `helix.skills/`, with listings and the lockfile.
//!
//! A file that is in no listing is a difference, because it looks like part of the skill and is not
//! embedded. Files that editors and systems leave behind are ignored: nothing reads them, and
//! looking into the store with a file manager would fail the next build. Those that an interpreter
//! loads code from, such as `__pycache__`, remain a difference, because they could change what a
//! verified script does.

use crate::manifest::Lock;
use crate::{
    Error, SourceFile,
    candidate::locked_name,
    difference::Difference,
    locked_file,
    metadata::{instead_of_directory, is_executable, is_no_directory},
    paths::{ProjectPaths, read_bytes},
    regular_file::Links,
};
use helix_skills_format::{
    __internal::{invisible, is_inert_leftover},
    Digest, Finding, Listing, LockedSkill, ObjectId, RelPath, SkillMd, SkillName,
};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// The store's file for git, so that git neither converts upstream's bytes nor hides their changes
/// in a review, whatever the attributes of the repository say.
pub(crate) const ATTRIBUTES: (&str, &str) = (
    ".gitattributes",
    "* -text !diff !eol !working-tree-encoding !filter !ident !merge -linguist-generated linguist-vendored=true\n*.origin merge=union -diff linguist-generated\n",
);

/// The text of [`ATTRIBUTES`] in stores with the first lockfiles. A check accepts it.
const FORMER_ATTRIBUTES: &str = "* -text linguist-vendored\n";

/// The end of the name of an origin file, after a commit.
pub(crate) const ORIGIN: &str = ".origin";

/// The directory in the store for files that a sync has not renamed into place yet.
pub(crate) const STAGING: &str = ".staging";

/// The state of a locked skill in the store.
#[derive(Debug)]
pub(crate) enum StoredState {
    /// All files are there and have the locked bytes.
    Whole(Box<StoredSkill>),
    /// The listing is the locked one, and there are no files, because they are in a directory of
    /// the project.
    Listed,
    /// None of the files is there.
    Absent,
    /// Files differ from the lockfile.
    Differs(Vec<(PathBuf, Difference)>),
}

/// A skill whose files in the store have the locked bytes.
#[derive(Debug)]
pub(crate) struct StoredSkill {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// The name in its `SKILL.md`, or else that of its directory.
    pub(crate) own_name: Option<SkillName>,
    /// The locked executable files, without paths that are not files of the skill.
    pub(crate) executable: Option<BTreeSet<RelPath>>,
    /// Invisible text in the files.
    pub(crate) invisible: Vec<Finding>,
    /// The digests of the files.
    pub(crate) listing: Listing,
    /// Warnings about its `SKILL.md`, one line each.
    pub(crate) warnings: Vec<String>,
    /// The files whose executable bit is not the locked one. The bit is not part of the integrity,
    /// and some checkouts and file systems do not keep it.
    pub(crate) modes: Vec<RelPath>,
}

/// Returns the errors for the differences of a skill.
pub(crate) fn edited(
    project: &ProjectPaths,
    name: &SkillName,
    differences: Vec<(PathBuf, Difference)>,
) -> Vec<Error> {
    let edited =
        |(path, difference): (PathBuf, _)| Error::edited(name, project.show(&path), difference);
    differences.into_iter().map(edited).collect()
}

/// Compares the files of a stored skill with the lockfile.
pub(crate) fn state(
    project: &ProjectPaths,
    lock: &Lock,
    name: &SkillName,
    locked: &LockedSkill,
) -> Result<StoredState, Error> {
    let (listing, compared) = match files(project, name, locked, Keep::SkillMd)? {
        Ok(found) => found,
        Err(state) => return Ok(state),
    };
    let Compared { differences, bytes, invisible, files } = compared;
    if !differences.is_empty() {
        return Ok(StoredState::Differs(differences));
    }
    let directory = project.skill_dir(name);
    let modes =
        locked.executable.as_ref().map(|executable| other_modes(&directory, &listing, executable));
    let executable = locked.executable.clone().map(|mut executable| {
        executable.retain(|path| listing.get(path).is_some());
        executable
    });
    let modes = modes.transpose()?.unwrap_or_default();
    let (own_name, warnings) =
        files.first().and_then(|file| locked_name(&lock.sources, (name, locked), file)).unzip();
    let (files, warnings) = (listing.len() as u64, warnings.unwrap_or_default());
    let stored =
        StoredSkill { files, bytes, own_name, executable, invisible, listing, warnings, modes };
    Ok(StoredState::Whole(Box::new(stored)))
}

/// Compares the files of a stored skill with its listing, and the listing with the lockfile. The
/// inner error is the state of a skill without files, or without the locked listing.
pub(crate) fn files(
    project: &ProjectPaths,
    name: &SkillName,
    locked: &LockedSkill,
    keep: Keep,
) -> Result<Result<(Listing, Compared), StoredState>, Error> {
    let directory = project.skill_dir(name);
    let path = project.listing(name);
    let differs = |path, difference| Ok(Err(StoredState::Differs(vec![(path, difference)])));
    if let Some(found) = instead_of_directory(&directory) {
        return differs(directory, Difference::NotADirectory(found));
    }
    let is_there = directory.exists();
    let expected = locked.integrity;
    let listing = match read_listing(&path)? {
        None if is_there => return differs(path, Difference::Missing),
        None => return Ok(Err(StoredState::Absent)),
        Some(None) => return differs(path, Difference::Listing { expected }),
        Some(Some(listing)) => listing,
    };
    let is_locked = listing.integrity() == expected;
    if is_locked && !is_there {
        return Ok(Err(StoredState::Absent));
    }
    let mut compared = compare(&directory, &listing, locked.bytes, Links::Refuse, keep)?;
    for path in files_below(&directory)? {
        let is_listed = listed_name(&path).is_some_and(|name| listing.get(&name).is_some());
        if !is_listed && !is_ignored(&path) {
            compared.differences.push((directory.join(path), Difference::Unlisted));
        }
    }
    match (is_locked, is_there && compared.differences.is_empty()) {
        (true, _) => Ok(Ok((listing, compared))),
        (false, true) => differs(path, Difference::WholeListing { expected }),
        (false, false) => differs(path, Difference::Listing { expected }),
    }
}

/// Compares the listing of a skill with the lockfile whose files are not in the store, because
/// they are in a directory of the project.
pub(crate) fn listing_state(
    project: &ProjectPaths,
    name: &SkillName,
    locked: &LockedSkill,
) -> Result<StoredState, Error> {
    if let Err(state) = listing(project, name, locked)? {
        return Ok(state);
    }
    let directory = project.skill_dir(name);
    let mut unlisted = files_below(&directory)?;
    unlisted.retain(|path| !is_ignored(path));
    if unlisted.is_empty() {
        return Ok(StoredState::Listed);
    }
    let unlisted = unlisted.into_iter().map(|path| (directory.join(path), Difference::Unlisted));
    Ok(StoredState::Differs(unlisted.collect()))
}

/// Reads the listing of a skill. The inner error is the state of a skill without the locked one.
pub(crate) fn listing(
    project: &ProjectPaths,
    name: &SkillName,
    locked: &LockedSkill,
) -> Result<Result<Listing, StoredState>, Error> {
    let path = project.listing(name);
    let expected = locked.integrity;
    Ok(match read_listing(&path)? {
        None => Err(StoredState::Absent),
        Some(Some(listing)) if listing.integrity() == expected => Ok(listing),
        Some(_) => Err(StoredState::Differs(vec![(path, Difference::Listing { expected })])),
    })
}

/// Returns the listing of a skill if it is the locked one.
pub(crate) fn locked_listing(
    project: &ProjectPaths,
    name: &SkillName,
    locked: &LockedSkill,
) -> Option<Listing> {
    listing(project, name, locked).ok()?.ok()
}

/// Returns the listed files whose executable bit is not the locked one; none on systems without
/// such bits.
fn other_modes(
    directory: &Path,
    listing: &Listing,
    executable: &BTreeSet<RelPath>,
) -> Result<Vec<RelPath>, Error> {
    let mut found = Vec::new();
    for (path, _) in listing.iter().filter(|_| cfg!(unix)) {
        let on_disk = directory.join(path.as_str());
        let metadata = fs::symlink_metadata(&on_disk).map_err(Error::read(&on_disk))?;
        if is_executable(&metadata) != executable.contains(path) {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// Reads a listing: `None` if the file does not exist, `Some(None)` if the file is not a valid
/// listing, or a link.
pub(crate) fn read_listing(path: &Path) -> Result<Option<Option<Listing>>, Error> {
    if path.is_symlink() {
        return Ok(Some(None));
    }
    let bytes = read_bytes(path)?;
    Ok(bytes
        .map(|bytes| std::str::from_utf8(&bytes).ok().and_then(|text| Listing::parse(text).ok())))
}

/// The result of comparing a directory with a listing.
#[derive(Default)]
pub(crate) struct Compared {
    pub(crate) differences: Vec<(PathBuf, Difference)>,
    /// Total size of the files that match.
    bytes: u64,
    /// Invisible text in the files that match.
    pub(crate) invisible: Vec<Finding>,
    /// The files that match and were kept.
    pub(crate) files: Vec<SourceFile>,
}

/// Which files of a comparison are kept in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The `SKILL.md`; if both spellings exist, `SKILL.md` is the first one.
    SkillMd,
    All,
}

/// Compares the listed files below `directory` with `listing`. `skill_bytes` is the size of the
/// skill in the lockfile.
pub(crate) fn compare(
    directory: &Path,
    listing: &Listing,
    skill_bytes: u64,
    links: Links,
    keep: Keep,
) -> Result<Compared, Error> {
    let mut compared = Compared::default();
    for (path, expected) in listing.iter() {
        let on_disk = directory.join(path.as_str());
        match read_listed(&on_disk, links, expected, skill_bytes)? {
            Ok(bytes) => {
                compared.bytes += bytes.len() as u64;
                // Checked again even if it was allowed, because the manifest may have changed.
                compared.invisible.extend(invisible::check_file(path, &bytes));
                let is_first_md = SkillMd::is_file_name(path) && compared.files.is_empty();
                if keep == Keep::All || is_first_md {
                    compared.files.push(SourceFile::new(path.clone(), bytes));
                }
            }
            Err(difference) => compared.differences.push((on_disk, difference)),
        }
    }
    Ok(compared)
}

/// Reads a file and returns its bytes if they have the digest `expected`, or else the difference.
fn read_listed(
    path: &Path,
    links: Links,
    expected: Digest,
    skill_bytes: u64,
) -> Result<Result<Vec<u8>, Difference>, Error> {
    locked_file::read(path, links, &[expected], skill_bytes).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(Err(Difference::Missing)),
        _ => Err(Error::read(path)(error)),
    })
}

/// Returns the difference between the store's `.gitattributes` and [`ATTRIBUTES`], if there is one.
pub(crate) fn attributes_difference(project: &ProjectPaths) -> Result<Option<Difference>, Error> {
    let (name, text) = ATTRIBUTES;
    let expected = Digest::hash(text.as_bytes());
    let former = Digest::hash(FORMER_ATTRIBUTES.as_bytes());
    let found = read_listed(&project.store.join(name), Links::Refuse, expected, 0)?.err();
    Ok(found.map(|difference| match difference {
        Difference::Changed { found, .. } if found == former => Difference::Former,
        other => other,
    }))
}

/// Returns the relative paths of all entries below `directory` that are not directories, sorted.
/// Empty if `directory` does not exist or is a link, which is not followed.
pub(crate) fn files_below(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    if is_no_directory(directory) {
        return Ok(Vec::new());
    }
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(relative) = open.pop() {
        let absolute = directory.join(&relative);
        let entries = match fs::read_dir(&absolute) {
            Ok(entries) => entries,
            Err(error)
                if error.kind() == io::ErrorKind::NotFound && relative.as_os_str().is_empty() =>
            {
                return Ok(found);
            }
            Err(error) => return Err(Error::read(absolute)(error)),
        };
        for entry in entries {
            let entry = entry.map_err(Error::read(&absolute))?;
            let kind = entry.file_type().map_err(Error::read(entry.path()))?;
            let path = relative.join(entry.file_name());
            if kind.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether a path of [`files_below`] that is in no listing is ignored.
pub(crate) fn is_ignored(relative: &Path) -> bool {
    listed_name(relative).is_some_and(|name| is_inert_leftover(&name))
}

/// Converts a path of [`files_below`] to the form in listings, with `/` between the parts. `None`
/// if it is not UTF-8.
pub(crate) fn listed_name(relative: &Path) -> Option<String> {
    relative
        .iter()
        .map(|part| part.to_str())
        .collect::<Option<Vec<_>>>()
        .map(|parts| parts.join("/"))
}

/// Returns whether an entry of the store is a listing without its skill, as a merge or a lockfile
/// from version control leaves it behind. Only a sync writes listings.
pub(crate) fn is_orphan(project: &ProjectPaths, name: &str) -> bool {
    let skill = name.strip_suffix(".sha256").and_then(|name| SkillName::new(name).ok());
    let has_files = |skill: &SkillName| fs::symlink_metadata(project.skill_dir(skill)).is_ok();
    skill.is_some_and(|skill| {
        !has_files(&skill) && matches!(read_listing(&project.listing(&skill)), Ok(Some(Some(_))))
    })
}

/// Returns whether an entry of the store has the name of an origin file.
pub(crate) fn is_origin(name: &str) -> bool {
    name.strip_suffix(ORIGIN).is_some_and(|commit| commit.parse::<ObjectId>().is_ok())
}

/// Returns the names of all entries of the store; none if it does not exist.
pub(crate) fn entries(project: &ProjectPaths) -> Result<BTreeSet<String>, Error> {
    let names = fs::read_dir(&project.store).and_then(|entries| {
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    });
    match names {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        names => names.map_err(Error::read(&project.store)),
    }
}

/// Returns the entries of the store that are neither known skills or listings nor files of the
/// store itself, sorted.
pub(crate) fn unknown_entries(
    project: &ProjectPaths,
    mut is_known: impl FnMut(&str) -> bool,
) -> Result<Vec<String>, Error> {
    let mut found = entries(project)?;
    found.retain(|name| {
        let is_own =
            name == ATTRIBUTES.0 || name == STAGING || is_origin(name) || is_inert_leftover(name);
        !is_own && !is_known(name.strip_suffix(".sha256").unwrap_or(name))
    });
    Ok(found.into_iter().collect())
}
