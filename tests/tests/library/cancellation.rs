//! Operations that are canceled from another thread.

use helix_skills_project::{Cancellation, Error, ErrorKind, Project};
use helix_skills_tests::{Behavior, Change, Fault, GitServer, Sandbox};
use serde_json::json;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    thread,
    time::Duration,
};

/// Cancels once the server has received the request that it leaves unanswered. Returns early if the
/// operation ends before.
fn cancel_while_silent(
    server: &GitServer,
    cancellation: &Cancellation,
    work: impl FnOnce() -> Error,
) {
    let faults = BTreeMap::from([(1, Fault::Stalled)]);
    server.take_traffic();
    server.behave(Behavior { faults, ..Behavior::default() });
    let has_ended = AtomicBool::new(false);
    let failure = thread::scope(|scope| {
        scope.spawn(|| {
            while server.traffic().requests < 1 && !has_ended.load(SeqCst) {
                thread::sleep(Duration::from_millis(2));
            }
            cancellation.cancel();
        });
        // A guard, so that the thread above ends even if the operation panics.
        let _end = SetOnDrop(&has_ended);
        work()
    });
    assert_eq!(failure.kind(), ErrorKind::Interrupted, "{failure}");
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

#[test]
fn cancellation_ends_waits_and_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.sources(&json!({"git": {"type": "git", "url": server.url("repo")}}));
    let project = |cancellation: &Cancellation| {
        Project::at(sandbox.project(""))
            .cache_dir(sandbox.path("cache"))
            .cancellation(cancellation.clone())
    };
    let cancellation = Cancellation::new();
    cancel_while_silent(&server, &cancellation, || project(&cancellation).sync().unwrap_err());
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    server.behave(Behavior::default());
    project(&Cancellation::new()).sync().unwrap();
    let lock = sandbox.lock();
    let cancellation = Cancellation::new();
    cancel_while_silent(&server, &cancellation, || {
        project(&cancellation).outdated(&[]).unwrap_err()
    });
    let cancellation = Cancellation::new();
    cancel_while_silent(&server, &cancellation, || {
        project(&cancellation).update(&[], |_| true).unwrap_err()
    });
    assert_eq!(sandbox.lock(), lock);

    // An operation that was canceled before does not start.
    server.behave(Behavior::default());
    server.take_traffic();
    sandbox.forget();
    let failure = project(&cancellation).sync().unwrap_err();
    assert_eq!(failure.kind(), ErrorKind::Interrupted, "{failure}");
    assert_eq!(server.traffic().requests, 0);
}
