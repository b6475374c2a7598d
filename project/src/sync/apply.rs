//! The writing half of a sync.
//!
//! The order makes every moment safe: new files are complete in the staging directory before the first one moves; the
//! listing of what is coming lies beside them, so that a sync that was killed half-way knows its own files from edited
//! ones; a listing follows its files, the lock follows the listings, and only then is anything pruned.

use super::{Arrival, Change, Moved, Plan, Synced, Wanted, Work, has_same_files};
use crate::manifest::Lock;
use crate::{
    Cancellation, Error, Failure,
    cache::Cache,
    contents::SkillFile,
    difference::Difference,
    disk,
    locked_file::LockedFile,
    metadata::{is_executable, is_no_directory},
    parallel,
    paths::ProjectPaths,
    regular_file::Links,
    store::{self, ATTRIBUTES, STAGING},
};
use helix_skills_format::__internal::one_line_chain;
use helix_skills_format::{Digest, Listing, LockedSkill, SkillName};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

/// Files are made durable on so many threads: that work waits for the disk.
const WRITERS: usize = 8;

/// Skills that leave, each with every listing that knows its files.
type Leaving = BTreeMap<SkillName, Vec<Listing>>;

pub(super) fn apply(work: &Work<'_>, plan: Plan, lock: Lock, before: Option<&Lock>) -> Result<Synced, Failure> {
    let Work { project, cache, mode, .. } = *work;
    let (lock_changed, lock_is_new) = (before != Some(&lock), before.is_none());
    let nothing = Lock::default();
    let old = before.unwrap_or(&nothing);
    let mut leaving: Leaving = leaving(project, old, &lock, &plan.pending)?;
    let edits = edits_in_the_way(project, cache, old, &plan.skills, &leaving, &plan.pending)?;
    if !mode.restore && !edits.is_empty() {
        return Err(edits.into());
    }
    let lost = edits.into_iter().filter_map(|error| match error {
        Error::Edited { path, difference, .. } => Some((path, difference)),
        _ => None,
    });
    let attributes = project.store.join(ATTRIBUTES.0);
    let attributes_differ = match lock.skills.is_empty() {
        true => None,
        false => store::attributes_difference(project)?,
    };
    // One that is missing is written like any other file of a new store.
    let put_back = attributes_differ.filter(|difference| *difference != Difference::Missing);
    let put_back = put_back.map(|difference| (project.show(&attributes), difference));
    let mut synced = Synced {
        replaced: lost.chain(put_back).collect(),
        moved: moved(old, &lock),
        lock_changed,
        lock_is_new,
        changes: BTreeMap::new(),
        audited: BTreeMap::new(),
        upstream: plan.upstream,
        warnings: plan.warnings,
        details: plan.details,
        put_off: plan.put_off,
        wrote: Vec::new(),
        lock,
    };
    synced.changes.extend(leaving.keys().map(|name| (name.clone(), Change::Removed)));
    leaving.retain(|name, listings| !listings.is_empty() || project.skill_dir(name).exists());
    // To some file systems the directory of a skill that leaves is that of one that comes: it goes first, and nothing
    // that lies there counts.
    let folded: BTreeSet<String> = synced.lock.skills.keys().map(SkillName::folded).collect();
    let (in_the_way, leaving): (Leaving, Leaving) =
        leaving.into_iter().partition(|(name, _)| folded.contains(&name.folded()));
    let taken: BTreeSet<String> = in_the_way.keys().map(SkillName::folded).collect();
    let (mut tasks, mut modes) = (Vec::new(), Vec::new());
    for (name, wanted) in plan.skills {
        let makes_room = taken.contains(&name.folded());
        let task = wanted.arrival.map(|arrival| Task::plan(project, &name, arrival, makes_room)).transpose()?;
        let change = match old.skills.get(&name) {
            None => Change::Added,
            Some(before) if !has_same_files(before, &wanted.locked) => Change::Updated,
            Some(_) if task.as_ref().is_some_and(Task::has_work) || !wanted.modes.is_empty() => Change::Restored,
            Some(_) => Change::Unchanged,
        };
        synced.changes.insert(name.clone(), change);
        synced.audited.extend(wanted.audited.map(|audited| (name.clone(), audited)));
        modes.extend(wanted.modes.into_iter().map(|path| {
            let executable = wanted.locked.executable.as_ref().is_some_and(|executable| executable.contains(&path));
            (project.skill_dir(&name).join(path.as_str()), executable)
        }));
        tasks.extend(task.map(|task| (name, task)));
    }
    if mode.dry_run || !(work.approve)(&synced) {
        return Ok(synced);
    }
    let mut keep = tasks.iter().filter(|(_, task)| task.cache);
    if let Err(error) = keep.try_for_each(|(_, task)| cache.put(project, task.listing.integrity(), &task.contents)) {
        // It only saves a download, and what is wrong with it is wrong for every skill.
        let help = error.hint().map(|help| format!("; {help}")).unwrap_or_default();
        synced.warnings.push(format!("cannot keep the skills in the cache: {}{help}", one_line_chain(&error)));
    }
    let staging = project.store.join(STAGING);
    let all_leaving = in_the_way.iter().chain(&leaving);
    if attributes_differ.is_some()
        || all_leaving.clone().next().is_some()
        || tasks.iter().any(|(_, task)| task.has_work())
    {
        let above = disk::create_dir(&project.store)?;
        if is_no_directory(&staging) {
            disk::remove_file(&staging)?;
        }
        let is_new = !staging.exists();
        if let Err(error) = stage(&staging, &mut tasks, all_leaving, work.cancellation) {
            // Nothing has moved yet: what an earlier sync left there is all that is worth keeping.
            if is_new && staging.exists() {
                let _ = disk::remove_tree(&staging);
            }
            if !above.is_empty() {
                disk::remove_empty_dir(&project.store);
            }
            return Err(error.into());
        }
        for directory in above {
            disk::sync_dir(&directory)?;
        }
        if attributes_differ.is_some() {
            disk::replace_by_way_of(&staging.join("attributes"), &attributes, ATTRIBUTES.1.as_bytes())?;
            synced.wrote.push(attributes);
        }
        for (name, listings) in &in_the_way {
            prune(project, name, listings, mode.restore)?;
        }
        for (name, task) in tasks.iter().filter(|(_, task)| task.has_work()) {
            synced.wrote.extend(task.install(project, &staging, name)?);
        }
        disk::sync_dir(&project.store)?;
    }
    for (path, executable) in modes {
        disk::make_executable(&path, executable)?;
    }
    if lock_changed {
        disk::replace(&project.lock, synced.lock.to_string().as_bytes())?;
        synced.wrote.push(project.lock.clone());
    }
    for (name, listings) in &leaving {
        prune(project, name, listings, mode.restore)?;
    }
    if !leaving.is_empty() {
        // What is known of them goes only after they have.
        disk::sync_dir(&project.store)?;
    }
    if staging.exists() {
        disk::remove_tree(&staging)?;
    }
    let strangers = store::strangers(project, |name| synced.lock.skills.contains_key(name))?;
    let mentioned = strangers.into_iter().map(|name| project.show(&project.store.join(name)).display().to_string());
    synced.warnings.extend(mentioned.map(|path| format!("`{path}` belongs to no skill and was left alone")));
    Ok(synced)
}

