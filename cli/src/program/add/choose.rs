//! The question which skills of a large source to add, on a terminal.

use super::{list, target::Target};
use crate::program::{args, sync::skills, table::terminal_width, usage_error::usage_error};
use console::{Term, truncate_str};
use helix_skills_format::{__internal::printable, Source};
use helix_skills_project::{__internal::OfferedSkill, Error, ErrorKind};
use inquire::{InquireError, MultiSelect};
use std::{
    collections::BTreeSet,
    io::{self, IsTerminal as _},
};

/// Maximum number of skills that are added without a question.
const MAX_UNASKED: usize = 5;

/// Number of skills that are shown at once.
const PAGE: usize = 15;

/// The width of what precedes a skill in the list: a cursor and a box.
const BOX: usize = 6;

impl Target<'_> {
    /// Asks which skills of a source to add if it has many; `in_scope` is their number, if known.
    /// Returns their keys, or `None` for all skills.
    ///
    /// # Errors
    /// There are many, and no terminal to ask on, or `--yes`.
    pub(super) fn choose(
        &self,
        source: &Source,
        in_scope: Option<usize>,
    ) -> Result<Option<BTreeSet<String>>, Error> {
        let (context, args) = (self.context, &self.request.args);
        let on_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
        // Without a sync, nothing is looked up.
        if args.all || args.no_sync || in_scope.is_some_and(|count| count <= MAX_UNASKED) {
            return Ok(None);
        }
        if args.yes || context.output.json || !on_terminal {
            return self.refuse_many(in_scope.unwrap_or_default()).map(|()| None);
        }
        let ask = || self.request.project.offer(&self.key, source, false);
        let offered = context.run("looking for skills", ask)?.skills;
        if offered.len() <= MAX_UNASKED {
            return Ok(None);
        }
        let question = format!("add which of {}?", skills(offered.len()));
        let width =
            terminal_width(&Term::stderr()).map_or(usize::MAX, |width| width - BOX.min(width));
        let line = |skill: &OfferedSkill| {
            let line = format!("{}  {}", skill.name, list::description(skill));
            truncate_str(&printable(&line), width, "…").into_owned()
        };
        let lines = offered.iter().map(line).collect();
        let prompt = MultiSelect::new(&question, lines).with_page_size(PAGE);
        let prompt = prompt.with_formatter(&|chosen| skills(chosen.len()));
        match prompt.raw_prompt_skippable() {
            Ok(chosen) => {
                let chosen = chosen.unwrap_or_default();
                let keys = chosen.iter().map(|option| offered[option.index].directory.clone());
                Ok((chosen.len() < offered.len()).then(|| keys.collect()))
            }
            Err(InquireError::IO(error)) if error.kind() != io::ErrorKind::Interrupted => {
                Err(Error::read("the terminal")(error))
            }
            Err(_) => Err(Error::new(ErrorKind::Interrupted, "interrupted", "interrupted")),
        }
    }

    /// Refuses to take many skills that were not named.
    ///
    /// # Errors
    /// There are many, and no option asks for all.
    pub(super) fn refuse_many(&self, count: usize) -> Result<(), Error> {
        let args = &self.request.args;
        if count <= MAX_UNASKED || args.all {
            return Ok(());
        }
        let all = args::Add { all: true, ..args.clone() }.command();
        let list = args.list_command();
        let what = format!("the source `{}` would take {}", self.key, skills(count));
        let hint =
            format!("run `{list}` to see them, and name some with `--include`, or run `{all}`");
        Err(usage_error(what, hint))
    }
}
