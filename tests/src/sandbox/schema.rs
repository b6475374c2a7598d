//! The published schemas, checked against every project that a sync accepts.

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use jsonschema::Validator;
use serde_json::Value;
use std::{fs, path::Path, sync::LazyLock};

static MANIFEST: LazyLock<Validator> = LazyLock::new(|| validator("helix.skills.schema.json"));
static LOCK: LazyLock<Validator> = LazyLock::new(|| validator("helix.skills.lock.schema.json"));

fn validator(name: &str) -> Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas").join(name);
    let text = fs::read_to_string(&file)
        .unwrap_or_else(|why| panic!("failed to read {}: {why}", file.display()));
    let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// Checks the project's manifest and lockfile, if they exist.
///
/// # Panics
/// If a schema rejects one of them.
pub(super) fn check(project: &Path) {
    for (name, validator) in [("helix.skills.json", &MANIFEST), ("helix.skills.lock", &LOCK)] {
        let Ok(text) = fs::read_to_string(project.join(name)) else { continue };
        let text = text.trim_start_matches('\u{feff}');
        let value: Value =
            parse_to_serde_value(text, &ParseOptions::default()).expect("a sync parsed it as JSON");
        let refused: Vec<String> =
            validator.iter_errors(&value).map(|why| why.to_string()).collect();
        assert!(
            refused.is_empty(),
            "a sync accepted a {name} that its schema rejects: {refused:#?}\n{text}"
        );
    }
}
