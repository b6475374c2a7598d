//! For build scripts.
//!
//! Most crates need none: lockfile and store are committed, and `include_skills!` verifies them. A build
//! script helps if a changed or added file has to be noticed before the crate is compiled
//! ([`check`]), or if `path` sources are to be locked again with every build ([`sync`]).

#![expect(clippy::print_stdout, reason = "this is how a build script talks to cargo")]

use crate::error::{Drift, ProgramError, Usage};
use crate::manifest::{Manifest, Source};
use crate::{
    Cancellation, Error, Failure,
    cache::Cache,
    check as checking, disk,
    metadata::is_executable,
    paths::{ProjectPaths, source_root},
    project_lock::ProjectLock,
    sync::{self as syncing, FetchKind, FetchRequest, Fetched, Mode, Remote, Work},
};
use helix_skills_format::__internal::printable;
use helix_skills_format::{Limits, SkillName};
use std::{
    collections::BTreeSet,
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Checks that manifest, lockfile and store agree, and prints which files cargo should watch. Never
/// writes, never fetches.
///
/// The project is the one that `include_skills!` uses: the closest, from the package up to the root of
/// its workspace. The check is that of `skills sync --check --store`.
///
/// A package without a manifest may embed a directory (`include_skills!(dir = "skills")`): its directory
/// `skills` is watched then, and nothing is checked. For another directory call [`watch`].
///
/// # Errors
/// Every difference. `Debug` prints the messages, so that a script's `main` can return it.
pub fn check() -> Result<(), Failure> {
    let project = match find() {
        Err(Error::NoManifest { .. }) if package_directory()?.join("skills").is_dir() => {
            watch("skills");
            return Ok(());
        }
        Err(Error::NoManifest { start }) => {
            return Err(Error::from(Usage::NoProject { package: start }).into());
        }
        found => found?,
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

/// Locks `path` sources again whose files changed, and prints which files cargo should watch. If a
/// remote skill is missing, runs `skills sync --locked` to fetch it: `$HELIX_SKILLS_BIN` as it is,
/// else `skills` in an absolute directory of `PATH`. Relative and empty entries of `PATH` are
/// ignored, because a build script runs in its package's directory.
///
/// In a packaged crate (from a registry, or under `cargo package`) this is [`check`]: nothing may be written there.
///
/// # Errors
/// As [`check`]; and when the program that would fetch is missing or fails, with the command to run.
pub fn sync() -> Result<(), Failure> {
    let package = package_directory()?;
    // cargo leaves this file beside the manifest of every packaged crate.
    if package.join("Cargo.toml.orig").exists() {
        return check();
    }
    let project = find()?;
    println!("cargo::rerun-if-env-changed=HELIX_SKILLS_BIN");
    println!("cargo::rerun-if-env-changed=HELIX_SKILLS_CACHE");
    let cache = Cache::locate(&package)?;
    let cancellation = Cancellation::new();
    let held = ProjectLock::acquire(&project, &cache, || {}, &cancellation)?;
    let manifest = project.read_manifest().inspect_err(|_| watch_directories(&project, None))?;
    let work = Work {
        project: &project,
        cache: &cache,
        mode: Mode::default(),
        update: &BTreeSet::new(),
        remote: &PutOff,
        progress: &(),
        cancellation: &cancellation,
        approve: &|_| true,
        moved_tags: true,
    };
    let synced = syncing::sync(&work, &manifest);
    // After a failure the next build tries again when the manifest or anything it names changes.
    let synced = synced.inspect_err(|_| watch_directories(&project, Some(&manifest)))?;
    for warning in &synced.warnings {
        warn(warning);
    }
    for (path, difference) in &synced.replaced {
        warn(&format!("`{}` was put back: {difference}", path.display()));
    }
    let mut wrote = synced.wrote;
    if !synced.deferred.is_empty() {
        // The program needs the project for itself.
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

fn package_directory() -> Result<PathBuf, Error> {
    env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .ok_or_else(|| Usage::NotABuildScript.into())
}

fn find() -> Result<ProjectPaths, Error> {
    ProjectPaths::from_package(&package_directory()?)
}

/// Makes cargo run the build script again, and compile the package, when anything in `path` is changed,
/// added or removed. `path` is relative to the package's directory.
pub fn watch(path: impl AsRef<Path>) {
    let path = path.as_ref().display().to_string();
    // Cargo would take what follows a line feed for another instruction.
    if !path.contains(char::is_control) {
        println!("cargo::rerun-if-changed={path}");
    }
}

fn warn(text: &str) {
    println!("cargo::warning={}", printable(text));
}

/// For a script that writes nothing: cargo watches whole directories, so that added files are noticed.
fn watch_directories(project: &ProjectPaths, manifest: Option<&Manifest>) {
    watch(&project.store);
    watch_sources(project, manifest);
}

/// What both kinds of script watch: manifest, lockfile and the files of `path` sources.
fn watch_sources(project: &ProjectPaths, manifest: Option<&Manifest>) {
    watch(&project.manifest);
    watch(&project.lock);
    for source in manifest.into_iter().flat_map(|manifest| manifest.sources.values()) {
        if let Source::Path(path) = source {
            watch(source_root(project, path));
        }
    }
}

/// For a script that writes: watches each file, and gives what was written the manifest's time. Cargo
/// would run the script again for a watched file that is newer than the start of the script.
fn watch_files(
    project: &ProjectPaths,
    manifest: &Manifest,
    wrote: &[PathBuf],
) -> Result<(), Failure> {
    let time = fs::metadata(&project.manifest).and_then(|metadata| metadata.modified());
    let time = time.map_err(Error::disk("read", &project.manifest))?;
    for path in wrote {
        disk::set_time(path, time)?;
    }
    for path in crate::store::files_below(&project.store)? {
        watch(project.store.join(path));
    }
    watch_sources(project, Some(manifest));
    Ok(())
}

/// Defers what only the program can fetch until the project is no longer locked.
struct PutOff;

impl Remote for PutOff {
    fn fetch(
        &self,
        _: &ProjectPaths,
        _: Limits,
        requests: Vec<FetchRequest>,
    ) -> Vec<Result<Fetched, Vec<Error>>> {
        let deferred = |request: FetchRequest| match request.kind {
            FetchKind::Resolve { .. } => {
                Err(vec![Drift::SourceUnresolved { key: request.key }.into()])
            }
            FetchKind::Locked { needed, .. } => {
                Ok(Fetched { deferred: needed, ..Fetched::empty(request.key) })
            }
        };
        requests.into_iter().map(deferred).collect()
    }
}

/// Runs the installed program, which puts missing skills into the store.
fn run_program(project: &ProjectPaths, missing: &[SkillName]) -> Result<(), Error> {
    let failed = |why| Error::Program {
        skills: missing.to_vec(),
        project: project.root.clone(),
        source: Box::new(why),
    };
    let named = env::var_os("HELIX_SKILLS_BIN").map(PathBuf::from);
    let installed = || program_in(&env::var_os("PATH").unwrap_or_default());
    let program = named.or_else(installed);
    let program = program.ok_or_else(|| failed(ProgramError::NotInstalled))?;
    let mut command = Command::new(&program);
    command.args(["sync", "--locked", "--manifest"]).arg(&project.manifest);
    let output = match command.output() {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => output,
        Err(source) => return Err(failed(ProgramError::NotStarted { program, source })),
    };
    let text = String::from_utf8_lossy(&output.stderr);
    // In one line, the causes need no headings.
    let says_something = |line: &&str| !matches!(*line, "" | "Caused by:");
    let stderr = text.lines().map(str::trim).filter(says_something).map(str::to_owned).collect();
    Err(failed(ProgramError::Failed { program, status: output.status, stderr }))
}

/// The program `skills` in the first absolute directory of `path` that has it.
///
/// A relative or empty entry would mean a directory of the package that is built.
fn program_in(path: &OsStr) -> Option<PathBuf> {
    let name = format!("skills{}", env::consts::EXE_SUFFIX);
    let is_program = |file: &PathBuf| {
        fs::metadata(file)
            .is_ok_and(|found| found.is_file() && (!cfg!(unix) || is_executable(&found)))
    };
    env::split_paths(path)
        .filter(|place| place.is_absolute())
        .map(|place| place.join(&name))
        .find(is_program)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_in_absolute_directories_only() {
        let home = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| home.path().join(name));
        for directory in [&first, &second] {
            disk::create_dir(directory).unwrap();
            disk::write(&directory.join("skills"), b"#!/bin/sh\n", disk::Durable::No).unwrap();
        }
        disk::make_executable(&second.join("skills"), true).unwrap();
        // A relative path from the directory of this test to that of the program.
        let up = "../".repeat(env::current_dir().unwrap().components().count());
        let relative = format!("{up}{}", second.strip_prefix("/").unwrap().display());
        assert!(Path::new(&relative).join("skills").is_file());
        let found = |path: &str| program_in(OsStr::new(path));
        assert_eq!(found(&format!("{relative}:.::")), None);
        let path = format!(":.:{relative}:{}:{}", first.display(), second.display());
        assert_eq!(found(&path), Some(second.join("skills")));
    }
}
