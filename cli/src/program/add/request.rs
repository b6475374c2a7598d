//! What `skills add` is asked for: the argument and the options, with what a pasted address says.

use super::{
    page::pin_option,
    spec::{Detail, Spec},
    suggested::{add_command, elsewhere, other_directory},
    written::Written,
};
use crate::program::{Context, args::Add, usage_error::usage_error};
use helix_skills_format::{GitUrl, ObjectId};
use helix_skills_project::{
    Error, Failure, GitSource, Project, References, error::UnresolvedSource, manifest::Source,
};

/// A source, and the options that select and pin its skills.
pub(super) struct Request {
    pub(super) spec: Spec,
    /// The options as if all of them had been typed.
    pub(super) args: Add,
    doubt: Doubt,
}

/// What else the argument may have meant, if there is no such skill.
enum Doubt {
    None,
    /// `OWNER/REPO@WORD` may be a pin.
    Word(String),
    /// These commands.
    Commands(Vec<String>),
}

impl Request {
    /// Reads the arguments. Asks the server for its branches and tags if the argument names one
    /// without saying where its name ends.
    pub(super) fn read(
        context: &Context<'_>,
        project: &Project,
        args: &Add,
    ) -> Result<Self, Failure> {
        let (url, detail) = match Written::parse(&context.start, project.root(), args)? {
            Written::Remote(url, detail) => (url, detail),
            Written::Local(local) => {
                if let Some(note) = local.note {
                    context.output.note("note:", note);
                }
                return Ok(Self { spec: local.spec, args: args.clone(), doubt: Doubt::None });
            }
        };
        let references =
            || context.run("looking for branches and tags", || project.references(&url));
        let mut args = args.clone();
        let mut doubt = Doubt::None;
        match detail {
            Detail::Whole => {}
            Detail::Reference(name) => {
                let mut reference = name.as_str();
                // `REF@SKILL`, unless a tag has this name: `tools@1.2.0`.
                let is_known = |all: &References| {
                    all.tags.iter().chain(&all.branches).any(|known| *known == name)
                };
                if let Some((before, skill)) = name.rsplit_once('@')
                    && !is_known(&references()?)
                {
                    args.include.push(skill.to_owned());
                    reference = before;
                }
                set_pin(&mut args, &url, "--ref", reference)?;
            }
            Detail::Directory(path) => {
                let is_file = path.ends_with("/SKILL.md");
                doubt = set_directory(&mut args, &url, &path, is_file, &[])?;
            }
            Detail::Word(word) => {
                // A name of several parts is not a skill, and without a sync it is not looked up.
                if (word.contains('/') || args.no_sync)
                    && let Some(error) = as_pin(&url, &word, &references()?)
                {
                    return Err(error.into());
                }
                args.include.push(word.clone());
                doubt = Doubt::Word(word);
            }
            Detail::Page { rest, is_file } => {
                let (first, after) = rest.split_once('/').unwrap_or((&rest, ""));
                let (path, otherwise) = match first.parse::<ObjectId>() {
                    Ok(_) => {
                        set_pin(&mut args, &url, "--sha", first)?;
                        (after, None)
                    }
                    Err(_) => {
                        let references = references()?;
                        let (name, path) = split(&rest, &references, &url)?;
                        if references.default_branch.as_deref() == Some(name) {
                            (path, Some(name))
                        } else {
                            set_pin(&mut args, &url, "--ref", name)?;
                            (path, None)
                        }
                    }
                };
                let otherwise = otherwise.map(|name| ("--ref", name));
                doubt = set_directory(&mut args, &url, path, is_file, otherwise.as_slice())?;
            }
        }
        Ok(Self { spec: Spec::Git(url), args, doubt })
    }

    /// Adds to a failure of the sync what else the argument may have meant.
    pub(super) fn explain(&self, project: &Project, source: &Source, failure: Failure) -> Failure {
        let [error @ Error::Unresolved { why, .. }] = failure.errors() else { return failure };
        let mut why = &**why;
        while let UnresolvedSource::At { why: inner, .. } = why {
            why = inner;
        }
        let (UnresolvedSource::NotIncluded { .. } | UnresolvedSource::NoSkills { .. }) = why else {
            return failure;
        };
        let explained = match (&self.doubt, &self.spec) {
            (Doubt::Word(word), Spec::Git(url)) => {
                project.references(url).ok().and_then(|all| as_pin(url, word, &all))
            }
            (Doubt::Commands(commands), _) => {
                let commands: Vec<String> =
                    commands.iter().map(|command| format!("`{command}`")).collect();
                Some(usage_error(why.to_string(), format!("run {}", commands.join(" or "))))
            }
            _ => None,
        };
        let elsewhere = || Some(usage_error(error.to_string(), elsewhere(why)?));
        let other = || {
            let other = other_directory(source).filter(|_| self.args.skills_dir.is_none())?;
            Some(usage_error(why.to_string(), format!("{}; {other}", error.hint()?)))
        };
        explained.or_else(elsewhere).or_else(other).map_or(failure, Failure::from)
    }
}

