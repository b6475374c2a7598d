//! The arguments with names of skills: `only = […]` and `preload = […]`.

use crate::{
    problem::{Help, Problem},
    skill::BakedSkill,
    strings::parse_strings,
};
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
        let is_hidden = |skill: &&BakedSkill| skill.skill_md.disable_model_invocation;
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

/// Maximum number of similar names that are listed first. Finding each compares all names.
const MAX_NEAREST: usize = 5;

/// Maximum number of names that an error lists.
const MAX_LISTED: usize = 100;

fn unknown(name: &LitStr, known: &[&str], file: &Path, help: Help) -> Problem {
    let title = format!("there is no skill `{}`", name.value().escape_debug());
    let names = listed(&nearest_first(&name.value(), known));
    Problem::at(name.span(), title).file(file).detail("skills", names).help(help)
}

/// Formats names in backticks, at most [`MAX_LISTED`].
fn listed(names: &[&str]) -> String {
    let shown: Vec<_> = names.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(MAX_LISTED) {
        _ if names.is_empty() => "none".to_owned(),
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Returns `known` with the names most similar to `text` first.
fn nearest_first<'k>(text: &str, known: &[&'k str]) -> Vec<&'k str> {
    let mut rest = known.to_vec();
    let mut order = Vec::with_capacity(rest.len());
    while order.len() < MAX_NEAREST
        && let Some(near) = helix_skills_format::nearest(text, rest.iter().copied())
    {
        rest.retain(|name| *name != near);
        order.push(near);
    }
    order.extend(rest);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        assert_eq!(
            nearest_first("relase-notes", &["alpha", "beta", "release-notes"]),
            ["release-notes", "alpha", "beta"]
        );
        assert_eq!(nearest_first("zzz", &["alpha", "beta"]), ["alpha", "beta"]);
    }

    #[test]
    fn similar_names_come_first_and_at_most_100_are_listed() {
        let names: Vec<String> = (0..2_000).map(|at| format!("team-skill-{at:04}")).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let order = nearest_first("team-skill-1999x", &known);
        assert_eq!((order.len(), order[0]), (2_000, "team-skill-1999"));
        let sorted = |names: &[&str]| names.is_sorted();
        assert!(!sorted(&order) && sorted(&order[MAX_NEAREST..]));
        let text = listed(&order);
        assert!(
            text.starts_with("`team-skill-1999`, ") && text.ends_with(" and 1900 more"),
            "{text}"
        );
        assert_eq!((listed(&["a", "b"]), listed(&[])), ("`a`, `b`".to_owned(), "none".to_owned()));
    }
}
