//! `skills validate`: findings for authors of skills.

mod locked;

use helix_skills_tests::{Run, Sandbox};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const GOOD: &str =
    "---\nname: tides\ndescription: Reads tide tables. Use when a harbor is named.\n---\n# Tides\n";

/// A project with two skills: a good one, and one with several mistakes.
fn two_skills() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/tides/SKILL.md", GOOD);
    let text = "---\nname: Winds\ndescription: Wind\ncolor: red\n---\nSee [more](more.md).\n";
    sandbox.write("project/skills/winds/SKILL.md", text);
    sandbox.write("project/skills/winds/references/gusts.md", "x");
    sandbox
}

/// Runs the command and checks that it writes nothing.
#[track_caller]
fn validate<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Run {
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(["validate"].into_iter().chain(arguments));
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    run
}

fn codes(document: &Value) -> Vec<&str> {
    document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["code"].as_str().unwrap())
        .collect()
}

/// `deep-agents` leaves `$ARGUMENTS` in the text. `helix` fills what the skill declares.
#[test]
fn placeholders_are_reported_for_a_profile() {
    let sandbox = Sandbox::new();
    let text = GOOD.replace("\n---\n#", "\narguments: harbor\n---\nRead $harbor, $ARGUMENTS.\n#");
    sandbox.write("project/skills/tides/SKILL.md", text);
    validate(&sandbox, ["--profile", "deep-agents"]).succeeds().prints([
        "skills/tides/SKILL.md:6:6: warning: `$harbor` stays in the text, because the profile `deep-agents` \
         does not fill it, and one more below [unfilled-placeholder]",
    ]);
    for arguments in [&["--profile", "claude-code"][..], &["--profile", "helix"], &[]] {
        let run = validate(&sandbox, arguments.iter().copied()).succeeds();
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    validate(&sandbox, ["--profile", "helix", "--spec", "open"]).exits(2);
}

#[test]
fn empty_bodies_and_text_like_commands_are_reported() {
    let sandbox = Sandbox::new();
    let text = GOOD.replace("# Tides\n", "");
    sandbox.write("project/skills/tides/SKILL.md", &text);
    validate(&sandbox, [""; 0])
        .succeeds()
        .prints(["skills/tides/SKILL.md:5:1: warning: the body is empty [empty-body]"]);
    sandbox.write("project/skills/tides/SKILL.md", text + "Branch:!`git branch`\n");
    validate(&sandbox, [""; 0]).succeeds().prints([
        "skills/tides/SKILL.md:5:8: warning: `!` is text here: a command starts a line or follows white space [not-a-command]",
    ]);
}

#[test]
fn all_findings_are_reported_with_locations() {
    let sandbox = two_skills();
    let run = validate(&sandbox, [""; 0]).exits(1);
    let file = "skills/winds/SKILL.md";
    let lines = [
        format!(
            "{file}: warning: nothing in the skill mentions `references/gusts.md` [unmentioned-file]"
        ),
        format!(
            "{file}:2:7: error: the name `Winds` contains `W`; other systems accept only a to z, 0 to 9 and `-` [name-character]"
        ),
        format!(
            "{file}:2:7: error: the name `Winds` differs from the directory's, `winds` [name-mismatch]"
        ),
        format!(
            "{file}:3:14: warning: the description is too vague for a model to choose the skill [vague-description]"
        ),
        format!("{file}:4:1: warning: unknown key `color` [unknown-field]"),
        format!("{file}:6:12: warning: the skill has no file `more.md` [dead-link]"),
    ];
    let found: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with("  help:")).collect();
    assert_eq!(found, lines);
    run.says(["validated 2 skills: 2 errors, 4 warnings"]);

    let document = validate(&sandbox, ["--json"]).exits(1).json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["exitCode"], 1);
    assert_eq!(document["counts"], json!({"skills": 2, "errors": 2, "warnings": 4}));
    let found = document["findings"].as_array().unwrap().last().unwrap();
    let expected = json!({
        "code": "dead-link", "severity": "warning", "file": file, "line": 6, "column": 12,
        "message": "the skill has no file `more.md`", "hint": "add the file, or remove the link",
    });
    assert_eq!(*found, expected);
}

#[test]
fn warnings_fail_only_on_request() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "project/skills/tides/SKILL.md",
        GOOD.replace("Use when", "For when").replace("when", "if"),
    );
    validate(&sandbox, [""; 0])
        .succeeds()
        .prints(["[no-trigger]"])
        .says(["ok 1 skill: 0 errors, 1 warning"]);
    validate(&sandbox, ["--deny-warnings"])
        .exits(1)
        .says(["validated 1 skill: 0 errors, 1 warning"]);
    sandbox.write("project/skills/tides/SKILL.md", GOOD);
    let run =
        validate(&sandbox, ["--deny-warnings"]).succeeds().says(["ok 1 skill, no problems found"]);
    assert!(run.stdout.is_empty(), "{run}");
}

