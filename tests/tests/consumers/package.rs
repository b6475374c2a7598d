//! A crate with embedded skills, packaged for a registry.

use crate::{
    cargo::{Consumer, facade, workspace},
    project::{self, Locked, Origin, team},
};

#[test]
fn packaged_crate_has_its_skills_and_compiles() {
    let consumer = Consumer::new("package");
    consumer.package("", "package", &facade("helix-skills", ", version = \"0.1.0\""));
    consumer.write(
        "src/lib.rs",
        "pub static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();\n",
    );
    let house = "---\nname: house\ndescription: Our own.\n---\nRules.\n";
    let house = Locked {
        name: "house",
        origin: Origin::Own("house"),
        files: vec![("SKILL.md", house.into())],
    };
    project::write(
        &consumer,
        "",
        &[team("alpha", &[("references/a.md", b"a"), ("logo.png", b"\xff")]), house],
    );
    let origin = format!("helix.skills/{}.origin", "1".repeat(40));
    consumer.write(&origin, "commit 1 x\n");
    // A published crate gets its dependencies from a registry, which does not have these crates
    // yet.
    let patch = format!("patch.crates-io.helix-skills.path={:?}", workspace());
    // Packages, unpacks the archive elsewhere, and compiles its contents.
    consumer.cargo(&["package", "--quiet", "--allow-dirty", "--config", &patch]).success();
    let list = consumer.cargo(&["package", "--list", "--allow-dirty"]).success().stdout;
    for file in [
        &*origin,
        "helix.skills.lock",
        "helix.skills/alpha.sha256",
        "helix.skills/alpha/SKILL.md",
        "helix.skills/alpha/logo.png",
        "helix.skills/alpha/references/a.md",
        "helix.skills/house.sha256",
        "own/house/SKILL.md",
    ] {
        assert!(list.lines().any(|line| line == file), "`{file}` is not in the package:\n{list}");
    }
}

/// A check in the directory of the manifest would not read this lockfile.
#[test]
fn lockfile_below_the_manifest_of_another_project_is_an_error() {
    let consumer = Consumer::new("stray-lockfile");
    consumer.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"agent\"]\n");
    // It looks like the root of a workspace to a program that reads lines.
    let more = "[package.metadata]\ntext = \"\"\"\n[workspace]\n\"\"\"\n";
    consumer.package("agent", "stray-lockfile", &(facade("helix-skills", "") + more));
    let embed = "pub static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();\n";
    consumer.write("agent/src/lib.rs", embed);
    project::write(&consumer, "agent", &[team("alpha", &[])]);
    consumer.cargo(&["check", "--quiet"]).success();
    consumer.write("helix.skills.json", "{\"skills\": {}}");
    consumer.write("agent/src/lib.rs", format!("{embed}\n"));
    let run = consumer.cargo(&["check", "--quiet"]);
    assert!(!run.ok && run.stderr.contains("helix.skills.lock` has no manifest, but there is `"));
    assert!(run.stderr.contains("remove this lockfile and its store, or add its manifest"));
}
