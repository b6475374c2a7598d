//! From what is asked to directories whose trees are here.

use super::{
    Answered, Asked, Kind, Open, Repository, What,
    asked::{Elsewhere, sha_of},
    discover::{self, Directories},
    from_format,
    plugin::{self, Home},
    resolve::{self, Answer, Question},
    to_format,
};
use crate::{
    Error,
    candidate::{idle_selections, wanted},
    contents::FileRules,
    git::{Commit, GitError, GitErrorKind, Session},
    sync::Needed,
};
use helix_skills_format::{
    LockedPlugin, LockedSource, Marketplace, MarketplaceSource, Pin, Plugin, PluginManifest, PluginSource, Source,
    SourceKey,
};
use std::collections::BTreeMap;

/// The commits of a repository that were fetched already.
type Commits = BTreeMap<gix::ObjectId, Commit>;

/// What was opened.
enum Opened {
    /// Directories whose trees are here.
    Here(Box<Open>),
    /// The plugin lies in another repository.
    Elsewhere(Box<Asked>),
}

/// A pin with its commit.
struct Pinned {
    answer: Answer,
    commit: Commit,
}

impl Repository<'_, '_> {
    /// Resolves what has to be resolved, and fetches the trees of everything. `failed` gets what is wrong with single
    /// sources, `elsewhere` what has to be asked of other repositories.
    pub(super) fn open(
        &mut self,
        asked: Vec<Asked>,
        failed: &mut Vec<Error>,
        elsewhere: &mut Vec<Asked>,
    ) -> Result<Vec<Open>, GitError> {
        let (asked, foreign): (Vec<_>, Vec<_>) = asked.into_iter().partition(|asked| !asked.names_sha256());
        failed.extend(foreign.into_iter().map(|asked| Error::Unanswered {
            key: asked.key,
            what: "it names an object by 64 digits: repositories with SHA-256 ids are not supported yet".to_owned(),
            hint: Some("name the commit by its 40 digits".to_owned()),
        }));
        let questions: Vec<Question<'_>> = asked.iter().filter_map(Asked::question).collect();
        let answers = resolve::pins(self.session, &questions)?;
        let commits: Vec<gix::ObjectId> = answers.iter().flatten().map(|answer| answer.commit).collect();
        self.session.prefetch_commits(&commits)?;
        self.fetch_locked_trees(&asked)?;
        let mut answers = answers.into_iter();
        let mut commits = Commits::new();
        let (mut pinned, mut open) = (Vec::new(), Vec::new());
        for asked in asked {
            match asked {
                Asked { key, source, what: What::Locked { locked, needed }, .. } => {
                    match self.open_locked(key, source, locked, needed, &mut commits)? {
                        Ok(opened) => open.push(opened),
                        Err(error) => failed.push(error),
                    }
                }
                asked => match answers.next() {
                    Some(Ok(answer)) => match self.pinned(&asked, answer, &mut commits)? {
                        Ok(found) => pinned.push((asked, found)),
                        Err(error) => failed.push(error),
                    },
                    Some(Err(error)) => failed.push(error),
                    // There is an answer to each question.
                    None => {}
                },
            }
        }
        self.fetch_texts(&pinned)?;
        for (asked, pinned) in pinned {
            let reference = pinned.answer.reference.clone();
            match self.open_pinned(asked, pinned)? {
                Ok(Opened::Here(opened)) => open.push(*opened),
                Ok(Opened::Elsewhere(asked)) => elsewhere.push(*asked),
                Err(errors) => failed.extend(errors.into_iter().map(|error| at(error, reference.as_deref()))),
            }
        }
        Ok(open)
    }

    fn open_locked(
        &mut self,
        key: SourceKey,
        source: Source,
        locked: LockedSource,
        needed: Vec<Needed>,
        commits: &mut Commits,
    ) -> Result<Result<Open, Error>, GitError> {
        let rules = match FileRules::new(source.select(), self.limits) {
            Ok(rules) => rules,
            Err(error) => return Ok(Err(error)),
        };
        let all_here = needed.iter().all(|needed| has_tree(self.session, needed));
        let root = match locked.skills_commit().filter(|_| !all_here) {
            None => None,
            Some(commit) => Some(self.commit(commits, from_format(commit), locked.skills_reference())?.tree),
        };
        let kind = Kind::Locked { locked: Box::new(locked), needed, root };
        Ok(Ok(Open { key, source, rules, kind }))
    }

    /// The commit that a pin means, with its trees.
    fn pinned(
        &mut self,
        asked: &Asked,
        answer: Answer,
        commits: &mut Commits,
    ) -> Result<Result<Pinned, Error>, GitError> {
        let commit = match self.commit(commits, answer.commit, answer.reference.as_deref()) {
            Err(error) if error.kind() == GitErrorKind::NotFound => {
                let (what, key) = (error.to_string(), asked.key.clone());
                let hint = match asked.what {
                    What::Plugin(_) => {
                        "the marketplace names a commit that the plugin's repository no longer has: tell its owner"
                    }
                    _ => "`sha` must be a commit that the repository still has",
                };
                return Ok(Err(Error::Unanswered { key, what, hint: Some(hint.to_owned()) }));
            }
            other => other?,
        };
        if let What::Pin { .. } = asked.what
            && let Err(error) = answer.check_sha(&asked.key, sha_of(&asked.source), commit.id)
        {
            return Ok(Err(error));
        }
        Ok(Ok(Pinned { answer, commit }))
    }

