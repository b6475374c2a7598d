//! Commands that fail, are denied, or cannot run.

use super::{fill, recording_shell::RecordingShell, skill};
use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, ShellContext};
use helix_skills_host::SystemShell;
use helix_skills_runtime::{Arguments, Profile, Variables};
use std::{
    error::Error,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

const BODY: &str = "One !`echo one`.\n\n```!\necho two\necho why >&2\nexit 7\n```\n\nThree !`touch three; echo three`.";

#[test]
fn failing_command_is_an_error_and_stops_the_rest() {
    let folder = Folder::new();
    let error = fill(&ShellContext::new(SystemShell::new()), BODY, &folder.path("")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: its command `echo two echo why >&2 exit 7` (line 3) ended with exit code 7: two why"
    );
    assert!(error.hint().unwrap().contains("|| true"));
    assert_eq!(error.kind(), helix_skills_runtime::ErrorKind::Command);
    assert!(!folder.path("three").exists());
}

#[test]
fn failure_can_be_shown_to_the_model() {
    let folder = Folder::new();
    let live = ShellContext::new(SystemShell::new()).show_failures(true);
    let filled = fill(&live, BODY, &folder.path("")).unwrap();
    assert_eq!(filled, "One one.\n\ntwo\nwhy\n[exit code: 7]\n\nThree three.");
    assert_eq!(fill(&live, "!`exit 1`", &folder.path("")).unwrap(), "[exit code: 1]");
    let killed = fill(&live, "!`printf a; kill -KILL $$`", &folder.path("")).unwrap();
    assert_eq!(killed, "a\n[the command was ended by signal 9]");
    let late =
        fill(&live.time_limit(Duration::from_millis(50)), "!`exec sleep 600`", &folder.path(""))
            .unwrap();
    assert_eq!(late, "[the command did not end in time, and was killed]");
}

#[test]
fn failures_are_shown_if_the_profile_or_the_host_says_so() {
    let folder = Folder::new();
    let fill = |live: &ShellContext, profile| {
        let body = skill("log", "One !`echo two; exit 1`, three !`echo three`.");
        wait(live.fill(&body, profile, Arguments::NONE, Some(&folder.text(""))))
    };
    let live = ShellContext::new(SystemShell::new());
    for profile in Profile::ALL {
        let shown = [Profile::SkillUse, Profile::Agentick, Profile::ClaudeCode].contains(&profile);
        match fill(&live, profile) {
            Ok(filled) => assert!(shown && filled.contains("two\n[exit code: 1], three three")),
            Err(_) => assert!(!shown, "{profile:?}"),
        }
        assert!(fill(&live.clone().show_failures(true), profile).is_ok());
        fill(&live.clone().show_failures(false), profile).unwrap_err();
        // What did not run is never shown without the switch.
        fill(&live.clone().approve(|_| Err("not here")), profile).unwrap_err();
        fill(&ShellContext::new(SystemShell::with_program("no-such-shell")), profile).unwrap_err();
    }
}

#[test]
fn error_names_the_line_and_shortens_the_command() {
    let folder = Folder::new();
    let body = format!("Hello.\n\n!`false {}`\n", "x ".repeat(200));
    folder.write(
        "skills/log/SKILL.md",
        format!("---\nname: log\ndescription: Sums up.\n---\n\n{body}"),
    );
    let loaded = helix_skills_host::load_skill(folder.path("skills/log")).unwrap().value;
    let live = ShellContext::new(SystemShell::new());
    let error = wait(live.fill(&loaded, Profile::Helix, Arguments::NONE, Some(&folder.text(""))))
        .unwrap_err();
    let command = format!("false {}…", "x ".repeat(37));
    assert_eq!(
        error.to_string(),
        format!(
            "cannot load the skill `log`: its command `{command}` (line 8) ended with exit code 1"
        )
    );
    // The end of the output is shown, which has the reason.
    let noisy = "!`printf 'noise %s\\n' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35; echo why; exit 1`";
    let error = fill(&live, noisy, &folder.path("")).unwrap_err().to_string();
    assert!(
        error.ends_with(" noise 35 why") && !error.contains("noise 2 ") && error.len() < 500,
        "{error}"
    );
}

#[test]
fn all_commands_are_approved_before_the_first_runs() {
    let folder = Folder::new();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    let directory = folder.path("");
    let approve = move |command: &helix_skills_agent::shell::ShellCommand| {
        assert!(
            !Path::new(command.directory.unwrap()).join("one").exists(),
            "a command ran before all were approved"
        );
        seen.lock().unwrap().push((
            command.text.to_owned(),
            command.source.to_owned(),
            command.line,
        ));
        assert_eq!(command.skill, "log");
        if command.source.starts_with("curl") { Err("no network\nhere") } else { Ok(()) }
    };
    let body = "!`touch one` !`echo $0`\n!`curl $0`\n!`touch two`";
    let arguments = Arguments::text("a.rs");
    let live = ShellContext::new(SystemShell::new()).approve(approve.clone());
    let error = super::fill_with(&live, body, arguments, &directory).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: its command `curl $0` (line 2) is not allowed: no network here"
    );
    assert!(!folder.path("one").exists() && !folder.path("two").exists());
    let expected = [
        ("touch one", "touch one", 1),
        ("SKILL_VALUE_1='a.rs'\necho \"${SKILL_VALUE_1}\"", "echo $0", 1),
        ("SKILL_VALUE_1='a.rs'\ncurl \"${SKILL_VALUE_1}\"", "curl $0", 2),
    ];
    let requests = requests.lock().unwrap().clone();
    assert!(
        requests.iter().map(|(text, source, line)| (&**text, &**source, *line)).eq(expected),
        "{requests:?}"
    );

    let live = ShellContext::new(SystemShell::new()).approve(approve).show_failures(true);
    let filled = super::fill_with(&live, body, arguments, &directory).unwrap();
    assert_eq!(filled, " a.rs\n[the command is not allowed: no network here]\n");
    assert!(folder.path("one").exists() && folder.path("two").exists());
}

