//! The tutorials, step by step: every file is written, every command runs, and what a page shows is
//! compared with what is printed.
//!
//! What is shown and what is printed are equal except for numbers, sizes, object ids and runs of
//! blanks. A line `…` stands for any lines, and `…` at the end of a line for its rest.

use crate::cargo::{Consumer, facade};
use helix_skills_tests::{Change, Sandbox, sandbox::program};
use regex::Regex;
use std::{path::PathBuf, process::Command};

/// One package that a reader of a tutorial creates, with the repository of the tutorials.
struct Reader {
    consumer: Consumer,
    upstream: Sandbox,
    /// The name of the package, which the page chooses.
    name: String,
}

impl Reader {
    /// Follows the steps of a page, and returns the number of outputs that were compared.
    fn follow(&mut self, page: &str) -> usize {
        let text = crate::cargo::workspace().join("docs/src/tutorials").join(page);
        let text = std::fs::read_to_string(text).unwrap();
        let mut compared = 0;
        let mut before = String::new();
        for (number, part) in text.split("\n```").enumerate() {
            if number % 2 == 0 {
                before = part.trim_end().rsplit("\n\n").next().unwrap_or_default().to_owned();
                continue;
            }
            let (language, block) = part.split_once('\n').unwrap();
            let block = format!("{block}\n");
            match (language, file_before(&before)) {
                ("console", _) => compared += self.console(page, &block),
                ("json", Some(file)) => {
                    assert_eq!(self.consumer.read(&file), block, "{page}: `{file}`");
                    compared += 1;
                }
                ("rust" | "rust,no_run" | "markdown", Some(file)) => {
                    self.consumer.write(&file, &block);
                }
                _ => {}
            }
        }
        compared
    }

    /// Runs the commands of a block, and returns the number of outputs that were compared.
    fn console(&mut self, page: &str, block: &str) -> usize {
        let mut compared = 0;
        for step in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
            let printed = self.run(command);
            if !shown.trim().is_empty() {
                assert_shown(&format!("{page}: $ {command}"), shown, &printed);
                compared += 1;
            }
        }
        compared
    }

    /// Runs a command, and returns what it prints. Commands that need crates.io are replaced.
    fn run(&mut self, command: &str) -> String {
        let words: Vec<&str> = command.split(' ').collect();
        match words[..] {
            ["cargo", "new", name] => {
                name.clone_into(&mut self.name);
                self.consumer.package("", name, "");
                self.consumer.write("src/main.rs", "fn main() {}\n");
            }
            ["cargo", "add", "helix-skills"] => {
                self.consumer.package("", &self.name, &facade("helix-skills", ""));
            }
            ["cargo", "install", ..] | ["cd", _] | ["git", ..] => {}
            ["cargo", subcommand, ref rest @ ..] => {
                let arguments: Vec<&str> = [subcommand].iter().chain(rest).copied().collect();
                let run = self.consumer.cargo(&arguments);
                // Progress of cargo is not part of the output of the program.
                let error = run.stderr.find("error").map_or("", |at| &run.stderr[at..]);
                let here = self.consumer.dir.display().to_string();
                return (run.stdout + error).replace(&here, "/home/me/pinned-agent");
            }
            _ => {
                let path = std::env::var_os("PATH").unwrap_or_default();
                let path = std::env::split_paths(&path);
                let path = program().parent().map(PathBuf::from).into_iter().chain(path);
                let output = Command::new("sh")
                    .args(["-c", command])
                    .current_dir(&self.consumer.dir)
                    .env_clear()
                    .env("PATH", std::env::join_paths(path).unwrap())
                    .env("HOME", self.upstream.path("home"))
                    .env("HELIX_SKILLS_CACHE", self.upstream.path("cache"))
                    .env("GIT_CONFIG_NOSYSTEM", "1")
                    .output()
                    .unwrap();
                let [stdout, stderr] =
                    [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
                return stdout + &stderr;
            }
        }
        String::new()
    }
}

