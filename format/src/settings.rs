//! The keys of a manifest other than its sources.

use crate::{
    Allow, Limits,
    json::{Fields, Reader},
};

/// The keys of a manifest other than its sources, as the program and the macro read them.
#[derive(Debug, Default)]
pub struct Settings {
    /// `limits`.
    pub limits: Limits,
    /// `budget`: maximum estimated tokens of the catalog and of each body.
    pub budget: [Option<u64>; 2],
    /// `allow`.
    pub allow: Allow,
}

impl Settings {
    /// Takes the keys from a manifest, and reports invalid values.
    pub fn read<'t>(reader: &mut Reader<'t>, manifest: &mut Fields<'t>) -> Option<Self> {
        let mut settings = Self::default();
        if let Some(schema) = manifest.take("$schema") {
            reader.string(schema, "`$schema`")?;
        }
        if let Some(limits) = manifest.take("limits") {
            settings.limits = Limits::read(reader, limits)?;
        }
        if let Some(budget) = manifest.take("budget") {
            let mut fields = reader.object(budget, "`budget`")?;
            for (key, tokens) in ["catalogTokens", "bodyTokens"].iter().zip(&mut settings.budget) {
                if let Some(value) = fields.take(key) {
                    *tokens = Some(reader.number(value, &format!("`{key}`"))?);
                }
            }
            fields.finish(reader);
        }
        if let Some(allow) = manifest.take("allow") {
            settings.allow = Allow::read(reader, allow)?;
        }
        Some(settings)
    }
}
