//! Repositories behind `git http-backend`.

use std::sync::atomic::Ordering::SeqCst;

use helix_skills_format::{__internal::one_line_chain, GitUrl, ObjectId};

use super::fixture::{Upstream, file_url, noise};
use super::server::{Answer, Server, Setup};
use super::{Log, add_token, git, git_with, nowhere, options};
use crate::resolver::{LocalAddress, Resolver};
use crate::secret::Secret;
use crate::user_config::UserConfig;
use crate::{ErrorKind, Session};
use reqwest::dns::Resolve as _;

fn url(server: &Server) -> GitUrl {
    GitUrl::parse(&format!("{}/up.git", server.url)).unwrap()
}

fn prefixes(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Fetches two files of a skill by tag, like a first sync.
fn cold(session: &mut Session<'_>, upstream: &Upstream, tag: &str) {
    let name = format!("refs/tags/{tag}");
    let refs = session.refs(&prefixes(&[&name, &format!("refs/heads/{tag}")])).unwrap();
    let found = refs.iter().find(|reference| reference.name == name).unwrap();
    assert_eq!(
        (found.id, found.peeled),
        (upstream.id(tag), upstream.id(&format!("{tag}^{{commit}}")))
    );
    let commit = session.commit(&found.peeled, Some(&name)).unwrap();
    assert_eq!(commit.tree, upstream.id(&format!("{tag}^{{tree}}")));
    let tree = upstream.id(&format!("{tag}:skills/a"));
    assert_eq!(session.entries(&tree).unwrap().count(), 2);
    read(session, upstream, tag);
}

fn read(session: &mut Session<'_>, upstream: &Upstream, revision: &str) {
    let paths =
        ["SKILL.md", "references/deep.md"].map(|path| format!("{revision}:skills/a/{path}"));
    let ids = paths.clone().map(|path| upstream.id(&path));
    session.blobs(&[ids[0], ids[1], ids[0]]).unwrap();
    for (path, id) in paths.iter().zip(ids) {
        assert_eq!(session.blob(&id).unwrap(), upstream.bytes(path), "{path}");
    }
}

#[test]
fn a_first_sync_takes_three_requests_on_one_connection() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    assert!(server.requests().is_empty(), "a session connects when it must");
    cold(&mut session, &upstream, "v1");
    assert_eq!(server.requests(), ["POST ls-refs", "POST fetch blob:none", "POST fetch"]);
    assert_eq!(server.connections.load(SeqCst), 1);
    assert!(!session.has(&upstream.id("v1:assets/noise.bin")), "unrequested files are not fetched");
    session.blobs(&[upstream.id("v1:skills/a/SKILL.md")]).unwrap();
    session.commit(&upstream.id("v1^{commit}"), None).unwrap();
    assert_eq!(server.requests().len(), 3, "what is here is not fetched again");
}

#[test]
fn a_sync_by_commit_takes_two_requests() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    // The id of a tag of a tag leads to the commit too.
    let commit = session.commit(&upstream.id("v1-tag"), None).unwrap();
    assert_eq!(commit.id, upstream.id("v1^{commit}"));
    read(&mut session, &upstream, "v1");
    assert_eq!(server.requests(), ["POST fetch blob:none", "POST fetch"]);
}

#[test]
fn several_commits_take_one_request() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    let commits = [upstream.id("main"), upstream.id("v1^{commit}")];
    session.prefetch_commits(&commits).unwrap();
    for id in commits {
        let commit = session.commit(&id, None).unwrap();
        assert_eq!(session.entries(&commit.tree).unwrap().count(), 3);
    }
    assert_eq!(server.requests(), ["POST fetch blob:none"]);
}

#[test]
fn files_of_the_caller_are_not_fetched() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    session.commit(&upstream.id("v1^{commit}"), None).unwrap();
    for path in ["v1:skills/a/SKILL.md", "v1:skills/a/references/deep.md"] {
        session.add_blob(upstream.bytes(path));
    }
    // It is kept under its own id, and not under that of another file.
    session.add_blob(b"other".to_vec());
    read(&mut session, &upstream, "v1");
    assert_eq!(server.requests(), ["POST fetch blob:none"]);
}

