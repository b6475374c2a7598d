//! Repositories accessed through the `ssh` program.

#![cfg(unix)]

use crate::requests::monorepo;
use helix_skills_tests::{FakeSsh, Run, Sandbox, SshBehavior, Upstream};
use serde_json::{Value, json};

struct SshProject {
    sandbox: Sandbox,
    upstream: Upstream,
    ssh: FakeSsh,
}

const SCP: &str = "git@git.example:mono.git";

fn source(url: &str) -> Value {
    json!({"mono": {"type": "git", "url": url, "version": "1.0.0", "include": ["alpha", "beta"]}})
}

fn ssh_project() -> SshProject {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    let ssh = FakeSsh::new(&sandbox.path("upstream"));
    sandbox.sources(&source(SCP));
    SshProject { sandbox, upstream, ssh }
}

impl SshProject {
    /// Runs `skills sync` with the stand-in as `ssh`.
    fn sync(&self, more: &[&str]) -> Run {
        self.command(more).run()
    }

    fn command(&self, more: &[&str]) -> helix_skills_tests::sandbox::Command<'_> {
        let arguments: Vec<_> = ["sync"].iter().chain(more).collect();
        self.sandbox.command(arguments).env("PATH", self.ssh.search_path())
    }

    fn last_arguments(&self) -> Vec<String> {
        self.ssh.repository_calls().pop().unwrap().arguments
    }
}

#[test]
fn cold_and_locked_sync_start_ssh_once() {
    let project = ssh_project();
    project.sync(&[]).succeeds();
    let calls = project.ssh.calls();
    assert_eq!(calls.len(), 1, "{calls:#?}");
    let expected = [
        "-o",
        "SendEnv=GIT_PROTOCOL",
        "-o",
        "BatchMode=yes",
        "-o",
        "ConnectTimeout=30",
        "git@git.example",
    ];
    assert_eq!(calls[0].arguments[..7], expected);
    assert_eq!(calls[0].arguments[7..], ["git-upload-pack 'mono.git'"]);
    assert_eq!(calls[0].git_protocol, "version=2");
    assert_eq!(project.sandbox.locked_skills(), ["alpha", "beta"]);
    assert_eq!(project.sandbox.lock_json()["sources"]["mono"]["request"]["url"], SCP);
    let guide = project.upstream.blob("main:skills/alpha/references/guide.md");
    assert_eq!(project.sandbox.read_bytes("project/helix.skills/alpha/references/guide.md"), guide);

    project.sandbox.remove_store();
    project.sandbox.remove_cache();
    project.ssh.behave(&[SshBehavior::Serve]);
    project.sync(&["--locked"]).succeeds();
    assert_eq!(project.ssh.calls().len(), 1);
    assert_eq!(project.sandbox.read_bytes("project/helix.skills/alpha/references/guide.md"), guide);
    // If there is nothing to do, no process is started.
    project.ssh.behave(&[SshBehavior::Serve]);
    project.sync(&[]).succeeds();
    assert_eq!(project.ssh.calls(), []);
}

#[test]
fn urls_with_users_ports_addresses_and_home_directories() {
    let project = ssh_project();
    let root = project.sandbox.path("upstream").display().to_string();
    for (url, expected) in [
        (format!("ssh://git.example{root}/mono.git"), vec!["git.example".to_owned()]),
        (
            format!("ssh://me@git.example:2222{root}/mono.git"),
            vec!["-p".into(), "2222".into(), "me@git.example".into()],
        ),
        (
            format!("ssh://me@[::1]:22{root}/mono%2Egit"),
            vec!["-p".into(), "22".into(), "me@::1".into()],
        ),
        (format!("git.example:{root}/mono.git"), vec!["git.example".to_owned()]),
    ] {
        project.sandbox.sources(&source(&url));
        project.sandbox.forget();
        project.sync(&[]).succeeds();
        let arguments = project.last_arguments();
        assert_eq!(arguments[6..arguments.len() - 1], expected, "{url}");
        assert_eq!(arguments.last(), Some(&format!("git-upload-pack '{root}/mono.git'")), "{url}");
    }
}

