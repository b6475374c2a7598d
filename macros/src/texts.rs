//! Values of arguments: texts in quotes, and lists of them.

use proc_macro2::TokenStream;
use syn::{
    Error, LitStr, Result, Token, bracketed, parse::ParseStream, punctuated::Punctuated, token,
};

/// `= "…"` after `key`; `example` is what it may be.
pub(crate) fn text(key: &syn::Ident, example: &str, input: ParseStream<'_>) -> Result<LitStr> {
    let expected = format!("expected a text in quotes: `{key} = \"{example}\"`");
    equals(input, &expected)?;
    input.parse().map_err(|error: Error| Error::new(error.span(), expected))
}

/// `= ["…", …]` after `key`; `example` is what may be in it.
pub(crate) fn texts(
    key: &syn::Ident,
    example: &str,
    input: ParseStream<'_>,
) -> Result<Vec<LitStr>> {
    let expected = format!("expected a list of texts in quotes: `{key} = [\"{example}\"]`");
    equals(input, &expected)?;
    if !input.peek(token::Bracket) {
        return Err(input.error(expected));
    }
    let list;
    bracketed!(list in input);
    let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&list);
    // The parser wants to have seen everything, or tells of that instead.
    list.parse::<TokenStream>()?;
    let texts = texts.map_err(|error| Error::new(error.span(), expected))?;
    Ok(texts.into_iter().collect())
}

fn equals(input: ParseStream<'_>, expected: &str) -> Result<()> {
    input.parse::<Token![=]>().map(|_| ()).map_err(|error| Error::new(error.span(), expected))
}
