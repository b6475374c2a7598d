//! `skills install`: the locked skills in the directories of coding agents.

use helix_skills_tests::{Sandbox, sandbox::kill_stride, skill_md};
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command};

/// Returns a project with the locked skills `one` and `two`.
fn project() -> Sandbox {
    let sandbox = Sandbox::with_manifest(
        "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \"own\"}}}",
    );
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.write("project/own/one/scripts/run.sh", "echo one\n");
    sandbox.write("project/own/two/SKILL.md", skill_md("two"));
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

const ONE: &str = "project/.agents/skills/one/SKILL.md";

#[test]
fn locked_skills_are_installed_byte_for_byte() {
    let sandbox = project();
    sandbox.skills(["install", "--check"]).exits(1).prints(["added one (.agents/skills/one)"]);
    assert!(!sandbox.exists("project/.agents"));
    sandbox.skills(["install"]).succeeds().says(["added one (.agents/skills/one)", "next: commit"]);
    for file in ["one/SKILL.md", "one/scripts/run.sh", "two/SKILL.md"] {
        let installed = sandbox.read_bytes(format!("project/.agents/skills/{file}"));
        assert_eq!(installed, sandbox.read_bytes(format!("project/own/{file}")));
    }
    // The record has the digests of the lockfile.
    let record = sandbox.read("project/.agents/skills/.helix-skills.json");
    for skill in ["one", "two"] {
        let integrity = sandbox.lock_json()["skills"][skill]["integrity"].clone();
        assert!(record.contains(integrity.as_str().unwrap()), "{record}");
    }
    let before = sandbox.snapshot("project");
    sandbox.skills(["install"]).succeeds().says(["ok 2 skills: nothing to do"]);
    sandbox.skills(["install", "--check"]).succeeds();
    assert_eq!(sandbox.snapshot("project").changes_since(&before), [""; 0]);
    let document = sandbox.skills(["install", "--agent", "claude", "--json"]).succeeds().json();
    assert_eq!(document["skills"][2]["change"], "added");
    assert_eq!(document["skills"][2]["path"], ".claude/skills/one");
    assert_eq!(sandbox.read("project/.claude/skills/one/SKILL.md"), skill_md("one"));
}

#[test]
fn skills_that_do_not_match_the_lockfile_are_not_installed() {
    let sandbox = project();
    sandbox.write("project/own/one/SKILL.md", format!("{}more\n", skill_md("one")));
    sandbox
        .skills(["install"])
        .exits(1)
        .says(["`own/one/SKILL.md`", "was changed since it was locked"]);
    assert!(!sandbox.exists("project/.agents"));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["install"]).succeeds();
    assert!(sandbox.read(ONE).ends_with("more\n"));
    // The next version replaces what was installed.
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.remove("project/own/two");
    sandbox.skills(["sync"]).succeeds();
    let run = sandbox.skills(["install"]).succeeds();
    run.says(["updated one (.agents/skills/one)", "removed two (.agents/skills/two)"]);
    assert_eq!(sandbox.read(ONE), skill_md("one"));
}

#[test]
fn edited_installed_skill_fails_the_check_and_needs_force() {
    let sandbox = project();
    sandbox.skills(["install"]).succeeds();
    sandbox.write(ONE, format!("{}\u{202e}mine\n", skill_md("one")));
    let run = sandbox
        .skills(["install"])
        .succeeds()
        .prints(["+\\u{202e}mine", "+++ .agents/skills/one/SKILL.md"]);
    run.says([
        "warning: edited one (.agents/skills/one)",
        "help: use `--force`",
        "ok 2 skills: 1 skill is kept as you changed it, nothing else to do\n",
    ]);
    let run = sandbox.skills(["install", "--check"]).exits(1);
    assert_eq!(run.stderr.matches("--force").count(), 1, "{run}");
    run.says(["next: run `skills install --force`, or make the change"]);
    let document = sandbox.skills(["install", "--check", "--json"]).exits(1).json();
    assert_eq!((&document["ok"], &document["exitCode"]), (&json!(false), &json!(1)));
    assert_eq!(document["skills"][0]["change"], "edited");
    sandbox.skills(["uninstall"]).succeeds().says([
        "removed two",
        "edited one",
        "to remove edited",
    ]);
    assert!(sandbox.exists(ONE));
    sandbox.skills(["install", "--force"]).succeeds().says(["updated one", "added two"]);
    assert_eq!(sandbox.read(ONE), skill_md("one"));
    sandbox.skills(["uninstall"]).succeeds();
    assert!(!sandbox.exists("project/.agents"));
}

