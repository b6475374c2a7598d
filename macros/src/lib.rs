//! The procedural macro behind `helix_skills::include_skills!`, which documents it.
//!
//! It reads, verifies and emits, and makes no decisions: no network, no subprocess, no panic.

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
mod skill;

use args::{Args, Call};
use problem::{Arguments, Problem};
use proc_macro::TokenStream;
use skill::Bake;

/// Expands `include_skills!`. The input is the facade's `$crate`, `;`, and the arguments of the
/// caller.
#[doc(hidden)]
#[proc_macro]
pub fn __include_skills(input: TokenStream) -> TokenStream {
    let input = input.into();
    let arguments = Arguments::find(&input);
    let tokens = match syn::parse2(input) {
        Ok(Call { facade, module: Some(module), args }) => {
            let invalid = |error| Bake { problems: vec![invalid(&error)], ..Bake::default() };
            items::module(&facade, &module, args.map_or_else(invalid, read), arguments)
        }
        Ok(Call { facade, module: None, args: Ok(args) }) => {
            emit::expression(&facade, read(args), arguments)
        }
        // A single error is valid as an item and as an expression, and causes no further errors.
        Ok(Call { args: Err(error), .. }) | Err(error) => invalid(&error).tokens(arguments),
    };
    tokens.into()
}

fn invalid(error: &syn::Error) -> Problem {
    Problem::at(error.span(), error.to_string())
}

/// Reads and verifies the skills that `args` select.
fn read(args: Args) -> Bake {
    let mut bake = Bake::default();
    match project::package_dir() {
        Ok(package) => args.read(&package, &mut bake),
        Err(problem) => bake.problems.push(problem),
    }
    bake
}
