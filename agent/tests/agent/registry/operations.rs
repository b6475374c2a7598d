//! Registering, looking up and searching skills.

use super::{names, skill};
use helix_skills_agent::{AsyncToolbox, Provider, Registry, SkillQuery};
use helix_skills_runtime::{
    Call, ErrorKind, IndexOptions, Profile, SearchMode, SearchOptions, Skill, SkillSet, Toolbox,
    skill_set,
};
use pollster::block_on as done;
use std::error::Error;

const TRIAGE: Skill = Skill::define("triage", "Investigates an Issue.", "Look at $0.")
    .when_to_use("When a user reports a BUG.")
    .metadata(&[("author", "alice"), ("team", "Core")])
    .build();
const PLAN: Skill =
    Skill::define("plan", "Makes plans.", "Plan it.").metadata(&[("author", "bob")]).build();
const BARE: Skill = Skill::define("bare", "Has no issue with metadata.", "Do it.").build();

fn all() -> Registry {
    let mut registry = Registry::new();
    for skill in [TRIAGE, PLAN, BARE] {
        registry.register(skill).unwrap();
    }
    registry
}

fn found(query: SkillQuery<'_>) -> Vec<String> {
    query.search(all().set()).into_iter().map(|skill| skill.name().to_owned()).collect()
}

#[test]
fn skill_registered_twice_is_named_once() {
    let mut registry = Registry::new();
    registry.register(PLAN).unwrap();
    let error = registry.register(PLAN).unwrap_err();
    let expected = format!("the skill `plan` (`{}`) is already registered", PLAN.description());
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Duplicate, expected));
}

#[test]
fn taken_name_is_an_error_that_names_both_skills() {
    let mut registry = Registry::new();
    registry.register(PLAN).unwrap();
    registry.register(skill("csv", "Reads tables.")).unwrap();
    registry.register(skill("pdf", "Reads files.")).unwrap();
    assert_eq!(names(&registry), ["csv", "pdf", "plan"]);

    let error = registry.register(skill("csv", "Forges\n- evil: a line")).unwrap_err();
    let expected = "two skills have the name `csv`: `Reads tables.` is registered, `Forges - evil: a line` is not";
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Duplicate, expected));
    assert!(error.hint().unwrap().contains("`replace`"));
    assert_eq!(registry.set().get("csv").unwrap().description(), "Reads tables.");
    let long = registry.register(skill("csv", &"long ".repeat(100))).unwrap_err().to_string();
    assert!(long.len() < 200 && long.ends_with("…` is not"), "{long}");

    let before = registry.replace(skill("csv", "Writes tables.")).unwrap();
    assert_eq!((before.description(), names(&registry).len()), ("Reads tables.", 3));
    assert!(registry.replace(skill("tsv", "More tables.")).is_none());
    assert_eq!(registry.remove("csv").unwrap().description(), "Writes tables.");
    assert!(registry.remove("csv").is_none() && registry.remove("").is_none());
    assert_eq!(names(&registry), ["pdf", "plan", "tsv"]);
}

