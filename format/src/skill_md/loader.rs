//! YAML without a schema: events of the parser to a tree of texts, lists and maps.
//!
//! Anchors, aliases, tags, directives, second documents, keys that are not texts and keys that
//! repeat are refused, so that a text means one thing only and costs no more than its length.

use super::yaml::{Entry, Kind, Node, shown};
use crate::{Code, Finding, Position, finding};
use granit_parser::{
    ErrorKind, Event, Marker, Options, Parser, ScalarStyle, ScanError, StrInput, Tag,
};
use std::borrow::Cow;
use std::collections::HashSet;

/// How deep lists and maps may stand in each other, the outermost map counted.
pub(super) const MAX_DEPTH: usize = 16;

/// After so many refusals the rest of the text is not read.
const MAX_REFUSALS: usize = 16;

/// Why a text was not loaded.
pub(super) enum Refused {
    /// The parser gave up.
    Syntax(Finding),
    /// YAML that we do not take.
    Policy(Vec<Finding>),
}

/// Loads frontmatter: one map, or nothing. `first_line` is the line of the file at which `text`
/// begins.
pub(super) fn load(text: &str, first_line: u32) -> Result<Vec<Entry<'_>>, Refused> {
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut loader = Loader::new(text, options, first_line);
    let result = loader.document();
    let mut refusals = loader.refusals;
    finding::sort(&mut refusals);
    match result {
        Ok(entries) if refusals.is_empty() => Ok(entries),
        Err(Stop::Syntax(finding)) if refusals.is_empty() => Err(Refused::Syntax(finding)),
        // A refusal stands before a syntax error and may well be its cause.
        _ => Err(Refused::Policy(refusals)),
    }
}

/// Why reading ended early.
enum Stop {
    Syntax(Finding),
    Refused,
}

struct Loader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    first_line: u32,
    refusals: Vec<Finding>,
}

impl<'t> Loader<'t> {
    fn new(text: &'t str, options: Options, first_line: u32) -> Self {
        Self {
            parser: Parser::new_from_str_with_options(text, options),
            first_line,
            refusals: Vec::new(),
        }
    }

