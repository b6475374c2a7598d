//! Command lines of npm `skills`, of `gh skill` and for plugins, which are pasted after
//! `skills add`.

use std::ffi::OsString;

/// Programs that start npm `skills`, gh, and what installs plugins.
const PROGRAMS: [&str; 10] =
    ["gh", "npx", "bunx", "pnpx", "pnpm", "yarn", "npm", "bun", "claude", "/plugin"];

/// What installs skills, in these programs.
const INSTALLS: [&str; 4] = ["add", "install", "i", "add-skill"];

/// Options that take several words in npm `skills`.
const LISTS: [&str; 4] = ["-a", "--agent", "-s", "--skill"];

/// Rewrites a pasted command as one of this program: `skills add npx skills add X -s a b` is
/// `skills add X -s a -s b`, also without `npx skills add`.
pub(super) fn translate(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let Some(at) = arguments.iter().position(|word| word == "add" || word == "i") else {
        return arguments;
    };
    let mut words = arguments.split_off(at + 1);
    let program = words.first().cloned().unwrap_or_default();
    if is_one_of(&program, &PROGRAMS)
        && let Some(install) = words.iter().position(|word| is_one_of(word, &INSTALLS))
    {
        words.drain(..=install);
        if program == "gh" {
            read_gh(&mut words);
        }
    }
    repeat_options(&mut words);
    arguments.extend(words);
    arguments
}

/// Reads the arguments of `gh skill install REPOSITORY SKILL@VERSION`.
fn read_gh(words: &mut Vec<OsString>) {
    // The directory of a coding agent is one of the ignored options, and not `--skills-dir`.
    words.iter_mut().filter(|word| *word == "--dir").for_each(|word| *word = "--scope".into());
    let Some(skill) = words.get(1).filter(|word| !is_option(word)) else { return };
    let skill = skill.to_string_lossy().into_owned();
    let (name, version) = skill.split_once('@').unwrap_or((&skill, ""));
    words[1] = format!("--include={}", name.trim_end_matches("/SKILL.md")).into();
    if !version.is_empty() {
        words.push(format!("--ref={version}").into());
    }
}

/// Repeats an option for each of its words. Only if the source comes first, because the word after
/// the value of an option could be the source.
fn repeat_options(words: &mut Vec<OsString>) {
    let mut at = if words.first().is_none_or(is_option) { words.len() } else { 3 };
    while at < words.len() {
        if is_one_of(&words[at - 2], &LISTS) && !words[at - 1..=at].iter().any(is_option) {
            words.insert(at, words[at - 2].clone());
        }
        at += 1;
    }
}

fn is_one_of(word: &OsString, known: &[&str]) -> bool {
    known.iter().any(|known| word == known)
}

fn is_option(word: &OsString) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_commands_are_rewritten() {
        for (pasted, rewritten) in [
            ("npx skills add o/r@x", "o/r@x"),
            ("npx -y skills@latest add o/r --skill x", "o/r --skill x"),
            ("pnpm dlx skills i o/r", "o/r"),
            ("npm exec skills add o/r", "o/r"),
            ("bun x skills add o/r -s a b -y", "o/r -s a -s b -y"),
            ("o/r -a claude-code codex -s x", "o/r -a claude-code -a codex -s x"),
            ("--ref main --skill x o/r", "--ref main --skill x o/r"),
            ("o/r --list pdf", "o/r --list pdf"),
            ("gh skill install o/r x", "o/r --include=x"),
            ("gh skill install o/r x@v1.2.0 -f", "o/r --include=x -f --ref=v1.2.0"),
            (
                "gh skill install o/r skills/a/x/SKILL.md --agent codex --pin v1 --dir d",
                "o/r --include=skills/a/x --agent codex --pin v1 --scope d",
            ),
            ("gh skill add ./d --from-local", "./d --from-local"),
            ("gh skill search pdf", "gh skill search pdf"),
            ("/plugin marketplace add o/r", "o/r"),
            ("claude plugin marketplace add o/r", "o/r"),
            ("npx -y add-skill o/r -s a b", "o/r -s a -s b"),
            ("/plugin install p@m", "p@m"),
            ("npx", "npx"),
        ] {
            for command in ["add", "i"] {
                let line = |rest: &str| -> Vec<OsString> {
                    ["skills", command].into_iter().chain(rest.split(' ')).map(Into::into).collect()
                };
                assert_eq!(translate(line(pasted)), line(rewritten), "{pasted}");
            }
        }
        let other: Vec<OsString> = vec!["skills".into(), "list".into()];
        assert_eq!(translate(other.clone()), other);
    }
}
