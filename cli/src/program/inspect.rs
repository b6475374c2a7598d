//! `skills list`, which verifies nothing, and `skills show`, which verifies its skill. Both also
//! read directories, of which nothing is locked.

use super::{
    Context, args, license, local,
    quoted::quoted,
    sync::files,
    table::{locked, table},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{nearest, printable},
    LockedSkill, LockedSource, SkillMd, SkillName,
};
use helix_skills_project::{
    __internal::{LocalSkill, SkillFacts, SkillTokens, with_slashes},
    Error, Project, VerifiedSkill,
};
use helix_skills_runtime::{ErrorKind, Skill, SkillSet, Toolbox, estimated_tokens};
use serde_json::{Map, Value, json};
use std::{path::Path, slice};

/// The note on a lockfile without skills.
pub(super) const NO_SKILLS: &str = "the lockfile has no skills; add some with `skills add`";

/// The titles of the table of skills.
const TITLES: [&str; 6] = ["skill", "source", "locked", "size", "tokens", "license"];

pub(super) fn list(context: &Context<'_>, args: &args::List) -> Result<(), Error> {
    if let Some(directory) = &args.dir {
        return list_directory(context, args, directory);
    }
    let project = context.project_or("list")?;
    let lock = project.require_lock()?;
    let width = args.table.width();
    let (mut rows, mut documents) = (Vec::new(), Vec::new());
    for (name, skill) in &lock.skills {
        let source = lock.sources.get(&skill.source);
        let locked = source.map(locked).unwrap_or_default();
        let license = project.license(&lock, name);
        let size = files(skill.files, skill.bytes);
        let shown =
            license.as_ref().map_or_else(|_| "unknown".to_owned(), |it| license::cell(it, width));
        let mut document = facts(name, skill, source);
        if let Ok(license) = license {
            document["license"] = json!(license);
        }
        let mut tokens = "unknown".to_owned();
        if let Ok(parsed) = project.skill_md(&lock, name) {
            let found = SkillTokens::of(&parsed);
            tokens = tokens_cell(found);
            document["description"] = json!(parsed.description());
            document["tokens"] = local::tokens_json(found);
        }
        let row = [name.to_string(), skill.source.to_string(), locked, size, tokens, shown];
        rows.push((row, Vec::new()));
        documents.push(document);
    }
    context.output.data(&table(TITLES, 5, &rows, width));
    if lock.skills.is_empty() {
        context.output.note("note:", NO_SKILLS);
    }
    let has_drifted = note_drift(context, &project);
    context.output.document(json!({ "skills": documents, "drifted": has_drifted }));
    Ok(())
}

/// Lists the skills of a directory.
fn list_directory(context: &Context<'_>, args: &args::List, directory: &Path) -> Result<(), Error> {
    let (found, width) = (local::read(context, directory)?, args.table.width());
    let row = |skill: &LocalSkill| {
        let (name, license) = (skill.skill.name().to_owned(), license::cell(&skill.license, width));
        let tokens = tokens_cell(SkillTokens::of(&skill.skill_md));
        let nothing = String::new;
        ([name, nothing(), nothing(), local::size(skill), tokens, license], Vec::new())
    };
    let rows: Vec<_> = found.skills.iter().map(row).collect();
    context.output.data(&table(TITLES, 5, &rows, width));
    let skills: Vec<_> = found.skills.iter().map(local::facts).collect();
    context.output.document(json!({ "skills": skills, "warnings": found.warnings }));
    Ok(())
}

/// "45 + 1230": the description, which is always in the catalog, and the body.
fn tokens_cell(tokens: SkillTokens) -> String {
    format!("{} + {}", tokens.description, tokens.body)
}

