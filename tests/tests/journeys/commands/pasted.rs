//! The readings of the argument of `skills add` that name a part of a repository.

use super::manifest;
use crate::requests::commands;
use helix_skills_tests::{Change, GitServer, Run, Sandbox, Upstream};
use serde_json::{Value, json};

/// The repository `someone/tools` of github.com and gitlab.com, mapped to a test server.
pub(super) struct Pasted {
    // Dropped before the directories that it serves.
    pub(super) server: GitServer,
    pub(super) upstream: Upstream,
    pub(super) sandbox: Sandbox,
}

pub(super) const GITHUB: &str = "https://github.com/someone/tools.git";

impl Pasted {
    pub(super) fn new() -> Self {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("tools");
        upstream.commit(Change::new().skill("alpha").skill("beta"));
        upstream.tag("v1.2.0");
        upstream.tag("nightly");
        let change = Change::new().skill("late").skill_at("root-level", "root-level");
        upstream.commit(change.skill_at("plugins/p/skills/deep", "deep"));
        upstream.branch("dev", "main");
        upstream.branch("feature/x", "main");
        let server = sandbox.serve();
        let base = server.base();
        let hosts = ["github.com", "gitlab.com"];
        let maps =
            hosts.map(|host| format!("[url \"{base}/\"]\n\tinsteadOf = https://{host}/someone/\n"));
        sandbox.write("home/.gitconfig", maps.concat());
        Self { server, upstream, sandbox }
    }

    /// Runs `skills add` in a new project.
    pub(super) fn add(&self, arguments: &[&str]) -> Run {
        self.sandbox.forget();
        self.sandbox.manifest("{\"skills\": {}}\n");
        self.sandbox.skills(["add"].iter().chain(arguments))
    }

    /// Checks which entry the manifest gets.
    pub(super) fn adds(&self, arguments: &[&str], url: &str, entry: Value) -> Run {
        let run = self.add(arguments).succeeds();
        let mut expected = json!({"type": "git", "url": url});
        expected.as_object_mut().unwrap().extend(entry.as_object().unwrap().clone());
        assert_eq!(manifest(&self.sandbox)["skills"]["tools"], expected, "{arguments:?}");
        run
    }

    /// Checks that the command fails with these texts and writes nothing.
    pub(super) fn refuses(&self, arguments: &[&str], says: &[&str]) {
        self.add(arguments).exits(2).says(says);
        assert_eq!(self.sandbox.files("project"), ["helix.skills.json"], "{arguments:?}");
    }
}

#[test]
fn page_of_a_skill_on_github_is_taken() {
    let pasted = Pasted::new();
    let page = "https://github.com/someone/tools";
    let on_main = json!({"version": "1.2.0", "include": ["alpha"]});
    for path in [
        "/tree/main/skills/alpha",
        "/tree/main/skills/alpha/",
        "/blob/main/skills/alpha/SKILL.md",
        "/blob/refs/heads/main/skills/alpha/SKILL.md",
        "/blob/main/skills/alpha/SKILL.md?plain=1#usage",
    ] {
        pasted.adds(&[&format!("{page}{path}")], GITHUB, on_main.clone());
        assert_eq!(pasted.sandbox.locked_skills(), ["alpha"]);
    }
    let commit = pasted.upstream.id("main");
    for (path, entry) in [
        ("/tree/dev/skills/late", json!({"ref": "dev", "include": ["late"]})),
        ("/tree/feature/x/skills/late", json!({"ref": "feature/x", "include": ["late"]})),
        ("/tree/refs/tags/nightly/skills/beta", json!({"ref": "nightly", "include": ["beta"]})),
        ("/tree/nightly/skills/beta", json!({"ref": "nightly", "include": ["beta"]})),
        ("/tree/dev/root-level", json!({"ref": "dev", "include": ["./root-level"]})),
        (
            "/blob/dev/plugins/p/skills/deep/SKILL.md",
            json!({"ref": "dev", "include": ["plugins/p/skills/deep"]}),
        ),
        ("/tree/dev/plugins/p/skills", json!({"ref": "dev", "skillsDir": "plugins/p/skills"})),
        (&format!("/tree/{commit}/skills/late"), json!({"sha": commit, "include": ["late"]})),
        ("/tree/dev", json!({"ref": "dev"})),
        ("/tree/dev/skills", json!({"ref": "dev"})),
        ("/tree/main", json!({"version": "1.2.0"})),
    ] {
        pasted.adds(&[&format!("{page}{path}")], GITHUB, entry);
    }
}

#[test]
fn page_of_a_skill_on_gitlab_is_taken() {
    let pasted = Pasted::new();
    let url = "https://gitlab.com/someone/tools.git";
    for (page, entry) in [
        ("/-/tree/main/skills/alpha", json!({"version": "1.2.0", "include": ["alpha"]})),
        (
            "/-/blob/feature/x/skills/late/SKILL.md",
            json!({"ref": "feature/x", "include": ["late"]}),
        ),
        ("/-/tree/dev/skills?ref_type=heads", json!({"ref": "dev"})),
    ] {
        pasted.adds(&[&format!("https://gitlab.com/someone/tools{page}")], url, entry);
    }
}

