//! The tokens of a skill's fields.

use helix_skills_runtime::{Texts, Value};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The fields of `Parts` that differ from their defaults.
#[derive(Default)]
pub(crate) struct Fields(pub(crate) TokenStream);

impl Fields {
    /// Adds a field.
    pub(crate) fn set(&mut self, name: &str, value: impl quote::ToTokens) {
        let name = format_ident!("{name}");
        self.0.extend(quote!(#name: #value,));
    }

    /// Adds an optional text.
    pub(crate) fn text(&mut self, name: &str, text: Option<&str>) {
        if text.is_some() {
            self.set(name, option(text));
        }
    }

    /// Adds a flag if it differs from its default.
    pub(crate) fn flag(&mut self, name: &str, value: bool, default: bool) {
        if value != default {
            self.set(name, value);
        }
    }

    /// Adds a list unless it is empty.
    pub(crate) fn list(&mut self, name: &str, items: Vec<TokenStream>) {
        if !items.is_empty() {
            self.set(name, quote!(&[#(#items),*]));
        }
    }

    /// Adds an optional list, which may be empty.
    pub(crate) fn some_list(&mut self, name: &str, items: Option<Texts<'_>>) {
        if let Some(items) = items.map(texts) {
            self.set(name, quote!(::core::option::Option::Some(&[#(#items),*])));
        }
    }
}

/// Returns the tokens of texts.
pub(crate) fn texts(texts: Texts<'_>) -> Vec<TokenStream> {
    texts.iter().map(|text| quote!(#text)).collect()
}

/// Returns the tokens of an `Option<&str>`.
pub(crate) fn option(text: Option<&str>) -> TokenStream {
    match text {
        Some(text) => quote!(::core::option::Option::Some(#text)),
        None => quote!(::core::option::Option::None),
    }
}

/// Returns the tokens of a value. A variant that this crate does not support is embedded as its
/// text.
pub(crate) fn value(facade: &TokenStream, found: &Value) -> TokenStream {
    let borrowed = quote!(#facade::__private::Borrowed);
    match found {
        Value::Text(text) => quote!(#facade::Value::Text(#borrowed(#text))),
        Value::Number(text) => quote!(#facade::Value::Number(#borrowed(#text))),
        Value::Bool(text) => quote!(#facade::Value::Bool(#borrowed(#text))),
        Value::Null(text) => quote!(#facade::Value::Null(#borrowed(#text))),
        Value::List(items) => {
            let items = items.iter().map(|item| value(facade, item));
            quote!(#facade::Value::List(#borrowed(&[#(#items),*])))
        }
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, found)| {
                let found = value(facade, found);
                quote!((#borrowed(#key), #found))
            });
            quote!(#facade::Value::Map(#borrowed(&[#(#entries),*])))
        }
        other => {
            let text = other.to_string();
            quote!(#facade::Value::Text(#borrowed(#text)))
        }
    }
}
