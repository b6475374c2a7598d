//! Servers behind TLS, proxies in front of them, and repositories that have moved.

use helix_skills_tests::{
    Authority, Behavior, Change, GitServer, Login, Proxy, Redirect, Run, Sandbox, TlsFront,
};
use serde_json::json;

const CANARY: &str = "canary-https-7d793037a076";

struct Secure {
    sandbox: Sandbox,
    server: GitServer,
    front: TlsFront,
    proxy: Proxy,
}

/// Serves `https://git.example` and `https://other.example` through a proxy, with certificates of
/// an authority whose own certificate is `outside/ca.pem`.
fn secure() -> Secure {
    let sandbox = Sandbox::new();
    sandbox.upstream("owner/repo").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    let authority = Authority::new();
    sandbox.write("outside/ca.pem", authority.pem());
    let names = ["git.example", "other.example", "localhost"];
    let front = TlsFront::start(&authority, &names, &server.authority());
    let proxy = Proxy::start();
    for name in ["git.example:443", "other.example:443", "wrong.example:443"] {
        proxy.route(name, front.address());
    }
    let secure = Secure { sandbox, server, front, proxy };
    secure.source("https://git.example/owner/repo.git");
    secure
}

impl Secure {
    fn source(&self, url: &str) {
        self.sandbox.sources(&json!({"x": {"type": "git", "url": url}}));
    }

    /// Prepares a run that uses the proxy and trusts the authority.
    fn command(&self, arguments: &[&str]) -> helix_skills_tests::sandbox::Command<'_> {
        self.command_with_ca(arguments).env("HTTPS_PROXY", self.proxy.url())
    }

    fn command_with_ca(&self, arguments: &[&str]) -> helix_skills_tests::sandbox::Command<'_> {
        self.sandbox.command(arguments).env("GIT_SSL_CAINFO", self.sandbox.path("outside/ca.pem"))
    }

    fn tunnels(&self) -> Vec<String> {
        self.proxy.take_requests().into_iter().map(|request| request.line).collect()
    }

    fn redirects(&self, from: &str, to: &str) {
        let redirect = Redirect { from: from.to_owned(), to: to.to_owned(), status: 301 };
        self.server.behave(Behavior { redirects: vec![redirect], ..Behavior::default() });
    }
}

fn direct_url(secure: &Secure) -> String {
    format!("https://localhost:{}/owner/repo.git", secure.front.port())
}

#[test]
fn unknown_authority_is_not_trusted() {
    let secure = secure();
    secure.source(&direct_url(&secure));
    // A retry would not help.
    let command = secure.sandbox.command(["sync"]).without_env("HELIX_SKILLS_RETRIES");
    command.run().exits(3).says(["not trusted", "SSL_CERT_FILE"]);
    assert_eq!(secure.front.connections(), 1);
    assert_eq!(secure.server.traffic().requests, 0);
    // Settings that ask for less security are ignored.
    secure.sandbox.write("home/.gitconfig", "[http]\n\tsslVerify = false\n");
    secure.sandbox.command(["sync"]).env("GIT_SSL_NO_VERIFY", "1").run().exits(3);
    assert_eq!(secure.server.traffic().requests, 0);
}

/// Other systems use their own certificate store, regardless of the variables.
#[cfg(target_os = "linux")]
#[test]
fn ssl_cert_file_and_dir_add_authorities() {
    let secure = secure();
    secure.source(&direct_url(&secure));
    let file = secure.sandbox.path("outside/ca.pem");
    secure.sandbox.command(["sync"]).env("SSL_CERT_FILE", &file).run().succeeds();
    secure.sandbox.forget();
    // File names in such directories have OpenSSL's format.
    secure.sandbox.write("outside/certificates/0123abcd.0", secure.sandbox.read("outside/ca.pem"));
    let directory = secure.sandbox.path("outside/certificates");
    secure.sandbox.command(["sync"]).env("SSL_CERT_DIR", directory).run().succeeds();
}

#[test]
fn git_settings_add_authorities() {
    let secure = secure();
    secure.source(&direct_url(&secure));
    secure.command_with_ca(&["sync"]).run().succeeds();
    secure.sandbox.forget();
    secure.sandbox.write("home/ca.pem", secure.sandbox.read("outside/ca.pem"));
    secure.sandbox.write("home/.gitconfig", "[http]\n\tsslCAInfo = ~/ca.pem\n");
    secure.sandbox.skills(["sync"]).succeeds();
    secure.sandbox.forget();
    for text in [
        None,
        Some("no certificate"),
        Some("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"),
    ] {
        secure.sandbox.remove("home/ca.pem");
        if let Some(text) = text {
            secure.sandbox.write("home/ca.pem", text);
        }
        secure.sandbox.skills(["sync"]).exits(3).says(["ca.pem", "http.sslCAInfo"]);
    }
}

