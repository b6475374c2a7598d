//! The commands around `sync`: `init`, `add`, `remove`, `list`, `show` and `cache`.

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream, skill_md};
use serde_json::{Value, json};

fn upstream(sandbox: &Sandbox) -> (Upstream, GitServer) {
    let upstream = sandbox.upstream("tools");
    upstream.commit(Change::new().skill("alpha").skill("beta").text("skills/beta/references/x.md", "x\n"));
    upstream.tag("v0.9.0");
    upstream.annotated_tag("v1.2.0", "main");
    upstream.commit(Change::new().skill("alpha").text("skills/alpha/new.md", "new\n"));
    upstream.tag("v2.0.0-rc.1");
    (upstream, sandbox.serve())
}

/// The manifest as data.
fn manifest(sandbox: &Sandbox) -> Value {
    let text = sandbox.read("project/helix.skills.json");
    let plain: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    serde_json::from_str(&plain).unwrap_or_else(|why| panic!("{why}: {text}"))
}

#[test]
fn init_writes_an_empty_manifest_and_says_what_comes_next() {
    let sandbox = Sandbox::new();
    let run = sandbox.skills(["init"]).succeeds();
    assert!(run.stdout.contains("skills add") || run.stderr.contains("skills add"), "{run}");
    assert_eq!(manifest(&sandbox)["skills"], json!({}));
    for arguments in [&["list"][..], &["show", "x"], &["diff"], &["outdated"], &["catalog"], &["search", "x"]] {
        let run = sandbox.skills(arguments).exits(1);
        run.says(["error: the manifest names no source yet", "run `skills add OWNER/REPO` or `skills add ./PATH`"]);
    }
    sandbox.skills(["remove", "x"]).exits(2).says(["`skills add` adds a source"]);
    let next = "next: skills add OWNER/REPO, or skills add ./PATH";
    sandbox.skills(["sync"]).succeeds().says([next]);
    sandbox.skills(["update"]).succeeds().says([next]);
    sandbox.skills(["list"]).succeeds().says(["the lock has no skills; `skills add` adds a source"]);
    sandbox.skills(["show", "x"]).exits(2).says(["`skills add` adds a source"]).never_prints("it has \n");
    sandbox.skills(["sync", "--check"]).succeeds();
}

#[test]
fn init_overwrites_nothing() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}} // mine\n");
    sandbox.skills(["init"]).exits(2).says(["helix.skills.json"]);
    assert_eq!(sandbox.read("project/helix.skills.json"), "{\"skills\": {}} // mine\n");
}

#[test]
fn init_below_a_project_tells_of_the_manifest_above() {
    let sandbox = Sandbox::new();
    sandbox.skills(["init"]).succeeds().never_prints("lies above");
    sandbox.write("project/a/b/x", "");
    let run = sandbox.skills(["-C", "a/b", "init"]).succeeds();
    run.says(["note: `../../helix.skills.json` lies above; this one is used from here on"]);
}

#[test]
fn a_directory_is_no_manifest() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.project("helix.skills.json")).unwrap();
    for arguments in [&["init"][..], &["sync"], &["list"], &["add", "./x"]] {
        sandbox.skills(arguments).exits(2).says(["`helix.skills.json` is a directory, expected a file"]);
    }
}

#[test]
fn init_can_keep_the_store_out_of_version_control() {
    let sandbox = Sandbox::new();
    sandbox.write("project/.gitignore", "/target\n");
    sandbox.skills(["init", "--ignore-store"]).succeeds();
    let ignored = sandbox.read("project/.gitignore");
    assert!(ignored.starts_with("/target\n") && ignored.contains("helix.skills/"), "{ignored}");
    // The manifest and the lock are not what is ignored.
    let mut git = helix_skills_tests::upstream::git_command();
    git.args(["init", "--quiet", "--template="]).current_dir(sandbox.path("project"));
    assert!(git.status().unwrap().success());
    for (path, is_ignored) in
        [("helix.skills/a/SKILL.md", true), ("helix.skills.lock", false), ("helix.skills.json", false)]
    {
        let mut git = helix_skills_tests::upstream::git_command();
        git.args(["check-ignore", "--quiet", path]).current_dir(sandbox.path("project"));
        assert_eq!(git.status().unwrap().success(), is_ignored, "{path}: {ignored}");
    }
}

