//! The comparison of an area's cases with this project.
use crate::{Case, Cases};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Cases in which this project intentionally differs from the recorded system.
#[derive(Debug)]
pub struct Deviation {
    /// Ids, groups, or groups after a system (`agentick inject/block`).
    pub of: &'static [&'static str],
    /// Our result as JSON, if the tables state it.
    pub ours: Option<&'static str>,
    /// Why the difference is intended.
    pub reason: &'static str,
}

impl Deviation {
    /// A deviation whose result is not stated.
    #[must_use]
    pub const fn new(of: &'static [&'static str], reason: &'static str) -> Self {
        Self { of, ours: None, reason }
    }

    /// States our result, as JSON.
    #[must_use]
    pub const fn ours(mut self, ours: &'static str) -> Self {
        self.ours = Some(ours);
        self
    }
}

/// Compares the cases of an area, and reports all differences at its end.
#[derive(Debug)]
#[must_use]
pub struct Report {
    name: String,
    deviations: &'static [Deviation],
    is_usual: bool,
    total: usize,
    equal: usize,
    deviating: usize,
    skipped: BTreeMap<String, usize>,
    differences: Vec<String>,
    /// The keys of deviations with a case that deviates.
    exercised: Vec<&'static str>,
}

impl Report {
    /// An empty report about the cases of an area.
    pub fn new(cases: &Cases, deviations: &'static [Deviation]) -> Self {
        Self {
            name: cases.area.clone(),
            deviations,
            is_usual: cases.is_usual,
            total: 0,
            equal: 0,
            deviating: 0,
            skipped: BTreeMap::new(),
            differences: Vec::new(),
            exercised: Vec::new(),
        }
    }

    /// Names a second comparison of the same area.
    pub fn about(mut self, what: &str) -> Self {
        self.name = format!("{} ({what})", self.name);
        self
    }

    /// Calls `compare` with every case. If it panics, the case differs, and the others are still
    /// compared.
    pub fn each(&mut self, cases: &Cases, mut compare: impl FnMut(&mut Self, &Case)) {
        for case in &cases.all {
            let (total, equal) = (self.total, self.equal);
            let Err(panic) = catch_unwind(AssertUnwindSafe(|| compare(self, case))) else {
                continue;
            };
            (self.total, self.equal) = (total + 1, equal);
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
            let ours = json!({"panicked": message.unwrap_or_default()});
            self.differences.push(difference(&described(case), &case.expected, &ours));
        }
    }

    /// Compares our result with the recorded one.
    pub fn compare(&mut self, case: &Case, ours: impl Into<Value>) {
        self.compare_with(case, &case.expected, ours);
    }

    /// Compares the fields that both results have.
    pub fn compare_fields(&mut self, case: &Case, mut ours: Value) {
        let mut theirs = case.expected.clone();
        if let (Some(ours), Some(theirs)) = (ours.as_object_mut(), theirs.as_object_mut()) {
            theirs.retain(|key, _| ours.contains_key(key));
            ours.retain(|key, _| theirs.contains_key(key));
        }
        self.compare_with(case, &theirs, ours);
    }

    /// Compares our result with a part of the recorded one.
    pub fn compare_with(&mut self, case: &Case, theirs: &Value, ours: impl Into<Value>) {
        self.compare_keys(
            &[&case.id, &case.group, &format!("{} {}", case.peer, case.group)],
            || described(case),
            theirs,
            ours,
        );
    }

    /// Compares a result that belongs to no single case.
    pub fn compare_keys(
        &mut self,
        keys: &[&str],
        input: impl FnOnce() -> String,
        theirs: &Value,
        ours: impl Into<Value>,
    ) {
        let ours = ours.into();
        self.total += 1;
        if ours == *theirs {
            self.equal += 1;
            return;
        }
        let known = self.deviations.iter().find_map(|deviation| {
            let key = deviation.of.iter().find(|key| keys.contains(key))?;
            Some((*key, deviation))
        });
        let mut reason = String::new();
        if let Some((key, deviation)) = known {
            self.exercised.push(key);
            let text = ours.to_string();
            if deviation.ours.is_none_or(|stated| text == stated) {
                self.deviating += 1;
                return;
            }
            reason = format!("\n  deviates ({}), but not as stated", deviation.reason);
        }
        self.differences.push(difference(&input(), theirs, &ours) + &reason);
    }

    /// Counts a case that cannot be compared.
    pub fn skip(&mut self, why: impl Into<String>) {
        self.total += 1;
        *self.skipped.entry(why.into()).or_default() += 1;
    }

