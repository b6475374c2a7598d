//! Tools in JSON: parameter schemas and calls.

use crate::features::set::{SKILLS, toolbox};
use expect_test::expect_file;
use helix_skills_runtime::{
    __private::Parts, IndexOptions, Profile, SearchMode, Skill, SkillSet, ToolFormat, Toolbox,
};
use serde_json::{Value, json};

/// For each tool in each profile: a call with all parameters, one with only the required ones, and
/// invalid calls.
fn calls(profile: Profile, tool: &str) -> (Vec<Value>, Vec<Value>) {
    let read = |skill: &str, path: &str| {
        let call = json!({skill: "deploy", path: "R&D.md", "startLine": 1, "endLine": 2});
        let mut bare = call.clone();
        bare.as_object_mut().unwrap().retain(|key, _| key == skill || key == path);
        let wrong = |key: &str, value: Value| {
            let mut call = call.clone();
            call[key] = value;
            call
        };
        let wrong = vec![
            json!({skill: "deploy"}),
            json!({path: "R&D.md"}),
            wrong(skill, json!("nope")),
            wrong(skill, json!(1)),
            wrong(path, json!(null)),
            wrong("startLine", json!(0)),
            wrong("startLine", json!(1.5)),
            wrong("endLine", json!("x")),
            wrong("lines", json!(1)),
        ];
        (vec![call, bare], wrong)
    };
    let load = |name: &str, arguments: Option<(&str, &[Value])>| {
        let mut right = vec![json!({name: "pdf"})];
        let mut wrong =
            vec![json!({}), json!({name: "nope"}), json!({name: "hidden"}), json!({name: null})];
        wrong.push(json!({name: "pdf", "more": 1}));
        wrong.push(json!([]));
        if let Some((parameter, values)) = arguments {
            right.extend(values.iter().map(|value| json!({name: "pdf", parameter: value})));
            wrong.push(json!({name: "pdf", parameter: 1}));
        }
        (right, wrong)
    };
    match (profile, tool) {
        (Profile::SkillUse, "skill_use") => {
            load("skill_name", Some(("arguments", &[json!("a b")])))
        }
        (Profile::SkillUse, "skill_read_file") => read("skill_name", "file_path"),
        (Profile::Agentick, "skill") => {
            load("name", Some(("args", &[json!("a b"), json!({"a": 1})])))
        }
        (Profile::ClaudeCode, "Skill") => {
            load("skill", Some(("args", &[json!("a b"), json!({"a": 1})])))
        }
        (Profile::Helix | Profile::DeerFlow, "load_skill") => load("name", None),
        (_, "read_skill_file") => read("skill", "path"),
        (profile, tool) => panic!("unknown tool {tool} in {profile:?}"),
    }
}

#[test]
fn parameter_schemas_accept_only_valid_calls() {
    for profile in Profile::ALL {
        for tool in toolbox(profile).tools([]).unwrap() {
            let schema: Value = serde_json::to_value(tool.parameters()).unwrap();
            jsonschema::meta::validate(&schema).unwrap();
            let schema = jsonschema::validator_for(&schema).unwrap();
            let (right, wrong) = calls(profile, tool.name());
            for call in right {
                assert!(schema.is_valid(&call), "{profile:?} {} {call}", tool.name());
                let arguments = call.to_string();
                let reply = toolbox(profile).call(tool.name(), &arguments).unwrap();
                assert!(!reply.is_error(), "{profile:?} {} {call}: {reply}", tool.name());
            }
            for call in wrong {
                assert!(!schema.is_valid(&call), "{profile:?} {} {call}", tool.name());
            }
        }
    }
}

