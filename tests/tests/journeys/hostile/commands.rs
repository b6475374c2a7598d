//! Texts that would be options or commands to a program that gets them as arguments.

use helix_skills_tests::{Change, FakeSsh, Sandbox};
use serde_json::json;

/// The user allows protocols that git refuses by default.
fn permissive_sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a"));
    sandbox.write(
        "home/.gitconfig",
        "[protocol \"ext\"]\n\tallow = always\n[protocol]\n\tallow = always\n",
    );
    sandbox
}

#[test]
fn t11_urls_are_never_commands_or_options() {
    let sandbox = permissive_sandbox();
    let ssh = FakeSsh::new(&sandbox.path("upstream"));
    let marker = ssh.directory().join("marker");
    let touch = format!("touch {}", marker.display());
    let packed = touch.replace(' ', "% ");
    for url in [
        format!("ext::sh -c '{touch}'"),
        format!("ext::{packed}"),
        format!("EXT::{packed}"),
        format!("Ext::{packed}"),
        format!("ext:/{packed}"),
        format!("transport::ext::{packed}"),
        "fd::17".to_owned(),
        format!("--upload-pack={touch}"),
        format!("-u{touch}"),
        format!("--config=core.sshCommand={touch}"),
        format!("ssh://-oProxyCommand={}/x", touch.replace(' ', "${IFS}")),
        format!("-oProxyCommand={}:x", touch.replace(' ', "${IFS}")),
        format!("ssh://user@-oProxyCommand={}/x", touch.replace(' ', "${IFS}")),
        "file://-upload-pack/x".to_owned(),
        "git://127.0.0.1/x".to_owned(),
        format!("../upstream/repo.git\n--upload-pack={touch}"),
        format!("../upstream/repo.git\0--upload-pack={touch}"),
    ] {
        let run = |arguments: &[&str]| {
            let run = sandbox
                .command(arguments.iter().copied())
                .env("PATH", ssh.search_path())
                .run()
                .fails();
            assert!(!marker.exists(), "{url:?}: {run}");
            assert!(!run.stderr.chars().any(|c| c.is_control() && c != '\n'), "{url:?}: {run:?}");
            run
        };
        sandbox.sources(&json!({"evil": {"type": "git", "url": url}}));
        run(&["sync"]).exits(2).says(["url"]);
        run(&["outdated"]);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{url:?}");
        if !url.contains('\0') {
            sandbox.manifest("{\"skills\": {}}\n");
            run(&["add", "--", &url]).exits(2);
            assert_eq!(sandbox.read("project/helix.skills.json"), "{\"skills\": {}}\n", "{url:?}");
        }
    }
    assert!(ssh.calls().is_empty(), "{:?}", ssh.calls());
}

#[test]
fn t11_pins_and_paths_are_never_options() {
    let sandbox = permissive_sandbox();
    let server = sandbox.serve();
    for field in ["ref", "version", "sha", "skillsDir"] {
        for value in [
            "--upload-pack=touch ran",
            "-x",
            "--",
            "-",
            "a\nb",
            "a\0b",
            "../x",
            "HEAD:x",
            "a..b",
            "@{-1}",
        ] {
            let mut source = json!({"type": "git", "url": server.url("repo")});
            source[field] = json!(value);
            sandbox.sources(&json!({ "evil": source }));
            let run = sandbox.skills(["sync"]).fails();
            assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{field} {value:?}: {run}");
            assert!(
                !run.stderr.chars().any(|c| c.is_control() && c != '\n'),
                "{field} {value:?}: {run:?}"
            );
        }
    }
}

/// Refs from a server or a lockfile are not passed on either.
#[test]
fn t11_edited_lockfile_adds_no_arguments() {
    let sandbox = permissive_sandbox();
    let server = sandbox.serve();
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo")}}));
    sandbox.skills(["sync"]).succeeds();
    let lock = sandbox.lock();
    let commit = sandbox.locked_commit("repo");
    for (old, new) in [
        (server.url("repo"), "ext::touch% ran".to_owned()),
        (server.url("repo"), "--upload-pack=touch ran".to_owned()),
        (server.url("repo"), "ssh://-oProxyCommand=touch/x".to_owned()),
        ("refs/heads/main".to_owned(), "--upload-pack=touch ran".to_owned()),
        (commit.clone(), "--upload-pack=touch ran".to_owned()),
        (commit, "HEAD".to_owned()),
        ("skills/a".to_owned(), "../../a".to_owned()),
        ("skills/a".to_owned(), "-x/a".to_owned()),
    ] {
        let edited = lock.replace(&old, &new);
        assert_ne!(edited, lock, "{old}");
        sandbox.write("project/helix.skills.lock", &edited);
        sandbox.remove_store();
        sandbox.remove_cache();
        for arguments in [&["sync", "--locked"][..], &["sync", "--check", "--store"], &["outdated"]]
        {
            sandbox.skills(arguments.iter().copied()).fails();
        }
        assert!(!sandbox.exists("project/helix.skills/a"), "{new}");
        assert_eq!(sandbox.lock(), edited, "{new}");
    }
}