#[test]
fn skills_are_found_by_manifest_and_by_path() {
    let sandbox = two_skills();
    let files = |arguments: &[&str]| {
        let document =
            validate(&sandbox, ["--json"].into_iter().chain(arguments.iter().copied())).json();
        let counts = document["counts"]["skills"].as_u64().unwrap();
        let files = document["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| found["file"].as_str().unwrap().to_owned());
        (counts, files.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>())
    };
    // A directory, a SKILL.md, a parent directory, all of them, and duplicates.
    assert_eq!(files(&["skills/winds"]), (1, vec!["skills/winds/SKILL.md".to_owned()]));
    assert_eq!(files(&["./skills/tides/SKILL.md"]), (1, vec![]));
    assert_eq!(files(&["."]).0, 2);
    assert_eq!(files(&["skills", "skills/winds", "."]).0, 2);
    // Hidden directories are searched only if they are named.
    sandbox.write("project/.claude/skills/a/SKILL.md", "x");
    sandbox.write("project/plugins/p/skills/b/SKILL.md", "x");
    sandbox.write("project/node_modules/c/SKILL.md", "x");
    assert_eq!(files(&["."]).0, 3);
    assert_eq!(files(&[".claude"]), (1, vec![".claude/skills/a/SKILL.md".to_owned()]));
    // Without arguments: the manifest's `path` sources, wherever in the project they are.
    assert_eq!(files(&[]).0, 2);
    sandbox.sources(&json!({"own": {"type": "path", "path": "plugins/p/skills"}}));
    assert_eq!(files(&[]), (1, vec!["plugins/p/skills/b/SKILL.md".to_owned()]));
    sandbox.sources(&json!({}));
    assert_eq!(files(&[]).0, 2);
    assert_eq!(files(&["-C", "skills/winds", "."]), (1, vec!["SKILL.md".to_owned()]));

    validate(&sandbox, ["nowhere"]).exits(2).says(["cannot find `nowhere`"]);
    validate(&sandbox, ["helix.skills.json"]).exits(2).says(["neither a directory nor a SKILL.md"]);
    validate(&sandbox, ["skills", "skills/winds/references"])
        .exits(2)
        .says(["`skills/winds/references`", "SKILL.md"]);
}

#[test]
fn open_rules_follow_the_specification() {
    let sandbox = Sandbox::new();
    let text = "---\nname: мой-навык\ndescription: Tides\nallowed-tools: [Read]\nmodel: small\n---\n[x](gone.md)\n";
    sandbox.write("project/skills/мой-навык/SKILL.md", text);
    let document = validate(&sandbox, ["--spec", "open", "--json"]).exits(1).json();
    assert_eq!(codes(&document), ["flow-style", "unknown-field"]);
    let document = validate(&sandbox, ["--json"]).exits(1).json();
    assert_eq!(codes(&document), ["name-character", "vague-description", "dead-link"]);
    validate(&sandbox, ["--spec", "closed"]).exits(2).says(["authors, open"]);
}

#[test]
fn unreadable_file_is_a_finding() {
    let sandbox = two_skills();
    sandbox.write("project/skills/bytes/SKILL.md", b"---\nname: a\xff\n");
    sandbox.write("project/skills/large/SKILL.md", vec![b'x'; 8 * 1024 * 1024 + 1]);
    let document = validate(&sandbox, ["--json"]).exits(1).json();
    assert_eq!(codes(&document)[..2], ["not-utf-8", "too-large"]);
    assert_eq!(document["counts"]["skills"], 4);
}

#[cfg(unix)]
#[test]
fn file_name_that_a_sync_refuses_is_a_finding() {
    let sandbox = two_skills();
    sandbox.write("project/skills/tides/CON.txt", "");
    let run = validate(&sandbox, ["skills/tides"]).exits(1);
    run.prints(["skills/tides/CON.txt: error: it cannot be part of a skill: a part of the path is reserved for a device on Windows [unreadable]"]);
}

#[cfg(unix)]
#[test]
fn linked_skills_are_read_only_if_named() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.write("project/elsewhere/tides/SKILL.md", GOOD);
    sandbox.write("project/skills/winds/SKILL.md", GOOD.replace("tides", "winds"));
    symlink("../elsewhere/tides", sandbox.project("skills/tides")).unwrap();
    (0..6).for_each(|n| {
        symlink("../elsewhere/tides", sandbox.project(format!("skills/t{n}"))).unwrap()
    });
    // Not a skill, so there is no warning.
    symlink("../elsewhere", sandbox.project("skills/elsewhere")).unwrap();
    let run = sandbox.skills(["validate", "skills"]).succeeds();
    run.says([
        "7 linked skills skipped: `skills/t0`, `skills/t1`",
        "`skills/t4` and 2 more; links to skills are",
    ]);
    let document = sandbox.skills(["validate", "skills", "--json"]).succeeds().json();
    assert_eq!(
        (&document["counts"]["skills"], document["linked"].as_array().unwrap().len()),
        (&json!(1), 7)
    );
    let document = validate(&sandbox, ["skills/tides", "--json"]).succeeds().json();
    assert_eq!((&document["counts"]["skills"], &document["linked"]), (&json!(1), &json!([])));
    // The manifest names them, and `sync` accepts links inside the project.
    sandbox.sources(&json!({"own": {"type": "path", "path": "skills", "include": ["tides"]}}));
    assert_eq!(validate(&sandbox, ["--json"]).succeeds().json()["counts"]["skills"], 1);
}