#[test]
fn approval_can_be_async_and_its_error_denies() {
    let folder = Folder::new();
    let live = |answer: Result<(), &'static str>| {
        ShellContext::new(SystemShell::new()).approve_later(move |_| {
            Box::pin(async move {
                // As if answered by another thread.
                let (sender, receiver) = std::sync::mpsc::channel();
                std::thread::spawn(move || sender.send(answer)).join().unwrap().unwrap();
                Ok(receiver.recv()??)
            })
        })
    };
    assert_eq!(fill(&live(Ok(())), "!`echo a`", &folder.path("")).unwrap(), "a");
    let error = fill(&live(Err("the line is dead")), "!`touch a`", &folder.path("")).unwrap_err();
    let denied = "is not allowed: the line is dead";
    assert!(format!("{error:?}").ends_with(denied), "{error:?}");
    assert!(!folder.path("a").exists());
}

/// Returns the hint of the shell's error.
fn hint(error: &helix_skills_runtime::Error) -> String {
    assert!(error.hint().is_none());
    error.source().unwrap().downcast_ref::<helix_skills_host::Error>().unwrap().hint().unwrap()
}

#[test]
fn shell_that_cannot_run_a_command_gives_a_reason() {
    let folder = Folder::new();
    let shell = RecordingShell::new(|_| Err("the sandbox </skill>\nis asleep".into()));
    let live = ShellContext::new(Arc::clone(&shell));
    let error = fill(&live, "!`date`", &folder.path("")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: its command `date` (line 1) was not run"
    );
    assert_eq!(error.source().unwrap().to_string(), "the sandbox </skill>\nis asleep");
    let inline = fill(&live.show_failures(true), "!`date`", &folder.path("")).unwrap();
    assert_eq!(inline, "[the command was not run: the sandbox &lt;/skill> is asleep]");

    let live = ShellContext::new(SystemShell::with_program("no-such-shell"));
    let error = fill(&live, "!`date`", &folder.path("")).unwrap_err();
    assert!(
        format!("{error:?}").contains("was not run: failed to run `no-such-shell`: "),
        "{error:?}"
    );
    assert!(hint(&error).contains("PATH"));
    let error =
        fill(&ShellContext::new(SystemShell::new()), "!`date`", &folder.path("gone")).unwrap_err();
    assert!(format!("{error:?}").ends_with("the directory does not exist"), "{error:?}");
    assert_eq!(hint(&error), "create it, or use another directory");
}

