//! Hostile frontmatter, which is rejected before it becomes expensive. No test asserts a time; a
//! slow one would be noticed.

use helix_skills_format::{Code, Finding, SkillMd};

fn refused(yaml: &str) -> Vec<Code> {
    let text = format!("---\nname: a\ndescription: b\n{yaml}\n---\nBody\n");
    refused_text(&text)
}

fn refused_text(text: &str) -> Vec<Code> {
    let errors: Vec<Finding> = SkillMd::parse(text, Some("a"), "SKILL.md")
        .err()
        .unwrap_or_else(|| panic!("it was accepted: {text:.80}"));
    assert!(errors.len() <= 16, "{}", errors.len());
    assert!(errors.iter().all(|e| e.at.is_some() && e.message.len() < 400));
    errors.iter().map(|e| e.code).collect()
}

/// Size of a text that fits between the fences together with name and description.
const FITS: usize = 65_000;

#[test]
fn nesting_is_refused_by_depth() {
    for unit in ["[", "{", "{a: ", "[[", "- ", "? ", "? - ", "[{a: "] {
        for bytes in [FITS, 100 * 1024] {
            let nested = unit.repeat(bytes / unit.len());
            for yaml in [format!("x: {nested}"), format!("x:\n  {nested}"), nested] {
                assert_eq!(refused(&yaml).len(), 1, "{unit} x {bytes}");
            }
        }
    }
    let deep: String = (0..300).map(|depth| format!("{}k:\n", " ".repeat(depth))).collect();
    assert_eq!(refused(&deep), [Code::TooDeep]);
    let deep: String = (0..300).map(|depth| format!("{}-\n", " ".repeat(depth + 1))).collect();
    assert_eq!(refused(&format!("x:\n{deep}")), [Code::TooDeep]);
    assert_eq!(refused(&format!("x: {}{}", "[".repeat(200), "]".repeat(200))), [Code::TooDeep]);
    assert_eq!(refused(&format!("x:\n  {}", "- ".repeat(30_000))), [Code::TooDeep]);
}

