//! What the caller wrote between the parentheses.

use crate::{
    directory, locked,
    problem::{Help, Problem},
    project::Project,
    skill::Bake,
};
use proc_macro2::{Span, TokenStream, TokenTree};
use std::path::Path;
use syn::{
    Ident, LitStr, Token, bracketed,
    ext::IdentExt as _,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

/// The arguments of `include_skills!`.
pub(crate) struct Args {
    /// The path of the facade, `$crate`.
    pub(crate) facade: TokenStream,
    place: Place,
    only: Option<Only>,
}

/// Where the skills are.
enum Place {
    /// The project of the package that is being compiled.
    Package,
    /// The project in a directory.
    Project(LitStr),
    /// A directory of skills, without manifest and lock.
    Directory(LitStr),
}

/// The names that were asked for.
pub(crate) struct Only(Vec<LitStr>);

impl Args {
    /// Reads the skills into `bake`.
    pub(crate) fn read(&self, package: &Path, bake: &mut Bake) {
        let only = self.only.as_ref();
        match &self.place {
            Place::Directory(dir) => directory::read(package, dir, only, bake),
            Place::Package => locked::read(&Project::of_package(package), Span::call_site(), only, bake),
            Place::Project(dir) => locked::read(&Project::at(package.join(dir.value())), dir.span(), only, bake),
        }
    }
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let facade: TokenTree = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut args = Self { facade: facade.into(), place: Place::Package, only: None };
        if input.peek(LitStr) {
            args.place = Place::Project(input.parse()?);
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
    /// `dir = "…"`, `only = ["…"]`, or nothing before the end.
    fn argument(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.is_empty() {
            return Ok(());
        }
        if input.peek(Token![pub]) || input.peek(Token![mod]) {
            return Err(input.error(
                "`include_skills!` is an expression in this version\n  \
                 help: write `static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();`",
            ));
        }
        let expected = "expected a path in quotes, `dir = \"…\"` or `only = [\"…\"]`";
        let key = input.call(Ident::parse_any).map_err(|error| syn::Error::new(error.span(), expected))?;
        let place = matches!(self.place, Place::Package);
        match key.to_string().as_str() {
            "dir" if place => {
                input.parse::<Token![=]>()?;
                self.place = Place::Directory(input.parse()?);
            }
            "dir" => return Err(syn::Error::new(key.span(), "the place of the skills is given twice")),
            "only" if self.only.is_none() => {
                input.parse::<Token![=]>()?;
                let names;
                bracketed!(names in input);
                let names = Punctuated::<LitStr, Token![,]>::parse_terminated_with(&names, |name| name.parse())?;
                self.only = Some(Only(names.into_iter().collect()));
            }
            "only" => return Err(syn::Error::new(key.span(), "`only` is given twice")),
            _ => return Err(syn::Error::new(key.span(), expected)),
        }
        Ok(())
    }
}

/// Whether the skill `name` was asked for.
pub(crate) fn wanted(only: Option<&Only>, name: &str) -> bool {
    only.is_none_or(|only| only.0.iter().any(|wanted| wanted.value() == name))
}

impl Only {
    /// One problem for each name that is not among `known`, which `file` has; `help` is how to get it there.
    pub(crate) fn unknown(&self, known: &[&str], file: &Path, help: Help) -> Vec<Problem> {
        let unknown = self.0.iter().filter(|name| !known.contains(&name.value().as_str()));
        unknown
            .map(|name| {
                let title = format!("there is no skill `{}`", name.value().escape_debug());
                let problem = Problem::at(name.span(), title).file(file);
                let names = nearest_first(&name.value(), known).iter().map(|n| format!("`{n}`")).collect::<Vec<_>>();
                let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                problem.detail("skills", names).help(help)
            })
            .collect()
    }
}

/// `known` with what `text` is most likely a slip of in front.
fn nearest_first<'k>(text: &str, known: &[&'k str]) -> Vec<&'k str> {
    let mut rest = known.to_vec();
    let mut order = Vec::with_capacity(rest.len());
    while let Some(near) = helix_skills_format::nearest(text, rest.iter().copied()) {
        rest.retain(|name| *name != near);
        order.push(near);
    }
    order.extend(rest);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        assert_eq!(
            nearest_first("relase-notes", &["alpha", "beta", "release-notes"]),
            ["release-notes", "alpha", "beta"]
        );
        assert_eq!(nearest_first("zzz", &["alpha", "beta"]), ["alpha", "beta"]);
    }
}
