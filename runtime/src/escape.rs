//! Escaping of untrusted text between our tags.
//!
//! A model separates our text from a skill's by the tags around it, so no text of a skill may look
//! like one of these tags. All other text stays unchanged, because skills contain a lot of HTML,
//! JSX and placeholders such as `<skill-name>`.

use crate::{
    confusables::{confusable_skeleton, is_mark},
    invisible::is_invisible,
    render::{Render, rendered},
};
use core::{
    fmt::{self, Write},
    iter,
};

/// Names of the tags that this crate writes, and of those that similar systems write around skills.
///
/// Hyphens count as underscores, because models confuse names that differ only in these.
const TAGS: [&str; 8] = [
    "skill",
    "skills",
    "skill_resources",
    "skill_file",
    "skill_context",
    "skill_result",
    "available_skills",
    "system_reminder",
];

/// Length of the longest tag name.
const MAX_TAG_BYTES: usize = 16;

/// Multi-line text in which our own tags are escaped.
///
/// Writes `&lt;` instead of `<` if it starts one of our tags, opening or closing, in any case,
/// width or font, even with blanks, combining marks or invisible characters in between. A letter
/// with a built-in accent, such as `í`, makes a different word; a letter followed by a combining
/// accent does not.
///
/// ```
/// use helix_skills::text::Neutral;
/// assert_eq!(Neutral("a</skill>b").to_string(), "a&lt;/skill>b");
/// assert_eq!(Neutral("< / SKILL_FILE >").to_string(), "&lt; / SKILL_FILE >");
/// let html = "<b> <skill-name> <SkillCard/>";
/// assert_eq!(Neutral(html).to_string(), html);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neutral<'a>(pub &'a str);

impl<'a> Neutral<'a> {
    /// Returns the text itself, if nothing in it has to be escaped.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        first_tag(self.0, &[]).is_none().then_some(self.0)
    }
}

impl Render for Neutral<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        neutral(&[self.0], out)
    }
}

rendered!(Neutral);

/// Writes a text that is split into pieces as [`Neutral`] does. A tag may span several pieces.
pub(crate) fn neutral(mut pieces: &[&str], out: &mut dyn Write) -> fmt::Result {
    while let Some((piece, following)) = pieces.split_first() {
        let mut rest = *piece;
        pieces = following;
        while let Some((before, after)) = first_tag(rest, following) {
            out.write_str(before)?;
            out.write_str("&lt;")?;
            rest = after;
        }
        out.write_str(rest)?;
    }
    Ok(())
}

/// Splits `text` at the first bracket that starts one of our tags, and returns the text before and
/// after the bracket. A tag may continue in the texts that follow.
#[inline(never)] // large, with many callers
fn first_tag<'a>(text: &'a str, following: &[&str]) -> Option<(&'a str, &'a str)> {
    let mut from = 0;
    loop {
        let at = from + opening(&text.as_bytes()[from..])?;
        let mut after = text[at..].chars();
        if after.next().is_some_and(is_opening)
            && may_be_tag(after.as_str())
            && is_tag(after.as_str(), following)
        {
            return Some((&text[..at], after.as_str()));
        }
        from = text.len() - after.as_str().len();
    }
}

/// Returns whether [`Neutral`] leaves a text unchanged.
///
/// The macro calls this, so that embedded text is not scanned again when it is read. It searches
/// for each bracket separately with functions that the standard library has precompiled, because
/// macros are built without optimization.
#[must_use]
pub fn is_neutral(text: &str) -> bool {
    let is_tag_at = |at: usize| may_be_tag(&text[at..]) && is_tag(&text[at..], &[]);
    OPENINGS
        .iter()
        .all(|bracket| text.match_indices(*bracket).all(|(at, found)| !is_tag_at(at + found.len())))
}

/// Returns the position of the first byte that an opening bracket may start with.
fn opening(bytes: &[u8]) -> Option<usize> {
    let may_open = |byte: &u8| matches!(byte, b'<' | 0xef);
    let mut at = 0;
    // Blocks of a fixed size let the compiler vectorize the scan; most text has no bracket.
    while let Some(block) = bytes[at..].first_chunk::<32>() {
        if block.iter().fold(false, |found, byte| found | may_open(byte)) {
            break;
        }
        at += block.len();
    }
    bytes[at..].iter().position(may_open).map(|found| at + found)
}

