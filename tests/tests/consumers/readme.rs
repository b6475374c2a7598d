//! The README, as somebody would paste it.

use crate::cargo::{Consumer, facade, workspace};
use std::fs;

/// The code blocks of the README with this info string.
fn blocks(info: &str) -> Vec<String> {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    let start = format!("```{info}\n");
    let starts = readme.match_indices(&start).map(|(at, start)| at + start.len());
    starts.map(|at| readme[at..].split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_shortest_way_in_compiles_and_runs_as_it_stands() {
    let [program] = blocks("rust").try_into().unwrap();
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

#[test]
fn the_manifests_it_shows_are_together_that_of_the_example_file() {
    let example = fs::read_to_string(workspace().join("helix.skills.json.example")).unwrap();
    let parse = |text: &str| helix_skills_format::Manifest::parse(text).unwrap().sources;
    let shown: Vec<_> = blocks("json").iter().flat_map(|manifest| parse(manifest)).collect();
    assert_eq!(shown, parse(&example).into_iter().collect::<Vec<_>>());
}
