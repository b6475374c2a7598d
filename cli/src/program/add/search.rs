//! The search for what an argument may have meant.

use super::{
    layout::{Layout, Part, unresolved},
    merge::{PinFields, describe, given_pin, is_empty, pin_fields},
    request::Request,
    spec::Spec,
    suggested::pinned,
};
use crate::program::{Context, args::Add, usage_error::with_hint};
use helix_skills_format::__internal::listed;
use helix_skills_format::{GitUrl, SourceKey};
use helix_skills_project::{
    Failure, Project, error::UnresolvedSource, manifest::Source, marketplace::PluginError,
};

/// Maximum number of plugins or directories that a hint names.
const MAX_LISTED: usize = 5;

/// Maximum number of directories that each get a command.
const MAX_DIRECTORIES: usize = 3;

/// A repository to search.
pub(super) struct Search<'s> {
    pub(super) context: &'s Context<'s>,
    pub(super) project: &'s Project,
    pub(super) url: &'s GitUrl,
    pub(super) request: &'s Request,
    pub(super) key: Option<SourceKey>,
}

impl Search<'_> {
    /// Returns what the repository has at a pin.
    pub(super) fn layout(&self, pin: &PinFields) -> Option<Layout> {
        Layout::fetch(self.context, self.project, self.key.as_ref()?, self.url, pin)
    }

    /// Returns the hint for a path: the command that adds what is there.
    pub(super) fn find(&self, args: &Add, path: &str) -> Option<String> {
        let mut pin = given_pin(args);
        if is_empty(&pin) {
            let newest = self.project.newest_release(self.url, self.key.as_ref()?).ok()?;
            pin[0].1 = newest.map(|release| release.version);
        }
        self.at_or_named(args, path, &self.layout(&pin)?, false)
    }

    /// Returns the hint for a path or a name of `layout`.
    ///
    /// If the address shows the default branch, the path may exist only there.
    fn at_or_named(
        &self,
        args: &Add,
        path: &str,
        layout: &Layout,
        only_exact: bool,
    ) -> Option<String> {
        let run = |args: &Add| format!("run `{}`", self.request.command(args));
        if let Some(part) = layout.at(path) {
            return Some(run(&part.select(args)));
        }
        let branch = self.request.default_branch.as_deref();
        if let Some(branch) = branch.filter(|_| is_empty(&given_pin(args))) {
            let args = pinned(args, "--ref", branch);
            if let Some(layout) = self.layout(&given_pin(&args))
                && let Some(part) = layout.at(path)
            {
                return Some(run(&part.select(&args)));
            }
        }
        let part = layout.named(path)?;
        let is_same = path.rsplit('/').next() == Some(part.name());
        match is_same {
            true => Some(run(&part.select(args))),
            false if only_exact => None,
            false => Some(format!("did you mean `{}`? {}", part.name(), run(&part.select(args)))),
        }
    }

    /// Returns the hint for a skill or directory that the source does not have.
    pub(super) fn missing(&self, source: &Source) -> Option<String> {
        let Source::Git(git) = source else { return None };
        let args = &self.request.args;
        let layout = self.layout(&pin_fields(&git.repository))?;
        let directory = args.skills_dir.as_deref().unwrap_or(git.skills_dir.as_str());
        let directory = directory.trim_matches('/');
        // Without an address, a wrong name is answered with the names of all skills.
        let is_name = args.skills_dir.is_none();
        match (args.include.as_slice(), &self.request.word) {
            (_, Some(word)) => self.at_or_named(args, word, &layout, false),
            ([name], _) if is_name => {
                return self.at_or_named(args, &format!("{directory}/{name}"), &layout, true);
            }
            ([name], _) if directory == "." => self.at_or_named(args, name, &layout, false),
            ([name], _) => self.at_or_named(args, &format!("{directory}/{name}"), &layout, false),
            ([], _) if directory == "." => None,
            ([], _) if !is_name => layout
                .at(directory)
                .map(|part| format!("run `{}`", self.request.command(&part.select(args)))),
            _ => None,
        }
        .or_else(|| match args.include.is_empty() {
            true => self.other_directory(&layout),
            false => Some(format!("run `{}`", self.request.list(args))),
        })
    }

    /// Returns the hint for a directory without skills.
    fn other_directory(&self, layout: &Layout) -> Option<String> {
        let args = &self.request.args;
        if !layout.plugins.is_empty() {
            let plugins = listed(layout.plugins.iter().map(|plugin| &plugin.name), MAX_LISTED);
            let list = self.request.list(args);
            return Some(format!("it is a marketplace: run `{list}` to see its plugins {plugins}"));
        }
        let command = |part: &Part<'_>| format!("`{}`", self.request.command(&part.select(args)));
        let (parents, largest) = layout.parents();
        if parents.len() <= MAX_DIRECTORIES {
            let commands = parents.iter().map(|parent| command(&Part::Directory(parent)));
            return Some(format!("run {}", commands.collect::<Vec<_>>().join(" or ")));
        }
        let (largest, parents) = (command(&largest?), listed(parents, MAX_LISTED));
        Some(format!("run {largest} for the most skills; there are skills in {parents}"))
    }
}

