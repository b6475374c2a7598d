//! Values of arguments: strings and lists of strings.

use proc_macro2::TokenStream;
use syn::{
    Error, LitStr, Result, Token, bracketed, parse::ParseStream, punctuated::Punctuated, token,
};

/// Parses `= "…"` after `key`; `example` is an example of a value.
pub(crate) fn parse_string(
    key: &syn::Ident,
    example: &str,
    input: ParseStream<'_>,
) -> Result<LitStr> {
    let expected = format!("expected a string: `{key} = \"{example}\"`");
    equals(input, &expected)?;
    input.parse().map_err(|error: Error| Error::new(error.span(), expected))
}

/// Parses `= ["…", …]` after `key`; `example` is an example of a value.
pub(crate) fn parse_strings(
    key: &syn::Ident,
    example: &str,
    input: ParseStream<'_>,
) -> Result<Vec<LitStr>> {
    let expected = format!("expected a list of strings: `{key} = [\"{example}\"]`");
    equals(input, &expected)?;
    if !input.peek(token::Bracket) {
        return Err(input.error(expected));
    }
    let list;
    bracketed!(list in input);
    let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&list);
    // syn requires that all input is consumed, and reports that error otherwise.
    list.parse::<TokenStream>()?;
    let texts = texts.map_err(|error| Error::new(error.span(), expected))?;
    Ok(texts.into_iter().collect())
}

fn equals(input: ParseStream<'_>, expected: &str) -> Result<()> {
    input.parse::<Token![=]>().map(|_| ()).map_err(|error| Error::new(error.span(), expected))
}
