//! `skills catalog`: what `include_skills!` embeds, or what a `Toolbox` of a profile renders.
//!
//! All files of the listed skills are verified, including files that appear in no catalog. The text
//! is therefore printed exactly when `include_skills!` would embed it. With `--only`, the other
//! skills are not read. A changed original of a `path` source is drift, as for `sync --check`.

use super::usage_error::usage_error;
use super::{
    Context, args,
    inspect::{NO_SKILLS, note_drift},
    local,
    sync::skills,
};
use helix_skills_format::{__internal::escape_invisible, Digest};
use helix_skills_project::{__internal::catalog_costs, Error, ErrorKind, Project};
use helix_skills_runtime::{
    self as runtime, Budget, Profile, Skill, SkillSet, TextLimit, Toolbox, estimated_tokens,
};
use serde_json::json;

pub(super) fn catalog(context: &Context<'_>, args: &args::Catalog) -> Result<(), Error> {
    let is_chosen = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    let named: Vec<&String> = args.only.iter().chain(&args.preload).collect();
    // An error for each preloaded skill that `--only` excludes.
    let left_out = |is_known: &dyn Fn(&str) -> bool| {
        let names = args.preload.iter().filter(|name| is_known(name) && !is_chosen(name));
        let error = |name: &String| {
            let what = format!("`--preload` names the skill `{name}`, which `--only` excludes");
            usage_error(what, format!("add `--only {name}`"))
        };
        names.map(error).collect::<Vec<_>>()
    };
    if let Some(directory) = &args.dir {
        let found = local::read(context, directory)?.skills;
        let is_known = |name: &str| found.iter().any(|skill| skill.skill.name() == name);
        let unknown = named.iter().filter(|name| !is_known(name));
        let unknown = unknown.map(|name| local::unknown(&found, directory, name));
        Error::unless_empty(unknown.chain(left_out(&is_known)).collect())?;
        let skills = found.into_iter().map(|skill| skill.skill);
        let skills: Vec<Skill> = skills.filter(|skill| is_chosen(skill.name())).collect();
        return render(context, args, &skills);
    }
    let project = context.project_or("catalog")?;
    let lock = project.require_lock()?;
    let is_known = |name: &str| lock.skills.keys().any(|known| known.as_str() == name);
    let unknown = Project::skill_names(&lock, &named).err();
    let unknown = unknown.into_iter().flatten();
    Error::unless_empty(unknown.chain(left_out(&is_known)).collect())?;
    let read = project.read_skills(&lock, |name| is_chosen(name)).map_err(|failure| {
        let command = |directory: &str| format!("skills catalog {directory}");
        local::explain_edited(context, &project, &lock, command, failure)
    })?;
    render(context, args, &read)?;
    note_drift(context, &project);
    Ok(())
}

/// Prints the catalog of these skills.
fn render(context: &Context<'_>, args: &args::Catalog, skills: &[Skill]) -> Result<(), Error> {
    let preload: Vec<&str> = args.preload.iter().map(String::as_str).collect();
    let toolbox = toolbox(SkillSet::new(skills), args, &preload).map_err(|error| {
        let hint = match error.kind() {
            runtime::ErrorKind::NotForModels => "remove it from `--preload`",
            runtime::ErrorKind::Duplicate => "list it once",
            _ => "run `skills catalog --help` for the options",
        };
        usage_error(error.to_string(), hint)
    })?;
    let text = toolbox.catalog().to_string();
    let within = check_budget(&toolbox, &text, args, &preload);
    print(context, &toolbox, &text, args, within.is_ok());
    within
}

/// Builds the toolbox that the arguments describe.
fn toolbox<'a>(
    set: SkillSet<'a>,
    args: &'a args::Catalog,
    preload: &'a [&'a str],
) -> Result<Toolbox<'a>, runtime::Error> {
    let mut builder = Toolbox::builder(set).profile(args.profile).preload(preload);
    if let Some(root) = &args.root {
        builder = builder.at(root);
    }
    let chars = args.budget_chars.map(TextLimit::Chars);
    if let Some(limit) = chars.or(args.budget_tokens.map(TextLimit::Tokens)) {
        builder = builder.budget(Budget::NONE.catalog(limit));
    }
    builder.build()
}

