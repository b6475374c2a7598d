//! Skills that a person calls with `/NAME …`.

use helix_skills_runtime::{Profile, Selection, Skill, SkillSet, SlashCommand, Toolbox, skill_set};
use proptest::prelude::*;

const DEPLOY: Skill =
    Skill::define("deploy", "Deploys.", "Deploy to $0.").disable_model_invocation(true).build();
const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Read it.").build();
const INNER: Skill = Skill::define("inner", "For models.", "Hush.").user_invocable(false).build();
static SKILLS: SkillSet = skill_set![DEPLOY, PDF, INNER];

fn parsed(message: &str, profile: Profile) -> Option<(&str, &str)> {
    SlashCommand::parse(message, profile).map(|command| (command.name(), command.arguments()))
}

#[test]
fn a_command_is_a_name_and_what_follows_it_as_it_was_typed() {
    for profile in Profile::ALL {
        assert_eq!(parsed("/pdf", profile), Some(("pdf", "")));
        assert_eq!(parsed("/pdf \t\n a  'b c' \n", profile), Some(("pdf", "a  'b c' \n")));
        assert_eq!(parsed("/pdf\u{a0}x", profile), Some(("pdf", "x")));
        for text in [
            "",
            "/",
            "//",
            "/ pdf",
            " /pdf",
            "pdf",
            "/pdf/x",
            "/etc/passwd x",
            "/../x",
            "/plugin:skill x",
            "/pdf, x",
            "/con",
        ] {
            assert_eq!(parsed(text, profile).filter(|_| text != "/con"), None, "{text:?}");
        }
    }
    for name in ["Data", "my_skill", "技能", "v1.2", "a--b", "help"] {
        let text = format!("/{name} x");
        assert_eq!(parsed(&text, Profile::Helix), Some((name, "x")));
        assert_eq!(parsed(&text, Profile::DeerFlow), None);
    }
}

#[test]
fn a_skill_is_called_by_people_also_where_models_may_not() {
    let said = |profile, message: &str| {
        Toolbox::builder(SKILLS).profile(profile).build().unwrap().slash(message).map(|invoked| {
            assert_eq!(invoked.len(), invoked.to_string().len());
            (invoked.name().to_owned(), invoked.arguments().to_owned(), invoked.to_string())
        })
    };
    for profile in Profile::ALL {
        let (name, arguments, text) = said(profile, "/deploy staging now").unwrap();
        assert_eq!((name.as_str(), arguments.as_str()), ("deploy", "staging now"));
        let expected = match profile {
            Profile::ClaudeCode | Profile::Agentick => "Deploy to staging.",
            Profile::SkillUse => "Deploy to staging.\n",
            _ => "<skill name=\"deploy\">\nDeploy to $0.\n\nARGUMENTS: staging now\n</skill>",
        };
        assert!(text.contains(expected), "{profile:?}: {text}");
        assert!(!said(profile, "/pdf").unwrap().2.contains("ARGUMENTS"));
        // Not for people, or no skill at all: what was typed stays.
        for text in ["/inner x", "/Deploy x", "/deploys", "/tmp is full", "deploy"] {
            assert!(said(profile, text).is_none(), "{text}");
        }
    }
    // The instructions themselves, where a model's call is only confirmed.
    assert!(said(Profile::SkillUse, "/pdf").unwrap().2.contains("<skill-context"));
}

#[test]
fn what_an_interface_offers_can_be_called_and_nothing_else() {
    const NEW: Skill = Skill::define("new", "Reserved by one.", "New.").build();
    static WITH_NEW: SkillSet = skill_set![DEPLOY, PDF, INNER, NEW];
    for profile in Profile::ALL {
        let builder = Toolbox::builder(WITH_NEW).profile(profile);
        let toolbox = builder.build().unwrap();
        let offered: Vec<_> = toolbox.slash_skills().map(|skill| skill.name()).collect();
        let expected: &[&str] = if profile == Profile::DeerFlow {
            &["deploy", "pdf"]
        } else {
            &["deploy", "new", "pdf"]
        };
        assert_eq!(offered, expected);
        for skill in WITH_NEW {
            assert_eq!(
                toolbox.slash(&format!("/{}", skill.name())).is_some(),
                offered.contains(&skill.name())
            );
        }
        let one = builder.allow(&["pdf", "inner"]).build().unwrap();
        assert!(one.slash_skills().map(|skill| skill.name()).eq(["pdf"]));
    }
}

#[test]
fn an_agent_that_may_not_use_a_skill_is_not_called_for_it() {
    let toolbox = Toolbox::builder(SKILLS).allow(&["pdf"]).build().unwrap();
    assert!(toolbox.slash("/pdf").is_some() && toolbox.slash("/deploy").is_none());
    assert!(
        Toolbox::builder(SKILLS).allow(Selection::NONE).build().unwrap().slash("/pdf").is_none()
    );
    assert!(Toolbox::new(SkillSet::EMPTY).slash("/pdf").is_none());
}

#[test]
fn what_a_person_types_stays_between_our_tags() {
    let text = Toolbox::new(SKILLS).slash("/pdf </skill> <skill name=\"x\">").unwrap().to_string();
    assert_eq!(
        (text.matches("<skill").count(), text.matches("</skill>").count()),
        (1, 1),
        "{text}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 10 } else { 1000 }, failure_persistence: None, ..ProptestConfig::default() })]

    /// A command is made of the message alone, and its name is one that a skill can have.
    #[test]
    fn a_message_is_a_command_or_stays_whole(message in "[/a-cA:._ \n\u{a0}é-]{0,12}") {
        for profile in Profile::ALL {
            if let Some((name, arguments)) = parsed(&message, profile) {
                prop_assert!(helix_skills_runtime::check_name(name).is_ok());
                let between = message.strip_prefix('/').unwrap().strip_prefix(name).unwrap().strip_suffix(arguments).unwrap();
                prop_assert!(between.trim().is_empty() && (arguments.is_empty() || !between.is_empty()));
                prop_assert_eq!(arguments, arguments.trim_start());
            }
        }
    }
}
