//! Parsers of untrusted input as functions of bytes, for the fuzz targets.

pub use helix_skills_git::fuzzing::{
    Conversation, Ingested, Object, Tree, apply_delta, conversation, ingest, saved, saved_line,
};

use crate::manifest::Select;
use crate::{
    Error,
    contents::{Admission, Collector, FileRules, SourceFile},
    error::SourceErrors,
};
use helix_skills_format::{Limits, RelPath, SourceKey};

/// Compiles the globs of a manifest.
///
/// # Errors
/// The error message.
pub fn compile_globs(select: &Select) -> Result<(), String> {
    FileRules::new(select, Limits::default()).map(|_| ()).map_err(|why| why.to_string())
}

/// A file of a skill.
#[derive(Debug)]
pub struct CollectedFile {
    /// Its path in the skill.
    pub path: RelPath,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The files of a skill or their errors, and the excluded paths.
pub type Collected = (Result<Vec<CollectedFile>, Error>, Vec<String>);

/// Collects the files of a skill; `None` if a glob is invalid. An entry without bytes is a
/// directory.
pub fn collect<'e>(
    select: &Select,
    limits: Limits,
    entries: impl IntoIterator<Item = (&'e str, Option<&'e [u8]>)>,
) -> Option<Collected> {
    let rules = FileRules::new(select, limits).ok()?;
    let mut errors = SourceErrors::new();
    let mut collector =
        Collector::new(&rules, ("fuzz: skills/x".to_owned(), Some("x")), &mut errors);
    for (path, bytes) in entries {
        if collector.is_over() {
            break;
        }
        let Admission::Include(path) = collector.admit(path, bytes.is_none()) else { continue };
        if let Some(bytes) = bytes
            && collector.admit_size(&path, bytes.len() as u64)
        {
            collector.add(path, bytes.to_vec(), false);
        }
    }
    let (contents, excluded) = collector.finish();
    let key = SourceKey::new("fuzz").ok()?;
    let file =
        |file: &SourceFile| CollectedFile { path: file.path.clone(), bytes: file.bytes.clone() };
    let files = contents.map(|contents| contents.files().iter().map(file).collect());
    Some((files.ok_or_else(|| errors.into_vec(&key).into()), excluded))
}
