//! Reading JSON so that every finding has a place.
//!
//! All of our JSON is read through [`Fields`]: a reader takes the keys it knows, and what is left
//! over is an error with the nearest known key, except in texts to which others give their form.
//! All findings of a text are collected. The runtime's reader parses each text; of a text with
//! comments, it parses a copy that has spaces in their place.

#[cfg(test)]
mod tests;
mod tree;
mod value;

pub use tree::Tree;
pub use value::{Data, Member, Range, Value};

use crate::list::listed_all;
use crate::{
    Code, Finding, GitUrl, GitUrlError, Position, git_url::is_owner_and_repository, redacted,
};
use std::collections::BTreeSet;
use value::without_comments;

/// Texts above this many bytes are refused unread: no manifest or lock comes near it.
const MAX_BYTES: usize = 16 << 20;

/// So many findings of one text are reported.
const MAX_FINDINGS: usize = 100;

/// A text that is being read, and what was found wrong with it.
pub struct Reader<'t> {
    text: &'t str,
    /// Where in the whole text the part that is read begins.
    start: usize,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// What a format allows beyond JSON. Arrays and objects may nest 127 levels deep in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Comments and trailing commas, for manifests.
    Commented,
    /// Nothing, for lockfiles and what others publish.
    Strict,
}

impl<'t> Reader<'t> {
    /// Parses the text and hands its top-level object to `read`; `what` names the format in
    /// messages.
    pub fn document<T>(
        text: &str,
        dialect: Dialect,
        what: &str,
        read: impl for<'x> FnOnce(&mut Reader<'x>, &mut Fields<'_, 'x>) -> Option<T>,
    ) -> Result<T, Vec<Finding>> {
        Self::part(text, 0..text.len(), dialect, what, read)
    }

    /// The same for an object that is a part of a text; places are those in the whole text.
    pub fn part<T>(
        whole: &str,
        part: std::ops::Range<usize>,
        dialect: Dialect,
        what: &str,
        read: impl for<'x> FnOnce(&mut Reader<'x>, &mut Fields<'_, 'x>) -> Option<T>,
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
        let root = Value::parse(&json).map_err(|error| {
            vec![Finding::new(
                Code::Syntax,
                Position::from_offset(whole, start + error.at),
                error.what,
            )]
        })?;
        let Some(root) = root else {
            let message = format!("{what} is empty, expected a JSON object");
            return Err(vec![Finding::new(
                Code::Syntax,
                Position::from_offset(whole, start),
                message,
            )]);
        };
        let value = reader.object(&root, what).and_then(|mut fields| {
            let value = read(&mut reader, &mut fields);
            // A reader that gave up has not asked for every key: the rest is not unknown.
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
    pub fn error(&mut self, code: Code, at: Range, message: impl Into<String>) {
        self.push(code, at, message.into(), None);
    }

    /// Adds a finding with what to do about it.
    pub fn error_hint(
        &mut self,
        code: Code,
        at: Range,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.push(code, at, message.into(), Some(hint.into()));
    }

    fn push(&mut self, code: Code, at: Range, message: String, hint: Option<String>) {
        // More would not be read, and each place takes a scan of the whole text.
        if self.findings.len() < MAX_FINDINGS {
            let finding = Finding::new(
                code,
                Position::from_offset(self.text, self.start + at.start),
                message,
            );
            self.findings.push(Finding { hint, ..finding });
        }
    }

    /// The fields of an object; anything else, and a key twice, is an error.
    pub fn object<'v>(&mut self, value: &'v Value<'t>, what: &str) -> Option<Fields<'v, 't>> {
        let Some(members) = value.as_object() else {
            self.wrong_type(value, what, "an object");
            return None;
        };
        let mut seen = BTreeSet::new();
        for member in members {
            if !seen.insert(&*member.name) {
                let message = format!("the key {} is there twice", quoted(&member.name));
                self.error(Code::DuplicateKey, member.name_range, message);
            }
        }
        Some(Fields {
            what: what.to_owned(),
            range: value.range(),
            members,
            known: Vec::new(),
            is_open: false,
            elsewhere: Vec::new(),
        })
    }

    /// A string.
    pub fn string(&mut self, value: &Value<'t>, what: &str) -> Option<String> {
        let text = value.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(value, what, "a string");
        }
        text
    }

    /// A list.
    pub fn list<'v>(
        &mut self,
        value: &'v Value<'t>,
        what: &str,
        expected: &str,
    ) -> Option<&'v [Value<'t>]> {
        match &value.data {
            Data::Array(items) => Some(items),
            _ => {
                self.wrong_type(value, what, expected);
                None
            }
        }
    }

    /// A list of strings.
    pub fn strings(&mut self, value: &Value<'t>, what: &str) -> Option<Vec<(String, Range)>> {
        if let Some(text) = value.as_str() {
            let hint = format!("write `[{}]`", Tree::Text(redacted(text)));
            let message = format!("{what} must be a list of strings, not a string");
            self.error_hint(Code::WrongType, value.range(), message, hint);
            return None;
        }
        let list = self.list(value, what, "a list of strings")?;
        list.iter().map(|item| Some((self.string(item, what)?, item.range()))).collect()
    }

    /// A whole number from 0.
    pub fn number(&mut self, value: &Value<'t>, what: &str) -> Option<u64> {
        let Data::Number(number) = value.data else {
            self.wrong_type(value, what, "a whole number");
            return None;
        };
        let parsed = number.parse().ok();
        if parsed.is_none() {
            let message = format!("{what} must be a whole number from 0, not `{number}`");
            self.error(Code::BadValue, value.range(), message);
        }
        parsed
    }

    /// The URL of a repository.
    pub fn url(
        &mut self,
        value: &Value<'t>,
        parse: impl FnOnce(&str) -> Result<GitUrl, GitUrlError>,
    ) -> Option<GitUrl> {
        let text = self.string(value, "`url`")?;
        match parse(&text) {
            Ok(url) => Some(url),
            Err(why) => {
                let message = format!("`url` {} is refused: {why}", quoted(&text));
                let of_github = why == GitUrlError::Bare && is_owner_and_repository(&text);
                let whole = of_github.then(|| format!("write `https://github.com/{text}.git`"));
                self.push(
                    Code::BadUrl,
                    value.range(),
                    message,
                    whole.or(why.hint().map(str::to_owned)),
                );
                None
            }
        }
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, value: &Value<'t>, what: &str) -> Option<bool> {
        let Data::Boolean(found) = value.data else {
            self.wrong_type(value, what, "`true` or `false`");
            return None;
        };
        Some(found)
    }

    /// Reports that a value is something else than `expected`.
    pub fn wrong_type(&mut self, value: &Value<'t>, what: &str, expected: &str) {
        let found = match value.data {
            Data::String(_) => "a string",
            Data::Number(_) => "a number",
            Data::Boolean(_) => "a boolean",
            Data::Object(_) => "an object",
            Data::Array(_) => "a list",
            Data::Null => "null",
        };
        self.error(
            Code::WrongType,
            value.range(),
            format!("{what} must be {expected}, not {found}"),
        );
    }

    /// A string that a checked type is made from.
    pub fn parsed<T, E: std::fmt::Display>(
        &mut self,
        value: &Value<'t>,
        what: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.string(value, what)?;
        self.checked(&text, value.range(), what, parse)
    }

    /// A text at a place that a checked type is made from.
    pub fn checked<T, E: std::fmt::Display>(
        &mut self,
        text: &str,
        at: Range,
        what: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let refused = |why| format!("{what} {} is refused: {why}", quoted(text));
        parse(text).map_err(|why| self.error(Code::BadValue, at, refused(why))).ok()
    }

    /// As [`checked`](Self::checked), with what to write instead.
    pub fn checked_hint<T, E: std::fmt::Display>(
        &mut self,
        text: &str,
        at: Range,
        what: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
        hint: &str,
    ) -> Option<T> {
        let refused = |why| format!("{what} {} is refused: {why}", quoted(text));
        parse(text).map_err(|why| self.error_hint(Code::BadValue, at, refused(why), hint)).ok()
    }
}

