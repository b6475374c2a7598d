//! Arguments as they are written in a shell.

/// Returns an argument as it is written in a shell.
pub(super) fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@,+%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn arguments_are_quoted_for_a_shell() {
        for (argument, expected) in
            [("a/b-c_d=1", "a/b-c_d=1"), ("", "''"), ("^1.2", "'^1.2'"), ("it's", r"'it'\''s'")]
        {
            assert_eq!(super::quoted(argument), expected);
        }
    }
}
