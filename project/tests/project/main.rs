//! Tests of manifests, lockfiles and their schemas through the public API.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "the schemas are not written by a sync")]

mod lockfile;
mod schema;
