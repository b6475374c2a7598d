//! Finds long strings of encoded data, which a reviewer cannot read.

use super::content::Content;
use helix_skills_format::{Code, Finding, Position};

/// Minimum length of a string that is reported: longer than a key or a digest.
const MIN_LENGTH: usize = 1024;

/// Minimum length of each line of a string that is broken into lines.
const MIN_LINE: usize = 60;

/// Minimum number of different characters. Fewer are a ruler or a sequence, not data.
const MIN_VARIETY: usize = 12;

/// Returns a note on the first long string of base64 or hexadecimal digits, with the format of its
/// data if it is known. Images, fonts and sounds are ignored, as they are in files.
pub(super) fn check(text: &str) -> Option<Finding> {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(blank) = bytes[end..].iter().position(|byte| is_digit(*byte)) {
        let start = end + blank;
        end = run(bytes, start);
        // Most runs are words.
        if end - start < MIN_LENGTH {
            continue;
        }
        let digits = bytes[start..end].iter().filter(|byte| is_digit(**byte)).count();
        if digits < MIN_LENGTH || variety(&bytes[start..end]) < MIN_VARIETY {
            continue;
        }
        let what = match Content::detect(&decoded(&bytes[start..end])) {
            Content::Media(_) => continue,
            Content::Text(_) | Content::OtherText(_) | Content::Binary("a binary file") => {
                String::new()
            }
            known => format!(", which starts like {known}"),
        };
        let message = format!("an encoded string of {digits} characters{what}");
        let finding = Finding::new(Code::OpaqueText, Position::from_offset(text, start), message);
        return Some(finding.hint("find out what it contains, and what decodes it"));
    }
    None
}

/// Returns whether a byte is a digit of base64 in one of its alphabets, which include the
/// hexadecimal digits.
const fn is_digit(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'=' | b'-' | b'_')
}

/// Returns the end of a run that starts at `start`. It continues in the next line if both lines are
/// long; lines may be indented or quoted.
fn run(bytes: &[u8], start: usize) -> usize {
    let line =
        |from: usize| from + bytes[from..].iter().take_while(|byte| is_digit(**byte)).count();
    let mut end = line(start);
    let mut length = end - start;
    while length >= MIN_LINE {
        let between = bytes[end..].iter().take(24);
        let between = between
            .take_while(|byte| {
                matches!(**byte, b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'\\' | b',')
            })
            .count();
        if !bytes[end..end + between].contains(&b'\n') {
            break;
        }
        let next = end + between;
        let next_end = line(next);
        length = next_end - next;
        // A shorter line is not counted: it may be the last line of the string or other text.
        if length < MIN_LINE {
            break;
        }
        end = next_end;
    }
    end
}

/// Returns the number of different bytes in a run.
fn variety(run: &[u8]) -> usize {
    let mut seen = [false; 256];
    run.iter().take(4 * MIN_LENGTH).for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count()
}

/// Decodes the first bytes of a run: as hexadecimal if possible, else as base64.
fn decoded(run: &[u8]) -> Vec<u8> {
    const DIGITS: usize = 96;
    let digits: Vec<u8> = run.iter().copied().filter(|byte| is_digit(*byte)).take(DIGITS).collect();
    let (bits, value): (u32, fn(u8) -> Option<u32>) = match digits.iter().all(u8::is_ascii_hexdigit)
    {
        true => (4, |digit| char::from(digit).to_digit(16)),
        false => (6, base64),
    };
    let (mut bytes, mut held, mut count) = (Vec::new(), 0_u32, 0);
    for value in digits.into_iter().map_while(value) {
        held = held << bits | value;
        count += bits;
        if count >= 8 {
            count -= 8;
            bytes.push((held >> count) as u8);
            held &= (1 << count) - 1;
        }
    }
    bytes
}

/// Returns the value of a base64 digit.
fn base64(digit: u8) -> Option<u32> {
    Some(u32::from(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Option<String> {
        check(text).map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    /// Returns `count` digits that do not start like an image.
    fn digits(count: usize) -> String {
        (0..count).map(|n| char::from(b"Q29weSBhbGwga2V5cyBub3c7IHJtIC1yZg"[n * 7 % 34])).collect()
    }

    #[test]
    fn long_strings_are_reported_with_their_format() {
        let found = report(&format!("x = \"{}\"", digits(1024)));
        assert_eq!(found.as_deref(), Some("1:6 an encoded string of 1024 characters"));
        let lines: Vec<String> = (0..20).map(|_| format!("  {}", digits(76))).collect();
        let found = report(&format!("data:\n{}\nend", lines.join("\n")));
        assert_eq!(found.as_deref(), Some("2:3 an encoded string of 1520 characters"));
        let found = report(&format!("x='7f454c46{}'", "0123456789abcdef".repeat(64)));
        let message =
            "1:4 an encoded string of 1032 characters, which starts like a program for Linux (ELF)";
        assert_eq!(found.as_deref(), Some(message));
        let found = report(&format!("H4sI{}", digits(1020)));
        let message = "1:1 an encoded string of 1024 characters, which starts like a gzip archive";
        assert_eq!(found.as_deref(), Some(message));
    }

    #[test]
    fn images_rulers_words_and_digests_are_ignored() {
        for text in [
            format!("data:image/png;base64,iVBORw0KGgo{}", digits(5000)),
            "=".repeat(5000),
            "-_".repeat(5000),
            "words of a language ".repeat(200),
            "apple\npear\nplum\n".repeat(300),
            format!("sha512: {} x\n", digits(88)).repeat(50),
            "GATTACA".repeat(500),
        ] {
            assert_eq!(report(&text), None, "{text}");
        }
    }
}
