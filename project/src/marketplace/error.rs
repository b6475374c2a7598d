//! Errors of looking up a plugin and its skills.

use super::{MAX_RENAMES, PluginName};
use helix_skills_format::{__internal::listed, Finding, Position};
use helix_skills_runtime::__internal::did_you_mean;

/// Maximum number of plugins that a hint names.
const SHOWN: usize = 5;

/// Names that are at least this similar, on a scale from 0 to 1, are suggested.
const MIN_SIMILARITY: f64 = 0.6;

/// Maximum number of positions in an error about duplicates.
const MAX_PLACES: usize = 4;

const REPORT_ENTRY: &str =
    "report it to the marketplace's owner, or pin a version of the marketplace with a valid entry";
const REPORT_RENAMES: &str =
    "use the name of the plugin's entry, and report the `renames` to the marketplace's owner";

/// Why a plugin of a marketplace cannot be used.
///
/// `Display` is one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct PluginError {
    message: String,
    /// An instruction that may fix the error.
    pub hint: String,
    /// The mistakes in the plugin's entry, with positions in the marketplace's text; empty if the
    /// entry was not found.
    pub findings: Vec<Finding>,
}

impl PluginError {
    fn new(message: String, hint: impl Into<String>) -> Self {
        Self { message, hint: hint.into(), findings: Vec::new() }
    }

    /// No plugin has or had the name `asked`. `renamed` are its later names.
    pub(super) fn unknown<'n>(
        asked: &PluginName,
        renamed: &[PluginName],
        names: impl Iterator<Item = &'n PluginName>,
    ) -> Self {
        let now = renamed.last().unwrap_or(asked);
        let mut known: Vec<_> = names.map(|name| (similarity(now, name), name)).collect();
        known.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let near = known.iter().take(SHOWN).take_while(|(score, _)| *score >= MIN_SIMILARITY);
        let near: Vec<&str> = near.map(|(_, name)| name.as_str()).collect();
        let hint = match known.len() {
            0 => "the marketplace lists no plugins".to_owned(),
            1..=SHOWN => {
                let names = known.iter().map(|(_, name)| name);
                format!("its plugins are {}", listed(names, SHOWN))
            }
            count if near.is_empty() => {
                format!(
                    "none of its {count} plugins has a similar name; `skills add … --list` lists them"
                )
            }
            _ => {
                let mut question = String::new();
                // Writing to a string cannot fail.
                let _ = did_you_mean(&near, &mut question);
                question
            }
        };
        Self::new(format!("the marketplace has no plugin {}", chain(asked, renamed)), hint)
    }

    /// The marketplace lists the plugin as removed.
    pub(super) fn removed(asked: &PluginName, renamed: &[PluginName]) -> Self {
        let message = format!("the marketplace has removed the plugin {}", chain(asked, renamed));
        Self::new(message, "pin an older version of the marketplace, or remove the source")
    }

    /// Renames lead back to an earlier name.
    pub(super) fn cycle(asked: &PluginName, renamed: &[PluginName]) -> Self {
        let names = chain(asked, renamed);
        Self::new(format!("the marketplace renames plugins in a circle: {names}"), REPORT_RENAMES)
    }

    /// More renames in a row than are followed.
    pub(super) fn too_many_renames(asked: &PluginName) -> Self {
        let message = format!(
            "the marketplace has renamed the plugin `{asked}` more than {MAX_RENAMES} times"
        );
        Self::new(message, REPORT_RENAMES)
    }

    /// The plugin is listed more than once. `at` are the positions of its entries.
    pub(super) fn duplicate(
        name: &PluginName,
        at: impl ExactSizeIterator<Item = Position>,
    ) -> Self {
        let count = at.len();
        let mut places: Vec<_> = at.take(MAX_PLACES).map(|at| format!("at {at}")).collect();
        if count > MAX_PLACES {
            places.push("…".to_owned());
        }
        let places = places.join(", ");
        let message = format!("the marketplace lists the plugin `{name}` {count} times: {places}");
        Self::new(message, REPORT_ENTRY)
    }

    /// The entry of the plugin has mistakes.
    pub(super) fn broken(name: &PluginName, findings: Vec<Finding>) -> Self {
        let message = format!("cannot use the marketplace's entry of the plugin `{name}`");
        Self { findings, ..Self::new(message, REPORT_ENTRY) }
    }

    /// With `"strict": false`, the entry of the plugin is its whole definition, but its own
    /// manifest declares skills as well.
    pub(super) fn conflict(name: &PluginName) -> Self {
        let message = format!(
            "the plugin `{name}` has `\"strict\": false` in its entry, but its plugin.json declares `skills` as well"
        );
        Self::new(
            message,
            "report it to the marketplace's owner, or use a source of type `git` for the plugin's directory",
        )
    }
}

fn chain(asked: &PluginName, renamed: &[PluginName]) -> String {
    let now = renamed.iter().map(|name| format!(", now `{name}`"));
    std::iter::once(format!("`{asked}`")).chain(now).collect()
}

/// Returns how similar two names are, from 0 to 1: by the edits between them, by their pairs of
/// letters, which may be in another order, or because one contains the other.
///
/// These measures are fast enough for the maximum number and length of names.
fn similarity(asked: &PluginName, name: &PluginName) -> f64 {
    let (a, b) = (asked.to_lowercase(), name.to_lowercase());
    let edits = strsim::normalized_levenshtein(&a, &b);
    let contains = a.len().min(b.len()) > 2 && (a.contains(&b) || b.contains(&a));
    let part = if contains { (1.0 + edits) / 2.0 } else { 0.0 };
    edits.max(strsim::sorensen_dice(&a, &b)).max(part)
}
