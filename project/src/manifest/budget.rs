//! The manifest's `budget`.

use helix_skills_format::__internal::{Reader, Value};

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

impl ManifestBudget {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "`budget`")?;
        let mut budget = Self::default();
        if let Some(value) = fields.take("catalogTokens") {
            budget.catalog_tokens = Some(reader.number(value, "`catalogTokens`")?);
        }
        if let Some(value) = fields.take("bodyTokens") {
            budget.body_tokens = Some(reader.number(value, "`bodyTokens`")?);
        }
        fields.finish(reader);
        Some(budget)
    }
}
