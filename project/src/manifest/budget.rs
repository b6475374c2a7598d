//! The manifest's `budget`.

/// The manifest's `budget`: maximum estimated tokens of the text that a model reads. No limits by
/// default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "camelCase", deny_unknown_fields))]
#[non_exhaustive]
pub struct ManifestBudget {
    /// Maximum estimated tokens of the catalog of all skills.
    pub catalog_tokens: Option<u64>,
    /// Maximum estimated tokens of the body of each skill.
    pub body_tokens: Option<u64>,
}