impl Request {
    /// Returns the search of the repository for what was asked for.
    pub(super) fn search<'s>(
        &'s self,
        context: &'s Context<'_>,
        project: &'s Project,
        url: &'s GitUrl,
    ) -> Search<'s> {
        Search {
            context,
            project,
            url,
            request: self,
            key: SourceKey::new(url.repository_name()).ok(),
        }
    }

    /// Adds to a failure of the sync what else the argument may have meant.
    pub(super) fn explain(
        &self,
        context: &Context<'_>,
        project: &Project,
        source: &Source,
        failure: Failure,
    ) -> Failure {
        let Some(why) = unresolved(&failure) else { return failure };
        let hint = match (why, &self.spec) {
            (
                UnresolvedSource::NotIncluded { .. } | UnresolvedSource::NoSkills { .. },
                Spec::Git(url),
            ) => {
                if let Some(word) = &self.word
                    && let Ok(references) = project.references(url)
                    && let Some(error) = self.as_pin(url, word, &references)
                {
                    return error.into();
                }
                self.search(context, project, url).missing(source)
            }
            (UnresolvedSource::Plugin(error @ PluginError::Unknown { known, .. }), _) => {
                let is_listed = |hint: &String| hint.starts_with("none of ");
                error.hint().filter(is_listed).map(|_| {
                    let (count, command) = (known.len(), self.list(&self.args));
                    format!(
                        "none of its {count} plugins has a similar name; run `{command}` to see them"
                    )
                })
            }
            (
                UnresolvedSource::NoVersion { version, continued: Some(newest), .. }
                | UnresolvedSource::PluginVersion {
                    requested: version, continued: Some(newest), ..
                },
                _,
            ) => {
                let range = format!("^{}", version.trim_start_matches('v'));
                let [range, newest] = [&range, newest]
                    .map(|version| self.command(&pinned(&self.args, "--version", version)));
                Some(format!("an exact version has three numbers: run `{range}` or `{newest}`"))
            }
            (UnresolvedSource::PluginVersion { declared: Some(declared), .. }, _) => {
                let command = self.command(&pinned(&self.args, "--version", declared));
                Some(format!("run `{command}`"))
            }
            (UnresolvedSource::NoSkillInPath { near: None, .. }, Spec::Path(_)) => {
                Some(super::local::own_skills(&context.start, project.root()))
            }
            _ => None,
        };
        let (Some(hint), [error]) = (hint, failure.errors()) else { return failure };
        with_hint(error, Some(hint)).into()
    }

    /// Returns the warning for the page of a branch that is not the pin of its source.
    pub(super) fn kept_pin(&self, key: &SourceKey, source: &Source) -> Option<String> {
        let branch = self.default_branch.as_deref()?;
        let pin = pin_fields(source.repository()?);
        let [_, (_, reference), (_, sha)] = &pin;
        let is_branch = |name: &str| name.strip_prefix("refs/heads/").unwrap_or(name) == branch;
        let is_other = sha.is_some() || reference.as_deref().is_some_and(|name| !is_branch(name));
        if !is_other || !is_empty(&given_pin(&self.args)) {
            return None;
        }
        let command = self.command(&pinned(&self.args, "--ref", branch));
        Some(format!(
            "the page shows `{branch}`, but the source {key} keeps its pin, {}; to change it, run `{command}`",
            describe(&pin)
        ))
    }
}
