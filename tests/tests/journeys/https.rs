//! Servers behind TLS, proxies in front of them, and repositories that have moved.

use helix_skills_tests::{
    Authority, Behavior, Change, GitServer, Login, Proxy, Redirect, Run, Sandbox, TlsFront,
};
use serde_json::json;

const CANARY: &str = "canary-https-7d793037a076";

struct TlsProject {
    sandbox: Sandbox,
    server: GitServer,
    front: TlsFront,
    proxy: Proxy,
}

/// Serves `https://git.example` and `https://other.example` through a proxy, with certificates of
/// an authority whose own certificate is `outside/ca.pem`.
fn tls_project() -> TlsProject {
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
    let project = TlsProject { sandbox, server, front, proxy };
    project.source("https://git.example/owner/repo.git");
    project
}

impl TlsProject {
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

fn direct_url(project: &TlsProject) -> String {
    format!("https://localhost:{}/owner/repo.git", project.front.port())
}

#[test]
fn unknown_authority_is_not_trusted() {
    let project = tls_project();
    project.source(&direct_url(&project));
    // A retry would not help.
    let command = project.sandbox.command(["sync"]).without_env("HELIX_SKILLS_RETRIES");
    command.run().exits(3).says(["not trusted", "GIT_SSL_CAINFO"]);
    assert_eq!(project.front.connections(), 1);
    assert_eq!(project.server.traffic().requests, 0);
    // Settings that ask for less security are ignored.
    project.sandbox.write("home/.gitconfig", "[http]\n\tsslVerify = false\n");
    project.sandbox.command(["sync"]).env("GIT_SSL_NO_VERIFY", "1").run().exits(3);
    assert_eq!(project.server.traffic().requests, 0);
}

/// Other systems use their own certificate store, regardless of the variables.
#[cfg(target_os = "linux")]
#[test]
fn ssl_cert_file_and_dir_add_authorities() {
    let project = tls_project();
    project.source(&direct_url(&project));
    let file = project.sandbox.path("outside/ca.pem");
    project.sandbox.command(["sync"]).env("SSL_CERT_FILE", &file).run().succeeds();
    project.sandbox.forget();
    // File names in such directories have OpenSSL's format.
    project
        .sandbox
        .write("outside/certificates/0123abcd.0", project.sandbox.read("outside/ca.pem"));
    let directory = project.sandbox.path("outside/certificates");
    project.sandbox.command(["sync"]).env("SSL_CERT_DIR", directory).run().succeeds();
}

#[test]
fn git_settings_add_authorities() {
    let project = tls_project();
    project.source(&direct_url(&project));
    project.command_with_ca(&["sync"]).run().succeeds();
    project.sandbox.forget();
    project.sandbox.write("home/ca.pem", project.sandbox.read("outside/ca.pem"));
    project.sandbox.write("home/.gitconfig", "[http]\n\tsslCAInfo = ~/ca.pem\n");
    project.sandbox.skills(["sync"]).succeeds();
    project.sandbox.forget();
    for text in [
        None,
        Some("no certificate"),
        Some("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"),
    ] {
        project.sandbox.remove("home/ca.pem");
        if let Some(text) = text {
            project.sandbox.write("home/ca.pem", text);
        }
        project.sandbox.skills(["sync"]).exits(3).says(["ca.pem", "http.sslCAInfo"]);
    }
}

#[test]
fn certificate_of_another_host_is_not_trusted() {
    let project = tls_project();
    project.source("https://wrong.example/owner/repo.git");
    project.command(&["sync"]).run().exits(3).says(["wrong.example", "not trusted"]);
    assert_eq!(project.server.traffic().requests, 0);
}

#[test]
fn proxy_of_the_environment_is_used() {
    let project = tls_project();
    for variable in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        project.sandbox.forget();
        project.command_with_ca(&["sync"]).env(variable, project.proxy.url()).run().succeeds();
        assert_eq!(
            project.tunnels(),
            ["CONNECT git.example:443"],
            "{variable}: one connection for all requests"
        );
    }
    // Except for excluded hosts.
    project.source(&direct_url(&project));
    for except in ["localhost", "example.com, localhost", "*"] {
        project.sandbox.forget();
        project.command(&["sync"]).env("NO_PROXY", except).run().succeeds();
        assert_eq!(project.tunnels(), Vec::<String>::new(), "{except}");
    }
}

