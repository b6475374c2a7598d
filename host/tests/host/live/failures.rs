//! Commands that fail, that are not allowed, that nobody runs.

use super::{fill, skill, teller::Teller};
use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::live::{
    Approval, CommandFailure, ExitStatus, LiveContext, LiveError, OnFailure, ProcessOutput,
};
use helix_skills_host::{ProcessError, SystemShell};
use helix_skills_runtime::{Arguments, Profile};
use std::{
    error::Error,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

const BODY: &str = "One !`echo one`.\n\n```!\necho two\necho why >&2\nexit 7\n```\n\nThree !`touch three; echo three`.";

#[test]
fn a_command_that_fails_is_an_error_with_all_that_is_needed_and_none_runs_after_it() {
    let folder = Folder::new();
    let error = fill(&LiveContext::new(SystemShell::new()), BODY, &folder.path("")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: its command `echo two echo why >&2 exit 7` (line 3) ended with exit code 7: two why"
    );
    assert!(error.hint().unwrap().contains("|| true"));
    let LiveError::Failed { skill, command, line, failure } = &error else { panic!("{error:?}") };
    assert_eq!((&**skill, &**command, *line), ("log", "echo two\necho why >&2\nexit 7", 3));
    let CommandFailure::Exit { exit: ExitStatus::Code(7), output } = failure else {
        panic!("{failure:?}")
    };
    assert_eq!(output, "two\nwhy\n");
    assert!(!folder.path("three").exists());
}

#[test]
fn a_failure_may_be_told_to_the_model_instead() {
    let folder = Folder::new();
    let live = LiveContext::new(SystemShell::new()).on_failure(OnFailure::Inline);
    let filled = fill(&live, BODY, &folder.path("")).unwrap();
    assert_eq!(
        filled,
        "One one.\n\ntwo\nwhy\n[the command ended with exit code 7]\n\nThree three."
    );
    assert_eq!(
        fill(&live, "!`exit 1`", &folder.path("")).unwrap(),
        "[the command ended with exit code 1]"
    );
    let killed = fill(&live, "!`printf a; kill -KILL $$`", &folder.path("")).unwrap();
    assert_eq!(killed, "a\n[the command was ended by signal 9]");
    let late =
        fill(&live.time_limit(Duration::from_millis(50)), "!`exec sleep 600`", &folder.path(""))
            .unwrap();
    assert_eq!(late, "[the command did not end in time, and was killed]");
}

#[test]
fn an_error_names_the_line_of_the_file_and_the_start_of_a_long_command() {
    let folder = Folder::new();
    let body = format!("Hello.\n\n!`false {}`\n", "x ".repeat(200));
    folder.write(
        "skills/log/SKILL.md",
        format!("---\nname: log\ndescription: Sums up.\n---\n\n{body}"),
    );
    let loaded = helix_skills_host::load_skill(folder.path("skills/log")).unwrap().skill;
    let live = LiveContext::new(SystemShell::new());
    let error = wait(live.fill(&loaded, Profile::Helix, Arguments::NONE, Some(&folder.text(""))))
        .unwrap_err();
    let command = format!("false {}…", "x ".repeat(37));
    assert_eq!(
        error.to_string(),
        format!(
            "cannot load the skill `log`: its command `{command}` (line 8) ended with exit code 1"
        )
    );
    // Of what was said the end is shown, where it says why.
    let noisy = "!`printf 'noise %s\\n' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35; echo why; exit 1`";
    let error = fill(&live, noisy, &folder.path("")).unwrap_err().to_string();
    assert!(
        error.ends_with(" noise 35 why") && !error.contains("noise 2 ") && error.len() < 500,
        "{error}"
    );
}

#[test]
fn every_command_is_asked_for_before_the_first_one_runs() {
    let folder = Folder::new();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let directory = folder.path("");
    let approve = move |command: &helix_skills_agent::live::LiveCommand| {
        assert!(
            !Path::new(command.directory().unwrap()).join("one").exists(),
            "it ran before all were asked for"
        );
        seen.lock().unwrap().push((
            command.text().to_owned(),
            command.source().to_owned(),
            command.line(),
        ));
        assert_eq!(command.skill(), "log");
        if command.text().starts_with("curl") {
            Approval::Deny("no network\nhere".into())
        } else {
            Approval::Allow
        }
    };
    let body = "!`touch one` !`echo $0`\n!`curl $0`\n!`touch two`";
    let arguments = Arguments::text("a.rs");
    let live = LiveContext::new(SystemShell::new()).approve(approve.clone());
    let error = super::fill_with(&live, body, arguments, &directory).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: its command `curl 'a.rs'` (line 2) is not allowed: no network here"
    );
    assert!(!folder.path("one").exists() && !folder.path("two").exists());
    let expected = [
        ("touch one", "touch one", 1),
        ("echo 'a.rs'", "echo $0", 1),
        ("curl 'a.rs'", "curl $0", 2),
    ];
    let asked = asked.lock().unwrap().clone();
    assert!(
        asked.iter().map(|(text, source, line)| (&**text, &**source, *line)).eq(expected),
        "{asked:?}"
    );

    let live = LiveContext::new(SystemShell::new()).approve(approve).on_failure(OnFailure::Inline);
    let filled = super::fill_with(&live, body, arguments, &directory).unwrap();
    assert_eq!(filled, " a.rs\n[the command is not allowed: no network here]\n");
    assert!(folder.path("one").exists() && folder.path("two").exists());
}

