//! The sources of skills. To write your own agent, copy the part between the two rulers.

// ── from here ────────────────────────
use helix_skills::{AsyncToolbox, Providers, SkillSet, include_skills};
use helix_skills_host::{Directories, EnabledFile, Error, Root};
use std::sync::Arc;

/// Reviewed skills, which no skill in a directory can replace.
static BAKED: SkillSet = include_skills!("../agent");

/// Returns the skills of the user, then those of the project, without those that the user has
/// disabled.
pub(crate) fn directories() -> Result<Directories, Error> {
    let enabled = EnabledFile::open("enabled.json")?;
    let directories =
        Directories::new().root(Root::new("~/.agents/skills").optional()).root("skills");
    Ok(directories.enabled(move |name| enabled.is_enabled(name)))
}

/// Returns the toolbox of one conversation, whose catalog does not change.
pub(crate) async fn conversation(
    directories: &Arc<Directories>,
) -> Result<AsyncToolbox<Providers<'static>>, Box<dyn std::error::Error>> {
    // Scans the disk on a thread that may block; later calls find nearly everything in memory.
    let looking = Arc::clone(directories);
    tokio::task::spawn_blocking(move || looking.discover()).await??;
    let skills = Providers::new().with(BAKED).with(Arc::clone(directories));
    Ok(AsyncToolbox::builder(skills).build().await?)
}
// ── to here ──────────────────────────
