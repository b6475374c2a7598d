//! Finding a skill by its name, wherever it is in a commit.

use super::{
    Reader, Repository, SourceResult,
    discover::{self, Scope},
    distinct_errors,
    location::{Location, Task},
    plugin::PluginRoot,
    skill_tree::FoundDirectory,
};
use crate::{
    Error,
    find::{Found, FoundSkills},
    manifest::{LockedSource, Source, SourceKind},
    notes::Notes,
    selection::{self, Depth, visibility},
    upstream::Upstream,
};
use helix_skills_format::{
    __internal::{listed, listed_all, path_key, skill_md::frontmatter},
    DirPath, ObjectId, SourceKey,
};
use helix_skills_git::{self as git, __internal::submodule_url};
use std::{iter, sync::Arc};

/// Maximum number of directories that a hint lists.
const MAX_LISTED: usize = 5;

/// Maximum number of plugins that a hint lists.
const MAX_PLUGINS: usize = 20;

impl Reader<'_> {
    /// Finds names and paths of skills in the repository of a source. `known` is the locked source
    /// if its pin is not to be resolved again.
    pub(crate) fn find(
        &self,
        (key, source): (&SourceKey, &Source),
        known: Option<LockedSource>,
        names: &[String],
    ) -> Result<FoundSkills, Error> {
        let location = Location::new(key.clone(), source.clone(), Task::Select);
        let location = location.map(|location| Location { known, ..location });
        let read = |repository: &mut Repository<'_>, locations| {
            let mut found = Vec::new();
            for location in repository.locate(locations)?.0 {
                let skills = repository.find_all(&location, names);
                found.extend(repository.keep((key, None), skills)?);
            }
            Ok(found)
        };
        let locations = location.into_iter().collect();
        let (mut found, failed) = self.read(locations, &mut Notes::default(), read);
        Error::unless_empty(distinct_errors(failed))?;
        found.pop().ok_or_else(|| Error::no_repository(key))
    }
}

