//! Agents of a directory and the skills that they list.

use crate::folder::{Folder, block_on};
use helix_skills_agent::AsyncToolbox;
use helix_skills_host::{Directories, ErrorKind, load_agent, load_agents};
use helix_skills_runtime::{Call, Profile};

/// A workspace in the layout of the profile `skill-use`: agents, with skills in a subdirectory.
fn workspace() -> Folder {
    let folder = Folder::new();
    folder.write(
        "agents/code-assistant.md",
        "---\nname: code-assistant\nskills:\n  - review-code\n  - retired\n---\n\nYou are a senior developer.\n",
    );
    folder.write("agents/clerk.md", "---\nmodel: small\n---\nYou file papers.\n");
    folder.write(
        "agents/skills/review-code/SKILL.md",
        "---\nname: review-code\ndescription: Reviews code.\nargument-hint: \"[file-or-pr]\"\n---\n\nReview $ARGUMENTS.\n",
    );
    folder.skill("agents/skills/deploy", "deploy", "Deploys.");
    folder
}

#[test]
fn agent_has_only_the_skills_that_it_lists() {
    let folder = workspace();
    let (agents, problems) = load_agents(folder.path("agents")).unwrap();
    assert_eq!(problems.len(), 0);
    assert_eq!(
        agents.values().map(|loaded| &*loaded.value.name).collect::<Vec<_>>(),
        ["clerk", "code-assistant"]
    );

    let skills = || Directories::new().root(folder.path("agents/skills"));
    let assistant = agents.get("code-assistant").unwrap();
    let toolbox = block_on(
        AsyncToolbox::builder(skills())
            .allow(&assistant.value.skills)
            .profile(Profile::SkillUse)
            .build(),
    )
    .unwrap();
    assert_eq!(
        assistant.value.prompt_with(toolbox.catalog()),
        "You are a senior developer.\n\n## Available Skills\n\n- **review-code** [file-or-pr]: Reviews code.\n\n\
         Use the `skill_use` tool to load a skill's full instructions when needed.\n"
    );
    let warnings: Vec<_> = toolbox.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["there is no skill `retired`: the name has no effect"]);
    let used = |name| {
        block_on(toolbox.answer(Call::LoadSkill { name, arguments: Some("main.rs".into()) }))
    };
    assert!(used("review-code").message().unwrap().to_string().contains("Review main.rs."));
    assert_eq!(
        used("deploy").to_string(),
        "there is no skill `deploy`; the skills are `review-code`"
    );

    // An agent without `skills` has no skills and no tools.
    let clerk = agents.get("clerk").unwrap();
    let toolbox = block_on(
        AsyncToolbox::builder(skills())
            .allow(&clerk.value.skills)
            .profile(Profile::SkillUse)
            .build(),
    )
    .unwrap();
    assert_eq!(clerk.value.prompt_with(toolbox.catalog()), "You file papers.");
    assert_eq!(toolbox.listed().tools([]).unwrap().count(), 0);
    assert!(!agents.contains_key("missing"));
}

