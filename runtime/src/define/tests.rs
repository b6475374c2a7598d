//! The rules of definitions, compared with a simple restatement.

use crate::{
    Resource, Skill, check_name, check_path,
    resource::{ResourceError, check_resource_path},
    tests::{Samples, are_enough, rounds},
};
use alloc::{collections::BTreeSet, string::String, vec::Vec};

fn is_author_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.split('-').all(|part| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        })
        && check_name(name).is_ok()
}

#[test]
fn try_build_checks_names() {
    let (mut taken, mut refused) = (0, 0);
    for alphabet in ["ab0-", "conpruxl1-", "aA-_.é", "comlpt0129"] {
        for name in Samples::new(alphabet, 6).take(rounds(20_000)) {
            let built = Skill::define(&name, "x", "x").try_build();
            assert_eq!(built.is_ok(), is_author_name(&name), "{name:?} {built:?}");
            *(if built.is_ok() { &mut taken } else { &mut refused }) += 1;
        }
    }
    for name in Samples::new("a", 70).take(rounds(500)) {
        assert_eq!(
            Skill::define(&name, "x", "x").try_build().is_ok(),
            is_author_name(&name),
            "{name:?}"
        );
    }
    assert!(are_enough(taken, 1000) && are_enough(refused, 1000));
}

#[test]
fn try_build_checks_blank_texts() {
    for text in Samples::new("x\u{3000}\u{85} \n", 3).take(rounds(1000)) {
        let is_good = !text.trim().is_empty();
        assert_eq!(Skill::define("a", &text, "x").try_build().is_ok(), is_good, "{text:?}");
        assert_eq!(Skill::define("a", "x", &text).try_build().is_ok(), is_good, "{text:?}");
        assert_eq!(
            Skill::define("a", "x", "x").license(&text).try_build().is_ok(),
            is_good,
            "{text:?}"
        );
        assert_eq!(
            Skill::define("a", "x", "x").disallowed_tools(&[&text]).try_build().is_ok(),
            is_good,
            "{text:?}"
        );
    }
}

#[test]
#[cfg_attr(miri, ignore = "texts of a thousand characters")]
fn try_build_checks_lengths() {
    for text in Samples::new("xé日🦞 ", 1100).take(300) {
        let chars = text.trim().chars().count();
        assert_eq!(Skill::define("a", &text, "x").try_build().is_ok(), (1..=1024).contains(&chars));
        let built = Skill::define("a", "x", "x").compatibility(&text).try_build();
        assert_eq!(built.is_ok(), (1..=500).contains(&chars));
    }
}

#[test]
fn try_build_checks_lists() {
    let mut samples = Samples::new("ab ", 2);
    for count in (0..5).cycle().take(rounds(20_000)) {
        let texts: Vec<String> = samples.by_ref().take(count).collect();
        let list: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let pairs: Vec<_> = list.iter().map(|text| (*text, "")).collect();
        let has_blank = list.iter().any(|text| text.trim().is_empty());
        let is_set = list.iter().collect::<BTreeSet<_>>().len() == list.len();
        let skill = || Skill::define("a", "x", "x");
        assert_eq!(skill().allowed_tools(&list).try_build().is_ok(), !has_blank, "{list:?}");
        assert_eq!(skill().arguments(&list).try_build().is_ok(), !has_blank && is_set, "{list:?}");
        assert_eq!(skill().metadata(&pairs).try_build().is_ok(), !has_blank && is_set, "{list:?}");
    }
}

#[test]
fn try_build_checks_resources() {
    let mut samples = Samples::new("ab/.", 4);
    let mut taken = 0;
    for count in (0..4).cycle().take(rounds(40_000)) {
        let paths: Vec<String> = samples.by_ref().take(count).collect();
        let files: Vec<_> = paths.iter().map(|path| Resource::new(path, path.as_str())).collect();
        let is_set = paths.iter().collect::<BTreeSet<_>>().len() == paths.len();
        let is_good = is_set && paths.iter().all(|path| check_path(path).is_ok());
        let built = Skill::define("a", "x", "x").resources(&files).try_build();
        assert_eq!(built.is_ok(), is_good, "{paths:?}");
        if let Ok(skill) = built {
            taken += 1;
            assert!(paths.iter().all(
                |path| skill.resource(path).and_then(|file| file.text()) == Some(path.as_str())
            ));
        }
    }
    assert!(are_enough(taken, 5000));
    for path in ["SKILL.md", "skill.md", "Skill.MD"] {
        assert_eq!(check_resource_path(path), Err(ResourceError::SkillMd));
    }
    assert_eq!(check_resource_path("references/SKILL.md"), Ok(()));
}
