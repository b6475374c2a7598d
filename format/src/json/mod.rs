//! A JSON reader that reports all problems of a text with their positions.
//!
//! All JSON of this project is read through [`Fields`]: a reader takes the keys that it knows, and
//! every other key is an error with the closest known key as a hint, except in documents whose
//! format other projects define. The runtime's parser parses the text; if comments are allowed, it
//! parses a copy in which they are replaced by spaces.

mod comments;
mod syntax_hint;
#[cfg(test)]
mod tests;
mod tree;

/// A value of a checked text. Values are views of the text, and are copied.
pub use helix_skills_runtime::__internal::{Json as Value, JsonKind};
pub use tree::Tree;

use crate::list::listed_all;
use crate::{
    Code, Error, Finding, GitUrl, Position, git_url::is_owner_and_repository, redacted::redacted,
};
use comments::without_comments;
use helix_skills_runtime::__internal::typos;
use std::{borrow::Cow, collections::BTreeSet};
use syntax_hint::syntax_hint;

/// Maximum size of a text in bytes, far above any real manifest or lockfile.
const MAX_BYTES: usize = 16 << 20;

/// Maximum number of findings per text.
const MAX_FINDINGS: usize = 100;

/// A JSON text that is being read, and its findings.
pub struct Reader<'t> {
    text: &'t str,
    /// Byte offset of the part that is read in the whole text.
    start: usize,
    /// The findings so far.
    pub findings: Vec<Finding>,
}

/// The extensions to JSON that a format allows. Arrays and objects may nest 127 levels deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// A byte order mark, comments and trailing commas, for manifests.
    Commented,
    /// None, for lockfiles and published files of other projects.
    Strict,
}

impl<'t> Reader<'t> {
    /// Parses the text and passes its top-level object to `read`. `what` names the format in
    /// messages.
    pub fn document<T>(
        text: &str,
        dialect: Dialect,
        what: &str,
        read: impl for<'x> FnOnce(&mut Reader<'x>, &mut Fields<'x>) -> Option<T>,
    ) -> Result<T, Vec<Finding>> {
        let mark = if dialect == Dialect::Commented { "\u{feff}" } else { "" };
        let text = text.strip_prefix(mark).unwrap_or(text);
        Self::part(text, 0..text.len(), dialect, what, read)
    }

    /// Like [`document`](Self::document), for an object that is part of a text; positions refer to
    /// the whole text.
    pub fn part<T>(
        whole: &str,
        part: std::ops::Range<usize>,
        dialect: Dialect,
        what: &str,
        read: impl for<'x> FnOnce(&mut Reader<'x>, &mut Fields<'x>) -> Option<T>,
    ) -> Result<T, Vec<Finding>> {
        let start = part.start;
        let text = &whole[part];
        if text.len() > MAX_BYTES {
            let message =
                format!("{what} of {} bytes is larger than {MAX_BYTES} bytes", text.len());
            return Err(vec![Finding::new(Code::TooLarge, None, message)]);
        }
        if let Some(finding) = conflict(text, what) {
            return Err(vec![finding]);
        }
        let json = if dialect == Dialect::Commented { without_comments(text) } else { text.into() };
        let mut reader = Reader { text: whole, start, findings: Vec::new() };
        if json.trim_ascii().is_empty() {
            reader.error(Code::Syntax, 0, format!("{what} is empty, expected a JSON object"));
            return Err(reader.findings);
        }
        let root = Value::parse(&json).map_err(|error| {
            let position = |at| Position::from_offset(whole, start + at);
            let (at, what) = (error.offset(), error.message());
            // Only these texts are written by hand.
            let hint =
                (dialect == Dialect::Commented).then(|| syntax_hint(&json, at, what, position));
            vec![Finding { hint, ..Finding::new(Code::Syntax, position(at), what) }]
        })?;
        let value = reader.object(root, what).and_then(|mut fields| {
            let value = read(&mut reader, &mut fields);
            // A reader that gave up early has not taken all keys, so the rest are not unknown.
            if value.is_some() {
                fields.finish(&mut reader);
            }
            value
        });
        match value {
            Some(value) if reader.findings.is_empty() => Ok(value),
            _ => Err(reader.findings),
        }
    }

    /// Adds a finding.
    pub fn error(&mut self, code: Code, at: usize, message: impl Into<String>) {
        self.push(code, at, message.into(), None);
    }

    /// Adds a finding with a hint.
    pub fn error_hint(
        &mut self,
        code: Code,
        at: usize,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.push(code, at, message.into(), Some(hint.into()));
    }

