//! Which directories are skills, and what is reported about others.

use crate::folder::{Folder, block_on, names};
use helix_skills_agent::{AsyncToolbox, Provider};
use helix_skills_host::{Directories, ErrorKind, Root, read_metadata};
use helix_skills_runtime::{Call, Profile};
use std::fs;

#[test]
fn directories_provide_skills_with_their_files() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("skills/pdf/references/forms.md", "# Forms\n");
    folder.write("skills/pdf/logo.png", b"\x89PNG\xff");
    folder.skill("skills/csv", "csv", "Reads tables.");
    // Left behind by editors and systems.
    folder.write("skills/pdf/.DS_Store", "x");
    folder.write("skills/pdf/references/forms.md~", "x");
    folder.write("skills/pdf/__pycache__/a.pyc", "x");

    let toolbox = block_on(AsyncToolbox::builder(folder.directories(&["skills"])).build()).unwrap();
    assert_eq!(toolbox.warnings(), []);
    assert!(
        toolbox.catalog().ends_with("\n- csv: Reads tables.\n- pdf: Reads PDF files.\n"),
        "{}",
        toolbox.catalog()
    );
    let answer = |call| block_on(toolbox.answer(call)).to_string();
    let loaded = answer(Call::LoadSkill { name: "pdf", arguments: None });
    assert!(loaded.contains("I am in skills/pdf.\n</skill>"), "{loaded}");
    assert!(loaded.contains("\nlogo.png\nreferences/forms.md\n"), "{loaded}");
    let read =
        |path| answer(Call::ReadSkillFile { skill: "pdf", path, start_line: None, end_line: None });
    assert!(read("references/forms.md").contains("# Forms\n"));
    assert!(read("logo.png").contains("binary"), "{}", read("logo.png"));
    assert!(read("SKILL.md").contains("name: pdf\n"));
}

#[test]
fn last_root_wins_and_the_warning_names_both() {
    let folder = Folder::new();
    folder.skill("ours/pdf", "pdf", "Ours.");
    folder.skill("mine/my-pdf", "pdf", "Mine.");
    folder.skill("ours/csv", "csv", "Ours.");
    let directories = folder.directories(&["ours", "mine"]);
    let found = directories.discover().unwrap();
    assert_eq!(found.get("pdf").unwrap().metadata().description(), "Mine.");
    assert_eq!(names(&found), ["csv", "pdf"]);
    assert_eq!(
        folder.problems(&found),
        ["`ours/pdf/SKILL.md` is hidden by `mine/my-pdf/SKILL.md`: both have the name `pdf`"]
    );
    let warnings = block_on(directories.list(Profile::Helix)).unwrap().warnings;
    assert_eq!(
        folder.message(&warnings[0]),
        "`ours/pdf/SKILL.md` is left out: `mine/my-pdf/SKILL.md` has the same name, `pdf`, and takes precedence"
    );
    let body = block_on(directories.load("pdf", Profile::Helix)).unwrap().unwrap();
    assert_eq!(body.body(), "I am in mine/my-pdf.");
}

