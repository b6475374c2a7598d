//! Everything that a server lists at one time.

use crate::{
    entry::Entry,
    prompts,
    source::{AnyProvider, Source, embedded, provided},
    tools,
};
use helix_skills_agent::AsyncToolbox;
use helix_skills_runtime::{Skill, Toolbox};
use rmcp::model::{Prompt, Resource, Tool};
use std::{collections::BTreeMap, time::Instant};

pub(crate) struct Snapshot {
    pub(crate) source: Source,
    /// The catalog; empty if there is none. It is a part of the answer to each request for the
    /// server's capabilities.
    pub(crate) catalog: String,
    /// The skills that the extension can express, sorted by name.
    pub(crate) entries: Vec<Entry>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) warnings: Vec<String>,
    pub(crate) made: Instant,
}

impl Snapshot {
    pub(crate) fn embedded(toolbox: Toolbox<'static>) -> Self {
        let mut listed = Listed::default();
        for (name, skill) in skills(toolbox) {
            listed.push(name, embedded(skill));
        }
        Self::new(Source::Embedded(toolbox), listed)
    }

    pub(crate) async fn provided(toolbox: AsyncToolbox<AnyProvider>) -> Self {
        let mut listed = Listed::default();
        listed.warnings.extend(toolbox.warnings().iter().map(ToString::to_string));
        let profile = toolbox.listed().profile();
        for name in skills(toolbox.listed()).into_keys() {
            listed.push(name, provided(toolbox.provider(), name, profile).await);
        }
        Self::new(Source::Provided(toolbox), listed)
    }

    fn new(source: Source, listed: Listed) -> Self {
        Self {
            tools: source.as_tools().definitions().into_iter().map(tools::tool).collect(),
            prompts: prompts::list(source.listed()),
            catalog: source.listed().catalog().to_string(),
            source,
            resources: listed.entries.iter().map(Entry::resource).collect(),
            entries: listed.entries,
            warnings: listed.warnings,
            made: Instant::now(),
        }
    }

    /// Returns the skill with a URI.
    pub(crate) fn entry(&self, uri: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.skill.uri == uri)
    }

    /// Returns the skill and the path of the file with a URI.
    pub(crate) fn file(&self, uri: &str) -> Option<(&Entry, &str)> {
        self.entries.iter().find_map(|entry| Some((entry, entry.path(uri)?)))
    }
}

/// The skills that were read so far.
#[derive(Default)]
struct Listed {
    entries: Vec<Entry>,
    warnings: Vec<String>,
}

impl Listed {
    fn push(&mut self, name: &str, entry: Result<Entry, String>) {
        match entry {
            Ok(entry) => self.entries.push(entry),
            Err(reason) => self
                .warnings
                .push(format!("`{name}` is not in `skills/list`, but in the tools: {reason}")),
        }
    }
}

/// Returns the skills for models and for users, by name.
fn skills(toolbox: Toolbox<'_>) -> BTreeMap<&str, &Skill> {
    let all = toolbox.skills().chain(toolbox.slash_skills());
    all.map(|skill| (skill.name(), skill)).collect()
}
