//! Calls with escapes are answered like the same calls without them.

use super::escaped;
use crate::features::set::{SKILLS, toolbox};
use helix_skills_runtime::{
    __private::Parts, IndexOptions, MAX_NAME_BYTES, MAX_PATH_BYTES, Profile, Resource, SearchMode,
    Skill, SkillSet, Toolbox,
};

/// Checks that a call is answered alike with and without escapes in its strings.
#[track_caller]
fn alike(toolbox: &Toolbox<'_>, tool: &str, arguments: &[(&str, &str)]) -> String {
    let call = |string: fn(&str) -> String| {
        let members: Vec<_> = arguments
            .iter()
            .map(|(key, value)| format!("{}: {}", string(key), string(value)))
            .collect();
        let json = format!("{{{}}}", members.join(", "));
        toolbox.call(tool, &json).unwrap().to_string()
    };
    let plain = call(|text| serde_json::to_string(text).unwrap());
    assert_eq!(call(escaped), plain, "{arguments:?}");
    plain
}

#[test]
fn names_with_escapes_are_decoded() {
    let names = [
        "x".repeat(MAX_NAME_BYTES),
        "é".repeat(MAX_NAME_BYTES / 2),
        "🦀".repeat(MAX_NAME_BYTES / 4),
    ];
    let all =
        names.each_ref().map(|name| Skill::from(Parts { name, body: "Found.", ..Parts::EMPTY }));
    let set = SkillSet::new(&all);
    for name in &names {
        assert!(alike(&Toolbox::new(set), "load_skill", &[("name", name)]).contains("Found."));
    }
    for text in ["", "p", "a\"b\\c/\u{8}\u{c}\n\r\t\0</skill>", "\u{10ffff}"] {
        assert!(
            alike(&toolbox(Profile::Helix), "load_skill", &[("name", text)])
                .starts_with("there is no skill `")
        );
    }
}

#[test]
fn long_names_with_escapes_match_nothing() {
    let name = "x".repeat(MAX_NAME_BYTES);
    let all = [Skill::from(Parts { name: &name, ..Parts::EMPTY })];
    let toolbox = Toolbox::new(SkillSet::new(&all));
    for more in ["x", "é", "🦀", &"x".repeat(1_000), &"🦀".repeat(1_000)] {
        let reply_text = alike(&toolbox, "load_skill", &[("name", &(name.clone() + more))]);
        assert!(
            reply_text.starts_with(&format!("there is no skill `{}…`; ", &name[..64])),
            "{reply_text}"
        );
    }
}

#[test]
fn paths_with_escapes_are_decoded() {
    // The maximum length of a path, in parts that are not too long.
    let path = "é".repeat(120) + "/" + &"dir/".repeat(195) + "abc";
    assert_eq!(path.len(), MAX_PATH_BYTES);
    let files = [Resource::new(&path, "Found.")];
    let all = [Skill::from(Parts { name: "x", resources: &files, ..Parts::EMPTY })];
    let toolbox = Toolbox::new(SkillSet::new(&all));
    let read = |path: &str| alike(&toolbox, "read_skill_file", &[("skill", "x"), ("path", path)]);
    for path in [path.clone(), format!("./{path}")] {
        assert!(read(&path).contains("Found."), "{path}");
    }
    for more in ["x", "é", "🦀", &"/x".repeat(1_000)] {
        for long in [path.clone() + more, format!("./{path}{more}")] {
            assert!(read(&long).contains("a path cannot be longer than 1024 bytes"), "{more}");
        }
    }
    for path in ["../x", "a\\b", "", "\0", "nope"] {
        read(path);
    }
}

#[test]
fn queries_with_escapes_are_searched_alike() {
    let index = SKILLS.index(&IndexOptions::new());
    let toolbox = Toolbox::builder(SKILLS.with_index(&index))
        .search(SearchMode::ToolAndList)
        .build()
        .unwrap();
    for query in [
        "pdf",
        "read \"pdf\"",
        "é".repeat(600).as_str(),
        &("x".repeat(1_020) + " pdf 🦀 pdf"),
        &"pdf ".repeat(400),
    ] {
        alike(&toolbox, "search_skills", &[("query", query)]);
    }
}

#[test]
fn lines_with_escapes_are_numbers() {
    let toolbox = toolbox(Profile::Helix);
    for line in ["2", " 2 ", "+2", "02", "9"] {
        alike(
            &toolbox,
            "read_skill_file",
            &[("skill", "deploy"), ("path", "R&D.md"), ("startLine", line)],
        );
    }
    // A blank is not a digit.
    let long = escaped(&("2".to_owned() + &" ".repeat(64) + "0"));
    let json = format!(r#"{{"skill": "deploy", "path": "R&D.md", "startLine": {long}}}"#);
    let reply_text = toolbox.call("read_skill_file", &json).unwrap().to_string();
    assert!(
        reply_text.starts_with("the parameter `startLine` has to be a whole number from 1, not `"),
        "{reply_text}"
    );
}

#[test]
fn half_a_surrogate_pair_is_refused_where_text_is_needed() {
    let toolbox = toolbox(Profile::Agentick);
    let reply_text = |arguments: &str| toolbox.call("skill", arguments).unwrap().to_string();
    assert_eq!(
        reply_text(r#"{"name": "\ud800"}"#),
        "the parameter `name` has to be a string, not `\"\\ud800\"`"
    );
    assert_eq!(
        reply_text(r#"{"\ud800": 1, "name": "pdf"}"#),
        "cannot read the arguments: they have to be one JSON object"
    );
    let passed = reply_text(r#"{"name": "pdf", "why": "\ud800", "args": "\ud800"}"#);
    assert_eq!(passed, "Use `pdftotext`.\n\nARGUMENTS: \"\\ud800\"");
}

#[test]
fn deep_arguments_are_refused() {
    let call = |depth: usize| {
        let json =
            format!("{{\"name\": \"pdf\", \"x\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
        toolbox(Profile::Helix).call("load_skill", &json).unwrap().is_error()
    };
    assert_eq!((call(126), call(127)), (false, true));
}
