//! The slices that a view borrows from, in addition to the owned text.

use super::{PartsBuf, ValueBuf, resource::ResourceBuf};
use crate::{Resource, Skill, Value, parts::Parts};
use alloc::{string::String, vec::Vec};
use core::cell::OnceCell;

/// Slices of borrowed texts of one skill. Empty lists do not allocate.
pub(super) struct Lists<'a> {
    metadata: Vec<(&'a str, &'a str)>,
    allowed_tools: Option<Vec<&'a str>>,
    disallowed_tools: Option<Vec<&'a str>>,
    arguments: Vec<&'a str>,
    paths: Vec<&'a str>,
    resources: Vec<Resource<'a>>,
    hooks: Nest<'a>,
    extra: Nest<'a>,
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
            hooks: parts.hooks.as_ref().map(Nest::for_value).unwrap_or_default(),
            extra: Nest::for_entries(&parts.extra),
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
            hooks: parts.hooks.as_ref().map(|hooks| self.hooks.value(hooks)),
            paths: &self.paths,
            max_ticks: parts.max_ticks,
            extra: self.extra.entries(&parts.extra),
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

/// The slices of a nested value. The cells are created first, in the shape of the value. Then each
/// one is filled once, from the leaves up, because it borrows from the cells below it.
#[derive(Default)]
struct Nest<'a> {
    inner: Vec<Nest<'a>>,
    items: OnceCell<Vec<Value<'a>>>,
    entries: OnceCell<Vec<(&'a str, Value<'a>)>>,
}

impl<'a> Nest<'a> {
    fn for_value(value: &ValueBuf) -> Self {
        match value {
            ValueBuf::Text(_) | ValueBuf::Number(_) | ValueBuf::Bool(_) | ValueBuf::Null(_) => {
                Self::default()
            }
            ValueBuf::List(items) => {
                Self { inner: items.iter().map(Self::for_value).collect(), ..Self::default() }
            }
            ValueBuf::Map(entries) => Self::for_entries(entries),
        }
    }

    fn for_entries(entries: &[(String, ValueBuf)]) -> Self {
        Self {
            inner: entries.iter().map(|(_, value)| Self::for_value(value)).collect(),
            ..Self::default()
        }
    }

    fn value(&'a self, value: &'a ValueBuf) -> Value<'a> {
        match value {
            ValueBuf::Text(text) => Value::Text(text),
            ValueBuf::Number(text) => Value::Number(text),
            ValueBuf::Bool(text) => Value::Bool(text),
            ValueBuf::Null(text) => Value::Null(text),
            ValueBuf::List(items) => {
                let fill =
                    || items.iter().zip(&self.inner).map(|(item, nest)| nest.value(item)).collect();
                Value::List(self.items.get_or_init(fill))
            }
            ValueBuf::Map(entries) => Value::Map(self.entries(entries)),
        }
    }

    fn entries(&'a self, entries: &'a [(String, ValueBuf)]) -> &'a [(&'a str, Value<'a>)] {
        let entry = |((key, value), nest): (&'a (String, ValueBuf), &'a Self)| {
            (key.as_str(), nest.value(value))
        };
        self.entries.get_or_init(|| entries.iter().zip(&self.inner).map(entry).collect())
    }
}
