//! What a body needs to be filled.

use super::{PartKind, Template, TemplatePart};
use alloc::collections::BTreeSet;
use core::fmt;

/// The placeholders, variables and commands of a body, as [`Template::describe`] returns them.
///
/// ```
/// use helix_skills_runtime::Template;
/// let body = "Fix $issue ($1) in ${SKILL_DIR}, $HOME and $HOME.\n!`git log $2`";
/// let template = Template::new(body).named(&["issue", "to"]);
/// let body = template.describe();
/// assert!(!body.takes_all() && body.uses_arguments());
/// assert_eq!(body.highest_index(), Some(2));
/// assert_eq!(body.names().collect::<Vec<_>>(), ["issue"]);
/// assert_eq!(body.other_names().collect::<Vec<_>>(), ["HOME"]);
/// assert_eq!(body.variables().collect::<Vec<_>>(), ["SKILL_DIR"]);
/// assert_eq!(body.commands().collect::<Vec<_>>(), ["git log $2"]);
/// ```
#[derive(Clone, Copy)]
pub struct TemplateNeeds<'a>(pub(super) Template<'a>);

impl<'a> TemplateNeeds<'a> {
    /// Returns the unescaped parts, including those in commands.
    fn parts(&self) -> impl Iterator<Item = TemplatePart<'a>> + use<'a> {
        self.0.all_parts().filter(|part| !part.is_escaped())
    }

    /// Returns whether `$ARGUMENTS` occurs.
    #[must_use]
    pub fn takes_all(&self) -> bool {
        self.parts().any(|part| part.kind() == PartKind::Arguments)
    }

    /// Returns the largest index, as in `$0` and `$ARGUMENTS[0]`.
    #[must_use]
    pub fn highest_index(&self) -> Option<usize> {
        let index = |part: TemplatePart<'_>| match part.kind() {
            PartKind::Index(index) => Some(index),
            _ => None,
        };
        self.parts().filter_map(index).max()
    }

    /// Returns whether `$ARGUMENTS` or an index occurs. Names do not count, because arguments
    /// follow the body even if it uses their names.
    #[must_use]
    pub fn uses_arguments(&self) -> bool {
        self.parts().any(|part| matches!(part.kind(), PartKind::Arguments | PartKind::Index(_)))
    }

    /// Returns the declared names that are used, in declaration order.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let needs = *self;
        self.declared().filter(move |name| needs.uses(name))
    }

    /// Returns every other `$word` once: keys of the arguments, or variables of a shell.
    pub fn other_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let template = self.0;
        once_each(*self, move |part| match part.kind() {
            PartKind::Name(run) if template.declared(run).is_none() => Some(run),
            _ => None,
        })
    }

    /// Returns the names of all `${VARIABLE}`s, each once.
    pub fn variables(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        once_each(*self, |part| match part.kind() {
            PartKind::Variable(name) => Some(name),
            _ => None,
        })
    }

    /// Returns the commands as written, in the order of the body.
    pub fn commands(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.0.commands().filter_map(|part| part.command())
    }

    fn declared(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let names = self.0.counted_names();
        let is_first = {
            let names = names.clone();
            move |(at, name): &(usize, &str)| !names.clone().take(*at).any(|before| before == *name)
        };
        names.enumerate().filter(is_first).map(|(_, name)| name)
    }

    fn uses(&self, name: &str) -> bool {
        self.parts().any(|part| match part.kind() {
            PartKind::Name(run) => self.0.declared(run) == Some(name),
            _ => false,
        })
    }
}

impl fmt::Debug for TemplateNeeds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TemplateNeeds")
            .field("takes_all", &self.takes_all())
            .field("highest_index", &self.highest_index())
            .finish_non_exhaustive()
    }
}

/// The distinct texts of some parts, in order of first occurrence.
fn once_each<'a>(
    needs: TemplateNeeds<'a>,
    text: impl Fn(&TemplatePart<'a>) -> Option<&'a str>,
) -> impl Iterator<Item = &'a str> {
    let mut seen = BTreeSet::new();
    needs.parts().filter_map(move |part| text(&part)).filter(move |text| seen.insert(*text))
}
