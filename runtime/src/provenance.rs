//! Where a skill comes from.

/// Where the bytes of a skill come from, as the lock has it.
///
/// Skills that were baked without a lock (`include_skills!(dir = "…")`) have only a path.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// // static SKILLS: SkillSet = helix_skills::include_skills!();
/// for skill in SKILLS {
///     let from = skill.provenance();
///     println!("{}: {} at {}", skill.name(), from.url().unwrap_or("ours"), from.commit().unwrap_or("no commit"));
/// }
/// assert_eq!(PDF.provenance().source(), None); // a skill in code comes from nowhere
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Provenance<'a> {
    pub(crate) source: Option<&'a str>,
    pub(crate) url: Option<&'a str>,
    pub(crate) reference: Option<&'a str>,
    pub(crate) commit: Option<&'a str>,
    pub(crate) path: &'a str,
    pub(crate) integrity: Option<&'a str>,
}

impl<'a> Provenance<'a> {
    /// The key of the source in the manifest.
    #[must_use]
    pub const fn source(&self) -> Option<&'a str> {
        self.source
    }

    /// The url of the repository, as the manifest has it; none for skills of the project itself.
    #[must_use]
    pub const fn url(&self) -> Option<&'a str> {
        self.url
    }

    /// The git reference that the pin meant: `refs/tags/v0.6.70`.
    #[must_use]
    pub const fn reference(&self) -> Option<&'a str> {
        self.reference
    }

    /// The full id of the commit.
    #[must_use]
    pub const fn commit(&self) -> Option<&'a str> {
        self.commit
    }

    /// The skill's directory: inside the repository, or relative to the project where there is none.
    #[must_use]
    pub const fn path(&self) -> &'a str {
        self.path
    }

    /// The digest of the skill's listing: `sha256:` and 64 digits.
    #[must_use]
    pub const fn integrity(&self) -> Option<&'a str> {
        self.integrity
    }
}
