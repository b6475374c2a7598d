//! Views render like sets of their skills, and texts have the length that they report.

use crate::hostile::{attacks, config};
use helix_skills_runtime::{
    __private::{Parts, text},
    Budget, Call, Error, Profile, Skill, SkillSet, TextLimit, Toolbox, ToolboxBuilder,
    estimated_tokens,
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Returns everything that a model can get from a toolbox.
fn everything(toolbox: Toolbox, names: &[String]) -> Vec<String> {
    let tools = toolbox
        .tools([])
        .unwrap()
        .map(|tool| format!("{} {} {}", tool.name(), tool.description(), tool.parameters()));
    let mut all: Vec<String> = tools.chain([toolbox.catalog().to_string()]).collect();
    for name in names {
        let reply = toolbox.answer(Call::LoadSkill { name, arguments: None });
        all.push(format!(
            "{reply} {:?} {:?}",
            reply.event(),
            reply.message().map(|message| message.to_string())
        ));
        let read =
            Call::ReadSkillFile { skill: name, path: "f", start_line: None, end_line: Some(1) };
        all.push(toolbox.answer(read).to_string());
    }
    all
}

fn build<'a>(
    preloaded: &'a [&'a str],
    budget: Budget,
    builder: ToolboxBuilder<'a>,
) -> Result<Toolbox<'a>, Error> {
    builder.at("/skills").preload(preloaded).budget(budget).build()
}

fn amount() -> impl Strategy<Value = Option<TextLimit>> {
    proptest::option::of(prop_oneof![
        (0_usize..1500).prop_map(TextLimit::Chars),
        (0_usize..400).prop_map(TextLimit::Tokens)
    ])
}

/// Description, body, and whether the skill is preloaded, hidden and visible.
fn skills() -> impl Strategy<Value = Vec<(String, String, bool, bool, bool)>> {
    vec(
        (
            attacks::text(),
            attacks::text(),
            any::<bool>(),
            proptest::bool::weighted(0.1),
            proptest::bool::weighted(0.7),
        ),
        0..8,
    )
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn views_render_like_sets_of_their_skills(
        texts in skills(), profile in select(Profile::ALL.to_vec()), most in amount(), preloads in amount(),
    ) {
        let names: Vec<String> = (0..texts.len()).map(|at| format!("s{at}")).collect();
        let file = [text("f", "one\ntwo\n", 8, "")];
        let all: Vec<Skill> = texts
            .iter()
            .zip(&names)
            .map(|((description, body, _, hidden, _), name)| {
                let resources = if body.len() % 2 == 0 { &file[..] } else { &[] };
                Skill::from(Parts { name, description, body, disable_model_invocation: *hidden, resources, ..Parts::EMPTY })
            })
            .collect();
        let chosen = |is_chosen: fn(&(String, String, bool, bool, bool)) -> bool| {
            names.iter().zip(&texts).filter(|(_, texts)| is_chosen(texts)).map(|(name, _)| name.as_str()).collect::<Vec<_>>()
        };
        let allowed = chosen(|texts| texts.4);
        let preloaded = chosen(|texts| texts.4 && texts.2 && !texts.3);
        let as_set: Vec<Skill> = all.iter().filter(|skill| allowed.contains(&skill.name())).cloned().collect();
        let mut budget = most.map_or(Budget::NONE, |most| Budget::NONE.catalog(most));
        if let Some(most) = preloads {
            budget = budget.preloads(most);
        }
        let view = build(&preloaded, budget, Toolbox::builder(SkillSet::new(&all)).profile(profile).allow(&allowed[..]));
        let set = build(&preloaded, budget, Toolbox::builder(SkillSet::new(&as_set)).profile(profile));
        match (view, set) {
            (Ok(view), Ok(set)) => {
                prop_assert_eq!(view.skills().count(), set.skills().count());
                prop_assert_eq!(everything(view, &names), everything(set, &names));
            }
            (Err(view), Err(set)) => prop_assert_eq!(view.to_string(), set.to_string()),
            (view, set) => prop_assert!(false, "{:?} {:?}", view.is_ok(), set.is_ok()),
        }
    }

    /// The names and the note always fit a budget, or the catalog is as small as possible.
    #[test]
    fn budgets_hold_and_larger_ones_show_no_less(
        texts in skills(), profile in select(Profile::ALL.to_vec()), chars in 0_usize..1500, tokens in any::<bool>(),
    ) {
        let names: Vec<String> = (0..texts.len()).map(|at| format!("s{at}")).collect();
        let all: Vec<Skill> =
            texts.iter().zip(&names).map(|(texts, name)| Skill::from(Parts { name, description: &texts.0, ..Parts::EMPTY })).collect();
        let unit = if tokens { TextLimit::Tokens } else { TextLimit::Chars };
        let text = |most: usize| {
            let builder = Toolbox::builder(SkillSet::new(&all)).profile(profile);
            builder.budget(Budget::NONE.catalog(unit(most))).build().unwrap().catalog().to_string()
        };
        let cost = |text: &str| if tokens { estimated_tokens(text.len()) } else { text.chars().count() };
        let (least, full) = (text(0), text(usize::MAX));
        let shortened = text(chars);
        prop_assert!(cost(&shortened) <= chars.max(cost(&least)), "{}", shortened);
        if chars >= cost(&full) {
            prop_assert_eq!(&shortened, &full);
        }
        // A budget larger by one can give a shorter note and a longer list, but never fewer
        // descriptions.
        let omitted = |text: &str| text.split_once("The descriptions of the last ").map_or_else(
            || usize::from(text.contains("The description of the last skill is left out.")),
            |(_, rest)| rest.split_once(' ').unwrap().0.parse().unwrap(),
        );
        if !texts.iter().any(|texts| texts.0.contains("left out")) {
            prop_assert!(omitted(&text(chars + 1)) <= omitted(&shortened));
        }
    }

    #[test]
    fn texts_have_their_reported_length(body in attacks::text()) {
        let all = [Skill::from(Parts { name: "x", description: &body, body: &body, ..Parts::EMPTY })];
        for profile in Profile::ALL {
            let toolbox = Toolbox::builder(SkillSet::new(&all)).profile(profile).build().unwrap();
            let reply = toolbox.answer(Call::LoadSkill { name: "x", arguments: Some(body.as_str().into()) });
            let mut text = String::new();
            reply.write_to(&mut text).unwrap();
            prop_assert_eq!(reply.len(), text.len());
            prop_assert_eq!(reply.to_string(), text);
        }
    }
}
