//! `OWNER/REPO#REF@SKILL` and commands of other programs after `skills add`.

use super::pasted::{GITHUB, Pasted};
use serde_json::json;

#[test]
fn reference_and_skill_are_both_taken() {
    let pasted = Pasted::new();
    pasted.adds(&["someone/tools#dev"], GITHUB, json!({"ref": "dev"}));
    pasted.adds(&["someone/tools#feature/x"], GITHUB, json!({"ref": "feature/x"}));
    let late = json!({"ref": "dev", "include": ["late"]});
    pasted.adds(&["someone/tools#dev@late"], GITHUB, late);
    pasted.refuses(&["someone/tools#dev@lat"], &["has no skill `lat`", "did you mean `late`?"]);
    // What follows the last `@` is a skill, even if a tag has this name.
    pasted.upstream.tag("tools@2.0.0");
    let alpha = json!({"ref": "tools@2.0.0", "include": ["alpha"]});
    pasted.adds(&["someone/tools#tools@2.0.0@alpha"], GITHUB, alpha);
    pasted.refuses(&["someone/tools#tools@2.0.0"], &["there is no tag or branch `tools`"]);
    let says = ["there is no tag or branch `nope`", "the default branch is `main`"];
    pasted.refuses(&["someone/tools#nope"], &says);
    let other = "an option contradicts `someone/tools#dev`";
    pasted.refuses(&["someone/tools#dev", "--ref", "main"], &[other]);
}

#[test]
fn command_of_another_program_is_taken() {
    let pasted = Pasted::new();
    let alpha = json!({"version": "1.2.0", "include": ["alpha"]});
    for command in [
        "npx skills add someone/tools@alpha",
        "npx -y skills@latest add someone/tools --skill alpha",
        "npx add-skill someone/tools --skill alpha",
        "/plugin marketplace add someone/tools --skill alpha",
        "claude plugin marketplace add someone/tools --skill alpha",
        "pnpm dlx skills add https://github.com/someone/tools/tree/main/skills/alpha",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        pasted.adds(&words, GITHUB, alpha.clone());
    }
    let refused: Vec<&str> = "/plugin install docx@agent-skills".split(' ').collect();
    pasted.refuses(&refused, &["run", "`skills add OWNER/REPO --plugin docx`"]);
    pasted.refuses(&["npx"], &["error: `npx` is not a source\n"]);
    pasted.refuses(&["npx", "skills", "find", "pdf"], &["unexpected argument"]);
}

#[test]
fn options_for_coding_agents_are_a_note() {
    let pasted = Pasted::new();
    let alpha = json!({"version": "1.2.0", "include": ["alpha"]});
    for (command, install) in [
        (
            "npx skills add someone/tools -g -a claude-code codex -y --skill alpha --copy",
            "skills install --agent claude-code,codex",
        ),
        ("npx skills add someone/tools --agent * -s alpha --full-depth", "skills install"),
        ("someone/tools@alpha -a claude-code -a nobody", "skills install --agent claude-code"),
        ("gh skill install someone/tools alpha -f --scope user --dir x", "skills install"),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let run = pasted.adds(&words, GITHUB, alpha.clone());
        run.says(["do not apply", &format!("`{install}` copies the locked ones")]);
    }
    let both = json!({"version": "1.2.0", "include": ["alpha", "beta"]});
    let words = ["npx", "skills", "add", "someone/tools", "--skill", "alpha", "beta", "-y"];
    pasted.adds(&words, GITHUB, both).never_prints("do not apply");
    for words in [&["someone/tools", "--all"][..], &["someone/tools", "-s", "*", "-y"]] {
        pasted.adds(words, GITHUB, json!({"version": "1.2.0"}));
    }
}

