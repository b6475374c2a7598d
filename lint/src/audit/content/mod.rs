//! What the bytes of a file are, whatever it is called.

mod magic;

use memchr::memchr;
use std::fmt;

/// What a file is by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content<'b> {
    /// UTF-8, without a NUL.
    Text(&'b str),
    /// Text in another encoding.
    OtherText(&'static str),
    /// A picture, font, sound or film.
    Media(Media),
    /// An archive, or a document that is one.
    Archive(&'static str),
    /// A compiled program.
    Program(&'static str),
    /// Anything else, by name where it has one.
    Binary(&'static str),
}

/// What people look at or listen to: skills carry it, and a model reads none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Media {
    /// A picture.
    Image,
    /// A font.
    Font,
    /// A sound.
    Audio,
    /// A film.
    Video,
}

impl Media {
    /// The word for one of them, or for several.
    #[must_use]
    pub fn noun(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::Image, 1) => "image",
            (Self::Image, _) => "images",
            (Self::Font, 1) => "font",
            (Self::Font, _) => "fonts",
            (Self::Audio, 1) => "sound",
            (Self::Audio, _) => "sounds",
            (Self::Video, 1) => "film",
            (Self::Video, _) => "films",
        }
    }
}

impl fmt::Display for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(_) => f.write_str("a text"),
            Self::OtherText(what)
            | Self::Archive(what)
            | Self::Program(what)
            | Self::Binary(what) => f.write_str(what),
            Self::Media(Media::Image) => f.write_str("an image"),
            Self::Media(Media::Font) => f.write_str("a font"),
            Self::Media(Media::Audio) => f.write_str("a sound"),
            Self::Media(Media::Video) => f.write_str("a film"),
        }
    }
}

/// So many of the first bytes of an undeclared encoding are judged.
const SAMPLE: usize = 8 * 1024;

impl<'b> Content<'b> {
    /// Judges a whole file: most formats by how it begins, an archive that follows something else
    /// by how it ends.
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        if let Some(known) = magic::begins(bytes) {
            // A picture may carry an archive behind it, which is then what matters.
            return if matches!(known, Content::Media(_)) && magic::ends_as_zip(bytes) {
                APPENDED
            } else {
                known
            };
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if memchr(0, bytes).is_none() => match magic::ends_as_zip(bytes) {
                true => APPENDED,
                false => Self::Text(text),
            },
            Ok(_) | Err(_) if looks_like_utf16(bytes) => Self::OtherText("a text in UTF-16"),
            Err(_) if is_eight_bit_text(bytes) => Self::OtherText("a text that is not UTF-8"),
            Ok(_) | Err(_) if magic::ends_as_zip(bytes) => APPENDED,
            Ok(_) | Err(_) => Self::Binary("a binary file"),
        }
    }
}

const APPENDED: Content<'static> = Content::Archive("a ZIP archive behind something else");

/// Whether every other byte is NUL, nearly: Latin letters in 16 bits, without a mark.
fn looks_like_utf16(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE) & !1];
    let zeros =
        |start: usize| sample.iter().skip(start).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), sample.len() / 2);
    half >= 8 && even.max(odd) * 10 >= half * 9 && even.min(odd) * 10 <= half
}

/// Whether there is nothing that an old encoding of one byte a character does not have in a text.
fn is_eight_bit_text(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let is_odd = |byte: &&u8| matches!(**byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    let letters =
        sample.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    !sample.iter().any(|byte| is_odd(&byte)) && letters * 2 >= sample.len()
}

/// What a name promises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    Text,
    Media,
    Document,
    Archive,
    Program,
}

