//! Warnings about skills that are used as they are.

use crate::folder::{Folder, block_on, names};
use helix_skills_agent::{AsyncToolbox, Provider, ProviderWarning};
use helix_skills_format::{Severity, SkillMd};
use helix_skills_host::{Directories, Root, SharedRegistry};
use helix_skills_runtime::{Profile, Skill};
use std::fs;

/// A directory whose skills can be used, but are not portable.
fn folder() -> Folder {
    let folder = Folder::new();
    let long = "x".repeat(1025);
    for (directory, text) in [
        ("empty", "---\nname: empty\ndescription: x\n---\n\n".to_owned()),
        ("good", "---\nname: good\ndescription: x\n---\nBody.\n".to_owned()),
        ("long", format!("---\nname: long\ndescription: {long}\n---\nBody.\n")),
        ("my_skill", "---\nname: my_skill\ndescription: x\n---\nBody.\n".to_owned()),
        ("pdf", "---\nname: reader\ndescription: x\n---\nBody.\n".to_owned()),
        ("unnamed", "---\ndescription: x\n---\nBody.\n".to_owned()),
    ] {
        folder.write(&format!("skills/{directory}/SKILL.md"), text);
    }
    folder
}

fn warnings(folder: &Folder, directories: Directories, profile: Profile) -> Vec<String> {
    let toolbox = block_on(AsyncToolbox::builder(directories).profile(profile).build()).unwrap();
    toolbox.warnings().iter().map(|warning| folder.message(warning)).collect()
}

#[test]
fn toolbox_warns_of_what_sync_warns_of() {
    let folder = folder();
    assert_eq!(
        warnings(&folder, folder.directories(&["skills"]), Profile::Helix),
        [
            "`skills/unnamed/SKILL.md:1:1` is left out: `name` is missing",
            "`skills/empty/SKILL.md:5:1`: the body is empty (empty-body)",
            "`skills/long/SKILL.md:3:14`: `description` has 1025 characters; the maximum is 1024 (long-description)",
            "`skills/my_skill/SKILL.md:2:7`: the name `my_skill` contains `_`; other systems accept only a to z, 0 to 9 and `-` (name-character)",
            "`skills/pdf/SKILL.md:2:7`: the name `reader` differs from the directory's, `pdf` (name-mismatch)",
        ]
    );
    // The findings are those of the parser that a sync uses.
    let toolbox = block_on(AsyncToolbox::builder(folder.directories(&["skills"])).build()).unwrap();
    let mut reported: Vec<_> = toolbox
        .warnings()
        .iter()
        .filter_map(|warning| Some(warning.to_string().split_once("`: ")?.1.to_owned()))
        .collect();
    let mut expected = Vec::new();
    for directory in ["empty", "good", "long", "my_skill", "pdf"] {
        let bytes = fs::read(folder.path(&format!("skills/{directory}/SKILL.md"))).unwrap();
        let parsed = SkillMd::parse_bytes(&bytes, Some(directory), "SKILL.md").unwrap();
        let warnings = parsed.findings.into_iter();
        let warnings = warnings.filter(|one| one.code.when_baking() == Severity::Warning);
        expected.extend(warnings.map(|one| format!("{} ({})", one.message, one.code.as_str())));
    }
    reported.sort();
    expected.sort();
    assert_eq!(reported, expected);
}

#[test]
fn toolbox_does_not_warn_of_skills_that_are_not_allowed() {
    let folder = folder();
    folder.write("skills/broken/SKILL.md", "---\nname: broken\n---\n");
    folder.skill("later/good", "good", "Hides the first.");
    folder.skill("later/load_skill", "load_skill", "Has the name of a tool.");
    let warnings = |allowed: &[&str]| -> Vec<String> {
        let directories = folder.directories(&["skills", "later", "missing"]);
        let builder = AsyncToolbox::builder(directories).allow(allowed);
        let toolbox = block_on(builder.build()).unwrap();
        toolbox.warnings().iter().map(|warning| folder.message(warning)).collect()
    };
    let root = "`missing` is left out: the directory does not exist";
    assert_eq!(warnings(&["long"])[0], root);
    assert_eq!(warnings(&["long"]).len(), 2, "{:?}", warnings(&["long"]));
    let hidden = "`skills/good/SKILL.md` is left out: ";
    assert!(warnings(&["good"])[1].starts_with(hidden), "{:?}", warnings(&["good"]));
    // Any of them may be the reason that a skill is missing.
    let all = warnings(&["broken", "long"]);
    let why = "`skills/broken/SKILL.md:1:1` is left out: `description` is missing";
    assert!(all.iter().any(|warning| warning == why), "{all:?}");
    assert!(all.last().unwrap().starts_with("there is no skill `broken`"), "{all:?}");
}

