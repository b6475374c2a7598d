//! Skills that own their text lend the skill that they were copied from.

use std::borrow::Cow::Borrowed;
use std::sync::atomic::{AtomicUsize, Ordering};

use helix_skills_runtime::{
    __private::{Parts, digested, provenance, skill},
    Resource, ResourceError, Skill, SkillBuf, SkillSet, SkillSetBuf, Value, skill_set,
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

const FULL: Skill = skill(Parts {
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
    model: Some("small"),
    effort: Some("low"),
    context: Some("fork"),
    agent: Some("Explore"),
    background: Some("true"),
    shell: Some("bash"),
    hooks: Some(&TREE),
    paths: &["*.md"],
    max_ticks: Some(2),
    extra: &[
        (Borrowed("tree"), TREE),
        (Borrowed("text"), Value::Text(Borrowed("x"))),
        (Borrowed("list"), Value::List(Borrowed(&[Value::Text(Borrowed("y"))]))),
    ],
    frontmatter: "---\nname: full\n---\n",
    body: "Body </skill>.",
    trailing: "\n",
    loaded: None,
    digest: Some("sha256:1"),
    directory: Some("/srv/full"),
    resources: &[
        digested(Resource::from_text("a.md", "text"), "sha256:2"),
        Resource::from_bytes("b.bin", b"\xff"),
        Resource::lazy("c.md", || b"lazy"),
    ],
    provenance: provenance(
        Some("key"),
        Some("url"),
        Some("ref"),
        Some("commit"),
        "path",
        Some("sha256:0"),
    ),
});

#[test]
fn lazy_resource_of_an_owned_skill_is_loaded_for_each_read() {
    static READS: AtomicUsize = AtomicUsize::new(0);
    const FILES: &[Resource] = &[Resource::lazy("count.txt", || {
        [&b"0"[..], b"1", b"2"][READS.fetch_add(1, Ordering::SeqCst)]
    })];
    let skill = Skill::define("lazy", "Counts.", "x").resources(FILES).build();
    let owned = SkillBuf::from(skill);
    let copy = owned.clone();
    assert_eq!(READS.load(Ordering::SeqCst), 0);
    let texts: Vec<String> = [&owned, &copy, &owned]
        .map(|skill| {
            skill.view(|skill| skill.resource("count.txt").unwrap().text().unwrap().to_owned())
        })
        .into();
    assert_eq!(texts, ["0", "1", "2"]);
}

const PLAIN: Skill = Skill::define("plain", "Has little.", "x").build();

/// Returns all texts of a skill.
fn all_of(skill: &Skill<'_>) -> Vec<String> {
    vec![
        format!(
            "{:?}",
            (
                skill.name(),
                skill.description(),
                skill.license(),
                skill.compatibility(),
                skill.metadata()
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
        format!(
            "{:?}",
            (skill.model(), skill.effort(), skill.context(), skill.agent(), skill.background())
        ),
        format!(
            "{:?}",
            (skill.shell(), skill.hooks(), skill.paths(), skill.max_ticks(), skill.extra())
        ),
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
fn owners_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + std::fmt::Debug + 'static>() {}
    shared::<SkillBuf>();
    shared::<SkillSetBuf>();
    shared::<Value>();
}

#[test]
fn views_and_leaked_skills_equal_the_copied_skill() {
    for skill in [FULL, PLAIN] {
        let owned = SkillBuf::from(skill);
        assert_eq!(owned.view(|view| all_of(&view)), all_of(&skill));
        assert_eq!(owned.view(|view| SkillBuf::from(view)), owned);
        assert!(format!("{owned:?}").starts_with("Skill { name: "));
        assert_eq!(
            (owned.name(), owned.description(), owned.body()),
            (skill.name(), skill.description(), skill.body())
        );
        assert_eq!(all_of(&owned.clone().leak()), all_of(&skill));
    }
    assert_eq!(TREE.to_string(), "{empty: [], none: {}, deep: [a, {b: [[c]]}]}");
}

#[test]
fn files_are_kept_sorted_and_once() {
    let mut owned = SkillBuf::from(PLAIN);
    for (path, bytes) in [("b", &b"1"[..]), ("a/c", b"\xff"), ("b", b"2"), ("a", b"")] {
        owned.insert_resource(path, bytes).unwrap();
    }
    assert_eq!(owned.insert_resource("Skill.md", "x"), Err(ResourceError::SkillMd));
    assert_eq!(owned.resource("b").unwrap().text(), Some("2"));
    assert!(owned.resource("B").is_none());
    for (text, is_plain) in [("", true), ("x\0", false)] {
        owned.insert_resource("z", text).unwrap();
        let file = owned.resource("z").unwrap();
        assert_eq!((file.text(), file.plain_text()), (Some(text), is_plain.then_some(text)));
    }
    owned.view(|skill| {
        let paths: Vec<_> = skill.resources().iter().map(Resource::path).collect();
        assert_eq!(paths, ["a", "a/c", "b", "z"]);
        assert_eq!(skill.resource("a/c").unwrap().text(), None);
    });
}

#[test]
fn sets_keep_names_once_and_in_order() {
    let named = |name: &str| {
        let mut skill = SkillBuf::from(PLAIN);
        skill.rename(name).unwrap();
        skill
    };
    let mut set = SkillSetBuf::try_from_iter(["c", "a"].map(named)).unwrap();
    set.insert(named("b")).unwrap();
    assert_eq!(set.insert(named("a")).unwrap_err().name(), "a");
    assert_eq!(SkillSetBuf::try_from_iter(["b", "a", "b"].map(named)).unwrap_err().name(), "b");
    assert_eq!(set.names().collect::<Vec<_>>(), ["a", "b", "c"]);

    let mut other = named("a");
    other.insert_resource("x", "y").unwrap();
    assert_eq!(set.replace(other.clone()), Some(named("a")));
    assert_eq!(set.replace(named("d")), None);
    assert_eq!(set.get("a"), Some(&other));
    assert_eq!(set.remove("d"), Some(named("d")));
    assert_eq!((set.remove("d"), set.len(), set.is_empty()), (None, 3, false));
    assert_eq!(set.iter().zip(&set).map(|(a, b)| usize::from(a == b)).sum::<usize>(), 3);
    assert_eq!(SkillSetBuf::try_from_iter(set.clone()).unwrap(), set);
    assert!(SkillSetBuf::new().view(|set| set.is_empty()));
}

#[test]
fn copied_sets_render_like_the_original() {
    static SKILLS: SkillSet = skill_set![PLAIN, FULL];
    let owned = SkillSetBuf::from(SKILLS);
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
    assert_eq!(owned.view(texts), texts(SKILLS));
    assert_eq!(texts(owned.leak()), texts(SKILLS));
}
