//! The system shell, with commands that fail, hang, print much, or leave processes behind.

use crate::{
    folder::Folder,
    waiting::{processes, wait, wait_until, wait_until_dead},
};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, Shell, ShellCommand};
use helix_skills_agent::{BoxFuture, ProviderError};
use helix_skills_host::{Environment, Error, SystemShell};
use std::{
    pin::pin,
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

/// Time limit for commands that end by themselves.
const LONG: Duration = Duration::from_secs(50);

fn run_for(
    text: &str,
    folder: &Folder,
    time_limit: Duration,
    output_limit: usize,
) -> ProcessOutput {
    let directory = folder.text("");
    let mut command = ShellCommand::new(text);
    (command.directory, command.time_limit, command.output_limit) =
        (Some(&*directory), time_limit, output_limit);
    wait(SystemShell::new().run(command)).unwrap()
}

fn run(text: &str) -> (String, ExitStatus) {
    let output = run_for(text, &Folder::new(), LONG, 1000);
    assert_eq!(output.left_out, 0);
    (output.text, output.exit)
}

fn failed(shell: &SystemShell, command: ShellCommand<'_>) -> Error {
    let error: ProviderError = wait(shell.run(command)).unwrap_err();
    *error.downcast::<Error>().unwrap()
}

/// Runs a command until it times out, with a longer limit each time until `is_so` holds.
fn run_out_of_time(text: &str, folder: &Folder, is_so: impl Fn() -> bool) -> ProcessOutput {
    for milliseconds in [100, 1_000, 10_000] {
        let output = run_for(text, folder, Duration::from_millis(milliseconds), 1000);
        if is_so() {
            return output;
        }
    }
    panic!("the command never got that far: {text}");
}

#[test]
fn both_outputs_are_one_text_in_order_with_the_exit_code() {
    assert_eq!(
        run("echo a; echo b >&2; echo c; exit 3"),
        ("a\nb\nc\n".to_owned(), ExitStatus::Code(3))
    );
    assert_eq!(run(""), (String::new(), ExitStatus::Code(0)));
    assert_eq!(run("printf 'a\\377b'"), ("a\u{fffd}b".to_owned(), ExitStatus::Code(0)));
    assert_eq!(run("kill -TERM $$").1, ExitStatus::Signal(15));
    assert_eq!(run("exec >&- 2>&-; exit 4").1, ExitStatus::Code(4));
}

#[test]
fn stdin_is_empty() {
    assert_eq!(run("cat; read x; echo \"done $?\""), ("done 1\n".to_owned(), ExitStatus::Code(0)));
}

#[test]
fn command_that_looks_like_an_option_runs() {
    let (text, exit) = run("-x");
    assert!(text.contains("-x") && exit == ExitStatus::Code(127), "{text} {exit}");
}

#[test]
fn excess_output_is_dropped_and_the_command_continues() {
    let folder = Folder::new();
    let output = run_for("yes | head -c 3000000; exit 5", &folder, LONG, 1001);
    assert_eq!(output.text, "y\n".repeat(500) + "y");
    assert_eq!((output.left_out, output.exit), (3_000_000 - 1001, ExitStatus::Code(5)));
    // Endless output ends with the time limit.
    let output = run_for("exec yes", &folder, Duration::from_millis(100), 10);
    assert_eq!(output.exit, ExitStatus::TimedOut);
    assert!(output.text.len() <= 10);
}

#[test]
fn timed_out_command_is_killed_with_its_children() {
    let folder = Folder::new();
    for command in [
        "rm -f ids; sleep 600 & (sleep 600 & echo $!; echo $$; echo $!) > ids & wait",
        // Also if it ignores signals.
        "rm -f ids; trap '' TERM INT HUP; (trap '' TERM INT HUP; sleep 600) & echo $! > ids; echo $$ >> ids; echo $$ >> ids; wait",
        // Also if it closed its outputs.
        "rm -f ids; exec >&- 2>&-; sleep 600 & (echo $!; echo $$; echo $$) > ids; sleep 600",
    ] {
        let are_there = || {
            std::fs::read_to_string(folder.path("ids")).is_ok_and(|ids| ids.lines().count() == 3)
        };
        let output = run_out_of_time(command, &folder, are_there);
        assert_eq!(output.exit, ExitStatus::TimedOut);
        wait_until_dead(&processes(&folder.path("ids"), 3));
    }
}

#[test]
fn background_processes_are_killed_and_not_waited_for() {
    let folder = Folder::new();
    let output = run_for("sleep 600 & echo $!; exit 3", &folder, LONG, 1000);
    assert_eq!(output.exit, ExitStatus::Code(3));
    wait_until_dead(&[output.text.trim().to_owned()]);
    // Also if it prints all the time.
    let output = run_for("yes & echo $! > ids; echo; exit 0", &folder, LONG, 1000);
    assert_eq!(output.exit, ExitStatus::Code(0));
    wait_until_dead(&processes(&folder.path("ids"), 1));
}

#[test]
#[cfg(target_os = "linux")]
fn process_outside_the_group_is_not_waited_for() {
    let folder = Folder::new();
    let escape = "setsid sh -c 'echo $$ > ids; exec yes' & while ! [ -s ids ]; do sleep 0.01; done";
    let output = run_for(escape, &folder, LONG, 1000);
    assert_eq!(output.exit, ExitStatus::Code(0));
    // The pipe is closed, which ends it.
    wait_until_dead(&processes(&folder.path("ids"), 1));
}

/// Joins the group of its child, which then ends, and sleeps.
const CHANGES_GROUP: &str = "\
import os, time
here, there = os.pipe()
child = os.fork()
if child == 0:
    os.close(there)
    os.read(here, 1)
    os._exit(0)
os.setpgid(child, child)
os.setpgid(0, child)
open('ids', 'w').write(f'{os.getpid()}\\n{child}\\n')
time.sleep(600)
";

#[test]
fn command_that_changes_its_group_is_killed_in_time() {
    let folder = Folder::new();
    folder.write("change.py", CHANGES_GROUP);
    let changed =
        || std::fs::read_to_string(folder.path("ids")).is_ok_and(|ids| ids.lines().count() == 2);
    let output = run_out_of_time("exec python3 change.py", &folder, changed);
    assert_eq!(output.exit, ExitStatus::TimedOut);
    wait_until_dead(&processes(&folder.path("ids"), 2));
}

#[test]
fn relative_program_path_starts_at_the_agents_directory() {
    let folder = Folder::new();
    folder.write("tools/sh", "#!/bin/sh\ntouch ran\n");
    let program = folder.path("tools/sh");
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o700))
        .unwrap();
    let (mut command, directory) = (ShellCommand::new("date"), folder.text(""));
    command.directory = Some(&directory);
    for relative in ["tools/sh", "./tools/sh"] {
        let error = failed(&SystemShell::with_program(relative), command);
        assert!(
            format!("{error:?}").starts_with(&format!("failed to run `{relative}`: No such file")),
            "{error:?}"
        );
    }
    assert!(!folder.path("ran").exists());
    wait(SystemShell::with_program(program).run(command)).unwrap();
    assert!(folder.path("ran").exists());
}

