//! Files that are replaced by links between a check and a read.

use crate::folder::{Folder, block_on};
use helix_skills_agent::{Provider, ProviderError};
use helix_skills_host::{Directories, load_skill};
use helix_skills_runtime::{Profile, Skill};
use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// Minimum and maximum number of reads; stops in between when both an answer and an error were
/// seen.
const TURNS: (usize, usize) = (4_000, 400_000);

/// Replaces `path` by a link to `target` and back, until `stop`.
fn swap(path: &Path, target: &Path, stop: &AtomicBool) {
    let (own, link) = (path.with_extension("own"), path.with_extension("link"));
    symlink(target, &link).unwrap();
    while !stop.load(Ordering::Relaxed) {
        fs::rename(path, &own).unwrap();
        fs::rename(&link, path).unwrap();
        fs::rename(path, &link).unwrap();
        fs::rename(&own, path).unwrap();
    }
}

/// Reads repeatedly while `path` is swapped. No answer may have content from `outside`.
fn race(
    path: &str,
    target: &str,
    ask: impl Fn(&Directories) -> Result<Option<String>, ProviderError>,
) {
    let folder = Folder::new();
    folder.skill("outside/pdf", "pdf", "SECRET");
    folder.write("outside/pdf/references/a.md", "SECRET");
    folder.write("outside/pdf/only-outside.md", "SECRET");
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("skills/pdf/references/a.md", "Mine.");
    let directories = folder.directories(&["skills"]);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let swapper = scope.spawn(|| swap(&folder.path(path), &folder.path(target), &stop));
        let (mut answered, mut refused) = (0_usize, 0_usize);
        // Stops the other thread also if an assertion fails.
        let leak = (0..TURNS.1).find_map(|turn| {
            if swapper.is_finished() || (turn >= TURNS.0 && answered > 0 && refused > 0) {
                return Some(None);
            }
            match ask(&directories) {
                Ok(Some(text)) if text.contains("SECRET") || text.contains("only-outside") => {
                    return Some(Some(text));
                }
                Ok(Some(_)) => answered += 1,
                Ok(None) | Err(_) => refused += 1,
            }
            None
        });
        stop.store(true, Ordering::Relaxed);
        swapper.join().unwrap();
        assert_eq!(leak.flatten(), None);
        assert!(answered > 0 && refused > 0, "no race: {answered} answers, {refused} refusals");
    });
}

fn text(skill: &Skill) -> String {
    format!("{}{}{:?}", skill.description(), skill.loaded(), skill.resources())
}

fn read(directories: &Directories) -> Result<Option<String>, ProviderError> {
    Ok(block_on(directories.read("pdf", "references/a.md", Profile::Helix))?
        .map(|bytes| String::from_utf8(bytes).unwrap()))
}

fn load(directories: &Directories) -> Result<Option<String>, ProviderError> {
    Ok(block_on(directories.load("pdf", Profile::Helix))?.as_ref().map(text))
}

fn list(directories: &Directories) -> Result<Option<String>, ProviderError> {
    Ok(block_on(directories.list(Profile::Helix))?.skills.first().map(text))
}

#[test]
fn file_replaced_by_a_link_is_not_read_from_outside() {
    race("skills/pdf/references/a.md", "outside/pdf/references/a.md", read);
}

#[test]
fn directory_replaced_by_a_link_is_not_followed_outside() {
    race("skills/pdf/references", "outside/pdf/references", read);
}

#[test]
fn skill_directory_replaced_by_a_link_is_not_followed() {
    race("skills/pdf", "outside/pdf", read);
    race("skills/pdf", "outside/pdf", load);
    race("skills/pdf", "outside/pdf", list);
}

#[test]
fn skill_md_replaced_by_a_link_is_not_listed_or_loaded() {
    race("skills/pdf/SKILL.md", "outside/pdf/SKILL.md", load);
    race("skills/pdf/SKILL.md", "outside/pdf/SKILL.md", list);
}

#[test]
fn load_skill_reads_nothing_from_outside() {
    race("skills/pdf/references", "outside/pdf/references", |directories| {
        let found = directories.discover()?;
        let Some(skill) = found.get("pdf") else { return Ok(None) };
        Ok(Some(text(&load_skill(skill.path())?.value)))
    });
}
