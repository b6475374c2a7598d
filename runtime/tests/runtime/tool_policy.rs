//! The tools that one or several skills leave to an agent.

use helix_skills_runtime::{
    __private::{Parts, skill},
    Profile, Skill, ToolPolicy,
};

type Rules = Option<&'static [&'static str]>;

const fn of(allowed: Rules, disallowed: Rules) -> Skill {
    skill(Parts { name: "s", allowed_tools: allowed, disallowed_tools: disallowed, ..Parts::EMPTY })
}

const FREE: Skill = of(None, None);
const NOTHING: Skill = of(Some(&[]), None);
const READER: Skill = of(Some(&["Read", "Grep"]), None);
const GIT: Skill = of(Some(&["Bash(git add *)", "Bash(git commit -m (x))"]), None);
const NO_SHELL: Skill = of(None, Some(&["Bash", "Write(/etc/*)"]));

const TOOLS: [&str; 5] = ["Bash", "Grep", "Read", "Write", "mcp__github__list"];

fn left(skills: &[Skill], profile: Profile) -> Vec<&'static str> {
    let policy = ToolPolicy::from_skills(skills).profile(profile);
    TOOLS.into_iter().filter(|tool| policy.allows(tool)).collect()
}

#[test]
fn absent_lists_allow_all_and_empty_lists_none() {
    for profile in Profile::ALL {
        assert_eq!(left(&[], profile), TOOLS, "{profile:?}");
        assert_eq!(left(&[FREE], profile), TOOLS, "{profile:?}");
        let empty_is_all =
            matches!(profile, Profile::Agentick | Profile::DeerFlow | Profile::ClaudeCode);
        let tools = left(&[NOTHING], profile);
        assert_eq!(tools, if empty_is_all { &TOOLS[..] } else { &[] }, "{profile:?}");
    }
    assert!(ToolPolicy::from_skill(&NOTHING).is_limited());
    assert!(!ToolPolicy::from_skill(&NOTHING).profile(Profile::DeerFlow).is_limited());
    assert!(!ToolPolicy::from_skill(&FREE).is_limited());
}

#[test]
fn tool_lists_of_skills_are_united() {
    assert_eq!(left(&[READER], Profile::Helix), ["Grep", "Read"]);
    assert_eq!(left(&[FREE, READER], Profile::Helix), ["Grep", "Read"]);
    assert_eq!(left(&[GIT, READER], Profile::Helix), ["Bash", "Grep", "Read"]);
    assert_eq!(left(&[NOTHING, READER], Profile::Helix), ["Grep", "Read"]);
    assert_eq!(left(&[NOTHING, READER], Profile::DeerFlow), ["Grep", "Read"]);
    assert_eq!(left(&[READER], Profile::ClaudeCode), TOOLS); // it needs no permission there, and removes no tools
}

#[test]
fn disallowed_tools_stay_disallowed() {
    for profile in Profile::ALL {
        assert_eq!(left(&[NO_SHELL], profile), &TOOLS[1..], "{profile:?}");
        assert!(!left(&[GIT, NO_SHELL], profile).contains(&"Bash"), "{profile:?}");
    }
    let skill = NO_SHELL;
    let policy = ToolPolicy::from_skill(&skill);
    assert!(policy.allows("Write") && policy.exceptions("Write").eq(["/etc/*"]));
    assert_eq!(policy.exceptions("Read").count(), 0);
}

#[test]
fn parentheses_are_conditions_on_an_allowed_tool() {
    let skill = GIT;
    let policy = ToolPolicy::from_skill(&skill);
    assert!(policy.conditions("Bash").eq(["git add *", "git commit -m (x)"]));
    assert_eq!(policy.conditions("Read").count(), 0);
    let any = of(Some(&["Bash", "Bash(git add *)"]), None);
    assert_eq!(ToolPolicy::from_skill(&any).conditions("Bash").count(), 0); // one rule has no condition
    let skills = [GIT, NO_SHELL];
    assert_eq!(ToolPolicy::from_skills(&skills).conditions("Bash").count(), 0); // it is gone
    let server = of(Some(&["mcp__github__*"]), None);
    assert!(
        ToolPolicy::from_skill(&server).allows("mcp__github__list")
            && !ToolPolicy::from_skill(&server).allows("mcp__gitlab__list")
    );
}
