//! Generates the directories of skills that the bench `runtime` embeds.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

#[allow(dead_code, reason = "the library has the rest of it")]
#[path = "src/skills.rs"]
mod skills;

use skills::{Dice, Skill, Vocabulary};

/// Names and sizes of the files of the first skill; the other skills have only the first file.
const FILES: [(&str, usize); 3] = [("1k", 1 << 10), ("16k", 16 << 10), ("64k", 64 << 10)];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/skills.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let vocabulary = Vocabulary::new(8000);
    let mut sets = String::new();
    for (name, count) in [("TEN", 10), ("THOUSAND", 1000), ("TEN_THOUSAND", 10_000)] {
        let dir = out.join(format!("skills-{count}"));
        let mut dice = Dice::new(count as u64);
        for (at, skill) in vocabulary.skills(&mut dice, count).iter().enumerate() {
            let files = if at == 0 { &FILES[..] } else { &FILES[..1] };
            write_skill(&dir.join(&skill.name), skill, files, &vocabulary, &mut dice)?;
        }
        let dir = dir.display().to_string();
        let _ = writeln!(sets, "static {name}: SkillSet = include_skills!(dir = {dir:?});");
    }
    fs::write(out.join("sets.rs"), sets)
}

fn write_skill(
    dir: &Path,
    skill: &Skill,
    files: &[(&str, usize)],
    vocabulary: &Vocabulary,
    dice: &mut Dice,
) -> io::Result<()> {
    fs::create_dir_all(dir.join("references"))?;
    let Skill { name, description } = skill;
    let body = markdown(vocabulary, dice, 1500);
    fs::write(
        dir.join("SKILL.md"),
        format!("---\nname: {name}\ndescription: {description}\n---\n\n{body}"),
    )?;
    for (file, bytes) in files {
        fs::write(dir.join(format!("references/{file}.md")), markdown(vocabulary, dice, *bytes))?;
    }
    Ok(())
}

/// Generates lines of text, about one in four with a tag that is not reserved, as in real skills.
fn markdown(vocabulary: &Vocabulary, dice: &mut Dice, bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        if dice.below(4) == 0 {
            text.push_str("<Card/> ");
        }
        let words = 4 + dice.below(12);
        text.push_str(vocabulary.text(dice, words).trim_end());
        text.push('\n');
    }
    text.truncate(bytes - 1);
    text.push('\n');
    text
}
