//! What a model asks for.

/// A call of one of the tools, its arguments read.
///
/// [`Toolbox::answer`](crate::Toolbox::answer) takes it. With the feature `serde`, `Toolbox::call` reads one from the
/// name of the tool and its JSON.
///
/// ```
/// use helix_skills_runtime::{Call, Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let toolbox = Toolbox::new(SKILLS);
/// let call = Call::ReadSkillFile { skill: "pdf", path: "SKILL.md", start_line: Some(1), end_line: None };
/// assert!(toolbox.answer(call).to_string().contains("\nUse `pdftotext`.\n</skill_file>"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call<'a> {
    /// Level 2, `load_skill` in our own profile.
    LoadSkill {
        /// The name of the skill.
        name: &'a str,
        /// What the skill is to work on, for the profiles whose tool takes it.
        arguments: Option<&'a str>,
    },
    /// Level 3, `read_skill_file` in our own profile.
    ReadSkillFile {
        /// The name of the skill.
        skill: &'a str,
        /// The path of the file inside the skill.
        path: &'a str,
        /// The first line, counted from 1; the file's first if none.
        start_line: Option<usize>,
        /// The last line, included; the file's last if none.
        end_line: Option<usize>,
    },
    /// `search_skills`.
    SearchSkills {
        /// Words for what a task is about.
        query: &'a str,
    },
}

/// What a model passes on to a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Arguments<'a> {
    #[default]
    None,
    Text(&'a str),
    /// A value of JSON, as it is written.
    #[cfg(feature = "serde")]
    Json(&'a str),
}

impl Arguments<'_> {
    /// None at all for what says nothing.
    pub(crate) fn unless_empty(self) -> Self {
        match self {
            Self::Text(text) if text.trim().is_empty() => Self::None,
            #[cfg(feature = "serde")]
            Self::Json(json) if is_empty(json) => Self::None,
            other => other,
        }
    }
}

/// Whether a value of JSON says nothing: null, an object without members, a blank string.
#[cfg(feature = "serde")]
fn is_empty(json: &str) -> bool {
    let members = json.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let text = || serde_json::from_str::<alloc::string::String>(json);
    json == "null" || members.is_some_and(is_blank) || json.starts_with('"') && text().is_ok_and(|text| is_blank(&text))
}

#[cfg(feature = "serde")]
fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}
