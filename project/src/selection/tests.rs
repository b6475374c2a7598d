//! The rule as a table: which skills of a commit a source takes.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::manifest::Manifest;
use serde_json::{Value, json};
use std::{collections::HashMap, convert::Infallible};

/// The skills of a commit, such as `skills/a=1 more/a=1 b`: paths, with the same text behind `=` if
/// they have the same tree.
struct Commit(Vec<Skill>);

#[derive(Clone)]
struct Skill {
    path: DirPath,
    name: String,
    tree: Option<ObjectId>,
}

impl Place for Skill {
    fn name(&self) -> &str {
        &self.name
    }

    fn path(&self) -> &DirPath {
        &self.path
    }

    fn copied_tree(&self) -> Option<ObjectId> {
        self.tree
    }
}

impl Commit {
    fn new(skills: &str) -> Self {
        let skill = |text: &str| {
            let (path, tree) = match text.split_once('=') {
                Some((path, tree)) => (path, Some(tree.repeat(40).parse().unwrap())),
                None => (text, None),
            };
            let path = DirPath::new(path).unwrap();
            let name = path.file_name().unwrap_or("repo").to_owned();
            Skill { path, name, tree }
        };
        Self(skills.split_whitespace().map(skill).collect())
    }
}

impl Commit {
    fn below(&self, directory: &DirPath, depth: Depth) -> Vec<Skill> {
        let levels = |path: &DirPath| path.parts().count();
        let hides = |outer: &DirPath, inner: &DirPath| {
            !outer.is_root() && outer != inner && directory.contains(outer) && outer.contains(inner)
        };
        let is_found = |skill: &&Skill| {
            let path = &skill.path;
            let searches = |part: &&str| depth.searches(part);
            directory.contains(path)
                && path.parts().skip(levels(directory)).all(|part| searches(&part))
                && (depth != Depth::One || levels(path) <= levels(directory) + 1)
                && (depth == Depth::Everything
                    || !self.0.iter().any(|outer| hides(&outer.path, path)))
        };
        self.0.iter().filter(is_found).cloned().collect()
    }

    fn at(&self, paths: &[DirPath]) -> Vec<Skill> {
        self.0.iter().filter(|skill| paths.contains(&skill.path)).cloned().collect()
    }
}

fn key() -> SourceKey {
    SourceKey::new("repo").unwrap()
}

/// Returns an entry of a manifest with these fields.
fn entry(fields: &Value) -> Source {
    let mut entry = json!({"type": "git", "url": "https://example.com/repo.git"});
    entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let manifest = json!({"skills": {"repo": entry}}).to_string();
    Manifest::parse(&manifest).unwrap().sources[&key()].clone()
}

/// What the lockfile has: an entry, and the paths of its skills.
struct Locked {
    entry: Value,
    paths: &'static str,
    is_same_commit: bool,
}

/// Selects the skills of a source as `open` does, and returns their paths, then what was noticed,
/// one line each.
fn taken(skills: &str, fields: &Value, locked: Option<&Locked>) -> Vec<String> {
    let (commit, source) = (Commit::new(skills), entry(fields));
    let before_entry = locked.map(|locked| entry(&locked.entry));
    let before = locked.zip(before_entry.as_ref()).map(|(locked, entry)| Before {
        entry,
        paths: locked.paths.split_whitespace().map(|path| DirPath::new(path).unwrap()).collect(),
        is_same_commit: locked.is_same_commit,
    });
    let below = |directory: &DirPath, depth| Ok::<_, Infallible>(commit.below(directory, depth));
    let Ok(mut found) = scope(&source, below);
    let in_scope = found.len();
    let include = source.select.include.iter().flatten().filter(|key| key.contains('/'));
    let mut named: BTreeSet<DirPath> = include.map(|key| DirPath::new(key).unwrap()).collect();
    named.extend(before.iter().flat_map(|before| before.paths.iter().cloned()));
    named.retain(|path| !found.iter().any(|skill| skill.path == *path));
    let named: Vec<DirPath> = named.into_iter().collect();
    found.extend(commit.at(&named));
    // Only directories with the same tree are copies.
    let mut counts: HashMap<ObjectId, usize> = HashMap::new();
    found.iter().filter_map(|skill| skill.tree).for_each(|id| *counts.entry(id).or_default() += 1);
    for skill in &mut found {
        skill.tree = skill.tree.filter(|tree| counts[tree] > 1 && !skill.path.is_root());
    }
    let (scope, others) = found.split_at(in_scope);
    let selection = select((&key(), &source), scope, others, before.as_ref());
    let paths: Vec<String> = selection.paths.iter().map(path_key).collect();
    let mut lines = vec![paths.join(" ")];
    for (name, paths) in &selection.unclear {
        let paths: Vec<String> = paths.iter().map(path_key).collect();
        lines.push(format!("unclear {name}: {}", paths.join(" ")));
    }
    lines.extend(selection.left_out.iter().map(|name| format!("left out {name}")));
    lines.extend(selection.unused.iter().map(|(field, name)| format!("unused {field} {name}")));
    lines.extend(selection.notes);
    let count = Some(selection.also_found).filter(|count| *count > 0);
    lines.extend(count.map(|count| format!("also found: {count}")));
    lines
}

