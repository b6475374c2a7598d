//! The tokens of one skill.

use crate::{
    fields::{Fields, option, texts, value},
    files::sha256,
    problem::Problem,
    render,
    skill::{BakedResource, BakedSkill, ContentKind},
};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::path::Path;

/// The tokens of one skill: the items it needs, and an expression of type `Skill`.
///
/// The names of these items contain lower-case letters, so they cannot collide with the public
/// items of the module.
pub(crate) struct Consts {
    pub(crate) items: TokenStream,
    pub(crate) value: TokenStream,
    /// The static array of its files.
    pub(crate) resources: Ident,
    /// The length of the answer of `load_skill`, in bytes.
    pub(crate) loaded: usize,
}

impl Consts {
    pub(crate) fn new(
        facade: &TokenStream,
        at: usize,
        skill: &BakedSkill,
    ) -> Result<Self, Problem> {
        let private = quote!(#facade::__private);
        let md = &skill.skill;
        let loaded = render::loaded(skill);
        let mut fields = Fields::default();
        fields.set("name", Literal::string(md.name()));
        fields.set("description", Literal::string(md.description()));
        fields.text("license", md.license());
        fields.text("compatibility", md.compatibility());
        fields.list("metadata", md.metadata().map(|(key, value)| quote!((#key, #value))).collect());
        fields.some_list("allowed_tools", md.allowed_tools());
        fields.some_list("disallowed_tools", md.disallowed_tools());
        fields.text("when_to_use", md.when_to_use());
        fields.text("argument_hint", md.argument_hint());
        fields.list("arguments", texts(md.arguments()));
        fields.flag("disable_model_invocation", md.disable_model_invocation(), false);
        fields.flag("user_invocable", md.user_invocable(), true);
        fields.text("shell", md.shell());
        if let Some(ticks) = md.max_ticks() {
            fields.set("max_ticks", quote!(::core::option::Option::Some(#ticks)));
        }
        let extra = md.extra().iter().map(|(key, found)| {
            let found = value(facade, found);
            quote!((#private::Borrowed(#key), #found))
        });
        fields.list("extra", extra.collect());
        let [frontmatter, body, trailing] = md.skill_md();
        fields.set("frontmatter", Literal::string(frontmatter));
        fields.set("trailing", Literal::string(trailing));

        let whole = format_ident!("__loaded_{at}");
        let files = format_ident!("__resources_{at}");
        fields.set("loaded", quote!(::core::option::Option::Some(#whole)));
        // The body is a slice of the loaded text. Only if that text had to be escaped, the body is
        // embedded separately.
        let head = loaded.find('\n').map_or(0, |at| at + 1);
        if loaded.get(head..head + body.len()) == Some(body) {
            let (head, len) =
                (Literal::usize_unsuffixed(head), Literal::usize_unsuffixed(body.len()));
            fields.set("body", quote!(#whole.split_at(#head).1.split_at(#len).0));
        } else {
            fields.set("body", Literal::string(body));
        }
        fields.text("digest", skill.digest.map(sha256).as_deref());
        let resources =
            skill.resources.iter().map(|resource| resource_tokens(&private, skill, resource));
        let resources = resources.collect::<Result<Vec<_>, _>>()?;
        let count = Literal::usize_unsuffixed(resources.len());
        fields.set("resources", quote!(&#files));
        let origin = &skill.origin;
        let [source, url, reference, commit] =
            [&origin.source, &origin.url, &origin.reference, &origin.commit]
                .map(|text| option(text.as_deref()));
        let (path, integrity) = (&origin.path, option(origin.integrity.as_deref()));
        fields.set(
            "provenance",
            quote!(#private::provenance(#source, #url, #reference, #commit, #path, #integrity)),
        );

        let fields = fields.0;
        let text = Literal::string(&loaded);
        let items = quote! {
            const #whole: &str = #text;
            static #files: [#facade::Resource; #count] = [#(#resources),*];
        };
        let value = quote!(#private::skill(#private::Parts { #fields ..#private::Parts::EMPTY }));
        Ok(Self { items, value, resources: files, loaded: loaded.len() })
    }
}

/// Returns one file, with an assertion that the compiler embeds the bytes that the macro verified.
fn resource_tokens(
    private: &TokenStream,
    skill: &BakedSkill,
    resource: &BakedResource,
) -> Result<TokenStream, Problem> {
    let file = literal_path(&resource.file)?;
    let path = resource.path.as_str();
    let len = Literal::usize_unsuffixed(resource.len);
    let otherwise = format!(
        "the file `{path}` of the skill `{}` changed while it was compiled; build again",
        skill.name
    );
    let text = quote!(#private::text(#path, ::core::include_str!(#file), #len, #otherwise));
    let bytes = quote!(#private::binary(#path, ::core::include_bytes!(#file), #len, #otherwise));
    let made = match resource.kind {
        ContentKind::Binary => bytes,
        ContentKind::Text => text,
        ContentKind::Plain => quote!(#private::plain(#text)),
        ContentKind::Neutral => quote!(#private::neutral(#text)),
    };
    Ok(match resource.digest.map(sha256) {
        Some(digest) => quote!(#private::digested(#made, #digest)),
        None => made,
    })
}

/// Returns the path for `include_bytes!`. It is not canonicalized, because tools that track files
/// expect it below the package.
pub(crate) fn literal_path(file: &Path) -> Result<Literal, Problem> {
    file.to_str().map(Literal::string).ok_or_else(|| {
        Problem::new("the path of a file is not UTF-8").file(file).help("rename its directories")
    })
}
