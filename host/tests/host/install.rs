//! Skills in the directories of coding agents.

use crate::folder::Folder;
use helix_skills_format::Listing;
use helix_skills_host::{
    ErrorKind,
    install::{CodingAgent, Installation, Installer, SkillChange},
};
use helix_skills_runtime::{Resource, Skill, SkillSet};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Returns a skill whose files say which version they are of.
fn skill(name: &'static str, version: u32) -> Skill {
    let text = format!("---\nname: {name}\ndescription: Version {version}.\n---\n\nBody.\n");
    let mut skill = helix_skills_format::parse_skill(&text, None).unwrap().value;
    let files = [
        ("references/forms.md", format!("forms {version}\n")),
        ("scripts/run.sh", format!("echo {version}\n")),
        ("logo.png", "\u{0}\n".to_owned()),
    ];
    for (path, content) in files {
        skill.insert_resource(path, content).unwrap();
    }
    skill
}

fn skills(names: &[&'static str], version: u32) -> Vec<Skill> {
    names.iter().map(|name| skill(name, version)).collect()
}

/// Returns an installer for skills that are sorted by name.
fn installer<'a>(folder: &Folder, skills: &'a [Skill]) -> Installer<'a> {
    Installer::new("mytool", SkillSet::new(skills)).directory(folder.path(""))
}

/// Returns all entries below a directory: the content of files, the target of links.
fn entries(root: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut below = vec![root.to_owned()];
    while let Some(here) = below.pop() {
        for entry in fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            let inner = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let kind = path.symlink_metadata().unwrap();
            if kind.is_symlink() {
                all.insert(inner, format!("-> {}", path.read_link().unwrap().display()));
            } else if kind.is_dir() {
                all.insert(format!("{inner}/"), String::new());
                below.push(path);
            } else {
                all.insert(inner, String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned());
            }
        }
    }
    all
}

fn lines(report: &Installation) -> Vec<String> {
    report.skills().iter().map(ToString::to_string).collect()
}

fn changes(report: &Installation) -> Vec<SkillChange> {
    report.skills().iter().map(|skill| skill.change()).collect()
}

const PDF: &str = ".agents/skills/pdf";

#[test]
fn files_are_the_bytes_of_the_author() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    let report = installer(&folder, &skills).install().unwrap();
    assert_eq!(lines(&report), ["added pdf (.agents/skills/pdf)"]);
    assert!(report.is_complete());
    let text = fs::read_to_string(folder.path(PDF).join("SKILL.md")).unwrap();
    assert_eq!(text, skills[0].skill_md().concat());
    for file in skills[0].resources() {
        assert_eq!(fs::read(folder.path(PDF).join(file.path())).unwrap(), file.bytes());
    }
    // Nothing else is left, and the record names the digest that a lockfile has.
    let names: Vec<_> = entries(&folder.path(".agents/skills")).into_keys().collect();
    let expected = [
        ".mytool.json",
        "pdf/",
        "pdf/SKILL.md",
        "pdf/logo.png",
        "pdf/references/",
        "pdf/references/forms.md",
        "pdf/scripts/",
        "pdf/scripts/run.sh",
    ];
    assert_eq!(names, expected);
    let files = skills[0].resources().iter().map(|file| (file.path(), file.bytes()));
    let files = files.chain([("SKILL.md", text.as_bytes())]);
    let files =
        files.map(|(path, bytes)| (helix_skills_format::RelPath::new(path).unwrap(), bytes));
    let record = fs::read_to_string(folder.path(".agents/skills/.mytool.json")).unwrap();
    let integrity = Listing::from_files(files).integrity().to_string();
    assert!(record.contains(&integrity), "{record}");
}

#[test]
fn skill_defined_in_code_has_frontmatter() {
    const NOTES: &[Resource] = &[Resource::from_text("notes.md", "notes")];
    let folder = Folder::new();
    let defined = [Skill::define("pdf", "Reads PDF files.", "Use it.").resources(NOTES).build()];
    installer(&folder, &defined).install().unwrap();
    let loaded = helix_skills_host::load_skill(folder.path(PDF)).unwrap().value;
    assert_eq!((loaded.name(), loaded.description()), ("pdf", "Reads PDF files."));
    assert_eq!(changes(&installer(&folder, &defined).install().unwrap()), [SkillChange::Unchanged]);
}

#[cfg(unix)]
#[test]
fn only_scripts_are_executable() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    installer(&folder, &skills).install().unwrap();
    let mode = |path| folder.path(PDF).join(path).metadata().unwrap().permissions().mode() & 0o100;
    assert_eq!((mode("scripts/run.sh"), mode("references/forms.md")), (0o100, 0));
}

