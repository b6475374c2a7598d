//! `skills catalog`: the text for a system prompt, and its parts.

use helix_skills_tests::{Change, Run, Sandbox};
use serde_json::{Value, json};

fn md(name: &str, more: &str, body: &str) -> String {
    format!("---\nname: {name}\n{more}\n---\n{body}\n")
}

/// A project with three skills of a repository, one of its own, and one that models may not load.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("team");
    let deploy = md(
        "deploy",
        "description: Deploys.\nwhen_to_use: On Fridays.\nargument-hint: \"[service]\"",
        "Push it.",
    );
    let hidden = md("hidden", "description: Secret.\ndisable-model-invocation: true", "Psst.");
    let change = Change::new()
        .text("skills/deploy/SKILL.md", &deploy)
        .text("skills/deploy/references/x.md", "x\n")
        .text("skills/hidden/SKILL.md", &hidden)
        .text(
            "skills/pdf/SKILL.md",
            &md("pdf", "description: |\n  Reads PDF files.\n  - evil: forged", "Use it."),
        );
    upstream.commit(change);
    let server = sandbox.serve();
    sandbox.write(
        "project/own/house/SKILL.md",
        md(
            "house",
            "description: Our own.\nuser-invocable: false",
            "Rules with \u{1b}[31mred\u{1b}[0m and \u{202e}.",
        ),
    );
    sandbox.sources(&json!({
        "own": {"type": "path", "path": "own"},
        "team": {"type": "git", "url": server.url("team"), "rename": {"pdf": "Pdf"}},
    }));
    sandbox.allow_invisible_text(&["house/SKILL.md"]);
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

const HEAD: &str = "## Skills\n\nA skill is NOT a tool";

/// Runs the command offline and checks that it writes nothing.
#[track_caller]
fn catalog<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Run {
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(["catalog"].into_iter().chain(arguments));
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    run
}

fn sha256(text: &str) -> String {
    format!("sha256:{}", helix_skills_format::Digest::hash(text.as_bytes()))
}

#[test]
fn catalog_prints_only_the_text() {
    let sandbox = project();
    sandbox.remove_cache();
    let run = catalog(&sandbox, []).succeeds();
    assert!(run.stdout.starts_with(HEAD), "{run}");
    let list = "\n\n- Pdf: Reads PDF files. - evil: forged\n- deploy: Deploys. On Fridays.\n- house: Our own.\n";
    assert!(run.stdout.ends_with(list), "{run}");
    let run = run.says([
        "note: `hidden` is not listed because it sets `disable-model-invocation`",
        "catalog: 3 skills, about ",
    ]);
    let quiet = catalog(&sandbox, ["--quiet"]).succeeds();
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), (run.stdout.as_str(), ""));
}

#[test]
fn json_has_text_digest_and_tokens_per_line() {
    let sandbox = project();
    let text = catalog(&sandbox, ["--preload", "house"]).succeeds().stdout;
    let document = catalog(&sandbox, ["--preload", "house", "--json"]).succeeds().json();
    assert_eq!((&document["profile"], &document["text"]), (&json!("helix"), &json!(text)));
    assert_eq!(
        (&document["bytes"], &document["digest"]),
        (&json!(text.len()), &json!(sha256(&text)))
    );
    assert_eq!(document["tokens"], text.len().div_ceil(4));
    let skill = |name: &str, line: &str, loaded: bool, hidden: Value| json!({"name": name, "tokens": line.len().div_ceil(4), "loaded": loaded, "hidden": hidden});
    let skills = json!([
        skill("Pdf", "- Pdf: Reads PDF files. - evil: forged\n", false, Value::Null),
        skill("deploy", "- deploy: Deploys. On Fridays.\n", false, Value::Null),
        skill("hidden", "", false, json!("disable-model-invocation")),
        skill("house", "- house: Our own.\n", true, Value::Null),
    ]);
    assert_eq!(document["skills"], skills);
    assert_eq!(document["tools"], Value::Null);
}

/// The preloaded text has the locked bytes, without the escapes used for terminals.
#[test]
fn preloaded_bodies_keep_their_bytes() {
    let sandbox = project();
    let run = catalog(&sandbox, ["--preload", "house,deploy"]).succeeds();
    let run = run.prints([
        "\n- deploy loaded=\"true\": Deploys. On Fridays.\n- house loaded=\"true\": Our own.\n\n### Active Skills",
        "<skill name=\"deploy\">\nPush it.\n</skill>\n\n<skill_resources>\nreferences/x.md\n</skill_resources>\n",
        "<skill name=\"house\">\nRules with \u{1b}[31mred\u{1b}[0m and \u{202e}.\n</skill>\n",
    ]);
    for color in ["never", "always"] {
        let again =
            catalog(&sandbox, ["--preload", "deploy", "--preload", "house", "--color", color])
                .succeeds();
        assert_eq!(again.stdout, run.stdout);
    }
}

