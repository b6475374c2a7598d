//! Conformance cases: what other systems recognize as a skill in a directory. `HELIX_CONFORMANCE`
//! names another file of cases.

use crate::folder::Folder;
use helix_skills_host::Directories;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Cases with intended differences, and the reasons.
const DEVIATIONS: &[(&[&str], &str)] = &[
    (&["s0495", "s0496"], "a `skill.md` in lower case is taken, with a finding"),
    (
        &["s0499", "s0505", "s0513"],
        "skills are exactly one level below a root, also if the peer descends further; add a deeper directory as another root",
    ),
    (&["s0509", "s0525", "s0529"], "a second skill of the same name is a problem that names both"),
    (
        &["s0510", "s0526"],
        "a name that is not the directory's is a finding; the peer stops at the first one",
    ),
    (
        &["s0517"],
        "one unquoted colon is accepted, and a missing name is the directory's; both are findings, and the peer skips the skill",
    ),
    (&["s0518"], "a broken skill affects no other; the peer stops at the first one"),
    (
        &["s0521"],
        "an unreadable skill is reported and left out at once; the peer fails when it parses it",
    ),
];

/// Texts that the cases do not contain. Those of tree E have the mistake that their directory is
/// named after.
const TEXTS: &[(&str, &str)] = &[
    ("skills/badyaml/SKILL.md", "---\nname: badyaml\ndescription: a: b\n---\n\n# Bad\n"),
    ("skills/empty/SKILL.md", "---\nname: empty\ndescription: Has no body.\n---\n"),
    (
        "skills/internal/SKILL.md",
        "---\nname: internal\ndescription: Is hidden.\nmetadata:\n  internal: true\n---\n\n# Internal\n",
    ),
    ("skills/nodesc/SKILL.md", "---\nname: nodesc\n---\n\n# No description\n"),
    ("skills/noname/SKILL.md", "---\ndescription: Has no name.\n---\n\n# No name\n"),
];

/// Peers that read a directory; the others search a repository.
const PEERS: [&str; 3] = ["deepagents", "agentick", "deer-flow"];

/// Returns the cases of an area.
pub(crate) fn cases_of(area: &str) -> Vec<Value> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/conformance/cases.json");
    let path =
        std::env::var_os("HELIX_CONFORMANCE").map_or_else(|| PathBuf::from(default), PathBuf::from);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("failed to read {}: {why}", path.display()));
    let document: Value = serde_json::from_str(&text).unwrap();
    let all = document["cases"].as_array().unwrap().iter().filter(|case| case["area"] == area);
    all.cloned().collect()
}

/// Returns the names in the cases, by tree and directory.
fn names(cases: &[Value]) -> BTreeMap<(&str, &str), &str> {
    let pairs = cases.iter().flat_map(|case| {
        let skills = case["expected"].as_array().into_iter().flatten();
        skills.map(|skill| (case["input"]["tree"].as_str().unwrap(), &skill["dir"], &skill["name"]))
    });
    pairs
        .filter_map(|(tree, directory, name)| Some(((tree, directory.as_str()?), name.as_str()?)))
        .collect()
}

fn tree(input: &Value, names: &BTreeMap<(&str, &str), &str>) -> Folder {
    let folder = Folder::new();
    for file in input["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()) {
        if let Some((path, target)) = file.split_once(" -> ") {
            folder.link(path, target);
            continue;
        }
        let known = TEXTS.iter().find(|(of, _)| *of == file).map(|(_, text)| (*text).to_owned());
        let directory = file.strip_suffix("/SKILL.md").or_else(|| file.strip_suffix("/skill.md"));
        let text = known.or_else(|| {
            let last = directory?.rsplit('/').next()?;
            let name = names.get(&(input["tree"].as_str()?, directory?)).copied().unwrap_or(last);
            Some(format!("---\nname: {name}\ndescription: Works with {name}. Use when compared.\n---\n\n# {name}\n"))
        });
        folder.write(file, text.unwrap_or_else(|| "text\n".to_owned()));
    }
    folder
}

/// Returns how our result differs from the recorded one of the peer.
fn difference(case: &Value, folder: &Folder) -> Option<String> {
    let peer = case["peer"].as_str().unwrap().split(' ').next().unwrap();
    let root = case["input"]["root"].as_str().unwrap();
    let root = if root == "<category>" || root == "." { "" } else { root };
    // The root is opened by its path, as by the peer, so that links in the path are followed.
    let found = Directories::new().root(folder.path(root)).discover().unwrap();
    let directory = |path: &std::path::Path| {
        path.strip_prefix(folder.path(""))
            .unwrap()
            .to_str()
            .unwrap()
            .trim_start_matches("./")
            .to_owned()
    };
    let expected = &case["expected"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (theirs, ours): (BTreeSet<String>, BTreeSet<String>) = match peer {
        "agentick" => {
            let mut theirs: BTreeSet<_> =
                expected["loaded"].as_array().unwrap().iter().map(text).collect();
            theirs.extend(expected["threw"].as_str().map(|_| "(gave up)".to_owned()));
            (theirs, found.iter().map(|skill| skill.name().to_owned()).collect())
        }
        "deer-flow" => (
            expected.as_array().unwrap().iter().map(text).collect(),
            found.iter().map(|skill| directory(skill.path())).collect(),
        ),
        _ => {
            let skills =
                expected.as_array().unwrap().iter().filter(|skill| skill["name"].is_string());
            (
                skills
                    .map(|skill| format!("{} in {}", text(&skill["name"]), text(&skill["dir"])))
                    .collect(),
                found
                    .iter()
                    .map(|skill| format!("{} in {}", skill.name(), directory(skill.path())))
                    .collect(),
            )
        }
    };
    (theirs != ours).then(|| {
        format!(
            "{peer} in `{root}`\n  theirs {theirs:?}\n  ours {ours:?} {:?}",
            folder.problems(&found)
        )
    })
}

#[test]
fn conformance_of_directories_with_peers() {
    let cases = cases_of("discover");
    let names = names(&cases);
    let mut differ = BTreeMap::new();
    let mut compared = 0;
    for case in &cases {
        let peer = case["peer"].as_str().unwrap();
        if case["input"]["root"].is_string() && PEERS.iter().any(|name| peer.starts_with(name)) {
            compared += 1;
            let folder = tree(&case["input"], &names);
            differ.extend(
                difference(case, &folder)
                    .map(|difference| (case["id"].as_str().unwrap(), difference)),
            );
        }
    }
    assert!(compared > 20, "{compared} cases");
    let reasons: BTreeSet<&str> = DEVIATIONS.iter().flat_map(|(ids, _)| *ids).copied().collect();
    let unexpected: Vec<_> = differ.iter().filter(|(id, _)| !reasons.contains(*id)).collect();
    assert!(unexpected.is_empty(), "these differ without a reason in the table:\n{unexpected:#?}");
    let equal: Vec<_> = reasons.iter().filter(|id| !differ.contains_key(**id)).collect();
    assert!(equal.is_empty(), "these no longer differ, remove them from the table: {equal:?}");
}
