//! Toolboxes with preloaded skills in a `static`.

use super::Toolbox;
use crate::{Selection, SkillSet, message::Message, scalars::equal};

impl<'a> Toolbox<'a> {
    /// Creates a toolbox of all skills of `set` in [`Profile::Helix`](crate::Profile::Helix), with
    /// the bodies of the skills called `names` in its catalog.
    ///
    /// This is for a `static`, where [`ToolboxBuilder::build`](crate::ToolboxBuilder::build) cannot
    /// be called.
    ///
    /// ```
    /// use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
    /// static SKILLS: SkillSet = skill_set![PDF, CSV];
    /// static TOOLBOX: Toolbox = Toolbox::with_preloads(SKILLS, &["pdf"]);
    /// assert!(TOOLBOX.catalog().to_string().contains("Use `pdftotext`."));
    /// ```
    ///
    /// A wrong name does not compile:
    ///
    /// ```compile_fail
    /// # use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// // error: cannot preload `pfd`: the set has no such skill
    /// static TOOLBOX: Toolbox = Toolbox::with_preloads(SKILLS, &["pfd"]);
    /// ```
    ///
    /// # Panics
    /// If a name is unknown or repeated, or if models may not load the skill. In a `const` or
    /// `static`, this is a compile error.
    #[must_use]
    #[track_caller]
    pub const fn with_preloads(set: SkillSet<'a>, names: &'a [&'a str]) -> Self {
        let mut toolbox = Self::new(set);
        let mut at = 0;
        while at < names.len() {
            if let Some(why) = toolbox.preload_problem(names, at) {
                let message = Message::new("cannot preload ").quoted(names[at]);
                panic!("{}", message.text(": ").text(why).as_str());
            }
            at += 1;
        }
        toolbox.preloaded = Selection::from_names(names);
        if !names.is_empty() {
            toolbox.baked = None; // the catalog without preloads
        }
        toolbox
    }

    /// Returns why the name at a position cannot be preloaded.
    const fn preload_problem(&self, names: &[&str], at: usize) -> Option<&'static str> {
        let mut before = 0;
        while before < at {
            if equal(names[before], names[at]) {
                return Some("its name is repeated");
            }
            before += 1;
        }
        let mut skill = 0;
        while skill < self.set.skills.len() {
            let known = &self.set.skills[skill];
            if equal(known.name(), names[at]) {
                return match self.profile.shows(known) {
                    true => None,
                    false => Some("models may not load it (`disable-model-invocation`)"),
                };
            }
            skill += 1;
        }
        Some("the set has no such skill")
    }
}
