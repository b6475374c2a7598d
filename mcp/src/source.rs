//! Where the skills of a server come from.

use crate::{
    entry::{Entry, File, check_limits},
    files::SKILL_MD,
};
use helix_skills_agent::{AsyncToolbox, Provider, run::Tools};
use helix_skills_runtime::{__private::skill_md_text, Arguments, Profile, Reply, Skill, Toolbox};
use std::sync::Arc;

/// A provider of any type.
pub(crate) type AnyProvider = Arc<dyn Provider>;

/// The skills of a server at one time.
pub(crate) enum Source {
    /// Skills of the program, for which nothing has to be awaited.
    Embedded(Toolbox<'static>),
    Provided(AsyncToolbox<AnyProvider>),
}

impl Source {
    /// Returns a toolbox over the skills as listed.
    pub(crate) fn listed(&self) -> Toolbox<'_> {
        match self {
            Self::Embedded(toolbox) => *toolbox,
            Self::Provided(toolbox) => toolbox.listed(),
        }
    }

    pub(crate) fn as_tools(&self) -> &(dyn Tools + Send + Sync) {
        match self {
            Self::Embedded(toolbox) => toolbox,
            Self::Provided(toolbox) => toolbox,
        }
    }

    /// Returns the message of a skill that a user invokes.
    pub(crate) async fn invoke(
        &self,
        name: &str,
        arguments: Arguments<'_>,
    ) -> Option<Reply<'static>> {
        match self {
            Self::Embedded(toolbox) => toolbox.invoke(name, arguments).map(Reply::into_owned),
            Self::Provided(toolbox) => toolbox.invoke(name, arguments).await,
        }
    }

    /// Returns the content of a file; `None` if it no longer exists.
    ///
    /// # Errors
    /// Why the provider cannot read it.
    pub(crate) async fn read(&self, skill: &str, path: &str) -> Result<Option<Vec<u8>>, String> {
        match self {
            Self::Embedded(toolbox) => {
                Ok(toolbox.set().get(skill).and_then(|skill| content(skill, path)))
            }
            Self::Provided(toolbox) => {
                let (provider, profile) = (toolbox.provider(), toolbox.listed().profile());
                let content = match path {
                    SKILL_MD => {
                        let loaded = provider.load(skill, profile).await;
                        loaded.map(|skill| skill.and_then(|skill| content(&skill, path)))
                    }
                    _ => provider.read(skill, path, profile).await,
                };
                content.map_err(|error| error.to_string())
            }
        }
    }
}

/// Returns the content of a file of a skill in memory.
fn content(skill: &Skill, path: &str) -> Option<Vec<u8>> {
    match path {
        SKILL_MD => Some(skill_md_text(skill).concat().into_bytes()),
        _ => skill.resource(path).map(|file| file.bytes().to_vec()),
    }
}

/// Lists a skill of the program.
pub(crate) fn embedded(skill: &Skill) -> Result<Entry, String> {
    let mut files = vec![File::skill_md(skill)];
    files.extend(skill.resources().iter().map(File::resource));
    Entry::new(skill, files)
}

/// Loads a skill with all of its files, within the limits.
pub(crate) async fn provided(
    provider: &AnyProvider,
    name: &str,
    profile: Profile,
) -> Result<Entry, String> {
    let gone = || "it is no longer available".to_owned();
    let loaded = provider.load(name, profile).await.map_err(|error| error.to_string())?;
    let mut skill = loaded.ok_or_else(gone)?;
    // The listed name takes precedence over the name in the text.
    skill.rename(name).map_err(|error| error.to_string())?;
    check_limits(skill.resources().len() + 1, 0)?;
    let mut files = vec![File::skill_md(&skill)];
    let mut bytes = files[0].size;
    for file in skill.resources() {
        if file.is_lazy() || file.digest().is_some() {
            files.push(File::resource(file));
            continue;
        }
        let content = provider.read(name, file.path(), profile).await;
        let content = content.map_err(|error| error.to_string())?.ok_or_else(gone)?;
        bytes += content.len() as u64;
        check_limits(0, bytes)?;
        files.push(File::new(file.path(), &content, None));
    }
    Entry::new(&skill, files)
}
