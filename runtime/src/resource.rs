//! Files of a skill other than `SKILL.md`.

use crate::{
    path::{PathError, check_path},
    scalars::less,
    shared::Shared,
};
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

/// A file of a skill other than `SKILL.md`: a reference, a script, an image.
///
/// Nothing in this crate executes a script; it is text like any other file.
///
/// ```
/// use helix_skills::{Resource, Skill};
///
/// const FILES: &[Resource] = &[
///     Resource::from_text("references/forms.md", "# Forms\n"), // or `include_str!(…)`
///     Resource::from_bytes("assets/logo.png", b"\x89PNG\xff"),
///     Resource::lazy("data/fonts.txt", || b"Lato\n"), // called for each read
/// ];
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "See `references/forms.md`.")
///     .resources(FILES)
///     .build();
/// assert_eq!(PDF.resource("data/fonts.txt").and_then(|file| file.text()), Some("Lato\n"));
/// assert_eq!(PDF.resource("assets/logo.png").and_then(|file| file.text()), None); // not UTF-8
/// ```
#[derive(Clone)]
pub struct Resource {
    path: Cow<'static, str>,
    content: Content,
    digest: Option<&'static str>,
}

/// The content of a file. Text is separate from bytes, so that it is not checked for UTF-8 again.
#[derive(Clone)]
enum Content {
    Text(Known, Shared<str>),
    Bytes(Shared<[u8]>),
    Lazy(fn() -> &'static [u8]),
}

/// What is known of a text, so that reading it is faster.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    /// It has no NUL among its first bytes. Searching for one would take two thirds of the time of
    /// a read.
    Plain,
    /// It is plain and has none of our tags, so it need not be scanned.
    Neutral,
}

/// Makes a text file, whose length is checked at compile time.
#[must_use]
pub const fn text(path: &'static str, text: &'static str, len: usize, otherwise: &str) -> Resource {
    assert!(text.len() == len, "{}", otherwise);
    Resource::from_text(path, text)
}

/// Marks a text file as one that [`is_plain`] without searching it.
#[must_use]
pub const fn plain(resource: Resource) -> Resource {
    resource.known(Known::Plain)
}

/// Marks a text file as one that [`is_neutral`](crate::escape::is_neutral), and plain, without
/// scanning it.
#[must_use]
pub const fn neutral(resource: Resource) -> Resource {
    resource.known(Known::Neutral)
}

/// Number of bytes at the start of a file that are searched for NUL. As in git, a file with a NUL
/// there is binary.
const NUL_WITHIN: usize = 8000;

/// Returns whether a model can read `text`, which is not the case for a binary file that happens to
/// be valid UTF-8.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    !text.as_bytes()[..text.len().min(NUL_WITHIN)].contains(&0)
}

/// Makes a file that is not UTF-8, whose length is checked at compile time.
#[must_use]
pub const fn binary(
    path: &'static str,
    bytes: &'static [u8],
    len: usize,
    otherwise: &str,
) -> Resource {
    assert!(bytes.len() == len, "{}", otherwise);
    Resource::from_bytes(path, bytes)
}

/// Adds the digest that the macro has verified.
#[must_use]
pub const fn digested(mut resource: Resource, digest: &'static str) -> Resource {
    resource.digest = Some(digest);
    resource
}

impl Resource {
    /// Makes a text file. Its path is checked when a skill is [built](crate::Definition::build).
    #[must_use]
    pub const fn from_text(path: &'static str, text: &'static str) -> Self {
        Self::constant(path, Content::Text(Known::Nothing, Shared::Static(text)))
    }

    /// Makes a file from bytes. UTF-8 is treated as text, but checked again for each read.
    #[must_use]
    pub const fn from_bytes(path: &'static str, bytes: &'static [u8]) -> Self {
        Self::constant(path, Content::Bytes(Shared::Static(bytes)))
    }

    /// Makes a file whose content `load` returns for each read.
    ///
    /// Nothing is cached: if the content is expensive to make, store it in a `LazyLock`. For a
    /// function that captures, fails or returns an owned text, use `RegistryEntry::resource` of the
    /// crate `helix-skills-agent`.
    #[must_use]
    pub const fn lazy(path: &'static str, load: fn() -> &'static [u8]) -> Self {
        Self::constant(path, Content::Lazy(load))
    }

    const fn constant(path: &'static str, content: Content) -> Self {
        Self { path: Cow::Borrowed(path), content, digest: None }
    }

    const fn known(mut self, of_text: Known) -> Self {
        if let Content::Text(known, _) = &mut self.content {
            *known = of_text;
        }
        self
    }

