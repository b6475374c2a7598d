//! Frontmatter that would be executed, that expands, or that two parsers read differently.

use super::within;
use helix_skills_tests::{Change, GitServer, Sandbox, Upstream};
use serde_json::json;

struct FrontmatterProject {
    sandbox: Sandbox,
    upstream: Upstream,
    _server: GitServer,
}

fn project() -> FrontmatterProject {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("evil");
    let server = sandbox.serve();
    sandbox.sources(&json!({"evil": {"type": "git", "url": server.url("evil")}}));
    FrontmatterProject { sandbox, upstream, _server: server }
}

impl FrontmatterProject {
    /// Checks that the sync fails within the memory limit, with the location of the text, and
    /// writes nothing.
    fn is_refused(&self, what: &str, text: &str) {
        self.upstream.commit(Change::new().text("skills/a/SKILL.md", text));
        let run = within(self.sandbox.command(["sync"]), super::MEBIBYTES).run().exits(1);
        let run = run.says(["error: evil: skills/a/SKILL.md", "\"exclude\": [\"a\"]"]);
        assert!(run.stderr.len() < 20_000, "{what}: {} bytes of talk", run.stderr.len());
        assert_eq!(self.sandbox.files("project"), ["helix.skills.json"], "{what}: {run}");
    }
}

#[test]
fn t13_frontmatter_is_never_executed() {
    let project = project();
    let rest = "name: a\ndescription: Evil.\n---\nbody\n";
    for fence in [
        "---js",
        "---javascript",
        "--- yaml",
        "---json",
        "---coffee",
        "---\u{a0}",
        "----",
        "+++",
        ";;;",
    ] {
        project.is_refused(fence, &format!("{fence}\n{rest}"));
    }
    for value in [
        "!!python/object/apply:os.system [touch ran]",
        "!!python/object:x.Y {}",
        "!!js/function 'function () { }'",
        "!!java.lang.Runtime {}",
        "!!binary aGVsbG8=",
        "!ruby/object:Gem::Requirement {}",
        "!x y",
        "!!str y",
        "!<tag:yaml.org,2002:str> y",
    ] {
        for key in ["description", "metadata", "anything"] {
            let description = if key == "description" { "" } else { "description: Evil.\n" };
            project.is_refused(
                value,
                &format!("---\nname: a\n{description}{key}: {value}\n---\nbody\n"),
            );
        }
    }
}

#[test]
fn t14_expanding_or_ambiguous_frontmatter_is_refused() {
    let project = project();
    let laughs: String = (1..10)
        .map(|n| format!("l{n}: &l{n} [{}]\n", vec![format!("*l{}", n - 1); 10].join(", ")))
        .collect();
    let frontmatter = |more: &str| format!("---\nname: a\ndescription: Evil.\n{more}\n---\nbody\n");
    for (what, text) in [
        ("billion laughs", frontmatter(&format!("l0: &l0 [lol]\n{laughs}"))),
        ("an anchor", frontmatter("x: &x y")),
        ("an alias", frontmatter("x: *x")),
        ("a merge", frontmatter("x: &x {y: z}\nw:\n  <<: *x")),
        ("a duplicate key", frontmatter("description: Other.")),
        ("a duplicate quoted key", frontmatter("\"name\": b")),
        ("a duplicate nested key", frontmatter("metadata:\n  x: 1\n  x: 2")),
        ("a key of a megabyte", frontmatter(&format!("{}: x", "k".repeat(1 << 20)))),
        ("a value of a megabyte", frontmatter(&format!("x: {}", "v".repeat(1 << 20)))),
        (
            "lists in lists",
            frontmatter(&format!("x: {}{}", "[".repeat(20_000), "]".repeat(20_000))),
        ),
        ("maps in maps", frontmatter(&format!("x: {}", "{x: ".repeat(10_000)))),
        ("lists that are never closed", frontmatter(&format!("x: {}", "[".repeat(60_000)))),
        (
            "indentation",
            frontmatter(&(0..300).map(|n| format!("{}k:\n", " ".repeat(n))).collect::<String>()),
        ),
        ("many documents", "---\n".repeat(10_000)),
        ("never closed", format!("---\nname: a\ndescription: Evil.\n{}", "x\n".repeat(200_000))),
        ("a directive", "---\n%YAML 9.9\n---\nname: a\n---\n".to_owned()),
        ("no text", "\u{0}\u{0}\u{0}".to_owned()),
    ] {
        project.is_refused(what, &text);
    }
}
