//! One entry of the manifest.

use super::{Pin, RefName, VersionPin};
use crate::{Code, DirPath, GitUrl, ObjectId, SkillName, json::Fields, json::Reader, redacted};
use jsonc_parser::{ast::Value, common::Ranged as _};
use serde_json::{Map, Value as Json, json};
use std::{collections::BTreeMap, collections::BTreeSet, fmt};

/// Where skills come from, and which of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// `"type": "git"`: a repository.
    Git(GitSource),
    /// `"type": "path"`: a directory of this project or beside it.
    Path(PathSource),
}

/// What a source may be.
const SOURCE_TYPES: &str = "the types are `git` and `path`";

/// The directory of a repository whose subdirectories are skills.
const DEFAULT_SKILLS_DIR: &str = "skills";

/// A git repository and the commit that is wanted of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitSource {
    /// The repository, as it was written.
    pub url: GitUrl,
    /// Which release, tag or branch.
    pub pin: Pin,
    /// The commit itself, or what the pin must mean.
    pub sha: Option<ObjectId>,
    /// The directory whose subdirectories are skills, where one was named; `skills` by default.
    pub skills_dir: DirPath,
    /// Whether plain http may go to another machine.
    pub allow_insecure: bool,
    /// Which skills.
    pub select: Select,
}

/// A directory on disk: a skill, or one whose subdirectories are skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathSource {
    /// The directory.
    pub path: ProjectPath,
    /// Which skills.
    pub select: Select,
}

/// Which skills of a source, under which names, with which files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Select {
    /// Only these directories.
    pub include: Option<BTreeSet<String>>,
    /// Not these directories.
    pub exclude: BTreeSet<String>,
    /// The name of the skill in a directory, instead of its own.
    pub rename: BTreeMap<String, SkillName>,
    /// Put in front of every name that is not a `rename`.
    pub prefix: Option<String>,
    /// Globs of files that are left out of every skill.
    pub exclude_files: BTreeSet<String>,
}

impl Source {
    /// Which skills of the source.
    #[must_use]
    pub fn select(&self) -> &Select {
        match self {
            Self::Git(git) => &git.select,
            Self::Path(path) => &path.select,
        }
    }

    /// What kind of source it is: the manifest's `"type"`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Git(_) => "git",
            Self::Path(_) => "path",
        }
    }

    pub(crate) fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a source")?;
        let Some(kind) = fields.take("type") else {
            let message = "a source needs the key `type`";
            reader.error_hint(Code::MissingKey, fields.range, message, SOURCE_TYPES);
            return None;
        };
        let found = reader.string(kind, "`type`")?;
        let source = match found.as_str() {
            "git" => GitSource::read(reader, &mut fields).map(Self::Git),
            "path" => PathSource::read(reader, &mut fields).map(Self::Path),
            _ => {
                let message = format!("`{}` is no type of source that this version knows", found.escape_debug());
                reader.error_hint(Code::BadValue, kind.range(), message, SOURCE_TYPES);
                return None;
            }
        };
        // What could not be read was reported; the keys not reached yet would only be reported as unknown.
        if source.is_some() {
            fields.finish(reader);
        }
        source
    }

    /// The entry as data with its defaults filled in: what the lock keeps to find drift. Keys are sorted.
    #[must_use]
    pub fn to_json(&self) -> Json {
        // Sorted here, because another crate may build `serde_json` with `preserve_order`.
        let mut map = BTreeMap::new();
        map.insert("type".to_owned(), json!(self.kind()));
        match self {
            Self::Git(git) => {
                map.insert("url".to_owned(), json!(git.url.as_str()));
                map.insert("skillsDir".to_owned(), json!(git.skills_dir.as_str()));
                match &git.pin {
                    Pin::Version(version) => drop(map.insert("version".to_owned(), json!(version.as_str()))),
                    Pin::Ref(name) => drop(map.insert("ref".to_owned(), json!(name.as_str()))),
                    Pin::None => {}
                }
                if let Some(sha) = &git.sha {
                    map.insert("sha".to_owned(), json!(sha.as_str()));
                }
                if git.allow_insecure {
                    map.insert("allowInsecure".to_owned(), json!(true));
                }
            }
            Self::Path(path) => drop(map.insert("path".to_owned(), json!(path.path.as_str()))),
        }
        self.select().write(&mut map);
        Json::Object(map.into_iter().collect())
    }
}

