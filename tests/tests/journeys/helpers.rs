//! Git's credential helpers: which are run, and what they get.

#![cfg(unix)]

use helix_skills_tests::{Behavior, Change, GitServer, Login, Sandbox};
use serde_json::json;

const CANARY: &str = "canary-helper-5d41402abc4b";

struct PrivateProject {
    sandbox: Sandbox,
    server: GitServer,
    /// Outside the sandbox, because helpers write to it.
    notes: tempfile::TempDir,
}

fn private_project() -> PrivateProject {
    let sandbox = Sandbox::new();
    sandbox.upstream("secret").commit(Change::new().skill("a"));
    let login = Some(Login { user: Some("me".to_owned()), password: CANARY.to_owned() });
    let server = sandbox.serve_with(Behavior { login, ..Behavior::default() });
    sandbox.sources(&json!({"secret": {"type": "git", "url": server.url("secret")}}));
    PrivateProject { sandbox, server, notes: tempfile::tempdir().unwrap() }
}

impl PrivateProject {
    /// Creates a helper that records its input and runs `answer` for `get`.
    fn helper(&self, name: &str, answer: &str) -> String {
        let path = self.notes.path().join(name);
        let script = format!(
            "#!/bin/sh\nfor last in \"$@\"; do :; done\n{{ echo \"{name} $last\"; cat; }} >> '{}/asked'\necho 'a secret {CANARY}' >&2\n[ $last = get ] || exit 0\n{answer}\n",
            self.notes.path().display()
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        path.display().to_string()
    }

    fn working_helper(&self, name: &str) -> String {
        self.helper(name, &format!("echo username=me; echo password={CANARY}"))
    }

    /// Returns and clears the recorded input of the helpers.
    fn take_recorded_input(&self) -> String {
        let file = self.notes.path().join("asked");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        drop(std::fs::remove_file(file));
        text
    }

    fn config(&self, text: &str) {
        self.sandbox.write("home/.gitconfig", text);
    }
}

/// Git runs an alias of the repository in whose directory it is started.
#[test]
fn t12_alias_of_the_project_is_no_helper() {
    let project = private_project();
    let marker = project.notes.path().join("marker");
    // The user's helpers are not installed.
    let helpers = "helper = absent\n\thelper = \"!f() { git credential-absent; }; f\"";
    project.config(&format!("[credential]\n\t{helpers}\n"));
    let alias = format!("[alias]\n\tcredential-absent = \"!touch '{}'\"\n", marker.display());
    for (directory, bare) in [("project", true), ("project/.git", false)] {
        let file = |name: &str| format!("{directory}/{name}");
        let sandbox = &project.sandbox;
        sandbox.write(file("config"), format!("[core]\n\tbare = {bare}\n{alias}"));
        sandbox.write(file("HEAD"), "ref: refs/heads/main\n");
        sandbox.write(file("objects/x"), "");
        sandbox.write(file("refs/x"), "");
        let run = sandbox.skills(["sync"]).exits(4);
        assert!(!marker.exists(), "{directory}: {run}");
    }
}

#[test]
fn helper_runs_on_request_and_stores_accepted_credentials() {
    let project = private_project();
    project.config(&format!("[credential]\n\thelper = {}\n", project.working_helper("one")));
    let run = project.sandbox.skills(["sync", "-vv"]).succeeds();
    let authority = project.server.authority();
    let asked = project.take_recorded_input();
    let about = format!("protocol=http\nhost={authority}\n");
    assert_eq!(
        asked,
        format!("one get\n{about}one store\n{about}username=me\npassword={CANARY}\n")
    );
    assert_eq!(project.server.exchanges()[0].authorization, None);
    assert_eq!(project.server.exchanges()[1].credentials(), Some(format!("me:{CANARY}")));
    run.says(["using the git credential helper `", "/one`"]).never_prints(CANARY);
    assert_eq!(project.sandbox.snapshot("project").file_containing(CANARY.as_bytes()), None);
    // A public repository needs no credentials, so no helper runs.
    project.server.behave(Behavior::default());
    project.sandbox.forget();
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.take_recorded_input(), "");
}

#[test]
fn helper_erases_rejected_credentials() {
    let project = private_project();
    let helper = project.helper("wrong", "echo username=me; echo password=old");
    project.config(&format!("[credential]\n\thelper = {helper} --an argument-{CANARY}\n"));
    let run = project.sandbox.skills(["sync", "-vv"]).exits(4);
    let run = run.says([
        &project.server.authority(),
        "HTTP status 401",
        "credential helper `",
        "/wrong`",
    ]);
    run.never_prints(CANARY).never_prints("old");
    let asked = project.take_recorded_input();
    assert!(asked.contains("wrong erase\n") && !asked.contains("store"), "{asked}");
}

