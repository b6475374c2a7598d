//! `include_skills!(pub mod skills)`: skills and files as items.

use crate::{
    cargo::{Consumer, facade},
    project::{self, Locked, Origin, team},
};
use serde_json::json;

/// Tries to break out of the item's documentation and to render as something else.
const HOSTILE: &str = "---
name: alpha
description: \"Does alpha.\\n```\\n# Heading [link] <b> https://x.example/ `\\n````rust\\npanic!()\\n````\\n\\u202e \\r\\n    x\"
---
# Alpha
";

fn skills() -> Vec<Locked> {
    let mut alpha = team("alpha", &[]);
    alpha.files = vec![
        ("SKILL.md", HOSTILE.into()),
        ("references/a.md", b"A reference.\n".to_vec()),
        ("assets/logo.png", b"\x89PNG\xff\0".to_vec()),
        ("R&D notes.txt", Vec::new()),
        ("a `b`.md", b"b".to_vec()),
    ];
    let mut hidden = team("hidden", &[]);
    hidden.files[0].1 =
        b"---\nname: hidden\ndescription: Hidden.\ndisable-model-invocation: true\n---\nx\n"
            .to_vec();
    let house = "---\nname: house\ndescription: Our own.\n---\nHouse rules.\n";
    let house = Locked {
        name: "long",
        origin: Origin::Own("house"),
        files: vec![("SKILL.md", house.into())],
    };
    let mut all = vec![alpha, hidden, house, team("hidden-files", &[(".x/.y", b"y")])];
    all.extend(["3d", "beta", "привет", "技能"].map(|name| team(name, &[])));
    all
}

/// One workspace: no lint of rustc, clippy or rustdoc fires for the generated code, and the items
/// are correct.
#[test]
fn every_skill_and_file_is_an_item() {
    let consumer = Consumer::new("typed");
    let members = "[workspace]\nresolver = \"3\"\nmembers = [\"typed\", \"far\", \"agent\"]\n";
    consumer.write("Cargo.toml", members);
    project::write(&consumer, "", &skills());
    let allow = json!({"alpha/SKILL.md": ["invisible-text"]});
    consumer.write(
        "helix.skills.json",
        json!({"skills": project::sources(), "allow": allow}).to_string(),
    );
    consumer.package("typed", "typed", &facade("helix-skills", ""));
    consumer.write("typed/src/lib.rs", include_str!("fixtures/typed_lib.rs"));

    // A renamed dependency, another project, and a user's macro in between.
    consumer.package("far", "far", &facade("baked", ""));
    project::write(&consumer, "elsewhere", &[team("far", &[])]);
    let source = "//! Renamed.\n#![deny(warnings, missing_docs, clippy::pedantic, clippy::nursery)]\n\
                  macro_rules! bake { ($vis:vis $name:ident) => { baked::include_skills!($vis mod $name, \"../elsewhere\"); } }\n\
                  bake!(pub skills);\nbake!(private);\n\
                  /// As a constant.\n\
                  pub const FAR: baked::Toolbox<'static> = baked::include_skills!(\"../elsewhere\", preload = [\"far\"]);\n\
                  /// The private skills.\n\
                  #[must_use]\npub const fn private() -> usize { private::SKILLS.len() }\n";
    consumer.write("far/src/lib.rs", source);

    let dependencies = "typed = { path = \"../typed\" }\nfar = { path = \"../far\" }\n";
    consumer.package("agent", "agent", &format!("{}{dependencies}", facade("helix-skills", "")));
    consumer.write("agent/src/main.rs", include_str!("fixtures/typed_main.rs"));

    consumer
        .cargo(&["clippy", "--quiet", "-p", "typed", "-p", "far", "--", "-Dwarnings"])
        .success();
    let rustdoc = "build.rustdocflags=[\"-Dwarnings\", \"--document-private-items\"]";
    let documented = consumer
        .cargo(&["doc", "--quiet", "--no-deps", "-p", "typed", "-p", "far", "--config", rustdoc])
        .success();
    assert_eq!(documented.stderr, "");
    let html = consumer.built("doc/typed/skills/constant.ALPHA.html");
    let inside = "\n# Heading [link] &lt;b&gt; https://x.example/ `\n````rust\npanic!()\n````\n\\u{202e} \\r\n    x</code>";
    assert!(html.contains(inside) && !html.contains("id=\"heading"), "{html}");
    let run = consumer.cargo(&["run", "--quiet", "-p", "agent"]).success();
    assert_eq!(run.stdout, "far");
}