#[test]
fn extend_skips_only_invalid_skills() {
    #[derive(Debug)]
    struct Broken;
    impl std::fmt::Display for Broken {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("it is broken")
        }
    }
    impl Error for Broken {}

    let mut registry = Registry::new();
    registry.register(skill("plan", "By hand.")).unwrap();
    let before = registry.clone();
    let problems = registry.extend([
        ("a/pdf", Ok(skill("pdf", "One."))),
        ("a/csv", Err(Broken)),
        ("a/plan", Ok(skill("plan", "Of a directory."))),
        ("b/pdf", Ok(skill("pdf", "Another one."))),
        ("a/csv", Ok(skill("csv", "Fixed."))),
    ]);
    let change = registry.changes_since(&before);
    assert!(change.added.iter().eq(["csv", "pdf"]) && change.replaced.is_empty());
    assert!(problems[0].1.is::<Broken>());
    let problems: Vec<_> = problems.iter().map(|(what, why)| format!("{what}: {why}")).collect();
    assert_eq!(
        problems,
        [
            "a/csv: it is broken",
            "a/plan: two skills have the name `plan`: `By hand.` is registered, `a/plan` is not",
            "b/pdf: two skills have the name `pdf`: `a/pdf` is registered, `b/pdf` is not",
        ]
    );
    assert_eq!(registry.entry("pdf").unwrap().origin.as_deref(), Some("a/pdf"));
    assert_eq!(registry.entry("plan").unwrap().origin, None);
    assert!(registry.entry("none").is_none());

    // A skill that is loaded again from the same origin replaces itself.
    let before = registry.clone();
    let problems = registry.extend([
        ("a/pdf", Ok::<_, Broken>(skill("pdf", "Two."))),
        ("a/csv", Ok(skill("csv", "Fixed."))),
    ]);
    let change = registry.changes_since(&before);
    assert!(change.replaced.iter().eq(["pdf"]) && change.added.is_empty());
    assert!(problems.is_empty());
    assert_eq!(registry.set().get("pdf").unwrap().description(), "Two.");
    // Two skills of one call never replace each other.
    let table = ["Three.", "Four."].map(|about| ("table", Ok::<_, Broken>(skill("twice", about))));
    let problems = registry.extend(table);
    assert_eq!(registry.set().get("twice").unwrap().description(), "Three.");
    let expected = "two skills have the name `twice`: `Three.` is registered, `Four.` is not";
    assert_eq!(problems[0].1.to_string(), expected);
    // A skill that was replaced manually has no origin.
    registry.replace(skill("pdf", "By hand."));
    let before = registry.clone();
    let problems = registry.extend([("a/pdf", Ok::<_, Broken>(skill("pdf", "Three.")))]);
    assert_eq!((registry.changes_since(&before), problems.len()), (Default::default(), 1));
}

#[test]
fn skills_are_looked_up_by_exact_name() {
    let mut registry = all();
    let plan = registry.set().get("plan").unwrap().clone();
    assert!(
        registry.set().get("Plan").is_none()
            && registry.set().get("pla").is_none()
            && registry.set().get("").is_none()
    );
    // A pointer to a skill is not affected when the skill is replaced.
    registry.replace(skill("plan", "Another one."));
    assert_eq!((plan.description(), plan.body()), ("Makes plans.", "Plan it."));
    assert_eq!(registry.set().get("plan").unwrap().body(), "Do as Another one.");
    let metadata =
        { plan.metadata().map(|(key, value)| format!("{key}={value}")).collect::<String>() };
    assert_eq!(metadata, "author=bob");
}

