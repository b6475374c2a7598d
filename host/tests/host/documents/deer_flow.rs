//! deer-flow: skills of two directories, loaded in two stages. The page shows `load_skills` with 10
//! lines, which are the 3 lines of [`skills`] here, and `load_skill`, which is a call of the tool.

use super::call;
use crate::{folder::Folder, waiting::wait};
use helix_skills::{AsyncToolbox, Profile, Provider, toolbox::ToolPolicy};
use helix_skills_format::Code;
use helix_skills_host::{Directories, DiscoveredSkill, EnabledFile, ErrorKind, Root, load_skill};
use helix_skills_lint::{Draft, Rules, lint};
use serde_json::json;

const ANALYSIS: &str = "---
name: data-analysis
description: Analyze datasets with pandas, create visualizations, and generate reports. Use when working with CSV/Excel files, statistical analysis, or data visualization tasks.
license: MIT
allowed-tools:
  - bash
  - read_file
  - write_file
---

# Data Analysis Skill

## Quick Start

Load a CSV file:

```python
import pandas as pd
df = pd.read_csv('/mnt/user-data/uploads/data.csv')
print(df.describe())
```

- Finance queries: See references/finance.md
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("skills/public/data-analysis/SKILL.md", ANALYSIS);
    folder.write("skills/public/data-analysis/references/finance.md", "Round to cents.\n");
    folder.skill("skills/public/web-design", "web-design", "Create responsive HTML/CSS websites");
    folder.skill(
        "skills/custom/deep-research",
        "deep-research",
        "Comprehensive multi-source research with citations",
    );
    folder.write("skills/custom/drafts/notes.md", "not a skill");
    folder.write("extensions_config.json", r#"{"skills": {"web-design": {"enabled": false}}}"#);
    folder
}

fn skills(folder: &Folder) -> Directories {
    let enabled = EnabledFile::open(folder.path("extensions_config.json")).unwrap();
    let root = |kind| Root::new(folder.path("skills").join(kind)).kind(kind).optional();
    Directories::new()
        .root(root("public"))
        .root(root("custom"))
        .enabled(move |name| enabled.is_enabled(name))
}

fn toolbox(folder: &Folder) -> AsyncToolbox<Directories> {
    wait(AsyncToolbox::builder(skills(folder)).profile(Profile::DeerFlow).build()).unwrap()
}

#[test]
fn skills_of_both_directories_have_an_enabled_status() {
    let folder = folder();
    let enabled = EnabledFile::open(folder.path("extensions_config.json")).unwrap();
    let found = skills(&folder).discover().unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|skill| (skill.kind().unwrap(), skill.name(), enabled.is_enabled(skill.name())))
        .collect();
    // A subdirectory without SKILL.md is skipped.
    assert_eq!(
        found,
        [
            ("public", "data-analysis", true),
            ("custom", "deep-research", true),
            ("public", "web-design", false)
        ]
    );
}

#[test]
fn every_discovered_skill_can_be_loaded() {
    let folder = folder();
    // Names that differ from their directories, as two skills of deer-flow's repository have.
    folder.skill("skills/public/vercel-deploy", "vercel-deploy-claimable", "Deploys.");
    folder.write("skills/public/vercel-deploy/scripts/deploy.sh", "echo\n");
    let found = skills(&folder).discover().unwrap();
    assert_eq!(found.iter().len(), 4);
    assert!(load_skill(folder.path("skills/public/vercel-deploy")).is_err());
    for skill in found.iter() {
        let loaded = skill.load().unwrap();
        assert_eq!(loaded.value.name(), skill.name());
    }
    let deploy = found.get("vercel-deploy-claimable").unwrap().load().unwrap();
    assert_eq!(deploy.findings[0].code.as_str(), "name-mismatch");
    {
        assert_eq!(deploy.value.resource("scripts/deploy.sh").unwrap().text(), Some("echo\n"));
    };
    let owned: Vec<DiscoveredSkill> = found.iter().cloned().collect();
    folder.remove("skills/public/vercel-deploy/SKILL.md");
    assert!(owned[2].load().is_err_and(|error| error.kind() == ErrorKind::NotFound));
}

