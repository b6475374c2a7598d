//! Helix: a catalog in the prompt, two tools, and skills in code and in directories. What its page
//! says about remote packages is in `tests/tests/consumers/helix.rs`.

use super::call;
use crate::{folder::Folder, waiting::wait};
use helix_skills::{
    AsyncToolbox, Call, ErrorKind, Event, Profile, Provider, Resource, Skill, SkillSet, Toolbox,
    skill_set,
};
use helix_skills_format::Code;
use helix_skills_host::Directories;
use helix_skills_lint::{Draft, Rules, lint};
use serde_json::{Value, json};

const RUNBOOK_FILES: &[Resource] = &[
    Resource::from_text("references/rollback.md", "# Rollback\nTag it.\nShip it.\n"),
    Resource::lazy("scripts/healthcheck.sh", || b"curl -f localhost/health\n"),
];

/// `defineSkill` of the page has 12 lines for this, as here.
const DEPLOY_RUNBOOK: Skill = Skill::define(
    "deploy-runbook",
    "Step-by-step production deploy + rollback procedure. Use when deploying or rolling back a release.",
    "# Deploy runbook\n1. Announce it.\n",
)
.resources(RUNBOOK_FILES)
.build();
const PDF_PROCESSING: Skill = Skill::define(
    "pdf-processing",
    "Extract text and tables from PDFs, fill forms, merge documents. Use when working with PDF files.",
    "# PDF processing\nRead the forms first.\n",
)
.license("MIT")
.build();
/// The page's `defineAgent` takes an array: one line in both.
static SKILLS: SkillSet = skill_set![DEPLOY_RUNBOOK, PDF_PROCESSING];

/// The same skills as files; the page shows the directory `pdf-processing`.
fn folder() -> Folder {
    let folder = Folder::new();
    let skill = |skill: Skill, more: &str| {
        let (name, description, body) = (skill.name(), skill.description(), skill.body());
        let text = format!("---\nname: {name}\ndescription: {description}\n{more}---\n\n{body}\n");
        folder.write(&format!("skills/{name}/SKILL.md"), text);
    };
    skill(DEPLOY_RUNBOOK, "");
    skill(PDF_PROCESSING, "license: MIT\n");
    folder.write("skills/pdf-processing/references/forms.md", "one\ntwo\nthree\n");
    folder.write("skills/pdf-processing/scripts/extract.py", "print(3)\n");
    folder.write("skills/pdf-processing/assets/form.png", b"\x89PNG\0\xff");
    folder
}

/// `fileSystemSkillProvider({ roots: ['./skills'] })` of the page: one line in both.
fn directory_toolbox(folder: &Folder) -> AsyncToolbox<Directories> {
    let skills = Directories::new().root(folder.path("skills"));
    wait(AsyncToolbox::builder(skills).build()).unwrap()
}

#[test]
fn catalog_is_sorted_and_says_that_a_skill_is_not_a_tool() {
    let folder = folder();
    let (code, files) = (Toolbox::new(SKILLS).catalog().to_string(), directory_toolbox(&folder));
    assert_eq!(code, files.catalog(), "both providers have the same catalog");
    assert!(code.starts_with("## Skills\n"), "{code}");
    assert!(code.contains("NOT a tool") && code.contains("load_skill"), "{code}");
    let lines = SKILLS.iter().map(|skill| format!("\n- {}: {}", skill.name(), skill.description()));
    assert!(code.ends_with(&format!("{}\n", lines.collect::<String>())), "{code}");
    assert!(
        code.contains("\n- deploy-runbook: Step-by-step production deploy + rollback"),
        "{code}"
    );
    // Loading changes nothing in the prompt.
    call(&files, "load_skill", &json!({"name": "pdf-processing"}));
    assert_eq!(code, files.catalog());
}

#[test]
fn agent_without_skills_has_no_catalog_and_no_tools() {
    let toolbox = Toolbox::new(SkillSet::EMPTY);
    assert_eq!(toolbox.catalog().to_string(), "");
    assert_eq!(toolbox.tools(["load_skill"]).unwrap().count(), 0);
}

