//! Calls as a model writes them: the name of a tool and an object of JSON.

use super::{Call, Reply, Tool, Toolbox, tool::Kind};
use crate::{
    Arguments, Excerpt, Profile,
    json::{self, Object},
};
use alloc::{string::String, vec::Vec};
use core::fmt;
use serde_json::Value;

impl<'a> Toolbox<'a> {
    /// Answers the call of `tool` with `arguments`, the text of a JSON object; `None` if the tool is none of ours.
    ///
    /// Parameters that nobody knows are ignored, as models invent some; numbers may be texts.
    ///
    /// ```
    /// # use helix_skills_runtime::{__private::{skill, Parts}, Skill, SkillSet, Toolbox};
    /// # const ALL: &[Skill] = &[skill(Parts { name: "pdf", body: "Use `pdftotext`.", ..Parts::EMPTY })];
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
    #[must_use]
    pub fn collect_loaded_skill_names<'c>(&self, calls: impl IntoIterator<Item = (&'c str, &'c str)>) -> Vec<&'a str> {
        let mut names = Vec::new();
        for (tool, arguments) in calls {
            let call = self.read_call(tool, arguments).and_then(Result::ok);
            let name = call.and_then(|call| self.loads(&call.as_call()));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        names
    }

    /// The tool of this name, if the model has it.
    fn tool(&self, name: &str) -> Option<Tool<'a>> {
        Kind::named(name, self.profile).filter(|kind| self.has(*kind)).map(|kind| Tool::new(*self, kind))
    }

    /// What the call of `tool` with `arguments` asks for, for a host that answers some calls itself; `None` if the tool is none of
    /// ours.
    ///
    /// ```
    /// use helix_skills_runtime::{Call, Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let call = Toolbox::new(SKILLS).read_call("load_skill", r#"{"name": "pdf"}"#).expect("a tool of ours")?;
    /// assert!(matches!(call.as_call(), Call::LoadSkill { name: "pdf", .. }));
    /// # Ok::<(), helix_skills_runtime::CallError>(())
    /// ```
    ///
    /// # Errors
    /// When the arguments are not what the tool takes. The error's text is meant for the model.
    #[must_use]
    pub fn read_call<'j>(&self, tool: &str, arguments: &'j str) -> Option<Result<JsonCall<'j>, CallError>> {
        Some(Asked::read(self.tool(tool)?.kind, self.profile, arguments).map(JsonCall))
    }
}

/// A call as a model wrote it, read: it owns what had to be decoded.
///
/// [`Toolbox::read_call`] makes one, and [`as_call`](Self::as_call) lends it.
#[derive(Clone, Debug)]
pub struct JsonCall<'j>(Asked<'j>);

impl JsonCall<'_> {
    /// The call.
    #[must_use]
    pub fn as_call(&self) -> Call<'_> {
        match &self.0 {
            Asked::Load { name, arguments } => Call::LoadSkill { name, arguments: Some(*arguments) },
            Asked::Read { skill, path, start_line, end_line } => {
                Call::ReadSkillFile { skill, path, start_line: *start_line, end_line: *end_line }
            }
            Asked::Search { query } => Call::SearchSkills { query },
        }
    }
}

#[derive(Clone, Debug)]
enum Asked<'j> {
    Load { name: String, arguments: Arguments<'j> },
    Read { skill: String, path: String, start_line: Option<usize>, end_line: Option<usize> },
    Search { query: String },
}

impl<'j> Asked<'j> {
    fn read(kind: Kind, profile: Profile, arguments: &'j str) -> Result<Self, CallError> {
        let object = json::object(arguments).ok_or(CallError::NotAnObject)?;
        let skill = || text(&object, kind.skill_parameter(profile));
        Ok(match kind {
            Kind::Load => {
                let passed = Kind::arguments_parameter(profile).and_then(|parameter| object.get(parameter));
                Self::Load {
                    name: skill()?,
                    arguments: passed.map_or(Arguments::NONE, |passed| Arguments::raw(passed)),
                }
            }
            Kind::Read => Self::Read {
                skill: skill()?,
                path: text(&object, Kind::path_parameter(profile))?,
                start_line: number(&object, "startLine")?,
                end_line: number(&object, "endLine")?,
            },
            Kind::Search => Self::Search { query: text(&object, "query")? },
        })
    }
}

