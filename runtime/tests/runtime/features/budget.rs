//! Budgets of catalogs.

use crate::features::set::{SKILLS, builder};
use helix_skills_runtime::{
    __private::Parts, Budget, ErrorKind, IndexOptions, Profile, SearchMode, Skill, SkillSet,
    TextLimit, Tool, Toolbox, estimated_tokens,
};

/// The profiles whose catalogs a budget shortens; Agentick's list has its own rule.
const FORMS: [Profile; 5] = [
    Profile::Helix,
    Profile::SkillUse,
    Profile::DeerFlow,
    Profile::DeepAgents,
    Profile::ClaudeCode,
];

fn names(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("skill-{at:03}")).collect()
}

fn described<'a>(names: &'a [String], descriptions: &'a [String]) -> Vec<Skill> {
    let skills = names.iter().zip(descriptions);
    skills
        .map(|(name, description)| Skill::from(Parts { name, description, ..Parts::EMPTY }))
        .collect()
}

fn cost(amount: TextLimit, text: &str) -> usize {
    match amount {
        TextLimit::Chars(_) => text.chars().count(),
        TextLimit::Tokens(_) => estimated_tokens(text.len()),
        other => panic!("no unit of a budget: {other:?}"),
    }
}

fn limited<'a>(set: SkillSet<'a>, profile: Profile, most: TextLimit) -> String {
    let toolbox: Toolbox<'a> =
        Toolbox::builder(set).profile(profile).budget(Budget::NONE.catalog(most)).build().unwrap();
    let catalog = toolbox.catalog();
    assert_eq!(catalog.len(), catalog.to_string().len());
    catalog.to_string()
}

#[test]
fn budgets_drop_descriptions_from_the_end_and_keep_names() {
    let descriptions = ["First.".to_owned(), "b".repeat(150), "c".repeat(150)];
    let names = names(3);
    let all = described(&names, &descriptions);
    let set = SkillSet::new(&all);
    let list = |most| {
        let text = limited(set, Profile::Helix, TextLimit::Chars(most));
        text.split_once("\n\n- ").unwrap().1.to_owned()
    };
    let full = set.catalog().len();
    assert_eq!(
        list(full - 100),
        "skill-000: First.\n- skill-001\n- skill-002\n\n\
         The descriptions of the last 2 skills are left out. Load a skill when its name matches a task.\n"
    );
    assert!(list(full - 1).ends_with(
        "bbb\n- skill-002\n\nThe description of the last skill is left out. Load a skill when its name matches a task.\n"
    ));
}

/// Every budget from zero to more than enough, in both units and all forms.
#[test]
fn catalogs_fit_their_budget_if_names_and_note_fit() {
    let descriptions: Vec<String> = (0..12).map(|at| "é".repeat(at * 7 % 40) + ".").collect();
    let names = names(12);
    let all = described(&names, &descriptions);
    let set = SkillSet::new(&all);
    for profile in FORMS {
        let full = Toolbox::builder(set).profile(profile).build().unwrap().catalog().to_string();
        for unit in [TextLimit::Chars as fn(usize) -> TextLimit, TextLimit::Tokens] {
            let most = cost(unit(0), &full);
            let least = cost(unit(0), &limited(set, profile, unit(0)));
            let mut before = 0;
            for budget in 0..=most + 1 {
                let text = limited(set, profile, unit(budget));
                for name in &names {
                    assert!(text.contains(name.as_str()), "{profile:?} {budget}: {name} is gone");
                }
                if budget >= most {
                    assert_eq!(text, full, "{profile:?} {budget}");
                    continue;
                }
                assert!(
                    cost(unit(0), &text) <= budget.max(least),
                    "{profile:?} {:?}: {text}",
                    unit(budget)
                );
                let kept =
                    descriptions.iter().filter(|&description| has(&text, description)).count();
                assert!(kept >= before, "{profile:?}: a larger budget shows less");
                before = kept;
                let omitted = 12 - kept;
                let note = match omitted {
                    1 => "description of the last skill is".to_owned(),
                    _ => format!("descriptions of the last {omitted} skills are"),
                };
                assert!(
                    text.contains(&format!("\nThe {note} left out. ")),
                    "{profile:?} {budget}: {text}"
                );
            }
        }
    }
}