/// Ten links to their own directory expand to 10^16 directories without a file.
#[cfg(unix)]
#[test]
fn link_loops_without_files_end() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/tides/SKILL.md", GOOD);
    std::fs::create_dir(sandbox.project("loops")).unwrap();
    (0..10).for_each(|n| symlink(".", sandbox.project(format!("loops/{n}"))).unwrap());
    symlink("../../loops", sandbox.project("skills/tides/loops")).unwrap();
    let document = sandbox.skills(["validate", "skills", "--json"]).exits(1).json();
    assert_eq!(codes(&document), ["too-large"]);
}

#[cfg(unix)]
#[test]
fn file_links_are_followed_without_loops() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.write("project/elsewhere/tides/SKILL.md", GOOD);
    sandbox.write("project/skills/a/nothing.md", "x");
    symlink("../elsewhere/tides", sandbox.project("skills/tides")).unwrap();
    symlink("..", sandbox.project("skills/a/up")).unwrap();
    symlink(".", sandbox.project("elsewhere/tides/again")).unwrap();
    symlink("gone", sandbox.project("elsewhere/tides/gone.md")).unwrap();
    let document = validate(&sandbox, ["skills/tides", "--json"]).exits(1).json();
    assert_eq!(document["counts"]["skills"], 1);
    assert_eq!(BTreeSet::from_iter(codes(&document)), BTreeSet::from(["too-large", "unreadable"]));
}

/// Validation of untrusted skills must not print files outside the project.
#[cfg(unix)]
#[test]
fn t04_links_out_of_the_project_are_not_read() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.manifest("{\"skills\": {}}");
    sandbox.write("outside/notes.md", "<!-- a secret -->");
    sandbox.write("outside/SKILL.md", "a secret");
    sandbox.write("project/shared/bays.md", "of the project");
    sandbox.write("project/skills/tides/SKILL.md", GOOD);
    symlink("../../shared/bays.md", sandbox.project("skills/tides/bays.md")).unwrap();
    symlink(sandbox.path("outside/notes.md"), sandbox.project("skills/tides/notes.md")).unwrap();
    symlink("../../../outside", sandbox.project("skills/tides/all")).unwrap();
    symlink("/", sandbox.project("skills/tides/root")).unwrap();
    std::fs::create_dir(sandbox.project("skills/winds")).unwrap();
    symlink("../../../outside/SKILL.md", sandbox.project("skills/winds/SKILL.md")).unwrap();
    // No snapshot is taken, because it would follow them.
    let run =
        sandbox.skills(["validate", "-v", "--json", "skills"]).exits(1).never_prints("secret");
    let found = codes(&run.json()).into_iter().filter(|code| *code == "unreadable").count();
    assert_eq!(found, 4, "{run}");
}

/// Reading a pipe would block.
#[cfg(unix)]
#[test]
fn pipe_is_not_a_skill() {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/a/nothing.md", "x");
    let pipe = sandbox.project("skills/a/SKILL.md");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // No snapshot is taken, because it would block.
    let run = sandbox.skills(["validate", "--json", "skills"]);
    std::fs::remove_file(&pipe).unwrap();
    assert_eq!(codes(&run.exits(1).json()), ["unreadable"]);
}

