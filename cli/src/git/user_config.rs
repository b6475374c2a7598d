//! What is taken from the user's git configuration: `url.<base>.insteadOf`, and nothing else.

use gix::bstr::{BStr, BString};

use super::error::Cause;

/// The user's `url.<base>.insteadOf` rules.
#[derive(Debug, Default)]
pub(super) struct Rewrites {
    /// What a url starts with, and what that becomes.
    rules: Vec<(BString, BString)>,
}

impl Rewrites {
    /// Reads the configuration of the system and of the user. No program is started.
    ///
    /// # Errors
    /// The configuration cannot be parsed.
    pub(super) fn load() -> Result<Self, Cause> {
        // The defaults never start `git` to ask where its configuration is.
        let file = gix::config(None, &gix::open::Options::default()).map_err(|error| Cause::of_gix(&error))?;
        Ok(Self::of(&file))
    }

    fn of(file: &gix::config::File) -> Self {
        let mut rules = Vec::new();
        for section in file.sections_by_name("url").into_iter().flatten() {
            // Files that belong to somebody else do not decide where requests go.
            if section.meta().trust != gix::sec::Trust::Full {
                continue;
            }
            let Some(base) = section.header().subsection_name() else { continue };
            for start in section.values("insteadOf") {
                rules.push((BStr::new(&*start).to_owned(), base.to_owned()));
            }
        }
        Self { rules }
    }

    /// The url after the rule with the longest match, the first of equals, as in git. None when no rule matches.
    pub(super) fn apply(&self, url: &str) -> Option<String> {
        let mut best: Option<&(BString, BString)> = None;
        for rule in &self.rules {
            let is_match = !rule.0.is_empty() && url.as_bytes().starts_with(&rule.0);
            if is_match && best.is_none_or(|best| best.0.len() < rule.0.len()) {
                best = Some(rule);
            }
        }
        let (start, base) = best?;
        let mut rewritten = base.to_vec();
        rewritten.extend_from_slice(&url.as_bytes()[start.len()..]);
        String::from_utf8(rewritten).ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_longest_match_wins() {
        let text = "[url \"http://127.0.0.1:1/\"]\n\tinsteadOf = https://github.com/\n\
                    [url \"http://127.0.0.1:2/\"]\n\tinsteadOf = https://github.com/a/\n\tinsteadOf = gh:\n\
                    [url \"http://127.0.0.1:3/\"]\n\tinsteadOf = https://github.com/a/\n\tpushInsteadOf = https://example.com/\n";
        let rewrites = Rewrites::of(&text.parse().unwrap());
        let apply = |url| rewrites.apply(url);
        assert_eq!(apply("https://github.com/b/r.git").as_deref(), Some("http://127.0.0.1:1/b/r.git"));
        assert_eq!(apply("https://github.com/a/r.git").as_deref(), Some("http://127.0.0.1:2/r.git"));
        assert_eq!(apply("gh:r").as_deref(), Some("http://127.0.0.1:2/r"));
        assert_eq!(apply("https://example.com/r"), None);
    }
}
