//! Looking up plugins in the index of a marketplace.

use super::{Repository, SourceResult, location::Location, of_source};
use crate::{
    Error,
    error::At,
    manifest::{Pin, SourceKind},
    marketplace::{Marketplace, Plugin, PluginSource},
    pins::full_names,
};
use helix_skills_format::{DirPath, Finding, GitUrl, LockedPlugin, ObjectId, RefName, SourceKey};
use helix_skills_git as git;
use std::mem;

impl Repository<'_> {
    /// Returns the index of the marketplace at `url`; `None` if a commit has none that can be read.
    pub(crate) fn marketplace(
        &mut self,
        (key, url): (&SourceKey, &GitUrl),
        root: ObjectId,
    ) -> Result<Option<Marketplace>, git::Error> {
        let (file, _) = self.index(root)?;
        let text = of_source(self.text(key, root, file))?.ok().flatten();
        let index = text.and_then(|text| Marketplace::parse(&text).ok());
        Ok(index.map(|index| index.at(url)))
    }

    /// Finds the entry of a source's plugin.
    fn find_plugin(&mut self, location: &Location) -> SourceResult<Plugin> {
        let Location { key, root, .. } = location;
        let SourceKind::Marketplace { repository, plugin: name } = &location.source().kind else {
            return Err(Error::no_repository(key).into());
        };
        self.session.count_steps_for(key.as_str());
        let (file, _) = self.index(*root)?;
        let Some(text) = self.text(key, *root, file)? else {
            let why = format!("the repository is not a marketplace: it has no `{file}`");
            let hint = "use `\"type\": \"git\"` for a repository of skills";
            return Err(Error::unresolved(key, why).with_hint(hint).into());
        };
        let place = format!("{key}: {file}");
        let at_place = |findings: Vec<Finding>| Error::of_file(&place, findings, None);
        let marketplace = Marketplace::parse(&text).map_err(at_place)?;
        let marketplace = marketplace.at(&repository.url);
        let mut plugin = marketplace.plugin(name).map_err(|why| {
            if why.findings.is_empty() {
                return Error::unresolved(key, why.to_string()).with_hint(why.hint);
            }
            let with_hint = |finding: Finding| match finding.hint {
                None => finding.hint(why.hint.clone()),
                Some(_) => finding,
            };
            at_place(why.findings.into_iter().map(with_hint).collect())
        })?;
        if plugin.name != *name {
            self.notes.warn(format!(
                "the source `{key}`: the plugin `{name}` was renamed to `{}`; use the new name in the manifest",
                plugin.name
            ));
        }
        if let Some((path, real)) = self.settle(*root, &mut plugin.source)? {
            self.notes.warn(format!(
                "the source `{key}`: the plugin `{}` is in `{real}`, not in `{path}` as in the marketplace",
                plugin.name
            ));
        }
        // Findings on other plugins are only details.
        for finding in marketplace.findings() {
            self.notes.detail(key, || format!("{place}{}: {finding}", At(finding.at)));
        }
        Ok(plugin)
    }

    /// Changes the path of a plugin to the other one that the index may mean, if only that exists.
    /// Returns both then.
    pub(crate) fn settle(
        &mut self,
        root: ObjectId,
        source: &mut PluginSource,
    ) -> Result<Option<(DirPath, DirPath)>, git::Error> {
        if let PluginSource::Relative { path, otherwise } = source
            && let Some(other) = otherwise.take()
            && self.directory(root, path)?.is_err()
            && self.directory(root, &other)?.is_ok()
        {
            return Ok(Some((mem::replace(path, other.clone()), other)));
        }
        Ok(None)
    }

    /// Sets the location of a plugin to the one in the index of the marketplace.
    pub(super) fn select_plugin(&mut self, location: &mut Location) -> SourceResult<()> {
        let found = self.find_plugin(location)?;
        let (place, reference) = place(found.source.clone());
        location.plugin = Some(found);
        if place.url.is_some() {
            // The marketplace's index must still have a known plugin in the same place, and
            // without a `sha`.
            let is_same = |known: &LockedPlugin| {
                place.commit.is_none() && (&known.url, &known.path) == (&place.url, &place.path)
            };
            location.known.take_if(|known| !known.plugin.as_ref().is_some_and(is_same));
            // A `sha` takes precedence over a tag or branch.
            let reference = reference.filter(|_| place.commit.is_none());
            (location.pin, location.sha) = (reference.map_or(Pin::None, Pin::Ref), place.commit);
        }
        location.locked.plugin = Some(place);
        Ok(())
    }

    /// Checks the locked location of a plugin against the index of the locked commit.
    pub(super) fn verify_plugin(&mut self, location: &Location) -> SourceResult<()> {
        let (key, source) = (&location.key, &location.locked);
        let (Some(locked), Some(commit)) = (&source.plugin, &source.commit) else { return Ok(()) };
        // Notes on the index were reported when the plugin was locked.
        let found = self.quietly(|repository| repository.find_plugin(location));
        let found = of_source(found)?.ok().map(|plugin| place(plugin.source));
        let matches = found.as_ref().is_some_and(|(place, reference)| {
            let led_to_commit = match (&locked.reference, place.commit) {
                (_, Some(sha)) => locked.commit == Some(sha),
                (None, None) => place.url.is_none(),
                // A branch or tag of this name, or the default branch.
                (Some(name), None) => match &reference {
                    Some(pin) => full_names(pin.as_str()).contains(name),
                    None => place.url.is_some() && name.starts_with("refs/heads/"),
                },
            };
            (&place.path, &place.url) == (&locked.path, &locked.url) && led_to_commit
        });
        if matches {
            return Ok(());
        }
        let show = |LockedPlugin { path, url, commit, .. }: &LockedPlugin| {
            let url = url.as_ref().map(|url| format!(" of `{url}`")).unwrap_or_default();
            let at = commit.as_ref().map(|sha| format!(" at {sha}")).unwrap_or_default();
            format!("`{path}`{url}{at}")
        };
        let (expected, found) = (show(locked), found.map(|(place, _)| show(&place)));
        let Some(plugin) = source.entry.plugin() else { return Ok(()) };
        Err(Error::plugin_mismatch(key, plugin, commit, &expected, found.as_deref()).into())
    }
}

/// Returns the place of a plugin, with the `sha` as the commit, and its tag or branch.
pub(crate) fn place(source: PluginSource) -> (LockedPlugin, Option<RefName>) {
    match source {
        PluginSource::Relative { path, .. } => (LockedPlugin::new(path), None),
        PluginSource::Git { url, path, reference, sha } => {
            let mut place = LockedPlugin::new(path);
            (place.url, place.commit) = (Some(url), sha);
            (place, reference)
        }
    }
}
