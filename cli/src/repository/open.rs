//! From what is asked to directories whose trees are here.

use super::{
    Answered, Asked, Kind, Open, Repository, What,
    asked::{Elsewhere, Proof, sha_of},
    discover::{self, Directories},
    from_format,
    links::Target,
    plugin::{self, Home},
    resolve::{self, Answer, Question},
    to_format, upstream,
};
use crate::{
    Error,
    candidate::{idle_selections, wanted},
    contents::FileRules,
    git::{Commit, GitError, GitErrorKind, Session},
    sync::{Needed, Upstream},
};
use gix::objs::tree::EntryKind;
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
        failed: &mut Vec<(SourceKey, Error)>,
        elsewhere: &mut Vec<Asked>,
    ) -> Result<Vec<Open>, GitError> {
        let (asked, foreign): (Vec<_>, Vec<_>) = asked.into_iter().partition(|asked| !asked.names_sha256());
        failed.extend(foreign.into_iter().map(|asked| {
            let what =
                "it names an object by 64 digits: repositories with SHA-256 ids are not supported yet".to_owned();
            let hint = Some("name the commit by its 40 digits".to_owned());
            (asked.key.clone(), Error::Unanswered { key: asked.key, what, hint })
        }));
        let questions: Vec<Question<'_>> = asked.iter().filter_map(Asked::question).collect();
        let answers = resolve::pins(self.session, &questions)?;
        let mut wants: Vec<gix::ObjectId> = answers.iter().flatten().map(|answer| answer.commit).collect();
        wants.extend(asked.iter().filter_map(Asked::locked_commit).map(from_format));
        self.session.prefetch_commits(&wants)?;
        self.fetch_locked_trees(&asked)?;
        let mut answers = answers.into_iter();
        let mut commits = Commits::new();
        let (mut pinned, mut open) = (Vec::new(), Vec::new());
        for asked in asked {
            let answer = asked.question().is_some().then(|| answers.next()).flatten();
            let key = asked.key.clone();
            match asked {
                Asked { key, source, what: What::Locked { locked, needed }, .. } => {
                    match self.open_locked(key.clone(), source, locked, needed, &mut commits)? {
                        Ok(opened) => open.push(opened),
                        Err(error) => failed.push((key, error)),
                    }
                }
                Asked { key, what: What::Proof(proof), .. } => {
                    let errors = self.prove(&key, &proof, answer, &mut commits)?;
                    failed.extend(errors.into_iter().map(|error| (key.clone(), error)));
                }
                asked => match answer {
                    Some(Ok(answer)) => match self.pinned(&asked, answer, &mut commits)? {
                        Ok(found) => pinned.push((asked, found)),
                        Err(error) => failed.push((key, error)),
                    },
                    Some(Err(error)) => failed.push((key, error)),
                    // There is an answer to each question.
                    None => {}
                },
            }
        }
        self.fetch_texts(&pinned)?;
        for (asked, pinned) in pinned {
            let (key, reference) = (asked.key.clone(), pinned.answer.reference.clone());
            match self.open_pinned(asked, pinned)? {
                Ok(Opened::Here(opened)) => open.push(*opened),
                Ok(Opened::Elsewhere(asked)) => elsewhere.push(*asked),
                Err(errors) => {
                    failed.extend(errors.into_iter().map(|error| (key.clone(), at(error, reference.as_deref()))));
                }
            }
        }
        Ok(open)
    }

    /// Whether a tag still means the commit that was locked, and the commit still has the trees that were locked.
    fn prove(
        &mut self,
        key: &SourceKey,
        proof: &Proof,
        answer: Option<Result<Answer, Error>>,
        commits: &mut Commits,
    ) -> Result<Vec<Error>, GitError> {
        let mut errors = Vec::new();
        let tag = match &proof.tag {
            Some(Pin::Ref(name)) => name.as_str(),
            _ => "",
        };
        let commit = proof.commit.clone();
        match answer {
            Some(Ok(answer)) if answer.commit != from_format(&commit) => errors.push(Error::Moved {
                what: format!("the source `{key}`: the tag `{tag}`"),
                asserted: "the lock",
                expected: commit.to_string(),
                found: answer.commit.to_string(),
            }),
            Some(Err(_)) => {
                errors.push(Error::Vanished {
                    what: format!("the source `{key}`: the tag `{tag}`"),
                    commit: commit.clone(),
                });
            }
            _ => {}
        }
        if proof.skills.is_empty() {
            return Ok(errors);
        }
        let root = match self.commit(commits, from_format(&commit), None) {
            Ok(found) => found.tree,
            Err(error) if error.kind() == GitErrorKind::NotFound => {
                errors.push(Error::Vanished { what: format!("the source `{key}`: the locked commit"), commit });
                return Ok(errors);
            }
            Err(error) => return Err(error),
        };
        for (name, skill) in &proof.skills {
            let found = match plugin::follow(self.session, root, skill.path.as_str())? {
                Target::Object { kind: EntryKind::Tree, id, .. } => Some(to_format(&id)),
                _ => None,
            };
            let Some(expected) = skill.tree.clone().filter(|tree| found.as_ref() != Some(tree)) else { continue };
            let (skill, path, commit) = (name.clone(), skill.path.clone(), commit.clone());
            errors.push(Error::Foreign { skill, commit, path, expected, found });
        }
        Ok(errors)
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
        Ok(Ok(Open { key, source, rules, newest: None, kind }))
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
        let Pinned { mut answer, commit } = pinned;
        let mut newest = answer.newest.take();
        let Asked { key, source, what, looks, .. } = asked;
        let locked = |reference, plugin| LockedSource {
            request: source.clone(),
            reference,
            commit: Some(to_format(&commit.id)),
            plugin,
        };
        let (locked, directories, warnings, before) = match (what, &source) {
            (What::Plugin(elsewhere), _) => {
                let plugin = LockedPlugin {
                    url: Some(asked.url),
                    path: elsewhere.path,
                    reference: answer.reference,
                    commit: Some(to_format(&commit.id)),
                    version: None,
                };
                let mut warnings = elsewhere.warnings;
                newest = elsewhere.newest;
                warnings.extend(answer.warnings);
                let home = Home { key: &key, plugin: &elsewhere.plugin, root: commit.tree, path: &plugin.path };
                match home.read(self.session, false, elsewhere.version.as_ref())? {
                    Ok((version, directories)) => {
                        let plugin = Some(LockedPlugin { version, ..plugin });
                        (LockedSource { plugin, ..elsewhere.market }, directories, warnings, elsewhere.before)
                    }
                    Err(errors) => return Ok(Err(errors)),
                }
            }
            (What::Pin { known, before }, Source::Marketplace(market)) => {
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
                            newest,
                            market: locked(answer.reference, None),
                            plugin: found.plugin,
                            path,
                            // A commit counts before a tag or branch, and needs none.
                            pin: reference.filter(|_| sha.is_none()).map_or(Pin::None, Pin::Ref),
                            sha,
                            known,
                            version,
                            before,
                            warnings,
                        };
                        let what = What::Plugin(Box::new(elsewhere));
                        return Ok(Ok(Opened::Elsewhere(Box::new(Asked { key, source, url, what, looks }))));
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
                        (locked(answer.reference, Some(plugin)), directories, warnings, before)
                    }
                    Err(errors) => return Ok(Err(errors)),
                }
            }
            (What::Pin { before, .. }, Source::Git(git)) => {
                match discover::directories(self.session, &key, git, commit.tree)? {
                    Ok(directories) => (locked(answer.reference, None), directories, answer.warnings, before),
                    Err(error) => return Ok(Err(vec![error])),
                }
            }
            _ => return Ok(Err(vec![Error::unanswered(&key, "it lies in no repository")])),
        };
        let upstream = match before {
            Some(before) => Some(upstream::compare(self.session, &before, &directories.found)?),
            None => None,
        };
        let open = self.select(key, source, locked, directories, upstream, warnings);
        let open = open.map(|open| Open { newest, ..open });
        Ok(open.map(|open| Opened::Here(Box::new(open))))
    }

    /// Keeps what the manifest selects.
    fn select(
        &self,
        key: SourceKey,
        source: Source,
        locked: LockedSource,
        directories: Directories,
        upstream: Option<Upstream>,
        mut warnings: Vec<String>,
    ) -> Result<Open, Vec<Error>> {
        let Directories { mut found, details } = directories;
        let rules = FileRules::new(source.select(), self.limits).map_err(|error| vec![error])?;
        let names: Vec<String> = found.iter().map(|found| found.name.clone()).collect();
        let nothing = Upstream::default();
        let wanted = wanted(&key, source.select(), &names, upstream.as_ref().unwrap_or(&nothing))?;
        found.retain(|found| wanted.contains(found.name.as_str()));
        warnings.extend(idle_selections(&key, source.select(), &names));
        let kind = Kind::Resolved { locked: Box::new(locked), found, upstream, warnings, details };
        Ok(Open { key, source, rules, newest: None, kind })
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
