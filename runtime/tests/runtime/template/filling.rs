//! Filling of placeholders, variables and commands.

use super::filled;
use crate::features::set::toolbox;
use helix_skills_runtime::{
    __private::Parts, Arguments, Call, CommandForm, PartKind, Profile, Skill, SkillSet, Template,
    Toolbox, Variables,
};

/// Returns the answer of a toolbox with one skill, from the result or the message after it.
fn answer(
    profile: Profile,
    body: &str,
    names: &[&str],
    arguments: Option<Arguments<'_>>,
) -> String {
    let all = [Skill::from(Parts { name: "x", body, arguments: names, ..Parts::EMPTY })];
    let reply = Toolbox::builder(SkillSet::new(&all))
        .profile(profile)
        .build()
        .unwrap()
        .answer(Call::LoadSkill { name: "x", arguments });
    match reply.message() {
        Some(message) => {
            let text = message.to_string();
            let text = text.strip_prefix("<skill-context name=\"x\">\n").unwrap();
            text.strip_suffix("\n</skill-context>").unwrap().to_owned()
        }
        None => reply.to_string(),
    }
}

const WITH_TOOLS: [Profile; 3] = [Profile::SkillUse, Profile::Agentick, Profile::ClaudeCode];

#[test]
fn arguments_are_the_whole_text_as_typed() {
    for profile in WITH_TOOLS {
        let filled_text = answer(profile, "Do [$ARGUMENTS] now.", &[], Some("\"a b\"  c's".into()));
        assert_eq!(filled_text, "Do [\"a b\"  c's] now.");
        assert_eq!(answer(profile, "Do [$ARGUMENTS] now.", &[], None), "Do [] now.");
        assert_eq!(
            answer(profile, "$ARGUMENTS_X $ARGUMENTSX ${ARGUMENTS} $arguments", &[], None),
            "$ARGUMENTS_X $ARGUMENTSX ${ARGUMENTS} $arguments"
        );
    }
}

#[test]
fn indexes_count_from_0() {
    for profile in WITH_TOOLS {
        let filled_text = answer(
            profile,
            "$0, $1, $ARGUMENTS[0], $2, $10, $1st",
            &[],
            Some("main 'the branch'".into()),
        );
        let filled_text = filled_text.split("\n\n").next().unwrap();
        assert_eq!(filled_text, "main, the branch, main, $2, $10, $1st");
        assert_eq!(answer(profile, "$0", &[], None), "$0");
    }
    let of = |profile| filled(profile, "$ARGUMENTS[5] $01", &[], "a b".into());
    assert_eq!(of(Profile::Helix), "$ARGUMENTS[5] $01");
    assert_eq!(of(Profile::Agentick), "a b[5] b");
}

#[test]
fn skill_dir_is_the_directory_of_the_skill() {
    let body = "Run ${SKILL_DIR}/scripts/run.sh, ${CLAUDE_SKILL_DIR}, ${skill_dir}, ${HOME:-x}.";
    let all = [Skill::from(Parts { name: "x", body, ..Parts::EMPTY })];
    for profile in WITH_TOOLS {
        assert_eq!(answer(profile, body, &[], None), body, "a baked skill has none");
        let toolbox = Toolbox::builder(SkillSet::new(&all))
            .profile(profile)
            .at("/srv/skills/")
            .build()
            .unwrap();
        let reply = toolbox.load_skill("x").unwrap();
        let filled_text =
            reply.message().map_or_else(|| reply.to_string(), |message| message.to_string());
        assert!(
            filled_text.contains(
                "Run /srv/skills/x/scripts/run.sh, /srv/skills/x, ${skill_dir}, ${HOME:-x}."
            ),
            "{filled_text}"
        );
    }
}

#[test]
fn helix_bodies_without_arguments_are_unchanged() {
    let body = "It costs \\$1.00. $ARGUMENTS ${SKILL_DIR} !`date`";
    for profile in [Profile::Helix, Profile::DeerFlow, Profile::DeepAgents] {
        assert!(answer(profile, body, &[], None).contains(body));
        let filled_text = answer(profile, body, &[], Some("now".into()));
        assert!(
            filled_text.contains(&format!("{body}\n\nARGUMENTS: now\n</skill>")),
            "{filled_text}"
        );
    }
}

