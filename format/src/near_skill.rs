//! What looks like a skill and is not read as one.
//!
//! A skill is a directory with a `SKILL.md`, directly in a directory of skills. Near misses are
//! reported as warnings, because a skill that is missing without a message is hard to find.

use crate::{Code, Finding, SkillMd, leftovers::leftover, list::and_more};

/// Returns whether a file was probably meant to be a `SKILL.md`, such as `SKILLS.md`, `Skill.md` or
/// `SKILL.md.txt`.
fn resembles_skill_md(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let stem = name.strip_suffix(".txt").unwrap_or(&name);
    matches!(stem.split_once('.'), Some(("skill" | "skills", "md" | "markdown" | "mdx")))
        || name == "skill.txt"
}

/// Returns what in a directory without a `SKILL.md` looks like a skill: its path, which begins with
/// `directory`, and the finding about it. `None` if there is no such thing.
///
/// `entries` are names, and whether they are directories. `has_skill` returns whether one of these
/// directories has a `SKILL.md`. Hidden directories and leftovers are not searched.
///
/// # Errors
/// Those of `has_skill`.
pub fn near_skill<'e, E>(
    directory: &str,
    entries: impl IntoIterator<Item = (&'e str, bool)>,
    mut has_skill: impl FnMut(&str) -> Result<bool, E>,
) -> Result<Option<(String, Finding)>, E> {
    let is_searched = |name: &str| !name.starts_with('.') && leftover(name).is_none();
    let (mut file, mut below) = (None, Vec::new());
    for (name, is_directory) in entries
        .into_iter()
        .filter(|_| is_searched(directory.rsplit('/').next().unwrap_or_default()))
    {
        if !is_directory && resembles_skill_md(name) {
            file = file.filter(|first| *first < name).or(Some(name));
        } else if is_directory && is_searched(name) && has_skill(name)? {
            below.push(name);
        }
    }
    if let Some(name) = file {
        let message = "not read as a skill, because the name of its file is not `SKILL.md`";
        let found = Finding::new(Code::FileName, None, message).hint("rename it to `SKILL.md`");
        let slash = if directory.is_empty() { "" } else { "/" };
        return Ok(Some((format!("{directory}{slash}{name}"), found)));
    }
    let more = and_more(below.len().saturating_sub(1));
    Ok(below.into_iter().min().map(|name| {
        let path = format!("{directory}/{name}/{}", SkillMd::FILE_NAMES[0]);
        let message = format!("not read as a skill, because it is one level too deep{more}");
        let hint = format!("move `{name}` up, or add `{directory}` as a directory of skills");
        (path, Finding::new(Code::MisplacedSkill, None, message).hint(hint))
    }))
}

/// Returns the finding on a `SKILL.md` next to a directory `skills`, which is read instead.
pub fn root_not_read() -> Finding {
    let message = "not read as a skill, because the skills in the `skills` next to it are";
    Finding::new(Code::MisplacedSkill, None, message)
        .hint("move it into a directory of its own in `skills`")
}

/// Returns the finding on a directory `skills` next to a `SKILL.md`, which is read instead.
pub fn skills_not_read() -> Finding {
    let message = "the skills in it are not read, because the `SKILL.md` next to it makes the directory a single skill";
    Finding::new(Code::MisplacedSkill, None, message)
        .hint("move the `SKILL.md` into a directory of its own in `skills`")
}

/// Returns the finding on a `SKILL.md` of a directory whose subdirectories are read as skills.
pub fn root_is_skill() -> Finding {
    let message = "not read as a skill, because the skills of a root are the directories in it";
    Finding::new(Code::MisplacedSkill, None, message)
        .hint("use the parent of this directory as the root")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the path and the message about a directory `pdf` with these entries, of which those
    /// that end in `/` are directories of skills.
    fn near(entries: &[&str]) -> Option<(String, Finding)> {
        let entries = entries.iter().map(|name| {
            let directory = name.strip_suffix('/');
            (directory.unwrap_or(name), directory.is_some())
        });
        near_skill::<()>("pdf", entries, |_| Ok(true)).unwrap()
    }

    #[test]
    fn names_close_to_skill_md_are_found() {
        for name in [
            "SKILLS.md",
            "Skill.md",
            "SKILL.MD",
            "skills.md",
            "SKILL.md.txt",
            "SKILL.txt",
            "SKILL.markdown",
            "Skill.mdx",
        ] {
            let (path, found) = near(&["README.md", name]).unwrap();
            assert_eq!((path, found.code), (format!("pdf/{name}"), Code::FileName));
        }
        for name in ["README.md", "skilled.md", "my-skill.md", "SKILL.json", "skills.txt", "SKILL"]
        {
            assert_eq!(near(&[name]), None, "{name}");
        }
    }

    #[test]
    fn skills_one_level_too_deep_are_counted() {
        let (path, found) = near(&["z/", "a/", "node_modules/", ".git/"]).unwrap();
        assert_eq!((&*path, found.code), ("pdf/a/SKILL.md", Code::MisplacedSkill));
        assert!(found.message.ends_with(" too deep and 1 more"), "{}", found.message);
        // A misnamed file is the more likely mistake.
        assert_eq!(near(&["a/", "SKILLS.md", "Skill.md"]).unwrap().0, "pdf/SKILLS.md");
    }
}