#[test]
fn directory_after_owner_and_repository_is_taken() {
    let pasted = Pasted::new();
    let alpha = json!({"version": "1.2.0", "include": ["alpha"]});
    for source in ["someone/tools/skills/alpha", "someone/tools/skills/alpha/SKILL.md"] {
        pasted.adds(&[source], GITHUB, alpha.clone());
    }
    // A skill after the directory is in it.
    pasted.adds(&["someone/tools/skills@alpha"], GITHUB, alpha);
    let deep = json!({"ref": "dev", "include": ["plugins/p/skills/deep"]});
    pasted.adds(&["someone/tools/plugins/p/skills/deep", "--ref", "dev"], GITHUB, deep);
    let deep = json!({"ref": "dev", "skillsDir": "plugins/p/skills", "include": ["deep"]});
    pasted.adds(&["someone/tools/plugins/p/skills@deep", "--ref", "dev"], GITHUB, deep);
    let all = json!({"version": "1.2.0"});
    for source in ["someone/tools", "someone/tools/", "someone/tools/skills"] {
        pasted.adds(&[source], GITHUB, all.clone());
    }
    // A local directory of that name is an error that names both.
    std::fs::create_dir_all(pasted.sandbox.project("someone/tools/skills")).unwrap();
    pasted.add(&["someone/tools/skills"]).exits(2).says([
        "`someone/tools/skills` is a local directory, but does not start with `./`",
        "use `./someone/tools/skills` for the directory or `https://github.com/someone/tools.git`",
    ]);
}

/// At any depth: the directory becomes the scope of a new entry.
#[test]
fn directory_with_skills_below_adds_all_of_them() {
    let pasted = Pasted::new();
    let change = Change::new().skill_at("plugins/q/deeper/skills/more", "more");
    pasted.upstream.commit(change);
    pasted.upstream.branch("next", "main");
    for (directory, skills) in [
        ("plugins", &["deep", "more"][..]),
        ("plugins/p", &["deep"]),
        ("plugins/p/skills", &["deep"]),
        ("plugins/q", &["more"]),
    ] {
        let entry = json!({"ref": "next", "skillsDir": directory});
        let page = format!("https://github.com/someone/tools/tree/next/{directory}");
        pasted.adds(&[&page], GITHUB, entry.clone());
        assert_eq!(pasted.sandbox.locked_skills(), skills, "{directory}");
        let short = format!("someone/tools/{directory}");
        pasted.adds(&[&short, "--ref", "next"], GITHUB, entry);
        assert_eq!(pasted.sandbox.locked_skills(), skills, "{directory}");
    }
}

#[test]
fn skill_of_another_directory_extends_the_source() {
    let pasted = Pasted::new();
    let add = |arguments: &[&str]| pasted.sandbox.skills(["add"].iter().chain(arguments));
    pasted.add(&["someone/tools/plugins/p/skills", "--ref", "dev"]).succeeds();
    add(&["someone/tools/skills/alpha"]).succeeds();
    add(&["someone/tools/skills/beta/SKILL.md"]).succeeds();
    add(&["someone/tools/root-level"]).succeeds();
    let expected = json!({
        "type": "git",
        "url": GITHUB,
        "ref": "dev",
        "skillsDir": "plugins/p/skills",
        "include": ["deep", "skills/alpha", "skills/beta", "./root-level"],
    });
    assert_eq!(manifest(&pasted.sandbox)["skills"], json!({"tools": expected}));
    assert_eq!(pasted.sandbox.locked_skills(), ["alpha", "beta", "deep", "root-level"]);
}

#[test]
fn argument_without_a_reading_is_answered_with_the_forms() {
    let pasted = Pasted::new();
    let help = "help: pass OWNER/REPO[/DIR][@SKILL] or OWNER/REPO#REF[@SKILL] for a repository on \
                github.com, a URL of git, the page of a directory or SKILL.md on GitHub or GitLab, \
                or ./PATH\n";
    for source in [
        "",
        "tools",
        "//host/tools",
        "https://github.com/someone",
        "github:someone/tools",
        "gitlab:someone/tools",
        "gitlab:tools",
        "bitbucket:someone/tools#dev",
        "someone/tools@feature/x",
        "someone/tools@alpha#dev",
        "someone/tools/skills/alpha#dev",
        "someone/tools/../x",
        "someone//tools",
        "someone/tools@",
        "someone/tools#",
    ] {
        pasted.refuses(&[source], &[&format!("error: `{source}` is not a source\n"), help]);
    }
    assert_eq!(pasted.server.take_traffic().requests, 0);
    let what = "invalid URL `https://example.com/`: it has no path to a repository";
    pasted.refuses(&["https://example.com/"], &[what]);
    // A local server may have repositories at its root.
    pasted.add(&[&pasted.server.url("tools")]).succeeds();
}

