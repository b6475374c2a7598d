//! The tokens of a call that is a module: the set, and an item for every skill and file.

use crate::{
    docs,
    emit::Emitted,
    item::{Idents, Item},
    module::Module,
    problem::Arguments,
    skill::Bake,
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// Returns the whole module.
///
/// If there are problems, the module contains their errors, an empty set, and an empty item for
/// each name that the lockfile and the listings contain, so that uses of these names cause no
/// further errors.
pub(crate) fn module(
    facade: &TokenStream,
    module: &Module,
    mut bake: Bake,
    arguments: Arguments,
) -> TokenStream {
    let emitted = Emitted::new(facade, &mut bake);
    let mut idents = Idents::new(&module.name);
    let mut items = TokenStream::new();
    for (at, (skill, consts)) in bake.skills.iter().zip(&emitted.skills).enumerate() {
        if let Some(name) = idents.add(Item::Skill(&skill.name)) {
            let (at, doc) = (Literal::usize_unsuffixed(at), docs::skill(skill, consts.loaded));
            items.extend(quote!(#[doc = #doc] pub const #name: &#facade::Skill = &__skills[#at];));
        }
        let files = &consts.resources;
        for (at, file) in skill.resources.iter().enumerate() {
            if let Some(name) = idents.add(Item::File(&skill.name, &file.path)) {
                let (at, doc) = (Literal::usize_unsuffixed(at), docs::file(skill, file));
                items.extend(
                    quote!(#[doc = #doc] pub const #name: &#facade::Resource = &#files[#at];),
                );
            }
        }
    }
    bake.problems.extend(idents.problems);
    let mut tokens = emitted.tracked.clone();
    if bake.problems.is_empty() {
        let (data, set, catalog_tokens) =
            (emitted.data(&bake), emitted.set(), emitted.catalog_tokens());
        let toolbox = emitted.toolbox(&quote!(SKILLS), &bake.preloaded);
        tokens.extend(constants(facade, &set, &toolbox, &catalog_tokens, &bake.preloaded));
        tokens.extend([data, items]);
    } else {
        tokens.extend(bake.errors(arguments));
        tokens.extend(placeholders(facade, module, &bake));
    }
    let Module { attributes, visibility, name, is_documented } = module;
    let doc = docs::MODULE;
    let doc = (!is_documented).then(|| quote!(#[doc = #doc]));
    quote!(#attributes #doc #visibility mod #name { #tokens })
}

/// Returns the items that every module has.
fn constants(
    facade: &TokenStream,
    set: &TokenStream,
    toolbox: &TokenStream,
    catalog_tokens: &TokenStream,
    preloaded: &[String],
) -> TokenStream {
    let (doc, toolbox_doc, tokens_doc) =
        (docs::SET, docs::toolbox(preloaded), docs::catalog_tokens(preloaded));
    quote! {
        #[doc = #doc]
        pub const SKILLS: #facade::SkillSet<'static> = #set;
        #[doc = #toolbox_doc]
        pub const TOOLBOX: #facade::Toolbox<'static> = #toolbox;
        #[doc = #tokens_doc]
        pub const CATALOG_TOKENS: usize = #catalog_tokens;
    }
}

/// Returns empty items of the expected names and types.
fn placeholders(facade: &TokenStream, module: &Module, bake: &Bake) -> TokenStream {
    let doc = docs::UNVERIFIED;
    let mut tokens = constants(
        facade,
        &quote!(#facade::SkillSet::EMPTY),
        &quote!(#facade::Toolbox::new(SKILLS)),
        &quote!(0),
        &[],
    );
    let mut idents = Idents::new(&module.name);
    let verified = bake
        .skills
        .iter()
        .map(|skill| (&skill.name, skill.resources.iter().map(|file| &file.path).collect()));
    let unverified =
        bake.unverified.iter().map(|(name, paths)| (name, paths.iter().collect::<Vec<_>>()));
    for (skill, paths) in verified.chain(unverified) {
        if let Some(name) = idents.add(Item::Skill(skill)) {
            tokens.extend(quote! {
                #[doc = #doc]
                pub const #name: &#facade::Skill = &#facade::__private::skill(#facade::__private::Parts::EMPTY);
            });
        }
        for name in paths.iter().filter_map(|path| idents.add(Item::File(skill, path))) {
            tokens.extend(quote! {
                #[doc = #doc]
                pub const #name: &#facade::Resource = &#facade::__private::text("", "", 0, "");
            });
        }
    }
    tokens
}
