//! The program `skills` as a library: what build scripts need of it, and with the feature `program` the program itself.
//!
//! A build script that proves, before the crate is compiled, that manifest, lock and store agree:
//!
//! ```no_run
//! fn main() -> Result<(), helix_skills_cli::Failure> {
//!     helix_skills_cli::build::check()
//! }
//! ```

// Without the program, parts that only it uses lie idle; splitting each of them would help nobody.
#![cfg_attr(not(feature = "program"), allow(dead_code))]

pub mod build;

mod budget;
mod cache;
mod cancellation;
mod candidate;
mod check;
mod contents;
mod directory;
mod disk;
mod error;
mod parallel;
mod printable;
mod progress;
mod project;
mod store;
mod sync;

#[cfg(feature = "program")]
mod git;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod program;
#[cfg(feature = "program")]
mod repository;

pub use cancellation::Cancellation;
pub use error::{Error, Exit, Failure};
pub use progress::{Event, Progress};
pub use store::Difference;
