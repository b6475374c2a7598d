//! Cargo runs the macro again if embedded data changed, and only then.

use crate::{
    cargo::{Consumer, Run, facade},
    project::{self, team},
};

const MAIN: &str = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();
fn main() {
    let skill = SKILLS.get(\"alpha\").unwrap();
    let texts: Vec<_> = skill.resources().iter().map(|file| file.text().unwrap()).collect();
    print!(\"{} {} {}\", skill.provenance().reference().unwrap(), skill.body(), texts.join(\",\"));
}
";

fn run(consumer: &Consumer) -> Run {
    consumer.cargo(&["run", "--verbose"])
}

#[track_caller]
fn compiled(consumer: &Consumer, expected: &str) {
    let run = run(consumer).success();
    assert_eq!(run.stdout, expected);
    assert!(run.stderr.contains("Compiling rebuild "), "not compiled again:\n{}", run.stderr);
}

#[track_caller]
fn fresh(consumer: &Consumer, expected: &str) {
    let run = run(consumer).success();
    assert_eq!(run.stdout, expected);
    assert!(run.stderr.contains("Fresh rebuild "), "compiled without a reason:\n{}", run.stderr);
}

#[track_caller]
fn fails(consumer: &Consumer, message: &str) {
    for _ in 0..2 {
        // The second run checks that cargo does not cache the failure as a success.
        let run = run(consumer);
        assert!(!run.ok && run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn only_changed_embedded_data_recompiles() {
    let consumer = Consumer::new("rebuild");
    consumer.package("", "rebuild", &facade("helix-skills", "")).write("src/main.rs", MAIN);
    project::write(&consumer, "", &[team("alpha", &[("a.md", b"a")]), team("beta", &[])]);
    compiled(&consumer, "refs/tags/v1 # alpha a");
    fresh(&consumer, "refs/tags/v1 # alpha a");

    let file = "helix.skills/alpha/a.md";
    consumer.write(file, "b");
    fails(&consumer, "the file `a.md` of the skill `alpha` does not match the lockfile");
    consumer.write(file, "a");
    compiled(&consumer, "refs/tags/v1 # alpha a");
    consumer.remove(file);
    fails(&consumer, "the file `a.md` of the skill `alpha` is missing");
    consumer.write(file, "a");
    compiled(&consumer, "refs/tags/v1 # alpha a");

    let body = consumer.read("helix.skills/beta/SKILL.md");
    consumer.write("helix.skills/beta/SKILL.md", body.replace("# beta", "# Beta"));
    fails(&consumer, "the file `SKILL.md` of the skill `beta` does not match the lockfile");
    consumer.write("helix.skills/beta/SKILL.md", body);
    compiled(&consumer, "refs/tags/v1 # alpha a");

    let lock = consumer.read("helix.skills.lock");
    consumer.remove("helix.skills.lock");
    fails(&consumer, "there is neither a `helix.skills.lock`");
    consumer.write("helix.skills.lock", &lock);
    compiled(&consumer, "refs/tags/v1 # alpha a");
    consumer.write("helix.skills.lock", lock.replace("refs/tags/v1", "refs/tags/v2"));
    compiled(&consumer, "refs/tags/v2 # alpha a");
    fresh(&consumer, "refs/tags/v2 # alpha a");

    // A file that no listing names is not embedded, so nothing is compiled.
    consumer.write("helix.skills/alpha/b.md", "b").write("helix.skills/gamma/SKILL.md", "x");
    fresh(&consumer, "refs/tags/v2 # alpha a");
    // If the crate is compiled for another reason, the file is reported.
    consumer.write("src/main.rs", format!("{MAIN}\n"));
    fails(&consumer, "the file `b.md` is not part of the skill `alpha`");
    consumer.write("src/main.rs", MAIN);
    project::write(&consumer, "", &[team("alpha", &[("a.md", b"a"), ("b.md", b"b")])]);
    compiled(&consumer, "refs/tags/v1 # alpha a,b");
}

/// The macro would read a relative path from the working directory, and the compiler from the
/// directory of the source file, so that other bytes would be embedded than those that were
/// verified.
#[cfg(unix)]
#[test]
fn relative_package_directory_embeds_the_verified_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let consumer = Consumer::new("relative");
    consumer.package("", "relative", &facade("helix-skills", "")).write("src/main.rs", MAIN);
    // The compiler has to find all files that it tracks.
    project::write(&consumer, "src", &[team("alpha", &[("a.md", b"other")])]);
    project::write(&consumer, "", &[team("alpha", &[("a.md", b"right")])]);
    consumer.write("rustc", "#!/bin/sh\nCARGO_MANIFEST_DIR=. exec \"$@\"\n");
    let wrapper = consumer.dir.join("rustc");
    std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
    let environment = [("RUSTC_WORKSPACE_WRAPPER", wrapper.as_path())];
    let run = consumer.cargo_with("", &environment, &["run", "--quiet"]).success();
    assert_eq!(run.stdout, "refs/tags/v1 # alpha right");
}