#[test]
fn broken_skill_affects_no_other_and_reads_are_lazy() {
    let folder = Folder::new();
    let directories = folder.directories(&["skills"]); // created later
    folder.skill("skills/good", "good", "Good.");
    folder.skill("skills/directory", "another-name", "Good.");
    folder.write("skills/blank/SKILL.md", "---\nname: blank\ndescription: ' '\n---\n");
    folder.write("skills/broken/SKILL.md", "---\nname: [\n---\n");
    folder.write("skills/bytes/SKILL.md", b"---\nname: a\xff\n---\n");
    folder.write("skills/several/SKILL.md", "---\nname: ../x\n---\n");
    fs::create_dir_all(folder.path("skills/strange/SKILL.md")).unwrap();

    let found = directories.discover().unwrap();
    assert_eq!(names(&found), ["another-name", "good"]);
    let findings: Vec<_> =
        found.get("another-name").unwrap().findings().iter().map(|f| f.code.as_str()).collect();
    assert_eq!(findings, ["name-mismatch"]);
    let problems = folder.problems(&found);
    assert_eq!(problems[0], "`skills/blank/SKILL.md:3:14`: `description` is blank");
    assert!(problems[1].starts_with("`skills/broken/SKILL.md:"), "{}", problems[1]);
    assert_eq!(problems[2], "`skills/bytes/SKILL.md:2:8`: the byte `0xff` is not UTF-8");
    assert_eq!(problems[3], "`skills/several/SKILL.md:1:1`: `description` is missing (and 1 more)");
    assert_eq!(problems[4], "`skills/strange/SKILL.md` is not a regular file");
    assert_eq!(problems.len(), 5);
    assert!(
        found
            .problems()
            .iter()
            .filter(|problem| !problem.findings().is_empty())
            .all(|problem| problem.hint().is_some())
    );

    let toolbox = block_on(AsyncToolbox::builder(directories).build()).unwrap();
    let warnings: Vec<_> =
        toolbox.warnings().iter().map(|warning| folder.message(warning)).collect();
    assert!(warnings.contains(
        &"`skills/bytes/SKILL.md:2:8` is left out: the byte `0xff` is not UTF-8".to_owned()
    ));
    // The one about a name that differs from its directory is no reason to leave the skill out.
    let left_out = warnings.iter().filter(|warning| warning.contains(" is left out: "));
    assert_eq!((warnings.len(), left_out.count()), (6, 5));
}

#[test]
#[cfg(unix)]
fn odd_directory_name_is_reported_on_one_line() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    folder.write("skills/bad\n\u{1b}[31mwarning: all is well/SKILL.md", "x");
    folder.write("skills/con\nfused/SKILL.md", "---\ndescription: x\n---\n");
    let bytes = folder.path("skills").join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(bytes).unwrap();
    let directories = folder.directories(&["skills"]);
    let found = directories.discover().unwrap();
    let problems = folder.problems(&found);
    assert_eq!((found.iter().len(), problems.len()), (0, 3), "{problems:?}");
    assert!(
        problems[0].starts_with("`skills/bad [31mwarning: all is well/SKILL.md:1:1`: "),
        "{problems:?}"
    );
    assert_eq!(problems[2], "a skill cannot use the path `skills/caf\u{fffd}`: it is not UTF-8");
    let warnings = block_on(directories.list(Profile::Helix)).unwrap().warnings;
    let texts = problems.iter().cloned().chain(warnings.iter().map(ToString::to_string));
    for text in texts {
        assert!(!text.contains(char::is_control), "{text:?}");
    }
}

#[test]
fn skill_named_after_its_directory_wins_in_a_root() {
    let folder = Folder::new();
    folder.skill("skills/a-copy", "pdf", "A copy.");
    folder.skill("skills/pdf", "pdf", "Itself.");
    folder.skill("skills/z-copy", "pdf", "A copy.");
    let found = folder.directories(&["skills"]).discover().unwrap();
    assert_eq!(found.get("pdf").unwrap().metadata().description(), "Itself.");
    assert_eq!(
        folder.problems(&found),
        [
            "`skills/a-copy/SKILL.md` is hidden by `skills/pdf/SKILL.md`: both have the name `pdf`",
            "`skills/z-copy/SKILL.md` is hidden by `skills/pdf/SKILL.md`: both have the name `pdf`",
        ]
    );
}

#[test]
fn missing_root_is_a_problem_unless_optional() {
    let folder = Folder::new();
    folder.write("file", "text");
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    let directories = Directories::new()
        .root(Root::new(folder.path("optional")).optional())
        .root(folder.path("missing"))
        .root(folder.path("file"))
        .root(folder.path("skills"));
    let found = directories.discover().unwrap();
    assert_eq!(names(&found), ["pdf"]);
    let problems = folder.problems(&found);
    assert_eq!(problems[..1], ["`missing` does not exist"]);
    assert!(problems[1].starts_with("failed to read `file`: "), "{problems:?}");
    let missing =
        found.problems().iter().find(|problem| problem.kind() == ErrorKind::NotFound).unwrap();
    assert_eq!(
        missing.hint().unwrap(),
        "create it, or use another path; mark a root that may be missing as `optional()`"
    );
    let warnings = block_on(directories.list(Profile::Helix)).unwrap().warnings;
    assert!(
        warnings
            .iter()
            .any(|w| folder.message(w) == "`missing` is left out: the directory does not exist")
    );
    assert!(names(&Directories::new().discover().unwrap()).is_empty());
}