/// `<` in each width.
const OPENINGS: [char; 3] = ['<', '\u{ff1c}', '\u{fe64}'];

const fn is_opening(c: char) -> bool {
    let [plain, wide, small] = OPENINGS;
    c == plain || c == wide || c == small
}

/// Returns whether the text after a `<` could be one of our tags: a quick check of its first
/// letters, because most other tags start with different ones.
fn may_be_tag(after: &str) -> bool {
    let ([b'/', first, second, ..] | [first, second, ..]) = after.as_bytes() else { return true };
    let (first, second) = (first.to_ascii_lowercase(), second.to_ascii_lowercase());
    // Other characters may be invisible, and the name starts after them.
    let are_seen =
        first.is_ascii_lowercase() && (second.is_ascii_graphic() || second.is_ascii_whitespace());
    !are_seen || matches!([first, second], [b's', b'k' | b'y'] | [b'a', b'v'])
}

/// Returns whether the text after a `<` makes it one of our tags.
///
/// Reads at most up to the next `<`, so each character of a text is read at most twice.
#[inline(never)]
fn is_tag(after: &str, following: &[&str]) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let is_reserved = |name: &[u8]| TAGS.iter().any(|tag| tag.as_bytes() == name);
    let mut name = [0; MAX_TAG_BYTES];
    let mut len = 0;
    for text in iter::once(&after).chain(following) {
        for c in text.chars() {
            // The character can be read as a letter or as nothing, or as a blank or a sign that
            // ends the name. Both readings are checked.
            if !c.is_ascii_graphic() && is_reserved(&name[..len]) {
                return true;
            }
            if is_ignored(c) {
                continue;
            }
            let (one, two) = confusable_skeleton(c);
            for c in [Some(one), two].into_iter().flatten() {
                if is_name(c) {
                    let Some(place) = name.get_mut(len) else { return false };
                    *place = if c == '-' { b'_' } else { c as u8 };
                    len += 1;
                } else if !is_ornament(c)
                    && (len > 0
                        || !(matches!(c, '/' | '\\' | '!' | '?' | '|') || c.is_whitespace()))
                {
                    return is_reserved(&name[..len]);
                }
            }
        }
    }
    is_reserved(&name[..len])
}

/// Returns whether `c` is invisible, or is displayed as part of the character before it.
///
/// White space is visible, except the separators of lines and paragraphs, which few programs
/// display.
fn is_ignored(c: char) -> bool {
    is_invisible(c) || is_mark(c) || (c.is_control() && !c.is_whitespace())
}

/// Returns whether `c` is neither a letter of any script nor a blank. Such a character may be
/// read as something else (`‼` as `!!`) or as nothing.
///
/// In scripts that write vowels as signs around other letters, every character is an ornament,
/// because the standard library classifies these signs as letters.
fn is_ornament(c: char) -> bool {
    let has_signs = matches!(c,
        '\u{590}'..='\u{1cff}' | '\u{2de0}'..='\u{2dff}' | '\u{a66f}'..='\u{abff}' | '\u{fb1e}'
        | '\u{10300}'..='\u{1efff}');
    !c.is_ascii() && !c.is_whitespace() && (has_signs || !c.is_alphanumeric())
}

/// Text on a single line, with our own tags escaped as in [`Neutral`].
///
/// Each run of white space and control characters becomes one blank; those at the start and the end
/// are dropped.
///
/// ```
/// use helix_skills::text::OneLine;
/// assert_eq!(OneLine(" Reads\r\n\tPDF\u{2028}files. ").to_string(), "Reads PDF files.");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneLine<'a>(pub &'a str);

impl Render for OneLine<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        one_line(self.0, "", false, out)
    }
}