#[test]
fn missing_directory_is_answered_with_a_command() {
    let pasted = Pasted::new();
    // The newest release does not have it, but the default branch has.
    let late = json!({"ref": "main", "include": ["late"]});
    for page in ["tree/main/skills/late", "blob/main/skills/late/SKILL.md"] {
        pasted.adds(&[&format!("https://github.com/someone/tools/{page}")], GITHUB, late.clone());
    }
    let page = "https://github.com/someone/tools/tree/gone/skills/alpha";
    let help = "the default branch is `main`; run `skills add someone/tools --list`\n";
    pasted.refuses(&[page], &[help]);
}

#[test]
fn contradicted_address_is_an_error() {
    let pasted = Pasted::new();
    // Of two names, the longer one is meant.
    pasted.upstream.tag_at("feature", "main");
    let late = json!({"ref": "feature/x", "include": ["late"]});
    let page = "https://github.com/someone/tools/tree/feature/x/skills/late";
    pasted.adds(&[page], GITHUB, late);
    for (option, value) in [("--version", "1.2.0"), ("--ref", "main")] {
        pasted.refuses(
            &["https://github.com/someone/tools/tree/dev/skills/late", option, value],
            &[
                "an option contradicts `",
                "help: run `skills add someone/tools --ref dev --include skills/late`\n",
            ],
        );
    }
    let typed = ["someone/tools/skills@late", "--ref", "dev", "--skills-dir", "x"];
    let what = "an option contradicts `someone/tools/skills@late`";
    let help = "help: run `skills add someone/tools --ref dev --include late`\n";
    pasted.refuses(&typed, &[what, help]);
}

#[test]
fn word_after_at_is_a_skill() {
    let pasted = Pasted::new();
    let alpha = json!({"version": "1.2.0", "include": ["alpha"]});
    pasted.adds(&["someone/tools@alpha"], GITHUB, alpha);
    let late = json!({"ref": "dev", "include": ["late"]});
    pasted.adds(&["someone/tools@late", "--ref", "dev"], GITHUB, late);
    for word in ["v1.2.0", "nightly"] {
        let what = format!("the source `tools` has no skill `{word}`\n");
        let help = "or run `skills add someone/tools --list`\n";
        pasted.refuses(&[&format!("someone/tools@{word}")], &[&what, help]);
    }
    pasted.refuses(&["someone/tools@alhpa"], &["no skill `alhpa`", "did you mean `alpha`?"]);
}

#[test]
fn other_page_of_a_repository_is_answered_with_its_list() {
    let pasted = Pasted::new();
    for address in [
        "archive/refs/tags/v1.2.0.tar.gz",
        "releases/tag/nightly",
        "pull/7/files",
        "tree",
        "raw/main/skills/alpha/SKILL.md",
        "blob/main/README.md",
    ] {
        let page = format!("https://github.com/someone/tools/{address}");
        let what = format!("error: `{page}` is not a source\n");
        let help = "help: run `skills add someone/tools --list`\n";
        pasted.refuses(&[&page], &[&what, help]);
    }
    for end in ["#readme", "?tab=readme-ov-file", "#dev"] {
        let page = format!("https://github.com/someone/tools{end}");
        pasted.refuses(&[&page], &["help: run `skills add someone/tools --list`\n"]);
    }
    let page = "https://gitlab.com/someone/tools/-/archive/main/tools-main.zip";
    let help = "help: run `skills add https://gitlab.com/someone/tools.git --list`\n";
    pasted.refuses(&[page], &[help]);
    assert_eq!(pasted.server.traffic().requests, 0);
}

/// The newest release and the default branch are read, to find the skill.
#[test]
fn failed_add_sends_no_other_requests() {
    let pasted = Pasted::new();
    pasted.add(&["someone/tools@alpha"]).succeeds();
    let requests = pasted.server.take_traffic().requests;
    for source in ["someone/tools@zzzzz", "someone/tools/skills/zzzzz"] {
        pasted.refuses(&[source], &["or run `skills add someone/tools --list`\n"]);
        assert!(pasted.server.take_traffic().requests <= 2 * requests, "{source}");
    }
}

/// The branches and tags that split the address also have the newest release.
#[test]
fn page_takes_no_more_requests_than_a_repository() {
    let pasted = Pasted::new();
    pasted.add(&["https://github.com/someone/tools/tree/main/skills/alpha"]).succeeds();
    let exchanges = pasted.server.exchanges();
    assert_eq!(commands(&exchanges), ["ls-refs", "fetch", "fetch"]);
    assert_eq!(exchanges[0].ref_prefixes(), ["HEAD", "refs/heads/", "refs/tags/"]);
}