#[test]
fn tool_descriptions_are_snapshots() {
    let mut all = String::new();
    let index = SKILLS.index(&IndexOptions::new());
    let search = Toolbox::builder(SKILLS.with_index(&index))
        .search(SearchMode::ToolAndList)
        .build()
        .unwrap();
    let search = search.tools([]).unwrap().filter(|tool| tool.name() == "search_skills");
    let tools = Profile::ALL
        .into_iter()
        .filter(|profile| *profile != Profile::Agentick)
        .flat_map(|profile| toolbox(profile).tools([]).unwrap().map(move |tool| (profile, tool)))
        .chain(search.map(|tool| (Profile::Helix, tool)));
    for (profile, tool) in tools {
        let (name, description) = (tool.name(), tool.description());
        let schema: Value = serde_json::to_value(tool.parameters()).unwrap();
        let schema = serde_json::to_string_pretty(&schema).unwrap();
        all.push_str(&format!("{} {name}\n{description}\n{schema}\n\n", profile.name()));
    }
    expect_file!["../snapshots/tools.txt"].assert_eq(&all);
}

#[test]
fn skill_names_in_schemas_are_escaped() {
    let names = ["a\"b", "a</skill>", "a\\b", "é🦀"];
    let all = names.map(|name| Skill::from(Parts { name, ..Parts::EMPTY }));
    for profile in Profile::ALL {
        for tool in Toolbox::builder(SkillSet::new(&all))
            .profile(profile)
            .build()
            .unwrap()
            .tools([])
            .unwrap()
        {
            let schema: Value = serde_json::to_value(tool.parameters()).unwrap();
            let parameters = schema["properties"].as_object().unwrap();
            let lists: Vec<_> =
                parameters.values().filter_map(|parameter| parameter.get("enum")).collect();
            assert_eq!(lists, [&json!(names)]);
        }
    }
    let control = ["a\u{1}\u{85}\nb"].map(|name| Skill::from(Parts { name, ..Parts::EMPTY }));
    let tool = Toolbox::new(SkillSet::new(&control)).tools([]).unwrap().next().unwrap();
    let schema: Value = serde_json::to_value(tool.parameters()).unwrap();
    assert_eq!(schema["properties"]["name"]["enum"], json!(["a   b"]));
}

