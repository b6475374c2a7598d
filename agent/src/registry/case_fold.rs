//! Text without regard to case.

use alloc::string::String;

/// Every character in lower case, whatever stands beside it: a text that holds another one holds it folded, too.
pub(super) fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.chars().flat_map(char::to_lowercase).collect()
    }
}

/// Whether `text` holds what was folded. In time that grows with the text alone, whatever is looked for.
pub(super) fn contains_folded(text: &str, folded_part: &str) -> bool {
    fold_case(text).contains(folded_part)
}
