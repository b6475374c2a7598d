//! Calls as a model writes them: the name of a tool, and a JSON object.
//!
//! Strings without escapes are borrowed. Others are decoded on the stack, up to the length that
//! makes a difference: no skill or file has a longer name, and a search reads no more of a query.

use super::{Call, Reply, Tool, Toolbox, found::MAX_QUERY, tool::Kind};
use crate::{
    Arguments, Excerpt, MAX_NAME_BYTES, MAX_PATH_BYTES, Profile,
    json::{Decoded, Json, JsonKind, Text, whole},
};
use core::fmt;

impl<'a> Toolbox<'a> {
    /// Answers the call of `tool` with `arguments`, the text of a JSON object; `None` if the toolbox
    /// has no such tool.
    ///
    /// Unknown parameters are ignored, because models invent some; numbers may be strings. Does not
    /// allocate. Arrays and objects may nest 127 levels deep, as in `serde_json`.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, Toolbox};
    /// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build()];
    /// # static SKILLS: SkillSet = SkillSet::new(ALL);
    /// let toolbox = Toolbox::new(SKILLS);
    /// let reply = toolbox.call("load_skill", r#"{"name": "pdf"}"#).expect("a tool of ours");
    /// assert_eq!(reply.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
    /// assert!(toolbox.call("load_skill", "{}").is_some_and(|reply| reply.is_error()));
    /// assert!(toolbox.call("get_weather", "{}").is_none());
    /// ```
    #[must_use]
    pub fn call<'r>(&self, tool: &str, arguments: &'r str) -> Option<Reply<'r>>
    where
        'a: 'r,
    {
        Some(self.tool(tool)?.call(arguments))
    }

    /// The names of the skills that these calls, each a tool and its arguments, have loaded, in the order of their first
    /// load: what a conversation has, if its calls were answered.
    ///
    /// Only calls count. Text that looks like a loaded skill does not.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn collect_loaded_skill_names<'c>(
        &self,
        calls: impl IntoIterator<Item = (&'c str, &'c str)>,
    ) -> alloc::vec::Vec<&'a str> {
        let mut names = alloc::vec::Vec::new();
        for (tool, arguments) in calls {
            let call = self.read_call(tool, arguments).and_then(Result::ok);
            let name = call.and_then(|call| self.loads(&call.as_call()));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        names
    }

    /// The tool of this name, if the model has it.
    fn tool(&self, name: &str) -> Option<Tool<'a>> {
        Kind::named(name, self.profile)
            .filter(|kind| self.has(*kind))
            .map(|kind| Tool::new(*self, kind))
    }

    /// What the call of `tool` with `arguments` asks for, for a host that answers some calls itself;
    /// `None` if the toolbox has no such tool.
    ///
    /// ```
    /// use helix_skills::{Call, Skill, skill_set, SkillSet, Toolbox};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let call = Toolbox::new(SKILLS).read_call("load_skill", r#"{"name": "pdf"}"#).expect("a tool of ours")?;
    /// assert!(matches!(call.as_call(), Call::LoadSkill { name: "pdf", .. }));
    /// # Ok::<(), helix_skills::toolbox::CallError>(())
    /// ```
    ///
    /// # Errors
    /// When the arguments are not what the tool takes. The error's text is meant for the model.
    #[must_use]
    pub fn read_call<'j>(
        &self,
        tool: &str,
        arguments: &'j str,
    ) -> Option<Result<JsonCall<'j>, CallError>> {
        Some(read(self.tool(tool)?.kind, self.profile, arguments).map(JsonCall))
    }
}

/// A call as a model wrote it: what [`Toolbox::read_call`] returns. [`as_call`](Self::as_call)
/// lends the call.
///
/// Strings with escapes are decoded. A name or path that is longer than any can be, and a query
/// that is longer than what is searched for (1,024 bytes), are then cut.
#[derive(Clone, Debug)]
pub struct JsonCall<'j>(Read<'j>);

impl JsonCall<'_> {
    /// The call.
    #[must_use]
    pub fn as_call(&self) -> Call<'_> {
        match &self.0 {
            Read::Load { name, arguments } => {
                Call::LoadSkill { name: name.as_str(), arguments: Some(*arguments) }
            }
            Read::File { skill, path, start_line, end_line } => Call::ReadSkillFile {
                skill: skill.as_str(),
                path: path.as_str(),
                start_line: *start_line,
                end_line: *end_line,
            },
            Read::Search { query } => Call::SearchSkills { query: query.as_str() },
        }
    }
}

/// Bytes of the longest character, less one: what a text that is cut at a character may lose.
const CUT: usize = 3;

/// Room for every name, and for one byte of a longer text.
type Name<'j> = Decoded<'j, { MAX_NAME_BYTES + 1 + CUT }>;

/// Room for every path with the `./` that may be in front of it, and for one byte of a longer text.
type Path<'j> = Decoded<'j, { "./".len() + MAX_PATH_BYTES + 1 + CUT }>;

/// Room for all that is read of a query.
type Query<'j> = Decoded<'j, { MAX_QUERY + CUT }>;

/// Bytes of the longest number that is a string with escapes: 20 digits, and blanks around them.
const MAX_NUMBER: usize = 64;

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is no heap to put it on")]
enum Read<'j> {
    Load { name: Name<'j>, arguments: Arguments<'j> },
    File { skill: Name<'j>, path: Path<'j>, start_line: Option<usize>, end_line: Option<usize> },
    Search { query: Query<'j> },
}