#[test]
fn sixteen_levels_are_fine() {
    // The outermost mapping is the first level.
    let nested = |levels: usize| format!("x: {}{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(refused(&nested(16)), [Code::TooDeep]);
    let text = format!("---\nname: a\ndescription: b\n{}\n---\nBody\n", nested(15));
    assert_eq!(SkillMd::parse(&text, None, "SKILL.md").unwrap().value.extra().len(), 1);
    let blocks = |levels: usize| -> String {
        (0..levels).map(|n| format!("{}k:\n", " ".repeat(n))).collect()
    };
    assert_eq!(refused(&blocks(17)), [Code::TooDeep]);
    let text = format!("---\nname: a\ndescription: b\n{}---\nBody\n", blocks(16));
    assert_eq!(SkillMd::parse(&text, None, "SKILL.md").unwrap().value.extra().len(), 1);
}

#[test]
fn aliases_are_rejected_and_never_expanded() {
    let lol: String = std::iter::once("l0: &l0 [lol]\n".to_owned())
        .chain(
            (1..30)
                .map(|n| format!("l{n}: &l{n} [{}]\n", vec![format!("*l{}", n - 1); 9].join(", "))),
        )
        .collect();
    assert!(refused(&lol).iter().all(|code| *code == Code::YamlAnchor));
    assert!(
        refused(&"- *a\n".repeat(10_000).replace("- ", "x: "))
            .iter()
            .all(|code| *code == Code::YamlAnchor)
    );
    assert_eq!(refused("x: &x [*x]"), [Code::YamlAnchor, Code::YamlAnchor]);
    assert!(refused(&format!("x: {}", "&a ".repeat(20_000))).len() == 1);
    assert!(
        refused(&format!("x: [{}]", "!t a, ".repeat(10_000)))
            .iter()
            .all(|code| *code == Code::YamlTag)
    );
}

#[test]
fn excessive_keys_are_rejected() {
    let keys = |count: usize| -> String { (0..count).map(|n| format!("k{n}: 1\n")).collect() };
    assert_eq!(refused(&keys(1_000_000)), [Code::TooLarge]);
    let text = format!("---\nname: a\ndescription: b\n{}---\nBody\n", keys(6_000));
    assert_eq!(SkillMd::parse(&text, None, "SKILL.md").unwrap().value.extra().len(), 6_000);
    assert!(refused(&"k: 1\n".repeat(12_000)).iter().all(|code| *code == Code::DuplicateKey));
    assert_eq!(refused(&format!("{}: b", "k".repeat(FITS))), [Code::Syntax]);
    assert_eq!(refused(&"? ".repeat(1_000_000)), [Code::TooLarge]);
}

#[test]
fn excessive_scalars_are_rejected() {
    let long = "x".repeat(50 * 1024 * 1024);
    assert_eq!(
        refused_text(&format!("---\nname: a\ndescription: {long}\n---\n")),
        [Code::TooLarge]
    );
    assert_eq!(refused_text(&format!("---\nname: a\ndescription: \"{long}")), [Code::TooLarge]);
    assert_eq!(refused_text(&long), [Code::NoFrontmatter]);
    assert_eq!(refused_text(&format!("---{long}")), [Code::NoFrontmatter]);
    let body = format!("---\nname: a\ndescription: b\n---\n{long}");
    assert_eq!(
        SkillMd::parse(&body, None, "SKILL.md").unwrap().value.layout.body(&body).len(),
        long.len()
    );
    let blank = "\n".repeat(50 * 1024 * 1024);
    assert_eq!(refused_text(&blank), [Code::NoFrontmatter]);
    assert_eq!(refused_text(&format!("---\n{blank}---\n")), [Code::TooLarge]);
    assert_eq!(
        refused_text(&format!("---{}\n---\n", " ".repeat(1024 * 1024))),
        [Code::NoFrontmatter]
    );
    assert_eq!(refused_text(&"\r".repeat(1024 * 1024)), [Code::NoFrontmatter]);
}

#[test]
fn frontmatter_is_limited_to_64_kib() {
    let head = "name: a\ndescription: b\nx: ";
    let of =
        |bytes: usize| format!("---\n{head}{}\n---\nBody\n", "y".repeat(bytes - head.len() - 1));
    let text = of(64 * 1024);
    assert_eq!(SkillMd::parse(&text, None, "SKILL.md").unwrap().value.layout.yaml.len(), 64 * 1024);
    assert_eq!(refused_text(&of(64 * 1024 + 1)), [Code::TooLarge]);
    // The limit is reached inside the fence's own line and inside its line ending.
    for blanks in 900..1100 {
        for end in ["\n", "\r\n", "", "\r", "x\n---\n"] {
            let text = format!(
                "---\n{head}{}\n---{}{end}",
                "y".repeat(64 * 1024 - head.len() - 1),
                " ".repeat(blanks)
            );
            match SkillMd::parse(&text, None, "SKILL.md") {
                Ok(parsed) => {
                    assert_eq!(parsed.value.layout.frontmatter_end, text.len(), "{blanks} {end:?}")
                }
                Err(errors) => assert_eq!(errors[0].code, Code::TooLarge, "{blanks} {end:?}"),
            }
        }
    }
}

#[test]
fn control_characters_are_refused() {
    for c in ['\0', '\u{1}', '\u{7}', '\u{1b}', '\u{7f}', '\u{feff}'] {
        for yaml in [
            format!("x: a{c}b"),
            format!("x: \"a{c}b\""),
            format!("{c}x: a"),
            format!("x: |\n  a{c}b"),
            format!("x: 'a'{c}"),
        ] {
            let text = format!("---\nname: a\ndescription: b\n{yaml}\n---\nBody\n");
            // If the parser accepts the character, no text after it may be lost.
            match SkillMd::parse(&text, None, "SKILL.md") {
                Err(errors) => assert_eq!(errors[0].code, Code::Syntax, "{yaml:?}"),
                Ok(parsed) => {
                    assert!(format!("{:?}", parsed.value.extra()).contains("\\u{"), "{yaml:?}")
                }
            }
        }
    }
    let nul = "---\nname: a\ndescription: b\nx: y\0\nlicense: MIT\n---\n";
    assert_eq!(refused_text(nul), [Code::Syntax]);
}

#[test]
fn retries_are_not_quadratic() {
    assert_eq!(refused(&format!("{}\nz: [", "k: a: b\n".repeat(7_000))), [Code::Syntax]);
    assert_eq!(refused(&format!("k: a: b{}\nz: [", "\n".repeat(60_000))), [Code::Syntax]);
    let quotes = "'\"".repeat(30_000);
    let text = format!("---\nname: a\ndescription: b\nallowed-tools: x{quotes}\n---\nBody\n");
    assert!(SkillMd::parse(&text, None, "SKILL.md").is_ok());
    let fences = format!("---\nname: a\ndescription: b\n---\n{}", "---\n".repeat(1_000_000));
    assert!(SkillMd::parse(&fences, None, "SKILL.md").is_ok());
}

#[test]
fn a_small_stack_is_enough() {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(|| {
        nesting_is_refused_by_depth();
        sixteen_levels_are_fine();
    });
    thread.unwrap().join().unwrap();
}
