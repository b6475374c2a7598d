//! What a lockfile keeps of a source's manifest entry.

use super::{
    GIT, MARKETPLACE, PATH,
    entry::{self, Entry},
};
use crate::{
    Code, GitUrl, ProjectPath,
    json::{Reader, Tree, Value, quoted},
};

/// A manifest entry as a lockfile keeps it. Sealed: only crates of this project implement it.
pub trait LockedRequest: Sized {
    /// Returns the entry's `"type"`.
    fn kind(&self) -> &str;

    /// Returns the URL of the entry's repository; `None` for paths.
    fn url(&self) -> Option<&GitUrl>;

    #[doc(hidden)]
    fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self>;

    #[doc(hidden)]
    fn to_tree(&self) -> Tree;
}

/// What is needed of a manifest entry to find its skills. The values of keys that select skills
/// are not checked. Entries that ask for the same are equal, however they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The entry's `"type"`.
    pub kind: String,
    /// The repository, for sources that have one.
    pub url: Option<GitUrl>,
    /// The directory, for `path` sources.
    pub path: Option<ProjectPath>,
    /// The whole entry.
    pub(super) entry: Entry,
}

impl LockedRequest for Request {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn url(&self) -> Option<&GitUrl> {
        self.url.as_ref()
    }

    fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a source")?;
        let written = fields.require(reader, "type")?;
        let kind = reader.string(written, "`type`")?;
        let mut request = Self { kind, url: None, path: None, entry: Entry::new() };
        match request.kind.as_str() {
            GIT | MARKETPLACE => {
                let insecure = match fields.take("allowInsecure") {
                    Some(value) => reader.boolean(value, "`allowInsecure`")?,
                    None => false,
                };
                let parse = if insecure { GitUrl::parse_insecure } else { GitUrl::parse };
                let url = fields.require(reader, "url")?;
                request.url = Some(reader.url(url, parse)?);
                if insecure {
                    request.keep("allowInsecure", Tree::Boolean(true));
                }
            }
            PATH => request.path = Some(fields.require_parsed(reader, "path", ProjectPath::new)?),
            unknown => {
                let message = format!("unknown source type {}", quoted(unknown));
                reader.error(Code::BadValue, written.start(), message);
                return None;
            }
        }
        entry::read(&mut request.entry, &request.kind, reader, &mut fields)?;
        request.keep("type", Tree::text(&request.kind));
        if let Some(url) = &request.url {
            request.keep("url", Tree::text(url));
        }
        if let Some(path) = &request.path {
            request.keep("path", Tree::text(path));
        }
        Some(request)
    }

    fn to_tree(&self) -> Tree {
        Tree::Object(self.entry.clone())
    }
}

impl Request {
    fn keep(&mut self, key: &str, value: Tree) {
        self.entry.insert(key.to_owned(), value);
    }
}