/// Returns the file that a paragraph says the following block is for.
fn file_before(paragraph: &str) -> Option<String> {
    let spans = paragraph.split('`').skip(1).step_by(2);
    let is_file = |span: &&str| [".rs", ".md", ".json"].iter().any(|end| span.ends_with(end));
    spans.filter(is_file).last().map(str::to_owned)
}

/// Checks that a page shows what is printed.
#[track_caller]
fn assert_shown(what: &str, shown: &str, printed: &str) {
    let (id, number, blanks) = (
        Regex::new("[0-9a-f]{12,64}").unwrap(),
        Regex::new(r"\d[\d.,]*( (k|M)?B\b| files?\b| skills?\b| s\b)?").unwrap(),
        Regex::new("[ \t]+").unwrap(),
    );
    let lines = |text: &str| {
        let text = id.replace_all(text.trim(), "ID");
        let text = number.replace_all(&text, "N");
        let text = blanks.replace_all(&text, " ");
        text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    let (expected, found) = (lines(shown), lines(printed));
    let mut found = found.iter();
    let is_equal = |shown: &str, line: &str| match shown.strip_suffix('…') {
        Some(start) => line.starts_with(start),
        None => line == shown,
    };
    let mut skips = false;
    for line in &expected {
        let is_found = match line.as_str() {
            "…" => {
                skips = true;
                continue;
            }
            line if skips => found.by_ref().any(|found| is_equal(line, found)),
            line => found.next().is_some_and(|found| is_equal(line, found)),
        };
        assert!(is_found, "{what}\nnot printed: {line}\n--- printed:\n{printed}");
        skips = false;
    }
    assert!(skips || found.next().is_none(), "{what}\nmore is printed:\n{printed}");
}

/// Follows the steps of a page in a new directory.
fn follow(page: &str) -> usize {
    let upstream = Sandbox::new();
    let skill = |name: &str, description: &str| {
        format!("---\nname: {name}\ndescription: {description}\n---\n\n# {name}\n\nUse it.\n")
    };
    let change = Change::new()
        .text("LICENSE", "Apache License, Version 2.0\n")
        .text(
            ".claude-plugin/marketplace.json",
            r#"{"name": "hyperframes", "owner": {"name": "HeyGen"}, "plugins": [{"name": "hyperframes", "source": "./", "license": "Apache-2.0", "description": "HyperFrames by HeyGen."}]}"#,
        )
        .text("skills/animejs/SKILL.md", &skill("animejs", "Anime.js adapter patterns for HyperFrames."))
        .text("skills/hyperframes/SKILL.md", &skill("hyperframes", "Create video compositions, animations, title cards."))
        .text("skills/hyperframes/house-style.md", "# House style\n")
        .text("skills/hyperframes/scripts/contrast-report.mjs", "#!/usr/bin/env node\n")
        .text("skills/hyperframes/scripts/animation-map.mjs", "#!/usr/bin/env node\n")
        .text("skills/hyperframes/scripts/package-loader.mjs", "export {};\n")
        .text("skills/hyperframes-media/SKILL.md", &skill("hyperframes-media", "Asset preprocessing for HyperFrames compositions."));
    let repository = upstream.upstream("hyperframes");
    repository.commit(change);
    repository.tag("v0.6.70");
    repository.commit(Change::new().text("skills/animejs/more.md", "More.\n"));
    repository.tag("v0.8.10");
    let server = upstream.serve();
    let map =
        format!("[url \"{}/\"]\n\tinsteadOf = https://github.com/heygen-com/\n", server.base());
    upstream.write("home/.gitconfig", map);
    let name = page.trim_end_matches(".md").to_owned();
    let consumer = Consumer::new(&format!("tutorial-{name}"));
    Reader { consumer, upstream, name }.follow(page)
}

#[test]
fn first_skill_prints_what_the_tutorial_shows() {
    assert_eq!(follow("first-skill.md"), 2);
}

#[test]
fn pinned_skill_prints_what_the_tutorial_shows() {
    assert_eq!(follow("pinned-skill.md"), 10);
}