pub(super) fn show(context: &Context<'_>, args: &args::Show) -> Result<(), Error> {
    let (wants_text, file) = (args.body || args.file.is_some(), args.file.as_deref());
    if local::is_path(&args.name) {
        let directory = Path::new(&args.name);
        let found = local::read(context, directory)?;
        let [skill] = found.skills.as_slice() else {
            let example = with_slashes(&directory.join(found.skills[0].skill.name()));
            let what = format!("`{}` has {} skills", args.name, found.skills.len());
            let command = format!("skills show {}", quoted(&example.display().to_string()));
            return Err(usage_error(what, format!("name one of them: `{command}`")));
        };
        if wants_text {
            return show_text(context, &args.name, &skill.skill, file);
        }
        let origin = vec![
            ("integrity", skill.listing.integrity().to_string()),
            ("directory", skill.directory.display().to_string()),
            ("files", local::size(skill)),
        ];
        let mut document = local::facts(skill);
        let paths: Vec<&str> = skill.listing.iter().map(|(path, _)| path.as_str()).collect();
        let (skill, license, facts) = (&skill.skill_md, &skill.license, &skill.facts);
        print_skill(context, (skill, facts), license, origin, &paths, &mut document);
        return Ok(());
    }
    let project = context.project_or("show")?;
    let lock = project.require_lock()?;
    let name = &Project::skill_names(&lock, &[&args.name])?[0];
    let edited = |failure| {
        let command = |directory: &str| match &lock.skills[name].path {
            path if path.is_root() => format!("skills show {directory}"),
            path => format!("skills show {directory}/{path}"),
        };
        local::explain_edited(context, &project, &lock, command, failure)
    };
    if wants_text {
        let skill = project.read_skill(&lock, name).map_err(edited)?;
        return show_text(context, name, &skill, file);
    }
    let skill = &lock.skills[name];
    let source = lock.sources.get(&skill.source);
    // Only verified text is printed.
    let verified = project.verified_skill(&lock, name).map_err(edited)?;
    let found = verified.facts();
    let VerifiedSkill { skill_md: parsed, listing, directory, .. } = verified;
    let directory = project.display_path(&directory).display().to_string();
    let license = project.license(&lock, name)?;
    let locked = source.map(locked).unwrap_or_default();
    let mut origin = vec![("source", format!("{} {locked}", skill.source))];
    if let Some(url) = source.and_then(LockedSource::skills_url) {
        origin.push(("url", url.to_string()));
    }
    if let Some(commit) = source.and_then(LockedSource::skills_commit) {
        origin.push(("commit", commit.to_string()));
    }
    origin.extend([
        ("path", skill.path.to_string()),
        ("integrity", skill.integrity.to_string()),
        ("directory", directory.clone()),
        ("files", files(skill.files, skill.bytes)),
    ]);
    let mut document = facts(name, skill, source);
    document["description"] = json!(parsed.description());
    document["license"] = json!(license);
    document["tokens"] = local::tokens_json(SkillTokens::of(&parsed));
    document["directory"] = json!(directory);
    let paths: Vec<&str> = listing.iter().map(|(path, _)| path.as_str()).collect();
    print_skill(context, (&parsed, &found), &license, origin, &paths, &mut document);
    Ok(())
}

/// Prints a skill: the fields of its frontmatter, then `origin`, which ends with the number of
/// files, and their paths.
fn print_skill(
    context: &Context<'_>,
    (skill, facts): (&SkillMd, &SkillFacts),
    license: &Option<String>,
    origin: Vec<(&str, String)>,
    paths: &[&str],
    document: &mut Value,
) {
    let tokens = SkillTokens::of(skill);
    let mut lines: Vec<(&str, String)> = vec![
        ("name", document["name"].as_str().unwrap_or_default().to_owned()),
        ("description", skill.description().to_owned()),
        ("tokens", format!("{} description, {} body", tokens.description, tokens.body)),
        ("license", license::shown(license)),
    ];
    let optional = [
        ("compatibility", skill.compatibility()),
        ("when to use", skill.when_to_use()),
        ("arguments", skill.argument_hint()),
    ];
    let optional = optional.into_iter();
    lines.extend(optional.filter_map(|(label, value)| Some((label, value?.to_owned()))));
    let tools = skill.allowed_tools().map(|tools| tools.iter().collect::<Vec<_>>());
    lines.extend(tools.iter().map(|tools| ("allowed tools", tools.join(", "))));
    lines.extend(facts.commands.iter().map(|command| ("command", command.clone())));
    lines.extend(facts.scripts.iter().map(|script| ("script", script.clone())));
    lines.extend(facts.binary_files.iter().map(|file| ("binary file", file.clone())));
    lines.extend(skill.metadata().map(|(key, value)| ("metadata", format!("{key}: {value}"))));
    lines.extend(origin);
    let mut text = String::new();
    for (label, value) in lines {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("{label:13} {}\n", printable(&value)));
    }
    for path in paths {
        text.push_str(&format!("  {}\n", printable(path)));
    }
    context.output.data(&text);
    let metadata: Map<String, Value> =
        skill.metadata().map(|(key, value)| (key.to_owned(), json!(value))).collect();
    document["compatibility"] = json!(skill.compatibility());
    document["metadata"] = Value::Object(metadata);
    document["allowedTools"] = json!(tools);
    document["commands"] = json!(facts.commands);
    document["scripts"] = json!(facts.scripts);
    document["binaryFiles"] = json!(facts.binary_files);
    document["paths"] = json!(paths);
    context.output.document(json!({ "skill": document }));
}

/// Prints what a model gets: the body of a skill, or a file. `typed` is what the user named it.
fn show_text(
    context: &Context<'_>,
    typed: &str,
    skill: &Skill,
    file: Option<&str>,
) -> Result<(), Error> {
    let name = skill.name();
    let toolbox = Toolbox::new(SkillSet::new(slice::from_ref(skill)));
    let text = match file {
        None => toolbox.load_skill(name).map(|body| body.to_string()),
        Some(file) => toolbox.read_skill_file(name, file).map(|text| text.to_string()),
    };
    let text = text.map_err(|error| {
        let files = format!("run `skills show {}` for its files", quoted(typed));
        let Some(file) = file.filter(|_| error.kind() == ErrorKind::UnknownFile) else {
            return usage_error(error.to_string(), files);
        };
        let paths = skill.resources().iter().map(|file| file.path());
        let near = nearest(file, paths.chain(["SKILL.md"]));
        let near = near.map(|near| format!("did you mean `skills show {} {near}`?", quoted(typed)));
        let what = format!("the skill `{name}` has no file `{}`", file.escape_debug());
        usage_error(what, near.unwrap_or(files))
    })?;
    context.output.exact(&text);
    context.output.document(json!({
        "skill": { "name": name },
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
