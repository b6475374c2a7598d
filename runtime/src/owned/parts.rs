//! Hidden constructors of owned skills for the other crates, with public fields.

use super::resource::ResourceBuf;
use crate::{Provenance, Skill, Value};
use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec::Vec,
};

/// The fields of a [`SkillBuf`](super::SkillBuf), like [`Parts`](crate::parts::Parts) for a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is documented at the accessor of its name")]
pub struct PartsBuf {
    pub name: String,
    pub description: String,
    pub license: Option<String>,
    pub compatibility: Option<String>,
    pub metadata: Vec<(String, String)>,
    pub allowed_tools: Option<Vec<String>>,
    pub disallowed_tools: Option<Vec<String>>,
    pub when_to_use: Option<String>,
    pub argument_hint: Option<String>,
    pub arguments: Vec<String>,
    pub disable_model_invocation: bool,
    pub user_invocable: bool,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub context: Option<String>,
    pub agent: Option<String>,
    pub background: Option<String>,
    pub shell: Option<String>,
    pub hooks: Option<Value>,
    pub paths: Vec<String>,
    pub max_ticks: Option<u32>,
    pub extra: Vec<(Cow<'static, str>, Value)>,
    pub frontmatter: String,
    pub body: String,
    pub trailing: String,
    pub digest: Option<String>,
    pub resources: Vec<ResourceBuf>,
    pub provenance: ProvenanceBuf,
    pub directory: Option<String>,
}

impl From<Skill<'_>> for PartsBuf {
    fn from(skill: Skill<'_>) -> Self {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
        let parts = skill.0;
        Self {
            name: parts.name.to_owned(),
            description: parts.description.to_owned(),
            license: text(parts.license),
            compatibility: text(parts.compatibility),
            metadata: parts
                .metadata
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
            allowed_tools: parts.allowed_tools.map(list),
            disallowed_tools: parts.disallowed_tools.map(list),
            when_to_use: text(parts.when_to_use),
            argument_hint: text(parts.argument_hint),
            arguments: list(parts.arguments),
            disable_model_invocation: parts.disable_model_invocation,
            user_invocable: parts.user_invocable,
            model: text(parts.model),
            effort: text(parts.effort),
            context: text(parts.context),
            agent: text(parts.agent),
            background: text(parts.background),
            shell: text(parts.shell),
            hooks: parts.hooks.cloned(),
            paths: list(parts.paths),
            max_ticks: parts.max_ticks,
            extra: parts.extra.to_vec(),
            frontmatter: parts.frontmatter.to_owned(),
            body: parts.body.to_owned(),
            trailing: parts.trailing.to_owned(),
            digest: text(parts.digest),
            resources: skill.sorted_resources().map(ResourceBuf::from).collect(),
            provenance: parts.provenance.into(),
            directory: text(parts.directory),
        }
    }
}

/// A [`Provenance`] that owns its text.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProvenanceBuf {
    source: Option<String>,
    url: Option<String>,
    reference: Option<String>,
    commit: Option<String>,
    path: String,
    integrity: Option<String>,
}

impl ProvenanceBuf {
    pub(super) fn view(&self) -> Provenance<'_> {
        Provenance {
            source: self.source.as_deref(),
            url: self.url.as_deref(),
            reference: self.reference.as_deref(),
            commit: self.commit.as_deref(),
            path: &self.path,
            integrity: self.integrity.as_deref(),
        }
    }
}

impl From<Provenance<'_>> for ProvenanceBuf {
    fn from(provenance: Provenance<'_>) -> Self {
        let text = |text: Option<&str>| text.map(str::to_owned);
        Self {
            source: text(provenance.source),
            url: text(provenance.url),
            reference: text(provenance.reference),
            commit: text(provenance.commit),
            path: provenance.path.to_owned(),
            integrity: text(provenance.integrity),
        }
    }
}
