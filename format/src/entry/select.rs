//! The skills of a source that are wanted.

use super::EntryChecks;
use crate::{
    DirPath, Error, SkillName,
    json::{Fields, Reader, Tree, quoted},
};
use std::collections::{BTreeMap, BTreeSet};

/// Which skills of a source are wanted, under which names and with which files. Selects everything
/// by default.
///
/// ```
/// use helix_skills_format::{DirPath, Select};
/// let mut select = Select::default();
/// select.exclude.insert("drafts".to_owned());
/// assert!(!select.matches("drafts", &DirPath::new("skills/drafts").unwrap()));
/// assert!(select.matches("pdf", &DirPath::new("skills/pdf").unwrap()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Select {
    /// Takes only the skills in these directories. Each key is the name of a directory that the
    /// source searches, or the path of a directory of the repository: with a `/`, as in `./pdf`.
    /// Sources of the type `path` have only names.
    pub include: Option<BTreeSet<String>>,
    /// Leaves out the skills in these directories. The keys are those of `include`.
    pub exclude: BTreeSet<String>,
    /// New names of skills, by the keys of `include`.
    pub rename: BTreeMap<String, SkillName>,
    /// A prefix for the names of all skills that have no entry in `rename`.
    pub prefix: Option<String>,
    /// Globs of files to leave out of every skill, relative to the skill.
    pub exclude_files: BTreeSet<String>,
    /// Globs of files to take although editors, interpreters or systems leave such files behind.
    pub include_files: BTreeSet<String>,
}

impl Select {
    /// Returns whether the skill in the directory `name`, at `path`, is wanted.
    #[must_use]
    pub fn matches(&self, name: &str, path: &DirPath) -> bool {
        let path = path_key(path);
        let names = |keys: &BTreeSet<String>| keys.contains(&path) || keys.contains(name);
        self.include.as_ref().is_none_or(names) && !names(&self.exclude)
    }

    /// Returns the name that `rename` has for the skill in the directory `name`, at `path`.
    #[doc(hidden)]
    #[must_use]
    pub fn new_name(&self, name: &str, path: &DirPath) -> Option<&SkillName> {
        self.rename.get(&path_key(path)).or_else(|| self.rename.get(name))
    }

    pub(super) fn read<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<'t>,
        checks: EntryChecks,
    ) -> Option<Self> {
        let key = match fields.peek("type").as_deref() {
            Some("path") => directory_name,
            _ => key,
        };
        let what = "the directory";
        let include = fields.parsed_set(reader, "include", what, key)?;
        let only_excluded = |text: &str| match key(text)? {
            key if include.as_ref().is_some_and(|keys| keys.contains(&key)) => {
                Err(Error::new("`include` has it, too; remove it from one of them"))
            }
            key => Ok(key),
        };
        let exclude =
            fields.parsed_set(reader, "exclude", what, only_excluded)?.unwrap_or_default();
        let mut select = Self { include, exclude, ..Self::default() };
        if let Some(value) = fields.take("rename") {
            for (directory, at, name) in reader.object(value, "`rename`")?.entries() {
                let checked = reader.checked(directory, at, "the directory", key)?;
                let what = format!("the name of {} in `rename`", quoted(directory));
                let (text, at) = (reader.string(name, &what)?, name.start());
                let hint = "a name has letters, digits and `-`: `tide-tables`";
                let name = reader.checked_hint(&text, at, &what, SkillName::new, hint)?;
                select.rename.insert(checked, name);
            }
        }
        if let Some(value) = fields.take("prefix") {
            // A prefix is valid if a name that starts with it is valid, and normalization keeps it.
            let prefix = reader.parsed(value, "`prefix`", |text| {
                match SkillName::new(&format!("{text}x")) {
                    Ok(name) if name.strip_suffix('x') == Some(text) => Ok(text.to_owned()),
                    Ok(name) => {
                        Err(Error::from(format!("write it `{}`", name.trim_end_matches('x'))))
                    }
                    Err(why) => Err(why.into()),
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

/// Parses the name of a directory, or the path of one with a `/`.
fn key(text: &str) -> Result<String, Error> {
    if !text.contains('/') {
        return directory_name(text);
    }
    Ok(path_key(&DirPath::new(text)?))
}

/// Returns the key that names a path in `include`, `exclude` and `rename`. Unlike the name of a
/// directory, it has a `/`.
#[must_use]
pub fn path_key(path: &DirPath) -> String {
    match path.as_str() {
        path if path.contains('/') => path.to_owned(),
        "." => "./".to_owned(),
        name => format!("./{name}"),
    }
}

/// Parses the name of a directory.
fn directory_name(text: &str) -> Result<String, Error> {
    let is_reserved = text.is_empty() || text == "." || text == "..";
    let is_name = !is_reserved && !text.contains(|c: char| "/\\".contains(c) || c.is_control());
    let why = Error::new("expected the name of a directory, such as `pdf`");
    is_name.then(|| text.to_owned()).ok_or(why)
}