    fn push(&mut self, code: Code, at: usize, message: String, hint: Option<String>) {
        // More findings would not help, and each position costs a scan of the whole text.
        if self.findings.len() < MAX_FINDINGS {
            let at = Position::from_offset(self.text, self.start + at);
            self.findings.push(Finding { hint, ..Finding::new(code, at, message) });
        }
    }

    /// Reports that a key is missing.
    pub(crate) fn needs_key(&mut self, at: usize, what: &str, key: &str) {
        self.error(Code::MissingKey, at, format!("{what} needs the key `{key}`"));
    }

    /// Reports keys that exclude others.
    pub(crate) fn cannot_have(&mut self, at: usize, what: &str, keys: &str) {
        self.error(Code::ConflictingKeys, at, format!("{what} cannot have {keys}"));
    }

    /// Returns the fields of an object. Any other value, and a duplicate key, is an error.
    pub fn object(&mut self, value: Value<'t>, what: &str) -> Option<Fields<'t>> {
        if value.kind() != JsonKind::Object {
            self.wrong_type(value, what, "an object");
            return None;
        }
        let (mut members, mut seen) = (Vec::new(), BTreeSet::new());
        for (key, value) in value.members() {
            // Strings of a parsed document always have a text.
            let (name, at) = (key.text().unwrap_or_default(), key.start());
            if !seen.insert(name.clone()) {
                let message = format!("duplicate key {}", quoted(&name));
                self.error(Code::DuplicateKey, at, message);
            }
            members.push(Member { name, at, value });
        }
        Some(Fields {
            what: what.to_owned(),
            at: value.start(),
            members,
            known: Vec::new(),
            is_open: false,
            elsewhere: Vec::new(),
            misspelled: Vec::new(),
        })
    }

    /// Returns the value as a string.
    pub fn string(&mut self, value: Value<'t>, what: &str) -> Option<String> {
        let text = value.text().map(Cow::into_owned);
        if text.is_none() {
            let is_word = matches!(value.kind(), JsonKind::Number | JsonKind::Boolean);
            let hint = is_word.then(|| format!("write `\"{}\"`", value.source()));
            self.push_wrong_type(value, what, "a string", hint);
        }
        text
    }

    /// Returns the items of a list.
    pub fn list(&mut self, value: Value<'t>, what: &str, expected: &str) -> Option<Vec<Value<'t>>> {
        if value.kind() != JsonKind::Array {
            self.wrong_type(value, what, expected);
            return None;
        }
        Some(value.items().collect())
    }

    /// Returns the value as a list of strings, with their positions.
    pub fn strings(&mut self, value: Value<'t>, what: &str) -> Option<Vec<(String, usize)>> {
        if let Some(text) = value.text() {
            let hint = format!("write `[{}]`", Tree::Text(redacted(&text)));
            let message = format!("{what} must be a list of strings, not a string");
            self.error_hint(Code::WrongType, value.start(), message, hint);
            return None;
        }
        let list = self.list(value, what, "a list of strings")?;
        list.into_iter().map(|item| Some((self.string(item, what)?, item.start()))).collect()
    }

    /// Returns the value as a non-negative integer.
    pub fn number(&mut self, value: Value<'t>, what: &str) -> Option<u64> {
        if value.kind() != JsonKind::Number {
            self.wrong_type(value, what, "a non-negative integer");
            return None;
        }
        let number = value.source();
        let parsed = number.parse().ok();
        if parsed.is_none() {
            let message = format!("{what} must be a non-negative integer, not `{number}`");
            self.error(Code::BadValue, value.start(), message);
        }
        parsed
    }

    /// Returns the value as the URL of a repository.
    pub fn url(
        &mut self,
        value: Value<'t>,
        parse: impl FnOnce(&str) -> Result<GitUrl, Error>,
    ) -> Option<GitUrl> {
        let text = self.string(value, "`url`")?;
        match parse(&text) {
            Ok(url) => Some(url),
            Err(why) => {
                let message = format!("`url` {} is refused: {why}", quoted(&text));
                let hint = match is_owner_and_repository(&text) && !text.ends_with(".git") {
                    true => Some(format!("write `https://github.com/{text}.git`")),
                    false => why.hint().map(str::to_owned),
                };
                self.push(Code::BadUrl, value.start(), message, hint);
                None
            }
        }
    }

    /// Returns the value as a boolean.
    pub fn boolean(&mut self, value: Value<'t>, what: &str) -> Option<bool> {
        if value.kind() != JsonKind::Boolean {
            self.wrong_type(value, what, "`true` or `false`");
            return None;
        }
        Some(value.source() == "true")
    }

    /// Reports that a value has another type than `expected`.
    pub fn wrong_type(&mut self, value: Value<'t>, what: &str, expected: &str) {
        self.push_wrong_type(value, what, expected, None);
    }

    fn push_wrong_type(
        &mut self,
        value: Value<'t>,
        what: &str,
        expected: &str,
        hint: Option<String>,
    ) {
        let found = match value.kind() {
            JsonKind::String => "a string",
            JsonKind::Number => "a number",
            JsonKind::Boolean => "a boolean",
            JsonKind::Object => "an object",
            JsonKind::Array => "a list",
            JsonKind::Null => "null",
        };
        let message = format!("{what} must be {expected}, not {found}");
        self.push(Code::WrongType, value.start(), message, hint);
    }

    /// Parses a string value into a checked type.
    pub fn parsed<T, E: Into<Error>>(
        &mut self,
        value: Value<'t>,
        what: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.string(value, what)?;
        self.checked(&text, value.start(), what, parse)
    }

    /// Parses a text at a position into a checked type.
    pub fn checked<T, E: Into<Error>>(
        &mut self,
        text: &str,
        at: usize,
        what: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        self.checked_hint(text, at, what, parse, None)
    }

    /// Like [`checked`](Self::checked), with a hint instead of that of the error.
    pub fn checked_hint<'h, T, E: Into<Error>>(
        &mut self,
        text: &str,
        at: usize,
        what: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
        hint: impl Into<Option<&'h str>>,
    ) -> Option<T> {
        let refuse = |why: E| {
            let why: Error = why.into();
            let message = format!("{what} {} is refused: {why}", quoted(text));
            let hint = hint.into().or(why.hint());
            self.push(Code::BadValue, at, message, hint.map(str::to_owned));
        };
        parse(text).map_err(refuse).ok()
    }
}

/// Keys that other systems use, and ours.
const SYNONYMS: [(&str, &str); 4] =
    [("git", "url"), ("repo", "url"), ("repository", "url"), ("uri", "url")];

/// A member of an object.
struct Member<'t> {
    name: Cow<'t, str>,
    /// The offset of the key.
    at: usize,
    value: Value<'t>,
}

