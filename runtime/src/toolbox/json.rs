//! Tool calls in JSON: the name of a tool, and the text of an object.

use super::{Call, Reply, Tool, Toolbox, tool_kind::ToolKind};
use crate::{
    Arguments, Error, ErrorKind, Excerpt, Profile, Skill,
    json::{Json, JsonKind},
    similar::difference,
};
use alloc::{borrow::Cow, format, string::String};

impl<'a> Toolbox<'a> {
    /// Answers the call of `tool` with `arguments`, the text of a JSON object; `None` if the
    /// toolbox has no such tool.
    ///
    /// Ignores unknown parameters, because models invent some, although the schema does not allow
    /// them: a correct call with one more parameter is answered. If a parameter is absent, the
    /// answer asks whether an unknown one was meant for it; for an optional parameter, only if the
    /// two are similar. Accepts numbers as strings. Arrays and objects can be nested 127 levels
    /// deep, as in `serde_json`.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let toolbox = Toolbox::new(SKILLS);
    /// let reply = toolbox.call("load_skill", r#"{"name": "pdf"}"#).expect("a skill tool");
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

    /// Returns the names of the skills that `calls`, pairs of tool and arguments, have loaded, in
    /// the order of their first load. Assumes that the calls were answered.
    ///
    /// Only calls count. Text that looks like a loaded skill does not, because an upstream author
    /// could have written it.
    #[must_use]
    pub fn loaded_skills<'c>(
        &self,
        calls: impl IntoIterator<Item = (&'c str, &'c str)>,
    ) -> alloc::vec::Vec<&'a str> {
        let mut names = alloc::vec::Vec::new();
        for (tool, arguments) in calls {
            let call = self.read_call(tool, arguments).and_then(Result::ok);
            if let Some(JsonCall(ParsedCall::Load { name, .. })) = call
                && let Some(name) = self.view().find(&name).map(Skill::name)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }

    /// Finds the tool named `name`, if the model has it.
    fn tool(&self, name: &str) -> Option<Tool<'a>> {
        ToolKind::named(name, self.profile)
            .filter(|kind| self.has(*kind))
            .map(|kind| Tool { toolbox: *self, kind })
    }

    /// Parses the call of `tool` with `arguments`, for a host that answers some calls itself;
    /// `None` if the toolbox has no such tool.
    ///
    /// ```
    /// use helix_skills::{Call, Skill, skill_set, SkillSet, Toolbox};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let toolbox = Toolbox::new(SKILLS);
    /// let call = toolbox.read_call("load_skill", r#"{"name": "pdf"}"#).expect("a skill tool")?;
    /// assert!(matches!(call.as_call(), Call::LoadSkill { name: "pdf", .. }));
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the arguments do not match the tool's parameters. The error's text is meant for the
    /// model.
    #[doc(hidden)]
    #[must_use]
    pub fn read_call<'j>(
        &self,
        tool: &str,
        arguments: &'j str,
    ) -> Option<Result<JsonCall<'j>, Error>> {
        Some(parse(self.tool(tool)?.kind, self.profile, arguments).map(JsonCall))
    }
}

/// A call parsed from JSON, as [`Toolbox::read_call`] returns it. [`as_call`](Self::as_call)
/// borrows it as a [`Call`].
#[derive(Clone, Debug)]
pub struct JsonCall<'j>(ParsedCall<'j>);

impl JsonCall<'_> {
    /// Returns the call.
    #[must_use]
    pub fn as_call(&self) -> Call<'_> {
        match &self.0 {
            ParsedCall::Load { name, arguments } => {
                Call::LoadSkill { name, arguments: Some(*arguments) }
            }
            ParsedCall::File { skill, path, start_line, end_line } => {
                Call::ReadSkillFile { skill, path, start_line: *start_line, end_line: *end_line }
            }
            ParsedCall::Search { query } => Call::SearchSkills { query },
        }
    }
}

/// Maximum number of parameters that are compared with one that is absent.
const MAX_COMPARED: usize = 16;

/// The parameters for the name of a skill in all tools and profiles. A tool has one of them.
const SKILL_NAMES: [&str; 3] = ["name", "skill", "skill_name"];

#[derive(Clone, Debug)]
enum ParsedCall<'j> {
    Load {
        name: Cow<'j, str>,
        arguments: Arguments<'j>,
    },
    File {
        skill: Cow<'j, str>,
        path: Cow<'j, str>,
        start_line: Option<usize>,
        end_line: Option<usize>,
    },
    Search {
        query: Cow<'j, str>,
    },
}

fn parse(kind: ToolKind, profile: Profile, arguments: &str) -> Result<ParsedCall<'_>, Error> {
    let object = CallArguments::parse(arguments)?;
    let (skill, path) = (kind.skill_parameter(profile), ToolKind::path_parameter(profile));
    Ok(match kind {
        ToolKind::Load => {
            let passed = ToolKind::arguments_parameter(profile);
            let name = object.text(skill, &[passed])?;
            let passed = object.get(passed, None)?;
            ParsedCall::Load {
                name,
                arguments: passed.map_or(Arguments::NONE, Arguments::from_json),
            }
        }
        ToolKind::Read => ParsedCall::File {
            // First: its wrong name may be any word, and one of the skill is recognized.
            path: object.text(path, &[skill, "startLine", "endLine"])?,
            skill: object.text(skill, &[path, "startLine", "endLine"])?,
            start_line: object.number("startLine")?,
            end_line: object.number("endLine")?,
        },
        ToolKind::Search => ParsedCall::Search { query: object.text("query", &[])? },
    })
}

