//! Commands that messages of `skills add` offer: each works when it is pasted, and keeps what was
//! typed.

use super::pasted::Pasted;
use helix_skills_tests::Change;
use serde_json::json;

/// Checks which commands a run offers, and that each succeeds in a new project. `someone/` is the
/// owner of all repositories.
#[track_caller]
fn offers(pasted: &Pasted, arguments: &[&str], exit: i32, commands: &[&str]) {
    let run = pasted.add(arguments).exits(exit);
    let commands: Vec<String> = commands.iter().map(|rest| format!("skills add {rest}")).collect();
    assert_eq!(run.offered(), commands, "{arguments:?}\n{run}");
    for command in commands {
        let words: Vec<&str> =
            command.split(' ').skip(2).map(|word| word.trim_matches('\'')).collect();
        pasted.add(&words).succeeds();
    }
}

/// `someone/tools`, a marketplace, and a repository with another layout.
fn repositories() -> Pasted {
    let pasted = Pasted::new();
    let index = json!({"name": "market", "owner": {"name": "Someone"}, "plugins": [
        {"name": "chat", "source": "./external/chat"},
        {"name": "empty", "source": "./external/empty"},
    ]});
    let market = Change::new()
        .text(".claude-plugin/marketplace.json", &index.to_string())
        .text("external/empty/README.md", "x\n")
        .skill_at("external/chat/skills/access", "access");
    pasted.sandbox.upstream("market").commit(market);
    let change = Change::new().skill_at("skills/public/one", "one");
    pasted.sandbox.upstream("layout").commit(change.skill_at("skills/public/two", "two"));
    pasted
}

#[test]
fn next_step_of_a_list_keeps_what_was_typed() {
    let pasted = repositories();
    let late = "https://github.com/someone/tools/tree/dev/skills/late";
    let market = ["someone/market --include access", "someone/market --plugin chat"];
    offers(&pasted, &["someone/market", "--list"], 0, &market);
    for (arguments, next) in [
        (&[late, "--list"][..], "someone/tools --ref dev --include skills/late"),
        (&["someone/tools", "--list", "--ref", "dev"], "someone/tools --ref dev --include alpha"),
        (&["someone/tools#dev", "--list", "late"], "someone/tools --ref dev --include late"),
        (
            &["someone/tools", "--list", "--version", "^1"],
            "someone/tools --version '^1' --include alpha",
        ),
        (
            &["someone/market", "--list", "--plugin", "chat"],
            "someone/market --plugin chat --include access",
        ),
        (
            &["someone/layout/skills/public/two", "--list", "--name", "x"],
            "someone/layout --name x --include skills/public/two",
        ),
    ] {
        offers(&pasted, arguments, 0, &[next]);
    }
}

#[test]
fn wrong_path_is_answered_with_what_is_there() {
    let pasted = repositories();
    let tree = |path: &str| format!("https://github.com/someone/tools/tree/{path}");
    for (source, command) in [
        ("someone/tools/alpha", "someone/tools --list"),
        ("someone/tools/zzzzz", "someone/tools --list"),
        ("someone/tools@zzzzz", "someone/tools --list"),
        ("someone/tools/skills/zzzzz", "someone/tools --list"),
        (&tree("dev/skills/zzzzz"), "someone/tools --ref dev --list"),
        (&tree("dev/skills/late/references"), "someone/tools --ref dev --list"),
        (&tree("gone/skills/alpha"), "someone/tools --list"),
        ("someone/market@chat", "someone/market --list"),
    ] {
        offers(&pasted, &[source], 2, &[command]);
    }
    let word = ["someone/tools", "late", "--ref", "dev"];
    let commands =
        ["someone/tools --ref dev --include late", "someone/tools --ref dev --list late"];
    offers(&pasted, &word, 2, &commands);
}

