//! Loading directories into a registry.

use super::{change_line, names, skill};
use crate::folder::{Folder, block_on};
use helix_skills_agent::{Provider, RegistryEntry, run::Shape};
use helix_skills_format::Limits;
#[cfg(unix)]
use helix_skills_host::{Directories, load_skill};
use helix_skills_host::{LoadedSkills, SharedRegistry};
use helix_skills_runtime::Profile;

/// Returns the sorted problems, without the path of the folder.
fn problems(folder: &Folder, loaded: &LoadedSkills) -> Vec<String> {
    let mut problems: Vec<_> = loaded.problems.iter().map(|why| folder.message(why)).collect();
    problems.sort();
    problems
}

fn load(folder: &Folder, skills: &SharedRegistry) -> (String, Vec<String>) {
    let loaded = skills.load_dir(folder.path("skills")).unwrap();
    (change_line(&loaded.change), problems(folder, &loaded))
}

#[test]
fn load_dir_registers_every_skill_and_reports_problems() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads files.");
    folder.write("skills/pdf/references/forms.md", "# Forms\n");
    folder.write("skills/pdf/logo.png", b"\x89PNG\xff");
    folder.skill("skills/csv", "csv", "Reads tables.");
    folder.skill("skills/.hidden", "hidden", "Ignored.");
    folder.skill("skills/deep/er", "er", "One level is enough.");
    folder.write("skills/broken/SKILL.md", "---\nname: broken\n---\n");
    folder.write("skills/notes.md", "no skill");

    let skills = SharedRegistry::new();
    let changes = skills.subscribe();
    let loaded = skills.load_dir(folder.path("skills")).unwrap();
    assert_eq!(
        (change_line(&loaded.change).as_str(), names(&skills)),
        ("+csv +pdf", vec!["csv".into(), "pdf".into()])
    );
    assert_eq!(
        problems(&folder, &loaded),
        [
            "`skills/broken/SKILL.md:1:1`: `description` is missing",
            "`skills/deep/er/SKILL.md`: not read as a skill, because it is one level too deep",
        ]
    );
    let broken = loaded.problems.iter().find(|why| why.to_string().contains("missing")).unwrap();
    assert!(broken.findings().len() == 1 && broken.hint().is_some());
    let changes: Vec<_> = changes.try_iter().map(|(change, _)| change_line(&change)).collect();
    assert_eq!(changes, ["+csv +pdf"]); // one change

    // Skills are complete, even if the directory is removed.
    folder.remove("skills/pdf");
    let pdf = skills.snapshot().set().get("pdf").cloned().unwrap();
    assert_eq!(pdf.body(), "I am in skills/pdf.");
    assert_eq!(pdf.resource("references/forms.md").unwrap().text(), Some("# Forms\n"));
    assert_eq!(pdf.resource("logo.png").unwrap().bytes(), b"\x89PNG\xff");
    assert_eq!(
        block_on(skills.read("pdf", "references/forms.md", Profile::Helix)).unwrap().unwrap(),
        b"# Forms\n"
    );
    let directory = block_on(skills.directory("pdf", Profile::Helix)).unwrap().unwrap();
    assert_eq!(
        std::path::Path::new(&directory),
        std::path::absolute(folder.path("skills/pdf")).unwrap()
    );
}

