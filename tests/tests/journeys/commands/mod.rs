//! The commands besides `sync`: `init`, `add`, `remove`, `list`, `show` and `cache`.

mod add;
mod add_again;
mod add_dry_run;
mod add_local;
mod add_names;
mod add_unknown;
mod anywhere;
mod cache;
mod global_options;
mod init;
mod inspect;
mod offered;
mod pasted;
mod short_forms;

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream};
use serde_json::Value;

fn upstream(sandbox: &Sandbox) -> (Upstream, GitServer) {
    let upstream = sandbox.upstream("tools");
    upstream.commit(
        Change::new().skill("alpha").skill("beta").text("skills/beta/references/x.md", "x\n"),
    );
    upstream.tag("v0.9.0");
    upstream.annotated_tag("v1.2.0", "main");
    upstream.commit(Change::new().skill("alpha").text("skills/alpha/new.md", "new\n"));
    upstream.tag("v2.0.0-rc.1");
    (upstream, sandbox.serve())
}

/// Parses the manifest.
pub(crate) fn manifest(sandbox: &Sandbox) -> Value {
    let text = sandbox.read("project/helix.skills.json");
    let plain: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    serde_json::from_str(&plain).unwrap_or_else(|why| panic!("{why}: {text}"))
}
