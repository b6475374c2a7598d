//! Code blocks of Markdown pages.

/// Returns the code blocks of a page in order: the info string, such as `rust,no_run`, and the
/// text, which ends with a line feed.
#[must_use]
pub fn blocks(page: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((info, after)) =
        rest.split_once("\n```").and_then(|(_, block)| block.split_once('\n'))
    {
        let end = if after.starts_with("```") {
            0
        } else {
            after.find("\n```").map_or(after.len(), |at| at + 1)
        };
        found.push((info, &after[..end]));
        // The fence that ends a block does not start one.
        rest = after[end..].strip_prefix("```").unwrap_or_default();
    }
    found
}

/// Returns the texts of the blocks with this info string.
pub fn blocks_of<'p>(page: &'p str, info: &str) -> impl Iterator<Item = &'p str> {
    blocks(page).into_iter().filter(move |(found, _)| *found == info).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_info_and_text() {
        let page = "# A\n\n```rust,no_run\nlet a = 1;\n\n// `x`\n```\n\n> text ``` here\n\n```\n```\n```json\n{}\n```";
        assert_eq!(
            blocks(page),
            [("rust,no_run", "let a = 1;\n\n// `x`\n"), ("", ""), ("json", "{}\n")]
        );
    }
}