#[test]
fn page_of_the_default_branch_keeps_and_prints_the_pin() {
    let pasted = Pasted::new();
    let page = "https://github.com/someone/tools/tree/main/skills/beta";
    let add = |arguments: &[&str]| pasted.sandbox.skills(["add"].iter().chain(arguments));
    pasted.add(&["someone/tools", "--ref", "dev", "--include", "alpha"]).succeeds();
    let says = ["changed the source tools, ref dev: include alpha, beta\n"];
    add(&[page]).succeeds().says(says);
    let says = ["changed tools from ref dev to ref main\n"];
    add(&["someone/tools", "--ref", "main"]).succeeds().says(says);
}

/// Only of an error of the network, `--no-sync` is a way around.
#[test]
fn failed_add_offers_no_sync_for_network_errors() {
    let pasted = Pasted::new();
    let note = "note: the manifest is unchanged\n";
    pasted.add(&["someone/tools", "--include", "alhpa"]).exits(2).says([note]);
    let away = "ssh://git@127.0.0.1:1/x.git";
    let note = "note: the manifest is unchanged; `--no-sync` edits it without a sync\n";
    pasted.add(&[away, "--ref", "main"]).exits(3).says([note]);
}

/// Each refused skill is named, also those after the first 50, and with errors of another kind.
#[test]
fn refused_skills_are_left_out_by_one_command() {
    let pasted = repositories();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n";
    let names: Vec<String> = (10..70).map(|number| format!("s{number}")).collect();
    let change = names.iter().fold(Change::new().skill("good").skill("hidden"), |change, name| {
        change.skill(name).text(&format!("skills/{name}/x.png"), pointer)
    });
    let change = change
        .text("skills/hidden/a.md", "a\u{2060}b")
        .skill_at("skills/dir", "own-name")
        .text("skills/dir/a.md", "a\u{2060}b")
        .skill_at("skills/one/twin", "twin")
        .skill_at("skills/two/twin", "other")
        .text("skills/two/twin/x.png", pointer);
    pasted.sandbox.upstream("many").commit(change);
    let exclude = format!("dir,hidden,{},skills/two/twin", names.join(","));
    let command = format!("someone/many --exclude {exclude} --all");
    offers(&pasted, &["someone/many", "--all"], 6, &[&command]);
    assert_eq!(pasted.sandbox.locked_skills(), ["good", "twin"]);
    let run = pasted.add(&["someone/many", "--all"]).exits(6);
    let places = names.iter().map(|name| format!("error: many: skills/{name}/x.png: it is a po"));
    let last = "error: 63 of 65 skills of the source `many` cannot be taken";
    // A name that is not the directory's would not be found.
    let own = "error: many: skills/dir/a.md:1:2: invisible text";
    let others = [last, own, "help: it is in `skills/hidden`"].map(str::to_owned);
    run.says(places.chain(others));
    // In a manifest, the hint is its line.
    pasted
        .sandbox
        .sources(&json!({"many": {"type": "git", "url": "https://github.com/someone/many"}}));
    let run = pasted.sandbox.skills(["sync"]).exits(6);
    let last = run.stderr.lines().last().unwrap();
    let line = last.strip_prefix("help: set `\"exclude\": ").unwrap();
    let line = line.strip_suffix("` in the source `many` of the manifest").unwrap();
    let exclude: serde_json::Value = serde_json::from_str(line).unwrap();
    pasted.sandbox.sources(&json!({"many": {
        "type": "git", "url": "https://github.com/someone/many", "exclude": exclude,
    }}));
    pasted.sandbox.skills(["sync"]).succeeds();
    assert_eq!(pasted.sandbox.locked_skills(), ["good", "twin"]);
}

/// Other texts of that length are cut.
#[test]
fn long_command_is_printed_whole() {
    let pasted = repositories();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n";
    let names = (10..80).map(|number| format!("s{number}-{}", "x".repeat(60)));
    let names: Vec<String> = names.collect();
    let change = names.iter().fold(Change::new().skill("good"), |change, name| {
        change.skill(name).text(&format!("skills/{name}/x.png"), pointer)
    });
    pasted.sandbox.upstream("long").commit(change);
    let command = format!("someone/long --exclude {} --all", names.join(","));
    offers(&pasted, &["someone/long", "--all"], 1, &[&command]);
    assert_eq!(pasted.sandbox.locked_skills(), ["good"]);
}
