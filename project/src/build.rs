//! Functions for build scripts.
//!
//! Most crates do not need a build script: the lockfile and the store are committed, and
//! `include_skills!` verifies them. A build script can report changed and added files before the
//! crate is compiled ([`check`]), or lock `path` sources again with every build ([`sync`]).

#![expect(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

use crate::error::Fact;
use crate::manifest::Manifest;
use crate::{
    Cancellation, Error, ErrorKind,
    cache::Cache,
    check as checking,
    disk::RootedDir,
    fetch::{FetchKind, FetchRequest, Fetched, FetchedKind, WithoutNetwork},
    paths::{ProjectPaths, source_root},
    programs,
    project_lock::ProjectLock,
    sync::{self as syncing, Mode, SyncInputs, Update},
};
use helix_skills_format::{
    __internal::{listed_all, printable},
    SkillName,
};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Checks that manifest, lockfile and store agree, and prints which files cargo should watch.
/// Writes and fetches nothing.
///
/// The project is the one that `include_skills!` uses: the closest one from the package up to the
/// root of its workspace. Runs the same check as `skills sync --check --store`.
///
/// If a package without a manifest has a directory `skills`, which it may embed with
/// `include_skills!(dir = "skills")`, that directory is watched and nothing is checked. For another
/// directory call [`watch`].
///
/// # Errors
/// Every difference. `Debug` prints the messages, so that a script's `main` can return it.
pub fn check() -> Result<(), Error> {
    check_package().map_err(with_cargo_commands)
}

fn check_package() -> Result<(), Error> {
    let project = match find() {
        Ok(project) => project,
        Err(error) => match error.fact() {
            Fact::NoManifest(_) if package_directory()?.join("skills").is_dir() => {
                watch("skills");
                return Ok(());
            }
            Fact::NoManifest(start) => {
                let message = format!(
                    "cannot find `helix.skills.json` in `{}` or its workspace, or a directory `skills`",
                    start.display()
                );
                return Err(Error::usage(
                    message,
                    "for `include_skills!(dir = \"DIR\")`, call `helix_skills_project::build::watch(\"DIR\")` instead; otherwise, run `skills init`",
                ));
            }
            _ => return Err(error),
        },
    };
    let manifest = project.read_manifest();
    watch_directories(&project, manifest.as_ref().ok());
    manifest?;
    let checked = checking::check(&project, true)?;
    for note in checked.notes {
        warn(&note);
    }
    Ok(())
}

/// Locks `path` sources again if their files changed, and prints which files cargo should watch.
///
/// If a remote skill is missing from the store, runs `skills sync --locked` to fetch it. The
/// program is `$HELIX_SKILLS_BIN`, or else `cargo-skills` in an absolute directory of `PATH`.
/// Relative and empty entries of `PATH` are ignored, because a build script runs in its package's
/// directory.
///
/// In a packaged crate (from a registry, or in `cargo package`), where nothing may be written, this
/// function does the same as [`check`].
///
/// # Errors
/// The errors of [`check`]; the program that fetches is missing or fails.
pub fn sync() -> Result<(), Error> {
    sync_package().map_err(with_cargo_commands)
}

fn sync_package() -> Result<(), Error> {
    let package = package_directory()?;
    // cargo puts this file next to the manifest of every packaged crate.
    if package.join("Cargo.toml.orig").exists() {
        return check_package();
    }
    let project = find()?;
    println!("cargo::rerun-if-env-changed=HELIX_SKILLS_BIN");
    println!("cargo::rerun-if-env-changed=HELIX_SKILLS_CACHE");
    let cache = Cache::locate(&package)?;
    let cancellation = Cancellation::new();
    let held = ProjectLock::acquire(&project, || {}, &cancellation)?;
    let manifest = project.read_manifest().inspect_err(|_| watch_directories(&project, None))?;
    let work = SyncInputs {
        project: &project,
        cache: &cache,
        mode: Mode::default(),
        update: &Update::default(),
        remote: &(defer as WithoutNetwork),
        progress: &(),
        cancellation: &cancellation,
        approve: &|_| Ok(true),
    };
    let synced = syncing::sync(&work, &manifest);
    // After a failure, the next build tries again if the manifest or a file it names has changed.
    let synced = synced.inspect_err(|_| watch_directories(&project, Some(&manifest)))?;
    for warning in &synced.warnings {
        warn(warning);
    }
    for (path, difference) in &synced.replaced {
        warn(&format!("restored `{}`: {difference}", path.display()));
    }
    let mut wrote = synced.wrote;
    if !synced.deferred.is_empty() {
        // The program locks the project itself.
        drop(held);
        run_program(&project, &synced.deferred)?;
        checking::check(&project, true)?;
        for name in &synced.deferred {
            let files = crate::store::files_below(&project.skill_dir(name))?;
            wrote.extend(files.iter().map(|path| project.skill_dir(name).join(path)));
            wrote.push(project.listing(name));
        }
    }
    watch_files(&project, &manifest, &wrote)
}

/// Starts the commands in hints with `cargo`, because another program in `PATH` may be named
/// `skills`.
fn with_cargo_commands(error: Error) -> Error {
    let with_cargo = |error: Error| {
        let hint = error.hint().map(|hint| hint.replace("`skills ", "`cargo skills "));
        error.hinted(hint)
    };
    error.into_iter().map(with_cargo).collect::<Vec<_>>().into()
}

fn package_directory() -> Result<PathBuf, Error> {
    env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).ok_or_else(|| {
        Error::usage(
            "`CARGO_MANIFEST_DIR` is not set",
            "call this function from a build script that cargo runs",
        )
    })
}