    /// Prints one line about the area.
    ///
    /// # Panics
    /// If a case differs without a reason; or, for the file that the table of deviations is written
    /// for, if there are no cases or an entry of the table has no case that deviates.
    #[track_caller]
    pub fn finish(self) {
        let mut line = format!("conformance {}: {}/{} equal", self.name, self.equal, self.total);
        if self.deviating > 0 {
            line += &format!(", {} deviate for a stated reason", self.deviating);
        }
        for (why, count) in &self.skipped {
            line += &format!(", {count} skipped ({why})");
        }
        // The test harness shows what goes through `println!` only if the test fails.
        std::io::stderr().write_all(format!("{line}\n").as_bytes()).expect("stderr");
        assert!(
            self.differences.is_empty(),
            "{line}, {} differ:\n{}",
            self.differences.len(),
            self.differences.join("\n")
        );
        if self.is_usual {
            assert!(self.total > 0, "there are no cases of `{}`", self.name);
            let keys = self.deviations.iter().flat_map(|deviation| deviation.of);
            let stale: Vec<_> = keys.filter(|key| !self.exercised.contains(key)).collect();
            assert!(
                stale.is_empty(),
                "no case deviates any more, remove from the table: {stale:?}"
            );
        }
    }
}

fn described(case: &Case) -> String {
    format!("{} {} of {}: {}", case.id, case.group, case.peer, case.input)
}

fn difference(input: &str, theirs: &Value, ours: &Value) -> String {
    format!("{input}\n  expected {theirs}\n  ours     {ours}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const CASES: &str = r#"{"cases": [
        {"id": "a1", "area": "tides", "group": "g/ebb", "peer": "sea 1", "input": 1, "expected": 1},
        {"id": "a2", "area": "tides", "group": "g/flood", "peer": "sea 1", "input": [2], "expected": 2},
        {"id": "a3", "area": "tides", "group": "g/slack", "peer": "sea 1", "input": 3, "expected": 3},
        {"id": "a4", "area": "winds", "group": "g/ebb", "peer": "sea 1", "input": 4, "expected": 4}
    ]}"#;
    const DEVIATIONS: &[Deviation] =
        &[Deviation::new(&["sea g/flood"], "it is").ours("7"), Deviation::new(&["a9"], "gone")];

    /// Compares each case of the area with `ours`, and returns the message of the failure.
    fn failure(is_usual: bool, ours: [u32; 2]) -> Option<String> {
        let cases = crate::parse(CASES, "tides", is_usual).unwrap();
        assert_eq!(cases.all.len(), 3);
        let mut report = Report::new(&cases, DEVIATIONS);
        for (case, ours) in cases.all.iter().zip(ours) {
            report.compare(case, ours);
        }
        report.skip("no fixture");
        let failed = catch_unwind(AssertUnwindSafe(|| report.finish())).err()?;
        Some(failed.downcast_ref::<String>().unwrap().clone())
    }

    #[test]
    fn differences_have_their_case_and_both_results() {
        let message = failure(false, [5, 6]).unwrap();
        let expected = [
            "conformance tides: 0/3 equal, 1 skipped (no fixture), 2 differ:",
            "a1 g/ebb of sea: 1\n  expected 1\n  ours     5",
            "a2 g/flood of sea: [2]\n  expected 2\n  ours     6\n  deviates (it is), but not as stated",
        ];
        assert_eq!(message, expected.join("\n"));
    }

    #[test]
    fn panic_of_a_case_hides_no_other() {
        let cases = crate::parse(CASES, "tides", false).unwrap();
        let mut report = Report::new(&cases, &[]);
        report.each(&cases, |report, case| {
            report.compare(case, case.input.as_u64().unwrap() % 3);
        });
        let failed = catch_unwind(AssertUnwindSafe(|| report.finish())).unwrap_err();
        let message = failed.downcast_ref::<String>().unwrap();
        let expected = [
            "conformance tides: 1/3 equal, 2 differ:",
            "a2 g/flood of sea: [2]\n  expected 2\n  ours     {\"panicked\":\"called `Option::unwrap()` on a `None` value\"}",
            "a3 g/slack of sea: 3\n  expected 3\n  ours     0",
        ];
        assert_eq!(*message, expected.join("\n"));
    }

    #[test]
    fn deviations_without_a_case_fail_for_the_usual_file_only() {
        assert_eq!(failure(false, [1, 7]), None);
        let message = failure(true, [1, 7]).unwrap();
        assert!(message.contains(r#"remove from the table: ["a9"]"#), "{message}");
    }
}
