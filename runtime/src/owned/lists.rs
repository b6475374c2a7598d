//! The slices that a view borrows from, in addition to the owned text.

use super::{PartsBuf, resource::ResourceBuf};
use crate::{Resource, Skill, parts::Parts};
use alloc::{string::String, vec::Vec};

/// Slices of borrowed texts of one skill. Empty lists do not allocate.
pub(super) struct Lists<'a> {
    metadata: Vec<(&'a str, &'a str)>,
    allowed_tools: Option<Vec<&'a str>>,
    disallowed_tools: Option<Vec<&'a str>>,
    arguments: Vec<&'a str>,
    paths: Vec<&'a str>,
    resources: Vec<Resource<'a>>,
}

impl<'a> Lists<'a> {
    pub(super) fn new(parts: &'a PartsBuf) -> Self {
        let list = |items: &'a Vec<String>| items.iter().map(String::as_str).collect::<Vec<_>>();
        Self {
            metadata: parts
                .metadata
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str()))
                .collect(),
            allowed_tools: parts.allowed_tools.as_ref().map(list),
            disallowed_tools: parts.disallowed_tools.as_ref().map(list),
            arguments: list(&parts.arguments),
            paths: list(&parts.paths),
            resources: parts.resources.iter().map(ResourceBuf::view).collect(),
        }
    }

    /// Returns the skill that these lists belong to.
    pub(super) fn skill(&'a self, parts: &'a PartsBuf) -> Skill<'a> {
        Skill(Parts {
            name: &parts.name,
            description: &parts.description,
            license: parts.license.as_deref(),
            compatibility: parts.compatibility.as_deref(),
            metadata: &self.metadata,
            allowed_tools: self.allowed_tools.as_deref(),
            disallowed_tools: self.disallowed_tools.as_deref(),
            when_to_use: parts.when_to_use.as_deref(),
            argument_hint: parts.argument_hint.as_deref(),
            arguments: &self.arguments,
            disable_model_invocation: parts.disable_model_invocation,
            user_invocable: parts.user_invocable,
            model: parts.model.as_deref(),
            effort: parts.effort.as_deref(),
            context: parts.context.as_deref(),
            agent: parts.agent.as_deref(),
            background: parts.background.as_deref(),
            shell: parts.shell.as_deref(),
            hooks: parts.hooks.as_ref(),
            paths: &self.paths,
            max_ticks: parts.max_ticks,
            extra: &parts.extra,
            frontmatter: &parts.frontmatter,
            body: &parts.body,
            trailing: &parts.trailing,
            digest: parts.digest.as_deref(),
            loaded: None,
            resources: &self.resources,
            provenance: parts.provenance.view(),
            directory: parts.directory.as_deref(),
        })
    }
}
