//! Property tests that compare a registry with a map.

use super::skill;
use helix_skills_agent::{Registry, SkillQuery};
use helix_skills_runtime::{Profile, Skill};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
enum Step {
    Register(&'static str, u8),
    Replace(&'static str, u8),
    Remove(&'static str),
    Load(Vec<(u8, &'static str, Option<u8>)>),
}

const NAMES: [&str; 6] = ["a", "b", "b-1", "b-a", "ba", "c"];

fn step() -> impl Strategy<Value = Step> {
    let name = || prop::sample::select(&NAMES[..]);
    prop_oneof![
        (name(), 0..3_u8).prop_map(|(name, version)| Step::Register(name, version)),
        (name(), 0..3_u8).prop_map(|(name, version)| Step::Replace(name, version)),
        name().prop_map(Step::Remove),
        prop::collection::vec((0..2_u8, name(), prop::option::weighted(0.8, 0..3_u8)), 0..5)
            .prop_map(Step::Load),
    ]
}

fn version(name: &str, version: u8) -> Skill {
    skill(name, &format!("Version {version}."))
}

/// The expected version and origin of each skill.
type Model = BTreeMap<&'static str, (u8, Option<String>)>;

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 3 } else { 300 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn registry_behaves_like_a_map(steps in prop::collection::vec(step(), 0..40)) {
        let (mut registry, mut model) = (Registry::new(), Model::new());
        for step in steps {
            let (before, clone) = (model.clone(), registry.clone());
            match step {
                Step::Register(name, v) => {
                    let outcome = registry.register(version(name, v));
                    prop_assert_eq!(outcome.is_ok(), !model.contains_key(name));
                    model.entry(name).or_insert((v, None));
                }
                Step::Replace(name, v) => {
                    // The same skill keeps its origin.
                    let same = model.get(name).filter(|(known, _)| *known == v);
                    let origin = same.and_then(|(_, origin)| origin.clone());
                    let known = model.insert(name, (v, origin)).map(|(v, _)| version(name, v));
                    let was = registry.replace(version(name, v));
                    prop_assert_eq!(was.as_ref(), known.as_ref());
                }
                Step::Remove(name) => {
                    let known = model.remove(name).map(|(v, _)| version(name, v));
                    let was = registry.remove(name);
                    prop_assert_eq!(was.as_ref(), known.as_ref());
                }
                Step::Load(skills) => {
                    let origin = |at: u8, name: &str| format!("{at}/{name}");
                    let left_out = registry.extend(
                        skills.iter().map(|(at, name, v)| (origin(*at, name), v.map(|v| version(name, v)).ok_or("it is broken"))),
                    );
                    let (mut problems, mut loaded) = (0, BTreeSet::new());
                    for (at, name, v) in skills {
                        let from = Some(origin(at, name));
                        let is_free = model.get(name).is_none_or(|(_, known)| *known == from && !loaded.contains(name));
                        match v.filter(|_| is_free) {
                            Some(v) => {
                                model.insert(name, (v, from));
                                loaded.insert(name);
                            }
                            None => problems += 1,
                        }
                    }
                    prop_assert_eq!(left_out.len(), problems);
                    let now = |name: &&str| model.get(name).map(|(v, _)| *v);
                    let then = |name: &&str| before.get(name).map(|(v, _)| *v);
                    let added = NAMES.iter().filter(|name| then(name).is_none() && now(name).is_some());
                    let is_other = |name: &&&str| then(name).is_some() && then(name) != now(name);
                    let change = registry.changes_since(&clone);
                    prop_assert!(change.added.iter().eq(added));
                    prop_assert!(change.replaced.iter().eq(NAMES.iter().filter(is_other)));
                    prop_assert!(change.removed.is_empty());
                }
            }
            prop_assert!(registry.set().names().eq(model.keys().copied()));
            prop_assert_eq!(registry.set().len(), model.len());
            for name in NAMES {
                let known = model.get(name);
                let expected = known.map(|(v, _)| version(name, *v));
                prop_assert_eq!(registry.set().get(name), expected.as_ref());
                let origin = registry.entry(name).and_then(|entry| entry.origin.as_deref());
                prop_assert_eq!(origin, known.and_then(|(_, from)| from.as_deref()));
            }
            // A clone does not change.
            prop_assert!(clone.set().names().eq(before.keys().copied()));
            for (name, (v, _)) in before {
                prop_assert_eq!(clone.set().get(name).unwrap().description(), format!("Version {v}."));
            }
        }
    }

    /// A query finds a skill if and only if a text of it contains the query, in any case.
    #[test]
    fn every_part_of_a_text_is_found(
        texts in prop::collection::vec("[aAbBäÄßΣς ]{1,8}", 1..6),
        part in "[aAbBäÄßΣς ]{0,3}",
    ) {
        let mut registry = Registry::new();
        for (at, text) in texts.iter().enumerate() {
            registry.register(skill(&format!("n{at}"), &format!("-{text}-"))).unwrap();
        }
        let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
        let expected: Vec<_> = texts.iter().enumerate()
            .filter(|(_, text)| lower(&format!("-{text}-")).contains(&lower(part.trim())))
            .map(|(at, _)| format!("n{at}"))
            .collect();
        let query = SkillQuery::new().text(&part);
        let found: Vec<_> = query.search(registry.set()).into_iter().map(|skill| skill.name()).collect();
        prop_assert_eq!(&found, &expected);
        let deer_flow = query.profile(Profile::DeerFlow).search(registry.set());
        prop_assert_eq!(deer_flow.len(), if part.trim().is_empty() { 0 } else { expected.len().min(5) });
    }
}
