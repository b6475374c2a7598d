//! Search through the public API, compared with the reference's scores and a naive implementation.

mod corpus;
mod hostile;
mod modes;
mod naive;
mod reference;
mod reminder;

use helix_skills_runtime::{
    __internal::Parts, IndexOptions, SearchIndex, SearchOptions, Skill, SkillSet,
};

/// The options of the reference, which finds whole words only.
const WHOLE_WORDS: SearchOptions = SearchOptions::new().prefix(false);

/// A set of skills with an index. Tests name the skills by their position before they are sorted.
struct Corpus {
    names: Vec<String>,
    skills: Vec<Skill>,
    index: SearchIndex,
}

impl Corpus {
    fn new<'p>(skills: impl IntoIterator<Item = Parts<'p>>, options: &IndexOptions) -> Self {
        let mut skills: Vec<Skill> = skills.into_iter().map(Skill::from).collect();
        let names = skills.iter().map(|skill| skill.name().to_owned()).collect();
        skills.sort_by(|one, other| one.name().cmp(other.name()));
        let index = SkillSet::new(&skills).index(options);
        Self { names, skills, index }
    }

    fn set(&self) -> SkillSet<'_> {
        SkillSet::new(&self.skills).with_index(&self.index)
    }
}

/// Returns a skill with this name and description.
fn parts<'a>(name: &'a str, description: &'a str) -> Parts<'a> {
    Parts { name, description, ..Parts::EMPTY }
}

/// Indexes names and descriptions with the default options.
fn index<T: AsRef<str>>(skills: &[(T, T)]) -> Corpus {
    let skills = skills.iter().map(|(name, text)| parts(name.as_ref(), text.as_ref()));
    Corpus::new(skills, &IndexOptions::new())
}

/// Returns the positions and scores of the best hits, at most `top`.
fn search(corpus: &Corpus, query: &str, options: SearchOptions, top: usize) -> Vec<(usize, f64)> {
    let at = |skill: &Skill| corpus.names.iter().position(|name| name == skill.name()).unwrap();
    let hits = corpus.set().search(query, &options.limit(top));
    hits.iter().map(|hit| (at(hit.skill), hit.score)).collect()
}

/// Returns only the positions, at most five.
fn documents(corpus: &Corpus, query: &str, options: SearchOptions) -> Vec<usize> {
    search(corpus, query, options, 5).into_iter().map(|(document, _)| document).collect()
}
