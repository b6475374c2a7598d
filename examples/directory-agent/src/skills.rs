//! Where the skills come from. What an agent of your own has to copy stands between the two rulers.

// ── from here ───────────────────────────────────────────────────────────────────────────────────────────────────
use helix_skills::{AsyncToolbox, Providers, SkillSet, include_skills};
use helix_skills_host::{Directories, EnabledFile, Error, Root};
use std::sync::Arc;

/// What was reviewed: nothing that lies in a directory takes its place.
static BAKED: SkillSet = include_skills!("../agent");

/// The skills of a person, then those of the project, but for what the person turned off.
pub(crate) fn directories() -> Result<Directories, Error> {
    let enabled = EnabledFile::open("enabled.json")?;
    let directories =
        Directories::new().root(Root::new("~/.agents/skills").optional()).root("skills");
    Ok(directories.enabled(move |name| enabled.is_enabled(name)))
}

/// The skills of one conversation: its catalog stays as it is.
pub(crate) async fn conversation(
    directories: &Arc<Directories>,
) -> Result<AsyncToolbox<Providers<'static>>, Box<dyn std::error::Error>> {
    // Where a thread may wait for the disk; what is asked for afterwards finds nearly everything known.
    let looking = Arc::clone(directories);
    tokio::task::spawn_blocking(move || looking.discover()).await??;
    let skills = Providers::new().with(BAKED).with(Arc::clone(directories));
    Ok(AsyncToolbox::builder(skills).build().await?)
}
// ── to here ─────────────────────────────────────────────────────────────────────────────────────────────────────