#[test]
fn nothing_is_written_if_all_is_current() {
    let (folder, skills) = (Folder::new(), skills(&["csv", "pdf"], 1));
    let installer =
        installer(&folder, &skills).agents([CodingAgent::CLAUDE_CODE, CodingAgent::ZED]);
    installer.install().unwrap();
    let record = folder.path(".agents/skills/.mytool.json");
    let before = record.metadata().unwrap().modified().unwrap();
    let report = installer.install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Unchanged; 4]);
    assert_eq!(record.metadata().unwrap().modified().unwrap(), before);
}

#[test]
fn pristine_copy_is_updated_and_an_old_skill_removed() {
    let (folder, old, new) =
        (Folder::new(), skills(&["csv", "pdf"], 1), skills(&["pdf", "xml"], 2));
    installer(&folder, &old).install().unwrap();
    // A leftover of the system is no edit.
    folder.write(".agents/skills/pdf/.DS_Store", "x");
    let status = installer(&folder, &new).dry_run(true).install().unwrap();
    assert!(!status.is_complete());
    let report = installer(&folder, &new).install().unwrap();
    let expected = [
        "updated pdf (.agents/skills/pdf)",
        "added xml (.agents/skills/xml)",
        "removed csv (.agents/skills/csv)",
    ];
    assert_eq!(lines(&report), expected);
    assert_eq!(lines(&status), expected);
    let fresh = Folder::new();
    installer(&fresh, &new).install().unwrap();
    assert_eq!(entries(&folder.path("")), entries(&fresh.path("")));
}

#[test]
fn edited_skill_is_kept_with_its_diff_until_forced() {
    let (folder, old, new) = (Folder::new(), skills(&["csv", "pdf"], 1), skills(&["pdf"], 2));
    installer(&folder, &old).install().unwrap();
    folder.write(".agents/skills/pdf/references/forms.md", "forms 1\nmine\n");
    folder.write(".agents/skills/pdf/own.md", "mine\n");
    fs::remove_file(folder.path(PDF).join("logo.png")).unwrap();
    folder.write(".agents/skills/csv/own.md", "mine\n");
    let edited = entries(&folder.path(".agents/skills/pdf"));

    let report = installer(&folder, &new).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Edited; 2]);
    assert!(report.is_complete());
    let diff = report.skills()[0].diff();
    for expected in [
        ".agents/skills/pdf/references/forms.md has also changed in the skill that mytool brings\n--- .agents/skills/pdf/references/forms.md\n+++ .agents/skills/pdf/references/forms.md\n",
        "-forms 2\n+forms 1\n+mine\n",
        "--- /dev/null\n+++ .agents/skills/pdf/own.md\n@@ -0,0 +1 @@\n+mine\n",
        "binary or large file .agents/skills/pdf/logo.png differs\n",
    ] {
        assert!(diff.contains(expected), "{expected}\n\n{diff}");
    }
    // The user has not edited these files: only the new version differs.
    assert!(!diff.contains("SKILL.md") && !diff.contains("run.sh"), "{diff}");
    // It is no longer brought, so there is nothing to compare with.
    assert_eq!(report.skills()[1].diff(), "");
    assert_eq!(entries(&folder.path(".agents/skills/pdf")), edited);

    // It is still known later, and force replaces one and removes the other.
    assert_eq!(
        changes(&installer(&folder, &new).dry_run(true).install().unwrap()),
        [SkillChange::Edited; 2]
    );
    let report = installer(&folder, &new).force(true).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Updated, SkillChange::Removed]);
    let fresh = Folder::new();
    installer(&fresh, &new).install().unwrap();
    assert_eq!(entries(&folder.path("")), entries(&fresh.path("")));
}

#[test]
fn deleted_skill_is_not_brought_back_until_forced() {
    let (folder, old, new) =
        (Folder::new(), skills(&["csv", "pdf"], 1), skills(&["csv", "pdf"], 2));
    let both = [CodingAgent::CLAUDE_CODE, CodingAgent::CODEX];
    installer(&folder, &old).agents(both).install().unwrap();
    folder.remove(PDF);
    for _ in 0..2 {
        let report = installer(&folder, &new).install().unwrap();
        assert_eq!(report.skills()[1].change(), SkillChange::Deleted);
        assert!(report.is_complete());
        assert!(!folder.path(PDF).exists());
        // The link to it would lead nowhere. A copy, where links are not possible, stays.
        let link = folder.path(".claude/skills/pdf").symlink_metadata();
        assert!(link.is_err() || cfg!(windows));
        assert!(folder.path(".claude/skills/csv/SKILL.md").exists());
    }
    let report = installer(&folder, &new).force(true).install().unwrap();
    assert!(changes(&report).contains(&SkillChange::Added));
    assert!(folder.path(".claude/skills/pdf/SKILL.md").exists());
}