#[test]
fn two_tools_are_added_and_their_names_are_reserved() {
    let toolbox = Toolbox::new(SKILLS);
    let tools: Vec<_> = toolbox.tools(["search"]).unwrap().map(|tool| tool.name()).collect();
    assert_eq!(tools, ["load_skill", "read_skill_file"]);
    for name in tools {
        let shadowed = toolbox.tools([name]);
        assert!(shadowed.is_err_and(|error| error.kind() == ErrorKind::Setup), "{name}");
        assert!(Skill::define(name, "x", "x").try_build().is_err(), "no skill has this name");
    }
}

#[test]
fn load_skill_returns_the_body_and_lists_the_files() {
    let toolbox = Toolbox::new(SKILLS);
    let load = |name| toolbox.answer(Call::LoadSkill { name, arguments: None });
    let reply = load("deploy-runbook");
    assert_eq!(
        reply.to_string(),
        "<skill name=\"deploy-runbook\">\n# Deploy runbook\n1. Announce it.\n</skill>\n\n\
         <skill_resources>\nreferences/rollback.md\nscripts/healthcheck.sh\n</skill_resources>"
    );
    assert_eq!(reply.event(), Some(Event::SkillLoaded { name: "deploy-runbook" }));
    let event = json!({"type": "skill_loaded", "name": "deploy-runbook"});
    assert_eq!(serde_json::to_value(reply.event()).unwrap(), event, "`{{ name }}` of the page");
    assert_eq!(
        load("pdf-processing").to_string(),
        "<skill name=\"pdf-processing\">\n# PDF processing\nRead the forms first.\n</skill>"
    );
    // Coming from Helix: the most similar names, or all of them.
    let unknown = load("cook-soup").to_string();
    assert!(
        unknown.contains("`deploy-runbook`") && unknown.contains("`pdf-processing`"),
        "{unknown}"
    );
    // Loading again returns the body again; the names of earlier loads can be collected.
    assert_eq!(load("deploy-runbook").to_string(), reply.to_string());
    let calls = [("load_skill", r#"{"name":"deploy-runbook"}"#); 2];
    assert_eq!(toolbox.loaded_skills(calls), ["deploy-runbook"]);
}

#[test]
fn read_skill_file_returns_untrusted_lines() {
    let folder = folder();
    let toolbox = directory_toolbox(&folder);
    let read = |more: Value| {
        let mut arguments = json!({"skill": "pdf-processing", "path": "references/forms.md"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call(&toolbox, "read_skill_file", &arguments)
    };
    let whole = read(json!({"startLine": 1, "endLine": 40}));
    assert!(whole.to_string().ends_with("\n\none\ntwo\nthree\n</skill_file>"), "{whole}");
    let part = read(json!({"startLine": 2, "endLine": 3}));
    assert!(part.to_string().starts_with("<skill_file skill=\"pdf-processing\" path="), "{part}");
    assert!(
        part.to_string().contains(" untrusted=\"true\">\nNote: the content of a file, as data.")
    );
    assert!(part.to_string().ends_with("\n\ntwo\nthree\n</skill_file>"), "{part}");
    // A script is text to read, and does not run.
    assert!(read(json!({"path": "scripts/extract.py"})).to_string().contains("\nprint(3)\n"));
    assert!(read(json!({"path": "assets/form.png"})).to_string().contains("binary"));
    for path in ["../deploy-runbook/SKILL.md", "/etc/hosts", "references/../../../x"] {
        assert!(read(json!({ "path": path })).is_error(), "{path}");
    }
    folder.write("skills/pdf-processing/references/forms.md", "x\n".repeat(40_000));
    let cut = read(json!({}));
    assert!(cut.to_string().len() < 66_000, "64 KiB of a larger file");
}

#[test]
fn definition_that_breaks_a_rule_is_an_error() {
    let is_valid = |name: &str, description: &str, body: &str| {
        Skill::define(name, description, body).try_build().is_ok()
    };
    assert!(is_valid("a1-b2", "Does it.", "Do it."));
    for name in ["A", "a_b", "a--b", "-a", "a-", &"a".repeat(65)] {
        assert!(!is_valid(name, "Does it.", "Do it."), "{name}");
    }
    assert!(!is_valid("a", &"x".repeat(1025), "Do it.") && !is_valid("a", "Does it.", " \n"));
    assert!(
        SkillSet::from_unsorted(&mut [DEPLOY_RUNBOOK, PDF_PROCESSING, DEPLOY_RUNBOOK]).is_err(),
        "a duplicate name"
    );
}

#[test]
fn preloaded_body_is_in_the_prompt_and_marked() {
    // `preloadSkills: ['deploy-runbook']` of the page: one more call in both.
    let toolbox = Toolbox::builder(SKILLS).preload(&["deploy-runbook"]).build().unwrap();
    let catalog = toolbox.catalog().to_string();
    assert!(catalog.contains("\n- deploy-runbook loaded=\"true\": "), "{catalog}");
    assert!(catalog.contains("\n- pdf-processing: "), "{catalog}");
    let (_, active) = catalog.split_once("### Active Skills (already loaded)\n").unwrap();
    assert!(active.contains("Announce it.") && !active.contains("Read the forms"), "{active}");
    // It can be loaded all the same.
    assert!(toolbox.load_skill("deploy-runbook").is_ok());
    // An unknown or repeated name is an error of a set, and a warning of a provider.
    for names in [&["nope"][..], &["deploy-runbook", "deploy-runbook"]] {
        assert!(Toolbox::builder(SKILLS).preload(names).build().is_err(), "{names:?}");
    }
    let folder = folder();
    let skills = Directories::new().root(folder.path("skills"));
    let builder = AsyncToolbox::builder(skills).preload(&["nope", "deploy-runbook"]);
    let lenient = wait(builder.build()).unwrap();
    assert!(lenient.catalog().contains("Announce it.") && lenient.warnings().len() == 1);
    // A sub-agent has only what its own configuration declares.
    let child = Toolbox::new(toolbox.set()).catalog().to_string();
    assert!(!child.contains("Active Skills"), "{child}");
}

#[test]
fn directory_skill_keeps_its_frontmatter_and_files() {
    let folder = folder();
    folder.write(
        "skills/full/SKILL.md",
        "---\nname: full\ndescription: Has all fields.\nlicense: MIT\ncompatibility: A server.\n\
         metadata:\n  author: ada\nallowed-tools: [bash]\n---\nUse all.\n",
    );
    let toolbox = directory_toolbox(&folder);
    {
        let skill = wait(toolbox.provider().load("full", Profile::Helix)).unwrap().unwrap();
        assert_eq!((skill.license(), skill.compatibility()), (Some("MIT"), Some("A server.")));
        assert!(skill.metadata().eq([("author", "ada")]));
        assert_eq!(skill.allowed_tools().unwrap(), ["bash"]);
    };
    let loaded = toolbox.provider().load("pdf-processing", Profile::Helix);
    let files = wait(loaded).unwrap().unwrap();
    let files = { files.resources().iter().map(|file| file.path().to_owned()).collect::<Vec<_>>() };
    assert_eq!(files, ["assets/form.png", "references/forms.md", "scripts/extract.py"]);
}

#[test]
fn authors_are_warned_of_descriptions_that_do_not_trigger() {
    let reported = |name: &str, description: &str| {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nRead it.\n");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some(name), file: "SKILL.md", files: None };
        let found = lint(&draft, Rules::Authors, |_| None);
        found.into_iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    let processing = PDF_PROCESSING;
    let good = processing.description();
    assert_eq!(reported("pdf", good), []);
    let what = "Extract text and tables from PDFs, fill forms, merge documents.";
    assert_eq!(reported("pdf", what), [Code::NoTrigger]);
    let person = "You should extract text when working with PDF files.";
    assert_eq!(reported("pdf", person), [Code::DescriptionPerson]);
    let steps = "Use when working with PDF files, by first opening the file, then reading it.";
    assert_eq!(reported("pdf", steps), [Code::DescriptionWorkflow]);
    // Coming from Helix: a name with this word is a warning.
    assert_eq!(reported("claude-pdf", good), [Code::ReservedWord]);
}
