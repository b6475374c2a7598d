//! The syntax of a crate's sources: modules, definitions and path resolution.

mod crate_source;

pub(crate) use crate_source::{CrateSource, Module, attribute, imports_of, is_public, name_of};
