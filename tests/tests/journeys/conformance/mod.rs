//! Recorded cases of what other systems take from an argument, a repository or a marketplace,
//! compared with this program.

mod discover;
mod marketplace;
mod source;
mod tree;

use helix_skills_conformance::{Cases, Report};

#[test]
fn conformance_areas_without_a_test_are_named() {
    for cases in Cases::unread(cfg!(feature = "conformance")) {
        let mut report = Report::new(&cases, &[]);
        report.each(&cases, |report, _| report.skip("no test reads the area"));
        report.finish();
    }
}
