//! The entry that `skills add` writes to the manifest.

use super::{
    location::{Location, is_default},
    pin::{Entry, Pin},
    request::Request,
};
use crate::program::{Context, args::Add, usage_error::usage_error_with};
use helix_skills_format::{Finding, PluginName, Repository, Source, SourceKey};
use helix_skills_project::{Error, Project, manifest::Manifest};
use serde_json::json;

/// The warning for a repository without releases to pin.
const NO_RELEASE: &str = "the repository has no release tags; its default branch is used";

/// The warning for a source without a pin, because no release was looked up.
const NOT_LOOKED_UP: &str =
    "no release was looked up, so the default branch is used; `--version` pins one";

/// Returns the entry of a new source, with its pin but without a selection.
pub(super) fn new_entry(
    context: &Context<'_>,
    (project, manifest): (&Project, &Manifest),
    (request, key): (&Request, &SourceKey),
    warnings: &mut Vec<String>,
) -> Result<Entry, Error> {
    let args = &request.args;
    let mut entry = Entry::new();
    let url = match &request.location {
        Location::Repository(url) => url,
        Location::Directory(path) => {
            entry.insert("type".to_owned(), json!("path"));
            entry.insert("path".to_owned(), json!(path));
            return Ok(entry);
        }
    };
    let (mut url, mut pin) = (url, Pin::typed(args));
    if pin.0.is_empty() {
        // Skills of one repository have one pin, unless the source was named.
        let shared = request.location.shared_repository(manifest, project.root());
        if let Some((other, source)) = shared.filter(|_| args.name.is_none()) {
            url = source.repository().map_or(url, |repository| &repository.url);
            pin = Pin::of_source(source);
            let text = format!("the pin of the source {other} is used: {}", pin.describe());
            context.output.note("note:", text);
        } else {
            let plugin = args.plugin.as_deref().and_then(|plugin| PluginName::new(plugin).ok());
            let unpinned = match plugin {
                Some(plugin) => Source::marketplace(Repository::new(url.clone()), plugin),
                None => Source::git(Repository::new(url.clone())),
            };
            let newest = match args.no_sync {
                true => Err(NOT_LOOKED_UP),
                false => context
                    .run("looking for the newest release", || {
                        project.newest_release(key, &unpinned)
                    })?
                    .ok_or(NO_RELEASE),
            };
            match newest {
                Ok(release) => pin = Pin(vec![("version", release.version)]),
                Err(warning) => {
                    context.output.warning(warning);
                    warnings.push(warning.to_owned());
                }
            }
        }
    }
    let kind = if args.plugin.is_some() { "claude-marketplace" } else { "git" };
    entry.insert("type".to_owned(), json!(kind));
    entry.insert("url".to_owned(), json!(url.as_str()));
    pin.write(&mut entry);
    if let Some(plugin) = &args.plugin {
        entry.insert("plugin".to_owned(), json!(plugin));
    }
    if let Some(directory) = args.skills_dir.as_ref().filter(|named| !is_default(named)) {
        entry.insert("skillsDir".to_owned(), json!(directory));
    }
    Ok(entry)
}

/// Changes an entry as the options say: another pin or prefix, and a further directory to search.
pub(super) fn apply(args: &Add, entry: &mut Entry) {
    let typed = Pin::typed(args);
    if typed.0.iter().any(|(field, value)| entry.get(*field) != Some(&json!(value))) {
        typed.write(entry);
    }
    if let Some(prefix) = &args.prefix {
        entry.insert("prefix".to_owned(), json!(prefix));
    }
}

/// Parses the entry of a source.
pub(super) fn parse(key: &SourceKey, entry: &Entry) -> Result<Source, Error> {
    let manifest = json!({ "skills": { key.as_str(): entry } }).to_string();
    let manifest = Manifest::parse(&manifest).map_err(|findings| {
        let error = |finding: Finding| usage_error_with(finding.message, finding.hint);
        findings.into_iter().map(error).collect::<Vec<_>>()
    })?;
    Ok(manifest.sources[key].clone())
}
