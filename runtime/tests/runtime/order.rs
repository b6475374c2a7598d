//! The order of skills does not change anything made of them.

use crate::hostile::{attacks, config};
use helix_skills_runtime::{__private::Parts, IndexOptions, Profile, Skill, SkillSet, Toolbox};
use proptest::{collection::btree_map, prelude::*};

/// Skills of any texts, sorted, with unique names, and a number for each that gives its new place.
fn skills() -> impl Strategy<Value = Vec<(u32, Skill)>> {
    btree_map("[a-z]{1,3}", (any::<u32>(), attacks::text(), attacks::text()), 0..8).prop_map(
        |all| {
            let owned = |(name, (place, description, body)): &(String, (u32, String, String))| {
                (*place, Skill::from(Parts { name, description, body, ..Parts::EMPTY }))
            };
            all.into_iter().map(|all| owned(&all)).collect()
        },
    )
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn order_of_skills_does_not_change_a_set(sorted in skills()) {
        let expected: Vec<Skill> = sorted.iter().map(|(_, skill)| skill.clone()).collect();
        let expected = SkillSet::new(&expected);
        let mut shuffled = sorted.clone();
        shuffled.sort_by_key(|(place, _)| *place);
        let mut skills: Vec<Skill> = shuffled.into_iter().map(|(_, skill)| skill).collect();
        let set = SkillSet::from_unsorted(&mut skills).unwrap();
        prop_assert!(set.iter().eq(expected.iter()));
        prop_assert!(set.names().is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));
        let index = |set: SkillSet<'_>| set.index(&IndexOptions::new().body(true));
        prop_assert_eq!(index(set), index(expected));
        for profile in Profile::ALL {
            let catalog = |set| Toolbox::builder(set).profile(profile).build().unwrap().catalog().to_string();
            prop_assert_eq!(catalog(set), catalog(expected));
        }
    }
}
