//! Real marketplaces, from mirrors on loopback. To run the tests:
//!
//! `HELIX_MIRRORS=DIR cargo test -p helix-skills-tests --test journeys -- --ignored mirrors`
//!
//! `DIR` contains bare repositories as `OWNER/NAME.git`.

use crate::hyperframes::{git, report};
use helix_skills_project::__internal::marketplace::{Marketplace, PluginSource};
use helix_skills_tests::{Behavior, GitServer, Sandbox, Traffic, markdown::blocks_of};
use serde_json::json;
use std::path::PathBuf;

/// Environment variable with the directory of the mirrors.
const MIRRORS: &str = "HELIX_MIRRORS";

/// Plugin, repository of its marketplace, number of skills, and number of requests: without a
/// lockfile, and with one and an empty cache. A plugin in another repository takes more requests.
const PLUGINS: [(&str, &str, usize, u64, u64); 8] = [
    ("document-skills", "anthropics/skills", 4, 4, 2),
    ("example-skills", "anthropics/skills", 12, 4, 2),
    ("claude-api", "anthropics/skills", 1, 4, 2),
    ("core-skills", "heygen-com/hyperframes", 9, 4, 2),
    ("hyperframes", "heygen-com/hyperframes", 20, 4, 2),
    ("superpowers", "obra/superpowers", 14, 4, 2),
    ("skill-creator", "anthropics/claude-plugins-official", 1, 4, 2),
    ("hyperframes", "anthropics/claude-plugins-official", 20, 5, 4),
];

fn mirrors() -> PathBuf {
    PathBuf::from(std::env::var_os(MIRRORS).expect(MIRRORS))
}

#[test]
#[ignore = "requires mirrors of marketplaces in HELIX_MIRRORS"]
fn mirrors_have_the_expected_skills_and_requests() {
    let server = GitServer::start(&mirrors(), Behavior::default());
    for (plugin, repository, skills, cold, locked) in PLUGINS {
        let sandbox = Sandbox::new();
        let rules = format!("[url \"{}/\"]\n\tinsteadOf = https://github.com/\n", server.base());
        sandbox.write("home/.gitconfig", rules);
        let url = format!("https://github.com/{repository}.git");
        sandbox
            .sources(&json!({"key": {"type": "claude-marketplace", "url": url, "plugin": plugin}}));
        sandbox.skills(["sync"]).succeeds();
        let traffic = server.take_traffic();
        report(&format!("{repository} {plugin}, {skills} skills"), traffic);
        assert_eq!(sandbox.locked_skills().len(), skills, "{plugin}");
        assert_eq!(traffic.requests, cold, "{plugin}");
        sandbox.skills(["sync", "--check", "--store"]).succeeds();

        let lock = sandbox.lock();
        sandbox.remove_store();
        sandbox.remove_cache();
        sandbox.skills(["sync"]).succeeds();
        let traffic = server.take_traffic();
        report("  with the lock and an empty cache", traffic);
        assert_eq!((sandbox.lock(), traffic.requests), (lock, locked), "{plugin}");

        sandbox.skills(["sync"]).succeeds();
        assert_eq!(server.take_traffic(), Traffic::default());
        sandbox.skills(["outdated"]).succeeds();
        report("  outdated", server.take_traffic());
    }
}

#[test]
#[ignore = "requires mirrors of marketplaces in HELIX_MIRRORS"]
fn mirrors_official_marketplace_parses_completely() {
    let mirror = mirrors().join("anthropics/claude-plugins-official.git");
    let text = git(&mirror, &["show", "HEAD:.claude-plugin/marketplace.json"]);
    let marketplace =
        Marketplace::parse(std::str::from_utf8(&text).expect("UTF-8")).expect("a marketplace");
    let (mut relative, mut whole, mut inside) = (0, 0, 0);
    for name in marketplace.names() {
        match marketplace.plugin(name).unwrap_or_else(|why| panic!("{name}: {why}")).source {
            PluginSource::Relative { .. } => relative += 1,
            PluginSource::Git { path, .. } if path.is_root() => whole += 1,
            PluginSource::Git { .. } => inside += 1,
            other => panic!("{name}: {other:?}"),
        }
    }
    // Four of the 150 entries of type `url` have a path, like the 83 of type `git-subdir`.
    assert_eq!((marketplace.names().len(), relative, whole, inside), (286, 53, 146, 87));
    assert_eq!(marketplace.findings(), []);
}

/// The page is for readers who cannot check it: a real update, with the real ids.
#[test]
#[ignore = "requires mirrors of marketplaces in HELIX_MIRRORS"]
fn mirrors_have_the_update_of_the_page_on_approvals() {
    let page = include_str!("../../../docs/src/how-to/approve.md");
    let server = GitServer::start(&mirrors(), Behavior::default());
    let sandbox = Sandbox::new();
    let rules = format!("[url \"{}/\"]\n\tinsteadOf = https://github.com/\n", server.base());
    sandbox.write("home/.gitconfig", rules);
    let skill = "systematic-debugging";
    let add = ["add", "obra/superpowers", "--version"];
    sandbox.skills(add.into_iter().chain(["6.1.1", "--include", skill])).succeeds();
    sandbox.write("project/old.lock", sandbox.lock());
    sandbox.skills(add.into_iter().chain(["6.2.0"])).succeeds();
    let run = sandbox.skills(["diff", "old.lock"]).succeeds();
    let [_, body, script] = &blocks_of(page, "diff").collect::<Vec<_>>()[..] else {
        panic!("expected three differences")
    };
    assert!(run.stdout.ends_with(&format!("{body}{script}")), "{}", run.stdout);
    let source = run.stdout.lines().next().unwrap();
    let commits: Vec<_> = source.split(' ').filter(|word| word.len() > 39).collect();
    assert_eq!(commits.len(), 2, "{source}");
    for commit in commits {
        assert!(page.contains(commit.trim_end_matches(';')), "{commit}");
    }
    let license = git(&mirrors().join("obra/superpowers.git"), &["show", "v6.2.0:LICENSE"]);
    let license = String::from_utf8(license).unwrap();
    assert!(license.starts_with("MIT License\n\nCopyright (c) 2025 Jesse Vincent\n"), "{license}");
}