#[test]
fn untrusted_text_is_escaped() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "project/skills/a/SKILL.md",
        GOOD.replace("tides\n", "\"x\\u001b[2J\"\n").replace("---\n#", "\u{202e}k: v\n---\n#"),
    );
    for arguments in [
        &["skills"][..],
        &["skills", "--json"],
        &["skills", "--sarif"],
        &["skills", "--spec", "open"],
    ] {
        let run = validate(&sandbox, arguments.iter().copied()).exits(1);
        run.never_prints("\u{1b}").never_prints("\u{202e}");
    }
}

#[test]
fn sarif_has_every_finding_with_its_rule() {
    let sandbox = two_skills();
    let run = validate(&sandbox, ["--sarif"]).exits(1);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let (results, rules) = (&log["runs"][0]["results"], &log["runs"][0]["tool"]["driver"]["rules"]);
    let results = results.as_array().unwrap();
    assert_eq!(results.len(), 6);
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let file = json!({ "uri": "skills/winds/SKILL.md", "uriBaseId": "%SRCROOT%" });
        assert_eq!(place["artifactLocation"], file);
    }
    let region = &results[1]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(*region, json!({"startLine": 2, "startColumn": 7}));
    assert_eq!(results[1]["level"], "error");
    validate(&sandbox, ["--sarif", "--json"]).exits(2).prints(["cannot be used with"]);
}

/// Rules of the standard (SARIF 2.1.0, by section) for the parts that are written, with unusual
/// file names.
#[test]
fn sarif_follows_the_standard_for_all_file_names() {
    let sandbox = Sandbox::new();
    let bad = GOOD
        .replace("description:", "color: \"\\u001b[2J\"\n\u{e9}\u{1f30a}\u{202e}: x\ndescription:");
    for name in ["a b", "\u{e9}t\u{e9}", "100%", "x#y?z", "c:d"] {
        sandbox.write(
            format!("project/skills/{name}/SKILL.md"),
            format!("{bad}\n\u{1f30a} [x](\u{1f30a}.md)\n"),
        );
    }
    sandbox.write("project/skills/a b/references/\u{e9} #1.md", "[x](gone.md)");
    sandbox.write("elsewhere/winds/SKILL.md", "x");
    let elsewhere = sandbox.path("elsewhere").display().to_string();
    let run = validate(&sandbox, ["--sarif", "skills", &elsewhere]).exits(1);
    let run = run.never_prints("\u{1b}").never_prints("\u{202e}");
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let run = &log["runs"][0];
    // 3.14.17: columns count as `Position` does.
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "3.19.23: each rule once");
    let mut uris = BTreeSet::new();
    for result in run["results"].as_array().unwrap() {
        // 3.27.5 to 3.27.11.
        assert_eq!(result["ruleId"], ids[result["ruleIndex"].as_u64().unwrap() as usize]);
        assert!(
            ["error", "warning", "note"].contains(&result["level"].as_str().unwrap()),
            "{result}"
        );
        let text = result["message"]["text"].as_str().unwrap();
        assert!(!text.is_empty() && !text.contains(char::is_control), "{text:?}");
        let place = &result["locations"][0]["physicalLocation"];
        // 3.30.5, 3.30.6: 1-based; a finding without a location has no region.
        if let Some(region) = place.get("region") {
            assert!(
                region["startLine"].as_u64().unwrap() >= 1
                    && region["startColumn"].as_u64().unwrap() >= 1
            );
        }
        // 3.4.3, 3.4.4: a URI, and a base only for relative ones, which the run defines (3.14.14).
        let file = &place["artifactLocation"];
        let uri = file["uri"].as_str().unwrap();
        assert!(
            uri.bytes().all(|b| b.is_ascii_graphic() && !b"\\\"<>^`{|}#?".contains(&b)),
            "{uri}"
        );
        let is_absolute = uri.starts_with("file:///");
        assert!(is_absolute || !uri.split('/').next().unwrap().contains(':'), "{uri}");
        assert_eq!(file.get("uriBaseId").is_some(), !is_absolute);
        if let Some(base) = file.get("uriBaseId") {
            assert!(run["originalUriBaseIds"].get(base.as_str().unwrap()).is_some());
        }
        uris.insert(uri.rsplit_once("skills/").map_or("elsewhere", |(_, path)| path).to_owned());
    }
    let expected = [
        "100%25/SKILL.md",
        "a%20b/SKILL.md",
        "a%20b/references/%C3%A9%20%231.md",
        "c%3Ad/SKILL.md",
        "elsewhere",
        "x%23y%3Fz/SKILL.md",
        "%C3%A9t%C3%A9/SKILL.md",
    ];
    assert_eq!(uris, expected.map(str::to_owned).into());
    // The wave is one character.
    let last =
        run["results"].as_array().unwrap().iter().rfind(|result| result["ruleId"] == "dead-link");
    let place = &last.unwrap()["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startColumn"], 7, "{place}");
}

