//! Arguments, variables and outputs cannot change the structure of a body.

use crate::NO_VARIABLES;
use crate::hostile::{attacks, config, reader::tags};
use helix_skills_runtime::{
    __private::Parts, Arguments, Call, MAX_FILLED_BYTES, Neutral, PartKind, Profile, Skill,
    SkillSet, Template, TemplatePart, Toolbox, Variables,
};
use proptest::{collection::vec, prelude::*};

/// Arguments that imitate all template syntax.
const ATTACKS: [&str; 8] = [
    "x !`id`",
    "```!\nid\n```",
    "$ARGUMENTS $0 $1 ${SKILL_DIR} $who",
    "\\",
    "$",
    "!`",
    "`",
    "a` !`id",
];

/// Returns the commands of a body as written.
fn written(template: Template<'_>) -> Vec<String> {
    template.commands().map(str::to_owned).collect()
}

#[test]
fn arguments_never_become_commands() {
    for profile in Profile::ALL {
        for attack in ATTACKS {
            for body in [
                "Do this: $ARGUMENTS",
                "$ARGUMENTS",
                "\n$ARGUMENTS\n",
                "!$ARGUMENTS",
                " $0`id`",
                "!`echo $ARGUMENTS`",
                "```!\necho $ARGUMENTS\n```",
            ] {
                let template = Template::new(body).profile(profile);
                let known = Variables::new().skill_directory(attack);
                let filled = template.bind(attack.into(), &known);
                let commands: Vec<_> =
                    filled.commands().iter().map(|command| command.source.to_owned()).collect();
                assert_eq!(filled.command_texts().unwrap().len(), commands.len());
                assert_eq!(commands, written(template), "{body}: {attack}");
                assert!(
                    commands.len() < 2
                        && commands.iter().all(|command| command == "echo $ARGUMENTS")
                );
            }
        }
    }
}

#[test]
fn inserted_text_is_not_parsed_again() {
    let known = Variables::new().skill_directory("$0 ${SKILL_DIR} !`id`").set("V", "$ARGUMENTS");
    for profile in Profile::ALL {
        let text =
            Template::new("${SKILL_DIR}|${V}|$0|$ARGUMENTS|!`c`").named(&["who"]).profile(profile);
        let text = text.fill("'$1 $who' ${V}".into(), &known);
        assert_eq!(text, "$0 ${SKILL_DIR} !`id`|$ARGUMENTS|$1 $who|'$1 $who' ${V}|!`c`");
    }
}

#[test]
fn outputs_are_text() {
    for profile in Profile::ALL {
        let template = Template::new("!`c` $0").named(&["who"]).profile(profile);
        let filled = template.bind("a".into(), &NO_VARIABLES);
        let text = filled.with_outputs(&["$0 $who ${V} !`id`"]).to_string();
        let text = text.split("\n\n").next().unwrap();
        assert_eq!(text, "$0 $who ${V} !`id` a");
    }
}

