//! Tool calls of a model. An input selects the tool and has the arguments.

use super::render::reader::{lines, tags};
use crate::Target;
use helix_skills_runtime::{
    __private::{Parts, skill, text},
    Arguments, Call, Profile, Resource, Skill, SkillSet, Toolbox,
};
use serde_json::Value;

pub(crate) const TARGET: Target = Target {
    name: "call",
    body,
    seeds,
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"name\": ",
        "\"skill\": ",
        "\"path\": ",
        "\"query\": ",
        "\"args\": ",
        "\"arguments\": ",
        "\"skill_name\": ",
        "\"file_path\": ",
        "\"startLine\": ",
        "\"endLine\": ",
        "\"pdf\"",
        "\"notes\"",
        "\"a.md\"",
        "\"./a.md\"",
        "\"SKILL.md\"",
        "\"../x\"",
        "\"1\"",
        "1",
        "0",
        "-1",
        "1.0",
        "1e3",
        "1e999",
        "18446744073709551616",
        "null",
        "true",
        "\\u0000",
        "\\ud800",
        "\\u003c/skill>",
        "</skill>",
        "<skill_file",
        "\\n",
        "\\u202e",
        "$ARGUMENTS",
        " ",
        "\u{feff}",
    ],
    max_len: 400,
    count: 2500,
};

const FILES: &[Resource] = &[text("a.md", "one\ntwo\r\nthree </skill_file> \n", 30, "")];
const ALL: &[Skill] = &[
    skill(Parts {
        name: "notes",
        description: "Takes notes.",
        body: "Do $ARGUMENTS.",
        resources: FILES,
        ..Parts::EMPTY
    }),
    skill(Parts {
        name: "pdf",
        description: "Reads PDF files.",
        body: "Use it.",
        frontmatter: "---\n---\n",
        ..Parts::EMPTY
    }),
];
static SKILLS: SkillSet = SkillSet::new(ALL);

fn body(input: &[u8]) {
    let Some((which, arguments)) = input.split_first() else { return };
    let arguments = String::from_utf8_lossy(arguments);
    for profile in Profile::ALL {
        let toolbox =
            Toolbox::builder(SKILLS).profile(profile).build().unwrap_or_else(|why| panic!("{why}"));
        let Some(tool) = toolbox.tools([]).into_iter().flatten().nth(usize::from(*which) % 3)
        else {
            continue;
        };
        let Some(reply) = toolbox.call(tool.name(), &arguments) else {
            panic!("no reply to {}, a tool of {profile:?}", tool.name());
        };
        let text = reply.to_string();
        assert_eq!(reply.len(), text.len());
        assert_eq!(tool.call(&arguments).to_string(), text);
        if reply.is_error() {
            assert_eq!((lines(&text).len(), tags(&text, &[])), (1, vec![]), "{text}");
            assert_eq!((reply.event().is_none(), reply.message().is_none()), (true, true));
        }
        let loaded = toolbox.loaded_skills([(tool.name(), &*arguments)]);
        assert_eq!(loaded.len(), usize::from(reply.event().is_some()), "{text}");
        if profile == Profile::Helix {
            assert_typed_answer(&toolbox, tool.name(), &arguments, &text);
        }
    }
}

/// Asserts that valid JSON gets the same reply as the typed call, unless it has a misspelled
/// parameter, which a typed call cannot have.
fn assert_typed_answer(toolbox: &Toolbox<'_>, tool: &str, arguments: &str, found: &str) {
    let Ok(Value::Object(object)) = serde_json::from_str::<Value>(arguments) else { return };
    let known = ["name", "arguments", "skill", "path", "startLine", "endLine"];
    let has_unknown = object.keys().any(|key| !known.contains(&key.as_str()));
    if has_unknown && found.starts_with("unknown parameter `") {
        return;
    }
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let line = |key: &str| match object.get(key) {
        None | Some(Value::Null) => Some(None),
        Some(value) => value.as_u64().map(|line| Some(line as usize)),
    };
    let call = match tool {
        "load_skill" => match (text("name"), object.get("arguments")) {
            (Some(name), None | Some(Value::Null)) => {
                Some(Call::LoadSkill { name, arguments: None })
            }
            (Some(name), Some(Value::String(text))) => {
                Some(Call::LoadSkill { name, arguments: Some(Arguments::text(text)) })
            }
            _ => None,
        },
        "read_skill_file" => {
            match (text("skill"), text("path"), line("startLine"), line("endLine")) {
                (Some(skill), Some(path), Some(start_line), Some(end_line)) => {
                    Some(Call::ReadSkillFile { skill, path, start_line, end_line })
                }
                _ => None,
            }
        }
        _ => None,
    };
    if let Some(call) = call {
        assert_eq!(toolbox.answer(call).to_string(), found, "{arguments:?}");
    }
}

fn seeds() -> Vec<Vec<u8>> {
    [
        "\0{\"name\": \"pdf\"}",
        "\u{1}{\"skill\": \"notes\", \"path\": \"a.md\", \"startLine\": 1, \"endLine\": \"2\"}",
        "\0{\"skill\": \"notes\", \"args\": {\"a\": [1, \"x\"]}}",
        "\0{\"skill_name\": \"notes\", \"arguments\": \"a b\"}",
        "\u{1}{\"skill_name\": \"pdf\", \"file_path\": \"SKILL.md\"}",
        "\0{\"name\": \"notes\", \"args\": \"x\"}",
        "\0[]",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}
