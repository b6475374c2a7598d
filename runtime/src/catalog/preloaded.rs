//! The bodies of preloaded skills in the prompt.

use crate::{Toolbox, render::Render};
use core::fmt::{self, Write};

const HEAD: &str = "### Active Skills (already loaded)\n\n\
    Follow these skills from the start. Load one again only if its text is no longer in front of you.\n";

/// Writes the block of preloaded skills; nothing if there are none.
pub(crate) fn write_preloaded(toolbox: &Toolbox<'_>, out: &mut dyn Write) -> fmt::Result {
    let mut head = HEAD;
    for skill in toolbox.preloaded() {
        out.write_str(head)?;
        head = "";
        out.write_char('\n')?;
        skill.loaded().render(out)?;
        out.write_char('\n')?;
    }
    Ok(())
}