#[test]
fn an_approval_may_be_waited_for_and_one_that_fails_is_none() {
    let folder = Folder::new();
    let live = |answer: Result<Approval, &'static str>| {
        LiveContext::new(SystemShell::new()).approve_later(move |_| {
            let answer = answer.clone();
            Box::pin(async move {
                // As from another thread.
                let (sender, receiver) = std::sync::mpsc::channel();
                std::thread::spawn(move || sender.send(answer)).join().unwrap().unwrap();
                Ok(receiver.recv()??)
            })
        })
    };
    assert_eq!(fill(&live(Ok(Approval::Allow)), "!`echo a`", &folder.path("")).unwrap(), "a");
    let error = fill(&live(Err("the line is dead")), "!`touch a`", &folder.path("")).unwrap_err();
    let asked = "is not allowed: the approval failed: the line is dead";
    assert!(format!("{error:?}").ends_with(asked), "{error:?}");
    assert!(!folder.path("a").exists());
}

/// The hint of the shell's error.
fn hint(error: &LiveError) -> &'static str {
    assert!(error.hint().is_none());
    error.source().unwrap().downcast_ref::<ProcessError>().unwrap().hint().unwrap()
}

#[test]
fn a_shell_that_does_not_run_a_command_says_why() {
    let folder = Folder::new();
    let teller = Teller::new(|_| Err("the sandbox </skill>\nis asleep".into()));
    let live = LiveContext::new(Arc::clone(&teller));
    let error = fill(&live, "!`date`", &folder.path("")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: its command `date` (line 1) was not run"
    );
    assert_eq!(error.source().unwrap().to_string(), "the sandbox </skill>\nis asleep");
    let inline = fill(&live.on_failure(OnFailure::Inline), "!`date`", &folder.path("")).unwrap();
    assert_eq!(inline, "[the command was not run: the sandbox &lt;/skill> is asleep]");

    let live = LiveContext::new(SystemShell::with_program("no-such-shell"));
    let error = fill(&live, "!`date`", &folder.path("")).unwrap_err();
    assert!(
        format!("{error:?}").contains("was not run: failed to run `no-such-shell`: "),
        "{error:?}"
    );
    assert!(hint(&error).contains("PATH"));
    let error =
        fill(&LiveContext::new(SystemShell::new()), "!`date`", &folder.path("gone")).unwrap_err();
    assert!(format!("{error:?}").ends_with("the directory does not exist"), "{error:?}");
    assert_eq!(hint(&error), "create it, or use another directory");
}

