//! `skills mcp`: starts the program `skills-mcp`, which is a package of its own, because most users
//! need no server.

use super::{Context, args, usage_error::usage_error};
use crate::start;
use helix_skills_project::{__internal::command, Error};
use std::io;

pub(super) fn mcp(context: &Context<'_>, args: &args::Mcp) -> Result<(), Error> {
    let global = context.global;
    let paths =
        [("--manifest", &global.manifest), ("--lock", &global.lock), ("--out", &global.out)];
    if let Some((option, _)) = paths.iter().find(|(_, path)| path.is_some()) {
        let what = format!("`{option}` cannot be used with `skills mcp`");
        return Err(usage_error(what, "pass the directory of the project: `skills -C DIR mcp`"));
    }
    let program = start::neighbor("skills-mcp").unwrap_or_else(|| "skills-mcp".into());
    let mut command = command(program.as_os_str());
    command.current_dir(&context.start).args(&args.arguments);
    let why = start::replace(command);
    if why.kind() == io::ErrorKind::NotFound {
        let what = "the program `skills-mcp` is not installed";
        let hint = "run `cargo install helix-skills-mcp --features cli`";
        return Err(usage_error(what, hint));
    }
    Err(Error::disk("start", program)(why))
}
