//! A secret, given in every way there is, to servers that do what they can to have it printed.

#![cfg(unix)]

use helix_skills_tests::{
    Authority, Behavior, Change, Fault, GitServer, Login, Proxy, Redirect, Run, Sandbox, TlsFront,
};
use serde_json::json;

const CANARY: &str = "canary-3f29c1d04b7e";
/// How it looks at any place in base64, without the digits that depend on what is beside it.
const ENCODED: [&str; 3] =
    ["Y2FuYXJ5LTNmMjljMWQwNGI3", "NhbmFyeS0zZjI5YzFkMDRiN2", "jYW5hcnktM2YyOWMxZDA0Yjdl"];

struct World {
    sandbox: Sandbox,
    server: GitServer,
    _front: TlsFront,
    proxy: Proxy,
    /// Where a credential helper lies.
    helpers: tempfile::TempDir,
}

/// `https://github.com/o/r.git` by way of a proxy, on loopback.
fn world() -> World {
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
    World { sandbox, server, _front: front, proxy, helpers: tempfile::tempdir().unwrap() }
}

/// How a secret is given.
const WAYS: [&str; 6] = ["token", "github", "gh", "netrc", "helper", "proxy"];

impl World {
    fn run(&self, way: &str, arguments: &[&str]) -> Run {
        self.sandbox.remove("home/.netrc");
        self.sandbox.remove("home/.gitconfig");
        let command = self
            .sandbox
            .command(arguments)
            .env("GIT_SSL_CAINFO", self.sandbox.path("outside/ca.pem"));
        let command = match way {
            "proxy" => command
                .env("HTTPS_PROXY", self.proxy.url().replace("//", &format!("//me:{CANARY}@"))),
            _ => command.env("HTTPS_PROXY", self.proxy.url()),
        };
        match way {
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

    /// Neither what was printed nor any file that may be written holds the secret, in whichever form.
    fn is_silent(&self, run: Run) {
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
fn t16_a_secret_is_never_seen_again() {
    let world = world();
    let mut sent = 0;
    for (name, behavior) in servers() {
        for way in WAYS {
            for arguments in [&["sync", "-vv"][..], &["sync", "-vv", "--json"]] {
                world.sandbox.forget();
                world.server.take_traffic();
                world.server.behave(behavior.clone());
                let run = world.run(way, arguments);
                assert!(run.code.is_some_and(|code| code <= 7), "{name} {way}\n{run}");
                world.is_silent(run);
                sent +=
                    world.server.exchanges().iter().filter(|e| e.authorization.is_some()).count();
            }
        }
    }
    assert!(
        sent > 100,
        "the secret was sent only {sent} times: this test proves less than it says"
    );
}

#[test]
fn t16_a_secret_in_a_url_is_never_seen_again() {
    let world = world();
    let instead =
        format!("[url \"https://me:{CANARY}@github.com/\"]\n\tinsteadOf = https://example.com/\n");
    let other =
        format!("[url \"ssh://git:{CANARY}@github.com/\"]\n\tinsteadOf = https://example.com/\n");
    world.sandbox.sources(&json!({"x": {"type": "git", "url": "https://example.com/o/r.git"}}));
    for config in [instead, other] {
        world.sandbox.write("home/.gitconfig", config);
        for arguments in [&["sync", "-vv"][..], &["sync", "-vv", "--json"]] {
            world.is_silent(world.sandbox.skills(arguments).exits(2));
        }
    }
    world.sandbox.remove("home/.gitconfig");
    for url in [
        format!("https://me:{CANARY}@github.com/o/r.git"),
        format!("https://github.com/o/r.git?token={CANARY}"),
    ] {
        // The manifest itself is where the user has written it.
        world.sandbox.sources(&json!({"x": {"type": "git", "url": url}}));
        for arguments in [&["sync", "-vv"][..], &["sync", "-vv", "--json"], &["add", &url, "-vv"]] {
            let run = world.sandbox.skills(arguments).exits(2);
            assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{run}");
        }
    }
}
