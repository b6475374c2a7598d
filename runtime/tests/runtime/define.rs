//! Skills defined in code, alone and in sets.

use helix_skills_runtime::{
    __private::{SetItem, sorted_skills},
    Error, ErrorKind, Resource, Skill, SkillSet, Value, skill_set,
};
use std::{
    borrow::Cow::{self, Borrowed},
    panic,
    sync::atomic::{AtomicUsize, Ordering},
};

const FILES: &[Resource] = &[
    Resource::from_text("references/forms.md", "# Forms\n"),
    Resource::from_bytes("assets/logo.png", b"\x89PNG\xff"),
    Resource::from_bytes("notes.txt", b"plain\n"),
];

const PDF: Skill = Skill::define("pdf", "  Reads PDF files.\n", "\n\n# PDF\n\nUse `pdftotext`. \n")
    .license("MIT")
    .compatibility("Needs poppler.")
    .metadata(&[("version", "1.0"), ("author", "me")])
    .allowed_tools(&["Bash(pdftotext *)", "Read"])
    .disallowed_tools(&["Write"])
    .when_to_use("When a PDF is mentioned.")
    .argument_hint("[file]")
    .arguments(&["file", "page"])
    .user_invocable(false)
    .shell("bash")
    .max_ticks(3)
    .extra(&[(Borrowed("tags"), Value::Text(Borrowed("files")))])
    .resources(FILES)
    .build();

const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
const HIDDEN: Skill =
    Skill::define("hidden", "For users.", "Ask.").disable_model_invocation(true).build();

static SKILLS: SkillSet = skill_set![PDF, HIDDEN, CSV];

fn error(name: &str, description: &str, body: &str) -> Error {
    Skill::define(name, description, body).try_build().expect_err(name)
}

#[test]
fn define_validates_and_returns_the_skill() {
    assert_eq!(PDF.name(), "pdf");
    assert_eq!(PDF.description(), "Reads PDF files.");
    assert_eq!(PDF.body(), "# PDF\n\nUse `pdftotext`.");
    assert_eq!(error("pdf", "x", " \n").kind(), ErrorKind::Definition);
    let hyphen = "cannot start or end with a hyphen or contain two in a row";
    let letters = "use a to z, 0 to 9 and single hyphens";
    for (text, message) in [
        ("", "the name of a skill cannot be empty".to_owned()),
        ("load_skill", format!("the name `load_skill` cannot contain `_`: {letters}")),
        ("Pdf", format!("the name `Pdf` cannot contain `P`: {letters}")),
        ("café", format!("the name `café` cannot contain `é`: {letters}")),
        ("a\u{200b}", format!("the name `a\u{200b}` cannot contain `U+200B`: {letters}")),
        ("a\u{e0041}", format!("the name `a\u{e0041}` cannot contain `U+E0041`: {letters}")),
        ("-a", format!("the name `-a` {hyphen}")),
        ("a-", format!("the name `a-` {hyphen}")),
        ("a--b", format!("the name `a--b` {hyphen}")),
        ("com1", "the name `com1` is reserved for a device on Windows".to_owned()),
    ] {
        assert_eq!(error(text, "x", "x").to_string(), message);
    }
    for (description, body, message) in [
        ("x", " \n", "the body is blank: write the instructions that a model loads"),
        ("\u{a0}", "x", "the description is blank: say what the skill does and when to use it"),
    ] {
        assert_eq!(error("pdf", description, body).to_string(), message);
    }
    let long = "a".repeat(65);
    assert!(error(&long, "x", "x").to_string().ends_with("a…` is longer than 64 characters"));
    assert!(Skill::define(&long[1..], "x", "x").try_build().is_ok());
}

