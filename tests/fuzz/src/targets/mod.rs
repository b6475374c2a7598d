//! The targets, one for each reader.

pub(crate) mod answer;
pub(crate) mod call;
pub(crate) mod delta;
pub(crate) mod files;
pub(crate) mod forge;
pub(crate) mod index;
pub(crate) mod json;
pub(crate) mod listing;
pub(crate) mod lock;
pub(crate) mod manifest;
pub(crate) mod marketplace;
pub(crate) mod origin;
pub(crate) mod pack;
pub(crate) mod path;
pub(crate) mod render;
pub(crate) mod skill_md;
pub(crate) mod tree;
pub(crate) mod url;
