//! Where a repository has a skill.

use helix_skills_format::DirPath;

/// What names and paths name in a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSkills {
    /// The full name of the tag or branch of the commit.
    pub reference: Option<String>,
    /// Number of skills that the source searches. Copies count once.
    pub in_scope: usize,
    /// For each name.
    pub found: Vec<Found>,
}

/// What a name or a path names in a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A skill.
    Skill {
        /// Its directory.
        path: DirPath,
        /// The key that names it in `include`.
        key: String,
    },
    /// A directory that is not a skill, but has skills below it.
    Scope {
        /// The directory.
        path: DirPath,
        /// The keys and the directories of these skills.
        skills: Vec<(String, DirPath)>,
    },
    /// Several skills of that name.
    Several(Vec<DirPath>),
    /// No skill; with a hint on what there is.
    Nothing(String),
}
