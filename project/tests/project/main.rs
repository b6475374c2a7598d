//! Tests of manifests, lockfiles, their schemas and validation through the public API.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "schemas and skills are not written by a sync")]

mod lockfile;
mod schema;
mod validate;
