//! Skills as tokens.

use crate::{
    fields::{Fields, option, value},
    files::sha256,
    problem::Problem,
    skill::{Bake, BakedResource, BakedSkill},
};
use helix_skills_format::Digest;
use helix_skills_runtime::{
    __private::{Parts, skill, text},
    Skill, SkillSet,
};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use std::path::Path;

/// Wrong arguments. An error alone is right in the place of an item, too, and nothing follows from it.
pub(crate) fn syntax_error(error: &syn::Error) -> TokenStream {
    Problem::at(error.span(), error.to_string()).tokens()
}

/// The whole call: a block with the value of type `SkillSet<'static>`.
///
/// With problems the block holds their errors and an empty set, so that no error follows from a wrong type; what was
/// read is tracked all the same, so that mending it compiles again.
pub(crate) fn expression(facade: &TokenStream, mut bake: Bake) -> TokenStream {
    let mut tokens = TokenStream::new();
    bake.skills.sort_by(|a, b| a.name.cmp(&b.name));
    let tracked = bake.tracked.iter().chain(bake.skills.iter().map(|skill| &skill.file));
    for file in tracked {
        match literal_path(file) {
            Ok(path) => tokens.extend(quote!(
                const _: &[u8] = ::core::include_bytes!(#path);
            )),
            Err(problem) => bake.problems.push(problem),
        }
    }
    let mut items = TokenStream::new();
    let mut skills = TokenStream::new();
    for (at, skill) in bake.skills.iter().enumerate() {
        match Consts::of(facade, at, skill) {
            Ok(consts) => {
                let value = consts.value;
                items.extend(consts.items);
                skills.extend(quote!(#value,));
            }
            Err(problem) => bake.problems.push(problem),
        }
    }
    if bake.problems.is_empty() {
        let catalog = catalog(&bake.skills);
        let digest = sha256(Digest::of(catalog.as_bytes()));
        tokens.extend(items);
        tokens.extend(quote! {
            const __SKILLS: &[#facade::Skill<'static>] = &[#skills];
            const __BAKED: &#facade::__private::Baked<'static> = &#facade::__private::Baked {
                catalog: ::core::option::Option::Some(#catalog),
                digest: ::core::option::Option::Some(#digest),
                preloaded: &[],
                index: &[],
            };
            const __SET: #facade::SkillSet<'static> = #facade::__private::set(__SKILLS, __BAKED);
            __SET
        });
    } else {
        tokens.extend(bake.problems.iter().map(Problem::tokens));
        tokens.extend(quote!(#facade::SkillSet::EMPTY));
    }
    quote!({ #tokens })
}

/// The path for `include_bytes!`. Never canonicalised: it has to stay below the package for other tools to see it.
fn literal_path(file: &Path) -> Result<Literal, Problem> {
    match file.to_str() {
        Some(path) => Ok(Literal::string(path)),
        None => Err(Problem::new("the path of a file is not UTF-8").file(file).advice("rename its directories")),
    }
}

/// One skill: the constants it needs, and the expression of type `Skill<'static>`.
struct Consts {
    items: TokenStream,
    value: TokenStream,
}

impl Consts {
    fn of(facade: &TokenStream, at: usize, skill: &BakedSkill) -> Result<Self, Problem> {
        let private = quote!(#facade::__private);
        let md = &skill.skill_md;
        let (body_start, body_end) = (md.layout.body.start, md.layout.body.end);
        let body = &skill.text[body_start..body_end];
        let loaded = loaded(skill, body);
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
            fields.set("hooks", quote!(::core::option::Option::Some(#hooks)));
        }
        fields.list("paths", md.paths.iter().map(|path| quote!(#path)));
        if let Some(ticks) = md.max_ticks {
            fields.set("max_ticks", quote!(::core::option::Option::Some(#ticks)));
        }
        fields.list(
            "extra",
            md.extra.iter().map(|(key, found)| {
                let found = value(facade, found);
                quote!((#key, #found))
            }),
        );
        fields.set("frontmatter", Literal::string(&skill.text[..body_start]));
        fields.set("trailing", Literal::string(&skill.text[body_end..]));

        let whole = format_ident!("__LOADED_{at}");
        let files = format_ident!("__RESOURCES_{at}");
        fields.set("loaded", quote!(::core::option::Option::Some(#whole)));
        // The body is a slice of the loaded text; it is there twice only where that text had to be escaped.
        let head = loaded.find('\n').map_or(0, |at| at + 1);
        if loaded.get(head..head + body.len()) == Some(body) {
            let (head, len) = (Literal::usize_unsuffixed(head), Literal::usize_unsuffixed(body.len()));
            fields.set("body", quote!(#whole.split_at(#head).1.split_at(#len).0));
        } else {
            fields.set("body", Literal::string(body));
        }
        let resources = skill.resources.iter().map(|resource| resource_tokens(&private, skill, resource));
        let resources = resources.collect::<Result<Vec<_>, _>>()?;
        fields.set("resources", files.clone());
        let origin = &skill.origin;
        let [source, url, reference, commit] =
            [&origin.source, &origin.url, &origin.reference, &origin.commit].map(|text| option(text.as_deref()));
        let (path, integrity) = (&origin.path, option(origin.integrity.as_deref()));
        fields.set("provenance", quote!(#private::provenance(#source, #url, #reference, #commit, #path, #integrity)));

        let fields = fields.0;
        let loaded = Literal::string(&loaded);
        let items = quote! {
            const #whole: &str = #loaded;
            const #files: &[#facade::Resource<'static>] = &[#(#resources),*];
        };
        let value = quote!(#private::skill(#private::Parts { #fields ..#private::Parts::EMPTY }));
        Ok(Self { items, value })
    }
}

/// One file, with an assertion that the compiler read what the macro proved.
fn resource_tokens(
    private: &TokenStream,
    skill: &BakedSkill,
    resource: &BakedResource,
) -> Result<TokenStream, Problem> {
    let file = literal_path(&resource.file)?;
    let path = resource.path.as_str();
    let len = Literal::usize_unsuffixed(resource.len);
    let otherwise =
        format!("the file `{path}` of the skill `{}` changed while it was compiled; build again", skill.name);
    let (make, include) = if resource.is_text {
        (quote!(text), quote!(::core::include_str!))
    } else {
        (quote!(binary), quote!(::core::include_bytes!))
    };
    Ok(quote!(#private::#make(#path, #include(#file), #len, #otherwise)))
}

/// The answer of `load_skill`, rendered by the runtime itself.
fn loaded(baked: &BakedSkill, body: &str) -> String {
    // Only the paths are rendered.
    let resources: Vec<_> = baked.resources.iter().map(|resource| text(&resource.path, "", 0, "")).collect();
    skill(Parts { name: &baked.name, body, resources: &resources, ..Parts::EMPTY }).loaded().to_string()
}

/// The default catalog, rendered by the runtime itself. The skills are sorted.
fn catalog(skills: &[BakedSkill]) -> String {
    let skills: Vec<Skill<'_>> = skills
        .iter()
        .map(|baked| {
            skill(Parts {
                name: &baked.name,
                description: &baked.skill_md.description,
                when_to_use: baked.skill_md.when_to_use.as_deref(),
                disable_model_invocation: baked.skill_md.disable_model_invocation,
                ..Parts::EMPTY
            })
        })
        .collect();
    SkillSet::new(&skills).catalog().to_string()
}