#[test]
fn add_without_a_pin_writes_the_newest_release_and_syncs() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    let run = sandbox.skills(["add", &server.url("tools")]).succeeds();
    let source = &manifest(&sandbox)["skills"]["tools"];
    assert_eq!(source["type"], "git");
    assert_eq!(source["url"], server.url("tools"));
    assert_eq!(source["version"], "1.2.0", "not the pre-release, not a branch");
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
    assert_eq!(sandbox.locked_commit("tools"), upstream.id("v1.2.0^{commit}"));
    run.says(["next: commit helix.skills.json, helix.skills.lock and helix.skills/, then in Rust:", "include_skills!"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // Whoever has a lock has the Rust line, and where the lock stays there is nothing to commit.
    sandbox.sources(&json!({"tools": {"type": "git", "url": server.url("tools"), "version": "0.9.0"}}));
    let run = sandbox.skills(["sync"]).succeeds().never_prints("in Rust");
    run.says(["next: commit helix.skills.json, helix.skills.lock and helix.skills/\n"]);
    sandbox.remove_store();
    sandbox.skills(["sync", "--locked"]).succeeds().says(["synced"]).never_prints("next:");
}

#[test]
fn add_where_there_is_no_project_says_how_to_begin_one() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["add", &server.url("tools")]).exits(2).says(["skills init"]);
}

#[test]
fn add_with_pins_selection_and_name() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    let commit = upstream.id("v0.9.0");
    for (arguments, key, entry) in [
        (&["--version", "0.9.0"][..], "tools", json!({"version": "0.9.0"})),
        (&["--version", "^1"], "tools", json!({"version": "^1"})),
        (&["--ref", "main", "--name", "kit"], "kit", json!({"ref": "main"})),
        (&["--sha", &commit], "tools", json!({"sha": commit})),
        (&["--include", "beta", "--version", "1.2.0"], "tools", json!({"version": "1.2.0", "include": ["beta"]})),
        (&["--include", "beta,alpha", "--ref", "main"], "tools", json!({"ref": "main", "include": ["beta", "alpha"]})),
    ] {
        sandbox.remove("project/helix.skills.json");
        sandbox.forget();
        sandbox.skills(["init"]).succeeds();
        sandbox.skills(["add", &url].iter().copied().chain(arguments.iter().copied())).succeeds();
        let mut expected = json!({"type": "git", "url": url});
        expected.as_object_mut().unwrap().extend(entry.as_object().unwrap().clone());
        assert_eq!(manifest(&sandbox)["skills"], json!({ key: expected }), "{arguments:?}");
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
}

#[test]
fn add_takes_owner_and_repository_for_github() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox
        .write("home/.gitconfig", format!("[url \"{}/\"]\n\tinsteadOf = https://github.com/someone/\n", server.base()));
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", "someone/tools"]).succeeds();
    assert_eq!(manifest(&sandbox)["skills"]["tools"]["url"], "https://github.com/someone/tools.git");
    assert!(!sandbox.lock().contains("127.0.0.1"), "{}", sandbox.lock());
}

#[test]
fn add_takes_a_path() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", "./own"]).succeeds();
    let source = &manifest(&sandbox)["skills"]["own"];
    assert_eq!(source["type"], "path");
    assert!(source["path"] == "own" || source["path"] == "./own", "{source}");
    assert_eq!(sandbox.locked_skills(), ["one"]);
    assert!(!sandbox.exists("project/helix.skills/one"));
}

#[test]
fn add_without_releases_takes_the_default_branch_and_says_so() {
    let sandbox = Sandbox::new();
    sandbox.upstream("fresh").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("fresh")]).succeeds().says(["no release"]);
    assert_eq!(sandbox.locked_skills(), ["a"]);
    let run = sandbox.skills(["--json", "add", &server.url("fresh"), "--name", "again", "--no-sync"]).succeeds();
    assert!(run.json()["warnings"][0].as_str().unwrap().contains("no release tags"), "{run}");
    let source = &manifest(&sandbox)["skills"]["fresh"];
    assert_eq!(source["version"], Value::Null, "{source}");
}

#[test]
fn an_add_that_fails_leaves_everything_as_it_was() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let manifest = "{\n  // ours\n  \"skills\": {},\n}\n";
    sandbox.manifest(manifest);
    let url = server.url("tools");
    let gone = server.url("gone");
    for arguments in [
        &["add", &gone][..],
        &["add", &url, "--version", "9.9.9"],
        &["add", &url, "--include", "no-such-skill"],
        &["add", &url, "--version", ">=1 <2"],
        &["add", &url, "--sha", "123"],
        &["add", &url, "--ref", "--upload-pack=x"],
        &["add", &url, "--include", "a/b"],
        &["add", &url, "--name", "../evil"],
        &["add", &url, "--version", "1.2.0", "--ref", "main"],
        &["add", "./nowhere"],
        &["add", "-x"],
        &["add", "ext::sh -c id"],
        &["add", ""],
    ] {
        let run = sandbox.skills(arguments).fails();
        assert_eq!(sandbox.read("project/helix.skills.json"), manifest, "{run}");
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{run}");
    }
}

