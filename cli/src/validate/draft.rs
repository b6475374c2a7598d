//! One directory: a skill as its author has it, or the way to others.

use super::{Judged, Task, files::Looked, walls::Walls};
use crate::{
    Error,
    contents::{FileRules, is_skill_directory},
    disk,
};
use helix_skills_format::{
    Code, Finding, STORE_DIR, Severity, SkillMd,
    audit::Audited,
    lint::{Draft, lint, mend},
};
use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// So many files and directories of a skill are looked at; a project takes 1,000 files of one, unless it says otherwise.
const MAX_ENTRIES: usize = 4000;

/// So deep.
const MAX_DEPTH: usize = 16;

/// The most bytes that a SKILL.md may have, as for a project that says nothing else.
const MAX_TEXT: u64 = 8 * 1024 * 1024;

/// A directory to look into.
pub(super) struct Place {
    /// Which of the paths that were named it lies below.
    pub(super) root: usize,
    pub(super) directory: PathBuf,
    /// Which of its files belong to no skill.
    pub(super) files: Option<Arc<FileRules>>,
    /// What links of its skills may not lead out of.
    pub(super) walls: Arc<Walls>,
    pub(super) depth: usize,
    /// Whether a link led here: then it is a skill or nothing.
    pub(super) is_link: bool,
}

/// What a directory is.
pub(super) enum Visit {
    Skill(Judged),
    Below(Vec<Place>),
    /// It should have been read or written, and could not be.
    Failed(Error),
}

/// Reads a directory, and judges the skill that it is.
pub(super) fn visit(start: &Path, place: &Place, task: Task) -> Visit {
    let entries = match entries(&place.directory) {
        Ok(entries) => entries,
        // What nobody named and nobody may read is nobody's skill.
        Err(_) if place.depth > 0 => return Visit::Below(Vec::new()),
        Err(error) => return Visit::Failed(Error::disk("read the directory", shown(start, &place.directory))(error)),
    };
    let is_file = |name: &str| entries.iter().any(|entry| entry.name == name && entry.kind != Kind::Directory);
    if let Some(file) = SkillMd::FILE_NAMES.into_iter().find(|name| is_file(name)) {
        return match judge(start, place, file, &entries, task) {
            Ok(judged) => Visit::Skill(judged),
            Err(error) => Visit::Failed(error),
        };
    }
    if place.is_link {
        return Visit::Below(Vec::new());
    }
    let below = entries.into_iter().filter(|entry| entry.kind == Kind::Directory && leads_on(&entry.name));
    let below = below.map(|entry| Place {
        root: place.root,
        directory: place.directory.join(&entry.name),
        files: place.files.clone(),
        walls: Arc::clone(&place.walls),
        depth: place.depth + 1,
        is_link: entry.is_link,
    });
    Visit::Below(below.collect())
}

/// Whether skills are looked for in a directory of this name that nobody named.
fn leads_on(name: &str) -> bool {
    is_skill_directory(name) && !name.starts_with('.') && !matches!(name, "node_modules" | "target" | STORE_DIR)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
    /// A pipe, a device, or a link that leads nowhere or too far.
    Other,
}

struct Entry {
    name: String,
    kind: Kind,
    is_link: bool,
}

/// What a directory holds. Names that are not UTF-8 are shown as well as they can be.
fn entries(directory: &Path) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let own = entry.file_type()?;
        let is_link = own.is_symlink();
        let kind =
            if is_link { fs::metadata(entry.path()).ok().map(|metadata| metadata.file_type()) } else { Some(own) };
        let kind = match kind {
            Some(kind) if kind.is_dir() => Kind::Directory,
            Some(kind) if kind.is_file() => Kind::File,
            _ => Kind::Other,
        };
        entries.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), kind, is_link });
    }
    Ok(entries)
}

fn judge(start: &Path, place: &Place, file: &str, top: &[Entry], task: Task) -> Result<Judged, Error> {
    let directory = &*place.directory;
    let path = directory.join(file);
    let shown_file = shown(start, &path);
    let judged =
        |findings| Judged { file: shown_file.clone(), mended: Vec::new(), findings, audited: Audited::default() };
    let entry = top.iter().find(|entry| entry.name == file);
    let leads_out = |entry: &Entry, path: &Path| entry.is_link && !place.walls.hold(path, directory);
    let entry = entry.filter(|entry| !leads_out(entry, &path));
    let mut bytes = match read(&path, entry) {
        Ok(bytes) => bytes,
        Err(finding) => return Ok(judged(vec![finding])),
    };
    let name = name_of(directory, top);
    let mut mended = Vec::new();
    if task.fix
        && entry.is_some_and(|entry| !entry.is_link)
        && let Some(better) = std::str::from_utf8(&bytes).ok().and_then(|text| mend(text, name.as_deref()))
    {
        // What a run left that was killed is no file of the skill.
        if disk::remove_leftover_of(&path, better.text.as_bytes())? {
            let top = entries(directory).map_err(Error::disk("read the directory", shown(start, directory)))?;
            return judge(start, place, file, &top, task);
        }
        disk::replace(&path, better.text.as_bytes())?;
        (bytes, mended) = (better.text.into_bytes(), better.codes);
    }
    let walls = (&*place.walls, directory);
    let mut walk = Walk { rules: place.files.as_deref(), walls, skill_md: file, files: Vec::new(), odd: Vec::new() };
    let is_whole = walk.down(directory, top, "", 0);
    let Walk { mut files, mut odd, .. } = walk;
    if !is_whole {
        let message =
            format!("the skill has more than {MAX_ENTRIES} files and directories, or more than {MAX_DEPTH} levels");
        odd.push(Finding::new(Code::TooLarge, None, message).hint("leave out what an agent does not read"));
    }
    files.sort_unstable();
    let draft = Draft { bytes: &bytes, directory: name.as_deref(), file, files: is_whole.then_some(files.as_slice()) };
    let Looked { audited, invisible, mut texts } = Looked::at(directory, file, &bytes, &files);
    let mut findings = lint(&draft, task.rules, |path| texts.remove(path).map(Cow::Owned));
    findings.extend(odd);
    let is_told = |found: &Finding| task.rules.severity(found.code) != Severity::Silent;
    findings.extend(invisible.into_iter().filter(is_told));
    findings.sort_by(|a, b| (&a.file, a.at).cmp(&(&b.file, b.at)));
    Ok(Judged { mended, audited, ..judged(findings) })
}

