//! Repositories behind the `ssh` program.

#![cfg(unix)]

use crate::requests::monorepo;
use helix_skills_tests::{FakeSsh, Run, Sandbox, SshBehavior, Upstream};
use serde_json::{Value, json};

struct Behind {
    sandbox: Sandbox,
    upstream: Upstream,
    ssh: FakeSsh,
}

const SCP: &str = "git@git.example:mono.git";

fn source(url: &str) -> Value {
    json!({"mono": {"type": "git", "url": url, "version": "1.0.0", "include": ["alpha", "beta"]}})
}

fn behind() -> Behind {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    let ssh = FakeSsh::new(&sandbox.path("upstream"));
    sandbox.sources(&source(SCP));
    Behind { sandbox, upstream, ssh }
}

impl Behind {
    /// Runs `skills sync` where `ssh` is the stand-in.
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
fn a_cold_and_a_locked_sync_take_one_ssh_each() {
    let behind = behind();
    behind.sync(&[]).succeeds();
    let calls = behind.ssh.calls();
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
    assert_eq!(behind.sandbox.locked_skills(), ["alpha", "beta"]);
    assert_eq!(behind.sandbox.lock_json()["sources"]["mono"]["request"]["url"], SCP);
    let guide = behind.upstream.blob("main:skills/alpha/references/guide.md");
    assert_eq!(behind.sandbox.read_bytes("project/helix.skills/alpha/references/guide.md"), guide);

    behind.sandbox.remove_store();
    behind.sandbox.remove_cache();
    behind.ssh.behave(&[SshBehavior::Serve]);
    behind.sync(&["--locked"]).succeeds();
    assert_eq!(behind.ssh.calls().len(), 1);
    assert_eq!(behind.sandbox.read_bytes("project/helix.skills/alpha/references/guide.md"), guide);
    // Nothing to do, nothing to start.
    behind.ssh.behave(&[SshBehavior::Serve]);
    behind.sync(&[]).succeeds();
    assert_eq!(behind.ssh.calls(), []);
}

#[test]
fn urls_with_users_ports_addresses_and_homes() {
    let behind = behind();
    let root = behind.sandbox.path("upstream").display().to_string();
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
        behind.sandbox.sources(&source(&url));
        behind.sandbox.forget();
        behind.sync(&[]).succeeds();
        let arguments = behind.last_arguments();
        assert_eq!(arguments[6..arguments.len() - 1], expected, "{url}");
        assert_eq!(arguments.last(), Some(&format!("git-upload-pack '{root}/mono.git'")), "{url}");
    }
}

#[test]
fn the_ssh_is_the_one_of_the_user_in_gits_order() {
    let behind = behind();
    let (line, config, program) = (
        behind.ssh.install("from-line"),
        behind.ssh.install("from-config"),
        behind.ssh.install("from program"),
    );
    // With an argument, so that it is a command line; and a name that says nothing of what it understands.
    behind.sandbox.write(
        "home/.gitconfig",
        format!("[core]\n\tsshCommand = {} -i 'a key'\n", config.display()),
    );
    let command = behind.command(&["-vv"]).env("GIT_SSH_COMMAND", format!("{} -v", line.display()));
    command.env("GIT_SSH", &program).run().succeeds().says(["from-line git@git.example"]);
    let calls = behind.ssh.calls();
    assert_eq!(
        calls[0].arguments,
        ["-v", "-G", "git@git.example"],
        "git asks like this what it understands"
    );
    assert_eq!(calls[1].arguments[..3], ["-v", "-o", "SendEnv=GIT_PROTOCOL"]);

    behind.sandbox.forget();
    behind.ssh.behave(&[SshBehavior::Serve]);
    behind
        .command(&["-vv"])
        .env("GIT_SSH", &program)
        .run()
        .succeeds()
        .says(["from-config git@git.example"]);
    assert_eq!(behind.ssh.calls()[1].arguments[..2], ["-i", "a key"]);

    behind.sandbox.forget();
    behind.sandbox.remove("home/.gitconfig");
    behind
        .command(&["-vv"])
        .env("GIT_SSH", &program)
        .run()
        .succeeds()
        .says(["from program git@git.example"]);
}

