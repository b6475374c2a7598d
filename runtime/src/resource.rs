//! Files of a skill beside `SKILL.md`.

use crate::{PathError, check_path, order::sorted, scalars::less};
use core::fmt;

/// A file of a skill other than `SKILL.md`: a reference, a script, an image.
///
/// A script is text like any other; nothing here executes it.
///
/// ```
/// use helix_skills::{Resource, Skill};
///
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Fill forms as `references/forms.md` says.")
///     .resources(&Resource::sorted([
///         Resource::from_text("references/forms.md", "# Forms\n"), // usually of `include_str!("forms.md")`
///         Resource::from_bytes("assets/logo.png", b"\x89PNG\xff"),
///         Resource::lazy("data/fonts.txt", || b"Lato\n"), // asked whenever it is read, never when it is listed
///     ]))
///     .build();
/// assert_eq!(PDF.resources()[0].path(), "assets/logo.png");
/// assert_eq!(PDF.resource("data/fonts.txt").and_then(|file| file.text()), Some("Lato\n"));
/// assert_eq!(PDF.resource("assets/logo.png").and_then(|file| file.text()), None); // not UTF-8
/// ```
#[derive(Clone, Copy)]
pub struct Resource<'a> {
    path: &'a str,
    content: Content<'a>,
    digest: Option<&'a str>,
}

/// Text is kept apart from bytes so that nobody has to prove UTF-8 again.
#[derive(Clone, Copy)]
enum Content<'a> {
    Text(&'a str),
    /// Text that is known to be for a model: reading it need not look for a NUL.
    Plain(&'a str),
    /// Text that is known to be for a model and to hold no tag of ours: reading it need not look at it at all.
    Neutral(&'a str),
    Bytes(&'a [u8]),
    Lazy(fn() -> &'a [u8]),
}

/// A text file, whose length the macro proves while compiling.
#[must_use]
pub const fn text<'a>(path: &'a str, text: &'a str, len: usize, otherwise: &str) -> Resource<'a> {
    assert!(text.len() == len, "{}", otherwise);
    Resource::from_text(path, text)
}

/// As [`text`], of a text that [`is_plain`].
#[must_use]
pub const fn plain<'a>(path: &'a str, text: &'a str, len: usize, otherwise: &str) -> Resource<'a> {
    assert!(text.len() == len, "{}", otherwise);
    Resource::from_plain_text(path, text)
}

/// As [`plain`], of a text that [`is_neutral`](crate::escape::is_neutral), too.
#[must_use]
pub const fn neutral<'a>(
    path: &'a str,
    text: &'a str,
    len: usize,
    otherwise: &str,
) -> Resource<'a> {
    assert!(text.len() == len, "{}", otherwise);
    Resource { path, content: Content::Neutral(text), digest: None }
}

/// How much of a file is searched for a NUL byte before it is taken for text; git's own rule.
const NUL_WITHIN: usize = 8000;

/// Whether a text is for a model, and no binary file that happens to be UTF-8.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    !text.as_bytes()[..text.len().min(NUL_WITHIN)].contains(&0)
}

/// A file that is not UTF-8, whose length the macro proves while compiling.
#[must_use]
pub const fn binary<'a>(
    path: &'a str,
    bytes: &'a [u8],
    len: usize,
    otherwise: &str,
) -> Resource<'a> {
    assert!(bytes.len() == len, "{}", otherwise);
    Resource::from_bytes(path, bytes)
}

/// A file with the digest that the macro has verified.
#[must_use]
pub const fn digested<'a>(mut resource: Resource<'a>, digest: &'a str) -> Resource<'a> {
    resource.digest = Some(digest);
    resource
}

impl<'a> Resource<'a> {
    /// A text file. Its path is checked where a skill is [built](crate::Definition::build).
    #[must_use]
    pub const fn from_text(path: &'a str, text: &'a str) -> Self {
        Self { path, content: Content::Text(text), digest: None }
    }

    /// A text file that [`is_plain`].
    pub(crate) const fn from_plain_text(path: &'a str, text: &'a str) -> Self {
        Self { path, content: Content::Plain(text), digest: None }
    }

    /// A file of any bytes. If they are UTF-8 the file is text like any other, which is found out with each reading.
    #[must_use]
    pub const fn from_bytes(path: &'a str, bytes: &'a [u8]) -> Self {
        Self { path, content: Content::Bytes(bytes), digest: None }
    }

    /// A file whose content `load` returns whenever it is read. The content should be the same each
    /// time; if it is expensive to make, keep it in a `LazyLock`.
    ///
    /// A function that captures, fails or has to be awaited belongs in a `RegistryEntry` or a
    /// `Provider` of the crate `helix-skills-agent`.
    #[must_use]
    pub const fn lazy(path: &'a str, load: fn() -> &'a [u8]) -> Self {
        Self { path, content: Content::Lazy(load), digest: None }
    }

