//! Provenance of a skill.

/// The origin of a skill's bytes, as the lockfile records it.
///
/// Skills embedded without a lockfile (`include_skills!(dir = "…")`) have only a path.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// // static SKILLS: SkillSet = helix_skills::include_skills!();
/// for skill in SKILLS {
///     let from = skill.provenance();
///     println!("{}: {:?} at {:?}", skill.name(), from.url(), from.commit());
/// }
/// assert_eq!(PDF.provenance().source(), None); // defined in code
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Provenance {
    pub(crate) source: Option<&'static str>,
    pub(crate) url: Option<&'static str>,
    pub(crate) reference: Option<&'static str>,
    pub(crate) commit: Option<&'static str>,
    pub(crate) path: &'static str,
    pub(crate) integrity: Option<&'static str>,
}

impl Provenance {
    /// Returns the key of the source in the manifest.
    #[must_use]
    pub const fn source(&self) -> Option<&'static str> {
        self.source
    }

    /// Returns the URL of the repository, as in the manifest; `None` for skills of the project
    /// itself.
    #[must_use]
    pub const fn url(&self) -> Option<&'static str> {
        self.url
    }

    /// Returns the git reference that the pin resolved to: `refs/tags/v0.6.70`.
    #[must_use]
    pub const fn reference(&self) -> Option<&'static str> {
        self.reference
    }

    /// Returns the full ID of the commit.
    #[must_use]
    pub const fn commit(&self) -> Option<&'static str> {
        self.commit
    }

    /// Returns the skill's directory, relative to the root of the repository, or to the project if
    /// the skill is not from a repository.
    #[must_use]
    pub const fn path(&self) -> &'static str {
        self.path
    }

    /// Returns the digest of the skill's listing: `sha256:` and 64 hexadecimal digits.
    #[must_use]
    pub const fn integrity(&self) -> Option<&'static str> {
        self.integrity
    }
}
