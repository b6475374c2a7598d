//! The procedural macro behind `helix_skills::include_skills!`, which documents it.
//!
//! It reads, verifies and emits; it decides nothing. No network, no process, no panic.

mod args;
mod directory;
mod emit;
mod fields;
mod files;
mod locked;
mod problem;
mod project;
mod skill;

use args::Args;
use proc_macro::TokenStream;
use skill::Bake;

/// Input: the facade's `$crate`, `;`, and what the caller wrote.
#[doc(hidden)]
#[proc_macro]
pub fn __include_skills(input: TokenStream) -> TokenStream {
    let args = match syn::parse::<Args>(input) {
        Ok(args) => args,
        Err(error) => return emit::syntax_error(&error).into(),
    };
    let mut bake = Bake::default();
    match project::package_dir() {
        Ok(package) => args.read(&package, &mut bake),
        Err(problem) => bake.problems.push(problem),
    }
    emit::expression(&args.facade, bake).into()
}
