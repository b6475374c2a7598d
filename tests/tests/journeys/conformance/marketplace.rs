//! The skills of the plugins of a marketplace.

use super::{
    discover::{compare, question},
    tree::{Question, Taken, Trees},
};
use helix_skills_conformance::{Deviation, Report, cases};
use std::collections::BTreeMap;

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(
        &["s0530"],
        "the peer ignores plugin.json, a `skills` key that is a string, and plugins in other repositories",
    ),
    Deviation::new(
        &["s0531", "s0532"],
        "a plugin has only its own skills; the peer takes skills from anywhere",
    ),
    Deviation::new(
        &["s0533", "s0540"],
        "the peer scans the parent directory of every listed path, and missing directories",
    ),
    Deviation::new(
        &["s0534", "s0541", "s0548"],
        "unlisted skills of a plugin belong to it as well",
    ),
    Deviation::new(
        &["s0537"],
        "the peer prepends `pluginRoot` to every path, and rejects the bare names it is meant for",
    ),
    Deviation::new(&["s0544", "s0545", "s0546"], "neighbors of a listed skill are not included"),
    Deviation::new(
        &["s0535", "s0536", "s0542", "s0543", "s0551", "s0552", "s0558", "s0559"],
        "skills are found at any depth below `skillsDir`; the peers search one level",
    ),
    Deviation::new(&["s0553", "s0554", "s0555"], "an unreadable index is an error"),
];

/// A plugin, and the directories of its skills or the error message.
type Plugin = (&'static str, Result<&'static [&'static str], &'static str>);

/// The skills that this project takes from the plugins of a tree.
const TAKEN: &[(&str, &[Plugin])] = &[
    (
        "G",
        &[
            ("esc", Err("`source` `./../..` is refused")),
            ("gone", Err("`plugins/gone`, but there is no such directory")),
            ("nosource", Err("a plugin needs the key `source`")),
            ("p1", Ok(&["plugins/p1/custom/p1-c", "plugins/p1/skills/p1-s"])),
            ("p2", Ok(&["plugins/p2/custom/p2-c", "plugins/p2/skills/p2-s"])),
            ("p3", Ok(&["plugins/p3/skills/p3-s"])),
            ("p4", Ok(&["skills/elsewhere"])),
            ("p5", Ok(&["plugins/p5/custom/p5-c", "plugins/p5/skills/p5-s"])),
            ("rootonly", Ok(&["rootonly"])),
        ],
    ),
    (
        "H",
        &[
            ("q1", Ok(&["plugins/q1/skills/q1-s"])),
            ("q2", Ok(&["plugins/q2/skills/q2-s"])),
            ("q3", Ok(&["plugins/q3/skills/q3-s"])),
        ],
    ),
    ("K", &[("k", Ok(&["extra/one", "skills/three"]))]),
    ("L", &[("any", Err(".claude-plugin/marketplace.json:1:3: "))]),
];

/// Checks what this project takes from the plugins of the recorded trees.
fn check_taken(trees: &mut Trees) {
    for (tree, plugins) in TAKEN {
        let Taken { plugins: found, refused, .. } = trees.answer(tree, &Question::Plugins);
        let mut expected = BTreeMap::new();
        for (plugin, outcome) in *plugins {
            match outcome {
                Ok(paths) => expected
                    .extend(paths.iter().map(|path| ((*path).to_owned(), (*plugin).to_owned()))),
                Err(says) => {
                    let said = refused.get(*plugin).map_or("nothing", String::as_str);
                    assert!(said.contains(says), "{tree}, {plugin}: expected `{says}`: {said}");
                }
            }
        }
        assert_eq!(found, expected, "{tree}: {refused:#?}");
    }
}

#[test]
fn conformance_of_marketplaces_with_peers() {
    let cases = cases!("marketplace");
    let mut trees = Trees::new(&cases.all);
    let mut report = Report::new(&cases, DEVIATIONS);
    report.each(&cases, |report, case| {
        // Only peers without marketplaces are given a root.
        let question = if case.text("root").is_some() { question(case) } else { Question::Plugins };
        let ours = trees.answer(case.text("tree").expect("a tree"), &question);
        compare(report, case, &ours);
    });
    if cases.is_usual {
        check_taken(&mut trees);
    }
    report.finish();
}