#[test]
fn a_server_without_filters_sends_one_pack_without_history() {
    let upstream = Upstream::new();
    let server = Server::git(Setup { filter: false, ..Setup::new(upstream.root().to_owned()) });
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    cold(&mut session, &upstream, "light");
    assert_eq!(
        server.requests(),
        ["POST ls-refs", "POST fetch blob:none", "GET info/refs", "POST fetch"]
    );
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    session.commit(&upstream.id("main"), None).unwrap();
    assert!(!session.has(&upstream.id("main~1")), "no history");
    assert_eq!(session.blob(&upstream.id("main:assets/noise.bin")).unwrap(), noise(100_000));
}

#[test]
fn old_protocol_with_all_wants() {
    let upstream = Upstream::new();
    let server = Server::git(Setup { v2: false, ..Setup::new(upstream.root().to_owned()) });
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    cold(&mut session, &upstream, "v1");
    assert_eq!(
        server.requests(),
        ["POST ls-refs", "GET info/refs", "POST fetch blob:none", "POST fetch"]
    );
    assert!(!session.has(&upstream.id("main")));
    server.forget();
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    session.commit(&upstream.id("main"), None).unwrap();
    assert!(!session.has(&upstream.id("main~1")), "`deepen 1` means one commit");
    read(&mut session, &upstream, "main");
}

/// A server that only sends objects that its references point at, as some hosting services do.
fn strict(upstream: &Upstream, v2: bool) -> Server {
    let tips = ["main", "v1", "v1-tag", "light"].map(|name| upstream.id(name).to_string());
    // Not even the commit behind the annotated tag.
    let hidden = upstream.id("v1^{commit}").to_string();
    Server::start(
        Some(Setup { v2, filter: false, ..Setup::new(upstream.root().to_owned()) }),
        move |request, _| {
            let wants = request.wants();
            if let Some(want) = wants.iter().find(|want| **want == hidden || !tips.contains(want)) {
                let refused = format!("ERR want {want} not valid");
                let body = format!("{:04x}{refused}", refused.len() + 4);
                let kind = "application/x-git-upload-pack-result";
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
                );
                Answer::Written(format!("{head}{body}").into_bytes())
            } else {
                Answer::Git
            }
        },
    )
}

#[test]
fn servers_that_only_send_what_references_point_at() {
    let upstream = Upstream::new();
    // `light` points at the commit, which is found through the tag.
    upstream.git(&upstream.bare(), &["tag", "-d", "light"]);
    upstream.git(&upstream.bare(), &["tag", "light", "main"]);
    for v2 in [true, false] {
        let server = strict(&upstream, v2);
        let git = git_with(|_| ());
        let mut session = git.session(&url(&server), nowhere()).unwrap();
        // The commit is behind an annotated tag; its files are sent with all others.
        cold(&mut session, &upstream, "v1");
        assert!(session.has(&upstream.id("v1:assets/noise.bin")));
        let handshakes = server.requests().iter().filter(|r| r.starts_with("GET")).count();
        assert_eq!(handshakes, 1);
        assert_eq!(server.connections.load(SeqCst), 1);

        let unknown = ObjectId::from([0x11; 20]);
        let error = session.commit(&unknown, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        assert!(format!("{:?}", error.hint()).contains("branch or tag"));
    }
}

#[test]
fn refused_files_are_fetched_with_the_whole_commit() {
    let upstream = Upstream::new();
    let main = upstream.id("main").to_string();
    let server = Server::start(Some(Setup::new(upstream.root().to_owned())), move |request, _| {
        if request.wants().iter().all(|want| *want == main) {
            Answer::Git
        } else {
            Answer::Raw(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-result\r\nConnection: close\r\n\r\n0011ERR not valid"
                    .to_vec(),
            )
        }
    });
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    session.commit(&upstream.id("main"), None).unwrap();
    read(&mut session, &upstream, "main");
    assert_eq!(server.requests(), ["POST fetch blob:none", "POST fetch", "POST fetch"]);
    assert!(!session.has(&upstream.id("main~1")));
}

#[test]
fn ids_that_do_not_exist() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    let none = ObjectId::from([0x11; 20]);
    for id in [none, upstream.id("v1^{tree}"), upstream.id("v1:empty")] {
        let error = session.commit(&id, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error} {error:?}");
    }
    let error = session.blobs(&[none]).unwrap_err();
    assert!(one_line_chain(&error).contains("not our ref"), "{error:?}");
    assert!(session.refs(&prefixes(&["refs/tags/nothing"])).unwrap().is_empty());
    cold(&mut session, &upstream, "v1");
}

