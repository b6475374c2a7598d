//! The arguments of a call.

use crate::{
    directory, invisible, locked,
    module::Module,
    names::{Names, did_you_mean},
    project::Project,
    search::Search,
    skill::Bake,
    strings::parse_string,
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
    /// The module to generate; `None` if the call is an expression.
    pub(crate) module: Option<Module>,
    /// If this is an error, the module is generated without skills, so that its uses compile.
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
            // syn requires that all input is consumed.
            input.parse::<TokenStream>()?;
        }
        Ok(Self { facade: facade.into(), module, args })
    }
}

/// The selection of skills.
pub(crate) struct Args {
    location: SkillLocation,
    pub(crate) names: Names,
    search: Search,
}

/// Where to read the skills from.
enum SkillLocation {
    /// The project of the package that is being compiled.
    Package,
    /// The project in a directory.
    Project(LitStr),
    /// A directory of skills, without manifest and lockfile.
    Directory(LitStr),
}

impl Args {
    /// Reads the skills into `bake`.
    pub(crate) fn read(&self, package: &Path, bake: &mut Bake) {
        let names = &self.names;
        let project = || match &self.location {
            SkillLocation::Project(dir) => Project::new(package.join(dir.value())),
            SkillLocation::Package | SkillLocation::Directory(_) => Project::find(package),
        };
        match &self.location {
            SkillLocation::Directory(dir) => directory::read(package, dir, names, bake),
            SkillLocation::Package => locked::read(&project(), Span::call_site(), names, bake),
            SkillLocation::Project(dir) => locked::read(&project(), dir.span(), names, bake),
        }
        invisible::check(project, bake);
        bake.problems.extend(names.hidden(&bake.skills));
        bake.preloaded = names.preloaded();
        bake.search = self.search.options();
    }
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut args = Self {
            location: SkillLocation::Package,
            names: Names::default(),
            search: Search::default(),
        };
        if input.peek(LitStr) {
            args.location = SkillLocation::Project(input.parse()?);
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
    fn argument(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.is_empty() {
            return Ok(());
        }
        let expected = "expected a path as a string, `dir = \"…\"`, `only = [\"…\"]`, `preload = [\"…\"]`, \
                        `search = [\"…\"]`, or `pub mod skills` before all others";
        let key = input
            .call(Ident::parse_any)
            .map_err(|error| syn::Error::new(error.span(), expected))?;
        if key == "dir" {
            if !matches!(self.location, SkillLocation::Package) {
                return Err(syn::Error::new(
                    key.span(),
                    "the location of the skills is given twice",
                ));
            }
            self.location = SkillLocation::Directory(parse_string(&key, "skills", input)?);
        } else if key == "search" {
            self.search.parse(&key, input)?;
        } else if !self.names.parse(&key, input)? {
            let meant = did_you_mean(&key.to_string(), &["dir", "only", "preload", "search"]);
            let message = meant.map(|meant| format!("unknown argument `{key}`; {meant}"));
            return Err(syn::Error::new(key.span(), message.as_deref().unwrap_or(expected)));
        }
        Ok(())
    }
}