/// The keys of one object.
pub struct Fields<'t> {
    what: String,
    /// The offset of the object in the text.
    pub at: usize,
    members: Vec<Member<'t>>,
    known: Vec<&'static str>,
    is_open: bool,
    /// Keys that belong elsewhere, each with a hint that says where.
    elsewhere: Vec<(&'static str, &'static str)>,
    /// The offsets of keys that were reported in place of missing ones.
    misspelled: Vec<usize>,
}

impl<'t> Fields<'t> {
    /// Returns the value of a key.
    pub fn take(&mut self, key: &'static str) -> Option<Value<'t>> {
        self.known.push(key);
        self.members.iter().find(|member| member.name == key).map(|member| member.value)
    }

    /// Reads the value of a key: `Some(None)` if the key is absent, `None` if `read` is.
    pub fn optional<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(Value<'t>) -> Option<T>,
    ) -> Option<Option<T>> {
        self.take(key).map_or(Some(None), |value| read(value).map(Some))
    }

    /// Like [`optional`](Self::optional), for a string that is parsed into a checked type.
    pub fn parsed<T, E: Into<Error>>(
        &mut self,
        reader: &mut Reader<'t>,
        key: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<Option<T>> {
        self.optional(key, |value| reader.parsed(value, &format!("`{key}`"), parse))
    }

    /// Like [`parsed`](Self::parsed), for a list of strings without an order. `what` names an item.
    /// All invalid items are reported, and left out.
    pub fn parsed_set<T: Ord, E: Into<Error>>(
        &mut self,
        reader: &mut Reader<'t>,
        key: &'static str,
        what: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Option<Option<BTreeSet<T>>> {
        let Some(value) = self.take(key) else { return Some(None) };
        // Collecting would compile a sort for each type.
        let mut items = BTreeSet::new();
        for (text, at) in reader.strings(value, &format!("`{key}`"))? {
            items.extend(reader.checked(&text, at, what, &parse));
        }
        Some(Some(items))
    }

    /// Like [`require_as`](Self::require_as), for a string that is parsed into a checked type.
    pub fn require_parsed<'h, T, E: Into<Error>>(
        &mut self,
        reader: &mut Reader<'t>,
        key: &'static str,
        hint: impl Into<Option<&'h str>>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let value = self.require_as(reader, key, hint)?;
        reader.parsed(value, &format!("`{key}`"), parse)
    }

    /// Returns the value of a required key.
    pub fn require(&mut self, reader: &mut Reader<'t>, key: &'static str) -> Option<Value<'t>> {
        self.require_as(reader, key, None)
    }

    /// Returns the value of a required key, with a hint that shows its form. If the key is missing
    /// and one with a similar name is not known, reports that one as misspelled.
    pub fn require_as<'h>(
        &mut self,
        reader: &mut Reader<'t>,
        key: &'static str,
        hint: impl Into<Option<&'h str>>,
    ) -> Option<Value<'t>> {
        let value = self.take(key);
        if value.is_some() {
            return value;
        }
        let is_misspelled = |member: &&Member<'t>| {
            let name = &*member.name;
            !self.is_open
                && !self.known.contains(&name)
                && (SYNONYMS.contains(&(name, key)) || nearest(name, [key]).is_some())
        };
        if let Some(member) = self.members.iter().find(is_misspelled) {
            self.report_unknown(reader, member, format!("did you mean `{key}`?"));
            self.misspelled.push(member.at);
        } else {
            let message = format!("{} needs the key `{key}`", self.what);
            reader.push(Code::MissingKey, self.at, message, hint.into().map(str::to_owned));
        }
        None
    }

    fn report_unknown(&self, reader: &mut Reader<'t>, member: &Member<'t>, hint: String) {
        let message = format!("unknown key {} in {}", quoted(&member.name), self.what);
        reader.error_hint(Code::UnknownKey, member.at, message, hint);
    }

    /// Returns the value of a key if it is a string, without marking the key as known.
    pub fn peek(&self, key: &str) -> Option<Cow<'t, str>> {
        self.members.iter().find(|member| member.name == key)?.value.text()
    }

    /// Adds a hint that is printed if this key is present and not taken.
    pub fn belongs_elsewhere(&mut self, key: &'static str, hint: &'static str) {
        self.elsewhere.push((key, hint));
    }

    /// Returns all keys with their values, for objects whose keys are data.
    pub fn entries(&self) -> impl Iterator<Item = (&str, usize, Value<'t>)> {
        self.members.iter().map(|member| (&*member.name, member.at, member.value))
    }

    /// Returns the keys that were not taken, with their values, for data that others define.
    pub fn others(&mut self) -> Vec<(&str, Value<'t>)> {
        self.ignore_others();
        let others = self.members.iter().map(|member| (&*member.name, member.value));
        others.filter(|(name, _)| !self.known.contains(name)).collect()
    }

    /// Allows unknown keys, for documents whose format other projects define.
    pub fn ignore_others(&mut self) {
        self.is_open = true;
    }

    /// Reports all keys that were not taken.
    pub fn finish(self, reader: &mut Reader<'t>) {
        if self.is_open {
            return;
        }
        for member in &self.members {
            let name = &*member.name;
            if self.known.contains(&name) || self.misspelled.contains(&member.at) {
                continue;
            }
            let elsewhere = self.elsewhere.iter().find(|(key, _)| *key == name);
            let near = nearest(name, self.known.iter().copied());
            let hint = match (elsewhere, near) {
                (Some((_, hint)), _) => (*hint).to_owned(),
                (None, Some(near)) => format!("did you mean `{near}`?"),
                (None, None) => format!("valid keys are {}", listed_all(&self.known)),
            };
            self.report_unknown(reader, member, hint);
        }
    }
}

