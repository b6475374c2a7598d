//! How a text is looked for.

use super::fold::{folded, holds};
use alloc::{format, string::String, vec::Vec};
use helix_skills_runtime::{Profile, Skill};

/// How many skills deer-flow finds for a text.
const DEER_FLOW_MOST: usize = 5;

/// What a query's text asks for. Texts are folded.
pub(super) enum Reading<'q> {
    Everything,
    Nothing,
    /// A part of any field.
    Part(String),
    /// Deer-flow's: names, sorted.
    Names(Vec<&'q str>),
    /// Deer-flow's: a part of name and description.
    Phrase(String),
    /// Deer-flow's: a part of the name, and what is counted then.
    Named(String, Option<String>),
}

impl<'q> Reading<'q> {
    pub(super) fn of(text: &'q str, profile: Profile) -> Self {
        let text = text.trim();
        if profile != Profile::DeerFlow {
            return if text.is_empty() { Self::Everything } else { Self::Part(folded(text)) };
        }
        if text.is_empty() {
            return Self::Nothing;
        }
        if let Some(names) = text.strip_prefix("select:") {
            let mut names: Vec<_> = names.split(',').map(str::trim).collect();
            names.sort_unstable();
            return Self::Names(names);
        }
        let Some(text_after) = text.strip_prefix('+') else { return Self::Phrase(folded(text)) };
        let after = text_after.trim_start();
        match after.split_once(char::is_whitespace) {
            _ if after.is_empty() => Self::Nothing,
            Some((word, rest)) => Self::Named(folded(word), Some(folded(rest.trim_start()))),
            None => Self::Named(folded(after), None),
        }
    }

    /// The most skills that are found, unless somebody says otherwise.
    pub(super) fn most(&self) -> usize {
        match self {
            Self::Phrase(_) | Self::Named(..) => DEER_FLOW_MOST,
            _ => usize::MAX,
        }
    }

    /// Whether ranks differ.
    pub(super) fn ranks(&self) -> bool {
        matches!(self, Self::Phrase(_) | Self::Named(..))
    }

    /// How well a skill answers; none if it does not.
    pub(super) fn rank(&self, skill: &Skill<'_>) -> Option<usize> {
        let both = || folded(&format!("{} {}", skill.name(), skill.description()));
        match self {
            Self::Everything => Some(0),
            Self::Nothing => None,
            Self::Part(part) => {
                let texts =
                    [skill.name(), skill.description(), skill.when_to_use().unwrap_or_default()];
                let values = skill.metadata().iter().map(|(_, value)| *value);
                texts.into_iter().chain(values).any(|text| holds(text, part)).then_some(0)
            }
            Self::Names(names) => names.binary_search(&skill.name()).is_ok().then_some(0),
            Self::Phrase(phrase) => {
                both().contains(phrase.as_str()).then(|| usize::from(holds(skill.name(), phrase)))
            }
            Self::Named(word, counted) => {
                let count = |text: &String| match both() {
                    // The standard library would read the whole of `text` first, for each skill.
                    both if both.len() < text.len() => 0,
                    both => both.matches(text.as_str()).count(),
                };
                holds(skill.name(), word).then(|| counted.as_ref().map_or(0, count))
            }
        }
    }
}
