//! Small repositories made after public bug reports, as bundles in a directory next to the
//! checkout.

use helix_skills_tests::{GitServer, Run, Sandbox, upstream::git_command};
use serde_json::{Value, json};
use std::path::Path;

/// A project, and repositories from bundles.
struct Field {
    // Dropped before the directories that it serves.
    server: GitServer,
    sandbox: Sandbox,
}

impl Field {
    fn new(names: &[&str]) -> Self {
        let sandbox = Sandbox::new();
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/field");
        for name in names {
            let mut git = git_command();
            git.args(["clone", "--quiet", "--bare"]);
            git.arg(directory.join(format!("{name}.bundle")));
            git.arg(sandbox.path(format!("upstream/{name}.git")));
            assert!(git.output().unwrap().status.success(), "{name}");
        }
        let server = sandbox.serve();
        Self { server, sandbox }
    }

    /// Syncs a manifest with these sources: a repository each, with further keys.
    fn sync(&self, sources: &[(&str, Value)]) -> Run {
        let source = |(name, keys): &(&str, Value)| {
            let mut source = json!({"type": "git", "url": self.server.url(name)});
            source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
            ((*name).to_owned(), source)
        };
        self.sandbox.sources(&Value::Object(sources.iter().map(source).collect()));
        self.sandbox.skills(["sync"])
    }

    fn add(&self, name: &str, arguments: &[&str]) -> Run {
        self.sandbox.forget();
        self.sandbox.sources(&json!({}));
        self.sandbox.skills(["add", &self.server.url(name)].iter().chain(arguments))
    }
}

#[test]
fn c02_root_skill_hides_no_other() {
    let field = Field::new(&["C02", "C02b"]);
    field.sync(&[("C02", json!({}))]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["dd-a", "dd-b", "hub"]);
    field.add("C02", &["--include", "inner"]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["inner"]);
    // Next to a directory `skills`, it is taken by its name, or with the whole repository.
    field.add("C02b", &[]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["a", "b"]);
    field.add("C02b", &["--include", "hub"]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["hub"]);
    field.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    field.add("C02b", &["--skills-dir", "."]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["a", "b", "hub"]);
}

/// Runs the only command that a failed `skills add` offers, and returns the number of skills.
fn taken_by_the_printed_command(field: &Field, name: &str, code: i32) -> usize {
    let run = field.add(name, &["--all"]).exits(code);
    let [command] = run.offered().try_into().unwrap();
    field.sandbox.skills(command.split(' ').skip(1)).succeeds();
    field.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    field.sandbox.locked_skills().len()
}

#[test]
fn refused_skills_are_left_out_by_the_printed_command() {
    for (name, code, refused, taken) in [
        ("C07", 6, "error: 5 of 18 skills of the source `C07` cannot be taken", 13),
        ("C09", 1, "error: 5 of 10 skills of the source `C09` cannot be taken", 5),
        ("C10", 1, "error: 12 of 33 skills of the source `C10` cannot be taken", 21),
        ("C19", 1, "skills/withsub/lib: it is a submodule, which is not fetched", 1),
    ] {
        let field = Field::new(&[name]);
        field.add(name, &["--all"]).exits(code).says([refused]);
        assert_eq!(taken_by_the_printed_command(&field, name, code), taken, "{name}");
    }
}

#[test]
fn c19_submodules_are_named_with_their_url() {
    let field = Field::new(&["C19"]);
    let url = "http://127.0.0.1:38405/case/C21.git";
    let hint = format!("`skills/vendor` is a submodule: run `skills add {url}`");
    field.add("C19", &["--include", "vendor"]).exits(2).says([&*hint]);
    field.sync(&[("C19", json!({"skillsDir": "skills/vendor"}))]).exits(2).says([&*hint]);
    field.add("C19", &["--include", "own"]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["own"]);
    // In a skill, its files are missing.
    let run = field.sync(&[("C19", json!({}))]).exits(1);
    run.says(["skills/withsub/lib", "submodule"]);
}

#[test]
fn c18_files_outside_of_a_skill_are_named_when_it_is_added() {
    let field = Field::new(&["C18"]);
    let run = field.add("C18", &[]).succeeds();
    let outside =
        "of `audit` refer to files outside of their skills, which are not taken: `shared/flow.md`";
    run.says([format!("warning: the source `C18`: texts {outside}")]);
    field.sandbox.skills(["update"]).succeeds().never_prints("outside");
}

