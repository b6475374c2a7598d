//! The arguments with names of skills: `only = […]` and `preload = […]`.

use crate::{
    problem::{Help, Problem},
    skill::BakedSkill,
    strings::parse_strings,
};
use helix_skills_format::__internal::listed;
use helix_skills_runtime::__internal::{self as internal, closest};
use std::path::Path;
use syn::{LitStr, parse::ParseStream};

/// The skills to bake, and the skills whose bodies are in the catalog.
///
/// `only` may repeat a name. A name in `preload` that is repeated, or that `only` excludes, is an
/// error.
#[derive(Default)]
pub(crate) struct Names {
    only: Option<Vec<LitStr>>,
    preload: Option<Vec<LitStr>>,
}

impl Names {
    /// Parses `= ["name", …]` after `only` or `preload`. Returns false if `key` is neither.
    pub(crate) fn parse(&mut self, key: &syn::Ident, input: ParseStream<'_>) -> syn::Result<bool> {
        let names = match key.to_string().as_str() {
            "only" => &mut self.only,
            "preload" => &mut self.preload,
            _ => return Ok(false),
        };
        if names.is_some() {
            return Err(syn::Error::new(key.span(), format!("`{key}` is given twice")));
        }
        *names = Some(parse_strings(key, "name", input)?);
        Ok(true)
    }

    /// Returns whether the skill `name` is baked.
    pub(crate) fn includes(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|wanted| wanted.value() == name))
    }

    /// Returns the names of preloaded skills, sorted and without duplicates.
    pub(crate) fn preloaded(&self) -> Vec<String> {
        let mut names: Vec<_> = self.preload.iter().flatten().map(LitStr::value).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Checks the names against `known`, the names in `file`. `help` is the help for an unknown
    /// name.
    pub(crate) fn problems(&self, known: &[&str], file: &Path, help: Help) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut preloaded = Vec::new();
        let preload = self.preload.iter().flatten();
        for (name, is_preload) in
            self.only.iter().flatten().map(|name| (name, false)).chain(preload.map(|n| (n, true)))
        {
            let text = name.value();
            if !known.contains(&text.as_str()) {
                problems.push(unknown(name, known, file, help));
            } else if is_preload && !self.includes(&text) {
                let problem = Problem::at(
                    name.span(),
                    format!("the skill `{text}` is preloaded, but not baked"),
                );
                problems
                    .push(problem.advice("add the name to `only`, or remove it from `preload`"));
            } else if is_preload && preloaded.contains(&text) {
                let problem =
                    Problem::at(name.span(), format!("the skill `{text}` is preloaded twice"));
                problems.push(problem.advice("remove the duplicate from `preload`"));
            } else if is_preload {
                preloaded.push(text);
            }
        }
        problems
    }

    /// Returns one problem for each preloaded skill that is not for models.
    pub(crate) fn hidden(&self, skills: &[BakedSkill]) -> Vec<Problem> {
        let is_hidden = |skill: &&BakedSkill| skill.skill.disable_model_invocation();
        let hidden: Vec<_> =
            skills.iter().filter(is_hidden).map(|skill| skill.name.as_str()).collect();
        let names =
            self.preload.iter().flatten().filter(|name| hidden.contains(&name.value().as_str()));
        names
            .map(|name| {
                let title = format!(
                    "the skill `{}` cannot be preloaded: it sets `disable-model-invocation`, and is not for models",
                    name.value()
                );
                Problem::at(name.span(), title).advice("remove the name from `preload`")
            })
            .collect()
    }
}

/// Maximum number of names that an error lists.
const MAX_LISTED: usize = 100;

fn unknown(name: &LitStr, known: &[&str], file: &Path, help: Help) -> Problem {
    let name_text = name.value();
    let title = format!("there is no skill `{}`", name_text.escape_debug());
    let problem = Problem::at(name.span(), title).file(file);
    match did_you_mean(&name_text, known) {
        Some(advice) => problem.advice(advice),
        None if known.is_empty() => problem.detail("skills", "none").help(help),
        None => problem.detail("skills", listed(known, MAX_LISTED)).help(help),
    }
}

/// Returns a question with the names that `text` may stand for, the most similar first.
pub(crate) fn did_you_mean(text: &str, known: &[&str]) -> Option<String> {
    let names = closest(text, &mut known.iter().copied());
    let mut question = String::new();
    // Writing to a string cannot fail.
    let _ = internal::did_you_mean(names.names(), &mut question);
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