#[test]
fn loading_again_updates_only_its_own_skills() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "One.");
    folder.skill("skills/csv", "csv", "One.");
    folder.skill("other/csv", "csv", "Another one.");
    let skills = SharedRegistry::new();
    skills.update(|all| all.register(skill("plan", "By hand."))).unwrap();
    folder.skill("skills/plan", "plan", "Of a directory.");
    let taken = "two skills have the name `plan`: `By hand.` is registered, `skills/plan` is not"
        .to_owned();
    assert_eq!(load(&folder, &skills), ("+csv +pdf".into(), vec![taken.clone()]));
    assert_eq!(load(&folder, &skills), (String::new(), vec![taken.clone()]));

    folder.skill("skills/pdf", "pdf", "Two.");
    folder.write("skills/csv/new.md", "a file more");
    folder.skill("skills/tsv", "tsv", "One.");
    assert_eq!(load(&folder, &skills), ("+tsv ~csv ~pdf".into(), vec![taken.clone()]));
    assert_eq!(skills.snapshot().set().get("pdf").unwrap().description(), "Two.");
    // A skill that was deleted from disk stays until it is removed.
    folder.remove("skills/tsv");
    assert_eq!(load(&folder, &skills).0, "");
    assert!(
        skills.update(|all| all.remove("tsv")).is_some()
            && block_on(skills.directory("plan", Profile::Helix)).unwrap().is_none()
    );

    let other = skills.load_dir(folder.path("other")).unwrap();
    assert_eq!(change_line(&other.change), "");
    assert_eq!(
        problems(&folder, &other),
        ["two skills have the name `csv`: `skills/csv` is registered, `other/csv` is not"]
    );
    // A skill registered by hand has no origin in a directory.
    skills.update(|all| all.replace(skill("csv", "By hand.")));
    assert_eq!(load(&folder, &skills).1.len(), 2);
    assert_eq!(skills.snapshot().set().get("csv").unwrap().description(), "By hand.");
}

#[test]
fn missing_directory_is_an_error_and_missing_root_a_problem() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "One.");
    let skills = SharedRegistry::new();
    let error = skills.load_dir(folder.path("nowhere")).unwrap_err();
    assert_eq!(folder.message(&error), "`nowhere` does not exist");
    assert!(skills.load_dir(folder.path("skills/pdf/SKILL.md")).is_err());
    assert!(names(&skills).is_empty());

    let loaded = skills.load(&folder.directories(&["nowhere", "skills"])).unwrap();
    assert_eq!(
        (change_line(&loaded.change).as_str(), problems(&folder, &loaded)),
        ("+pdf", vec!["`nowhere` does not exist".into()])
    );
    let disabled = folder.directories(&["skills"]).enabled(|name| name != "pdf");
    assert_eq!(change_line(&SharedRegistry::new().load(&disabled).unwrap().change), "");
}

