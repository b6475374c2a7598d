//! Compares the time of a sync with that of other programs, as ratios of one run:
//!
//! ```console
//! $ cargo bench -p helix-skills-tests --bench sync                # generated skills
//! $ cargo bench -p helix-skills-tests --bench sync -- MIRROR.git  # and a mirror of hyperframes
//! ```
//!
//! Each row is the median of several rounds in which both programs take turns, so that load on the
//! machine slows both equally. Fetches are measured twice: as fast as loopback is, and with 100 ms
//! added to each request; their requests and bytes are printed, too. `MIRROR.git` is a bare mirror
//! of github.com/heygen-com/hyperframes; skills of version 0.6.70 are fetched from it.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use helix_skills_tests::{Behavior, Change, GitServer, Sandbox, skill_md, upstream::git_command};
use serde_json::json;
use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

const ROUNDS: usize = 9;

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Runs both in turns and prints their medians and the ratio.
fn compare(
    what: &str,
    peer: &str,
    mut ours: impl FnMut() -> Duration,
    mut theirs: impl FnMut() -> Duration,
) {
    let rounds: Vec<(Duration, Duration)> = (0..ROUNDS).map(|_| (ours(), theirs())).collect();
    let (ours, theirs): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    let (ours, theirs) = (median(ours), median(theirs));
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!("{what}: {:.1} ms; {peer}: {:.1} ms; ratio {ratio:.2}", millis(ours), millis(theirs));
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Runs a command and discards its output.
fn quietly(mut command: Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Creates a synced sandbox with `files` files of `bytes` bytes in 20 skills.
fn project(files: usize, bytes: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("made-up");
    let mut change = Change::new();
    for at in 0..files {
        let skill = format!("skill-{:02}", at % 20);
        change = change.text(&format!("skills/{skill}/SKILL.md"), &skill_md(&skill));
        let text: String =
            (0..bytes).map(|n| char::from(b'a' + ((n * 7 + at) % 26) as u8)).collect();
        change = change.text(&format!("skills/{skill}/references/{at}.md"), &text);
    }
    upstream.commit(change);
    sandbox.sources(&json!({"made-up": {"type": "git", "url": format!("file://{}", upstream.path().display())}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

fn cold(mirror: &Path, latency: Duration) {
    let (parent, name) =
        (mirror.parent().unwrap(), mirror.file_name().unwrap().to_string_lossy().into_owned());
    let server = GitServer::start(parent, Behavior { latency, ..Behavior::default() });
    let delay = latency.as_millis();
    let url = format!("{}/{name}", server.base());
    let sandbox = Sandbox::new();
    let skills = ["hyperframes", "hyperframes-media"];
    sandbox.sources(&json!({"hyperframes": {"type": "git", "url": url, "version": "0.6.70", "include": skills}}));
    let clone = sandbox.path("cache/clone");
    let sync = |with_lock: bool| {
        sandbox.remove_store();
        sandbox.remove_cache();
        if !with_lock {
            sandbox.remove("project/helix.skills.lock");
        }
        timed(|| drop(sandbox.skills(["sync"]).succeeds()))
    };
    let git = || {
        sandbox.remove("cache/clone");
        timed(|| {
            let mut command = git_command();
            command.args([
                "clone",
                "-q",
                "--filter=blob:none",
                "--sparse",
                "--depth=1",
                "--branch=v0.6.70",
                &url,
            ]);
            command.arg(&clone);
            quietly(command);
            let mut command = git_command();
            command.arg("-C").arg(&clone).args(["sparse-checkout", "set"]);
            command.args(skills.map(|skill| format!("skills/{skill}")));
            quietly(command);
        })
    };
    let peer = "git clone --filter=blob:none --sparse, sparse-checkout set";
    sandbox.skills(["sync"]).succeeds();
    let add = || {
        sandbox.forget();
        sandbox.remove("project/helix.skills.json");
        sandbox.skills(["init"]).succeeds();
        timed(|| drop(sandbox.skills(["add", &url, "--include", skills[0]]).succeeds()))
    };
    server.take_traffic();
    let count = |what: &str, time: Duration| {
        let traffic = server.take_traffic();
        let (requests, sent) = (traffic.requests, traffic.sent);
        println!("{what}, +{delay} ms: {requests} requests, {sent} bytes, {:.1} ms", millis(time));
    };
    count("cold sync", sync(false));
    count("with the lockfile", sync(true));
    count(peer, git());
    compare(&format!("cold sync, +{delay} ms"), peer, || sync(false), git);
    compare(&format!("with the lockfile, +{delay} ms"), peer, || sync(true), git);
    server.take_traffic();
    count("add of the newest release, 1 skill", add());
    compare(&format!("add of the newest release, 1 skill, +{delay} ms"), peer, add, git);
}

fn main() {
    let mirror =
        std::env::args_os().skip(1).find(|argument| !argument.to_string_lossy().starts_with("--"));
    let warm = project(200, 10_000);
    let store = warm.path("project/helix.skills");
    let sums = |store: &Path| {
        let mut command = Command::new("sh");
        command.current_dir(store).args([
            "-c",
            "for l in *.sha256; do (cd ${l%.sha256} && sha256sum --quiet -c ../$l); done",
        ]);
        command
    };
    compare(
        "warm sync, nothing to do, 200 files, 2 MB",
        "sha256sum -c of every listing",
        || timed(|| drop(warm.skills(["sync"]).succeeds())),
        || timed(|| quietly(sums(&store))),
    );
    let large = project(900, 18_000);
    let store = large.path("project/helix.skills");
    compare(
        "sync --check, 900 files, 16 MB",
        "sha256sum -c of every listing",
        || timed(|| drop(large.skills(["sync", "--check"]).succeeds())),
        || timed(|| quietly(sums(&store))),
    );
    match mirror {
        Some(mirror) => {
            for latency in [0, 100] {
                cold(Path::new(&mirror), Duration::from_millis(latency));
            }
        }
        None => println!(
            "cold sync: skipped; pass the path of a bare mirror of heygen-com/hyperframes to run it"
        ),
    }
}
