//! Parsing and matching the text of a query.

use alloc::{format, string::String, vec::Vec};
use helix_skills_runtime::{Profile, Skill};

/// Maximum number of skills that deer-flow finds for a text.
const DEER_FLOW_LIMIT: usize = 5;

/// The parsed text of a query. Texts are case-folded, names are not.
pub(super) enum TextMatch<'q> {
    /// Text that any field may contain.
    Contains(String),
    /// `select:` of deer-flow: names, sorted.
    Names(Vec<&'q str>),
    /// Text of deer-flow, in name and description.
    Phrase(String),
    /// `+word rest` of deer-flow: text in the name, and text whose occurrences are counted.
    InName(String, Option<String>),
}

impl<'q> TextMatch<'q> {
    pub(super) fn parse(text: &'q str, profile: Profile) -> Self {
        let text = text.trim();
        if profile != Profile::DeerFlow {
            return Self::Contains(fold_case(text));
        }
        if text.is_empty() {
            return Self::Names(Vec::new());
        }
        if let Some(names) = text.strip_prefix("select:") {
            let mut names: Vec<_> = names.split(',').map(str::trim).collect();
            names.sort_unstable();
            return Self::Names(names);
        }
        let Some(text_after) = text.strip_prefix('+') else { return Self::Phrase(fold_case(text)) };
        let after = text_after.trim_start();
        match after.split_once(char::is_whitespace) {
            _ if after.is_empty() => Self::Names(Vec::new()),
            Some((word, rest)) => Self::InName(fold_case(word), Some(fold_case(rest.trim_start()))),
            None => Self::InName(fold_case(after), None),
        }
    }

    /// Returns the maximum number of skills if the query sets none.
    pub(super) fn default_limit(&self) -> usize {
        if self.is_ranked() { DEER_FLOW_LIMIT } else { usize::MAX }
    }

    /// Returns whether ranks differ between matching skills.
    pub(super) fn is_ranked(&self) -> bool {
        matches!(self, Self::Phrase(_) | Self::InName(..))
    }

    /// Returns how well a skill matches; `None` if it does not.
    pub(super) fn rank(&self, skill: &Skill) -> Option<usize> {
        let both = || fold_case(&format!("{} {}", skill.name(), skill.description()));
        match self {
            Self::Contains(part) => {
                let texts =
                    [skill.name(), skill.description(), skill.when_to_use().unwrap_or_default()];
                let values = skill.metadata().map(|(_, value)| value);
                texts.into_iter().chain(values).any(|text| contains_folded(text, part)).then_some(0)
            }
            Self::Names(names) => names.binary_search(&skill.name()).is_ok().then_some(0),
            Self::Phrase(phrase) => both()
                .contains(phrase.as_str())
                .then(|| usize::from(contains_folded(skill.name(), phrase))),
            Self::InName(word, counted) => {
                let count = |text: &String| match both() {
                    // `matches` would process the whole of `text` for each skill.
                    both if both.len() < text.len() => 0,
                    both => both.matches(text.as_str()).count(),
                };
                contains_folded(skill.name(), word).then(|| counted.as_ref().map_or(0, count))
            }
        }
    }
}

/// Converts each character to lower case, independent of its neighbors. If a text contains another
/// one, the folded text therefore contains the other folded text.
fn fold_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn contains_folded(text: &str, folded_part: &str) -> bool {
    fold_case(text).contains(folded_part)
}
