//! Deep Agents: skills that a model reads in its sandbox, found, mounted and ranked.

use crate::folder::{Folder, names};
use helix_skills::search::{Classifier, Hit, Ranking, Reminder, SearchOptions};
use helix_skills_format::parse_skill;
use helix_skills_host::{Directories, MountedSkills, Mounts, read_metadata};
use std::collections::BTreeMap;

const WATER: &str = "---
name: water-plants
description: Waters the plants of the office
owner: facilities
---

## Steps

1. Fill the can
2. Water each pot

";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("skills/water-plants/SKILL.md", WATER);
    folder.write("skills/water-plants/references/pots.md", "Twelve pots.\n");
    folder.skill("skills/serve-tea", "serve-tea", "Serves tea to guests");
    folder.write("skills/notes/README.md", "not a skill");
    folder
}

/// What a sandbox has after the upload.
type Sandbox = BTreeMap<String, Vec<u8>>;

fn sandbox(folder: &Folder) -> (MountedSkills, Sandbox) {
    let mounted = Mounts::new().mount(folder.path("skills"), "/skills").open().unwrap();
    let files = mounted.uploads().iter();
    let files = files.map(|file| (file.sandbox().to_owned(), file.read().unwrap())).collect();
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
        .map(|skill| (skill.name(), skill.description(), skill.path(), skill.skill_md()))
        .collect();
    let tea = (folder.path("skills/serve-tea"), folder.path("skills/serve-tea/SKILL.md"));
    let water = (folder.path("skills/water-plants"), folder.path("skills/water-plants/SKILL.md"));
    assert_eq!(
        skills,
        [
            ("serve-tea", "Serves tea to guests", &*tea.0, &*tea.1),
            ("water-plants", "Waters the plants of the office", &*water.0, &*water.1),
        ]
    );
    // Invalid files are excluded with a warning; `notes`, which has no SKILL.md, without one.
    let problems = folder.problems(&found);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("`skills/broken/SKILL.md"), "{problems:?}");
    assert!(problems[1].contains("`description` is missing"), "{problems:?}");

    let tilde = Directories::new().root("~/skills").home(folder.path(""));
    assert_eq!(names(&tilde.discover().unwrap()), ["serve-tea", "water-plants"]);
}

#[test]
fn metadata_of_one_file_has_no_body() {
    let folder = folder();
    let skill = read_metadata(folder.path("skills/water-plants/SKILL.md")).unwrap();
    assert_eq!(
        (skill.name(), skill.description(), skill.body()),
        ("water-plants", "Waters the plants of the office", "")
    );
}

#[test]
fn frontmatter_and_trimmed_body_are_parsed() {
    let skill = parse_skill(WATER, None).unwrap().skill;
    assert_eq!(skill.name(), "water-plants");
    assert_eq!(skill.description(), "Waters the plants of the office");
    assert_eq!(skill.body(), "## Steps\n\n1. Fill the can\n2. Water each pot");
    // Other keys are kept.
    skill.view(|skill| {
        let extra: Vec<_> =
            skill.extra().iter().map(|(key, value)| (key, value.as_text())).collect();
        assert_eq!(extra, [(&"owner", Some("facilities"))]);
    });
    for lacking in [
        WATER.replace("name: water-plants\n", ""),
        WATER.replace("description: Waters the plants of the office\n", ""),
        "## Steps\n".to_owned(),
    ] {
        assert!(parse_skill(&lacking, None).is_err(), "{lacking}");
    }
}

#[test]
fn model_reads_the_mounted_skill_when_it_is_relevant() {
    let folder = folder();
    let (mounted, sandbox) = sandbox(&folder);
    // The prompt has names, descriptions and paths, and no instructions.
    let fragment = mounted.fragment();
    assert!(fragment.starts_with("<available_skills>\n<instructions>\n"), "{fragment}");
    let skills = fragment.split_once("</instructions>\n").unwrap().1;
    assert_eq!(
        skills,
        "<skill>\nname: serve-tea\npath: /skills/serve-tea/SKILL.md\ndescription: Serves tea to guests\n</skill>\n\
         <skill>\nname: water-plants\npath: /skills/water-plants/SKILL.md\n\
         description: Waters the plants of the office\n</skill>\n</available_skills>\n"
    );
    // At run time, the file that the path names has them, and so have the files next to it.
    assert_eq!(sandbox["/skills/water-plants/SKILL.md"], WATER.as_bytes());
    assert_eq!(sandbox["/skills/water-plants/references/pots.md"], b"Twelve pots.\n");
    // Coming from Deep Agents: only directories of skills are uploaded.
    assert!(!sandbox.contains_key("/skills/notes/README.md"));
}

