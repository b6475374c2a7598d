//! The module to generate: `pub mod skills`.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{
    Token,
    parse::{Parse, ParseStream},
    token,
};

/// The head of the module: attributes, visibility and name, as the caller wrote them.
pub(crate) struct Module {
    pub(crate) attributes: TokenStream,
    pub(crate) visibility: TokenStream,
    pub(crate) name: Ident,
    /// Whether one of the attributes is a doc comment.
    pub(crate) is_documented: bool,
}

impl Module {
    /// Returns whether a module comes next, complete or not.
    pub(crate) fn is_next(input: ParseStream<'_>) -> bool {
        input.peek(Token![#]) || input.peek(Token![pub]) || input.peek(Token![mod])
    }
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let expected = "expected a module: `include_skills!(pub mod skills)`";
        let mut attributes = TokenStream::new();
        let mut is_documented = false;
        while input.peek(Token![#]) {
            input.parse::<TokenTree>()?.to_tokens(&mut attributes);
            let attribute = match input.parse()? {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => group,
                other => return Err(syn::Error::new(other.span(), expected)),
            };
            let first = attribute.stream().into_iter().next();
            is_documented |= matches!(first, Some(TokenTree::Ident(path)) if path == "doc");
            attribute.to_tokens(&mut attributes);
        }
        let mut visibility = TokenStream::new();
        if input.peek(Token![pub]) {
            input.parse::<TokenTree>()?.to_tokens(&mut visibility);
            if input.peek(token::Paren) {
                input.parse::<TokenTree>()?.to_tokens(&mut visibility);
            }
        }
        input.parse::<Token![mod]>().map_err(|error| syn::Error::new(error.span(), expected))?;
        let name = input.parse().map_err(|error: syn::Error| {
            syn::Error::new(
                error.span(),
                "expected the module's name: `include_skills!(pub mod skills)`",
            )
        })?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(
                "expected a comma and arguments, or nothing: the macro generates the items of the module",
            ));
        }
        Ok(Self { attributes, visibility, name, is_documented })
    }
}
