//! `skills new`: a template of a skill. Its lines begin with `[TODO`, which the rule
//! `template-text` finds: `skills validate --deny-warnings` fails until they are replaced.

use super::{
    Context, RUST_LINE, args, package::relative, quoted::quoted, usage_error::usage_error,
};
use helix_skills_format::{Code, Severity, SkillName, Source};
use helix_skills_lint::{
    Draft, Rules, lint,
    report::{self, Reported},
};
use helix_skills_project::{
    __internal::{create_dir, replace, with_slashes},
    Error, Project,
};
use serde_json::json;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The directory of skills without a manifest.
const DIRECTORY: &str = "skills";

/// The hint for a name that some system refuses.
const NAMES: &str = "use lower case letters, digits and `-`, as in `commit-messages`";

pub(super) fn new(context: &Context<'_>, args: &args::New) -> Result<(), Error> {
    let output = context.output;
    let name = SkillName::new(&args.name).map_err(|why| {
        let what = format!("invalid skill name `{}`: {why}", args.name.escape_debug());
        usage_error(what, NAMES)
    })?;
    let text = text(&name, args.description.as_deref());
    let draft = Draft {
        bytes: text.as_bytes(),
        directory: Some(&name),
        file: "SKILL.md",
        files: Some(&[]),
    };
    let mut findings = lint(&draft, Rules::Authors, |_| None);
    // The next step is to replace the template.
    findings.retain(|found| found.code != Code::TemplateText);
    let severity = |code| Rules::Authors.severity(code);
    if let Some(refused) = findings.iter().find(|found| severity(found.code) == Severity::Error) {
        return Err(usage_error(refused.to_string(), NAMES));
    }
    let project = context.project_if_any()?;
    let of_project = project.as_ref().map(own_directory).transpose()?.flatten();
    let skills_in = |dir: &Path| relative(&context.start, &dir.join(DIRECTORY));
    let base = match (&args.dir, of_project, &project) {
        (Some(typed), ..) => with_slashes(typed),
        (None, Some(directory), _) => relative(&context.start, &directory),
        (None, None, Some(project)) => skills_in(project.root()),
        (None, None, None) => skills_in(context.package(Some("the skill is one of"))),
    };
    let directory = with_slashes(&base.join(name.as_str()));
    let shown = directory.display().to_string();
    if fs::symlink_metadata(context.start.join(&directory)).is_ok() {
        let what = format!("`{shown}` already exists");
        return Err(usage_error(what, "choose another name, or edit the skill there"));
    }
    let file = with_slashes(&directory.join("SKILL.md"));
    create_dir(&context.start.join(&directory))?;
    replace(&context.start.join(&file), text.as_bytes())?;
    let file = file.display().to_string();
    output.note("wrote", &file);
    let reported = findings.iter().map(|found| Reported::new(&*file, severity(found.code), found));
    output.data(&report::text(reported.clone()));
    let edit =
        format!("replace each TODO in {file}, then run `skills validate {}`", quoted(&shown));
    output.note("next:", edit);
    embed(context, project.as_ref(), &base);
    output.document(json!({
        "name": name.as_str(),
        "file": file,
        "findings": reported.collect::<Vec<_>>(),
    }));
    Ok(())
}

/// Prints what makes a skill in `base` a part of the program.
fn embed(context: &Context<'_>, project: Option<&Project>, base: &Path) {
    let output = context.output;
    let Some(project) = project else {
        let package = context.package(None);
        let shown = relative(package, &context.start.join(base)).display().to_string();
        output.note("then:", "run `cargo add helix-skills`, and in Rust:");
        output.note("     ", RUST_LINE.replace("skills)", &format!("skills, dir = {shown:?})")));
        let build = fs::read_to_string(package.join("build.rs")).unwrap_or_default();
        if !build.contains("rerun-if-changed") && !build.contains("build::") {
            output.note("then:", "in build.rs, so that cargo notices an added skill:");
            let line = format!("    println!(\"cargo::rerun-if-changed={shown}\");");
            ["fn main() {", &line, "}"].iter().for_each(|line| output.note("     ", line));
        }
        return;
    };
    // A path without `./` in front could be a repository on github.com.
    let is_path = base.is_absolute() || base.starts_with("..");
    let shown = format!("{}{}", if is_path { "" } else { "./" }, base.display());
    let base = context.start.join(base);
    let is_own = dunce::canonicalize(&base).is_ok_and(|base| {
        let manifest = project.manifest().unwrap_or_default();
        manifest.sources.values().filter_map(Source::directory).any(|path| {
            let root = dunce::canonicalize(project.root().join(path.as_str()));
            root.is_ok_and(|root| root == base)
        })
    });
    match is_own {
        true => output.note("then:", "run `skills sync`"),
        false => output.note("then:", format!("run `skills add {}`", quoted(&shown))),
    }
}

/// Returns the directory of the first `path` source that is a directory of skills.
fn own_directory(project: &Project) -> Result<Option<PathBuf>, Error> {
    let manifest = project.manifest()?;
    let directories = manifest.sources.values().filter_map(Source::directory);
    let mut directories = directories.map(|path| project.root().join(path.as_str()));
    Ok(directories.find(|directory| !directory.join("SKILL.md").is_file()))
}

/// Returns the text of a new skill.
fn text(name: &SkillName, description: Option<&str>) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut title: String = words.chars().take(1).flat_map(char::to_uppercase).collect();
    title.extend(words.chars().skip(1));
    let todo = "[TODO: what the skill does]. Use when [TODO: words of a user].";
    let description = json!(description.map_or(todo, str::trim));
    format!(
        "---\nname: {name}\ndescription: {description}\n---\n\n\
        # {title}\n\n\
        - [TODO: what to find out first]\n\
        - [TODO: what to do, and in which order]\n\
        - [TODO: how to check the result]\n"
    )
}
