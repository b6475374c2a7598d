//! Skills of repositories and plugins, which get a name and a description if they have none.

use helix_skills_format::{__internal::skill_md::Rules, Code, Severity, SkillMd, SkillName};

fn rules(name: Option<&SkillName>) -> Rules<'_> {
    Rules::Fetched { name }
}

/// Returns the name and the description, and the warnings.
fn read(text: &str, directory: Option<&str>) -> Result<(String, String, Vec<String>), Vec<Code>> {
    match SkillMd::parse_as(text.as_bytes(), directory, "SKILL.md", rules(None)) {
        Ok(parsed) => {
            let warnings =
                parsed.findings.iter().filter(|it| it.code.when_baking() > Severity::Silent);
            let warnings = warnings.map(|it| format!("{}: {it}", it.at.unwrap())).collect();
            let skill = parsed.value;
            Ok((skill.name.to_string(), skill.description().to_owned(), warnings))
        }
        Err(errors) => Err(errors.iter().map(|error| error.code).collect()),
    }
}

#[test]
fn directory_names_a_skill_whose_name_cannot_be_one() {
    for (name, directory, expected, message) in [
        ("Agent Development", "agent-dev", "agent-dev", "`Agent Development` cannot be a name"),
        ("ns:skill", "colon", "colon", "`ns:skill` cannot be a name"),
        ("R&D notes", "amp", "amp", "`R&D notes` cannot be a name"),
        ("c++-helper", "plus", "plus", "`c++-helper` cannot be a name"),
        ("a/b", "b", "b", "`a/b` cannot be a name"),
        ("../evil", "tides", "tides", "`../evil` cannot be a name"),
        ("''", "blank", "blank", "`` cannot be a name"),
        ("[a, b]", "list", "list", "`name` must be a string"),
        ("My Skill", "My Skill", "my-skill", "`My Skill` cannot be a name"),
        ("a:b", "R&D  notes", "r-d-notes", "`a:b` cannot be a name"),
        ("", "Tide Tables", "tide-tables", "`Tide Tables` cannot be a name"),
    ] {
        let text = format!("---\nname: {name}\ndescription: D.\n---\nBody\n");
        let (found, _, warnings) = read(&text, Some(directory)).unwrap();
        assert_eq!(found, expected, "{text}");
        let used = format!("; it gets the name `{expected}` from its directory; use `rename`");
        let warning = warnings.last().unwrap();
        assert!(warning.starts_with("2:") && warning.contains(message), "{warning}");
        assert!(warning.contains(&used), "{warning}");
        let own = SkillMd::parse(&text, Some(directory), "SKILL.md");
        assert!(own.is_err(), "{text}");
    }
    // A valid name is kept, with its other findings.
    let (name, _, warnings) =
        read("---\nname: My_Skill\ndescription: D.\n---\nB\n", Some("d")).unwrap();
    assert_eq!((&*name, warnings.len()), ("My_Skill", 2), "{warnings:?}");
}

#[test]
fn name_is_an_error_without_a_directory_that_gives_one() {
    let text = "---\nname: R&D notes\ndescription: D.\n---\nBody\n";
    assert_eq!(read(text, None), Err(vec![Code::BadName]));
    assert_eq!(read(text, Some("!!")), Err(vec![Code::BadName]));
    let missing = vec![Code::MissingDescription, Code::MissingKey];
    assert_eq!(read("# Tides\n\nBody\n", None), Err(missing));
}

#[test]
fn given_name_is_used_without_a_look_at_the_own_one() {
    let given = SkillName::new("notes").unwrap();
    for name in ["name: R&D notes\n", "name: [a]\n", "name: load_skill\n", "name: Other\n", ""] {
        let text = format!("---\n{name}description: D.\n---\nBody\n");
        let rules = rules(Some(&given));
        for directory in [None, Some("!!")] {
            let parsed = SkillMd::parse_as(text.as_bytes(), directory, "SKILL.md", rules).unwrap();
            assert_eq!((parsed.value.name, parsed.findings), (given.clone(), vec![]), "{text}");
        }
    }
}

