//! Lists of texts, and borrowed lists.

use alloc::{string::String, sync::Arc};
use core::fmt;

/// The texts of one field of a [`Skill`](crate::Skill), such as its `allowed-tools`.
///
/// ```
/// # use helix_skills::Skill;
/// # const SKILL: Skill =
/// #     Skill::define("triage", "Sorts issues.", "Label $0.").arguments(&["issue"]).build();
/// assert_eq!(SKILL.arguments(), ["issue"]);
/// assert!(SKILL.arguments().contains("issue"));
/// for name in SKILL.arguments().iter() {
///     println!("{name}");
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Texts<'a>(Inner<'a>);

#[derive(Clone, Copy)]
enum Inner<'a> {
    Borrowed(&'a [&'a str]),
    Owned(&'a [String]),
}

impl<'a> Texts<'a> {
    pub(crate) const EMPTY: Self = Self::borrowed(&[]);

    pub(crate) const fn borrowed(texts: &'a [&'a str]) -> Self {
        Self(Inner::Borrowed(texts))
    }

    pub(crate) fn of(list: &'a TextList) -> Self {
        match list {
            List::Static(texts) => Self::borrowed(texts),
            List::Counted(texts) => Self(Inner::Owned(texts)),
        }
    }

    /// Returns the texts, in the order of the source.
    pub fn iter(
        self,
    ) -> impl ExactSizeIterator<Item = &'a str> + DoubleEndedIterator + Clone + use<'a> {
        (0..self.len()).map(move |at| self.at(at))
    }

    /// Returns the number of texts.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self.0 {
            Inner::Borrowed(texts) => texts.len(),
            Inner::Owned(texts) => texts.len(),
        }
    }

    /// Returns whether there is no text.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether one of the texts is exactly `text`.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        self.iter().any(|other| other == text)
    }

    /// Returns the text at `at`, which is less than the number of texts.
    pub(crate) const fn at(&self, at: usize) -> &'a str {
        match self.0 {
            Inner::Borrowed(texts) => texts[at],
            Inner::Owned(texts) => texts[at].as_str(),
        }
    }
}

impl PartialEq for Texts<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Texts<'_> {}

impl<const N: usize> PartialEq<[&str; N]> for Texts<'_> {
    fn eq(&self, other: &[&str; N]) -> bool {
        self.iter().eq(other.iter().copied())
    }
}

impl fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A list of texts or of pairs of texts, in one form for constants and in another for data from run
/// time.
#[derive(Clone, Debug)]
pub enum List<S: 'static, O> {
    /// Data of the program.
    Static(&'static [S]),
    /// Data from run time.
    Counted(Arc<[O]>),
}

/// A list of texts.
pub(crate) type TextList = List<&'static str, String>;

/// A list of keys and values.
pub(crate) type PairList = List<(&'static str, &'static str), (String, String)>;

impl<S, O> List<S, O> {
    /// Copies a constant.
    pub(crate) const fn const_clone(&self) -> Self {
        match self {
            Self::Static(items) => Self::Static(items),
            Self::Counted(_) => panic!("a constant has no data from run time"),
        }
    }
}

impl<S, O> FromIterator<O> for List<S, O> {
    fn from_iter<I: IntoIterator<Item = O>>(items: I) -> Self {
        Self::Counted(items.into_iter().collect())
    }
}

impl Eq for TextList {}

impl PartialEq for TextList {
    fn eq(&self, other: &Self) -> bool {
        Texts::of(self) == Texts::of(other)
    }
}

impl PairList {
    pub(crate) fn iter(
        &self,
    ) -> impl ExactSizeIterator<Item = (&str, &str)> + DoubleEndedIterator + Clone {
        let len = match self {
            Self::Static(items) => items.len(),
            Self::Counted(items) => items.len(),
        };
        (0..len).map(move |at| match self {
            Self::Static(items) => items[at],
            Self::Counted(items) => (items[at].0.as_str(), items[at].1.as_str()),
        })
    }
}

impl Eq for PairList {}

impl PartialEq for PairList {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
