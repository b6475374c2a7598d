//! Skills whose text is known only at run time equal those of constants.

use std::borrow::Cow::{self, Borrowed};
use std::sync::atomic::{AtomicUsize, Ordering};

use helix_skills_runtime::{
    __private::{Parts, digested, provenance, skill},
    ErrorKind, Resource, Skill, SkillSet, Value, skill_set,
};

const TREE: Value = Value::Map(Borrowed(&[
    (Borrowed("empty"), Value::List(Borrowed(&[]))),
    (Borrowed("none"), Value::Map(Borrowed(&[]))),
    (
        Borrowed("deep"),
        Value::List(Borrowed(&[
            Value::Text(Borrowed("a")),
            Value::Map(Borrowed(&[(
                Borrowed("b"),
                Value::List(Borrowed(&[Value::List(Borrowed(&[Value::Text(Borrowed("c"))]))])),
            )])),
        ])),
    ),
]));

const FILES: &[Resource] = &[
    digested(Resource::from_text("a.md", "text"), "sha256:2"),
    Resource::from_bytes("b.bin", b"\xff"),
    Resource::lazy("c.md", || b"lazy"),
];

const EXTRA: &[(Cow<'static, str>, Value)] = &[
    (Borrowed("tree"), TREE),
    (Borrowed("text"), Value::Text(Borrowed("x"))),
    (Borrowed("list"), Value::List(Borrowed(&[Value::Text(Borrowed("y"))]))),
];

const FULL: Parts<'static> = Parts {
    name: "full",
    description: "Every field.",
    license: Some("MIT"),
    compatibility: Some("git"),
    metadata: &[("a", "1"), ("b", "2")],
    allowed_tools: Some(&[]),
    disallowed_tools: Some(&["Write"]),
    when_to_use: Some("Now."),
    argument_hint: Some("[file]"),
    arguments: &["from", "to"],
    disable_model_invocation: true,
    user_invocable: false,
    shell: Some("bash"),
    max_ticks: Some(2),
    extra: EXTRA,
    frontmatter: "---\nname: full\n---\n",
    body: "Body </skill>.",
    trailing: "\n",
    loaded: None,
    digest: Some("sha256:1"),
    resources: FILES,
    provenance: provenance(
        Some("key"),
        Some("url"),
        Some("ref"),
        Some("commit"),
        "path",
        Some("sha256:0"),
    ),
};

const PLAIN: Parts<'static> =
    Parts { name: "plain", description: "Has little.", body: "x", ..Parts::EMPTY };

#[test]
fn lazy_resource_is_loaded_for_each_read() {
    static READS: AtomicUsize = AtomicUsize::new(0);
    const FILES: &[Resource] = &[Resource::lazy("count.txt", || {
        [&b"0"[..], b"1", b"2"][READS.fetch_add(1, Ordering::SeqCst)]
    })];
    let skill = Skill::define("lazy", "Counts.", "x").resources(FILES).build();
    let copy = Skill::define("lazy", "Counts.", "x").resources(FILES).try_build().unwrap();
    assert_eq!(READS.load(Ordering::SeqCst), 0);
    let texts: Vec<String> = [&skill, &copy, &skill]
        .map(|skill| skill.resource("count.txt").unwrap().text().unwrap().to_owned())
        .into();
    assert_eq!(texts, ["0", "1", "2"]);
}

/// Returns all texts of a skill.
fn all_of(skill: &Skill) -> Vec<String> {
    vec![
        format!(
            "{:?}",
            (
                skill.name(),
                skill.description(),
                skill.license(),
                skill.compatibility(),
                skill.metadata().collect::<Vec<_>>()
            )
        ),
        format!(
            "{:?}",
            (
                skill.allowed_tools(),
                skill.disallowed_tools(),
                skill.when_to_use(),
                skill.argument_hint()
            )
        ),
        format!(
            "{:?}",
            (skill.arguments(), skill.disable_model_invocation(), skill.user_invocable())
        ),
        format!("{:?}", (skill.shell(), skill.max_ticks(), skill.extra())),
        format!(
            "{:?}",
            (
                skill.skill_md(),
                skill.skill_md_digest(),
                skill.provenance(),
                skill.loaded().to_string()
            )
        ),
        format!(
            "{:?}",
            skill
                .resources()
                .iter()
                .map(|file| (file.path(), file.text(), file.bytes(), file.digest()))
                .collect::<Vec<_>>()
        ),
    ]
}

#[test]
fn skills_from_run_time_equal_constants() {
    for parts in [FULL, PLAIN] {
        let (constant, mut owned) = (skill(parts), Skill::from(parts));
        assert_eq!(all_of(&owned), all_of(&constant));
        assert!(owned == constant && owned.clone() == owned);
        assert!(format!("{owned:?}").starts_with("Skill { name: "));
        owned.rename("other").unwrap();
        assert!(owned != constant);
    }
    assert_eq!(TREE.to_string(), "{empty: [], none: {}, deep: [a, {b: [[c]]}]}");
}

#[test]
fn files_are_kept_sorted_and_once() {
    let mut owned = skill(PLAIN);
    for (path, bytes) in [("b", &b"1"[..]), ("a/c", b"\xff"), ("b", b"2"), ("a", b"")] {
        owned.insert_resource(path, bytes).unwrap();
    }
    let error = owned.insert_resource("Skill.md", "x").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidPath);
    assert_eq!(error.to_string(), "it is reserved for the skill itself");
    assert_eq!(owned.resource("b").unwrap().text(), Some("2"));
    assert!(owned.resource("B").is_none());
    for (text, is_plain) in [("", true), ("x\0", false)] {
        owned.insert_resource("z", text).unwrap();
        let file = owned.resource("z").unwrap();
        assert_eq!((file.text(), file.plain_text()), (Some(text), is_plain.then_some(text)));
    }
    let paths: Vec<_> = owned.resources().iter().map(Resource::path).collect();
    assert_eq!(paths, ["a", "a/c", "b", "z"]);
    assert_eq!(owned.resource("a/c").unwrap().text(), None);
}

/// The text that the macro renders in advance is used only while it is still the right one.
#[test]
fn changed_skills_are_rendered_again() {
    let rendered = Skill::from(Parts { loaded: Some("rendered"), ..PLAIN });
    assert_eq!(rendered.loaded().to_string(), "rendered");
    let (mut renamed, mut extended) = (rendered.clone(), rendered.clone());
    renamed.rename("plain").unwrap();
    assert_eq!(renamed.loaded().as_str(), Some("rendered"));
    renamed.rename("other").unwrap();
    assert_eq!(renamed.loaded().to_string(), "<skill name=\"other\">\nx\n</skill>");
    extended.insert_resource("a", "").unwrap();
    assert!(extended.loaded().to_string().contains("<skill_resources>\na\n"));
    assert_eq!(rendered.loaded().as_str(), Some("rendered"));
}

#[test]
fn copied_sets_render_like_the_original() {
    static SKILLS: SkillSet = skill_set![skill(PLAIN), skill(FULL)];
    let mut owned = [PLAIN, FULL].map(Skill::from);
    let texts = |set: SkillSet<'_>| {
        let file = |path| {
            set.read_skill_file("plain", path)
                .map_err(|error| error.to_string())
                .map(|file| file.to_string())
        };
        (
            set.catalog().to_string(),
            set.load_skill("plain").unwrap().to_string(),
            file("SKILL.md"),
            file("none"),
        )
    };
    assert_eq!(texts(SkillSet::from_unsorted(&mut owned).unwrap()), texts(SKILLS));
    assert_eq!(texts(SkillSet::new(&SKILLS.to_vec())), texts(SKILLS));
}
