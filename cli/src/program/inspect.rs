//! `skills list`, which verifies nothing, and `skills show`, which verifies its skill.

use super::{
    Context, args, license,
    sync::files,
    table::{locked, table},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{nearest, printable},
    LockedSkill, SkillName,
};
use helix_skills_project::{
    Error, Project, VerifiedSkill,
    manifest::{Lock, LockedSource},
};
use helix_skills_runtime::{ErrorKind, SkillSet, Toolbox, estimated_tokens};
use serde_json::{Map, Value, json};
use std::slice;

/// The note on a lockfile without skills.
pub(super) const NO_SKILLS: &str = "the lockfile has no skills; add some with `skills add`";

pub(super) fn list(context: &Context<'_>, args: &args::List) -> Result<(), Error> {
    let project = context.project()?;
    let lock = project.require_lock()?;
    let (mut rows, mut documents) = (Vec::new(), Vec::new());
    for (name, skill) in &lock.skills {
        let source = lock.sources.get(&skill.source);
        let locked = source.map(locked).unwrap_or_default();
        let license = project.license(&lock, name);
        let size = files(skill.files, skill.bytes);
        let shown = license.as_ref().map_or_else(|_| "unknown".to_owned(), license::shown);
        let row = [name.to_string(), skill.source.to_string(), locked, size, shown];
        rows.push((row, Vec::new()));
        let mut document = facts(name, skill, source);
        if let Ok(license) = license {
            document["license"] = json!(license);
        }
        if let Ok(parsed) = project.skill_md(&lock, name) {
            document["description"] = json!(parsed.description());
        }
        documents.push(document);
    }
    let titles = ["skill", "source", "locked", "size", "license"];
    context.output.data(&table(titles, &rows, args.table.width()));
    if lock.skills.is_empty() {
        context.output.note("note:", NO_SKILLS);
    }
    let has_drifted = note_drift(context, &project);
    context.output.document(json!({ "skills": documents, "drifted": has_drifted }));
    Ok(())
}

pub(super) fn show(context: &Context<'_>, args: &args::Show) -> Result<(), Error> {
    let project = context.project()?;
    let lock = project.require_lock()?;
    let name = &Project::skill_names(&lock, &[&args.name])?[0];
    if args.body || args.file.is_some() {
        return show_text(context, &project, &lock, name, args.file.as_deref());
    }
    let skill = &lock.skills[name];
    let source = lock.sources.get(&skill.source);
    // Only verified text is printed.
    let VerifiedSkill { skill_md: parsed, listing, directory, .. } =
        project.read_skill(&lock, name)?;
    let directory = project.display_path(&directory).display().to_string();
    let mut text = String::new();
    let mut line = |label: &str, value: &str| {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{label:13} {}\n", printable(&value)));
    };
    line("name", name);
    line("description", parsed.description());
    let license = project.license(&lock, name)?;
    line("license", &license::shown(&license));
    let optional = [
        ("compatibility", parsed.compatibility()),
        ("when to use", parsed.when_to_use()),
        ("arguments", parsed.argument_hint()),
    ];
    for (label, value) in optional {
        if let Some(value) = value {
            line(label, value);
        }
    }
    let tools = parsed.allowed_tools().map(|tools| tools.iter().collect::<Vec<_>>());
    if let Some(tools) = &tools {
        line("allowed tools", &tools.join(", "));
    }
    for (key, value) in parsed.metadata() {
        line("metadata", &format!("{key}: {value}"));
    }
    let locked = source.map(locked).unwrap_or_default();
    line("source", &format!("{} {locked}", skill.source));
    if let Some(url) = source.and_then(LockedSource::skills_url) {
        line("url", url.as_str());
    }
    if let Some(commit) = source.and_then(LockedSource::skills_commit) {
        line("commit", &commit.to_string());
    }
    line("path", skill.path.as_str());
    line("integrity", &skill.integrity.to_string());
    line("directory", &directory);
    line("files", &files(skill.files, skill.bytes));
    for (path, _) in listing.iter() {
        text.push_str(&format!("  {}\n", printable(path)));
    }
    context.output.data(&text);
    let mut document = facts(name, skill, source);
    let metadata: Map<String, Value> =
        parsed.metadata().map(|(key, value)| (key.to_owned(), json!(value))).collect();
    document["description"] = json!(parsed.description());
    document["license"] = json!(license);
    document["compatibility"] = json!(parsed.compatibility());
    document["metadata"] = Value::Object(metadata);
    document["allowedTools"] = json!(tools);
    document["directory"] = json!(directory);
    document["paths"] = listing.iter().map(|(path, _)| path.as_str()).collect();
    context.output.document(json!({ "skill": document }));
    Ok(())
}

/// Prints what a model gets: the body of a skill, or a file.
fn show_text(
    context: &Context<'_>,
    project: &Project,
    lock: &Lock,
    name: &SkillName,
    file: Option<&str>,
) -> Result<(), Error> {
    let skill = project.read_whole_skill(lock, name)?;
    let toolbox = Toolbox::new(SkillSet::new(slice::from_ref(&skill)));
    let files = || format!("run `skills show {name}` for its files");
    let text = match file {
        None => toolbox
            .load_skill(name)
            .map(|body| body.to_string())
            .map_err(|error| usage_error(error.to_string(), files()))?,
        Some(file) => {
            toolbox.read_skill_file(name, file).map(|text| text.to_string()).map_err(|error| {
                match error.kind() {
                    ErrorKind::UnknownFile => {
                        let paths = skill.resources().iter().map(|file| file.path());
                        let near = nearest(file, paths.chain(["SKILL.md"]));
                        let near =
                            near.map(|near| format!("did you mean `skills show {name} {near}`?"));
                        let what =
                            format!("the skill `{name}` has no file `{}`", file.escape_debug());
                        usage_error(what, near.unwrap_or_else(files))
                    }
                    _ => usage_error(error.to_string(), files()),
                }
            })?
        }
    };
    context.output.exact(&text);
    context.output.document(json!({
        "skill": { "name": name.as_str() },
        "file": file,
        "text": text,
        "bytes": text.len(),
        "tokens": estimated_tokens(text.len()),
    }));
    Ok(())
}

/// Prints a note if the manifest was changed since it was locked. Returns whether it was.
pub(super) fn note_drift(context: &Context<'_>, project: &Project) -> bool {
    // A manifest that cannot be read is not an error of a command that needs the lockfile.
    let has_drifted = project.has_drifted().unwrap_or(false);
    if has_drifted {
        context
            .output
            .note("note:", "the manifest was changed since it was locked; run `skills sync`");
    }
    has_drifted
}

/// Returns a locked skill as JSON.
fn facts(name: &SkillName, skill: &LockedSkill, source: Option<&LockedSource>) -> Value {
    let mut facts = json!({
        "name": name.as_str(),
        "source": skill.source.as_str(),
        "path": skill.path.as_str(),
        "integrity": skill.integrity.to_string(),
        "files": skill.files,
        "bytes": skill.bytes,
    });
    let Some(source) = source else { return facts };
    facts["type"] = json!(source.entry.type_name());
    facts["ref"] = json!(source.skills_reference());
    facts["commit"] = json!(source.skills_commit().map(ToString::to_string));
    if let Some(url) = source.skills_url() {
        facts["url"] = json!(url.as_str());
    }
    if let Some(plugin) = source.entry.plugin() {
        facts["plugin"] = json!(plugin.as_str());
    }
    facts
}