#[test]
fn every_field_of_a_definition_is_kept() {
    assert_eq!((PDF.license(), PDF.compatibility()), (Some("MIT"), Some("Needs poppler.")));
    assert!(PDF.metadata().eq([("version", "1.0"), ("author", "me")]));
    assert_eq!(PDF.allowed_tools().unwrap(), ["Bash(pdftotext *)", "Read"]);
    assert_eq!(PDF.disallowed_tools().unwrap(), ["Write"]);
    assert_eq!(
        (PDF.when_to_use(), PDF.argument_hint()),
        (Some("When a PDF is mentioned."), Some("[file]"))
    );
    assert_eq!(PDF.arguments(), ["file", "page"]);
    assert!(
        !PDF.user_invocable()
            && !PDF.disable_model_invocation()
            && HIDDEN.disable_model_invocation()
    );
    assert_eq!(PDF.shell(), Some("bash"));
    assert_eq!(PDF.max_ticks(), Some(3));
    assert_eq!(PDF.extra(), [("tags".into(), Value::Text("files".into()))]);
    let paths: Vec<_> = FILES.iter().map(Resource::path).collect();
    assert_eq!(paths, ["references/forms.md", "assets/logo.png", "notes.txt"]);
    assert_eq!(PDF.resources(), FILES);
    assert_eq!(CSV.allowed_tools(), None);
    let none = Skill::define("none", "x", "x").allowed_tools(&[]).build();
    assert!(none.allowed_tools().is_some_and(|tools| tools.is_empty()));
    // Only the methods of `Skill::define`.
    assert!(
        CSV.user_invocable()
            && CSV.provenance() == Default::default()
            && CSV.resources().is_empty()
    );
}

#[test]
fn lazy_resources_are_loaded_when_read_not_when_listed() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    fn load() -> &'static [u8] {
        ASKED.fetch_add(1, Ordering::Relaxed);
        b"# Lazy\n"
    }
    const FILES: &[Resource] = &[Resource::lazy("lazy.md", load)];
    let skills = [Skill::define("lazy", "x", "x").resources(FILES).build()];
    let set = SkillSet::new(&skills);
    let listed =
        format!("{}{}{:?}", set.catalog(), set.load_skill("lazy").unwrap(), set.get("lazy"));
    assert!(listed.contains("\nlazy.md\n"), "{listed}");
    assert!(set.read_skill_file("lazy", "other.md").unwrap_err().to_string().contains("`lazy.md`"));
    assert_eq!(ASKED.load(Ordering::Relaxed), 0);
    let file = set.read_skill_file("lazy", "lazy.md").unwrap();
    assert_eq!(ASKED.load(Ordering::Relaxed), 1);
    assert!(file.to_string().contains("\n# Lazy\n</skill_file>"));
    assert_eq!(ASKED.load(Ordering::Relaxed), 1);
}