#[test]
fn objects_are_json_and_texts_are_unchanged() {
    let json = |json| Arguments::json(json).unwrap();
    for (arguments, text) in [
        (json(r#"{ "b": 1,  "a": [ "x y", null ] }"#), r#"{"b":1,"a":["x y",null]}"#),
        (json(r#"["a \" ] ,", {"c" : "d  e"}]"#), r#"["a \" ] ,",{"c":"d  e"}]"#),
        (json(r#""fix \"it\"""#), "fix \"it\""),
        (json("7"), "7"),
        (json("true"), "true"),
        (json("null"), ""),
        (json("{ }"), ""),
        ("fix  it".into(), "fix  it"),
        (Arguments::NONE, ""),
    ] {
        assert_eq!(filled(Profile::Agentick, "[$ARGUMENTS]", &[], arguments), format!("[{text}]"));
        assert_eq!(filled(Profile::Helix, "[$ARGUMENTS]", &[], arguments), format!("[{text}]"));
    }
    let filled_text = toolbox(Profile::Agentick)
        .call("skill", r#"{"name": "pdf", "args": {"b": 1, "a": 2}}"#)
        .unwrap();
    assert!(filled_text.to_string().ends_with("\n\nARGUMENTS: {\"b\":1,\"a\":2}"), "{filled_text}");
}

#[test]
fn indexes_count_names_keys_items_or_tokens() {
    let json = |json| Arguments::json(json).unwrap();
    for profile in [Profile::Helix, Profile::Agentick] {
        let of = |names: &[&str], arguments| filled(profile, "[$0] [$1] [$2]", names, arguments);
        let object = json(r#"{"b": 1, "a": {"k": "v"}}"#);
        assert_eq!(of(&["a", "b"], object), "[{\"k\":\"v\"}] [1] [$2]");
        assert_eq!(of(&["c", "b"], object), "[] [1] [$2]");
        assert_eq!(of(&[], object), "[1] [{\"k\":\"v\"}] [$2]");
        assert_eq!(of(&["a"], json(r#"["x y", null]"#)), "[x y] [] [$2]");
        assert_eq!(of(&["a"], json("7")), "[7] [$1] [$2]");
        assert_eq!(of(&["a"], json(r#""x 'y z'""#)), "[x] [y z] [$2]");
        assert_eq!(of(&["a"], "x 'y z'".into()), "[x] [y z] [$2]");
    }
}

#[test]
fn names_are_declared_or_keys_of_an_object() {
    let names = ["issue", "to"];
    let body = "$issue-number $issues $to $HOME $наме";
    let text = |profile, arguments| {
        filled(profile, body, &names, arguments).split("\n\n").next().unwrap().to_owned()
    };
    assert_eq!(text(Profile::Helix, "42".into()), "42-number $issues  $HOME $наме");
    assert_eq!(text(Profile::Agentick, "42".into()), "$issue-number $issues $to $HOME $наме");
    assert_eq!(text(Profile::ClaudeCode, "42".into()), "42-number $issues  $HOME $наме");
    assert_eq!(text(Profile::Helix, Arguments::NONE), body);
    assert_eq!(text(Profile::ClaudeCode, Arguments::NONE), "-number $issues  $HOME $наме");
    let object = Arguments::json(r#"{"issue": 1, "issue-number": 2, "HOME": null}"#).unwrap();
    assert_eq!(text(Profile::Helix, object), "2 $issues   $наме");
    assert_eq!(text(Profile::Agentick, object), "2 $issues $to  $наме");
    assert_eq!(text(Profile::ClaudeCode, object), "1-number $issues  $HOME $наме");
    let long = "x".repeat(65);
    assert_eq!(
        filled(Profile::Helix, &format!("${long} $0"), &[&long], "a".into()),
        format!("${long} a")
    );
}

#[test]
fn backslashes_escape_placeholders() {
    let of = |profile| {
        filled(
            profile,
            r"\$0 \\$0 \\\$0 \$who \$HOME \$ARGUMENTS[0] \$5st \${SKILL_DIR}",
            &["who"],
            "a b".into(),
        )
    };
    assert_eq!(of(Profile::Helix), r"$0 \\a \\$0 $who \$HOME $ARGUMENTS[0] \$5st \${SKILL_DIR}");
    assert_eq!(of(Profile::Agentick), r"\a \\a \\\a \a \$HOME \a \$5st \${SKILL_DIR}");
}

#[test]
fn variables_have_the_names_of_every_system() {
    let known = Variables::new()
        .skill_directory("/s p")
        .session("42")
        .project_directory("/p")
        .set("CLAUDE_EFFORT", "$0")
        .set("SKILL_DIR", "mine");
    let body = "${AGENTICK_SKILL_DIR} ${CLAUDE_SKILL_DIR} ${SKILL_DIR} ${AGENTICK_SESSION_ID} ${CLAUDE_SESSION_ID} \
                ${CLAUDE_PROJECT_DIR} ${CLAUDE_EFFORT} ${PATH} ${1X} ${} ${a}";
    let text = Template::new(body).fill(Arguments::NONE, &known);
    assert_eq!(text, "/s p /s p mine 42 42 /p $0 ${PATH} ${1X} ${} ${a}");
}

#[test]
fn unused_arguments_follow_the_body() {
    for (profile, body, follow) in [
        (Profile::Agentick, "Fix it.", true),
        (Profile::Agentick, "Fix $who.", true),
        (Profile::Agentick, "Fix $7.", false),
        (Profile::Agentick, "Fix $ARGUMENTS[7].", false),
        (Profile::Agentick, "Fix !`echo $ARGUMENTS`.", false),
        (Profile::Agentick, r"Fix \$0.", false),
        (Profile::SkillUse, r"Fix \$0.", true),
        (Profile::ClaudeCode, "Fix $0.", true),
        (Profile::ClaudeCode, "Fix $ARGUMENTS[0].", false),
    ] {
        let filled_text = answer(profile, body, &["who"], Some("a  b".into()));
        assert_eq!(
            filled_text.ends_with("\n\nARGUMENTS: a  b"),
            follow,
            "{profile:?} {body}: {filled_text}"
        );
        for empty in [None, Some(" ".into()), Some(Arguments::json("{}").unwrap())] {
            assert!(!answer(profile, body, &["who"], empty).contains("ARGUMENTS: "));
        }
    }
    assert_eq!(filled(Profile::Helix, "Fix $0.", &[], "a b".into()), "Fix a.");
    assert_eq!(filled(Profile::Helix, "Fix it.", &[], "a b".into()), "Fix it.\n\nARGUMENTS: a b");
}

#[test]
fn inline_commands_follow_a_line_start_or_white_space() {
    let body = "!`a` x !`b $0`\n\u{a0}!`c`\n(!`no`) KEY=!`no` \\!`no` ! `no` !`` !``no`` !`no\nno`";
    let found: Vec<_> = Template::new(body)
        .parts()
        .filter(|part| part.kind() == PartKind::Command(CommandForm::Inline))
        .map(|part| (part.at(), part.source(), part.command().unwrap()))
        .collect();
    assert_eq!(found, [(0, "!`a`", "a"), (7, "!`b $0`", "b $0"), (17, "!`c`", "c")]);
}

#[test]
fn command_blocks_are_between_fences() {
    let body = "```!\na\n  b $0\n```  \nx\n```! \t\r\nc\r\n```\r\n ```!\nno\n ```\n```!\n```\n```!bash\nno\n```\n````!\nno\n````\n```!\nno";
    let found = |profile| -> Vec<_> {
        let parts = Template::new(body).profile(profile).parts();
        parts.filter_map(|part| Some((part.command()?, part.source()))).collect()
    };
    assert_eq!(
        found(Profile::Helix),
        [("a\n  b $0", "```!\na\n  b $0\n```  "), ("c", "```! \t\r\nc\r\n```")]
    );
    // There, a closing fence may not be followed by white space.
    let long = "a\n  b $0\n```  \nx\n```! \t\r\nc";
    assert_eq!(found(Profile::Agentick), [(long, &*format!("```!\n{long}\r\n```"))]);
}

#[test]
fn placeholders_are_filled_before_commands_run() {
    let body = "a !`one $0` b\n```!\ntwo ${SKILL_DIR}\n```\nc $0 !`three`";
    let known = Variables::new().skill_directory("/it's");
    let template = Template::new(body).bind("'x y' $0".into(), &known);
    let texts = template.command_texts().unwrap();
    let commands: Vec<_> = template.commands().iter().map(|c| c.at).zip(texts).collect();
    assert_eq!(
        commands,
        [
            (2, "SKILL_VALUE_1='x y'\none \"${SKILL_VALUE_1}\"".to_owned()),
            (14, "SKILL_VALUE_1='/it'\\''s'\ntwo \"${SKILL_VALUE_1}\"".to_owned()),
            (45, "three".to_owned())
        ]
    );
    let text = template.with_outputs(&["1 $0 !`date`\r\n", "2\n2\n", "</skill>\n\n"]);
    assert_eq!(text.to_string(), "a 1 $0 !`date` b\n2\n2\n\nc x y &lt;/skill>\n");
    assert_eq!(text.len(), text.to_string().len());
}

#[test]
fn parts_concatenate_to_the_body() {
    let body = "é $0 \\$1 $x ${Y} !`a $0 b`\n```!\n$1\n```\nend";
    for profile in Profile::ALL {
        let parts: Vec<_> = Template::new(body).profile(profile).parts().collect();
        assert_eq!(parts.iter().map(|part| part.source()).collect::<String>(), body);
        for part in parts {
            assert_eq!(&body[part.at()..][..part.source().len()], part.source());
            let inner: Vec<_> = part.parts().collect();
            assert_eq!(
                inner.iter().map(|part| part.source()).collect::<String>(),
                part.command().unwrap_or_default()
            );
            assert!(
                inner
                    .iter()
                    .all(|inner| &body[inner.at()..][..inner.source().len()] == inner.source())
            );
        }
    }
}
