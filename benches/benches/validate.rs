//! `skills validate`, compared with the crate `agent-skills` on the same 10,000 generated skills:
//!
//! ```console
//! $ cargo build --release -p helix-skills-cli
//! $ cargo bench --manifest-path benches/Cargo.toml --bench validate -- target/release/skills
//! ```
//!
//! The first comparison is in process, on one core, with the texts in memory. The others are from
//! disk: ours is the program `skills` from start to end, and the peer calls `SkillDirectory::load`
//! for every directory, on one core and in threads on all cores. The peer parses the frontmatter
//! and compares the name; ours applies all rules, reads `references/` and checks links.
#![allow(clippy::print_stdout)]

use agent_skills::{Skill, SkillDirectory};
use helix_skills_benches::{Dice, Vocabulary, compare, median};
use helix_skills_lint::{Draft, Rules, lint};
use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

const COUNT: usize = 10_000;

/// Sizes of typical skills: the median of 293 skills of seven public repositories is 6.6 KB.
const BODY_WORDS: usize = 900;
const REFERENCE_WORDS: usize = 300;

/// A generated `SKILL.md` in its directory.
struct GeneratedSkill {
    directory: PathBuf,
    name: String,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    // cargo passes `--bench`.
    let program = env::args().skip(1).find(|argument| argument != "--bench");
    let program = program.ok_or("missing program: append `-- target/release/skills`")?;
    // Cargo runs this in the directory of its package.
    let program = [Path::new(&program).to_owned(), Path::new("..").join(&program)]
        .into_iter()
        .find(|path| path.is_file());
    let program = fs::canonicalize(program.ok_or("program not found: build it first")?)?;
    let temporary = tempfile::tempdir()?;
    let root = temporary.path().join("skills");
    let skills = generate(&root)?;
    let bytes: usize = skills.iter().map(|skill| skill.text.len()).sum();
    println!(
        "{COUNT} skills, a SKILL.md of {} bytes on average, and a reference each",
        bytes / COUNT
    );

    let files = [String::from("references/guide.md")];
    let rate = |time: std::time::Duration| COUNT as f64 / time.as_secs_f64();
    let lint_skill = |skill: &GeneratedSkill, files| {
        let draft = Draft {
            bytes: skill.text.as_bytes(),
            directory: Some(&skill.name),
            file: "SKILL.md",
            files,
        };
        lint(&draft, Rules::Authors, |_| None).len()
    };
    let found: usize = skills.iter().map(|skill| lint_skill(skill, Some(&files))).sum();
    if found > 0 {
        return Err(format!("{found} findings, where none are expected").into());
    }
    let theirs = || skills.iter().for_each(|skill| drop(black_box(Skill::parse(&skill.text))));
    let ours = || {
        for skill in &skills {
            black_box(lint_skill(skill, Some(&files)));
        }
    };
    let sample = compare(ours, theirs);
    row("in process, one core", &sample, rate);
    let frontmatter = median(|| {
        for skill in &skills {
            black_box(
                helix_skills_format::SkillMd::parse(&skill.text, Some(&skill.name), "SKILL.md")
                    .is_ok(),
            );
        }
    });
    println!(
        "ours without the rules for authors, as the peer parses: {:.0} skills/s",
        rate(frontmatter)
    );

    let from_disk = || {
        let status =
            Command::new(&program).arg("validate").arg(&root).stderr(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "`skills validate` fails");
    };
    let load = |skill: &GeneratedSkill| {
        black_box(SkillDirectory::load(&skill.directory).is_ok());
    };
    let sample = compare(from_disk, || skills.iter().for_each(load));
    row("from disk, the peer on one core", &sample, rate);
    let on_all_cores = || {
        let next = AtomicUsize::new(0);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(|| {
                    while let Some(skill) = skills.get(next.fetch_add(1, Ordering::Relaxed)) {
                        load(skill);
                    }
                });
            }
        });
    };
    let sample = compare(from_disk, on_all_cores);
    row("from disk, the peer on all cores", &sample, rate);
    Ok(())
}

fn row(
    what: &str,
    sample: &helix_skills_benches::Sample,
    rate: impl Fn(std::time::Duration) -> f64,
) {
    let (ours, theirs) = (rate(sample.ours), rate(sample.theirs));
    println!(
        "{what}: {ours:.0} skills/s; agent-skills: {theirs:.0} skills/s; ratio {:.2}",
        ours / theirs
    );
}

/// Generates skills without findings.
fn generate(root: &Path) -> Result<Vec<GeneratedSkill>, Box<dyn Error>> {
    let vocabulary = Vocabulary::new(8000);
    let mut dice = Dice::new(COUNT as u64);
    let mut skills = Vec::with_capacity(COUNT);
    for skill in vocabulary.skills(&mut dice, COUNT) {
        let directory = root.join(&skill.name);
        fs::create_dir_all(directory.join("references"))?;
        let mut text = format!(
            "---\nname: {}\ndescription: {}. Use when a user asks for it.\nlicense: MIT\nmetadata:\n  author: Example\n  version: \"1.0\"\nallowed-tools: Read Bash(git:*)\n---\n# {}\n\nRead [the guide](references/guide.md) first.\n",
            skill.name,
            skill.description.trim_end(),
            skill.name
        );
        markdown(&mut text, &vocabulary, &mut dice, BODY_WORDS);
        let mut guide = String::from("# Guide\n");
        markdown(&mut guide, &vocabulary, &mut dice, REFERENCE_WORDS);
        fs::write(directory.join("SKILL.md"), &text)?;
        fs::write(directory.join("references/guide.md"), &guide)?;
        skills.push(GeneratedSkill { directory, name: skill.name, text });
    }
    Ok(skills)
}

/// Generates paragraphs, lists with code spans and links, and code.
fn markdown(text: &mut String, vocabulary: &Vocabulary, dice: &mut Dice, words: usize) {
    let mut left = words;
    while left > 0 {
        let words = (5 + dice.below(40)).min(left);
        left -= words;
        let line = vocabulary.text(dice, words);
        let _ = match dice.below(6) {
            0 => writeln!(text, "\n## {line}\n"),
            1 => writeln!(text, "- `{}`: {line}", vocabulary.text(dice, 2).trim_end()),
            2 => writeln!(
                text,
                "- [{}](https://example.com/{words}): {line}",
                vocabulary.text(dice, 2).trim_end()
            ),
            3 => writeln!(text, "\n```sh\n{line}\n```\n"),
            _ => writeln!(text, "{line}\n"),
        };
    }
}
