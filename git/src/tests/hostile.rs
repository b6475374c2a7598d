//! Servers that are broken, silent or hostile.

use std::time::Duration;

use helix_skills_format::{
    __internal::{causes, one_line_chain},
    GitUrl, ObjectId,
};

use super::fixture::Upstream;
use super::server::{Answer, Server, Setup};
use super::{git_with, nowhere};
use crate::{Error, ErrorKind};

const KINDS: [ErrorKind; 3] = [ErrorKind::Network, ErrorKind::Corrupt, ErrorKind::Limit];

fn url(server: &Server) -> GitUrl {
    GitUrl::parse(&format!("{}/up.git", server.url)).unwrap()
}

fn head() -> Vec<String> {
    vec!["HEAD".to_owned()]
}

pub(super) fn line(text: &str) -> Vec<u8> {
    format!("{:04x}{text}", text.len() + 4).into_bytes()
}

fn answer(kind: &str, body: &[u8]) -> Answer {
    let mut bytes = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-{kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    Answer::Raw(bytes)
}

fn advertisement() -> Answer {
    let lines = [
        line("# service=git-upload-pack\n"),
        b"0000".to_vec(),
        line("version 2\n"),
        line("ls-refs=unborn\n"),
        line("fetch=shallow filter\n"),
        line("object-format=sha1\n"),
        b"0000".to_vec(),
    ];
    answer("advertisement", &lines.concat())
}

/// Returns the error of a request for references if every GET is answered like this.
fn refs_error(make: impl Fn() -> Answer + Send + Sync + 'static) -> Error {
    let server = Server::start(None, move |_, _| make());
    let git = git_with(|options| options.stall_timeout = Duration::from_millis(500));
    git.session(&url(&server), nowhere()).unwrap().refs(&head()).unwrap_err()
}

fn old_advertisement() -> Answer {
    let id = "2".repeat(40);
    let lines = [
        line("# service=git-upload-pack\n"),
        b"0000".to_vec(),
        line(&format!("{id} HEAD\0multi_ack_detailed side-band-64k shallow no-done\n")),
        line(&format!("{id} refs/heads/main\n")),
        b"0000".to_vec(),
    ];
    answer("advertisement", &lines.concat())
}

/// Returns the error of fetching a file if every POST is answered like this.
fn fetch_error(advertisement: fn() -> Answer, body: &[u8]) -> Error {
    let body = body.to_vec();
    let server = Server::start(None, move |request, _| match request.method.as_str() {
        "GET" => advertisement(),
        _ => answer("result", &body),
    });
    let git = git_with(|_| ());
    let id = ObjectId::from([0x11; 20]);
    git.session(&url(&server), nowhere()).unwrap().blobs(&[id]).unwrap_err()
}

#[test]
fn responses_that_are_not_from_git() {
    for text in [
        "",
        "garbage",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 429 Slow down\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nContent-Length: 900\r\n\r\n001e#",
    ] {
        let error = refs_error(|| Answer::Raw(text.as_bytes().to_vec()));
        assert_eq!(error.kind(), ErrorKind::Network, "{text}: {error}");
        assert!(!error.to_string().contains('\n'));
    }
    for (status, kind) in
        [("403 Forbidden", ErrorKind::Network), ("404 Not Found", ErrorKind::NoRepository)]
    {
        let error = refs_error(move || {
            Answer::Raw(
                format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    .into_bytes(),
            )
        });
        assert_eq!(error.kind(), kind, "{status}: {error}");
    }
}

#[test]
fn invalid_advertisements_are_errors() {
    let hello = line("# service=git-upload-pack\n");
    let zero = "0".repeat(40);
    for body in [
        b"".to_vec(),
        b"zzzz".to_vec(),
        b"0003".to_vec(),
        b"0004".to_vec(),
        b"ffff".to_vec(),
        b"0000".to_vec(),
        hello.clone(),
        [&hello[..], b"0000"].concat(),
        [&hello[..], b"00000000"].concat(),
        [&hello[..], b"0000", &line("version 9\n")].concat(),
        [&hello[..], b"0000", &line("version 2\n")].concat(),
        [&hello[..], b"0000", &line("no capabilities\n"), b"0000"].concat(),
        [&hello[..], b"0000", &line(&format!("{zero} HEAD\0caps\n")), &line("what\n"), b"0000"]
            .concat(),
        [&hello[..], b"0000", &line(&format!("{zero} HEAD\0symref=HEAD\n")), b"0000"].concat(),
        [&hello[..], b"0000", &line("\u{0}\n"), b"0000"].concat(),
        [&hello[..], b"0000", b"0008\xff\xfe\xfd\x00"].concat(),
    ] {
        let shown = String::from_utf8_lossy(&body).into_owned();
        let error = refs_error(move || answer("advertisement", &body));
        assert_eq!(error.kind(), ErrorKind::Network, "{shown:?}: {error}");
    }
    let body = [&hello[..], b"0000", &line("ERR \x1b[31mgo away\n")].concat();
    let error = refs_error(move || answer("advertisement", &body));
    assert!(error.to_string().ends_with(": \\u{1b}[31mgo away"), "{error:?}");
}

#[test]
fn invalid_fetch_responses_are_errors() {
    for body in [
        &b""[..],
        b"0000",
        b"0001",
        b"zzzz",
        b"000dpackfile\n",
        b"000dpackfile\n0000",
        b"000dpackfile\n0005\x07",
        b"000dpackfile\n0009\x01PACK0000",
        b"000dpackfile\n0009\x01PACX0000",
        b"000dpackfile\n0015\x01PACK\0\0\0\x02\xff\xff\xff\xff",
        b"0010shallow-info0001",
        b"0011acknowledgments\n",
        b"0009what\n",
        b"0008\xff\xff\xff\xff",
    ] {
        let error = fetch_error(advertisement, body);
        assert!(KINDS.contains(&error.kind()), "{}: {error:?}", String::from_utf8_lossy(body));
    }
    for body in [
        &b""[..],
        b"0000",
        b"zzzz",
        b"0008NAK\n",
        b"0001",
        b"0002",
        b"0008NAK\n0001",
        b"0008NAK\n00010002",
        b"00000000000000000001",
        b"0008NAK\n0000",
        b"0008NAK\n0009\x01PACK0000",
        b"0008NAK\n0005\x07",
        b"000cshallow\n0000",
        b"0008\xff\xff\xff\xff",
        b"0009what\n",
    ] {
        let error = fetch_error(old_advertisement, body);
        assert!(KINDS.contains(&error.kind()), "old: {}: {error:?}", String::from_utf8_lossy(body));
    }
    // An empty pack is valid, but does not contain the requested object.
    let empty = b"000dpackfile\n0025\x01PACK\0\0\0\x02\0\0\0\0\x02\x9d\x08\x82\x3b\xd8\xa8\xea\xb5\x10\xad\x6a\xc7\x5c\x82\x3c\xfd\x3e\xd3\x1e0000";
    let error = fetch_error(advertisement, empty);
    assert!(one_line_chain(&error).contains("is missing"), "{error:?}");
    let error = fetch_error(advertisement, b"000dpackfile\n0010\x03out of luck\n0000");
    assert!(error.hint().unwrap().contains("your access to the repository"));
    assert!(error.to_string().contains("luck"), "{error:?}");
}

#[test]
fn only_one_flush_precedes_a_pack() {
    let pack = b"0008NAK\n0009\x01PACX0000";
    let error = fetch_error(old_advertisement, &[b"0000", &pack[..]].concat());
    assert_eq!(error.kind(), ErrorKind::Corrupt, "one flush is fine: {error}");
    let error = fetch_error(old_advertisement, &[b"00000000", &pack[..]].concat());
    let cause = causes(&error).last().unwrap().to_string();
    assert!(cause.contains("unknown packet for this version"), "{cause}");
}

#[test]
fn lines_before_a_pack_are_bounded() {
    let boundary = line(&format!("shallow {}\n", "1".repeat(40)));
    for (count, is_accepted) in [(100, true), (30_000, false)] {
        let lines = boundary.repeat(count);
        let old = [&lines[..], b"00000008NAK\n0009\x01PACX0000"].concat();
        let new =
            [&line("shallow-info\n")[..], &lines, b"0001000dpackfile\n0009\x01PACX0000"].concat();
        for (advertisement, body) in
            [(old_advertisement as fn() -> Answer, old), (advertisement, new)]
        {
            let error = fetch_error(advertisement, &body);
            if is_accepted {
                assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
            } else {
                let cause = causes(&error).last().unwrap().to_string();
                assert_eq!(cause, "too many lines precede the pack");
            }
        }
    }
}

/// A reader that continued after the refusal would reach the limit of bytes.
#[test]
fn side_band_3_ends_the_response() {
    let words = line(&format!("\u{3}disk \u{1b}[31mquota\n{}", "x".repeat(60_000)));
    let more = line(&format!("\u{1}{}", "y".repeat(60_000))).repeat(300);
    let error =
        fetch_error(advertisement, &[b"000dpackfile\n", &words[..], &more, b"0000"].concat());
    assert!(error.hint().unwrap().contains("your access to the repository"));
    let text = error.to_string();
    let (_, message) = text.split_once("`: ").unwrap();
    assert!(
        message.starts_with("disk \\u{1b}[31mquota\\u{a}xxx") && message.ends_with("x..."),
        "{message}"
    );
    assert!(message.chars().count() < 600);
    let error = fetch_error(advertisement, b"000dpackfile\n0005\x030000");
    assert!(error.to_string().ends_with("it gives no reason"), "{error}");
}

#[test]
fn silence_ends_with_the_timeout() {
    let error = refs_error(|| Answer::Silence);
    assert!(one_line_chain(&error).contains("no response within 0.5 s"), "{error:?}");
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nContent-Length: 9999\r\n\r\n";
    let error = refs_error(move || Answer::Written(format!("{head}001e").into_bytes()));
    assert!(one_line_chain(&error).contains("no data received for 0.5 s"), "{error:?}");
    // One long line that never ends.
    let error = refs_error(move || {
        Answer::Drip(head.to_owned(), format!("fff0{}", "x".repeat(9_000)).into_bytes())
    });
    assert!(one_line_chain(&error).contains("too slowly"), "{error:?}");
}

#[test]
fn refused_connection_is_a_network_error() {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let git = git_with(|_| ());
    let url = GitUrl::parse(&format!("http://{free}/up.git")).unwrap();
    let error = git.session(&url, nowhere()).unwrap().refs(&head()).unwrap_err();
    assert!(one_line_chain(&error).contains("no connection"), "{error:?}");
    assert!(causes(&error).count() > 1);
}

#[test]
fn a_sha256_server_is_not_supported() {
    let upstream = Upstream::new();
    upstream.git(upstream.root(), &["init", "-q", "--bare", "--object-format=sha256", "new.git"]);
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = git_with(|_| ());
    let url = GitUrl::parse(&format!("{}/new.git", server.url)).unwrap();
    let error = git.session(&url, nowhere()).unwrap().refs(&head()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.to_string().contains(url.as_str()));
}

#[test]
fn session_reconnects_after_a_broken_response() {
    let upstream = Upstream::new();
    let server = Server::start(Some(Setup::new(upstream.root().to_owned())), |_, number| {
        if number == 1 { Answer::Raw(b"HTTP/1.1 200 OK\r\n".to_vec()) } else { Answer::Git }
    });
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    assert_eq!(session.commit(&upstream.id("main"), None).unwrap_err().kind(), ErrorKind::Network);
    session.commit(&upstream.id("main"), None).unwrap();
}

/// A lockfile with a name that git does not allow could not be read again for any source.
#[test]
fn references_with_invalid_names_are_dropped() {
    let id = "1".repeat(40);
    for (target, expected) in [
        ("refs/heads/main", Some("refs/heads/main")),
        ("refs/heads/a..b", None),
        ("refs/heads/x.lock", None),
        ("refs/heads/\x1b[31mx", None),
        ("../../x", None),
        ("-x", None),
        ("HEAD", None),
    ] {
        let lines = [
            format!("{id} HEAD symref-target:{target}\n"),
            format!("{id} refs/tags/v1.0.0-x.lock\n"),
        ];
        let body = [&line(&lines[0])[..], &line(&lines[1]), b"0000"].concat();
        let server = Server::start(None, move |request, _| match request.method.as_str() {
            "GET" => advertisement(),
            _ => answer("result", &body),
        });
        let git = git_with(|_| ());
        let refs = git
            .session(&url(&server), nowhere())
            .unwrap()
            .refs(&["HEAD".into(), "refs/tags/".into()])
            .unwrap();
        assert_eq!(refs.iter().map(|found| found.name.as_str()).collect::<Vec<_>>(), ["HEAD"]);
        assert_eq!(refs[0].target.as_deref(), expected, "{target:?}");
    }
}

#[test]
fn symrefs_of_the_old_protocol_keep_their_first_target() {
    let id = "1".repeat(40);
    let name = |n: usize| format!("refs/heads/b{n:04}");
    let targets: Vec<String> =
        (0..1000).map(|n| format!("symref={}:{}", name(n), name(n + 1))).collect();
    let capabilities = format!("{} symref={}:{}", targets.join(" "), name(7), name(0));
    let mut lines = line("# service=git-upload-pack\n");
    lines.extend(b"0000");
    lines.extend(line(&format!("{id} {}\0{capabilities}\n", name(0))));
    lines.extend((1..2000).flat_map(|n| line(&format!("{id} {}\n", name(n)))));
    lines.extend(b"0000");
    let server = Server::start(None, move |_, _| answer("advertisement", &lines));
    let git = git_with(|_| ());
    let refs = git.session(&url(&server), nowhere()).unwrap().refs(&["refs/".into()]).unwrap();
    assert_eq!(refs.len(), 2000);
    for (n, found) in refs.iter().enumerate() {
        let target = (n < 1000).then(|| name(n + 1));
        assert_eq!((&found.name, &found.target), (&name(n), &target));
    }
}

/// Servers before version 2 name the targets of symbolic references in the first line.
#[test]
fn unlisted_symbolic_references_are_dropped() {
    let id = "1".repeat(40);
    for (listed, expected) in [("HEAD", Some("refs/heads/main")), ("refs/heads/other", None)] {
        let lines = [
            line("# service=git-upload-pack\n"),
            b"0000".to_vec(),
            line(&format!("{id} {listed}\0symref=HEAD:refs/heads/main symref=X:(null) shallow\n")),
            line(&format!("{id} refs/heads/main\n")),
            b"0000".to_vec(),
        ];
        let server = Server::start(None, move |_, _| answer("advertisement", &lines.concat()));
        let git = git_with(|_| ());
        let refs = git
            .session(&url(&server), nowhere())
            .unwrap()
            .refs(&["HEAD".into(), "refs/".into()])
            .unwrap();
        assert_eq!(
            refs.iter().map(|found| found.name.as_str()).collect::<Vec<_>>(),
            [listed, "refs/heads/main"]
        );
        assert_eq!(refs[0].target.as_deref(), expected);
    }
}
