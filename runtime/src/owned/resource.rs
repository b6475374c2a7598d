//! An owned file of a skill.

use crate::{
    Resource,
    resource::{digested, is_plain},
};
use alloc::{borrow::ToOwned, string::String, vec::Vec};

/// An owned file of a skill. UTF-8 is stored as text.
#[derive(Clone, Debug)]
pub struct ResourceBuf {
    pub(super) path: String,
    content: Content,
    digest: Option<String>,
}

#[derive(Clone, Debug)]
enum Content {
    Text(String),
    /// Text without a NUL among its first bytes, which a model can read.
    Plain(String),
    Bytes(Vec<u8>),
    /// Loaded for each read.
    Lazy(fn() -> &'static [u8]),
}

impl ResourceBuf {
    pub(super) fn new(path: &str, bytes: Vec<u8>) -> Self {
        let content = match String::from_utf8(bytes) {
            Ok(text) if is_plain(&text) => Content::Plain(text),
            Ok(text) => Content::Text(text),
            Err(why) => Content::Bytes(why.into_bytes()),
        };
        Self { path: path.to_owned(), content, digest: None }
    }

    pub(super) fn view(&self) -> Resource<'_> {
        let resource = match &self.content {
            Content::Text(text) => Resource::from_text(&self.path, text),
            Content::Plain(text) => Resource::from_plain_text(&self.path, text),
            Content::Bytes(bytes) => Resource::from_bytes(&self.path, bytes),
            Content::Lazy(load) => Resource::lazy(&self.path, *load),
        };
        match &self.digest {
            Some(digest) => digested(resource, digest),
            None => resource,
        }
    }
}

impl From<&Resource<'_>> for ResourceBuf {
    fn from(resource: &Resource<'_>) -> Self {
        let digest = resource.digest().map(ToOwned::to_owned);
        match resource.loader() {
            Some(load) => {
                Self { path: resource.path().to_owned(), content: Content::Lazy(load), digest }
            }
            None => Self { digest, ..Self::new(resource.path(), resource.bytes().to_owned()) },
        }
    }
}

/// Compares as [`Resource`] does, and the digests.
impl PartialEq for ResourceBuf {
    fn eq(&self, other: &Self) -> bool {
        self.view() == other.view() && self.digest == other.digest
    }
}

impl Eq for ResourceBuf {}
