//! Findings for authors of agent skills, from texts and file names. Does no IO.
//!
//! | for | use | result |
//! |---|---|---|
//! | authors: the format, and what makes a skill useful to a model | [`lint`] | errors and warnings |
//! | programs, editors and forges | [`report`] | findings as text, JSON and SARIF |
//!
//! ```
//! use helix_skills_lint::{Draft, Rules, lint, report};
//!
//! let bytes = b"---\nname: pdf\n---\nUse it.\n";
//! let draft = Draft { bytes, directory: Some("pdf"), file: "SKILL.md", files: None };
//! let findings = lint(&draft, Rules::Authors, |_| None);
//! let reported = findings.iter().map(|found| {
//!     report::Reported::new("pdf/SKILL.md", Rules::Authors.severity(found.code), found)
//! });
//! assert!(report::sarif(reported).contains("\"ruleId\": \"missing-description\""));
//! ```
//!
//! No finding does not mean that a skill is safe: a plain sentence can ask a model for anything.

#![forbid(unsafe_code)]

mod excerpt;
#[cfg(feature = "line-diff")]
mod line_diff;
mod markdown;
pub mod report;
mod rules;

#[cfg(feature = "line-diff")]
#[doc(hidden)]
pub use line_diff::unified_diff;
#[doc(hidden)]
pub use rules::lint_and_parse;
pub use rules::{Draft, Rules, lint};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
