//! Licenses of skills, in `skills list`, `show` and `add`.

use crate::market::{Market, plugin_json};
use helix_skills_tests::{Change, Sandbox};
use serde_json::{Value, json};

/// A file name in the British spelling.
const BRITISH: &str = concat!("licen", "ce.txt");

fn skill(name: &str, license: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n{license}---\nDo it.\n")
}

/// Returns the licenses that `skills list` prints, by skill.
fn licenses(sandbox: &Sandbox) -> Value {
    let document = sandbox.skills(["list", "--json"]).succeeds().json();
    let skills = document["skills"].as_array().unwrap().iter();
    skills.map(|skill| (skill["name"].as_str().unwrap(), skill["license"].clone())).collect()
}

#[test]
fn license_is_of_the_skill_or_else_its_repository() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    upstream.commit(
        Change::new()
            .text("skills/a/SKILL.md", &skill("a", "license: Apache-2.0\n"))
            .text("skills/a/LICENSE", "A\n")
            .text("skills/b/SKILL.md", &skill("b", ""))
            .text("skills/b/LICENSE-MIT", "M\n")
            .text(&format!("skills/b/{BRITISH}"), "L\n")
            .text("skills/b/docs/LICENSE", "D\n")
            .text("skills/c/SKILL.md", &skill("c", "license: \"\"\n"))
            .text("skills/c/license-notes/x.md", "x\n")
            .text("LICENSE.md", "root\n"),
    );
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    let run = sandbox
        .skills(["add", &server.url("tools")])
        .succeeds()
        .says(["license Apache-2.0: `a`", "license see LICENSE.md of the repository: `c`"]);
    let run = run.says([format!("license see LICENSE-MIT, {BRITISH}: `b`")]);
    assert!(run.stdout.is_empty(), "{run}");
    let expected = json!({
        "a": "Apache-2.0",
        "b": format!("see LICENSE-MIT, {BRITISH}"),
        "c": "see LICENSE.md of the repository",
    });
    assert_eq!(licenses(&sandbox), expected);
    assert_eq!(
        sandbox.lock_json()["sources"]["tools"]["license"],
        "see LICENSE.md of the repository"
    );
    sandbox.skills(["list"]).succeeds().prints(["license\n", "Apache-2.0\n"]);
    let run = sandbox.skills(["show", "c"]).succeeds();
    run.prints(["license       see LICENSE.md of the repository\n"]);
    let document = sandbox.skills(["show", "b", "--json"]).succeeds().json();
    assert_eq!(document["skill"]["license"], format!("see LICENSE-MIT, {BRITISH}"));
    // A lockfile of an earlier version has no license, and is not changed for it.
    let lock = sandbox.lock().replace("\"license\": \"see LICENSE.md of the repository\",\n", "");
    assert_ne!(lock, sandbox.lock());
    sandbox.write("project/helix.skills.lock", &lock);
    sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(licenses(&sandbox)["c"], json!(null));
    sandbox.skills(["show", "c"]).succeeds().prints(["license       none found\n"]);
}

#[test]
fn license_that_forbids_copies_is_a_warning_at_add() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    let reserved = "© 2025 Example. All rights reserved.\n\nUsers may not retain copies.\n";
    let bsd = "Copyright Example. All rights reserved.\n\nRedistribution is permitted if …\n";
    let named = "license: Proprietary. LICENSE.txt has complete terms\n";
    upstream.commit(
        Change::new()
            .text("skills/named/SKILL.md", &skill("named", named))
            .text("skills/text/SKILL.md", &skill("text", ""))
            .text("skills/text/LICENSE.txt", reserved)
            .text("skills/bsd/SKILL.md", &skill("bsd", ""))
            .text("skills/bsd/LICENSE.txt", bsd),
    );
    let server = sandbox.serve();
    let url = server.url("tools");
    sandbox.write("project/own/own/SKILL.md", skill("own", named));
    sandbox.skills(["add", "./own"]).succeeds().never_prints("forbid");
    sandbox.skills(["add", &url, "--include", "bsd"]).succeeds().never_prints("forbid");
    let run = sandbox.skills(["add", &url, "--include", "named,text"]).succeeds();
    assert_eq!(run.stderr.matches("warning: ").count(), 2, "{run}");
    drop(run.says([
        "skill `named` seems to forbid copies, and a program that embeds it is one: Proprietary. LICENSE",
        "skill `text` seems to forbid copies, and a program that embeds it is one: see LICENSE.txt\n",
    ]));
    sandbox.remove_store();
    sandbox.skills(["sync"]).succeeds().never_prints("forbid");
}

