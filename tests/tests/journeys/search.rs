//! `skills search`: skills that match a task.

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

/// The recorded answer of the reference implementation is docker-expert with 3.6462651781788966,
/// then deploy-helper with 2.175139974232402.
#[test]
fn results_match_the_reference_scores() {
    let sandbox = project();
    let run = search(&sandbox, ["deploy my docker container"]).succeeds();
    let rows = [
        "skill          score  description",
        "docker-expert  3.65   Docker containerization and multi-stage builds",
        "deploy-helper  2.18   Assists with deployment workflows and CI/CD pipelines",
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
    let expected =
        [("docker-expert", 3.646_265_178_178_896_6), ("deploy-helper", 2.175_139_974_232_402)];
    assert_eq!(found.len(), expected.len(), "{document}");
    for (skill, (name, score)) in found.iter().zip(expected) {
        assert_eq!(skill["name"], name);
        assert!((skill["score"].as_f64().unwrap() - score).abs() < 1e-12, "{document}");
    }
    assert_eq!(found[0]["description"], "Docker containerization and multi-stage builds");
}

#[test]
fn limit_sets_the_number_of_results() {
    let sandbox = project();
    let names = |arguments: &[&str]| {
        let document =
            search(&sandbox, arguments.iter().copied().chain(["--json", "help"])).succeeds().json();
        let found = document["skills"].as_array().unwrap();
        found.iter().map(|skill| skill["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // Equal scores are sorted by name.
    assert_eq!(names(&[]), ["brainstorming", "pricing-strategy"]);
    assert_eq!(names(&["-n", "1"]), ["brainstorming"]);
    assert_eq!(names(&["--max", "1000"]), ["brainstorming", "pricing-strategy"]);
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
