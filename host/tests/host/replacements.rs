//! Directories whose files are constantly replaced while they are read.

use crate::{
    dice::Dice,
    folder::{Folder, block_on},
};
use helix_skills_agent::{Provider, ProviderError};
use helix_skills_format::Limits;
use helix_skills_host::{
    Directories, EnabledFile, Error, Materialized, Root, SharedRegistry, load_agent, load_agents,
    load_skill, read_metadata,
};
use helix_skills_runtime::{Profile, Skill};
use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, symlink},
        net::UnixListener,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Number of replacements by each writer.
const REPLACEMENTS: usize = 400;
const WRITERS: u64 = 2;

/// A text in every file and name outside the roots.
const SECRET: &str = "SECRET";

/// The byte and the length of the two versions of a file that is replaced as a whole.
const VERSIONS: [(u8, usize); 2] = [(b'a', 60_000), (b'b', 90_000)];

/// The replaced paths: roots, skills, their files, and agents.
const PLACES: [&str; 9] = [
    "skills",
    "skills/pdf",
    "skills/pdf/SKILL.md",
    "skills/pdf/notes.md",
    "skills/pdf/references",
    "skills/csv",
    "skills/csv/SKILL.md",
    "agents/one.md",
    "agents/two.md",
];

fn good(folder: &Folder) {
    for name in ["pdf", "csv"] {
        let text = format!("---\nname: {name}\ndescription: Reads files.\n---\nUse it.\n");
        write_whole(folder, &format!("skills/{name}/SKILL.md"), text.as_bytes());
        write_whole(folder, &format!("skills/{name}/references/a.md"), b"A reference.\n");
        write_whole(folder, &format!("skills/{name}/notes.md"), &version(0));
    }
    for name in ["one", "two"] {
        write_whole(folder, &format!("agents/{name}.md"), b"---\nskills: [pdf]\n---\nBe kind.\n");
    }
}

fn version(at: usize) -> Vec<u8> {
    let (byte, len) = VERSIONS[at];
    vec![byte; len]
}

/// Replaces a file in one step, as editors and version control do. Another writer may be in the
/// way.
fn write_whole(folder: &Folder, inner: &str, content: &[u8]) {
    let (path, new) =
        (folder.path(inner), folder.path(&format!("new-{:?}", thread::current().id())));
    let _ = fs::create_dir_all(path.parent().unwrap());
    let _ = fs::write(&new, content).and_then(|()| fs::rename(&new, path));
}

/// Replaces a path by something else.
fn replace(folder: &Folder, dice: &mut Dice) {
    let place = PLACES[dice.below(PLACES.len())];
    let path = folder.path(place);
    let kind = dice.below(12);
    if kind == 0 {
        write_whole(folder, "skills/pdf/notes.md", &version(dice.below(2)));
    } else if kind == 1 {
        // In place: the content may have any length, but is never from elsewhere. Opening a pipe
        // for reading and writing does not block.
        let path = folder.path("skills/pdf/SKILL.md");
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        let file = fs::OpenOptions::new().read(true).write(true).open(path);
        let _ = file.map(|file| is_file && file.set_len([0, 5, 1 << 36][dice.below(3)]).is_ok());
    } else if kind == 2 {
        let mode = [0o000, 0o644][dice.below(2)];
        let _ =
            path.is_file() && fs::set_permissions(&path, fs::Permissions::from_mode(mode)).is_ok();
    } else if kind < 10 {
        // A root given by the host may be a link to anywhere.
        let kind = if place == "skills" && kind < 5 { 8 } else { kind };
        let old = folder.path(&format!("old-{:?}-{}", thread::current().id(), dice.below(1 << 30)));
        let _ = fs::rename(&path, &old);
        let _ = match kind {
            3 => symlink(folder.path("outside"), &path),
            4 => symlink(folder.path("outside/SKILL.md"), &path),
            5 => symlink(path.file_name().unwrap(), &path),
            6 => Command::new("mkfifo").arg(&path).stderr(Stdio::null()).status().map(drop),
            7 => UnixListener::bind(&path).map(drop),
            8 => fs::create_dir(&path),
            _ => fs::rename(&old, &path),
        };
    } else {
        if !path.is_dir() || path.is_symlink() {
            let _ = fs::remove_file(&path);
        }
        good(folder);
    }
}