#[test]
fn a_program_without_options_gets_none_and_no_port() {
    let behind = behind();
    let simple = behind.ssh.install("simple-ssh");
    behind.command(&[]).env("GIT_SSH", &simple).run().succeeds();
    assert_eq!(behind.last_arguments(), ["git@git.example", "git-upload-pack 'mono.git'"]);
    behind.sandbox.sources(&source("ssh://git@git.example:2222/mono.git"));
    behind.command(&[]).env("GIT_SSH", &simple).run().exits(2).says([
        "simple-ssh",
        "port",
        "GIT_SSH",
    ]);
    // Unless the user says what it is.
    behind.sandbox.write("home/.gitconfig", "[ssh]\n\tvariant = plink\n");
    behind.ssh.behave(&[SshBehavior::Fail(1, "no")]);
    behind.command(&[]).env("GIT_SSH", &simple).run().exits(4);
    assert_eq!(
        behind.last_arguments(),
        ["-batch", "-P", "2222", "git@git.example", "git-upload-pack '/mono.git'"]
    );
}

#[test]
fn an_ssh_that_fails_has_the_last_word() {
    let behind = behind();
    for (status, words, code, told) in [
        (255, "git@git.example: Permission denied (publickey).", 4, "ssh -T git@git.example"),
        (
            255,
            "ssh: connect to host git.example port 22: Connection refused",
            3,
            "ssh -T git@git.example",
        ),
        (255, "Host key verification failed.", 3, "confirmed"),
        (1, "ERROR: Repository not found.", 4, "may read the repository"),
        (127, "bash: git-upload-pack: command not found", 3, "git must be installed on the server"),
    ] {
        behind.ssh.behave(&[SshBehavior::Fail(status, words)]);
        // With retries, of which there are none: nothing tells which of these failures would pass.
        let run = behind.command(&[]).without_env("HELIX_SKILLS_RETRIES").run().exits(code);
        assert!(!run.stderr.contains("credentials"), "{run}");
        run.says([SCP, words, told]);
        assert_eq!(behind.ssh.calls().len(), 1, "{words}");
        assert_eq!(behind.sandbox.files("project"), ["helix.skills.json"]);
        let error = behind.sync(&["--json"]).exits(code).json()["errors"][0].clone();
        assert!(error["causes"][0].as_str().unwrap().contains(words), "{error}");
    }
    behind.ssh.behave(&[SshBehavior::Fail(255, "")]);
    behind.sync(&[]).exits(3).says(["255", "said nothing"]);
    behind.ssh.behave(&[SshBehavior::Fail(0, "")]);
    behind.sync(&[]).exits(3).says(["said nothing"]);
}

#[test]
fn the_words_of_an_ssh_are_printed_without_control_characters() {
    let behind = behind();
    behind.ssh.behave(&[SshBehavior::Fail(255, "go \u{1b}[31maway\u{7}\r\n\u{202e}now")]);
    let run = behind.sync(&["-vv"]).exits(3).says(["go \\u{1b}[31maway"]);
    assert!(!run.stderr.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}']), "{run:?}");
}

#[test]
fn without_an_ssh_it_says_so() {
    let behind = behind();
    let run = behind.sandbox.command(["sync"]).env("PATH", behind.sandbox.path("outside")).run();
    run.exits(2).says(["cannot start `ssh`", "GIT_SSH_COMMAND"]);
    let command = behind.sandbox.command(["sync"]).env("GIT_SSH", "/nonexistent/ssh");
    command.run().exits(2).says(["cannot start `ssh`"]);
}

#[test]
fn an_ssh_that_falls_silent_is_ended() {
    let behind = behind();
    for (behavior, told) in [
        (SshBehavior::Stall(""), "nothing arrived for 0.5 s"),
        (SshBehavior::Stall("Enter passphrase for key:"), "(it said: Enter passphrase for key:)"),
        (SshBehavior::StallAfter(20), "nothing arrived for 0.5 s"),
        (SshBehavior::StallAfter(600), "nothing arrived for 0.5 s"),
    ] {
        behind.ssh.behave(&[behavior]);
        let command = behind.command(&[]).env("HELIX_SKILLS_STALL_TIMEOUT", "0.5");
        command.run().exits(3).says([SCP, told]);
        assert_eq!(behind.sandbox.files("project"), ["helix.skills.json"], "{behavior:?}");
    }
}