#[test]
fn skill_md_has_four_fields_of_which_two_are_required() {
    let folder = folder();
    folder.write("skills/custom/no-words/SKILL.md", "---\nname: no-words\n---\nHm.\n");
    let found = skills(&folder).discover().unwrap();
    {
        let skill = &found.get("data-analysis").unwrap().metadata();
        assert!(skill.description().ends_with(", or data visualization tasks."));
        assert_eq!(skill.license(), Some("MIT"));
        assert_eq!(skill.allowed_tools().unwrap(), ["bash", "read_file", "write_file"]);
    };
    // Coming from deer-flow: a skill without a description is left out, with a warning.
    assert!(found.get("no-words").is_none());
    let problems = folder.problems(&found);
    assert!(problems[0].contains("`description` is missing"), "{problems:?}");
}

#[test]
fn list_of_tools_limits_and_an_empty_list_does_not() {
    let folder = folder();
    let text = ANALYSIS.replace("data-analysis", "no-limits");
    let text = text.replace("\n  - bash\n  - read_file\n  - write_file", " []");
    folder.write("skills/custom/no-limits/SKILL.md", text);
    let toolbox = toolbox(&folder);
    let allows = |name: &str, tool: &str| {
        let loaded = toolbox.provider().load(name, Profile::DeerFlow);
        let skill = wait(loaded).unwrap().unwrap();
        ToolPolicy::from_skill(&skill).profile(Profile::DeerFlow).allows(tool)
    };
    assert!(allows("data-analysis", "bash") && !allows("data-analysis", "web_search"));
    assert!(allows("no-limits", "bash") && allows("no-limits", "web_search"));
    assert!(allows("deep-research", "web_search"), "a skill without a list");
}

#[test]
fn first_stage_lists_names_and_descriptions() {
    let folder = folder();
    let toolbox = toolbox(&folder);
    // Coming from deer-flow: a disabled skill is not listed.
    assert_eq!(
        toolbox.catalog(),
        "Available Skills:\n- data-analysis: Analyze datasets with pandas, create visualizations, \
         and generate reports. Use when working with CSV/Excel files, statistical analysis, or data \
         visualization tasks.\n\
         - deep-research: Comprehensive multi-source research with citations\n"
    );
}

#[test]
fn second_stage_loads_the_instructions_on_demand() {
    let folder = folder();
    let toolbox = toolbox(&folder);
    let loaded = call(&toolbox, "load_skill", &json!({"name": "data-analysis"}));
    // Coming from deer-flow: the frontmatter, which the model knows from the list, is left out.
    let (_, body) = ANALYSIS.split_once("---\n\n").unwrap();
    assert!(loaded.to_string().contains(body), "{loaded}");
    assert!(!loaded.to_string().contains("license: MIT"), "{loaded}");
    // A detail is in a file of its own, which the body names.
    let arguments = json!({"skill": "data-analysis", "path": "references/finance.md"});
    let read = call(&toolbox, "read_skill_file", &arguments);
    assert!(read.to_string().contains("Round to cents.\n"), "{read}");
    let arguments = json!({"skill": "data-analysis", "path": "SKILL.md"});
    assert!(call(&toolbox, "read_skill_file", &arguments).to_string().contains("license: MIT"));
    assert!(call(&toolbox, "load_skill", &json!({"name": "web-design"})).is_error(), "disabled");
}

/// Returns what `skills validate` reports on a skill of the page's form.
fn reported(description: &str, body: &str) -> Vec<Code> {
    let text = format!("---\nname: data-analysis\ndescription: {description}\n---\n{body}\n");
    let draft = Draft {
        bytes: text.as_bytes(),
        directory: Some("data-analysis"),
        file: "SKILL.md",
        files: None,
    };
    lint(&draft, Rules::Authors, |_| None).into_iter().map(|finding| finding.code).collect()
}

#[test]
fn authors_are_warned_of_what_the_guidance_says() {
    let good = "Analyze datasets with pandas, create visualizations, and generate statistical reports. Use when working with CSV/Excel files.";
    // Examples are actual code.
    let example = "## Examples\n\n```python\nimport pandas as pd\n\
                   df = pd.read_csv('/mnt/user-data/uploads/data.csv')\nprint(df.describe())\n```";
    assert_eq!(reported(good, example), []);
    let template = "## Examples\n\n```python\n# your code here\n```";
    assert_eq!(reported(good, template), [Code::TemplateText]);
    assert_eq!(reported("Data analysis skill", "Do."), [Code::VagueDescription]);
    assert_eq!(reported(good, &"line\n".repeat(499)), []);
    assert_eq!(reported(good, &"line\n".repeat(502)), [Code::LongBody]);
}
