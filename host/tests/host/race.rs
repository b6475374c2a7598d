//! Somebody who puts a link in the place of what was just looked at.

use crate::folder::{Folder, done};
use helix_skills_agent::{Provider, ProviderError, ProviderRequest};
use helix_skills_host::{Directories, load_skill};
use helix_skills_runtime::SkillBuf;
use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// So often is read at least, and at most until both an answer and a refusal were seen.
const TURNS: (usize, usize) = (4_000, 400_000);

/// Turns `path` from what it is into a link to `target` and back, until `stop`.
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

/// Asks again and again while `path` is swapped: nothing of the answers may come from `outside`.
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
        // A failed assertion must not leave the other thread running.
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

fn text(skill: &SkillBuf) -> String {
    skill.view(|skill| format!("{}{}{:?}", skill.description(), skill.loaded(), skill.resources()))
}

fn read(directories: &Directories) -> Result<Option<String>, ProviderError> {
    Ok(done(directories.read("pdf", "references/a.md", &ProviderRequest::default()))?
        .map(|bytes| String::from_utf8(bytes).unwrap()))
}

fn load(directories: &Directories) -> Result<Option<String>, ProviderError> {
    Ok(done(directories.load("pdf", &ProviderRequest::default()))?.as_ref().map(text))
}

fn list(directories: &Directories) -> Result<Option<String>, ProviderError> {
    Ok(done(directories.list(&ProviderRequest::default()))?.skills.first().map(text))
}

#[test]
fn a_file_that_becomes_a_link_is_never_read_from_outside() {
    race("skills/pdf/references/a.md", "outside/pdf/references/a.md", read);
}

#[test]
fn a_directory_above_a_file_that_becomes_a_link_leads_nowhere() {
    race("skills/pdf/references", "outside/pdf/references", read);
}

#[test]
fn the_directory_of_a_skill_that_becomes_a_link_leads_nowhere() {
    race("skills/pdf", "outside/pdf", read);
    race("skills/pdf", "outside/pdf", load);
    race("skills/pdf", "outside/pdf", list);
}

#[test]
fn a_skill_md_that_becomes_a_link_is_neither_listed_nor_loaded() {
    race("skills/pdf/SKILL.md", "outside/pdf/SKILL.md", load);
    race("skills/pdf/SKILL.md", "outside/pdf/SKILL.md", list);
}

#[test]
fn a_skill_that_is_loaded_whole_has_nothing_from_outside() {
    race("skills/pdf/references", "outside/pdf/references", |directories| {
        let found = directories.discover()?;
        let Some(skill) = found.get("pdf") else { return Ok(None) };
        Ok(Some(text(&load_skill(skill.path())?.skill)))
    });
}
