//! What a lockfile keeps of the manifest's entry of a source.

use crate::{
    Code, GitUrl, ProjectPath,
    json::{Reader, Tree, Value, quoted},
};

/// The type of a source in a repository.
pub(super) const GIT: &str = "git";
/// The type of a source that is a plugin of a marketplace.
pub(super) const MARKETPLACE: &str = "claude-marketplace";
/// The type of a source that is a directory.
pub(super) const PATH: &str = "path";
/// How the types of sources start that programs add.
pub(super) const OWN_TYPE: &str = "x-";

/// An entry of a manifest, as a lockfile holds it. Implemented by this project's crates alone.
pub trait LockedRequest: Sized {
    /// Its `"type"`.
    fn kind(&self) -> &str;

    /// The repository that it names; none for paths and for types that start with `x-`.
    fn url(&self) -> Option<&GitUrl>;

    #[doc(hidden)]
    fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self>;
}

/// An entry that holds all that a lockfile says of it.
pub trait PrintedRequest: LockedRequest {
    #[doc(hidden)]
    fn to_tree(&self) -> Tree;
}

/// As much of an entry as is needed to find its skills. Keys that say which skills are wanted, and
/// those of types that start with `x-`, may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// The manifest's `"type"`.
    pub kind: String,
    /// The repository; of sources that have one.
    pub url: Option<GitUrl>,
    /// The directory; of `path` sources.
    pub path: Option<ProjectPath>,
}

impl LockedRequest for Request {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn url(&self) -> Option<&GitUrl> {
        self.url.as_ref()
    }

    fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a source")?;
        let written = fields.require(reader, "type")?;
        let kind = reader.string(written, "`type`")?;
        let mut request = Self { kind, url: None, path: None };
        match request.kind.as_str() {
            GIT | MARKETPLACE => {
                let insecure = match fields.take("allowInsecure") {
                    Some(value) => reader.boolean(value, "`allowInsecure`")?,
                    None => false,
                };
                let parse = if insecure { GitUrl::parse_insecure } else { GitUrl::parse };
                let url = fields.require(reader, "url")?;
                request.url = Some(reader.url(url, parse)?);
            }
            PATH => {
                let path = fields.require(reader, "path")?;
                request.path = Some(reader.parsed(path, "`path`", ProjectPath::new)?);
            }
            own if own.starts_with(OWN_TYPE) => {}
            unknown => {
                let message =
                    format!("{} is no type of source that this version knows", quoted(unknown));
                reader.error(Code::BadValue, written.range(), message);
                return None;
            }
        }
        Some(request)
    }
}
