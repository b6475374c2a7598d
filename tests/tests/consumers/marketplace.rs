//! Skills of plugins, synced by the program and embedded by a crate.

use crate::cargo::{Consumer, facade};
use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

/// Syncs one plugin of the marketplace's repository and one in another repository that is a single
/// skill.
fn synced() -> Sandbox {
    let sandbox = Sandbox::new();
    let (market, tools) = (sandbox.upstream("market"), sandbox.upstream("tools"));
    tools.commit(
        Change::new()
            .skill_at("x", "solo")
            .text("x/references/r.md", "r\n")
            .text("x/notes.md", "n\n"),
    );
    let far = json!({"source": "git-subdir", "url": "https://plugins.example/tools.git", "path": "x", "sha": tools.id("main")});
    let plugins = json!([{"name": "near", "source": "./p"}, {"name": "far", "source": far}]);
    let index = json!({ "plugins": plugins }).to_string();
    market.commit(
        Change::new().text(".claude-plugin/marketplace.json", &index).skill_at("p/skills/a", "a"),
    );
    let upstream = sandbox.path("upstream").display().to_string();
    sandbox.write(
        "home/.gitconfig",
        format!("[url \"file://{upstream}/\"]\n\tinsteadOf = https://plugins.example/\n"),
    );
    let source = |plugin| json!({"type": "claude-marketplace", "url": "https://plugins.example/market.git", "plugin": plugin});
    sandbox.sources(&json!({"near": source("near"), "far": source("far")}));
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

#[test]
fn skills_of_plugins_are_embedded_and_verified() {
    let (sandbox, consumer) = (synced(), Consumer::new("marketplace"));
    for path in sandbox.files("project") {
        consumer.write(&path, sandbox.read_bytes(format!("project/{path}")));
    }
    consumer.package("", "marketplace", &facade("helix-skills", ""));
    let source = "use helix_skills::{SkillSet, include_skills};\n\
                  static SKILLS: SkillSet = include_skills!();\n\
                  fn main() {\n    \
                      print!(\"{}\", SKILLS.catalog());\n    \
                      print!(\"{}\", SKILLS.read_skill_file(\"solo\", \"references/r.md\").unwrap());\n\
                  }\n";
    consumer.write("src/main.rs", source);
    let run = consumer.cargo(&["run", "--quiet"]).success();
    let text = &run.stdout;
    assert!(
        text.contains("- a: Does a things.\n- solo: Does solo things.\n") && text.contains("\nr\n"),
        "{text}"
    );
    assert!(consumer.dir.join("helix.skills/solo/notes.md").exists());

    // The macro validates the plugin fields of the lockfile as strictly as the program does.
    let lock = consumer.read("helix.skills.lock");
    consumer.write(
        "helix.skills.lock",
        lock.replace("https://plugins.example/tools.git", "file:///etc"),
    );
    let errors = consumer.cargo(&["check", "--quiet"]).errors().join("\n");
    assert!(
        errors.contains("helix.skills.lock") && errors.contains("must be https or ssh"),
        "{errors}"
    );
}