#[test]
fn diff_of_an_edited_skill_has_only_the_edit() {
    let sandbox = project();
    sandbox.skills(["install"]).succeeds();
    let edited = "project/.agents/skills/one/scripts/run.sh";
    sandbox.write(edited, "echo one\necho mine\n");
    let update = |file: &str, text: &str| {
        sandbox.write(format!("project/own/one/{file}"), text);
        sandbox.skills(["sync"]).succeeds();
        sandbox.skills(["install"]).succeeds()
    };
    let run = update("SKILL.md", &format!("{}New.\n", skill_md("one")));
    let shown = ".agents/skills/one/scripts/run.sh";
    let heading = format!("--- {shown}\n+++ {shown}\n");
    assert_eq!(run.stdout, format!("{heading}@@ -1 +1,2 @@\n echo one\n+echo mine\n"));
    // The diff of a file that both have changed is named.
    let run = update("scripts/run.sh", "echo 1\n");
    let both = format!("{shown} has also changed in the skill that helix-skills brings\n");
    let hunk = "@@ -1 +1,2 @@\n-echo 1\n+echo one\n+echo mine\n";
    assert_eq!(run.stdout, format!("{both}{heading}{hunk}"));
    assert_eq!(sandbox.read(edited), "echo one\necho mine\n");
}

#[test]
fn skill_of_other_origin_is_an_exit_code() {
    let sandbox = project();
    sandbox.write(ONE, "mine\n");
    let run = sandbox.skills(["install", "--force"]).exits(1);
    run.says(["helix-skills did not write what is there", "help: move it away", "added two"]);
    assert_eq!(sandbox.read(ONE), "mine\n");
    // An install would not change it.
    sandbox.skills(["sync"]).succeeds().never_prints("behind");
    sandbox.skills(["uninstall"]).succeeds();
    assert_eq!(sandbox.files("project/.agents"), ["skills/one/SKILL.md"]);
}

#[test]
fn own_skills_in_the_common_directory_stay() {
    let sandbox = Sandbox::with_manifest(
        "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \".agents/skills\"}}}",
    );
    sandbox.write(ONE, skill_md("one"));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["install"]).succeeds().says(["nothing to do"]);
    sandbox.skills(["install", "--agent", "kiro"]).succeeds();
    assert_eq!(sandbox.read("project/.kiro/skills/one/SKILL.md"), skill_md("one"));
    sandbox.skills(["uninstall"]).succeeds();
    assert_eq!(sandbox.read(ONE), skill_md("one"));
    assert!(!sandbox.exists("project/.kiro"));
}

#[test]
fn skills_of_two_projects_are_installed_for_the_user() {
    let sandbox = project();
    // Only changes in the project are allowed.
    let home = sandbox.project("me");
    fs::create_dir(&home).unwrap();
    let run = |arguments: &[&str]| {
        sandbox.command(arguments.iter().copied()).env("HOME", &home).run().succeeds()
    };
    // Nothing in the home directory is committed.
    let installed = run(&["install", "--user"]).never_prints("commit");
    installed.says(["added one (~/.agents/skills/one)"]);
    // The directories of both projects have the same name.
    let other = "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \"own\"}}}";
    sandbox.write("project/other/project/helix.skills.json", other);
    sandbox.write("project/other/project/own/three/SKILL.md", skill_md("three"));
    for arguments in [&["sync"][..], &["install", "-g"], &["install", "--global"]] {
        run(&[&["-C", "other/project"], arguments].concat());
    }
    for skill in ["one", "two", "three"] {
        let installed = sandbox.read(format!("project/me/.agents/skills/{skill}/SKILL.md"));
        assert_eq!(installed, skill_md(skill));
    }
    assert!(!sandbox.exists("project/.agents") && !sandbox.exists("project/other/project/.agents"));
    run(&["uninstall", "--user"]);
    assert!(!sandbox.exists("project/me/.agents/skills/one"));
    assert!(sandbox.exists("project/me/.agents/skills/three/SKILL.md"));
}