#[test]
fn certificate_of_another_host_is_not_trusted() {
    let secure = secure();
    secure.source("https://wrong.example/owner/repo.git");
    secure.command(&["sync"]).run().exits(3).says(["wrong.example", "not trusted"]);
    assert_eq!(secure.server.traffic().requests, 0);
}

#[test]
fn proxy_of_the_environment_is_used() {
    let secure = secure();
    for variable in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        secure.sandbox.forget();
        secure.command_with_ca(&["sync"]).env(variable, secure.proxy.url()).run().succeeds();
        assert_eq!(
            secure.tunnels(),
            ["CONNECT git.example:443"],
            "{variable}: one connection for all requests"
        );
    }
    // Except for excluded hosts.
    secure.source(&direct_url(&secure));
    for except in ["localhost", "example.com, localhost", "*"] {
        secure.sandbox.forget();
        secure.command(&["sync"]).env("NO_PROXY", except).run().succeeds();
        assert_eq!(secure.tunnels(), Vec::<String>::new(), "{except}");
    }
}

#[test]
fn proxy_of_the_git_configuration_takes_precedence() {
    let secure = secure();
    secure.sandbox.write("home/.gitconfig", format!("[http]\n\tproxy = {}\n", secure.proxy.url()));
    secure.command_with_ca(&["sync"]).env("HTTPS_PROXY", "http://127.0.0.1:1").run().succeeds();
    assert_eq!(secure.tunnels(), ["CONNECT git.example:443"]);
    secure.sandbox.forget();
    secure.source(&direct_url(&secure));
    secure.command_with_ca(&["sync"]).env("NO_PROXY", "localhost").run().succeeds();
    assert_eq!(secure.tunnels(), Vec::<String>::new());
    secure.sandbox.forget();
    secure.sandbox.write("home/.gitconfig", "[http]\n\tproxy =\n");
    secure.command(&["sync"]).run().succeeds();
    assert_eq!(secure.tunnels(), Vec::<String>::new());
    secure.sandbox.forget();
    secure
        .sandbox
        .write("home/.gitconfig", format!("[http]\n\tproxy = \"http://me:{CANARY}@ nowhere\"\n"));
    secure
        .command_with_ca(&["sync"])
        .run()
        .exits(3)
        .says(["http.proxy", "socks5h://"])
        .never_prints(CANARY);
}

#[test]
fn proxy_password_is_sent_only_to_the_proxy() {
    let secure = secure();
    // me:canary-https-7d793037a076
    let header = "Basic bWU6Y2FuYXJ5LWh0dHBzLTdkNzkzMDM3YTA3Ng==";
    secure.proxy.require_authorization(header);
    let url = secure.proxy.url().replace("http://", &format!("http://me:{CANARY}@"));
    let run = secure.command_with_ca(&["sync", "-vv"]).env("HTTPS_PROXY", &url).run().succeeds();
    run.never_prints(CANARY).never_prints("Basic ");
    assert!(
        secure
            .proxy
            .take_requests()
            .iter()
            .all(|request| request.authorization.as_deref() == Some(header))
    );
    assert!(secure.server.exchanges().iter().all(|exchange| exchange.authorization.is_none()));
    secure.sandbox.forget();
    secure.proxy.require_authorization("Basic bm9ib2R5");
    for more in [&["sync"][..], &["sync", "-vv"], &["sync", "--json"]] {
        let run = secure.command_with_ca(more).env("HTTPS_PROXY", &url).run().exits(3);
        assert!(
            format!("{}{}", run.stdout, run.stderr).contains(&secure.proxy.authority()),
            "{run}"
        );
        run.never_prints(CANARY);
    }
}

#[test]
fn failing_proxy_is_named() {
    let secure = secure();
    let gone = format!("http://me:{CANARY}@127.0.0.1:1");
    let run = secure.command_with_ca(&["sync", "-vv"]).env("HTTPS_PROXY", gone).run().exits(3);
    run.says(["https://git.example/owner/repo.git", "through the proxy `127.0.0.1:1`"])
        .never_prints(CANARY);
    secure.source("https://unknown.example/owner/repo.git");
    secure
        .command(&["sync"])
        .run()
        .exits(3)
        .says([format!("through the proxy `{}`", secure.proxy.authority())]);
    // For plain HTTP the proxy itself answers.
    let url = "http://127.0.0.1:1/owner/repo.git";
    secure.source(url);
    secure.proxy.require_authorization("Basic bm9ib2R5");
    let run = secure.sandbox.command(["sync"]).env("HTTP_PROXY", secure.proxy.url()).run().exits(3);
    run.says(["407", &secure.proxy.authority()]);
}