#[test]
fn page_of_another_host_is_answered_with_the_repository() {
    let pasted = Pasted::new();
    for (page, command) in [
        ("codeberg.org/o/r/src/branch/main/skills/x", "codeberg.org/o/r --include skills/x"),
        ("bitbucket.org/o/r/src/main/skills/x", "bitbucket.org/o/r --include skills/x"),
        ("dev.azure.com/o/p/_git/r?path=/skills/x", "dev.azure.com/o/p/_git/r --include skills/x"),
        ("git.corp/o/r/tree/main/skills/x", "git.corp/o/r --include skills/x"),
    ] {
        let page = format!("https://{page}");
        let says = [
            "is a web page, and only those of GitHub and GitLab are read",
            &format!("help: run `skills add https://{command}`"),
        ];
        pasted.refuses(&[&page], &says);
        let says = [says[0], &format!("{} --no-sync`", says[1].trim_end_matches('`'))];
        pasted.refuses(&[&page, "--no-sync"], &says);
    }
    assert_eq!(pasted.server.traffic().requests, 0);
}

#[test]
fn user_without_a_password_is_not_written() {
    let pasted = Pasted::new();
    let url = "https://dev.azure.com/acme/p/_git/tools";
    let typed = url.replace("dev.", "acme@dev.");
    pasted.adds(&[&typed, "--no-sync"], url, json!({}));
    let says = ["it contains a user name or a password"];
    pasted.refuses(&[&typed.replace("acme@", "acme:secret@"), "--no-sync"], &says);
    let token = format!("{}@", "q7".repeat(26));
    pasted.refuses(&[&typed.replace("acme@", &token), "--no-sync"], &says);
}

#[test]
fn short_options_of_other_programs_are_aliases() {
    let pasted = Pasted::new();
    let alpha = json!({"version": "1.2.0", "include": ["alpha"]});
    pasted.adds(&["someone/tools", "-s", "alpha"], GITHUB, alpha);
    pasted.add(&["someone/tools", "-l"]).succeeds().prints(["alpha"]);
}

#[test]
fn addresses_are_those_that_browsers_show() {
    let pasted = Pasted::new();
    for page in [
        "github.com/someone/tools/tree/main/skills/alpha",
        "www.github.com/someone/tools/blob/main/skills/alpha/SKILL.md",
        "skills.sh/someone/tools/alpha",
        "https://skills.sh/someone/tools/alpha",
        "https://www.skills.sh/someone/tools/alpha/?tab=files",
    ] {
        pasted.adds(&[page], GITHUB, json!({"version": "1.2.0", "include": ["alpha"]}));
    }
    pasted.adds(&["skills.sh/someone/tools"], GITHUB, json!({"version": "1.2.0"}));
    pasted.refuses(&["skills.sh/someone"], &["is not a source"]);
}

#[test]
fn other_spellings_of_a_page_are_taken() {
    let pasted = Pasted::new();
    let late = json!({"ref": "feature/x", "include": ["late"]});
    for page in [
        "https://www.github.com/someone/tools/tree/feature/x/skills/late",
        "https://github.com/someone/tools/tree/feature%2Fx/skills/late",
    ] {
        pasted.adds(&[page], GITHUB, late.clone());
    }
    pasted.adds(&["https://www.github.com/someone/tools"], GITHUB, json!({"version": "1.2.0"}));
}

#[test]
fn several_words_are_answered_with_one_command() {
    let pasted = Pasted::new();
    let run = pasted.add(&["someone/tools", "alpha", "beta"]).exits(2);
    let run = run.says(["error: unexpected arguments after the source: `alpha`, `beta`"]);
    let offered = run.offered();
    assert_eq!(offered[0], "skills add someone/tools --include alpha,beta");
    let words: Vec<&str> = offered[0].split(' ').skip(2).collect();
    let both = json!({"version": "1.2.0", "include": ["alpha", "beta"]});
    pasted.adds(&words, GITHUB, both);
    assert_eq!(offered[1], "skills add someone/tools --list alpha beta");
    pasted.add(&["someone/tools", "--list", "alpha", "things"]).succeeds().prints(["alpha"]);
    let none = pasted.add(&["someone/tools", "--list", "alpha", "beta"]).succeeds();
    none.says(["listed 0 skills of `v1.2.0`; nothing was written\n"]);
    // A tag is no commit.
    let says = ["expected a full commit id", "for a tag or branch, use `--ref`"];
    pasted.refuses(&["someone/tools", "--rev", "v1.2.0"], &says);
}
