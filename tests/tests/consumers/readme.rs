//! The README, as somebody would paste it.

use crate::cargo::{Consumer, facade, workspace};
use std::{fs, path::PathBuf};

/// The code blocks of the README with this info string.
fn blocks(info: &str) -> Vec<String> {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    let start = format!("```{info}\n");
    let starts = readme.match_indices(&start).map(|(at, start)| at + start.len());
    starts.map(|at| readme[at..].split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_shortest_way_in_compiles_and_runs_as_it_stands() {
    let program = blocks("rust").swap_remove(0);
    let consumer = Consumer::new("readme");
    consumer.package("", "readme", &facade("helix-skills", "")).write("src/main.rs", program);
    let skills = workspace().join("examples/agent/skills/commit-messages");
    for file in ["SKILL.md", "references/types.md"] {
        consumer.write(&format!("skills/commit-messages/{file}"), fs::read(skills.join(file)).unwrap());
    }
    let run = consumer.cargo(&["run", "--quiet"]).success();
    assert!(
        run.stdout.starts_with("<skill_file skill=\"commit-messages\" path=\"references/types.md\""),
        "{}",
        run.stdout
    );
}

/// The project of the example `agent`, whose skills the README names, in a package.
fn package(name: &str, dependencies: &str) -> Consumer {
    let consumer = Consumer::new(name);
    consumer.package("", name, dependencies);
    let project = workspace().join("examples/agent");
    let mut left = ["helix.skills.json", "helix.skills.lock", "helix.skills", "skills"].map(PathBuf::from).to_vec();
    while let Some(path) = left.pop() {
        match fs::read_dir(project.join(&path)) {
            Ok(entries) => left.extend(entries.map(|entry| path.join(entry.unwrap().file_name()))),
            Err(_) => drop(consumer.write(path.to_str().unwrap(), fs::read(project.join(&path)).unwrap())),
        }
    }
    consumer
}

#[test]
fn everything_it_says_of_an_agent_compiles_and_runs_one_after_the_other() {
    let [_, story @ ..] = &blocks("rust")[..] else { panic!("no blocks") };
    assert!(story.len() >= 8, "{story:#?}");
    let facade = facade("helix-skills", ", features = [\"schemars\"]");
    let results = "schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }";
    let consumer = package("readme-agent", &format!("{facade}\n{results}"));
    let program = [BEFORE, &story.concat(), AFTER].concat();
    consumer.write("src/main.rs", program);
    let run = consumer.cargo(&["run", "--quiet"]).success();
    for said in [
        "\n- commit-messages loaded=\"true\": ", // the catalog
        "\n<skill name=\"release-notes\">\n",
        "We had an outage last night.<system-reminder>Relevant skills:\n- incident-review (",
        "[\"commit-messages\", \"deploy-runbook\", \"incident-review\", \"release-notes\"]\ntrue\n",
    ] {
        assert!(run.stdout.contains(said), "no {said:?} in:\n{}", run.stdout);
    }
    assert!(run.stderr.contains("warning: there is no skill `house-style`: the name has no effect"), "{}", run.stderr);
}

/// What stands around the blocks: a function that waits, and a program that waits for it, where everything is at hand.
const BEFORE: &str = "async fn story() -> Result<(), Box<dyn std::error::Error>> {
";
const AFTER: &str = r#"
    println!("{prompt}\n{message}\n{all:?}\n{}", reply.is_some());
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(story()).poll(&mut context) {
        std::task::Poll::Ready(told) => told,
        std::task::Poll::Pending => Err("a set has to be waited for".into()),
    }
}
"#;

#[test]
fn the_build_scripts_compile_and_run_as_they_stand() {
    let scripts: Vec<_> = blocks("rust,ignore").into_iter().filter(|block| block.starts_with("// build.rs")).collect();
    assert_eq!(scripts.len(), 2);
    let cli = format!("[build-dependencies]\nhelix-skills-project = {{ path = {:?} }}", workspace().join("project"));
    let consumer = package("readme-build", &format!("{}\n{cli}", facade("helix-skills", "")));
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
fn the_manifests_it_shows_are_together_that_of_the_example_file() {
    let example = fs::read_to_string(workspace().join("helix.skills.json.example")).unwrap();
    let parse = |text: &str| helix_skills_project::manifest::Manifest::parse(text).unwrap().sources;
    let shown: Vec<_> = blocks("json").iter().flat_map(|manifest| parse(manifest)).collect();
    assert_eq!(shown, parse(&example).into_iter().collect::<Vec<_>>());
}
