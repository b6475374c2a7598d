//! The listing of a skill: the output of `sha256sum` for its files.

use crate::{Code, Digest, Finding, Integrity, Position, RelPath};
use std::fmt::Write as _;

/// Digests and paths of a skill's files, sorted by path bytes.
///
/// ```
/// use helix_skills_format::{Listing, RelPath};
/// let listing = Listing::from_files([(RelPath::new("SKILL.md").unwrap(), b"abc".as_slice())]);
/// assert_eq!(
///     listing.to_string(),
///     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  SKILL.md\n",
/// );
/// assert_eq!(Listing::parse(&listing.to_string()).unwrap(), listing);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing(Vec<(RelPath, Digest)>);

impl Listing {
    /// Creates the listing of files in memory.
    pub fn from_files<B: AsRef<[u8]>>(files: impl IntoIterator<Item = (RelPath, B)>) -> Self {
        Self::from_digests(
            files.into_iter().map(|(path, bytes)| (path, Digest::hash(bytes.as_ref()))),
        )
    }

    /// Creates a listing from known digests.
    #[doc(hidden)]
    pub fn from_digests(entries: impl IntoIterator<Item = (RelPath, Digest)>) -> Self {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort();
        Self(entries)
    }

    /// Parses a listing.
    ///
    /// # Errors
    /// The first line that is not `<digest>  <path>`, contains a path that is not allowed, or is
    /// out of order.
    pub fn parse(text: &str) -> Result<Self, Finding> {
        let mut entries: Vec<(RelPath, Digest)> = Vec::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let error = |code, column, message: String| {
                Err(Finding::new(code, Position { line: number, column }, message))
            };
            let Some(line) = line.strip_suffix('\n') else {
                let message = "the last line of a listing must end with a line feed";
                return error(Code::Syntax, 1, message.to_owned());
            };
            if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark)) {
                let message = "the listing contains conflict markers of a merge";
                return error(Code::ConflictMarkers, 1, message.to_owned());
            }
            let entry = line
                .split_once("  ")
                .and_then(|(digest, path)| Some((digest.parse::<Digest>().ok()?, path)));
            let Some((digest, path)) = entry else {
                let more = if line.ends_with('\r') { "; the line ends with CR LF" } else { "" };
                let message = format!("expected a lower-case sha256, two spaces and a path{more}");
                return error(Code::Syntax, 1, message);
            };
            let path = match RelPath::new(path) {
                Ok(path) => path,
                Err(why) => return error(Code::BadPath, 67, why.to_string()),
            };
            if entries.last().is_some_and(|(last, _)| *last >= path) {
                let message =
                    format!("`{path}` is out of order: paths must be sorted by bytes and unique");
                return error(Code::Unsorted, 67, message);
            }
            entries.push((path, digest));
        }
        Ok(Self(entries))
    }

    /// Returns paths and digests, sorted by path bytes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&RelPath, Digest)> {
        self.0.iter().map(|(path, digest)| (path, *digest))
    }

    /// Returns the digest of one file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<Digest> {
        self.0.binary_search_by(|(p, _)| p.as_str().cmp(path)).ok().map(|at| self.0[at].1)
    }

    /// Returns the number of files.
    #[doc(hidden)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the listing is empty.
    #[doc(hidden)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the digest of this listing's text.
    #[must_use]
    pub fn integrity(&self) -> Integrity {
        Integrity(Digest::hash(self.to_string().as_bytes()))
    }
}

impl std::fmt::Display for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (path, digest) in &self.0 {
            write!(f, "{digest}  ")?;
            f.write_str(path)?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}
