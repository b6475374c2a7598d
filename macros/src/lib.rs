//! The procedural macro behind `helix_skills::include_skills!`, which documents it.
//!
//! It reads, verifies and emits; it decides nothing. No network, no process, no panic.

#![forbid(unsafe_code)]

mod args;
mod consts;
mod directory;
mod docs;
mod emit;
mod fields;
mod files;
mod invisible;
mod item;
mod items;
mod locked;
mod module;
mod names;
mod problem;
mod project;
mod render;
mod search;
mod skill;
mod texts;

use args::{Args, Call};
use problem::Problem;
use proc_macro::TokenStream;
use skill::Bake;

/// Input: the facade's `$crate`, `;`, and what the caller wrote.
#[doc(hidden)]
#[proc_macro]
pub fn __include_skills(input: TokenStream) -> TokenStream {
    let tokens = match syn::parse(input) {
        Ok(Call { facade, module: Some(module), args: Ok(args) }) => {
            items::module(&facade, &module, read(&args))
        }
        Ok(Call { facade, module: Some(module), args: Err(error) }) => {
            items::empty(&facade, &module, &error)
        }
        Ok(Call { facade, module: None, args: Ok(args) }) => emit::expression(&facade, read(&args)),
        // An error alone is right in the place of an item, too, and nothing follows from it.
        Ok(Call { args: Err(error), .. }) | Err(error) => {
            Problem::at(error.span(), error.to_string()).tokens()
        }
    };
    tokens.into()
}

/// What `args` ask for, as far as it could be proved.
fn read(args: &Args) -> Bake {
    let mut bake = Bake::default();
    match project::package_dir() {
        Ok(package) => args.read(&package, &mut bake),
        Err(problem) => bake.problems.push(problem),
    }
    bake
}