#[test]
fn ssh_program_is_found_in_the_order_of_git() {
    let project = ssh_project();
    let (line, config, program) = (
        project.ssh.install("from-line"),
        project.ssh.install("from-config"),
        project.ssh.install("from program"),
    );
    // With an argument, so that it is a command line; and under a name that does not reveal its
    // options.
    project.sandbox.write(
        "home/.gitconfig",
        format!("[core]\n\tsshCommand = {} -i 'a key'\n", config.display()),
    );
    let command =
        project.command(&["-vv"]).env("GIT_SSH_COMMAND", format!("{} -v", line.display()));
    command.env("GIT_SSH", &program).run().succeeds().says(["from-line git@git.example"]);
    let calls = project.ssh.calls();
    assert_eq!(
        calls[0].arguments,
        ["-v", "-G", "git@git.example"],
        "git probes the supported options this way"
    );
    assert_eq!(calls[1].arguments[..3], ["-v", "-o", "SendEnv=GIT_PROTOCOL"]);

    project.sandbox.forget();
    project.ssh.behave(&[SshBehavior::Serve]);
    project
        .command(&["-vv"])
        .env("GIT_SSH", &program)
        .run()
        .succeeds()
        .says(["from-config git@git.example"]);
    assert_eq!(project.ssh.calls()[1].arguments[..2], ["-i", "a key"]);

    project.sandbox.forget();
    project.sandbox.remove("home/.gitconfig");
    project
        .command(&["-vv"])
        .env("GIT_SSH", &program)
        .run()
        .succeeds()
        .says(["from program git@git.example"]);
}

#[test]
fn simple_ssh_variant_gets_no_options() {
    let project = ssh_project();
    let simple = project.ssh.install("simple-ssh");
    project.command(&[]).env("GIT_SSH", &simple).run().succeeds();
    assert_eq!(project.last_arguments(), ["git@git.example", "git-upload-pack 'mono.git'"]);
    project.sandbox.sources(&source("ssh://git@git.example:2222/mono.git"));
    project.command(&[]).env("GIT_SSH", &simple).run().exits(2).says([
        "simple-ssh",
        "port",
        "GIT_SSH",
    ]);
    // Unless the user configures its variant.
    project.sandbox.write("home/.gitconfig", "[ssh]\n\tvariant = plink\n");
    project.ssh.behave(&[SshBehavior::Fail(1, "no")]);
    project.command(&[]).env("GIT_SSH", &simple).run().exits(3);
    assert_eq!(
        project.last_arguments(),
        ["-batch", "-P", "2222", "git@git.example", "git-upload-pack '/mono.git'"]
    );
}

#[test]
fn ssh_error_is_the_last_line_with_a_hint() {
    let project = ssh_project();
    for (status, words, code, message) in [
        (255, "git@git.example: Permission denied (publickey).", 4, "ssh -T git@git.example"),
        (
            255,
            "ssh: connect to host git.example port 22: Connection refused",
            3,
            "ssh -T git@git.example",
        ),
        (255, "Host key verification failed.", 3, "confirm the host"),
        (1, "ERROR: Repository not found.", 3, "may read the repository"),
        (127, "bash: git-upload-pack: command not found", 3, "install git on the server"),
    ] {
        project.ssh.behave(&[SshBehavior::Fail(status, words)]);
        // With retries enabled, but none is made, because the failure may be permanent.
        let run = project.command(&[]).without_env("HELIX_SKILLS_RETRIES").run().exits(code);
        assert!(!run.stderr.contains("credentials"), "{run}");
        run.says([SCP, words, message]);
        assert_eq!(project.ssh.calls().len(), 1, "{words}");
        assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
        let error = project.sync(&["--json"]).exits(code).json()["errors"][0].clone();
        assert!(error["causes"][0].as_str().unwrap().contains(words), "{error}");
    }
    project.ssh.behave(&[SshBehavior::Fail(255, "")]);
    project.sync(&[]).exits(3).says(["255", "printed nothing"]);
    project.ssh.behave(&[SshBehavior::Fail(0, "")]);
    project.sync(&[]).exits(3).says(["printed nothing"]);
}

