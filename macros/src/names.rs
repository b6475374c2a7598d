//! The names of skills in the arguments: `only = […]` and `preload = […]`.

use crate::{problem::Problem, skill::BakedSkill};
use helix_skills_format::__internal::listed;
use helix_skills_runtime::__internal::{self as internal, closest};
use std::path::Path;
use syn::LitStr;

/// The skills to bake, and the skills whose bodies are in the catalog.
///
/// `only` may repeat a name. A name in `preload` that is repeated, or that `only` excludes, is an
/// error.
pub(crate) struct Names {
    pub(crate) only: Option<Vec<LitStr>>,
    pub(crate) preload: Vec<LitStr>,
}

/// Maximum number of names that an error lists.
const MAX_LISTED: usize = 100;

impl Names {
    /// Returns whether the skill `name` is baked.
    pub(crate) fn includes(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|wanted| wanted.value() == name))
    }

    /// Returns the names of preloaded skills, sorted and without duplicates.
    pub(crate) fn preloaded(&self) -> Vec<String> {
        let mut names: Vec<_> = self.preload.iter().map(LitStr::value).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Checks the names against `known`, the names in `file`. `help` is the help for an unknown
    /// name.
    pub(crate) fn problems(&self, known: &[&str], file: &Path, help: &str) -> Vec<Problem> {
        let unknown = |name: &LitStr| {
            let text = name.value();
            let title = format!("there is no skill `{}`", text.escape_debug());
            let problem = Problem::at(name.span(), title).file(file);
            match did_you_mean(&text, known) {
                Some(meant) => problem.help(meant),
                None if known.is_empty() => problem.detail("skills", "none").help(help),
                None => problem.detail("skills", listed(known, MAX_LISTED)).help(help),
            }
        };
        let is_unknown = |name: &&LitStr| !known.contains(&name.value().as_str());
        let mut problems: Vec<Problem> =
            self.only.iter().flatten().filter(is_unknown).map(unknown).collect();
        for (at, name) in self.preload.iter().enumerate() {
            let text = name.value();
            let problem =
                |what: &str| Problem::at(name.span(), format!("the skill `{text}` is {what}"));
            if is_unknown(&name) {
                problems.push(unknown(name));
            } else if !self.includes(&text) {
                let problem = problem("preloaded, but not baked");
                problems.push(problem.help("add the name to `only`, or remove it from `preload`"));
            } else if self.preload[..at].iter().any(|before| before.value() == text) {
                let problem = problem("preloaded twice");
                problems.push(problem.help("remove the duplicate from `preload`"));
            }
        }
        problems
    }

    /// Returns one problem for each preloaded skill that is not for models.
    pub(crate) fn hidden(&self, skills: &[BakedSkill]) -> Vec<Problem> {
        let hidden = skills.iter().filter(|skill| skill.skill.disable_model_invocation());
        let is_hidden = |name: &&LitStr| hidden.clone().any(|skill| *skill.name == *name.value());
        let problem = |name: &LitStr| {
            let title = format!(
                "the skill `{}` cannot be preloaded: it sets `disable-model-invocation`, and is not for models",
                name.value()
            );
            Problem::at(name.span(), title).help("remove the name from `preload`")
        };
        self.preload.iter().filter(is_hidden).map(problem).collect()
    }
}

/// Returns a question with the names that `text` may stand for, the most similar first.
pub(crate) fn did_you_mean(text: &str, known: &[&str]) -> Option<String> {
    let names = closest(text, &mut known.iter().copied());
    let mut question = String::new();
    // Writing to a string cannot fail.
    let _ = internal::did_you_mean(&names, &mut question);
    Some(question).filter(|question| !question.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let meant = |text, known: &[&str]| did_you_mean(text, known);
        let known = ["alpha", "beta", "release", "release-notes"];
        let both = "did you mean `release-notes` or `release`?";
        assert_eq!(meant("relase-notes", &known).as_deref(), Some(both));
        assert_eq!(meant("bet", &known).as_deref(), Some("did you mean `beta`?"));
        assert_eq!((meant("zzz", &known), meant("zzz", &[])), (None, None));
        let names: Vec<String> = (0..2_000).map(|at| format!("team-skill-{at:04}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = meant("team-skill-1999x", &names).unwrap();
        assert!(text.starts_with("did you mean `team-skill-1999`, "), "{text}");
        assert_eq!(text.matches("team-skill").count(), 5);
    }
}
