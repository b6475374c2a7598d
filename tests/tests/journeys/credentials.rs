//! Private repositories: which host gets which credentials; no other host and no output gets them.

use crate::market::{index, publish};
use helix_skills_tests::{Behavior, Change, GitServer, Login, Redirect, Run, Sandbox};
use serde_json::json;

const CANARY: &str = "canary-0f8087021c47db69";

fn private() -> (Sandbox, GitServer) {
    let sandbox = Sandbox::new();
    sandbox.upstream("secret").commit(Change::new().skill("a"));
    let server = sandbox.serve_with(Behavior { login: login(None), ..Behavior::default() });
    sandbox.sources(&json!({"secret": {"type": "git", "url": server.url("secret")}}));
    (sandbox, server)
}

fn login(user: Option<&str>) -> Option<Login> {
    Some(Login { user: user.map(str::to_owned), password: CANARY.to_owned() })
}

/// Checks that neither the output nor any writable file contains the canary.
fn does_not_leak(sandbox: &Sandbox, run: Run) -> Run {
    for place in ["project", "cache", "tmp"] {
        assert_eq!(
            sandbox.snapshot(place).file_containing(CANARY.as_bytes()),
            None,
            "in {place}\n{run}"
        );
    }
    // The forms sent over the wire must not appear either.
    run.never_prints(CANARY).never_prints("Y2FuYXJ5LTBmODA4").never_prints("Basic ")
}