#[test]
fn skills_are_installed_into_any_directory() {
    let sandbox = project();
    sandbox.skills(["install", "--dir", "vendor/skills"]).succeeds();
    assert_eq!(sandbox.read("project/vendor/skills/one/SKILL.md"), skill_md("one"));
    assert!(!sandbox.exists("project/.agents"));
    sandbox.skills(["install", "--check", "--dir", "vendor/skills"]).succeeds();
    sandbox.skills(["uninstall", "--dir", "vendor/skills"]).succeeds();
    assert!(!sandbox.exists("project/vendor/skills"));
    // Also into the project itself.
    sandbox.skills(["install", "--dir", "."]).succeeds();
    assert_eq!(sandbox.read("project/one/SKILL.md"), skill_md("one"));
}

/// Two projects may have the same directory, which is in neither of them.
#[cfg(unix)]
#[test]
fn installs_into_one_directory_wait_for_each_other() {
    let sandbox = project();
    let other = "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \"own\"}}}";
    sandbox.write("project/inner/helix.skills.json", other);
    sandbox.write("project/inner/own/three/SKILL.md", skill_md("three"));
    sandbox.skills(["-C", "inner", "sync"]).succeeds();
    sandbox.write("project/shared/kept", "");
    // Another process installs into a directory of `shared`.
    let held = fs::File::open(sandbox.project("shared")).unwrap();
    held.lock().unwrap();
    let install = ["-C", "inner", "install", "--dir", "../shared/skills"];
    let running = sandbox.command(install).alongside_others().start();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!sandbox.exists("project/shared/skills"));
    held.unlock().unwrap();
    running.finish().succeeds();
    sandbox.skills(["install", "--dir", "shared/skills"]).succeeds();
    for skill in ["one", "two", "three"] {
        assert_eq!(
            sandbox.read(format!("project/shared/skills/{skill}/SKILL.md")),
            skill_md(skill)
        );
    }
}

#[test]
fn sync_says_that_installed_copies_are_behind() {
    let sandbox = project();
    let next = "next: run `skills install`: the installed copies are behind";
    let change = |text: &str| {
        sandbox.write("project/own/one/SKILL.md", format!("{}{text}\n", skill_md("one")));
        sandbox.skills(["sync"]).succeeds()
    };
    change("first").never_prints("behind");
    sandbox.skills(["install"]).succeeds();
    change("second").says([next]);
    // Also if the lockfile is older than the copies: nothing is left to sync.
    sandbox.skills(["sync"]).succeeds().says(["nothing to do", next]);
    sandbox.skills(["install", "--agent", "claude"]).succeeds();
    sandbox.skills(["sync"]).succeeds().never_prints("behind");
    // A skill that was removed on purpose is not behind.
    sandbox.remove("project/.agents/skills/two");
    sandbox.skills(["sync"]).succeeds().never_prints("behind");
    // A sync ignores a record that is not valid, which an install reports.
    sandbox.write("project/.agents/skills/.helix-skills.json", "{");
    change("third").never_prints("behind");
    sandbox.skills(["install"]).exits(7).says([".helix-skills.json` is not valid"]);
}

#[test]
fn check_names_the_command_that_installs() {
    let sandbox = project();
    sandbox.skills(["install"]).succeeds();
    let check = |options: &str, next: &str| {
        let arguments = ["install", "--check"].into_iter().chain(options.split_whitespace());
        let command = sandbox.command(arguments);
        command.env("HOME", sandbox.project("me")).run().exits(1).says([next])
    };
    fs::create_dir(sandbox.project("me")).unwrap();
    let run = check("--user", "next: run `skills install --user`\n");
    run.prints(["added one (~/.agents/skills/one)"]);
    check("-g --agent claude", "next: run `skills install --user --agent claude-code`\n");
    check("--dir a/b", "next: run `skills install --dir a/b`\n");
    sandbox.write("project/a/b/one/SKILL.md", "mine");
    check("--dir a/b", "help: move it away, then run `skills install --dir a/b`\n");
}

