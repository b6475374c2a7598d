//! If `sync --check --store` passes, `sync --locked --frozen` has nothing to do; the reverse holds
//! without the proof of origin, which a sync without changes does not need.
//!
//! Projects and edits are generated. `HELIX_SEED` is the first number for the generator [default: a
//! fixed one], and `HELIX_EDITS` the number of edited projects.

use helix_skills_tests::{Change, Sandbox};
use serde_json::{Value, json};
use std::{env, fs, process::Command};

/// The default of `HELIX_EDITS`.
const EDITS: u64 = 60;

/// A small generator of pseudorandom numbers (xorshift64*).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).unwrap() % bound
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

fn variable(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// A sandbox with two repositories and a directory of skills, and a project that is synced.
fn synced() -> Sandbox {
    let sandbox = Sandbox::new();
    let one = sandbox.upstream("one");
    let change = Change::new().skill("a").skill("b").skill("c");
    one.commit(change.text("skills/a/docs/x.md", "x\n").executable("skills/a/run.sh", "exit\n"));
    one.tag("v1.0.0");
    let two = sandbox.upstream("two");
    two.commit(Change::new().skill("d"));
    two.tag("v2.0.0");
    for name in ["mine", "yours"] {
        let text = format!("---\nname: {name}\ndescription: Does {name} things.\n---\nDo it.\n");
        sandbox.write(format!("project/own/{name}/SKILL.md"), text);
    }
    sandbox.sources(&json!({
        "one": {"type": "git", "url": "../upstream/one.git", "version": "1.0.0", "exclude": ["c"]},
        "two": {"type": "git", "url": "../upstream/two.git", "version": "2.0.0"},
        "own": {"type": "path", "path": "own"},
    }));
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

/// Changes a JSON file of the project, if it is there.
fn change(sandbox: &Sandbox, file: &str, edit: impl FnOnce(&mut Value)) {
    let path = format!("project/{file}");
    if sandbox.exists(&path) {
        let mut value: Value = serde_json::from_str(&sandbox.read(&path)).unwrap();
        edit(&mut value);
        sandbox.write(&path, format!("{value:#}\n"));
    }
}

fn remove_key(value: &mut Value, key: &str) {
    if let Some(object) = value.as_object_mut() {
        object.remove(key);
    }
}

/// Makes one change that a user, a merge or a tool could make, and returns its description.
fn edit(sandbox: &Sandbox, numbers: &mut Numbers) -> String {
    const MANIFEST: &str = "helix.skills.json";
    const LOCK: &str = "helix.skills.lock";
    let stored = numbers.pick(&["a/SKILL.md", "a/docs/x.md", "a/run.sh", "b/SKILL.md", "d.sha256"]);
    let stored = format!("project/helix.skills/{stored}");
    let skill = numbers.pick(&["a", "b", "d", "mine"]);
    let source = numbers.pick(&["one", "two", "own"]);
    match numbers.below(29) {
        0 => {
            sandbox.write(&stored, "edited\n");
            format!("write {stored}")
        }
        1 => {
            sandbox.remove(&stored);
            format!("remove {stored}")
        }
        2 => {
            let name = numbers.pick(&["new.md", ".DS_Store", "docs/x.md~", "__pycache__/x.pyc"]);
            sandbox.write(format!("project/helix.skills/a/{name}"), "new\n");
            format!("add {name} to the store")
        }
        3 => {
            sandbox.remove(format!("project/helix.skills/{skill}"));
            format!("remove {skill} from the store")
        }
        4 => {
            sandbox.remove(format!("project/helix.skills/{skill}"));
            sandbox.remove(format!("project/helix.skills/{skill}.sha256"));
            format!("remove {skill} and its listing from the store")
        }
        5 => {
            sandbox.write("project/helix.skills/stranger/SKILL.md", "# Hello\n");
            "add an unknown directory to the store".to_owned()
        }
        6 => {
            sandbox.remove_store();
            "remove the store".to_owned()
        }
        7 => {
            sandbox.remove_cache();
            "empty the cache".to_owned()
        }
        8 => {
            let text = numbers.pick(&["", "* text=auto\n"]);
            sandbox.write("project/helix.skills/.gitattributes", text);
            format!("write {text:?} to .gitattributes")
        }
        9 => {
            sandbox.remove("project/helix.skills/.gitattributes");
            "remove .gitattributes".to_owned()
        }
        10 => {
            let names = [json!(["a"]), json!(["c"]), json!([]), json!(["a", "b"])];
            let names = names[numbers.below(names.len())].clone();
            let field = numbers.pick(&["include", "exclude"]);
            change(sandbox, MANIFEST, |it| it["skills"][source][field] = names.clone());
            format!("set {field} of {source} to {names}")
        }
        11 => {
            change(sandbox, MANIFEST, |it| it["skills"][source]["prefix"] = json!("x-"));
            format!("set prefix of {source}")
        }
        12 => {
            change(sandbox, MANIFEST, |it| it["skills"][source]["rename"] = json!({"a": "z"}));
            format!("rename a of {source}")
        }
        13 => {
            change(sandbox, MANIFEST, |it| remove_key(&mut it["skills"], source));
            format!("remove the source {source}")
        }
        14 => {
            change(sandbox, MANIFEST, |it| {
                let entry = it["skills"][source].clone();
                remove_key(&mut it["skills"], source);
                it["skills"]["other"] = entry;
            });
            format!("rename the source {source}")
        }
        15 => {
            let version = numbers.pick(&["1.0.0", "^1", "3.0.0"]);
            change(sandbox, MANIFEST, |it| it["skills"]["one"]["version"] = json!(version));
            format!("pin one to {version}")
        }
        16 => {
            let limits = json!({"bytesPerSkill": numbers.below(200)});
            change(sandbox, MANIFEST, |it| it["limits"] = limits.clone());
            format!("set limits to {limits}")
        }
        17 => {
            change(sandbox, LOCK, |it| remove_key(&mut it["skills"], skill));
            format!("remove {skill} from the lockfile")
        }
        18 => {
            change(sandbox, LOCK, |it| remove_key(&mut it["sources"], source));
            format!("remove {source} from the lockfile")
        }
        19 => {
            sandbox.remove("project/helix.skills.lock");
            "remove the lockfile".to_owned()
        }
        20 => {
            let name = numbers.pick(&["mine/SKILL.md", "mine/more.md", "extra/SKILL.md"]);
            let text = "---\nname: extra\ndescription: Does more.\n---\nMore.\n";
            sandbox.write(format!("project/own/{name}"), text);
            format!("write own/{name}")
        }
        21 => {
            let field = numbers.pick(&["bytes", "tree", "executable", "path", "source"]);
            let value = [json!(1), json!(null), json!([]), json!("skills/b"), json!("two")];
            let value = value[numbers.below(value.len())].clone();
            change(sandbox, LOCK, |it| it["skills"][skill][field] = value.clone());
            format!("set {field} of {skill} to {value} in the lockfile")
        }
        22 => {
            let field = numbers.pick(&["commit", "ref", "license", "directories", "entry"]);
            change(sandbox, LOCK, |it| remove_key(&mut it["sources"][source], field));
            format!("remove {field} of {source} from the lockfile")
        }
        23 => {
            let listing = format!("project/helix.skills/{skill}.sha256");
            let other = numbers.pick(&["a", "b", "d", "mine"]);
            let text = sandbox.read(format!("base/project/helix.skills/{other}.sha256"));
            sandbox.write(listing, text);
            format!("replace the listing of {skill} by that of {other}")
        }
        24 => {
            let budget = json!({"catalogTokens": numbers.below(300)});
            change(sandbox, MANIFEST, |it| it["budget"] = budget.clone());
            format!("set the budget to {budget}")
        }
        25 => {
            sandbox.write("project/helix.skills/.staging/listings.json", "{");
            "leave a staging directory".to_owned()
        }
        26 => {
            change(sandbox, LOCK, |it| {
                let [a, b] = ["a", "b"].map(|name| it["skills"][name].take());
                (it["skills"]["a"], it["skills"]["b"]) = (b, a);
            });
            for (from, to) in [("a", "x"), ("b", "a"), ("x", "b")] {
                for end in ["", ".sha256"] {
                    let [from, to] =
                        [from, to].map(|name| format!("project/helix.skills/{name}{end}"));
                    // An earlier edit may have removed it.
                    let _ = fs::rename(sandbox.path(from), sandbox.path(to));
                }
            }
            "exchange a and b in lockfile and store".to_owned()
        }
        27 => {
            let tag = numbers.pick(&["refs/tags/v1.0.0", "refs/tags/v2.0.0", "refs/heads/main"]);
            change(sandbox, LOCK, |it| it["sources"][source]["ref"] = json!(tag));
            format!("set ref of {source} to {tag} in the lockfile")
        }
        _ => {
            sandbox.remove("project/own/yours");
            "remove own/yours".to_owned()
        }
    }
}

fn copy(sandbox: &Sandbox, from: &str, to: &str) {
    sandbox.remove(to);
    let copied = Command::new("cp").arg("-a").args([sandbox.path(from), sandbox.path(to)]).status();
    assert!(copied.unwrap().success());
}

#[test]
fn check_passes_if_a_frozen_sync_has_nothing_to_do() {
    let seed = variable("HELIX_SEED").unwrap_or(20_261_123);
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let sandbox = synced();
    fs::create_dir(sandbox.path("base")).unwrap();
    for part in ["project", "cache"] {
        copy(&sandbox, part, &format!("base/{part}"));
    }
    let mut passed = 0;
    for _ in 0..variable("HELIX_EDITS").unwrap_or(EDITS) {
        for part in ["project", "cache"] {
            copy(&sandbox, &format!("base/{part}"), part);
        }
        let edits: Vec<String> =
            (0..numbers.below(3)).map(|_| edit(&sandbox, &mut numbers)).collect();
        // What an interrupted sync leaves there is a warning: version control ignores it.
        let now = || sandbox.snapshot("project").without(&["helix.skills/.staging"]);
        let before = now();
        let check = sandbox.skills(["sync", "--check", "--store"]);
        let sync = sandbox.skills(["sync", "--locked", "--frozen"]);
        let mut changes = now().changes_since(&before);
        changes.retain(|change| change != "touched helix.skills");
        let is_idle = sync.code == Some(0) && changes.is_empty();
        let mut agrees = check;
        if agrees.code != Some(0) && is_idle {
            for path in now().files().iter().filter(|path| path.ends_with(".origin")) {
                sandbox.remove(format!("project/{path}"));
            }
            agrees = sandbox.skills(["sync", "--check"]).never_prints("not in the store");
        }
        assert!(
            (agrees.code == Some(0)) == is_idle,
            "HELIX_SEED={seed}: {edits:#?}\n{agrees}\n{sync}\n{changes:#?}"
        );
        passed += u64::from(is_idle);
    }
    assert!(passed > 0, "no project was unchanged");
}