    fn document(&mut self) -> Result<Vec<Entry<'t>>, Stop> {
        let mut root = None;
        loop {
            let (event, at) = self.event()?;
            match event {
                Event::StreamEnd => break,
                Event::StreamStart | Event::DocumentEnd => {}
                Event::DocumentStart(..) if root.is_some() => {
                    return Err(self.stop(
                        Code::Syntax,
                        at,
                        "frontmatter is one YAML document, here begins another",
                        "take the second one out",
                    ));
                }
                Event::DocumentStart(..) => {}
                event => root = Some(self.node(event, at, 1)?),
            }
        }
        match root {
            None => Ok(Vec::new()),
            Some(Node { kind: Kind::Map(entries), .. }) => Ok(entries),
            Some(Node { kind: Kind::Scalar { text, plain: true }, .. }) if text.is_empty() => {
                Ok(Vec::new())
            }
            Some(Node { at, .. }) => Err(self.stop(
                Code::WrongType,
                at,
                "frontmatter is a mapping: lines of `key: value`",
                "write `name: …` and `description: …`",
            )),
        }
    }

    /// The next event that counts.
    fn event(&mut self) -> Result<(Event<'t>, Position), Stop> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let at = self.position(&span.start);
                // Where nothing stands the parser reports a `~`; we keep what stands in the file.
                let nothing = span.is_empty();
                let event = match event {
                    Event::Scalar(_, style, anchor, tag) if nothing => {
                        Event::Scalar("".into(), style, anchor, tag)
                    }
                    event => event,
                };
                Ok((event, at))
            }
            Some(Err(error)) => Err(self.syntax(&error)),
            None => Ok((Event::StreamEnd, Position { line: self.first_line, column: 1 })),
        }
    }

    fn node(&mut self, event: Event<'t>, at: Position, depth: usize) -> Result<Node<'t>, Stop> {
        let kind = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.properties(anchor, tag.as_deref(), at)?;
                Kind::Scalar { text, plain: matches!(style, ScalarStyle::Plain) }
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.refuse(
                    Code::YamlAnchor,
                    at,
                    "aliases are refused",
                    "put the value in quotes if it begins with `*`",
                )?;
                Kind::Scalar { text: Cow::Borrowed(""), plain: true }
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.deep(depth, at)?;
                self.properties(anchor, tag.as_deref(), at)?;
                self.list(depth)?
            }
            Event::MappingStart(_, anchor, tag) => {
                self.deep(depth, at)?;
                self.properties(anchor, tag.as_deref(), at)?;
                self.map(depth)?
            }
            _ => {
                return Err(self.stop(
                    Code::Syntax,
                    at,
                    "expected a value",
                    "write a text, a list or a mapping after the key",
                ));
            }
        };
        Ok(Node { at, kind })
    }

    fn list(&mut self, depth: usize) -> Result<Kind<'t>, Stop> {
        let mut items = Vec::new();
        loop {
            match self.event()? {
                (Event::SequenceEnd, _) => return Ok(Kind::List(items)),
                (event, at) => items.push(self.node(event, at, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Kind<'t>, Stop> {
        let mut entries = Vec::new();
        loop {
            let (event, at) = self.event()?;
            let key = match event {
                Event::MappingEnd => break,
                Event::Scalar(text, ..) if text.is_empty() => {
                    return Err(self.stop(
                        Code::ComplexKey,
                        at,
                        "a key cannot be empty",
                        "write `key: value`",
                    ));
                }
                Event::Scalar(text, _, anchor, tag) => {
                    self.properties(anchor, tag.as_deref(), at)?;
                    text
                }
                Event::Alias(_) | Event::UnresolvedAlias(_) => {
                    return Err(self.stop(
                        Code::YamlAnchor,
                        at,
                        "aliases are refused",
                        "put the key in quotes if it begins with `*`",
                    ));
                }
                _ => {
                    return Err(self.stop(
                        Code::ComplexKey,
                        at,
                        "a key is a text, not a list or a mapping",
                        "put it in quotes",
                    ));
                }
            };
            let (event, value_at) = self.event()?;
            let value = self.node(event, value_at, depth + 1)?;
            entries.push(Entry { key, at, value });
        }
        self.unique(&entries)?;
        Ok(Kind::Map(entries))
    }

    fn unique(&mut self, entries: &[Entry<'t>]) -> Result<(), Stop> {
        let mut seen = HashSet::new();
        for (index, entry) in entries.iter().enumerate() {
            // Small maps are the rule, and comparing beats hashing there.
            let twice = if entries.len() <= 16 {
                entries[..index].iter().any(|earlier| earlier.key == entry.key)
            } else {
                !seen.insert(&*entry.key)
            };
            if twice {
                let message = format!("`{}` stands here a second time", shown(&entry.key));
                self.refuse(Code::DuplicateKey, entry.at, message, "keep one of the two")?;
            }
        }
        Ok(())
    }

    fn deep(&mut self, depth: usize, at: Position) -> Result<(), Stop> {
        if depth > MAX_DEPTH {
            return Err(self.too_deep(at));
        }
        Ok(())
    }

    fn too_deep(&mut self, at: Position) -> Stop {
        let message = format!("lists and mappings are nested deeper than {MAX_DEPTH} levels");
        self.stop(
            Code::TooDeep,
            at,
            message,
            "move what is nested into the body, or into a file of the skill",
        )
    }

    fn properties(&mut self, anchor: usize, tag: Option<&Tag>, at: Position) -> Result<(), Stop> {
        if anchor != 0 {
            self.refuse(
                Code::YamlAnchor,
                at,
                "anchors are refused",
                "put the value in quotes if it begins with `&`",
            )?;
        }
        if tag.is_some() {
            self.refuse(
                Code::YamlTag,
                at,
                "tags are refused",
                "put the value in quotes if it begins with `!`",
            )?;
        }
        Ok(())
    }

    /// Notes a refusal and reads on, so that all of them are told at once; not for ever.
    fn refuse(
        &mut self,
        code: Code,
        at: Position,
        message: impl Into<String>,
        hint: &str,
    ) -> Result<(), Stop> {
        self.refusals.push(Finding::new(code, at, message).hint(hint));
        if self.refusals.len() >= MAX_REFUSALS { Err(Stop::Refused) } else { Ok(()) }
    }

    fn stop(&mut self, code: Code, at: Position, message: impl Into<String>, hint: &str) -> Stop {
        self.refusals.push(Finding::new(code, at, message).hint(hint));
        Stop::Refused
    }

    fn syntax(&mut self, error: &ScanError) -> Stop {
        let at = self.position(error.marker());
        let hint = match error.kind() {
            ErrorKind::RecursionLimitExceeded => return self.too_deep(at),
            ErrorKind::MappingValueNotAllowed => "put a value that holds `: ` in double quotes",
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation => "indent with blanks, not with tabs",
            _ => {
                "write `key: value` on each line, and values with other characters than letters and digits in quotes"
            }
        };
        Stop::Syntax(
            Finding::new(Code::Syntax, at, format!("not YAML: {}", error.info())).hint(hint),
        )
    }

    fn position(&self, mark: &Marker) -> Position {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position {
            line: self.first_line.saturating_add(count(mark.line()).saturating_sub(1)),
            column: count(mark.col()).saturating_add(1),
        }
    }
}