    /// The texts that marketplaces and plugins are read by, as far as they can be told in advance: one request.
    fn fetch_texts(&mut self, pinned: &[(Asked, Pinned)]) -> Result<(), GitError> {
        let mut texts = Vec::new();
        for (asked, Pinned { commit, .. }) in pinned {
            match (&asked.what, &asked.source) {
                (What::Plugin(elsewhere), _) => {
                    let path = elsewhere.path.join(PluginManifest::FILE);
                    let path = path.as_ref().map_or(PluginManifest::FILE, |path| path.as_str());
                    texts.extend(plugin::file(self.session, commit.tree, path)?);
                }
                (_, Source::Marketplace(source)) => {
                    texts.extend(plugin::texts_of_marketplace(self.session, commit.tree, &source.plugin)?);
                }
                _ => {}
            }
        }
        if texts.is_empty() { Ok(()) } else { self.session.blobs(&texts) }
    }

    fn open_pinned(&mut self, asked: Asked, pinned: Pinned) -> Answered<Opened> {
        let Pinned { answer, commit } = pinned;
        let Asked { key, source, what, .. } = asked;
        let locked = |reference, plugin| LockedSource {
            request: source.clone(),
            reference,
            commit: Some(to_format(&commit.id)),
            plugin,
        };
        let (locked, directories, warnings) = match (what, &source) {
            (What::Plugin(elsewhere), _) => {
                let plugin = LockedPlugin {
                    url: Some(asked.url),
                    path: elsewhere.path,
                    reference: answer.reference,
                    commit: Some(to_format(&commit.id)),
                    version: None,
                };
                let mut warnings = elsewhere.warnings;
                warnings.extend(answer.warnings);
                let home = Home { key: &key, plugin: &elsewhere.plugin, root: commit.tree, path: &plugin.path };
                match home.read(self.session, false, elsewhere.version.as_ref())? {
                    Ok((version, directories)) => {
                        let plugin = Some(LockedPlugin { version, ..plugin });
                        (LockedSource { plugin, ..elsewhere.market }, directories, warnings)
                    }
                    Err(errors) => return Ok(Err(errors)),
                }
            }
            (What::Pin { known }, Source::Marketplace(market)) => {
                let found = match self.find_plugin(&key, market, commit.tree)? {
                    Ok(found) => found,
                    Err(errors) => return Ok(Err(errors)),
                };
                let mut warnings = answer.warnings;
                warnings.extend(found.warnings);
                let version = match (&market.repository.pin, answer.has_no_tag) {
                    (Pin::Version(version), true) => Some(version.clone()),
                    _ => None,
                };
                let path = match found.plugin.source.clone() {
                    PluginSource::Relative { path, .. } => path,
                    PluginSource::Git { url, path, reference, sha } => {
                        let known = known.and_then(|known| known.plugin);
                        let known = known.filter(|known| known.url.as_ref() == Some(&url) && known.path == path);
                        let elsewhere = Elsewhere {
                            market: locked(answer.reference, None),
                            plugin: found.plugin,
                            path,
                            // A commit counts before a tag or branch, and needs none.
                            pin: reference.filter(|_| sha.is_none()).map_or(Pin::None, Pin::Ref),
                            sha,
                            known,
                            version,
                            warnings,
                        };
                        let what = What::Plugin(Box::new(elsewhere));
                        return Ok(Ok(Opened::Elsewhere(Box::new(Asked { key, source, url, what }))));
                    }
                    _ => {
                        let what = "this version does not know where its plugin lies";
                        return Ok(Err(vec![Error::unanswered(&key, what)]));
                    }
                };
                let home = Home { key: &key, plugin: &found.plugin, root: commit.tree, path: &path };
                match home.read(self.session, path.is_root(), version.as_ref())? {
                    Ok((version, directories)) => {
                        let plugin = LockedPlugin { url: None, path, reference: None, commit: None, version };
                        (locked(answer.reference, Some(plugin)), directories, warnings)
                    }
                    Err(errors) => return Ok(Err(errors)),
                }
            }
            (_, Source::Git(git)) => match discover::directories(self.session, &key, git, commit.tree)? {
                Ok(directories) => (locked(answer.reference, None), directories, answer.warnings),
                Err(error) => return Ok(Err(vec![error])),
            },
            _ => return Ok(Err(vec![Error::unanswered(&key, "it lies in no repository")])),
        };
        Ok(self.select(key, source, locked, directories, warnings).map(|open| Opened::Here(Box::new(open))))
    }

