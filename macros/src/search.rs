//! The argument with the options of the search index: `search = […]`.

use crate::{names::did_you_mean, strings::parse_strings};
use helix_skills_runtime::{IndexOptions, Words};
use syn::parse::ParseStream;

/// The options of the index: fields in addition to names and descriptions, and the kind of words.
#[derive(Default)]
pub(crate) struct Search(Option<IndexOptions>);

impl Search {
    /// Parses `= ["unicode", "when_to_use", "body"]` after the key, with any of these values.
    pub(crate) fn parse(&mut self, key: &syn::Ident, input: ParseStream<'_>) -> syn::Result<()> {
        if self.0.is_some() {
            return Err(syn::Error::new(key.span(), "`search` is given twice"));
        }
        let mut options = IndexOptions::new();
        for option in parse_strings(key, "unicode", input)? {
            options = match option.value().as_str() {
                "unicode" => options.words(Words::Unicode),
                "when_to_use" => options.when_to_use(true),
                "body" => options.body(true),
                text => {
                    let meant = did_you_mean(text, &["unicode", "when_to_use", "body"]);
                    let expected = "expected `\"unicode\"`, `\"when_to_use\"` or `\"body\"`";
                    let message = meant.map(|meant| format!("unknown option; {meant}"));
                    let message = message.as_deref().unwrap_or(expected);
                    return Err(syn::Error::new(option.span(), message));
                }
            };
        }
        self.0 = Some(options);
        Ok(())
    }

    /// Returns the options [default: `IndexOptions::new()`].
    pub(crate) fn options(&self) -> IndexOptions {
        self.0.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{Ident, Token, parse::Parser as _};

    fn parse(text: &str) -> Result<IndexOptions, String> {
        let read = |input: ParseStream<'_>| {
            let mut search = Search::default();
            while !input.is_empty() {
                let key: Ident = input.parse()?;
                search.parse(&key, input)?;
                input.parse::<Option<Token![,]>>()?;
            }
            Ok(search.options())
        };
        read.parse_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn fields_and_words_can_be_set() {
        assert_eq!(parse(""), Ok(IndexOptions::new()));
        assert_eq!(parse("search = []"), Ok(IndexOptions::new()));
        let all = IndexOptions::new().words(Words::Unicode).when_to_use(true).body(true);
        assert_eq!(parse("search = [\"body\", \"unicode\", \"when_to_use\",]"), Ok(all));
    }

    #[test]
    fn errors_list_valid_values() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(error("search = [\"bod\"]"), "unknown option; did you mean `body`?");
        assert_eq!(
            error("search = [\"all\"]"),
            "expected `\"unicode\"`, `\"when_to_use\"` or `\"body\"`"
        );
        assert_eq!(parse("search = [], search = []").unwrap_err(), "`search` is given twice");
        assert!(parse("search = body").is_err() && parse("search").is_err());
    }
}