type Row = (&'static str, Value, &'static [&'static str]);

fn check(rows: Vec<Row>) {
    for (skills, fields, expected) in rows {
        assert_eq!(taken(skills, &fields, None), expected, "{skills} with {fields}");
    }
}

#[test]
fn scope_is_searched_at_any_depth() {
    let all = "skills/a skills/x/y/b plugins/p/skills/c d .claude/skills/e tests/f";
    check(vec![
        // The directory `skills`, else what is visible, else hidden directories.
        (all, json!({}), &["skills/a skills/x/y/b"]),
        (all, json!({"skillsDir": "skills"}), &["skills/a skills/x/y/b"]),
        ("plugins/p/skills/c d .claude/skills/e", json!({}), &["./d plugins/p/skills/c"]),
        (".claude/skills/e .agents/f", json!({}), &[".agents/f .claude/skills/e"]),
        ("README", json!({"skillsDir": "skills/none"}), &[""]),
        // Directories for tests and backups only if they are named.
        (
            "a test/b tests/c __tests__/d e2e/e fixtures/f testdata/g backup/h backups/i x/tests/j",
            json!({}),
            &["./a"],
        ),
        ("tests/c .hidden/tests/d .hidden/e", json!({}), &[".hidden/e"]),
        ("skills/tests/a tests/b", json!({}), &["skills/tests/a"]),
        (all, json!({"skillsDir": "tests"}), &["tests/f"]),
        // Those of installed or built files never.
        ("a node_modules/b dist/c build/d __pycache__/e x/node_modules/y/f", json!({}), &["./a"]),
        ("skills/node_modules/b skills/a", json!({"skillsDir": "skills"}), &["skills/a"]),
        // Named directories, and the whole repository.
        (all, json!({"skillsDir": "plugins"}), &["plugins/p/skills/c"]),
        (all, json!({"skillsDir": ".claude/skills"}), &[".claude/skills/e"]),
        (
            all,
            json!({"skillsDir": ["plugins", ".claude"]}),
            &[".claude/skills/e plugins/p/skills/c"],
        ),
        (all, json!({"skillsDir": ["skills", "skills/x"]}), &["skills/a skills/x/y/b"]),
        (all, json!({"skillsDir": "."}), &["./d plugins/p/skills/c skills/a skills/x/y/b"]),
        (
            all,
            json!({"skillsDir": [".", ".claude"]}),
            &[".claude/skills/e ./d plugins/p/skills/c skills/a skills/x/y/b"],
        ),
        // A named directory without skills has no fallback.
        (all, json!({"skillsDir": "docs"}), &[""]),
    ]);
}

#[test]
fn outermost_skills_are_taken() {
    check(vec![
        ("skills/a skills/a/inner skills/a/x/y skills/b", json!({}), &["skills/a skills/b"]),
        ("skills/a skills/a/inner", json!({"skillsDir": "skills/a"}), &["skills/a"]),
        ("skills/a skills/a/x/y", json!({"skillsDir": "skills/a/x"}), &["skills/a/x/y"]),
        // The skill at the root hides nothing.
        (". a b/c", json!({}), &["./ ./a b/c"]),
        (".", json!({}), &["./"]),
        (". skills/a", json!({}), &["skills/a"]),
        (". skills/a", json!({"skillsDir": "."}), &["./ skills/a"]),
    ]);
}

#[test]
fn include_takes_names_in_the_scope_and_any_paths() {
    let all = ". skills/a skills/a/inner skills/x/b plugins/p/c d";
    let include = |keys: &[&str]| json!({ "include": keys });
    check(vec![
        (all, include(&["a", "b"]), &["skills/a skills/x/b"]),
        (all, include(&[]), &[""]),
        // Out of the scope, and in a skill, only a path names a skill.
        (all, include(&["a", "c"]), &["skills/a", "unclear c: "]),
        (all, include(&["inner"]), &["", "unclear inner: "]),
        (all, include(&["plugins/p/c", "a"]), &["plugins/p/c skills/a"]),
        (all, include(&["skills/a/inner"]), &["skills/a/inner"]),
        (all, include(&["skills/a", "skills/a/inner"]), &["skills/a skills/a/inner"]),
        (all, include(&["./d"]), &["./d"]),
        (all, include(&["./"]), &["./"]),
        (all, include(&["d"]), &["", "unclear d: "]),
        (all, include(&["plugins/p"]), &["", "unclear plugins/p: "]),
        (all, include(&["nope", "no/pe"]), &["", "unclear no/pe: ", "unclear nope: "]),
        // The root has the name of the repository.
        (". a", include(&["repo"]), &["./"]),
        // Case matters, and a name is not a pattern.
        (all, include(&["A", "*"]), &["", "unclear *: ", "unclear A: "]),
        // The same directory twice.
        (all, include(&["a", "skills/a"]), &["skills/a"]),
    ]);
}

#[test]
fn copies_are_one_skill() {
    let include = json!({"include": ["a"]});
    check(vec![
        // The path with the fewest directories, then the first one.
        ("x/y/a=1 z/a=1 y/a=1", json!({}), &["y/a"]),
        ("x/y/a=1 z/a=1 y/a=1", include.clone(), &["y/a"]),
        ("x/a=1 y/a=1", json!({}), &["x/a"]),
        // By the same name only.
        ("x/a=1 y/b=1", json!({}), &["x/a y/b"]),
        // Not by name, if they differ.
        ("x/a=1 y/a=2", json!({}), &["x/a y/a"]),
        ("x/a=1 y/a=2", include.clone(), &["", "unclear a: x/a y/a"]),
        ("x/a=1 y/a=2 z/z/a=1", include.clone(), &["", "unclear a: x/a y/a"]),
        ("x/a y/a", include.clone(), &["", "unclear a: x/a y/a"]),
        ("x/a=1 y/a=2", json!({"include": ["y/a"]}), &["y/a"]),
        // Copies out of the scope do not count.
        ("skills/x/y/a=1 a=1", json!({}), &["skills/x/y/a"]),
        ("skills/x/y/a=1 a=2", include.clone(), &["skills/x/y/a"]),
        // A copy that is named by its path is taken.
        ("skills/a=1 skills/x/a=1", json!({"include": ["skills/x/a"]}), &["skills/x/a"]),
        // A skill that is excluded by the path of one copy does not come back from another.
        ("skills/a=1 skills/x/a=1 skills/b", json!({"exclude": ["skills/x/a"]}), &["skills/b"]),
        ("skills/a=1 x/b=1", json!({"skillsDir": ".", "exclude": ["skills/a"]}), &["x/b"]),
        // The root is never a copy.
        (".=1 a=1", json!({}), &["./ ./a"]),
    ]);
}

#[test]
fn exclude_and_rename_name_skills_of_the_scope() {
    let all = "skills/a skills/x/b skills/y/b c";
    check(vec![
        ("x/a=1 y/a=2", json!({"include": ["a"], "exclude": ["y/a"]}), &["x/a"]),
        ("x/a", json!({"include": ["a"], "exclude": ["x/a"]}), &["", "left out a"]),
        ("skills/a d/a", json!({"include": ["a", "d/a"]}), &["d/a skills/a"]),
        (all, json!({"exclude": ["b"]}), &["skills/a"]),
        (all, json!({"exclude": ["skills/y/b"]}), &["skills/a skills/x/b"]),
        (all, json!({"exclude": ["c", "a"]}), &["skills/x/b skills/y/b", "unused exclude c"]),
        (
            all,
            json!({"exclude": ["skills/none"], "rename": {"none": "x", "a": "y", "skills/x/b": "z"}}),
            &["skills/a skills/x/b skills/y/b", "unused exclude skills/none", "unused rename none"],
        ),
        (all, json!({"include": ["a"], "exclude": ["b"]}), &["skills/a"]),
    ]);
}

#[test]
fn locked_directories_stay() {
    let rows: Vec<(&str, Value, &str, &[&str])> = vec![
        // A copy with fewer directories.
        ("x/y/a=1 b/a=1", json!({}), "x/y/a", &["x/y/a"]),
        ("x/y/a=1 b/a=1", json!({"include": ["a"]}), "x/y/a", &["x/y/a"]),
        // Another skill of that name.
        (
            "x/y/a=1 b/a=2",
            json!({"include": ["a"]}),
            "x/y/a",
            &["x/y/a", "the source `repo`: `a` stays in `x/y/a`, and is also in `b/a`"],
        ),
        // The scope has moved: `skills` did not exist when the source was locked.
        (
            "skills/a=1 x/a=2",
            json!({"include": ["a"]}),
            "x/a",
            &["x/a", "the source `repo`: `a` stays in `x/a`, and is also in `skills/a`"],
        ),
        (
            "skills/a=1 skills/b x/a=2 x/c",
            json!({}),
            "x/a x/c",
            &[
                "skills/b x/a x/c",
                "the source `repo`: `a` stays in `x/a`, and is also in `skills/a`",
            ],
        ),
        // Not if the entry names a directory, or the path is gone.
        (
            "skills/a=1 x/a=2",
            json!({"skillsDir": "skills"}),
            "x/a",
            &["x/a", "the source `repo`: `a` stays in `x/a`, and is also in `skills/a`"],
        ),
        ("lib/a=1 x/a=2", json!({"skillsDir": "lib", "include": ["a"]}), "x/a", &["lib/a"]),
        ("x/a=1 y/a=2", json!({"include": ["a"]}), "z/a", &["", "unclear a: x/a y/a"]),
        ("x/a=1", json!({"include": ["z/a"]}), "z/a", &["", "unclear z/a: "]),
        ("x/a=1", json!({}), "z/a", &["x/a"]),
        // Of several locked ones, a name means none.
        ("x/a=1 y/a=2", json!({"include": ["a"]}), "x/a y/a", &["", "unclear a: x/a y/a"]),
    ];
    for (skills, fields, paths, expected) in rows {
        let locked = Locked { entry: fields.clone(), paths, is_same_commit: false };
        let found = taken(skills, &fields, Some(&locked));
        assert_eq!(found, expected, "{skills} with {fields}, locked {paths}");
    }
}

const MORE: &str = "also found: 2";

/// An older lockfile, or one that was merged, has not all skills that the rule finds.
#[test]
fn locked_commit_gets_no_other_skills() {
    let all = "skills/a skills/x/b skills/x/c";
    let rows: Vec<(Value, Value, &str, bool, &[&str])> = vec![
        (json!({}), json!({}), "skills/a", true, &["skills/a", MORE]),
        (json!({}), json!({"prefix": "x-"}), "skills/a", true, &["skills/a", MORE]),
        // With another commit, all are taken.
        (json!({}), json!({}), "skills/a", false, &["skills/a skills/x/b skills/x/c"]),
        // So are skills that the manifest names, or that the old entry could not have.
        (json!({}), json!({"include": ["b"]}), "skills/a", true, &["skills/x/b"]),
        (
            json!({"include": ["a"]}),
            json!({}),
            "skills/a",
            true,
            &["skills/a skills/x/b skills/x/c"],
        ),
        (
            json!({"exclude": ["b", "c"]}),
            json!({"exclude": ["c"]}),
            "skills/a",
            true,
            &["skills/a skills/x/b"],
        ),
        (
            json!({"skillsDir": "lib"}),
            json!({}),
            "lib/a",
            true,
            &["skills/a skills/x/b skills/x/c"],
        ),
    ];
    for (before, fields, paths, is_same_commit, expected) in rows {
        let locked = Locked { entry: before.clone(), paths, is_same_commit };
        let found = taken(all, &fields, Some(&locked));
        assert_eq!(found, expected, "{fields} after {before}");
    }
}

#[test]
fn most_visible_directories_come_first() {
    let rows = [("skills/a", 0), (".", 0), (".claude/a", 1), ("x/tests/a", 2), (".x/backup/a", 2)];
    for (path, expected) in rows {
        assert_eq!(visibility(&DirPath::new(path).unwrap()), expected, "{path}");
    }
}

/// The lockfile must not name a directory that a source never searches.
#[test]
fn directories_that_are_never_searched_are_not_selected() {
    for (fields, path, expected) in [
        (json!({}), "skills/a", true),
        (json!({}), "skills/tests/a", true),
        (json!({}), "plugins/p/skills/a", true),
        (json!({}), ".agents/skills/a", true),
        (json!({}), "tests/fixtures/a", false),
        (json!({}), "node_modules/x/a", false),
        (json!({"skillsDir": "."}), "e2e/a", false),
        (json!({"skillsDir": "tests"}), "tests/fixtures/a", true),
        (json!({"skillsDir": "tests"}), "tests/build/a", false),
        (json!({"skillsDir": ["x", "y"]}), "z/a", false),
        (json!({"include": ["a"]}), "backup/a", false),
        (json!({"include": ["backup/a"]}), "backup/a", true),
    ] {
        let (source, path) = (entry(&fields), DirPath::new(path).unwrap());
        assert_eq!(may_select(&key(), &source, &path), expected, "{path} with {fields}");
    }
}
