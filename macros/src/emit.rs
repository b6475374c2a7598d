//! The tokens of a call.

use crate::{
    consts::{Consts, literal_path},
    files::sha256,
    problem::Arguments,
    render,
    skill::Bake,
};
use helix_skills_format::Digest;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The tokens of the data that one call bakes.
pub(crate) struct Emitted<'f> {
    /// The path of the facade crate.
    pub(crate) facade: &'f TokenStream,
    /// Items that make the compiler track every file that was read.
    pub(crate) tracked: TokenStream,
    /// One entry for each skill without problems.
    pub(crate) skills: Vec<Consts>,
    /// The text of the catalog. If bodies are preloaded, it is the catalog of the toolbox.
    catalog: String,
}

impl<'f> Emitted<'f> {
    /// Generates the tokens. Problems are added to those of `bake`.
    pub(crate) fn new(facade: &'f TokenStream, bake: &mut Bake) -> Self {
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
            match Consts::new(facade, at, skill) {
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

    /// Returns the items that hold the data. They are statics, because the compiler copies a
    /// constant with all its texts into every codegen unit that uses it, and public constants only
    /// refer to them.
    pub(crate) fn data(&self, bake: &Bake) -> TokenStream {
        let (facade, catalog) = (self.facade, &self.catalog);
        let items = self.skills.iter().map(|skill| &skill.items);
        let values = self.skills.iter().map(|skill| &skill.value);
        let count = Literal::usize_unsuffixed(self.skills.len());
        let digest = sha256(Digest::hash(catalog.as_bytes()));
        let index = Literal::byte_string(render::index(&bake.skills, &bake.search).as_bytes());
        let catalog = quote!(#facade::__private::BakedCatalog { text: #catalog, digest: #digest });
        // Preloads belong to the toolbox. The set renders its own catalog, without preloads, so
        // that a provider or a sub-agent that gets the set does not get the preloads.
        let (of_set, of_toolbox) = match bake.preloaded.as_slice() {
            [] => (quote!(::core::option::Option::Some(#catalog)), None),
            _ => {
                let of_toolbox =
                    quote!(static __catalog: #facade::__private::BakedCatalog = #catalog;);
                (quote!(::core::option::Option::None), Some(of_toolbox))
            }
        };
        quote! {
            #(#items)*
            #of_toolbox
            static __skills: [#facade::Skill; #count] = [#(#values),*];
            static __baked: #facade::__private::Baked =
                #facade::__private::Baked {
                    catalog: #of_set,
                    index: #facade::__private::search_index(
                        #facade::__private::Shared::Static(#index)
                    ),
                };
        }
    }

    /// Returns the constant expression for the set, which refers to the [`data`](Self::data).
    pub(crate) fn set(&self) -> TokenStream {
        let facade = self.facade;
        quote!(#facade::__private::set(&__skills, &__baked))
    }

    /// Returns the constant expression for the toolbox over `set` with preloaded bodies.
    pub(crate) fn toolbox(&self, set: &TokenStream, preloaded: &[String]) -> TokenStream {
        let facade = self.facade;
        match preloaded {
            [] => quote!(#facade::Toolbox::new(#set)),
            _ => quote!(#facade::__private::toolbox(#set, &[#(#preloaded),*], &__catalog)),
        }
    }

    /// Returns the constant expression for the number of tokens of the catalog.
    pub(crate) fn catalog_tokens(&self) -> TokenStream {
        let (facade, len) = (self.facade, Literal::usize_unsuffixed(self.catalog.len()));
        quote!(#facade::text::estimated_tokens(#len))
    }
}

/// Returns the tokens of a call that is an expression: a block of type `SkillSet<'static>`, or
/// `Toolbox<'static>` if bodies are preloaded.
///
/// If there are problems, the block contains their errors and an empty value of the same type, so
/// that the type causes no further errors. The files that were read are still tracked, so that
/// fixing them triggers a rebuild.
pub(crate) fn expression(
    facade: &TokenStream,
    mut bake: Bake,
    arguments: Arguments,
) -> TokenStream {
    let emitted = Emitted::new(facade, &mut bake);
    let tracked = &emitted.tracked;
    let is_toolbox = !bake.preloaded.is_empty();
    if !bake.problems.is_empty() {
        let errors = bake.errors(arguments);
        let empty = quote!(#facade::SkillSet::EMPTY);
        let empty = if is_toolbox { quote!(#facade::Toolbox::new(#empty)) } else { empty };
        return labeled(&quote!({ #tracked #errors #empty }));
    }
    let (data, set) = (emitted.data(&bake), emitted.set());
    let (value, kind) = match is_toolbox {
        true => (emitted.toolbox(&set, &bake.preloaded), quote!(Toolbox)),
        false => (set, quote!(SkillSet)),
    };
    labeled(&quote!({
        #tracked
        #data
        const __value: #facade::#kind<'static> = #value;
        __value
    }))
}

/// Starts an expression with a label, which the compiler prints if the call is an item.
fn labeled(block: &TokenStream) -> TokenStream {
    quote!('an_item_needs_mod_NAME_as_in_include_skills_mod_skills: #block)
}
