//! Messages of a server that refuses, and commits other than those requested.

use super::{Forge, valid_pack};
use helix_skills_tests::{
    Behavior, Change, Fault, GitServer, Pack, Sandbox, Script, ScriptedAnswer, skill_md,
};
use serde_json::json;

const DISABLED: &str = "repository temporarily disabled";

/// A synced project reduced to its lockfile.
fn locked() -> (Sandbox, GitServer) {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo")}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_store();
    sandbox.remove_cache();
    server.take_traffic();
    (sandbox, server)
}

/// Refuses every request from number `from` on with this message.
fn refusing(words: &'static str, from: u64, protocol_v2: bool) -> Behavior {
    let faults = (from..from + 20).map(|number| (number, Fault::Refusal(words))).collect();
    Behavior { faults, protocol_v2, ..Behavior::default() }
}

#[test]
fn refusal_does_not_mean_a_missing_commit() {
    for (protocol_v2, from) in [(true, 1), (false, 1), (false, 2), (false, 3)] {
        let (sandbox, server) = locked();
        server.behave(refusing(DISABLED, from, protocol_v2));
        let run = sandbox.skills(["sync"]).exits(3).says([DISABLED, &server.authority()]);
        run.never_prints("skills update").never_prints("gone");
        assert!(server.traffic().requests <= 5, "{:?}", server.traffic());
    }
}

/// Messages of servers that do not have a commit, and of servers that temporarily cannot send it.
#[test]
fn refusal_of_an_object_means_a_missing_commit() {
    for (words, code) in [
        ("upload-pack: not our ref ID", 5),
        ("want ID not valid", 5),
        ("The object 'ID' does not exist.", 5),
        ("unable to read ID", 3),
        ("repository does not exist", 3),
        ("your token is not valid", 3),
    ] {
        for protocol_v2 in [true, false] {
            let (sandbox, server) = locked();
            let refuse = move |wanted: &str| {
                let words = format!("ERR {}", words.replace("ID", wanted));
                ScriptedAnswer::Body(format!("{:04x}{words}", words.len() + 4).into_bytes())
            };
            let script =
                Script::new(move |exchange| exchange.wants().first().map(|wanted| refuse(wanted)));
            server.behave(Behavior { script: Some(script), protocol_v2, ..Behavior::default() });
            let run = sandbox.skills(["sync", "-vv"]).exits(code);
            run.says([words.split("ID").next().unwrap()]);
        }
    }
}

/// A text with a terminal escape, longer than the limit of a message.
fn overlong_escaped_text() -> String {
    format!("{DISABLED}\u{1b}[2J\u{7}\r\n\u{202e}{}", "x".repeat(60_000))
}

#[test]
fn server_errors_are_escaped_and_truncated() {
    let forge = Forge::new();
    let (_, tip) = valid_pack();
    let err = |kind: &str| {
        let words = format!("ERR {}", overlong_escaped_text());
        let packet = format!("{:04x}{words}", words.len() + 4).into_bytes();
        if kind == "GET" {
            [b"001e# service=git-upload-pack\n0000", &packet[..]].concat()
        } else {
            packet
        }
    };
    for at in ["GET", "ls-refs", "fetch"] {
        let tip = tip.clone();
        forge.script(Script::new(move |exchange| {
            Some(ScriptedAnswer::Body(match exchange.command().unwrap_or(&exchange.method) {
                command if command == at => err(at),
                "GET" => Script::advertisement(),
                _ => Script::refs(&tip),
            }))
        }));
        prints_at_most_a_line(&forge, at);
    }
    forge.answer(&tip, ScriptedAnswer::Body(Script::failure(&overlong_escaped_text())));
    prints_at_most_a_line(&forge, "side band 3");
}

#[track_caller]
fn prints_at_most_a_line(forge: &Forge, at: &str) {
    let run = forge.is_refused(3, &[DISABLED, "\\u{1b}[2J\\u{7}\\u{d}\\u{a}\\u{202e}xxx"]);
    assert!(run.stderr.len() < 2_000, "{at}: {} bytes", run.stderr.len());
    let run = forge.sandbox.skills(["sync", "-vv", "--json"]).exits(3);
    assert!(run.stdout.len() + run.stderr.len() < 10_000, "{at}: {run:?}");
}

#[test]
fn progress_text_of_a_server_is_not_printed() {
    let forge = Forge::new();
    let (pack, tip) = valid_pack();
    let pack = Script::pack(&pack.finish());
    let answer =
        [b"000dpackfile\n", &Script::progress(&overlong_escaped_text())[..], &pack[13..]].concat();
    forge.answer(&tip, ScriptedAnswer::Body(answer));
    let run = forge.sandbox.skills(["sync", "-vv"]).succeeds();
    run.never_prints("\u{1b}").never_prints(DISABLED);
}

#[test]
fn boundaries_of_shallow_commits_are_ignored() {
    let forge = Forge::new();
    let (pack, tip) = valid_pack();
    for lines in [
        vec![format!("shallow {tip}")],
        vec![format!("unshallow {tip}"), format!("shallow {}", "1".repeat(40))],
        vec!["shallow invalid".to_owned(), "\u{1b}[2J".to_owned()],
    ] {
        forge.sandbox.forget();
        forge.answer(&tip, ScriptedAnswer::Body(Script::shallow_pack(&lines, &pack.finish())));
        forge.sandbox.skills(["sync"]).succeeds();
        assert_eq!(forge.sandbox.locked_skills(), ["a"]);
    }
}

/// Another commit, a commit without its trees, trees without their files: nothing of it is stored.
#[test]
fn packs_without_the_wanted_objects_are_refused() {
    let forge = Forge::new();
    let (honest, tip) = valid_pack();
    let mut other = Pack::new();
    let md = other.blob(skill_md("b").as_bytes());
    let tree = other.tree(&[("100644", b"SKILL.md", &md)]);
    other.commit_skill("b", &tree);
    let mut bare = Pack::new();
    let commit = bare.commit(&"1".repeat(40));
    let mut without_files = Pack::new();
    let tree = without_files.tree(&[("100644", b"SKILL.md", &"2".repeat(40))]);
    let skill = without_files.commit_skill("a", &tree);
    for (tip, pack) in
        [(&tip, &Pack::new()), (&tip, &other), (&commit, &bare), (&skill, &without_files)]
    {
        for lines in [vec![], vec![format!("shallow {tip}")]] {
            let answer = match lines.is_empty() {
                true => Script::pack(&pack.finish()),
                false => Script::shallow_pack(&lines, &pack.finish()),
            };
            forge.answer(tip, ScriptedAnswer::Body(answer));
            forge.is_refused(5, &["is missing"]);
        }
    }
    // The same for a locked sync.
    forge.serve(&tip, &honest.finish());
    forge.sandbox.skills(["sync"]).succeeds();
    forge.sandbox.remove_store();
    forge.sandbox.remove_cache();
    forge.serve(&tip, &other.finish());
    forge.sandbox.skills(["sync"]).exits(5);
    assert!(!forge.sandbox.exists("project/helix.skills/a"));
}
