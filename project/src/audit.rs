//! What is worth knowing of the files of a skill, and refused by nobody.

use crate::contents::Contents;
use helix_skills_format::{Allow, SkillMd};
use helix_skills_lint::{Audit, Audited};

/// Looks at every file of a skill, to its last byte.
pub(crate) fn look(contents: &Contents, skill: &SkillMd) -> Audited {
    let mut audit = Audit::default();
    contents.files().iter().for_each(|file| audit.look(&file.path, &file.bytes));
    audit.finish(|| skill.allowed_tools.clone())
}

/// Leaves out what the manifest says somebody has looked at. `name` is that of the skill in the lock.
pub(crate) fn let_through(audited: &mut Audited, allow: &Allow, name: &str) {
    audited.notes.retain(|note| !allow.allows(name, note.file.as_deref().unwrap_or_default(), note.code));
}