/// What is written in a way of other programs, or could mean two things, is refused with how to write it here.
#[test]
fn add_of_what_could_be_meant_otherwise_says_how_to_write_it() {
    let sandbox = Sandbox::new();
    sandbox.skills(["init"]).succeeds();
    sandbox.write("project/skills/good/SKILL.md", skill_md("good"));
    sandbox.write("project/a-file", "");
    let before = sandbox.snapshot("project");
    for (arguments, said) in [
        (
            &["skills/good"][..],
            &[
                "`skills/good` is a directory here and could be a repository on github.com",
                "write `./skills/good`, or `https://github.com/skills/good.git`",
            ][..],
        ),
        (&["superpowers"], &["OWNER/REPO", "`https://...`", "`./path`"]),
        (
            &["obra/superpowers@v6.2.0"],
            &["`obra/superpowers@v6.2.0`", "write `skills add obra/superpowers --version 6.2.0`"],
        ),
        (&["obra/superpowers@main"], &["write `skills add obra/superpowers --ref main`"]),
        (&["github.com/obra/superpowers"], &["write `https://github.com/obra/superpowers.git`"]),
        (&["./a-file"], &["`./a-file` is a file, expected a directory"]),
        (
            &["--version", "1", "./skills"],
            &["`--version` pins git repositories, and `./skills` is a plain directory", "leave `--version` out"],
        ),
        (&["--plugin", "x", "./skills"], &["`--plugin` is for git repositories"]),
        (&["--skills-dir", "x", "./skills"], &["leave `--skills-dir` out"]),
    ] {
        sandbox.skills(["add"].iter().chain(arguments)).exits(2).says(said);
    }
    sandbox.skills(["add", "user:hidden@host/o/r@v1"]).exits(2).never_prints("hidden");
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn add_and_remove_keep_comments_and_formatting() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    let before = "{\n    // what we ship\n    \"skills\": {\n        /* ours */ \"house\": {\"type\": \"path\",   \"path\": \"own\"}, // first\n    },\n    \"limits\": { \"filesPerSkill\": 500 }, // enough\n}\n";
    sandbox.manifest(before);
    sandbox.skills(["add", &server.url("tools"), "--version", "1.2.0"]).succeeds();
    let added = sandbox.read("project/helix.skills.json");
    for kept in [
        "// what we ship",
        "/* ours */ \"house\": {\"type\": \"path\",   \"path\": \"own\"}",
        "// first",
        "// enough",
        "\"limits\": { \"filesPerSkill\": 500 }",
    ] {
        assert!(added.contains(kept), "`{kept}` is gone: {added}");
    }
    assert!(added.contains("\n        \"tools\": {"), "as deep as its neighbours: {added}");
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta", "one"]);

    // The same name again is an error.
    let run = sandbox.skills(["add", &server.url("tools")]).exits(2).says(["`tools`"]);
    assert_eq!(sandbox.read("project/helix.skills.json"), added, "{run}");

    sandbox.skills(["remove", "tools"]).succeeds();
    let removed = sandbox.read("project/helix.skills.json");
    assert!(!removed.contains("tools") && removed.contains("// first") && removed.contains("// enough"), "{removed}");
    assert_eq!(sandbox.locked_skills(), ["one"]);
    assert!(!sandbox.exists("project/helix.skills/alpha"));
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn remove_of_what_is_not_there_names_it_and_what_is() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    let before = sandbox.snapshot("project");
    sandbox.skills(["remove", "tolls"]).exits(2).says(["tolls", "tools"]);
    // A skill is not a source.
    sandbox.skills(["remove", "alpha"]).exits(2).says(["alpha"]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn list_names_every_skill_with_its_source() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    let empty = sandbox.skills(["list"]);
    assert!(empty.code.is_some_and(|code| code <= 1), "{empty}");
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    sandbox.remove_cache();
    server.take_traffic();
    let run = sandbox.skills(["list"]).succeeds().prints(["alpha", "beta", "tools   v1.2.0@"]);
    let titles: Vec<_> = run.stdout.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(titles, ["skill", "source", "locked", "size"], "{run}");
    assert!(run.stdout.find("alpha") < run.stdout.find("beta"), "{run}");
    let run = sandbox.skills(["list", "--json"]).succeeds();
    let document = run.json();
    let names: Vec<_> =
        document["skills"].as_array().expect("`skills` is a list").iter().map(|s| s["name"].clone()).collect();
    assert_eq!(names, ["alpha", "beta"], "{run}");
    assert_eq!(document["skills"][0]["source"], "tools", "{run}");
    assert_eq!(server.traffic().requests, 0);
    run.never_prints("note:");
    sandbox.sources(&json!({"tools": {"type": "git", "url": server.url("tools"), "version": "0.9.0"}}));
    let run = sandbox.skills(["list"]).succeeds();
    run.says(["note: the manifest was changed since it was locked; run `skills sync`"]);
}

#[test]
fn show_tells_where_a_skill_comes_from_and_what_it_holds() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    let run = sandbox.skills(["show", "beta"]).succeeds();
    run.prints(["beta", "Does beta things.", "references/x.md", &server.url("tools")]);
    let run = sandbox.skills(["show", "beta", "--json"]).succeeds();
    let document = run.json();
    let text = document.to_string();
    for part in ["beta", "Does beta things.", "references/x.md", &upstream.id("v1.2.0^{commit}"), "sha256:"] {
        assert!(text.contains(part), "no `{part}`: {run}");
    }
    let run = sandbox.skills(["show", "bata"]).fails().says(["bata", "beta"]);
    assert!(run.stdout.is_empty(), "{run}");
    let run = sandbox.skills(["show", "bata", "--json"]).fails();
    assert!(run.json()["errors"].is_array(), "{run}");
    sandbox.skills(["show", "../../etc"]).fails();
}

