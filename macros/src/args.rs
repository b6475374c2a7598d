//! The arguments of a call.

use crate::{
    directory, invisible, locked,
    module::Module,
    names::{Names, did_you_mean},
    project::Project,
    skill::Bake,
};
use helix_skills_runtime::{IndexOptions, Words};
use proc_macro2::{TokenStream, TokenTree};
use std::path::Path;
use syn::{
    Error, Ident, LitStr, Result, Token, bracketed,
    ext::IdentExt as _,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
    token,
};

/// One call of `include_skills!`.
pub(crate) struct Call {
    /// The path of the facade, `$crate`.
    pub(crate) facade: TokenStream,
    /// The module to generate; `None` if the call is an expression.
    pub(crate) module: Option<Module>,
    /// If this is an error, the module is generated without skills, so that its uses compile.
    pub(crate) args: Result<Args>,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let facade: TokenTree = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut module = None;
        if Module::is_next(input) {
            module = Some(input.parse()?);
            input.parse::<Option<Token![,]>>()?;
        }
        let args = Args::parse(input);
        if args.is_err() {
            // syn requires that all input is consumed.
            input.parse::<TokenStream>()?;
        }
        Ok(Self { facade: facade.into(), module, args })
    }
}

/// The selection of skills.
#[derive(Default)]
pub(crate) struct Args {
    /// The directory of the project whose skills are baked; `None` for the project of the package
    /// that is being compiled.
    project: Option<LitStr>,
    /// A directory of skills without manifest and lockfile, which is baked instead.
    directory: Option<LitStr>,
    only: Option<Vec<LitStr>>,
    preload: Option<Vec<LitStr>>,
    search: Option<IndexOptions>,
}

impl Args {
    /// Reads the skills into `bake`.
    pub(crate) fn read(self, package: &Path, bake: &mut Bake) {
        let names = Names { only: self.only, preload: self.preload.unwrap_or_default() };
        let project = match &self.project {
            Some(dir) => Ok(Project { dir: package.join(dir.value()) }),
            None => Project::find(package),
        };
        let project = match project {
            Ok(project) => project,
            Err(problem) => return bake.problems.push(problem),
        };
        match &self.directory {
            Some(dir) => directory::read(package, dir, &names, bake),
            None => {
                let span = self.project.as_ref().map(LitStr::span);
                locked::read(&project, span, &names, bake);
            }
        }
        invisible::check(&project, bake);
        bake.problems.extend(names.hidden(&bake.skills));
        bake.preloaded = names.preloaded();
        bake.search = self.search.unwrap_or_default();
    }
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Self::default();
        if input.peek(LitStr) {
            args.project = Some(input.parse()?);
        } else {
            args.argument(input)?;
        }
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            args.argument(input)?;
        }
        Ok(args)
    }
}

impl Args {
    /// Parses `dir = "…"`, `only = ["…"]`, `preload = ["…"]`, `search = ["…"]`, or the end
    /// of the input.
    fn argument(&mut self, input: ParseStream<'_>) -> Result<()> {
        if input.is_empty() {
            return Ok(());
        }
        let expected = "expected a path as a string, `dir = \"…\"`, `only = [\"…\"]`, `preload = [\"…\"]`, \
                        `search = [\"…\"]`, or `pub mod skills` before all others";
        let key =
            input.call(Ident::parse_any).map_err(|error| Error::new(error.span(), expected))?;
        let name = key.to_string();
        match &*name {
            "dir" if self.project.is_some() || self.directory.is_some() => {
                return Err(Error::new(key.span(), "the location of the skills is given twice"));
            }
            "dir" => {
                let expected = "expected a string: `dir = \"skills\"`";
                equals(input, expected)?;
                let text = input.parse().map_err(|error: Error| Error::new(error.span(), expected));
                self.directory = Some(text?);
            }
            "only" if self.only.is_none() => self.only = Some(strings(&name, "name", input)?),
            "preload" if self.preload.is_none() => {
                self.preload = Some(strings(&name, "name", input)?);
            }
            "search" if self.search.is_none() => {
                self.search = Some(index_options(&strings(&name, "unicode", input)?)?);
            }
            "only" | "preload" | "search" => {
                return Err(Error::new(key.span(), format!("`{name}` is given twice")));
            }
            _ => {
                let meant = did_you_mean(&name, &["dir", "only", "preload", "search"]);
                let message = meant.map(|meant| format!("unknown argument `{name}`; {meant}"));
                return Err(Error::new(key.span(), message.as_deref().unwrap_or(expected)));
            }
        }
        Ok(())
    }
}

fn equals(input: ParseStream<'_>, expected: &str) -> Result<()> {
    input.parse::<Token![=]>().map(|_| ()).map_err(|error| Error::new(error.span(), expected))
}

/// Parses `= ["…", …]` after `key`; `example` is an example of a value.
fn strings(key: &str, example: &str, input: ParseStream<'_>) -> Result<Vec<LitStr>> {
    let expected = format!("expected a list of strings: `{key} = [\"{example}\"]`");
    equals(input, &expected)?;
    if !input.peek(token::Bracket) {
        return Err(input.error(expected));
    }
    let list;
    bracketed!(list in input);
    let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&list);
    // syn requires that all input is consumed, and reports that error otherwise.
    list.parse::<TokenStream>()?;
    let texts = texts.map_err(|error| Error::new(error.span(), expected))?;
    Ok(texts.into_iter().collect())
}

/// Reads the options of the search index: fields in addition to names and descriptions, and the
/// kind of words.
fn index_options(texts: &[LitStr]) -> Result<IndexOptions> {
    let mut options = IndexOptions::new();
    for text in texts {
        options = match text.value().as_str() {
            "unicode" => options.words(Words::Unicode),
            "when_to_use" => options.when_to_use(true),
            "body" => options.body(true),
            unknown => {
                let meant = did_you_mean(unknown, &["unicode", "when_to_use", "body"]);
                let message = meant.map_or_else(
                    || "expected `\"unicode\"`, `\"when_to_use\"` or `\"body\"`".to_owned(),
                    |meant| format!("unknown option; {meant}"),
                );
                return Err(Error::new(text.span(), message));
            }
        };
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str) -> std::result::Result<IndexOptions, String> {
        let args: Result<Args> = syn::parse_str(text);
        args.map(|args| args.search.unwrap_or_default()).map_err(|error| error.to_string())
    }

    #[test]
    fn fields_and_words_can_be_set() {
        assert_eq!(search(""), Ok(IndexOptions::new()));
        assert_eq!(search("search = []"), Ok(IndexOptions::new()));
        let all = IndexOptions::new().words(Words::Unicode).when_to_use(true).body(true);
        assert_eq!(search("search = [\"body\", \"unicode\", \"when_to_use\",]"), Ok(all));
    }

    #[test]
    fn errors_list_valid_values() {
        let error = |text: &str| search(text).unwrap_err();
        assert_eq!(error("search = [\"bod\"]"), "unknown option; did you mean `body`?");
        assert_eq!(
            error("search = [\"all\"]"),
            "expected `\"unicode\"`, `\"when_to_use\"` or `\"body\"`"
        );
        assert_eq!(search("search = [], search = []").unwrap_err(), "`search` is given twice");
        assert!(search("search = body").is_err() && search("search").is_err());
    }
}