impl GitSource {
    /// Whether `skillsDir` was left alone: only then is the root of the repository looked at for a skill.
    #[must_use]
    pub fn has_default_dir(&self) -> bool {
        self.skills_dir.as_str() == DEFAULT_SKILLS_DIR
    }

    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'_, 't>) -> Option<Self> {
        let allow_insecure = match fields.take("allowInsecure") {
            Some(value) => reader.boolean(value, "`allowInsecure`")?,
            None => false,
        };
        let parse = if allow_insecure { GitUrl::parse_insecure } else { GitUrl::parse };
        let written = fields.require(reader, "url")?;
        let text = reader.string(written, "`url`")?;
        let url = match parse(&text) {
            Ok(url) => Some(url),
            Err(why) => {
                // A refused url may hold a password.
                let message = format!("`url` `{}` is refused: {why}", redacted(&text).escape_debug());
                match why.hint() {
                    Some(hint) => reader.error_hint(Code::BadUrl, written.range(), message, hint),
                    None => reader.error(Code::BadUrl, written.range(), message),
                }
                None
            }
        };
        let version = fields.take("version");
        let reference = fields.take("ref");
        let pin = match (version, reference) {
            (Some(_), Some(second)) => {
                let message = "a source has either `version` or `ref`";
                reader.error_hint(Code::ConflictingKeys, second.range(), message, "`sha` may stand beside one of them");
                None
            }
            (Some(version), None) => reader.parsed(version, "`version`", VersionPin::parse).map(Pin::Version),
            (None, Some(name)) => reader.parsed(name, "`ref`", RefName::new).map(Pin::Ref),
            (None, None) => Some(Pin::None),
        };
        let sha = match fields.take("sha") {
            Some(value) => Some(reader.parsed(value, "`sha`", str::parse::<ObjectId>)?),
            None => None,
        };
        let skills_dir = match fields.take("skillsDir") {
            Some(value) => reader.parsed(value, "`skillsDir`", DirPath::new),
            None => DirPath::new(DEFAULT_SKILLS_DIR).ok(),
        };
        let select = Select::read(reader, fields)?;
        Some(Self { url: url?, pin: pin?, sha, skills_dir: skills_dir?, allow_insecure, select })
    }
}

impl PathSource {
    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'_, 't>) -> Option<Self> {
        let path = fields.require(reader, "path")?;
        let path = reader.parsed(path, "`path`", ProjectPath::new);
        let select = Select::read(reader, fields)?;
        Some(Self { path: path?, select })
    }
}

impl Select {
    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'_, 't>) -> Option<Self> {
        let include = match fields.take("include") {
            Some(value) => Some(directories(reader, value, "`include`")?),
            None => None,
        };
        let exclude = match fields.take("exclude") {
            Some(value) => directories(reader, value, "`exclude`")?,
            None => BTreeSet::new(),
        };
        let mut select = Self { include, exclude, ..Self::default() };
        if let Some(value) = fields.take("rename") {
            for (directory, at, name) in reader.object(value, "`rename`")?.entries() {
                reader.checked(directory, at, "the directory", directory_name)?;
                let name = reader.parsed(name, "the name", SkillName::new)?;
                select.rename.insert(directory.to_owned(), name);
            }
        }
        if let Some(value) = fields.take("prefix") {
            // A prefix is good when a name with it is, and begins with it as it is written.
            let prefix = reader.parsed(value, "`prefix`", |text| match SkillName::new(&format!("{text}x")) {
                Ok(name) if name.strip_suffix('x') == Some(text) => Ok(text.to_owned()),
                Ok(name) => Err(format!("write it `{}`", name.trim_end_matches('x'))),
                Err(why) => Err(why.to_string()),
            })?;
            select.prefix = Some(prefix);
        }
        if let Some(value) = fields.take("files") {
            let mut files = reader.object(value, "`files`")?;
            if let Some(value) = files.take("exclude") {
                for (glob, at) in reader.strings(value, "`exclude`")? {
                    reader.checked(&glob, at, "the glob", check_glob)?;
                    select.exclude_files.insert(glob);
                }
            }
            files.finish(reader);
        }
        Some(select)
    }

    fn write(&self, map: &mut BTreeMap<String, Json>) {
        if let Some(include) = &self.include {
            map.insert("include".to_owned(), json!(include));
        }
        if !self.exclude.is_empty() {
            map.insert("exclude".to_owned(), json!(self.exclude));
        }
        if !self.rename.is_empty() {
            let rename: Map<_, _> = self.rename.iter().map(|(dir, name)| (dir.clone(), json!(name.as_str()))).collect();
            map.insert("rename".to_owned(), Json::Object(rename));
        }
        if let Some(prefix) = &self.prefix {
            map.insert("prefix".to_owned(), json!(prefix));
        }
        if !self.exclude_files.is_empty() {
            map.insert("files".to_owned(), json!({ "exclude": self.exclude_files }));
        }
    }
}