/// The bytes of a SKILL.md.
fn read(path: &Path, entry: Option<&Entry>) -> Result<Vec<u8>, Finding> {
    let cannot =
        |why: &dyn std::fmt::Display| Finding::new(Code::Unreadable, None, format!("cannot read the file: {why}"));
    // Reading a pipe would wait for whoever writes into it.
    if entry.is_none_or(|entry| entry.kind != Kind::File) {
        return Err(cannot(&"it is a link that leads nowhere or out of the project, or no file")
            .hint("put a file in its place"));
    }
    let read = || {
        let file = fs::File::open(path)?;
        let length = file.metadata()?.len();
        let mut bytes = Vec::with_capacity(usize::try_from(length.min(MAX_TEXT)).unwrap_or(0) + 1);
        io::Read::read_to_end(&mut io::Read::take(file, MAX_TEXT + 1), &mut bytes)?;
        Ok::<_, io::Error>(bytes)
    };
    match read() {
        Ok(bytes) if bytes.len() as u64 > MAX_TEXT => {
            Err(Finding::new(Code::TooLarge, None, format!("the file has more than {MAX_TEXT} bytes")))
        }
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(cannot(&error)),
    }
}

/// The name that the directory has everywhere: a checkout may be called anything.
fn name_of(directory: &Path, top: &[Entry]) -> Option<String> {
    if top.iter().any(|entry| entry.name == ".git") {
        return None;
    }
    let own = directory.file_name().map(ToOwned::to_owned);
    // `.` and `..` have no name of their own.
    let name = own.or_else(|| fs::canonicalize(directory).ok()?.file_name().map(ToOwned::to_owned))?;
    Some(name.to_string_lossy().into_owned())
}

/// A way through all directories of a skill.
struct Walk<'w> {
    rules: Option<&'w FileRules>,
    /// What links may not lead out of, and the directory of the skill.
    walls: (&'w Walls, &'w Path),
    /// What its SKILL.md is called.
    skill_md: &'w str,
    /// The paths of all other files.
    files: Vec<String>,
    /// What was no file, or could not be read.
    odd: Vec<Finding>,
}

impl Walk<'_> {
    /// Takes the path of every file below `directory`; tells whether these are all.
    fn down(&mut self, directory: &Path, entries_here: &[Entry], prefix: &str, depth: usize) -> bool {
        let mut is_whole = true;
        for entry in entries_here.iter().filter(|entry| is_skill_directory(&entry.name)) {
            let path = format!("{prefix}{}", entry.name);
            if self.rules.is_some_and(|rules| rules.leaves_out(&path)) {
                continue;
            }
            if self.files.len() >= MAX_ENTRIES || depth > MAX_DEPTH {
                return false;
            }
            let (walls, skill) = self.walls;
            let leads_out = entry.is_link && !walls.hold(&directory.join(&entry.name), skill);
            match if leads_out { Kind::Other } else { entry.kind } {
                Kind::File if path == self.skill_md => {}
                Kind::File => self.files.push(path),
                Kind::Other => {
                    let message = "cannot read it: it is a link that leads nowhere or out of the project, or no file";
                    let found = Finding::new(Code::Unreadable, None, message);
                    self.odd.push(found.hint("remove it, or put a file in its place").in_file(path));
                }
                Kind::Directory => {
                    let below = directory.join(&entry.name);
                    match entries(&below) {
                        Ok(found) => is_whole &= self.down(&below, &found, &format!("{path}/"), depth + 1),
                        Err(error) => {
                            let found =
                                Finding::new(Code::Unreadable, None, format!("cannot read the directory: {error}"));
                            self.odd.push(found.hint("make it readable, or remove it").in_file(path));
                        }
                    }
                }
            }
        }
        is_whole
    }
}

/// A path as a person who works in `start` would write it.
pub(super) fn shown(start: &Path, path: &Path) -> String {
    let path = path.strip_prefix(start).unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    path.display().to_string()
}
