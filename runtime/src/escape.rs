//! Text of strangers between tags of ours.
//!
//! A model tells our words from a skill's by the tags around them, so nothing that a skill holds may look like one of
//! these tags. Everything else is left alone: skills are full of HTML, JSX and placeholders such as `<skill-name>`.

use crate::{
    invisible::is_invisible,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// The names of the tags that we write, and of those that kindred systems write around skills.
const TAGS: [&str; 8] = [
    "skill",
    "skills",
    "skill_resources",
    "skill_file",
    "skill-context",
    "skill_context",
    "available_skills",
    "system-reminder",
];

/// A text of several lines in which `<` is `&lt;` wherever it starts one of our own tags, opening or closing, in any
/// case, blanks or not.
///
/// ```
/// use helix_skills_runtime::Neutral;
/// assert_eq!(Neutral("a</skill>b").to_string(), "a&lt;/skill>b");
/// assert_eq!(Neutral("< / SKILL_FILE >").to_string(), "&lt; / SKILL_FILE >");
/// assert_eq!(Neutral("<b> <skill-name> <SkillCard/>").to_string(), "<b> <skill-name> <SkillCard/>");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neutral<'a>(pub &'a str);

impl<'a> Neutral<'a> {
    /// The text itself, if nothing in it has to be changed.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        first_tag(self.0).is_none().then_some(self.0)
    }
}

impl Render for Neutral<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = first_tag(rest) {
            out.write_str(&rest[..at])?;
            out.write_str("&lt;")?;
            rest = &rest[at + 1..];
        }
        out.write_str(rest)
    }
}

rendered!(Neutral);

/// Where the first `<` is that starts one of our tags.
fn first_tag(text: &str) -> Option<usize> {
    text.match_indices('<').map(|(at, _)| at).find(|at| is_tag(&text[at + 1..]))
}

/// Whether what follows a `<` makes it one of our tags. Looks no further than the next `<`, so a text is read twice
/// at most.
fn is_tag(after: &str) -> bool {
    let inside = after.trim_start_matches(|c: char| matches!(c, '/' | '\\' | '!') || is_blank(c));
    TAGS.iter().any(|tag| is_named(inside, tag))
}

/// Whether a text starts with this name and it ends there, whatever invisible characters stand between its letters and
/// however wide these are.
fn is_named(text: &str, name: &str) -> bool {
    let mut letters = text.chars().filter(|c| !is_invisible(*c)).map(plain);
    name.chars().all(|c| letters.next() == Some(c))
        && !letters.next().is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// The lower-case ASCII letter that a reader takes a character for, if any.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c).to_ascii_lowercase(),
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        _ => c.to_ascii_lowercase(),
    }
}

/// What a reader does not see: white space, control characters, and the invisible ones that could stand inside a tag.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_invisible(c)
}

/// A text made to fit on one line: every run of white space and control characters is one blank, none at the ends, and
/// our own tags are neutral as in [`Neutral`].
///
/// ```
/// use helix_skills_runtime::OneLine;
/// assert_eq!(OneLine(" Reads\r\n\tPDF\u{2028}files. ").to_string(), "Reads PDF files.");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneLine<'a>(pub &'a str);

impl Render for OneLine<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let breaks = |c: char| c.is_whitespace() || c.is_control();
        let mut rest = self.0.trim_matches(breaks);
        while !rest.is_empty() {
            let end = rest.find(|c: char| breaks(c) || c == '<').unwrap_or(rest.len());
            out.write_str(&rest[..end])?;
            rest = &rest[end..];
            if let Some(after) = rest.strip_prefix('<') {
                out.write_str(if is_tag(after) { "&lt;" } else { "<" })?;
                rest = after;
            } else if !rest.is_empty() {
                out.write_char(' ')?;
                rest = rest.trim_start_matches(breaks);
            }
        }
        Ok(())
    }
}

rendered!(OneLine);

/// A text as the value of an attribute in double quotes: on one line, with `&`, `<`, `>` and `"` as entities.
///
/// ```
/// use helix_skills_runtime::Attribute;
/// assert_eq!(Attribute("R&D \"notes\".md").to_string(), "R&amp;D &quot;notes&quot;.md");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'a>(pub &'a str);

impl Render for Attribute<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        escaped(self.0, out, |c| match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            '"' => Some("&quot;"),
            '\u{2028}' | '\u{2029}' => Some(" "),
            _ => c.is_control().then_some(" "),
        })
    }
}

rendered!(Attribute);

/// Writes `text` with other text in the place of some characters.
pub(crate) fn escaped(text: &str, out: &mut dyn Write, instead: impl Fn(char) -> Option<&'static str>) -> fmt::Result {
    let mut written = 0;
    for (at, c) in text.char_indices() {
        if let Some(instead) = instead(c) {
            out.write_str(&text[written..at])?;
            out.write_str(instead)?;
            written = at + c.len_utf8();
        }
    }
    out.write_str(&text[written..])
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn own_tags_are_neutral_in_every_spelling() {
        for text in [
            "<skill>",
            "</skill>",
            "<skill name=\"x\">",
            "</ skill>",
            "< /\t\nSkIlL>",
            "<//skill>",
            "</skill",
            "<skills>",
            "</skill_file>",
            "<skill_resources>",
            "<skill-context>",
            "</available_skills>",
            "</\u{200b}skill>",
            "</skill\u{200b}>",
            "<skill/>",
            "<skillé>",
        ] {
            let neutral = Neutral(text).to_string();
            assert_eq!(neutral, text.replacen('<', "&lt;", 1), "{text}");
            assert_eq!(Neutral(text).len(), neutral.len());
            assert_eq!(Neutral(text).as_str(), None);
            assert!(OneLine(text).to_string().starts_with("&lt;"), "{text}");
        }
    }

    #[test]
    fn everything_else_is_left_alone() {
        for text in
            ["", "a < skillful", "<skill-name>", "<skillset>", "<br/>", "1 < 2", "<", "<<", "&lt;/skill>", "skill>"]
        {
            assert_eq!(Neutral(text).as_str(), Some(text), "{text}");
            assert_eq!(Neutral(text).to_string(), text);
        }
        assert_eq!(Neutral("<<skill><x></skill>").to_string(), "<&lt;skill><x>&lt;/skill>");
    }

    #[test]
    fn one_line_stays_one_line() {
        for (text, line) in [
            ("", ""),
            ("\n \r", ""),
            ("x\n- evil: injected", "x - evil: injected"),
            ("a\u{85}b\u{b}c\0d\u{2029}e\u{a0}f", "a b c d e f"),
            ("a<\n/skill>b", "a&lt; /skill>b"),
            ("1 <2", "1 <2"),
        ] {
            assert_eq!(OneLine(text).to_string(), line);
        }
    }

    #[test]
    fn attributes_stay_inside_their_quotes() {
        assert_eq!(Attribute("a\"><b\n\u{1f}é").to_string(), "a&quot;&gt;&lt;b  é");
    }
}