#[test]
fn agent_that_reads_no_installed_skill_is_named() {
    let sandbox = project();
    sandbox.write("home/.claude/settings.json", "{}");
    let warning = "Claude Code does not read `.agents/skills`: add `--agent claude-code`";
    sandbox.skills(["install"]).succeeds().says([warning]);
    let document = sandbox.skills(["install", "--json"]).succeeds().json();
    assert_eq!(document["warnings"], json!([warning]));
    sandbox.skills(["install", "--agent", "claude-code"]).succeeds().never_prints("does not read");
    sandbox.skills(["install"]).succeeds().never_prints("does not read");
}

#[test]
fn agent_that_joins_a_project_later_is_named() {
    let sandbox = project();
    sandbox.skills(["install"]).succeeds().never_prints("does not read");
    sandbox.write("project/.kiro/settings.json", "{}");
    let warning = "Kiro does not read `.agents/skills`: add `--agent kiro-cli`";
    sandbox.skills(["install", "--check"]).succeeds().says([warning]);
    sandbox.skills(["install", "--agent", "kiro"]).succeeds().never_prints("does not read");
}

#[test]
fn skills_that_agents_read_otherwise_are_warnings() {
    let sandbox = Sandbox::with_manifest(
        "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \"own\", \"rename\": {\"one\": \"first\"}}}}",
    );
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    let long = format!("---\nname: two\ndescription: {}\n---\n\nBody.\n", "x ".repeat(600));
    sandbox.write("project/own/two/SKILL.md", long);
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["install"]).succeeds().says([
        "the name of `first` is `one` in its `SKILL.md`: coding agents may use either",
        "Codex does not load `two`: its description has 1199 characters, more than 1024",
    ]);
}

#[test]
fn sources_and_names_belong_to_other_commands() {
    let run = project().skills(["install", "claude"]).exits(2);
    run.says(["unexpected argument `claude`", "run `skills install --agent claude-code`"]);
    let sandbox = project();
    sandbox.skills(["install", "o/r"]).exits(2).says(["`o/r`", "run `skills add SOURCE`"]);
    sandbox.skills(["uninstall", "one"]).exits(2).says(["`one`", "run `skills remove NAME`"]);
    sandbox.skills(["install", "--agent", "word"]).exits(2).says(["claude-code, codex, cursor"]);
    assert_eq!(sandbox.locked_skills(), ["one", "two"]);
}

#[cfg(unix)]
#[test]
fn t5_link_out_of_the_project_is_refused() {
    let sandbox = project();
    sandbox.write("elsewhere/file", "");
    std::os::unix::fs::symlink(sandbox.path("elsewhere"), sandbox.project(".agents")).unwrap();
    let run = sandbox.skills(["install"]).exits(7);
    run.says([".agents/skills` leads out of", "by a symbolic link", "help: replace the link"]);
    assert_eq!(sandbox.files("elsewhere"), ["file"]);
}

#[cfg(unix)]
#[test]
fn t5_link_out_of_the_project_is_refused_every_time() {
    let sandbox = project();
    sandbox.write("elsewhere/file", "");
    std::os::unix::fs::symlink(sandbox.path("elsewhere"), sandbox.project(".claude")).unwrap();
    for _ in 0..2 {
        sandbox.skills(["install"]).exits(7).says([".claude/skills` leads out of"]);
        assert!(!sandbox.exists("project/.agents"));
    }
    assert_eq!(sandbox.files("elsewhere"), ["file"]);
}

#[test]
fn files_next_to_the_skills_are_never_removed() {
    let sandbox = project();
    let own = ["project/.agents/skills/.helix-skills.staging/notes.md", "project/.agents/notes.md"];
    own.iter().for_each(|file| sandbox.write(file, "mine"));
    sandbox.skills(["install"]).succeeds();
    sandbox.skills(["uninstall"]).succeeds();
    assert!(own.iter().all(|file| sandbox.read(file) == "mine"));
}