#[test]
fn cache_dir_prints_where_it_is_and_clean_empties_it() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let run = sandbox.skills(["cache", "dir"]).succeeds();
    assert_eq!(run.stdout.trim_end(), sandbox.path("cache").to_str().unwrap());
    drop(sandbox.skills(["cache", "dir", "--json"]).succeeds().json());
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    let full = sandbox.files("cache");
    assert!(full.iter().any(|f| f == "CACHEDIR.TAG"), "{full:?}");
    let tag = sandbox.read("cache/CACHEDIR.TAG");
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55"), "{tag}");
    drop(sandbox.skills(["cache", "clean", "--json"]).succeeds().json());
    sandbox.skills(["cache", "clean"]).succeeds();
    let left = sandbox.snapshot("cache").contents().values().map(|bytes| bytes.len()).sum::<usize>();
    assert!(left < 1_000, "{:?}", sandbox.files("cache"));
    // Nothing but speed is lost.
    sandbox.remove_store();
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

/// A mistake in the environment must not cost anybody a directory.
#[test]
fn cache_clean_removes_only_what_is_a_cache() {
    let sandbox = Sandbox::new();
    sandbox.write("project/precious/notes.txt", "mine\n");
    let precious = sandbox.project("precious");
    sandbox.command(["cache", "clean"]).env("HELIX_SKILLS_CACHE", &precious).run().exits(2).says(["CACHEDIR.TAG"]);
    assert_eq!(sandbox.read("project/precious/notes.txt"), "mine\n");
}

#[test]
fn without_a_cache_of_its_own_the_usual_places_are_used() {
    let sandbox = Sandbox::new();
    let xdg = sandbox.path("cache/xdg");
    let run = sandbox
        .command(["cache", "dir"])
        .without_env("HELIX_SKILLS_CACHE")
        .env("XDG_CACHE_HOME", &xdg)
        .run()
        .succeeds();
    assert_eq!(run.stdout.trim_end(), xdg.join("helix-skills").to_str().unwrap());
    let run = sandbox.command(["cache", "dir"]).without_env("HELIX_SKILLS_CACHE").run().succeeds();
    assert!(run.stdout.starts_with(sandbox.path("home").to_str().unwrap()), "{run}");
}

