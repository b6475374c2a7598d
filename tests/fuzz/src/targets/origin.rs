//! Origin files: saved objects, one a line. A line that begins with `!` becomes the line of an
//! object with these bytes, because hardly any other line has the id of its object.

use crate::{Target, checks};
use gix::objs::Kind;
use helix_skills_project::__internal::fuzzing::{saved, saved_line};

pub(crate) const TARGET: Target = Target {
    name: "origin",
    body,
    seeds,
    words: &["\n", "!c", "!t", "!b", "commit ", "tree ", "blob ", "=", "==", " ", "\r\n"],
    max_len: 1024,
    count: 1000,
};

const MAX_OBJECTS: u64 = 12;
const TOTAL_BYTES: u64 = 1 << 12;
const MAX_OBJECT_BYTES: u64 = 400;

fn body(input: &[u8]) {
    let text: String = input.split_inclusive(|byte| *byte == b'\n').map(line).collect();
    let read = |text: &str| saved(text, MAX_OBJECTS, TOTAL_BYTES, MAX_OBJECT_BYTES);
    let result = read(&text);
    assert_eq!(read(&text), result, "one text has two results");
    match result {
        Err(message) => checks::assert_one_line(&message),
        Ok(normal) => {
            assert!(normal.lines().is_sorted() && normal.lines().count() as u64 <= MAX_OBJECTS);
            assert_eq!(read(&normal).as_ref(), Ok(&normal));
            // Every line has the id of its object, which is in the text, as git merges texts.
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            let union = format!("{text}{end}{normal}");
            let merged = saved(&union, 2 * MAX_OBJECTS, 2 * TOTAL_BYTES, MAX_OBJECT_BYTES);
            assert_eq!(merged, Ok(normal));
        }
    }
}

/// Returns a line of the text for one of the input.
fn line(input: &[u8]) -> String {
    let object = input.strip_prefix(b"!").and_then(|rest| {
        let (kind, data) = rest.split_first()?;
        let kind = match kind {
            b'c' => Kind::Commit,
            b't' => Kind::Tree,
            _ => Kind::Blob,
        };
        saved_line(kind, data)
    });
    object.unwrap_or_else(|| String::from_utf8_lossy(input).into_owned())
}

fn seeds() -> Vec<Vec<u8>> {
    let object = saved_line(Kind::Blob, b"text").unwrap_or_default();
    vec![
        object.clone().into_bytes(),
        format!("{object}{object}").into_bytes(),
        b"!ctree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n!t\n!bskills/a\n".to_vec(),
        b"!t100644 a\0aaaaaaaaaaaaaaaaaaaa40000 b\0bbbbbbbbbbbbbbbbbbbb\n".to_vec(),
    ]
}
