//! Lines for verbose output.

/// Maximum number of lines per source. A hostile repository can have hundreds of thousands of
/// ignored entries.
const MAX_LINES: u64 = 1000;

/// Lines on ignored entries of a source. Beyond a limit they are only counted.
#[derive(Clone, Default)]
pub(super) struct Details {
    lines: Vec<String>,
    count: u64,
}

impl Details {
    /// Adds a line. Calls `line` only if it is kept.
    pub(super) fn add(&mut self, line: impl FnOnce() -> String) {
        self.count += 1;
        if self.count <= MAX_LINES {
            self.lines.push(line());
        }
    }

    /// Returns the lines, and one that says how many more there were.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let more = self.count.checked_sub(MAX_LINES).filter(|more| *more > 0);
        let more = more.map(|more| format!("and {more} more like these"));
        self.lines.iter().cloned().chain(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_capped_and_counted() {
        let mut details = Details::default();
        (0..MAX_LINES + 3).for_each(|number| details.add(|| number.to_string()));
        let lines: Vec<String> = details.lines().collect();
        assert_eq!(lines.len(), 1001);
        assert_eq!(lines[1000], "and 3 more like these");
    }
}
