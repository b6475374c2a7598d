//! What the items of a module are called.

use crate::problem::Problem;
use proc_macro2::{Ident, Span};
use std::{collections::BTreeMap, fmt};
use unicode_ident::{is_xid_continue, is_xid_start};

/// What an item stands for.
#[derive(Clone, Copy)]
pub(crate) enum Item<'b> {
    Set,
    Toolbox,
    CatalogTokens,
    Skill(&'b str),
    /// The skill, and the path in it.
    File(&'b str, &'b str),
}

impl Item<'_> {
    /// The name, in upper snake case: every letter in upper case, and `_` for each character that
    /// an identifier cannot hold, and before one that it cannot begin with. Runs are kept: `a-b`
    /// and `a--b` are two names.
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

/// The names of the items of one module, each of them once.
pub(crate) struct Idents<'b> {
    module: &'b Ident,
    taken: BTreeMap<String, Item<'b>>,
    pub(crate) problems: Vec<Problem>,
}

impl<'b> Idents<'b> {
    /// The items that every module has.
    pub(crate) fn of(module: &'b Ident) -> Self {
        let mut idents = Self { module, taken: BTreeMap::new(), problems: Vec::new() };
        for item in [Item::Set, Item::Toolbox, Item::CatalogTokens] {
            idents.add(item);
        }
        idents
    }

    /// The name of another item; none if it is taken, which is a problem that names both.
    pub(crate) fn add(&mut self, item: Item<'b>) -> Option<Ident> {
        let ident = item.ident();
        // The compiler has normalised it: what it takes for one name is one here.
        if let Some(first) = self.taken.get(&ident.to_string()) {
            let problem = Problem::at(
                self.module.span(),
                format!("two items of the module would be called `{ident}`"),
            );
            let problem =
                problem.detail("first", first.to_string()).detail("second", item.to_string());
            self.problems.push(problem.advice(mend(*first, item)));
            return None;
        }
        self.taken.insert(ident.to_string(), item);
        Some(ident)
    }
}

/// What makes two names of one.
fn mend(first: Item<'_>, second: Item<'_>) -> &'static str {
    match (first, second) {
        (Item::File(one, _), Item::File(other, _)) if one == other => {
            "leave one of the files out (`files.exclude` in the manifest), or bake the skill without a module, as an expression"
        }
        _ => {
            "give a skill another name: `rename` in the manifest, or `name` in a `SKILL.md` of your own"
        }
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
        let mut idents = Idents::of(&module);
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