#[test]
fn a_conversation_that_breaks_off_is_begun_anew_when_that_is_allowed() {
    let behind = behind();
    for bytes in [20, 600, 2_000] {
        let broken =
            SshBehavior::Truncate(bytes, "Connection to git.example closed by remote host.");
        behind.ssh.behave(&[broken]);
        behind.sync(&[]).exits(3).says(["broke off", "closed by remote host"]);
        assert_eq!(behind.sandbox.files("project"), ["helix.skills.json"]);
        behind.ssh.behave(&[broken, SshBehavior::Serve]);
        let command = behind
            .command(&[])
            .env("HELIX_SKILLS_RETRIES", "1")
            .env("HELIX_SKILLS_RETRY_DELAY", "0.01");
        command.run().succeeds();
        assert_eq!(behind.ssh.calls().len(), 2);
        assert_eq!(behind.sandbox.locked_skills(), ["alpha", "beta"]);
        behind.sandbox.forget();
    }
}

/// Old servers send one pack for each connection, all references with it, and take `deepen` for something else.
#[test]
fn less_able_servers_give_the_same_bytes() {
    let behind = behind();
    behind.sync(&[]).succeeds();
    let (lock, store) = (behind.sandbox.lock(), behind.sandbox.snapshot("project/helix.skills"));
    for protocol_v2 in [true, false] {
        for filters in [true, false] {
            for any_want in [true, false] {
                let behavior = SshBehavior::ServeWith { protocol_v2, filters, any_want };
                behind.ssh.behave(&[behavior]);
                behind.sandbox.forget();
                behind.sync(&[]).succeeds();
                assert_eq!(behind.sandbox.lock(), lock, "first, {behavior:?}");
                let contents = behind.sandbox.snapshot("project/helix.skills");
                assert_eq!(contents.contents(), store.contents(), "first, {behavior:?}");
                behind.sandbox.remove_store();
                behind.sandbox.remove_cache();
                behind.sync(&[]).succeeds();
                assert_eq!(behind.sandbox.lock(), lock, "locked, {behavior:?}");
                let contents = behind.sandbox.snapshot("project/helix.skills");
                assert_eq!(contents.contents(), store.contents(), "locked, {behavior:?}");
            }
        }
    }
}

#[test]
fn insteadof_may_lead_to_ssh() {
    let behind = behind();
    behind.sandbox.write(
        "home/.gitconfig",
        "[url \"git@git.example:\"]\n\tinsteadOf = https://git.example/\n",
    );
    behind.sandbox.sources(&source("https://git.example/mono.git"));
    behind.sync(&[]).succeeds();
    assert_eq!(behind.last_arguments().last().unwrap(), "git-upload-pack 'mono.git'");
    assert!(behind.sandbox.lock().contains("https://git.example/mono.git"));
    assert!(!behind.sandbox.lock().contains("git@"));
}

#[test]
fn t11_no_url_becomes_an_option_or_a_command() {
    let behind = behind();
    let marker = behind.ssh.directory().join("marker");
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
        behind.sandbox.sources(&source(&url));
        behind.sync(&[]).fails();
        assert!(!marker.exists(), "{url}");
    }
    for call in behind.ssh.calls() {
        assert_eq!(
            call.arguments.iter().filter(|argument| argument.contains("ProxyCommand")).count(),
            0,
            "{call:?}"
        );
    }
}

#[test]
fn a_check_and_an_offline_sync_start_no_ssh() {
    let behind = behind();
    behind.sync(&["--offline"]).exits(3);
    behind.sync(&[]).succeeds();
    behind.ssh.behave(&[SshBehavior::Fail(255, "never")]);
    behind.sync(&["--check", "--store"]).succeeds();
    behind.sync(&["--frozen"]).succeeds();
    assert_eq!(behind.ssh.calls(), []);
}
