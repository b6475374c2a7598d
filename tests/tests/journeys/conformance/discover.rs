//! The directories of a repository that are discovered as skills.

use super::tree::{Question, Taken, Trees};
use helix_skills_conformance::{Case, Deviation, Report, Value, cases, json};
use std::collections::BTreeSet;

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(
        &["s0492", "s0493", "s0494", "s0499"],
        "only `skills` is searched if it has skills; the peers search the whole repository and find copies and parts of skills",
    ),
    Deviation::new(
        &["s0495", "s0496", "s0497", "s0498", "s0503", "s0504", "s0519", "s0520"],
        "skills are found at any depth; the peers search one level",
    ),
    Deviation::new(&["s0505"], "a directory named `build` is not searched"),
    Deviation::new(
        &["s0506", "s0507", "s0508", "s0509", "s0513", "s0522", "s0523", "s0524", "s0525", "s0529"],
        "two skills with the same name are an error; the peers keep both or the first",
    ),
    Deviation::new(
        &["s0514", "s0515", "s0516", "s0517", "s0518"],
        "skills without a name, a description or quotes are taken with a warning; the peers skip them, or fail",
    ),
];

/// The skills that this project takes, by tree and additional keys, including after applying the
/// hints of an error.
const TAKEN: &[TakenSkills] = &[
    TakenSkills {
        tree: "A",
        keys: "{}",
        taken: &[
            ("skills/.hidden/iota", "iota"),
            ("skills/alpha", "alpha"),
            ("skills/g1/g2/g3/delta", "delta"),
            ("skills/g1/g2/gamma", "gamma"),
            ("skills/group/beta", "beta"),
            ("skills/lower", "lower"),
        ],
        refused: "",
    },
    TakenSkills {
        tree: "A",
        keys: r#"{"skillsDir": "."}"#,
        taken: &[
            ("a/b/c/mu", "mu"),
            ("docs/zeta", "zeta"),
            ("eta", "eta"),
            ("skills/alpha", "alpha"),
            ("skills/g1/g2/g3/delta", "delta"),
            ("skills/g1/g2/gamma", "gamma"),
            ("skills/group/beta", "beta"),
            ("skills/lower", "lower"),
        ],
        refused: "",
    },
    TakenSkills {
        tree: "A",
        keys: r#"{"skillsDir": "skills/group"}"#,
        taken: &[("skills/group/beta", "beta")],
        refused: "",
    },
    TakenSkills { tree: "C", keys: "{}", taken: &[("docs/a/b/c", "deep4")], refused: "" },
    TakenSkills {
        tree: "C",
        keys: r#"{"skillsDir": "docs"}"#,
        taken: &[("docs/a/b/c", "deep4")],
        refused: "",
    },
    TakenSkills {
        tree: "D",
        keys: "{}",
        taken: &[],
        refused: "2 skills have the name `plain`: it: skills/filelink, it: skills/plain",
    },
    TakenSkills {
        tree: "D",
        keys: r#"{"rename": {"filelink": "linked"}}"#,
        taken: &[("skills/filelink", "linked"), ("skills/link", "real"), ("skills/plain", "plain")],
        refused: "",
    },
    TakenSkills {
        tree: "E",
        keys: "{}",
        taken: &[
            ("skills/badyaml", "badyaml"),
            ("skills/empty", "empty"),
            ("skills/good", "good"),
            ("skills/internal", "internal"),
            ("skills/mismatch", "other-name"),
            ("skills/nodesc", "nodesc"),
            ("skills/noname", "noname"),
            ("skills/upper", "Upper"),
        ],
        refused: "",
    },
    TakenSkills {
        tree: "F",
        keys: "{}",
        taken: &[],
        refused: "2 skills have the name `dup`: it: skills/one, it: skills/two",
    },
    TakenSkills {
        tree: "F",
        keys: r#"{"include": ["two"]}"#,
        taken: &[("skills/two", "dup")],
        refused: "",
    },
];

/// The directories and names that a `git` source takes from a tree, or the error message.
struct TakenSkills {
    tree: &'static str,
    keys: &'static str,
    taken: &'static [(&'static str, &'static str)],
    refused: &'static str,
}

impl TakenSkills {
    #[track_caller]
    fn check(&self, trees: &mut Trees) {
        let Taken { skills, refused, .. } =
            trees.answer(self.tree, &Question::Repository(self.keys.to_owned()));
        let expected = self
            .taken
            .iter()
            .map(|(directory, name)| ((*directory).to_owned(), (*name).to_owned()));
        assert_eq!(skills, expected.collect(), "{} {}: {refused:#?}", self.tree, self.keys);
        assert_eq!(
            refused.is_empty(),
            self.refused.is_empty(),
            "{} {}: {refused:#?}",
            self.tree,
            self.keys
        );
        for said in refused.values() {
            assert!(said.contains(self.refused), "expected `{}`: {said}", self.refused);
        }
    }
}

/// Compares what the program takes with the recorded result of the peer.
pub(super) fn compare(report: &mut Report, case: &Case, ours: &Taken) {
    let skill = |(directory, name): (&String, &String)| format!("{name} in {directory}");
    let list = || case.expected.as_array().expect("a list").iter();
    let (peers, found): (BTreeSet<String>, BTreeSet<String>) =
        match (&*case.peer, case.text("function")) {
            ("agentick", _) => {
                let loaded = case.expected["loaded"].as_array().expect("a list of names").iter();
                let mut peers: BTreeSet<_> = loaded.map(text).collect();
                let mut found: BTreeSet<_> = ours.skills.values().cloned().collect();
                if case.expected["threw"].is_string() {
                    peers.insert("(refused)".to_owned());
                    found.extend(ours.refused.keys().map(|_| "(refused)".to_owned()));
                }
                (peers, found)
            }
            ("deer-flow", _) => (list().map(text).collect(), ours.skills.keys().cloned().collect()),
            (_, Some("getPluginSkillPaths")) => {
                let parent = |path: &String| {
                    path.rsplit_once('/').map_or(".", |(above, _)| above).to_owned()
                };
                (list().map(text).collect(), ours.skills.keys().map(parent).collect())
            }
            (_, Some("getPluginGroupings")) => {
                let peers = list().map(|pair| format!("{} of {}", text(&pair[0]), text(&pair[1])));
                (
                    peers.collect(),
                    ours.plugins
                        .iter()
                        .map(|(path, plugin)| format!("{path} of {plugin}"))
                        .collect(),
                )
            }
            _ => {
                let peers = list().filter(|skill| skill["name"].is_string());
                let peers = peers
                    .map(|skill| format!("{} in {}", text(&skill["name"]), text(&skill["dir"])));
                (peers.collect(), ours.skills.iter().map(skill).collect())
            }
        };
    report.compare_with(case, &Value::from_iter(peers), Value::from_iter(found));
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned()
}

/// A root given to a peer corresponds to `skillsDir`; without one, both search.
pub(super) fn question(case: &Case) -> Question {
    Question::Repository(match case.text("root") {
        Some(root) if !root.starts_with('<') => json!({"skillsDir": root}).to_string(),
        _ => "{}".to_owned(),
    })
}

#[test]
fn conformance_of_discovery_with_peers() {
    let cases = cases!("discover");
    let mut trees = Trees::new(&cases.all);
    let mut report = Report::new(&cases, DEVIATIONS);
    report.each(&cases, |report, case| {
        let ours = trees.answer(case.text("tree").expect("a tree"), &question(case));
        compare(report, case, &ours);
    });
    if cases.is_usual {
        for ours in TAKEN {
            ours.check(&mut trees);
        }
    }
    report.finish();
}