#[test]
fn resources_of_valid_utf8_are_text() {
    assert_eq!(PDF.resource("notes.txt").unwrap().text(), Some("plain\n"));
    assert_eq!(PDF.resource("assets/logo.png").unwrap().text(), None);
    assert_eq!(Resource::lazy("a", || b"\xff").text(), None);
    let late = "x".repeat(8000) + "\0";
    for (text, is_plain) in [("", true), (&late, true), (&late[1..], false), ("a\0", false)] {
        let mut skill = CSV;
        skill.insert_resource("a", text).unwrap();
        let file = skill.resource("a").unwrap();
        assert_eq!((file.text(), file.plain_text()), (Some(text), is_plain.then_some(text)));
        assert_eq!(helix_skills_runtime::__private::is_plain(text), is_plain);
    }
    let zero = [Resource::from_text("a", "a\0"), Resource::from_bytes("a", b"a\0")];
    assert!(zero.iter().all(|file| file.text() == Some("a\0") && file.plain_text().is_none()));
    assert_eq!(
        helix_skills_runtime::__private::plain(Resource::from_text("a", "x")),
        Resource::from_text("a", "x")
    );
    let kinds = [
        Resource::from_text("a", "x"),
        Resource::from_bytes("a", b"x"),
        Resource::lazy("a", || b"x"),
    ];
    assert!(
        kinds
            .iter()
            .all(|one| kinds.iter().all(|other| one == other && one.len() == 1 && !one.is_empty()))
    );
    assert_ne!(kinds[0], Resource::from_text("b", "x"));
    assert_ne!(kinds[0], Resource::from_text("a", "y"));
    assert_eq!(format!("{:?}", kinds[2]), r#"Resource { path: "a", .. }"#);
}

#[test]
fn sets_of_arrays_need_no_file_system() {
    assert_eq!(SKILLS.names().collect::<Vec<_>>(), ["csv", "hidden", "pdf"]);
    let loaded = SKILLS.load_skill("pdf").unwrap().to_string();
    assert!(loaded.starts_with(
        "<skill name=\"pdf\">\n# PDF\n\nUse `pdftotext`.\n</skill>\n\n<skill_resources>\nassets/"
    ));
    assert!(
        SKILLS.catalog().to_string().ends_with(
            "- csv: Reads CSV files.\n- pdf: Reads PDF files. When a PDF is mentioned.\n"
        )
    );
    let about = String::from("At run time.");
    let mut skills = [PDF, Skill::define("zip", &about, "x").try_build().unwrap(), CSV];
    let set = SkillSet::from_unsorted(&mut skills).unwrap();
    assert_eq!(set.names().collect::<Vec<_>>(), ["csv", "pdf", "zip"]);
    assert!(SkillSet::from_unsorted(&mut []).unwrap().is_empty());
    const NONE: SkillSet = skill_set![];
    assert!(NONE.is_empty());
}

#[test]
#[cfg_attr(miri, ignore = "texts of a thousand characters")]
fn errors_name_the_rule_that_is_broken() {
    let define = || Skill::define("pdf", "Reads PDF files.", "Use it.");
    let chars = "🦞".repeat(1024);
    assert!(Skill::define("a", &chars, "x").try_build().is_ok());
    let more = chars.clone() + "x";
    assert_eq!(
        error("a", &more, "x").to_string(),
        "the description has 1025 characters, the maximum is 1024"
    );
    // `build` takes constants.
    let long: &'static str = "é".repeat(501).leak();
    let files = |paths: &[&'static str]| -> &'static [Resource] {
        paths.iter().map(|path| Resource::from_text(path, "")).collect::<Vec<_>>().leak()
    };
    let (skill_md, up, stars) = (files(&["skill.MD"]), files(&["../x"]), files(&["a*\u{1f}"]));
    let (twice, apart) = (files(&["a", "a"]), files(&["a", "B", "a"]));
    const TWICE: &[(Cow<'static, str>, Value)] =
        &[(Borrowed("k"), Value::Text(Borrowed(""))), (Borrowed("k"), Value::Text(Borrowed("")))];
    for (definition, message) in [
        (
            define().compatibility(long),
            "the `compatibility` has 501 characters, the maximum is 500",
        ),
        (define().license(""), "blank text in `license`: remove it"),
        (define().argument_hint("\t"), "blank text in `argument-hint`: remove it"),
        (define().allowed_tools(&["Read", ""]), "blank text in `allowed-tools`: remove it"),
        (define().metadata(&[(" ", "x")]), "blank text in `metadata`: remove it"),
        (
            define().metadata(&[("k", "1"), ("l", ""), ("k", "2")]),
            "duplicate `k` in `metadata`: remove one",
        ),
        (
            define().arguments(&["from", "to", "from"]),
            "duplicate `from` in `arguments`: remove one",
        ),
        (define().arguments(&[""]), "blank text in `arguments`: remove it"),
        (define().extra(TWICE), "duplicate `k` in `extra`: remove one"),
        (define().max_ticks(0), "`maxTicks` is 0: the minimum is 1"),
        (
            define().resources(skill_md),
            "invalid resource path `skill.MD`: it is reserved for the skill itself",
        ),
        (
            define().resources(up),
            "invalid resource path `../x`: a path cannot have empty parts, `.` or `..`",
        ),
        (define().resources(stars), "invalid resource path `a* `: a path cannot contain `*`"),
        (define().resources(twice), "duplicate `a` in `resources`: remove one"),
        (define().resources(apart), "duplicate `a` in `resources`: remove one"),
    ] {
        assert_eq!(definition.try_build().unwrap_err().to_string(), message);
        let caught = panic::catch_unwind(|| definition.build()).unwrap_err();
        let panic_message = caught.downcast_ref::<String>().unwrap();
        assert_eq!(panic_message, &format!("cannot define the skill `pdf`: {message}"));
    }
}

#[test]
fn sets_reject_duplicate_names() {
    let error = SkillSet::from_unsorted(&mut [PDF, CSV, PDF]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert_eq!(error.to_string(), "two skills have the name `pdf`");
}

#[test]
fn errors_outlive_the_texts_they_describe() {
    fn defined(name: String) -> Result<usize, Box<dyn std::error::Error + Send + Sync>> {
        let skill = Skill::define(&name, "x", "x").try_build()?;
        let mut skills = [skill.clone(), skill];
        Ok(SkillSet::from_unsorted(&mut skills)?.len())
    }
    assert_eq!(
        defined("A".into()).unwrap_err().to_string(),
        "the name `A` cannot contain `A`: use a to z, 0 to 9 and single hyphens"
    );
    assert_eq!(defined("a".into()).unwrap_err().to_string(), "two skills have the name `a`");
}

#[test]
fn skill_md_is_composed_if_a_skill_has_no_file() {
    let file = SKILLS.read_skill_file("pdf", "SKILL.md").unwrap();
    let text = file.to_string();
    let made = "---\nname: \"pdf\"\ndescription: |-\n  Reads PDF files.\n---\n\n# PDF\n\nUse `pdftotext`.\n";
    assert!(text.ends_with(&format!("\n\n{made}</skill_file>")), "{text}");
    let lines = file.lines(Some(4), Some(7)).unwrap().to_string();
    assert!(lines.ends_with("\n\n  Reads PDF files.\n---\n\n# PDF\n</skill_file>"), "{lines}");
    assert_eq!(PDF.skill_md(), ["", PDF.body(), ""]);

    let odd = [Skill::define("odd", "a <\n/skill_file>\nb <", "/skill_file>").build()];
    let text = SkillSet::new(&odd).read_skill_file("odd", "./SKILL.md").unwrap().to_string();
    assert!(
        text.contains("  a &lt;\n/skill_file>\nb <\n---\n\n/skill_file>\n</skill_file>"),
        "{text}"
    );
}

/// Sorting and checking are interpreted by the compiler, which limits their time.
#[test]
fn large_sets_are_sorted_at_compile_time() {
    const NAMES: [[u8; 4]; 1000] = {
        let mut names = [[b'a'; 4]; 1000];
        let mut at = 0;
        while at < 1000 {
            let digits = 999 - at;
            names[at] = [
                b'n',
                b'0' + (digits / 100) as u8,
                b'0' + (digits / 10 % 10) as u8,
                b'0' + (digits % 10) as u8,
            ];
            at += 1;
        }
        names
    };
    static SKILLS: [Skill; 1000] = {
        let mut skills = [const { CSV }; 1000];
        let mut at = 0;
        while at < 1000 {
            let Ok(name) = std::str::from_utf8(&NAMES[at]) else { panic!() };
            let skill = Skill::define(name, "Does a thing.", "How it is done.").build();
            std::mem::forget(std::mem::replace(&mut skills[at], skill));
            at += 1;
        }
        skills
    };
    static SORTED: [Skill; 1000] = sorted_skills(&[SetItem::Skills(&SKILLS)]);
    assert_eq!(SkillSet::new(&SORTED).names().next(), Some("n000"));
    assert!(SORTED.is_sorted_by_key(|skill| skill.name()));
}