#[test]
fn ssh_text_is_escaped() {
    let project = ssh_project();
    project.ssh.behave(&[SshBehavior::Fail(255, "go \u{1b}[31maway\u{7}\r\n\u{202e}now")]);
    let run = project.sync(&["-vv"]).exits(3).says(["go \\u{1b}[31maway"]);
    assert!(!run.stderr.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}']), "{run:?}");
}

#[test]
fn missing_ssh_is_an_error() {
    let project = ssh_project();
    let run = project.sandbox.command(["sync"]).env("PATH", project.sandbox.path("outside")).run();
    run.exits(2).says(["failed to start `ssh`", "GIT_SSH_COMMAND"]);
    let command = project.sandbox.command(["sync"]).env("GIT_SSH", "/nonexistent/ssh");
    command.run().exits(2).says(["failed to start `ssh`"]);
}

#[test]
fn silent_ssh_is_killed() {
    let project = ssh_project();
    for (behavior, message) in [
        (SshBehavior::Stall(""), "no data received for 0.5 s"),
        (
            SshBehavior::Stall("Enter passphrase for key:"),
            "(it printed: Enter passphrase for key:)",
        ),
        (SshBehavior::StallAfter(20), "no data received for 0.5 s"),
        (SshBehavior::StallAfter(600), "no data received for 0.5 s"),
    ] {
        project.ssh.behave(&[behavior]);
        let command = project.command(&[]).env("HELIX_SKILLS_STALL_TIMEOUT", "0.5");
        command.run().exits(3).says([SCP, message]);
        assert_eq!(project.sandbox.files("project"), ["helix.skills.json"], "{behavior:?}");
    }
}

#[test]
fn interrupted_ssh_connection_is_retried_if_allowed() {
    let project = ssh_project();
    for bytes in [20, 600, 2_000] {
        let broken =
            SshBehavior::Truncate(bytes, "Connection to git.example closed by remote host.");
        project.ssh.behave(&[broken]);
        project.sync(&[]).exits(3).says(["was lost", "closed by remote host"]);
        assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
        project.ssh.behave(&[broken, SshBehavior::Serve]);
        let command = project
            .command(&[])
            .env("HELIX_SKILLS_RETRIES", "1")
            .env("HELIX_SKILLS_RETRY_DELAY", "0.01");
        command.run().succeeds();
        assert_eq!(project.ssh.calls().len(), 2);
        assert_eq!(project.sandbox.locked_skills(), ["alpha", "beta"]);
        project.sandbox.forget();
    }
}

/// Protocol version 0 uses one pack per connection, sends all refs each time, and treats `deepen`
/// differently.
#[test]
fn servers_with_fewer_capabilities_give_the_same_bytes() {
    let project = ssh_project();
    project.sync(&[]).succeeds();
    let (lock, store) = (project.sandbox.lock(), project.sandbox.snapshot("project/helix.skills"));
    for protocol_v2 in [true, false] {
        for filters in [true, false] {
            for any_want in [true, false] {
                let behavior = SshBehavior::ServeWith { protocol_v2, filters, any_want };
                project.ssh.behave(&[behavior]);
                project.sandbox.forget();
                project.sync(&[]).succeeds();
                assert_eq!(project.sandbox.lock(), lock, "first, {behavior:?}");
                let contents = project.sandbox.snapshot("project/helix.skills");
                assert_eq!(contents.contents(), store.contents(), "first, {behavior:?}");
                project.sandbox.remove_store();
                project.sandbox.remove_cache();
                project.sync(&[]).succeeds();
                assert_eq!(project.sandbox.lock(), lock, "locked, {behavior:?}");
                let contents = project.sandbox.snapshot("project/helix.skills");
                assert_eq!(contents.contents(), store.contents(), "locked, {behavior:?}");
            }
        }
    }
}

