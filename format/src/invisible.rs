//! Checks for text that a model reads and a reviewer cannot see.
//!
//! The set of refused characters, and the contexts in which the other invisible characters are
//! allowed, are chosen from data: none of the 1,474 files of eight public skill repositories
//! contains a refused one.

use crate::list::{and_more, more_below};
use crate::{Code, Finding, Position, SkillMd, skill_md};
use std::fmt::Write as _;

/// Maximum number of characters of a hidden run that a message shows.
const MAX_SHOWN: usize = 8;

/// Reports all invisible characters in one file of a skill: in its path, in its text, and in the
/// values that YAML escapes of its frontmatter produce. Returns an empty list if there are none.
///
/// A file that is not UTF-8 is never shown to a model, so only its path is checked.
/// ```
/// use helix_skills_format::__internal::invisible::check_file;
/// let found = check_file("docs/a.md", "plain\nhid\u{200b}den\n".as_bytes());
/// assert_eq!(found[0].file.as_deref(), Some("docs/a.md"));
/// assert_eq!(found[0].at.unwrap().to_string(), "2:4");
///
/// let escaped = b"---\nname: a\ndescription: \"Reads\\u200B.\"\n---\n";
/// assert!(check_file("SKILL.md", escaped)[0].message.contains("<U+200B>"));
/// assert!(check_file("a.png", b"\x89PNG\r\n\x1a\n\xe2\x80\x8b").is_empty());
/// ```
#[must_use]
pub fn check_file(path: &str, bytes: &[u8]) -> Vec<Finding> {
    let text = std::str::from_utf8(bytes).ok();
    let in_text = text.and_then(check_text);
    let in_text = in_text
        .or_else(|| text.filter(|_| SkillMd::is_file_name(path)).and_then(invisible_in_values));
    let found = [check_path(path), in_text];
    found.into_iter().flatten().map(|finding| finding.in_file(path)).collect()
}

/// Reports the first invisible character of `text` that is not part of visible writing, with the
/// number of further ones.
///
/// Always refused are tag characters, bidirectional controls, U+200B, U+2060, Hangul fillers,
/// variation selectors 1 to 14 and 17 and above, and a byte order mark that is not the first
/// character. Selectors 15 and 16 are allowed after a symbol, a digit, `#` or `*`; joiners are
/// allowed in emoji and in the scripts that use them.
fn check_text(text: &str) -> Option<Finding> {
    let first = first_hidden(text)?;
    let run: String = text[first..].chars().take_while(|c| can_hide_text(*c)).collect();
    let mut others = 0_usize;
    each_hidden(text, |at| others += usize::from(at >= first + run.len()));
    let message = format!("invisible text: `{}`{}", escaped(&run), more_below(others));
    let finding = Finding::new(Code::InvisibleText, Position::from_offset(text, first), message);
    Some(finding.hint("models read it, but reviewers do not see it: remove it"))
}

/// Reports invisible characters in the path of a file.
fn check_path(path: &str) -> Option<Finding> {
    first_inside(path)?;
    let mut shown = String::with_capacity(path.len() + 8);
    path.chars().for_each(|c| if can_hide_text(c) { name(&mut shown, c) } else { shown.push(c) });
    let message = format!("the path contains invisible characters: `{shown}`");
    Some(Finding::new(Code::InvisibleText, None, message).hint("rename the file"))
}

/// Reports invisible characters that YAML escapes produce in the keys and values of a SKILL.md's
/// frontmatter. The text of the file does not contain them, but a catalog would.
fn invisible_in_values(text: &str) -> Option<Finding> {
    let layout = skill_md::layout(text)?;
    let yaml = &text[layout.yaml];
    // Only double-quoted scalars have escapes, and few files have any.
    yaml.match_indices('\\').next()?;
    let scalars = skill_md::scalars(yaml, layout.opening.saturating_add(1));
    let (at, value, first) = scalars
        .into_iter()
        .find_map(|(at, value)| first_inside(&value).map(|first| (at, value, first)))?;
    let run: String = value[first..].chars().take_while(|c| can_hide_text(*c)).collect();
    let message = format!("YAML escapes in the value produce invisible text: `{}`", escaped(&run));
    Some(
        Finding::new(Code::InvisibleText, at, message)
            .hint("models read it, but reviewers do not see it: remove the escapes"),
    )
}

/// Returns the byte offset of the first refused character.
fn first_hidden(text: &str) -> Option<usize> {
    let mut first: Option<usize> = None;
    each_hidden(text, |at| first = Some(first.map_or(at, |first| first.min(at))));
    first
}

