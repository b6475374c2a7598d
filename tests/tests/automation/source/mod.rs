//! The sources of a crate as syntax: which modules there are, what each defines, and what a path means.

mod crate_source;

pub(crate) use crate_source::{CrateSource, attribute, imports_of, is_public, name_of};