/// The keys of one object.
pub struct Fields<'v, 't> {
    what: String,
    /// Where the object is.
    pub range: Range,
    members: &'v [Member<'t>],
    known: Vec<&'static str>,
    is_open: bool,
    /// Keys that belong elsewhere, with a hint on that.
    elsewhere: Vec<(&'static str, &'static str)>,
}

impl<'v, 't> Fields<'v, 't> {
    /// The value of a key.
    pub fn take(&mut self, key: &'static str) -> Option<&'v Value<'t>> {
        self.known.push(key);
        self.members.iter().find(|member| member.name == key).map(|member| &member.value)
    }

    /// The value of a key that must be there.
    pub fn require(&mut self, reader: &mut Reader<'t>, key: &'static str) -> Option<&'v Value<'t>> {
        self.require_as(reader, key, None)
    }

    /// The value of a key that must be there, with a hint on what it looks like.
    pub fn require_as<'h>(
        &mut self,
        reader: &mut Reader<'t>,
        key: &'static str,
        hint: impl Into<Option<&'h str>>,
    ) -> Option<&'v Value<'t>> {
        let value = self.take(key);
        if value.is_none() {
            let message = format!("{} needs the key `{key}`", self.what);
            reader.push(Code::MissingKey, self.range, message, hint.into().map(str::to_owned));
        }
        value
    }

    /// The text of a key, if that is one, without asking for it.
    pub fn peek(&self, key: &str) -> Option<&'v str> {
        self.members.iter().find(|member| member.name == key)?.value.as_str()
    }

    /// What to say of a key that belongs elsewhere, if it is there and nobody asks for it.
    pub fn belongs_elsewhere(&mut self, key: &'static str, hint: &'static str) {
        self.elsewhere.push((key, hint));
    }

    /// All keys with their values, for objects whose keys are data.
    pub fn entries(&self) -> impl Iterator<Item = (&'v str, Range, &'v Value<'t>)> + use<'v, 't> {
        self.members.iter().map(|member| (&*member.name, member.name_range, &member.value))
    }

    /// The keys that were not asked for, with their values: data to which somebody else gives a
    /// meaning.
    pub fn others(&mut self) -> Vec<(&'v str, &'v Value<'t>)> {
        self.ignore_others();
        let others = self.members.iter().map(|member| (&*member.name, &member.value));
        others.filter(|(name, _)| !self.known.contains(name)).collect()
    }

    /// Lets keys be there that are not asked for: of texts that others give a form.
    pub fn ignore_others(&mut self) {
        self.is_open = true;
    }

    /// Reports every key that was not asked for.
    pub fn finish(self, reader: &mut Reader<'t>) {
        if self.is_open {
            return;
        }
        for member in self.members {
            let (name, at) = (&*member.name, member.name_range);
            if self.known.contains(&name) {
                continue;
            }
            let message = format!("{} has no key {}", self.what, quoted(name));
            if let Some((_, hint)) = self.elsewhere.iter().find(|(key, _)| *key == name) {
                reader.error_hint(Code::UnknownKey, at, message, *hint);
                continue;
            }
            match nearest(name, self.known.iter().copied()) {
                Some(near) => {
                    reader.error_hint(
                        Code::UnknownKey,
                        at,
                        message,
                        format!("did you mean `{near}`?"),
                    );
                }
                None => {
                    let hint = format!("its keys are {}", listed_all(&self.known));
                    reader.error_hint(Code::UnknownKey, at, message, hint);
                }
            }
        }
    }
}

