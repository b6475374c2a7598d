//! Deep Agents: skills that a model reads in its sandbox, found, mounted and ranked.
//!
//! The page has one line for each of `discoverSkillsInDirectory`, `loadSkillMetadata`,
//! `parseFrontmatter` and a match, as here. `createBashTool` and `skills(sandbox)` have 4 lines;
//! [`sandbox`] has as many, which upload the files.

use crate::folder::{Folder, names};
use helix_skills::SkillSet;
use helix_skills::search::{Classifier, Hit, SearchOptions};
use helix_skills_format::parse_skill;
use helix_skills_host::{Directories, MountedSkills, Root, read_metadata};
use std::collections::BTreeMap;

const DEPLOY: &str = "---
name: deploy
description: Deploy services to production with zero-downtime rollouts
owner: platform
---

## Workflow

1. Run pre-deploy checks
2. Build the container image
3. Push to registry
4. Roll out with health checks

";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("skills/deploy/SKILL.md", DEPLOY);
    folder.write("skills/deploy/references/checks.md", "Twelve checks.\n");
    folder.skill("skills/refactor", "refactor", "Refactor code");
    folder.write("skills/notes/README.md", "not a skill");
    folder
}

/// What a sandbox has after the upload.
type Sandbox = BTreeMap<String, Vec<u8>>;

fn sandbox(folder: &Folder) -> (MountedSkills, Sandbox) {
    let mounted =
        Directories::new().root(Root::new(folder.path("skills")).at("/skills")).mount().unwrap();
    let files = mounted.uploads.iter();
    let files = files.map(|file| (file.sandbox.clone(), file.read().unwrap())).collect();
    (mounted, files)
}

#[test]
fn discovery_returns_names_descriptions_and_paths() {
    let folder = folder();
    folder.write("skills/broken/SKILL.md", "---\nname: broken\n");
    folder.write("skills/mute/SKILL.md", "---\nname: mute\n---\nHm.\n");
    let found = Directories::new().root(folder.path("skills")).discover().unwrap();
    let skills: Vec<_> = found
        .iter()
        .map(|skill| (skill.name(), skill.metadata().description(), skill.path(), skill.skill_md()))
        .collect();
    let deploy = (folder.path("skills/deploy"), folder.path("skills/deploy/SKILL.md"));
    let refactor = (folder.path("skills/refactor"), folder.path("skills/refactor/SKILL.md"));
    let about = "Deploy services to production with zero-downtime rollouts";
    assert_eq!(
        skills,
        [
            ("deploy", about, &*deploy.0, &*deploy.1),
            ("refactor", "Refactor code", &*refactor.0, &*refactor.1),
        ]
    );
    // Invalid files are excluded with a warning; `notes`, which has no SKILL.md, without one.
    let problems = folder.problems(&found);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("`skills/broken/SKILL.md"), "{problems:?}");
    assert!(problems[1].contains("`description` is missing"), "{problems:?}");

    let tilde = Directories::new().root("~/skills").home(folder.path(""));
    assert_eq!(names(&tilde.discover().unwrap()), ["deploy", "refactor"]);
}

#[test]
fn metadata_of_one_file_has_no_body() {
    let folder = folder();
    let skill = read_metadata(folder.path("skills/deploy/SKILL.md")).unwrap();
    assert_eq!(
        (skill.name(), skill.description(), skill.body()),
        ("deploy", "Deploy services to production with zero-downtime rollouts", "")
    );
}

#[test]
fn frontmatter_and_trimmed_body_are_parsed() {
    let skill = parse_skill(DEPLOY, None).unwrap().value;
    assert_eq!(skill.name(), "deploy");
    let steps = "1. Run pre-deploy checks\n2. Build the container image\n3. Push to registry\n\
                 4. Roll out with health checks";
    assert_eq!(skill.body(), format!("## Workflow\n\n{steps}"));
    // Other keys are kept.
    let extra: Vec<_> = skill.extra().iter().map(|(key, value)| (key, value.as_text())).collect();
    assert_eq!(extra, [(&"owner".into(), Some("platform"))]);
    for lacking in [
        DEPLOY.replace("name: deploy\n", ""),
        DEPLOY.replace(
            "description: Deploy services to production with zero-downtime rollouts\n",
            "",
        ),
        "## Workflow\n".to_owned(),
    ] {
        assert!(parse_skill(&lacking, None).is_err(), "{lacking}");
    }
}

#[test]
fn model_reads_the_mounted_skill_when_it_is_relevant() {
    let folder = folder();
    let (mounted, sandbox) = sandbox(&folder);
    // The prompt has names, descriptions and paths, and no instructions.
    let fragment = mounted.toolbox().catalog().to_string();
    assert!(fragment.starts_with("<available_skills>\n<instructions>\n"), "{fragment}");
    let skills = fragment.split_once("</instructions>\n").unwrap().1;
    assert_eq!(
        skills,
        "<skill>\nname: deploy\npath: /skills/deploy/SKILL.md\n\
         description: Deploy services to production with zero-downtime rollouts\n</skill>\n\
         <skill>\nname: refactor\npath: /skills/refactor/SKILL.md\ndescription: Refactor code\n</skill>\n\
         </available_skills>\n"
    );
    // At run time, the file that the path names has them, and so have the files next to it.
    assert_eq!(sandbox["/skills/deploy/SKILL.md"], DEPLOY.as_bytes());
    assert_eq!(sandbox["/skills/deploy/references/checks.md"], b"Twelve checks.\n");
    // Coming from Deep Agents: only directories of skills are uploaded.
    assert!(!sandbox.contains_key("/skills/notes/README.md"));
}

