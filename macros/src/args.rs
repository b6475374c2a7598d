//! What the caller wrote between the parentheses.

use crate::{
    directory, invisible, locked, module::Module, names::Names, project::Project, search::Search,
    skill::Bake, texts::text,
};
use proc_macro2::{Span, TokenStream, TokenTree};
use std::path::Path;
use syn::{
    Ident, LitStr, Token,
    ext::IdentExt as _,
    parse::{Parse, ParseStream},
};

/// One call of `include_skills!`.
pub(crate) struct Call {
    /// The path of the facade, `$crate`.
    pub(crate) facade: TokenStream,
    /// The module to make; none where the call is an expression.
    pub(crate) module: Option<Module>,
    /// An error here leaves the module to be made: what uses it would be told of it a second time.
    pub(crate) args: syn::Result<Args>,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let facade: TokenTree = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut module = None;
        if Module::is_next(input) {
            module = Some(input.parse()?);
            input.parse::<Option<Token![,]>>()?;
        }
        let args = Args::parse(input);
        if args.is_err() {
            // The parser wants to have seen everything.
            input.parse::<TokenStream>()?;
        }
        Ok(Self { facade: facade.into(), module, args })
    }
}

/// Which skills.
pub(crate) struct Args {
    place: Place,
    pub(crate) names: Names,
    search: Search,
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

impl Args {
    /// Reads the skills into `bake`.
    pub(crate) fn read(&self, package: &Path, bake: &mut Bake) {
        let names = &self.names;
        let project = || match &self.place {
            Place::Project(dir) => Project::at(package.join(dir.value())),
            Place::Package | Place::Directory(_) => Project::of_package(package),
        };
        match &self.place {
            Place::Directory(dir) => directory::read(package, dir, names, bake),
            Place::Package => locked::read(&project(), Span::call_site(), names, bake),
            Place::Project(dir) => locked::read(&project(), dir.span(), names, bake),
        }
        invisible::refuse(project, bake);
        bake.problems.extend(names.hidden(&bake.skills));
        bake.preloaded = names.preloaded();
        bake.search = self.search.options();
    }
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut args =
            Self { place: Place::Package, names: Names::default(), search: Search::default() };
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
    /// `dir = "…"`, `only = ["…"]`, `preload = ["…"]`, `search = ["…"]`, or nothing before
    /// the end.
    fn argument(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.is_empty() {
            return Ok(());
        }
        let expected = "expected a path in quotes, `dir = \"…\"`, `only = [\"…\"]`, `preload = [\"…\"]`, \
                        `search = [\"…\"]`, or `pub mod skills` before all others";
        let key = input
            .call(Ident::parse_any)
            .map_err(|error| syn::Error::new(error.span(), expected))?;
        if key == "dir" {
            if !matches!(self.place, Place::Package) {
                return Err(syn::Error::new(key.span(), "the place of the skills is given twice"));
            }
            self.place = Place::Directory(text(&key, "skills", input)?);
        } else if key == "search" {
            self.search.parse(&key, input)?;
        } else if !self.names.parse(&key, input)? {
            return Err(syn::Error::new(key.span(), expected));
        }
        Ok(())
    }
}