#[test]
fn too_large_skill_is_a_problem() {
    let folder = Folder::new();
    folder.skill("skills/large", "large", "Has much.");
    for at in 0..4 {
        folder.write(&format!("skills/large/{at}.md"), "x".repeat(300));
    }
    folder.skill("skills/small", "small", "Has little.");
    let limited = |limits: Limits| {
        let skills = SharedRegistry::new();
        let loaded = skills.load(&folder.directories(&["skills"]).limits(limits)).unwrap();
        (names(&skills), problems(&folder, &loaded))
    };
    let (loaded, problems) = limited(Limits { bytes_per_skill: 1000, ..Limits::default() });
    assert_eq!(loaded, ["small"]);
    assert!(
        problems[0].starts_with("`skills/large` has more than ")
            && problems[0].ends_with(" in its files; the limit is 1000"),
        "{problems:?}"
    );
    assert_eq!(limited(Limits { files_per_skill: 3, ..Limits::default() }).0, ["small"]);
    let (loaded, problems) = limited(Limits { bytes_per_file: 299, ..Limits::default() });
    assert_eq!(
        (loaded.len(), problems),
        (1, vec!["`skills/large/0.md` has 300 bytes; the limit is 299".to_owned()])
    );
    assert_eq!(limited(Limits::default()).1, [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_directory_are_not_loaded() {
    let folder = Folder::new();
    folder.write("secret/key", "hush");
    folder.skill("secret/stolen", "stolen", "Outside.");
    folder.skill("skills/thief", "thief", "Links out.");
    folder.link("skills/thief/key", "../../secret/key");
    folder.link("skills/stolen", "../secret/stolen");
    folder.skill("skills/pdf", "pdf", "Links inside.");
    folder.write("skills/shared.md", "shared");
    folder.link("skills/pdf/shared.md", "../shared.md");
    let skills = SharedRegistry::new();
    let (change, problems) = load(&folder, &skills);
    assert_eq!(change, "+pdf +thief");
    let thief = skills.snapshot().set().get("thief").cloned().unwrap();
    assert!(thief.resources().is_empty());
    assert!(
        problems
            .iter()
            .any(|problem| problem.starts_with("`skills/stolen/SKILL.md` leads out of ")),
        "{problems:?}"
    );
    assert_eq!(
        skills.snapshot().set().get("pdf").cloned().unwrap().resource("shared.md").unwrap().text(),
        Some("shared")
    );
    // Two paths to one directory are two origins.
    folder.link("again", "skills");
    let again = skills.load(&Directories::new().root(folder.path("again"))).unwrap();
    assert_eq!(change_line(&again.change), "");
}

#[test]
fn reloaded_skill_keeps_the_contract_of_the_host() {
    const DIRECTORY: &str = "skills/triage";
    let folder = Folder::new();
    folder.skill(DIRECTORY, "triage", "One.");
    let contract = || Shape::new::<u32>();
    let skills = SharedRegistry::new();
    let is_checked = |skills: &SharedRegistry| {
        skills.snapshot().run("triage").unwrap().arguments("all").check_input().is_err()
    };
    assert_eq!(load(&folder, &skills).0, "+triage");
    assert!(!is_checked(&skills));
    skills.update(|all| {
        all.replace(
            RegistryEntry::new(skills.snapshot().set().get("triage").cloned().unwrap())
                .input(contract()),
        )
    });
    assert!(is_checked(&skills));
    assert_eq!(load(&folder, &skills), (String::new(), vec![]));
    folder.skill(DIRECTORY, "triage", "Two.");
    assert_eq!(load(&folder, &skills), ("~triage".into(), vec![]));
    assert_eq!(skills.snapshot().set().get("triage").unwrap().description(), "Two.");
    assert!(is_checked(&skills));
    // A new entry without a contract has none.
    skills.update(|all| all.replace(skills.snapshot().set().get("triage").cloned().unwrap()));
    assert!(!is_checked(&skills));

    // The same with an entry that was loaded with its contract.
    let skills = SharedRegistry::new();
    let entry = RegistryEntry::new(skill("triage", "Zero.")).input(contract());
    let entries = [(folder.text(DIRECTORY), Ok::<_, String>(entry))];
    assert!(skills.update(|all| all.extend(entries)).is_empty());
    assert_eq!(load(&folder, &skills).0, "~triage");
    assert!(is_checked(&skills));
    // Another skill of the host stays, without an origin.
    skills.update(|all| all.replace(skill("triage", "By hand.")));
    assert_eq!(load(&folder, &skills).1.len(), 1);
}

#[cfg(unix)]
#[test]
fn files_that_are_left_out_are_warnings() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "One.");
    for file in ["CON.txt", "a/x:y.txt", "ends. ", "good.md", "node_modules/a.js", ".git/config"] {
        folder.write(&format!("skills/pdf/{file}"), "x");
    }
    folder.link("skills/pdf/gone", "nowhere");
    let skills = SharedRegistry::new();
    let loaded = skills.load_dir(folder.path("skills")).unwrap();
    assert!(loaded.problems.is_empty());
    let warnings: Vec<_> = loaded.warnings.iter().map(|warning| folder.message(warning)).collect();
    assert_eq!(
        warnings,
        [
            "`skills/pdf/CON.txt` is left out: a part of the path is reserved for a device on Windows",
            "`skills/pdf/a/x:y.txt` is left out: a path cannot contain `:`",
            "`skills/pdf/ends.` is left out: a part of the path ends with a dot or a space",
            "`skills/pdf/gone` is left out: it is a broken link, or not a regular file",
        ]
    );
    let pdf = skills.snapshot().set().get("pdf").cloned().unwrap();
    assert_eq!(pdf.resources().len(), 1, "`good.md`");

    // Strictly, they are errors, as for `skills sync`.
    let error = load_skill(folder.path("skills/pdf")).unwrap_err();
    assert_eq!(
        folder.message(&error),
        "`skills/pdf/CON.txt`: a part of the path is reserved for a device on Windows (and 3 more)"
    );
}