#[test]
fn instructions_say_how_to_use_a_skill() {
    let (mounted, _) = sandbox(&folder());
    let fragment = mounted.toolbox().catalog().to_string();
    for point in [
        "compare each request with the names and descriptions",
        "read the SKILL.md at its path before you act, and only then",
        "of the files that SKILL.md mentions, read those that",
        "where a skill has a script for a job, run it",
        "say which skill you use, and why",
        "there is no skill tool, command or API",
        "The user says: use the onboarding skill.\nRight: read the SKILL.md of onboarding",
        "Wrong: answer that a skill tool has to be called, invoked or activated first",
    ] {
        assert!(fragment.contains(point), "{point}");
    }
}

#[test]
fn filter_of_the_mounts_is_the_only_filter() {
    let folder = folder();
    let mounts = Directories::new().root(Root::new(folder.path("skills")).at("/skills"));
    let mounted = mounts.enabled(|name| name != "refactor").mount().unwrap();
    assert!(mounted.uploads.iter().all(|file| !file.sandbox.contains("refactor")));
    assert!(!mounted.toolbox().catalog().to_string().contains("refactor"));
}

#[test]
fn mappings_have_both_paths_and_feed_the_guardrail() {
    let folder = folder();
    let (mounted, _) = sandbox(&folder);
    let deploy = mounted.skills.get("deploy").unwrap();
    let about = "Deploy services to production with zero-downtime rollouts";
    assert_eq!((deploy.name(), deploy.metadata().description()), ("deploy", about));
    assert_eq!(deploy.skill_md(), folder.path("skills/deploy/SKILL.md"));
    assert_eq!(deploy.sandbox(), Some("/skills/deploy/SKILL.md"));
    assert_eq!(mounted.skills.iter().len(), 2);

    let mistake = |called| mounted.toolbox().skill_as_tool(called, ["bash"]).is_some();
    assert!(mistake("deploy") && mistake("skill_deploy"), "a skill that is called like a tool");
    assert!(!mistake("bash") && !mistake("read_file"));
}

#[test]
fn classifier_returns_skills_with_their_paths_and_scores() {
    const QUERY: &str = "deploy my docker container";
    let folder = Folder::new();
    folder.skill("skills/deploy-helper", "deploy-helper", "Deploys a container to production");
    folder.skill("skills/docker-expert", "docker-expert", "Answers questions about images");
    folder.skill("skills/refactor", "refactor", "Refactor code");
    let found = Directories::new().root(folder.path("skills")).discover().unwrap();
    let options = SearchOptions::new().prefix(false);
    let best = found.search(QUERY, &options.limit(3));
    let [(helper, first), (expert, second)] = best[..] else { panic!("{best:?}") };
    assert_eq!((helper.name(), expert.name()), ("deploy-helper", "docker-expert"));
    assert_eq!(helper.metadata().description(), "Deploys a container to production");
    assert_eq!(helper.path(), folder.path("skills/deploy-helper"));
    assert_eq!(helper.skill_md(), folder.path("skills/deploy-helper/SKILL.md"));
    assert!(first > second && second > 0.0, "{best:?}");
    // A threshold leaves out the rest, and so does the maximum number, 5 by default.
    let search = |query: &str, options: SearchOptions| {
        let matches = found.search(query, &options);
        matches.iter().map(|(skill, _)| skill.name()).collect::<Vec<_>>()
    };
    assert_eq!(search(QUERY, options.threshold(second)), ["deploy-helper"]);
    assert_eq!(search(QUERY, options.limit(1)), ["deploy-helper"]);
    assert_eq!(search("sing a song", options), [""; 0]);
    // In a sandbox, a match has both paths.
    let (mounted, _) = sandbox(&folder);
    let (skill, score) = mounted.skills.search(QUERY, &options)[0];
    assert_eq!((skill.sandbox(), score), (Some("/skills/deploy-helper/SKILL.md"), first));
    assert_eq!(skill.skill_md(), folder.path("skills/deploy-helper/SKILL.md"));
    for name in ["docker-1", "docker-2", "docker-3", "docker-4"] {
        folder.skill(&format!("skills/{name}"), name, "Docker");
    }
    let many = Directories::new().root(folder.path("skills")).discover().unwrap();
    assert_eq!(many.search("docker container", &options).len(), 5);
}

/// A classifier that always finds the first skill.
struct First;

impl Classifier for First {
    fn classify<'s>(&self, _: &str, skills: SkillSet<'s>) -> Vec<Hit<'s>> {
        skills.iter().take(1).map(|skill| Hit { skill, score: 0.5 }).collect()
    }
}

#[test]
fn reminder_adds_matches_of_any_classifier_to_the_message() {
    let (mounted, _) = sandbox(&folder());
    let message = "Please refactor this.";
    let options = SearchOptions::new().prefix(false);
    let reminder = mounted.reminder(message, &options);
    let (start, rest) = reminder.split_once(" (").unwrap();
    assert_eq!(start, "<system-reminder>Relevant skills:\n- refactor");
    let end = "): Refactor code [/skills/refactor/SKILL.md]</system-reminder>";
    assert!(rest.ends_with(end), "{reminder}");
    assert_eq!(mounted.reminder("Sing a song.", &options), "");

    let toolbox = mounted.toolbox();
    let hits = First.classify("Ship it", toolbox.set());
    assert_eq!(
        format!("Ship it{}", toolbox.reminder(&hits)),
        "Ship it<system-reminder>Relevant skills:\n\
         - deploy (0.50): Deploy services to production with zero-downtime rollouts \
         [/skills/deploy/SKILL.md]</system-reminder>"
    );
}
