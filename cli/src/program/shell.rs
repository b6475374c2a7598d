//! `skills completions` and `skills man`

use super::usage_error::usage_error;
use super::{Context, args, help::command_line};
use clap::builder::Resettable;
use clap_mangen::roff::{Roff, roman};
use helix_skills_format::nearest;
use helix_skills_project::{
    __internal::{create_dir, replace},
    Error, Failure,
};
use serde_json::json;

/// What shells and manuals know the program as. They cannot reach into `cargo skills`.
const NAME: &str = "skills";

/// What the foot of a page names.
const SOURCE: &str = concat!("skills ", env!("CARGO_PKG_VERSION"));

pub(super) fn completions(context: &Context<'_>, args: &args::Completions) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut command_line(NAME), NAME, &mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    context.output.data(&text);
    context.output.document(json!({ "shell": args.shell.to_string(), "text": text }));
    Ok(())
}

pub(super) fn man(context: &Context<'_>, args: &args::Man) -> Result<(), Failure> {
    let mut root = command_line(NAME).disable_help_subcommand(true);
    root.build();
    match &args.dir {
        None => {
            let page = Page::of(find(&root, &args.command)?)?;
            context.output.data(&page.text);
            context.output.document(json!({ "name": page.file, "text": page.text }));
        }
        Some(named) => {
            let directory = context.start.join(named);
            let mut pages = Vec::new();
            every_page(&root, &mut pages)?;
            create_dir(&directory)?;
            for page in &pages {
                replace(&directory.join(&page.file), page.text.as_bytes())?;
            }
            let wrote: Vec<_> =
                pages.iter().map(|page| named.join(&page.file).display().to_string()).collect();
            context.output.note("wrote", format!("{} pages into {}", wrote.len(), named.display()));
            context.output.document(json!({ "wrote": wrote }));
        }
    }
    Ok(())
}

/// The command that was named, word by word.
fn find<'c>(root: &'c clap::Command, words: &[String]) -> Result<&'c clap::Command, Error> {
    words.iter().try_fold(root, |above, word| {
        above.find_subcommand(word).ok_or_else(|| {
            let known: Vec<_> = above.get_subcommands().map(clap::Command::get_name).collect();
            let what = format!(
                "`{}` has no command `{}`",
                above.get_bin_name().unwrap_or(NAME),
                word.escape_debug()
            );
            let hint = match nearest(word, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "it has none".to_owned(),
                None => format!("it has {}", known.join(", ")),
            };
            usage_error(what, hint)
        })
    })
}

/// A page of the manual, and what its file is called.
struct Page {
    file: String,
    text: String,
}

impl Page {
    fn of(command: &clap::Command) -> Result<Self, Error> {
        // What follows the options is laid out here: examples must not be filled to lines of equal length.
        let options =
            command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset);
        // The manual leaves nothing out.
        let options = options.mut_args(|argument| argument.hide_short_help(false));
        let man = clap_mangen::Man::new(options).source(SOURCE).manual("Helix Skills");
        let mut bytes = Vec::new();
        let mut write = || {
            man.render(&mut bytes)?;
            command
                .get_after_long_help()
                .map_or(Ok(()), |text| notes(&text.to_string()).to_writer(&mut bytes))
        };
        write().map_err(Error::disk("make the page", man.get_filename()))?;
        Ok(Self { file: man.get_filename(), text: String::from_utf8_lossy(&bytes).into_owned() })
    }
}

/// The last section of a page. Indented lines stay as they are.
fn notes(text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["NOTES"]);
    for line in text.lines() {
        if line.is_empty() {
            roff.control("PP", []);
        } else if line.starts_with(' ') {
            roff.control("nf", []).text([roman(line)]).control("fi", []);
        } else {
            roff.text([roman(line)]);
        }
    }
    roff
}

fn every_page(command: &clap::Command, pages: &mut Vec<Page>) -> Result<(), Error> {
    pages.push(Page::of(command)?);
    command
        .get_subcommands()
        .filter(|found| !found.is_hide_set())
        .try_for_each(|found| every_page(found, pages))
}