#[test]
fn c19_named_skills_that_are_refused_are_not_named_again() {
    let field = Field::new(&["C19"]);
    let url = field.server.url("C19");
    let run = field.add("C19", &["--include", "withsub,own"]).exits(1);
    assert_eq!(run.offered(), [format!("skills add {url} --include own")]);
    // Nothing else was named.
    let run = field.add("C19", &["--include", "withsub"]).exits(1);
    assert!(run.offered().is_empty());
    run.says(["skills/withsub/lib: it is a submodule, which is not fetched"]);
}

#[test]
fn c42_named_skills_are_added_by_the_printed_command() {
    let field = Field::new(&["C42"]);
    let run = field.add("C42", &["--include", "a"]).succeeds();
    let url = field.server.url("C42");
    assert_eq!(run.offered()[0], format!("skills add {url} --include b,c"));
    run.says(["texts of `a` name skills that are not selected"]);
    field.sandbox.skills(["add", &url, "--include", "b,c"]).succeeds().never_prints("name skills");
    assert_eq!(field.sandbox.locked_skills(), ["a", "b", "c"]);
    // What the user excluded is no news.
    field.add("C42", &["--exclude", "b,c"]).succeeds().never_prints("name skills");
}

#[test]
fn c21_each_form_of_an_address_is_the_skill() {
    let field = Field::new(&["C21"]);
    let base = field.server.base();
    let config = format!("[url \"{base}/\"]\n\tinsteadOf = https://github.com/someone/\n");
    field.sandbox.write("home/.gitconfig", config);
    for address in [
        "someone/C21",
        "someone/C21@a",
        "someone/C21/skills/a",
        "https://github.com/someone/C21",
        "https://github.com/someone/C21.git",
        "https://github.com/someone/C21/tree/main/skills/a",
        "https://github.com/someone/C21/blob/main/skills/a/SKILL.md",
        "skills.sh/someone/C21/a",
    ] {
        field.sandbox.forget();
        field.sandbox.sources(&json!({}));
        field.sandbox.skills(["add", address]).succeeds();
        assert_eq!(field.sandbox.locked_skills(), ["a"], "{address}");
    }
}

#[test]
fn c24_update_takes_changes_and_new_skills() {
    let field = Field::new(&["C24"]);
    let url = field.server.url("C24");
    let mut git = git_command();
    git.arg("--git-dir").arg(field.sandbox.path("upstream/C24.git"));
    let first = git.args(["rev-parse", "main^"]).output().unwrap().stdout;
    let first = String::from_utf8(first).unwrap();
    field.sync(&[("C24", json!({"sha": first.trim()}))]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["a", "b", "c", "d"]);
    field.sandbox.skills(["add", &url, "--ref", "main"]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["a", "b", "c", "d", "e"]);
    assert!(field.sandbox.read("project/helix.skills/a/SKILL.md").contains("Changed."));
}

#[test]
fn c32_odd_names_work_or_are_refused_one_by_one() {
    let field = Field::new(&["C32a", "C32b", "C32c", "C32d", "C32e"]);
    let run = field.sync(&[("C32a", json!({}))]).exits(2);
    run.says(["it uses SHA-256 object ids", "help: use a mirror with SHA-1 ids"]);
    // Directories that differ in case.
    field.sync(&[("C32b", json!({}))]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["pdf-one", "pdf-two"]);
    field.sync(&[("C32b", json!({"include": ["PDF"]}))]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["pdf-one"]);
    // Characters of shells in directories, in two categories.
    field.sync(&[("C32c", json!({}))]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["etl", "tlc"]);
    let run = field.add("C32c", &["--include", "packages/catalog/skills/(data)/etl"]);
    run.succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["etl"]);
    // Files that not every system can have.
    let run = field.sync(&[("C32d", json!({}))]).exits(1);
    run.says(["skills/a/references/", "a:b.md", "con.md", "trailing."]);
    let run = field.sync(&[("C32e", json!({}))]).exits(1);
    run.says(["skills/a/readme.md: its name is that of `README.md` on some file systems"]);
}

#[test]
fn c39_equal_names_of_two_sources_are_an_error() {
    let field = Field::new(&["C39a", "C39b"]);
    let run = field.sync(&[("C39a", json!({})), ("C39b", json!({}))]).exits(2);
    run.says(["`pdf`", "C39a", "C39b"]);
    let included = json!({"include": ["docx"]});
    field.sync(&[("C39a", json!({})), ("C39b", included)]).succeeds();
    assert_eq!(field.sandbox.locked_skills(), ["docx", "pdf"]);
}
