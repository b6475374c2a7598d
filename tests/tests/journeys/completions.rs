//! Completions: bash loads the script and completes with it.

use helix_skills_tests::{
    Sandbox,
    sandbox::{Command, program},
    skill_md,
};
use serde_json::json;
use std::env;

/// A project with the sources `house` and `shared`, and the skills `pdf` and `pptx`.
fn project() -> Sandbox {
    with_sources([("house", "own", "pdf"), ("shared", "more", "pptx")])
}

/// A project with two sources: their names, directories and the skill in each.
pub(crate) fn with_sources(sources: [(&str, &str, &str); 2]) -> Sandbox {
    let sandbox = Sandbox::new();
    let mut entries = json!({});
    for (source, path, skill) in sources {
        entries[source] = json!({"type": "path", "path": path});
        sandbox.write(format!("project/{path}/{skill}/SKILL.md"), skill_md(skill));
    }
    sandbox.sources(&entries);
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

/// A shell that finds the program and runs a script.
pub(crate) fn shell<'s>(sandbox: &'s Sandbox, shell: &str, script: &str) -> Command<'s> {
    let known = env::var_os("PATH").unwrap_or_default();
    let path = [program().parent().unwrap().to_owned()].into_iter().chain(env::split_paths(&known));
    let command = sandbox.command([""; 0]).env("PATH", env::join_paths(path).unwrap());
    command.env("LC_ALL", "C").under(shell, ["-c", script])
}

/// Completes the last of these words in bash.
fn complete(sandbox: &Sandbox, words: &str) -> Vec<String> {
    let script = format!(
        "source <(skills completions bash)\nCOMP_WORDS=({words})\n\
         COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
         _skills skills \"${{COMP_WORDS[COMP_CWORD]}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let run = shell(sandbox, "bash", &script).run().succeeds();
    assert!(run.stderr.is_empty(), "{run}");
    run.stdout.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_and_options() {
    let sandbox = Sandbox::new();
    assert_eq!(complete(&sandbox, "skills sy"), ["sync"]);
    assert_eq!(complete(&sandbox, "skills sync --dry"), ["--dry-run"]);
    assert_eq!(complete(&sandbox, "skills cache cl"), ["clean"]);
    // Hidden aliases are not completed.
    for alias in ["upg", "add --ta", "add --bran", "add --rev", "add --skill="] {
        assert_eq!(complete(&sandbox, &format!("skills {alias}")), [""; 0], "{alias}");
    }
    assert_eq!(complete(&sandbox, "skills add --skill"), ["--skills-dir"]);
    assert_eq!(complete(&sandbox, "skills rm --dry"), ["--dry-run"]);
    assert_eq!(complete(&sandbox, "skills install --agent cl"), ["claude-code"]);
}

#[test]
fn bash_completes_sources_and_skills_of_the_project() {
    let sandbox = project();
    for command in ["remove", "update", "outdated"] {
        assert_eq!(complete(&sandbox, &format!("skills {command} ho")), ["house"], "{command}");
        assert_eq!(complete(&sandbox, &format!("skills {command} pd")), ["pdf"], "{command}");
    }
    assert_eq!(complete(&sandbox, "skills show p"), ["pdf", "pptx"]);
    assert_eq!(complete(&sandbox, "skills catalog --preload pp"), ["pptx"]);
    assert_eq!(complete(&sandbox, "skills catalog --only pdf,pp"), ["pdf,pptx"]);
    assert_eq!(complete(&sandbox, "skills validate pd"), ["pdf"]);
    sandbox.write("project/own/pdf/references/forms.md", "x");
    sandbox.write("project/own/pdf/references/$(touch x).md", "x");
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(complete(&sandbox, "skills show pdf re"), ["references/forms.md"]);
    assert_eq!(complete(&sandbox, "skills -C . show pdf references/fo"), ["references/forms.md"]);
    assert_eq!(complete(&sandbox, "skills show none re"), [""; 0]);
    // Bash adds paths to these candidates.
    assert_eq!(complete(&sandbox, "skills validate ow"), [""; 0]);
    assert_eq!(complete(&sandbox, "skills add ./ow"), [""; 0]);
    // The project of `-C`, and none there.
    sandbox.write("project/inner/a", "");
    assert_eq!(complete(&sandbox, "skills -C inner show pd"), ["pdf"]);
    let home = sandbox.path("home").display().to_string();
    assert_eq!(complete(&sandbox, &format!("skills -C {home} show p")), [""; 0]);
}

#[test]
fn names_of_a_source_and_a_skill_are_qualified() {
    let sandbox = with_sources([("house", "own", "tool"), ("tool", "more", "other")]);
    let all = ["house", "tool", "other", "source:tool", "skill:tool"];
    assert_eq!(complete(&sandbox, "skills remove ''")[..5], all);
    assert_eq!(complete(&sandbox, "skills remove to"), ["tool"]);
    // Bash splits words at colons.
    assert_eq!(complete(&sandbox, "skills remove source : to"), ["tool"]);
    assert_eq!(complete(&sandbox, "skills show to"), ["tool"]);
}

#[test]
fn completions_without_a_readable_project_are_silent() {
    let sandbox = Sandbox::new();
    assert_eq!(complete(&sandbox, "skills show p"), [""; 0]);
    sandbox.manifest("{");
    assert_eq!(complete(&sandbox, "skills remove p"), [""; 0]);
    sandbox.write("project/helix.skills.lock", "{");
    assert_eq!(complete(&sandbox, "skills show p"), [""; 0]);
}

/// The completions of cargo stay as they are for its other commands.
#[test]
fn bash_completes_cargo_skills() {
    let sandbox = project();
    let completed = |words: &str| {
        let script = format!(
            "_of_cargo() {{ COMPREPLY=(build); }}\ncomplete -F _of_cargo cargo\n\
             source <(cargo-skills completions bash)\nCOMP_WORDS=({words})\n\
             COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             [[ $(complete -p ${{COMP_WORDS[0]}}) =~ -F\\ ([^\\ ]+) ]]\n\
             ${{BASH_REMATCH[1]}} ${{COMP_WORDS[0]}} \"${{COMP_WORDS[COMP_CWORD]}}\"\n\
             printf '%s ' \"${{COMPREPLY[@]}}\""
        );
        // The script does not run `skills`, which may be another program.
        sandbox.write("home/bin/skills", "#!/bin/sh\necho other\n");
        let run = shell(&sandbox, "bash", &script).run().succeeds();
        assert!(run.stderr.is_empty(), "{run}");
        run.stdout
    };
    assert_eq!(completed("cargo skills sy"), "sync ");
    assert_eq!(completed("cargo skills show p"), "pdf pptx ");
    assert_eq!(completed("cargo-skills remove ho"), "house ");
    assert_eq!(completed("cargo bu"), "build ");
    assert_eq!(completed("cargo skills"), "build ");
}

/// Bash shows no descriptions; the answers for fish have them.
#[test]
fn descriptions_of_completions_are_escaped() {
    let sandbox = project();
    let text = skill_md("pdf").replace("Does pdf", "Does\u{202e} pdf");
    sandbox.write("project/own/pdf/SKILL.md", text);
    let answer = |words: &[&str]| {
        let command = sandbox.command(["--", "skills"].iter().chain(words));
        command.env("HELIX_SKILLS_COMPLETE", "fish").run().succeeds()
    };
    drop(answer(&["show", "pd"]).prints(["pdf\tDoes\\u{202e} pdf things.\n"]));
    drop(answer(&["remove", ""]).prints(["house\town\n", "shared\tmore\n"]));
}
