//! Endless answers, and repositories that need more and more requests.

use super::Forge;
use gix::objs::Kind;
use helix_skills_tests::{Pack, Script, ScriptedAnswer, forged::id, skill_md};
use serde_json::json;
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

const AT_ONCE: Duration = Duration::ZERO;

/// A kilobyte in 100 ms would be fast enough; this is not.
const SLOWLY: Duration = Duration::from_millis(20);

#[test]
fn t17_endless_answers_are_limited() {
    let forge = Forge::new();
    forge.limits(json!({"bytesPerFetch": 1 << 20}));
    let (pack, tip) = super::valid_pack();
    let pack = Script::pack(&pack.finish());
    let begun = pack[..pack.len() - 4].to_vec();
    let words = Script::progress(&"counting objects ".repeat(3_000));
    let data =
        Script::pack(&[0; 60_000])[13..].strip_suffix(b"0000").expect("a flush packet").to_vec();
    let packfile = b"000dpackfile\n".to_vec();
    for (first, again) in [(packfile, words.clone()), (begun.clone(), words), (begun, data)] {
        forge.answer(&tip, ScriptedAnswer::Endless(first, again, AT_ONCE));
        forge.is_refused(6, &["more than 1048576 bytes in one fetch", "limits.bytesPerFetch"]);
    }
}

#[test]
fn t17_endless_ref_lists_are_limited() {
    let forge = Forge::new();
    forge.limits(json!({"bytesPerFetch": 1 << 20}));
    let id = "12".repeat(20);
    let line = |n: u32| format!("0043{id} refs/tags/v{n:06}.0.0\n");
    let lines: String = (0..1_000).map(line).collect();
    assert_eq!(lines.len(), 0x43 * 1_000);
    let lines = lines.into_bytes();
    let again = lines.clone();
    forge.script(Script::new(move |exchange| {
        Some(match exchange.command() {
            Some(_) => ScriptedAnswer::Endless(again.clone(), again.clone(), AT_ONCE),
            None => ScriptedAnswer::Body(Script::advertisement()),
        })
    }));
    forge.is_refused(
        6,
        &["more than 16777216 bytes in one list of references", "limits.bytesPerFetch"],
    );
    // In protocol version 0 the list is in the first answer.
    let head = format!("{id} HEAD\0multi_ack side-band-64k\n");
    let first =
        format!("001e# service=git-upload-pack\n0000{:04x}{head}", head.len() + 4).into_bytes();
    forge.script(Script::new(move |_| {
        Some(ScriptedAnswer::Endless(first.clone(), lines.clone(), AT_ONCE))
    }));
    forge.is_refused(
        6,
        &["more than 16777216 bytes in one list of references", "limits.bytesPerFetch"],
    );
}

#[test]
fn t17_slow_answers_time_out() {
    let forge = Forge::new();
    let (_, tip) = super::valid_pack();
    let trickles =
        || ScriptedAnswer::Endless(b"000dpackfile\n".to_vec(), Script::progress("."), SLOWLY);
    let is_given_up = |script: Script| {
        forge.script(script);
        let command = forge.sandbox.command(["sync"]).env("HELIX_SKILLS_STALL_TIMEOUT", "0.15");
        command.run().exits(3).says(["too slowly", &forge.server.url("evil")]);
        assert_eq!(forge.sandbox.files("project"), ["helix.skills.json"]);
    };
    is_given_up(Script::repository(&tip, move |_| trickles()));
    // Fast enough, but only bytes of a pack count, not progress text or empty packets.
    let progress = [Script::progress(&"x".repeat(200)), b"0005\x01".repeat(20)].concat();
    is_given_up(Script::repository(&tip, move |_| {
        ScriptedAnswer::Endless(b"000dpackfile\n".to_vec(), progress.clone(), SLOWLY)
    }));
    is_given_up(Script::new(|_| {
        Some(ScriptedAnswer::Endless(b"fff0".to_vec(), b"x".to_vec(), SLOWLY))
    }));
}

/// Every answer is within its limits and requires another fetch.
#[test]
fn t17_many_fetches_use_bounded_memory() {
    const LINKS: usize = 30;
    let forge = Forge::new();
    forge.limits(json!({"bytesPerFetch": 4 << 20}));
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    // A link of the skill leads to the first of a chain, and the target of each link is known only
    // once its text has arrived.
    let text =
        |n: usize| if n < LINKS { format!("c{n:02}") } else { "skills/a/SKILL.md".to_owned() };
    let texts: BTreeMap<String, String> = (1..=LINKS)
        .map(text)
        .chain(["../../c00".to_owned()])
        .map(|text| (id(Kind::Blob, text.as_bytes()), text))
        .collect();
    let first = id(Kind::Blob, b"../../c00");
    let skill = pack.tree(&[("100644", b"SKILL.md", &md), ("120000", b"link.md", &first)]);
    let skills = pack.tree(&[("40000", b"a", &skill)]);
    let links: Vec<_> =
        (0..LINKS).map(|n| (text(n), id(Kind::Blob, text(n + 1).as_bytes()))).collect();
    let mut root: Vec<_> =
        links.iter().map(|(name, id)| ("120000", name.as_bytes(), id.as_str())).collect();
    root.push(("40000", b"skills", &skills));
    let root = pack.tree(&root);
    let tip = pack.commit(&root);
    let ballast = vec![7; 1 << 20];
    let fetches = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&fetches);
    let script = |ballast: Vec<u8>| {
        let (pack, texts, counted) = (pack.clone(), texts.clone(), Arc::clone(&counted));
        Script::repository(&tip, move |exchange| {
            let number = counted.fetch_add(1, SeqCst);
            let mut answer = if number == 0 { pack.clone() } else { Pack::new() };
            for wanted in exchange.wants() {
                texts.get(wanted).into_iter().for_each(|text| drop(answer.blob(text.as_bytes())));
            }
            for n in 0..3 {
                ballast
                    .get(number * 3 + n..)
                    .into_iter()
                    .for_each(|bytes| drop(answer.blob(bytes)));
            }
            ScriptedAnswer::Body(Script::pack(&answer.finish()))
        })
    };
    forge.script(script(ballast));
    forge.is_refused(6, &["more than 4194304 bytes in one fetch", "limits.bytesPerFetch"]);
    assert!(fetches.load(SeqCst) < 5, "{fetches:?}");
    // Without unrequested objects, the chain may have any length.
    fetches.store(0, SeqCst);
    forge.script(script(Vec::new()));
    forge.sandbox.skills(["sync"]).succeeds();
    assert_eq!(fetches.load(SeqCst), LINKS + 2);
    assert_eq!(forge.sandbox.read("project/helix.skills/a/link.md"), skill_md("a"));
}
