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
    pasted.refuses(&["someone/tools#dev@lat"], &["`include` names `lat`", "did you mean `late`?"]);
    // What follows the last `@` is a skill, even if a tag has this name.
    pasted.upstream.tag("tools@2.0.0");
    let alpha = json!({"ref": "tools@2.0.0", "include": ["alpha"]});
    pasted.adds(&["someone/tools#tools@2.0.0@alpha"], GITHUB, alpha);
    pasted.refuses(&["someone/tools#tools@2.0.0"], &["there is no tag or branch `tools`"]);
    let says = ["there is no tag or branch `nope`", "the default branch is `main`"];
    pasted.refuses(&["someone/tools#nope"], &says);
    let other = "`someone/tools#dev` names `dev`, and an option pins something else";
    pasted.refuses(&["someone/tools#dev", "--ref", "main"], &[other]);
}

#[test]
fn command_of_another_program_is_taken() {
    let pasted = Pasted::new();
    let alpha = json!({"version": "1.2.0", "include": ["alpha"]});
    for command in [
        "npx skills add someone/tools@alpha",
        "npx -y skills@latest add someone/tools --skill alpha",
        "pnpm dlx skills add https://github.com/someone/tools/tree/main/skills/alpha",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        pasted.adds(&words, GITHUB, alpha.clone());
    }
    pasted.refuses(&["npx"], &["error: `npx` is not a source\n"]);
    pasted.refuses(&["npx", "skills", "find", "pdf"], &["unexpected argument"]);
}