#[test]
fn names_are_prefixes_and_head_has_a_target() {
    let upstream = Upstream::new();
    for v2 in [true, false] {
        let server = Server::git(Setup { v2, ..Setup::new(upstream.root().to_owned()) });
        let git = git_with(|_| ());
        let mut session = git.session(&url(&server), nowhere()).unwrap();
        let refs = session.refs(&prefixes(&["HEAD", "refs/tags/v1"])).unwrap();
        let names: Vec<&str> = refs.iter().map(|reference| reference.name.as_str()).collect();
        assert_eq!(names, ["HEAD", "refs/tags/v1", "refs/tags/v1-tag"]);
        assert_eq!(refs[0].target.as_deref(), Some("refs/heads/main"));
        assert_eq!(
            (refs[2].id, refs[2].peeled),
            (upstream.id("v1-tag"), upstream.id("v1^{commit}"))
        );
    }
}

#[test]
fn hosts_of_fetched_urls_do_not_resolve_to_this_machine() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let local = url(&server).as_str().replace("127.0.0.1", "localhost");
    let local = GitUrl::parse(&local).unwrap();
    let git = git_with(|options| options.retries = 2);
    let refs = |session: &mut Session<'_>| session.refs(&prefixes(&["HEAD"]));
    let error = refs(&mut git.unnamed_session(&local, nowhere()).unwrap()).unwrap_err();
    let text = one_line_chain(&error);
    assert!(text.contains("`localhost`, which the user has not named, resolves to"), "{text}");
    assert_eq!(error.kind(), ErrorKind::Network);
    assert_eq!(server.connections.load(SeqCst), 0);
    // A host that the user has named may be this machine.
    assert_eq!(refs(&mut git.session(&local, nowhere()).unwrap()).unwrap().len(), 1);

    // So may a proxy. The server of the URL is resolved there.
    let git = crate::Git::new(options(&Log::default()));
    let proxy = Some(Secret::new(local.as_str().strip_suffix("/up.git").unwrap()));
    assert!(git.shared.config.set(UserConfig { proxy, ..UserConfig::default() }).is_ok());
    let elsewhere = GitUrl::parse("https://plugins.example/up.git").unwrap();
    let error = refs(&mut git.unnamed_session(&elsewhere, nowhere()).unwrap()).unwrap_err();
    assert_eq!(server.connections.load(SeqCst), 2, "{error:?}");
}

/// The rule applies to each host that is connected to, so also to those of redirects.
#[test]
fn hosts_are_named_one_by_one() {
    let resolver = Resolver::default();
    resolver.add_named("named.example");
    let get = |host: &str| {
        let name = host.parse::<reqwest::dns::Name>().unwrap();
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(resolver.resolve(name))
            .map(|_| ())
    };
    assert!(get("localhost").unwrap_err().is::<LocalAddress>());
    resolver.add_named("LOCALHOST");
    assert!(get("localhost").is_ok());
}

#[test]
fn credentials_follow_a_challenge_and_are_not_printed() {
    let upstream = Upstream::new();
    // x-access-token:canary
    let wanted = "Basic eC1hY2Nlc3MtdG9rZW46Y2FuYXJ5";
    let server = Server::start(Some(Setup::new(upstream.root().to_owned())), move |request, _| {
        if request.headers.get("authorization").is_some_and(|value| value == wanted) {
            Answer::Git
        } else {
            Answer::Raw(
                b"HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .to_vec(),
            )
        }
    });
    let log = Log::default();
    let mut with_token = options(&log);
    add_token(&mut with_token, "canary");
    let with_token = git(with_token);
    let mut session = with_token.session(&url(&server), nowhere()).unwrap();
    cold(&mut session, &upstream, "v1");
    assert_eq!(server.requests().len(), 4, "one challenge for all requests");
    let log = log.lines().join("\n");
    assert!(log.contains("THE_TOKEN") && !log.contains("canary"), "{log}");

    for (secret, expected) in [(None, "without credentials"), (Some("other"), "`THE_TOKEN`")] {
        let git = git_with(|options| {
            secret.into_iter().for_each(|secret| add_token(options, secret));
        });
        let error =
            git.session(&url(&server), nowhere()).unwrap().refs(&prefixes(&["HEAD"])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Authentication);
        assert!(one_line_chain(&error).contains(expected), "{error:?}");
        assert!(error.hint().unwrap().contains("may read this repository") || secret.is_none());
        assert!(!format!("{error:?}{:?}", error.hint()).contains("other"));
    }
}

