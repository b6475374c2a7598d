//! The entry of a new source.

use super::{location::Location, request::Request, target::is_in};
use crate::program::{Context, args::Pin};
use helix_skills_format::{Repository, Source, SourceKey};
use helix_skills_project::{Error, Project, manifest::Manifest};

/// The warning for a repository without releases to pin.
const NO_RELEASE: &str = "the repository has no release tags; its default branch is used";

/// The warning for a source without a pin, because no release was looked up.
const NOT_LOOKED_UP: &str =
    "no release was looked up, so the default branch is used; `--version` pins one";

/// Returns the entry of a new source, with its pin but without directories and a selection,
/// and a warning about it.
pub(super) fn new_entry(
    context: &Context<'_>,
    (project, manifest): (&Project, &Manifest),
    (request, key): (&Request, &SourceKey),
) -> Result<(Source, Option<&'static str>), Error> {
    let args = &request.args;
    let mut url = match &request.location {
        Location::Repository(url) => url,
        Location::Directory(path) => return Ok((Source::path(path.clone()), None)),
    };
    let source = |url| match &args.plugin {
        Some(plugin) => Source::marketplace(Repository::new(url), plugin.clone()),
        None => Source::git(Repository::new(url)),
    };
    let (mut pin, mut warning) = (args.pin.clone(), None);
    if pin.is_empty() {
        // Skills of one repository have one pin, unless the source was named.
        let is_shared = |source: &Source| args.name.is_none() && is_in(source, url, project.root());
        let shared = manifest.sources.iter().find(|(_, source)| is_shared(source));
        if let Some((other, source)) = shared {
            url = source.repository().map_or(url, |repository| &repository.url);
            pin = Pin::of_source(source);
            let text = format!("the pin of the source `{other}` is used: {}", pin.describe());
            context.output.note("note:", text);
        } else {
            let newest = match args.no_sync {
                true => Err(NOT_LOOKED_UP),
                false => context
                    .run("looking for the newest release", || {
                        project.newest_release(key, &source(url.clone()))
                    })?
                    .ok_or(NO_RELEASE),
            };
            match newest {
                Ok(release) => pin = Pin::version(&release.version),
                Err(text) => warning = Some(text),
            }
        }
    }
    let mut source = source(url.clone());
    pin.apply(&mut source);
    Ok((source, warning))
}