    /// Makes a file whose path or content is known only at run time. UTF-8 is stored as text.
    #[must_use]
    pub fn new(path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let content = match String::from_utf8(bytes.into()) {
            Ok(text) => {
                let known = if is_plain(&text) { Known::Plain } else { Known::Nothing };
                Content::Text(known, Shared::new(text))
            }
            Err(why) => Content::Bytes(Shared::new(why.into_bytes())),
        };
        Self { path: Cow::Owned(path.into()), content, digest: None }
    }

    /// Returns the path inside the skill, with `/` between its parts: `references/forms.md`.
    #[must_use]
    pub const fn path(&self) -> &str {
        match &self.path {
            Cow::Borrowed(path) => path,
            Cow::Owned(path) => path.as_str(),
        }
    }

    /// Returns the bytes. Those of an embedded skill are exactly the locked ones.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Text(_, text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
            Content::Lazy(load) => load(),
        }
    }

    /// Returns the text, if the file is UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(_, text) => Some(text),
            Content::Bytes(_) | Content::Lazy(_) => core::str::from_utf8(self.bytes()).ok(),
        }
    }

    /// Returns the text, unless the file is binary for a model: not UTF-8, or with a NUL among its
    /// first 8000 bytes.
    ///
    /// `read_skill_file` refuses binary files.
    #[must_use]
    pub fn plain_text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(Known::Plain | Known::Neutral, text) => Some(text),
            _ => self.text().filter(|text| is_plain(text)),
        }
    }

    /// Returns whether the text is known to contain nothing that has to be escaped.
    pub(crate) const fn is_neutral(&self) -> bool {
        matches!(self.content, Content::Text(Known::Neutral, _))
    }

    /// Returns whether the content is made for each read, so that it may differ.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_lazy(&self) -> bool {
        matches!(self.content, Content::Lazy(_))
    }

    /// Returns the text if it is static text, as that of every embedded text file is. Unlike
    /// [`text`](Self::text), this is a constant function.
    ///
    /// ```
    /// use helix_skills::Resource;
    /// const NOTES: &Resource = &Resource::from_text("notes.md", "short");
    /// const _: () = assert!(NOTES.as_str().unwrap().len() < 10_000);
    /// assert_eq!(Resource::from_bytes("notes.md", b"short").as_str(), None); // stored as bytes
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> Option<&'static str> {
        match &self.content {
            Content::Text(_, Shared::Static(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the digest of the bytes, `sha256:` and 64 hexadecimal digits, if the file was
    /// embedded and verified with a lockfile.
    #[must_use]
    pub const fn digest(&self) -> Option<&'static str> {
        self.digest
    }

    /// Returns the size in bytes. Loads the content of a lazy resource.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Returns whether the file is empty. Loads the content of a lazy resource.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }
}

/// Compares path and bytes, however they are stored. Loads the content of lazy resources.
impl PartialEq for Resource {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.bytes() == other.bytes()
    }
}

impl Eq for Resource {}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Resource");
        debug.field("path", &self.path);
        if !self.is_lazy() {
            debug.field("len", &self.len());
        }
        debug.finish_non_exhaustive()
    }
}

/// Why a path cannot be the path of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceError {
    /// The path is not valid inside a skill.
    Path(PathError),
    /// The path is `SKILL.md`, in any case, which is reserved for the text of the skill itself.
    SkillMd,
    /// The path is a directory of another resource, or another resource is a directory of it.
    Nested,
}

impl ResourceError {
    /// Returns the text of the error, and separately the refused character, which is appended to
    /// it.
    pub(crate) const fn message_parts(self) -> (&'static str, Option<char>) {
        match self {
            Self::Path(error) => error.message_parts(),
            Self::SkillMd => ("it is reserved for the skill itself", None),
            Self::Nested => ("a file and a directory of the skill would have the same path", None),
        }
    }
}

impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(why) => why.fmt(f),
            Self::SkillMd | Self::Nested => f.write_str(self.message_parts().0),
        }
    }
}

impl core::error::Error for ResourceError {}

/// Checks that `path` is a valid path of a resource.
///
/// # Errors
/// If it is not.
pub const fn check_resource_path(path: &str) -> Result<(), ResourceError> {
    if path.as_bytes().eq_ignore_ascii_case(b"skill.md") {
        return Err(ResourceError::SkillMd);
    }
    match check_path(path) {
        Ok(()) => Ok(()),
        Err(why) => Err(ResourceError::Path(why)),
    }
}

/// Returns the first two adjacent resources whose paths are not in strictly ascending order.
pub(crate) const fn first_unsorted(resources: &[Resource]) -> Option<[&Resource; 2]> {
    let mut at = 1;
    while at < resources.len() {
        let [before, after] = [&resources[at - 1], &resources[at]];
        if !less(before.path(), after.path()) {
            return Some([before, after]);
        }
        at += 1;
    }
    None
}
