//! The tokens of one skill.

use crate::{
    fields::{Fields, option, value},
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
        let md = &skill.skill_md;
        let (body_start, body_end) = (md.layout.body.start, md.layout.body.end);
        let (body, loaded) = (skill.body(), render::loaded(skill));
        let mut fields = Fields::default();
        fields.set("name", Literal::string(&skill.name));
        fields.set("description", Literal::string(&md.description));
        fields.text("license", md.license.as_deref());
        fields.text("compatibility", md.compatibility.as_deref());
        fields.list("metadata", md.metadata.iter().map(|(key, value)| quote!((#key, #value))));
        fields.some_list("allowed_tools", md.allowed_tools.as_deref());
        fields.some_list("disallowed_tools", md.disallowed_tools.as_deref());
        fields.text("when_to_use", md.when_to_use.as_deref());
        fields.text("argument_hint", md.argument_hint.as_deref());
        fields.list("arguments", md.arguments.iter().map(|name| quote!(#name)));
        fields.flag("disable_model_invocation", md.disable_model_invocation, false);
        fields.flag("user_invocable", md.user_invocable, true);
        fields.text("model", md.model.as_deref());
        fields.text("effort", md.effort.as_deref());
        fields.text("context", md.context.as_deref());
        fields.text("agent", md.agent.as_deref());
        fields.text("background", md.background.as_deref());
        fields.text("shell", md.shell.as_deref());
        if let Some(hooks) = &md.hooks {
            let hooks = value(facade, hooks);
            fields.set("hooks", quote!(::core::option::Option::Some(&#hooks)));
        }
        fields.list("paths", md.paths.iter().map(|path| quote!(#path)));
        if let Some(ticks) = md.max_ticks {
            fields.set("max_ticks", quote!(::core::option::Option::Some(#ticks)));
        }
        fields.list(
            "extra",
            md.extra.iter().map(|(key, found)| {
                let found = value(facade, found);
                quote!((#private::Borrowed(#key), #found))
            }),
        );
        fields.set("frontmatter", Literal::string(&skill.text[..body_start]));
        fields.set("trailing", Literal::string(&skill.text[body_end..]));

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
    let (make, include) = match resource.kind {
        ContentKind::Binary => (quote!(binary), quote!(::core::include_bytes!)),
        ContentKind::Text => (quote!(text), quote!(::core::include_str!)),
        ContentKind::Plain => (quote!(plain), quote!(::core::include_str!)),
        ContentKind::Neutral => (quote!(neutral), quote!(::core::include_str!)),
    };
    let made = quote!(#private::#make(#path, #include(#file), #len, #otherwise));
    Ok(match resource.digest.map(sha256) {
        Some(digest) => quote!(#private::digested(#made, #digest)),
        None => made,
    })
}

/// Returns the path for `include_bytes!`. It is not canonicalized, because tools that track files
/// expect it below the package.
pub(crate) fn literal_path(file: &Path) -> Result<Literal, Problem> {
    match file.to_str() {
        Some(path) => Ok(Literal::string(path)),
        None => Err(Problem::new("the path of a file is not UTF-8")
            .file(file)
            .advice("rename its directories")),
    }
}
