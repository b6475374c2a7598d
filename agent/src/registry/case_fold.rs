//! Case-insensitive comparison of text.

use alloc::string::String;

/// Converts each character to lower case, independent of its neighbors. A text that contains
/// another one therefore contains it after both are folded, too.
pub(super) fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.chars().flat_map(char::to_lowercase).collect()
    }
}

/// Returns whether the folded `text` contains `folded_part`, in time linear in the length of
/// `text`.
pub(super) fn contains_folded(text: &str, folded_part: &str) -> bool {
    fold_case(text).contains(folded_part)
}
