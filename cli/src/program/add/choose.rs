//! The question which skills of a large source to add, on a terminal.

use super::{list, selection::Selection};
use crate::program::{
    args, interrupt, output::Output, sync::skills, table::terminal_width, usage_error::usage_error,
};
use console::Term;
use helix_skills_format::{__internal::nearest, Source};
use helix_skills_project::{__internal::OfferedSkill, Error};
use std::{
    collections::BTreeSet,
    io::{self, IsTerminal as _},
};

/// Maximum number of skills that are added without a question.
const MAX_UNASKED: usize = 5;

/// Asks which skills of a source to add if it has many. Returns their keys, or `None` for all
/// skills. `in_scope` is the number of skills of a repository.
///
/// # Errors
/// There are many, and no terminal to ask on, or `--yes`.
pub(super) fn choose(
    selection: &Selection<'_>,
    source: &Source,
    in_scope: Option<usize>,
) -> Result<Option<BTreeSet<String>>, Error> {
    let Selection { context, project, request, key, .. } = *selection;
    let args = &request.args;
    let on_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
    // Without a sync, nothing is looked up.
    if args.all || args.no_sync || in_scope.is_some_and(|count| count <= MAX_UNASKED) {
        return Ok(None);
    }
    if args.yes || context.output.json || !on_terminal {
        return refuse_many(selection, in_scope.unwrap_or_default()).map(|()| None);
    }
    let offered = list::fetch(context, project, key, (source, false))?.skills;
    if offered.len() <= MAX_UNASKED {
        return Ok(None);
    }
    for line in list::skill_table(&offered, terminal_width(&Term::stderr())).lines() {
        Output::print_stderr(line);
    }
    loop {
        Output::prompt(&format!("add which of {}? [names, all, or NONE] ", skills(offered.len())));
        let mut answer = String::new();
        if interrupt::while_waiting(|| io::stdin().read_line(&mut answer)).unwrap_or(0) == 0 {
            Output::print_stderr("");
            let hint = "pass `--all` for all skills, or `--include NAME` for some";
            return Err(usage_error("no skills were chosen; nothing was written", hint));
        }
        match parse(&answer, &offered) {
            Ok(choice) => return Ok(choice),
            Err(what) => Output::print_stderr(&what),
        }
    }
}

/// Refuses to take many skills that were not named.
///
/// # Errors
/// There are many, and no option asks for all.
pub(super) fn refuse_many(selection: &Selection<'_>, count: usize) -> Result<(), Error> {
    let args = &selection.request.args;
    if count <= MAX_UNASKED || args.all {
        return Ok(());
    }
    let all = args::Add { all: true, ..args.clone() }.command();
    let list = args.list_command();
    let what = format!("the source `{}` would take {}", selection.key, skills(count));
    let hint = format!("run `{list}` to see them, and name some with `--include`, or run `{all}`");
    Err(usage_error(what, hint))
}

/// Parses an answer: `all`, `none` or `no`, or names or keys of skills. `yes` does not answer the
/// question unless a skill has that name.
fn parse(answer: &str, offered: &[OfferedSkill]) -> Result<Option<BTreeSet<String>>, String> {
    match answer.trim().to_ascii_lowercase().as_str() {
        "all" => return Ok(None),
        "" | "none" | "no" | "n" => return Ok(Some(BTreeSet::new())),
        _ => {}
    }
    let words = answer.split(|c: char| c == ',' || c.is_whitespace());
    let find = |word: &str| {
        let found = offered.iter().find(|skill| skill.directory == word || skill.name == word);
        found.map(|skill| skill.directory.clone()).ok_or_else(|| {
            let near = nearest(word, offered.iter().map(|skill| skill.directory.as_str()));
            let hint = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "type names from the list, `all` or `none`".to_owned(),
            };
            format!("there is no skill `{word}`; {hint}")
        })
    };
    words.filter(|word| !word.is_empty()).map(find).collect::<Result<_, _>>().map(Some)
}