#[test]
fn certificates_are_read_for_https_only() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = crate::Git::new(options(&Log::default()));
    let certificates = Some(upstream.root().join("none.pem"));
    let config = UserConfig { certificates, ..UserConfig::default() };
    assert!(git.shared.config.set(config).is_ok());
    let refs = |url: &GitUrl| git.session(url, nowhere()).unwrap().refs(&prefixes(&["HEAD"]));
    assert_eq!(refs(&url(&server)).unwrap().len(), 1);
    let secure = url(&server).as_str().replace("http:", "https:");
    let error = refs(&GitUrl::parse(&secure).unwrap()).unwrap_err();
    assert!(one_line_chain(&error).contains("`http.sslCAInfo`"), "{error:?}");
    assert_eq!(server.connections.load(SeqCst), 1);
}

#[test]
fn offline_means_no_connection() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let git = git_with(|options| options.offline = true);
    let error =
        git.session(&url(&server), nowhere()).unwrap().refs(&prefixes(&["HEAD"])).unwrap_err();
    assert!(error.hint().unwrap().contains("--offline"));
    assert_eq!(server.connections.load(SeqCst), 0);
}

#[test]
fn errors_of_limits_say_which() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let fetch = |change: &dyn Fn(&mut super::GitOptions)| {
        let git = git_with(|options| change(options));
        let mut session = git.session(&url(&server), nowhere()).unwrap();
        let commit = session.commit(&upstream.id("v1^{commit}"), None);
        commit.and_then(|_| session.blobs(&[upstream.id("v1:assets/noise.bin")])).unwrap_err()
    };
    let error = fetch(&|options| options.bytes_per_fetch = 50_000);
    assert!(error.to_string().contains("more than 50000 bytes"));
    assert!(error.hint().unwrap().contains("`limits.bytesPerFetch`"));
    let error = fetch(&|options| options.objects_per_fetch = 5);
    assert!(error.to_string().contains("more than 5 objects"));
    assert!(error.hint().unwrap().contains("`limits.objectsPerFetch`"));
    let git = git_with(|options| options.bytes_per_object = 50_000);
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    let noise = upstream.id("v1:assets/noise.bin");
    session.blobs(&[noise, upstream.id("v1:skills/a/SKILL.md")]).unwrap();
    let error = session.blob(&noise).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(
        session.blob(&upstream.id("v1:skills/a/SKILL.md")).is_ok(),
        "other files are not disturbed"
    );
}

#[test]
fn the_file_limit_does_not_apply_to_trees() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    for url in [url(&server), GitUrl::parse(&file_url(&upstream.bare())).unwrap()] {
        let git = git_with(|options| options.bytes_per_object = 1);
        let mut session = git.session(&url, nowhere()).unwrap();
        let commit = session.commit(&upstream.id("v1"), None).unwrap();
        assert_eq!(session.entries(&commit.tree).unwrap().count(), 3);
        let (small, large) = (upstream.id("v1:empty"), upstream.id("v1:skills/a/SKILL.md"));
        session.blobs(&[small, large]).unwrap();
        assert!(session.blob(&small).is_ok() && session.has(&large));
        assert_eq!(session.blob(&large).unwrap_err().kind(), ErrorKind::Limit);
    }
}

#[test]
fn first_request_follows_redirects_on_the_same_host() {
    let upstream = Upstream::new();
    let server = Server::start(Some(Setup::new(upstream.root().to_owned())), |request, _| {
        let redirect = |to: String| {
            Answer::Raw(
                format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    .into(),
            )
        };
        if let Some(rest) = request.target.strip_prefix("/old.git/") {
            redirect(format!("/up.git/{rest}"))
        } else if request.target.starts_with("/away.git/") {
            redirect("http://example.invalid/up.git/info/refs?service=git-upload-pack".to_owned())
        } else if request.target.starts_with("/circle.git/") {
            redirect(request.target.clone())
        } else if request.target.starts_with("/page.git/") {
            redirect("/login".to_owned())
        } else if request.target == "/login" {
            Answer::Raw(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
                    .to_vec(),
            )
        } else {
            Answer::Git
        }
    });
    let git = git_with(|_| ());
    let session = |name: &str| {
        git.session(&GitUrl::parse(&format!("{}/{name}", server.url)).unwrap(), nowhere()).unwrap()
    };
    cold(&mut session("old.git"), &upstream, "v1");
    for (name, expected) in [
        ("away.git", "not followed"),
        ("circle.git", "too many redirects"),
        ("page.git", "text/html"),
    ] {
        let error = session(name).refs(&prefixes(&["HEAD"])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network);
        assert!(one_line_chain(&error).contains(expected), "{error:?}");
    }
}
