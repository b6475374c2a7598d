//! `skills add`

use super::{Context, args, sync};
use crate::{
    Error, Failure, disk,
    project::{Project, read_text},
    repository::newest_release,
    sync::{Mode, Synced},
};
use helix_skills_format::{GitUrl, MANIFEST_FILE, Manifest, ManifestText, SourceKey, redacted};
use serde_json::{Map, Value, json};
use std::path::{Component, Path, PathBuf};

pub(super) fn add(context: &Context<'_>, args: &args::Add) -> Result<(), Failure> {
    let project = context.project()?;
    let _held = context.hold(&project)?;
    let manifest = project.read_manifest()?;
    let is_pinned = args.version.is_some() || args.reference.is_some() || args.sha.is_some();
    let wants_git = is_pinned || args.skills_dir.is_some() || args.plugin.is_some();
    let spec = Spec::parse(context, &project, &args.source, wants_git)?;
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
                None => newest(context, &project, &manifest, url, &key)?,
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
    text.add(&key, &entry).map_err(|error| Error::Usage {
        what: error.to_string(),
        hint: Some("choose another with `--name`".to_owned()),
    })?;
    let synced = save(context, &project, &text, args.no_sync)?;
    let pin = entry.iter().find(|(field, _)| matches!(*field, "version" | "ref" | "sha"));
    let pinned =
        pin.map(|(field, value)| format!(", {field} {}", value.as_str().unwrap_or_default())).unwrap_or_default();
    context.output.note("added", format!("the source {key}{pinned}"));
    let entry: Map<String, Value> = entry.into_iter().map(|(field, value)| (field.to_owned(), value)).collect();
    finish(context, synced.as_ref(), json!({ "key": key.as_str(), "source": entry }));
    Ok(())
}

/// What was named on the command line.
enum Spec {
    Git(GitUrl),
    /// From the manifest's directory.
    Path(String),
}

impl Spec {
    fn parse(context: &Context<'_>, project: &Project, text: &str, wants_git: bool) -> Result<Self, Error> {
        let is_local = !text.starts_with("//")
            && (text == "." || text == ".." || ["/", "./", "../"].iter().any(|start| text.starts_with(start)));
        if is_local {
            let found = context.start.join(text);
            if !found.is_dir() {
                let what = format!("there is no directory `{text}`");
                let hint = Some("name a directory with skills, or a local repository; the path starts here".to_owned());
                return Err(Error::Usage { what, hint });
            }
            let path = relative(&project.root, &found)?;
            if wants_git || is_repository(&found) {
                let path = if path.starts_with("../") { path } else { format!("./{path}") };
                return parse_url(&path).map(Self::Git);
            }
            return Ok(Self::Path(path));
        }
        if let Some((base, hint)) = page_of_a_forge(text) {
            let what = format!("`{text}` is a page about `{base}`, not the repository");
            return Err(Error::Usage { what, hint: Some(hint) });
        }
        if is_short(text) {
            return parse_url(&format!("https://github.com/{}.git", text.trim_end_matches(".git"))).map(Self::Git);
        }
        parse_url(text).map(Self::Git)
    }
}

/// Whether a directory is the top of a git repository, with a work tree or without.
fn is_repository(directory: &Path) -> bool {
    directory.join(".git").exists() || (directory.join("HEAD").is_file() && directory.join("objects").is_dir())
}

fn parse_url(text: &str) -> Result<GitUrl, Error> {
    GitUrl::parse(text).map_err(|why| {
        // A refused url may hold a password.
        let what = format!("the url `{}` is refused: {why}", redacted(text).escape_debug());
        Error::Usage { what, hint: why.hint().map(str::to_owned) }
    })
}

/// `owner/repo`, as github.com names repositories.
fn is_short(text: &str) -> bool {
    let good = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['-', '.'])
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    text.split_once('/').is_some_and(|(owner, name)| good(owner) && good(name))
}