/// The sources that mean another commit than before, with both; and the plugins of other repositories that do.
fn moved(old: &Lock, new: &Lock) -> Vec<Moved> {
    let mut moved = Vec::new();
    for (key, source) in &new.sources {
        let before = old.sources.get(key);
        let plugin = source.plugin.as_ref().filter(|plugin| plugin.url.is_some());
        let plugin_before = before.and_then(|before| before.plugin.as_ref());
        let hops = [
            (None, &source.reference, &source.commit, before.and_then(|before| before.commit)),
            (
                plugin.and_then(|plugin| plugin.url.clone()),
                plugin.map_or(&None, |plugin| &plugin.reference),
                plugin.map_or(&None, |plugin| &plugin.commit),
                plugin_before.and_then(|before| before.commit),
            ),
        ];
        for (plugin_url, reference, after, before) in hops {
            if let Some(after) = (*after).filter(|after| before.as_ref() != Some(after)) {
                moved.push(Moved { key: key.clone(), plugin_url, reference: reference.clone(), before, after });
            }
        }
    }
    moved
}

/// Listings of syncs that did not come to their end.
#[derive(Default)]
pub(super) struct Pending(BTreeMap<SkillName, Vec<Listing>>);

impl Pending {
    pub(super) fn read(store: &Path) -> Result<Self, Error> {
        let mut pending: BTreeMap<SkillName, Vec<Listing>> = BTreeMap::new();
        for path in store::files_below(&store.join(STAGING))? {
            let name = path.to_string_lossy();
            let skill = name.strip_suffix(".sha256").and_then(|stem| stem.rsplit_once('.'));
            let Some(skill) = skill.and_then(|(skill, _)| SkillName::new(skill).ok()) else { continue };
            match store::read_listing(&store.join(STAGING).join(&path)) {
                Ok(Some(Some(listing))) => pending.entry(skill).or_default().push(listing),
                // A pipe or the like is not a listing either.
                Err(Error::Disk { source, .. }) if source.kind() == io::ErrorKind::InvalidInput => {}
                read => drop(read?),
            }
        }
        Ok(Self(pending))
    }

