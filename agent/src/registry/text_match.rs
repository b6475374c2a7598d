//! How a text is looked for.

use super::case_fold::{contains_folded, fold_case};
use alloc::{format, string::String, vec::Vec};
use helix_skills_runtime::{Profile, Skill};

/// How many skills deer-flow finds for a text.
const DEER_FLOW_LIMIT: usize = 5;

/// What a query's text asks for. Texts are folded.
pub(super) enum TextMatch<'q> {
    Everything,
    Nothing,
    /// A part of any field.
    Contains(String),
    /// Deer-flow's: names, sorted.
    Names(Vec<&'q str>),
    /// Deer-flow's: a part of name and description.
    Phrase(String),
    /// Deer-flow's: a part of the name, and what is counted then.
    InName(String, Option<String>),
}

impl<'q> TextMatch<'q> {
    pub(super) fn parse(text: &'q str, profile: Profile) -> Self {
        let text = text.trim();
        if profile != Profile::DeerFlow {
            return if text.is_empty() {
                Self::Everything
            } else {
                Self::Contains(fold_case(text))
            };
        }
        if text.is_empty() {
            return Self::Nothing;
        }
        if let Some(names) = text.strip_prefix("select:") {
            let mut names: Vec<_> = names.split(',').map(str::trim).collect();
            names.sort_unstable();
            return Self::Names(names);
        }
        let Some(text_after) = text.strip_prefix('+') else { return Self::Phrase(fold_case(text)) };
        let after = text_after.trim_start();
        match after.split_once(char::is_whitespace) {
            _ if after.is_empty() => Self::Nothing,
            Some((word, rest)) => Self::InName(fold_case(word), Some(fold_case(rest.trim_start()))),
            None => Self::InName(fold_case(after), None),
        }
    }

    /// The most skills that are found, unless somebody says otherwise.
    pub(super) fn default_limit(&self) -> usize {
        match self {
            Self::Phrase(_) | Self::InName(..) => DEER_FLOW_LIMIT,
            _ => usize::MAX,
        }
    }

    /// Whether ranks differ.
    pub(super) fn is_ranked(&self) -> bool {
        matches!(self, Self::Phrase(_) | Self::InName(..))
    }

    /// How well a skill answers; none if it does not.
    pub(super) fn rank(&self, skill: &Skill<'_>) -> Option<usize> {
        let both = || fold_case(&format!("{} {}", skill.name(), skill.description()));
        match self {
            Self::Everything => Some(0),
            Self::Nothing => None,
            Self::Contains(part) => {
                let texts =
                    [skill.name(), skill.description(), skill.when_to_use().unwrap_or_default()];
                let values = skill.metadata().iter().map(|(_, value)| *value);
                texts.into_iter().chain(values).any(|text| contains_folded(text, part)).then_some(0)
            }
            Self::Names(names) => names.binary_search(&skill.name()).is_ok().then_some(0),
            Self::Phrase(phrase) => both()
                .contains(phrase.as_str())
                .then(|| usize::from(contains_folded(skill.name(), phrase))),
            Self::InName(word, counted) => {
                let count = |text: &String| match both() {
                    // The standard library would read the whole of `text` first, for each skill.
                    both if both.len() < text.len() => 0,
                    both => both.matches(text.as_str()).count(),
                };
                contains_folded(skill.name(), word).then(|| counted.as_ref().map_or(0, count))
            }
        }
    }
}