/// The arguments of a call.
#[derive(Clone, Copy)]
struct CallArguments<'j>(Json<'j>);

impl<'j> CallArguments<'j> {
    fn parse(arguments: &'j str) -> Result<Self, Error> {
        let json = Json::parse_lenient(arguments).map_err(|_| not_an_object())?;
        let is_object =
            json.kind() == JsonKind::Object && json.members().all(|(key, _)| key.text().is_some());
        if is_object { Ok(Self(json)) } else { Err(not_an_object()) }
    }

    /// Returns the value of a parameter; the last one if it is repeated. If it is required,
    /// `others` are the other parameters of the tool.
    ///
    /// # Errors
    /// If it is absent, and there is one with a similar name, or with its name in another tool; if
    /// it is required, also if there is one that resembles no parameter.
    #[inline(never)]
    fn get(&self, parameter: &str, others: Option<&[&str]>) -> Result<Option<Json<'j>>, Error> {
        let is_parameter = |key: Json<'_>| key.text().is_some_and(|key| key == parameter);
        let found = self.0.members().filter(|(key, _)| is_parameter(*key)).last();
        if found.is_some() {
            return Ok(found.map(|(_, value)| value));
        }
        // No parameter of a tool resembles another one.
        let resembles = |key: &str, name: &str| {
            let is_name = |name| SKILL_NAMES.contains(&name);
            difference(key, name).is_some() || is_name(key) && is_name(name)
        };
        let is_free =
            |key: &str| others.is_some_and(|all| !all.iter().any(|name| resembles(key, name)));
        let keys = self.0.members().take(MAX_COMPARED).filter_map(|(key, _)| key.text());
        let meant = keys
            .filter(|key| resembles(key, parameter) || is_free(key))
            .min_by_key(|key| !resembles(key, parameter));
        let Some(key) = meant.as_deref().map(Excerpt) else { return Ok(None) };
        Err(invalid(format!("unknown parameter `{key}`; did you mean `{parameter}`?")))
    }

    fn text(&self, parameter: &str, others: &[&str]) -> Result<Cow<'j, str>, Error> {
        let missing = || invalid(format!("the parameter `{parameter}` is missing"));
        let found = self.get(parameter, Some(others))?.ok_or_else(missing)?;
        found.text().ok_or_else(|| wrong_type(parameter, "a string", found))
    }

    fn number(&self, parameter: &'static str) -> Result<Option<usize>, Error> {
        let Some(found) = self.get(parameter, None)? else { return Ok(None) };
        let number = match found.kind() {
            JsonKind::Null => return Ok(None),
            // Some models write every number with a fraction.
            JsonKind::Number => {
                let (whole, zeros) = found.source().split_once('.').unwrap_or((found.source(), ""));
                whole.parse().ok().filter(|_| zeros.bytes().all(|digit| digit == b'0'))
            }
            JsonKind::String => found.text().and_then(|text| text.trim().parse().ok()),
            JsonKind::Boolean | JsonKind::Array | JsonKind::Object => None,
        };
        let wrong = || wrong_type(parameter, "a whole number from 1", found);
        // A line number beyond `usize` is after the last line of any file.
        let line = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        number.map(|number| Some(line(number))).ok_or_else(wrong)
    }
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Input, message)
}

fn not_an_object() -> Error {
    invalid("cannot read the arguments: they have to be one JSON object")
}

fn wrong_type(parameter: &str, expected: &str, found: Json<'_>) -> Error {
    let found = Excerpt(found.source());
    invalid(format!("the parameter `{parameter}` has to be {expected}, not `{found}`"))
}

impl<'a> Tool<'a> {
    /// Answers a call of this tool with `arguments`, the text of a JSON object.
    ///
    /// This is [`Toolbox::call`] for frameworks that look up the tool themselves: `Tool<'static>`
    /// is `Copy` and can be moved into their callbacks.
    ///
    /// ```
    /// # use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
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
    /// assert_eq!(
    ///     call(r#"{"nmae": "pdf"}"#).unwrap_err(),
    ///     "unknown parameter `nmae`; did you mean `name`?",
    /// );
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn call<'r>(&self, arguments: &'r str) -> Reply<'r>
    where
        'a: 'r,
    {
        let toolbox = self.toolbox;
        match parse(self.kind, toolbox.profile, arguments) {
            Ok(ParsedCall::Load { name, arguments }) => toolbox.load(&name, arguments),
            Ok(ParsedCall::File { skill, path, start_line, end_line }) => {
                toolbox.read(&skill, &path, start_line, end_line)
            }
            Ok(ParsedCall::Search { query }) => toolbox.find(&query),
            Err(error) => error.into(),
        }
    }
}