#[test]
fn instructions_say_how_to_use_a_skill() {
    let (mounted, _) = sandbox(&folder());
    let fragment = mounted.fragment();
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
    let mounts = Mounts::new().mount(folder.path("skills"), "/skills");
    let mounted = mounts.filter(|skill| skill.name() != "serve-tea").open().unwrap();
    assert!(mounted.uploads().iter().all(|file| !file.sandbox().contains("serve-tea")));
    assert!(!mounted.fragment().contains("serve-tea"));
}

#[test]
fn mappings_have_both_paths_and_feed_the_guardrail() {
    let folder = folder();
    let (mounted, _) = sandbox(&folder);
    let tea = &mounted.skills()[0];
    assert_eq!((&*tea.name, &*tea.description), ("serve-tea", "Serves tea to guests"));
    assert_eq!(tea.host, folder.path("skills/serve-tea/SKILL.md"));
    assert_eq!(tea.sandbox, "/skills/serve-tea/SKILL.md");
    assert_eq!(mounted.skills().len(), 2);

    let mistake = |called| mounted.view(|skills| skills.skill_as_tool(called, ["bash"]).is_some());
    assert!(mistake("serve-tea") && mistake("serve_tea"), "a skill that is called like a tool");
    assert!(!mistake("bash") && !mistake("read_file"));
}

#[test]
fn classifier_returns_skills_with_their_paths_and_scores() {
    let folder = folder();
    folder.skill("skills/clean-pots", "clean-pots", "Cleans the pots of plants");
    let found = Directories::new().root(folder.path("skills")).discover().unwrap();
    let options = SearchOptions::new().prefix(false);
    let best = found.search("please water my plants", &options, 3);
    let [(water, first), (pots, second)] = best[..] else { panic!("{best:?}") };
    assert_eq!((water.name(), pots.name()), ("water-plants", "clean-pots"));
    assert_eq!(water.description(), "Waters the plants of the office");
    assert_eq!(water.path(), folder.path("skills/water-plants"));
    assert_eq!(water.skill_md(), folder.path("skills/water-plants/SKILL.md"));
    assert!(first > second && second > 0.0, "{best:?}");
    // A threshold leaves out the rest, and so does the maximum number, 5 by default.
    let search = |query: &str, options: &SearchOptions<'_>, top| {
        let matches = found.search(query, options, top);
        matches.iter().map(|(skill, _)| skill.name()).collect::<Vec<_>>()
    };
    assert_eq!(search("please water my plants", &options.threshold(second), 3), ["water-plants"]);
    assert_eq!(search("please water my plants", &options, 1), ["water-plants"]);
    assert_eq!(search("sing a song", &options, 3), [""; 0]);
    assert_eq!(Hit::TOP, 5);
    // In a sandbox, a match has both paths.
    let (mounted, _) = sandbox(&folder);
    let (skill, score) = mounted.search("please water my plants", &options, Hit::TOP)[0];
    assert_eq!((&*skill.sandbox, score), ("/skills/water-plants/SKILL.md", first));
    assert_eq!(skill.host, folder.path("skills/water-plants/SKILL.md"));
}

/// A classifier that always finds the first skill.
struct First;

impl Classifier for First {
    fn classify<'o>(&self, _: &str, _: &SearchOptions<'_>, out: &'o mut [Hit]) -> &'o [Hit] {
        let mut ranking = Ranking::new(out);
        ranking.offer(0, 0.5);
        ranking.finish()
    }
}

#[test]
fn reminder_adds_matches_of_any_classifier_to_the_message() {
    let (mounted, _) = sandbox(&folder());
    let message = "Please serve tea.";
    let options = SearchOptions::new().prefix(false);
    let reminder = mounted.reminder(message, &options, Hit::TOP);
    let (start, rest) = reminder.split_once(" (").unwrap();
    assert_eq!(start, "<system-reminder>Relevant skills:\n- serve-tea");
    let end = "): Serves tea to guests [/skills/serve-tea/SKILL.md]</system-reminder>";
    assert!(rest.ends_with(end), "{reminder}");
    assert_eq!(mounted.reminder("Sing a song.", &options, Hit::TOP), "");

    let mut hits = [Hit::default(); Hit::TOP];
    let hits = First.classify("I have guests", &SearchOptions::new(), &mut hits);
    assert_eq!(
        format!("I have guests{}", Reminder::new(&mounted, hits)),
        "I have guests<system-reminder>Relevant skills:\n\
         - serve-tea (0.50): Serves tea to guests [/skills/serve-tea/SKILL.md]</system-reminder>"
    );
}
