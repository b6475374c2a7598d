//! Splits texts into words.

use alloc::string::String;

/// How a text is split into words.
///
/// In both modes, words are compared in lowercase without stemming. Words of one letter, words
/// without a letter, and the 145 English stop words of `tiny-tfidf` are not found by any query.
///
/// ```
/// use helix_skills::search::{IndexOptions, SearchOptions, Words};
/// # use helix_skills::{Skill, SkillSet, skill_set};
/// # const INVOICE: Skill = Skill::define("invoice", "处理发票。", "…").build();
/// # static SKILLS: SkillSet = skill_set![INVOICE];
/// let finds = |words| {
///     let index = SKILLS.index(&IndexOptions::new().words(words));
///     !SKILLS.with_index(&index).search("发票", &SearchOptions::new()).is_empty()
/// };
/// assert!(finds(Words::Unicode) && !finds(Words::Compatible));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Words {
    /// As in `tiny-tfidf` 1.0.0: a word is a run of ASCII letters, digits and Latin-1 letters. All
    /// other characters are separators, so no Cyrillic or Chinese text is found.
    #[default]
    Compatible,
    /// A word is a run of [alphanumeric](char::is_alphanumeric) characters of any script. Texts are
    /// not normalized.
    ///
    /// In scripts without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and in Korean,
    /// which attaches particles to words, every pair of adjacent characters is a word. Each
    /// character is indexed as well, but does not count in the length of the document; a query
    /// searches for a single character only if it has no such neighbor.
    Unicode,
}

impl Words {
    fn holds(self, c: char) -> bool {
        match self {
            Self::Compatible => {
                c.is_ascii_alphanumeric()
                    || matches!(c, '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{ff}')
            }
            Self::Unicode => c.is_alphanumeric() || is_unspaced(c),
        }
    }

    /// Splits `text` into words.
    pub(super) fn split(self, text: &str) -> WordIter<'_> {
        WordIter { words: self, rest: text, unspaced: "" }
    }
}

/// Returns whether a character belongs to a script without spaces between words. The Southeast
/// Asian blocks include marks within words that are not letters.
fn is_unspaced(c: char) -> bool {
    if c < '\u{e00}' {
        return false;
    }
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        || c.is_alphanumeric()
            && matches!(c,
                '\u{3005}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
                | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// A word as written in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// The characters of a pair that are also indexed on their own, so that each character of a run
    /// is indexed once.
    pub(super) alone: &'a str,
}

/// An iterator over the words of a text.
#[derive(Clone, Debug)]
pub(super) struct WordIter<'a> {
    words: Words,
    rest: &'a str,
    /// The part of a run without spaces whose pairs remain: at least two characters, or empty.
    unspaced: &'a str,
}

impl<'a> WordIter<'a> {
    /// Returns the next pair of a run without spaces.
    fn pair(&mut self) -> Option<Word<'a>> {
        let mut chars = self.unspaced.chars();
        let first = chars.next()?.len_utf8();
        let pair = &self.unspaced[..first + chars.next()?.len_utf8()];
        let is_last = pair.len() == self.unspaced.len();
        self.unspaced = if is_last { "" } else { &self.unspaced[first..] };
        Some(Word { text: pair, alone: if is_last { pair } else { &pair[..first] } })
    }

    /// Returns the next run of word characters, and whether its script is without spaces.
    fn run(&mut self) -> Option<(&'a str, bool)> {
        let words = self.words;
        let separators = ascii_prefix(self.rest, |byte| !byte.is_ascii_alphanumeric());
        let run = &self.rest[separators..];
        let run = &run[run.find(|c| words.holds(c))?..];
        let is_run_unspaced = |c| words == Words::Unicode && is_unspaced(c);
        let kind = run.chars().next().is_some_and(is_run_unspaced);
        let plain = if kind { 0 } else { ascii_prefix(run, |byte| byte.is_ascii_alphanumeric()) };
        let rest = &run[plain..];
        let end = plain
            + rest.find(|c| !words.holds(c) || is_run_unspaced(c) != kind).unwrap_or(rest.len());
        self.rest = &run[end..];
        Some((&run[..end], kind))
    }
}

/// Returns the number of leading ASCII bytes for which `fits` is true. Most text is ASCII, and
/// bytes are faster to check than characters.
fn ascii_prefix(text: &str, fits: impl Fn(u8) -> bool) -> usize {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() && bytes[at].is_ascii() && fits(bytes[at]) {
        at += 1;
    }
    at
}

impl<'a> Iterator for WordIter<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        if let Some(pair) = self.pair() {
            return Some(pair);
        }
        loop {
            let (text, unspaced) = self.run()?;
            let is_long = text.chars().nth(1).is_some();
            match (unspaced, is_long) {
                (true, true) => {
                    self.unspaced = text;
                    return self.pair();
                }
                (true, false) => return Some(Word { text, alone: "" }),
                // Both are stop words, which count in the length of a document.
                (false, false) if !matches!(text, "a" | "A" | "i" | "I") => {}
                (false, _) if text.chars().all(char::is_numeric) => {}
                (false, _) => return Some(Word { text, alone: "" }),
            }
        }
    }
}

/// Replaces `lower` by a word in lowercase. Both forms of the lowercase sigma are one.
pub(super) fn lowercase(word: &str, lower: &mut String) {
    lower.clear();
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
        return;
    }
    for c in word.chars() {
        for c in c.to_lowercase() {
            lower.push(if c == 'ς' { 'σ' } else { c });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn words(words: Words, text: &str) -> Vec<String> {
        let mut lower = String::new();
        let words = words.split(text).map(|word| {
            lowercase(word.text, &mut lower);
            lower.clone()
        });
        words.collect()
    }

    #[test]
    fn compatible_words_are_those_of_the_reference() {
        for (text, expected) in [
            ("", &[][..]),
            ("deploy-helper: CI/CD", &["deploy", "helper", "ci", "cd"]),
            ("Version 3 of H2, 2nd x I a", &["version", "of", "h2", "2nd", "i", "a"]),
            ("É Ärger ×÷ ŸÿÞþ naïve", &["ärger", "ÿþþ", "naïve"]),
            ("技能 навык caf\u{e9}s", &["cafés"]),
            ("it's", &["it"]),
        ] {
            assert_eq!(words(Words::Compatible, text), expected, "{text}");
        }
    }

    #[test]
    fn unicode_words_are_of_any_script() {
        for (text, expected) in [
            ("Навык развертывания, 12", &["навык", "развертывания"][..]),
            ("ΣΊΣΥΦΟΣ Σίσυφος", &["σίσυφοσ", "σίσυφοσ"]),
            ("技能测试abc", &["技能", "能测", "测试", "abc"]),
            ("技 a能", &["技", "a", "能"]),
            ("サーバー・コード", &["サー", "ーバ", "バー", "コー", "ード"]),
            ("배포하다", &["배포", "포하", "하다"]),
            ("ที่ é", &["ที", "ี่"]),
            ("İx ①②", &["i\u{307}x"]),
        ] {
            assert_eq!(words(Words::Unicode, text), expected, "{text}");
        }
    }

    #[test]
    fn each_character_of_a_run_is_indexed_once() {
        for text in ["技能", "技能测", "技能测试"] {
            assert_eq!(Words::Unicode.split(text).map(|word| word.alone).collect::<String>(), text);
        }
        assert!(Words::Unicode.split("技 deploy").all(|word| word.alone.is_empty()));
    }
}