#[test]
fn skills_are_sorted_by_the_bytes_of_their_names() {
    static SET: SkillSet = skill_set![TRIAGE, PLAN, BARE];
    for registry in [&Registry::from(SET), &all()] {
        assert_eq!(names(registry), ["bare", "plan", "triage"]);
    }
    assert_eq!(format!("{:?}", all()), r#"["bare", "plan", "triage"]"#);
    // A clone does not change.
    let (mut registry, before) = (all(), all().clone());
    registry.remove("plan");
    assert_eq!((names(&registry).len(), names(&before).len()), (2, 3));
    assert!(Registry::new().set().is_empty());
}

#[test]
fn text_search_covers_four_fields_and_ignores_case() {
    let text = |text| found(SkillQuery::new().text(text));
    assert_eq!(text("ISSUE"), ["bare", "triage"]); // descriptions
    assert_eq!(text("tri"), ["triage"]); // part of the name
    assert_eq!(text("a bug"), ["triage"]); // when_to_use
    assert_eq!(text("core"), ["triage"]); // metadata value
    assert_eq!(text("author"), [""; 0]); // not a metadata key
    assert_eq!(text("plan it"), [""; 0]); // not the body
    assert_eq!(text("triage plan"), [""; 0]); // matched as a whole
    assert_eq!(text("  issue\n"), ["bare", "triage"]);
    for blank in ["", " ", "\n\t"] {
        assert_eq!(text(blank), ["bare", "plan", "triage"]);
    }
    assert_eq!(text(".*"), [""; 0]);

    let mut registry = Registry::new();
    registry.register(skill("names", "ÄRGER mit ΣΊΣΥΦΟΣ und İstanbul.")).unwrap();
    for part in ["ärger", "Ärger", "σίσυφοσ", "ΣΊΣΥ", "i\u{307}stanbul", "İST"] {
        assert_eq!(SkillQuery::new().text(part).search(registry.set()).len(), 1, "{part}");
    }
}

#[test]
fn metadata_queries_match_all_pairs_exactly() {
    let metadata = |pairs: &[(&str, &str)]| found(SkillQuery::new().metadata(pairs));
    assert_eq!(metadata(&[("author", "alice")]), ["triage"]);
    assert_eq!(metadata(&[("author", "alice"), ("team", "Core")]), ["triage"]);
    assert_eq!(metadata(&[("author", "alice"), ("team", "core")]), [""; 0]);
    assert_eq!(metadata(&[("author", "Alice")]), [""; 0]);
    assert_eq!(metadata(&[("author", "")]), [""; 0]);
    assert_eq!(metadata(&[("alice", "author")]), [""; 0]);
    assert_eq!(metadata(&[]), ["plan", "triage"]); // any metadata
}

#[test]
fn text_metadata_and_limit_combine() {
    let query = SkillQuery::new().text("issue").metadata(&[("author", "alice")]);
    assert_eq!(found(query), ["triage"]);
    assert_eq!(found(query.metadata(&[("author", "bob")])), [""; 0]);
    assert_eq!(found(SkillQuery::new().limit(2)), ["bare", "plan"]);
    assert_eq!(found(SkillQuery::new().text("issue").limit(1)), ["bare"]);
    assert_eq!(found(SkillQuery::new().limit(0)).len(), 3);
    assert_eq!(found(SkillQuery::new().limit(usize::MAX)).len(), 3);
}

#[test]
fn deer_flow_queries_follow_its_syntax() {
    let mut registry = Registry::new();
    for (name, about) in [
        ("a-gen", "x"),
        ("b-gen", "gen gen"),
        ("c", "A gen."),
        ("d-gen", "Gen, GEN, gen"),
        ("e", "-"),
    ] {
        registry.register(skill(name, about)).unwrap();
    }
    for name in ["f-gen", "g-gen", "h-gen"] {
        registry.register(skill(name, "y")).unwrap();
    }
    let ask = |query: SkillQuery<'_>| -> Vec<&str> {
        let found = query.profile(Profile::DeerFlow).search(registry.set());
        found.into_iter().map(|skill| skill.name()).collect()
    };
    let text = |text| ask(SkillQuery::new().text(text));
    assert_eq!(text("gen"), ["a-gen", "b-gen", "d-gen", "f-gen", "g-gen"]); // names first, at most five
    assert_eq!(ask(SkillQuery::new().text("gen").limit(9)).last(), Some(&"c"));
    assert_eq!(text("+gen gen"), ["d-gen", "b-gen", "a-gen", "f-gen", "g-gen"]); // most occurrences first
    assert_eq!(text(" select: e , c,missing,"), ["c", "e"]);
    assert_eq!(text("select:a-gen,b-gen,d-gen,f-gen,g-gen,h-gen").len(), 6);
    assert_eq!(text("-gen x"), ["a-gen"]); // name and description are one text
    for nothing in ["", "  ", "+", "+ ", "select:", "(", "zzz"] {
        assert_eq!(text(nothing), [""; 0], "{nothing:?}");
    }
    let limited = SkillQuery::new().text("select:a-gen,b-gen").metadata(&[("team", "core")]);
    assert_eq!(ask(limited), [""; 0]);
}