/// Like [`first_hidden`], but for a part of a file, where a leading byte order mark is refused too.
fn first_inside(text: &str) -> Option<usize> {
    first_hidden(text).or_else(|| text.starts_with('\u{feff}').then_some(0))
}

/// Calls `report` with the byte offset of each refused character, in any order.
fn each_hidden(text: &str, mut report: impl FnMut(usize)) {
    search(text, |at, c| {
        let is_mark = at == 0 && c == '\u{feff}';
        if !is_mark && !belongs(c, &text[..at], &text[at + c.len_utf8()..]) {
            report(at);
        }
    });
}

/// The characters that can hide text: the first byte of their UTF-8, and the first and last
/// character of each range.
const HIDING: [(u8, char, char); 12] = [
    (0xd8, '\u{61c}', '\u{61c}'),
    (0xe1, '\u{115f}', '\u{1160}'),
    (0xe2, '\u{200b}', '\u{200f}'),
    (0xe2, '\u{202a}', '\u{202e}'),
    (0xe2, '\u{2060}', '\u{2060}'),
    (0xe2, '\u{2066}', '\u{2069}'),
    (0xe3, '\u{3164}', '\u{3164}'),
    (0xef, '\u{fe00}', '\u{fe0f}'),
    (0xef, '\u{feff}', '\u{feff}'),
    (0xef, '\u{ffa0}', '\u{ffa0}'),
    (TAGS, '\u{e0000}', '\u{e007f}'),
    (TAGS, '\u{e0100}', '\u{e01ef}'),
];

/// First byte of tag characters and of variation selectors 17 and above, which are too many to
/// search for one by one.
const TAGS: u8 = 0xf3;

/// Returns whether a character can hide text.
fn can_hide_text(c: char) -> bool {
    HIDING.iter().any(|(_, from, to)| (*from..=*to).contains(&c))
}

/// Calls `report` with each character that can hide text and its byte offset, in any order.
///
/// In unoptimized builds, such as those of procedural macros, a loop over bytes takes longer than
/// hashing them. This function therefore only calls functions that the standard library has
/// compiled already: counting characters, searching for a byte, and searching for one character.
fn search(text: &str, mut report: impl FnMut(usize, char)) {
    // Most files are ASCII.
    if text.chars().count() == text.len() {
        return;
    }
    let (mut byte, mut is_there) = (0, false);
    for (first, from, to) in HIDING {
        if byte != first {
            (byte, is_there) = (first, text.as_bytes().contains(&first));
            if is_there && first == TAGS {
                // Some private-use characters begin with this byte too. Nearly no text contains
                // any.
                text.char_indices()
                    .filter(|(_, c)| *c >= '\u{e0000}' && can_hide_text(*c))
                    .for_each(|(at, c)| report(at, c));
            }
        }
        if is_there && first != TAGS {
            (from..=to).for_each(|c| text.match_indices(c).for_each(|(at, _)| report(at, c)));
        }
    }
}

/// Returns whether an invisible character is part of visible writing.
fn belongs(c: char, before: &str, after: &str) -> bool {
    let previous = before.chars().next_back();
    // A character before a joiner may be followed by a skin tone and a selector.
    let mut bases = before.chars().rev().take(3).skip_while(|c| is_ornament(*c));
    match c {
        '\u{fe0e}' | '\u{fe0f}' => previous.is_some_and(has_styles),
        '\u{200c}' => previous.is_some_and(is_joining),
        '\u{200d}' => match bases.next() {
            Some(base) if is_pictograph(base) => after.chars().next().is_some_and(is_pictograph),
            Some(_) => previous.is_some_and(is_joining),
            None => false,
        },
        _ => false,
    }
}

/// Returns whether a character only changes how the one before it looks.
const fn is_ornament(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Returns whether a character has a text and an emoji style, which a following selector chooses.
///
/// Unicode's `emoji-variation-sequences.txt` names some characters of each of these blocks; authors
/// put selectors after others too. Box drawings, block elements and dots are excluded: drawings
/// contain thousands of them, and a selector after each could encode a hidden message.
const fn has_styles(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9' | '©' | '®' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2190}'..='\u{24ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Returns whether a character is a symbol that joiners combine to emoji: the blocks of Unicode's
/// `Extended_Pictographic` that `emoji-zwj-sequences.txt` uses.
const fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2194}'..='\u{2199}' | '\u{21a9}' | '\u{21aa}' | '\u{231a}' | '\u{231b}' | '\u{23e9}'..='\u{23fa}'
        | '\u{2600}'..='\u{27bf}' | '\u{2b05}'..='\u{2b07}' | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}' | '\u{2b55}'
        | '\u{1f300}'..='\u{1f3fa}' | '\u{1f400}'..='\u{1faff}')
}

