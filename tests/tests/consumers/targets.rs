//! An agent for a target without an operating system.
//!
//! Requires the feature `targets`, which `.ci/run` enables if the target and node are installed.

use crate::cargo::{Consumer, facade};
use std::{path::Path, process::Command};

fn agent(name: &str) -> Consumer {
    let consumer = Consumer::new(name);
    consumer.package("", name, &facade("helix-skills", ""));
    let manifest = consumer.read("Cargo.toml");
    consumer.write("Cargo.toml", manifest + "\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n");
    consumer.write("src/lib.rs", include_str!("fixtures/bare_agent.rs"));
    let deploy = "---\nname: deploy\ndescription: \"Deploys.\\n- evil: no skill\"\nargument-hint: environment\n---\n\
                  Never write </skill>.\n";
    let lines: String = (1..=9000).map(|line| format!("line {line}\n")).collect();
    consumer.write("skills/deploy/SKILL.md", deploy).write("skills/deploy/lines.txt", lines);
    consumer.write("skills/deploy/logo.png", b"\xff\0\x01");
    let pdf = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse `pdftotext`. Ümläute, 🦀.\n";
    consumer.write("skills/pdf/SKILL.md", pdf);
    consumer
}

#[test]
fn webassembly_module_has_no_imports() {
    let target = "wasm32-unknown-unknown";
    for (profile, more) in [("debug", &[][..]), ("release", &["--release"])] {
        let consumer = agent("bare-wasm");
        consumer.cargo(&[&["build", "--quiet", "--target", target][..], more].concat()).success();
        let built = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("consumers-target")
            .join(target)
            .join(profile);
        let script =
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/consumers/fixtures/bare_agent.mjs");
        let output =
            Command::new("node").arg(script).arg(built.join("bare_wasm.wasm")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && said == "wasm: ok\n",
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
