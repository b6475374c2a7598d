//! A package that does not compile, and cargo's messages.

use crate::{
    cargo::{Consumer, facade},
    project::{self, Locked, Origin, team},
};

/// The three locked skills.
pub(crate) fn skills() -> Vec<Locked> {
    let house = "---\nname: house\ndescription: Our own.\n---\nRules.\n";
    vec![
        team("alpha", &[("references/a.md", b"one\ntwo\n"), ("references/b.md", b"b\n")]),
        team("beta", &[]),
        Locked { name: "house", origin: Origin::Own("."), files: vec![("SKILL.md", house.into())] },
    ]
}

/// A package that embeds three skills.
pub(crate) struct Broken(pub(crate) Consumer);

impl Broken {
    /// Creates a package called `name` with this program.
    pub(crate) fn new(name: &str, main: &str) -> Self {
        let consumer = Consumer::new(name);
        consumer.package("", name, &facade("helix-skills", "")).write("src/main.rs", main);
        Self(consumer)
    }

    /// Restores a valid project, then applies one change.
    pub(crate) fn change(&self, change: impl FnOnce(&Consumer)) -> &Self {
        for path in ["helix.skills", "own", "helix.skills.lock", "helix.skills.json"] {
            if self.0.dir.join(path).exists() {
                self.0.remove(path);
            }
        }
        project::write(&self.0, "", &skills());
        change(&self.0);
        self
    }

    /// Checks the compile errors, without what differs between machines.
    #[track_caller]
    pub(crate) fn says(&self, expected: &[&str]) {
        let dir = self.0.dir.to_str().unwrap();
        let errors = self.0.cargo(&["check", "--quiet"]).errors();
        let errors: Vec<_> =
            errors.iter().map(|error| digests(&error.replace(dir, "DIR"))).collect();
        assert_eq!(errors, expected, "\n{}", errors.join("\n"));
    }
}

/// Replaces every digest in `text` with `sha256:…`.
fn digests(text: &str) -> String {
    let mut parts = text.split("sha256:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        out.push_str("sha256:");
        out.push_str(if part.len() - rest.len() == 64 {
            "…"
        } else {
            &part[..part.len() - rest.len()]
        });
        out.push_str(rest);
    }
    out
}