#[test]
fn instead_of_may_rewrite_to_ssh() {
    let project = ssh_project();
    project.sandbox.write(
        "home/.gitconfig",
        "[url \"git@git.example:\"]\n\tinsteadOf = https://git.example/\n",
    );
    project.sandbox.sources(&source("https://git.example/mono.git"));
    project.sync(&[]).succeeds();
    assert_eq!(project.last_arguments().last().unwrap(), "git-upload-pack 'mono.git'");
    assert!(project.sandbox.lock().contains("https://git.example/mono.git"));
    assert!(!project.sandbox.lock().contains("git@"));
}

#[test]
fn t11_ssh_urls_are_never_options_or_commands() {
    let project = ssh_project();
    let marker = project.ssh.directory().join("marker");
    let evil = format!("touch${{IFS}}{}", marker.display());
    for url in [
        format!("ssh://-oProxyCommand={evil}/mono.git"),
        format!("-oProxyCommand={evil}:mono.git"),
        format!("ssh://%2DoProxyCommand={evil}@git.example/mono.git"),
        "ssh://git.example/a%0Amono.git".to_owned(),
        format!("git@git.example:mono.git';{evil};'"),
        format!("git@git.example:$({evil})"),
        format!("git@git.example:`{evil}`"),
        format!("ext::sh -c '{evil}'"),
    ] {
        project.sandbox.sources(&source(&url));
        project.sync(&[]).fails();
        assert!(!marker.exists(), "{url}");
    }
    for call in project.ssh.calls() {
        assert_eq!(
            call.arguments.iter().filter(|argument| argument.contains("ProxyCommand")).count(),
            0,
            "{call:?}"
        );
    }
}

#[test]
fn check_and_offline_sync_start_no_ssh() {
    let project = ssh_project();
    project.sync(&["--offline"]).exits(3);
    project.sync(&[]).succeeds();
    project.ssh.behave(&[SshBehavior::Fail(255, "never")]);
    project.sync(&["--check", "--store"]).succeeds();
    project.sync(&["--frozen"]).succeeds();
    assert_eq!(project.ssh.calls(), []);
}

/// An empty or relative element of `PATH` is a directory of the project, whose files come from
/// others.
#[test]
fn programs_of_the_project_are_never_started() {
    use std::{fs, os::unix::fs::PermissionsExt as _};
    let sandbox = Sandbox::new();
    let marker = sandbox.path("upstream/marker");
    for name in ["ssh", "sh", "git", "less", "skills-mcp", "git-credential-x"] {
        for directory in ["project", "project/bin"] {
            let file = format!("{directory}/{name}");
            sandbox.write(&file, format!("#!/bin/sh\necho {name} >> '{}'\n", marker.display()));
            fs::set_permissions(sandbox.path(&file), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    // Nothing listens there.
    sandbox.sources(&source("ssh://git@127.0.0.1:1/mono.git"));
    for path in ["", ":", ".", "bin", ".:bin:", "./bin:.."] {
        for line in [None, Some("ssh -4"), Some("ssh -4 && true")] {
            let command = sandbox.command(["sync"]).env("PATH", path);
            let command = line.iter().fold(command, |it, line| it.env("GIT_SSH_COMMAND", line));
            let run = command.run().fails();
            assert!(!marker.exists(), "{path:?} {line:?}: {run}");
        }
        let run = sandbox.command(["mcp", "--help"]).env("PATH", path).run();
        assert!(!marker.exists(), "{path:?}: {run}");
    }
}