#[test]
fn name_defaults_to_the_directory_and_allows_underscores() {
    let folder = Folder::new();
    folder.write("skills/my_skill/SKILL.md", "---\ndescription: x\n---\nI am my_skill.\n");
    let other = "---\nname: Named_9\ndescription: x\n---\nI am Named_9.\n";
    folder.write("skills/other/SKILL.md", other);
    let found = folder.directories(&["skills"]).profile(Profile::SkillUse).discover().unwrap();
    assert_eq!(names(&found), ["Named_9", "my_skill"]);
    // An agent gets both by these names, and nothing is wrong with them there.
    let builder = AsyncToolbox::builder(folder.directories(&["skills"]));
    let toolbox = block_on(builder.profile(Profile::SkillUse).build()).unwrap();
    assert_eq!(toolbox.warnings(), []);
    for name in ["Named_9", "my_skill"] {
        assert!(toolbox.catalog().contains(&format!("- **{name}**")), "{}", toolbox.catalog());
        let reply = block_on(toolbox.answer(Call::LoadSkill { name, arguments: None }));
        assert!(reply.message().unwrap().to_string().contains(&format!("I am {name}.")), "{reply}");
    }
}

#[test]
fn missing_description_is_empty_only_in_skill_use() {
    let folder = Folder::new();
    folder.write(
        "skills/quiet/SKILL.md",
        "---\nuser-invocable: true\n---\n# Quiet\n\nRuns\nquietly.\n\nMore.\n",
    );
    folder.write("skills/blank/SKILL.md", "---\ndescription:\n---\n# Only a heading\n");
    let described = |profile| {
        let directories = folder.directories(&["skills"]).profile(profile);
        let found = directories.discover().unwrap();
        for skill in found.iter() {
            let loaded = block_on(directories.load(skill.name(), profile)).unwrap().unwrap();
            assert_eq!(loaded.description(), skill.metadata().description());
        }
        found
            .iter()
            .map(|skill| format!("{}: {}", skill.name(), skill.metadata().description()))
            .collect::<Vec<_>>()
    };
    assert_eq!(described(Profile::SkillUse), ["blank: ", "quiet: "]);
    assert_eq!(described(Profile::ClaudeCode), ["blank: Only a heading", "quiet: Runs quietly."]);
    assert_eq!(described(Profile::Helix), [""; 0]);
}

#[test]
fn directories_use_the_profile_of_each_toolbox() {
    let folder = Folder::new();
    folder.write(
        "skills/quiet/SKILL.md",
        "---\nuser-invocable: true\n---\n# Quiet\n\nRuns\nquietly.\n",
    );
    folder.write("skills/quiet/notes.md", "Hush.\n");
    let directories = folder.directories(&["skills"]);
    let toolbox =
        |profile| block_on(AsyncToolbox::builder(&directories).profile(profile).build()).unwrap();
    let [helix, seed, claude] =
        [Profile::Helix, Profile::SkillUse, Profile::ClaudeCode].map(toolbox);
    assert_eq!((helix.catalog(), helix.warnings().len()), ("", 1));
    assert!(seed.catalog().contains("- **quiet**"), "{}", seed.catalog());
    assert!(claude.catalog().contains("Runs quietly."), "{}", claude.catalog());
    // Bodies, files and directories are found in the same way.
    for toolbox in [&seed, &claude] {
        let read = Call::ReadSkillFile {
            skill: "quiet",
            path: "notes.md",
            start_line: None,
            end_line: None,
        };
        assert!(block_on(toolbox.answer(read)).to_string().contains("Hush."));
        assert!(
            !block_on(toolbox.answer(Call::LoadSkill { name: "quiet", arguments: None }))
                .is_error()
        );
    }
    for profile in [Profile::SkillUse, Profile::ClaudeCode, Profile::Helix] {
        let directory = block_on(seed.provider().directory("quiet", profile)).unwrap();
        assert_eq!(directory.is_some(), profile != Profile::Helix);
    }
}

