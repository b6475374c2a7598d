//! Loads YAML without a schema: parser events become a tree of strings, lists and maps.
//!
//! Anchors, aliases, tags, directives, further documents, keys that are not strings and duplicate
//! keys are rejected, so that a text has only one meaning and costs no more than its length.

use super::yaml::{Entry, Node, NodeKind, escaped};
use crate::{Code, Finding, Position, finding};
use granit_parser::{ErrorKind, Event, Marker, Parser, ScalarStyle, ScanError, StrInput, Tag};
use std::borrow::Cow;
use std::collections::HashSet;

/// Maximum nesting depth of lists and maps, including the outermost map.
pub(super) const MAX_DEPTH: usize = 16;

/// Number of rejected constructs after which reading stops.
const MAX_REJECTIONS: usize = 16;

/// Why a text was not loaded.
pub(super) enum LoadError {
    /// The text is not valid YAML.
    Syntax(Finding),
    /// Valid YAML that is not accepted.
    Policy(Vec<Finding>),
}

/// Loads frontmatter: one map, or nothing. `first_line` is the line in the file where `text`
/// begins.
pub(super) fn load(text: &str, first_line: u32) -> Result<Vec<Entry<'_>>, LoadError> {
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let parser = Parser::new_from_str_with_options(text, options);
    let mut loader = Loader { parser, first_line, rejections: Vec::new(), syntax: None };
    let result = loader.document();
    let mut rejections = loader.rejections;
    finding::sort(&mut rejections);
    match (result, loader.syntax) {
        (Ok(entries), _) if rejections.is_empty() => Ok(entries),
        (_, Some(finding)) if rejections.is_empty() => Err(LoadError::Syntax(finding)),
        // A rejected construct precedes a syntax error, and may be its cause.
        _ => Err(LoadError::Policy(rejections)),
    }
}

/// Reading stops: because of a rejected construct, or of the loader's `syntax`.
struct Stop;

struct Loader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    first_line: u32,
    rejections: Vec<Finding>,
    syntax: Option<Finding>,
}