impl Repository<'_> {
    fn find_all(&mut self, location: &Location, names: &[String]) -> SourceResult<FoundSkills> {
        self.session.count_steps_for(location.key.as_str());
        let scope = match PluginRoot::new(location) {
            Some(root) => Arc::new(self.quietly(|it| it.read_plugin(root))?.1),
            None => self.scope(location.searched())?,
        };
        let found = names.iter().map(|name| self.find(location, &scope, name));
        let found = found.collect::<SourceResult<Vec<_>>>()?;
        let in_scope = discover::distinct(&self.session, scope.found.clone())?.len();
        Ok(FoundSkills { reference: location.locked.reference.clone(), in_scope, found })
    }

    /// Finds a skill: the directory of that name or path, first in the scope of the source, then in
    /// the commit, then the skill whose `SKILL.md` has the name. A plugin has no other skills.
    fn find(&mut self, location: &Location, scope: &Scope, typed: &str) -> SourceResult<Found> {
        let is_plugin = location.plugin.is_some();
        if is_plugin {
            let is_at = |found: &&FoundDirectory| path_key(&found.path) == typed;
            if let Some(FoundDirectory { path, .. }) = scope.found.iter().find(is_at) {
                return Ok(Found::Skill { key: scope.keys().of(path), path: path.clone() });
            }
        } else if let Some(path) = DirPath::new(typed).ok().filter(|_| typed.contains('/')) {
            let mut search = self.search(location.searched());
            if search.at(iter::once(&path))?.iter().any(Result::is_ok) {
                return Ok(Found::Skill { key: scope.keys().of(&path), path });
            }
            let below = search.below(&path, Depth::All)?;
            if search.aside.submodules.contains(&path) {
                return Ok(Found::Nothing(self.submodule(location, &path)?));
            } else if !below.is_empty() {
                let skills = discover::distinct(&self.session, below)?;
                let keys = scope.keys();
                let skills = skills.iter().map(|it| (keys.of(&it.path), it.path.clone()));
                return Ok(Found::Scope { path, skills: skills.collect() });
            }
        }
        let named = |places: &[FoundDirectory]| {
            places.iter().filter(|place| place.name == typed).cloned().collect()
        };
        if let Some(found) = self.only(scope, named(&scope.found), typed)? {
            return Ok(found);
        }
        let everything = match is_plugin {
            true => None,
            false => Some(self.everything(location.searched())?),
        };
        let all = everything.as_deref().unwrap_or(scope);
        if let Some(found) = self.only(scope, named(&all.found), typed)? {
            return Ok(found);
        }
        for places in [&scope.found, &all.found] {
            let own = self.own_names(places)?;
            for is_same in [str::eq, str::eq_ignore_ascii_case] {
                let named = places.iter().zip(&own);
                let named =
                    named.filter(|(_, own)| own.as_deref().is_some_and(|own| is_same(own, typed)));
                let named = named.map(|(place, _)| place.clone()).collect();
                if let Some(found) = self.only(scope, named, typed)? {
                    return Ok(found);
                }
            }
        }
        Ok(Found::Nothing(self.absent(location, (scope, &all.submodules), typed)?))
    }

    /// Returns the only skill of several directories: copies count once, then those that are
    /// visible come first, then the one that has the name in its `SKILL.md`.
    fn only(
        &mut self,
        scope: &Scope,
        places: Vec<FoundDirectory>,
        typed: &str,
    ) -> SourceResult<Option<Found>> {
        let mut places = discover::distinct(&self.session, places)?;
        let best = places.iter().map(|place| visibility(&place.path)).min();
        places.retain(|place| Some(visibility(&place.path)) == best);
        if places.len() > 1 {
            let own = self.own_names(&places)?;
            let mut named = places.iter().zip(own).filter(|(_, own)| own.as_deref() == Some(typed));
            if let (Some((only, _)), None) = (named.next(), named.next()) {
                places = vec![only.clone()];
            }
        }
        Ok(match places.as_slice() {
            [] => None,
            [only] => {
                let path = only.path.clone();
                Some(Found::Skill { key: scope.keys().of(&path), path })
            }
            several => Some(Found::Several(several.iter().map(|it| it.path.clone()).collect())),
        })
    }

    /// Returns the names in the `SKILL.md` files of directories. Fetches these files.
    fn own_names(&mut self, places: &[FoundDirectory]) -> Result<Vec<Option<String>>, git::Error> {
        let files = self.skill_files(places, None)?;
        let own_name = |file: Option<(&str, ObjectId)>| {
            let text = std::str::from_utf8(self.session.blob(&file?.1).ok()?).ok()?;
            let name = frontmatter(text)?.into_iter().find(|(key, _)| key == "name")?.1;
            name.as_text().map(|name| name.trim().to_owned())
        };
        Ok(files.into_iter().map(own_name).collect())
    }

    /// Returns the error for a key of `include` without a skill.
    pub(crate) fn missing(
        &mut self,
        location: &Location,
        (scope, upstream): (&Scope, Option<&Upstream>),
        name: &str,
    ) -> SourceResult<Error> {
        let error = Error::not_selected(&location.key, name, 0);
        let named = |path: &DirPath| path.file_name() == Some(name) || path_key(path) == name;
        let mut renamed = upstream.iter().flat_map(|upstream| &upstream.renamed);
        let moved = renamed.find(|renamed| named(&renamed.from)).map(|renamed| &renamed.to);
        let mut gone = upstream.iter().flat_map(|upstream| &upstream.gone);
        let gone = gone.find(|(_, path)| named(path)).map(|(skill, _)| skill);
        let mut found = match moved {
            Some(to) => Found::Skill { key: scope.keys().of(to), path: to.clone() },
            None => self.find(location, scope, name)?,
        };
        if let (Found::Nothing(_), Some(skill)) = (&found, gone)
            && skill.as_str() != name
        {
            // Its directory has another name now.
            found = self.find(location, scope, skill.as_str())?;
        }
        let was_there = moved.is_some() || gone.is_some();
        let error = match &found {
            Found::Skill { key, .. } if was_there => error.about_gone(name, Some(key.clone())),
            Found::Nothing(_) if was_there => error.about_gone(name, None),
            _ => error,
        };
        Ok(error.with_hint(match (found, gone) {
            (Found::Skill { key, path }, _) if was_there => format!(
                "upstream moved it to `{path}`: include `{key}` instead, then run `skills update {}`; `skills add` takes `--exclude {name} --include {key}`",
                location.key
            ),
            (Found::Skill { key, path }, _) => format!("it is in `{path}`: include `{key}`"),
            (Found::Several(paths), _) => {
                let keys = paths.iter().map(path_key);
                format!("it is in {}: include one of them", listed(keys, MAX_LISTED))
            }
            (Found::Scope { path, .. }, _) => {
                format!("`{path}` is not a skill, but has skills: set `skillsDir` to it")
            }
            (Found::Nothing(_), Some(skill)) => format!(
                "upstream removed it: remove it from `include`, or run `skills remove {skill}`"
            ),
            (Found::Nothing(hint), None) => hint,
        }))
    }

    /// Returns the hint for a name that no skill has.
    fn absent(
        &mut self,
        location: &Location,
        (scope, submodules): (&Scope, &[DirPath]),
        name: &str,
    ) -> SourceResult<String> {
        let named = |path: &DirPath| path.file_name() == Some(name) || path_key(path) == name;
        if let Some(path) = submodules.iter().find(|path| named(path)) {
            return self.submodule(location, path);
        }
        if let Some(near) = scope.near.iter().find(|near| near.directory == name) {
            return Ok(near.of(&location.key).warning());
        }
        Ok(selection::known_names(name, scope.found.iter().map(|found| &*found.name)))
    }

    /// Returns the hint for a submodule: where its skills are.
    fn submodule(&mut self, location: &Location, path: &DirPath) -> SourceResult<String> {
        let (key, root) = (&location.key, location.root);
        let text = self.text(key, root, ".gitmodules")?;
        let url = text.and_then(|text| submodule_url(&text, path.as_str()));
        Ok(match url {
            Some(url) => format!("`{path}` is a submodule: run `skills add {url}`"),
            None => format!("`{path}` is a submodule, whose files are in another repository"),
        })
    }

    /// Returns the error for a source without skills.
    pub(super) fn no_skills(&mut self, location: &Location, scope: &Scope) -> SourceResult<Error> {
        let (key, source, root) = (&location.key, location.source(), location.root);
        let is_narrow = !selection::may_search(source, &DirPath::root());
        let hint = if let Some(near) = scope.near.first() {
            near.of(key).warning()
        } else if let Some(path) = scope.submodules.first() {
            self.submodule(location, path)?
        } else if is_narrow {
            "remove `skillsDir` to search the whole repository".to_owned()
        } else if let Some(index) = self.marketplace((key, &location.url), root)?
            && index.names().next().is_some()
        {
            let plugins = listed(index.names(), MAX_PLUGINS);
            format!(
                "the repository is a plugin marketplace: use `\"type\": \"claude-marketplace\"` and set `plugin`, or run `skills add … --plugin NAME`; its plugins are {plugins}"
            )
        } else {
            "the repository has no SKILL.md".to_owned()
        };
        let why = match &source.kind {
            SourceKind::Git { skills_dir, .. } if is_narrow => {
                format!("there are no skills in {}", listed_all(skills_dir))
            }
            _ => "there are no skills in the repository".to_owned(),
        };
        Ok(Error::unresolved(key, why).with_hint(hint))
    }
}