/// Fails if the list of skills is over its budget, which omits descriptions but never names.
fn check_budget(
    toolbox: &Toolbox<'_>,
    text: &str,
    args: &args::Catalog,
    preload: &[&str],
) -> Result<(), Error> {
    // In this profile, the catalog is only the preloaded bodies, which the budget does not count.
    let bodies = Toolbox::builder(toolbox.set()).profile(Profile::Agentick).preload(preload);
    let bodies = bodies.build().map_or(0, |bodies| bodies.catalog().len());
    let list = &text[..text.len() - bodies];
    let (option, most, needed, unit) = match (args.budget_chars, args.budget_tokens) {
        (Some(most), _) => ("--budget-chars", most, list.chars().count(), "characters"),
        (_, Some(most)) => {
            ("--budget-tokens", most, estimated_tokens(list.len()), "estimated tokens")
        }
        _ => return Ok(()),
    };
    if needed <= most {
        return Ok(());
    }
    let what =
        format!("the catalog has {needed} {unit} without descriptions, over `{option} {most}`");
    let hint = format!("list fewer skills with `--only`, or pass `{option} {needed}`");
    Err(Error::new(ErrorKind::Policy, "budget", what).with_hint(hint))
}

fn print(context: &Context<'_>, toolbox: &Toolbox<'_>, text: &str, args: &args::Catalog, ok: bool) {
    let output = context.output;
    let tokens = estimated_tokens(text.len());
    let tools = args.tools.then(|| {
        toolbox.tools([]).into_iter().flatten().map(|tool| json!(tool)).collect::<Vec<_>>()
    });
    match &tools {
        Some(tools) => output.data(&escape_invisible(&format!("{:#}\n", json!(tools)))),
        None => output.exact(text),
    }
    let set = toolbox.set();
    for (skill, why) in set.iter().filter_map(|skill| Some((skill, hidden(toolbox, skill)?))) {
        output.note("note:", format!("`{}` is not listed because it sets `{why}`", skill.name()));
    }
    let shown = toolbox.skills().count();
    if set.is_empty() {
        output.note("note:", NO_SKILLS);
    } else if shown == 0 {
        output.note("note:", "no skill is for models; the catalog and the tools are empty");
    } else if text.is_empty() && tools.is_none() {
        output.note(
            "note:",
            "this profile lists the skills in the description of its tool; `--tools` prints it",
        );
    }
    // Without a text, the list of skills is in the description of the first tool, if there is one.
    let listing = toolbox.tools([]).into_iter().flatten().next().filter(|_| text.is_empty());
    let cost = listing.map_or(tokens, |tool| estimated_tokens(tool.description().len()));
    let cost = if cost > 0 { format!(", about {cost} tokens") } else { String::new() };
    output.note("catalog:", skills(shown) + &cost);

    // The cost of a skill is its line with the whole description, even if a budget omits it.
    let lines = catalog_costs(set, toolbox.profile(), args.root.as_deref());
    let documents = set.iter().zip(lines).map(|(skill, bytes)| {
        let hidden = hidden(toolbox, skill);
        json!({
            "name": skill.name(),
            "tokens": estimated_tokens(bytes),
            "loaded": hidden.is_none() && args.preload.iter().any(|name| name == skill.name()),
            "hidden": hidden,
        })
    });
    let mut document = json!({
        "profile": toolbox.profile().name(),
        "text": text,
        "bytes": text.len(),
        "tokens": tokens,
        "digest": format!("sha256:{}", Digest::hash(text.as_bytes())),
        "skills": documents.collect::<Vec<_>>(),
    });
    if let Some(tools) = tools {
        document["tools"] = json!(tools);
    }
    if ok { output.document(document) } else { output.attach(document) }
}

/// Returns the key in `SKILL.md` that hides a skill from models.
fn hidden(toolbox: &Toolbox<'_>, skill: &Skill) -> Option<&'static str> {
    match toolbox.load_skill(skill.name()) {
        Ok(_) => None,
        Err(_) if skill.disable_model_invocation() => Some("disable-model-invocation"),
        Err(_) => Some("user-invocable"),
    }
}
