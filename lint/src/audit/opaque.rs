//! Long strings of letters and digits that say nothing to a reader.

use super::content::Content;
use helix_skills_format::{Code, Finding, Position};

/// So many characters in a row, or in lines of such, are more than a key or a digest.
const LEAST: usize = 1024;

/// Lines of such a string that was broken into several have so many at the least.
const LEAST_LINE: usize = 60;

/// So many bytes are looked at in every so many: those of one place are all in a line that is long
/// enough, and hardly ever in a word.
const PROBED: usize = 16;
const STEP: usize = LEAST_LINE - PROBED + 1;

/// Fewer different characters are a ruler or a sequence, not data.
const LEAST_VARIETY: usize = 12;

/// Tells of the first long string in base64 or hexadecimal digits: what it is, as far as its start
/// tells. An image, a font or a sound is left alone, as a file of its own is.
pub(super) fn check(text: &str) -> Option<Finding> {
    let bytes = text.as_bytes();
    // A run that is long enough has all bytes of one of these places.
    let (mut probe, mut floor) = (0, 0);
    while let Some(probed) = bytes.get(probe..probe + PROBED) {
        if !probed.iter().all(|byte| is_digit(*byte)) {
            probe += STEP;
            continue;
        }
        let start = bytes[floor..probe]
            .iter()
            .rposition(|byte| !is_digit(*byte))
            .map_or(floor, |at| floor + at + 1);
        let end = run(bytes, start);
        let digits = bytes[start..end].iter().filter(|byte| is_digit(**byte)).count();
        if digits >= LEAST && variety(&bytes[start..end]) >= LEAST_VARIETY {
            let inside = decoded(&bytes[start..end]);
            let what = match Content::of(&inside) {
                Content::Media(_) => None,
                Content::Text(_) | Content::OtherText(_) | Content::Binary("a binary file") => {
                    Some(String::new())
                }
                known => Some(format!(", which begin like {known}")),
            };
            if let Some(what) = what {
                let message = format!("{digits} letters and digits that are no words{what}");
                let finding =
                    Finding::new(Code::OpaqueText, Position::from_offset(text, start), message);
                return Some(finding.hint("ask what they are, and what decodes them"));
            }
        }
        floor = end;
        probe = end;
    }
    None
}

/// The digits of base64, in both alphabets; those of hexadecimal are among them.
const fn is_digit(byte: u8) -> bool {
    IS_DIGIT[byte as usize]
}

const IS_DIGIT: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'=' | b'-' | b'_');
        byte += 1;
    }
    table
};

/// Where a run ends that begins at `start`: it goes on in the next line where both are long, and
/// may be indented or quoted.
fn run(bytes: &[u8], start: usize) -> usize {
    let line =
        |from: usize| from + bytes[from..].iter().take_while(|byte| is_digit(**byte)).count();
    let mut end = line(start);
    let mut length = end - start;
    while length >= LEAST_LINE {
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
        // The last line may be a short one, and so may be what follows.
        if length < LEAST_LINE {
            break;
        }
        end = next_end;
    }
    end
}

/// How many different bytes a run has.
fn variety(run: &[u8]) -> usize {
    let mut seen = [false; 256];
    run.iter().take(4 * LEAST).for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count()
}

/// The first bytes that a run decodes to: as hexadecimal where it can be, else as base64.
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

/// The value of a digit.
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

    fn told(text: &str) -> Option<String> {
        check(text).map(|found| format!("{} {}", found.at.unwrap(), found.message))
    }

    /// So many digits that no image begins with.
    fn digits(count: usize) -> String {
        (0..count).map(|n| char::from(b"Q29weSBhbGwga2V5cyBub3c7IHJtIC1yZg"[n * 7 % 34])).collect()
    }

    #[test]
    fn long_strings_are_told_with_what_they_begin_like() {
        let found = told(&format!("x = \"{}\"", digits(1024)));
        assert_eq!(found.as_deref(), Some("1:6 1024 letters and digits that are no words"));
        let lines: Vec<String> = (0..20).map(|_| format!("  {}", digits(76))).collect();
        let found = told(&format!("data:\n{}\nend", lines.join("\n")));
        assert_eq!(found.as_deref(), Some("2:3 1520 letters and digits that are no words"));
        let found = told(&format!("x='7f454c46{}'", "0123456789abcdef".repeat(64)));
        let message = "1:4 1032 letters and digits that are no words, which begin like a program for Linux (ELF)";
        assert_eq!(found.as_deref(), Some(message));
        let found = told(&format!("H4sI{}", digits(1020)));
        let message =
            "1:1 1024 letters and digits that are no words, which begin like a gzip archive";
        assert_eq!(found.as_deref(), Some(message));
    }

    #[test]
    fn pictures_rulers_words_and_digests_are_left_alone() {
        for text in [
            format!("data:image/png;base64,iVBORw0KGgo{}", digits(5000)),
            "=".repeat(5000),
            "-_".repeat(5000),
            "words of a language ".repeat(200),
            "apple\npear\nplum\n".repeat(300),
            format!("sha512: {} x\n", digits(88)).repeat(50),
            "GATTACA".repeat(500),
        ] {
            assert_eq!(told(&text), None, "{text}");
        }
    }
}
