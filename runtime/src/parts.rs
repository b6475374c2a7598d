//! What the macro makes of a skill, with public fields.

use crate::{Provenance, Resource, Value};
use alloc::borrow::Cow;

/// The borrowed fields of a skill that is being defined or embedded.
#[derive(Clone, Copy)]
#[expect(missing_docs, reason = "each field is documented at the accessor of its name")]
pub struct Parts<'a> {
    pub name: &'a str,
    pub description: &'a str,
    pub license: Option<&'a str>,
    pub compatibility: Option<&'a str>,
    pub metadata: &'a [(&'a str, &'a str)],
    pub allowed_tools: Option<&'a [&'a str]>,
    pub disallowed_tools: Option<&'a [&'a str]>,
    pub when_to_use: Option<&'a str>,
    pub argument_hint: Option<&'a str>,
    pub arguments: &'a [&'a str],
    pub disable_model_invocation: bool,
    pub user_invocable: bool,
    pub shell: Option<&'a str>,
    pub max_ticks: Option<u32>,
    pub extra: &'a [(Cow<'static, str>, Value)],
    /// `SKILL.md` up to its body: byte order mark, frontmatter with its fences, and blank lines.
    pub frontmatter: &'a str,
    pub body: &'a str,
    /// White space after the body.
    pub trailing: &'a str,
    /// The answer of `load_skill` as one text, if it was rendered in advance.
    pub loaded: Option<&'a str>,
    /// The digest of `SKILL.md`.
    pub digest: Option<&'static str>,
    /// Each path once; sorted by the bytes of their paths, which makes lookups faster.
    pub resources: &'a [Resource],
    pub provenance: Provenance,
}

impl Parts<'_> {
    /// No fields set; the default of each key of the frontmatter.
    pub const EMPTY: Self = Self {
        name: "",
        description: "",
        license: None,
        compatibility: None,
        metadata: &[],
        allowed_tools: None,
        disallowed_tools: None,
        when_to_use: None,
        argument_hint: None,
        arguments: &[],
        disable_model_invocation: false,
        user_invocable: true,
        shell: None,
        max_ticks: None,
        extra: &[],
        frontmatter: "",
        body: "",
        trailing: "",
        loaded: None,
        digest: None,
        resources: &[],
        provenance: provenance(None, None, None, None, "", None),
    };
}

/// Makes a provenance from its parts.
#[must_use]
pub const fn provenance(
    source: Option<&'static str>,
    url: Option<&'static str>,
    reference: Option<&'static str>,
    commit: Option<&'static str>,
    path: &'static str,
    integrity: Option<&'static str>,
) -> Provenance {
    Provenance { source, url, reference, commit, path, integrity }
}