#[test]
fn what_it_did_not_write_is_never_touched() {
    let (folder, skills) = (Folder::new(), skills(&["csv", "pdf", "xml"], 1));
    folder.skill(PDF, "pdf", "Mine.");
    folder.write(".agents/skills/csv", "a file");
    folder.write(".agents/skills/XML/SKILL.md", "another case");
    folder.write(".agents/skills/notes.md", "mine");
    let before = entries(&folder.path(""));
    for force in [false, true] {
        let report = installer(&folder, &skills).force(force).install().unwrap();
        assert_eq!(changes(&report), [SkillChange::Foreign; 3]);
        assert_eq!(
            lines(&report)[1],
            "foreign pdf (.agents/skills/pdf): mytool did not write what is there"
        );
        assert!(!report.is_complete());
        assert_eq!(entries(&folder.path("")), before);
        let report = installer(&folder, &skills).force(force).uninstall().unwrap();
        assert_eq!(changes(&report), []);
        assert_eq!(entries(&folder.path("")), before);
    }
}

#[test]
fn foreign_copy_with_equal_bytes_is_not_adopted() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    installer(&folder, &skills).install().unwrap();
    fs::remove_file(folder.path(".agents/skills/.mytool.json")).unwrap();
    let report = installer(&folder, &skills).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Unchanged]);
    assert_eq!(changes(&installer(&folder, &skills).force(true).uninstall().unwrap()), []);
    assert!(folder.path(PDF).exists());
}

#[test]
fn two_programs_do_not_touch_each_other() {
    let (folder, mine, other) = (Folder::new(), skills(&["pdf"], 1), skills(&["pdf", "xml"], 2));
    let other =
        Installer::new("other", SkillSet::new(&other)).directory(folder.path("")).force(true);
    installer(&folder, &mine).install().unwrap();
    let report = other.install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Foreign, SkillChange::Added]);
    installer(&folder, &mine).uninstall().unwrap();
    assert!(folder.path(".agents/skills/xml").exists() && !folder.path(PDF).exists());
}

#[test]
fn uninstall_leaves_nothing_but_edits() {
    let (folder, skills) = (Folder::new(), skills(&["csv", "pdf", "xml"], 1));
    let both = [CodingAgent::CLAUDE_CODE, CodingAgent::CODEX];
    installer(&folder, &skills).agents(both).install().unwrap();
    folder.write(".agents/skills/csv/own.md", "mine\n");
    folder.remove(".agents/skills/xml");
    let dry = installer(&folder, &skills).dry_run(true).uninstall().unwrap();
    assert!(!dry.is_complete() && folder.path(PDF).exists());
    let report = installer(&folder, &skills).uninstall().unwrap();
    assert_eq!(lines(&dry), lines(&report));
    let edited: Vec<_> =
        report.skills().iter().filter(|skill| skill.change() == SkillChange::Edited).collect();
    assert!(edited.iter().all(|skill| skill.name() == "csv" && skill.path().ends_with("/csv")));
    let diff = edited.iter().map(|skill| skill.diff()).collect::<String>();
    assert!(diff.contains("\n+mine\n"), "{diff}");
    assert!(!folder.path(PDF).exists() && !folder.path(".claude/skills/pdf").exists());
    assert!(folder.path(".agents/skills/csv/own.md").exists());
    installer(&folder, &skills).force(true).uninstall().unwrap();
    assert_eq!(entries(&folder.path("")), BTreeMap::new());
}

#[test]
fn default_is_the_common_directory_and_present_agents() {
    let skills = skills(&["pdf"], 1);
    for (present, expected) in [
        (&[][..], &[".agents"][..]),
        (&[".claude"], &[".agents", ".claude"]),
        (&[".claude", ".kiro"], &[".agents", ".claude", ".kiro"]),
    ] {
        let folder = Folder::new();
        for agent in present {
            fs::create_dir(folder.path(agent)).unwrap();
        }
        // A file is no agent.
        if present.is_empty() {
            folder.write(".kiro", "");
        }
        installer(&folder, &skills).install().unwrap();
        for agent in [".agents", ".claude", ".kiro"] {
            let skill = folder.path(agent).join("skills/pdf/SKILL.md");
            assert_eq!(skill.exists(), expected.contains(&agent), "{agent}");
        }
    }
}

#[test]
fn later_installs_update_where_the_skills_are() {
    let (folder, old, new) = (Folder::new(), skills(&["pdf"], 1), skills(&["pdf"], 2));
    let report = installer(&folder, &old).agents([CodingAgent::KIRO_CLI]).install().unwrap();
    assert_eq!(lines(&report), ["added pdf (.kiro/skills/pdf)"]);
    fs::create_dir(folder.path(".claude")).unwrap();
    let report = installer(&folder, &new).install().unwrap();
    assert_eq!(lines(&report), ["updated pdf (.kiro/skills/pdf)"]);
    // A copy is not replaced by a link.
    let report = installer(&folder, &new).agents([CodingAgent::CODEX]).install().unwrap();
    assert_eq!(
        lines(&report),
        ["added pdf (.agents/skills/pdf)", "unchanged pdf (.kiro/skills/pdf)"]
    );
    let kind = folder.path(".kiro/skills/pdf").symlink_metadata().unwrap();
    assert!(kind.is_dir());
}