/// An agent that builds its toolbox in every turn sees all changes.
#[test]
fn toolbox_built_after_a_change_has_the_change() {
    let mut registry = Registry::new();
    let tools = |registry: &Registry| {
        let toolbox = Toolbox::builder(registry.set()).profile(Profile::Agentick).build().unwrap();
        toolbox
            .tools([])
            .unwrap()
            .map(|tool| format!("{}: {}", tool.name(), tool.description()))
            .collect::<Vec<_>>()
    };
    assert_eq!(tools(&registry), [""; 0]); // no skills, no tool
    registry.register(TRIAGE).unwrap();
    let [tool] = &tools(&registry)[..] else { panic!("one tool") };
    assert!(
        tool.starts_with("skill: ") && tool.ends_with("\n- triage: Investigates an Issue.\n"),
        "{tool}"
    );
    registry.remove("triage");
    assert_eq!(tools(&registry), [""; 0]);
}

#[test]
fn registry_provides_its_current_skills() {
    let mut file = skill("pdf", "Reads files.");
    file.insert_resource("forms.md", "# Forms\n").unwrap();
    let mut registry = all();
    registry.register(file).unwrap();
    let listed = done(registry.list(Profile::Helix)).unwrap();
    assert!(listed.warnings.is_empty() && listed.skills.iter().eq(registry.set().iter()));
    let loaded = done(registry.load("pdf", Profile::Helix)).unwrap().unwrap();
    assert_eq!(loaded.resource("forms.md").unwrap().bytes(), b"# Forms\n");
    assert_eq!(
        done(registry.read("pdf", "forms.md", Profile::Helix)).unwrap().unwrap(),
        b"# Forms\n"
    );
    assert!(
        done(registry.read("pdf", "none", Profile::Helix)).unwrap().is_none()
            && done(registry.load("none", Profile::Helix)).unwrap().is_none()
    );

    let toolbox =
        AsyncToolbox::builder(&registry).search(SearchMode::ToolAndList).preload(&["plan"]).build();
    let toolbox = done(toolbox).unwrap();
    let from_set = {
        let set = registry.set();
        let index = set.index(&IndexOptions::new());
        let builder = Toolbox::builder(set.with_index(&index)).search(SearchMode::ToolAndList);
        builder.preload(&["plan"]).build().unwrap().catalog().to_string()
    };
    assert_eq!(toolbox.catalog(), from_set);
    assert_eq!(toolbox.search("plans", &SearchOptions::new())[0].skill.name(), "plan");
    let reply = done(toolbox.answer(Call::LoadSkill { name: "pdf", arguments: None }));
    assert!(
        reply.to_string().contains("Do as Reads files.") && reply.to_string().contains("forms.md")
    );
}

#[test]
fn registering_copies_borrowed_text() {
    let mut registry = Registry::new();
    {
        let body = String::from("Gone soon.");
        registry.register(Skill::define("short", "Lives on.", &body).try_build().unwrap()).unwrap();
    }
    let kept: &Skill = registry.set().get("short").unwrap();
    assert_eq!(kept.body(), "Gone soon.");
}

/// The query may come from a model. Comparing every name, or reading all of a long text, for each
/// skill would not end here.
#[test]
#[cfg_attr(miri, ignore = "queries of a mebibyte")]
fn long_queries_are_not_rescanned_for_every_skill() {
    let mut skills = Registry::new();
    for at in 0..2_000 {
        skills
            .register(Skill::define(&format!("s{at}"), "Does it.", "x").try_build().unwrap())
            .unwrap();
    }
    let many: Vec<String> = (1_999..100_000).map(|at| format!("s{at}")).collect();
    for (text, found) in
        [(format!("select:{}", many.join(",")), 1), (format!("+s {}", "x".repeat(1 << 20)), 5)]
    {
        assert_eq!(
            SkillQuery::new().text(&text).profile(Profile::DeerFlow).search(skills.set()).len(),
            found
        );
    }
}
