//! The skills of a source that are wanted.

use super::EntryChecks;
use crate::{
    Code, SkillName,
    json::{Fields, Reader, Tree, Value, quoted},
    redacted::redacted,
};
use helix_skills_runtime::__internal::NameError;
use std::collections::{BTreeMap, BTreeSet};

/// Which skills of a source are wanted, under which names and with which files. Selects everything
/// by default.
///
/// ```
/// use helix_skills_format::Select;
/// let mut select = Select::default();
/// select.exclude.insert("drafts".to_owned());
/// assert!(select.matches("pdf") && !select.matches("drafts"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Select {
    /// Takes only the skills in these directories. The names of directories, not paths.
    pub include: Option<BTreeSet<String>>,
    /// Leaves out the skills in these directories. The names of directories, not paths.
    pub exclude: BTreeSet<String>,
    /// New names of skills, by the name of the skill's directory.
    pub rename: BTreeMap<String, SkillName>,
    /// A prefix for the names of all skills that have no entry in `rename`.
    pub prefix: Option<String>,
    /// Files to leave out of every skill: `exclude` has globs of paths relative to the skill.
    /// `include` has globs of files to take although editors or systems leave such files behind.
    pub exclude_files: BTreeSet<String>,
    /// Globs of files to take although editors, interpreters or systems leave such files behind.
    pub include_files: BTreeSet<String>,
}

impl Select {
    /// Returns whether skills in directories of this name are wanted.
    #[must_use]
    pub fn matches(&self, directory: &str) -> bool {
        self.include.as_ref().is_none_or(|include| include.contains(directory))
            && !self.exclude.contains(directory)
    }

    /// Returns the name of a skill in this directory whose `SKILL.md` has the name `own`.
    ///
    /// # Errors
    /// The name with the prefix is not valid.
    #[doc(hidden)]
    pub fn name(&self, directory: &str, own: &SkillName) -> Result<SkillName, NameError> {
        match (self.rename.get(directory), &self.prefix) {
            (Some(name), _) => Ok(name.clone()),
            (None, Some(prefix)) => SkillName::new(&format!("{prefix}{own}")),
            (None, None) => Ok(own.clone()),
        }
    }

    /// Returns whether `include` names this directory, so that its absence is an error.
    #[doc(hidden)]
    #[must_use]
    pub fn requires(&self, directory: &str) -> bool {
        self.include.as_ref().is_some_and(|include| include.contains(directory))
    }

    pub(super) fn read<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<'t>,
        checks: EntryChecks,
    ) -> Option<Self> {
        // The key that names the parent directory of the skills.
        let above = match fields.peek("type").as_deref() {
            Some("git") => Some("skillsDir"),
            Some("path") => Some("path"),
            _ => None,
        };
        let include = match fields.take("include") {
            Some(value) => Some(directories(reader, value, "`include`", above)?),
            None => None,
        };
        let exclude = match fields.take("exclude") {
            Some(value) => directories(reader, value, "`exclude`", above)?,
            None => BTreeSet::new(),
        };
        let mut select = Self { include, exclude, ..Self::default() };
        if let Some(value) = fields.take("rename") {
            for (directory, at, name) in reader.object(value, "`rename`")?.entries() {
                reader.checked(directory, at, "the directory", directory_name)?;
                let what = format!("the name of {} in `rename`", quoted(directory));
                let (text, at) = (reader.string(name, &what)?, name.start());
                let hint = "a name has letters, digits and `-`: `tide-tables`";
                let name = reader.checked_hint(&text, at, &what, SkillName::new, hint)?;
                select.rename.insert(directory.to_owned(), name);
            }
        }
        if let Some(value) = fields.take("prefix") {
            // A prefix is valid if a name that starts with it is valid, and normalization keeps it.
            let prefix = reader.parsed(value, "`prefix`", |text| {
                match SkillName::new(&format!("{text}x")) {
                    Ok(name) if name.strip_suffix('x') == Some(text) => Ok(text.to_owned()),
                    Ok(name) => Err(format!("write it `{}`", name.trim_end_matches('x'))),
                    Err(why) => Err(why.to_string()),
                }
            })?;
            select.prefix = Some(prefix);
        }
        if let Some(value) = fields.take("files") {
            let mut files = reader.object(value, "`files`")?;
            let both =
                [("exclude", &mut select.exclude_files), ("include", &mut select.include_files)];
            for (key, globs) in both {
                let Some(value) = files.take(key) else { continue };
                for (glob, at) in reader.strings(value, &format!("`{key}`"))? {
                    let hint = "globs have `*`, `**`, `?`, `[abc]` and `{a,b}` and are relative to the skill's directory; `\\` escapes";
                    reader.checked_hint(&glob, at, "the glob", checks.glob, hint)?;
                    globs.insert(glob);
                }
            }
            files.finish(reader);
        }
        Some(select)
    }

    pub(super) fn write(&self, add: &mut impl FnMut(&str, Tree)) {
        if let Some(include) = &self.include {
            add("include", Tree::texts(include));
        }
        if !self.exclude.is_empty() {
            add("exclude", Tree::texts(&self.exclude));
        }
        if !self.rename.is_empty() {
            let rename = self.rename.iter().map(|(dir, name)| (dir.as_str(), Tree::text(name)));
            add("rename", Tree::object(rename));
        }
        if let Some(prefix) = &self.prefix {
            add("prefix", Tree::text(prefix));
        }
        let globs = |globs: &BTreeSet<String>| (!globs.is_empty()).then(|| Tree::texts(globs));
        let (exclude, include) = (globs(&self.exclude_files), globs(&self.include_files));
        if exclude.is_some() || include.is_some() {
            add("files", Tree::present(vec![("exclude", exclude), ("include", include)]));
        }
    }
}

/// Reads the list of directory names `what`. `parent` is the key that names their parent directory,
/// for hints.
fn directories<'t>(
    reader: &mut Reader<'t>,
    value: Value<'t>,
    what: &str,
    parent: Option<&str>,
) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for (name, at) in reader.strings(value, what)? {
        if let Err(why) = directory_name(&name) {
            let message = format!("the directory {} is refused: {why}", quoted(&name));
            // A part that was redacted cannot be suggested.
            let last = name.trim_end_matches('/').rsplit('/').next();
            let last = last.filter(|last| directory_name(last).is_ok() && redacted(&name) == name);
            match (last, parent) {
                (Some(last), Some(parent)) => {
                    let hint =
                        format!("write `{last}`; its parent directory belongs in `{parent}`");
                    reader.error_hint(Code::BadValue, at, message, hint);
                }
                (Some(last), None) => {
                    reader.error_hint(Code::BadValue, at, message, format!("write `{last}`"))
                }
                (None, _) => reader.error(Code::BadValue, at, message),
            }
        } else {
            names.insert(name);
        }
    }
    Some(names)
}

/// Checks the name of a skill's directory: one part of a path.
fn directory_name(text: &str) -> Result<(), &'static str> {
    let bad = text.is_empty()
        || text == "."
        || text == ".."
        || text.contains(['/', '\\'])
        || text.contains(char::is_control);
    if bad { Err("expected the name of a directory, not a path") } else { Ok(()) }
}
