//! Skills as they were read, before they are tokens.

use crate::problem::Problem;
use helix_skills_format::{Digest, Finding, RelPath, SkillMd, SkillName};
use helix_skills_runtime::__private::{is_neutral, is_plain};
use helix_skills_runtime::IndexOptions;
use proc_macro2::TokenStream;
use std::path::{Path, PathBuf};

/// What one call bakes.
#[derive(Default)]
pub(crate) struct Bake {
    /// Files whose change has to run the macro again, beside those of the skills.
    pub(crate) tracked: Vec<PathBuf>,
    /// The skills that were proved, in any order.
    pub(crate) skills: Vec<BakedSkill>,
    /// The skills that were not.
    pub(crate) unproved: Vec<Unproved>,
    /// The names of the skills whose bodies are in the catalog, sorted.
    pub(crate) preloaded: Vec<String>,
    /// What the search index is made of.
    pub(crate) search: IndexOptions,
    /// What keeps the bake from succeeding.
    pub(crate) problems: Vec<Problem>,
}

/// Maximum number of problems that one call reports: each is a compile error of several lines.
const MAX_PROBLEMS: usize = 100;

impl Bake {
    /// The compile errors for its problems.
    pub(crate) fn errors(&self) -> TokenStream {
        let more = self.problems.len().saturating_sub(MAX_PROBLEMS);
        let more = (more > 0).then(|| Problem::new(format!("{more} more problems are not shown")));
        self.problems.iter().take(MAX_PROBLEMS).chain(&more).map(Problem::tokens).collect()
    }
}

/// One skill.
pub(crate) struct BakedSkill {
    pub(crate) name: SkillName,
    /// The very text that was hashed.
    pub(crate) text: String,
    pub(crate) skill_md: SkillMd,
    /// The file that `text` was read from.
    pub(crate) file: PathBuf,
    /// The digest of `text`, if a listing has it.
    pub(crate) digest: Option<Digest>,
    /// Sorted by path.
    pub(crate) resources: Vec<BakedResource>,
    /// What is invisible in its files, whether it is let through or not.
    pub(crate) invisible: Vec<Finding>,
    pub(crate) origin: Origin,
}

impl BakedSkill {
    /// The text after the frontmatter.
    pub(crate) fn body(&self) -> &str {
        self.skill_md.layout.body(&self.text)
    }
}

/// A skill that something is wrong with: what it is called, and the files it should have.
pub(crate) struct Unproved {
    pub(crate) name: SkillName,
    pub(crate) paths: Vec<RelPath>,
}

impl Unproved {
    /// A skill of which only the name is known.
    pub(crate) fn named(name: SkillName) -> Self {
        Self { name, paths: Vec::new() }
    }
}

/// One file beside `SKILL.md`, embedded by its path.
pub(crate) struct BakedResource {
    pub(crate) path: RelPath,
    pub(crate) file: PathBuf,
    pub(crate) len: usize,
    pub(crate) kind: Kind,
    /// Its digest, if a listing has it.
    pub(crate) digest: Option<Digest>,
}

/// What reading a file need not find out.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Binary,
    Text,
    /// Text without a NUL, as the runtime looks for one.
    Plain,
    /// Plain text in which nothing has to be escaped.
    Neutral,
}

impl Kind {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Err(_) => Self::Binary,
            Ok(text) if !is_plain(text) => Self::Text,
            Ok(text) if !is_neutral(text) => Self::Plain,
            Ok(_) => Self::Neutral,
        }
    }
}

/// Where a skill comes from.
#[derive(Default)]
pub(crate) struct Origin {
    pub(crate) source: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) commit: Option<String>,
    pub(crate) path: String,
    pub(crate) integrity: Option<String>,
}

/// The text and fields of a `SKILL.md`. `directory` stands in for a name that is missing.
pub(crate) fn parse(
    bytes: Vec<u8>,
    directory: &str,
    file: &Path,
) -> Result<(String, SkillMd), Vec<Finding>> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("SKILL.md");
    let parsed = SkillMd::parse_bytes(&bytes, Some(directory), name)?;
    // The parser has refused everything else.
    let text = String::from_utf8(bytes).unwrap_or_default();
    Ok((text, parsed.skill))
}
