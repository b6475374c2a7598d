//! `skills add`

mod spec;

use super::usage_error::{usage_error, usage_error_with};
use super::{Context, args, sync};
use helix_skills_format::{GitUrl, MANIFEST_FILE, SourceKey, redacted};
use helix_skills_project::manifest::{Manifest, ManifestText};
use helix_skills_project::{
    Error, Failure, Project, disk,
    paths::{ProjectPaths, read_bytes},
    sync::{Mode, Synced},
};
use serde_json::{Map, Value, json};
use spec::Spec;

/// What is told where no release can be pinned.
const NO_RELEASE: &str = "the repository has no release tags; the default branch is taken, and locked by `skills sync`";

pub(super) fn add(context: &Context<'_>, args: &args::Add) -> Result<(), Failure> {
    let project = context.project()?;
    let _held = context.hold(&project)?;
    let manifest = project.read_manifest()?;
    let is_pinned = args.version.is_some() || args.reference.is_some() || args.sha.is_some();
    let spec = Spec::parse(&context.start, &project.root, args)?;
    let mut warnings = Vec::new();
    let key = key(&spec, args.name.as_deref().or(args.plugin.as_deref()), &manifest)?;
    let mut entry: Vec<(&str, Value)> = Vec::new();
    match &spec {
        Spec::Git(url) => {
            let kind = if args.plugin.is_some() { "claude-marketplace" } else { "git" };
            entry.extend([("type", json!(kind)), ("url", json!(url.as_str()))]);
            entry.extend(args.plugin.as_ref().map(|plugin| ("plugin", json!(plugin))));
            let version = match &args.version {
                Some(version) => Some(version.clone()),
                None if is_pinned => None,
                None => {
                    let newest = newest(context, &project, &manifest, url, &key)?;
                    if newest.is_none() {
                        context.output.warning(NO_RELEASE);
                        warnings.push(NO_RELEASE);
                    }
                    newest
                }
            };
            entry.extend(version.map(|version| ("version", json!(version))));
            entry.extend(args.reference.as_ref().map(|reference| ("ref", json!(reference))));
            entry.extend(args.sha.as_ref().map(|sha| ("sha", json!(sha))));
            entry.extend(args.skills_dir.as_ref().map(|directory| ("skillsDir", json!(directory))));
        }
        Spec::Path(path) => entry.extend([("type", json!("path")), ("path", json!(path))]),
    }
    if !args.include.is_empty() {
        entry.push(("include", json!(args.include)));
    }
    if !args.exclude.is_empty() {
        entry.push(("exclude", json!(args.exclude)));
    }
    let mut text = open(&project)?;
    text.add(&key, &entry).map_err(|error| usage_error(error.to_string(), "choose another with `--name`"))?;
    let synced = save(context, &project, &text, args.no_sync)?;
    let pin = entry.iter().find(|(field, _)| matches!(*field, "version" | "ref" | "sha"));
    let pinned =
        pin.map(|(field, value)| format!(", {field} {}", value.as_str().unwrap_or_default())).unwrap_or_default();
    context.output.note("added", format!("the source {key}{pinned}"));
    let entry: Map<String, Value> = entry.into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
    finish(context, synced.as_ref(), json!({ "key": key.as_str(), "source": entry, "warnings": warnings }));
    Ok(())
}

/// What the manifest will call the source.
fn key(spec: &Spec, asked: Option<&str>, manifest: &Manifest) -> Result<SourceKey, Error> {
    let derived = match spec {
        Spec::Git(url) => url.repository_name(),
        Spec::Path(path) => path.rsplit('/').find(|part| !matches!(*part, "." | "..")).unwrap_or("skills"),
    };
    let name = asked.unwrap_or(derived);
    let key = SourceKey::new(name).map_err(|why| {
        let what = format!("`{}` cannot be the name of a source: {why}", redacted(name).escape_debug());
        usage_error(what, "choose one with `--name`")
    })?;
    if manifest.sources.contains_key(&key) {
        let what = format!("the manifest has a source `{key}` already");
        let hint =
            format!("change its entry in `{MANIFEST_FILE}` and run `skills sync`, or add it under another `--name`");
        return Err(usage_error(what, hint));
    }
    Ok(key)
}

/// The newest release of a repository, for a pin.
fn newest(
    context: &Context<'_>,
    project: &ProjectPaths,
    manifest: &Manifest,
    url: &GitUrl,
    key: &SourceKey,
) -> Result<Option<String>, Failure> {
    let look = |project: &Project| project.newest_release(manifest, url, key);
    let release = context.bake(project, Mode::default(), "looking for the newest release", look)?;
    Ok(release.map(|release| release.version))
}

/// The manifest's text, to be changed.
pub(super) fn open(project: &ProjectPaths) -> Result<ManifestText, Failure> {
    let text = project.manifest_text()?.unwrap_or_default();
    ManifestText::parse(&text).map_err(|findings| project.manifest_failure(findings))
}

/// Syncs with a changed manifest, then writes it: a change that cannot be synced leaves everything as it was.
pub(super) fn save(
    context: &Context<'_>,
    project: &ProjectPaths,
    text: &ManifestText,
    no_sync: bool,
) -> Result<Option<Synced>, Failure> {
    let text = text.to_string();
    let manifest = Manifest::parse(&text).map_err(|findings| {
        let usage = |finding: helix_skills_format::Finding| usage_error_with(finding.message, finding.hint);
        findings.into_iter().map(usage).collect::<Vec<Error>>()
    })?;
    // A linked manifest stays a link.
    let target = std::fs::canonicalize(&project.manifest).map_err(Error::disk("read", &project.manifest))?;
    let before = read_bytes(&target)?;
    let replacement = disk::Replacement::write(&target, text.as_bytes())?;
    let synced = match no_sync {
        true => None,
        false => {
            let synced =
                context.bake(project, Mode::default(), "syncing skills", |project| project.sync_held(&manifest));
            Some(synced.inspect_err(|_| {
                context.output.note("note:", "the manifest was left as it was; `--no-sync` changes it without a sync");
            })?)
        }
    };
    if read_bytes(&target)? != before {
        let what =
            format!("`{}` was changed by another program in the meantime", project.show(&project.manifest).display());
        return Err(usage_error(what, "run the command again").into());
    }
    replacement.put_in_place()?;
    Ok(synced)
}

/// Tells what a changed manifest led to.
pub(super) fn finish(context: &Context<'_>, synced: Option<&Synced>, mut fields: Value) {
    match synced {
        None => context.output.note("next:", "skills sync"),
        Some(synced) => {
            sync::tell(context, synced, Mode::default());
            fields["sync"] = sync::document(synced, Mode::default());
        }
    }
    context.output.document(fields);
}
