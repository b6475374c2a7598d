//! The argument of `skills add` with what a pasted address says.

use super::{
    merge::{given_pin, is_empty},
    request::Request,
    spec::{Detail, PageKind, SKILL_MD, Spec},
    suggested::{pinned, short},
    target::has_other_directory,
    written::Written,
};
use crate::program::{Context, args::Add, typed::Typed, usage_error::usage_error};
use helix_skills_format::{GitUrl, ObjectId};
use helix_skills_project::{Error, Failure, GitSource, Project, References, manifest::Manifest};

impl Request {
    /// Reads the arguments. Asks the server for its branches and tags if the argument names one
    /// without saying where its name ends.
    pub(super) fn read(
        context: &Context<'_>,
        project: &Project,
        manifest: &Manifest,
        typed: &Add,
    ) -> Result<Self, Failure> {
        let mut request = Self {
            spec: Spec::Path(String::new()),
            args: typed.clone(),
            word: None,
            default_branch: None,
            names_directory: false,
        };
        match Written::parse(&context.start, project.root(), typed)? {
            Written::Remote { url, detail, reference } => {
                request.args.source = short(&url).into();
                request.names_directory = has_other_directory(&url, manifest, project.root());
                request.spec = Spec::Git(url.clone());
                if let Some(name) = reference {
                    request.apply_reference(context, project, &url, &typed.source, &name)?;
                }
                request.apply(context, project, &url, &typed.source, detail)?;
            }
            Written::Local(local) => {
                if let Some(note) = local.note {
                    context.output.note("note:", note);
                }
                request.spec = local.spec;
            }
        }
        Ok(request)
    }

    /// Adds `REF` or `REF@SKILL`.
    fn apply_reference(
        &mut self,
        context: &Context<'_>,
        project: &Project,
        url: &GitUrl,
        typed: &Typed,
        name: &str,
    ) -> Result<(), Failure> {
        let mut reference = name;
        if let Some((before, skill)) = name.rsplit_once('@') {
            let all = references(context, project, url)?;
            // A tag may have this name: `tools@1.2.0`.
            if !all.tags.iter().chain(&all.branches).any(|known| known == name) {
                self.args.include.push(skill.to_owned());
                self.word = Some(skill.to_owned());
                reference = before;
            }
        }
        Ok(self.accept(typed, pinned(&self.args, "--ref", reference))?)
    }

    /// Adds what an address says in addition to the repository.
    fn apply(
        &mut self,
        context: &Context<'_>,
        project: &Project,
        url: &GitUrl,
        typed: &Typed,
        detail: Detail,
    ) -> Result<(), Failure> {
        let (rest, shows) = match detail {
            Detail::Whole => return Ok(()),
            Detail::Directory(path) => {
                return Ok(self.accept(typed, select(&self.args, &path, path.ends_with(SKILL_MD)))?);
            }
            Detail::Word(word) => {
                // A name of several parts is not a skill, and without a sync it is not looked up.
                if (word.contains('/') || self.args.no_sync)
                    && let Some(error) =
                        self.as_pin(url, &word, &references(context, project, url)?)
                {
                    return Err(error.into());
                }
                self.args.include.push(word.clone());
                self.word = Some(word);
                return Ok(());
            }
            Detail::Other { what, pin } => {
                let args = pin.map(|(option, value)| pinned(&self.args, option, &value));
                let command = self.command(args.as_ref().unwrap_or(&self.args));
                let what = format!("`{typed}` is {what}, not a repository");
                return Err(usage_error(what, format!("run `{command}`")).into());
            }
            Detail::Page { rest, shows } => (rest, shows),
        };
        let (first, after) = rest.split_once('/').unwrap_or((&rest, ""));
        let (option, name, path) = if first.parse::<ObjectId>().is_ok() {
            ("--sha", first, after)
        } else {
            let references = references(context, project, url)?;
            let (name, path) = match *split(&rest, &references).as_slice() {
                [one] => one,
                [] => {
                    let what = format!("`{url}` has no branch or tag with which `{rest}` begins");
                    let default = references.default_branch.as_deref();
                    let default = default.map(|name| format!("the default branch is `{name}`; "));
                    let hint = self.search(context, project, url).find(&self.args, after);
                    let hint = hint.unwrap_or_else(|| format!("run `{}`", self.list(&self.args)));
                    return Err(usage_error(what, default.unwrap_or_default() + &hint).into());
                }
                ref several => {
                    return Err(self.ambiguous(context, project, url, &rest, several).into());
                }
            };
            if references.default_branch.as_deref() == Some(name) {
                self.default_branch = Some(name.to_owned());
            }
            ("--ref", name, path)
        };
        let args = match self.default_branch {
            Some(_) => self.args.clone(),
            None => pinned(&self.args, option, name),
        };
        if shows == PageKind::OtherFile {
            let what = "the page of a file that is not a SKILL.md";
            let what = format!("`{typed}` is {what}, not a repository");
            let hint = self.search(context, project, url).find(&args, path);
            let hint = hint.unwrap_or_else(|| format!("run `{}`", self.command(&args)));
            return Err(usage_error(what, hint).into());
        }
        Ok(self.accept(typed, select(&args, path, shows == PageKind::SkillMd))?)
    }