#[test]
fn helpers_run_in_order_until_one_answers() {
    let project = private_project();
    let (silent, user, knows, never) = (
        project.helper("silent", ""),
        project.helper("user", "echo username=me"),
        project.helper("knows", &format!("echo password={CANARY}")),
        project.helper("never", "exit 1"),
    );
    project.config(&format!(
        "[credential]\n\thelper = {never}\n\thelper =\n\thelper = {silent}\n\thelper = {user}\n\thelper = {knows}\n\thelper = {never}\n"
    ));
    project.sandbox.skills(["sync"]).succeeds();
    let asked: Vec<_> = project
        .take_recorded_input()
        .lines()
        .filter(|l| l.ends_with(" get"))
        .map(str::to_owned)
        .collect();
    assert_eq!(asked, ["silent get", "user get", "knows get"]);
}

#[test]
fn helper_of_another_host_is_not_run() {
    let project = private_project();
    let helper = project.working_helper("other");
    let port = project.server.port();
    for section in ["https://example.com", "http://127.0.0.1", &format!("http://localhost:{port}")]
    {
        project.config(&format!("[credential \"{section}\"]\n\thelper = {helper}\n"));
        project.sandbox.skills(["sync"]).exits(4);
        assert_eq!(project.take_recorded_input(), "", "{section}");
    }
    project.config(&format!(
        "[credential \"http://127.0.0.1:{port}\"]\n\thelper = {helper}\n\tusername = me\n\tuseHttpPath = true\n"
    ));
    project.sandbox.skills(["sync"]).succeeds();
    let asked = project.take_recorded_input();
    assert!(asked.contains("path=secret.git") && asked.contains("username=me"), "{asked}");
}

#[test]
fn variables_and_netrc_precede_helpers() {
    let project = private_project();
    project.config(&format!("[credential]\n\thelper = {}\n", project.working_helper("late")));
    project.sandbox.write("home/.netrc", format!("machine 127.0.0.1 login me password {CANARY}\n"));
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.take_recorded_input(), "");
}

#[test]
fn shell_and_built_in_helpers_work() {
    let project = private_project();
    project.config(&format!(
        "[credential]\n\thelper = \"!f() {{ echo username=me; echo password={CANARY}; }}; f\"\n"
    ));
    project.sandbox.skills(["sync", "-vv"]).succeeds().says(["shell script"]).never_prints(CANARY);
    project.sandbox.forget();
    let file = project.notes.path().join("stored");
    std::fs::write(&file, format!("http://me:{CANARY}@127.0.0.1%3a{}\n", project.server.port()))
        .unwrap();
    project.config(&format!("[credential]\n\thelper = store --file {}\n", file.display()));
    project
        .sandbox
        .skills(["sync", "-vv"])
        .succeeds()
        .says(["helper `store`"])
        .never_prints(CANARY);
}

#[test]
fn failing_helper_is_named_without_its_output() {
    let project = private_project();
    let knows = project.working_helper("knows");
    for (answer, message) in [
        (format!("echo {CANARY}; exit 3"), "failed (exit status: 3)"),
        (format!("echo {CANARY}"), "gave an invalid answer"),
        (format!("echo password={CANARY}; exec sleep 60"), "gave no answer within 0.5 s"),
    ] {
        let helper = project.helper("broken", &answer);
        project.config(&format!("[credential]\n\thelper = {helper}\n"));
        for more in [&["sync"][..], &["sync", "-vv"], &["sync", "--json"]] {
            let run = project
                .sandbox
                .command(more)
                .env("HELIX_SKILLS_STALL_TIMEOUT", "0.5")
                .run()
                .exits(4);
            let run = run.never_prints(CANARY);
            assert!(format!("{}{}", run.stdout, run.stderr).contains(message), "{message}: {run}");
            assert!(
                format!("{}{}", run.stdout, run.stderr).contains("/broken`"),
                "{message}: {run}"
            );
        }
        // It does not affect other helpers.
        project.sandbox.forget();
        project.config(&format!("[credential]\n\thelper = {helper}\n\thelper = {knows}\n"));
        project
            .sandbox
            .command(["sync"])
            .env("HELIX_SKILLS_STALL_TIMEOUT", "2")
            .run()
            .succeeds()
            .never_prints(CANARY);
        project.sandbox.forget();
    }
    project.config("[credential]\n\thelper = /nonexistent/helper\n");
    project.sandbox.skills(["sync"]).exits(4).says(["/nonexistent/helper"]);
}

/// There may be no terminal, so no helper or askpass program may prompt.
#[test]
fn nothing_prompts() {
    let project = private_project();
    let askpass = project.helper("askpass", &format!("echo {CANARY}"));
    project.config(&format!(
        "[core]\n\taskPass = {askpass}\n[credential]\n\thelper = {}\n",
        project.helper("asks", "exec git credential fill < /dev/null")
    ));
    let command =
        project.sandbox.command(["sync"]).env("GIT_ASKPASS", &askpass).env("SSH_ASKPASS", &askpass);
    command.run().exits(4).never_prints(CANARY);
    assert!(!project.take_recorded_input().contains("askpass"));
}
