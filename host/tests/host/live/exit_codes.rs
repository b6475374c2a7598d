//! Exit codes of commands that are results and not failures.

use super::{recording_shell::RecordingShell, skill};
use crate::waiting::wait;
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, ShellContext};
use helix_skills_host::SystemShell;
use helix_skills_runtime::{Arguments, Profile};
use std::time::Duration;

#[test]
fn exit_code_1_of_a_search_fits_the_profile() {
    let body = |command: &str| format!("$ARGUMENTS: !`{command}`.");
    let filled = |profile, command: &str, code| {
        let shell = RecordingShell::new(move |_| {
            Ok(ProcessOutput::new("-", ExitStatus::Code(code), Duration::ZERO))
        });
        let live = ShellContext::new(shell).directory_of_shell().show_failures(false);
        wait(live.fill(&skill("log", &body(command)), profile, Arguments::text("grep x"), None))
    };
    let results = [
        "grep -rn TODO .",
        "rg x",
        "diff a b",
        "find / -name x",
        "test -f x",
        "[ -f x ]",
        " LC_ALL=C grep x a",
        "cat a | grep x",
        "cat a | grep 'a; b' 2>&1 ;",
        "cd src && grep x a &>/dev/null",
        "ls || rg x > out",
        "echo $(false; true); grep x a # it's; done",
    ];
    for command in results {
        assert_eq!(filled(Profile::ClaudeCode, command, 1).unwrap(), "grep x: -.", "{command}");
        // All other codes are failures, and so is 1 in the other profiles.
        filled(Profile::ClaudeCode, command, 2).unwrap_err();
        filled(Profile::Agentick, command, 1).unwrap_err();
        filled(Profile::Helix, command, 1).unwrap_err();
    }
    let failures = [
        "false",
        "git grep x",
        "grep x a | sort",
        "grep x a; false",
        "grep x a && ls",
        "echo 'a; grep x'",
        "echo \"a | grep x\"",
        "! grep x a",
        "egrep x a",
        "$0 a",
        "greps",
    ];
    for command in failures {
        assert!(filled(Profile::ClaudeCode, command, 1).is_err(), "{command}");
    }
    // In a block, the last line decides.
    let block = |text: &str| {
        let shell = ShellContext::new(SystemShell::new()).directory_of_shell().show_failures(false);
        let skill = skill("log", &format!("```!\n{text}\n```"));
        wait(shell.fill(&skill, Profile::ClaudeCode, Arguments::NONE, None))
    };
    assert_eq!(block("# it's a search\necho a\ngrep x /dev/null # none\n").unwrap(), "a\n");
    block("grep x /dev/null\n(exit 1)").unwrap_err();
}
