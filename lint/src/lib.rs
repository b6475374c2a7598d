//! What to tell the author or the reviewer of a skill. Texts and names go in, findings come out;
//! nothing here does IO.
//!
//! [`lint`] checks a skill against the authoring rules, [`mend`] fixes what has one right answer,
//! and [`Audit`] notes what a reviewer should look at before a model reads the files.

#![forbid(unsafe_code)]

mod audit;
pub mod report;
mod rules;

pub use audit::{Audit, Audited, Media, name_fold, names_are_near};
pub use rules::{Draft, Mended, Rules, lint, mend};
