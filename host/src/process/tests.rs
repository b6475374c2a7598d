//! What a run leaves behind, on every system. The program is this test binary, as [`helper`].

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "the test starts itself")]

use super::{Environment, Process};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput};
use std::{
    env,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    pin::pin,
    process::Command,
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

/// Maximum time to wait. No test asserts anything else about time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time limit for programs that end by themselves.
const LONG: Duration = Duration::from_secs(50);

/// What [`helper`] does: `ACTION PORT`.
const ACTION: &str = "HELIX_TEST_ACTION";

/// How libtest is asked for [`helper`].
const ARGUMENTS: [&str; 4] = ["process::tests::helper", "--exact", "--ignored", "--nocapture"];

/// The program that the tests run.
#[test]
#[ignore = "a program for other tests"]
#[expect(clippy::zombie_processes, reason = "the tests are about processes that are left behind")]
fn helper() {
    let Ok(action) = env::var(ACTION) else { return };
    let (action, port) = action.split_once(' ').unwrap();
    if action == "print" {
        return print!("{}", "x".repeat(1 << 20));
    }
    if action == "start" {
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(ARGUMENTS).env(ACTION, format!("wait {port}")).spawn().unwrap();
    }
    // Shows that this process is alive. The other end never says more than a byte.
    let mut signal = TcpStream::connect(("127.0.0.1", port.parse().unwrap())).unwrap();
    signal.write_all(&action.as_bytes()[..1]).unwrap();
    let _ = signal.read(&mut [0]);
    std::process::exit(3);
}

/// A server that the helpers connect to.
struct Signals(TcpListener);

impl Signals {
    fn new() -> Self {
        Self(TcpListener::bind(("127.0.0.1", 0)).unwrap())
    }

    fn process(&self, action: &str, time_limit: Duration) -> Process {
        let port = self.0.local_addr().unwrap().port();
        Process {
            program: env::current_exe().unwrap(),
            arguments: ARGUMENTS.map(Into::into).into(),
            directory: None,
            environment: Environment::new().set(ACTION, format!("{action} {port}")),
            time_limit,
            output_limit: 1000,
        }
    }

    /// Waits for the leader and its child.
    fn accept(&self) -> [TcpStream; 2] {
        let mut both = [(); 2].map(|()| {
            let (mut signal, _) = self.0.accept().unwrap();
            signal.set_read_timeout(Some(PATIENCE)).unwrap();
            let mut action = [0];
            signal.read_exact(&mut action).unwrap();
            (action[0], signal)
        });
        both.sort_by_key(|(action, _)| *action);
        let [(b's', leader), (b'w', child)] = both else { panic!("other helpers") };
        // Wine sometimes keeps the socket of a process that is killed while it begins to read.
        thread::sleep(Duration::from_millis(200));
        [leader, child]
    }
}

/// Waits until the process at the other end has ended.
fn wait_until_dead(mut signal: TcpStream) {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    match signal.read(&mut [0]) {
        Ok(count) => assert_eq!(count, 0, "it is alive"),
        Err(error) => assert!(!matches!(error.kind(), TimedOut | WouldBlock), "it is alive"),
    }
}

fn run(process: Process) -> ProcessOutput {
    pollster::block_on(process.run()).unwrap()
}

#[test]
fn processes_are_killed_at_the_time_limit() {
    for seconds in [1, 4, 16] {
        let signals = Signals::new();
        let process = signals.process("start", Duration::from_secs(seconds));
        let accepted = thread::spawn(move || signals.accept());
        assert_eq!(run(process).exit, ExitStatus::TimedOut);
        // On a busy machine, the time may be up before both have started.
        if accepted.is_finished() {
            return accepted.join().unwrap().into_iter().for_each(wait_until_dead);
        }
    }
    panic!("two processes do not start in time");
}

#[test]
fn background_processes_are_killed_when_the_program_ends() {
    let signals = Signals::new();
    let running = thread::spawn({
        let process = signals.process("start", LONG);
        move || run(process)
    });
    let [mut leader, child] = signals.accept();
    leader.write_all(b"x").unwrap();
    assert_eq!(running.join().unwrap().exit, ExitStatus::Code(3));
    wait_until_dead(child);
}

#[test]
fn processes_are_killed_when_the_run_is_dropped() {
    let signals = Signals::new();
    let mut context = Context::from_waker(Waker::noop());
    let both = {
        let mut running = pin!(signals.process("start", LONG).run());
        assert!(matches!(running.as_mut().poll(&mut context), Poll::Pending));
        signals.accept()
    };
    both.into_iter().for_each(wait_until_dead);
}

#[test]
fn output_over_the_limit_is_counted() {
    let output = run(Signals::new().process("print", LONG));
    assert_eq!((output.exit, output.text.len()), (ExitStatus::Code(0), 1000));
    assert!(output.left_out > (1 << 20) - 1000);
}