/// Whether a catalog of any form shows `description`, which ends its line.
fn has(text: &str, description: &str) -> bool {
    text.lines().any(|line| {
        line.strip_suffix(description)
            .is_some_and(|before| before.is_empty() || before.ends_with(": "))
    })
}

#[test]
fn budgets_never_keep_a_later_description_only() {
    let descriptions = ["x".repeat(300), "short.".to_owned()];
    let names = names(2);
    let all = described(&names, &descriptions);
    let text = limited(SkillSet::new(&all), Profile::Helix, TextLimit::Chars(500));
    assert!(
        text.contains(
            "\n- skill-000\n- skill-001\n\nThe descriptions of the last 2 skills are left out."
        ),
        "{text}"
    );
}

#[test]
fn budget_note_says_to_read_without_a_load_tool() {
    let text = limited(SKILLS, Profile::DeepAgents, TextLimit::Chars(0));
    assert!(
        text.ends_with("Read the `SKILL.md` of a skill when its name matches a task.\n"),
        "{text}"
    );
    let text = limited(SKILLS, Profile::Helix, TextLimit::Tokens(0));
    assert!(text.ends_with("Load a skill when its name matches a task.\n"), "{text}");
}

/// The note on omitted skills names a tool only if the model has it.
#[test]
fn budget_note_names_the_search_tool() {
    let index = SKILLS.index(&IndexOptions::new());
    for profile in FORMS {
        let toolbox = Toolbox::builder(SKILLS.with_index(&index))
            .profile(profile)
            .search(SearchMode::ToolAndList)
            .budget(Budget::NONE.catalog(TextLimit::Chars(0)))
            .build()
            .unwrap();
        let text = toolbox.catalog().to_string();
        let has_tool = toolbox.tools([]).unwrap().any(|tool| tool.name() == "search_skills");
        assert_eq!(has_tool, profile != Profile::DeepAgents);
        assert_eq!(
            text.contains("Call `search_skills` with what a task is about"),
            has_tool,
            "{text}"
        );
        assert_eq!(text.contains("search_skills"), has_tool, "{text}");
    }
}

#[test]
fn tokens_are_a_quarter_of_the_bytes_rounded_up() {
    const SMALL: usize = estimated_tokens(9);
    assert_eq!([SMALL, estimated_tokens(0), estimated_tokens(8)], [3, 0, 2]);
    let full = SKILLS.catalog();
    let most = estimated_tokens(full.len());
    assert_eq!(limited(SKILLS, Profile::Helix, TextLimit::Tokens(most)), full.to_string());
    assert_ne!(limited(SKILLS, Profile::Helix, TextLimit::Tokens(most - 1)), full.to_string());
}

#[test]
fn preloads_over_their_budget_are_errors_with_sizes() {
    let builder = builder(Profile::Helix).preload(&["pdf"]);
    let with = builder.build().unwrap().catalog().len();
    let without = SKILLS.catalog().to_string().replace("- pdf:", "- pdf loaded=\"true\":").len();
    let needed = with - without - 1; // one line feed keeps list and block apart
    assert!(builder.budget(Budget::NONE.preloads(TextLimit::Chars(needed))).build().is_ok());
    let error =
        builder.budget(Budget::NONE.preloads(TextLimit::Chars(needed - 1))).build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(
        error.to_string(),
        format!(
            "the preloaded skills need {needed} characters, more than their budget of {} characters; \
             preload fewer or raise the budget",
            needed - 1
        )
    );
    let tokens = Budget::NONE.preloads(TextLimit::Tokens(estimated_tokens(needed)));
    let first = Toolbox::builder(SKILLS).budget(tokens);
    assert!(first.preload(&["pdf"]).build().is_ok());
    let error = first.preload(&["deploy", "pdf"]).build().unwrap_err().to_string();
    assert!(error.contains(" tokens, more than their budget of about "), "{error}");
}

