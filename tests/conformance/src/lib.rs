//! Recorded cases of what other systems do, and their comparison with this project.
//!
//! A file of cases is a JSON object. Its `cases` have an `id`, an `area`, a `group`, a `peer` (the
//! system with its version), an `input` and an `expected` value; its `recommended` has, for groups
//! of the area `parse`, what this project does.
//!
//! `HELIX_CONFORMANCE` names the file. Without it, tests read the file next to the checkout if
//! their crate's feature `conformance` is on, and the few cases of this repository otherwise.

mod report;

pub use report::{Deviation, Report};

use serde_json::value::RawValue;
pub use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The areas that a test compares.
const AREAS: [&str; 14] = [
    "bm25",
    "catalog",
    "discover",
    "inject",
    "lockhash",
    "marketplace",
    "parse",
    "search",
    "slash",
    "source",
    "substitute",
    "tokenize",
    "tool-policy",
    "validate",
];

/// Reads the cases of an area, from the file that the environment and the features of the calling
/// crate select.
#[macro_export]
macro_rules! cases {
    ($area:expr) => {
        $crate::Cases::read($area, cfg!(feature = "conformance"))
    };
}

/// What one system did with an input.
#[derive(Clone, Debug)]
pub struct Case {
    /// What no other case of the file has.
    pub id: String,
    /// What several systems were asked.
    pub group: String,
    /// The name of the system, without its version.
    pub peer: String,
    /// What the system got.
    pub input: Value,
    /// The input as written, because the keys of an object have an order.
    pub input_text: String,
    /// What the system did.
    pub expected: Value,
}

impl Case {
    /// Returns a string of the input, if present.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.input[key].as_str()
    }
}

/// The cases of one area.
#[derive(Debug)]
pub struct Cases {
    /// What the cases are about.
    pub area: String,
    /// The cases, in the order of the file.
    pub all: Vec<Case>,
    /// For groups of the area `parse`, what this project does.
    pub recommended: BTreeMap<String, Value>,
    /// Whether the file is the one that the tables of the tests are written for.
    pub is_usual: bool,
}

impl Cases {
    /// Reads the cases of an area; see [`cases!`].
    ///
    /// # Panics
    /// If the file cannot be read or does not have the form of such a file, or if the area is none
    /// of those that a test compares.
    #[must_use]
    pub fn read(area: &str, shared: bool) -> Self {
        assert!(AREAS.contains(&area), "add `{area}` to `AREAS`");
        read(shared, |text, is_usual| parse(text, area, is_usual))
    }

    /// Reads the cases of each area that no test compares.
    ///
    /// # Panics
    /// If the file cannot be read or does not have the form of such a file.
    #[must_use]
    pub fn unread(shared: bool) -> Vec<Self> {
        read(shared, |text, is_usual| {
            let areas = areas(text)?.into_iter().filter(|area| !AREAS.contains(&&**area));
            areas.map(|area| parse(text, &area, is_usual)).collect()
        })
    }
}

/// Reads the file that the environment selects, or a default one.
fn read<T>(shared: bool, parse: impl FnOnce(&str, bool) -> Result<T, String>) -> T {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = std::env::var_os("HELIX_CONFORMANCE").map(PathBuf::from);
    let is_usual = named.is_none() && shared;
    let path = named.unwrap_or_else(|| match shared {
        true => here.join("../../../shared/conformance/cases.json"),
        false => here.join("cases.json"),
    });
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("cannot read `{}`: {why}", path.display()));
    parse(&text, is_usual)
        .unwrap_or_else(|why| panic!("`{}` is not a file of cases: {why}", path.display()))
}

/// Returns the areas of a file.
fn areas(text: &str) -> Result<BTreeSet<String>, String> {
    let document: Value = from_json(text)?;
    let cases = document["cases"].as_array().ok_or("no `cases`")?.iter();
    cases
        .map(|case| case["area"].as_str().map(str::to_owned).ok_or("a case without `area`".into()))
        .collect()
}

fn parse(text: &str, area: &str, is_usual: bool) -> Result<Cases, String> {
    let document: BTreeMap<String, Box<RawValue>> = from_json(text)?;
    let cases = document.get("cases").ok_or("no `cases`")?.get();
    let recommended =
        document.get("recommended").map_or(Ok(BTreeMap::new()), |it| from_json(it.get()))?;
    let mut all = Vec::new();
    for fields in from_json::<Vec<BTreeMap<String, Box<RawValue>>>>(cases)? {
        let raw = |key: &str| {
            let id = fields.get("id").map_or("?", |id| id.get());
            fields.get(key).map(|value| value.get()).ok_or_else(|| format!("{id}: no `{key}`"))
        };
        if from_json::<String>(raw("area")?)? != area {
            continue;
        }
        let peer: String = from_json(raw("peer")?)?;
        all.push(Case {
            id: from_json(raw("id")?)?,
            group: from_json(raw("group")?)?,
            peer: peer.rsplit_once(' ').map_or(&*peer, |(name, _)| name).to_owned(),
            input: from_json(raw("input")?)?,
            input_text: raw("input")?.to_owned(),
            expected: from_json(raw("expected")?)?,
        });
    }
    Ok(Cases { area: area.to_owned(), all, recommended, is_usual })
}

fn from_json<T: for<'a> serde::Deserialize<'a>>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    #[test]
    fn areas_of_a_file_are_its_cases_areas() {
        let text = r#"{"cases": [{"area": "winds"}, {"area": "tides"}, {"area": "winds"}]}"#;
        assert_eq!(Vec::from_iter(super::areas(text).unwrap()), ["tides", "winds"]);
        assert_eq!(super::areas(r#"{"cases": [{}]}"#).unwrap_err(), "a case without `area`");
    }
}