/// No known agent: its name and its directories are those of the caller.
#[test]
fn any_agent_can_be_installed_for() {
    let (folder, old, new) = (Folder::new(), skills(&["pdf"], 1), skills(&["pdf"], 2));
    let windsurf = CodingAgent::new("windsurf", ".windsurf/skills", ".codeium/windsurf/skills");
    let both = [windsurf, CodingAgent::CODEX];
    let report = installer(&folder, &old).agents(both).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Added; 2]);
    assert_eq!(report.skills()[1].path(), ".windsurf/skills/pdf");
    #[cfg(unix)]
    assert_eq!(report.skills()[1].link(), Some("../../.agents/skills/pdf"));
    installer(&folder, &new).agents([windsurf]).install().unwrap();
    let text = fs::read_to_string(folder.path(".windsurf/skills/pdf/SKILL.md")).unwrap();
    assert!(text.contains("Version 2."), "{text}");
    installer(&folder, &new).agents([windsurf]).uninstall().unwrap();
    assert_eq!(entries(&folder.path("")), BTreeMap::new());
    for (directory, shown) in [("../x/skills", "../x/skills"), ("", ""), ("/x\n", "/x\\n")] {
        let agent = CodingAgent::new("windsurf", directory, "skills");
        let error = installer(&folder, &new).agents([agent]).install().unwrap_err();
        let expected = format!("the agent `windsurf` has the invalid directory `{shown}`");
        assert_eq!((error.to_string(), error.kind()), (expected, ErrorKind::Invalid));
        assert!(error.hint().unwrap().contains("a relative path without `..`"), "{error:?}");
    }
}

#[test]
fn any_directory_of_skills_can_be_chosen() {
    let (folder, elsewhere, skills) = (Folder::new(), Folder::new(), skills(&["pdf"], 1));
    fs::create_dir(folder.path(".claude")).unwrap();
    for (directory, shown) in [
        (folder.path("a/b"), "a/b/pdf".to_owned()),
        (elsewhere.path("a/b"), elsewhere.path("a/b/pdf").to_str().unwrap().replace('\\', "/")),
    ] {
        let installer = installer(&folder, &skills).skills_dir(&directory);
        let report = installer.install().unwrap();
        assert_eq!(
            (changes(&report), report.skills()[0].path()),
            (vec![SkillChange::Added], &*shown)
        );
        assert!(directory.join("pdf/SKILL.md").is_file());
        assert_eq!(changes(&installer.install().unwrap()), [SkillChange::Unchanged]);
        assert!(!folder.path(".agents").exists() && !folder.path(".claude/skills").exists());
        installer.uninstall().unwrap();
        assert!(!directory.join("pdf").exists());
    }
}

#[cfg(unix)]
#[test]
fn agents_have_their_directory_from_the_environment() {
    for (variable, agent) in [("CLAUDE_CONFIG_DIR", "claude-code"), ("CODEX_HOME", "codex")] {
        // In the home directory, and outside of it.
        let (home, other) = (Folder::new(), Folder::new());
        for own in [home.path("own"), other.path("own")] {
            let mut child = child(Path::new(""));
            child.env("HOME", home.path("")).env("INSTALL_AGENT", agent).env(variable, &own);
            assert!(child.env_remove("SUDO_UID").status().unwrap().success());
            assert!(own.join("skills/pdf/SKILL.md").is_file(), "{variable}");
            assert!(!home.path(".agents").exists() && !home.path(".claude").exists());
        }
    }
}

#[cfg(unix)]
#[test]
fn status_of_a_link_is_that_of_its_copy() {
    let (folder, old, new) = (Folder::new(), skills(&["pdf"], 1), skills(&["pdf"], 2));
    let both = [CodingAgent::CLAUDE_CODE, CodingAgent::CODEX];
    installer(&folder, &old).agents(both).install().unwrap();
    let status = |skills| changes(&installer(&folder, skills).dry_run(true).install().unwrap());
    assert_eq!(status(&old), [SkillChange::Unchanged; 2]);
    assert_eq!(status(&new), [SkillChange::Updated; 2]);
    folder.write(".agents/skills/pdf/own.md", "mine\n");
    assert_eq!(status(&old), [SkillChange::Edited; 2]);
}

