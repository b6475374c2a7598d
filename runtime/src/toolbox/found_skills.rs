//! Hits as text for a model: the answer to a search, and reminders.

use super::Toolbox;
use crate::{Excerpt, Hit, OneLine, SearchOptions, scalars::floor};
use alloc::{format, string::String};

/// Maximum number of skills in an answer.
const MAX_FOUND: usize = 10;

/// Maximum length of a model's query in bytes; the rest is not searched for. Matching each word of
/// a longer text as a prefix would take time and find nothing more.
const MAX_QUERY: usize = 1024;

/// Returns the answer of `search_skills`: names and descriptions, best first, one line each.
pub(super) fn find(toolbox: &Toolbox<'_>, query: &str) -> String {
    let searched = &query[..floor(query, MAX_QUERY)];
    let found = toolbox.search(searched, &SearchOptions::new().limit(MAX_FOUND));
    if found.is_empty() {
        return format!(
            "No skill matches `{}`. Search with other words that describe the task.",
            Excerpt(query)
        );
    }
    let mut text = String::from("The skills that match best; load one before you follow it:\n");
    for Hit { skill, .. } in found {
        text += &format!("- {}: {}\n", OneLine(skill.name()), OneLine(skill.description()));
    }
    text
}

impl<'a> Toolbox<'a> {
    /// Returns a note to the model about the skills that a user's message needs, to append to the
    /// last text part of the message. Empty without hits.
    ///
    /// The text is `Relevant skills:` in `<system-reminder>` tags, with a line
    /// `- name (score): description [path]` for every hit. The path of the `SKILL.md` is there if
    /// the catalog of this toolbox shows it. Names, descriptions and paths are written as
    /// [`OneLine`] does. Scores are rounded half to even from their exact value; JavaScript rounds
    /// half up.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// use helix_skills::{Toolbox, search::SearchOptions};
    /// # const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
    /// # const DEPLOY: Skill = Skill::define("deploy", "Deploys services.", "Do it.").build();
    /// # let index = skill_set![CSV, DEPLOY].index(&helix_skills::search::IndexOptions::new());
    /// # let toolbox = Toolbox::new(skill_set![CSV, DEPLOY].with_index(&index));
    /// let mut message = String::from("Please deploy this.");
    /// let hits = toolbox.search(&message, &SearchOptions::new());
    /// message += &toolbox.reminder(&hits);
    /// assert_eq!(
    ///     message,
    ///     "Please deploy this.<system-reminder>Relevant skills:\n\
    ///      - deploy (2.20): Deploys services.</system-reminder>",
    /// );
    /// ```
    #[must_use]
    pub fn reminder(&self, hits: &[Hit<'a>]) -> String {
        let mut text = String::new();
        if hits.is_empty() {
            return text;
        }
        text += "<system-reminder>Relevant skills:";
        for Hit { skill, score } in hits {
            let (name, description) = (OneLine(skill.name()), OneLine(skill.description()));
            text += &format!("\n- {name} ({score:.2}): {description}");
            if let Some(directory) = self.directory_of(skill) {
                let path = directory.path().concat() + "/SKILL.md";
                text += &format!(" [{}]", OneLine(&path));
            }
        }
        text + "</system-reminder>"
    }
}
