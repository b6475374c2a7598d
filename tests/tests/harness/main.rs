//! Tests of the harness itself: the git server and the upstream repositories, used with the real
//! git.

#![allow(clippy::unwrap_used)]

use helix_skills_tests::{
    Behavior, Change, Fault, Login, Redirect, Sandbox, Wants, upstream::git_command,
};
use std::{
    collections::BTreeMap,
    io::{Read as _, Write as _},
    net::TcpStream,
    process::Output,
};

fn git(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    git_command().args(arguments).current_dir(sandbox.path("outside")).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn commits_have_the_same_ids_everywhere() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("skills");
    let first = upstream
        .commit(Change::new().skill("a").executable("run.sh", "#!/bin/sh\n").link("l", "run.sh"));
    assert_eq!(first, "58f9e8332dcac48c545820cd4c34764e53869bdb");
    let second = upstream.commit_to("dev", Change::new().text("with \"quotes\".md", "x"));
    assert_eq!(upstream.git(["rev-list", "--count", "dev"]), "1", "a new branch has no parents");
    assert_ne!(first, second);
    let tag = upstream.annotated_tag("v1.0.0", "main");
    assert_eq!(upstream.id("v1.0.0^{commit}"), first);
    assert_eq!(upstream.git(["cat-file", "-t", &tag]), "tag");
    assert_eq!(upstream.blob("main:l"), b"run.sh");
    assert_eq!(upstream.git(["fsck", "--strict"]), "");
}

#[test]
fn hostile_tree_is_stored_unchanged() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("skills");
    let blob = upstream.write_blob(b"x");
    let tree = upstream.write_tree(&[("100644", b"..", &blob), ("100644", b"a\nb", &blob)]);
    upstream.commit(Change::new().skill("a").tree("skills/evil", &tree));
    assert_eq!(
        upstream.git(["ls-tree", "-z", "--name-only", "main:skills/evil"]).split('\0').next(),
        Some("..")
    );
}

#[test]
fn git_clones_with_filters_and_keeps_one_connection() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("skills");
    for number in 0..40 {
        upstream.commit(Change::new().skill(&format!("s{number}")));
    }
    let server = sandbox.serve();
    let clone =
        git(&sandbox, &["clone", "--quiet", "--filter=blob:none", &server.url("skills"), "clone"]);
    assert!(clone.status.success(), "{}", text(&clone));
    assert_eq!(sandbox.files("outside/clone/skills").len(), 40);
    let exchanges = server.exchanges();
    let commands: Vec<_> = exchanges.iter().map(|e| e.command().unwrap_or("info/refs")).collect();
    // git fetches the blobs of the work tree in a second process, hence the second connection.
    assert_eq!(commands, ["info/refs", "ls-refs", "fetch", "info/refs", "fetch"]);
    assert_eq!(exchanges[2].filter(), Some("blob:none"));
    assert_eq!(exchanges[4].wants().len(), 40, "the body of this request is compressed");
    let traffic = server.take_traffic();
    assert_eq!((traffic.requests, traffic.connections), (5, 2));
    assert!(traffic.received > 0 && traffic.sent > 0);
    assert_eq!(server.traffic().requests, 0);
    assert!(server.exchanges().is_empty());
}

#[test]
fn servers_with_fewer_capabilities() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("skills");
    upstream.commit(Change::new().skill("a"));
    let server = sandbox.serve_with(Behavior { filters: false, ..Behavior::default() });
    let url = server.url("skills");
    let clone = git(&sandbox, &["clone", "--filter=blob:none", &url, "no-filters"]);
    assert!(text(&clone).contains("filtering not recognized by server"), "{}", text(&clone));

    server.behave(Behavior { protocol_v2: false, ..Behavior::default() });
    server.take_traffic();
    let clone = git(&sandbox, &["clone", "--quiet", &url, "version-0"]);
    assert!(clone.status.success(), "{}", text(&clone));
    assert!(server.exchanges().iter().all(|e| e.command().is_none()));

    let (tree, blob) = (upstream.id("main^{tree}"), upstream.id("main:skills/a/SKILL.md"));
    for (wants, tree_given, blob_given) in [
        (Wants::Any, true, true),
        (Wants::NoTrees, false, true),
        (Wants::NoTreesOrBlobs, false, false),
        (Wants::Advertised, false, false),
    ] {
        server.behave(Behavior { wants, ..Behavior::default() });
        for (id, given) in [(&tree, tree_given), (&blob, blob_given)] {
            sandbox.remove("outside/want");
            git(&sandbox, &["init", "--quiet", "want"]);
            let fetch = git(&sandbox, &["-C", "want", "fetch", &url, id]);
            assert_eq!(!text(&fetch).contains("not our ref"), given, "{wants:?}: {}", text(&fetch));
        }
    }
}

