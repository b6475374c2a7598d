//! Selection and names of the skills of a source.

use crate::project::{Project, project};
use helix_skills_tests::Change;
use serde_json::{Value, json};

fn three_skills() -> Project {
    project(Change::new().skill("alpha").skill("beta").skill("gamma"))
}

impl Project {
    fn sync_takes(&self, select: Value, names: &[&str]) {
        self.select(select.clone());
        self.sandbox.skills(["sync"]).succeeds();
        assert_eq!(self.sandbox.locked_skills(), names, "{select}");
        let mut directories: Vec<_> = std::fs::read_dir(self.sandbox.path("project/helix.skills"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.contains('.'))
            .collect();
        directories.sort();
        assert_eq!(directories, names, "expected exactly the locked skills in the store: {select}");
    }
}

#[test]
fn include_exclude_rename_and_prefix() {
    let project = three_skills();
    project.sync_takes(json!({}), &["alpha", "beta", "gamma"]);
    project.sync_takes(json!({"include": ["gamma", "alpha"]}), &["alpha", "gamma"]);
    project.sync_takes(json!({"exclude": ["gamma"]}), &["alpha", "beta"]);
    project.sync_takes(json!({"rename": {"beta": "second"}}), &["alpha", "gamma", "second"]);
    project.sync_takes(json!({"prefix": "team-", "include": ["beta"]}), &["team-beta"]);
    // The same skill by its name and by its path.
    project.select(json!({"include": ["alpha", "beta"], "exclude": ["skills/alpha"]}));
    project.sandbox.skills(["sync"]).exits(2).says([
        "`include` names `alpha`, which `exclude` leaves out (at refs/heads/main)\n",
        "help: remove it from `include`, or its name or path from `exclude`\n",
    ]);
    project.select(json!({"prefix": "team-", "include": ["beta"]}));
    // Nothing is fetched twice: all trees came with the first sync.
    project.sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn selection_is_by_directory_and_names_by_frontmatter() {
    let project = project(Change::new().skill_at("skills/pdf-tools", "pdf").skill("other"));
    project.sync_takes(json!({"include": ["pdf-tools"]}), &["pdf"]);
    project.sync_takes(json!({"rename": {"pdf-tools": "documents"}}), &["documents", "other"]);
    project.select(json!({"include": ["pdf"]}));
    project.sandbox.skills(["sync"]).exits(2).says(["`pdf`", "pdf-tools"]);
}

#[test]
fn include_without_a_match_suggests_the_nearest() {
    let project = three_skills();
    project.select(json!({"include": ["alpha", "bets", "nothing-like-it"]}));
    let run = project.sandbox.skills(["sync"]).exits(2).says(["repo", "bets", "nothing-like-it"]);
    let after = &run.stderr[run.stderr.find("bets").unwrap()..];
    let place =
        |name: &str| after.find(name).unwrap_or_else(|| panic!("`{name}` is not suggested: {run}"));
    assert!(place("beta") < place("gamma"), "expected the nearest name first: {run}");
    assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn include_is_case_sensitive_and_not_a_pattern() {
    let project = three_skills();
    for name in ["Alpha", "al*", "alpha "] {
        project.select(json!({"include": [name]}));
        project.sandbox.skills(["sync"]).exits(2);
    }
}

#[test]
fn t09_duplicate_skill_names_are_an_error_with_both_paths() {
    let change = Change::new().skill_at("skills/one", "same").skill_at("skills/two", "same");
    // With the same tree, they would be one skill.
    let project = project(change.text("skills/two/notes.md", "x\n"));
    project.select(json!({}));
    project.sandbox.skills(["sync"]).exits(2).says(["`same`", "skills/one", "skills/two"]);
    assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
    project.sync_takes(json!({"rename": {"two": "other"}}), &["other", "same"]);

    // The same with two sources.
    project.sandbox.sources(&json!({
        "first": project.source(json!({"include": ["one"]})),
        "second": project.source(json!({"include": ["two"]})),
    }));
    let run = project.sandbox.skills(["sync"]).exits(2);
    run.says(["`same`", "skills/one", "skills/two", "first", "second"]);
    project.sandbox.sources(&json!({
        "first": project.source(json!({"include": ["one"]})),
        "second": project.source(json!({"include": ["two"], "prefix": "b-"})),
    }));
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.sandbox.locked_skills(), ["b-same", "same"]);
}

#[test]
fn invalid_skill_name_in_the_manifest_is_an_error() {
    let project = three_skills();
    for select in [
        json!({"rename": {"alpha": "../evil"}}),
        json!({"rename": {"alpha": "a/b"}}),
        json!({"prefix": "../"}),
    ] {
        project.select(select);
        project.sandbox.skills(["sync"]).exits(2).says(["helix.skills.json:"]);
    }
}

#[test]
fn excluded_files_are_not_stored_listed_or_locked() {
    let project = project(
        Change::new()
            .skill("a")
            .text("skills/a/logo.png", "png\n")
            .text("skills/a/deep/logo.png", "png\n")
            .text("skills/a/tests/x.md", "x\n")
            .text("skills/a/docs/x.md", "x\n"),
    );
    project.select(json!({"files": {"exclude": ["**/*.png", "tests/**"]}}));
    project.sandbox.skills(["sync"]).succeeds();
    let files = project.sandbox.files("project/helix.skills");
    assert_eq!(files, [".gitattributes", "a.sha256", "a/SKILL.md", "a/docs/x.md"]);
    assert_eq!(project.sandbox.lock_json()["skills"]["a"]["files"], 2);

    // A locked sync, which gets the whole tree of the skill, excludes them too.
    let lock = project.sandbox.lock();
    project.sandbox.remove_store();
    project.sandbox.remove_cache();
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.sandbox.files("project/helix.skills"), files);
    assert_eq!(project.sandbox.lock(), lock);

    // SKILL.md itself cannot be excluded.
    project.select(json!({"files": {"exclude": ["**"]}}));
    project.sandbox.skills(["sync"]).fails();
}

#[test]
fn unreadable_skills_are_listed_with_the_exclude_line() {
    let project = project(
        Change::new()
            .skill("good")
            .text("skills/no-frontmatter/SKILL.md", "--- yaml\nname: no-frontmatter\n---\nbody\n")
            .text("skills/no-description/SKILL.md", "---\nname: no-description\n---\n")
            .text("skills/bad-yaml/SKILL.md", "---\nname: [\n---\nbody\n")
            .bytes(
                "skills/not-utf8/SKILL.md",
                b"---\nname: not-utf8\ndescription: x\n---\n\xff\xfe\n",
            ),
    );
    project.select(json!({}));
    let bad = ["bad-yaml", "no-description", "no-frontmatter", "not-utf8"];
    let run = project.sandbox.skills(["sync"]).exits(1);
    for name in bad {
        assert!(
            run.stderr.contains(&format!("skills/{name}/SKILL.md")),
            "`{name}` is not listed: {run}"
        );
        assert!(
            run.stderr.contains(&format!("\"{name}\"")),
            "no line to paste for `{name}`: {run}"
        );
    }
    assert!(run.stderr.contains("\"exclude\""), "{run}");
    assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
    project.sync_takes(json!({"exclude": bad}), &["good"]);
}

#[test]
fn changed_selection_adds_and_removes_skills() {
    let project = three_skills();
    project.sync_takes(json!({"include": ["alpha", "beta"]}), &["alpha", "beta"]);
    project.upstream.commit(Change::new().text("skills/beta/new.md", "new\n"));
    project.sync_takes(json!({"include": ["beta", "gamma"]}), &["beta", "gamma"]);
    // If its pin is unchanged, a source keeps its commit.
    assert!(!project.sandbox.exists("project/helix.skills/beta/new.md"));
}

#[test]
fn skill_in_include_and_exclude_is_an_error() {
    let project = three_skills();
    project.select(json!({"include": ["alpha", "beta"], "exclude": ["alpha"]}));
    let run = project.sandbox.skills(["sync"]).exits(2);
    run.says(["`alpha` is refused: `include` has it, too; remove it from one of them"]);
}

#[test]
fn glob_that_excludes_skill_md_is_an_error() {
    let project = three_skills();
    project.select(json!({"files": {"exclude": ["*.md"]}, "include": ["alpha"]}));
    let run = project.sandbox.skills(["sync"]).exits(2);
    run.says(["`files.exclude` excludes the SKILL.md of `alpha`", "narrow the glob"]);
}