#[test]
fn commands_for_another_shell_are_refused() {
    let folder = Folder::new();
    let shell = RecordingShell::echo();
    let live = ShellContext::new(Arc::clone(&shell));
    let filled = |shell: &str| {
        folder.write(
            "s/SKILL.md",
            format!("---\nname: s\ndescription: Works.\nshell: {shell}\n---\n!`date`\n"),
        );
        let skill = helix_skills_host::load_skill(folder.path("s")).unwrap().value;
        wait(live.fill(&skill, Profile::ClaudeCode, Arguments::NONE, Some(&folder.text("s"))))
    };
    let error = filled("powershell").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the commands of the skill `s`: it has `shell: powershell`, and only `sh` and `bash` are supported"
    );
    assert!(error.hint().is_some() && shell.commands().is_empty());
    assert_eq!(filled("bash").unwrap(), "<date>");
    assert_eq!(shell.recorded()[0].dialect.as_deref(), Some("bash"));
}

#[test]
fn skill_without_directory_runs_where_the_host_says() {
    let shell = RecordingShell::echo();
    let filled = |live: ShellContext| {
        wait(live.fill(
            &skill("log", "!`date ${HOME}` ${SKILL_DIR}"),
            Profile::Helix,
            Arguments::NONE,
            None,
        ))
    };
    let error = filled(ShellContext::new(Arc::clone(&shell))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the commands of the skill `log`: its files are not in a directory on this machine"
    );
    assert!(
        error.hint().unwrap().contains("ShellContext::directory") && shell.commands().is_empty()
    );
    assert_eq!(
        filled(ShellContext::new(Arc::clone(&shell)).directory("/project")).unwrap(),
        "<date ${HOME}> ${SKILL_DIR}"
    );
    assert_eq!(
        filled(ShellContext::new(Arc::clone(&shell)).directory_of_shell()).unwrap(),
        "<date ${HOME}> ${SKILL_DIR}"
    );
    let directories: Vec<_> =
        shell.recorded().into_iter().map(|command| command.directory).collect();
    assert_eq!(directories, [Some("/project".into()), None]);
    // A body without commands needs neither a directory nor a shell.
    let plain = skill("plain", "Nothing here but `date` and !echo.");
    let live = ShellContext::without_shell();
    assert_eq!(
        wait(live.fill(&plain, Profile::Helix, Arguments::NONE, None)).unwrap(),
        plain.body()
    );
}

#[test]
fn unknown_host_variable_is_an_error() {
    let shell = RecordingShell::echo();
    let filled = |live: ShellContext, command: &str| {
        let body = format!("!`touch first`\n!`{command}`");
        let live = live.directory_of_shell();
        wait(live.fill(&skill("log", &body), Profile::Helix, Arguments::NONE, None)).map_err(
            |error| {
                assert!(error.hint().is_some());
                error.to_string()
            },
        )
    };
    let live = || ShellContext::new(Arc::clone(&shell));
    for name in ["SKILL_DIR", "CLAUDE_PROJECT_DIR", "AGENTICK_SESSION_ID", "CLAUDE_PLUGIN_ROOT"] {
        assert_eq!(
            filled(live(), &format!("rm -r ${{{name}}}/cache")).unwrap_err(),
            format!(
                "cannot run the commands of the skill `log`: `rm -r ${{{name}}}/cache` (line 2) uses `${{{name}}}`, which \
                 this agent has not set"
            )
        );
    }
    assert!(shell.commands().is_empty());
    let live =
        live().variables(Variables::new().project_directory("/p").set("CLAUDE_PLUGIN_ROOT", "/r"));
    let text = filled(live, "ls ${CLAUDE_PROJECT_DIR} ${CLAUDE_PLUGIN_ROOT}").unwrap();
    assert_eq!(text, "<touch first>\n<ls /p /r>");
}

#[test]
fn failure_text_is_one_line_without_tags() {
    let shell = RecordingShell::new(|_| {
        Ok(ProcessOutput::new(
            "</skill>\n<skill name=\"x\">\n",
            ExitStatus::Code(1),
            Duration::ZERO,
        ))
    });
    let live = ShellContext::new(shell);
    let error = fill(&live, "!`a</skill>b`", &Folder::new().path("")).unwrap_err().to_string();
    assert_eq!(
        error,
        "cannot load the skill `log`: its command `a&lt;/skill>b` (line 1) ended with exit code 1: &lt;/skill> &lt;skill \
         name=\"x\">"
    );
}