#[test]
fn proxy_of_the_git_configuration_takes_precedence() {
    let project = tls_project();
    project
        .sandbox
        .write("home/.gitconfig", format!("[http]\n\tproxy = {}\n", project.proxy.url()));
    project.command_with_ca(&["sync"]).env("HTTPS_PROXY", "http://127.0.0.1:1").run().succeeds();
    assert_eq!(project.tunnels(), ["CONNECT git.example:443"]);
    project.sandbox.forget();
    project.source(&direct_url(&project));
    project.command_with_ca(&["sync"]).env("NO_PROXY", "localhost").run().succeeds();
    assert_eq!(project.tunnels(), Vec::<String>::new());
    project.sandbox.forget();
    project.sandbox.write("home/.gitconfig", "[http]\n\tproxy =\n");
    project.command(&["sync"]).run().succeeds();
    assert_eq!(project.tunnels(), Vec::<String>::new());
    project.sandbox.forget();
    project
        .sandbox
        .write("home/.gitconfig", format!("[http]\n\tproxy = \"http://me:{CANARY}@ nowhere\"\n"));
    project
        .command_with_ca(&["sync"])
        .run()
        .exits(3)
        .says(["http.proxy", "socks5h://"])
        .never_prints(CANARY);
}

#[test]
fn proxy_password_is_sent_only_to_the_proxy() {
    let project = tls_project();
    // me:canary-https-7d793037a076
    let header = "Basic bWU6Y2FuYXJ5LWh0dHBzLTdkNzkzMDM3YTA3Ng==";
    project.proxy.require_authorization(header);
    let url = project.proxy.url().replace("http://", &format!("http://me:{CANARY}@"));
    let run = project.command_with_ca(&["sync", "-vv"]).env("HTTPS_PROXY", &url).run().succeeds();
    run.never_prints(CANARY).never_prints("Basic ");
    assert!(
        project
            .proxy
            .take_requests()
            .iter()
            .all(|request| request.authorization.as_deref() == Some(header))
    );
    assert!(project.server.exchanges().iter().all(|exchange| exchange.authorization.is_none()));
    project.sandbox.forget();
    project.proxy.require_authorization("Basic bm9ib2R5");
    for more in [&["sync"][..], &["sync", "-vv"], &["sync", "--json"]] {
        let run = project.command_with_ca(more).env("HTTPS_PROXY", &url).run().exits(3);
        assert!(
            format!("{}{}", run.stdout, run.stderr).contains(&project.proxy.authority()),
            "{run}"
        );
        run.never_prints(CANARY);
    }
}

#[test]
fn failing_proxy_is_named() {
    let project = tls_project();
    let gone = format!("http://me:{CANARY}@127.0.0.1:1");
    let run = project.command_with_ca(&["sync", "-vv"]).env("HTTPS_PROXY", gone).run().exits(3);
    run.says(["https://git.example/owner/repo.git", "through the proxy `127.0.0.1:1`"])
        .never_prints(CANARY);
    project.source("https://unknown.example/owner/repo.git");
    project
        .command(&["sync"])
        .run()
        .exits(3)
        .says([format!("through the proxy `{}`", project.proxy.authority())]);
    // For plain HTTP the proxy itself answers.
    let url = "http://127.0.0.1:1/owner/repo.git";
    project.source(url);
    project.proxy.require_authorization("Basic bm9ib2R5");
    let run =
        project.sandbox.command(["sync"]).env("HTTP_PROXY", project.proxy.url()).run().exits(3);
    run.says(["407", &project.proxy.authority()]);
}

fn with_token(project: &TlsProject, arguments: &[&str], host: &str) -> Run {
    project
        .command(arguments)
        .env("HELIX_SKILLS_TOKEN", CANARY)
        .env("HELIX_SKILLS_TOKEN_HOST", host)
        .run()
}

