//! JSON arguments of templates, decoded while they are written.

use super::escaped;
use crate::NO_VARIABLES;
use crate::{
    hostile::{attacks, config},
    template::filled,
};
use helix_skills_runtime::{Arguments, Profile, Template, Variables};
use proptest::{collection::vec, prelude::*};

const BODY: &str = "[$0] [$1] [$2] [$a] [$b-$c] !`x $0 \"$1\"`\n$ARGUMENTS[1]";

fn fill(body: &str, json: &str) -> String {
    Template::new(body).fill(Arguments::json(json).unwrap(), &Variables::new())
}

/// Returns the filled text and its commands.
fn texts(
    template: Template<'_>,
    arguments: Arguments<'_>,
) -> (String, Result<Vec<String>, String>) {
    let filled = template.bind(arguments, &NO_VARIABLES);
    (filled.to_string(), filled.command_texts().map_err(|error| error.to_string()))
}

#[test]
fn escapes_in_arguments_are_decoded() {
    for (body, json, text) in [
        ("$0|$1", r#""a\u0020\"b\tc\"""#, "a|b\tc"),
        ("$0|$1|$2", r#""'it\u0027 \\\\ x\\ y""#, "it|\\|x y"),
        ("$0", r#""\u00e9\ud83e\udd80\n""#, "é🦀"),
        ("$ARGUMENTS", r#""\u00e9\ud83e\udd80\n""#, "é🦀\n"),
        ("$0 $1", r#"["\u0061\/", {"k": "\u0061"}]"#, r#"a/ {"k":"\u0061"}"#),
        ("$a $b $0", r#"{"\u0061": "\"", "b": "\\"}"#, "\" \\ \""),
        (
            "!`echo $0`",
            r#"["it\u0027s '"]"#,
            "!`SKILL_VALUE_1='it'\\''s '\\'''; echo \"${SKILL_VALUE_1}\"`",
        ),
        ("$0", r#"["\u003c/skill>"]"#, "&lt;/skill>"),
        ("$0$1", r#"["\u003c", "/\u0073kill>"]"#, "&lt;/skill>"),
        ("<$0>", r#"["\u002fskill"]"#, "&lt;/skill>"),
    ] {
        assert_eq!(fill(body, json), text, "{json}");
    }
}

#[test]
fn last_of_two_equal_keys_wins_at_its_position() {
    let json = r#"{"a": 1, "b": 2, "\u0061": 3, "c": 4}"#;
    assert_eq!(fill("$a $b $c: $0 $1 $2 $3", json), "3 2 4: 2 3 4 $3");
}

#[test]
fn many_items_are_found_by_their_index() {
    let item = |at: usize| {
        if at.is_multiple_of(3) { format!("\"\\u0069{at}\"") } else { format!("[ {at} ]") }
    };
    let text = |at: usize| if at.is_multiple_of(3) { format!("i{at}") } else { format!("[{at}]") };
    for count in [1, 127, 128, 129, 300] {
        let json = format!("[{}]", (0..count).map(item).collect::<Vec<_>>().join(" , "));
        for at in [0, 1, 126, 127, 128, 129, 298, 299] {
            let expected = if at < count { text(at) } else { format!("${at}") };
            assert_eq!(fill(&format!("${at}"), &json), expected, "{count}");
        }
    }
}

#[test]
fn values_of_objects_with_many_keys_are_found() {
    let object = |keys: usize| {
        let members: Vec<_> = (0..keys).map(|at| format!("\"k{at}\": {at}")).collect();
        format!("{{{}}}", members.join(", "))
    };
    let many = object(300);
    assert_eq!(fill("$k299 $0 $299 $300", &many), "299 0 299 $300");
    // A repeated key is one key, at its last position.
    let twice = many.replace("k299", "k0");
    assert_eq!(fill("$k0 $0 $298 $299", &twice), "299 1 299 $299");
}

/// Walking over all items, or all white space, for each placeholder would take too long here.
#[test]
#[cfg_attr(miri, ignore = "tens of thousands of placeholders")]
fn long_arguments_are_read_once() {
    let many = format!("[{}\"\"]", "\"\",".repeat(100_000));
    let body = "$0".to_owned() + &"$100000".repeat(10_000);
    assert_eq!(fill(&body, &many), "");
    let blanks = format!("[{}1]", format!("1,{}", " ".repeat(63)).repeat(2_000));
    let dense = blanks.replace(' ', "");
    let uses = 1_000;
    assert_eq!(fill(&"$ARGUMENTS".repeat(uses), &blanks).len(), dense.len() * uses);
}

/// Reading a value that is not written, each time a body names it, would take too long here.
#[test]
#[cfg_attr(miri, ignore = "a value of a megabyte")]
fn lookups_read_no_values() {
    let json = format!(r#"{{"a": "{}"}}"#, "\\u0061".repeat(1 << 18));
    let arguments = Arguments::json(&json).unwrap();
    let escaped = "\\$a ".repeat(20_000);
    let template = Template::new(&escaped).bind(arguments, &NO_VARIABLES);
    assert!(template.to_string().starts_with(&escaped.replace('\\', "")));
    let commands = "!`echo $a`\n".repeat(20_000);
    assert_eq!(Template::new(&commands).bind(arguments, &NO_VARIABLES).commands().len(), 20_000);
}

#[test]
fn long_white_space_is_skipped() {
    for count in [1, 63, 64, 65, 1_000_usize] {
        for runs in [1, 15, 16, 17, 40] {
            let blank = &" \t\r\n".repeat(count)[..count];
            let items = format!("1{blank},{blank}").repeat(runs);
            let json = format!("[{blank}{items}{{{blank}\"a b\"{blank}:{blank}\"\\\"  \"}}]");
            let last = r#"{"a b":"\"  "}"#;
            assert_eq!(fill("$ARGUMENTS", &json), format!("[{}{last}]", "1,".repeat(runs)));
            assert_eq!(fill(&format!("$0 ${runs}"), &json), format!("1 {last}"));
        }
    }
}

proptest! {
    #![proptest_config(config(400))]

    /// A string with escapes is split, quoted and neutralized like the text that it stands for.
    #[test]
    fn escaped_strings_are_equal_to_their_text(body in attacks::text(), text in attacks::text()) {
        for profile in Profile::ALL {
            for body in [BODY, &*body] {
                let template = Template::new(body).named(&["a", "b"]).profile(profile);
                let expected = texts(template, Arguments::text(&text));
                for json in [escaped(&text), serde_json::to_string(&text).unwrap()] {
                    prop_assert_eq!(&texts(template, Arguments::json(&json).unwrap()), &expected);
                }
            }
        }
    }

    /// The parts of an array or object do not depend on how its strings and white space are
    /// written.
    #[test]
    fn escapes_and_white_space_do_not_change_parts(
        texts in vec(attacks::text(), 1..4), keys in vec("[abc]{1,2}", 1..4), numbers in vec(any::<i32>(), 1..4),
    ) {
        let body = BODY.split("$ARGUMENTS").next().unwrap();
        let plain = |text: &str| serde_json::to_string(text).unwrap();
        let array = |string: &dyn Fn(&str) -> String, blank: &str| {
            let items: Vec<_> = texts.iter().map(|text| string(text)).chain(numbers.iter().map(|n| format!("[{blank}{n}{blank}]"))).collect();
            format!("{blank}[{}]", items.join(&format!("{blank},{blank}")))
        };
        let object = |string: &dyn Fn(&str) -> String, blank: &str| {
            let members: Vec<_> = keys.iter().zip(&texts).map(|(key, text)| format!("{}{blank}:{blank}{}", string(key), string(text))).collect();
            format!("{{{}}}", members.join(&format!("{blank},{blank}")))
        };
        for (expected, others) in [
            (array(&plain, ""), [array(&escaped, " "), array(&plain, "\n\t"), array(&escaped, &" ".repeat(70))]),
            (object(&plain, ""), [object(&escaped, " "), object(&plain, "\n\t"), object(&escaped, &" ".repeat(70))]),
        ] {
            for other in others {
                for profile in Profile::ALL {
                    let fill = |json: &str| filled(profile, body, &["b"], Arguments::json(json).unwrap());
                    let (found, expected) = (fill(&other), fill(&expected));
                    // The text after the body is the source of the arguments.
                    prop_assert_eq!(found.split("\n\nARGUMENTS").next(), expected.split("\n\nARGUMENTS").next());
                }
            }
        }
    }
}
