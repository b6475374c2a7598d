//! Code blocks of the README and the guide, compiled in packages.

use crate::{
    cargo::{Consumer, facade, workspace},
    project::{self, team},
};
use helix_skills_tests::markdown::blocks_of;
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Command, Stdio},
};

/// Returns the code blocks of a page with this info string.
fn blocks(page: &str, info: &str) -> Vec<String> {
    let page = fs::read_to_string(workspace().join(page)).unwrap();
    blocks_of(&page, info).map(str::to_owned).collect()
}

/// Creates a package with the project of the example `agent`.
fn package(name: &str, dependencies: &str) -> Consumer {
    let consumer = Consumer::new(name);
    consumer.package("", name, dependencies);
    let project = workspace().join("examples/agent");
    let mut left = ["helix.skills.json", "helix.skills.lock", "helix.skills", "skills"]
        .map(PathBuf::from)
        .to_vec();
    while let Some(path) = left.pop() {
        match fs::read_dir(project.join(&path)) {
            Ok(entries) => left.extend(entries.map(|entry| path.join(entry.unwrap().file_name()))),
            Err(_) => {
                consumer.write(path.to_str().unwrap(), fs::read(project.join(&path)).unwrap());
            }
        }
    }
    consumer
}

#[test]
fn programs_of_the_readme_compile_and_run() {
    let [pinned, own] = &blocks("README.md", "rust")[..] else { panic!("expected two programs") };
    // The skills that the README adds, without their files.
    let consumer = Consumer::new("readme-pinned");
    consumer.package("", "readme-pinned", &facade("helix-skills", ""));
    project::write(&consumer, "", &[team("hyperframes", &[]), team("hyperframes-media", &[])]);
    let run = consumer.write("src/main.rs", pinned).cargo(&["run", "--quiet"]).success();
    for said in
        ["\n- hyperframes-media: ", "\nload_skill: ", "\n<skill name=\"hyperframes-media\">\n"]
    {
        assert!(run.stdout.contains(said), "no {said:?} in:\n{}", run.stdout);
    }
    let consumer = package("readme", &facade("helix-skills", ""));
    let run = consumer.write("src/main.rs", own).cargo(&["run", "--quiet"]).success();
    assert!(
        run.stdout.contains("<skill_file skill=\"commit-messages\" path=\"references/types.md\""),
        "{}",
        run.stdout
    );
}

/// The program of the tutorial, which waits for the reader to edit a skill.
#[test]
fn tutorial_serves_a_skill_that_was_edited() {
    let page = "docs/src/tutorials/changing-skills.md";
    let [program] = &blocks(page, "rust,no_run")[..] else { panic!("expected one program") };
    let [skill] = &blocks(page, "markdown")[..] else { panic!("expected one skill") };
    let answers: Vec<String> = blocks(page, "text")
        .iter()
        .map(|text| text.split("Edit ").next().unwrap().to_owned())
        .collect();
    let host = format!("helix-skills-host = {{ path = {:?} }}", workspace().join("host"));
    let agent = facade("helix-skills", ", features = [\"agent\"]");
    let consumer = package("tutorial-changing", &format!("{agent}\n{host}\npollster = \"1\""));
    consumer.write("src/main.rs", program).write("user-skills/tone/SKILL.md", skill);
    consumer.cargo(&["build", "--quiet"]).success();
    let mut child = Command::new(consumer.program("tutorial-changing"))
        .current_dir(&consumer.dir)
        .env("HOME", &consumer.dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let mut until_prompt = || {
        let before = lines.by_ref().take_while(|line| !line.starts_with("Edit "));
        before.map(|line| format!("{line}\n")).collect::<String>()
    };
    let first = until_prompt();
    assert!(first.contains("\n- tone: ") && first.contains("\n- release-notes: "), "{first}");
    assert!(first.ends_with(&answers[0]), "{first}");
    consumer.write("user-skills/tone/SKILL.md", skill.replace("sentences", "words"));
    writeln!(input).unwrap();
    assert_eq!(until_prompt(), answers[1]);
    writeln!(input).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn build_scripts_of_the_guide_compile_and_run() {
    let scripts = blocks("docs/src/how-to/build-scripts.md", "rust,no_run");
    assert_eq!(scripts.len(), 3);
    let build = format!(
        "[build-dependencies]\nhelix-skills-project = {{ path = {:?} }}",
        workspace().join("project")
    );
    let consumer = package("readme-build", &format!("{}\n{build}", facade("helix-skills", "")));
    let main = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();
fn main() {
    println!(\"{SKILLS:?}\");
}
";
    consumer.write("src/main.rs", main);
    for script in scripts {
        let run = consumer.write("build.rs", script).cargo(&["run", "--quiet"]).success();
        assert_eq!(run.stdout, "[\"commit-messages\", \"incident-review\", \"release-notes\"]\n");
    }
}

#[test]
fn manifests_of_the_guide_match_the_example() {
    let example = fs::read_to_string(workspace().join("helix.skills.json.example")).unwrap();
    let parse = |text: &str| helix_skills_project::manifest::Manifest::parse(text).unwrap().sources;
    let pages = ["docs/src/tutorials/pinned-skill.md", "docs/src/how-to/marketplaces.md"];
    let shown: Vec<_> =
        pages.iter().flat_map(|page| blocks(page, "json")).flat_map(|text| parse(&text)).collect();
    assert_eq!(shown, parse(&example).into_iter().collect::<Vec<_>>());
}
