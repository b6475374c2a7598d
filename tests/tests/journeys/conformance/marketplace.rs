//! Which skills the plugins of a marketplace have.

use super::{
    Deviations, cases, differ_only_as_told,
    discover::{difference, question},
    tree::{Question, Taken, Trees},
};
use std::collections::BTreeMap;

const DEVIATIONS: Deviations = &[
    (
        &["s0530"],
        "the peer reads no plugin.json of a plugin and no `skills` that is one text, and leaves out plugins that lie \
         elsewhere",
    ),
    (
        &["s0531", "s0532"],
        "a plugin has the skills that are its own; the peer takes what lies anywhere",
    ),
    (
        &["s0533", "s0540"],
        "the peer scans the directory above every listed path, and directories that are not there",
    ),
    (
        &["s0534", "s0541", "s0548"],
        "a skill that is found without being listed is its plugin's, too",
    ),
    (
        &["s0537"],
        "the peer puts `pluginRoot` before every path, and refuses the bare names that it is for",
    ),
    (&["s0544", "s0545", "s0546"], "the neighbours of a listed skill do not come with it"),
    (&["s0553", "s0554", "s0555"], "an index that cannot be read is an error"),
];

/// A plugin, and the directories of its skills or what is said instead.
type Plugin = (&'static str, Result<&'static [&'static str], &'static str>);

/// What we take of the plugins of a tree.
const OURS: &[(&str, &[Plugin])] = &[
    (
        "G",
        &[
            ("esc", Err("`source` `./../..` is refused")),
            ("gone", Err("`plugins/gone`, but there is no such directory")),
            ("nosource", Err("a plugin needs the key `source`")),
            ("p1", Ok(&["plugins/p1/custom/p1-c", "plugins/p1/skills/p1-s"])),
            ("p2", Ok(&["plugins/p2/custom/p2-c", "plugins/p2/skills/p2-s"])),
            ("p3", Err("`source` `plugins/p3` does not start with `./`")),
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

#[test]
fn conformance_of_marketplaces_with_peers() {
    let cases = cases("marketplace");
    let mut trees = Trees::of(&cases);
    let mut differ = BTreeMap::new();
    for case in &cases {
        // A root is only ever given to peers that know no marketplaces.
        let question =
            if case.input("root").is_some() { question(case) } else { Question::Plugins };
        let ours = trees.answer(case.input("tree").expect("a tree"), &question);
        differ.extend(difference(case, &ours).map(|difference| (case.id.clone(), difference)));
    }
    for (tree, plugins) in OURS {
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
    differ_only_as_told(&differ, DEVIATIONS);
}
