//! Errors and their causes as text.

use crate::printable::{printable, shortened};
use helix_skills_runtime::__internal::ErrorChain;
use std::error::Error;
use std::fmt;
use std::iter::successors;

/// Returns the causes of `error`, the nearest first.
pub fn causes<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(error.source(), |error| (**error).source())
}

/// Returns the messages of an error and its causes on one line, separated by colons. A cause that
/// is in the message before it is not repeated.
pub fn one_line_chain(error: &(dyn Error + 'static)) -> String {
    ErrorChain(error).to_string()
}

/// Writes the message of an error, then each cause under `Caused by:`, as cargo does, without a
/// final line break.
///
/// Each message is one line: line breaks, control characters and invisible characters are escaped.
pub fn write_report(error: &(dyn Error + 'static), out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str(&line(error))?;
    for cause in causes(error) {
        write!(out, "\n\nCaused by:\n  {}", line(cause))?;
    }
    Ok(())
}

fn line(error: &(dyn Error + 'static)) -> String {
    printable(&shortened(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    enum Failed {
        Read { file: &'static str, source: std::io::Error },
        Stop,
        Cause(Box<Failed>),
    }

    impl fmt::Display for Failed {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::Read { file, .. } => write!(f, "cannot read `{file}`"),
                Self::Stop => f.write_str("a line\nand \u{1b}[31ma red one"),
                Self::Cause(_) => f.write_str("failed to start"),
            }
        }
    }

    impl Error for Failed {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            match self {
                Self::Read { source, .. } => Some(source),
                Self::Stop => None,
                Self::Cause(cause) => Some(&**cause),
            }
        }
    }

    fn nested() -> Failed {
        let source = std::io::Error::other("it is a pipe");
        Failed::Cause(Box::new(Failed::Read { file: "a", source }))
    }

    #[test]
    fn report_has_all_causes_with_escaped_lines() {
        let report = |error: &Failed| {
            let mut text = String::new();
            write_report(error, &mut text).unwrap();
            text
        };
        let expected =
            "failed to start\n\nCaused by:\n  cannot read `a`\n\nCaused by:\n  it is a pipe";
        assert_eq!(report(&nested()), expected);
        assert_eq!(report(&Failed::Stop), "a line\\u{a}and \\u{1b}[31ma red one");
    }

    #[test]
    fn chain_is_one_line() {
        assert_eq!(one_line_chain(&nested()), "failed to start: cannot read `a`: it is a pipe");
        assert_eq!(causes(&nested()).count(), 2);
    }
}
