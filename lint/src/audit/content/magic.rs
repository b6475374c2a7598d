//! The signatures of known file formats.
//!
//! Signatures come from the specifications of the formats. Python bytecode and Java classes are
//! recognized by the version numbers that their releases use.

use super::{Content, Media};
use memchr::memmem;

pub(super) const PDF: &str = "a PDF document";

/// Returns the type of a file that starts with a known signature.
pub(super) fn by_signature(bytes: &[u8]) -> Option<Content<'static>> {
    let at = |offset: usize, signature: &[u8]| {
        bytes.get(offset..).is_some_and(|rest| rest.starts_with(signature))
    };
    let is = |signature: &[u8]| bytes.starts_with(signature);
    // Signatures that could start a text have further conditions.
    Some(match *bytes.first()? {
        b'P' if is(b"PK\x03\x04") => Content::Archive(zip(bytes)),
        b'P' if is(b"PK\x05\x06") || is(b"PK\x07\x08") => Content::Archive("a ZIP archive"),
        0x1f if is(b"\x1f\x8b") => Content::Archive("a gzip archive"),
        0x1f if is(b"\x1f\x9d") => Content::Archive("a compressed file"),
        b'B' if is(b"BZh") && at(4, b"1AY&SY") => Content::Archive("a bzip2 archive"),
        0xfd if is(b"\xfd7zXZ\0") => Content::Archive("an xz archive"),
        0x28 if is(b"\x28\xb5\x2f\xfd") => Content::Archive("a Zstandard archive"),
        0x04 if is(b"\x04\x22\x4d\x18") => Content::Archive("an LZ4 archive"),
        b'7' if is(b"7z\xbc\xaf\x27\x1c") => Content::Archive("a 7z archive"),
        b'R' if is(b"Rar!\x1a\x07") => Content::Archive("a RAR archive"),
        b'!' if is(b"!<arch>\n") => Content::Archive("an `ar` archive"),
        b'M' if is(b"MSCF\0\0\0\0") => Content::Archive("a cabinet archive"),
        0xed if is(b"\xed\xab\xee\xdb") => Content::Archive("an RPM package"),
        b'C' if is(b"Cr24") => Content::Archive("a browser extension"),
        // Word, Excel and PowerPoint up to 2003, with their macros; installers.
        0xd0 if is(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") => {
            Content::Archive("an old Office document")
        }

        0x7f if is(b"\x7fELF") => Content::Program("a program for Linux (ELF)"),
        b'M' if is(b"MZ") && is_portable_executable(bytes) => {
            Content::Program("a program for Windows (PE)")
        }
        0xfe if is(b"\xfe\xed\xfa\xce") || is(b"\xfe\xed\xfa\xcf") => MACH_O,
        0xce | 0xcf if at(1, b"\xfa\xed\xfe") => MACH_O,
        // The next number is the number of architectures in Mach-O, and the version in a Java
        // class, which is at least 45.
        0xca if is(b"\xca\xfe\xba\xbe") => match bytes.get(4..8) {
            Some([0, 0, 0, 0..=44]) => MACH_O,
            _ => Content::Program("a Java class"),
        },
        0 if is(b"\0asm") => Content::Program("a WebAssembly module"),
        b'd' if is(b"dex\n0") => Content::Program("a program for Android"),
        0x1b if is(b"\x1bLua") => Content::Program("Lua bytecode"),
        b'B' if is(b"BC\xc0\xde") => Content::Program("LLVM bitcode"),
        b'L' if is(b"L\0\0\0\x01\x14\x02\0") => Content::Program("a Windows shortcut"),
        _ if is_python_bytecode(bytes) => Content::Program("Python bytecode"),
        // Reading a pickle calls the functions that it names.
        0x80 if matches!(bytes.get(1), Some(2..=5)) && bytes.ends_with(b".") => {
            Content::Program("a Python pickle, which runs code when it is read")
        }

        0x89 if is(b"\x89PNG\r\n\x1a\n") => IMAGE,
        0xff if is(b"\xff\xd8\xff") => IMAGE,
        b'G' if is(b"GIF87a") || is(b"GIF89a") => IMAGE,
        b'R' if is(b"RIFF") && at(8, b"WEBP") => IMAGE,
        b'R' if is(b"RIFF") && at(8, b"WAVE") => AUDIO,
        b'R' if is(b"RIFF") && at(8, b"AVI ") => VIDEO,
        b'B' if is(b"BM") && bytes.get(2..6).is_some_and(|size| is_size(size, bytes.len())) => {
            IMAGE
        }
        0 if is(b"\0\0\x01\0") && bytes.get(5) == Some(&0) => IMAGE,
        b'I' if is(b"II*\0") => IMAGE,
        b'M' if is(b"MM\0*") => IMAGE,
        b'8' if is(b"8BPS\0") => IMAGE,
        0 if at(4, b"ftypavif") || at(4, b"ftypheic") || at(4, b"ftypmif1") => IMAGE,
        0 if at(4, b"ftypM4A") => AUDIO,
        0 if at(4, b"ftyp") => VIDEO,
        0x1a if is(b"\x1a\x45\xdf\xa3") => VIDEO,
        b'w' if is(b"wOFF") || is(b"wOF2") => FONT,
        0 if is(b"\0\x01\0\0") && bytes.get(4) == Some(&0) => FONT,
        b'O' if is(b"OTTO\0") => FONT,
        b't' if is(b"ttcf\0") || is(b"true\0") => FONT,
        b'I' if is(b"ID3\x02") || is(b"ID3\x03") || is(b"ID3\x04") => AUDIO,
        0xff if matches!(bytes.get(1), Some(0xfb | 0xf3 | 0xf2 | 0xfa | 0xf1 | 0xf9)) => AUDIO,
        b'f' if is(b"fLaC\0") => AUDIO,
        b'O' if is(b"OggS\0") => AUDIO,
        b'M' if is(b"MThd\0") => AUDIO,

        b'%' if is(b"%PDF-") => Content::Binary(PDF),
        b'S' if is(b"SQLite format 3\0") => Content::Binary("an SQLite database"),
        b'g' if is(b"glTF\x02\0") => Content::Binary("a 3D model"),

        0xff if is(b"\xff\xfe\0\0") => Content::OtherText("a text in UTF-32"),
        0xff if is(b"\xff\xfe") => Content::OtherText("a text in UTF-16"),
        0xfe if is(b"\xfe\xff") => Content::OtherText("a text in UTF-16"),
        0 if is(b"\0\0\xfe\xff") => Content::OtherText("a text in UTF-32"),
        _ if at(257, b"ustar") => Content::Archive("a tar archive"),
        _ => return None,
    })
}

