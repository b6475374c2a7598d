//! deer-flow: skills of two directories, loaded in two stages. The functions that its page shows,
//! `load_skills` with 10 lines among them, are [`skills`] and one call of the tool here.

use super::call;
use crate::{folder::Folder, waiting::wait};
use helix_skills::{AsyncToolbox, Profile, toolbox::ToolPolicy};
use helix_skills_format::Code;
use helix_skills_host::{Directories, EnabledFile};
use helix_skills_lint::{Draft, Rules, lint};
use serde_json::json;

const SURVEY: &str = "---
name: survey-data
description: Sums up tables and draws charts. Use when a CSV file is named.
license: MIT
allowed-tools:
  - bash
  - read_file
---

# Survey data

Start with `describe()`. For money, see references/finance.md.
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("skills/public/survey-data/SKILL.md", SURVEY);
    folder.write("skills/public/survey-data/references/finance.md", "Round to cents.\n");
    folder.skill("skills/public/web-pages", "web-pages", "Makes web pages.");
    folder.skill("skills/custom/deep-digging", "deep-digging", "Finds sources.");
    folder.write("skills/custom/drafts/notes.md", "not a skill");
    folder.write("extensions_config.json", r#"{"skills": {"web-pages": {"enabled": false}}}"#);
    folder
}

fn skills(folder: &Folder) -> Directories {
    let enabled = EnabledFile::open(folder.path("extensions_config.json")).unwrap();
    Directories::public_and_custom(folder.path("skills"))
        .enabled(move |name| enabled.is_enabled(name))
}

fn toolbox(folder: &Folder) -> AsyncToolbox<Directories> {
    wait(AsyncToolbox::builder(skills(folder)).profile(Profile::DeerFlow).build()).unwrap()
}

#[test]
fn skills_of_both_directories_have_an_enabled_status() {
    let folder = folder();
    let skills = skills(&folder);
    let found = skills.discover().unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|skill| (skill.kind().unwrap(), skill.name(), skills.is_enabled(skill.name())))
        .collect();
    // A subdirectory without SKILL.md is skipped.
    assert_eq!(
        found,
        [
            ("custom", "deep-digging", true),
            ("public", "survey-data", true),
            ("public", "web-pages", false)
        ]
    );
}

#[test]
fn skill_md_has_four_fields_of_which_two_are_required() {
    let folder = folder();
    folder.write("skills/custom/no-words/SKILL.md", "---\nname: no-words\n---\nHm.\n");
    let found = skills(&folder).discover().unwrap();
    found.get("survey-data").unwrap().metadata().view(|skill| {
        assert_eq!(
            skill.description(),
            "Sums up tables and draws charts. Use when a CSV file is named."
        );
        assert_eq!(skill.license(), Some("MIT"));
        assert_eq!(skill.allowed_tools(), Some(&["bash", "read_file"][..]));
    });
    // Coming from deer-flow: a skill without a description is left out, with a warning.
    assert!(found.get("no-words").is_none());
    let problems = folder.problems(&found);
    assert!(problems[0].contains("`description` is missing"), "{problems:?}");
}

#[test]
fn list_of_tools_limits_and_an_empty_list_does_not() {
    let folder = folder();
    let text = SURVEY.replace("survey-data", "no-limits");
    let text = text.replace("\n  - bash\n  - read_file", " []");
    folder.write("skills/custom/no-limits/SKILL.md", text);
    let toolbox = toolbox(&folder);
    let allows = |name: &str, tool: &str| {
        let skill = wait(toolbox.skill(name)).unwrap();
        skill
            .view(|skill| ToolPolicy::from_skill(&skill).in_profile(Profile::DeerFlow).allows(tool))
    };
    assert!(allows("survey-data", "bash") && !allows("survey-data", "web_search"));
    assert!(allows("no-limits", "bash") && allows("no-limits", "web_search"));
    assert!(allows("deep-digging", "web_search"), "a skill without a list");
}

#[test]
fn first_stage_lists_names_and_descriptions() {
    let folder = folder();
    let toolbox = toolbox(&folder);
    // Coming from deer-flow: a disabled skill is not listed.
    assert_eq!(
        toolbox.catalog(),
        "Available Skills:\n- deep-digging: Finds sources.\n\
         - survey-data: Sums up tables and draws charts. Use when a CSV file is named.\n"
    );
}

#[test]
fn second_stage_loads_the_instructions_on_demand() {
    let folder = folder();
    let toolbox = toolbox(&folder);
    let loaded = call(&toolbox, "load_skill", &json!({"name": "survey-data"}));
    // Coming from deer-flow: the frontmatter, which the model knows from the list, is left out.
    let (_, body) = SURVEY.split_once("---\n\n").unwrap();
    assert!(loaded.as_str().contains(body), "{loaded}");
    assert!(!loaded.as_str().contains("license: MIT"), "{loaded}");
    // A detail is in a file of its own, which the body names.
    let arguments = json!({"skill": "survey-data", "path": "references/finance.md"});
    let read = call(&toolbox, "read_skill_file", &arguments);
    assert!(read.as_str().contains("Round to cents.\n"), "{read}");
    let arguments = json!({"skill": "survey-data", "path": "SKILL.md"});
    assert!(call(&toolbox, "read_skill_file", &arguments).as_str().contains("license: MIT"));
    assert!(call(&toolbox, "load_skill", &json!({"name": "web-pages"})).is_error(), "disabled");
}

/// Returns what `skills validate` reports on a skill of the page's form.
fn reported(description: &str, body: &str) -> Vec<Code> {
    let text = format!("---\nname: survey-data\ndescription: {description}\n---\n{body}\n");
    let draft = Draft {
        bytes: text.as_bytes(),
        directory: Some("survey-data"),
        file: "SKILL.md",
        files: None,
    };
    lint(&draft, Rules::Authors, |_| None).into_iter().map(|finding| finding.code).collect()
}

#[test]
fn authors_are_warned_of_what_the_guidance_says() {
    let good = "Sums up tables, draws charts and writes reports. Use when a CSV file is named.";
    // Examples are actual code.
    let example = "## Examples\n\n```python\ndf = pd.read_csv('tables.csv')\nprint(df)\n```";
    assert_eq!(reported(good, example), []);
    let template = "## Examples\n\n```python\n# your code here\n```";
    assert_eq!(reported(good, template), [Code::TemplateText]);
    assert_eq!(reported("Data survey skill", "Do."), [Code::VagueDescription]);
    assert_eq!(reported(good, &"line\n".repeat(499)), []);
    assert_eq!(reported(good, &"line\n".repeat(502)), [Code::LongBody]);
}
