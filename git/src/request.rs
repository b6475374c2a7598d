//! The requests of this program, as git sends them.

use std::io;

use gix_packetline::blocking_io::encode::{delim_to_write, flush_to_write, text_to_write};
use helix_skills_format::ObjectId;

use super::greeting::Greeting;
use super::packets::Failure;

const AGENT: &str = concat!("agent=helix-skills/", env!("CARGO_PKG_VERSION"));

/// Which objects a fetch omits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything reachable from the wanted objects.
    Whole,
    /// A commit without its history.
    Shallow,
    /// A commit without its history and, if the server supports it, without blobs.
    Trees,
    /// The commits that lead to the wanted one and not to this one, without trees.
    Between(ObjectId),
}

/// Asks for the references whose names start with one of `prefixes`, in version 2 of the protocol.
pub(super) fn list(greeting: &Greeting, prefixes: &[String]) -> Result<Vec<u8>, Failure> {
    let mut arguments = vec!["symrefs".to_owned(), "peel".to_owned()];
    arguments.extend(prefixes.iter().map(|prefix| format!("ref-prefix {prefix}")));
    Ok(command("ls-refs", greeting, &arguments)?)
}

/// Asks for a pack with `wants` and everything they lead to, except what `scope` omits.
pub(super) fn fetch(
    greeting: &Greeting,
    wants: &[ObjectId],
    scope: Scope,
) -> Result<Vec<u8>, Failure> {
    let mut arguments: Vec<String> = wants.iter().map(|id| format!("want {id}")).collect();
    let has_filters = greeting.supports("filter");
    let (is_shallow, filter, between) = match scope {
        Scope::Whole => (false, None, None),
        Scope::Shallow => (true, None, None),
        Scope::Trees => (true, Some("filter blob:none").filter(|_| has_filters), None),
        Scope::Between(id) if has_filters => {
            (false, Some("filter tree:0"), Some(format!("have {id}")))
        }
        Scope::Between(_) => return Err(Failure::Refused(b"it cannot leave out files".to_vec())),
    };
    if is_shallow && greeting.supports("shallow") {
        arguments.push("deepen 1".to_owned());
    }
    arguments.extend(filter.map(str::to_owned));
    if greeting.refs.is_some() {
        return old_fetch(greeting, arguments, between);
    }
    arguments.extend(between);
    arguments.extend(["no-progress", "ofs-delta", "done"].map(str::to_owned));
    Ok(command("fetch", greeting, &arguments)?)
}

fn command(name: &str, greeting: &Greeting, arguments: &[String]) -> io::Result<Vec<u8>> {
    let mut request = Vec::new();
    text_to_write(format!("command={name}").as_bytes(), &mut request)?;
    text_to_write(AGENT.as_bytes(), &mut request)?;
    if greeting.object_format().is_some() {
        text_to_write(b"object-format=sha1", &mut request)?;
    }
    delim_to_write(&mut request)?;
    for argument in arguments {
        text_to_write(argument.as_bytes(), &mut request)?;
    }
    flush_to_write(&mut request)?;
    Ok(request)
}

/// In versions 0 and 1, the first line names the capabilities to use.
fn old_fetch(
    greeting: &Greeting,
    mut arguments: Vec<String>,
    between: Option<String>,
) -> Result<Vec<u8>, Failure> {
    // Without side bands, the pack would follow without packets.
    let band = ["side-band-64k", "side-band"].into_iter().find(|band| greeting.supports(band));
    let band = band.ok_or_else(|| Failure::protocol("the server supports no side bands"))?;
    let optional = ["ofs-delta", "no-progress", "shallow", "filter"];
    let optional = optional.into_iter().filter(|name| greeting.supports(name));
    if let Some(first) = arguments.first_mut() {
        for capability in [band, AGENT].into_iter().chain(optional) {
            first.push(' ');
            first.push_str(capability);
        }
    }
    let mut request = Vec::new();
    for argument in arguments {
        text_to_write(argument.as_bytes(), &mut request)?;
    }
    flush_to_write(&mut request)?;
    for argument in between.iter().map(String::as_str).chain(["done"]) {
        text_to_write(argument.as_bytes(), &mut request)?;
    }
    Ok(request)
}