/// JSON escapes control characters, and leaves those that nobody sees: in its strings, the only
/// place they can be, they are escaped as well.
///
/// ```
/// assert_eq!(helix_skills_format::escape_invisible("\"a\u{202e}b\""), "\"a\\u202eb\"");
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

/// The candidate that `text` is most likely a slip of, if any is near.
///
/// ```
/// assert_eq!(helix_skills_format::nearest("inclde", ["include", "exclude"]), Some("include"));
/// assert_eq!(helix_skills_format::nearest("xyz", ["include", "exclude"]), None);
/// ```
pub fn nearest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let folded = text.to_lowercase();
    let length = folded.chars().count();
    // Of texts that differ so much in length none is near the other, and comparing them takes room
    // for the product of both.
    let may_be_near = |other: usize| length.max(other) * 3 <= length.min(other) * 5;
    candidates
        .into_iter()
        .map(|c| (c.to_lowercase(), c))
        .filter(|(folded, _)| may_be_near(folded.chars().count()))
        .map(|(other, c)| (strsim::normalized_damerau_levenshtein(&folded, &other), c))
        .filter(|(score, _)| *score >= 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

/// A text of the input as messages repeat it: in backticks and escaped. It may be a URL with a
/// password that was pasted into the wrong field.
pub fn quoted(text: &str) -> String {
    format!("`{}`", redacted(text).escape_debug())
}

/// The markers that git leaves in a file it could not merge.
fn conflict(text: &str, what: &str) -> Option<Finding> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") {
            let message = format!("{what} holds the markers of a merge");
            return Some(Finding::new(
                Code::ConflictMarkers,
                Position::from_offset(text, offset),
                message,
            ));
        }
        offset += line.len();
    }
    None
}