/// Asserts that neither an answer nor an error has text from outside, and that errors name a file.
fn checked<T>(
    folder: &Folder,
    answer: Result<T, ProviderError>,
    text: impl Fn(&T) -> String,
) -> bool {
    match answer {
        Ok(answer) => {
            let text = text(&answer);
            assert!(!text.contains(SECRET), "{text}");
            true
        }
        Err(error) => {
            let found = error.downcast_ref::<Error>().unwrap_or_else(|| panic!("{error}"));
            // A provider names it relative to the directory above the root.
            let is_named = found.path().unwrap().starts_with(folder.path(""))
                || found.path().unwrap().starts_with("skills");
            assert!(is_named && !error.to_string().contains(SECRET), "{error}");
            false
        }
    }
}

fn text_of(skill: &Skill) -> String {
    {
        let files = skill
            .resources()
            .iter()
            .map(|file| file.path().to_owned() + file.text().unwrap_or_default());
        format!("{}{}{}", skill.description(), skill.loaded(), files.collect::<String>())
    }
}

/// Makes every request once. Returns how many succeeded.
fn ask(folder: &Folder, directories: &Directories, copies: &Materialized<Directories>) -> usize {
    let mut answers = 0;
    let mut count = |is_answer: bool| answers += usize::from(is_answer);
    let whole = |bytes: &Option<Vec<u8>>| {
        let bytes = bytes.as_deref().unwrap_or_default();
        let is_version = |(byte, len): (u8, usize)| {
            bytes.len() == len && bytes.iter().all(|other| *other == byte)
        };
        assert!(
            bytes.is_empty() || VERSIONS.into_iter().any(is_version),
            "a file of {} bytes",
            bytes.len()
        );
        String::new()
    };
    count(checked(folder, block_on(directories.list(Profile::Helix)), |provided| {
        for skill in &provided.skills {
            assert!(!text_of(skill).contains(SECRET));
        }
        provided.warnings.iter().map(ToString::to_string).collect()
    }));
    for name in ["pdf", "csv"] {
        count(checked(folder, block_on(directories.load(name, Profile::Helix)), |skill| {
            skill.as_ref().map(text_of).unwrap_or_default()
        }));
        count(checked(folder, block_on(directories.directory(name, Profile::Helix)), |path| {
            path.clone().unwrap_or_default()
        }));
        let read = |path: &'static str| block_on(directories.read(name, path, Profile::Helix));
        count(checked(folder, read("references/a.md"), |bytes| {
            String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned()
        }));
        count(checked(folder, read("notes.md"), whole));
        // A directory given by the host may be a link to the outside, so any answer is accepted.
        drop(load_skill(folder.path("skills").join(name)));
    }
    if let Ok(Some(path)) = block_on(copies.directory("pdf", Profile::Helix)) {
        let read =
            |inner: &str| fs::read_to_string(PathBuf::from(&path).join(inner)).unwrap_or_default();
        assert!(!(read("SKILL.md") + &read("references/a.md")).contains(SECRET));
    }
    if let Ok(mounted) =
        Directories::new().root(Root::new(folder.path("skills")).at("/skills")).mount()
    {
        for upload in mounted.uploads {
            let content = upload.read().map_err(ProviderError::from);
            count(checked(folder, content, |bytes| String::from_utf8_lossy(bytes).into_owned()));
        }
    }
    let skills = SharedRegistry::new();
    if skills.load(directories).is_ok() {
        skills.snapshot().set().iter().for_each(|skill| assert!(!text_of(skill).contains(SECRET)));
    }
    let agents = load_agents(folder.path("agents")).map_err(ProviderError::from);
    count(checked(folder, agents, |(agents, problems)| {
        problems
            .iter()
            .map(ToString::to_string)
            .chain(agents.values().map(|one| one.value.prompt.clone()))
            .collect()
    }));
    answers
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn replaced_files_are_never_read_from_outside() {
    let folder = Folder::new();
    good(&folder);
    folder.write(
        "outside/SKILL.md",
        format!("---\nname: pdf\ndescription: {SECRET}\n---\n{SECRET}\n"),
    );
    folder.write("outside/a.md", SECRET);
    folder.write("outside/notes.md", SECRET);
    folder.write(&format!("outside/{SECRET}.md"), SECRET);
    let limits = Limits { bytes_per_file: 1 << 20, ..Limits::default() };
    let directories = folder.directories(&["skills"]).limits(limits);
    let copies = Materialized::new(folder.directories(&["skills"])).limits(limits);
    let running = AtomicUsize::new(WRITERS as usize);
    thread::scope(|scope| {
        for seed in 0..WRITERS {
            let (folder, running) = (&folder, &running);
            scope.spawn(move || {
                let mut dice = Dice::new(seed);
                for _ in 0..REPLACEMENTS {
                    replace(folder, &mut dice);
                }
                running.fetch_sub(1, Ordering::Relaxed);
            });
        }
        while running.load(Ordering::Relaxed) > 0 {
            ask(&folder, &directories, &copies);
        }
    });
    // Afterwards, everything works again.
    for place in ["skills", "agents"] {
        let _ = fs::rename(folder.path(place), folder.path(&format!("gone-{place}")));
    }
    good(&folder);
    assert!(ask(&folder, &directories, &copies) > 12);
}

/// Where a regular file is expected, anything else is an immediate error that names it.
#[test]
fn special_files_are_errors_and_never_block() {
    let folder = Folder::new();
    pipe(&folder.path("pipe.md"));
    let _socket = UnixListener::bind(folder.path("socket.md")).unwrap();
    folder.link("zero.md", "/dev/zero");
    folder.link("tty.md", "/dev/tty");
    folder.link("loop.md", "loop.md");
    for name in ["pipe.md", "socket.md", "zero.md", "tty.md", "loop.md"] {
        let path = folder.path(name);
        for error in [
            load_agent(&path).err(),
            load_skill(&path).err(),
            read_metadata(&path).err(),
            EnabledFile::open(&path).err(),
        ] {
            assert_eq!(error.unwrap().path(), Some(&*path));
        }
    }
    folder.skill("skills/pdf", "pdf", "x");
    for (at, name) in ["pipe.md", "socket.md"].into_iter().enumerate() {
        fs::rename(folder.path(name), folder.path(&format!("skills/pdf/{name}"))).unwrap();
        let directories = folder.directories(&["skills"]);
        assert!(block_on(directories.read("pdf", name, Profile::Helix)).is_err());
        assert!(
            block_on(directories.load("pdf", Profile::Helix))
                .unwrap()
                .unwrap()
                .resources()
                .is_empty()
        );
        let strict = load_skill(folder.path("skills/pdf")).unwrap_err();
        assert_eq!(strict.findings().len(), at + 1);
        let mounted = Directories::new()
            .root(Root::new(folder.path("skills")).at("/skills"))
            .mount()
            .unwrap();
        assert_eq!((mounted.uploads.len(), mounted.left_out.len()), (1, at + 1));
        assert!(
            load_agents(folder.path("skills/pdf"))
                .unwrap()
                .1
                .iter()
                .any(|problem| problem.path().unwrap().ends_with(name))
        );
    }
}

#[test]
fn skill_of_another_name_is_not_read() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("skills/pdf/notes.md", "Mine.");
    folder.skill("skills/internal", "internal", "Not enabled.");
    folder.write("skills/internal/notes.md", SECRET);
    let directories = folder.directories(&["skills"]).enabled(|name| name == "pdf");
    let read = || block_on(directories.read("pdf", "notes.md", Profile::Helix)).unwrap();
    assert_eq!(read().unwrap(), b"Mine.");
    fs::rename(folder.path("skills/pdf"), folder.path("skills/moved")).unwrap();
    fs::rename(folder.path("skills/internal"), folder.path("skills/pdf")).unwrap();
    // By now the directory has another skill, and the skill is in another directory.
    assert_eq!(read().unwrap(), b"Mine.");
    assert_eq!(
        block_on(directories.directory("pdf", Profile::Helix)).unwrap().unwrap(),
        folder.path("skills/moved").to_str().unwrap()
    );
    folder.remove("skills/moved");
    assert!(
        read().is_none()
            && block_on(directories.directory("pdf", Profile::Helix)).unwrap().is_none()
    );
    assert!(block_on(directories.load("pdf", Profile::Helix)).unwrap().is_none());
}

#[test]
fn bytes_of_agents_are_bounded() {
    let folder = Folder::new();
    folder.write("agents/a00.md", format!("---\nskills: []\n---\n{}", "x".repeat((1 << 20) - 100)));
    (1..16).for_each(|at| folder.link(&format!("agents/a{at:02}.md"), "a00.md"));
    assert_eq!(load_agents(folder.path("agents")).unwrap().0.len(), 16);
    folder.link("agents/a16.md", "a00.md");
    let error = load_agents(folder.path("agents")).unwrap_err();
    assert_eq!(
        folder.message(&error),
        "`agents` has too many bytes in its agents; the limit is 16777216"
    );
}
