//! Lists that are written as one text.

/// Splits tool rules at white space and commas, except between parentheses or quotes: `Bash(echo a,
/// b), Read` has two rules. Also returns whether a parenthesis is never closed; its rule extends to
/// the end.
///
/// An unpaired quote is an ordinary character, so that `Bash(say don't) Read` also has two rules.
pub(super) fn rules(text: &str) -> (Vec<String>, bool) {
    let bytes = text.as_bytes();
    let mut rules = Vec::new();
    let (mut start, mut at, mut depth) = (None, 0, 0_usize);
    // Whether no further quote of each kind follows.
    let mut without_partner = [false; 2];
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' if depth == 0 => {
                if let Some(from) = start.take() {
                    rules.push(text[from..at].to_owned());
                }
                at += 1;
                continue;
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => {
                let kind = usize::from(byte == b'"');
                if !without_partner[kind] {
                    match bytes[at + 1..].iter().position(|b| *b == byte) {
                        Some(length) => {
                            start.get_or_insert(at);
                            at += length + 2;
                            continue;
                        }
                        None => without_partner[kind] = true,
                    }
                }
            }
            _ => {}
        }
        start.get_or_insert(at);
        at += 1;
    }
    if let Some(from) = start {
        rules.push(text[from..].trim_end().to_owned());
    }
    (rules, depth > 0)
}

/// Splits a text at white space.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_split_outside_parentheses_and_quotes() {
        let table: [(&str, &[&str]); 12] = [
            ("Read Grep", &["Read", "Grep"]),
            ("Read, Grep,,Bash ", &["Read", "Grep", "Bash"]),
            ("Bash(git add *) Read", &["Bash(git add *)", "Read"]),
            ("Bash(echo a, b), Read", &["Bash(echo a, b)", "Read"]),
            ("Bash(a (b, c) d) X", &["Bash(a (b, c) d)", "X"]),
            ("Bash(echo \") \" x) Read", &["Bash(echo \") \" x)", "Read"]),
            ("'a b' c", &["'a b'", "c"]),
            ("Bash(say don't) Read", &["Bash(say don't)", "Read"]),
            ("a) b", &["a)", "b"]),
            ("Bash(git *\n  Read  ", &["Bash(git *\n  Read"]),
            ("", &[]),
            (" , ", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(rules(text).0, expected, "{text}");
        }
        assert!(rules("Bash(git").1);
        assert!(!rules("Bash(git)").1);
    }
}