#[test]
fn excluded_skills_are_not_validated() {
    let sandbox = two_skills();
    sandbox.write("project/skills/winds/SKILL.md", GOOD.replace("tides", "winds"));
    sandbox.write("project/skills/winds/drafts/notes.md", "[x](gone.md)");
    sandbox.write("project/skills/old/SKILL.md", "no longer a skill");
    sandbox.write("project/skills/deep/below/SKILL.md", "not taken by a source");
    let validated = |select: Value| {
        let mut source = json!({"type": "path", "path": "skills"});
        source.as_object_mut().unwrap().extend(select.as_object().unwrap().clone());
        sandbox.sources(&json!({ "own": source }));
        let document = validate(&sandbox, ["--json"]).json();
        let found = document["findings"].as_array().unwrap().iter();
        let found = found.map(|found| {
            format!("{} {}", found["file"].as_str().unwrap(), found["code"].as_str().unwrap())
        });
        (document["counts"]["skills"].as_u64().unwrap(), found.collect::<Vec<_>>())
    };
    let old = "skills/old/SKILL.md no-frontmatter".to_owned();
    let gusts = "skills/winds/SKILL.md unmentioned-file".to_owned();
    let gone = "skills/winds/drafts/notes.md dead-link".to_owned();
    let deep = "skills/deep/below/SKILL.md misplaced-skill".to_owned();
    let rest = vec![gusts.clone(), gone.clone(), deep];
    assert_eq!(validated(json!({})), (3, [vec![old], rest].concat()));
    let rest = vec![gusts.clone(), gone.clone()];
    assert_eq!(validated(json!({"exclude": ["old", "deep"]})), (2, rest));
    assert_eq!(validated(json!({"include": ["tides"]})), (1, vec![]));
    assert_eq!(
        validated(json!({"include": ["winds"], "files": {"exclude": ["drafts"]}})),
        (1, vec![gusts])
    );
    let all = json!({"include": ["winds"], "files": {"exclude": ["drafts/**", "references/*"]}});
    assert_eq!(validated(all), (1, vec![]));
    assert_eq!(validated(json!({"exclude": ["old", "tides", "winds"]})), (0, vec![]));
    // A skill that is named is validated completely.
    let document = validate(&sandbox, ["--json", "skills/winds"]).json();
    assert_eq!(codes(&document), ["unmentioned-file", "dead-link"]);
    // A selection without a match is reported as by `sync`.
    sandbox.sources(&json!({"own": {"type": "path", "path": "skills", "include": ["tide"]}}));
    validate(&sandbox, [""; 0]).exits(2).says(["`own`", "did you mean `tides`?"]);
    sandbox.sources(&json!({"own": {"type": "path", "path": "skils"}}));
    validate(&sandbox, [""; 0]).exits(2).says(["skils"]);
}

#[test]
fn links_in_references_are_reported_with_their_file() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "project/skills/tides/SKILL.md",
        format!("{GOOD}\nRead [bays](references/bays.md).\n"),
    );
    sandbox.write(
        "project/skills/tides/references/bays.md",
        "# Bays\n\nSee [rivers](rivers.md), [top](../SKILL.md).\n",
    );
    let line = "skills/tides/references/bays.md:3:14: warning: the skill has no file `rivers.md` [dead-link]";
    validate(&sandbox, [""; 0])
        .succeeds()
        .prints([line, "  help: add the file, or remove the link"]);
    let document = validate(&sandbox, ["--json", "skills/tides"]).json();
    assert_eq!(document["findings"][0]["file"], "skills/tides/references/bays.md");
    assert_eq!(document["findings"][0]["line"], 3);
}

/// The number of open files does not grow with the number of skills.
#[cfg(target_os = "linux")]
#[test]
fn many_skills_need_few_open_files() {
    let sandbox = Sandbox::new();
    for number in 0..2000 {
        let text = GOOD.replace("tides", &format!("tides-{number}"));
        sandbox.write(
            format!("project/skills/tides-{number}/SKILL.md"),
            format!("{text}\nRead [a](references/a.md).\n"),
        );
        sandbox.write(format!("project/skills/tides-{number}/references/a.md"), "a");
    }
    // Two for each core, and those that the program itself has open.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let limit = format!("--nofile={}", 16 + 2 * cores);
    let run = sandbox.command(["validate", "--json"]).under("prlimit", [limit]).run().succeeds();
    assert_eq!(run.json()["counts"], json!({"skills": 2000, "errors": 0, "warnings": 0}));
}