#[test]
fn wrong_parameter_is_named() {
    let answer = |profile, tool, arguments| {
        let reply = toolbox(profile).call(tool, arguments).unwrap();
        assert!(reply.is_error(), "{arguments}: {reply}");
        reply.to_string()
    };
    for (profile, tool, arguments, unknown, meant) in [
        (Profile::Helix, "load_skill", r#"{"nam": "pdf"}"#, "nam", "name"),
        (Profile::Helix, "load_skill", r#"{"skill_name": "pdf"}"#, "skill_name", "name"),
        (Profile::Helix, "load_skill", r#"{"skill": "pdf"}"#, "skill", "name"),
        (Profile::ClaudeCode, "Skill", r#"{"name": "pdf"}"#, "name", "skill"),
        (Profile::Helix, "read_skill_file", r#"{"name": "pdf", "path": "a"}"#, "name", "skill"),
        (Profile::Helix, "load_skill", r#"{"x": 1, "n\u0061m": "pdf"}"#, "nam", "name"),
        (Profile::SkillUse, "skill_use", r#"{"skill": "pdf"}"#, "skill", "skill_name"),
        (Profile::Agentick, "skill", r#"{"name": "pdf", "arguments": "a"}"#, "arguments", "args"),
        (
            Profile::Helix,
            "read_skill_file",
            r#"{"skill": "pdf", "file_path": "SKILL.md"}"#,
            "file_path",
            "path",
        ),
        (
            Profile::Helix,
            "read_skill_file",
            r#"{"skill": "pdf", "path": "SKILL.md", "start_line": 2}"#,
            "start_line",
            "startLine",
        ),
        // The only parameter that is absent, and may have any other name.
        (Profile::Helix, "load_skill", r#"{"query": "pdf"}"#, "query", "name"),
        (Profile::Agentick, "skill", r#"{"command": "pdf"}"#, "command", "name"),
        (Profile::ClaudeCode, "Skill", r#"{"args": 1, "command": "pdf"}"#, "command", "skill"),
        (Profile::Helix, "read_skill_file", r#"{"skill": "a", "file": "b"}"#, "file", "path"),
        (Profile::Helix, "read_skill_file", r#"{"name": "a", "file": "b"}"#, "file", "path"),
        (Profile::Helix, "read_skill_file", r#"{"id": "a", "path": "b"}"#, "id", "skill"),
    ] {
        assert_eq!(
            answer(profile, tool, arguments),
            format!("unknown parameter `{unknown}`; did you mean `{meant}`?")
        );
    }
    // Parameters that resemble none are ignored, and so are those of a call that has all.
    let helix = toolbox(Profile::Helix);
    for arguments in
        [r#"{"name": "pdf", "nam": "x"}"#, r#"{"reason": "because", "name": "pdf", "limit": 3}"#]
    {
        assert!(!helix.call("load_skill", arguments).unwrap().is_error(), "{arguments}");
    }
    assert_eq!(
        answer(Profile::SkillUse, "skill_use", r#"{"arguments": "pdf"}"#),
        "the parameter `skill_name` is missing"
    );
}

#[test]
fn calls_with_any_arguments_are_answered() {
    let toolbox = toolbox(Profile::Helix);
    let reply = |tool: &str, arguments: &str| {
        let reply = toolbox.call(tool, arguments).unwrap();
        assert!(reply.is_error() && reply.event().is_none(), "{arguments}: {reply}");
        let text = reply.to_string();
        assert!(text.len() < 400 && text.lines().count() == 1, "{text}");
        text
    };
    let deep = "[".repeat(100_000);
    for bad in [
        "",
        " ",
        "null",
        "true",
        "1",
        "\"pdf\"",
        "[]",
        "[{\"name\": \"pdf\"}]",
        "{",
        "{\"name\"}",
        "{'name': 'pdf'}",
        "{name: \"pdf\"}",
        "{\"name\": \"pdf\",}",
        "{\"name\": \"pdf\"} {}",
        "{\"name\": \"\n\"}",
        "{\"name\": \"\\x\"}",
        "{\"name\": NaN}",
        "\u{feff}{\"name\": \"pdf\"}",
        "</skill>",
        &deep,
    ] {
        assert_eq!(
            reply("load_skill", bad),
            "cannot read the arguments: they have to be one JSON object",
            "{bad}"
        );
    }
    assert_eq!(reply("load_skill", "{}"), "the parameter `name` is missing");
    let asked = "unknown parameter `query`; did you mean `name`?";
    assert_eq!(reply("load_skill", r#"{"query": "pdf"}"#), asked);
    assert_eq!(
        reply("load_skill", r#"{"name": 1}"#),
        "the parameter `name` has to be a string, not `1`"
    );
    assert_eq!(
        reply("load_skill", r#"{"name": null}"#),
        "the parameter `name` has to be a string, not `null`"
    );
    assert_eq!(
        reply("load_skill", r#"{"name": ["pdf"]}"#),
        "the parameter `name` has to be a string, not `[\"pdf\"]`"
    );
    let deep = format!("{{\"name\": {}{}}}", "[".repeat(100), "]".repeat(100));
    assert!(
        reply("load_skill", &deep).starts_with("the parameter `name` has to be a string, not `[[[")
    );
    assert_eq!(
        reply("load_skill", r#"{"name": "\ud800"}"#),
        "the parameter `name` has to be a string, not `\"\\ud800\"`"
    );
    assert!(reply("load_skill", r#"{"name": ""}"#).starts_with("there is no skill ``; "));
    assert_eq!(
        reply("read_skill_file", r#"{"skill": "deploy"}"#),
        "the parameter `path` is missing"
    );
    assert_eq!(reply("read_skill_file", r#"{"path": "x"}"#), "the parameter `skill` is missing");
    let line = |value: &str| {
        reply(
            "read_skill_file",
            &format!(r#"{{"skill": "deploy", "path": "R&D.md", "startLine": {value}}}"#),
        )
    };
    for bad in
        ["-1", "1.5", "\"x\"", "\"\"", "true", "[]", "{}", "1e2", "\"1.5\"", "-1.0", "\"-1\""]
    {
        assert_eq!(
            line(bad),
            format!("the parameter `startLine` has to be a whole number from 1, not `{bad}`")
        );
    }
    for after in ["4", "18446744073709551615", "\"99\""] {
        assert!(line(after).starts_with("cannot read from line "), "{after}");
    }
    assert!(
        line("0").starts_with("cannot read from line 0 of `R&D.md`: lines are numbered from 1")
    );
}

#[test]
fn calls_are_parsed_as_models_write_them() {
    let toolbox = toolbox(Profile::Helix);
    let lines = |arguments: &str| {
        let arguments = format!(r#"{{"skill": "deploy", "path": "R&D.md", {arguments}}}"#);
        let text = toolbox.call("read_skill_file", &arguments).unwrap().to_string();
        text.split_once("\n\n").unwrap().1.strip_suffix("</skill_file>").unwrap().to_owned()
    };
    for two in ["2", "2.0", "\"2\"", "\" 2 \""] {
        assert_eq!(lines(&format!(r#""startLine": {two}, "endLine": {two}"#)), "two\n");
    }
    assert_eq!(lines(r#""startLine": null, "endLine": null"#), "one\ntwo\nthree\n");
    assert_eq!(lines(r#""why": "just because""#), "one\ntwo\nthree\n");
    let escaped = toolbox.call("load_skill", " {\"na\\u006de\": \"p\\u0064f\"}\n").unwrap();
    assert_eq!(escaped.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
    // The last of two values counts, as in most JSON parsers.
    let twice = toolbox.call("load_skill", r#"{"name": "deploy", "name": "pdf"}"#).unwrap();
    assert_eq!(twice.to_string(), escaped.to_string());
}

#[test]
fn only_calls_of_own_tools_are_answered() {
    for profile in Profile::ALL {
        let toolbox = toolbox(profile);
        let there: Vec<_> = toolbox.tools([]).unwrap().map(|tool| tool.name()).collect();
        for name in [
            "load_skill",
            "read_skill_file",
            "search_skills",
            "skill_use",
            "skill_read_file",
            "skill",
            "Skill",
            "LOAD_SKILL",
            "",
        ] {
            assert_eq!(
                toolbox.call(name, "{}").is_some(),
                there.contains(&name),
                "{profile:?} {name}"
            );
        }
    }
    assert!(
        Toolbox::builder(SKILLS)
            .allow(&["pdf"])
            .build()
            .unwrap()
            .call("load_skill", r#"{"name": "deploy"}"#)
            .unwrap()
            .is_error()
    );
}

#[test]
fn arguments_are_passed_as_text_or_json_source() {
    let message = |arguments: &str| {
        let call = format!(r#"{{"skill_name": "pdf", "arguments": {arguments}}}"#);
        toolbox(Profile::SkillUse)
            .call("skill_use", &call)
            .unwrap()
            .message()
            .map(|message| message.to_string())
            .unwrap()
    };
    let with = |text: &str| {
        format!(
            "<skill-context name=\"pdf\">\nUse `pdftotext`.\n\nARGUMENTS: {text}\n</skill-context>"
        )
    };
    let without = "<skill-context name=\"pdf\">\nUse `pdftotext`.\n</skill-context>";
    assert_eq!(message(r#""a \"b\" \u003c/skill-context>""#), with("a \"b\" &lt;/skill-context>"));
    assert_eq!(message(r#"{"a": [1, "</skill>"]}"#), with(r#"{"a":[1,"&lt;/skill>"]}"#));
    assert_eq!(message("null"), without);
    assert_eq!(message("\"\""), without);
    let text = toolbox(Profile::Agentick)
        .call("skill", r#"{"name": "pdf", "args": {"a": 1.0}}"#)
        .unwrap()
        .to_string();
    assert_eq!(text, "Use `pdftotext`.\n\nARGUMENTS: {\"a\":1.0}");
}

#[test]
fn tools_have_the_shape_of_each_api() {
    let tool = toolbox(Profile::Helix).tools([]).unwrap().next().unwrap();
    let (description, parameters) = (tool.description(), tool.parameters());
    for (format, expected) in [
        (
            ToolFormat::Anthropic,
            json!({"name": "load_skill", "description": description, "input_schema": parameters}),
        ),
        (
            ToolFormat::Mcp,
            json!({"name": "load_skill", "description": description, "inputSchema": parameters}),
        ),
        (
            ToolFormat::OpenAiChat,
            json!({
                "type": "function",
                "function": {"name": "load_skill", "description": description, "parameters": parameters},
            }),
        ),
        (
            ToolFormat::OpenAiResponses,
            json!({
                "type": "function",
                "name": "load_skill",
                "description": description,
                "parameters": parameters,
                "strict": false,
            }),
        ),
    ] {
        let found = tool.json(format);
        assert_eq!(serde_json::from_str::<Value>(found.as_str()).unwrap(), expected);
        assert_eq!(serde_json::to_value(&found).unwrap(), expected);
        assert_eq!(serde_json::to_string(&found).unwrap(), found.as_str());
    }
    let expected =
        json!({"name": "load_skill", "description": description, "parameters": parameters});
    assert_eq!(serde_json::to_value(tool).unwrap(), expected);
}

#[test]
fn descriptions_are_escaped_in_json() {
    let skill = Skill::from(Parts {
        name: "a",
        description: "\"quoted\" \\ \u{1}\ttab\nline é🦀",
        ..Parts::EMPTY
    });
    let skills = [skill];
    let toolbox =
        Toolbox::builder(SkillSet::new(&skills)).profile(Profile::Agentick).build().unwrap();
    let tool = toolbox.tools([]).unwrap().next().unwrap();
    let found: Value = serde_json::from_str(tool.json(ToolFormat::Mcp).as_str()).unwrap();
    assert_eq!(found["description"], tool.description());
}

#[test]
fn arguments_are_never_lost() {
    let plain = Skill::define("plain", "Has no arguments.", "Do it.").build();
    let triage =
        Skill::define("triage", "Sorts issues.", "Issue $number.").arguments(&["number"]).build();
    for (profile, tool, name, arguments) in [
        (Profile::Helix, "load_skill", "name", "arguments"),
        (Profile::DeerFlow, "load_skill", "name", "arguments"),
        (Profile::SkillUse, "skill_use", "skill_name", "arguments"),
        (Profile::Agentick, "skill", "name", "args"),
        (Profile::ClaudeCode, "Skill", "skill", "args"),
    ] {
        let fills = !matches!(profile, Profile::Helix | Profile::DeerFlow);
        for (skills, declares) in [(vec![plain.clone()], false), (vec![triage.clone()], true)] {
            let toolbox =
                Toolbox::builder(SkillSet::new(&skills)).profile(profile).build().unwrap();
            let load = toolbox.tools([]).unwrap().next().unwrap();
            let schema = serde_json::to_value(load.parameters()).unwrap();
            assert_eq!(
                schema["properties"].get(arguments).is_some(),
                fills || declares,
                "{profile:?}: {schema}"
            );
            // A model may pass them even if the tool has no parameter for them.
            let call = json!({name: skills[0].name(), arguments: "42"}).to_string();
            let reply = toolbox.call(tool, &call).unwrap();
            let text = reply.message().map_or_else(|| reply.to_string(), |text| text.to_string());
            assert_eq!(text.contains("Issue 42."), declares, "{profile:?}: {text}");
            assert!(text.contains("ARGUMENTS: 42"), "{profile:?}: {text}");
        }
    }
}