#[test]
fn registry_warns_of_what_a_toolbox_warns_of() {
    let folder = folder();
    let skills = SharedRegistry::new();
    skills
        .update(|all| all.register(Skill::define("long", "Is registered first.", "Body.").build()))
        .unwrap();
    let messages = |warnings: &[ProviderWarning]| -> Vec<_> {
        warnings.iter().map(|warning| folder.message(warning)).collect()
    };
    let loaded = skills.load_dir(folder.path("skills")).unwrap();
    let mut expected = warnings(&folder, folder.directories(&["skills"]), Profile::Helix);
    assert!(expected.remove(0).contains("unnamed"), "it is one of the problems");
    assert!(expected.remove(1).contains("long-description"), "it is left out here");
    assert_eq!(messages(&loaded.warnings), expected);
    assert_eq!(loaded.problems.len(), 2);
    // A disabled skill is not registered, and by other rules there are fewer warnings.
    let enabled = folder.directories(&["skills"]).enabled(|name| name == "reader");
    assert_eq!(messages(&SharedRegistry::new().load(&enabled).unwrap().warnings).len(), 1);
    let lenient = folder.directories(&["skills"]).profile(Profile::SkillUse);
    assert_eq!(messages(&SharedRegistry::new().load(&lenient).unwrap().warnings).len(), 2);
}

#[test]
fn profiles_warn_of_names_only_where_they_have_rules() {
    let folder = folder();
    let count = |profile| warnings(&folder, folder.directories(&["skills"]), profile).len();
    assert_eq!(
        [Profile::Agentick, Profile::DeerFlow, Profile::SkillUse, Profile::ClaudeCode].map(count),
        [5, 5, 2, 2]
    );
    // A skill that no agent gets is no reason for a warning, unless its name is not known.
    let enabled = folder.directories(&["skills"]).enabled(|name| name == "reader");
    assert_eq!(warnings(&folder, enabled, Profile::Helix).len(), 2);
}

#[test]
fn name_is_required_unless_the_profile_makes_it_optional() {
    let folder = Folder::new();
    folder.write("skills/unnamed/SKILL.md", "---\ndescription: x\n---\nBody.\n");
    for profile in Profile::ALL {
        let found = folder.directories(&["skills"]).profile(profile).discover().unwrap();
        let registry = SharedRegistry::new();
        let loaded = registry.load(&folder.directories(&["skills"]).profile(profile)).unwrap();
        if [Profile::SkillUse, Profile::ClaudeCode].contains(&profile) {
            assert_eq!((names(&found), loaded.problems.len()), (vec!["unnamed"], 0));
        } else {
            assert_eq!((names(&found), loaded.problems.len()), (vec![], 1), "{profile:?}");
            assert_eq!(
                warnings(&folder, folder.directories(&["skills"]), profile),
                ["`skills/unnamed/SKILL.md:1:1` is left out: `name` is missing"]
            );
        }
    }
    let error = helix_skills_host::read_metadata(folder.path("skills/unnamed")).unwrap_err();
    assert_eq!(error.findings()[0].message, "`name` is missing");
}

