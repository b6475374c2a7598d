//! Build scripts that call `build::check()` and `build::sync()` of the library, run by cargo.

use crate::cargo::{Consumer, facade, workspace};
use helix_skills_tests::{Change, Sandbox, sandbox::program};
use std::path::{Path, PathBuf};

const MAIN: &str = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();
fn main() {
    for skill in SKILLS {
        println!(\"{}: {}\", skill.name(), skill.body());
    }
}
";

fn script(call: &str) -> String {
    format!(
        "fn main() -> Result<(), helix_skills_project::Error> {{\n    helix_skills_project::build::{call}()\n}}\n"
    )
}

fn skill_md(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\n{body}\n")
}

fn build_dependency() -> String {
    let project = workspace().join("project");
    let project = project.to_str().unwrap();
    format!("\n[build-dependencies]\nhelix-skills-project = {{ path = {project:?} }}\n")
}

/// Creates a package whose build script calls the library, with one skill of its own.
fn package(name: &str, call: &str) -> Consumer {
    let consumer = Consumer::new(name);
    consumer.package("", name, &format!("{}{}", facade("helix-skills", ""), build_dependency()));
    consumer.write("src/main.rs", MAIN).write("build.rs", script(call));
    consumer.write(
        "helix.skills.json",
        "{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"skills\"}}}",
    );
    consumer.write("skills/alpha/SKILL.md", skill_md("alpha", "one"));
    consumer
}

#[cfg(unix)]
fn make_executable(program: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn make_executable(_: &Path) {}

/// Builds and returns whether cargo compiled the package again.
fn rebuilds(consumer: &Consumer, name: &str) -> bool {
    consumer.cargo(&["build"]).success().stderr.contains(&format!("Compiling {name}"))
}

#[test]
fn sync_locks_changes_and_reruns_only_if_needed() {
    let consumer = package("build-sync", "sync");
    let run = consumer.cargo(&["run", "--quiet"]).success();
    assert_eq!(run.stdout, "alpha: one\n");
    let lock = consumer.read("helix.skills.lock");
    assert!(!rebuilds(&consumer, "build-sync"), "expected no work in a second build");

    consumer.write("skills/alpha/SKILL.md", skill_md("alpha", "two"));
    consumer.write("skills/beta/SKILL.md", skill_md("beta", "new"));
    let run = consumer.cargo(&["run", "--quiet"]).success();
    assert_eq!(run.stdout, "alpha: two\nbeta: new\n");
    assert_ne!(consumer.read("helix.skills.lock"), lock);
    assert!(
        !rebuilds(&consumer, "build-sync"),
        "expected cargo not to rerun the script for its own output"
    );

    // The project contains only files to be committed.
    let mut entries: Vec<_> = std::fs::read_dir(consumer.dir.join("helix.skills"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    entries.sort();
    assert_eq!(entries, [".gitattributes", "alpha.sha256", "beta.sha256"]);

    // A broken skill fails the build with its location; after a fix the build succeeds.
    consumer.write("skills/beta/SKILL.md", "no frontmatter");
    let run = consumer.cargo(&["build"]);
    assert!(!run.ok && run.stderr.contains("skills/beta/SKILL.md:1:1"), "{}", run.stderr);
    consumer.remove("skills/beta");
    assert_eq!(consumer.cargo(&["run", "--quiet"]).success().stdout, "alpha: two\n");
}

#[test]
fn check_rejects_unlocked_and_added_files() {
    let consumer = package("build-check", "check");
    let run = consumer.cargo(&["build"]);
    assert!(
        !run.ok
            && run.stderr.contains("cannot find the lockfile")
            && run.stderr.contains("`cargo skills sync`"),
        "{}",
        run.stderr
    );

    consumer.write("build.rs", script("sync"));
    consumer.cargo(&["build"]).success();
    consumer.write("build.rs", script("check"));
    consumer.cargo(&["build"]).success();
    assert!(!rebuilds(&consumer, "build-check"));

    // Only the build script notices a file that no listing names; the macro cannot.
    consumer.write("skills/alpha/extra.md", "x");
    let run = consumer.cargo(&["build"]);
    assert!(!run.ok && run.stderr.contains("`extra.md`"), "{}", run.stderr);
    consumer.remove("skills/alpha/extra.md");
    consumer.cargo(&["build"]).success();
}

#[test]
fn missing_remote_skill_without_the_program_is_an_error() {
    let consumer = package("build-remote", "sync");
    let integrity = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let commit = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";
    let request =
        "{\"type\": \"git\", \"url\": \"https://example.com/r.git\", \"skillsDir\": \"skills\"}";
    consumer.write("helix.skills.json", format!("{{\"skills\": {{\"far\": {request}}}}}"));
    consumer.write(
        "helix.skills.lock",
        format!(
            "{{\"version\": 1, \"sources\": {{\"far\": {{\"commit\": \"{commit}\", \"ref\": \"refs/heads/main\", \"request\": {request}}}}}, \
             \"skills\": {{\"away\": {{\"source\": \"far\", \"path\": \"skills/away\", \"tree\": \"{commit}\", \
             \"integrity\": \"sha256:{integrity}\", \"files\": 1, \"bytes\": 3}}}}}}"
        ),
    );
    // A program inside the package is not run, even if an entry of `PATH` points there.
    consumer.write("bin/cargo-skills", "#!/bin/sh\ntouch ran\n");
    make_executable(&consumer.dir.join("bin/cargo-skills"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let relative = ["", ".", "bin"].map(PathBuf::from);
    let path =
        std::env::join_paths(relative.into_iter().chain(std::env::split_paths(&path))).unwrap();
    let run = consumer.cargo_with("", &[("PATH", Path::new(&path))], &["build"]);
    assert!(!run.ok, "expected a failure without a program to fetch it");
    assert!(!consumer.dir.join("ran").exists(), "{}", run.stderr);
    assert!(run.stderr.contains("failed to fetch the missing `away`"), "{}", run.stderr);
    assert!(run.stderr.contains("skills sync --locked"), "{}", run.stderr);
    assert!(run.stderr.contains("absolute directory of `PATH`"), "{}", run.stderr);

    // The program's output before it failed is reported in one line.
    #[cfg(unix)]
    {
        consumer.write(
            "bin/cargo-skills",
            "#!/bin/sh\nprintf 'error: one\\n  help: two\\n' >&2\nexit 3\n",
        );
        let program = consumer.dir.join("bin/cargo-skills");
        let run = consumer.cargo_with("", &[("HELIX_SKILLS_BIN", &program)], &["build"]);
        assert!(
            !run.ok && run.stderr.contains("(exit status: 3): error: one; help: two\n"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn missing_remote_skill_is_fetched_once_by_the_program() {
    let upstream = Sandbox::new();
    let repository = upstream.upstream("repo");
    repository.commit(Change::new().skill("far"));
    let consumer = package("build-fetch", "sync");
    let url = format!("file://{}", repository.path().display());
    consumer.write(
        "helix.skills.json",
        format!("{{\"skills\": {{\"own\": {{\"type\": \"path\", \"path\": \"skills\"}}, \"up\": {{\"type\": \"git\", \"url\": \"{url}\"}}}}}}"),
    );
    let cache = upstream.path("cache");
    // npm has a program `skills`, too, which succeeds for words that it does not know.
    consumer.write("other/skills", "#!/bin/sh\nexit 0\n");
    make_executable(&consumer.dir.join("other/skills"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = [consumer.dir.join("other"), program().parent().unwrap().to_owned()];
    let path = std::env::join_paths(first.into_iter().chain(std::env::split_paths(&path))).unwrap();
    let environment = [("PATH", Path::new(&path)), ("HELIX_SKILLS_CACHE", cache.as_path())];
    let synced = std::process::Command::new(program())
        .arg("sync")
        .current_dir(&consumer.dir)
        .env("HELIX_SKILLS_CACHE", &cache)
        .output()
        .unwrap();
    assert!(synced.status.success(), "{}", String::from_utf8_lossy(&synced.stderr));
    consumer.remove("helix.skills/far").remove("helix.skills/far.sha256");
    upstream.remove_cache();

    let build = |arguments: &[&str]| consumer.cargo_with("", &environment, arguments).success();
    let run = build(&["run", "--quiet"]);
    assert!(run.stdout.starts_with("alpha: one\nfar: "), "{}", run.stdout);
    assert!(
        !build(&["build"]).stderr.contains("Compiling build-fetch"),
        "expected cargo not to rerun the script for the program's output"
    );
}

/// Two agents of a workspace share one manifest, and their build scripts run at the same time.
#[test]
fn packages_of_a_workspace_fetch_an_ignored_store_once() {
    let upstream = Sandbox::new();
    upstream.upstream("repo").commit(Change::new().skill("far"));
    let server = upstream.serve();
    let consumer = Consumer::new("build-workspace");
    consumer.write("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"3\"\n");
    let names = [("one", "workspace-one"), ("two", "workspace-two")];
    for (path, name) in names {
        let dependencies = format!("{}{}", facade("helix-skills", ""), build_dependency());
        consumer.package(path, name, &dependencies);
        consumer.write(&format!("{path}/src/main.rs"), MAIN);
        consumer.write(&format!("{path}/build.rs"), script("sync"));
    }
    let manifest = format!(
        "{{\"skills\": {{\"up\": {{\"type\": \"git\", \"url\": \"{}\"}}}}}}",
        server.url("repo")
    );
    consumer.write("helix.skills.json", manifest).write(".gitignore", "helix.skills/\n");
    let cache = upstream.path("cache");
    let sync = |more: &[&str]| {
        let mut sync = std::process::Command::new(program());
        sync.arg("sync").args(more).current_dir(&consumer.dir).env("HELIX_SKILLS_CACHE", &cache);
        assert!(sync.status().unwrap().success());
    };
    sync(&[]);
    let forget = || {
        consumer.remove("helix.skills");
        upstream.remove_cache();
        server.take_traffic();
    };
    forget();
    sync(&["--locked"]);
    let requests = server.exchanges().len();
    assert!(requests > 0);
    let environment = [("HELIX_SKILLS_BIN", program()), ("HELIX_SKILLS_CACHE", cache.as_path())];
    for _ in 0..3 {
        consumer.cargo(&["clean", "-p", names[0].1, "-p", names[1].1]).success();
        forget();
        consumer.cargo_with("", &environment, &["build"]).success();
        assert_eq!(server.exchanges().len(), requests);
    }
    // Without its own script, a package is not built after the script of the other one.
    consumer.remove("two/build.rs");
    forget();
    let run = consumer.cargo_with("two", &environment, &["build"]);
    let text = "each package that embeds skills needs one";
    assert!(run.errors().iter().any(|error| error.contains(text)), "{}", run.stderr);
}

/// File names are untrusted text, and cargo executes instructions in a build script's output.
#[cfg(unix)]
#[test]
fn file_names_cannot_give_cargo_instructions() {
    let consumer = package("build-names", "sync");
    consumer.cargo(&["build"]).success();
    consumer.write("helix.skills/x\ncargo::rustc-cfg=injected\ny", "x");
    consumer.write("src/main.rs", format!("#[cfg(injected)]\ncompile_error!(\"obeyed\");\n{MAIN}"));
    for call in ["sync", "check"] {
        consumer.write("build.rs", script(call));
        let run = consumer.cargo(&["build"]).success();
        assert!(run.stderr.contains("does not belong to "), "{}", run.stderr);
    }
}
