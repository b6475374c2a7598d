//! Which skills the plugins of a marketplace have.

use super::{
    Deviations, cases, differ_only_as_told,
    discover::{difference, question},
    tree::{Question, Taken, Trees},
};
use std::collections::{BTreeMap, BTreeSet};

const DEVIATIONS: Deviations = &[];

/// A tree, what we take of each plugin that can be had, and what is said of the others.
type Ours =
    (&'static str, &'static [(&'static str, &'static [&'static str])], &'static [(&'static str, i32, &'static str)]);

const OURS: &[Ours] = &[];

#[test]
fn conformance_of_marketplaces_with_peers() {
    let cases = cases("marketplace");
    let mut trees = Trees::of(&cases);
    let mut differ = BTreeMap::new();
    for case in &cases {
        // A root is only ever given to peers that know no marketplaces.
        let question = if case.input("root").is_some() { question(case) } else { Question::Plugins };
        let ours = trees.answer(case.input("tree").expect("a tree"), &question);
        differ.extend(difference(case, &ours).map(|difference| (case.id.clone(), difference)));
    }
    for (tree, plugins, refused) in OURS {
        let Taken { plugins: found, refused: said, .. } = trees.answer(tree, &Question::Plugins);
        let expected = plugins
            .iter()
            .flat_map(|(plugin, paths)| paths.iter().map(|path| ((*path).to_owned(), (*plugin).to_owned())));
        assert_eq!(found, expected.collect(), "{tree}: {said:#?}");
        let asked: BTreeSet<_> = said.keys().map(String::as_str).collect();
        assert_eq!(asked, refused.iter().map(|(plugin, ..)| *plugin).collect(), "{tree}: {said:#?}");
        for (plugin, code, text) in *refused {
            let (exit, said) = &said[*plugin];
            assert!(exit == code && said.contains(text), "{tree}, {plugin}: expected {code}, {text}\n{exit}, {said}");
        }
    }
    differ_only_as_told(&differ, DEVIATIONS);
}