#[test]
fn deep_agents_skills_need_name_and_description() {
    let folder = Folder::new();
    folder.write("skills/deploy/SKILL.md", "---\nname: deploy\ndescription: x\n---\nRun it.\n");
    folder.write("skills/unnamed/SKILL.md", "---\ndescription: x\n---\nBody.\n");
    folder.write("skills/blank/SKILL.md", "---\nname:\ndescription: x\n---\nBody.\n");
    folder.write("skills/silent/SKILL.md", "---\nname: silent\n---\nBody.\n");
    assert_eq!(
        warnings(&folder, folder.directories(&["skills"]), Profile::DeepAgents),
        [
            "`skills/blank/SKILL.md:2:5` is left out: `name` is missing",
            "`skills/silent/SKILL.md:1:1` is left out: `description` is missing",
            "`skills/unnamed/SKILL.md:1:1` is left out: `name` is missing",
        ]
    );
    let mounted =
        Directories::new().root(Root::new(folder.path("skills")).at("/skills")).mount().unwrap();
    let mounted_names: Vec<_> = mounted.skills.iter().map(|skill| skill.name()).collect();
    assert_eq!((&*mounted_names, mounted.skills.problems().len()), (&["deploy"][..], 3));
}

#[test]
fn deep_agents_names_may_be_any_text() {
    let folder = Folder::new();
    for (directory, name) in [
        ("deploy", "Deploy Service"),
        ("notes", "Notes: \u{e9}t\u{e9}!"),
        ("other", "another_Name"),
    ] {
        let text =
            format!("---\nname: \"{name}\"\ndescription: {directory}.\n---\nIn {directory}.\n");
        folder.write(&format!("skills/{directory}/SKILL.md"), text);
    }
    folder.write("skills/none/SKILL.md", "---\nname: \"!?\"\ndescription: x\n---\nBody.\n");
    let directories = || folder.directories(&["skills"]).profile(Profile::DeepAgents);
    let found = directories().discover().unwrap();
    assert_eq!(names(&found), ["another_Name", "deploy-service", "notes-\u{e9}t\u{e9}"]);
    assert_eq!(
        warnings(&folder, directories(), Profile::DeepAgents),
        [
            "`skills/none/SKILL.md:2:7` is left out: `!?` cannot be a name: a name cannot contain `!`",
            "`skills/deploy/SKILL.md:2:7`: the name `Deploy Service` is read as `deploy-service` (name-character)",
            "`skills/notes/SKILL.md:2:7`: the name `Notes: \u{e9}t\u{e9}!` is read as `notes-\u{e9}t\u{e9}` (name-character)",
        ]
    );
    let profile = Profile::DeepAgents;
    let loaded = block_on(directories().load("deploy-service", profile)).unwrap();
    assert_eq!(loaded.as_ref().map(Skill::body), Some("In deploy."));
    let mounted =
        Directories::new().root(Root::new(folder.path("skills")).at("/skills")).mount().unwrap();
    assert!(
        mounted
            .toolbox()
            .catalog()
            .to_string()
            .contains("name: deploy-service\npath: /skills/deploy/SKILL.md\n"),
        "{}",
        mounted.toolbox().catalog().to_string()
    );
    let mounted_warnings: Vec<_> =
        mounted.warnings.iter().map(|warning| folder.message(warning)).collect();
    assert_eq!(mounted_warnings, warnings(&folder, directories(), Profile::DeepAgents)[1..]);
    // Elsewhere such a name is an error.
    let found = folder.directories(&["skills"]).discover().unwrap();
    assert_eq!((names(&found), found.problems().len()), (vec!["another_Name"], 3));
}

#[test]
fn exact_name_wins_over_a_name_that_is_read_as_it() {
    let folder = Folder::new();
    folder.skill("skills/a", "Deploy Service", "Not so named.");
    folder.skill("skills/deploy-service", "deploy service", "Not so named.");
    folder.skill("skills/z", "deploy-service", "So named.");
    let mounted =
        Directories::new().root(Root::new(folder.path("skills")).at("/skills")).mount().unwrap();
    let skills: Vec<_> = mounted.skills.iter().collect();
    let [skill] = skills[..] else { panic!("{skills:?}") };
    assert_eq!(
        (skill.metadata().description(), skill.sandbox()),
        ("So named.", Some("/skills/z/SKILL.md"))
    );
    let hidden: Vec<_> =
        mounted.skills.problems().iter().map(|problem| folder.message(problem)).collect();
    assert!(hidden.iter().all(|problem| problem.contains("is hidden by")), "{hidden:?}");
    assert_eq!((hidden.len(), mounted.warnings.len()), (2, 0));
}