const MACH_O: Content<'static> = Content::Program("a program for macOS (Mach-O)");
const IMAGE: Content<'static> = Content::Media(Media::Image);
const FONT: Content<'static> = Content::Media(Media::Font);
const AUDIO: Content<'static> = Content::Media(Media::Audio);
const VIDEO: Content<'static> = Content::Media(Media::Video);

/// Returns the kind of a ZIP archive by the names of its files, which are at its start and in the
/// directory at its end.
fn zip(bytes: &[u8]) -> &'static str {
    /// The size in bytes of the directory of some hundred files.
    const TAIL: usize = 32 * 1024;
    let head = &bytes[..bytes.len().min(256)];
    let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
    let names = |name: &[u8]| [head, tail].iter().any(|part| memmem::find(part, name).is_some());
    match () {
        () if names(b"vbaProject.bin") => "an Office document with macros, which is a ZIP archive",
        () if names(b"[Content_Types].xml") => "an Office document, which is a ZIP archive",
        () if names(b".dist-info/") => "a Python package, which is a ZIP archive",
        () if names(b"META-INF/MANIFEST.MF") => "a Java archive, which is a ZIP archive",
        () => "a ZIP archive",
    }
}

/// Returns whether the file ends with the directory of a ZIP archive. Programs read the archive
/// from there, regardless of what precedes it.
pub(super) fn ends_as_zip(bytes: &[u8]) -> bool {
    /// Length in bytes of the end record without its comment, and maximum length of the comment.
    const RECORD: usize = 22;
    const COMMENT: usize = 65_535;
    let tail = &bytes[bytes.len().saturating_sub(RECORD + COMMENT)..];
    memmem::find_iter(tail, b"PK\x05\x06").any(|at| tail.len() - at >= RECORD)
}

/// Returns whether four little-endian bytes are the length of the file.
fn is_size(size: &[u8], length: usize) -> bool {
    <[u8; 4]>::try_from(size).is_ok_and(|size| u32::from_le_bytes(size) as usize == length)
}

/// Returns whether the header of a DOS program points to a Windows program.
fn is_portable_executable(bytes: &[u8]) -> bool {
    let offset = bytes.get(0x3c..0x40).and_then(|offset| <[u8; 4]>::try_from(offset).ok());
    let offset = offset.map(|offset| u32::from_le_bytes(offset) as usize);
    offset.and_then(|offset| bytes.get(offset..)).is_some_and(|rest| rest.starts_with(b"PE\0\0"))
}

