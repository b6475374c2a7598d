//! An agent definition in one file: its skills and its prompt.

use super::{
    Parsed, Rules, Value, entries_of, errors_alone, fences,
    fields::FieldReader,
    name,
    yaml::{Entry, NodeKind, escaped},
};
use crate::{Code, Finding, Position, SkillName, finding, json::nearest};
use helix_skills_runtime::Profile;
use std::{borrow::Cow, cell::OnceCell, fmt::Display};

/// Known keys, for hints on keys that are spelled differently.
const KEYS: [&str; 3] = ["name", "description", "skills"];

/// An agent definition: frontmatter that lists the agent's skills, and a prompt.
///
/// An agent may use only the skills that it lists; without a list it has none. All other keys are
/// kept in [`extra`](Self::extra).
///
/// ```
/// let text = "---\nname: coder\nskills:\n  - review-code\n---\n\nYou are a senior developer.\n";
/// let agent = helix_skills_format::parse_agent(text, None).unwrap().value;
/// assert_eq!(agent.skills, ["review-code"]); // the allow-list of a toolbox
/// let catalog = "## Skills\n\n- review-code: Reviews code.\n"; // the catalog of that toolbox
/// let prompt = agent.prompt_with(catalog);
/// assert!(prompt.starts_with("You are a senior developer.\n\n## Skills\n\n- review-code: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Agent {
    /// The name, following the rules for names of skills.
    pub name: String,
    /// What the agent does.
    pub description: Option<String>,
    /// The skills that it may use, without duplicates, in file order.
    pub skills: Vec<String>,
    /// The body, without leading blank lines and trailing white space.
    pub prompt: String,
    /// All other keys, in file order.
    pub extra: Vec<(Cow<'static, str>, Value)>,
}

impl Agent {
    /// Returns the system prompt: the agent's own, followed by the catalog of its toolbox, if any.
    ///
    /// ```
    /// let text = "---\nname: a\n---\nBe brief.\n";
    /// let agent = helix_skills_format::parse_agent(text, None).unwrap().value;
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

/// Parses an agent definition: a Markdown text with frontmatter, whose body is the prompt. `stem`
/// is the file's name without its extension; it names the agent if the text does not.
///
/// ```
/// use helix_skills_format::{Code, parse_agent};
/// let text = "---\nskills: [pdf, csv, pdf]\nmodel: large\n---\nBe brief.\n";
/// let parsed = parse_agent(text, Some("clerk")).unwrap();
/// assert_eq!((&*parsed.value.name, &*parsed.value.prompt), ("clerk", "Be brief."));
/// assert_eq!(parsed.value.skills, ["pdf", "csv"]);
/// assert_eq!(parsed.value.extra[0].0, "model");
/// assert_eq!(parsed.findings[0].code, Code::RepeatedItem);
/// assert_eq!(parsed.findings[0].at.unwrap().to_string(), "2:20");
///
/// let errors = parse_agent("Be brief.\n", Some("clerk")).unwrap_err();
/// assert_eq!(errors[0].code, Code::NoFrontmatter);
/// ```
///
/// # Errors
/// Everything that makes the agent unusable, with positions: missing frontmatter, invalid YAML, or
/// a missing or invalid name.
pub fn parse_agent(text: &str, stem: Option<&str>) -> Result<Parsed<Agent>, Vec<Finding>> {
    let layout = fences::find(text).map_err(|finding| vec![of_agent(finding)])?;
    let mut reader = FieldReader::default();
    reader.check_body(text, &layout, "the agent");
    let quoted = OnceCell::new();
    let (mut own_name, mut description, mut skills) = (None, None, Vec::new());
    for entry in entries_of(text, &layout, &quoted, &mut reader)? {
        match &*entry.key {
            "name" => own_name = Some(entry.value),
            "description" => description = reader.text(entry).map(|text| text.to_string()),
            "skills" => skills = listed(entry, &mut reader),
            key => {
                // Keys of other systems are accepted. A misspelled `skills` would leave the agent
                // without skills.
                match nearest(key, KEYS) {
                    None => reader.keep(entry),
                    meant => reader.unknown(entry, meant),
                }
            }
        }
    }
    let FieldReader { mut findings, extra } = reader;
    // In this profile, a name may differ from that of the file.
    let rules = Rules::Profile(Profile::ClaudeCode);
    let name = name::read(own_name.as_ref(), rules, stem, layout.top(), &mut findings);
    findings.retain(|finding| finding.code != Code::NameType);
    finding::sort(&mut findings);
    let Some(name) = name else {
        return Err(errors_alone(findings).into_iter().map(of_agent).collect());
    };
    let prompt = layout.body(text).to_owned();
    let value = Agent { name: name.to_string(), description, skills, prompt, extra };
    Ok(Parsed { value, findings })
}

/// Returns the names of a list, or of a text split at commas and white space, without duplicates.
fn listed(entry: Entry<'_>, reader: &mut FieldReader) -> Vec<String> {
    let top = entry.value.at;
    let places: Vec<(String, Position)> = match &entry.value.kind {
        NodeKind::List(items) => items
            .iter()
            .filter_map(|item| Some((item.text()?.trim().to_owned(), item.at)))
            .collect(),
        _ => Vec::new(),
    };
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let texts = reader.list(entry, &mut |text| {
        text.split(is_between).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    });
    let mut names: Vec<String> = Vec::with_capacity(texts.len());
    for text in texts {
        // A text that is not a valid name is kept: no skill has it, and the caller that resolves
        // the list reports it.
        let name = SkillName::new(&text).map_or_else(|_| text.clone(), |name| name.to_string());
        if names.contains(&name) {
            let at = places.iter().rfind(|(place, _)| *place == text).map_or(top, |(_, at)| *at);
            let message = format!("duplicate skill `{}`", escaped(&name));
            reader.report(Code::RepeatedItem, at, message, "remove one of them");
        } else {
            names.push(name);
        }
    }
    names
}

/// Rephrases a finding for agents.
fn of_agent(mut finding: Finding) -> Finding {
    match finding.code {
        Code::NoFrontmatter => {
            finding.message = "an agent must begin with frontmatter between two `---` lines".into();
        }
        Code::MissingKey => {
            finding.message =
                "`name` is missing, and the agent has no file name to use instead".into();
            finding.hint = Some("add `name: …`".into());
        }
        _ => {}
    }
    finding
}
