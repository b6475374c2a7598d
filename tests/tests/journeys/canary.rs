//! No output contains a secret, however it was provided and for any answer of the server.

#![cfg(unix)]

use helix_skills_tests::{
    Authority, Behavior, Change, Fault, GitServer, Login, Proxy, Redirect, Run, Sandbox, TlsFront,
};
use serde_json::json;

const CANARY: &str = "canary-3f29c1d04b7e";
/// The secret in base64 at each of the three alignments, without the digits that depend on its
/// neighbors.
const ENCODED: [&str; 3] =
    ["Y2FuYXJ5LTNmMjljMWQwNGI3", "NhbmFyeS0zZjI5YzFkMDRiN2", "jYW5hcnktM2YyOWMxZDA0Yjdl"];

struct SecretProject {
    sandbox: Sandbox,
    server: GitServer,
    _front: TlsFront,
    proxy: Proxy,
    /// The directory of the credential helper.
    helpers: tempfile::TempDir,
}

/// Serves `https://github.com/o/r.git` through a proxy on loopback.
fn secret_project() -> SecretProject {
    let sandbox = Sandbox::new();
    sandbox.upstream("o/r").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    let authority = Authority::new();
    sandbox.write("outside/ca.pem", authority.pem());
    let front = TlsFront::start(&authority, &["github.com", "other.example"], &server.authority());
    let proxy = Proxy::start();
    proxy.route("github.com:443", front.address());
    proxy.route("other.example:443", front.address());
    sandbox.sources(&json!({"x": {"type": "git", "url": "https://github.com/o/r.git"}}));
    SecretProject { sandbox, server, _front: front, proxy, helpers: tempfile::tempdir().unwrap() }
}

/// The ways to provide a secret.
const METHODS: [&str; 6] = ["token", "github", "gh", "netrc", "helper", "proxy"];

impl SecretProject {
    fn run(&self, method: &str, arguments: &[&str]) -> Run {
        self.sandbox.remove("home/.netrc");
        self.sandbox.remove("home/.gitconfig");
        let command = self
            .sandbox
            .command(arguments)
            .env("GIT_SSL_CAINFO", self.sandbox.path("outside/ca.pem"));
        let command = match method {
            "proxy" => command
                .env("HTTPS_PROXY", self.proxy.url().replace("//", &format!("//me:{CANARY}@"))),
            _ => command.env("HTTPS_PROXY", self.proxy.url()),
        };
        match method {
            "token" => command
                .env("HELIX_SKILLS_TOKEN", CANARY)
                .env("HELIX_SKILLS_TOKEN_HOST", "github.com"),
            "github" => command.env("GITHUB_TOKEN", CANARY),
            "gh" => command.env("GH_TOKEN", CANARY),
            "netrc" => {
                self.sandbox.write(
                    "home/.netrc",
                    format!("machine github.com login me password {CANARY}\n"),
                );
                command
            }
            "helper" => {
                let path = self.helpers.path().join("helper");
                let script = format!(
                    "#!/bin/sh\necho {CANARY} >&2\necho username=me\necho password={CANARY}\n"
                );
                std::fs::write(&path, script).unwrap();
                std::fs::set_permissions(
                    &path,
                    std::os::unix::fs::PermissionsExt::from_mode(0o755),
                )
                .unwrap();
                self.sandbox.write(
                    "home/.gitconfig",
                    format!("[credential]\n\thelper = {}\n", path.display()),
                );
                command
            }
            _ => command,
        }
        .run()
    }

    /// Checks that neither the output nor any writable file contains the secret in any encoding.
    fn does_not_leak(&self, run: Run) {
        for text in [CANARY].iter().chain(&ENCODED) {
            for place in ["project", "cache", "tmp"] {
                assert_eq!(
                    self.sandbox.snapshot(place).file_containing(text.as_bytes()),
                    None,
                    "in {place}\n{run}"
                );
            }
            assert!(!run.stdout.contains(text) && !run.stderr.contains(text), "{run}");
        }
    }
}

fn login(password: &str) -> Option<Login> {
    Some(Login { user: None, password: password.to_owned() })
}

fn servers() -> Vec<(&'static str, Behavior)> {
    let always = |fault: Fault| (2..30).map(|number| (number, fault)).collect();
    let redirect = |to: String| vec![Redirect { from: "/o/r.git".to_owned(), to, status: 302 }];
    let echo = |status| Behavior {
        login: login(CANARY),
        faults: always(Fault::Echo(status)),
        ..Behavior::default()
    };
    vec![
        ("takes it", Behavior { login: login(CANARY), ..Behavior::default() }),
        ("refuses it", Behavior { login: login("another"), ..Behavior::default() }),
        ("echoes 200", echo(200)),
        ("echoes 302", echo(302)),
        ("echoes 401", echo(401)),
        ("echoes 404", echo(404)),
        ("echoes 500", echo(500)),
        ("echoes 503", echo(503)),
        (
            "refuses with it",
            Behavior {
                login: login(CANARY),
                faults: always(Fault::Refusal("you sent canary-3f29c1d04b7e")),
                ..Behavior::default()
            },
        ),
        (
            "redirects to it",
            Behavior {
                login: login(CANARY),
                redirects: redirect(format!("https://other.example/{CANARY}/r.git")),
                ..Behavior::default()
            },
        ),
    ]
}