impl<'t> Loader<'t> {
    fn document(&mut self) -> Result<Vec<Entry<'t>>, Stop> {
        let mut root = None;
        loop {
            let (event, at) = self.event()?;
            match event {
                Event::StreamEnd => break,
                Event::StreamStart | Event::DocumentEnd => {}
                Event::DocumentStart(..) if root.is_some() => {
                    let message =
                        "frontmatter must be a single YAML document; another one begins here";
                    return Err(self.stop(Code::Syntax, at, message, "remove the second document"));
                }
                Event::DocumentStart(..) => {}
                event => root = Some(self.node(event, at, 1)?),
            }
        }
        match root {
            None => Ok(Vec::new()),
            Some(Node { kind: NodeKind::Map(entries), .. }) => Ok(entries),
            Some(Node { kind: NodeKind::Scalar { text, plain: true }, .. }) if text.is_empty() => {
                Ok(Vec::new())
            }
            Some(Node { at, .. }) => {
                let message = "frontmatter must be a mapping: lines of `key: value`";
                let hint = "write `name: …` and `description: …`";
                Err(self.stop(Code::WrongType, at, message, hint))
            }
        }
    }

    /// Returns the next event and its position.
    fn event(&mut self) -> Result<(Event<'t>, Position), Stop> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let at = self.position(&span.start);
                // For a missing value the parser reports `~`; an empty text keeps what the file
                // contains.
                let nothing = span.is_empty();
                let event = match event {
                    Event::Scalar(_, style, anchor, tag) if nothing => {
                        Event::Scalar("".into(), style, anchor, tag)
                    }
                    event => event,
                };
                Ok((event, at))
            }
            Some(Err(error)) => Err(self.not_yaml(&error)),
            None => Ok((Event::StreamEnd, Position { line: self.first_line, column: 1 })),
        }
    }

    fn node(&mut self, event: Event<'t>, at: Position, depth: usize) -> Result<Node<'t>, Stop> {
        let is_collection = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if is_collection && depth > MAX_DEPTH {
            return Err(self.too_deep(at));
        }
        let kind = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.properties(anchor, tag.as_deref(), at)?;
                NodeKind::Scalar { text, plain: matches!(style, ScalarStyle::Plain) }
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let hint = "put the value in quotes if it begins with `*`";
                self.reject(Code::YamlAnchor, at, "aliases are not allowed", hint)?;
                NodeKind::Scalar { text: Cow::Borrowed(""), plain: true }
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.properties(anchor, tag.as_deref(), at)?;
                let mut items = Vec::new();
                loop {
                    match self.event()? {
                        (Event::SequenceEnd, _) => break NodeKind::List(items),
                        (event, at) => items.push(self.node(event, at, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(_, anchor, tag) => {
                self.properties(anchor, tag.as_deref(), at)?;
                self.map(depth)?
            }
            _ => {
                let hint = "write a string, a list or a mapping after the key";
                return Err(self.stop(Code::Syntax, at, "expected a value", hint));
            }
        };
        Ok(Node { at, kind })
    }

    fn map(&mut self, depth: usize) -> Result<NodeKind<'t>, Stop> {
        let mut entries = Vec::new();
        loop {
            let (event, at) = self.event()?;
            let (code, message, hint) = match event {
                Event::MappingEnd => break,
                Event::Scalar(key, _, anchor, tag) if !key.is_empty() => {
                    self.properties(anchor, tag.as_deref(), at)?;
                    let (event, value_at) = self.event()?;
                    let value = self.node(event, value_at, depth + 1)?;
                    entries.push(Entry { key, at, value });
                    continue;
                }
                Event::Scalar(..) => {
                    (Code::ComplexKey, "a key cannot be empty", "write `key: value`")
                }
                Event::Alias(_) | Event::UnresolvedAlias(_) => (
                    Code::YamlAnchor,
                    "aliases are not allowed",
                    "put the key in quotes if it begins with `*`",
                ),
                _ => (
                    Code::ComplexKey,
                    "a key must be a string, not a list or a mapping",
                    "put it in quotes",
                ),
            };
            return Err(self.stop(code, at, message, hint));
        }
        let mut seen = HashSet::new();
        for entry in entries.iter().filter(|entry| !seen.insert(&*entry.key)) {
            let message = format!("duplicate key `{}`", escaped(&entry.key));
            self.reject(Code::DuplicateKey, entry.at, message, "keep one of the two")?;
        }
        Ok(NodeKind::Map(entries))
    }

    fn too_deep(&mut self, at: Position) -> Stop {
        let message = format!("lists and mappings are nested deeper than {MAX_DEPTH} levels");
        let hint = "move the nested data to the body, or to a file of the skill";
        self.stop(Code::TooDeep, at, message, hint)
    }

    fn properties(&mut self, anchor: usize, tag: Option<&Tag>, at: Position) -> Result<(), Stop> {
        if anchor != 0 {
            let hint = "put the value in quotes if it begins with `&`";
            self.reject(Code::YamlAnchor, at, "anchors are not allowed", hint)?;
        }
        if tag.is_some() {
            let hint = "put the value in quotes if it begins with `!`";
            self.reject(Code::YamlTag, at, "tags are not allowed", hint)?;
        }
        Ok(())
    }

    /// Records a rejected construct and continues, so that all of them are reported at once, up to
    /// a limit.
    fn reject(
        &mut self,
        code: Code,
        at: Position,
        message: impl Into<String>,
        hint: &str,
    ) -> Result<(), Stop> {
        let stop = self.stop(code, at, message, hint);
        if self.rejections.len() >= MAX_REJECTIONS { Err(stop) } else { Ok(()) }
    }

    fn stop(&mut self, code: Code, at: Position, message: impl Into<String>, hint: &str) -> Stop {
        self.rejections.push(Finding::new(code, at, message).hint(hint));
        Stop
    }

    fn not_yaml(&mut self, error: &ScanError) -> Stop {
        let at = self.position(error.marker());
        let hint = match error.kind() {
            ErrorKind::RecursionLimitExceeded => return self.too_deep(at),
            ErrorKind::MappingValueNotAllowed => "put a value that contains `: ` in double quotes",
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation => "indent with spaces, not with tabs",
            _ => {
                "write `key: value` on each line, and put values with special characters in quotes"
            }
        };
        let message = format!("not YAML: {}", error.info());
        self.syntax = Some(Finding::new(Code::Syntax, at, message).hint(hint));
        Stop
    }

    fn position(&self, mark: &Marker) -> Position {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position {
            line: self.first_line.saturating_add(count(mark.line()).saturating_sub(1)),
            column: count(mark.col()).saturating_add(1),
        }
    }
}
