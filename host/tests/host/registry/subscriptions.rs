//! Which changes are reported to subscribers, and when.

use super::{change_line, names, skill};
use helix_skills_agent::{Registry, RegistryChange, RegistryEntry, run::Shape};
use helix_skills_host::SharedRegistry;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc::Receiver},
};

/// Returns the changes that have arrived, each with the names in the registry after it.
fn take(changes: &Receiver<(RegistryChange, Arc<Registry>)>) -> Vec<String> {
    let line = |(change, registry): (RegistryChange, Arc<Registry>)| {
        let names: Vec<_> = registry.set().names().collect();
        format!("{}: {}", change_line(&change), names.join(" "))
    };
    changes.try_iter().map(line).collect()
}

#[test]
fn changes_are_reported_until_the_subscription_ends() {
    let skills = SharedRegistry::new();
    skills.update(|all| all.register(skill("before", "Not reported."))).unwrap();
    let log = skills.subscribe();
    skills.update(|all| all.register(skill("pdf", "One."))).unwrap();
    skills.update(|all| all.replace(skill("pdf", "Two.")));
    skills.clone().update(|all| all.replace(skill("csv", "One."))); // the same registry
    let other = skills.subscribe();
    skills.update(|all| all.remove("pdf"));
    assert_eq!(
        take(&log),
        ["+pdf: before pdf", "~pdf: before pdf", "+csv: before csv pdf", "-pdf: before csv"]
    );
    let many =
        ["a", "b", "csv"].map(|name| (format!("x/{name}"), Ok::<_, String>(skill(name, "One."))));
    assert_eq!(skills.update(|all| all.extend(many)).len(), 1);
    assert_eq!(take(&log), ["+a +b: a b before csv"]); // one change

    // Edits without effect are not reported.
    assert!(skills.update(|all| all.register(skill("a", "Taken."))).is_err());
    skills.update(|all| all.replace(skill("csv", "One.")));
    skills.update(|all| all.remove("missing"));
    let broken = [("y", Err::<helix_skills_runtime::Skill, _>("broken"))];
    assert_eq!(skills.update(|all| all.extend(broken)).len(), 1);
    assert_eq!(take(&log), [""; 0]);

    drop(log);
    skills.update(|all| all.remove("a"));
    assert_eq!(take(&other).len(), 3);
    skills.update(|all| all.remove("b"));
    assert_eq!(take(&other), ["-b: before csv"]);
}

#[test]
fn receiver_ends_with_the_registry() {
    let skills = SharedRegistry::new();
    let (changes, clone) = (skills.subscribe(), skills.clone());
    drop(skills);
    clone.update(|all| all.register(skill("a", "One."))).unwrap();
    drop(clone);
    assert_eq!(changes.iter().count(), 1);
}

#[test]
fn new_contract_of_an_equal_skill_is_a_change() {
    let skills = SharedRegistry::new();
    let contract = Shape::with_schema(r#"{"type": "object"}"#).unwrap();
    let entry = |contract: &Shape| RegistryEntry::new(skill("pdf", "One.")).input(contract.clone());
    skills.update(|all| all.register(entry(&contract))).unwrap();
    let log = skills.subscribe();
    skills.update(|all| all.replace(entry(&contract)));
    assert_eq!(take(&log), [""; 0]);
    skills.update(|all| all.replace(skill("pdf", "One.")));
    assert_eq!(take(&log), ["~pdf: pdf"]);
    assert!(skills.snapshot().run("pdf").is_ok() && skills.snapshot().run("csv").is_err());
}

#[test]
fn update_is_one_change_or_none() {
    let skills = SharedRegistry::new();
    let log = skills.subscribe();
    skills.update(|all| {
        all.register(skill("a", "One.")).unwrap();
        all.register(skill("b", "One.")).unwrap();
        assert!(skills.snapshot().set().is_empty(), "readers see the registry before");
        assert!(all.remove("a").is_some());
    });
    assert_eq!(take(&log), ["+b: b"]);
    // A change that is undone is none.
    skills.update(|all| all.remove("b").map(|skill| all.replace(skill)));
    // An update that panics changes nothing, and the next one works.
    let panics = AssertUnwindSafe(|| {
        skills.update(|all| {
            all.remove("b");
            panic!("expected");
        })
    });
    assert!(catch_unwind(panics).is_err());
    assert_eq!((take(&log), names(&skills)), (vec![], vec!["b".to_owned()]));
    skills.update(|all| all.remove("b"));
    assert_eq!(take(&log), ["-b: "]);
}

#[test]
fn update_in_an_update_panics_instead_of_waiting_for_itself() {
    let skills = SharedRegistry::new();
    let nested = AssertUnwindSafe(|| skills.update(|_| skills.update(|all| all.remove("a"))));
    let why = catch_unwind(nested).unwrap_err();
    let why = why.downcast_ref::<&str>().unwrap();
    assert_eq!(*why, "`SharedRegistry::update` cannot be called in an update");
    skills.update(|all| all.register(skill("a", "One."))).unwrap();
    assert_eq!(names(&skills), ["a"]);
}