#[cfg(unix)]
#[test]
fn json_document_is_that_of_the_guide() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/how-to/installed-as-json.md");
    let page = fs::read_to_string(guide).unwrap();
    let text = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    fs::create_dir(folder.path(".claude")).unwrap();
    let mut document = installer(&folder, &skills).dry_run(true).install().unwrap().to_json();
    document["tool"] = "mytool".into();
    assert_eq!(format!("{document:#}\n"), text);
}

#[cfg(unix)]
#[test]
fn other_directories_have_relative_links() {
    let (folder, old, new) = (Folder::new(), skills(&["pdf"], 1), skills(&["pdf"], 2));
    installer(&folder, &old).agents(CodingAgent::ALL).install().unwrap();
    for agent in [".claude", ".kiro"] {
        let target = folder.path(agent).join("skills/pdf").read_link().unwrap();
        assert_eq!(target, Path::new("../../.agents/skills/pdf"));
    }
    // An update changes only the copy.
    let report = installer(&folder, &new).install().unwrap();
    use SkillChange::{Unchanged, Updated};
    assert_eq!(changes(&report), [Updated, Unchanged, Unchanged]);
    // A link of the user is theirs.
    fs::remove_file(folder.path(".kiro/skills/pdf")).unwrap();
    folder.link(".kiro/skills/pdf", "../../elsewhere");
    let report = installer(&folder, &new).force(true).install().unwrap();
    assert_eq!(changes(&report), [Unchanged, Unchanged, SkillChange::Foreign]);
    installer(&folder, &new).force(true).uninstall().unwrap();
    let expected = [".kiro/", ".kiro/skills/", ".kiro/skills/pdf"];
    assert_eq!(entries(&folder.path("")).into_keys().collect::<Vec<_>>(), expected);
}

#[cfg(unix)]
#[test]
fn foreign_copy_is_not_linked_to() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    folder.skill(PDF, "pdf", "Mine.");
    let both = [CodingAgent::CLAUDE_CODE, CodingAgent::CODEX];
    let report = installer(&folder, &skills).agents(both).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Foreign, SkillChange::Added]);
    assert!(folder.path(".claude/skills/pdf").symlink_metadata().unwrap().is_dir());
}

#[cfg(unix)]
#[test]
fn links_inside_the_project_are_followed() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    fs::create_dir_all(folder.path("dotfiles/kiro")).unwrap();
    fs::create_dir_all(folder.path(".agents/skills")).unwrap();
    folder.link(".kiro", "dotfiles/kiro");
    folder.link(".claude/skills", "../.agents/skills");
    let report = installer(&folder, &skills).install().unwrap();
    // `.claude/skills` is `.agents/skills`.
    assert_eq!(
        lines(&report),
        [
            "added pdf (.agents/skills/pdf)",
            "added pdf (.kiro/skills/pdf -> ../../../.agents/skills/pdf)"
        ]
    );
    for agent in [".claude", ".kiro"] {
        assert!(folder.path(agent).join("skills/pdf/SKILL.md").exists(), "{agent}");
    }
    installer(&folder, &skills).uninstall().unwrap();
    assert!(!folder.path(".kiro/skills/pdf").exists() && !folder.path(PDF).exists());
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_project() {
    let skills = skills(&["pdf"], 1);
    let outside = Folder::new();
    fs::create_dir_all(outside.path("skills/pdf")).unwrap();
    let absolute = outside.path("");
    let relative = |up: &str| Path::new(up).join(absolute.file_name().unwrap());
    for (link, target) in [
        (".agents", absolute.clone()),
        (".agents", relative("..")),
        (".agents/skills", absolute.join("skills")),
        (".agents/skills", relative("../..").join("skills")),
    ] {
        let folder = Folder::new();
        folder.link(link, target);
        let error = installer(&folder, &skills).install().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("by a symbolic link"), "{error}");
        assert!(error.hint().unwrap().contains("choose other agents"), "{error}");
        assert!(installer(&folder, &skills).dry_run(true).install().is_err());
        // Other agents still work.
        installer(&folder, &skills).agents([CodingAgent::CLAUDE_CODE]).install().unwrap();
        assert!(folder.path(".claude/skills/pdf/SKILL.md").exists());
        installer(&folder, &skills).uninstall().unwrap();
    }
    // A broken link is in the way.
    let folder = Folder::new();
    folder.link(".agents/skills", "nowhere");
    let error = installer(&folder, &skills).install().unwrap_err();
    assert_eq!(folder.message(&error), "failed to change `.agents/skills`");
    assert!(!folder.path(".agents/nowhere").exists());
    // A link at the place of a skill, of a record or of the staging directory is not followed.
    let folder = Folder::new();
    folder.link(PDF, outside.path("skills/pdf"));
    folder.link(".agents/skills/.mytool.staging", outside.path("skills"));
    let report = installer(&folder, &skills).force(true).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Foreign]);
    folder.link(".agents/skills/.mytool.json", outside.path("record"));
    assert!(installer(&folder, &skills).install().is_err());
    assert_eq!(
        entries(&outside.path("")).into_keys().collect::<Vec<_>>(),
        ["skills/", "skills/pdf/"]
    );
}