/// Splits the part of an address that begins with a branch or tag, whose name may contain `/`.
fn split<'r>(
    rest: &'r str,
    references: &References,
    url: &GitUrl,
) -> Result<(&'r str, &'r str), Error> {
    let (heads, tags) = (&references.branches, &references.tags);
    let (rest, known): (&str, Vec<&String>) =
        match (rest.strip_prefix("refs/heads/"), rest.strip_prefix("refs/tags/")) {
            (Some(rest), _) => (rest, heads.iter().collect()),
            (_, Some(rest)) => (rest, tags.iter().collect()),
            _ => (rest, heads.iter().chain(tags).collect()),
        };
    let mut found: Vec<(&str, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let path = rest.strip_prefix(name.as_str())?;
            (path.is_empty() || path.starts_with('/'))
                .then(|| (&rest[..name.len()], path.trim_start_matches('/')))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    match *found.as_slice() {
        [one] => Ok(one),
        [] => {
            let what = format!("`{url}` has no branch or tag with which `{rest}` begins");
            let default = references.default_branch.as_deref();
            let default = default.map(|name| format!("the default branch is `{name}`; "));
            let hint = format!("{}run `{}`", default.unwrap_or_default(), add_command(url, &[]));
            Err(usage_error(what, hint))
        }
        [(first, _), (second, _), ..] => {
            let what = format!("`{rest}` begins with the names `{first}` and `{second}`");
            let commands =
                [first, second].map(|name| format!("`{}`", add_command(url, &[("--ref", name)])));
            Err(usage_error(what, format!("run {}", commands.join(" or "))))
        }
    }
}

/// Returns the error for a word after `@` that is a tag or branch.
fn as_pin(url: &GitUrl, word: &str, references: &References) -> Option<Error> {
    let is_tag = |name: &str| references.tags.iter().any(|tag| tag == name);
    let pin = match pin_option(word) {
        ("--version", bare) if is_tag(word) || is_tag(&format!("v{bare}")) => ("--version", bare),
        _ if is_tag(word) || references.branches.iter().any(|name| name == word) => ("--ref", word),
        _ => return None,
    };
    let what = format!("`{word}` is not a skill of `{url}`, but a tag or branch");
    Some(usage_error(what, format!("run `{}`", add_command(url, &[pin]))))
}

/// Pins what an address says, unless options do.
fn set_pin(args: &mut Add, url: &GitUrl, option: &str, value: &str) -> Result<(), Error> {
    let (given, pinned) = match option {
        "--sha" => (args.sha.as_deref(), args.version.as_deref().or(args.reference.as_deref())),
        _ => (args.reference.as_deref(), args.version.as_deref().or(args.sha.as_deref())),
    };
    if given.is_some_and(|given| given != value) || given.is_none() && pinned.is_some() {
        let what = format!("`{}` names `{value}`, and an option pins something else", args.source);
        let hint = format!("remove the option, or run `{}`", add_command(url, &[(option, value)]));
        return Err(usage_error(what, hint));
    }
    match option {
        "--sha" => args.sha = Some(value.to_owned()),
        _ => args.reference = Some(value.to_owned()),
    }
    Ok(())
}

/// Selects a directory: the skill in it, or the skills in it if it is named `skills`.
///
/// `otherwise` is a pin that may have the directory if the release does not.
fn set_directory(
    args: &mut Add,
    url: &GitUrl,
    path: &str,
    is_file: bool,
    otherwise: &[(&str, &str)],
) -> Result<Doubt, Error> {
    let path = path.trim_end_matches('/');
    let directory = match path.rsplit_once('/') {
        _ if !is_file => path,
        Some((directory, _)) => directory,
        None => ".",
    };
    if directory.is_empty() {
        return Ok(Doubt::None);
    }
    let (above, name) = directory.rsplit_once('/').unwrap_or((".", directory));
    let (above, skill) = match name {
        "." => (".", None),
        GitSource::DEFAULT_SKILLS_DIR if !is_file => (directory, None),
        _ => (above, Some(name)),
    };
    let is_default = above == GitSource::DEFAULT_SKILLS_DIR;
    if args.plugin.is_none() {
        if let Some(given) = args.skills_dir.as_deref().filter(|given| *given != above) {
            let what =
                format!("`{}` is in `{above}`, but `--skills-dir` is `{given}`", args.source);
            return Err(usage_error(what, "remove `--skills-dir`"));
        }
        args.skills_dir = Some(above.to_owned());
    }
    let mut commands = Vec::new();
    if let Some(skill) = skill {
        args.include.push(skill.to_owned());
        let mut options: Vec<(&str, &str)> = Vec::new();
        options.extend(args.reference.as_deref().map(|name| ("--ref", name)));
        options.extend(args.sha.as_deref().map(|sha| ("--sha", sha)));
        let is_pinned = !options.is_empty() || args.version.is_some();
        if !is_file {
            let options: Vec<_> =
                options.iter().copied().chain([("--skills-dir", directory)]).collect();
            commands.push(add_command(url, &options));
        }
        if !otherwise.is_empty() && !is_pinned {
            options.extend(otherwise);
            options.extend((!is_default).then_some(("--skills-dir", above)));
            options.push(("--include", skill));
            commands.insert(0, add_command(url, &options));
        }
    }
    Ok(if commands.is_empty() { Doubt::None } else { Doubt::Commands(commands) })
}