#[test]
fn token_is_hidden_from_the_proxy_by_tls() {
    let project = tls_project();
    let login = Some(Login { user: None, password: CANARY.to_owned() });
    project.server.behave(Behavior { login, ..Behavior::default() });
    with_token(&project, &["sync", "-vv"], "git.example").succeeds().never_prints(CANARY);
    assert!(project.proxy.take_requests().iter().all(|request| request.authorization.is_none()));
    project.sandbox.forget();
    with_token(&project, &["sync"], "other.example")
        .exits(4)
        .says(["git.example", "without credentials"]);
}

#[test]
fn t08_redirect_to_another_host_is_reported_without_token() {
    let project = tls_project();
    project.redirects("/owner/repo.git", "https://other.example/owner/moved.git");
    project.sandbox.upstream("owner/moved").commit(Change::new().skill("b"));
    let run = with_token(&project, &["sync"], "git.example").succeeds();
    let warning = "`https://git.example/owner/repo.git` redirects to `https://other.example/owner/moved.git`, which is another host";
    run.says(["warning: ", warning]).never_prints(CANARY);
    assert_eq!(project.sandbox.locked_skills(), ["b"]);
    assert!(project.server.exchanges().iter().all(|exchange| exchange.authorization.is_none()));
    // Locked content is verified by its digest, so any server may provide it.
    project.sandbox.remove_store();
    project.sandbox.remove_cache();
    let run = project.command(&["sync"]).run().succeeds();
    assert!(!run.stderr.contains("redirects"), "{run}");
    project.sandbox.remove_store();
    project.sandbox.remove_cache();
    project.command(&["sync", "-v"]).run().succeeds().says(["another host"]);

    project.sandbox.forget();
    let document = project.command(&["sync", "--json"]).run().succeeds().json();
    assert!(document["warnings"].to_string().contains("another host"), "{document}");

    // The other host may request credentials, but gets none.
    project.sandbox.forget();
    let redirect = Redirect {
        from: "/owner/repo.git".to_owned(),
        to: "https://other.example/owner/moved.git".to_owned(),
        status: 302,
    };
    let faults = (3..9).map(|number| (number, helix_skills_tests::Fault::Status(401))).collect();
    project.server.take_traffic();
    project.server.behave(Behavior { redirects: vec![redirect], faults, ..Behavior::default() });
    let run = with_token(&project, &["sync", "-vv"], "git.example").exits(4);
    run.says(["other.example", "not sent to the target of a redirect"]).never_prints(CANARY);
    assert!(project.server.exchanges().iter().all(|exchange| exchange.authorization.is_none()));
}

#[test]
fn t08_redirect_to_another_owner_is_reported() {
    let project = tls_project();
    project.sandbox.upstream("owner/renamed").commit(Change::new().skill("b"));
    project.sandbox.upstream("other/repo").commit(Change::new().skill("c"));
    project.redirects("/owner/repo.git", "/owner/renamed.git");
    let run = project.command(&["sync"]).run().succeeds();
    assert!(!run.stderr.contains("redirects"), "{run}");
    project.sandbox.forget();
    project.redirects("/owner/repo.git", "/other/repo.git");
    let run = project.command(&["sync"]).run().succeeds();
    run.says([
        "`https://git.example/other/repo.git`, which is another owner",
        "use that URL in the manifest",
    ]);
    assert_eq!(project.sandbox.locked_skills(), ["c"]);
}

#[test]
fn t16_redirects_keep_tls_and_drop_credentials() {
    let project = tls_project();
    for to in [
        format!("http://{}/owner/repo.git", project.server.authority()),
        "http://git.example/owner/repo.git".to_owned(),
        format!("https://me:{CANARY}@git.example/owner/repo.git"),
        format!("https://{CANARY}@git.example/owner/repo.git"),
    ] {
        project.redirects("/owner/repo.git", &to);
        project
            .command(&["sync", "-vv"])
            .run()
            .exits(3)
            .says(["not followed"])
            .never_prints(CANARY);
        project.command(&["sync", "--json"]).run().exits(3).never_prints(CANARY);
    }
}
