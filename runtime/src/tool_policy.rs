//! Which tools skills let an agent use.

use crate::{Profile, Skill};
use core::fmt;

/// What the `allowed-tools` and `disallowed-tools` of one skill, or of several that are active together, make of an agent's
/// tools. Ask it about the tools that the agent has of its own: those that load skills, and the one that hands in a result,
/// are no skill's to give or to take.
///
/// - A skill without `allowed-tools` limits nothing. Where one has them, only what it names is left; several have the tools of
///   all their lists, and who has no list adds none.
/// - What any of them names in `disallowed-tools` is gone, whoever else allows it.
/// - An empty list allows no tool at all. [`Profile::Agentick`] and [`Profile::DeerFlow`] take it for none, as there.
/// - In [`Profile::ClaudeCode`] `allowed-tools` take nothing away: they are what needs no permission of a person
///   ([`rules`](Self::rules)).
///
/// A name is compared as it is written; one that ends with `*` is that of every tool which begins so. What stands in
/// parentheses, `Bash(git add *)`, is the language of the agent's own permissions: the tool is allowed, and
/// [`conditions`](Self::conditions) says for what.
///
/// ```
/// use helix_skills::{Skill, toolbox::ToolPolicy};
/// const RELEASE: Skill = Skill::define("release", "Releases the service.", "Tag it.")
///     .allowed_tools(&["Read", "Bash(git tag *)"])
///     .build();
///
/// let policy = ToolPolicy::from_skill(&RELEASE);
/// assert!(policy.allows("Read") && policy.allows("Bash") && !policy.allows("WebFetch"));
/// assert!(policy.conditions("Bash").eq(["git tag *"]));
/// ```
#[derive(Clone, Copy)]
pub struct ToolPolicy<'a> {
    skills: &'a [Skill<'a>],
    profile: Profile,
}

impl<'a> ToolPolicy<'a> {
    /// Of one skill, in [`Profile::Helix`].
    #[must_use]
    pub const fn from_skill(skill: &'a Skill<'a>) -> Self {
        Self::from_skills(core::slice::from_ref(skill))
    }

    /// Of all skills that are active, in [`Profile::Helix`]. Without any, everything is allowed.
    #[must_use]
    pub const fn from_skills(skills: &'a [Skill<'a>]) -> Self {
        Self { skills, profile: Profile::Helix }
    }

    /// As the system that `profile` names reads the lists.
    #[must_use]
    pub const fn in_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Whether the agent may use the tool, if only for [some purposes](Self::conditions).
    #[must_use]
    pub fn allows(&self, tool: &str) -> bool {
        let is_gone = self.disallowed().any(|rule| rule.condition.is_none() && rule.matches(tool));
        !is_gone && (!self.is_limited() || self.rules().any(|rule| rule.matches(tool)))
    }

    /// Whether only tools of [`rules`](Self::rules) are allowed; else all are, but those that are disallowed.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !matches!(self.profile, Profile::ClaudeCode) && self.lists().next().is_some()
    }

    /// The rules that allow tools, in the order of the skills; a rule may be there twice.
    pub fn rules(&self) -> impl Iterator<Item = ToolRule<'a>> + Clone + use<'a> {
        self.lists().flatten().map(|rule| ToolRule::parse(rule))
    }

    /// For what the tool is allowed: what stands in the parentheses of its rules, one of which has to hold. None at all where
    /// it is allowed for everything, or not at all.
    pub fn conditions(&self, tool: &str) -> impl Iterator<Item = &'a str> + Clone {
        let is_free = self.rules().any(|rule| rule.condition.is_none() && rule.matches(tool));
        let is_bound = !is_free && self.is_limited() && self.allows(tool);
        self.rules()
            .filter(move |rule| is_bound && rule.matches(tool))
            .filter_map(|rule| rule.condition)
    }

    /// For what the tool may not be used although it is allowed: what stands in the parentheses of `disallowed-tools`.
    pub fn exceptions(&self, tool: &str) -> impl Iterator<Item = &'a str> + Clone {
        self.disallowed().filter(move |rule| rule.matches(tool)).filter_map(|rule| rule.condition)
    }

    /// The lists of `allowed-tools` that count.
    fn lists(&self) -> impl Iterator<Item = &'a [&'a str]> + Clone + use<'a> {
        let empty_is_none = matches!(self.profile, Profile::Agentick | Profile::DeerFlow);
        let lists = self.skills.iter().filter_map(|skill| skill.allowed_tools());
        lists.filter(move |list| !(list.is_empty() && empty_is_none))
    }

    fn disallowed(&self) -> impl Iterator<Item = ToolRule<'a>> + Clone + use<'a> {
        self.skills
            .iter()
            .filter_map(|skill| skill.disallowed_tools())
            .flatten()
            .map(|rule| ToolRule::parse(rule))
    }
}

impl fmt::Debug for ToolPolicy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolPolicy")
            .field("profile", &self.profile)
            .field("is_limited", &self.is_limited())
            .finish_non_exhaustive()
    }
}

/// One rule about tools, as it stands in `allowed-tools`: `Read`, `Bash(git add *)`, `mcp__github__*`.
///
/// ```
/// use helix_skills::toolbox::ToolRule;
/// let rule = ToolRule::parse("Bash(git add *)");
/// assert_eq!((rule.tool(), rule.condition()), ("Bash", Some("git add *")));
/// assert!(rule.matches("Bash") && !rule.matches("bash"));
/// assert!(ToolRule::parse("mcp__github__*").matches("mcp__github__list_issues"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolRule<'a> {
    tool: &'a str,
    condition: Option<&'a str>,
}

impl<'a> ToolRule<'a> {
    /// The rule that a text says. Parentheses that nobody closed end with the text.
    #[must_use]
    pub fn parse(rule: &'a str) -> Self {
        match rule.split_once('(') {
            None => Self { tool: rule.trim(), condition: None },
            Some((tool, rest)) => {
                let rest = rest.trim_end();
                Self { tool: tool.trim(), condition: Some(rest.strip_suffix(')').unwrap_or(rest)) }
            }
        }
    }

    /// The name of the tool, or the start of several, with a `*` behind it.
    #[must_use]
    pub const fn tool(&self) -> &'a str {
        self.tool
    }

    /// What stands in the parentheses, if there are any.
    #[must_use]
    pub const fn condition(&self) -> Option<&'a str> {
        self.condition
    }

    /// Whether it is about the tool of this name.
    #[must_use]
    pub fn matches(&self, tool: &str) -> bool {
        match self.tool.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => tool == self.tool,
        }
    }
}
