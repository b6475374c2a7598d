//! `skills test`: queries that should find a skill, and queries that should not.

use helix_skills_tests::Sandbox;
use serde_json::{Value, json};

const PDF: &str = r#"[
  {"query": "fill in this pdf form", "should_trigger": true, "reason": "the main use"},
  {"query": "deploy my app", "should_trigger": false}
]
"#;

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nDo it.\n")
}

/// Two skills in `project/skills`, one of them with queries.
fn directory() -> Sandbox {
    let sandbox = Sandbox::new();
    let pdf = skill("pdf", "Reads PDF files and fills in their forms.");
    sandbox.write("project/skills/pdf/SKILL.md", pdf);
    sandbox.write("project/skills/pdf/evals/triggers.json", PDF);
    let deploy = skill("deploy", "Deploys an app to production.");
    sandbox.write("project/skills/deploy/SKILL.md", deploy);
    sandbox
}

#[test]
fn queries_pass_by_the_first_hit_of_the_search() {
    let sandbox = directory();
    let run = sandbox.skills(["test", "./skills"]).succeeds();
    assert_eq!(run.stdout, "skill  should trigger  should not\npdf    1 of 1          1 of 1\n");
    run.says(["note: without queries: `deploy`", "passed 2 of 2 queries"]);
    let run = sandbox.skills(["test", "./skills", "-v"]).succeeds();
    let lines: Vec<&str> = run.stdout.lines().skip(2).collect();
    assert!(lines[0].starts_with("  ok: fill in this pdf form -> pdf "), "{run}");
    assert!(lines[1].starts_with("  ok: deploy my app -> deploy "), "{run}");
    let document = sandbox.skills(["test", "./skills", "--json"]).succeeds().json();
    assert_eq!((&document["passed"], &document["failed"]), (&json!(2), &json!(0)));
    assert_eq!(document["untested"], json!(["deploy"]));
    let tested = &document["skills"][0];
    assert_eq!(tested["file"], "skills/pdf/evals/triggers.json");
    let query = &tested["queries"][0];
    assert_eq!((&query["rank"], &query["chosen"]), (&json!(1), &json!("pdf")));
    assert_eq!(query["score"], query["chosenScore"]);
    assert_eq!(tested["queries"][1]["rank"], json!(null));
}

#[test]
fn failed_queries_are_listed_and_exit_with_1() {
    let sandbox = directory();
    let queries = json!([
        {"query": "fill in forms of a pdf", "should_trigger": true},
        {"query": "explain a\nhaiku", "should_trigger": true},
        {"query": "read a pdf aloud", "should_trigger": false},
    ]);
    sandbox.write("project/skills/deploy/evals/trigger-eval.json", queries.to_string());
    sandbox.write("project/skills/deploy/SKILL.md", skill("deploy", "Deploys a pdf reader."));
    let run = sandbox.skills(["test", "./skills"]).exits(1);
    let rows = [
        "skill   should trigger  should not",
        "deploy  0 of 2          0 of 1",
        "  missed: fill in forms of a pdf -> pdf 2.28; deploy is hit 2, 0.47",
        "  missed: explain a haiku -> no skill",
        "  unwanted: read a pdf aloud -> deploy 1.33",
        "pdf     1 of 1          1 of 1",
    ];
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), rows);
    run.says(["failed 3 of 5 queries"]);
    let run = sandbox.skills(["test", "./skills", "--json"]).exits(1);
    let document = run.json();
    assert_eq!((&document["ok"], &document["exitCode"]), (&json!(false), &json!(1)));
}

