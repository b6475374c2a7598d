//! The picture at the top of the README, made of what real commands print. After a change,
//! `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test consumers picture` draws it again.

use crate::cargo::{Consumer, facade, workspace};
use anstyle_svg::{Term, WIN10_CONSOLE};
use expect_test::expect_file;
use helix_skills_tests::{Change, Run, Sandbox};
use std::path::Path;

/// The width of the terminal in columns.
const COLUMNS: usize = 90;

const SKILL: &str = "---\nname: release-notes\ndescription: Writes release notes. Use when a release \
                     is being prepared.\n---\n\n# Release notes\n\nList the merged changes since the \
                     last tag.\nBreaking changes come first.\n";

const MAIN: &str = "helix_skills::include_skills!(mod skills);\n\nfn main() {\n    \
                    println!(\"{}\", skills::TOOLBOX.catalog());\n}\n";

#[test]
fn picture_of_the_readme_is_what_the_commands_print() {
    let sandbox = Sandbox::new();
    let repository = sandbox.upstream("agent-skills");
    let license = include_str!("../../../LICENSE-MIT");
    let change = Change::new().text("LICENSE", license);
    repository.commit(change.text("skills/release-notes/SKILL.md", SKILL));
    repository.tag("v1.2.0");
    let server = sandbox.serve();
    let map = format!("[url \"{}/\"]\n\tinsteadOf = https://github.com/acme/\n", server.base());
    sandbox.write("home/.gitconfig", map);

    let mut screen = String::new();
    let add = ["add", "acme/agent-skills", "--version", "1.2.0"];
    let run = sandbox.skills(add.iter().chain(&["--color", "always"])).succeeds();
    show(&mut screen, &format!("skills {}", add.join(" ")), &run);

    let file = "project/helix.skills/release-notes/SKILL.md";
    sandbox.write(file, SKILL.replace("come first", "need not be listed"));
    let run = sandbox.skills(["diff", "--color", "always"]);
    show(&mut screen, "skills diff", &run);

    let consumer = Consumer::new("agent");
    consumer.package("", "agent", &facade("helix-skills", "")).write("src/main.rs", MAIN);
    for path in sandbox.files("project") {
        consumer.write(&path, sandbox.read_bytes(format!("project/{path}")));
    }
    let run = consumer.cargo_with("", &[("CARGO_TERM_COLOR", Path::new("always"))], &["build"]);
    assert!(!run.ok);
    // Cargo builds the dependencies before.
    let error = run.stderr.lines().skip_while(|line| !line.contains("error"));
    let error: Vec<&str> = error.take_while(|line| !line.contains("could not compile")).collect();
    let here = consumer.dir.display().to_string();
    screen += &format!("$ cargo build\n{}", error.join("\n").replace(&here, "~/agent").trim_end());

    // Elapsed times differ between runs.
    let time = regex::Regex::new(r"in \d[\d.]* (m?s)").unwrap();
    let screen = wrapped(&time.replace_all(&screen, "in 0.34 s"));
    let picture = Term::new().palette(WIN10_CONSOLE).min_width_px(800).render_svg(&screen);
    expect_file![workspace().join("docs/terminal.svg")].assert_eq(&picture);
}

/// Appends a command and what it prints.
fn show(screen: &mut String, command: &str, run: &Run) {
    *screen += &format!("$ {command}\n{}{}\n", run.stdout, run.stderr);
}

/// Breaks lines as a terminal does.
fn wrapped(text: &str) -> String {
    let mut wrapped = String::new();
    for line in text.lines() {
        let (mut column, mut is_escape) = (0, false);
        for c in line.chars() {
            is_escape |= c == '\u{1b}';
            if !is_escape && column == COLUMNS {
                wrapped.push('\n');
                column = 0;
            }
            wrapped.push(c);
            column += usize::from(!is_escape);
            is_escape &= !c.is_ascii_alphabetic();
        }
        wrapped.push('\n');
    }
    wrapped
}
