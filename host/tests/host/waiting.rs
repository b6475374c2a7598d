//! Waiting for a future, a file or the end of a process.

#[cfg(unix)]
use std::{path::Path, process::Command};
use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Wake},
    thread::{self, Thread},
    time::{Duration, Instant},
};

/// Maximum time to wait. No test asserts anything else about time.
const PATIENCE: Duration = Duration::from_secs(60);

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks the thread until a future is ready.
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

/// Waits until a condition holds.
#[cfg(unix)]
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "not in {} s: {what}", PATIENCE.as_secs());
        thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until a command has written `count` process ids into a file, one per line, and returns
/// them.
#[cfg(unix)]
pub(crate) fn processes(path: &Path, count: usize) -> Vec<String> {
    let read = || std::fs::read_to_string(path).unwrap_or_default();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    wait_until(&format!("{count} ids in the file"), || {
        read().ends_with('\n') && lines(&read()).len() >= count
    });
    lines(&read())
}

/// Waits until these processes have ended. Zombies count as ended.
#[cfg(unix)]
pub(crate) fn wait_until_dead(processes: &[String]) {
    for id in processes {
        assert!(id.parse::<u32>().is_ok_and(|id| id > 1), "no id: {id:?}");
        wait_until(&format!("process {id} ends"), || {
            let state = Command::new("ps").args(["-o", "stat=", "-p", id]).output().unwrap().stdout;
            state.trim_ascii().is_empty() || state.trim_ascii().starts_with(b"Z")
        });
    }
}
