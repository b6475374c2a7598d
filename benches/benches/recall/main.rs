//! How often the search finds the right skill among its first three hits:
//!
//! ```console
//! $ BENCH="cargo bench --manifest-path benches/Cargo.toml --bench recall"
//! $ $BENCH -- SKILLS.git SUPERPOWERS.git HYPERFRAMES.git
//! ```
//!
//! The arguments are clones or mirrors of anthropics/skills, obra/superpowers and
//! heygen-com/hyperframes. The phrases and their skills are in `phrases.txt`; they were written
//! before any ranking was run on them, and no ranking may be tuned to one of them.
#![allow(clippy::print_stdout)]

use bm25::{Document as Theirs, Language, SearchEngineBuilder};
use helix_skills_benches::sorted;
use helix_skills_format::parse_skill;
use helix_skills_runtime::{IndexOptions, SearchOptions, SkillSet};
use std::{env, error::Error, process::Command};

/// A phrase counts as found if one of its skills is among this many hits.
const HITS: usize = 3;

const PHRASES: &str = include_str!("phrases.txt");

struct Skill {
    name: String,
    description: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let repositories: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let mut skills = Vec::new();
    for repository in &repositories {
        skills.extend(skills_of(repository)?);
    }
    if skills.is_empty() {
        println!("recall is not measured: pass the repositories as arguments");
        return Ok(());
    }
    let phrases: Vec<(&str, Vec<&str>)> = PHRASES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(": ").expect("a phrase and its skills"))
        .map(|(phrase, skills)| (phrase, skills.split(", ").collect()))
        .collect();
    for name in phrases.iter().flat_map(|(_, names)| names) {
        if !skills.iter().any(|skill| skill.name == *name) {
            return Err(format!("phrases.txt: no repository has the skill `{name}`").into());
        }
    }
    println!("{} skills, {} phrases", skills.len(), phrases.len());

    let sorted = sorted(skills.iter().map(|skill| (&*skill.name, &*skill.description)));
    let index = SkillSet::new(&sorted).index(&IndexOptions::new());
    let set = SkillSet::new(&sorted).with_index(&index);
    for (ranking, options) in [
        ("whole words", SearchOptions::new().prefix(false)),
        ("with prefixes", SearchOptions::new()),
    ] {
        report(ranking, &phrases, |phrase| {
            let hits = set.search(phrase, &options.limit(HITS));
            hits.iter().map(|hit| hit.skill.name().to_owned()).collect()
        });
    }
    let texts: Vec<String> =
        skills.iter().map(|skill| format!("{} {}", skill.name, skill.description)).collect();
    let theirs = texts.iter().enumerate().map(|(at, text)| Theirs::new(at as u32, text));
    let engine =
        SearchEngineBuilder::<u32>::with_documents(Language::English, theirs.collect::<Vec<_>>())
            .build();
    report("the crate bm25, which stems", &phrases, |phrase| {
        let found = engine.search(phrase, HITS);
        found.iter().map(|hit| skills[hit.document.id as usize].name.clone()).collect()
    });
    Ok(())
}

/// Prints how many phrases a ranking answers, and its hits for the others.
fn report(ranking: &str, phrases: &[(&str, Vec<&str>)], rank: impl Fn(&str) -> Vec<String>) {
    let mut missed = Vec::new();
    for (phrase, expected) in phrases {
        let found = rank(phrase);
        if !found.iter().any(|name| expected.contains(&name.as_str())) {
            missed.push(format!("  {phrase}: expected {}, found {found:?}", expected.join(" or ")));
        }
    }
    println!("\n{ranking}: {} of {} phrases", phrases.len() - missed.len(), phrases.len());
    missed.iter().for_each(|line| println!("{line}"));
}

/// Returns the skills in the directory `skills` of a repository's HEAD.
fn skills_of(repository: &str) -> Result<Vec<Skill>, Box<dyn Error>> {
    let git = |arguments: &[&str]| -> Result<String, Box<dyn Error>> {
        let output = Command::new("git").args(["-C", repository]).args(arguments).output()?;
        let text = String::from_utf8(output.stdout)?;
        if output.status.success() {
            Ok(text)
        } else {
            Err(format!("{repository}: {}", output.status).into())
        }
    };
    let paths = git(&["ls-tree", "-r", "--name-only", "HEAD", "skills/"])?;
    let mut skills = Vec::new();
    for path in paths.lines() {
        let Some(["skills", directory, "SKILL.md"]) =
            path.split('/').collect::<Vec<_>>().first_chunk().copied()
        else {
            continue;
        };
        let text = git(&["show", &format!("HEAD:{path}")])?;
        let parsed =
            parse_skill(&text, Some(directory)).map_err(|why| format!("{path}: {why:?}"))?;
        skills.push(Skill {
            name: parsed.value.name().to_owned(),
            description: parsed.value.description().to_owned(),
        });
    }
    Ok(skills)
}