    fn of(&self, skill: &SkillName) -> &[Listing] {
        self.0.get(skill).map_or(&[], Vec::as_slice)
    }
}

/// What a skill's listing of an unfinished sync is called.
fn pending_name(name: &SkillName, listing: &Listing) -> String {
    format!("{name}.{}.sha256", &listing.integrity().0.to_string()[..16])
}

/// Skills that leave: those of the old lock, or of a sync that did not come to its end, that the new lock does not name;
/// each with every listing that knows its files. What else lies in the store is somebody else's.
fn leaving(project: &ProjectPaths, old: &Lock, lock: &Lock, pending: &Pending) -> Result<Leaving, Error> {
    // What an unfinished sync took away has left, if what came has its place now.
    let here: BTreeSet<String> = lock.skills.keys().map(SkillName::folded).collect();
    let unfinished = pending.0.keys().filter(|name| !here.contains(&name.folded()));
    let names: BTreeSet<SkillName> = old.skills.keys().chain(unfinished).cloned().collect();
    let mut leaving = BTreeMap::new();
    for name in names.into_iter().filter(|name| !lock.skills.contains_key(name)) {
        let on_disk = store::read_listing(&project.listing(&name))?.flatten();
        let listings: Vec<Listing> = on_disk.into_iter().chain(pending.of(&name).iter().cloned()).collect();
        leaving.insert(name, listings);
    }
    Ok(leaving)
}

