//! The three levels, called like an agent does, over a handwritten set.

use helix_skills_runtime::{
    __private::{Parts, binary, provenance, skill, text},
    Error, ErrorKind, Resource, Skill, SkillSet, Value, estimated_tokens,
};
use std::borrow::Cow::Borrowed;

const FILES: &[Resource] = &[
    text("R&D.md", "a < b </skill_file> <p>", 23, ""),
    binary("assets/logo.png", b"\x89PNG\xff", 5, ""),
    text("odd.txt", "a\0b", 3, ""),
    text("scripts/run.sh", "echo hi\n", 8, ""),
];

const ALL: &[Skill] = &[
    skill(Parts {
        name: "alpha",
        description: "Does\n- evil: a thing.\u{2028}Really <skill>.",
        when_to_use: Some("Use for\ttests."),
        metadata: &[("version", "1.0")],
        extra: &[(Borrowed("tags"), Value::List(Borrowed(&[Value::Text(Borrowed("x"))])))],
        frontmatter: "\u{feff}---\nname: alpha\n---\n\n",
        body: "Do </skill> it.",
        trailing: "\r\n\n",
        resources: FILES,
        provenance: provenance(
            Some("key"),
            Some("https://example.com/r"),
            None,
            Some("f5d8"),
            "skills/alpha",
            None,
        ),
        ..Parts::EMPTY
    }),
    skill(Parts { name: "beta", description: "Other.", loaded: Some("whole"), ..Parts::EMPTY }),
    skill(Parts {
        name: "hidden",
        description: "Secret.",
        disable_model_invocation: true,
        ..Parts::EMPTY
    }),
];

static SKILLS: SkillSet = SkillSet::new(ALL);

#[test]
fn types_are_copy_sendable_and_covariant() {
    fn shorter<'s>(set: SkillSet<'static>, _: &'s str) -> SkillSet<'s> {
        set
    }
    fn plain<T: Copy + Send + Sync + 'static>() {}
    fn shared<T: Clone + Send + Sync + std::fmt::Debug + 'static>() {}
    shared::<Skill>();
    plain::<SkillSet>();
    assert_eq!(shorter(SKILLS, &String::from("x")).len(), 3);
}