#[test]
fn claude_code_directory_works_unchanged() {
    let folder = Folder::new();
    let text = "---\nname: fix-issue\ndescription: Fixes an issue. Use when an issue is named.\nargument-hint: [issue] [priority]\n\
        allowed-tools: Bash(gh issue view *), Read\ndisable-model-invocation: no\nmodel: opus\ncontext: fork\nagent: Explore\n\
        hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: [{type: command, command: ./check.sh}]\n---\n\n\
        Fix issue $ARGUMENTS.\n\nSee [the rules](reference.md).\n";
    folder.write("home/.claude/skills/fix-issue/SKILL.md", text);
    folder.write("home/.claude/skills/fix-issue/reference.md", "Small commits.\n");
    folder.write("home/.claude/skills/fix-issue/scripts/check.sh", "exit 0\n");
    folder.write("home/.claude/skills/.DS_Store", "x");
    for profile in Profile::ALL {
        let directories =
            Directories::new().root("~/.claude/skills").home(folder.path("home")).profile(profile);
        let found = directories.discover().unwrap();
        assert_eq!(
            (names(&found), found.problems().iter().len()),
            (vec!["fix-issue"], 0),
            "{profile:?}"
        );
        let skill = block_on(directories.load("fix-issue", Profile::Helix)).unwrap().unwrap();
        {
            assert_eq!(skill.skill_md().concat(), text);
            assert_eq!(skill.allowed_tools().unwrap(), ["Bash(gh issue view *)", "Read"]);
            assert_eq!(skill.argument_hint(), Some("[issue] [priority]"));
            assert!(
                !skill.disable_model_invocation()
                    && skill.extra().iter().any(|(key, _)| key == "hooks")
            );
            let files: Vec<_> = skill.resources().iter().map(|file| file.path()).collect();
            assert_eq!(files, ["reference.md", "scripts/check.sh"]);
        };
        let file = block_on(directories.read("fix-issue", "reference.md", Profile::Helix)).unwrap();
        assert_eq!(file.as_deref(), Some(&b"Small commits.\n"[..]));
    }
}

#[test]
fn finds_skills_in_public_and_custom() {
    let folder = Folder::new();
    folder.skill("skills/public/pdf", "pdf", "Built in.");
    folder.skill("skills/public/csv", "csv", "Built in.");
    folder.skill("skills/custom/pdf", "pdf", "Edited.");
    folder.skill("skills/custom/group/deep", "deep", "Two levels.");
    folder.skill("skills/other", "other", "In neither.");
    let directories = |path: &str| {
        let root = |kind| Root::new(folder.path(path).join(kind)).kind(kind).optional();
        Directories::new().root(root("public")).root(root("custom"))
    };
    let found = directories("skills").discover().unwrap();
    let kinds: Vec<_> = found
        .iter()
        .map(|skill| (skill.name(), skill.kind().unwrap(), skill.metadata().description()))
        .collect();
    assert_eq!(kinds, [("csv", "public", "Built in."), ("pdf", "custom", "Edited.")]);
    let neither = directories("elsewhere").discover().unwrap();
    assert_eq!((neither.iter().len(), neither.problems().len()), (0, 0));
}

#[test]
fn discovered_skill_has_name_description_and_paths() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    let found = folder.directories(&["skills"]).discover().unwrap();
    let skill = found.get("pdf").unwrap();
    assert_eq!((skill.name(), skill.metadata().description()), ("pdf", "Reads PDF files."));
    assert_eq!(
        (skill.path(), skill.skill_md()),
        (&*folder.path("skills/pdf"), &*folder.path("skills/pdf/SKILL.md"))
    );
    assert!(found.get("pd").is_none() && found.get("skills/pdf").is_none());
}

