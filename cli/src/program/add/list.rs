//! `skills add SOURCE --list`: prints what a source offers, and writes nothing.

use super::target::Target;
use crate::program::{
    args::Add,
    license,
    sync::{files, skills},
    table::table,
};
use helix_skills_format::{__internal::counted, LockedSource, PluginName, Source};
use helix_skills_project::{
    __internal::{Offer, OfferedPlugin, OfferedSkill},
    Error,
    manifest::to_json,
};
use helix_skills_runtime::OneLine;
use serde_json::{Value, json};

impl Target<'_> {
    /// Prints what the source offers: all of it, or what has the typed words in a name or
    /// description.
    pub(super) fn list(&self, source: &Source) -> Result<(), Error> {
        let (args, output) = (&self.request.args, self.context.output);
        let words = args.words.iter().map(|word| word.with_secrets().to_lowercase());
        let words: Vec<String> = words.collect();
        let ask = || self.request.project.offer(&self.key, source, !words.is_empty());
        let mut offer = self.context.run("looking for skills", ask)?;
        offer.warnings.iter().for_each(|warning| output.warning(warning));
        let has = |texts: Vec<&str>| {
            let text = texts.join("\n").to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        offer.skills.retain(|skill| {
            let plugins = skill.plugins.iter().map(PluginName::as_str);
            let text = skill.description.as_ref().unwrap_or_else(|why| why);
            has(plugins.chain([&*skill.name, &skill.directory, text]).collect())
        });
        offer.plugins.retain(|plugin| {
            let skills = plugin.skills.iter().flatten().map(String::as_str);
            let description = plugin.description.as_deref();
            has(skills.chain(description).chain([plugin.name.as_str()]).collect())
        });
        let width = args.table.width();
        let mut tables =
            vec![skill_table(&offer.skills, width), plugin_table(&offer.plugins, width)];
        tables.retain(|table| !table.is_empty());
        output.data(&tables.join("\n"));
        let locked = offer.source.as_ref();
        let reference = locked.and_then(LockedSource::skills_reference);
        let at = reference.and_then(|name| name.splitn(3, '/').last());
        let at = at.map(|name| format!(" of `{name}`")).unwrap_or_default();
        output.note("listed", format!("{}{at}; nothing was written", count(&offer)));
        for args in next(args, &offer) {
            output.note("next:", format!("run `{}`", args.command()));
        }
        output.document(json!({
            "source": to_json(source),
            "ref": reference,
            "commit": locked.and_then(LockedSource::skills_commit).map(ToString::to_string),
            "skills": offer.skills.iter().map(skill_json).collect::<Vec<_>>(),
            "plugins": offer.plugins.iter().map(plugin_json).collect::<Vec<_>>(),
            "warnings": offer.warnings,
        }));
        Ok(())
    }
}

/// Returns the arguments that add a listed skill, and the arguments that add a listed plugin: the
/// one that is named like a typed word, else the first one.
fn next(args: &Add, offer: &Offer) -> impl Iterator<Item = Add> {
    let is_typed = |name: &str| args.words.iter().any(|word| word.with_secrets() == name);
    let alone = Add { list: false, words: Vec::new(), ..args.clone() };
    let skills = offer.skills.iter().filter(|skill| skill.description.is_ok());
    let skill = skills.min_by_key(|skill| !is_typed(&skill.name)).map(|skill| {
        let is_named = !args.include.is_empty();
        let include = if is_named { args.include.clone() } else { vec![skill.directory.clone()] };
        Add { include, ..alone.clone() }
    });
    // The skills of a plugin in another repository are not known.
    let plugins = offer.plugins.iter().filter(|plugin| plugin.problem.is_none());
    let plugin = plugins.min_by_key(|it| (!is_typed(it.name.as_str()), it.url.is_some()));
    let plugin = plugin.map(|plugin| Add {
        plugins: vec![plugin.name.clone()],
        skills_dir: None,
        include: Vec::new(),
        ..alone
    });
    skill.into_iter().chain(plugin)
}

