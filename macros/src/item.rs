//! The names of the items of a module.

use crate::problem::Problem;
use proc_macro2::{Ident, Span};
use std::{collections::BTreeMap, fmt};
use unicode_ident::{is_xid_continue, is_xid_start};

/// What an item represents.
#[derive(Clone, Copy)]
pub(crate) enum Item<'b> {
    Set,
    Toolbox,
    CatalogTokens,
    Skill(&'b str),
    /// The name of the skill, and the path of the file.
    File(&'b str, &'b str),
}

impl Item<'_> {
    /// Returns the name in upper snake case: letters are converted to upper case, and each
    /// character that is not valid in an identifier to `_`. A name that would start with an invalid
    /// character gets a `_` in front. Runs of `_` are kept, so that `a-b` and `a--b` differ.
    fn ident(self) -> Ident {
        let text = match self {
            Self::Set => "SKILLS".to_owned(),
            Self::Toolbox => "TOOLBOX".to_owned(),
            Self::CatalogTokens => "CATALOG_TOKENS".to_owned(),
            Self::Skill(name) => name.to_owned(),
            Self::File(name, path) => format!("{name}_{path}"),
        };
        let upper = text.chars().flat_map(char::to_uppercase);
        let mut name: String = upper.map(|c| if is_xid_continue(c) { c } else { '_' }).collect();
        if name == "_" || !name.starts_with(|c| c == '_' || is_xid_start(c)) {
            name.insert(0, '_');
        }
        Ident::new(&name, Span::call_site())
    }
}

impl fmt::Display for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set => f.write_str("the set of all skills"),
            Self::Toolbox => f.write_str("the toolbox of all skills"),
            Self::CatalogTokens => f.write_str("the tokens of the catalog"),
            Self::Skill(name) => write!(f, "the skill `{name}`"),
            Self::File(name, path) => write!(f, "the file `{path}` of the skill `{name}`"),
        }
    }
}

/// The unique names of the items of one module.
pub(crate) struct Idents<'b> {
    module: &'b Ident,
    items: Vec<Item<'b>>,
    /// The item of each name, by its index.
    taken: BTreeMap<String, usize>,
    pub(crate) problems: Vec<Problem>,
}

impl<'b> Idents<'b> {
    /// Reserves the names of the items that every module has, before those of skills.
    pub(crate) fn new(module: &'b Ident) -> Self {
        let (items, taken, problems) = Default::default();
        let mut idents = Self { module, items, taken, problems };
        for item in [Item::Set, Item::Toolbox, Item::CatalogTokens] {
            idents.add(item);
        }
        idents
    }

    /// Returns the name of another item. If it is taken, returns `None`, and adds a problem that
    /// names both items.
    pub(crate) fn add(&mut self, item: Item<'b>) -> Option<Ident> {
        let ident = item.ident();
        // `Ident` is normalized, so that names which are equal for the compiler are equal here.
        if let Some(first) = self.taken.get(&ident.to_string()) {
            let first = self.items[*first];
            let title = format!("two items of the module would be named `{ident}`");
            let problem = Problem::at(self.module.span(), title);
            let problem =
                problem.detail("first", first.to_string()).detail("second", item.to_string());
            self.problems.push(problem.help(fix(first, item)));
            return None;
        }
        self.taken.insert(ident.to_string(), self.items.len());
        self.items.push(item);
        Some(ident)
    }
}

/// Returns how to resolve a collision of two names.
fn fix(first: Item<'_>, second: Item<'_>) -> &'static str {
    match (first, second) {
        (Item::File(one, _), Item::File(other, _)) if one == other => {
            "exclude one of the files (`files.exclude` in the manifest), or bake the skill without a module, as an expression"
        }
        _ => "rename a skill: `rename` in the manifest, or `name` in its `SKILL.md`",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_upper_snake_case() {
        for (name, ident) in [
            ("deploy-runbook", "DEPLOY_RUNBOOK"),
            ("MySkill_2", "MYSKILL_2"),
            ("3d.view", "_3D_VIEW"),
            ("a--b", "A__B"),
            ("-", "__"),
            ("--", "__"),
            ("_", "__"),
            ("self", "SELF"),
            ("straße", "STRASSE"),
            ("技能", "技能"),
            ("1⁄2", "_1_2"),
            ("\u{903}a", "_\u{903}A"),
        ] {
            assert_eq!(Item::Skill(name).ident().to_string(), ident, "{name}");
        }
        let file = Item::File("alpha", "references/R&D notes (1).md");
        assert_eq!(file.ident().to_string(), "ALPHA_REFERENCES_R_D_NOTES__1__MD");
    }

    #[test]
    fn a_name_is_given_once() {
        let module = Ident::new("skills", Span::call_site());
        let mut idents = Idents::new(&module);
        for item in
            [Item::Skill("a-b"), Item::Skill("a"), Item::File("a", "c"), Item::File("a", "é.md")]
        {
            assert!(idents.add(item).is_some());
        }
        for item in [
            Item::Skill("skills"),
            Item::Skill("toolbox"),
            Item::Skill("catalog.tokens"),
            Item::Skill("a_b"),
            Item::File("a", "b"),
            Item::Skill("a-c"),
            Item::File("a", "É-md"),
        ] {
            assert!(idents.add(item).is_none(), "{item}");
        }
        assert_eq!(idents.problems.len(), 7);
    }
}