    /// Keeps what the manifest selects.
    fn select(
        &self,
        key: SourceKey,
        source: Source,
        locked: LockedSource,
        directories: Directories,
        mut warnings: Vec<String>,
    ) -> Result<Open, Vec<Error>> {
        let Directories { mut found, details } = directories;
        let rules = FileRules::new(source.select(), self.limits).map_err(|error| vec![error])?;
        let names: Vec<String> = found.iter().map(|found| found.name.clone()).collect();
        let wanted = wanted(&key, source.select(), &names)?;
        found.retain(|found| wanted.contains(found.name.as_str()));
        warnings.extend(idle_selections(&key, source.select(), &names));
        let kind = Kind::Resolved { locked: Box::new(locked), found, warnings, details };
        Ok(Open { key, source, rules, kind })
    }

    /// The entry of the plugin that a source asks for.
    fn find_plugin(
        &mut self,
        key: &SourceKey,
        source: &MarketplaceSource,
        root: gix::ObjectId,
    ) -> Answered<FoundPlugin> {
        let text = match plugin::text(self.session, key, root, Marketplace::FILE)? {
            Ok(Some(text)) => text,
            Ok(None) => {
                let what = format!("the repository is no marketplace: it has no `{}`", Marketplace::FILE);
                let hint = Some("use `\"type\": \"git\"` for a repository of skills".to_owned());
                return Ok(Err(vec![Error::Unanswered { key: key.clone(), what, hint }]));
            }
            Err(error) => return Ok(Err(vec![error])),
        };
        let place = format!("{key}: {}", Marketplace::FILE);
        let at_place = |findings: Vec<helix_skills_format::Finding>| {
            findings.into_iter().map(|finding| Error::Skill { place: place.clone(), finding, exclude: None }).collect()
        };
        let marketplace = match Marketplace::parse(&text) {
            Ok(marketplace) => marketplace.at(&source.repository.url),
            Err(findings) => return Ok(Err(at_place(findings))),
        };
        let mut plugin = match marketplace.plugin(&source.plugin) {
            Ok(plugin) => plugin,
            Err(why) if !why.findings().is_empty() => return Ok(Err(at_place(why.findings().to_vec()))),
            Err(why) => {
                let (what, hint) = (why.to_string(), why.hint());
                return Ok(Err(vec![Error::Unanswered { key: key.clone(), what, hint }]));
            }
        };
        let mut warnings = Vec::new();
        if plugin.name != source.plugin {
            warnings.push(format!(
                "the source `{key}`: the plugin `{}` is called `{}` now; write that into the manifest",
                source.plugin, plugin.name
            ));
        }
        if let PluginSource::Relative { path, otherwise: Some(otherwise) } = &plugin.source
            && !plugin::is_directory(self.session, root, path)?
            && plugin::is_directory(self.session, root, otherwise)?
        {
            warnings.push(format!(
                "the source `{key}`: the plugin `{}` lies in `{otherwise}`, not in `{path}` as the marketplace says",
                plugin.name
            ));
            plugin.source = PluginSource::Relative { path: otherwise.clone(), otherwise: None };
        }
        Ok(Ok(FoundPlugin { plugin, warnings }))
    }

    /// The trees of locked skills, whole: the cheapest fetch there is, where the server plays along.
    fn fetch_locked_trees(&mut self, asked: &[Asked]) -> Result<(), GitError> {
        let (mut trees, mut links) = (Vec::new(), Vec::new());
        for asked in asked {
            let What::Locked { locked, needed } = &asked.what else { continue };
            // The tree of a root skill is the whole repository or plugin: of that only some directories are wanted.
            for skill in needed.iter().filter(|needed| !locked.is_root(&needed.locked.path)) {
                trees.extend(skill.locked.tree.as_ref().map(from_format));
                links.extend(skill.locked.links.values().map(from_format));
            }
        }
        trees.sort_unstable();
        trees.dedup();
        links.sort_unstable();
        links.dedup();
        if !trees.is_empty() {
            // Refused: the commit is asked for instead.
            self.session.whole_trees(&trees, &links)?;
        }
        Ok(())
    }

    fn commit(&mut self, known: &mut Commits, id: gix::ObjectId, reference: Option<&str>) -> Result<Commit, GitError> {
        if let Some(commit) = known.get(&id) {
            return Ok(*commit);
        }
        let commit = self.session.commit(&id, reference)?;
        known.insert(id, commit);
        Ok(commit)
    }
}

/// The entry of a plugin, with what was noticed on the way.
struct FoundPlugin {
    plugin: Plugin,
    warnings: Vec<String>,
}

/// An error that also says where the pin led.
fn at(error: Error, reference: Option<&str>) -> Error {
    match (error, reference) {
        (Error::Unanswered { key, what, hint }, Some(reference)) => {
            Error::Unanswered { key, what: format!("{what} (at {reference})"), hint }
        }
        (error, _) => error,
    }
}

/// Whether the trees of a locked skill came already.
fn has_tree(session: &Session<'_>, needed: &Needed) -> bool {
    needed.locked.tree.as_ref().is_some_and(|tree| session.has(&from_format(tree)))
        && needed.locked.links.values().all(|id| session.has(&from_format(id)))
}