/// "15 skills, 3 plugins"
fn count(offer: &Offer) -> String {
    let plugins = counted(offer.plugins.len(), "plugin");
    match (offer.skills.len(), offer.plugins.len()) {
        (count, 0) => skills(count),
        (0, _) => plugins,
        (count, _) => format!("{}, {plugins}", skills(count)),
    }
}

/// Returns the description of a skill on one line, or why it cannot be added.
pub(super) fn description(skill: &OfferedSkill) -> String {
    match &skill.description {
        Ok(description) => OneLine(description).to_string(),
        Err(why) => format!("cannot be added: {why}"),
    }
}

/// Returns the table of skills; empty without skills.
fn skill_table(skills: &[OfferedSkill], width: Option<usize>) -> String {
    let parent = |skill: &OfferedSkill| skill.path.parent().filter(|above| !above.is_root());
    let has_one_directory = skills.iter().all(|skill| parent(skill) == parent(&skills[0]));
    let row = |skill: &OfferedSkill| {
        // A path ends in the name.
        let is_path = skill.directory.contains('/');
        let name = match is_path || skill.name == skill.directory {
            true => skill.name.clone(),
            false => format!("{} ({})", skill.name, skill.directory),
        };
        let size = match skill.bytes {
            Some(bytes) => files(skill.files, bytes),
            None => counted(skill.files, "file"),
        };
        let mut directory = match parent(skill) {
            _ if is_path => skill.directory.clone(),
            Some(above) if !has_one_directory => above.to_string(),
            _ => String::new(),
        };
        match skill.copies.len() {
            0 => {}
            1 => directory.push_str(" (1 copy)"),
            copies => directory.push_str(&format!(" ({copies} copies)")),
        }
        let plugins: Vec<&str> = skill.plugins.iter().map(|name| name.as_str()).collect();
        let license = license::cell(&skill.license, width);
        ([name, directory, description(skill), size, plugins.join(", "), license], Vec::new())
    };
    let titles = ["skill", "directory", "description", "size", "plugin", "license"];
    let mut skills: Vec<&OfferedSkill> = skills.iter().collect();
    skills.sort_by_key(|skill| (skill.path.parent(), skill.path.clone()));
    table(titles, 2, &skills.into_iter().map(row).collect::<Vec<_>>(), width)
}

/// Returns the table of plugins; empty without plugins.
fn plugin_table(plugins: &[OfferedPlugin], width: Option<usize>) -> String {
    let row = |plugin: &OfferedPlugin| {
        let skills = match (&plugin.skills, &plugin.url) {
            (Some(skills), _) if skills.is_empty() => "none".to_owned(),
            (Some(skills), _) => skills.len().to_string(),
            (None, Some(_)) => "elsewhere".to_owned(),
            (None, None) => String::new(),
        };
        let description = match &plugin.problem {
            Some(why) => format!("cannot be used: {why}"),
            None => plugin.description.clone().unwrap_or_default(),
        };
        // Nothing was looked for without skills, or in another repository.
        let license = match (&plugin.license, plugin.skills.as_deref()) {
            (None, None | Some([])) => String::new(),
            (license, _) => license::cell(license, width),
        };
        let description = OneLine(&description).to_string();
        ([plugin.name.to_string(), description, skills, license], Vec::new())
    };
    let titles = ["plugin", "description", "skills", "license"];
    table(titles, 1, &plugins.iter().map(row).collect::<Vec<_>>(), width)
}

fn skill_json(skill: &OfferedSkill) -> Value {
    json!({
        "name": skill.name,
        "directory": skill.directory,
        "path": skill.path.as_str(),
        "description": skill.description.as_ref().ok(),
        "error": skill.description.as_ref().err(),
        "files": skill.files,
        "bytes": skill.bytes,
        "license": skill.license,
        "plugins": skill.plugins.iter().map(|name| name.as_str()).collect::<Vec<_>>(),
        "copies": skill.copies.iter().map(|path| path.as_str()).collect::<Vec<_>>(),
    })
}

fn plugin_json(plugin: &OfferedPlugin) -> Value {
    json!({
        "name": plugin.name.as_str(),
        "description": plugin.description,
        "error": plugin.problem,
        "url": plugin.url.as_ref().map(|url| url.as_str()),
        "license": plugin.license,
        "skills": plugin.skills,
    })
}