#[test]
fn passwords_redirects_and_faults() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("skills");
    upstream.commit(Change::new().skill("a"));
    let login = Login { user: None, password: "secret".to_owned() };
    let server = sandbox.serve_with(Behavior { login: Some(login), ..Behavior::default() });
    let refused = git(&sandbox, &["ls-remote", &server.url("skills")]);
    assert!(!refused.status.success());
    let with_password = server.url("skills").replace("http://", "http://me:secret@");
    let listed = git(&sandbox, &["ls-remote", &with_password]);
    assert!(listed.status.success(), "{}", text(&listed));
    assert_eq!(server.exchanges().last().unwrap().credentials().as_deref(), Some("me:secret"));

    let moved = Redirect { from: "/old.git".to_owned(), to: "/skills.git".to_owned(), status: 301 };
    server.behave(Behavior { redirects: vec![moved], ..Behavior::default() });
    let listed = git(&sandbox, &["ls-remote", &server.url("old")]);
    assert!(listed.status.success(), "{}", text(&listed));

    for fault in [Fault::Status(500), Fault::Garbage, Fault::Truncated, Fault::Corrupted(30)] {
        // The third request is the one that fetches the pack.
        server.behave(Behavior { faults: BTreeMap::from([(3, fault)]), ..Behavior::default() });
        server.take_traffic();
        let clone = git(&sandbox, &["clone", &server.url("skills"), "faulty"]);
        assert!(!clone.status.success(), "{fault:?}");
    }

    server
        .behave(Behavior { faults: BTreeMap::from([(1, Fault::Stalled)]), ..Behavior::default() });
    server.take_traffic();
    let mut stream = TcpStream::connect(server.authority()).unwrap();
    stream
        .write_all(b"GET /skills.git/info/refs?service=git-upload-pack HTTP/1.1\r\n\r\n")
        .unwrap();
    let mut byte = [0];
    stream.read_exact(&mut byte).unwrap();
    // Dropping the server ends the stalled connection.
    drop(server);
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(rest.ends_with(b"\r\n\r\n"), "{}", String::from_utf8_lossy(&rest));
}

#[test]
fn chunked_requests_are_read() {
    let sandbox = Sandbox::new();
    sandbox.upstream("skills").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    let mut stream = TcpStream::connect(server.authority()).unwrap();
    let body = "0014command=ls-refs\n00010009peel\n0000";
    let (first, second) = body.split_at(10);
    write!(
        stream,
        "POST /skills.git/git-upload-pack HTTP/1.1\r\nConnection: close\r\nGit-Protocol: version=2\r\n\
         Content-Type: application/x-git-upload-pack-request\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
    )
    .unwrap();
    let mut proceed = [0; 25];
    stream.read_exact(&mut proceed).unwrap();
    assert_eq!(&proceed, b"HTTP/1.1 100 Continue\r\n\r\n");
    write!(
        stream,
        "{:x}\r\n{first}\r\n{:x};x=y\r\n{second}\r\n0\r\n\r\n",
        first.len(),
        second.len()
    )
    .unwrap();
    let mut answer = String::new();
    while !answer.contains("\r\n0\r\n\r\n") {
        let mut part = [0; 512];
        let length = stream.read(&mut part).unwrap();
        assert_ne!(length, 0, "{answer}");
        answer.push_str(&String::from_utf8_lossy(&part[..length]));
    }
    assert!(
        answer.contains("Transfer-Encoding: chunked") && answer.contains(" refs/heads/main"),
        "{answer}"
    );
    assert_eq!(server.traffic().received, body.len() as u64);
}