fn with_token(secure: &Secure, arguments: &[&str], host: &str) -> Run {
    secure
        .command(arguments)
        .env("HELIX_SKILLS_TOKEN", CANARY)
        .env("HELIX_SKILLS_TOKEN_HOST", host)
        .run()
}

#[test]
fn token_is_hidden_from_the_proxy_by_tls() {
    let secure = secure();
    let login = Some(Login { user: None, password: CANARY.to_owned() });
    secure.server.behave(Behavior { login, ..Behavior::default() });
    with_token(&secure, &["sync", "-vv"], "git.example").succeeds().never_prints(CANARY);
    assert!(secure.proxy.take_requests().iter().all(|request| request.authorization.is_none()));
    secure.sandbox.forget();
    with_token(&secure, &["sync"], "other.example")
        .exits(4)
        .says(["git.example", "without credentials"]);
}

#[test]
fn t08_redirect_to_another_host_is_reported_without_token() {
    let secure = secure();
    secure.redirects("/owner/repo.git", "https://other.example/owner/moved.git");
    secure.sandbox.upstream("owner/moved").commit(Change::new().skill("b"));
    let run = with_token(&secure, &["sync"], "git.example").succeeds();
    let warning = "`https://git.example/owner/repo.git` redirects to `https://other.example/owner/moved.git`, which is another host";
    run.says(["warning: ", warning]).never_prints(CANARY);
    assert_eq!(secure.sandbox.locked_skills(), ["b"]);
    assert!(secure.server.exchanges().iter().all(|exchange| exchange.authorization.is_none()));
    // Locked content is verified by its digest, so any server may provide it.
    secure.sandbox.remove_store();
    secure.sandbox.remove_cache();
    let run = secure.command(&["sync"]).run().succeeds();
    assert!(!run.stderr.contains("redirects"), "{run}");
    secure.sandbox.remove_store();
    secure.sandbox.remove_cache();
    secure.command(&["sync", "-v"]).run().succeeds().says(["another host"]);

    secure.sandbox.forget();
    let document = secure.command(&["sync", "--json"]).run().succeeds().json();
    assert!(document["warnings"].to_string().contains("another host"), "{document}");

    // The other host may request credentials, but gets none.
    secure.sandbox.forget();
    let redirect = Redirect {
        from: "/owner/repo.git".to_owned(),
        to: "https://other.example/owner/moved.git".to_owned(),
        status: 302,
    };
    let faults = (2..9).map(|number| (number, helix_skills_tests::Fault::Status(401))).collect();
    secure.server.take_traffic();
    secure.server.behave(Behavior { redirects: vec![redirect], faults, ..Behavior::default() });
    let run = with_token(&secure, &["sync", "-vv"], "git.example").exits(4);
    run.says(["other.example", "not carried over a redirect"]).never_prints(CANARY);
    assert!(secure.server.exchanges().iter().all(|exchange| exchange.authorization.is_none()));
}

#[test]
fn t08_redirect_to_another_owner_is_reported() {
    let secure = secure();
    secure.sandbox.upstream("owner/renamed").commit(Change::new().skill("b"));
    secure.sandbox.upstream("other/repo").commit(Change::new().skill("c"));
    secure.redirects("/owner/repo.git", "/owner/renamed.git");
    let run = secure.command(&["sync"]).run().succeeds();
    assert!(!run.stderr.contains("redirects"), "{run}");
    secure.sandbox.forget();
    secure.redirects("/owner/repo.git", "/other/repo.git");
    let run = secure.command(&["sync"]).run().succeeds();
    run.says([
        "`https://git.example/other/repo.git`, which is another owner",
        "write that url into the manifest",
    ]);
    assert_eq!(secure.sandbox.locked_skills(), ["c"]);
}

#[test]
fn t16_redirects_keep_tls_and_drop_credentials() {
    let secure = secure();
    for to in [
        format!("http://{}/owner/repo.git", secure.server.authority()),
        "http://git.example/owner/repo.git".to_owned(),
        format!("https://me:{CANARY}@git.example/owner/repo.git"),
        format!("https://{CANARY}@git.example/owner/repo.git"),
    ] {
        secure.redirects("/owner/repo.git", &to);
        secure.command(&["sync", "-vv"]).run().exits(3).says(["not followed"]).never_prints(CANARY);
        secure.command(&["sync", "--json"]).run().exits(3).never_prints(CANARY);
    }
}