#[test]
fn every_command_answers_with_one_document_on_request() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    for arguments in [
        &["init", "--json"][..],
        &["add", &url, "--json"],
        &["sync", "--json"],
        &["sync", "--check", "--json"],
        &["list", "--json"],
        &["show", "alpha", "--json"],
        &["catalog", "--json"],
        &["search", "alpha", "--json"],
        &["cache", "dir", "--json"],
        &["remove", "tools", "--json"],
        &["cache", "clean", "--json"],
    ] {
        drop(sandbox.skills(arguments).succeeds().json());
    }
    for arguments in
        [&["remove", "tools", "--json"][..], &["show", "nobody", "--json"], &["add", "./nowhere", "--json"]]
    {
        let run = sandbox.skills(arguments).fails();
        let document = run.json();
        let errors = document["errors"].as_array().unwrap_or_else(|| panic!("no `errors`: {run}"));
        assert!(errors.iter().all(|error| error["code"].is_string() && error["message"].is_string()), "{run}");
    }
}

#[test]
fn add_of_a_page_of_a_forge_says_what_was_meant() {
    let sandbox = Sandbox::new();
    sandbox.skills(["init"]).succeeds();
    let before = sandbox.snapshot("project");
    for page in [
        "https://github.com/someone/tools/tree/main/skills/pdf",
        "https://gitlab.com/g/tools/-/blob/main/skills/pdf/SKILL.md",
    ] {
        sandbox.skills(["add", page]).exits(2).says(["--ref main", "--include pdf"]);
    }
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn add_and_remove_can_leave_the_syncing_for_later() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools"), "--version", "1.2.0", "--no-sync"]).succeeds().says(["skills sync"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    assert_eq!(server.traffic().requests, 0);
}

#[test]
fn show_and_list_know_skills_of_ones_own() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["list"]).succeeds().prints(["one", "house", "path own"]);
    sandbox.skills(["show", "one"]).succeeds().prints(["own/one", "SKILL.md"]);
    // Without their text they are still listed.
    sandbox.remove("project/own");
    sandbox.skills(["list"]).succeeds().prints(["one"]);
    sandbox.skills(["show", "one"]).fails();
}

#[test]
fn a_mistake_on_the_command_line_is_a_document_too() {
    let sandbox = Sandbox::new();
    for (arguments, command, message, hint) in [
        (&["snyc", "--json"][..], "usage", "unrecognized subcommand 'snyc'", "a similar subcommand exists: 'sync'"),
        (&["sync", "--json", "--chekc"], "sync", "unexpected argument '--chekc' found", "'--check'"),
        (
            &["--json", "-C", ".", "list", "x"],
            "list",
            "unexpected argument 'x' found",
            "`skills list --help` tells how",
        ),
        (
            &["--json", "show"],
            "show",
            "the following required arguments were not provided: <NAME>",
            "`skills show --help` tells how",
        ),
        (&["--json", "cache"], "cache", "`skills cache` needs a command", "`skills cache --help` tells how"),
        (&["cache", "--json"], "cache", "`skills cache` needs a command", "`skills cache --help` tells how"),
        (&["--json"], "usage", "`skills` needs a command", "`skills --help` tells how"),
    ] {
        let run = sandbox.skills(arguments).exits(2);
        let document = run.json();
        assert_eq!(
            (&document["command"], &document["errors"][0]["message"]),
            (&json!(command), &json!(message)),
            "{run}"
        );
        assert!(document["errors"][0]["hint"].as_str().unwrap().contains(hint), "{run}");
    }
}

#[test]
fn another_directory_to_work_in() {
    let sandbox = Sandbox::new();
    sandbox.write("project/inner/own/one/SKILL.md", skill_md("one"));
    sandbox
        .write("project/inner/helix.skills.json", "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \"own\"}}}");
    sandbox.skills(["-C", "inner", "sync"]).succeeds();
    assert!(sandbox.exists("project/inner/helix.skills.lock") && !sandbox.exists("project/helix.skills.lock"));
    sandbox.skills(["-C", "nowhere", "sync"]).exits(2).says(["nowhere"]);
}

#[test]
fn quiet_prints_errors_only() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.sources(&json!({"tools": {"type": "git", "url": server.url("tools"), "version": "1.2.0"}}));
    let run = sandbox.skills(["sync", "--quiet"]).succeeds();
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run}");
    sandbox.remove("project/helix.skills.lock");
    sandbox.skills(["sync", "--check", "-q"]).exits(1).says(["helix.skills.lock"]);
}

/// The manifest is written first and put in place last.
#[test]
fn an_add_that_cannot_write_the_manifest_changes_nothing() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}");
    sandbox.write("project/own/a/SKILL.md", skill_md("a"));
    std::fs::create_dir(sandbox.path("project/.helix.skills.json.new")).unwrap();
    sandbox.skills(["add", "./own"]).exits(7);
    assert_eq!(sandbox.files("project"), ["helix.skills.json", "own/a/SKILL.md"]);
}
