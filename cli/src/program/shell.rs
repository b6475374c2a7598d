//! `skills completions` and `skills man`

use super::usage_error::usage_error;
use super::{
    Context, args,
    complete::{self, NAME},
    help::command_line,
};
use clap::builder::Resettable;
use clap_mangen::roff::{Roff, roman};
use helix_skills_format::__internal::nearest;
use helix_skills_project::{
    __internal::{create_dir, replace, with_slashes},
    Error,
};
use serde_json::json;

/// The footer of a page.
const FOOTER: &str = concat!("skills ", env!("CARGO_PKG_VERSION"));

pub(super) fn completions(context: &Context<'_>, args: &args::Completions) -> Result<(), Error> {
    let text = complete::script(args.shell)
        .map_err(Error::disk("write the script for", args.shell.to_string()))?;
    context.output.data(&text);
    context.output.document(json!({ "shell": args.shell.to_string(), "text": text }));
    Ok(())
}

pub(super) fn man(context: &Context<'_>, args: &args::Man) -> Result<(), Error> {
    let mut root = command_line(NAME).disable_help_subcommand(true);
    root.build();
    match &args.dir {
        None => {
            let page = Page::new(find(&root, &args.command)?)?;
            context.output.data(&page.text);
            context.output.document(json!({ "name": page.file, "text": page.text }));
        }
        Some(named) => {
            let directory = context.start.join(named);
            let mut pages = Vec::new();
            collect_pages(&root, &mut pages)?;
            create_dir(&directory)?;
            for page in &pages {
                replace(&directory.join(&page.file), page.text.as_bytes())?;
            }
            let file = |name: &String| with_slashes(&named.join(name)).display().to_string();
            let wrote: Vec<_> = pages.iter().map(|page| file(&page.file)).collect();
            context.output.note("wrote", format!("{} pages into {}", wrote.len(), named.display()));
            context.output.document(json!({ "wrote": wrote }));
        }
    }
    Ok(())
}

/// Finds a subcommand by its words.
fn find<'c>(root: &'c clap::Command, words: &[String]) -> Result<&'c clap::Command, Error> {
    words.iter().try_fold(root, |above, word| {
        above.find_subcommand(word).ok_or_else(|| {
            let name = above.get_bin_name().unwrap_or(NAME);
            let what = format!("`{name}` has no subcommand `{}`", word.escape_debug());
            let hint = match nearest(word, above.get_subcommands().map(clap::Command::get_name)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("run `{name} --help` for its subcommands"),
            };
            usage_error(what, hint)
        })
    })
}

/// A manual page with its file name.
struct Page {
    file: String,
    text: String,
}

impl Page {
    fn new(command: &clap::Command) -> Result<Self, Error> {
        // The text after the options is formatted by `sections`, because examples must not be
        // refilled.
        let options =
            command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset);
        // The manual includes rarely used options, too.
        let mut options = options.mut_args(|argument| argument.hide_short_help(false));
        // Without this, the synopsis lists all options, the global ones among them.
        let usage = options.render_usage().to_string();
        let options = options.override_usage(usage.trim_start_matches("Usage: ").to_owned());
        let man = clap_mangen::Man::new(options).source(FOOTER).manual("Helix Skills");
        let mut bytes = Vec::new();
        let mut write = || {
            man.render(&mut bytes)?;
            command
                .get_after_long_help()
                .map_or(Ok(()), |text| sections(&text.to_string()).to_writer(&mut bytes))
        };
        write().map_err(Error::disk("render the page", man.get_filename()))?;
        Ok(Self { file: man.get_filename(), text: String::from_utf8_lossy(&bytes).into_owned() })
    }
}

/// Formats the text after the options as sections: lists under a heading, and notes. Indented lines
/// are printed verbatim.
fn sections(text: &str) -> Roff {
    let (mut roff, mut has_notes) = (Roff::new(), false);
    for block in text.trim_end().split("\n\n") {
        let list = match block.lines().next() {
            Some("Examples:") => Some("EXAMPLES"),
            Some("Exit codes:") => Some("EXIT STATUS"),
            _ => None,
        };
        match list {
            None if has_notes => drop(roff.control("PP", [])),
            heading => drop(roff.control("SH", [heading.unwrap_or("NOTES")])),
        }
        has_notes |= list.is_none();
        for line in block.lines().skip(usize::from(list.is_some())) {
            if line.starts_with(' ') {
                roff.control("nf", []).text([roman(line)]).control("fi", []);
            } else {
                roff.text([roman(line)]);
            }
        }
    }
    roff
}

/// Renders the pages of a command and its subcommands.
fn collect_pages(command: &clap::Command, pages: &mut Vec<Page>) -> Result<(), Error> {
    pages.push(Page::new(command)?);
    command
        .get_subcommands()
        .filter(|found| !found.is_hide_set())
        .try_for_each(|found| collect_pages(found, pages))
}
