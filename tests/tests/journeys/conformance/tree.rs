//! The recorded repositories. The cases have the names of their files, and of their texts only the
//! names of skills.

use helix_skills_conformance::Case;
use helix_skills_tests::{Change, Sandbox, Upstream, skill_md};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Texts that the cases do not have: in the tree E, the mistakes that the directories are named
/// after; in the tree G, a plugin that lists a skill its entry does not.
const TEXTS: &[(&str, &str)] = &[
    ("skills/badyaml/SKILL.md", "---\nname: badyaml\ndescription: a: b\n---\n\n# Bad\n"),
    ("skills/empty/SKILL.md", "---\nname: empty\ndescription: Has no body.\n---\n"),
    (
        "skills/internal/SKILL.md",
        "---\nname: internal\ndescription: Is hidden.\nmetadata:\n  internal: true\n---\n\n# Internal\n",
    ),
    ("skills/nodesc/SKILL.md", "---\nname: nodesc\n---\n\n# No description\n"),
    ("skills/noname/SKILL.md", "---\ndescription: Has no name.\n---\n\n# No name\n"),
    ("plugins/p1/.claude-plugin/plugin.json", r#"{"name": "p1", "skills": ["./custom/p1-c"]}"#),
];

/// A question of a case about a tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    /// The skills of a `git` source with these additional keys.
    Repository(String),
    /// The skills of all plugins of the marketplace.
    Plugins,
}

/// The skills taken: names by directory, with the plugin if there is one; and error messages by
/// question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) skills: BTreeMap<String, String>,
    pub(super) plugins: BTreeMap<String, String>,
    pub(super) refused: BTreeMap<String, String>,
}

/// The repositories of the cases in a sandbox, and cached answers.
pub(super) struct Trees {
    sandbox: Sandbox,
    server: helix_skills_tests::GitServer,
    texts: BTreeMap<String, Value>,
    answers: BTreeMap<(String, Question), Taken>,
}

impl Trees {
    pub(super) fn new(cases: &[Case]) -> Self {
        let sandbox = Sandbox::new();
        let mut inputs: BTreeMap<String, Value> = BTreeMap::new();
        let mut names: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for case in cases {
            let tree = case.text("tree").expect("a tree").to_owned();
            for skill in case.expected.as_array().into_iter().flatten() {
                if let (Some(name), Some(directory)) =
                    (skill["name"].as_str(), skill["dir"].as_str())
                {
                    names
                        .entry(tree.clone())
                        .or_default()
                        .insert(directory.to_owned(), name.to_owned());
                }
            }
            inputs.entry(tree).or_insert_with(|| case.input.clone());
        }
        for (tree, input) in &inputs {
            let names = names.remove(tree).unwrap_or_default();
            let upstream = sandbox.upstream(tree);
            upstream.commit(change(input, &names, ""));
            commit_as_plugin(&upstream, input, &names);
        }
        // A third-party plugin, as an entry of the tree G names it.
        let other = Upstream::create(&sandbox.path("upstream/o-r.git"));
        other.commit(Change::new().skill("elsewhere"));
        let server = sandbox.serve();
        let rule =
            format!("[url \"{}\"]\n\tinsteadOf = https://github.com/o/r.git\n", server.url("o-r"));
        sandbox.write("home/.gitconfig", rule);
        Self { sandbox, server, texts: inputs, answers: BTreeMap::new() }
    }

    /// Returns the skills that the program takes from a tree.
    pub(super) fn answer(&mut self, tree: &str, question: &Question) -> Taken {
        if let Some(known) = self.answers.get(&(tree.to_owned(), question.clone())) {
            return known.clone();
        }
        let url = self.server.url(tree);
        let mut taken = Taken::default();
        match question {
            Question::Repository(keys) => {
                let mut source: Value = serde_json::from_str(keys).unwrap();
                source["type"] = json!("git");
                source["url"] = json!(url);
                self.sync("it", "", source, &mut taken);
            }
            Question::Plugins => {
                let (branch, inside) =
                    if has_index(&self.texts[tree]) { ("main", "") } else { (MARKETPLACE, "k/") };
                for plugin in plugins(&self.texts[tree]) {
                    let source = json!({"type": "claude-marketplace", "url": url, "ref": branch, "plugin": plugin});
                    self.sync(&plugin, inside, source, &mut taken);
                }
            }
        }
        self.answers.insert((tree.to_owned(), question.clone()), taken.clone());
        taken
    }

    fn sync(&self, label: &str, inside: &str, source: Value, taken: &mut Taken) {
        self.sandbox.forget();
        let is_plugin = source["plugin"].is_string();
        self.sandbox.sources(&json!({"it": source}));
        let run = self.sandbox.skills(["sync"]);
        if run.code != Some(0) {
            let run = run.fails();
            assert!(
                !self.sandbox.exists("project/helix.skills.lock"),
                "a failed sync left a lockfile\n{run}"
            );
            taken.refused.insert(label.to_owned(), run.stderr);
            return;
        }
        for (name, skill) in self.sandbox.lock_json()["skills"].as_object().expect("an object") {
            let path = skill["path"].as_str().expect("a path");
            let path = path.strip_prefix(inside).unwrap_or(path).to_owned();
            if is_plugin {
                taken.plugins.insert(path.clone(), label.to_owned());
            }
            taken.skills.insert(path, name.clone());
        }
    }
}

/// The branch in which a tree without a marketplace is the plugin `k` of one.
const MARKETPLACE: &str = "marketplace";

fn has_index(input: &Value) -> bool {
    input[".claude-plugin/marketplace.json"].is_string()
}

fn commit_as_plugin(upstream: &Upstream, input: &Value, names: &BTreeMap<String, String>) {
    if !has_index(input) {
        let index = r#"{"name": "m", "plugins": [{"name": "k", "source": "./k"}]}"#;
        let change = change(input, names, "k/").text(".claude-plugin/marketplace.json", index);
        upstream.commit_to(MARKETPLACE, change);
    }
}

/// Returns the plugins that a tree's marketplace lists.
fn plugins(input: &Value) -> BTreeSet<String> {
    let Some(text) = input[".claude-plugin/marketplace.json"].as_str() else {
        return ["k".to_owned()].into();
    };
    // An index that cannot be parsed fails for every plugin.
    let Ok(index) = serde_json::from_str::<Value>(text) else { return ["any".to_owned()].into() };
    let plugins = index["plugins"].as_array().expect("a list of plugins").iter();
    plugins.map(|plugin| plugin["name"].as_str().expect("a name").to_owned()).collect()
}

fn change(input: &Value, names: &BTreeMap<String, String>, inside: &str) -> Change {
    let files = input["files"]
        .as_array()
        .expect("a list of files")
        .iter()
        .map(|file| file.as_str().expect("a path"));
    files.fold(Change::new(), |change, file| {
        if let Some((path, target)) = file.split_once(" -> ") {
            return change.link(&format!("{inside}{path}"), target);
        }
        let path = format!("{inside}{file}");
        let known = TEXTS.iter().find(|(of, _)| *of == file).map(|(_, text)| *text);
        if let Some(text) = input[file].as_str().or(known) {
            return change.text(&path, text);
        }
        let directory = file.strip_suffix("/SKILL.md").or_else(|| file.strip_suffix("/skill.md"));
        let Some(directory) = directory else { return change.text(&path, "text\n") };
        let last = directory.rsplit('/').next().unwrap_or(directory);
        let name = names.get(directory).map_or(last, String::as_str);
        change.text(&path, &skill_md(name))
    })
}
