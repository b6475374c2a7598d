//! An agent in one file: which skills it has, and its prompt.

use super::{
    ValueBuf, entries_of, errors_alone, fences,
    fields::Fields,
    name,
    yaml::{Entry, Kind, shown},
};
use crate::{Code, Finding, Position, SkillName, finding, nearest};
use std::{cell::OnceCell, fmt::Display};

/// Keys that we read, for the hint on one that is written in another way.
const KEYS: [&str; 3] = ["name", "description", "skills"];

/// An agent definition: frontmatter that lists the agent's skills, and a prompt.
///
/// An agent may use only the skills that it lists, so one that lists none has none. All other keys
/// are kept in [`extra`](Self::extra).
///
/// ```
/// let text = "---\nname: code-assistant\nskills:\n  - review-code\n---\n\nYou are a senior developer.\n";
/// let agent = helix_skills_format::parse_agent(text, None).unwrap().agent;
/// assert_eq!(agent.skills, ["review-code"]); // the allow-list of a toolbox
/// let prompt = agent.prompt_with("## Skills\n\n- review-code: Reviews code.\n"); // the catalog of that toolbox
/// assert!(prompt.starts_with("You are a senior developer.\n\n## Skills\n\n- review-code: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agent {
    /// The name, by the rules for names of skills.
    pub name: String,
    /// What the agent is for.
    pub description: Option<String>,
    /// The skills that it may use, each once, in the order of the file.
    pub skills: Vec<String>,
    /// The body, without blank lines before and white space after it.
    pub prompt: String,
    /// Every other key, in the order of the file.
    pub extra: Vec<(String, ValueBuf)>,
}

/// An agent of a text, and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsedAgent {
    /// The agent.
    pub agent: Agent,
    /// What is odd, from top to bottom; none of it is an error [when baking](Code::when_baking).
    pub findings: Vec<Finding>,
}

impl Agent {
    /// The system prompt: the agent's own, then the catalog of its toolbox. Without skills nothing
    /// is added.
    ///
    /// ```
    /// let agent = helix_skills_format::parse_agent("---\nname: a\n---\nBe brief.\n", None).unwrap().agent;
    /// assert_eq!(agent.prompt_with(""), "Be brief.");
    /// assert_eq!(agent.prompt_with("## Skills\n"), "Be brief.\n\n## Skills\n");
    /// ```
    #[must_use]
    pub fn prompt_with(&self, catalog: impl Display) -> String {
        let catalog = catalog.to_string();
        let between = if catalog.is_empty() || self.prompt.is_empty() { "" } else { "\n\n" };
        format!("{}{between}{catalog}", self.prompt)
    }
}