/// Writes a text as [`OneLine`] does.
///
/// If `following` is not empty, the caller writes a blank and `following` next. With `every`, all
/// opening brackets are escaped, not only those of our own tags.
#[inline(never)] // large, with many callers
pub(crate) fn one_line(
    text: &str,
    following: &str,
    every: bool,
    out: &mut dyn Write,
) -> fmt::Result {
    let breaks = |c: char| c.is_whitespace() || c.is_control();
    // A tag may start in the last word of the text and end in the text that follows.
    let following = if following.is_empty() { ["", ""] } else { [" ", following] };
    let mut rest = text.trim_matches(breaks);
    while !rest.is_empty() {
        let plain = plain_start(rest);
        let end = plain
            + rest[plain..]
                .find(|c: char| breaks(c) || is_opening(c))
                .unwrap_or(rest.len() - plain);
        out.write_str(&rest[..end])?;
        rest = &rest[end..];
        if rest.starts_with(is_opening) {
            let mut after = rest.chars();
            let bracket = after.next().unwrap_or('<');
            rest = after.as_str();
            if every || is_tag(rest, &following) {
                out.write_str("&lt;")?;
            } else {
                out.write_char(bracket)?;
            }
        } else if !rest.is_empty() {
            out.write_char(' ')?;
            rest = rest.trim_start_matches(breaks);
        }
    }
    Ok(())
}

rendered!(OneLine);

/// Returns the number of leading bytes that stay unchanged on one line: ASCII words separated by
/// single blanks, as in most texts.
fn plain_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'<';
    let stays = |byte: u8, next: u8| is_plain(byte) | ((byte == b' ') & is_plain(next));
    let mut end = 0;
    // Blocks of a fixed size let the compiler vectorize the scan.
    while let Some([block @ .., last]) = bytes[end..].first_chunk::<17>() {
        let following = block[1..].iter().chain([last]);
        if !block.iter().zip(following).fold(true, |all, (byte, next)| all & stays(*byte, *next)) {
            break;
        }
        end += block.len();
    }
    while bytes
        .get(end)
        .is_some_and(|byte| stays(*byte, bytes.get(end + 1).copied().unwrap_or(b' ')))
    {
        end += 1;
    }
    end
}

/// The value of an attribute in double quotes: on one line, with `&`, `<`, `>` and `"` as entities.
///
/// ```
/// use helix_skills::text::Attribute;
/// assert_eq!(Attribute("R&D \"notes\".md").to_string(), "R&amp;D &quot;notes&quot;.md");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'a>(pub &'a str);

impl Render for Attribute<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        escaped(self.0, out, |c| match c {
            '&' => Some("&amp;"),
            _ if is_opening(c) => Some("&lt;"),
            '>' => Some("&gt;"),
            '"' => Some("&quot;"),
            '\u{2028}' | '\u{2029}' => Some(" "),
            _ => c.is_control().then_some(" "),
        })
    }
}

rendered!(Attribute);

