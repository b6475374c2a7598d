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

    /// The items that hold the data, each of them once in the program: they are statics, because the compiler copies a
    /// constant and all its texts into every unit of code that mentions it.
    pub(crate) fn data(&self, bake: &Bake) -> TokenStream {
        let (facade, catalog, preloaded) = (self.facade, &self.catalog, &bake.preloaded);
        let items = self.skills.iter().map(|skill| &skill.items);
        let values = self.skills.iter().map(|skill| &skill.value);
        let count = Literal::usize_unsuffixed(self.skills.len());
        let digest = sha256(Digest::of(catalog.as_bytes()));
        let index = Literal::byte_string(&render::index(&bake.skills, &bake.search));
        quote! {
            #(#items)*
            static __skills: [#facade::Skill<'static>; #count] = [#(#values),*];
            static __baked: #facade::__private::Baked<'static> = #facade::__private::Baked {
                catalog: ::core::option::Option::Some(#catalog),
                digest: ::core::option::Option::Some(#digest),
                preloaded: &[#(#preloaded),*],
                index: #index,
            };
        }
    }

    /// The constant expression for the set, beside the [`data`](Self::data).
    pub(crate) fn set(&self) -> TokenStream {
        let facade = self.facade;
        quote!(#facade::__private::set(&__skills, &__baked))
    }

    /// The constant expression for the tokens of the catalog.
    pub(crate) fn catalog_tokens(&self) -> TokenStream {
        let (facade, len) = (self.facade, Literal::usize_unsuffixed(self.catalog.len()));
        quote!(#facade::text::estimated_tokens(#len))
    }
}

/// A call that is an expression: a block with the value of type `SkillSet<'static>`.
///
/// With problems the block holds their errors and an empty set, so that no error follows from a wrong type; what was
/// read is tracked all the same, so that mending it compiles again.
pub(crate) fn expression(facade: &TokenStream, mut bake: Bake) -> TokenStream {
    let emitted = Emitted::of(facade, &mut bake);
    let tracked = &emitted.tracked;
    if !bake.problems.is_empty() {
        let errors = bake.errors();
        return quote!({ #tracked #errors #facade::SkillSet::EMPTY });
    }
    let (data, set) = (emitted.data(&bake), emitted.set());
    quote!({
        #tracked
        #data
        const __set: #facade::SkillSet<'static> = #set;
        __set
    })
}
