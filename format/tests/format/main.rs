//! Tests of the public API: texts in, types out.

#![allow(clippy::unwrap_used)]

mod agent;
mod conformance;
mod corpus;
mod fetched;
mod hostile;
mod listing;
mod lockhash;
mod oracle;
mod parse_skill;
mod skill_md;