    /// The same resources, sorted by path as a skill wants them.
    #[must_use]
    pub const fn sorted<const N: usize>(resources: [Self; N]) -> [Self; N] {
        sorted!(resources, a, b => less(a.path, b.path))
    }

    /// The path inside the skill, `/` between its parts: `references/forms.md`.
    #[must_use]
    pub const fn path(&self) -> &'a str {
        self.path
    }

    /// The bytes. Those of a baked skill are exactly the ones that were locked.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        match self.content {
            Content::Text(text) | Content::Plain(text) | Content::Neutral(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
            Content::Lazy(load) => load(),
        }
    }

    /// The text, if the file is UTF-8.
    #[must_use]
    pub fn text(&self) -> Option<&'a str> {
        match self.content {
            Content::Text(text) | Content::Plain(text) | Content::Neutral(text) => Some(text),
            Content::Bytes(_) | Content::Lazy(_) => core::str::from_utf8(self.bytes()).ok(),
        }
    }

    /// The text, unless the file is binary for a model: not UTF-8, or with a NUL among its first 8000 bytes. A file of
    /// that kind cannot be read with `read_skill_file`.
    #[must_use]
    pub fn plain_text(&self) -> Option<&'a str> {
        match self.content {
            Content::Plain(text) | Content::Neutral(text) => Some(text),
            _ => self.text().filter(|text| is_plain(text)),
        }
    }

    /// Whether nothing in the text has to be escaped, as far as that is known.
    pub(crate) const fn is_neutral(&self) -> bool {
        matches!(self.content, Content::Neutral(_))
    }

    /// The text, if it lies in memory as such, as that of every text file which was baked: for constants.
    ///
    /// ```
    /// use helix_skills::Resource;
    /// const NOTES: Resource = Resource::from_text("notes.md", "short");
    /// const _: () = assert!(NOTES.as_str().unwrap().len() < 10_000);
    /// assert_eq!(Resource::from_bytes("notes.md", b"short").as_str(), None); // though it has a `text()`
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self.content {
            Content::Text(text) | Content::Plain(text) | Content::Neutral(text) => Some(text),
            Content::Bytes(_) | Content::Lazy(_) => None,
        }
    }

    /// The digest of the bytes, `sha256:` and 64 hexadecimal digits, if the file was baked from a
    /// lockfile, which has verified it.
    #[must_use]
    pub const fn digest(&self) -> Option<&'a str> {
        self.digest
    }

    /// The size in bytes. Asks for the content of a lazy resource.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Whether the file has no bytes. Asks for the content of a lazy resource.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }
}

/// The same path and the same bytes, whatever they are kept as. Asks for the content of lazy resources.
impl PartialEq for Resource<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.bytes() == other.bytes()
    }
}

impl Eq for Resource<'_> {}

impl fmt::Debug for Resource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Resource");
        debug.field("path", &self.path);
        if !matches!(self.content, Content::Lazy(_)) {
            debug.field("len", &self.len());
        }
        debug.finish_non_exhaustive()
    }
}

/// Why a skill cannot have a resource at some path.
///
/// ```
/// use helix_skills::{define::{DefinitionError, ResourceError}, Resource, Skill, text::Excerpt};
/// let files = [Resource::from_text("skill.md", "…")];
/// let error = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").resources(&files).try_build().unwrap_err();
/// assert_eq!(error, DefinitionError::Resource { path: Excerpt::new("skill.md"), reason: ResourceError::SkillMd });
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceError {
    /// No file of a skill can have the path.
    Path(PathError),
    /// The path is that of the skill's own text, in some case: the file that its definition stands for.
    SkillMd,
}

crate::__internal::error_debug!(ResourceError { Path(inner), SkillMd });

impl ResourceError {
    /// The text of the error; a character that is refused stands apart, at its end.
    pub(crate) const fn message_parts(self) -> (&'static str, Option<char>) {
        match self {
            Self::Path(error) => error.message_parts(),
            Self::SkillMd => ("that is the skill's own text", None),
        }
    }
}

impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(why) => why.fmt(f),
            Self::SkillMd => f.write_str(self.message_parts().0),
        }
    }
}

impl core::error::Error for ResourceError {}

/// Checks that a resource can have this path.
///
/// # Errors
/// If it cannot.
pub const fn check_resource_path(path: &str) -> Result<(), ResourceError> {
    if path.as_bytes().eq_ignore_ascii_case(b"skill.md") {
        return Err(ResourceError::SkillMd);
    }
    match check_path(path) {
        Ok(()) => Ok(()),
        Err(why) => Err(ResourceError::Path(why)),
    }
}

/// The first resource that does not come after the one before it, with that one.
pub(crate) const fn first_unsorted<'r, 'a>(
    resources: &'r [Resource<'a>],
) -> Option<[&'r Resource<'a>; 2]> {
    let mut at = 1;
    while at < resources.len() {
        let [before, after] = [&resources[at - 1], &resources[at]];
        if !less(before.path, after.path) {
            return Some([before, after]);
        }
        at += 1;
    }
    None
}
