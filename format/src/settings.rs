//! The keys of a manifest.

use crate::{
    Allow, Limits, Source, SourceKey,
    entry::EntryChecks,
    json::{Fields, Reader},
};
use std::collections::BTreeMap;

/// The keys of a manifest, as the program and the macro read them.
#[derive(Debug, Default)]
pub struct Settings {
    /// `skills`: the sources.
    pub sources: BTreeMap<SourceKey, Source>,
    /// `limits`.
    pub limits: Limits,
    /// `budget`: maximum estimated tokens of the catalog and of each body.
    pub budget: [Option<u64>; 2],
    /// `allow`.
    pub allow: Allow,
}

/// The hint for the name of a source.
const KEY: &str = "name it after where the skills come from, for example `superpowers`";

impl Settings {
    /// The hint for a manifest without `skills`.
    pub const LEAST: &str =
        "the smallest manifest is `{ \"skills\": {} }`; `skills init` writes one";

    /// Takes the keys from a manifest, and reports invalid values.
    pub fn read<'t>(
        reader: &mut Reader<'t>,
        manifest: &mut Fields<'t>,
        checks: EntryChecks,
    ) -> Option<Self> {
        let mut settings = Self::default();
        if let Some(skills) = manifest.require_as(reader, "skills", Self::LEAST)
            && let Some(skills) = reader.object(skills, "`skills`")
        {
            for (key, at, value) in skills.entries() {
                let what = "the name of a source";
                let key = reader.checked_hint(key, at, what, SourceKey::new, KEY);
                let source = Source::read(reader, value, checks);
                settings.sources.extend(key.zip(source));
            }
        }
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