#[test]
fn agent_with_only_unusable_skills_gets_a_warning() {
    let folder = workspace();
    folder.write("agents/clerk.md", "---\nskills: [internal, manual]\n---\nYou file papers.\n");
    let hidden = |name: &str, field: &str| {
        let text = format!("---\nname: {name}\ndescription: Does it.\n{field}\n---\nDo it.\n");
        folder.write(&format!("agents/skills/{name}/SKILL.md"), text);
    };
    hidden("internal", "user-invocable: false");
    hidden("manual", "disable-model-invocation: true");
    let clerk = load_agent(folder.path("agents/clerk.md")).unwrap();
    let warnings = |profile| -> Vec<String> {
        let skills = Directories::new().root(folder.path("agents/skills"));
        let toolbox = block_on(
            AsyncToolbox::builder(skills).allow(&clerk.value.skills).profile(profile).build(),
        )
        .unwrap();
        toolbox.warnings().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        warnings(Profile::SkillUse),
        [
            "`internal` is left out: models may not load it",
            "`manual` is left out: models may not load it",
        ]
    );
    // In other profiles, `user-invocable: false` does not hide a skill from models.
    assert_eq!(warnings(Profile::ClaudeCode), [""; 0]);

    // One that can be used does not change this. Skills that are not listed have no warnings.
    hidden("usable", "maxTicks: 3");
    hidden("unlisted", "maxTicks: 500");
    let names = |listed: &str| {
        folder.write("agents/porter.md", format!("---\nskills: [{listed}]\n---\nYou wait.\n"));
        let porter = load_agent(folder.path("agents/porter.md")).unwrap();
        let skills = Directories::new().root(folder.path("agents/skills"));
        let toolbox = block_on(
            AsyncToolbox::builder(skills)
                .allow(&porter.value.skills)
                .profile(Profile::SkillUse)
                .build(),
        )
        .unwrap();
        toolbox.warnings().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(names("internal, usable"), ["`internal` is left out: models may not load it"]);
    assert_eq!(names(""), [""; 0]);
    assert!(names("unlisted")[0].contains("unlisted/SKILL.md:4:"));
}

#[test]
fn file_that_is_not_an_agent_affects_no_other() {
    let folder = workspace();
    folder.write("agents/README.md", "# Agents\n");
    folder.write("agents/.hidden.md", "x");
    folder.write("agents/notes.txt", "x");
    folder.write("agents/bytes.md", b"---\nname: a\xff\n---\n");
    folder.write("agents/a-copy.md", "---\nname: clerk\n---\nA copy.\n");
    std::fs::create_dir(folder.path("agents/directory.md")).unwrap();
    std::fs::File::create(folder.path("agents/large.md")).unwrap().set_len((1 << 20) + 1).unwrap();
    let (agents, problems) = load_agents(folder.path("agents")).unwrap();
    assert_eq!(agents.len(), 2);
    assert_eq!(agents.get("clerk").unwrap().value.prompt, "You file papers.");
    let messages: Vec<_> = problems.iter().map(|problem| folder.message(problem)).collect();
    assert_eq!(
        messages,
        [
            "`agents/README.md:1:1`: an agent must begin with frontmatter between two `---` lines",
            "`agents/a-copy.md` is hidden by `agents/clerk.md`: both have the name `clerk`",
            "`agents/bytes.md:2:8`: the byte `0xff` is not UTF-8",
            "`agents/large.md` has 1048577 bytes; the limit is 1048576",
        ]
    );
    assert!(problems.iter().all(|problem| problem.hint().is_some()));

    let error = load_agent(folder.path("agents/README.md")).unwrap_err();
    assert_eq!(error.findings()[0].code.as_str(), "no-frontmatter");
    assert!(
        load_agent(folder.path("agents/none.md"))
            .is_err_and(|error| error.kind() == ErrorKind::NotFound)
    );
    assert!(
        load_agents(folder.path("none")).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    );
}

#[test]
fn directory_with_too_many_agents_is_refused() {
    let folder = Folder::new();
    for number in 0..1001 {
        folder.write(&format!("{number}.md"), "x");
    }
    let error = load_agents(folder.path("")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().ends_with("has too many agents; the limit is 1000"), "{error}");
    assert_eq!(error.hint().unwrap(), "keep agents in a separate directory");
}

#[test]
#[cfg(unix)]
fn agent_outside_the_directory_is_not_read() {
    let folder = workspace();
    folder.write("elsewhere.md", "---\nname: elsewhere\n---\nsecret\n");
    folder.link("agents/outside.md", "../elsewhere.md");
    folder.link("agents/second.md", "clerk.md");
    let (agents, problems) = load_agents(folder.path("agents")).unwrap();
    let messages: Vec<_> = problems.iter().map(|problem| folder.message(problem)).collect();
    assert_eq!(messages[0].split(" leads ").next().unwrap(), "`agents/outside.md`");
    assert!(!agents.contains_key("elsewhere"));
    assert!(agents.contains_key("second"), "a link that stays inside is another agent");
}
