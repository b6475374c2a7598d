//! Which changes are reported to subscribers, and when.

use super::{change_line, names, skill};
use helix_skills_agent::{
    RegistryEntry,
    run::{InputContract, Shape},
};
use helix_skills_host::{SharedRegistry, Subscription};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// The reported changes, each with the names in the registry.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn subscribe(&self, skills: &SharedRegistry) -> Subscription {
        let log = self.clone();
        skills.subscribe(move |change, registry| {
            let names: Vec<_> = registry.set().names().collect();
            log.add(format!("{}: {}", change_line(change), names.join(" ")));
        })
    }

    fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[test]
fn changes_are_reported_until_the_subscription_ends() {
    let (skills, log, other) = (SharedRegistry::new(), Log::default(), Log::default());
    skills.update(|all| all.register(skill("before", "Not reported."))).unwrap();
    let subscription = log.subscribe(&skills);
    skills.update(|all| all.register(skill("pdf", "One."))).unwrap();
    skills.update(|all| all.replace(skill("pdf", "Two.")));
    skills.clone().update(|all| all.replace(skill("csv", "One."))); // the same registry
    let kept = other.subscribe(&skills);
    skills.update(|all| all.remove("pdf"));
    assert_eq!(
        log.take(),
        ["+pdf: before pdf", "~pdf: before pdf", "+csv: before csv pdf", "-pdf: before csv"]
    );
    let many =
        ["a", "b", "csv"].map(|name| (format!("x/{name}"), Ok::<_, String>(skill(name, "One."))));
    assert_eq!(skills.update(|all| all.extend(many)).len(), 1);
    assert_eq!(log.take(), ["+a +b: a b before csv"]); // one change

    // Edits without effect are not reported.
    assert!(skills.update(|all| all.register(skill("a", "Taken."))).is_err());
    skills.update(|all| all.replace(skill("csv", "One.")));
    skills.update(|all| all.remove("missing"));
    let broken = [("y", Err::<helix_skills_runtime::Skill, _>("broken"))];
    assert_eq!(skills.update(|all| all.extend(broken)).len(), 1);
    assert_eq!(log.take(), [""; 0]);

    drop(subscription);
    skills.update(|all| all.remove("a"));
    assert_eq!((log.take(), other.take().len()), (vec![], 3));
    kept.keep();
    skills.update(|all| all.remove("b"));
    assert_eq!(other.take(), ["-b: before csv"]);
}

#[test]
fn callback_can_use_and_change_the_registry() {
    let (skills, log) = (SharedRegistry::new(), Log::default());
    let (inner, lines, is_inside) = (skills.clone(), log.clone(), AtomicBool::new(false));
    let subscription = skills.subscribe(move |change, registry| {
        assert!(!is_inside.swap(true, Ordering::SeqCst), "called inside itself");
        lines.add(change_line(change));
        assert_eq!(registry.set().len(), registry.set().names().count());
        // Adds a companion for every new skill.
        for name in change.added.iter().filter(|name| name.len() < 4) {
            inner.update(|all| all.register(skill(&format!("{name}x"), "A companion."))).unwrap();
            assert!(inner.snapshot().get(&format!("{name}x")).is_some());
        }
        lines.add("end");
        is_inside.store(false, Ordering::SeqCst);
    });
    skills.update(|all| all.register(skill("a", "One."))).unwrap();
    assert_eq!(log.take(), ["+a", "end", "+ax", "end", "+axx", "end", "+axxx", "end"]);
    assert_eq!(names(&skills), ["a", "ax", "axx", "axxx"]);
    drop(subscription);
}

#[test]
fn callback_can_subscribe_and_unsubscribe() {
    let (skills, log) = (SharedRegistry::new(), Log::default());
    let own: Arc<Mutex<Option<Subscription>>> = Arc::default();
    let born: Arc<Mutex<Vec<Subscription>>> = Arc::default();
    let (place, births, inner, lines) =
        (Arc::clone(&own), Arc::clone(&born), skills.clone(), log.clone());
    *own.lock().unwrap() = Some(skills.subscribe(move |change, _| {
        lines.add(format!("first: {}", change_line(change)));
        births.lock().unwrap().push(lines.subscribe(&inner)); // gets later changes only
        drop(place.lock().unwrap().take()); // gets no more changes
    }));
    skills.update(|all| all.register(skill("a", "One."))).unwrap();
    assert_eq!(log.take(), ["first: +a"]);
    skills.update(|all| all.register(skill("b", "One."))).unwrap();
    assert_eq!(log.take(), ["+b: a b"]);
    born.lock().unwrap().clear();
    skills.update(|all| all.register(skill("c", "One."))).unwrap();
    assert_eq!(log.take(), [""; 0]);
}

