//! Tool descriptions and parameter schemas, as a model reads them.

use super::{Tool, takes_arguments, tool_kind::ToolKind};
use crate::{
    Profile,
    catalog::{has_names, write_names},
};
use core::fmt::{self, Write};

impl Tool<'_> {
    pub(super) fn write_description(&self, out: &mut dyn Write) -> fmt::Result {
        match (self.kind, self.toolbox.profile) {
            (ToolKind::Load, Profile::SkillUse) => out.write_str(
                "Activate a skill to receive its instructions. They arrive in the message after the result.",
            ),
            (ToolKind::Load, _) => match self.toolbox.conventions.tool_list {
                Some(write_list) => {
                    out.write_str(
                        "Load a skill into this conversation: the result is a set of instructions to follow. The \
                         skills:\n\n",
                    )?;
                    write_list(&self.toolbox, out)
                }
                None => out.write_str(
                    "Load the full instructions of a skill. Call it before you work on a task that the skill is for, \
                     then follow the result.",
                ),
            },
            (ToolKind::Read, _) => out.write_str(
                "Read a text file that belongs to a skill, when the skill's instructions mention it. One answer holds 64 \
                 KiB: read a longer file in parts, by lines.",
            ),
            (ToolKind::Search, _) => out.write_str(
                "Find skills by what a task is about. The result is the names and descriptions that match best.",
            ),
        }
    }

    /// Writes the parameter with the name of a skill. It is an `enum` only if the catalog lists the
    /// names and they are not too long.
    fn write_skill_parameter(&self, out: &mut dyn Write) -> fmt::Result {
        let name = self.kind.skill_parameter(self.toolbox.profile);
        write!(out, r#""{name}":{{"type":"string","description":"The name of the skill.""#)?;
        let is_load = matches!(self.kind, ToolKind::Load);
        let list = self.toolbox.conventions.tool_list.filter(|_| is_load);
        if has_names(&self.toolbox, list) {
            out.write_str(r#","enum":["#)?;
            write_names(&self.toolbox, out)?;
            out.write_char(']')?;
        }
        out.write_char('}')
    }

    pub(super) fn write_parameters(&self, out: &mut dyn Write) -> fmt::Result {
        let profile = self.toolbox.profile;
        let (skill, path) = (self.kind.skill_parameter(profile), ToolKind::path_parameter(profile));
        out.write_str(r#"{"type":"object","properties":{"#)?;
        match self.kind {
            ToolKind::Load => {
                self.write_skill_parameter(out)?;
                if takes_arguments(&self.toolbox) {
                    let parameter = ToolKind::arguments_parameter(profile);
                    let types = if matches!(profile, Profile::SkillUse) {
                        r#""string""#
                    } else {
                        r#"["object","string"]"#
                    };
                    write!(
                        out,
                        r#","{parameter}":{{"type":{types},"description":"What the skill is to work on, if it takes arguments."}}"#
                    )?;
                }
            }
            ToolKind::Read => {
                self.write_skill_parameter(out)?;
                write!(
                    out,
                    r#","{path}":{{"type":"string","description":"The path inside the skill, such as references/forms.md."}}"#
                )?;
                out.write_str(
                    r#","startLine":{"type":"integer","minimum":1,"description":"The first line to read; the file's first if absent."},"endLine":{"type":"integer","minimum":1,"description":"The last line to read; the file's last if absent."}"#,
                )?;
            }
            ToolKind::Search => out.write_str(
                r#""query":{"type":"string","description":"Words for what the task is about."}"#,
            )?,
        }
        out.write_str(r#"},"required":["#)?;
        match self.kind {
            ToolKind::Load => write!(out, r#""{skill}""#)?,
            ToolKind::Read => write!(out, r#""{skill}","{path}""#)?,
            ToolKind::Search => out.write_str(r#""query""#)?,
        }
        out.write_str(r#"],"additionalProperties":false}"#)
    }
}
