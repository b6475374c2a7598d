//! Audit notes on the files of a skill; never fatal.

use crate::contents::Contents;
use helix_skills_format::Allow;
use helix_skills_lint::Audit;

/// Audits every byte of every file of a skill.
pub(crate) fn scan(contents: &Contents) -> Audit {
    let mut audit = Audit::default();
    contents.files().iter().for_each(|file| audit.scan(&file.path, &file.bytes));
    audit
}

/// Removes the notes that the manifest allows for the skill with the locked name `name`.
pub(crate) fn apply_allow(audited: &mut Audit, allow: &Allow, name: &str) {
    audited
        .notes
        .retain(|note| !allow.allows(name, note.file.as_deref().unwrap_or_default(), note.code));
}