#[cfg(unix)]
#[test]
fn links_in_an_installed_skill_are_edits() {
    let (folder, outside, old, new) =
        (Folder::new(), Folder::new(), skills(&["pdf"], 1), skills(&["pdf"], 2));
    outside.write("secret/note", "x");
    installer(&folder, &old).install().unwrap();
    folder.remove(".agents/skills/pdf/references");
    folder.link(".agents/skills/pdf/references", outside.path("secret"));
    let report = installer(&folder, &new).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Edited]);
    let diff = report.skills()[0].diff();
    assert!(diff.contains("pdf/references cannot be a file of a skill"), "{diff}");
    // Replacing the skill removes the link, not its target.
    installer(&folder, &new).force(true).install().unwrap();
    assert!(folder.path(PDF).join("references/forms.md").exists());
    assert_eq!(entries(&outside.path("secret")).into_keys().collect::<Vec<_>>(), ["note"]);
}

#[test]
fn file_instead_of_a_directory_is_an_error() {
    let skills = skills(&["pdf"], 1);
    for file in [".agents", ".agents/skills"] {
        let folder = Folder::new();
        folder.write(file, "a file");
        let error = installer(&folder, &skills).install().unwrap_err();
        assert_eq!(folder.message(&error), "failed to change `.agents/skills`");
        assert!(error.hint().unwrap().contains("in the way"), "{:?}", error.hint());
        assert_eq!(fs::read(folder.path(file)).unwrap(), b"a file");
    }
    let folder = Folder::new();
    let missing = folder.path("gone");
    let error =
        Installer::new("mytool", SkillSet::new(&skills)).directory(&missing).install().unwrap_err();
    assert_eq!(folder.message(&error), "`gone` does not exist");
}

#[test]
fn invalid_records_are_errors() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    for text in ["", r#"{"version": 1, "skills": {"../../x": {"link": "y"}}}"#] {
        folder.write(".agents/skills/.mytool.json", text);
        for result in
            [installer(&folder, &skills).install(), installer(&folder, &skills).uninstall()]
        {
            let error = result.unwrap_err();
            assert!(error.to_string().contains(".mytool.json` is not valid: "), "{error}");
        }
    }
    assert_eq!(entries(&folder.path(".agents/skills")).len(), 1);
}

#[test]
fn names_that_cannot_be_directories_are_errors() {
    let folder = Folder::new();
    let same = ["PDF", "pdf"].map(|name| {
        let mut skill = skill("pdf", 1);
        skill.rename(name).unwrap();
        skill
    });
    let error = installer(&folder, &same).install().unwrap_err();
    assert_eq!(error.to_string(), "the skills `PDF` and `pdf` differ only in case");
    let pdf = skills(&["pdf"], 1);
    for program in ["", "../x", ".x", "a/b"] {
        let installer = Installer::new(program, SkillSet::new(&pdf)).directory(folder.path(""));
        let error = installer.install().unwrap_err();
        assert_eq!(error.to_string(), format!("invalid program name `{program}`"));
    }
    assert_eq!(entries(&folder.path("")), BTreeMap::new());
}

#[test]
fn dry_run_and_status_write_nothing() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    let installer = installer(&folder, &skills).agents(CodingAgent::ALL);
    let report = installer.dry_run(true).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Added; 3]);
    assert!(!report.is_complete());
    assert_eq!(entries(&folder.path("")), BTreeMap::new());
}

#[test]
fn edit_during_an_install_is_never_lost() {
    let (old, new) = (skills(&["csv", "pdf"], 1), skills(&["csv"], 2));
    for round in 0..40_u64 {
        let folder = Folder::new();
        installer(&folder, &old).install().unwrap();
        // One is replaced and one removed meanwhile.
        let name = if round % 2 == 0 { "csv" } else { "pdf" };
        let file = folder.path(".agents/skills").join(name).join("references/forms.md");
        let was_written = std::thread::scope(|scope| {
            let editor = scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_micros(round * 50));
                fs::write(&file, "mine").is_ok()
            });
            installer(&folder, &new).install().unwrap();
            editor.join().unwrap()
        });
        // While no version is in place, the editor fails.
        if was_written {
            assert_eq!(fs::read_to_string(&file).unwrap(), "mine", "{round}");
        }
    }
}