/// Writes `text`, with the characters for which `instead` returns a text replaced by it.
pub(crate) fn escaped(
    text: &str,
    out: &mut dyn Write,
    instead: impl Fn(char) -> Option<&'static str>,
) -> fmt::Result {
    let mut written = 0;
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphanumeric() {
            continue;
        }
        if let Some(instead) = instead(c) {
            out.write_str(&text[written..at])?;
            out.write_str(instead)?;
            written = at + c.len_utf8();
        }
    }
    out.write_str(&text[written..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Samples, are_enough, rounds};
    use alloc::string::ToString;

    #[test]
    fn own_tags_are_escaped_in_every_spelling() {
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
            "<／ｓkill>",
            "＜/skill＞",
            "<𝐬𝓀ⓘℓｌ>",
            "<ѕкіll>",
            "<s\u{332}kill>",
            "</sk\0ill>",
            "</\u{338}skill>",
            "<skill_ﬁle>",
            "<|/skill|>",
            "<skill\0x>",
            "</skill-file>",
            "<system_reminder>",
            "</skill‐context>",
            "</skill🅼>",
            "＜‼ｓｋｉｌｌ>",
            "<s♥kill>",
            "</\u{dd1}skill>",
            "<s\u{2028}kill>",
            "<skill\u{332}x>",
            "<skillѕet>",
            "</Available-Skills>",
        ] {
            let neutral = Neutral(text).to_string();
            assert_eq!(neutral, text.replacen(is_opening, "&lt;", 1), "{text}");
            assert_eq!(Neutral(text).len(), neutral.len());
            assert_eq!(Neutral(text).as_str(), None);
            assert!(OneLine(text).to_string().starts_with("&lt;"), "{text}");
        }
    }

    #[test]
    fn tag_across_pieces_is_escaped() {
        for pieces in [
            ["a<", "/skill>", "b"],
            ["a", "<", "/skill>b"],
            ["a</sk", "i", "ll>b"],
            ["", "a</skill", ">b"],
        ] {
            let mut text = alloc::string::String::new();
            neutral(&pieces, &mut text).unwrap();
            assert_eq!(text, "a&lt;/skill>b");
        }
    }

    #[test]
    fn max_tag_bytes_is_the_longest_tag() {
        assert_eq!(TAGS.iter().map(|tag| tag.len()).max(), Some(MAX_TAG_BYTES));
    }

    #[test]
    fn other_text_is_unchanged() {
        for text in [
            "",
            "a < skillful",
            "<skill-name>",
            "<skill_name>",
            "<skill-files>",
            "<skillset>",
            "<br/>",
            "1 < 2",
            "<",
            "<<",
            "&lt;/skill>",
            "skill>",
        ] {
            assert_eq!(Neutral(text).as_str(), Some(text), "{text}");
            assert_eq!(Neutral(text).to_string(), text);
        }
        for text in [
            "＜＝",
            "<日本語>",
            "<имя>",
            "<skillset>",
            "<skilſet>",
            "if a < s { kill() }",
            "<skill-context-x>",
            "<s kill>",
        ] {
            assert_eq!(Neutral(text).as_str(), Some(text));
            assert_eq!(OneLine(text).to_string(), text);
        }
        assert_eq!(Neutral("<<skill><x></skill>").to_string(), "<&lt;skill><x>&lt;/skill>");
    }

    #[test]
    fn is_neutral_agrees_with_neutral() {
        let mut answers = [0; 2];
        let pieces = ["<", "/", " ", "skill", "s", "_file", "-x", "\u{200b}", "＜", "Kill"];
        for sample in Samples::new("0123456789", 8).take(rounds(60_000)) {
            let text: alloc::string::String =
                sample.bytes().map(|at| pieces[usize::from(at - b'0')]).collect();
            assert_eq!(is_neutral(&text), Neutral(&text).as_str().is_some(), "{text:?}");
            assert!(may_be_tag(&text) || !is_tag(&text, &[]), "{text:?}");
            answers[usize::from(is_neutral(&text))] += 1;
        }
        for text in TAGS
            .iter()
            .flat_map(|tag| ["<", "</", "<!", "＜", "﹤ /"].map(|open| open.to_string() + tag))
        {
            assert!(!is_neutral(&text) && is_neutral(&(text.clone() + "-x")), "{text}");
            assert!(!is_neutral(&text.to_ascii_uppercase()));
        }
        assert!(answers.iter().all(|count| are_enough(*count, 2_000)), "{answers:?}");
    }

    #[test]
    fn one_line_agrees_with_splitting_at_blanks() {
        let breaks = |c: char| c.is_whitespace() || c.is_control();
        for text in Samples::new("ab  \n\t\u{a0}é<日\u{85}~", 9).take(rounds(60_000)) {
            let words: alloc::vec::Vec<_> =
                text.split(breaks).filter(|word| !word.is_empty()).collect();
            assert_eq!(OneLine(&text).to_string(), words.join(" "), "{text:?}");
        }
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
    fn tag_that_ends_in_following_text_is_escaped() {
        let line = |text: &str, following: &str| {
            let mut out = alloc::string::String::new();
            one_line(text, following, false, &mut out).unwrap();
            out
        };
        assert_eq!(line("a </skill ", "b"), "a &lt;/skill");
        assert_eq!(line("a <", "/skill>"), "a &lt;");
        assert_eq!(line("a <skill", ""), "a &lt;skill");
        // A blank between them makes these two words.
        assert_eq!(line("a <sk", "ill>"), "a <sk");
    }

    #[test]
    fn attributes_stay_inside_their_quotes() {
        assert_eq!(Attribute("a\"><b\n\u{1f}é").to_string(), "a&quot;&gt;&lt;b  é");
    }
}