/// Returns whether a letter or mark belongs to a script in which joiners change the visible text:
/// Arabic and related scripts, Mongolian, and the scripts of India and Southeast Asia.
const fn is_joining(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{6ff}' | '\u{700}'..='\u{74f}' | '\u{750}'..='\u{77f}' | '\u{7ca}'..='\u{7fa}'
        | '\u{840}'..='\u{86f}' | '\u{870}'..='\u{8ff}' | '\u{900}'..='\u{df4}' | '\u{f00}'..='\u{fff}'
        | '\u{1000}'..='\u{109f}' | '\u{1700}'..='\u{17ff}' | '\u{1807}'..='\u{18aa}' | '\u{1a20}'..='\u{1aad}'
        | '\u{1b00}'..='\u{1bff}' | '\u{1c00}'..='\u{1c4f}' | '\u{a840}'..='\u{a877}' | '\u{a8e0}'..='\u{a8ff}'
        | '\u{a980}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' | '\u{abc0}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{10aff}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// Returns the code points of a run, at most [`MAX_SHOWN`] of them.
fn escaped(run: &str) -> String {
    let mut shown = String::new();
    run.chars().take(MAX_SHOWN).for_each(|c| name(&mut shown, c));
    shown + &and_more(run.chars().count().saturating_sub(MAX_SHOWN))
}

fn name(to: &mut String, c: char) {
    // Writing to a string cannot fail.
    let _ = write!(to, "<U+{:04X}>", c as u32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> Option<String> {
        check_text(text).map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    /// T3: the first and last character of each class.
    #[test]
    #[cfg_attr(miri, ignore = "checks hundreds of texts")]
    fn t03_every_class_is_refused_inside_of_words() {
        for (first, last) in [
            (0xe0000, 0xe007f),
            (0x61c, 0x61c),
            (0x200b, 0x200b),
            (0x200e, 0x200f),
            (0x202a, 0x202e),
            (0x2060, 0x2060),
            (0x2066, 0x2069),
            (0xfeff, 0xfeff),
            (0x115f, 0x1160),
            (0x3164, 0x3164),
            (0xffa0, 0xffa0),
            (0xfe00, 0xfe0d),
            (0xe0100, 0xe01ef),
            // The letters of these words take no selector and no joiner.
            (0xfe0e, 0xfe0f),
            (0x200c, 0x200d),
        ] {
            for code in first..=last {
                let c = char::from_u32(code).unwrap();
                let expected = format!("2:3 invisible text: `<U+{code:04X}>`");
                assert_eq!(at(&format!("é\nab{c}cd\n")), Some(expected));
                assert!(check_path(&format!("docs/a{c}b.md")).is_some(), "{code:x}");
            }
        }
    }

    #[test]
    fn t03_what_is_seen_is_let_through() {
        for text in [
            "\u{feff}---\nname: a\n---\n",
            "👩\u{200d}👩\u{200d}👧 👨🏽\u{200d}🚀 🏳\u{fe0f}\u{200d}🌈 ❤\u{fe0f}\u{200d}🔥 👁\u{fe0f}\u{200d}🗨\u{fe0f}",
            "1\u{fe0f}\u{20e3} #\u{fe0f}\u{20e3} ☺\u{fe0e} ©\u{fe0f} ™\u{fe0f} ㊗\u{fe0f}",
            "می\u{200c}خواهم نمی\u{200c}دانم ه\u{200d}",
            "क\u{94d}\u{200d}ष श\u{94d}\u{200c}य ශ\u{dca}\u{200d}ර\u{dd3}",
            "soft\u{ad}hyphen, nbsp\u{a0}, 中文，日本語、한국어",
        ] {
            assert_eq!(at(text), None, "{text:?}");
        }
    }

    #[test]
    fn t03_what_is_let_through_carries_no_message() {
        for text in [
            "a\u{fe0f}b\u{fe0e}c",
            "☺\u{fe0f}\u{fe0e}\u{fe0f}",
            "\u{fe0f}x",
            "👩\u{200d}\u{200d}🚀",
            "👩\u{200d} x",
            "👩\u{200c}x",
            "می\u{200c}\u{200d}\u{200c}خ",
            "\u{feff}\u{feff}x",
            "x\u{feff}",
            "zwnj be\u{200c}tween Latin letters",
        ] {
            assert!(at(text).is_some(), "{text:?}");
        }
    }

    #[test]
    fn long_runs_are_cut_and_others_are_counted() {
        let text = format!("a{}b\u{200b}c\u{202e}d", "\u{e0041}".repeat(20));
        let shown = "<U+E0041>".repeat(8);
        let more = "and 2 more below";
        assert_eq!(at(&text), Some(format!("1:2 invisible text: `{shown} and 12 more`, {more}")));
    }

    #[test]
    fn t03_the_table_is_by_first_bytes() {
        for (first, from, to) in HIDING {
            for c in from..=to {
                assert_eq!(c.to_string().as_bytes()[0], first, "{:x}", u32::from(c));
                let mut found = Vec::new();
                search(&format!("é{c}"), |at, c| found.push((at, c)));
                assert_eq!(found, [(2, c)]);
            }
        }
        assert!(HIDING.is_sorted());
    }

    #[test]
    fn t03_escapes_of_yaml_hide_nothing() {
        let of = |yaml: &str| {
            let text = format!("\n---\nname: a\n{yaml}\n---\nbody \\u200b\n");
            let found = check_file("SKILL.md", text.as_bytes());
            assert!(check_file("docs/SKILL.md", text.as_bytes()).is_empty());
            found.first().map(|found| format!("{} {}", found.at.unwrap(), found.message))
        };
        let made = |at: &str, run: &str| {
            Some(format!("{at} YAML escapes in the value produce invisible text: `{run}`"))
        };
        assert_eq!(of("description: \"a\\u200Bb\""), made("4:14", "<U+200B>"));
        assert_eq!(of("description: \"\\uFEFFb\""), made("4:14", "<U+FEFF>"));
        assert_eq!(
            of("description: b\nmetadata:\n  k: [x, \"\\U000E0041\\U000E0042\"]"),
            made("6:10", "<U+E0041><U+E0042>")
        );
        assert_eq!(of("description: b\n\"x\\u202e\": y"), made("5:1", "<U+202E>"));
        assert_eq!(of("description: 'a\\u200Bb'"), None);
        assert_eq!(of("description: a\\u200Bb"), None);
        assert_eq!(of("description: \"\\u263a\\ufe0f \\t \\xe9\""), None);
        // A value that needs quotes is read as if it were quoted.
        assert_eq!(of("description: a: b\nwhen_to_use: \"\\u2060\""), made("5:14", "<U+2060>"));
    }

    #[test]
    fn t03_drawings_have_no_room_for_bits() {
        for text in [
            "─\u{fe0f}─",
            "█\u{fe0e}",
            "⠿\u{fe0f}",
            "─\u{200d}─",
            "∑\u{200d}∑",
            "🇩\u{200d}🇪",
            "👩🏽🏽🏽\u{200d}🚀",
        ] {
            assert!(at(text).is_some(), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 2 } else { 256 }, failure_persistence: None, ..ProptestConfig::default() })]

        /// The search finds what a check of every character finds.
        #[test]
        fn t03_search_misses_no_character(
            text in "[a-é☺👩🏽مक一ー。\u{ff0c}\u{f0000}\u{61c}\u{1160}\u{200b}\u{200d}\u{2066}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{e0041}\u{e01ef}]{0,90}",
        ) {
            let mut found = Vec::new();
            search(&text, |at, c| found.push((at, c)));
            found.sort_unstable();
            let all: Vec<_> = text.char_indices().filter(|(_, c)| can_hide_text(*c)).collect();
            prop_assert_eq!(found, all);
        }

        /// A refused character is found at any place in any text.
        #[test]
        fn t03_one_is_found_wherever_it_stands(
            before in "[ -~\\nа-яüß中文]{0,200}",
            after in "[ -~\\nа-яüß中文]{0,200}",
            c in prop::sample::select(vec!['\u{200b}', '\u{e0020}', '\u{202e}', '\u{2060}', '\u{3164}', '\u{fe05}', '\u{e0101}']),
        ) {
            let text = format!("{before}{c}{after}");
            let found = check_text(&text).unwrap();
            prop_assert_eq!(found.at, Some(Position::from_offset(&text, before.len())));
        }
    }
}