#[test]
fn dropping_the_future_kills_the_command() {
    let folder = Folder::new();
    let (shell, directory) = (SystemShell::new(), folder.text(""));
    fn command<'s>(
        shell: &'s SystemShell,
        directory: &'s str,
        text: &'s str,
    ) -> BoxFuture<'s, ProcessOutput> {
        let mut command = ShellCommand::new(text);
        command.directory = Some(directory);
        shell.run(command)
    }
    drop(command(&shell, &directory, "touch never"));
    let mut context = Context::from_waker(Waker::noop());
    {
        let mut running =
            pin!(command(&shell, &directory, "sleep 600 & (echo $!; echo $$) > ids; wait"));
        assert!(running.as_mut().poll(&mut context).is_pending());
        wait_until("it runs", || {
            std::fs::read_to_string(folder.path("ids")).is_ok_and(|ids| ids.lines().count() == 2)
        });
    }
    wait_until_dead(&processes(&folder.path("ids"), 2));
    // Immediately, at any stage of starting.
    for turn in 0..50 {
        let text = format!("echo $$ >> begun; sleep 600; touch ended-{turn}");
        let mut running = pin!(command(&shell, &directory, &text));
        assert!(running.as_mut().poll(&mut context).is_pending());
        thread::sleep(Duration::from_micros(100 * turn));
    }
    let begun = std::fs::read_to_string(folder.path("begun")).unwrap_or_default();
    wait_until_dead(&begun.lines().map(str::to_owned).collect::<Vec<_>>());
    let names = std::fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let odd: Vec<_> = names.filter(|name| name != "ids" && name != "begun").collect();
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn commands_run_in_parallel() {
    let folder = Folder::new();
    let (shell, directory) = (SystemShell::new(), folder.text(""));
    // Each command waits for all others.
    let text = "touch $$.here; while [ $(ls *.here | wc -l) -lt 8 ]; do sleep 0.01; done; echo met";
    let mut command = ShellCommand::new(text);
    (command.directory, command.time_limit) = (Some(&*directory), LONG);
    let mut running: Vec<_> = (0..8).map(|_| shell.run(command)).collect();
    for future in &mut running {
        assert!(matches!(
            future.as_mut().poll(&mut Context::from_waker(Waker::noop())),
            Poll::Pending
        ));
    }
    for future in running {
        let output = wait(future).unwrap();
        assert_eq!(
            (&*output.text, output.left_out, output.exit),
            ("met\n", 0, ExitStatus::Code(0))
        );
    }
}