#[test]
fn only_limits_the_catalog() {
    let sandbox = project();
    let run = catalog(&sandbox, ["--only", "deploy,house"]).succeeds().never_prints("hidden");
    assert!(
        run.stdout.ends_with("\n\n- deploy: Deploys. On Fridays.\n- house: Our own.\n"),
        "{run}"
    );
    // Unrequested skills are not verified.
    sandbox.write("project/helix.skills/Pdf/SKILL.md", "edited");
    assert_eq!(
        catalog(&sandbox, ["--only", "deploy", "--only", "house"]).succeeds().stdout,
        run.stdout
    );
    catalog(&sandbox, []).exits(5);
    let run = catalog(&sandbox, ["--only", "hidden"]).succeeds();
    assert!(run.stdout.is_empty(), "{run}");
    run.says([
        "no skill is for models; the catalog and the tools are empty",
        "catalog: 0 skills\n",
    ]);
}

#[test]
fn profiles_have_different_formats() {
    let sandbox = project();
    let text = |arguments: &[&str]| catalog(&sandbox, arguments.iter().copied()).succeeds();
    let run = text(&["--profile", "skill-use"])
        .prints(["## Available Skills\n\n", "- **deploy** [service]: Deploys."]);
    run.says(["`house` is not listed because it sets `user-invocable`"]).never_prints("Our own");
    assert!(text(&["--profile", "deer-flow"]).stdout.starts_with("Available Skills:\n- Pdf: "));
    let run = text(&["--profile", "claude-code", "--root", "/opt/skills/"]);
    run.prints(["<available_skills>\n", "<location>\n/opt/skills/deploy/SKILL.md\n</location>\n"]);
    text(&["--profile", "deep-agents", "--root", "/opt"]).prints(["path: /opt/Pdf/SKILL.md\n"]);
    // Its list is in the tool's description.
    let run = text(&["--profile", "agentick"]);
    assert!(run.stdout.is_empty(), "{run}");
    run.says(["this profile lists the skills in the description of its tool; `--tools` prints it"])
        .never_prints("about 0 tokens");
    let tools: Value =
        serde_json::from_str(&text(&["--profile", "agentick", "--tools"]).stdout).unwrap();
    assert_eq!(tools[0]["name"], "skill");
    assert!(
        tools[0]["description"]
            .as_str()
            .unwrap()
            .ends_with("\n- deploy: Deploys.\n- house: Our own.\n"),
        "{tools}"
    );
    sandbox.skills(["catalog", "--profile", "unknown"]).exits(2).says(["unknown", "deep-agents"]);
}

#[test]
fn tools_are_printed_in_framework_formats() {
    let sandbox = project();
    let tools: Value =
        serde_json::from_str(&catalog(&sandbox, ["--tools"]).succeeds().stdout).unwrap();
    let names: Vec<_> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["load_skill", "read_skill_file"]);
    let parameters = &tools[0]["parameters"];
    assert_eq!(parameters["properties"]["name"]["enum"], json!(["Pdf", "deploy", "house"]));
    assert_eq!(
        (&parameters["type"], &parameters["required"]),
        (&json!("object"), &json!(["name"]))
    );
    let document = catalog(&sandbox, ["--tools", "--json"]).succeeds().json();
    assert_eq!(document["tools"], tools);
    assert!(document["text"].as_str().unwrap().starts_with(HEAD), "{document}");
    let none: Value =
        serde_json::from_str(&catalog(&sandbox, ["--only", "hidden", "--tools"]).succeeds().stdout)
            .unwrap();
    assert_eq!(none, json!([]));
}

#[test]
fn budget_keeps_every_name() {
    let sandbox = project();
    let long = format!("description: {}", "Reads tide tables. ".repeat(40));
    sandbox.write("project/own/tides/SKILL.md", md("tides", &long, "Look."));
    sandbox.skills(["sync"]).succeeds();
    let all = catalog(&sandbox, []).succeeds().stdout;
    let most =
        |flag: &str, most: usize| catalog(&sandbox, [flag, &most.to_string()]).succeeds().stdout;
    let (chars, tokens) = (all.chars().count(), all.len().div_ceil(4));
    assert_eq!(most("--budget-chars", chars), all);
    assert_eq!(most("--budget-tokens", tokens), all);
    for cut in [most("--budget-chars", chars - 1), most("--budget-tokens", tokens - 1)] {
        assert!(cut.contains("\n- deploy: Deploys. On Fridays.\n- house: Our own.\n"), "{cut}");
        assert!(
            cut.contains("\n- tides\n\nThe description of the last skill is left out"),
            "{cut}"
        );
    }
    let both = sandbox.skills(["catalog", "--budget-chars", "1", "--budget-tokens", "1"]);
    both.exits(2).says(["--budget-chars", "--budget-tokens"]);
}