impl<'a> Tool<'a> {
    /// Answers a call of this tool with `arguments`, the text of a JSON object. It is [`Toolbox::call`] for frameworks that
    /// find the tool themselves: `Tool<'static>` is `Copy`, and can be moved into whatever they call.
    ///
    /// ```
    /// # use helix_skills_runtime::{__private::{skill, Parts}, Skill, SkillSet, Toolbox};
    /// # const ALL: &[Skill] = &[skill(Parts { name: "pdf", body: "Use `pdftotext`.", ..Parts::EMPTY })];
    /// # static SKILLS: SkillSet = SkillSet::new(ALL);
    /// type Callback = Box<dyn Fn(&str) -> Result<String, String> + Send + Sync>;
    ///
    /// let tools = Toolbox::new(SKILLS).tools().map(|tool| -> (&str, Callback) {
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
    /// ```
    #[must_use]
    pub fn call<'r>(&self, arguments: &'r str) -> Reply<'r>
    where
        'a: 'r,
    {
        let toolbox = self.toolbox;
        match Asked::read(self.kind, toolbox.profile, arguments) {
            Ok(Asked::Load { name, arguments }) => toolbox.load(&name, arguments),
            Ok(Asked::Read { skill, path, start_line, end_line }) => toolbox.read(&skill, &path, start_line, end_line),
            Ok(Asked::Search { query }) => toolbox.find(&query),
            Err(error) => Reply::not_understood(error),
        }
    }

    /// The parameters as a value of JSON, for interfaces that want one.
    #[must_use]
    pub fn parameters_json(&self) -> Value {
        // Our own rendering is JSON; a test holds it against a validator of schemas.
        serde_json::from_str(&alloc::string::ToString::to_string(&self.parameters())).unwrap_or_default()
    }
}

fn text(object: &Object<'_>, parameter: &'static str) -> Result<String, CallError> {
    let found = object.get(parameter).ok_or(CallError::Missing { parameter })?;
    let wrong = || CallError::Type { parameter, expected: "a string", found: Excerpt::of(found.get()) };
    json::text(found.get()).ok_or_else(wrong)
}

fn number(object: &Object<'_>, parameter: &'static str) -> Result<Option<usize>, CallError> {
    let Some(found) = object.get(parameter) else { return Ok(None) };
    let number = match serde_json::from_str(found.get()) {
        Ok(Value::Null) => return Ok(None),
        Ok(Value::Number(number)) => {
            // Some models write every number with a fraction. What is larger than any file is after its last line.
            let whole = |number: &f64| *number >= 0.0 && (*number as u64) as f64 == *number;
            number.as_u64().or_else(|| number.as_f64().filter(whole).map(|number| number as u64))
        }
        Ok(Value::String(text)) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    number.map(Some).ok_or_else(|| CallError::Type {
        parameter,
        expected: "a whole number from 1",
        found: Excerpt::of(found.get()),
    })
}

/// Why the arguments of a call cannot be read. `Display` is the message for the model.
///
/// ```
/// use helix_skills_runtime::{Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let reply = Toolbox::new(SKILLS).call("load_skill", r#"{"name": 7}"#).unwrap();
/// assert_eq!(reply.to_string(), "the parameter `name` has to be a string, not `7`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The arguments are not an object of JSON.
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

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("cannot read the arguments: they have to be one JSON object"),
            Self::Missing { parameter } => write!(f, "the parameter `{parameter}` is missing"),
            Self::Type { parameter, expected, found } => {
                write!(f, "the parameter `{parameter}` has to be {expected}, not `{found}`")
            }
        }
    }
}

impl core::error::Error for CallError {}