fn directories<'t>(reader: &mut Reader<'t>, value: &Value<'t>, what: &str) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for (name, at) in reader.strings(value, what)? {
        if reader.checked(&name, at, "the directory", directory_name).is_some() {
            names.insert(name);
        }
    }
    Some(names)
}

/// Whether brackets, braces and escapes of a glob are closed. What matches what is the business of who uses it.
fn check_glob(text: &str) -> Result<(), &'static str> {
    let mut depth = 0_u32;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.next().is_none() => return Err("`\\` escapes nothing at its end"),
            '[' => {
                // A bracket right at the start, also after `!` or `^`, is one of the class.
                let rest = chars.as_str();
                let inner = rest.strip_prefix(['!', '^']).unwrap_or(rest);
                let skipped = rest.len() - inner.len() + usize::from(inner.starts_with(']'));
                let Some(end) = rest.get(skipped..).and_then(|class| class.find(']')) else {
                    return Err("`[` is not closed");
                };
                chars = rest[skipped + end + 1..].chars();
            }
            '{' => depth += 1,
            '}' if depth == 0 => return Err("`}` closes nothing"),
            '}' => depth -= 1,
            _ => {}
        }
    }
    match (text.is_empty(), depth) {
        (true, _) => Err("it is empty"),
        (_, 0) => Ok(()),
        _ => Err("`{` is not closed"),
    }
}

/// The name of a directory that holds a skill: one part of a path.
fn directory_name(text: &str) -> Result<(), &'static str> {
    let bad =
        text.is_empty() || text == "." || text == ".." || text.contains(['/', '\\']) || text.contains(char::is_control);
    if bad { Err("expected the name of one directory, exactly as it is") } else { Ok(()) }
}

/// The path of a `path` source: relative to the manifest, `/` between its parts; `../` may lead out of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectPath(String);

/// Why a text cannot be the path of a `path` source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProjectPathError {
    /// Nothing there.
    Empty,
    /// Starts at a root, a drive or a home directory: it would mean something else on every machine.
    Absolute,
    /// A backslash or a control character.
    Character(char),
    /// `..` after a directory was entered.
    Traversal,
}

impl fmt::Display for ProjectPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::Absolute => {
                f.write_str("it must be relative to the manifest, so that it means the same on every machine")
            }
            Self::Character(c) => {
                write!(f, "it holds `{}`; the parts of a path are separated by `/`", c.escape_debug())
            }
            Self::Traversal => f.write_str("`..` may only stand at its start"),
        }
    }
}

impl std::error::Error for ProjectPathError {}

crate::newtype::checked_text!(ProjectPath);

impl ProjectPath {
    /// Checks a path; `./`, doubled and trailing slashes are dropped.
    ///
    /// # Errors
    /// When it is not relative, or holds what some system takes for something else.
    pub fn new(text: &str) -> Result<Self, ProjectPathError> {
        if text.is_empty() {
            return Err(ProjectPathError::Empty);
        }
        let drive = text.as_bytes().get(1) == Some(&b':') && text.as_bytes()[0].is_ascii_alphabetic();
        if text.starts_with(['/', '~']) || drive {
            return Err(ProjectPathError::Absolute);
        }
        if let Some(c) = text.chars().find(|c| c.is_control() || *c == '\\') {
            return Err(ProjectPathError::Character(c));
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let up = parts.iter().take_while(|part| **part == "..").count();
        if parts[up..].contains(&"..") {
            return Err(ProjectPathError::Traversal);
        }
        Ok(Self(if parts.is_empty() { ".".to_owned() } else { parts.join("/") }))
    }

    /// The path; `.` for the manifest's own directory.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
