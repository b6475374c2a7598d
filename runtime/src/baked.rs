//! What the macro makes of a whole set, with public fields.

use crate::SearchIndex;

/// What the macro makes from a whole set.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The catalog of all skills. If `None`, it is rendered from the skills.
    pub catalog: Option<BakedCatalog>,
    /// The search index; empty if none was made.
    pub index: SearchIndex,
}

/// The text of a catalog, rendered at compile time.
#[derive(Clone, Copy, Debug)]
pub struct BakedCatalog {
    /// The text.
    pub text: &'static str,
    /// The digest of the text: `sha256:` and 64 hexadecimal digits.
    pub digest: &'static str,
}
