//! `skills search`: skills that match a task.

use helix_skills_project::Project;
use helix_skills_runtime::{Call, IndexOptions, SearchMode, SkillSet, Toolbox};
use helix_skills_tests::{Run, Sandbox};
use serde_json::json;

/// The ten skills of the recorded searches.
const SKILLS: [(&str, &str); 10] = [
    ("deploy-helper", "Assists with deployment workflows and CI/CD pipelines"),
    ("docker-expert", "Docker containerization and multi-stage builds"),
    ("api-route", "Create or extend Hono backend API routes"),
    ("react-email", "Creating HTML email templates with React components"),
    ("sql-optimization", "SQL query optimization and indexing strategies"),
    ("seo-audit", "Audit and diagnose SEO issues on websites"),
    ("pricing-strategy", "Help with pricing decisions and monetization"),
    ("commit", "Write conventional commit messages"),
    ("brainstorming", "Help turn ideas into designs through dialogue"),
    ("code-review", "Review code for bugs and quality issues"),
];

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, description) in SKILLS {
        let text =
            format!("---\nname: {name}\ndescription: {description}\n---\nA kubernetes cluster.\n");
        sandbox.write(format!("project/own/{name}/SKILL.md"), text);
    }
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

/// Runs the command and checks that it writes nothing.
#[track_caller]
fn search<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Run {
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(["search"].into_iter().chain(arguments));
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    run
}

/// Returns the names of the results of a search.
fn names(sandbox: &Sandbox, arguments: &[&str]) -> Vec<String> {
    let run = search(sandbox, ["--json"].into_iter().chain(arguments.iter().copied()));
    let document = run.succeeds().json();
    let found = document["skills"].as_array().unwrap().iter();
    found.map(|skill| skill["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn results_are_a_table_of_scores_and_descriptions() {
    let sandbox = project();
    let run = search(&sandbox, ["deploy my docker container"]).succeeds();
    let rows = [
        "skill          score  description",
        "docker-expert  5.02   Docker containerization and multi-stage builds",
        "deploy-helper  3.48   Assists with deployment workflows and CI/CD pipelines",
    ];
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), rows);
    assert!(run.stderr.is_empty(), "{run}");
    // Quotes are optional, and no other argument is needed.
    assert_eq!(
        search(&sandbox, ["deploy", "my", "docker", "container"]).succeeds().stdout,
        run.stdout
    );
    let document = search(&sandbox, ["--json", "deploy my docker container"]).succeeds().json();
    assert_eq!(document["query"], "deploy my docker container");
    let found = document["skills"].as_array().unwrap();
    assert!(found.iter().all(|skill| skill["score"].is_f64()), "{document}");
    assert_eq!(found[0]["description"], "Docker containerization and multi-stage builds");
}

#[test]
fn results_are_those_of_a_models_search_tool() {
    let sandbox = project();
    let project = Project::find(sandbox.project("")).unwrap();
    let lock = project.require_lock().unwrap();
    let skills = project.read_skills(&lock, |_| true).unwrap();
    let set = SkillSet::new(&skills);
    let index = set.index(&IndexOptions::new());
    let set = set.with_index(&index);
    let toolbox = Toolbox::builder(set).search(SearchMode::ToolOnly).build().unwrap();
    for query in ["deploy my docker container", "help with code", "route an email", "build"] {
        let reply = toolbox.answer(Call::SearchSkills { query }).to_string();
        let lines = reply.lines().filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
        let found: Vec<&str> = lines.map(|(name, _)| name).collect();
        assert!(!found.is_empty(), "{reply}");
        assert_eq!(names(&sandbox, &[query]), found, "{query}");
    }
}

#[test]
fn limit_sets_the_number_of_results() {
    let sandbox = project();
    let found = |arguments: &[&str]| names(&sandbox, &[arguments, &["help"]].concat());
    // Equal scores are sorted by name; `helper` is longer than `help`.
    assert_eq!(found(&[]), ["brainstorming", "pricing-strategy", "deploy-helper"]);
    assert_eq!(found(&["-n", "1"]), ["brainstorming"]);
    assert_eq!(found(&["--max", "1000"]), ["brainstorming", "pricing-strategy", "deploy-helper"]);
    for most in ["some", "0", "-1"] {
        search(&sandbox, ["-n", most, "help"]).exits(2).says([most]);
    }
    search(&sandbox, [""; 0]).exits(2).says(["QUERY"]);
}

#[test]
fn no_match_is_not_an_error() {
    let sandbox = project();
    // Bodies are not searched; stop words find nothing.
    for query in ["kubernetes cluster", "what should I do with the", "日本"] {
        let run = search(&sandbox, [query]).succeeds();
        assert!(run.stdout.is_empty(), "{run}");
        run.says([format!("note: no skill matches `{query}`")]);
        assert_eq!(search(&sandbox, [query, "--json"]).succeeds().json()["skills"], json!([]));
    }
    assert!(search(&sandbox, ["kubernetes", "--quiet"]).succeeds().stderr.is_empty());
}

#[test]
fn empty_query_is_an_error() {
    let sandbox = project();
    for query in ["", "  "] {
        search(&sandbox, [query])
            .exits(2)
            .says(["the query is empty", "`skills search deploy a container`"]);
    }
}

#[test]
fn missing_directory_is_an_error() {
    let sandbox = project();
    for missing in ["./nope", "../nope", "./own/nope"] {
        let what = format!("error: cannot find the directory `{missing}`\n");
        search(&sandbox, [missing, "docker"]).exits(2).says([what]);
    }
    let run = search(&sandbox, ["CI/CD", "pipelines"]).succeeds();
    run.prints(["deploy-helper"]);
    search(&sandbox, [".NET/C#"]).succeeds().says(["no skill matches `.NET/C#`"]);
}

#[test]
fn search_finds_only_loadable_locked_skills() {
    let sandbox = project();
    let text = "---\nname: secret\ndescription: Docker for humans.\ndisable-model-invocation: true\n---\nx\n";
    sandbox.write("project/own/secret/SKILL.md", text);
    sandbox.skills(["sync"]).succeeds();
    search(&sandbox, ["docker"]).succeeds().prints(["docker-expert"]).never_prints("secret");
    sandbox.write(
        "project/own/commit/SKILL.md",
        "---\nname: commit\ndescription: Docker, docker!\n---\nx\n",
    );
    let run = search(&sandbox, ["docker"]).exits(1);
    assert!(run.stdout.is_empty(), "{run}");
    run.says(["`own/commit/SKILL.md` of the skill `commit` was changed since it was locked"]);
}

/// A description is printed in one line.
#[test]
fn hostile_descriptions_are_escaped() {
    let sandbox = Sandbox::new();
    let description = "|\n  Docker.\n  second\u{202e} line";
    sandbox.write(
        "project/own/a/SKILL.md",
        format!("---\nname: a\ndescription: {description}\n---\nx\n"),
    );
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.allow_invisible_text(&["a/SKILL.md"]);
    sandbox.skills(["sync"]).succeeds();
    let run = search(&sandbox, ["docker \u{202e}x"]).succeeds().never_prints("\u{202e}");
    assert_eq!(run.stdout.lines().count(), 2, "{run}");
    let run = search(&sandbox, ["x\u{202e}"]).succeeds().never_prints("\u{202e}");
    run.says(["no skill matches `x\\u{202e}`"]);
}
