//! The order of skills does not change anything made of them.

use crate::hostile::{attacks, config};
use helix_skills_runtime::{
    __private::{Parts, skill},
    IndexOptions, Profile, SkillBuf, SkillSetBuf, Toolbox,
};
use proptest::{collection::btree_map, prelude::*};

/// Skills of any texts, sorted, with unique names, and a number for each that gives its new place.
fn skills() -> impl Strategy<Value = Vec<(u32, SkillBuf)>> {
    btree_map("[a-z]{1,3}", (any::<u32>(), attacks::text(), attacks::text()), 0..8).prop_map(
        |all| {
            let owned = |(name, (place, description, body)): &(String, (u32, String, String))| {
                (*place, SkillBuf::from(skill(Parts { name, description, body, ..Parts::EMPTY })))
            };
            all.into_iter().map(|all| owned(&all)).collect()
        },
    )
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn order_of_skills_does_not_change_a_set(sorted in skills()) {
        let expected = SkillSetBuf::try_from_iter(sorted.iter().map(|(_, skill)| skill.clone())).unwrap();
        let mut shuffled = sorted;
        shuffled.sort_by_key(|(place, _)| *place);
        let mut one_by_one = SkillSetBuf::new();
        for (_, skill) in &shuffled {
            one_by_one.insert(skill.clone()).unwrap();
            prop_assert!(one_by_one.insert(skill.clone()).is_err());
        }
        let at_once = SkillSetBuf::try_from_iter(shuffled.into_iter().map(|(_, skill)| skill)).unwrap();
        for set in [&one_by_one, &at_once] {
            prop_assert_eq!(set, &expected);
            prop_assert!(set.names().is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));
        }
        let index = |set: &SkillSetBuf| set.view(|set| set.index(&IndexOptions::new().body(true)).into_bytes());
        prop_assert_eq!(index(&one_by_one), index(&expected));
        for profile in Profile::ALL {
            let catalog = |set: &SkillSetBuf| set.view(|set| Toolbox::builder(set).profile(profile).build().unwrap().catalog().to_string());
            prop_assert_eq!(catalog(&at_once), catalog(&expected));
        }
    }
}