#[test]
fn t16_secrets_never_appear_in_output_or_files() {
    let project = secret_project();
    let mut sent = 0;
    for (name, behavior) in servers() {
        for method in METHODS {
            for arguments in [&["sync", "-vv"][..], &["sync", "-vv", "--json"]] {
                project.sandbox.forget();
                project.server.take_traffic();
                project.server.behave(behavior.clone());
                let run = project.run(method, arguments);
                assert!(run.code.is_some_and(|code| code <= 7), "{name} {method}\n{run}");
                project.does_not_leak(run);
                sent +=
                    project.server.exchanges().iter().filter(|e| e.authorization.is_some()).count();
            }
        }
    }
    assert!(sent > 100, "the secret was sent only {sent} times");
}

#[test]
fn t16_secrets_in_urls_never_appear() {
    let project = secret_project();
    let instead =
        format!("[url \"https://me:{CANARY}@github.com/\"]\n\tinsteadOf = https://example.com/\n");
    let other =
        format!("[url \"ssh://git:{CANARY}@github.com/\"]\n\tinsteadOf = https://example.com/\n");
    project.sandbox.sources(&json!({"x": {"type": "git", "url": "https://example.com/o/r.git"}}));
    for config in [instead, other] {
        project.sandbox.write("home/.gitconfig", config);
        for arguments in [&["sync", "-vv"][..], &["sync", "-vv", "--json"]] {
            project.does_not_leak(project.sandbox.skills(arguments).exits(2));
        }
    }
    project.sandbox.remove("home/.gitconfig");
    for url in [
        format!("https://me:{CANARY}@github.com/o/r.git"),
        format!("https://github.com/o/r.git?token={CANARY}"),
    ] {
        // The manifest has the URL that the user wrote.
        project.sandbox.sources(&json!({"x": {"type": "git", "url": url}}));
        for arguments in [&["sync", "-vv"][..], &["sync", "-vv", "--json"], &["add", &url, "-vv"]] {
            let run = project.sandbox.skills(arguments).exits(2);
            assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{run}");
        }
    }
}

/// Command lines that are answered with the argument, or with a command that has it.
fn command_lines() -> Vec<Vec<String>> {
    let page = format!("https://github.com/o/r/blob/main/skills/a/SKILL.md?token={CANARY}");
    let file = format!("https://github.com/o/r/blob/main/skills/a/x.md?token={CANARY}");
    let user = format!("https://me:{CANARY}@github.com/o/r.git");
    [
        &["add", &page, "--ref", "other"][..],
        &["add", &page, "--name", "x"],
        &["add", &page, "word"],
        &["add", &page, "--tag", "v1"],
        &["add", &page, "--unknown", "v1"],
        &["add", &format!("https://raw.githubusercontent.com/o/r/main/a/SKILL.md?token={CANARY}")],
        &["add", &format!("https://github.com/o/r?token={CANARY}")],
        &["add", &format!("https://me:{CANARY}@gitlab.com/o/r/-/pull/1")],
        &["add", &page, "o/r"],
        &["add", "o/r", &page],
        &["add", "o/r", &user],
        &["add", "o/r", "a", &user],
        &["add", &file],
        &["add", &format!("https://github.com/o/r/commit/0123?token={CANARY}")],
        &["add", &format!("https://github.com/o?token={CANARY}")],
        &["add", &format!("github.com/o/r?token={CANARY}")],
        &["add", &format!("git@h:{CANARY}@x")],
        &["add", &format!("me.you:{CANARY}@github.com/o/r")],
        &["add", &format!("me:{CANARY}@github.com/o/r")],
        &["add", &format!("./me:{CANARY}@host")],
        &["add", &user],
        &["install", &user],
        &["sync", &user],
    ]
    .map(|words| words.iter().map(|word| (*word).to_owned()).collect())
    .into()
}

#[test]
fn t16_secrets_that_were_typed_are_not_printed() {
    let project = secret_project();
    project.sandbox.sources(&json!({"x": {"type": "path", "path": "own"}}));
    project.sandbox.write("project/own/b/SKILL.md", helix_skills_tests::skill_md("b"));
    for words in command_lines() {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for arguments in [words.clone(), [&words[..], &["--json"]].concat()] {
            let run = project.run("none", &arguments);
            assert_eq!(run.code, Some(2), "{run}");
            project.does_not_leak(run);
        }
    }
    // The query of a page is not part of the manifest.
    let page = "https://github.com/o/r/blob/main/skills/a/SKILL.md";
    let page = format!("{page}?token={CANARY}");
    project.does_not_leak(project.run("none", &["add", &page, "-vv"]).succeeds());
}