/// Returns whether the file starts with the magic number of a Python release, followed by CR LF.
fn is_python_bytecode(bytes: &[u8]) -> bool {
    matches!(bytes, [low, high, b'\r', b'\n', rest @ ..]
        // Python 3.0 and later; 2.0 to 2.7. The flags, the date or the number of arguments contain
        // a NUL.
        if matches!(u16::from_le_bytes([*low, *high]), 3000..=3999 | 50_823..=62_300) && rest.iter().take(16).any(|b| *b == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8]) -> String {
        Content::detect(bytes).to_string()
    }

    #[test]
    fn formats_are_recognized_by_signature() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let mut pe = vec![0; 0x80];
        pe[..2].copy_from_slice(b"MZ");
        pe[0x3c] = 0x40;
        pe[0x40..0x44].copy_from_slice(b"PE\0\0");
        for (bytes, what) in [
            (b"\x1f\x8b\x08\0".as_slice(), "a gzip archive"),
            (b"BZh91AY&SY", "a bzip2 archive"),
            (b"\xfd7zXZ\0\0", "an xz archive"),
            (b"\x28\xb5\x2f\xfd\0", "a Zstandard archive"),
            (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
            (b"Rar!\x1a\x07\x01\0", "a RAR archive"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
            (b"\x7fELF\x02\x01", "a program for Linux (ELF)"),
            (&pe, "a program for Windows (PE)"),
            (b"\xcf\xfa\xed\xfe\x07", "a program for macOS (Mach-O)"),
            (b"\xca\xfe\xba\xbe\0\0\0\x02", "a program for macOS (Mach-O)"),
            (b"\xca\xfe\xba\xbe\0\0\0\x41", "a Java class"),
            (b"\0asm\x01\0\0\0", "a WebAssembly module"),
            (b"\xa7\x0d\x0d\x0a\0\0\0\0\0\0\0\0\0\0\0\0", "Python bytecode"),
            (b"\x03\xf3\x0d\x0a\0\0\0\0\0\0\0\0", "Python bytecode"),
            (b"\x80\x04\x95.", "a Python pickle, which runs code when it is read"),
            (b"\x89PNG\r\n\x1a\n", "an image"),
            (b"\xff\xd8\xff\xe0", "an image"),
            (b"RIFF\0\0\0\0WEBP", "an image"),
            (b"RIFF\0\0\0\0WAVE", "a sound"),
            (b"wOF2\0", "a font"),
            (b"\0\x01\0\0\0\x10", "a font"),
            (b"\0\0\0\x18ftypmp42", "a video"),
            (b"%PDF-1.7", "a PDF document"),
            (&tar, "a tar archive"),
        ] {
            assert_eq!(shown(bytes), what, "{bytes:?}");
        }
    }

    #[test]
    fn texts_that_start_like_a_format_are_texts() {
        for text in [
            "MZ is a signature",
            "BM",
            "PK",
            "BZh!",
            "GIF89",
            "true",
            "OTTO",
            "RIFF",
            "ID3",
            "M\r\n",
            "%PDF",
        ] {
            assert_eq!(shown(text.as_bytes()), "a text", "{text}");
        }
    }

    #[test]
    fn archives_are_recognized_by_entries_and_end_record() {
        let entry = |name: &str| [b"PK\x03\x04".as_slice(), &[0; 26], name.as_bytes()].concat();
        let end = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
        assert_eq!(shown(&entry("x.txt")), "a ZIP archive");
        assert_eq!(
            shown(&entry("pkg-1.0.dist-info/RECORD")),
            "a Python package, which is a ZIP archive"
        );
        assert_eq!(shown(&entry("META-INF/MANIFEST.MF")), "a Java archive, which is a ZIP archive");
        let word = [
            entry("[Content_Types].xml"),
            vec![0; 50_000],
            entry("word/document.xml"),
            end.clone(),
        ]
        .concat();
        assert_eq!(shown(&word), "an Office document, which is a ZIP archive");
        let appended = "a ZIP archive after other data";
        assert_eq!(shown(&[b"\x89PNG\r\n\x1a\n....".as_slice(), &end].concat()), appended);
        assert_eq!(shown(&[b"#!/bin/sh\nexit\n".as_slice(), &end].concat()), appended);
        assert_eq!(shown(&[b"#!/bin/sh\nexit\n".as_slice(), &end, b"comment"].concat()), appended);
        assert_eq!(shown(b"The record PK\x05\x06 ends it."), "a text");
    }
}
