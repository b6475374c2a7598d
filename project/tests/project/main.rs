//! What manifests, lockfiles and their schemas promise, seen from outside.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "no sync writes the schemas")]

mod lockfile;
mod schema;