/// Escapes invisible characters in JSON text, which JSON printers leave as they are. They can only
/// be in strings.
///
/// ```
/// assert_eq!(helix_skills_format::__internal::escape_invisible("\"a\u{202e}b\""), "\"a\\u202eb\"");
/// ```
#[must_use]
pub fn escape_invisible(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if helix_skills_runtime::is_invisible(c)
            || c == '\u{7f}'
            || ('\u{80}'..='\u{9f}').contains(&c)
        {
            let mut units = [0; 2];
            out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns the candidate that `text` is most likely a misspelling of, if one is similar.
///
/// ```
/// use helix_skills_format::__internal::nearest;
/// assert_eq!(nearest("inclde", ["include", "exclude"]), Some("include"));
/// assert_eq!(nearest("xyz", ["include", "exclude"]), None);
/// ```
pub fn nearest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let typos = candidates.into_iter().filter_map(|name| Some((typos(text, name)?, name)));
    typos.min_by_key(|(typos, _)| *typos).map(|(_, name)| name)
}

/// Quotes a text of the input for messages: in backticks, escaped, and redacted, because it may be
/// a URL with a password that was pasted into the wrong field.
pub fn quoted(text: &str) -> String {
    format!("`{}`", redacted(text).escape_debug())
}

/// Finds conflict markers that git left in a file.
fn conflict(text: &str, what: &str) -> Option<Finding> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") {
            let message = format!("{what} contains conflict markers of a merge");
            let at = Position::from_offset(text, offset);
            return Some(Finding::new(Code::ConflictMarkers, at, message));
        }
        offset += line.len();
    }
    None
}