#[test]
fn tilde_is_the_home_directory() {
    let folder = Folder::new();
    folder.skill("home/.agents/skills/pdf", "pdf", "Reads PDF files.");
    let found =
        Directories::new().root("~/.agents/skills").home(folder.path("home")).discover().unwrap();
    assert_eq!(found.get("pdf").unwrap().path(), folder.path("home/.agents/skills/pdf"));

    let homeless = Directories::new().root("~/skills").home("");
    let error = homeless.discover().unwrap_err();
    assert_eq!(error.to_string(), "cannot expand `~/skills`: the home directory is not known");
    let error = block_on(homeless.list(Profile::Helix)).unwrap_err();
    assert_eq!(error.to_string(), "cannot expand `~/skills`: the home directory is not known");
    let optional = Directories::new().root(Root::new("~/skills").optional()).home("");
    assert_eq!(optional.discover().unwrap().iter().len(), 0);
}

#[test]
fn directory_without_skill_md_is_ignored() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.skill("skills/.hidden", "hidden", "Hidden.");
    folder.skill("skills/.group/inner", "inner", "Too deep.");
    folder.write("skills/README.md", "text");
    folder.write("skills/31fb402d09ed14c931fb402d09ed14c931fb402d.origin", "text");
    folder.write("skills/docs/skill.json", "text");
    fs::create_dir(folder.path("skills/empty")).unwrap();
    let found = folder.directories(&["skills"]).discover().unwrap();
    assert_eq!((names(&found), found.problems().iter().len()), (vec!["pdf"], 0));
}

#[test]
fn invalid_file_is_reported_and_left_out() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("skills/bare/SKILL.md", "# No frontmatter\n");
    let found = folder.directories(&["skills"]).discover().unwrap();
    assert_eq!(names(&found), ["pdf"]);
    let problem = found.problems().first().unwrap();
    assert_eq!(problem.path(), Some(&*folder.path("skills/bare/SKILL.md")));
    assert_eq!(problem.findings()[0].code.as_str(), "no-frontmatter");
}

#[test]
fn metadata_is_read_without_the_body() {
    let folder = Folder::new();
    folder.write("pdf/SKILL.md", "---\nname: pdf\ndescription: x\nlicense: MIT\n---\nBody\n");
    // The rest of the file is not read; here it is not even text.
    folder.write("odd/SKILL.md", b"---\nname: odd\ndescription: y\n---\n\xff\xfe");
    for path in [folder.path("pdf"), folder.path("pdf/SKILL.md")] {
        let skill = read_metadata(path).unwrap();
        assert_eq!((skill.name(), skill.description(), skill.body()), ("pdf", "x", ""));
        assert_eq!(skill.license().map(str::to_owned).as_deref(), Some("MIT"));
    }
    assert_eq!(read_metadata(folder.path("odd")).unwrap().name(), "odd");
    let long =
        format!("---\n{}name: long\ndescription: z\n---\nBody\n", "# a comment\n".repeat(5000));
    folder.write("long/SKILL.md", &long);
    assert_eq!(read_metadata(folder.path("long")).unwrap().description(), "z");
    folder.write("endless/SKILL.md", format!("---\n{}", "a: b # x\n".repeat(50_000)));
    let error = read_metadata(folder.path("endless")).unwrap_err();
    assert_eq!(error.findings()[0].code.as_str(), "too-large");
    assert!(
        read_metadata(folder.path("none")).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    );
}

#[test]
fn what_looks_like_a_skill_is_a_warning() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.skill("skills/group/deep", "deep", "Is one level too deep.");
    folder.write("skills/csv/SKILLS.md", "x");
    folder.write("skills/notes/README.md", "x");
    folder.write("skills/README.md", "x");
    let directories = folder.directories(&["skills", "skills/pdf"]);
    let found = directories.discover().unwrap();
    assert_eq!(names(&found), ["pdf"]);
    assert_eq!(
        folder.problems(&found),
        [
            "`skills/csv/SKILLS.md`: not read as a skill, because the name of its file is not `SKILL.md`",
            "`skills/group/deep/SKILL.md`: not read as a skill, because it is one level too deep",
            "`skills/pdf/SKILL.md`: not read as a skill, because the skills of a root are the directories in it",
        ]
    );
    let toolbox = block_on(AsyncToolbox::builder(directories).build()).unwrap();
    assert_eq!(toolbox.warnings().len(), 3);
}
