//! Limits on the output and time of commands.

use super::{fill, fill_with, recording_shell::RecordingShell};
use crate::{
    folder::Folder,
    waiting::{processes, wait_until_dead},
};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, ShellContext};
use helix_skills_host::SystemShell;
use helix_skills_runtime::{Arguments, ErrorKind};
use std::{sync::Arc, thread, time::Duration};

const LONG: Duration = Duration::from_secs(50);

fn live() -> ShellContext {
    ShellContext::new(SystemShell::new()).time_limit(LONG)
}

#[test]
fn excess_output_is_cut_between_characters() {
    let folder = Folder::new();
    folder.write("long", "é".repeat(40_000));
    let filled = fill(&live(), "!`cat long`", &folder.path("")).unwrap();
    assert_eq!(filled, format!("{}\n[50000 bytes more are left out]", "é".repeat(15_000)));
    let filled = fill(&live().output_limit(5), "!`cat long`.", &folder.path("")).unwrap();
    assert_eq!(filled, "éé\n[79996 bytes more are left out].");
    let filled = fill(
        &live().output_limit(5),
        "!`echo 1234`\n!`echo 12345`\n!`printf 'a\\377\\377'`",
        &folder.path(""),
    );
    assert_eq!(
        filled.unwrap(),
        "1234\n12345\n[1 bytes more are left out]\na\u{fffd}\n[1 bytes more are left out]"
    );
}

#[test]
fn body_that_grows_too_much_is_refused_before_running() {
    let folder = Folder::new();
    let long = "x".repeat(1_000_000);
    for asking in ["$ARGUMENTS\n".repeat(20), "!`echo $0`\n".repeat(20)] {
        let body = format!("!`touch marker`\n{asking}");
        let error =
            fill_with(&live(), &body, Arguments::text(&long), &folder.path("")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot fill the body of the skill `log`: with its values, it has more than 16777216 bytes"
        );
        assert!(error.hint().unwrap().contains("pass shorter"));
        assert!(error.kind() == ErrorKind::Limit && !folder.path("marker").exists());
    }
    let filled =
        fill_with(&live(), &"$ARGUMENTS\n".repeat(10), Arguments::text(&long), &folder.path(""))
            .unwrap();
    assert_eq!(filled.len(), 10 * long.len() + 9);
}

#[test]
fn commands_of_a_body_share_an_output_limit() {
    let folder = Folder::new();
    let body = "!`echo 123456`|\n!`echo 123456`|\n!`echo 123456`|";
    let filled = fill(&live().total_output_limit(10), body, &folder.path("")).unwrap();
    assert_eq!(filled, "123456|\n123\n[4 bytes more are left out]|\n[7 bytes more are left out]|");
    // Output of a custom shell that exceeds its limit is cut, too.
    let shell = RecordingShell::new(|_| {
        let mut output = ProcessOutput::new("ééé", ExitStatus::Code(0), Duration::ZERO);
        output.left_out = 4;
        Ok(output)
    });
    let filled = fill(&ShellContext::new(shell).output_limit(3), "!`x`", &folder.path("")).unwrap();
    assert_eq!(filled, "é\n[8 bytes more are left out]");
}

#[test]
fn hanging_command_is_killed_with_its_children() {
    let folder = Folder::new();
    for milliseconds in [100, 1_000, 10_000] {
        let live =
            ShellContext::new(SystemShell::new()).time_limit(Duration::from_millis(milliseconds));
        let error = fill(&live, "!`sleep 600 & (echo $!; echo $$) > ids; wait`", &folder.path(""))
            .unwrap_err();
        assert!(
            error.to_string().ends_with(" (line 1) did not end in time, and was killed"),
            "{error}"
        );
        assert!(error.hint().unwrap().contains("time_limit"));
        if std::fs::read_to_string(folder.path("ids")).is_ok_and(|ids| ids.lines().count() == 2) {
            return wait_until_dead(&processes(&folder.path("ids"), 2));
        }
    }
    panic!("the command never got that far");
}

#[test]
fn commands_of_a_body_share_a_time_limit() {
    let folder = Folder::new();
    let shell = RecordingShell::new(|_| {
        thread::sleep(Duration::from_millis(20));
        Ok(ProcessOutput::new("x", ExitStatus::Code(0), Duration::ZERO))
    });
    let live = || ShellContext::new(Arc::clone(&shell)).total_time_limit(Duration::from_millis(10));
    let error = fill(&live(), "!`a` !`b` !`c`", &folder.path("")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: its command `b` (line 1) was not run: the commands before it used up the 0.01 s of the body"
    );
    assert_eq!(error.kind(), ErrorKind::Command);
    assert!(error.hint().unwrap().contains("total_time_limit"));
    assert_eq!(shell.commands(), ["a"]);
    // No command has more time than is left.
    assert!(shell.recorded()[0].time_limit <= Duration::from_millis(10));
    let filled = fill(&live().show_failures(true), "!`a` !`b`", &folder.path("")).unwrap();
    assert_eq!(
        filled,
        "x [the command was not run: the commands before it used up the 0.01 s of the body]"
    );
}

#[test]
fn body_with_too_many_commands_is_refused() {
    let folder = Folder::new();
    let shell = RecordingShell::echo();
    let fill = |count: usize, live: ShellContext| {
        let arguments = Arguments::json(r#"{"a": [1, 2, 3]}"#).unwrap();
        fill_with(&live, &"!`x $a`\n".repeat(count), arguments, &folder.path(""))
    };
    let filled = fill(100, ShellContext::new(Arc::clone(&shell))).unwrap();
    assert!(
        filled.starts_with("<SKILL_VALUE_1='[1,2,3]'\nx \"${SKILL_VALUE_1}\">\n<SKILL_VALUE_1")
    );
    assert_eq!(shell.commands().len(), 100);
    for live in [
        ShellContext::new(Arc::clone(&shell)),
        ShellContext::without_shell(),
        ShellContext::disabled(),
    ] {
        let error = fill(200_000, live).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot run the commands of the skill `log`: it has more than 100 commands"
        );
        assert!(error.hint().is_some());
    }
    assert_eq!(shell.commands().len(), 100);
}

#[test]
fn dropping_a_fill_kills_its_command_and_starts_no_more() {
    use std::task::{Context, Waker};
    let folder = Folder::new();
    let (live, directory) = (live(), folder.text(""));
    let skill =
        super::skill("log", "!`(sleep 600 & echo $!) > ids; wait; sleep 600`\n!`touch second`");
    {
        let arguments = Arguments::NONE;
        let filling =
            live.fill(&skill, helix_skills_runtime::Profile::Helix, arguments, Some(&directory));
        let mut filling = std::pin::pin!(filling);
        assert!(filling.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        processes(&folder.path("ids"), 1);
    }
    wait_until_dead(&processes(&folder.path("ids"), 1));
    assert!(!folder.path("second").exists());
}