fn read(kind: Kind, profile: Profile, arguments: &str) -> Result<Read<'_>, CallError> {
    let object = Object::read(arguments)?;
    let name = || object.text(kind.skill_parameter(profile)).map(Name::new);
    Ok(match kind {
        Kind::Load => {
            let passed =
                Kind::arguments_parameter(profile).and_then(|parameter| object.get(parameter));
            Read::Load {
                name: name()?,
                arguments: passed.map_or(Arguments::NONE, Arguments::of_json),
            }
        }
        Kind::Read => Read::File {
            skill: name()?,
            path: Path::new(object.text(Kind::path_parameter(profile))?),
            start_line: object.number("startLine")?,
            end_line: object.number("endLine")?,
        },
        Kind::Search => Read::Search { query: Query::new(object.text("query")?) },
    })
}

/// The arguments of a call.
#[derive(Clone, Copy)]
struct Object<'j>(Json<'j>);

impl<'j> Object<'j> {
    fn read(arguments: &'j str) -> Result<Self, CallError> {
        let json = Json::parse_lenient(arguments).map_err(|_| CallError::NotAnObject)?;
        let is_object =
            json.kind() == JsonKind::Object && json.members().all(|(key, _)| key.text().is_some());
        if is_object { Ok(Self(json)) } else { Err(CallError::NotAnObject) }
    }

    /// The value of a parameter; of two, the last one.
    fn get(&self, parameter: &str) -> Option<Json<'j>> {
        let is_asked = |key: Json<'_>| key.text().is_some_and(|key| key == *parameter);
        self.0.members().filter(|(key, _)| is_asked(*key)).last().map(|(_, value)| value)
    }

    fn text(&self, parameter: &'static str) -> Result<Text<'j>, CallError> {
        let found = self.get(parameter).ok_or(CallError::Missing { parameter })?;
        let wrong = || CallError::Type {
            parameter,
            expected: "a string",
            found: Excerpt::new(found.source()),
        };
        found.text().ok_or_else(wrong)
    }

    fn number(&self, parameter: &'static str) -> Result<Option<usize>, CallError> {
        let Some(found) = self.get(parameter) else { return Ok(None) };
        let number = match found.kind() {
            JsonKind::Null => return Ok(None),
            // Some models write every number with a fraction.
            JsonKind::Number => whole(found.source()),
            JsonKind::String => found.text().and_then(|text| {
                let text: Decoded<'_, MAX_NUMBER> = Decoded::new(text);
                text.whole()?.trim().parse().ok()
            }),
            JsonKind::Boolean | JsonKind::Array | JsonKind::Object => None,
        };
        let wrong = || CallError::Type {
            parameter,
            expected: "a whole number from 1",
            found: Excerpt::new(found.source()),
        };
        // A line that no `usize` can count is after the last line of any file.
        let line = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        number.map(|number| Some(line(number))).ok_or_else(wrong)
    }
}

impl<'a> Tool<'a> {
    /// Answers a call of this tool with `arguments`, the text of a JSON object. It is [`Toolbox::call`] for frameworks that
    /// find the tool themselves: `Tool<'static>` is `Copy`, and can be moved into whatever they call.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, Toolbox};
    /// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build()];
    /// # static SKILLS: SkillSet = SkillSet::new(ALL);
    /// type Callback = Box<dyn Fn(&str) -> Result<String, String> + Send + Sync>;
    ///
    /// let tools = Toolbox::new(SKILLS).tools([])?.map(|tool| -> (&str, Callback) {
    ///     let call = move |arguments: &str| {
    ///         let reply = tool.call(arguments);
    ///         if reply.is_error() { Err(reply.to_string()) } else { Ok(reply.to_string()) }
    ///     };
    ///     (tool.name(), Box::new(call))
    /// });
    /// let (name, call) = tools.into_iter().next().unwrap();
    /// assert_eq!(name, "load_skill");
    /// assert!(call(r#"{"name": "pdf"}"#).is_ok_and(|text| text.contains("pdftotext")));
    /// assert_eq!(call(r#"{"nmae": "pdf"}"#).unwrap_err(), "the parameter `name` is missing");
    /// # Ok::<(), helix_skills::ToolboxError>(())
    /// ```
    #[must_use]
    pub fn call<'r>(&self, arguments: &'r str) -> Reply<'r>
    where
        'a: 'r,
    {
        let toolbox = self.toolbox;
        match read(self.kind, toolbox.profile, arguments) {
            Ok(Read::Load { name, arguments }) => toolbox.load(name.as_str(), arguments),
            Ok(Read::File { skill, path, start_line, end_line }) => {
                toolbox.read(skill.as_str(), path.as_str(), start_line, end_line)
            }
            Ok(Read::Search { query }) => toolbox.find(query.as_str()),
            Err(error) => Reply::not_understood(error),
        }
    }
}

/// Why the arguments of a call cannot be read. `Display` is the message for the model.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let reply = Toolbox::new(SKILLS).call("load_skill", r#"{"name": 7}"#).unwrap();
/// assert_eq!(reply.to_string(), "the parameter `name` has to be a string, not `7`");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The arguments are not a JSON object.
    NotAnObject,
    /// A parameter is missing.
    Missing {
        /// The parameter.
        parameter: &'static str,
    },
    /// A parameter has a value of another type.
    Type {
        /// The parameter.
        parameter: &'static str,
        /// What its value has to be.
        expected: &'static str,
        /// The value.
        found: Excerpt,
    },
}

crate::__internal::error_debug!(CallError {
    NotAnObject,
    Missing { parameter },
    Type { parameter, expected, found },
});

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => {
                f.write_str("cannot read the arguments: they have to be one JSON object")
            }
            Self::Missing { parameter } => write!(f, "the parameter `{parameter}` is missing"),
            Self::Type { parameter, expected, found } => {
                write!(f, "the parameter `{parameter}` has to be {expected}, not `{found}`")
            }
        }
    }
}

impl core::error::Error for CallError {}
