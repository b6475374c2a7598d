//! Invisible characters.

/// Returns whether a character is invisible or changes how its neighbors are displayed.
///
/// These are zero-width and bidirectional controls, fillers, variation selectors and tag
/// characters; not white space or control characters.
///
/// ```
/// use helix_skills::text::is_invisible;
/// assert!(is_invisible('\u{200b}') && is_invisible('\u{202e}') && is_invisible('\u{e0041}'));
/// assert!(!is_invisible('a') && !is_invisible(' ') && !is_invisible('\n'));
/// ```
#[must_use]
pub const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