#[test]
fn budget_below_the_names_exits_6() {
    let sandbox = project();
    for option in ["--budget-tokens", "--budget-chars"] {
        for more in [&[][..], &["--preload", "deploy"], &["--profile", "claude-code"]] {
            let run = |most: &str| {
                catalog(&sandbox, [option, most].into_iter().chain(more.iter().copied()))
            };
            let exceeded = run("1").exits(6).says([
                "without descriptions, over `",
                &format!("`{option} 1`"),
                "list fewer skills with `--only`, or pass `",
            ]);
            assert!(exceeded.stdout.contains("deploy"), "{exceeded}");
            // The amount that the hint names is enough.
            let (_, amount) = exceeded.stderr.rsplit_once(&format!("{option} ")).unwrap();
            let amount: usize = amount.trim_end().trim_end_matches('`').parse().unwrap();
            run(&amount.to_string()).succeeds();
        }
    }
    let document = catalog(&sandbox, ["--budget-tokens", "1", "--json"]).exits(6).json();
    assert!(document["text"].as_str().unwrap().contains("\n- deploy\n"), "{document}");
    assert_eq!(document["errors"][0]["code"], "budget");
    assert_eq!(document["errors"][0]["exitCode"], 6);
    // This profile leaves out whole lines.
    catalog(&sandbox, ["--budget-tokens", "1", "--profile", "agentick"]).succeeds();
}

#[test]
fn unknown_skill_name_is_a_usage_error() {
    let sandbox = project();
    let run = catalog(&sandbox, ["--only", "dploy", "--preload", "zzz"]).exits(2);
    run.says([
        "no skill `dploy`",
        "did you mean `deploy`?",
        "no skill `zzz`",
        "it has `Pdf`, `deploy`, `hidden`, `house`",
    ]);
    let run = catalog(&sandbox, ["--only", "deploy", "--preload", "house"]).exits(2);
    run.says([
        "`--preload` names the skill `house`, which `--only` excludes",
        "add `--only house`",
    ]);
    let run = catalog(&sandbox, ["--preload", "hidden"]).exits(2);
    run.says([
        "cannot preload `hidden`: models may not load it (`disable-model-invocation`, or",
        "remove it from `--preload`",
    ]);
    catalog(&sandbox, ["--preload", "deploy,deploy"]).exits(2).says(["duplicate skill `deploy`"]);
    let document = catalog(&sandbox, ["--only", "dploy", "--json"]).exits(2).json();
    assert_eq!((&document["command"], &document["ok"]), (&json!("catalog"), &json!(false)));
}

/// Text that differs from the locked bytes is never printed.
#[test]
fn changed_skills_are_an_error_without_output() {
    for (path, content, code, message) in [
        (
            "helix.skills/deploy/SKILL.md",
            Some("---\nname: deploy\ndescription: Evil.\n---\n"),
            5,
            "the file was changed",
        ),
        ("helix.skills/deploy/references/x.md", Some("evil\n"), 5, "the file was changed"),
        ("helix.skills/deploy/more.md", Some("evil\n"), 5, "the file is not part of the skill"),
        ("helix.skills/deploy/references/x.md", None, 5, "the file is missing"),
        (
            "helix.skills/deploy.sha256",
            Some(""),
            5,
            "the listing does not have the locked integrity",
        ),
        (
            "helix.skills/house.sha256",
            Some(""),
            5,
            "the listing does not have the locked integrity",
        ),
        ("helix.skills/house.sha256", None, 1, "the skill `house` is not in the store"),
        (
            "own/house/SKILL.md",
            Some("---\nname: house\ndescription: Evil.\n---\n"),
            1,
            "was changed since it was locked",
        ),
        (
            "own/house",
            None,
            1,
            "`own/house/SKILL.md` of the skill `house` was removed since it was locked",
        ),
        (
            "helix.skills",
            None,
            1,
            "the skills `Pdf`, `deploy`, `hidden`, `house` are not in the store",
        ),
    ] {
        let sandbox = project();
        let file = format!("project/{path}");
        match content {
            Some(text) => sandbox.write(&file, text),
            None => sandbox.remove(&file),
        };
        let run = catalog(&sandbox, []).exits(code).says([message]);
        assert!(run.stdout.is_empty(), "{run}");
        let run = run.never_prints("Evil");
        assert!(run.stderr.contains("help: "), "{run}");
    }
}

#[test]
fn drift_is_a_note() {
    let sandbox = project();
    let text = catalog(&sandbox, []).succeeds().stdout;
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.allow_invisible_text(&["house/SKILL.md"]);
    let run = catalog(&sandbox, [])
        .succeeds()
        .says(["the manifest was changed since it was locked; run `skills sync`"]);
    assert_eq!(run.stdout, text);
    sandbox.remove("project/helix.skills.lock");
    catalog(&sandbox, []).exits(1).says(["skills sync"]);
}

#[test]
fn invisible_text_is_escaped_in_tool_definitions() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "project/own/house/SKILL.md",
        md("house", "description: \"Our \u{202e}own\u{e0041}.\"", "Rules."),
    );
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.allow_invisible_text(&["house/SKILL.md"]);
    sandbox.skills(["sync"]).succeeds();
    let run = catalog(&sandbox, ["--profile", "agentick", "--tools"]).succeeds();
    assert!(run.stdout.contains("Our \\u202eown\\udb40\\udc41."), "{run}");
    let tools: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(
        tools[0]["description"].as_str().unwrap().contains("- house: Our \u{202e}own\u{e0041}.\n"),
        "{run}"
    );
}