#[test]
fn forged_records_delete_nothing() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    folder.skill(".agents/skills/mine", "mine", "Mine.");
    folder.write(".agents/skills/other/notes.md", "mine");
    folder.write(".agents/skills/.mytool.staging/notes.md", "mine");
    folder.write(".agents/skills/.mytool.staging-0123456789abcdef/notes.md", "mine");
    let before = entries(&folder.path(".agents/skills"));
    let digest = format!("sha256:{}", "a".repeat(64));
    let forged = format!(
        r#"{{"version": 1, "skills": {{"mine": {{"integrity": "{digest}"}}, "other": {{"link": "../other"}}}},
            "pending": {{"mine": {{"link": "../mine"}}}}}}"#
    );
    folder.write(".agents/skills/.mytool.json", &forged);
    installer(&folder, &skills).install().unwrap();
    folder.write(".agents/skills/.mytool.json", &forged);
    installer(&folder, &skills).uninstall().unwrap();
    let after = entries(&folder.path(".agents/skills"));
    assert!(before.iter().all(|(path, text)| after.get(path) == Some(text)), "{after:?}");
    // Nor does a forged name of a staging directory.
    folder.write(".agents/skills/.mytool.pending", "other");
    let error = installer(&folder, &skills).install().unwrap_err();
    assert_eq!(folder.message(&error), "failed to change `.agents/skills/.mytool.pending`");
    assert!(folder.path(".agents/skills/other/notes.md").exists());
}

#[cfg(unix)]
#[test]
fn no_directory_is_changed_if_one_is_refused() {
    let (folder, outside, skills) = (Folder::new(), Folder::new(), skills(&["pdf"], 1));
    fs::create_dir(outside.path("skills")).unwrap();
    folder.link(".claude", outside.path(""));
    for _ in 0..2 {
        let error = installer(&folder, &skills).install().unwrap_err();
        assert!(error.to_string().contains("by a symbolic link"), "{error}");
        assert!(!folder.path(".agents").exists());
    }
    let both = [CodingAgent::CODEX, CodingAgent::KIRO_CLI];
    folder.link(".kiro", "nowhere");
    for _ in 0..2 {
        let error = installer(&folder, &skills).agents(both).install().unwrap_err();
        assert!(error.to_string().contains(".kiro/skills`"), "{error}");
        assert!(!folder.path(".agents").exists());
    }
    fs::remove_file(folder.path(".kiro")).unwrap();
    installer(&folder, &skills).agents(both).install().unwrap();
    folder.write(".kiro/skills/.mytool.json", "damaged");
    let before = entries(&folder.path(".agents"));
    assert!(installer(&folder, &[]).install().is_err());
    assert!(installer(&folder, &skills).uninstall().is_err());
    assert_eq!(entries(&folder.path(".agents")), before);
}

#[cfg(unix)]
#[test]
fn absolute_links_inside_the_directory_are_followed() {
    let (folder, skills) = (Folder::new(), skills(&["pdf"], 1));
    fs::create_dir_all(folder.path("dotfiles/claude")).unwrap();
    folder.link(".claude", folder.path("dotfiles/claude"));
    let report = installer(&folder, &skills).install().unwrap();
    let expected = [
        "added pdf (.agents/skills/pdf)",
        "added pdf (.claude/skills/pdf -> ../../../.agents/skills/pdf)",
    ];
    assert_eq!(lines(&report), expected);
    assert!(folder.path("dotfiles/claude/skills/pdf/SKILL.md").exists());
    let report = installer(&folder, &skills).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Unchanged; 2]);
    installer(&folder, &skills).uninstall().unwrap();
    assert!(folder.path("dotfiles/claude/skills/pdf").symlink_metadata().is_err());
}

#[cfg(unix)]
#[test]
fn root_leaves_no_files_in_the_home_of_another_user() {
    let folder = Folder::new();
    // Only root can give a directory to another user.
    let is_root = std::os::unix::fs::chown(folder.path(""), Some(4711), None).is_ok();
    for (variable, value) in [("HOME", folder.path("")), ("SUDO_UID", PathBuf::from("4711"))] {
        let directory = if variable == "HOME" { PathBuf::new() } else { folder.path("") };
        let status = child(&directory).env(variable, value).status().unwrap();
        assert_eq!(status.code(), Some(if is_root { 3 } else { 0 }), "{variable}");
        assert_eq!(folder.path(".agents").exists(), !is_root, "{variable}");
    }
    // A container.
    assert!(child(&folder.path("")).env_remove("SUDO_UID").status().unwrap().success());
}

#[test]
fn several_at_once_agree() {
    let (folder, old, new) =
        (Folder::new(), skills(&["csv", "pdf"], 1), skills(&["pdf", "xml"], 2));
    std::thread::scope(|scope| {
        for at in 0..8 {
            let skills = if at % 2 == 0 { &old } else { &new };
            let installer = installer(&folder, skills).agents([CodingAgent::CLAUDE_CODE]);
            scope.spawn(move || installer.install().unwrap());
        }
    });
    installer(&folder, &new).install().unwrap();
    let fresh = Folder::new();
    installer(&fresh, &new).agents([CodingAgent::CLAUDE_CODE]).install().unwrap();
    assert_eq!(entries(&folder.path("")), entries(&fresh.path("")));
}