/// The address of a directory or file as a browser shows it: the repository, and how to write what was meant.
fn page_of_a_forge(text: &str) -> Option<(&str, String)> {
    let (base, rest) = ["/-/tree/", "/-/blob/", "/tree/", "/blob/"].iter().find_map(|part| text.split_once(part))?;
    if !text.starts_with("https://") {
        return None;
    }
    let (reference, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = path.trim_end_matches("/SKILL.md").trim_end_matches('/');
    let directory = match path.rsplit_once('/') {
        Some((above, skill)) => format!(" --skills-dir {above} --include {skill}"),
        None if path.is_empty() => String::new(),
        None => format!(" --skills-dir {path}"),
    };
    Some((base, format!("run `skills add {base} --ref {reference}{directory}`")))
}

/// `to` as seen from the directory `from`, `/` between its parts.
fn relative(from: &Path, to: &Path) -> Result<String, Error> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(Error::disk("read", path));
    let (from, to) = (real(from)?, real(to)?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(shared)).collect();
    let text = path.to_str().map(|text| text.replace('\\', "/")).ok_or_else(|| Error::Usage {
        what: format!("the path `{}` is not UTF-8", path.display()),
        hint: Some("a manifest is: rename the directory".to_owned()),
    })?;
    Ok(if text.is_empty() { ".".to_owned() } else { text })
}

/// What the manifest will call the source.
fn key(spec: &Spec, asked: Option<&str>, manifest: &Manifest) -> Result<SourceKey, Error> {
    let derived = match spec {
        Spec::Git(url) => url.repository_name(),
        Spec::Path(path) => path.rsplit('/').find(|part| !matches!(*part, "." | "..")).unwrap_or("skills"),
    };
    let name = asked.unwrap_or(derived);
    let key = SourceKey::new(name).map_err(|why| Error::Usage {
        what: format!("`{}` cannot be the name of a source: {why}", name.escape_debug()),
        hint: Some("choose one with `--name`".to_owned()),
    })?;
    if manifest.sources.contains_key(&key) {
        let what = format!("the manifest has a source `{key}` already");
        let hint =
            format!("change its entry in `{MANIFEST_FILE}` and run `skills sync`, or add it under another `--name`");
        return Err(Error::Usage { what, hint: Some(hint) });
    }
    Ok(key)
}

/// The newest release of a repository, for a pin.
fn newest(
    context: &Context<'_>,
    project: &Project,
    manifest: &Manifest,
    url: &GitUrl,
    key: &SourceKey,
) -> Result<Option<String>, Failure> {
    let references = context.bake(project, Mode::default(), "looking for the newest release", |baker| {
        Ok(baker.git(manifest.limits)?.session(url, &project.root)?.refs(&["refs/tags/".to_owned()])?)
    })?;
    let newest = newest_release(&references, key).map(|release| release.version);
    if newest.is_none() {
        context
            .output
            .warning("the repository has no release tags; the default branch is taken, and locked by `skills sync`");
    }
    Ok(newest)
}

/// The manifest's text, to be changed.
pub(super) fn open(project: &Project) -> Result<ManifestText, Failure> {
    let text = read_text(&project.manifest)?.unwrap_or_default();
    ManifestText::parse(&text).map_err(|findings| project.manifest_failure(findings))
}

/// Syncs with a changed manifest, then writes it: a change that cannot be synced leaves everything as it was.
pub(super) fn save(
    context: &Context<'_>,
    project: &Project,
    text: &ManifestText,
    no_sync: bool,
) -> Result<Option<Synced>, Failure> {
    let text = text.to_string();
    let manifest = Manifest::parse(&text).map_err(|findings| {
        let usage = |finding: helix_skills_format::Finding| Error::Usage { what: finding.message, hint: finding.hint };
        findings.into_iter().map(usage).collect::<Vec<_>>()
    })?;
    // A linked manifest stays a link.
    let target = std::fs::canonicalize(&project.manifest).map_err(Error::disk("read", &project.manifest))?;
    let before = read_text(&target)?;
    let replacement = disk::Replacement::write(&target, text.as_bytes())?;
    let synced = match no_sync {
        true => None,
        false => {
            let synced = context.bake(project, Mode::default(), "syncing skills", |baker| baker.sync_with(&manifest));
            Some(synced.inspect_err(|_| {
                context.output.note("note:", "the manifest was left as it was; `--no-sync` changes it without a sync");
            })?)
        }
    };
    if read_text(&target)? != before {
        let what =
            format!("`{}` was changed by somebody else in the meantime", project.show(&project.manifest).display());
        return Err(Error::Usage { what, hint: Some("run the command again".to_owned()) }.into());
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
