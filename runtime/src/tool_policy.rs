//! Tools that skills allow an agent to use.

use crate::{Profile, Skill, Texts};

/// The combined `allowed-tools` and `disallowed-tools` of the active skills.
///
/// Check it for the agent's own tools only. Tools that load skills, and the tool that submits a
/// result, are not subject to a skill's lists.
///
/// - A skill without `allowed-tools` neither limits nor extends the tools. If one or more skills
///   have the list, only the tools in these lists are allowed. A limit that another skill could
///   lift would be useless.
/// - A tool in `disallowed-tools` of any active skill is not allowed, even if another skill allows
///   it. A rule there with a condition is an [exception](Self::exceptions) instead.
/// - An empty `allowed-tools` allows no tools. [`Profile::Agentick`] and [`Profile::DeerFlow`]
///   treat it as absent, as these systems do.
/// - In [`Profile::ClaudeCode`], `allowed-tools` does not limit anything: it lists the tools that
///   need no permission from the user.
///
/// Names of tools are case-sensitive. A name that ends with `*` matches all tools that start with
/// the text before it. A condition in parentheses, as in `Bash(git add *)`, is for the agent's own
/// permission system: the tool is allowed, and [`conditions`](Self::conditions) returns the
/// condition.
///
/// ```
/// use helix_skills::{Skill, toolbox::ToolPolicy};
/// static RELEASE: Skill = Skill::define("release", "Releases the service.", "Tag it.")
///     .allowed_tools(&["Read", "Bash(git tag *)"])
///     .build();
///
/// let policy = ToolPolicy::from_skill(&RELEASE);
/// assert!(policy.allows("Read") && policy.allows("Bash") && !policy.allows("WebFetch"));
/// assert!(policy.conditions("Bash").eq(["git tag *"]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ToolPolicy<'a> {
    skills: &'a [Skill],
    profile: Profile,
}

impl<'a> ToolPolicy<'a> {
    /// Makes the policy of one skill, in [`Profile::Helix`].
    #[must_use]
    pub const fn from_skill(skill: &'a Skill) -> Self {
        Self::from_skills(core::slice::from_ref(skill))
    }

    /// Makes the policy of all active skills, in [`Profile::Helix`]. Without skills, everything is
    /// allowed.
    #[must_use]
    pub const fn from_skills(skills: &'a [Skill]) -> Self {
        Self { skills, profile: Profile::Helix }
    }

    /// Evaluates the lists as the system of `profile` does.
    #[must_use]
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Returns whether the agent may use the tool, possibly only under
    /// [conditions](Self::conditions).
    #[must_use]
    pub fn allows(&self, tool: &str) -> bool {
        let is_disallowed =
            self.disallowed().any(|rule| rule.condition.is_none() && rule.matches(tool));
        !is_disallowed && (!self.is_limited() || self.rules().any(|rule| rule.matches(tool)))
    }

    /// Returns whether only the tools in the lists of the skills are allowed. Otherwise, every tool
    /// that no skill disallows is allowed.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !matches!(self.profile, Profile::ClaudeCode) && self.lists().next().is_some()
    }

    /// Returns the rules that allow tools, in the order of the skills. A rule may be repeated.
    fn rules(&self) -> impl Iterator<Item = ToolRule<'a>> + Clone + use<'a> {
        self.lists().flat_map(|list| list.iter()).map(ToolRule::parse)
    }

    /// Returns the conditions of an allowed tool, from the parentheses of its rules. At least one
    /// has to be met.
    ///
    /// Empty if the tool is allowed unconditionally, or is not allowed.
    pub fn conditions(&self, tool: &str) -> impl Iterator<Item = &'a str> + Clone {
        let is_unconditional =
            self.rules().any(|rule| rule.condition.is_none() && rule.matches(tool));
        let has_conditions = !is_unconditional && self.is_limited() && self.allows(tool);
        self.rules()
            .filter(move |rule| has_conditions && rule.matches(tool))
            .filter_map(|rule| rule.condition)
    }

    /// Returns the exceptions of an allowed tool: the conditions of its rules in
    /// `disallowed-tools`, none of which may be met.
    pub fn exceptions(&self, tool: &str) -> impl Iterator<Item = &'a str> + Clone {
        self.disallowed().filter(move |rule| rule.matches(tool)).filter_map(|rule| rule.condition)
    }

    /// Returns the lists of `allowed-tools` that apply.
    fn lists(&self) -> impl Iterator<Item = Texts<'a>> + Clone + use<'a> {
        // Agentick's parser treats an empty list as absent, and deer-flow's documentation says so.
        let empty_is_none = matches!(self.profile, Profile::Agentick | Profile::DeerFlow);
        let lists = self.skills.iter().filter_map(Skill::allowed_tools);
        lists.filter(move |list| !(list.is_empty() && empty_is_none))
    }

    fn disallowed(&self) -> impl Iterator<Item = ToolRule<'a>> + Clone + use<'a> {
        self.skills
            .iter()
            .filter_map(Skill::disallowed_tools)
            .flat_map(|list| list.iter())
            .map(ToolRule::parse)
    }
}

/// A rule of `allowed-tools`: `Read`, `Bash(git add *)`, `mcp__github__*`.
#[derive(Clone, Copy)]
struct ToolRule<'a> {
    /// The name of the tool, or the start of several names and a `*`.
    tool: &'a str,
    /// The text in parentheses, if there is any.
    condition: Option<&'a str>,
}

impl<'a> ToolRule<'a> {
    /// Parses a rule. A missing closing parenthesis is assumed at the end.
    fn parse(rule: &'a str) -> Self {
        match rule.split_once('(') {
            None => Self { tool: rule.trim(), condition: None },
            Some((tool, rest)) => {
                let rest = rest.trim_end();
                Self { tool: tool.trim(), condition: Some(rest.strip_suffix(')').unwrap_or(rest)) }
            }
        }
    }

    /// Returns whether the rule applies to the tool of this name.
    fn matches(&self, tool: &str) -> bool {
        match self.tool.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => tool == self.tool,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ToolRule;

    #[test]
    fn unusual_rules_allow_no_more_than_they_say() {
        for (rule, tool, condition) in [
            ("Bash(git add *)", "Bash", Some("git add *")),
            ("Bash(git add", "Bash", Some("git add")),
            (" Bash ( ls ) ", "Bash", Some(" ls ")),
            ("Bash()", "Bash", Some("")),
            ("(x)", "", Some("x")),
            ("", "", None),
            ("read_file", "read_file", None),
        ] {
            let parsed = ToolRule::parse(rule);
            assert_eq!((parsed.tool, parsed.condition), (tool, condition), "{rule:?}");
            assert!(!parsed.matches("Write"), "{rule:?}");
        }
    }
}
