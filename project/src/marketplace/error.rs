//! Errors of looking up a plugin.

use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{error_debug, listed},
    Code, Finding, Position,
};
use helix_skills_runtime::__internal::did_you_mean;
use std::fmt;

/// Maximum number of plugins that a hint names.
const SHOWN: usize = 5;

/// Names that are at least this similar, on a scale from 0 to 1, are suggested.
const MIN_SIMILARITY: f64 = 0.6;

/// The error of [`Marketplace::plugin`](super::Marketplace::plugin).
///
/// `Display` is one line; [`PluginError::hint`] is an instruction.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginError {
    /// No plugin has or had the name.
    Unknown {
        /// The requested name.
        asked: PluginName,
        /// Its later names, if it was renamed.
        renamed: Vec<PluginName>,
        /// All names of plugins, the closest first.
        known: Vec<PluginName>,
    },
    /// The marketplace lists the plugin as removed.
    Removed {
        /// The requested name.
        asked: PluginName,
        /// Its later names, if it was renamed before.
        renamed: Vec<PluginName>,
    },
    /// Renames lead back to an earlier name.
    Cycle {
        /// The requested name.
        asked: PluginName,
        /// The later names, up to the first that repeats.
        renamed: Vec<PluginName>,
    },
    /// More than 32 renames in a row.
    TooManyRenames {
        /// The requested name.
        asked: PluginName,
    },
    /// The plugin is listed more than once.
    Duplicate {
        /// The name.
        name: PluginName,
        /// The positions of the first entries.
        at: Vec<Position>,
        /// Number of entries with the name.
        count: usize,
    },
    /// The entry of the plugin cannot be used.
    Broken {
        /// Its name in the marketplace.
        name: PluginName,
        /// All mistakes in the entry, with positions in the marketplace's text.
        findings: Vec<Finding>,
    },
}

impl PluginError {
    /// Returns the code of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Unknown { .. } => Code::UnknownPlugin,
            Self::Removed { .. } => Code::RemovedPlugin,
            Self::Cycle { .. } | Self::TooManyRenames { .. } => Code::RenameChain,
            Self::Duplicate { .. } => Code::DuplicateKey,
            Self::Broken { findings, .. } => {
                findings.first().map_or(Code::BadValue, |finding| finding.code)
            }
        }
    }

    /// Returns the mistakes in the entry, if there is one.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Broken { findings, .. } => findings,
            _ => &[],
        }
    }

    /// Returns the plugins that an unknown name may mean: those with a similar name, or all if
    /// there are few.
    #[doc(hidden)]
    #[must_use]
    pub fn suggestions(&self) -> &[PluginName] {
        let Self::Unknown { asked, renamed, known } = self else { return &[] };
        if known.len() <= SHOWN {
            return known;
        }
        let asked = renamed.last().unwrap_or(asked);
        // These come first.
        let near = known[..SHOWN].partition_point(|name| similarity(asked, name) >= MIN_SIMILARITY);
        &known[..near]
    }

    /// Returns an instruction that may fix the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { known, .. } if known.is_empty() => {
                Some("the marketplace lists no plugins".to_owned())
            }
            Self::Unknown { known, .. } if known.len() <= SHOWN => {
                Some(format!("its plugins are {}", listed(known, SHOWN)))
            }
            Self::Unknown { known, .. } => {
                let near = self.suggestions();
                if near.is_empty() {
                    return Some(format!(
                        "none of its {} plugins has a similar name; they are listed in its `{}`",
                        known.len(),
                        super::Marketplace::FILE
                    ));
                }
                let mut question = String::new();
                // Writing to a string cannot fail.
                let _ = did_you_mean(near.iter().map(|name| name.as_str()), &mut question);
                Some(question)
            }
            Self::Removed { .. } => {
                Some("pin an older version of the marketplace, or remove the source".to_owned())
            }
            Self::Cycle { .. } | Self::TooManyRenames { .. } => Some(
                "use the name of the plugin's entry, and report the `renames` to the marketplace's owner"
                    .to_owned(),
            ),
            Self::Duplicate { .. } | Self::Broken { .. } => Some(
                "report it to the marketplace's owner, or pin a version of the marketplace with a valid entry"
                    .to_owned(),
            ),
        }
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { asked, renamed, .. } => match renamed.last() {
                None => write!(f, "the marketplace has no plugin `{asked}`"),
                Some(_) => write!(f, "the marketplace has no plugin {}", chain(asked, renamed)),
            },
            Self::Removed { asked, renamed } => {
                write!(f, "the marketplace has removed the plugin {}", chain(asked, renamed))
            }
            Self::Cycle { asked, renamed } => {
                write!(f, "the marketplace renames plugins in a circle: {}", chain(asked, renamed))
            }
            Self::TooManyRenames { asked } => {
                write!(
                    f,
                    "the marketplace has renamed the plugin `{asked}` more than {} times",
                    super::MAX_RENAMES
                )
            }
            Self::Duplicate { name, at, count } => {
                let places = at.iter().map(|at| format!("at {at}")).collect::<Vec<_>>().join(", ");
                write!(f, "the marketplace lists the plugin `{name}` {count} times: {places}")?;
                if *count > at.len() { f.write_str(", …") } else { Ok(()) }
            }
            Self::Broken { name, .. } => {
                write!(f, "cannot use the marketplace's entry of the plugin `{name}`")
            }
        }
    }
}

error_debug!(PluginError {
    Unknown { asked, renamed, known },
    Removed { asked, renamed },
    Cycle { asked, renamed },
    TooManyRenames { asked },
    Duplicate { name, at, count },
    Broken { name, findings },
});

impl std::error::Error for PluginError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.findings().first().map(|finding| finding as _)
    }
}

fn chain(asked: &PluginName, renamed: &[PluginName]) -> String {
    let now = renamed.iter().map(|name| format!(", now `{name}`"));
    std::iter::once(format!("`{asked}`")).chain(now).collect()
}

/// Returns all names, the closest to `asked` first.
pub(super) fn by_distance<'n>(
    asked: &PluginName,
    names: impl Iterator<Item = &'n PluginName>,
) -> Vec<PluginName> {
    let mut scored: Vec<(f64, &PluginName)> =
        names.map(|name| (similarity(asked, name), name)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.into_iter().map(|(_, name)| name.clone()).collect()
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