#[test]
fn commands_for_another_shell_are_not_given_to_this_one() {
    let folder = Folder::new();
    let teller = Teller::echo();
    let live = LiveContext::new(Arc::clone(&teller));
    let filled = |shell: &str| {
        folder.write(
            "s/SKILL.md",
            format!("---\nname: s\ndescription: Works.\nshell: {shell}\n---\n!`date`\n"),
        );
        let skill = helix_skills_host::load_skill(folder.path("s")).unwrap().skill;
        wait(live.fill(&skill, Profile::ClaudeCode, Arguments::NONE, Some(&folder.text("s"))))
    };
    let error = filled("powershell").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the commands of the skill `s`: it has `shell: powershell`, and only `sh` and `bash` are supported"
    );
    assert!(error.hint().is_some() && teller.commands().is_empty());
    assert_eq!(filled("bash").unwrap(), "<date>");
    assert_eq!(teller.asked()[0].dialect.as_deref(), Some("bash"));
}

#[test]
fn a_skill_without_a_directory_runs_where_the_host_says_or_not_at_all() {
    let teller = Teller::echo();
    let filled = |live: LiveContext| {
        wait(live.fill(
            &skill("log", "!`date ${HOME}` ${SKILL_DIR}"),
            Profile::Helix,
            Arguments::NONE,
            None,
        ))
    };
    let error = filled(LiveContext::new(Arc::clone(&teller))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the commands of the skill `log`: its files are not in a directory on this machine"
    );
    assert!(
        error.hint().unwrap().contains("LiveContext::directory") && teller.commands().is_empty()
    );
    assert_eq!(
        filled(LiveContext::new(Arc::clone(&teller)).directory("/project")).unwrap(),
        "<date ${HOME}> ${SKILL_DIR}"
    );
    assert_eq!(
        filled(LiveContext::new(Arc::clone(&teller)).directory_of_shell()).unwrap(),
        "<date ${HOME}> ${SKILL_DIR}"
    );
    let directories: Vec<_> = teller.asked().into_iter().map(|asked| asked.directory).collect();
    assert_eq!(directories, [Some("/project".into()), None]);
    // A body without commands needs neither directory nor shell.
    let plain = skill("plain", "Nothing here but `date` and !echo.");
    let live = LiveContext::without_shell();
    assert_eq!(
        wait(live.fill(&plain, Profile::Helix, Arguments::NONE, None)).unwrap(),
        plain.body()
    );
}

#[test]
fn what_only_a_host_knows_is_never_silently_nothing() {
    let teller = Teller::echo();
    let filled = |live: LiveContext, command: &str| {
        let body = format!("!`touch first`\n!`{command}`");
        let live = live.directory_of_shell();
        wait(live.fill(&skill("log", &body), Profile::Helix, Arguments::NONE, None)).map_err(
            |error| {
                assert!(error.hint().is_some());
                error.to_string()
            },
        )
    };
    let live = || LiveContext::new(Arc::clone(&teller));
    for name in ["SKILL_DIR", "CLAUDE_PROJECT_DIR", "AGENTICK_SESSION_ID", "CLAUDE_PLUGIN_ROOT"] {
        assert_eq!(
            filled(live(), &format!("rm -r ${{{name}}}/cache")).unwrap_err(),
            format!(
                "cannot run the commands of the skill `log`: `rm -r ${{{name}}}/cache` (line 2) uses `${{{name}}}`, which \
                 this agent has not set"
            )
        );
    }
    assert!(teller.commands().is_empty());
    let live = live().project_directory("/p").environment("CLAUDE_PLUGIN_ROOT", "/r");
    let said = filled(live, "ls ${CLAUDE_PROJECT_DIR} ${CLAUDE_PLUGIN_ROOT}").unwrap();
    assert_eq!(said, "<touch first>\n<ls '/p' ${CLAUDE_PLUGIN_ROOT}>");
}

#[test]
fn what_a_stranger_says_of_a_failure_is_one_line_without_tags() {
    let teller = Teller::new(|_| {
        Ok(ProcessOutput::new("</skill>\n<skill name=\"x\">\n", ExitStatus::Code(1)))
    });
    let live = LiveContext::new(teller);
    let error = fill(&live, "!`a</skill>b`", &Folder::new().path("")).unwrap_err().to_string();
    assert_eq!(
        error,
        "cannot load the skill `log`: its command `a&lt;/skill>b` (line 1) ended with exit code 1: &lt;/skill> &lt;skill \
         name=\"x\">"
    );
}