#[test]
fn credentials_of_the_agent_are_not_passed_on() {
    // cargo sets this variable for tests.
    let text =
        "echo ${CARGO_MANIFEST_DIR-none} ${HOME:+some} ${PATH:+some} ${CI-none} ${MINE-none}";
    let set = [("MINE".to_owned(), "a 'b'".to_owned())];
    let run = |environment, set: &[(String, String)]| {
        let shell = SystemShell::new().environment(environment);
        let mut command = ShellCommand::new(text);
        command.environment = set;
        wait(shell.run(command)).unwrap().text
    };
    assert_eq!(
        run(Environment::new().set("HOME", "/h").set("CI", "true"), &[]),
        "none some some true none\n"
    );
    assert_eq!(
        run(Environment::new().set("HOME", "/h").set("MINE", "x"), &set),
        "none some some none a 'b'\n"
    );
    let passed = Environment::new().set("HOME", "/h").pass("CARGO_MANIFEST_DIR");
    let directory = env!("CARGO_MANIFEST_DIR");
    assert!(run(passed, &[]).starts_with(&format!("{directory} some some ")));
}

#[test]
fn skill_can_ask_for_bash() {
    let mut command = ShellCommand::new("echo ${BASH_VERSION:+bash}");
    let output = |shell: SystemShell, command| wait(shell.run(command)).unwrap().text;
    assert_eq!(output(SystemShell::with_program("bash"), command), "bash\n");
    command.dialect = Some("bash");
    assert_eq!(output(SystemShell::new(), command), "bash\n");
    assert_eq!(
        output(SystemShell::with_program("/bin/sh"), ShellCommand::new("echo \"$0\"")),
        "/bin/sh\n"
    );
}

#[test]
fn command_that_cannot_start_is_an_error_with_a_hint() {
    let folder = Folder::new();
    let error = failed(&SystemShell::with_program("no-such-shell"), ShellCommand::new("date"));
    assert!(
        format!("{error:?}").starts_with("failed to run `no-such-shell`: No such file"),
        "{error:?}"
    );
    assert!(error.hint().unwrap().contains("PATH"));

    folder.write("shell", "echo\n");
    let error = failed(&SystemShell::with_program(folder.path("shell")), ShellCommand::new("date"));
    assert!(error.hint().unwrap().contains("executable"), "{error}");

    let (mut command, missing) = (ShellCommand::new("date"), folder.text("not/here"));
    command.directory = Some(&missing);
    let error = failed(&SystemShell::new(), command);
    assert_eq!(
        folder.message(&error),
        format!("cannot run `/bin/sh` in `{}`: the directory does not exist", "not/here")
    );

    let error = failed(&SystemShell::new(), ShellCommand::new("echo a\0b"));
    assert!(error.hint().unwrap().contains("NUL"), "{error}");

    let long = format!("echo {}", "x".repeat(8 * 1024 * 1024));
    let error = failed(&SystemShell::new(), ShellCommand::new(&long));
    assert!(
        error.to_string().len() < 200 && error.hint().unwrap().contains("pass less"),
        "{error}"
    );
}