/// Files that would be lost and that no listing knows: somebody edited them, or put them there.
///
/// The listing that lies on disk counts if the lock names it, if there is no lock that could, or if the cache has seen it:
/// else nobody knows that a sync wrote it.
fn edits_in_the_way(
    project: &ProjectPaths,
    cache: &Cache,
    old: &Lock,
    skills: &[(SkillName, Wanted)],
    leaving: &Leaving,
    pending: &Pending,
) -> Result<Vec<Error>, Error> {
    // By what a forgiving file system makes of the names: there, one directory may hold the files of two.
    let mut known: BTreeMap<String, Vec<&Listing>> = BTreeMap::new();
    let arriving = || skills.iter().filter_map(|(name, wanted)| Some((name, &wanted.arrival.as_ref()?.listing)));
    for (name, listing) in arriving() {
        known.entry(name.folded()).or_default().push(listing);
    }
    for (name, listings) in leaving {
        known.entry(name.folded()).or_default().extend(listings);
    }
    for (name, listings) in &pending.0 {
        known.entry(name.folded()).or_default().extend(listings);
    }
    // Of the old or the new skill, whichever is larger.
    let mut sizes: BTreeMap<&SkillName, u64> = BTreeMap::new();
    let new = skills.iter().map(|(name, wanted)| (name, &wanted.locked));
    for (name, skill) in old.skills.iter().chain(new) {
        let size = sizes.entry(name).or_default();
        *size = skill.bytes.max(*size);
    }
    let skill_bytes = |name: &SkillName| sizes.get(name).copied().unwrap_or(0);
    // A cache that cannot be read has nothing.
    let is_cached = |integrity, name| cache.get(integrity, skill_bytes(name)).is_ok_and(|found| found.is_some());
    let mut errors = Vec::new();
    for (name, _) in arriving() {
        let mut known = known.get(&name.folded()).cloned().unwrap_or_default();
        let on_disk = store::read_listing(&project.listing(name))?.flatten();
        if let Some(listing) = &on_disk {
            let integrity = listing.integrity();
            let is_locked = old.skills.get(name).is_some_and(|skill| skill.integrity == integrity);
            if is_locked || old.sources.is_empty() || is_cached(integrity, name) {
                // First, because an edited file is compared with it.
                known.insert(0, listing);
            }
        }
        errors.extend(edits(project, name, &known, skill_bytes(name))?);
    }
    for name in leaving.keys() {
        let known = known.get(&name.folded()).map_or(&[][..], Vec::as_slice);
        errors.extend(edits(project, name, known, skill_bytes(name))?);
    }
    Ok(errors)
}

/// The edited files of a skill whose listing in the store is the locked one.
pub(super) fn edits_of_locked(
    project: &ProjectPaths,
    name: &SkillName,
    locked: &LockedSkill,
    pending: &Pending,
) -> Result<Vec<Error>, Error> {
    match store::read_listing(&project.listing(name))?.flatten() {
        Some(listing) if listing.integrity() == locked.integrity => {
            let known: Vec<&Listing> = pending.of(name).iter().chain([&listing]).collect();
            edits(project, name, &known, locked.bytes)
        }
        // What is on its way may be what lies there.
        _ => Ok(Vec::new()),
    }
}

/// The files of a stored skill that none of the `known` listings has. The first listing that names a
/// file says what it should be; `skill_bytes` is the size of the skill in the lockfile.
fn edits(project: &ProjectPaths, name: &SkillName, known: &[&Listing], skill_bytes: u64) -> Result<Vec<Error>, Error> {
    let directory = project.skill_dir(name);
    if is_no_directory(&directory) {
        let path = project.show(&directory);
        return Ok(vec![Error::Edited { skill: name.clone(), path, difference: Difference::NotAFile }]);
    }
    let mut errors = Vec::new();
    for relative in store::files_below(&directory)? {
        let path = directory.join(&relative);
        let listed = store::listed_name(&relative);
        let digests = known.iter().filter_map(|listing| listing.get(listed.as_ref()?));
        let expected: Vec<Digest> = digests.collect();
        let difference = match expected.first() {
            None => Difference::Unlisted,
            Some(first) => {
                let file = LockedFile::read(&path, Links::Refuse, &expected, skill_bytes);
                match file.map_err(Error::disk("read", &path))?.or_difference(*first) {
                    Ok(_) => continue,
                    Err(difference) => difference,
                }
            }
        };
        errors.push(Error::Edited { skill: name.clone(), path: project.show(&path), difference });
    }
    Ok(errors)
}