/// Reads an agent: a markdown text with frontmatter, whose body is the prompt. `stem` is the name
/// of its file without the extension, and the agent's where the text has none.
///
/// ```
/// use helix_skills_format::{Code, parse_agent};
/// let parsed = parse_agent("---\nskills: [pdf, csv, pdf]\nmodel: large\n---\nBe brief.\n", Some("clerk")).unwrap();
/// assert_eq!((&*parsed.agent.name, &*parsed.agent.prompt), ("clerk", "Be brief."));
/// assert_eq!(parsed.agent.skills, ["pdf", "csv"]);
/// assert_eq!(parsed.agent.extra[0].0, "model");
/// let told: Vec<_> = parsed.findings.iter().map(|finding| (finding.code, finding.at.unwrap().to_string())).collect();
/// assert_eq!(told, [(Code::RepeatedItem, "2:20".to_owned())]);
///
/// let errors = parse_agent("Be brief.\n", Some("clerk")).unwrap_err();
/// assert_eq!(errors[0].code, Code::NoFrontmatter);
/// ```
///
/// # Errors
/// Everything that keeps the agent from being used, each with its place: no frontmatter, broken
/// YAML, a name that is missing or refused.
pub fn parse_agent(text: &str, stem: Option<&str>) -> Result<ParsedAgent, Vec<Finding>> {
    let fences = fences::find(text).map_err(|finding| vec![of_agent(finding)])?;
    let top = Position { line: fences.opening, column: 1 };
    let mut fields = Fields::default();
    if fences.layout.body.is_empty() {
        let at = Position::from_offset(text, fences.layout.body_raw.start);
        let found = Finding::new(Code::EmptyBody, at, "there is no text after the frontmatter");
        fields.findings.push(found.hint("write there what the agent is to do"));
    }
    let quoted = OnceCell::new();
    let (mut own_name, mut description, mut skills) = (None, None, Vec::new());
    for entry in entries_of(text, &fences, &quoted, &mut fields)? {
        match &*entry.key {
            "name" => own_name = Some(entry.value),
            "description" => description = fields.text(entry),
            "skills" => skills = listed(entry, &mut fields),
            key => {
                // Keys of other systems are fine; one that was meant for ours would leave the agent
                // without skills.
                if let Some(meant) = nearest(key, KEYS) {
                    let message = format!("the key `{}` is not known", shown(key));
                    let found = Finding::new(Code::UnknownField, entry.at, message);
                    fields.findings.push(found.hint(format!("did you mean `{meant}`?")));
                }
                fields.extra.push((entry.key.into_owned(), entry.value.into()));
            }
        }
    }
    let Fields { mut findings, extra } = fields;
    let name = name::read(own_name.as_ref(), stem, top, &mut findings);
    findings.retain(|finding| !is_of_skill(finding.code));
    finding::sort(&mut findings);
    let Some(name) = name else {
        return Err(errors_alone(findings).into_iter().map(of_agent).collect());
    };
    let prompt = fences.layout.body(text).to_owned();
    Ok(ParsedAgent {
        agent: Agent { name: name.to_string(), description, skills, prompt, extra },
        findings,
    })
}

/// The names of a list, or of a text that is split at commas and blanks; each once.
fn listed(entry: Entry<'_>, fields: &mut Fields) -> Vec<String> {
    let top = entry.value.at;
    let places: Vec<(String, Position)> = match &entry.value.kind {
        Kind::List(items) => items
            .iter()
            .filter_map(|item| Some((item.text()?.trim().to_owned(), item.at)))
            .collect(),
        _ => Vec::new(),
    };
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let texts = fields.list(entry, |text| {
        text.split(is_between).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    });
    let mut names: Vec<String> = Vec::with_capacity(texts.len());
    for text in texts {
        // What cannot be a name is kept as it is: no skill has it, and whoever resolves the list is
        // told so.
        let name = SkillName::new(&text).map_or_else(|_| text.clone(), |name| name.to_string());
        if names.contains(&name) {
            let at = places.iter().rfind(|(place, _)| *place == text).map_or(top, |(_, at)| *at);
            let message = format!("the skill `{}` is listed twice", shown(&name));
            fields
                .findings
                .push(Finding::new(Code::RepeatedItem, at, message).hint("keep one of the two"));
        } else {
            names.push(name);
        }
    }
    names
}

/// Whether it is something that only the author of a skill has to care for: other systems read
/// skills, too, and a skill is in a directory that has its name.
fn is_of_skill(code: Code) -> bool {
    matches!(
        code,
        Code::NameMismatch
            | Code::MissingName
            | Code::NameCharacter
            | Code::NameHyphen
            | Code::LongName
            | Code::NameType
            | Code::PaddedName
            | Code::ReservedWord
    )
}

/// A finding in words for an agent.
fn of_agent(mut finding: Finding) -> Finding {
    match finding.code {
        Code::NoFrontmatter => {
            finding.message =
                "an agent begins with a line of three hyphens, the frontmatter and another such line".into();
        }
        Code::MissingKey => {
            finding.message = "`name` is missing, and there is no file to take it from".into();
            finding.hint = Some("add `name: …`, as the agent is to be called".into());
        }
        _ => {}
    }
    finding
}