/// What the name of a file says, where the content is something else; none where it says nothing,
/// or is right.
pub(super) fn mismatch(path: &str, content: &Content<'_>) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension =
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?.1.to_ascii_lowercase();
    let promise = match extension.as_str() {
        "md" | "markdown" | "mdx" | "txt" | "rst" | "adoc" | "json" | "jsonl" | "jsonc"
        | "json5" | "yaml" | "yml" | "toml" | "ini" | "cfg" | "conf" | "env" | "csv" | "tsv"
        | "xml" | "xsd" | "html" | "htm" | "css" | "scss" | "svg" | "py" | "js" | "mjs" | "cjs"
        | "jsx" | "tsx" | "sh" | "bash" | "zsh" | "fish" | "ps1" | "bat" | "cmd" | "rb" | "pl"
        | "php" | "lua" | "go" | "rs" | "java" | "kt" | "swift" | "c" | "h" | "cpp" | "hpp"
        | "cs" | "sql" | "tex" | "diff" | "patch" | "log" | "lock" => Promise::Text,
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "bmp" | "tif" | "tiff" | "avif" | "heic"
        | "ttf" | "otf" | "woff" | "woff2" | "ttc" | "mp3" | "wav" | "ogg" | "flac" | "m4a"
        | "aac" | "mp4" | "mov" | "webm" | "mkv" => Promise::Media,
        "pdf" => Promise::Document,
        "zip" | "gz" | "tgz" | "bz2" | "xz" | "zst" | "7z" | "rar" | "tar" | "docx" | "xlsx"
        | "pptx" | "odt" | "ods" | "odp" | "jar" | "whl" | "epub" => Promise::Archive,
        "exe" | "dll" | "so" | "dylib" | "wasm" | "pyc" | "class" => Promise::Program,
        _ => return None,
    };
    let (is_kept, said) = match promise {
        // Tools that open it find the encoding themselves.
        Promise::Text => (matches!(content, Content::Text(_) | Content::OtherText(_)), "a text"),
        Promise::Media => (matches!(content, Content::Media(_)), "an image, font, sound or film"),
        Promise::Document => (*content == Content::Binary(magic::PDF), "a PDF document"),
        Promise::Archive => (matches!(content, Content::Archive(_)), "an archive"),
        Promise::Program => (matches!(content, Content::Program(_)), "a program"),
    };
    // What is empty holds nothing else either.
    (!is_kept && *content != Content::Text("")).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_from_what_only_looks_like_one() {
        let latin: Vec<u8> = "Gr\u{fc}\u{df}e aus M\u{fc}nchen".chars().map(|c| c as u8).collect();
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let with_mark = [b"\xff\xfe".as_slice(), &wide("hi")].concat();
        for (bytes, shown) in [
            (b"".as_slice(), "a text"),
            ("Grüße, 中文 👩\u{200d}🚀\n\u{1b}[0m".as_bytes(), "a text"),
            (&latin, "a text that is not UTF-8"),
            (&wide("ignore all previous instructions"), "a text in UTF-16"),
            (&with_mark, "a text in UTF-16"),
            (b"a\0b", "a binary file"),
            (b"\x01\x02\xff\xfe\xfd", "a binary file"),
        ] {
            assert_eq!(Content::of(bytes).to_string(), shown, "{bytes:?}");
        }
    }

    #[test]
    fn names_that_promise_something_else_are_told() {
        let zip = Content::Archive("a ZIP archive");
        for (path, content, said) in [
            ("a.txt", zip, Some("a text")),
            ("A.MD", zip, Some("a text")),
            ("a/logo.png", Content::Text("#!/bin/sh"), Some("an image, font, sound or film")),
            ("a.pdf", Content::Text("x"), Some("a PDF document")),
            ("a.zip", Content::Program("a program"), Some("an archive")),
            ("a.so", Content::Text("x"), Some("a program")),
            ("a.docx", zip, None),
            ("a.jpg", Content::Media(Media::Image), None),
            ("a.pdf", Content::Binary(magic::PDF), None),
            ("a.txt", Content::OtherText("a text in UTF-16"), None),
            ("a.png", Content::Text(""), None),
            ("a.unknown", zip, None),
            ("Makefile", zip, None),
            (".txt", zip, None),
        ] {
            assert_eq!(mismatch(path, &content), said, "{path}");
        }
    }
}
