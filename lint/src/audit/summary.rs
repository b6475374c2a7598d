//! The summary of an audit on one line.

use super::Audit;
use helix_skills_format::{__internal::size, Code};
use std::fmt;

/// The noun of each code in singular and plural, the most important code first.
const WORDS: [(Code, &str, &str); 13] = [
    (Code::FetchedCode, "file that runs fetched code", "files that run fetched code"),
    (Code::CredentialAccess, "file that reads credentials", "files that read credentials"),
    (Code::MisnamedFile, "misnamed file", "misnamed files"),
    (Code::BlankRun, "file with text after long blanks", "files with text after long blanks"),
    (Code::ControlCharacter, "file with control characters", "files with control characters"),
    (Code::OpaqueText, "file with an opaque string", "files with opaque strings"),
    (Code::CompiledProgram, "compiled program", "compiled programs"),
    (Code::Archive, "archive", "archives"),
    (Code::BinaryFile, "binary file", "binary files"),
    (Code::OtherEncoding, "text that is not UTF-8", "texts that are not UTF-8"),
    (Code::HtmlComment, "file with comments", "files with comments"),
    (Code::NetworkAccess, "file that can use the network", "files that can use the network"),
    (Code::PackageInstall, "file that installs packages", "files that install packages"),
];

impl Audit {
    /// Formats the number and size of the scanned files: "2 files, 1.23 kB".
    #[doc(hidden)]
    #[must_use]
    pub fn size(&self) -> String {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let (files, bytes) = (grouped(self.files), size(self.bytes));
        let mut size = format!("{files} file{}, {bytes}", plural(self.files));
        if self.unread > 0 {
            size.push_str(&format!(" ({} unread)", grouped(self.unread)));
        }
        size
    }

    /// Formats the numbers of notes and media files: "1 archive, 2 files with comments, 3 images".
    /// Empty if there are none, which does not mean that the skill is safe.
    #[doc(hidden)]
    #[must_use]
    pub fn summary(&self) -> String {
        let media = self.media.iter().map(|(media, count)| (*count, media.noun(*count)));
        let notes = WORDS.iter().map(|(code, one, several)| {
            let count = self.notes.iter().filter(|note| note.code == *code).count();
            (count as u64, if count == 1 { *one } else { *several })
        });
        let words: Vec<String> = notes
            .filter(|(count, _)| *count > 0)
            .chain(media)
            .map(|(count, words)| format!("{} {words}", grouped(count)))
            .collect();
        words.join(", ")
    }

    /// Adds the result of another audit.
    #[doc(hidden)]
    pub fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.unread += other.unread;
        for (media, count) in &other.media {
            *self.media.entry(*media).or_default() += count;
        }
        self.notes.extend(other.notes.iter().cloned());
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scanned {}", self.size())?;
        match self.summary().as_str() {
            "" => Ok(()),
            summary => write!(f, ": {summary}"),
        }
    }
}

/// Formats a number with a comma between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn numbers_are_grouped() {
        let shown = [0, 12, 999, 1000, 81_234, 123_456_789].map(grouped);
        assert_eq!(shown, ["0", "12", "999", "1,000", "81,234", "123,456,789"]);
    }
}