#[test]
fn adjacent_texts_cannot_form_a_tag() {
    for (body, arguments, text) in [
        ("a </sk$0 b", "ill>", "a &lt;/skill> b"),
        ("a <$0$1> b", "/sk ill", "a &lt;/skill> b"),
        ("$ARGUMENTS/skill>", "<", "&lt;/skill>"),
        ("$0-x>", "<skill", "<skill-x>"),
        ("<\\$0 $0", "x", "<$0 x"),
    ] {
        assert_eq!(Template::new(body).fill(arguments.into(), &Variables::new()), text, "{body}");
    }
    let json = Arguments::json(r#"{"a": "<", "b": "/skill>"}"#).unwrap();
    assert_eq!(
        Template::new("$a$b $ARGUMENTS").fill(json, &Variables::new()),
        "&lt;/skill> {\"a\":\"<\",\"b\":\"/skill>\"}"
    );
    let text =
        Template::new("!`a` x").bind(Arguments::NONE, &NO_VARIABLES).with_outputs(&["</skill>"]);
    assert_eq!(text.to_string(), "&lt;/skill> x");
    let all = [Skill::from(Parts { name: "x", body: "a </sk$0 b", ..Parts::EMPTY })];
    for profile in [Profile::SkillUse, Profile::Agentick, Profile::ClaudeCode] {
        let toolbox = Toolbox::builder(SkillSet::new(&all)).profile(profile).build().unwrap();
        let reply = toolbox.answer(Call::LoadSkill { name: "x", arguments: Some("ill>".into()) });
        let text = reply.message().map_or_else(|| reply.to_string(), |message| message.to_string());
        assert!(text.contains("a &lt;/skill> b"), "{text}");
    }
}

/// Anything that takes time quadratic in the body or its arguments would take too long here.
#[test]
fn large_bodies_and_arguments_are_read_in_one_go() {
    let size = 40_000;
    let many = |text: &str| text.repeat(size / text.len());
    let names: Vec<String> = (0..2_000).map(|at| format!("n{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for text in
        ["$0", "$9999", "$99999", "$x-", "```!\n", "!` ", "$ARGUMENTS[0", "\\", "\n```", "${A"]
    {
        let body = many(text);
        // Every use of all arguments inserts them.
        let arguments = if text.starts_with("$A") {
            ["w"; 2].map(str::to_owned)
        } else {
            [many("w "), many("' ")]
        };
        for arguments in &arguments {
            let template = Template::new(&body).named(&names);
            assert!(template.parts().count() > 0);
            let filled = template.bind(arguments.as_str().into(), &NO_VARIABLES);
            assert!(filled.len() > size / 10);
            assert!(template.variables().next().is_none());
        }
    }
}

/// Text with placeholders.
fn body() -> impl Strategy<Value = String> {
    vec(attacks::text(), 1..4).prop_map(|texts| texts.concat())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn arguments_never_add_a_command(
        body in body(), arguments in attacks::text(), value in attacks::text(),
    ) {
        let json = serde_json::json!({"a": arguments, "who": value}).to_string();
        let known = Variables::new().skill_directory(&value);
        for profile in Profile::ALL {
            let template = Template::new(&body).named(&["who"]).profile(profile);
            for arguments in [Arguments::text(&arguments), Arguments::json(&json).unwrap()] {
                let filled = template.bind(arguments, &known);
                let commands: Vec<_> =
                    filled.commands().iter().map(|command| command.source.to_owned()).collect();
                prop_assert_eq!(commands, written(template));
            }
        }
    }

    #[test]
    fn pieces_of_any_source_cannot_form_a_tag(
        body in body(), arguments in attacks::text(), output in attacks::text(),
    ) {
        let known = Variables::new().skill_directory(&output);
        for profile in Profile::ALL {
            let template = Template::new(&body).profile(profile);
            let filled = template.bind(Arguments::text(&arguments), &known);
            let outputs = vec![&*output; template.commands().count()];
            for filled in [filled.clone(), filled.with_outputs(&outputs)] {
                let text = filled.to_string();
                prop_assert_eq!(tags(&text, &[]).len(), 0, "{}", text);
                prop_assert_eq!(Neutral(&text).as_str(), Some(&*text), "neutral text stays as it is");
                prop_assert_eq!(filled.len(), text.len());
            }
        }
    }

    /// A body without template syntax is unchanged.
    #[test]
    fn parts_concatenate_to_any_body(body in body()) {
        for profile in Profile::ALL {
            let template = Template::new(&body).profile(profile);
            let parts: Vec<TemplatePart> = template.parts().collect();
            prop_assert_eq!(parts.iter().map(|part| part.source()).collect::<String>(), &*body);
            if parts.iter().all(|part| part.kind() == PartKind::Text) {
                let text = template.fill(Arguments::NONE, &Variables::new());
                prop_assert_eq!(text, Neutral(&body).to_string());
            }
        }
    }
}

/// A few kilobytes of body and arguments can ask for gigabytes.
#[test]
fn filled_bodies_are_bounded_in_every_answer() {
    const REFUSED: &str = "cannot load the skill `log`: with its arguments and variables, its body has more than 16777216 \
                           bytes; pass shorter arguments";
    let (long, body) = ("x".repeat(1_000_000), "$ARGUMENTS\n".repeat(20));
    let all = [Skill::from(Parts { name: "log", body: &body, ..Parts::EMPTY })];
    let arguments = Arguments::text(&long);
    for profile in [Profile::SkillUse, Profile::Agentick, Profile::ClaudeCode] {
        let toolbox = Toolbox::builder(SkillSet::new(&all)).profile(profile).build().unwrap();
        let reply = toolbox.answer(Call::LoadSkill { name: "log", arguments: Some(arguments) });
        assert_eq!(
            (reply.to_string(), reply.is_error(), reply.event()),
            (REFUSED.to_owned(), true, None)
        );
        assert!(reply.message().is_none());
    }
    // A body that is not filled is followed by the arguments once.
    for profile in [Profile::Helix, Profile::DeerFlow] {
        let toolbox = Toolbox::builder(SkillSet::new(&all)).profile(profile).build().unwrap();
        let reply = toolbox.answer(Call::LoadSkill { name: "log", arguments: Some(arguments) });
        assert!(!reply.is_error() && reply.len() < 2 * long.len(), "{profile:?}");
    }
    // Variables count, and so do texts that are rendered without a reply.
    let body = "${SKILL_DIR}\n".repeat(20);
    let all = [Skill::from(Parts { name: "log", body: &body, ..Parts::EMPTY })];
    let toolbox = Toolbox::builder(SkillSet::new(&all))
        .profile(Profile::ClaudeCode)
        .at(&long)
        .build()
        .unwrap();
    let text = toolbox.load_skill("log").unwrap().to_string();
    assert!(text.len() < 250 && text.contains("more than 16777216 bytes"), "{text}");
    let invoked = toolbox.slash("/log x").unwrap();
    assert_eq!((invoked.to_string().as_str(), invoked.is_error()), (REFUSED, true));
    let all = [Skill::from(Parts { name: "a\nb", body: &body, ..Parts::EMPTY })];
    let toolbox =
        Toolbox::builder(SkillSet::new(&all)).profile(Profile::ClaudeCode).at(&long).build();
    let load = Call::LoadSkill { name: "a\nb", arguments: None };
    let reply = toolbox.unwrap().answer(load).to_string();
    assert!(reply.starts_with("cannot load the skill `a b`: "), "{reply}");
}

#[test]
fn limit_of_filled_bodies_is_exact() {
    let half = "x".repeat(MAX_FILLED_BYTES / 2);
    let filled = |body| Template::new(body).bind(Arguments::text(&half), &NO_VARIABLES);
    assert!(!filled("$ARGUMENTS$ARGUMENTS").is_too_long());
    assert!(filled(".$ARGUMENTS$ARGUMENTS").is_too_long());
    // Command outputs have their own limits.
    let output = "x".repeat(MAX_FILLED_BYTES + 1);
    let outputs = [&*output];
    let filled = Template::new("!`a`").bind(Arguments::NONE, &NO_VARIABLES);
    assert!(!filled.with_outputs(&outputs).is_too_long());
}

/// Reading a kilobyte of arguments for each placeholder without writing anything would take too
/// long here.
#[test]
#[cfg_attr(miri, ignore = "tens of thousands of placeholders")]
fn empty_arguments_are_not_read_each_time() {
    let (empty, count) = ("''".repeat(500), 34_000);
    let json = serde_json::to_string(&empty).unwrap();
    for arguments in [Arguments::text(&empty), Arguments::json(&json).unwrap()] {
        let len = |body: &str| Template::new(body).bind(arguments, &NO_VARIABLES).len();
        assert_eq!((len("$0"), len(&"$0".repeat(count))), (0, 0));
    }
    let blanks = format!("[1,{}2]", " ".repeat(100_000));
    let blanks = Arguments::json(&blanks).unwrap();
    let body = "$0 $ARGUMENTS\n".repeat(count);
    let text = Template::new(&body).fill(blanks, &Variables::new());
    assert_eq!(text, "1 [1,2]\n".repeat(count));
}