/// What has to be done for one skill.
struct Task {
    listing: Listing,
    contents: crate::contents::Contents,
    cache: bool,
    /// Files whose bytes have to be written, by their place in the contents; and where they are staged.
    write: Vec<(usize, PathBuf)>,
    /// Files that lie in the store and do not belong there.
    remove: Vec<PathBuf>,
    /// Whether a link or a file stands where the skill's directory should.
    blocked: bool,
    /// Whether the listing has to be written.
    list: bool,
    /// Whether a file that stays has other executable bits.
    modes: bool,
}

impl Task {
    /// With `makes_room`, another skill lies in the directory and goes before this one is installed.
    fn plan(project: &ProjectPaths, name: &SkillName, arrival: Arrival, makes_room: bool) -> Result<Self, Error> {
        let directory = project.skill_dir(name);
        let contents = arrival.contents.unwrap_or_default();
        let blocked = is_no_directory(&directory);
        let found = if blocked || makes_room { Vec::new() } else { store::files_below(&directory)? };
        let paths: BTreeSet<&str> = contents.files().iter().map(|file| file.path.as_str()).collect();
        let (mut present, mut remove) = (BTreeSet::new(), Vec::new());
        for path in found {
            match store::listed_name(&path) {
                Some(name) if paths.contains(name.as_str()) => drop(present.insert(name)),
                _ => remove.push(path),
            }
        }
        // By exactly that name and by no link: what is reached otherwise goes with what is removed.
        let is_there = |file: &SkillFile| {
            let path = directory.join(file.path.as_str());
            present.contains(file.path.as_str())
                && fs::symlink_metadata(&path)
                    .is_ok_and(|metadata| metadata.is_file() && metadata.len() == file.bytes.len() as u64)
                && fs::read(&path).is_ok_and(|found| found == file.bytes)
        };
        let (stay, come): (Vec<_>, Vec<_>) = contents.files().iter().enumerate().partition(|(_, file)| is_there(file));
        let modes = stay.iter().any(|(_, file)| {
            let metadata = fs::metadata(directory.join(file.path.as_str()));
            metadata.is_ok_and(|metadata| is_executable(&metadata) != file.executable)
        });
        let write = come.into_iter().map(|(at, _)| (at, PathBuf::new())).collect();
        let listed = store::read_listing(&project.listing(name))?.flatten();
        let list = makes_room || listed.as_ref() != Some(&arrival.listing);
        Ok(Self { write, remove, blocked, list, modes, listing: arrival.listing, cache: arrival.cache, contents })
    }

    fn has_work(&self) -> bool {
        !self.write.is_empty() || !self.remove.is_empty() || self.blocked || self.list || self.modes
    }

    /// Moves the staged files into place, removes what does not belong, and lists the result.
    fn install(&self, project: &ProjectPaths, staging: &Path, name: &SkillName) -> Result<Vec<PathBuf>, Error> {
        let directory = project.skill_dir(name);
        let mut wrote = Vec::new();
        if self.blocked {
            disk::remove_file(&directory)?;
        }
        // First, because a file may stand where a directory is wanted, and the other way round.
        let mut touched = BTreeSet::new();
        for path in &self.remove {
            let path = directory.join(path);
            disk::remove_file(&path)?;
            touched.extend(path.parent().map(Path::to_owned));
        }
        // The files of a path do not come here.
        let nothing = Listing::default();
        remove_empty_below(&directory, if self.contents.files().is_empty() { &nothing } else { &self.listing });
        for (at, staged) in &self.write {
            let path = directory.join(self.contents.files()[*at].path.as_str());
            if let Some(parent) = path.parent() {
                touched.extend(disk::create_dir(parent)?);
                touched.insert(parent.to_owned());
            }
            if path.is_dir() {
                disk::remove_tree(&path)?;
            }
            disk::rename(staged, &path)?;
            wrote.push(path);
        }
        for file in self.contents.files() {
            disk::make_executable(&directory.join(file.path.as_str()), file.executable)?;
        }
        sync_dirs(&touched)?;
        if self.list {
            let path = project.listing(name);
            disk::replace_by_way_of(&staging.join("listing"), &path, self.listing.to_string().as_bytes())?;
            wrote.push(path);
        }
        Ok(wrote)
    }
}

