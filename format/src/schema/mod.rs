//! The parts of the JSON Schemas of manifest and lockfile that describe types of this crate. They
//! change without notice.

mod rules;
pub mod text;

pub use rules::{also, property};
pub(crate) use rules::{lock_rules, locked_plugin_rules, locked_skill_rules, locked_source_rules};
pub(crate) use text::OneLine;
