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
        let skills = skills(toolbox).into_values();
        let listed =
            skills.map(|skill| embedded(skill).map_err(|why| unlisted(skill.name(), &why)));
        Self::new(Source::Embedded(toolbox), Vec::new(), listed.collect())
    }

    pub(crate) async fn provided(toolbox: AsyncToolbox<AnyProvider>) -> Self {
        let warnings = toolbox.warnings().iter().map(ToString::to_string).collect();
        let (profile, mut listed) = (toolbox.listed().profile(), Vec::new());
        for name in skills(toolbox.listed()).into_keys() {
            let entry = provided(toolbox.provider(), name, profile).await;
            listed.push(entry.map_err(|why| unlisted(name, &why)));
        }
        Self::new(Source::Provided(toolbox), warnings, listed)
    }

    /// `listed` has a warning for each skill that is not in the list.
    fn new(source: Source, mut warnings: Vec<String>, listed: Vec<Result<Entry, String>>) -> Self {
        let mut entries = Vec::new();
        for entry in listed {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(warning) => warnings.push(warning),
            }
        }
        Self {
            tools: source.as_tools().definitions().into_iter().map(tools::tool).collect(),
            prompts: prompts::list(source.listed()),
            catalog: source.listed().catalog().to_string(),
            source,
            resources: entries.iter().map(Entry::resource).collect(),
            entries,
            warnings,
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

fn unlisted(name: &str, why: &str) -> String {
    format!("`{name}` is not in `skills/list`, but in the tools: {why}")
}

/// Returns the skills for models and for users, by name.
fn skills(toolbox: Toolbox<'_>) -> BTreeMap<&str, &Skill> {
    let all = toolbox.skills().chain(toolbox.slash_skills());
    all.map(|skill| (skill.name(), skill)).collect()
}
