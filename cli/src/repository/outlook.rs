//! What a sync would find upstream, and whether upstream still has what was locked.

use super::{Asked, Kind, Repository, What, asked::Proof, from_format, resolve::Release};
use crate::{Error, Upstream, git::Git, project::Project, sync::Before};
use helix_skills_format::{Limits, LockedSource, Pin, RefName, SkillName, Source, SourceKey};
use std::collections::BTreeMap;

/// How a locked source stands to its upstream.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outlook {
    /// The source.
    pub key: SourceKey,
    /// What is locked.
    pub current: LockedSource,
    /// What is to be had.
    pub state: State,
    /// What is wrong: a tag that no longer means the locked commit, a tree that the locked commit does not have, no access.
    /// With errors of access, nothing is known of the rest.
    pub errors: Vec<Error>,
}

/// What is to be had upstream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct State {
    /// What the pin means now; none where it could not be resolved.
    pub within: Option<LockedSource>,
    /// The newest release, whatever the pin allows; none where there are no releases, or the source has none.
    pub newest: Option<Release>,
    /// Locked skills that have other files there.
    pub changed: Vec<SkillName>,
    /// How locked skills went on.
    pub upstream: Upstream,
}

impl Outlook {
    /// Whether an update would lock another commit, or other skills.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        let commits = |source: &LockedSource| (source.commit.clone(), source.skills_commit().cloned());
        self.state.within.as_ref().is_some_and(|within| commits(within) != commits(&self.current))
    }
}

/// A piece of an outlook.
enum Piece {
    State(SourceKey, Box<State>),
    Errors(Vec<SourceKey>, Vec<Error>),
}

impl Git {
    /// Asks upstream how it stands with locked sources that lie in repositories.
    pub(crate) fn outlook(
        &self,
        project: &Project,
        limits: Limits,
        sources: Vec<(SourceKey, Source, Before)>,
    ) -> Vec<Outlook> {
        let asked = sources.iter().flat_map(|(key, source, before)| asked(key, source, before)).collect();
        let look = |repository: Repository<'_, '_>, asked, elsewhere: &mut _| repository.look(asked, elsewhere);
        let pieces = self.ask(project, limits, asked, look, |keys, error| Piece::Errors(keys, vec![error]));
        let mut outlooks: BTreeMap<SourceKey, Outlook> = BTreeMap::new();
        for (key, _, before) in sources {
            let state = State::default();
            outlooks.insert(key.clone(), Outlook { key, current: before.source, state, errors: Vec::new() });
        }
        for piece in pieces {
            match piece {
                Piece::State(key, state) => {
                    if let Some(outlook) = outlooks.get_mut(&key) {
                        outlook.state = *state;
                    }
                }
                Piece::Errors(mut keys, errors) => {
                    // Trouble with a repository is told once, with the first of its sources.
                    keys.sort();
                    if let Some(outlook) = keys.first().and_then(|key| outlooks.get_mut(key)) {
                        outlook.errors.extend(errors);
                    }
                }
            }
        }
        outlooks.into_values().collect()
    }
}

/// All that is asked for one source: what its pin means now, and for each repository that was locked, whether it still has
/// what was locked.
fn asked(key: &SourceKey, source: &Source, before: &Before) -> Vec<Asked> {
    let Some(repository) = source.repository() else { return Vec::new() };
    let ask = |url: &helix_skills_format::GitUrl, what| Asked {
        key: key.clone(),
        source: source.clone(),
        url: url.clone(),
        what,
        looks: true,
    };
    let proof = |commit: &helix_skills_format::ObjectId, reference: Option<&str>, skills| {
        let tag = reference.filter(|name| name.starts_with("refs/tags/")).and_then(|name| RefName::new(name).ok());
        What::Proof(Proof { commit: commit.clone(), tag: tag.map(Pin::Ref), skills })
    };
    let mut asked = vec![ask(&repository.url, What::Pin { known: None, before: Some(Box::new(before.clone())) })];
    let locked = &before.source;
    if let (Some(url), Some(commit)) = (locked.skills_url(), locked.skills_commit()) {
        asked.push(ask(url, proof(commit, locked.skills_reference(), before.skills.clone())));
    }
    // The first hop, where the skills lie behind a second one.
    if let (Some(commit), Some(market)) = (&locked.commit, locked.request.repository())
        && locked.skills_url() != Some(&market.url)
    {
        asked.push(ask(&market.url, proof(commit, locked.reference.as_deref(), Vec::new())));
    }
    asked
}

impl Repository<'_, '_> {
    fn look(mut self, asked: Vec<Asked>, elsewhere: &mut Vec<Asked>) -> Vec<Piece> {
        let mut failed = Vec::new();
        let keys: Vec<SourceKey> = asked.iter().map(|asked| asked.key.clone()).collect();
        let before: BTreeMap<SourceKey, Before> = asked.iter().filter_map(before).collect();
        let mut pieces = Vec::new();
        match self.open(asked, &mut failed, elsewhere) {
            Err(error) => pieces.push(Piece::Errors(keys, vec![error.into()])),
            Ok(open) => {
                for open in open {
                    let Kind::Resolved { locked, found, upstream, .. } = open.kind else { continue };
                    let skills = before.get(&open.key).map_or(&[][..], |before| &before.skills);
                    let is_changed = |(_, skill): &&(SkillName, helix_skills_format::LockedSkill)| {
                        let now = found.iter().find(|found| found.path == skill.path);
                        now.is_some_and(|now| now.tree != skill.tree.as_ref().map(from_format))
                    };
                    let changed = skills.iter().filter(is_changed).map(|(name, _)| name.clone()).collect();
                    let (within, upstream) = (Some(*locked), upstream.unwrap_or_default());
                    let state = State { within, newest: open.newest, changed, upstream };
                    pieces.push(Piece::State(open.key, Box::new(state)));
                }
            }
        }
        pieces.extend(failed.into_iter().map(|(key, error)| Piece::Errors(vec![key], vec![error])));
        pieces
    }
}

/// What is compared for a source.
fn before(asked: &Asked) -> Option<(SourceKey, Before)> {
    let before = match &asked.what {
        What::Pin { before, .. } => before.as_ref(),
        What::Plugin(elsewhere) => elsewhere.before.as_ref(),
        What::Locked { .. } | What::Proof(_) => None,
    };
    Some((asked.key.clone(), Before::clone(before?)))
}
