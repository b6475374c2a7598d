//! The catalog of an agent that reads skills as files: their paths and how to use them, without a
//! tool.

use super::{available_skills::element, format::describe};
use crate::{
    Attribute,
    escape::one_line,
    toolbox::{CatalogEntry, CatalogFormat},
};
use core::fmt::{self, Write};

const INSTRUCTIONS: &str = "\
    - Match: compare each request with the names and descriptions below; these say when a skill applies.\n\
    - Read on demand: when one matches, read the SKILL.md at its path before you act, and only then.\n\
    - Load little: of the files that SKILL.md mentions, read those that the step in front of you needs.\n\
    - Prefer scripts: where a skill has a script for a job, run it; do not write it again.\n\
    - Announce: say which skill you use, and why.\n\
    - No tool: there is no skill tool, command or API. To use a skill is to read its SKILL.md and to follow it.\n\
    \n\
    The user says: use the onboarding skill.\n\
    Right: read the SKILL.md of onboarding, say that you follow it, and do its first step.\n\
    Wrong: answer that a skill tool has to be called, invoked or activated first.\n\
    Wrong: call a tool named onboarding.";

pub(crate) static DEEP_AGENTS: CatalogFormat = CatalogFormat {
    head: |_, out| {
        out.write_str("<available_skills>\n")?;
        element("instructions", out, |out| out.write_str(INSTRUCTIONS))
    },
    entry,
    end: "</available_skills>\n",
};

fn entry(entry: CatalogEntry<'_>, out: &mut dyn Write) -> fmt::Result {
    let CatalogEntry { toolbox, skill, described } = entry;
    out.write_str("<skill>\n")?;
    write!(out, "name: {}", Attribute(skill.name()))?;
    if let Some(directory) = toolbox.directory_of(skill) {
        out.write_str("\npath: ")?;
        directory.write_skill_md(out)?;
    }
    if described {
        out.write_str("\ndescription: ")?;
        // Escapes every bracket, because `<instructions>` is also one of our tags here.
        describe(skill, out, |text, following, out| one_line(text, following, true, out))?;
    }
    out.write_str("\n</skill>\n")
}