/// Returns the list of Agentick for skills whose lines have these lengths in UTF-16 units.
fn listing(lengths: &[usize]) -> String {
    let descriptions: Vec<String> = lengths
        .iter()
        .map(|length| "𝕩".repeat((length - 14) / 2) + &"x".repeat(length % 2))
        .collect();
    let names = names(lengths.len());
    let all = described(&names, &descriptions);
    let toolbox = Toolbox::builder(SkillSet::new(&all)).profile(Profile::Agentick).build().unwrap();
    let text = toolbox.tools([]).unwrap().next().unwrap().description();
    text.split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn agentick_lists_8000_utf16_units_of_whole_lines() {
    let units = |text: &str| text.encode_utf16().count();
    assert_eq!(units(&listing(&[8000])), 8000);
    assert_eq!(listing(&[8001]), "(1 more skill is not listed here.)\n");
    assert_eq!(units(&listing(&[4000, 4000])), 8000);
    let text = listing(&[4000, 4001, 20]);
    assert_eq!(text.lines().count(), 2, "the first line that does not fit ends the list");
    assert!(text.ends_with("\n(2 more skills are not listed here.)\n"));
}

/// The names count as much as the list: together they are what a request contains.
#[test]
fn tool_definitions_have_at_most_8000_units_of_skills() {
    let names = names(1_000);
    let long: Vec<String> = names.iter().map(|_| "Does one thing well.".to_owned()).collect();
    let definitions = |count: usize, profile: Profile, budget: Budget| -> Vec<(bool, usize)> {
        let all = described(&names[..count], &long[..count]);
        let builder = Toolbox::builder(SkillSet::new(&all)).profile(profile).budget(budget);
        let toolbox = builder.build().unwrap();
        let size = |tool: Tool| {
            let text = format!("{}{}", tool.description(), tool.parameters());
            (tool.parameters().as_str().contains("\"enum\""), text.encode_utf16().count())
        };
        toolbox.tools([]).unwrap().map(size).collect()
    };
    for profile in Profile::ALL {
        for (has_names, units) in definitions(1_000, profile, Budget::NONE) {
            assert!(!has_names && units < 8_800, "{profile:?} {units}");
        }
        for (has_names, _) in definitions(100, profile, Budget::NONE) {
            assert!(has_names, "{profile:?}");
        }
    }
    // Of Agentick, either the list alone or both fit.
    let [(has_names, units)] = definitions(200, Profile::Agentick, Budget::NONE)[..] else {
        panic!()
    };
    assert!(!has_names && units < 8_800, "{units}");
    let [(has_names, units)] = definitions(170, Profile::Agentick, Budget::NONE)[..] else {
        panic!()
    };
    assert!(has_names && units < 8_800, "{units}");
    let small = Budget::NONE.catalog(TextLimit::Chars(200));
    assert!(!definitions(10, Profile::Agentick, small)[0].0);
    assert!(definitions(10, Profile::Helix, small)[0].0);
}

#[test]
fn budgets_limit_the_list_of_agentick() {
    let set = builder(Profile::Agentick)
        .budget(Budget::NONE.catalog(TextLimit::Chars(40)))
        .build()
        .unwrap();
    let text = set.tools([]).unwrap().next().unwrap().description();
    assert!(
        text.ends_with(
            "\n\n- Zed: Upper case sorts first.\n(2 more skills are not listed here.)\n"
        ),
        "{text}"
    );
    let index = SKILLS.index(&IndexOptions::new());
    let toolbox = Toolbox::builder(SKILLS.with_index(&index))
        .profile(Profile::Agentick)
        .budget(Budget::NONE.catalog(TextLimit::Chars(40)))
        .search(SearchMode::ToolAndList);
    let text = toolbox.build().unwrap().tools([]).unwrap().next().unwrap().description();
    let note = "\n(2 more skills are not listed here; the tool `search_skills` finds more.)\n";
    assert!(text.ends_with(note), "{text}");
}
