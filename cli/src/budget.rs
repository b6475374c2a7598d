//! The manifest's `budget`: what the text that a model reads may cost, in estimated tokens.

use crate::Error;
use helix_skills_format::{Budget, SkillMd, SkillName};
use helix_skills_runtime::{SkillSetBuf, estimated_tokens};

/// Everything that is over the budget. The catalog is the one that `include_skills!` bakes; `skills` are sorted by name.
pub(crate) fn overruns(budget: &Budget, skills: &[(&SkillName, &SkillMd)]) -> Vec<Error> {
    let mut errors = Vec::new();
    let mut limit = |what: String, bytes: usize, limit: Option<u64>, field| {
        let tokens = estimated_tokens(bytes) as u64;
        if let Some(limit) = limit.filter(|limit| tokens > *limit) {
            errors.push(Error::Limit { what: format!("{what} with about {tokens} tokens"), limit, field });
        }
    };
    for (name, skill) in skills {
        limit(format!("the body of `{name}`"), skill.layout.body.len(), budget.body_tokens, "budget.bodyTokens");
    }
    let mut entries = SkillSetBuf::new();
    for (name, md) in skills {
        entries.replace(md.to_entry(name));
    }
    let catalog = entries.view(|set| set.catalog().len());
    limit("the catalog".to_owned(), catalog, budget.catalog_tokens, "budget.catalogTokens");
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_names_its_field_and_its_tokens() {
        let text = "---\nname: a\ndescription: Does a.\n---\n1234 6789\n";
        let parsed = SkillMd::parse(text, Some("a"), "SKILL.md").expect("a skill");
        let found = |catalog_tokens, body_tokens| {
            let budget = Budget { catalog_tokens, body_tokens };
            let errors = overruns(&budget, &[(&parsed.skill.name, &parsed.skill)]);
            errors.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert!(found(Some(1000), Some(3)).is_empty());
        assert_eq!(
            found(None, Some(2)),
            ["the body of `a` with about 3 tokens is over the limit of 2 (`budget.bodyTokens`)"]
        );
        assert_eq!(found(Some(5), None).len(), 1);
    }
}