#[test]
fn first_paragraph_is_the_description_of_a_skill_without_one() {
    let long = "x".repeat(2_000);
    for (body, expected) in [
        ("Shows tides.\n", "Shows tides."),
        ("# Tides\n\nShows tides,\n  also low ones.\n\nMore.\n", "Shows tides, also low ones."),
        ("# Tides\r\n\r\nShows tides.\r\n", "Shows tides."),
        ("# Tides\nShows tides.\n", "Shows tides."),
        ("## Tides\n\n## Usage\n", "Tides"),
        ("***\n\nShows tides.\n", "Shows tides."),
        (&*long, &long[..1024]),
    ] {
        for frontmatter in ["---\nname: tides\n---\n", "---\nname: tides\ndescription: ''\n---\n"] {
            let (name, description, warnings) =
                read(&format!("{frontmatter}{body}"), Some("tides")).unwrap();
            assert_eq!((&*name, &*description), ("tides", expected));
            let [warning] = &*warnings else { panic!("{warnings:?}") };
            assert!(
                warning.ends_with("; the first paragraph of the body is used instead"),
                "{warning}"
            );
        }
    }
    for body in ["", "\n \n", "***\n", "#\n"] {
        let text = format!("---\nname: tides\n---\n{body}");
        assert_eq!(read(&text, Some("tides")), Err(vec![Code::MissingDescription]), "{body}");
    }
    let list = "---\nname: tides\ndescription: [a]\n---\nBody\n";
    assert_eq!(read(list, Some("tides")), Err(vec![Code::WrongType]));
}

#[test]
fn text_without_frontmatter_is_all_body() {
    for (text, body) in [
        ("# Tides\n\nShows tides.\n", "# Tides\n\nShows tides."),
        ("\u{feff}\n\nShows tides.\n\n---\n\nMore\n", "Shows tides.\n\n---\n\nMore"),
        ("Shows tides.", "Shows tides."),
    ] {
        let (name, description, warnings) = read(text, Some("Tide Tables")).unwrap();
        assert_eq!((&*name, &*description), ("tide-tables", "Shows tides."));
        let [description, _, name] = &*warnings else { panic!("{warnings:?}") };
        assert!(description.contains("the first paragraph of the body is used"), "{description}");
        assert!(name.contains("it gets the name `tide-tables`"), "{name}");
        let parsed = SkillMd::parse_as(text.as_bytes(), Some("t"), "SKILL.md", rules(None));
        let skill = parsed.unwrap().value.to_skill(text);
        assert_eq!((skill.body(), skill.skill_md().concat()), (body, text.to_owned()));
    }
}

#[test]
fn t13_frontmatter_that_is_not_read_stays_an_error() {
    let rest = "name: tides\ndisable-model-invocation: true\n---\nBody\n";
    for (text, code) in [
        (format!("---js\n{rest}"), Code::NoFrontmatter),
        (format!(" --- \n{rest}"), Code::NoFrontmatter),
        (format!("----\n{rest}"), Code::NoFrontmatter),
        (format!("+++\n{rest}"), Code::NoFrontmatter),
        (format!("\u{feff}\u{feff}---\n{rest}"), Code::NoFrontmatter),
        (format!("<!-- A license -->\n---\n{rest}"), Code::NoFrontmatter),
        (format!("# Tides\r\n\r\n---\r\n{rest}"), Code::NoFrontmatter),
        ("\0\0\0".to_owned(), Code::NoFrontmatter),
        (String::new(), Code::NoFrontmatter),
        (format!("---\n{}", rest.replace("---", "")), Code::UnclosedFrontmatter),
        (format!("---\nx: [\n{rest}"), Code::Syntax),
    ] {
        assert_eq!(read(&text, Some("tides")), Err(vec![code]), "{text:?}");
    }
}