/// Writes everything that is coming into the staging directory, the listings first; also those of what leaves, so that
/// the next sync knows it even when the lock does not name it any more.
fn stage<'l>(
    staging: &Path,
    work: &mut [(SkillName, Task)],
    leaving: impl Iterator<Item = (&'l SkillName, &'l Vec<Listing>)>,
    cancellation: &Cancellation,
) -> Result<(), Error> {
    disk::create_dir(staging)?;
    // What a killed sync leaves behind is nothing to commit.
    disk::write(&staging.join(".gitignore"), b"*\n", disk::Durable::No)?;
    for (name, listings) in leaving {
        for listing in listings {
            let path = staging.join(pending_name(name, listing));
            disk::write(&path, listing.to_string().as_bytes(), disk::Durable::Yes)?;
        }
    }
    let mut files = Vec::new();
    for (name, task) in work.iter_mut().filter(|(_, task)| task.has_work()) {
        if !task.write.is_empty() {
            let text = task.listing.to_string();
            disk::write(&staging.join(pending_name(name, &task.listing)), text.as_bytes(), disk::Durable::Yes)?;
        }
        for (at, path) in &mut task.write {
            *path = staging.join(files.len().to_string());
            files.push((path.clone(), &task.contents.files()[*at].bytes));
        }
    }
    disk::sync_dir(staging)?;
    let results = parallel::map_on(WRITERS, files, |(path, bytes)| {
        cancellation.check()?;
        disk::write(&path, bytes, disk::Durable::Yes)
    });
    results.into_iter().collect::<Result<(), Error>>()?;
    // From here on it is quicker to finish than to go back.
    cancellation.check()
}

/// Makes what came and went in these directories durable; one that is gone went with the one above it.
fn sync_dirs(directories: &BTreeSet<PathBuf>) -> Result<(), Error> {
    directories.iter().filter(|directory| directory.is_dir()).try_for_each(|directory| disk::sync_dir(directory))
}

/// Removes a skill that left the lock: the files that its listings name, or `all` of them, empty directories, then the
/// listing.
fn prune(project: &ProjectPaths, name: &SkillName, listings: &[Listing], all: bool) -> Result<(), Error> {
    let directory = project.skill_dir(name);
    if is_no_directory(&directory) {
        disk::remove_file(&directory)?;
    } else {
        let mut touched = BTreeSet::new();
        for path in store::files_below(&directory)? {
            let listed = store::listed_name(&path);
            let is_listed = listed.is_some_and(|name| listings.iter().any(|listing| listing.get(&name).is_some()));
            if all || is_listed {
                let path = directory.join(path);
                disk::remove_file(&path)?;
                touched.extend(path.parent().map(Path::to_owned));
            }
        }
        remove_empty_below(&directory, &Listing::default());
        sync_dirs(&touched)?;
    }
    disk::remove_file(&project.listing(name))
}

/// Removes the empty directories below `directory`, and itself, except those that files of `keep` will lie in.
fn remove_empty_below(directory: &Path, keep: &Listing) {
    let mut directories = vec![directory.to_owned()];
    let mut at = 0;
    while at < directories.len() {
        let entries = fs::read_dir(&directories[at]).into_iter().flatten().flatten();
        directories.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
        at += 1;
    }
    let kept: BTreeSet<PathBuf> = keep
        .iter()
        .flat_map(|(path, _)| directory.join(path.as_str()).ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>())
        .collect();
    for empty in directories.iter().rev().filter(|path| !kept.contains(*path)) {
        if fs::read_dir(empty).is_ok_and(|mut entries| entries.next().is_none()) {
            disk::remove_empty_dir(empty);
        }
    }
}
