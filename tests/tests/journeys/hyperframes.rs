//! A real repository, github.com/heygen-com/hyperframes, from a mirror on loopback.

use helix_skills_tests::{
    Behavior, GitServer, HYPERFRAMES, Sandbox, Traffic, upstream::git_command,
};
use std::path::{Path, PathBuf};

/// Environment variable with the path of a local bare mirror of the repository.
const MIRROR: &str = "HELIX_MIRROR_HYPERFRAMES";

pub(crate) fn git(mirror: &Path, arguments: &[&str]) -> Vec<u8> {
    let output =
        git_command().arg("--git-dir").arg(mirror).args(arguments).output().expect("git runs");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

pub(crate) fn report(what: &str, traffic: Traffic) {
    let Traffic { requests, received, sent, .. } = traffic;
    // The test is run manually to read these figures.
    #[allow(clippy::print_stdout)]
    {
        println!(
            "{what}: {requests} requests, {received} bytes to the server, {sent} bytes from it"
        );
    }
}

/// A project with two skills of version 0.6.70, and the server of the mirror.
fn mirrored() -> (PathBuf, GitServer, Sandbox) {
    let mirror = PathBuf::from(std::env::var_os(MIRROR).expect(MIRROR));
    let (parent, name) =
        (mirror.parent().expect("a directory"), mirror.file_name().expect("a name"));
    let server = GitServer::start(parent, Behavior::default());
    let sandbox = Sandbox::with_manifest(HYPERFRAMES);
    sandbox.write(
        "home/.gitconfig",
        format!(
            "[url \"{}/{}\"]\n\tinsteadOf = https://github.com/heygen-com/hyperframes.git\n",
            server.base(),
            name.to_string_lossy()
        ),
    );
    (mirror, server, sandbox)
}

/// `hyperframes-media` is gone since 0.7.
#[test]
#[ignore = "requires a mirror of the repository in HELIX_MIRROR_HYPERFRAMES"]
fn upgrade_works_as_the_messages_say() {
    let (_, _server, sandbox) = mirrored();
    sandbox.skills(["sync"]).succeeds();
    let paste = |command: &str| sandbox.skills(command.split(' ').skip(1));
    let run = sandbox.skills(["outdated"]).succeeds();
    let run = run.says(["1 source has a newer release than its pin allows\n"]);
    let [upgrade] = run.offered().try_into().unwrap();
    let run = paste(&upgrade).exits(2).says(["`include` names `hyperframes-media`", "new there: "]);
    let [upgrade] = run.offered().try_into().unwrap();
    paste(&upgrade).succeeds();
    assert_eq!(sandbox.locked_skills(), ["hyperframes"]);
    sandbox.skills(["outdated"]).succeeds().says(["all sources are up to date"]);
}

#[test]
#[ignore = "requires a mirror of the repository in HELIX_MIRROR_HYPERFRAMES"]
fn hyperframes_has_the_bytes_and_requests_expected() {
    let (mirror, server, sandbox) = mirrored();
    sandbox.skills(["sync"]).succeeds();
    let cold = server.take_traffic();
    report("cold", cold);
    assert!(cold.requests == 3 && cold.sent + cold.received <= 240_000, "{cold:?}");
    assert_eq!(sandbox.locked_skills(), ["hyperframes", "hyperframes-media"]);
    let mut files = 0;
    for skill in ["hyperframes", "hyperframes-media"] {
        let tree = format!("refs/tags/v0.6.70:skills/{skill}");
        let listed = git(&mirror, &["ls-tree", "-r", "-z", "--name-only", &tree]);
        let listed = String::from_utf8(listed).expect("names in UTF-8");
        let mut paths: Vec<_> = listed.split_terminator('\0').collect();
        paths.sort_unstable();
        assert_eq!(sandbox.files(format!("project/helix.skills/{skill}")), paths);
        for path in paths {
            let blob = git(&mirror, &["cat-file", "blob", &format!("{tree}/{path}")]);
            assert_eq!(
                sandbox.read_bytes(format!("project/helix.skills/{skill}/{path}")),
                blob,
                "{skill}/{path}"
            );
            files += 1;
        }
    }
    assert_eq!(files, 49);
    assert!(sandbox.lock().contains("https://github.com/heygen-com/hyperframes.git"));

    let (lock, store) = (sandbox.lock(), sandbox.snapshot("project/helix.skills"));
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync"]).succeeds();
    let locked = server.take_traffic();
    report("with the lockfile and an empty cache", locked);
    assert!(locked.requests == 2 && locked.sent + locked.received <= 240_000, "{locked:?}");
    assert_eq!(sandbox.lock(), lock);
    assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());

    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    let nothing = server.take_traffic();
    report("with nothing to do", nothing);
    assert_eq!(nothing, Traffic::default());
}