#[test]
fn commands_accept_global_options_of_the_program() {
    use clap::Parser;

    #[derive(Parser)]
    struct Tool {
        #[arg(short = 'C', short_alias = 'n', long, global = true)]
        directory: Option<PathBuf>,
        #[arg(short, long, global = true)]
        json: bool,
        #[command(subcommand)]
        command: Commands,
    }
    #[derive(clap::Subcommand)]
    enum Commands {
        Skills(helix_skills_host::install::SkillsCommand),
    }
    for words in ["-C x -j skills install --agent claude-code,zed", "skills status --json -C x"] {
        let words = ["tool"].into_iter().chain(words.split(' '));
        let Tool { directory, json, command: Commands::Skills(command) } = Tool::parse_from(words);
        assert_eq!((directory.as_deref(), json), (Some(Path::new("x")), true));
        assert!(format!("{command:?}").contains("json: true"), "{command:?}");
    }
}

#[cfg(unix)]
#[test]
fn pipe_in_an_installed_skill_is_an_edit() {
    let (folder, old, new) = (Folder::new(), skills(&["pdf"], 1), skills(&["pdf"], 2));
    installer(&folder, &old).install().unwrap();
    let pipe = folder.path(PDF).join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let report = installer(&folder, &new).install().unwrap();
    assert_eq!(changes(&report), [SkillChange::Edited]);
    assert!(report.skills()[0].diff().contains("pdf/pipe cannot be a file of a skill"));
}

/// Returns a command that runs [`child_process_that_is_killed`] in a directory, or if that is
/// empty, in the home directory.
#[cfg(unix)]
fn child(directory: &Path) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "install::child_process_that_is_killed"]);
    command.env("INSTALL_CHILD", directory);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    command
}

/// The program of [`every_kill_and_failure_is_repaired`], run by itself.
#[test]
#[ignore = "started by another test"]
fn child_process_that_is_killed() {
    let Some(path) = std::env::var_os("INSTALL_CHILD") else { return };
    // The default agents, or the one that the variable names.
    let agent = std::env::var("INSTALL_AGENT").unwrap_or_default();
    let agent = CodingAgent::ALL.into_iter().filter(|known| known.to_string() == agent);
    let new = skills(&["pdf", "xml"], 2);
    let installer = Installer::new("mytool", SkillSet::new(&new)).agents(agent);
    let installer =
        if path.is_empty() { installer.user() } else { installer.directory(PathBuf::from(path)) };
    if installer.install().is_err() {
        std::process::exit(3);
    }
}

#[cfg(unix)]
#[test]
fn every_kill_and_failure_is_repaired() {
    let (old, new) = (skills(&["csv", "pdf"], 1), skills(&["pdf", "xml"], 2));
    let both = [CodingAgent::CLAUDE_CODE, CodingAgent::CODEX];
    let fresh = Folder::new();
    installer(&fresh, &new).agents(both).install().unwrap();
    let version = |path: PathBuf| fs::read_to_string(path).ok();
    let [one, two] = [&old, &new].map(|skills| {
        skills.iter().find(|skill| skill.name() == "pdf").unwrap().skill_md().concat()
    });
    for (variable, suffix) in [("HELIX_SKILLS_CRASH_AT", ""), ("HELIX_SKILLS_FAIL_AT", ":28")] {
        let mut has_ended = false;
        for at in 1..200 {
            let folder = Folder::new();
            installer(&folder, &old).agents(both).install().unwrap();
            let mut child = child(&folder.path(""));
            let status = child.env(variable, format!("{at}{suffix}")).status().unwrap();
            if status.success() {
                has_ended = at > 20;
                if has_ended {
                    break;
                }
                continue;
            }
            // Either version, or for the moment between two renames none; never a mixture.
            if let Some(text) = version(folder.path(PDF).join("SKILL.md")) {
                let expected = if text == one { "forms 1\n" } else { "forms 2\n" };
                assert!(text == one || text == two, "{at}: {text}");
                let forms = version(folder.path(PDF).join("references/forms.md"));
                assert_eq!(forms.as_deref(), Some(expected), "{at}");
            }
            // Reading does not fail, and the next run completes it.
            installer(&folder, &new).dry_run(true).install().unwrap();
            let report = installer(&folder, &new).install().unwrap();
            assert!(report.is_complete(), "{variable}={at}: {report:?}");
            let kept =
                |change: &SkillChange| matches!(change, SkillChange::Deleted | SkillChange::Edited);
            assert!(!changes(&report).iter().any(kept), "{variable}={at}: {report:?}");
            assert_eq!(entries(&folder.path("")), entries(&fresh.path("")), "{variable}={at}");
        }
        assert!(has_ended, "{variable}");
    }
}
