//! A call as tokens.

use crate::{
    consts::{Consts, literal_path},
    files::sha256,
    render,
    skill::Bake,
};
use helix_skills_format::Digest;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// What one call bakes, as tokens.
pub(crate) struct Emitted<'f> {
    /// The path of our crate.
    pub(crate) facade: &'f TokenStream,
    /// Items that make the compiler look at every file that was read.
    pub(crate) tracked: TokenStream,
    /// One for each skill, as far as there are no problems.
    pub(crate) skills: Vec<Consts>,
    /// The text of the catalog: that of the toolbox, if bodies are preloaded.
    catalog: String,
}

impl<'f> Emitted<'f> {
    /// Adds what turns out to be a problem to those of `bake`.
    pub(crate) fn of(facade: &'f TokenStream, bake: &mut Bake) -> Self {
        bake.skills.sort_by(|a, b| a.name.cmp(&b.name));
        let mut tracked = TokenStream::new();
        for file in bake.tracked.iter().chain(bake.skills.iter().map(|skill| &skill.file)) {
            match literal_path(file) {
                Ok(path) => tracked.extend(quote!(
                    const _: &[u8] = ::core::include_bytes!(#path);
                )),
                Err(problem) => bake.problems.push(problem),
            }
        }
        let mut skills = Vec::with_capacity(bake.skills.len());
        for (at, skill) in bake.skills.iter().enumerate() {
            match Consts::of(facade, at, skill) {
                Ok(consts) => skills.push(consts),
                Err(problem) => bake.problems.push(problem),
            }
        }
        let catalog = match bake.problems.as_slice() {
            [] => render::catalog(&bake.skills, &bake.preloaded),
            _ => String::new(),
        };
        Self { facade, tracked, skills, catalog }
    }

    /// The items that hold the data, each of them once in the program: they are statics, because
    /// the compiler copies a constant and all its texts into every unit of code that mentions it.
    pub(crate) fn data(&self, bake: &Bake) -> TokenStream {
        let (facade, catalog) = (self.facade, &self.catalog);
        let items = self.skills.iter().map(|skill| &skill.items);
        let values = self.skills.iter().map(|skill| &skill.value);
        let count = Literal::usize_unsuffixed(self.skills.len());
        let digest = sha256(Digest::hash(catalog.as_bytes()));
        let index = Literal::byte_string(&render::index(&bake.skills, &bake.search));
        let catalog = quote!(#facade::__private::BakedCatalog { text: #catalog, digest: #digest });
        // A catalog with preloads is that of the toolbox; the set has none, and renders its own.
        let (of_set, of_toolbox) = match bake.preloaded.as_slice() {
            [] => (quote!(::core::option::Option::Some(#catalog)), None),
            _ => {
                let of_toolbox =
                    quote!(static __catalog: #facade::__private::BakedCatalog<'static> = #catalog;);
                (quote!(::core::option::Option::None), Some(of_toolbox))
            }
        };
        quote! {
            #(#items)*
            #of_toolbox
            static __skills: [#facade::Skill<'static>; #count] = [#(#values),*];
            static __baked: #facade::__private::Baked<'static> =
                #facade::__private::Baked { catalog: #of_set, index: #index };
        }
    }

    /// The constant expression for the set, beside the [`data`](Self::data).
    pub(crate) fn set(&self) -> TokenStream {
        let facade = self.facade;
        quote!(#facade::__private::set(&__skills, &__baked))
    }

    /// The constant expression for the toolbox over `set`, with what is preloaded.
    pub(crate) fn toolbox(&self, set: &TokenStream, preloaded: &[String]) -> TokenStream {
        let facade = self.facade;
        match preloaded {
            [] => quote!(#facade::Toolbox::new(#set)),
            _ => quote!(#facade::__private::toolbox(#set, &[#(#preloaded),*], &__catalog)),
        }
    }

    /// The constant expression for the tokens of the catalog.
    pub(crate) fn catalog_tokens(&self) -> TokenStream {
        let (facade, len) = (self.facade, Literal::usize_unsuffixed(self.catalog.len()));
        quote!(#facade::text::estimated_tokens(#len))
    }
}

/// A call that is an expression: a block with the value of type `SkillSet<'static>`, or
/// `Toolbox<'static>` if bodies are preloaded.
///
/// With problems the block has their errors and an empty value of the same type, so that no error
/// follows from a wrong type. The files that were read are tracked all the same, so that a fix
/// compiles again.
pub(crate) fn expression(facade: &TokenStream, mut bake: Bake) -> TokenStream {
    let emitted = Emitted::of(facade, &mut bake);
    let tracked = &emitted.tracked;
    let is_toolbox = !bake.preloaded.is_empty();
    if !bake.problems.is_empty() {
        let errors = bake.errors();
        let empty = quote!(#facade::SkillSet::EMPTY);
        let empty = if is_toolbox { quote!(#facade::Toolbox::new(#empty)) } else { empty };
        return quote!({ #tracked #errors #empty });
    }
    let (data, set) = (emitted.data(&bake), emitted.set());
    let (value, kind) = match is_toolbox {
        true => (emitted.toolbox(&set, &bake.preloaded), quote!(Toolbox)),
        false => (set, quote!(SkillSet)),
    };
    quote!({
        #tracked
        #data
        const __value: #facade::#kind<'static> = #value;
        __value
    })
}