#[test]
fn project_is_tested_without_a_directory() {
    let sandbox = directory();
    sandbox.sources(&json!({"own": {"type": "path", "path": "skills"}}));
    sandbox.skills(["test"]).exits(1).says(["skills sync"]);
    sandbox.skills(["sync"]).succeeds();
    let run = sandbox.skills(["test", "--json"]).succeeds();
    assert_eq!(run.json()["skills"][0]["file"], "skills/pdf/evals/triggers.json");
    // Like the other commands, it verifies the locked skills.
    sandbox.write("project/skills/pdf/evals/triggers.json", "[]");
    sandbox.skills(["test"]).exits(1).says(["`skills test ./skills` to look at it as it is"]);
    let upstream = sandbox.upstream("tools");
    let change = helix_skills_tests::Change::new().skill("far");
    upstream.commit(change.text("skills/far/evals/triggers.json", "[{}]"));
    let server = sandbox.serve();
    let url = json!({"type": "git", "url": server.url("tools")});
    sandbox.sources(&json!({"tools": url}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["test"]).exits(2).says(["`helix.skills/far/evals/triggers.json`"]);
}

#[test]
fn invalid_file_is_an_error_with_its_place() {
    let sandbox = directory();
    for (text, error) in [
        ("[\n  {\"query\": 1,\n]", "key must be a string at line 3 column 1"),
        ("{\"skill\": \"pdf\"}", "expected a JSON array"),
        (r#"[{"query": "a", "should_trigger": true}, {"prompt": "b"}]"#, "`[1].query` is missing"),
        (r#"[{"query": " ", "should_trigger": true}]"#, "`[0].query` is `\" \"`"),
        (
            r#"[{"query": "a", "should_trigger": "yes"}]"#,
            "`[0].should_trigger` is `\"yes\"`, expected `true` or `false`",
        ),
    ] {
        sandbox.write("project/skills/pdf/evals/triggers.json", text);
        let run = sandbox.skills(["test", "skills"]).exits(2);
        let error = format!("error: invalid `skills/pdf/evals/triggers.json`: {error}");
        run.says([error.as_str(), "help: write `[{\"query\": "]);
    }
    sandbox.remove("project/skills/pdf/evals/triggers.json");
    let run = sandbox.skills(["test", "skills"]).exits(2);
    run.says(["no skill has a file `evals/triggers.json`", "help: write `[{\"query\": "]);
}

#[test]
#[cfg(unix)]
fn command_gets_the_catalog_and_each_query() {
    let sandbox = directory();
    // The command line is run by a shell, in the directory of `-C`.
    let command = "tee -a prompts > /dev/null; echo thinking; echo '`pdf`'";
    let run = sandbox.skills(["test", "./skills", "--with", command]).exits(1);
    assert_eq!(
        run.stdout,
        "skill  should trigger  should not\npdf    1 of 1          0 of 1\n  unwanted: deploy my app -> pdf\n"
    );
    let catalog = sandbox.skills(["catalog", "./skills"]).succeeds().stdout;
    let prompts = sandbox.read("project/prompts");
    let question = "Which skill would you load for the message below? Answer with its name, or with `none`, and nothing else.";
    let prompt = |query: &str| format!("{}\n\n{question}\n\n{query}\n", catalog.trim_end());
    assert_eq!(prompts, prompt("fill in this pdf form") + &prompt("deploy my app"));
    let answers = |command: &str| -> Vec<Value> {
        let run = sandbox.skills(["test", "./skills", "--json", "--with", command]);
        let document = run.json();
        assert_eq!(document["with"], command);
        let queries = document["skills"][0]["queries"].as_array().unwrap().iter();
        queries.map(|query| query["passed"].clone()).collect()
    };
    assert_eq!(answers("true"), [false, true]);
    assert_eq!(answers("echo None"), [false, true]);
    assert_eq!(answers("grep -q 'fill in' && echo pdf || echo deploy"), [true, true]);
    // An answer that is no skill is never right.
    assert_eq!(answers("echo I would take pdf"), [false, false]);
    let run = sandbox.skills(["test", "./skills", "--with", "echo the pdf one"]).exits(1);
    run.prints(["  unclear: deploy my app -> the pdf one\n"]);
}

#[test]
#[cfg(unix)]
fn failed_or_slow_command_is_an_error() {
    let sandbox = directory();
    let test = |command: &str, more: &[&str]| {
        let words = ["test", "./skills", "--with", command];
        sandbox.skills(words.iter().copied().chain(more.iter().copied()))
    };
    let run = test("echo one >&2; echo no such model >&2; exit 3", &[]).exits(2);
    run.says([
        "error: the command `echo one >&2; echo no such model >&2; exit 3` failed with exit code 3",
        "Caused by:\n  one / no such model",
        "help: it has to read a prompt from stdin",
    ]);
    test("no-such-program", &[]).exits(2).says(["failed with exit code 127", "not found"]);
    test("kill -9 $$", &[]).exits(2).says(["failed: signal: 9"]);
    let run = test("exec sleep 600", &["--timeout", "1"]).exits(2);
    run.says(["took longer than 1 second", "help: allow more time with `--timeout`"]);
    // Its own processes may keep the output open.
    test("sleep 9 & echo pdf", &[]).exits(1).prints(["pdf    1 of 1          0 of 1\n"]);
    sandbox.skills(["test", "./skills", "--timeout", "1"]).exits(2).says(["--with"]);
}

#[test]
#[cfg(unix)]
fn interrupt_ends_the_command() {
    let sandbox = directory();
    let command = "touch asked; exec sleep 600";
    let mut running = sandbox.command(["test", "./skills", "--with", command]).in_terminal(80);
    running.wait_for_screen("asking the command, 1 of 2");
    running.signal("INT");
    running.finish().exits(130).prints(["interrupted"]);
}
