//! Waiting for what takes its time: a future, a file, the end of a process.

use std::{
    path::Path,
    pin::pin,
    process::Command,
    sync::Arc,
    task::{Context, Poll, Wake},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// Longer is not waited for. Nothing else is asserted about time.
const PATIENCE: Duration = Duration::from_secs(60);

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The answer of a future, on a thread that does nothing else.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Arc::new(Unpark(thread::current())).into();
    let end = Instant::now() + PATIENCE;
    loop {
        if let Poll::Ready(answer) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return answer;
        }
        assert!(Instant::now() < end, "no answer in {} s", PATIENCE.as_secs());
        thread::park_timeout(PATIENCE);
    }
}

/// Waits until something is so.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "not in {} s: {what}", PATIENCE.as_secs());
        thread::sleep(Duration::from_millis(2));
    }
}

/// The processes whose ids a command has written into a file, one a line, once there are so many.
pub(crate) fn processes(path: &Path, count: usize) -> Vec<String> {
    let read = || std::fs::read_to_string(path).unwrap_or_default();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    wait_until(&format!("{count} ids in the file"), || {
        read().ends_with('\n') && lines(&read()).len() >= count
    });
    lines(&read())
}

/// Waits until these processes are no more. One that has ended and that nobody has waited for is none.
pub(crate) fn wait_until_dead(processes: &[String]) {
    for id in processes {
        assert!(id.parse::<u32>().is_ok_and(|id| id > 1), "no id: {id:?}");
        wait_until(&format!("process {id} ends"), || {
            let state = Command::new("ps").args(["-o", "stat=", "-p", id]).output().unwrap().stdout;
            state.trim_ascii().is_empty() || state.trim_ascii().starts_with(b"Z")
        });
    }
}