#[test]
fn text_of_several_lines_is_printed_in_one() {
    let sandbox = Sandbox::new();
    let text = skill("a", "license: |\n  MIT\n  second line\n");
    let text = text.replace("description: Does a.", "description: |\n  Does a.\n  Twice.");
    sandbox.write("project/own/a/SKILL.md", text);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", "./own"]).succeeds().says(["license MIT second line: `a`"]);
    sandbox.skills(["list"]).succeeds().prints(["  MIT second line\n"]);
    let run = sandbox.skills(["show", "a"]).succeeds().prints(["license       MIT second line\n"]);
    drop(run.prints(["description   Does a. Twice.\n"]));
    sandbox.skills(["add", "./own", "--list"]).succeeds().prints(["  MIT second line  "]);
    assert_eq!(licenses(&sandbox), json!({"a": "MIT second line"}));
}

#[test]
fn add_says_if_no_license_was_found() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/a/SKILL.md", skill("a", ""));
    sandbox.write("project/own/b/SKILL.md", skill("b", ""));
    sandbox.write("project/LICENSE", "of the project\n");
    sandbox.skills(["init"]).succeeds();
    let run = sandbox.skills(["add", "./own", "--dry-run"]).succeeds();
    run.says(["license none found: `a`, `b`"]);
    let run = sandbox.skills(["add", "./own", "--dry-run", "--json"]).succeeds();
    assert_eq!(run.json()["licenses"], json!({"a": null, "b": null}));
    sandbox.skills(["add", "./own"]).succeeds().says(["license none found: `a`, `b`"]);
    assert_eq!(licenses(&sandbox), json!({"a": null, "b": null}));
    sandbox.skills(["list"]).succeeds().prints(["none found\n"]);
    sandbox.write("project/more/c/SKILL.md", skill("c", "license: MIT\n"));
    let run = sandbox.skills(["add", "./more", "--json"]).succeeds();
    assert_eq!(run.json()["licenses"], json!({"c": "MIT"}));
}

#[test]
fn license_of_a_plugin_is_that_of_its_manifest() {
    let plugins = json!([
        {"name": "p", "source": "./plugins/p", "license": "BSD-3-Clause"},
        {"name": "q", "source": "./plugins/q", "license": ["not", "text"]},
    ]);
    let files = Change::new()
        .text("plugins/p/skills/a/SKILL.md", &skill("a", ""))
        .text("plugins/q/skills/b/SKILL.md", &skill("b", ""))
        .text("plugins/q/COPYING", "q\n")
        .text("LICENSE", "root\n");
    let market = Market::with(&plugins, files);
    let locked = |expected: &str| {
        market.sync().succeeds();
        assert_eq!(market.sandbox.lock_json()["sources"]["team"]["license"], expected);
    };
    locked("BSD-3-Clause");
    let manifest = json!({"name": "p", "license": "MIT OR\n Apache-2.0"});
    market.upstream.commit(plugin_json(Change::new(), "plugins/p/", &manifest));
    locked("MIT OR Apache-2.0");
    market.request(json!({"plugin": "q"}));
    locked("see COPYING of the repository's plugins/q");
    assert_eq!(
        licenses(&market.sandbox),
        json!({"b": "see COPYING of the repository's plugins/q"})
    );
    market.upstream.commit(Change::new().remove("plugins/q/COPYING"));
    locked("see LICENSE of the repository");
}