    /// Takes the arguments as an address completes them.
    ///
    /// # Errors
    /// If an option says something else.
    fn accept(&mut self, typed: &Typed, args: Add) -> Result<(), Error> {
        let hint = || format!("run `{}`", self.command(&args));
        if let (Some(given), Some(above)) = (&self.args.skills_dir, &args.skills_dir)
            && given.trim_matches('/') != above
        {
            let what = format!("`{typed}` is in `{above}`, but `--skills-dir` is `{given}`");
            return Err(usage_error(what, hint()));
        }
        let (given, pin) = (given_pin(&self.args), given_pin(&args));
        if !is_empty(&given) && given != pin {
            let value = pin.iter().find_map(|(_, value)| value.as_deref()).unwrap_or_default();
            let what = format!("`{typed}` names `{value}`, and an option pins something else");
            return Err(usage_error(what, hint()));
        }
        self.args = args;
        Ok(())
    }

    /// Returns the error for a page that may be one of several branches and tags.
    fn ambiguous(
        &self,
        context: &Context<'_>,
        project: &Project,
        url: &GitUrl,
        rest: &str,
        candidates: &[(&str, &str)],
    ) -> Error {
        let names: Vec<String> = candidates.iter().map(|(name, _)| format!("`{name}`")).collect();
        let search = self.search(context, project, url);
        let exists = candidates.iter().filter_map(|(name, path)| {
            let args = pinned(&self.args, "--ref", name);
            let layout = search.layout(&given_pin(&args))?;
            Some(format!("`{}`", self.command(&layout.at(path)?.select(&args))))
        });
        let mut commands: Vec<String> = exists.collect();
        if commands.is_empty() {
            commands.push(format!("`{}`", self.list(&self.args)));
        }
        let what = format!("`{rest}` begins with the names {}", names.join(" and "));
        usage_error(what, format!("run {}", commands.join(" or ")))
    }
}

/// Asks the server for its branches and tags.
fn references(
    context: &Context<'_>,
    project: &Project,
    url: &GitUrl,
) -> Result<References, Failure> {
    context.run("looking for branches and tags", || project.references(url))
}

/// Splits the part of an address that begins with a branch or tag, whose name may contain `/`.
/// Returns all possibilities.
fn split<'r>(rest: &'r str, references: &References) -> Vec<(&'r str, &'r str)> {
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
    found
}

/// Returns the arguments with a directory: the skill in it, or the skills in it if it is named
/// `skills`.
fn select(args: &Add, path: &str, is_file: bool) -> Add {
    let mut args = args.clone();
    let path = path.trim_end_matches('/');
    let directory = match path.rsplit_once('/') {
        _ if !is_file => path,
        Some((directory, _)) => directory,
        None => ".",
    };
    if directory.is_empty() {
        return args;
    }
    let (above, name) = directory.rsplit_once('/').unwrap_or((".", directory));
    let (above, skill) = match name {
        "." => (".", None),
        GitSource::DEFAULT_SKILLS_DIR if !is_file => (directory, None),
        _ => (above, Some(name)),
    };
    if args.plugin.is_none() {
        args.skills_dir = Some(above.to_owned());
    }
    args.include.extend(skill.map(str::to_owned));
    args
}
