//! Checks of the manifest's `budget`, in estimated tokens.

use crate::manifest::ManifestBudget;
use crate::{Error, cost};
use helix_skills_format::{SkillMd, SkillName};
use helix_skills_runtime::{Profile, SkillSet, estimated_tokens};
use std::collections::BTreeMap;

/// Maximum number of skills that an error about the catalog names.
const MAX_NAMED: usize = 3;

/// Number of tokens from which the catalog of new skills is worth a warning.
const LARGE_CATALOG: u64 = 4_000;

/// Returns an error for each text over the budget. The catalog is the one that `include_skills!`
/// embeds.
pub(crate) fn overruns(
    budget: &ManifestBudget,
    skills: &BTreeMap<&SkillName, SkillMd>,
) -> Vec<Error> {
    let mut errors = Vec::new();
    for (name, skill) in skills {
        let tokens = tokens(skill.layout.body.len());
        if let Some(budget) = budget.body_tokens.filter(|most| tokens > *most) {
            let what = format!("the body of `{name}`");
            errors.push(Error::budget(&what, tokens, budget, "budget.bodyTokens", &[]));
        }
    }
    if let Some(most) = budget.catalog_tokens {
        let entries: Vec<_> = skills.iter().map(|(name, md)| md.to_catalog_entry(name)).collect();
        errors.extend(catalog(SkillSet::new(&entries), most));
    }
    errors
}

/// Returns a warning if the catalog of new skills is large, and how to reduce it.
pub(crate) fn large_catalog<'s>(
    new: impl Iterator<Item = (&'s SkillName, &'s SkillMd)>,
) -> Option<String> {
    let entries: Vec<_> = new.map(|(name, skill)| skill.to_catalog_entry(name)).collect();
    let (count, tokens) = (entries.len(), tokens(SkillSet::new(&entries).catalog().len()));
    (tokens > LARGE_CATALOG).then(|| {
        format!("the catalog of the {count} new skills costs about {tokens} tokens in each request: select fewer with `include`, or set `budget.catalogTokens`")
    })
}

fn catalog(set: SkillSet<'_>, budget: u64) -> Option<Error> {
    let tokens = tokens(set.catalog().len());
    if tokens <= budget {
        return None;
    }
    let mut parts: Vec<_> =
        set.names().zip(cost::catalog_costs(set, Profile::Helix, None)).collect();
    // A stable sort: entries of equal cost stay in the order of names.
    parts.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let parts = parts.into_iter().filter(|(_, bytes)| *bytes > 0).take(MAX_NAMED);
    let parts: Vec<_> = parts.map(|(name, bytes)| (name.to_owned(), self::tokens(bytes))).collect();
    Some(Error::budget("the catalog", tokens, budget, "budget.catalogTokens", &parts))
}

fn tokens(bytes: usize) -> u64 {
    estimated_tokens(bytes) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_field_and_the_tokens() {
        let text = "---\nname: a\ndescription: Does a.\n---\n1234 6789\n";
        let parsed = SkillMd::parse(text, Some("a"), "SKILL.md").expect("a skill");
        let found = |catalog_tokens, body_tokens| {
            let budget = ManifestBudget { catalog_tokens, body_tokens };
            overruns(&budget, &BTreeMap::from([(&parsed.value.name, parsed.value.clone())]))
        };
        let messages =
            |errors: Vec<Error>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(found(Some(1000), Some(3)).is_empty());
        let over =
            "the body of `a` costs about 3 tokens, over the budget of 2 (`budget.bodyTokens`)";
        assert_eq!(messages(found(None, Some(2))), [over]);
        let errors = messages(found(Some(5), None));
        assert!(errors[0].starts_with("the catalog costs about "), "{errors:?}");
        assert!(
            errors[0].ends_with(
                " over the budget of 5 (`budget.catalogTokens`); the largest are `a` (4)"
            ),
            "{errors:?}"
        );
        assert_eq!(errors.len(), 1);
    }
}