#[test]
fn panicking_callback_does_not_affect_others() {
    let (skills, log) = (SharedRegistry::new(), Log::default());
    let panics = skills
        .subscribe(|change, _| assert!(!change.added.contains("bad"), "a panic of a callback"));
    let _subscription = log.subscribe(&skills);
    let register = |name| {
        catch_unwind(AssertUnwindSafe(|| {
            skills.update(|all| all.register(skill(name, "One."))).unwrap()
        }))
    };
    let panic = register("bad").unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"a panic of a callback"));
    // The change was made, and all subscribers were called.
    assert_eq!(
        (names(&skills), log.take()),
        (vec!["bad".to_owned()], vec!["+bad: bad".to_owned()])
    );
    assert!(register("good").is_ok());
    assert_eq!(log.take(), ["+good: bad good"]);
    drop(panics);
    skills.update(|all| all.remove("bad"));
    assert!(register("bad").is_ok());
    assert_eq!(log.take().len(), 2);
}

/// Values owned by callbacks whose destructors use the registry or panic.
#[test]
fn destructor_of_a_callback_can_use_the_registry() {
    struct Leaves(SharedRegistry, &'static str);
    impl Drop for Leaves {
        fn drop(&mut self) {
            self.0.update(|all| all.remove(self.1));
            assert_ne!(self.1, "panics");
        }
    }
    let (skills, log) = (SharedRegistry::new(), Log::default());
    let _subscription = log.subscribe(&skills);
    for name in ["leaves", "panics"] {
        skills.update(|all| all.register(skill(name, "One."))).unwrap();
        let leaves = Leaves(skills.clone(), name);
        let subscription =
            skills.subscribe(move |_, _| assert!(std::ptr::from_ref(&leaves).is_aligned()));
        let end = catch_unwind(AssertUnwindSafe(|| drop(subscription)));
        assert_eq!(end.is_err(), name == "panics");
        assert_eq!(log.take(), [format!("+{name}: {name}"), format!("-{name}: ")]);
    }
    // A subscription that ends during its own call, with a value that panics on drop.
    let place: Arc<Mutex<Option<Subscription>>> = Arc::default();
    let (own, leaves) = (Arc::clone(&place), Leaves(skills.clone(), "panics"));
    *place.lock().unwrap() = Some(skills.subscribe(move |_, _| {
        assert!(std::ptr::from_ref(&leaves).is_aligned());
        drop(own.lock().unwrap().take());
    }));
    assert!(
        catch_unwind(AssertUnwindSafe(|| skills.update(|all| all.register(skill("a", "One.")))))
            .is_err()
    );
    skills.update(|all| all.register(skill("b", "One."))).unwrap();
    assert_eq!(log.take(), ["+a: a", "+b: a b"]);
}

#[test]
fn subscription_does_not_keep_the_registry_alive() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let ended = Arc::new(AtomicUsize::new(0));
    let subscribe = |skills: &SharedRegistry| {
        let counted = Counted(Arc::clone(&ended));
        skills.subscribe(move |_, _| assert!(std::ptr::from_ref(&counted).is_aligned()))
    };
    let skills = SharedRegistry::new();
    let (dropped, outlives) = (subscribe(&skills), subscribe(&skills));
    subscribe(&skills).keep();
    assert_eq!(ended.load(Ordering::SeqCst), 0);
    drop(dropped);
    assert_eq!(ended.load(Ordering::SeqCst), 1);
    drop(skills);
    assert_eq!(ended.load(Ordering::SeqCst), 2); // the kept one
    drop(outlives);
    assert_eq!(ended.load(Ordering::SeqCst), 3);
}

#[test]
fn new_contract_of_an_equal_skill_is_a_change() {
    let (skills, log) = (SharedRegistry::new(), Log::default());
    let contract = InputContract::from(
        Shape::<serde_json::Value>::with_schema(r#"{"type": "object"}"#).unwrap(),
    );
    let entry =
        |contract: &InputContract| RegistryEntry::new(skill("pdf", "One.")).input(contract.clone());
    skills.update(|all| all.register(entry(&contract))).unwrap();
    log.subscribe(&skills).keep();
    skills.update(|all| all.replace(entry(&contract)));
    assert_eq!(log.take(), [""; 0]);
    skills.update(|all| all.replace(skill("pdf", "One.")));
    assert_eq!(log.take(), ["~pdf: pdf"]);
    assert!(skills.snapshot().run("pdf").is_ok() && skills.snapshot().run("csv").is_err());
}

#[test]
fn update_is_one_change_or_none() {
    let (skills, log) = (SharedRegistry::new(), Log::default());
    let subscription = log.subscribe(&skills);
    skills.update(|all| {
        all.register(skill("a", "One.")).unwrap();
        all.register(skill("b", "One.")).unwrap();
        assert!(skills.snapshot().set().is_empty(), "readers see the registry before");
        assert!(all.remove("a").is_some());
    });
    assert_eq!(log.take(), ["+b: b"]);
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
    assert_eq!((log.take(), names(&skills)), (vec![], vec!["b".to_owned()]));
    skills.update(|all| all.remove("b"));
    assert_eq!(log.take(), ["-b: "]);
    drop(subscription);
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
