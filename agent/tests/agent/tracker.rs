//! Trackers of loaded skills, and events.

use helix_skills_agent::Tracker;
use helix_skills_runtime::{Call, Profile, Reply, Resource, Skill, SkillSet, Toolbox, skill_set};

const FILES: &[Resource] = &[Resource::from_text("R&D.md", "one\ntwo\nthree\n")];
const BOLD: Skill =
    Skill::define("bold", "Sorts first.", "Be <b>bold</b>.").user_invocable(false).build();
const DEPLOY: Skill =
    Skill::define("deploy", "Deploys.", "Never write </skill>.").resources(FILES).build();
const HIDDEN: Skill =
    Skill::define("hidden", "Only for the host.", "Secret.").disable_model_invocation(true).build();
const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
static SKILLS: SkillSet = skill_set![BOLD, DEPLOY, HIDDEN, PDF];

fn toolbox(profile: Profile) -> Toolbox<'static> {
    Toolbox::builder(SKILLS).profile(profile).build().unwrap()
}

fn load(name: &str) -> Call<'_> {
    Call::LoadSkill { name, arguments: None }
}

fn note(name: &str) -> String {
    format!(
        "The skill `{name}` is loaded already: follow its instructions above. Nothing was loaded again."
    )
}

#[test]
fn tracker_repeats_no_body_until_it_forgets() {
    for profile in Profile::ALL {
        let toolbox = toolbox(profile);
        let body = toolbox.answer(load("pdf"));
        let whole = |reply: &Reply<'_>| {
            (
                reply.to_string(),
                reply.message().map(|message| message.to_string()),
                reply.event().is_some(),
            )
        };
        let mut tracker = Tracker::new();
        assert_eq!(whole(&tracker.track(body.clone())), whole(&body));
        for _ in 0..2 {
            assert_eq!(whole(&tracker.track(body.clone())), (note("pdf"), None, false));
        }
        assert!(!tracker.track(body.clone()).is_error());
        tracker = Tracker::new();
        assert_eq!(whole(&tracker.track(body.clone())), whole(&body));
        // Replies that own their text are tracked the same way.
        let owned = body.clone().into_owned();
        assert_eq!(whole(&tracker.track(owned.clone())), (note("pdf"), None, false));
        tracker = Tracker::new();
        assert_eq!(whole(&tracker.track(owned)), whole(&body));
    }
}

#[test]
fn tracker_passes_other_replies_unchanged() {
    let toolbox = toolbox(Profile::Agentick);
    let mut tracker = Tracker::new();
    let with_arguments =
        toolbox.answer(Call::LoadSkill { name: "pdf", arguments: Some("a.pdf".into()) });
    let file =
        Call::ReadSkillFile { skill: "deploy", path: "R&D.md", start_line: None, end_line: None };
    for _ in 0..2 {
        for reply in [
            with_arguments.clone(),
            toolbox.answer(file),
            toolbox.answer(load("nope")),
            toolbox.answer(load("hidden")),
        ] {
            let owned = reply.clone().into_owned();
            assert_eq!(tracker.track(owned).to_string(), reply.to_string());
            assert_eq!(tracker.track(reply.clone()).to_string(), reply.to_string());
        }
    }
    // None of them is an unfilled body.
    for name in ["pdf", "deploy"] {
        assert_eq!(
            tracker.track(toolbox.answer(load(name))).to_string(),
            toolbox.answer(load(name)).to_string()
        );
        assert_eq!(tracker.track(toolbox.answer(load(name))).to_string(), note(name));
    }
    // With arguments, the body is sent again.
    assert_eq!(tracker.track(with_arguments.clone()).to_string(), with_arguments.to_string());
    // Blank arguments are no arguments.
    let blank = toolbox.answer(Call::LoadSkill { name: "pdf", arguments: Some(" ".into()) });
    assert_eq!(tracker.track(blank).to_string(), note("pdf"));
}

#[test]
fn tracker_resumes_from_the_calls_of_a_conversation() {
    let toolbox = toolbox(Profile::Helix);
    let calls = [("load_skill", r#"{"name": "pdf"}"#), ("load_skill", r#"{"name": "nope"}"#)];
    let mut tracker: Tracker = toolbox.loaded_skills(calls).into_iter().collect();
    assert_eq!(tracker.track(toolbox.answer(load("pdf"))).to_string(), note("pdf"));
    assert_eq!(
        tracker.track(toolbox.answer(load("bold"))).to_string(),
        toolbox.answer(load("bold")).to_string()
    );
}

#[test]
fn events_have_a_stable_json_form() {
    let reply = Toolbox::new(SKILLS).answer(Call::LoadSkill { name: "pdf", arguments: None });
    let event = reply.event().unwrap();
    assert_eq!(reply.clone().into_owned().event(), Some(event));
    assert_eq!(serde_json::to_string(&event).unwrap(), r#"{"type":"skill_loaded","name":"pdf"}"#);
}
