//! Which skills of a source are taken, and under which names.

use crate::project::{Project, project};
use helix_skills_tests::Change;
use serde_json::{Value, json};

fn three() -> Project {
    project(Change::new().skill("alpha").skill("beta").skill("gamma"))
}

impl Project {
    fn takes(&self, select: Value, names: &[&str]) {
        self.select(select.clone());
        self.sandbox.skills(["sync"]).succeeds();
        assert_eq!(self.sandbox.locked_skills(), names, "{select}");
        let mut directories: Vec<_> = std::fs::read_dir(self.sandbox.path("project/helix.skills"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.contains('.'))
            .collect();
        directories.sort();
        assert_eq!(
            directories, names,
            "the store has the skills of the lock and no others: {select}"
        );
    }
}

#[test]
fn include_exclude_rename_and_prefix() {
    let project = three();
    project.takes(json!({}), &["alpha", "beta", "gamma"]);
    project.takes(json!({"include": ["gamma", "alpha"]}), &["alpha", "gamma"]);
    project.takes(json!({"exclude": ["gamma"]}), &["alpha", "beta"]);
    project.takes(json!({"include": ["alpha", "beta"], "exclude": ["beta"]}), &["alpha"]);
    project.takes(json!({"rename": {"beta": "second"}}), &["alpha", "gamma", "second"]);
    project.takes(json!({"prefix": "team-", "include": ["beta"]}), &["team-beta"]);
    // Nothing is fetched twice: every tree came with the first sync.
    project.sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn directories_are_selected_and_names_come_from_the_frontmatter() {
    let project = project(Change::new().skill_at("skills/pdf-tools", "pdf").skill("other"));
    project.takes(json!({"include": ["pdf-tools"]}), &["pdf"]);
    project.takes(json!({"rename": {"pdf-tools": "documents"}}), &["documents", "other"]);
    project.select(json!({"include": ["pdf"]}));
    project.sandbox.skills(["sync"]).exits(2).says(["`pdf`", "pdf-tools"]);
}

#[test]
fn an_include_that_matches_nothing_names_it_and_what_there_is_nearest_first() {
    let project = three();
    project.select(json!({"include": ["alpha", "bets", "nothing-like-it"]}));
    let run = project.sandbox.skills(["sync"]).exits(2).says(["repo", "bets", "nothing-like-it"]);
    let after = &run.stderr[run.stderr.find("bets").unwrap()..];
    let place =
        |name: &str| after.find(name).unwrap_or_else(|| panic!("`{name}` is not offered: {run}"));
    assert!(place("beta") < place("gamma"), "nearest first: {run}");
    assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn an_include_is_exact_about_case_and_is_no_pattern() {
    let project = three();
    for name in ["Alpha", "al*", "alpha "] {
        project.select(json!({"include": [name]}));
        project.sandbox.skills(["sync"]).exits(2);
    }
}

#[test]
fn t09_two_skills_of_one_name_are_an_error_that_names_both_places() {
    let project =
        project(Change::new().skill_at("skills/one", "same").skill_at("skills/two", "same"));
    project.select(json!({}));
    project.sandbox.skills(["sync"]).exits(2).says(["`same`", "skills/one", "skills/two"]);
    assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
    project.takes(json!({"rename": {"two": "other"}}), &["other", "same"]);

    // The same of two sources.
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
fn a_name_that_no_skill_can_have_is_refused_in_the_manifest() {
    let project = three();
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
fn files_exclude_leaves_files_out_of_store_listing_and_lock() {
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

    // From the lock alone, which has the whole tree of the skill, too.
    let lock = project.sandbox.lock();
    project.sandbox.remove_store();
    project.sandbox.remove_cache();
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.sandbox.files("project/helix.skills"), files);
    assert_eq!(project.sandbox.lock(), lock);

    // SKILL.md itself cannot be left out.
    project.select(json!({"files": {"exclude": ["**"]}}));
    project.sandbox.skills(["sync"]).fails();
}

#[test]
fn skills_that_cannot_be_read_are_all_listed_with_the_line_that_leaves_them_out() {
    let project = project(
        Change::new()
            .skill("good")
            .text("skills/no-frontmatter/SKILL.md", "# Just text\n")
            .text("skills/no-description/SKILL.md", "---\nname: no-description\n---\nbody\n")
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
    project.takes(json!({"exclude": bad}), &["good"]);
}

#[test]
fn a_changed_selection_fetches_what_is_new_and_removes_what_left() {
    let project = three();
    project.takes(json!({"include": ["alpha", "beta"]}), &["alpha", "beta"]);
    project.upstream.commit(Change::new().text("skills/beta/new.md", "new\n"));
    project.takes(json!({"include": ["beta", "gamma"]}), &["beta", "gamma"]);
    // The commit of a source whose pin is the same stays.
    assert!(!project.sandbox.exists("project/helix.skills/beta/new.md"));
}

#[test]
fn a_glob_that_takes_the_skill_md_away_is_a_mistake_of_the_manifest() {
    let project = three();
    project.select(json!({"files": {"exclude": ["*.md"]}, "include": ["alpha"]}));
    let run = project.sandbox.skills(["sync"]).exits(2);
    run.says(["`files.exclude` leaves out the SKILL.md of `alpha`", "narrow the glob"]);
}
