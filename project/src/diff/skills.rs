//! Compares the skills of two sides.

use super::{
    Comparison, NamedSkill, files,
    side::{LockedSide, Side},
};
use crate::{Error, sync::has_same_files};
use helix_skills_format::{LockedSkill, SkillName};
use serde_json::{Value, json};
use std::collections::BTreeSet;

type Skill<'a> = (&'a SkillName, &'a LockedSkill);

/// How a comparison is shown.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    /// The number of unchanged lines around each change.
    pub(super) context: usize,
    /// The warning if text is missing; `PLACE` stands for the old directory of the skill.
    pub(super) hint: &'static str,
}

impl Comparison {
    /// Adds the skills that differ, sorted by their newest names. They are matched by name, else by
    /// source and directory, else by their bytes.
    pub(super) fn add_skills<'a>(
        &mut self,
        [older, newer]: [&LockedSide<'_>; 2],
        (mut old, mut new): (Vec<Skill<'a>>, Vec<Skill<'a>>),
        new_files: impl Fn(NamedSkill<'a>, &mut BTreeSet<String>) -> Result<Option<Side>, Error>,
        shown: Shown,
    ) -> Result<(), Error> {
        let has_same_name = |a: Skill<'_>, b: Skill<'_>| a.0 == b.0;
        let is_in_same_place =
            |a: Skill<'_>, b: Skill<'_>| (&a.1.source, &a.1.path) == (&b.1.source, &b.1.path);
        let has_same_bytes = |a: Skill<'_>, b: Skill<'_>| a.1.integrity == b.1.integrity;
        let rules: [&dyn Fn(Skill<'_>, Skill<'_>) -> bool; 3] =
            [&has_same_name, &is_in_same_place, &has_same_bytes];
        let mut pairs: Vec<[NamedSkill<'a>; 2]> = Vec::new();
        for is_same in rules {
            old.retain(|before| match new.iter().position(|after| is_same(*before, *after)) {
                Some(at) => {
                    pairs.push([Some(*before), Some(new.remove(at))]);
                    false
                }
                None => true,
            });
        }
        pairs.extend(old.into_iter().map(|before| [Some(before), None]));
        pairs.extend(new.into_iter().map(|after| [None, Some(after)]));
        pairs.sort_by_key(|[before, after]| after.or(*before).map(|(name, _)| name));
        for [before, after] in pairs {
            let kind = match (before, after) {
                (None, _) => "added",
                (_, None) => "removed",
                (Some(before), Some(after)) if !has_same_name(before, after) => "renamed",
                (Some(before), Some(after)) if !is_in_same_place(before, after) => "moved",
                (Some(before), Some(after)) if has_same_files(before.1, after.1) => continue,
                _ => "changed",
            };
            let sides = match before.zip(after) {
                Some((before, after)) if has_same_bytes(before, after) => {
                    [Some(Side::new()), Some(Side::new())]
                }
                _ => {
                    let old = older.files(before, &mut self.warnings)?;
                    [old, new_files(after, &mut self.warnings)?]
                }
            };
            self.add(kind, [older.document(before), newer.document(after)], sides, shown);
        }
        Ok(())
    }

    /// Adds a skill that differs, and returns its document.
    pub(super) fn add(
        &mut self,
        kind: &str,
        [before, after]: [Value; 2],
        [old, new]: [Option<Side>; 2],
        shown: Shown,
    ) -> &mut Value {
        let newest = if after.is_null() { &before } else { &after };
        let oldest = if before.is_null() { &after } else { &before };
        let places = [oldest, newest].map(|side| side["directory"].as_str().unwrap_or_default());
        let missing = json!({ "before": old.is_none(), "after": new.is_none() });
        let files = old.zip(new);
        let files = files.map(|(old, new)| files::compare(&old, &new, places, shown.context));
        let is_unavailable = |file: &Value| file["shown"] == "unavailable";
        if files.as_ref().is_none_or(|files| files.iter().any(is_unavailable)) {
            self.warnings.insert(shown.hint.replace("PLACE", places[0]));
        }
        let at = self.skills.len();
        self.skills.push(json!({
            "name": newest["name"],
            "change": kind,
            "before": before,
            "after": after,
            "missing": files.is_none().then_some(missing),
            "files": files,
        }));
        &mut self.skills[at]
    }
}
