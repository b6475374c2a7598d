//! Conformance cases: what other systems recognize as a skill in a directory.

use crate::folder::Folder;
use helix_skills_conformance::{Case, Deviation, Report, Value, cases};
use helix_skills_host::Directories;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(&["s0495", "s0496"], "a `skill.md` in lower case is taken, with a finding"),
    Deviation::new(
        &["s0499", "s0505", "s0513"],
        "skills are exactly one level below a root, also if the peer descends further; add a deeper directory as another root",
    ),
    Deviation::new(
        &["s0509", "s0525", "s0529"],
        "a second skill of the same name is a problem that names both",
    ),
    Deviation::new(
        &["s0510", "s0526"],
        "a name that is not the directory's is a finding; the peer stops at the first one",
    ),
    Deviation::new(
        &["s0517"],
        "one unquoted colon is accepted, and a missing name is the directory's; both are findings, and the peer skips the skill",
    ),
    Deviation::new(&["s0518"], "a broken skill affects no other; the peer stops at the first one"),
    Deviation::new(
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

/// Returns the names in the cases, by tree and directory.
fn names(cases: &[Case]) -> BTreeMap<(&str, &str), &str> {
    let pairs = cases.iter().flat_map(|case| {
        let skills = case.expected.as_array().into_iter().flatten();
        skills.map(|skill| (case.text("tree").unwrap(), &skill["dir"], &skill["name"]))
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

/// Returns the recorded result and ours, in the same form.
fn results(case: &Case, folder: &Folder) -> (BTreeSet<String>, BTreeSet<String>) {
    let root = case.text("root").unwrap();
    let root = if root == "<category>" || root == "." { "" } else { root };
    // The root is opened by its path, as by the peer, so that links in the path are followed.
    let found = Directories::new().root(folder.path(root)).discover().unwrap();
    let directory = |path: &Path| {
        let inside = path.strip_prefix(folder.path("")).unwrap();
        inside.to_str().unwrap().trim_start_matches("./").to_owned()
    };
    let expected = &case.expected;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    match &*case.peer {
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
            let skills = expected.as_array().unwrap().iter();
            let skills = skills.filter(|skill| skill["name"].is_string());
            let pair = |name: &str, directory: &str| format!("{name} in {directory}");
            (
                skills.map(|skill| pair(&text(&skill["name"]), &text(&skill["dir"]))).collect(),
                found.iter().map(|skill| pair(skill.name(), &directory(skill.path()))).collect(),
            )
        }
    }
}

#[test]
fn conformance_of_directories_with_peers() {
    let cases = cases!("discover");
    let names = names(&cases.all);
    let mut report = Report::new(&cases, DEVIATIONS).about("directories");
    report.each(&cases, |report, case| {
        if case.text("root").is_none() || !PEERS.contains(&&*case.peer) {
            report.skip("the peer searches a repository");
            return;
        }
        let (theirs, ours) = results(case, &tree(&case.input, &names));
        report.compare_with(case, &Value::from_iter(theirs), Value::from_iter(ours));
    });
    report.finish();
}
