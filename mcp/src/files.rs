//! Files of a skill as contents of a resource.

use base64::{Engine, prelude::BASE64_STANDARD};
use helix_skills_format::Digest;
use mime_guess::MimeGuess;
use rmcp::model::ResourceContents;

/// The name of the file with the instructions.
pub(crate) const SKILL_MD: &str = "SKILL.md";

/// Returns the digest of a file without one: of a skill that was not embedded.
pub(crate) fn digest(bytes: &[u8]) -> String {
    #[cfg(test)]
    HASHED.with(|hashed| hashed.set(hashed.get() + 1));
    format!("sha256:{}", Digest::hash(bytes))
}

#[cfg(test)]
thread_local! {
    /// Number of files that this thread has hashed.
    pub(crate) static HASHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns the media type of a path by its extension.
pub(crate) fn mime_type(path: &str) -> Option<&'static str> {
    MimeGuess::from_path(path).first_raw()
}

/// Returns the content of a file, exactly its bytes: as text if it is UTF-8 without a NUL.
pub(crate) fn contents(uri: &str, path: &str, bytes: Vec<u8>) -> ResourceContents {
    let contents = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => ResourceContents::text(text, uri),
        Ok(text) => ResourceContents::blob(BASE64_STANDARD.encode(text), uri),
        Err(error) => ResourceContents::blob(BASE64_STANDARD.encode(error.as_bytes()), uri),
    };
    match mime_type(path) {
        Some(mime_type) => contents.with_mime_type(mime_type),
        None => contents,
    }
}