#[test]
fn missing_credentials_exit_4_with_a_hint() {
    let (sandbox, server) = private();
    let run = sandbox.skills(["sync"]).exits(4);
    let run = run.says(["127.0.0.1", "HELIX_SKILLS_TOKEN", "HELIX_SKILLS_TOKEN_HOST"]);
    assert!(run.stderr.contains(".netrc"), "{run}");
    assert!(server.exchanges().iter().all(|e| e.authorization.is_none()));
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn token_is_sent_only_to_its_host_on_request() {
    let (sandbox, server) = private();
    let run = sandbox
        .command(["sync", "-vv"])
        .env("HELIX_SKILLS_TOKEN", CANARY)
        .env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1")
        .run()
        .succeeds();
    does_not_leak(&sandbox, run);
    let exchanges = server.exchanges();
    assert_eq!(exchanges[0].authorization, None, "the first request has no credentials");
    assert!(
        exchanges[1..].iter().all(|e| e.credentials().is_some_and(|c| c.ends_with(CANARY))),
        "{exchanges:#?}"
    );
    // One request more than for a public repository: the one that was refused.
    assert_eq!(exchanges.len(), 4);
    assert_eq!(sandbox.locked_skills(), ["a"]);
}

/// Some servers accept a token only with a certain user name.
#[test]
fn user_name_of_the_token_is_before_the_host() {
    let (sandbox, server) = private();
    server.behave(Behavior { login: login(Some("me")), ..Behavior::default() });
    let sync = |host: &str| {
        let command = sandbox.command(["sync"]).env("HELIX_SKILLS_TOKEN", CANARY);
        command.env("HELIX_SKILLS_TOKEN_HOST", host).run()
    };
    let run = sync("127.0.0.1").exits(4).says([
        "with credentials of the user `x-access-token` from `HELIX_SKILLS_TOKEN`",
        &format!("; HELIX_SKILLS_TOKEN_HOST=NAME@{} sends another user name", server.authority()),
    ]);
    does_not_leak(&sandbox, run);
    let run = sync(&format!("me@{}", server.authority())).succeeds();
    does_not_leak(&sandbox, run);
    assert_eq!(server.exchanges().last().unwrap().credentials(), Some(format!("me:{CANARY}")));
}

#[test]
fn token_without_host_is_a_usage_error() {
    let (sandbox, server) = private();
    let run = sandbox.command(["sync"]).env("HELIX_SKILLS_TOKEN", CANARY).run().exits(2);
    does_not_leak(&sandbox, run.says(["HELIX_SKILLS_TOKEN_HOST"]));
    sandbox
        .command(["sync"])
        .env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1")
        .run()
        .exits(2)
        .says(["HELIX_SKILLS_TOKEN"]);
    // Neither is one with a host that is none.
    for host in ["https://127.0.0.1", "127.0.0.1/", "bob:pw@127.0.0.1", "*.example.com"] {
        let command = sandbox.command(["sync"]).env("HELIX_SKILLS_TOKEN", CANARY);
        let run = command.env("HELIX_SKILLS_TOKEN_HOST", host).run().exits(2);
        let run = run.says(["must be `host`, `host:port` or `NAME@host`", "help: write the host"]);
        does_not_leak(&sandbox, run.never_prints("pw"));
    }
    assert!(server.exchanges().iter().all(|e| e.authorization.is_none()));
}

#[test]
fn wrong_token_exits_4_and_is_not_printed() {
    let (sandbox, server) = private();
    server.behave(Behavior {
        login: Some(Login { user: None, password: "another".to_owned() }),
        ..Behavior::default()
    });
    for arguments in
        [&["sync"][..], &["sync", "-vv"], &["sync", "--json"], &["sync", "--json", "-vv"]]
    {
        let command = sandbox.command(arguments);
        let run = command
            .env("HELIX_SKILLS_TOKEN", CANARY)
            .env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1")
            .run()
            .exits(4);
        if arguments.contains(&"--json") {
            drop(run.json());
        }
        does_not_leak(&sandbox, run);
    }
}

#[test]
fn token_is_not_sent_to_another_host() {
    let (sandbox, server) = private();
    for host in ["example.com", "127.0.0.1.example.com", "127.0.0.2", "localhost", "7.0.0.1"] {
        let command = sandbox.command(["sync", "-vv"]);
        let run = command
            .env("HELIX_SKILLS_TOKEN", CANARY)
            .env("HELIX_SKILLS_TOKEN_HOST", host)
            .run()
            .exits(4);
        does_not_leak(&sandbox, run);
    }
    // Tokens of a known forge are not sent either.
    let command = sandbox.command(["sync"]).env("GITHUB_TOKEN", CANARY).env("GH_TOKEN", CANARY);
    does_not_leak(&sandbox, command.run().exits(4));
    assert!(server.exchanges().iter().all(|e| e.authorization.is_none()));
}

#[test]
fn netrc_has_user_and_password_of_the_host() {
    let (sandbox, server) = private();
    server.behave(Behavior { login: login(Some("me")), ..Behavior::default() });
    sandbox.write(
        "home/.netrc",
        format!("machine example.com login other password no\n# a comment\nmachine 127.0.0.1\n  login me\n  password {CANARY}\n"),
    );
    let run = sandbox.skills(["sync", "-vv"]).succeeds();
    assert_eq!(server.exchanges().last().unwrap().credentials(), Some(format!("me:{CANARY}")));
    does_not_leak(&sandbox, run);
}

#[test]
fn netrc_of_another_host_is_not_used() {
    let (sandbox, server) = private();
    sandbox.write("home/.netrc", format!("machine example.com login me password {CANARY}\n"));
    does_not_leak(&sandbox, sandbox.skills(["sync"]).exits(4));
    assert!(server.exchanges().iter().all(|e| e.authorization.is_none()));
}

#[test]
fn t16_redirect_to_another_host_drops_credentials() {
    let (sandbox, first) = private();
    let second = sandbox.serve_with(Behavior { login: login(None), ..Behavior::default() });
    let to = format!("http://localhost:{}/secret.git", second.port());
    // The first host requests the token, gets it, and redirects the client.
    first.behave(Behavior {
        login: login(None),
        redirects: vec![Redirect { from: "/secret.git".to_owned(), to, status: 302 }],
        ..Behavior::default()
    });
    let command = sandbox.command(["sync", "-vv"]);
    let run = command
        .env("HELIX_SKILLS_TOKEN", CANARY)
        .env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1")
        .run()
        .fails();
    does_not_leak(&sandbox, run);
    assert!(first.exchanges().iter().any(|e| e.authorization.is_some()));
    assert!(
        second.exchanges().iter().all(|e| e.authorization.is_none()),
        "{:#?}",
        second.exchanges()
    );
}

#[test]
fn token_is_not_in_files_or_output() {
    let (sandbox, _server) = private();
    for arguments in [
        &["sync"][..],
        &["sync", "--check", "-vv"],
        &["list", "--json"],
        &["show", "a", "--json"],
        &["sync", "--json", "-vv", "--dry-run"],
        &["cache", "dir"],
    ] {
        let command = sandbox.command(arguments);
        let run = command
            .env("HELIX_SKILLS_TOKEN", CANARY)
            .env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1")
            .run();
        does_not_leak(&sandbox, run.succeeds());
    }
}

#[test]
fn check_reads_no_token() {
    let (sandbox, _server) = private();
    let command = sandbox.command(["sync"]);
    command
        .env("HELIX_SKILLS_TOKEN", CANARY)
        .env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1")
        .run()
        .succeeds();
    sandbox.skills(["sync", "--check"]).succeeds();
}

#[test]
fn password_in_url_is_rejected_and_not_printed() {
    let sandbox = Sandbox::new();
    for url in [
        format!("https://me:{CANARY}@example.com/x.git"),
        format!("http://{CANARY}@127.0.0.1/x.git"),
        format!("ssh://git:{CANARY}@example.com/x.git"),
    ] {
        sandbox.sources(&json!({"secret": {"type": "git", "url": url}}));
        for arguments in
            [&["sync"][..], &["sync", "--json"], &["sync", "--check"], &["remove", "x"]]
        {
            sandbox.skills(arguments).exits(2).never_prints(CANARY);
        }
        sandbox.skills(["add", &url]).exits(2).never_prints(CANARY);
    }
}

/// Many CI systems put a token into `insteadOf`.
#[test]
fn token_in_git_configuration_is_not_printed() {
    let (sandbox, server) = private();
    let insteadof = format!(
        "[url \"http://x-access-token:{CANARY}@{}/\"]\n\tinsteadOf = https://example.com/\n",
        server.authority()
    );
    sandbox.write("home/.gitconfig", insteadof);
    sandbox.sources(&json!({"secret": {"type": "git", "url": "https://example.com/secret.git"}}));
    for more in [&[][..], &["-vv"], &["--json"]] {
        let arguments: Vec<_> = ["sync"].iter().chain(more).collect();
        let run = sandbox.skills(arguments).exits(2);
        does_not_leak(&sandbox, run);
    }
}

#[test]
fn password_in_invalid_url_is_not_printed() {
    let urls = [
        "HTTPS://u:{}@h/r",
        "git+https://u:{}@h/r",
        "ftp://u:{}@h/r",
        "https:/u:{}@h/r",
        "https://u:{}@ho st/r",
    ];
    for url in urls.into_iter().chain(["git:{}@host:o/r", "https://h/r?token={}", "https://h/r#{}"])
    {
        let url = url.replace("{}", CANARY);
        let sandbox = Sandbox::new();
        sandbox.sources(&json!({}));
        sandbox.skills(["add", &url]).exits(2).never_prints(CANARY);
        sandbox.sources(&json!({"x": {"type": "git", "url": url}}));
        sandbox.skills(["sync"]).exits(2).never_prints(CANARY);
        sandbox.skills(["sync", "--json"]).exits(2).never_prints(CANARY);
    }
}

/// A marketplace on one host with a plugin on another, which requires credentials.
fn marketplace() -> (Sandbox, GitServer, GitServer) {
    let sandbox = Sandbox::new();
    let plugins =
        json!([{"name": "p", "source": {"source": "url", "url": "https://plugins.example/p.git"}}]);
    sandbox.upstream("market").commit(publish(&index(&plugins)));
    sandbox.upstream("p").commit(Change::new().skill("a"));
    let market = sandbox.serve();
    let plugins = sandbox.serve_with(Behavior { login: login(None), ..Behavior::default() });
    sandbox.sources(&json!({"team": team()}));
    (sandbox, market, plugins)
}

fn team() -> serde_json::Value {
    json!({"type": "claude-marketplace", "url": "https://market.example/market.git", "plugin": "p"})
}

/// Git configuration that maps the two hosts to the test servers, with additional lines.
fn configuration(market: &GitServer, plugins: &GitServer, more: &str) -> String {
    format!(
        "[url \"{}/\"]\n\tinsteadOf = https://market.example/\n[url \"http://localhost:{}/\"]\n\tinsteadOf = https://plugins.example/\n{more}",
        market.base(),
        plugins.port()
    )
}

/// Syncs, and returns whether the plugin's host received the password.
fn reaches_the_plugin(sandbox: &Sandbox, plugins: &GitServer) -> bool {
    sandbox.forget();
    plugins.take_traffic();
    let run = sandbox.skills(["sync", "-vv"]);
    let sent = plugins.exchanges().iter().any(|exchange| exchange.authorization.is_some());
    assert_eq!(run.code, Some(if sent { 0 } else { 4 }), "{run}");
    does_not_leak(sandbox, run);
    sent
}

#[test]
fn netrc_default_is_only_for_hosts_of_the_manifest() {
    let (sandbox, market, plugins) = marketplace();
    sandbox.write("home/.gitconfig", configuration(&market, &plugins, ""));
    sandbox.write("home/.netrc", format!("default login me password {CANARY}\n"));
    assert!(!reaches_the_plugin(&sandbox, &plugins));
    sandbox.skills(["sync"]).exits(4).says(["used only for hosts that the manifest names"]);
    // Another source names the host, or netrc has an entry for it.
    sandbox.upstream("q").commit(Change::new().skill("q"));
    let q = json!({"type": "git", "url": "https://plugins.example/q.git"});
    sandbox.sources(&json!({"team": team(), "q": q}));
    assert!(reaches_the_plugin(&sandbox, &plugins));
    sandbox.sources(&json!({"team": team()}));
    sandbox.write("home/.netrc", format!("machine localhost login me password {CANARY}\n"));
    assert!(reaches_the_plugin(&sandbox, &plugins));
}

#[test]
fn netrc_default_is_for_hosts_of_the_manifest() {
    let (sandbox, server) = private();
    sandbox.write("home/.netrc", format!("default login me password {CANARY}\n"));
    does_not_leak(&sandbox, sandbox.skills(["sync", "-vv"]).succeeds());
    assert_eq!(server.exchanges().last().unwrap().credentials(), Some(format!("me:{CANARY}")));
    // `skills add` names the host before the manifest does.
    sandbox.forget();
    sandbox.sources(&json!({}));
    does_not_leak(&sandbox, sandbox.skills(["add", &server.url("secret")]).succeeds());
}

#[cfg(unix)]
#[test]
fn catch_all_helpers_are_only_for_hosts_of_the_manifest() {
    let (sandbox, market, plugins) = marketplace();
    let helper =
        format!("\thelper = \"!f() {{ echo username=me; echo password={CANARY}; }}; f\"\n");
    let port = plugins.port();
    for (section, is_sent) in [
        ("[credential]\n".to_owned(), false),
        (format!("[credential \"http://*:{port}\"]\n"), false),
        (format!("[credential \"http://localhost:{port}\"]\n"), true),
    ] {
        sandbox.write(
            "home/.gitconfig",
            configuration(&market, &plugins, &format!("{section}{helper}")),
        );
        assert_eq!(reaches_the_plugin(&sandbox, &plugins), is_sent, "{section}");
    }
}

/// A URL with a password, in a field for something else.
#[test]
fn password_in_any_field_is_hidden() {
    let url = format!("https://me:{CANARY}@example.com/o/r.git");
    let git = |field: &str| json!({"type": "git", "url": "./none", field: url});
    let mut entries = vec![
        json!({"type": url}),
        json!({"type": format!("x-{url}")}),
        json!({"type": "path", "path": url}),
        json!({"type": "path", "path": url.trim_start_matches("https://")}),
        json!({"type": "claude-marketplace", "url": "./none", "plugin": url}),
        json!({"type": "git", "url": "./none", "include": [url]}),
        json!({"type": "git", "url": "./none", "include": url}),
        json!({"type": "git", "url": "./none", "exclude": [url]}),
        json!({"type": "git", "url": "./none", "exclude": [format!("https://me:{CANARY}@example.com")]}),
        json!({"type": "git", "url": "./none", "rename": {&url: "a"}}),
        json!({"type": "git", "url": "./none", "rename": {"a": url}}),
        json!({"type": "git", "url": "./none", "files": {"exclude": [format!("{url}[")]}}),
        json!({"type": "git", "url": "./none", &url: 1}),
    ];
    entries.extend(["version", "ref", "sha", "skillsDir", "prefix"].map(git));
    let sandbox = Sandbox::new();
    let is_hidden = |manifest: serde_json::Value| {
        sandbox.manifest(&manifest.to_string());
        for arguments in
            [&["sync"][..], &["sync", "--json"], &["sync", "-vv"], &["sync", "--check"], &["list"]]
        {
            let run = sandbox.skills(arguments);
            // An unknown code of a finding is a warning.
            let is_error = manifest["allow"]["a/b.md"].is_null();
            assert!(!is_error || run.code.is_some_and(|code| code != 0), "{run}");
            drop(run.never_prints(CANARY));
        }
    };
    for entry in entries {
        is_hidden(json!({"skills": {"a": entry}}));
    }
    is_hidden(json!({"skills": {&url: {"type": "path", "path": "a"}}}));
    is_hidden(json!({"skills": {}, &url: 1}));
    is_hidden(json!({"skills": {}, "limits": {&url: 1}}));
    is_hidden(json!({"skills": {}, "allow": {&url: []}}));
    sandbox.manifest("{\"skills\": {}}");
    for arguments in [
        &["add", "https://me:CANARY@github.com/o/r/tree/main/x"][..],
        &["add", "./none", "--name", &url],
        &["add", "https://me:CANARY@example.com/o/r#dev"],
        &["remove", &url],
        &["update", &url],
        &["show", &url],
        &["show", &url, "--body"],
        &["list", &url],
        &["catalog", &url],
        &["search", &url, "pdf"],
    ] {
        let arguments = arguments.iter().map(|argument| argument.replace("CANARY", CANARY));
        sandbox.skills(arguments).fails().never_prints(CANARY);
    }
    // Writes a lockfile.
    is_hidden(json!({"skills": {}, "allow": {"a/b.md": [url]}}));
}

/// The query of a redirect may be a signature that grants access.
#[test]
fn query_of_a_redirect_is_hidden() {
    let (sandbox, server) = private();
    let to = format!("/moved.git?token={CANARY}");
    let redirects = vec![Redirect { from: "/secret.git".to_owned(), to, status: 302 }];
    server.behave(Behavior { redirects, ..Behavior::default() });
    for arguments in [&["sync", "-vv"][..], &["sync", "-vv", "--json"]] {
        let run = sandbox.skills(arguments).fails();
        does_not_leak(&sandbox, run.says(["moved.git?***"]));
    }
    assert!(server.exchanges().iter().any(|exchange| exchange.target.contains(CANARY)));
}
