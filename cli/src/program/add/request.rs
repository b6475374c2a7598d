//! What `skills add` is asked for: the argument and the options as one source with its selection.

use super::{
    merge::{given_pin, is_empty},
    reading::{Place, Reading, Remote},
    spec::{Spec, short},
    suggested::{add_command, list_command, pinned},
};
use crate::program::{Context, args::Add, usage_error::usage_error};
use helix_skills_format::{GitUrl, ObjectId};
use helix_skills_project::{Error, Project, manifest::GitSource};

/// A source, and the options that select and pin its skills.
pub(super) struct Request {
    pub(super) spec: Spec,
    /// The options as if all of them had been typed, and the source as commands name it.
    pub(super) args: Add,
    /// The default branch, if the argument is one of its pages.
    pub(super) default_branch: Option<String>,
}

impl Request {
    /// Reads the arguments. Asks the server for its branches and tags if the argument is a page,
    /// because its address does not say where the name of a branch ends.
    pub(super) fn read(
        context: &Context<'_>,
        project: &Project,
        typed: &Add,
    ) -> Result<Self, Error> {
        match Reading::parse(&context.start, project.root(), typed)? {
            Reading::Remote(remote) => Self::remote(context, project, typed, remote),
            Reading::Local(local) => {
                if let Some(note) = local.note {
                    context.output.note("note:", note);
                }
                Ok(Self { spec: local.spec, args: typed.clone(), default_branch: None })
            }
        }
    }

    fn remote(
        context: &Context<'_>,
        project: &Project,
        typed: &Add,
        Remote { url, place, skill }: Remote,
    ) -> Result<Self, Error> {
        let args = Add { source: short(&url).into(), ..typed.clone() };
        let (pin, directory, default_branch) = match &place {
            Place::Directory(directory) => (None, directory.as_str(), None),
            Place::Reference(name) => (Some(("--ref", name.as_str())), "", None),
            Place::Page(rest) => {
                let page = Page::parse(context, project, (&url, &args), rest)?;
                (page.pin, page.directory, page.default_branch)
            }
        };
        let args = with_place(&args, pin, directory, skill);
        check_options(typed, &args)?;
        Ok(Self { spec: Spec::Git(url), args, default_branch })
    }
}

/// Checks that the typed options do not contradict the argument, which completed them to `args`.
fn check_options(typed: &Add, args: &Add) -> Result<(), Error> {
    let hint = || format!("run `{}`", add_command(args));
    let source = &typed.source;
    if let (Some(given), Some(above)) = (&typed.skills_dir, &args.skills_dir)
        && given != above
        && given.trim_matches('/') != above
    {
        let what = format!("`{source}` is in `{above}`, but `--skills-dir` is `{given}`");
        return Err(usage_error(what, hint()));
    }
    let (given, pin) = (given_pin(typed), given_pin(args));
    if !is_empty(&given) && given != pin {
        let value = pin.iter().find_map(|(_, value)| value.as_deref()).unwrap_or_default();
        let what = format!("`{source}` names `{value}`, and an option pins something else");
        return Err(usage_error(what, hint()));
    }
    Ok(())
}

/// The end of a page's address.
struct Page<'r> {
    /// The option that pins the branch, tag or commit, unless it is the default branch.
    pin: Option<(&'static str, &'r str)>,
    directory: &'r str,
    default_branch: Option<String>,
}

impl<'r> Page<'r> {
    /// Splits `REF/DIR`.
    fn parse(
        context: &Context<'_>,
        project: &Project,
        (url, args): (&GitUrl, &Add),
        rest: &'r str,
    ) -> Result<Self, Error> {
        let (first, directory) = rest.split_once('/').unwrap_or((rest, ""));
        if first.parse::<ObjectId>().is_ok() {
            return Ok(Self { pin: Some(("--sha", first)), directory, default_branch: None });
        }
        let references =
            context.run("looking for branches and tags", || project.references(url))?;
        let full = ["refs/heads/", "refs/tags/"];
        let rest = full.iter().find_map(|prefix| rest.strip_prefix(prefix)).unwrap_or(rest);
        let names = references.branches.iter().chain(&references.tags);
        let mut found: Vec<(&str, &str)> = names
            .filter_map(|name| match rest.strip_prefix(name.as_str())? {
                "" => Some((rest, "")),
                after => Some((&rest[..name.len()], after.strip_prefix('/')?)),
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        match *found.as_slice() {
            [(name, directory)] => {
                let default_branch =
                    references.default_branch.filter(|default_branch| default_branch == name);
                let pin = default_branch.is_none().then_some(("--ref", name));
                Ok(Self { pin, directory, default_branch })
            }
            [] => {
                let what = format!("`{url}` has no branch or tag with which `{rest}` begins");
                let default = references
                    .default_branch
                    .map(|name| format!("the default branch is `{name}`; "));
                let hint = format!("run `{}`", list_command(args));
                Err(usage_error(what, default.unwrap_or_default() + &hint))
            }
            _ => {
                let names: Vec<_> = found.iter().map(|(name, _)| format!("`{name}`")).collect();
                let commands = found.iter().map(|(name, directory)| {
                    let args = with_place(args, Some(("--ref", name)), directory, None);
                    format!("`{}`", add_command(&args))
                });
                let what = format!("`{rest}` begins with the names {}", names.join(" and "));
                let commands = commands.collect::<Vec<_>>().join(" or ");
                Err(usage_error(what, format!("run {commands}")))
            }
        }
    }
}

/// Returns the arguments with a pin, and with a directory: the skill in it, or all skills in it if
/// it is named `skills`.
fn with_place(
    args: &Add,
    pin: Option<(&str, &str)>,
    directory: &str,
    skill: Option<String>,
) -> Add {
    let mut args = pin.map_or_else(|| args.clone(), |(option, value)| pinned(args, option, value));
    let directory = match directory.strip_suffix("SKILL.md") {
        Some("") => ".",
        Some(above) if above.ends_with('/') => above,
        _ => directory,
    };
    let directory = directory.trim_end_matches('/');
    let (above, skill) = match directory.rsplit_once('/').unwrap_or((".", directory)) {
        _ if skill.is_some() => (directory, skill),
        (_, "" | "." | GitSource::DEFAULT_SKILLS_DIR) => (directory, None),
        (above, name) => (above, Some(name.to_owned())),
    };
    if !above.is_empty() && args.plugin.is_none() {
        args.skills_dir = Some(above.to_owned());
    }
    args.include.extend(skill);
    args
}