fn find() -> Result<ProjectPaths, Error> {
    ProjectPaths::from_package(&package_directory()?)
}

/// Makes cargo run the build script again, and compile the package, if anything in `path` is
/// changed, added or removed. `path` is relative to the package's directory.
pub fn watch(path: impl AsRef<Path>) {
    let path = path.as_ref().display().to_string();
    // Cargo would parse the text after a line feed as another instruction.
    if !path.contains(char::is_control) {
        println!("cargo::rerun-if-changed={path}");
    }
}

fn warn(text: &str) {
    println!("cargo::warning={}", printable(text));
}

/// Watches whole directories, so that added files are noticed. For a script that writes nothing.
fn watch_directories(project: &ProjectPaths, manifest: Option<&Manifest>) {
    watch(&project.store);
    watch_sources(project, manifest);
}

/// Watches the manifest, the lockfile and the files of `path` sources.
fn watch_sources(project: &ProjectPaths, manifest: Option<&Manifest>) {
    watch(&project.manifest);
    watch(&project.lock);
    for source in manifest.into_iter().flat_map(|manifest| manifest.sources.values()) {
        if let Some(path) = source.directory() {
            watch(source_root(project, path));
        }
    }
}

/// Watches each file, and sets the modification time of the written files to the manifest's. For a
/// script that writes: cargo would run it again if a watched file is newer than its start.
fn watch_files(
    project: &ProjectPaths,
    manifest: &Manifest,
    wrote: &[PathBuf],
) -> Result<(), Error> {
    let time = fs::metadata(&project.manifest).and_then(|metadata| metadata.modified());
    let time = time.map_err(Error::read(&project.manifest))?;
    let store = RootedDir::open_nofollow(&project.store)?;
    for path in wrote {
        match (&store, path.strip_prefix(&project.store)) {
            (Some(store), Ok(inner)) => store.set_time(inner, time)?,
            _ => {
                let (directory, name) = RootedDir::open_parent(path)?;
                directory.set_time(name, time)?;
            }
        }
    }
    for path in crate::store::files_below(&project.store)? {
        watch(project.store.join(path));
    }
    watch_sources(project, Some(manifest));
    Ok(())
}

/// Defers a fetch, because the program fetches once the lock on the project is released.
fn defer(request: FetchRequest) -> Result<Fetched, Error> {
    match request.kind {
        FetchKind::Resolve { .. } => Err(Error::drift(format!(
            "the source `{}` is not locked as the manifest has it",
            request.key
        ))),
        FetchKind::Locked { needed, .. } => {
            Ok(Fetched { key: request.key, kind: FetchedKind::Deferred(needed) })
        }
    }
}

/// Runs the installed program, which fetches missing skills into the store.
fn run_program(project: &ProjectPaths, missing: &[SkillName]) -> Result<(), Error> {
    let failed = |why: Box<dyn std::error::Error + Send + Sync>| {
        let message = format!("failed to fetch the missing {}", listed_all(missing));
        let hint = format!(
            "install the program with `cargo install helix-skills-cli`, set HELIX_SKILLS_BIN to its path, or run `cargo skills sync --locked` in {}",
            project.root.display()
        );
        Error::new(ErrorKind::Drift, "program", message).with_source(why).with_hint(hint)
    };
    let named = env::var_os("HELIX_SKILLS_BIN").map(PathBuf::from);
    // Other packages have a program `skills`, too.
    let path = env::var_os("PATH").unwrap_or_default();
    let installed = || programs::find("cargo-skills".as_ref(), &path).ok();
    let program = named.or_else(installed);
    let program = program.ok_or_else(|| {
        failed("cannot find the program `cargo-skills` in an absolute directory of `PATH`".into())
    })?;
    let mut command = programs::command(program.as_os_str());
    command.args(["sync", "--locked", "--manifest"]).arg(&project.manifest);
    let output = match command.output() {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => output,
        Err(error) => return Err(failed(Error::disk("run", program)(error).into())),
    };
    let text = String::from_utf8_lossy(&output.stderr);
    // One line, without the heading of the causes, because line breaks in a message are escaped.
    let says_something = |line: &&str| !matches!(*line, "" | "Caused by:");
    let stderr: Vec<_> = text.lines().map(str::trim).filter(says_something).collect();
    let (program, status) = (program.display(), output.status);
    Err(failed(
        format!("`{program} sync --locked` failed ({status}): {}", stderr.join("; ")).into(),
    ))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::disk;
    use std::ffi::OsStr;

    #[test]
    fn programs_are_found_in_absolute_directories_only() {
        let home = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| home.path().join(name));
        for directory in [&first, &second] {
            disk::create_dir(directory).unwrap();
            let directory = RootedDir::open(directory).unwrap();
            directory.write(Path::new("skills"), b"#!/bin/sh\n", disk::Durable::No).unwrap();
        }
        let program = RootedDir::open(&second).unwrap();
        program.make_executable(Path::new("skills"), true).unwrap();
        // A relative path from the directory of this test to that of the program.
        let up = "../".repeat(env::current_dir().unwrap().components().count());
        let relative = format!("{up}{}", second.strip_prefix("/").unwrap().display());
        assert!(Path::new(&relative).join("skills").is_file());
        let found = |path: &str| programs::find("skills".as_ref(), OsStr::new(path)).ok();
        assert_eq!(found(&format!("{relative}:.::")), None);
        let path = format!(":.:{relative}:{}:{}", first.display(), second.display());
        assert_eq!(found(&path), Some(second.join("skills")));
    }
}