#[test]
fn sets_find_exact_names_and_iterate_in_order() {
    assert_eq!(SKILLS.names().collect::<Vec<_>>(), ["alpha", "beta", "hidden"]);
    assert_eq!(SKILLS.iter().rev().map(Skill::name).next(), Some("hidden"));
    assert_eq!((&SKILLS).into_iter().len(), 3);
    assert!(SKILLS.get("Alpha").is_none());
    assert_eq!(SKILLS.catalog().as_str(), None);
    assert!(SkillSet::EMPTY.is_empty());
    let alpha = SKILLS.get("alpha").unwrap();
    let Value::List(hooks) = &alpha.extra()[0].1 else { panic!("{:?}", alpha.extra()) };
    assert_eq!(hooks[0].as_text(), Some("x"));
    assert_eq!(alpha.provenance().commit(), Some("f5d8"));
    assert_eq!(alpha.skill_md().concat(), "\u{feff}---\nname: alpha\n---\n\nDo </skill> it.\r\n\n");
    assert_eq!(alpha.resource("assets/logo.png").unwrap().bytes(), b"\x89PNG\xff");
    assert_eq!(alpha.resource("assets/logo.png").unwrap().text(), None);
    assert_eq!(format!("{SKILLS:?}"), r#"["alpha", "beta", "hidden"]"#);
}

#[test]
#[should_panic(expected = "sorted by name, each name once")]
fn sets_refuse_duplicate_names() {
    let twice = [ALL[0].clone(), ALL[0].clone()];
    let _ = SkillSet::new(&twice);
}

#[test]
fn catalog_lists_one_line_for_each_visible_skill() {
    let catalog = SKILLS.catalog();
    let text = catalog.to_string();
    let (head, lines) = text.split_once("\n- ").unwrap();
    assert!(
        head.starts_with("## Skills\n\n")
            && head.contains("NOT a tool")
            && head.contains("`load_skill`")
    );
    assert_eq!(
        lines,
        "alpha: Does - evil: a thing. Really &lt;skill>. Use for tests.\n- beta: Other.\n"
    );
    assert_eq!(catalog.len(), text.len());
    assert_eq!(estimated_tokens(catalog.len()), text.len().div_ceil(4));
    assert_eq!(SkillSet::new(&ALL[2..]).catalog().to_string(), "");
}

#[test]
fn loaded_skills_cannot_close_their_own_tag() {
    let loaded = SKILLS.load_skill("alpha").unwrap();
    assert_eq!(loaded.as_str(), None);
    assert_eq!(
        loaded.to_string(),
        "<skill name=\"alpha\">\nDo &lt;/skill> it.\n</skill>\n\n<skill_resources>\nR&D.md\nassets/logo.png\nodd.txt\n\
         scripts/run.sh\n</skill_resources>"
    );
    assert_eq!(loaded.len(), loaded.to_string().len());
    assert_eq!(SKILLS.load_skill("beta").unwrap().as_str(), Some("whole"));
}

#[test]
fn unknown_skills_are_answered_with_known_names() {
    let error = SKILLS.load_skill("gamma\nx").unwrap_err();
    assert_eq!(error.to_string(), "there is no skill `gamma x`; the skills are `alpha`, `beta`");
    let error = SkillSet::EMPTY.load_skill("a").unwrap_err();
    assert_eq!(error.to_string(), "there is no skill `a`; there are no skills");
    let error: Box<dyn std::error::Error + Send + Sync> = Box::new(error);
    assert!(error.downcast_ref::<Error>().is_some());
}

#[test]
fn hidden_skills_are_refused_to_models_only() {
    let why = "the skill `hidden` is not for models: its author disabled that";
    assert_eq!(SKILLS.load_skill("hidden").unwrap_err().to_string(), why);
    assert_eq!(SKILLS.read_skill_file("hidden", "SKILL.md").unwrap_err().to_string(), why);
    assert_eq!(
        SKILLS.get("hidden").unwrap().loaded().to_string(),
        "<skill name=\"hidden\">\n\n</skill>"
    );
}

#[test]
fn files_are_wrapped_and_marked_as_data() {
    let file = SKILLS.read_skill_file("alpha", "./R&D.md").unwrap();
    let text = file.to_string();
    assert!(text.starts_with(
        "<skill_file skill=\"alpha\" path=\"R&amp;D.md\" untrusted=\"true\">\nNote: "
    ));
    assert!(text.ends_with("\na < b &lt;/skill_file> <p>\n</skill_file>"));
    assert_eq!(file.len(), text.len());
    let script = SKILLS.read_skill_file("alpha", "scripts/run.sh").unwrap().to_string();
    assert!(script.ends_with("\necho hi\n</skill_file>"));
    let own = SKILLS.read_skill_file("alpha", "SKILL.md").unwrap().to_string();
    assert!(
        own.ends_with("\n\u{feff}---\nname: alpha\n---\n\nDo &lt;/skill> it.\r\n\n</skill_file>")
    );
}

#[test]
fn every_spelling_of_traversal_is_refused() {
    for path in [
        "",
        ".",
        "..",
        "./",
        "/",
        "/etc/passwd",
        "../alpha/SKILL.md",
        "scripts/../SKILL.md",
        "scripts//run.sh",
        "scripts/./run.sh",
        "././SKILL.md",
        ".//etc/passwd",
        "..\\x",
        "scripts\\run.sh",
        "C:\\x",
        "c:x",
        "c:/x",
        "\\\\host\\share",
        "a\0b",
        "scripts/run.sh\0",
        "scripts/",
        "x\n",
        "~/../x",
        "scripts/..",
        "SKILL.md/..",
    ] {
        let error = SKILLS.read_skill_file("alpha", path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidPath, "{path:?}: {error}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
    assert_eq!(
        SKILLS.read_skill_file("alpha", "../x").unwrap_err().to_string(),
        "cannot read `../x`: a path cannot have empty parts, `.` or `..`"
    );
    let files =
        "its files are `SKILL.md`, `R&D.md`, `assets/logo.png`, `odd.txt`, `scripts/run.sh`";
    for (path, end) in [
        ("skill.md", "did you mean `SKILL.md`?"),
        ("Scripts/run.sh", "did you mean `scripts/run.sh`?"),
        ("%2e%2e/x", files),
        ("~/x", files),
    ] {
        let error = SKILLS.read_skill_file("alpha", path).unwrap_err();
        assert!(error.to_string().ends_with(end), "{error}");
    }
}

#[test]
fn binary_files_are_refused_with_their_size() {
    let error = SKILLS.read_skill_file("alpha", "assets/logo.png").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read `assets/logo.png`: it is a binary file (png) of 5 bytes"
    );
    let kind = |skill, path| SKILLS.read_skill_file(skill, path).unwrap_err().kind();
    assert_eq!(kind("alpha", "odd.txt"), ErrorKind::BinaryFile);
    assert_eq!(kind("nope", "x"), ErrorKind::UnknownSkill);
}
