//! Tests of the runtime's public API.
#![allow(clippy::unwrap_used)]

mod define;
mod disclosure;
mod features;
mod hostile;
mod json;
mod order;
mod owned;
mod search;
mod sets;
mod slash;
mod template;
mod tool_policy;

/// What most templates are filled with.
static NO_VARIABLES: helix_skills_runtime::Variables = helix_skills_runtime::Variables::new();