#[test]
fn killed_install_is_repaired() {
    let sandbox = project();
    let both = ["install", "--agent", "codex,claude"];
    for at in (1..).step_by(kill_stride()) {
        assert!(at < 200);
        let run = sandbox.command(both).crash_at(at).run();
        if run.code == Some(0) {
            assert!(at > 20, "{at}");
            break;
        }
        // What was removed by a user would be a warning.
        sandbox.skills(both).succeeds().never_prints("warning: ");
        sandbox.skills(["install", "--check"]).succeeds();
        let files = sandbox.snapshot("project").without(&["own", "helix.skills"]).files();
        assert_eq!(files.iter().filter(|file| file.contains("staging")).count(), 0, "{files:?}");
        for agent in [".agents", ".claude"] {
            assert!(files.contains(&format!("{agent}/skills/.helix-skills.json")), "{files:?}");
            sandbox.remove(format!("project/{agent}"));
        }
    }
    // A repository may have a name that no process has written.
    sandbox.skills(["install"]).succeeds();
    let skills = "project/.agents/skills";
    let own = [format!("{skills}/mine/notes.md"), format!("{skills}/.h/notes.md")];
    own.iter().for_each(|file| sandbox.write(file, "mine"));
    for (text, is_cut_off) in [(".", true), (".h", true), ("mine", false), ("../skills", false)] {
        for command in ["uninstall", "install"] {
            sandbox.write(format!("{skills}/.helix-skills.pending"), text);
            let run = sandbox.skills([command]);
            match is_cut_off {
                true => drop(run.succeeds()),
                false => drop(run.exits(7).says([".helix-skills.pending", "move it away"])),
            }
            assert!(own.iter().all(|file| sandbox.read(file) == "mine"), "{text}");
        }
    }
}

/// Packages of npm that list installed skills, and a Node that runs them.
const READERS: [&str; 3] = ["skills@1.7.4", "openskills@1.5.0", "node@22.22.0"];

#[test]
#[ignore = "downloads packages from npm"]
fn published_readers_list_the_installed_skills() {
    let npm = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers");
    fs::create_dir_all(&npm).unwrap();
    fs::write(npm.join("package.json"), "{}").unwrap();
    let arguments = ["install", "--no-audit", "--no-fund", "--no-save"];
    let installed =
        Command::new("npm").args(arguments).args(READERS).current_dir(&npm).status().unwrap();
    assert!(installed.success(), "npm: {installed}");

    let sandbox = project();
    sandbox.write("project/.claude/settings.json", "{}");
    sandbox.skills(["install"]).succeeds();
    let list = |program: &str, arguments: &[&str]| {
        let modules = npm.join("node_modules");
        let output = Command::new(modules.join("node/bin/node"))
            .arg(modules.join(program))
            .args(arguments)
            .current_dir(sandbox.path("project"))
            .env("HOME", sandbox.path("home"))
            .env("DISABLE_TELEMETRY", "1")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text
    };
    // The directory that most agents read.
    let found: Value =
        serde_json::from_str(&list("skills/bin/cli.mjs", &["list", "--json"])).unwrap();
    let found = found.as_array().unwrap().iter();
    let found: Vec<_> = found.map(|skill| (skill["name"].clone(), skill["path"].clone())).collect();
    let root = sandbox.path("project").canonicalize().unwrap();
    let expected = ["one", "two"].map(|name| {
        (json!(name), json!(root.join(".agents/skills").join(name).display().to_string()))
    });
    assert_eq!(found, expected);
    // The links for Claude Code.
    let text = list("openskills/dist/cli.js", &["list"]);
    for expected in ["  one ", "  two ", "Does one things.", "2 project, 0 global"] {
        assert!(text.contains(expected), "{text}");
    }
    // And nothing else is left of it.
    sandbox.skills(["uninstall"]).succeeds();
    let text = list("skills/bin/cli.mjs", &["list", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!([]));
}
