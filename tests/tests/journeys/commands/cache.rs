//! `skills cache`.

use super::upstream;
use helix_skills_tests::Sandbox;

#[test]
fn cache_dir_prints_the_path_and_clean_empties_it() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let run = sandbox.skills(["cache", "dir"]).succeeds();
    assert_eq!(run.stdout.trim_end(), sandbox.path("cache").to_str().unwrap());
    drop(sandbox.skills(["cache", "dir", "--json"]).succeeds().json());
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    let full = sandbox.snapshot("cache").files();
    assert!(full.iter().any(|f| f == "CACHEDIR.TAG"), "{full:?}");
    let tag = sandbox.read("cache/CACHEDIR.TAG");
    assert!(tag.starts_with("Signature: 8a477f597d28d172789f06886806bc55"), "{tag}");
    let files = full.iter().filter(|file| !file.starts_with("CACHEDIR"));
    let sizes = files.map(|file| sandbox.read_bytes(format!("cache/{file}")).len());
    let sizes: Vec<usize> = sizes.collect();
    let document = sandbox.skills(["cache", "clean", "--json"]).succeeds().json();
    assert_eq!(document["files"], sizes.len());
    assert_eq!(document["bytes"], sizes.iter().sum::<usize>());
    sandbox.skills(["cache", "clean"]).succeeds().says(["removed 0 files, 0 B from "]);
    let left =
        sandbox.snapshot("cache").contents().values().map(|bytes| bytes.len()).sum::<usize>();
    assert!(left < 1_000, "{:?}", sandbox.files("cache"));
    // The cache only saves time.
    sandbox.remove_store();
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

/// A wrong environment variable must not delete a directory of the user.
#[test]
fn cache_clean_removes_only_caches() {
    let sandbox = Sandbox::new();
    sandbox.write("project/precious/notes.txt", "mine\n");
    let precious = sandbox.project("precious");
    sandbox
        .command(["cache", "clean"])
        .env("HELIX_SKILLS_CACHE", &precious)
        .run()
        .exits(2)
        .says(["CACHEDIR.TAG"]);
    assert_eq!(sandbox.read("project/precious/notes.txt"), "mine\n");
}

#[test]
fn default_cache_directories() {
    let sandbox = Sandbox::new();
    let xdg = sandbox.path("cache/xdg");
    let run = sandbox
        .command(["cache", "dir"])
        .without_env("HELIX_SKILLS_CACHE")
        .env("XDG_CACHE_HOME", &xdg)
        .run()
        .succeeds();
    assert_eq!(run.stdout.trim_end(), xdg.join("helix-skills").to_str().unwrap());
    let run = sandbox.command(["cache", "dir"]).without_env("HELIX_SKILLS_CACHE").run().succeeds();
    assert!(run.stdout.starts_with(sandbox.path("home").to_str().unwrap()), "{run}");
}
