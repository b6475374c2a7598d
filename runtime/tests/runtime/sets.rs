//! Sets in code: spreads, selections, static preloads, and resources in any order.

use helix_skills_runtime::{Profile, Resource, Selection, Skill, SkillSet, Toolbox, skill_set};
use std::panic;

const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
const FILES: &[Resource] = &[
    Resource::from_text("scripts/run.sh", "run\n"),
    Resource::from_text("assets/b.txt", "b\n"),
    Resource::from_text("references/forms.md", "forms\n"),
    Resource::from_text("assets/a.txt", "a\n"),
];
const PDF: Skill =
    Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").resources(FILES).build();
const HIDDEN: Skill =
    Skill::define("hidden", "For users.", "Ask.").disable_model_invocation(true).build();

static CSVS: [Skill; 1] = [CSV];
static BASE: SkillSet = skill_set![PDF, HIDDEN];

#[test]
fn set_spreads_other_sets() {
    const MORE: SkillSet = skill_set![];
    static ALL: SkillSet = skill_set![..BASE, ..MORE, CSV];
    assert!(ALL.names().eq(["csv", "hidden", "pdf"]));
    assert!(skill_set![&CSVS[0], ..BASE].names().eq(ALL.names()));
    assert!(skill_set![..BASE].names().eq(BASE.names()));
    assert!(skill_set![..skill_set![..BASE, CSV],].names().eq(ALL.names()));
}

#[test]
fn skills_themselves_are_selected() {
    static ALL: SkillSet = skill_set![..BASE, CSV];
    let (chosen, one) = ([PDF, CSV], [CSV]);
    let toolbox = Toolbox::builder(ALL).allow(&chosen[..]).preload(&one).build().unwrap();
    assert!(toolbox.skills().map(|skill| skill.name()).eq(["csv", "pdf"]));
    assert!(toolbox.preloaded().map(|skill| skill.name()).eq(["csv"]));
    let chosen = vec![PDF, CSV];
    assert!(Selection::from(&chosen).names().eq(["pdf", "csv"]));
    let error = Toolbox::builder(ALL).preload(&[PDF, PDF]).build().unwrap_err();
    assert_eq!(error.to_string(), "duplicate skill `pdf`");
}

#[test]
fn static_toolbox_preloads_skills() {
    static TOOLBOX: Toolbox = Toolbox::with_preloads(BASE, &["pdf"]);
    static NONE: Toolbox = Toolbox::with_preloads(BASE, &[]);
    let built = Toolbox::builder(BASE).preload(&["pdf"]).build().unwrap();
    assert_eq!(TOOLBOX.catalog().to_string(), built.catalog().to_string());
    assert_eq!(NONE.catalog().to_string(), BASE.catalog().to_string());
    assert_ne!(NONE.catalog().to_string(), built.catalog().to_string());
}

#[test]
fn wrong_static_preloads_panic_with_the_reason() {
    for (names, why) in [
        (&["pfd"][..], "cannot preload `pfd`: the set has no such skill"),
        (&["pdf", "pdf"], "cannot preload `pdf`: its name is repeated"),
        (
            &["hidden"],
            "cannot preload `hidden`: models may not load it (`disable-model-invocation`)",
        ),
    ] {
        let caught = panic::catch_unwind(|| Toolbox::with_preloads(BASE, names)).unwrap_err();
        assert_eq!(caught.downcast_ref::<String>().unwrap(), why);
    }
}

#[test]
fn resources_of_a_definition_have_any_order() {
    let mut sorted = PDF.resources().to_vec();
    assert_eq!(sorted[0].path(), "scripts/run.sh", "the order of the definition");
    sorted.sort_unstable_by(|one, other| one.path().cmp(other.path()));
    let same = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").resources(&sorted);
    let same = same.try_build().unwrap();
    for file in &sorted {
        assert_eq!(PDF.resource(file.path()), Some(file));
        assert_eq!(same.resource(file.path()), Some(file));
    }
    assert_eq!((PDF.resource("assets"), PDF.resource("z")), (None, None));
    assert_eq!(same.resources(), sorted);

    let (unsorted, sorted) = ([PDF], [same]);
    for profile in Profile::ALL {
        let texts = |skills| {
            let toolbox = Toolbox::builder(SkillSet::new(skills)).profile(profile).build().unwrap();
            let loaded = toolbox.load_skill("pdf").unwrap();
            let message = loaded.message().map(|message| message.to_string());
            let unlike = toolbox.read_skill_file("pdf", "x").map(|_| ()).unwrap_err().to_string();
            let alike = toolbox.read_skill_file("pdf", "a.txt").map(|_| ()).unwrap_err();
            (loaded.to_string(), message, unlike, alike.to_string())
        };
        assert_eq!(texts(&unsorted), texts(&sorted), "{profile:?}");
    }
    let loaded = PDF.loaded().to_string();
    let files = "assets/a.txt\nassets/b.txt\nreferences/forms.md\nscripts/run.sh\n";
    assert!(loaded.ends_with(&format!("<skill_resources>\n{files}</skill_resources>")), "{loaded}");
}

#[test]
fn items_of_a_set_may_have_any_names() {
    const COUNT: Skill = Skill::define("count", "Counts.", "x").build();
    const SET: SkillSet = skill_set![COUNT];
    static SKILLS: SkillSet = skill_set![..SET];
    static ALL: SkillSet = skill_set![..SKILLS];
    assert_eq!(ALL.names().collect::<Vec<_>>(), ["count"]);
}
