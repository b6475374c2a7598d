//! The contract of a skill's input.

use alloc::{boxed::Box, string::String, sync::Arc};
use core::{error::Error, fmt};
use helix_skills_runtime::OneLine;
#[cfg(not(feature = "serde"))]
use helix_skills_runtime::{Arguments, Profile, Skill};

/// The requirements on the arguments of a skill: a JSON Schema, and the checks of the
/// [`Shape`](super::Shape) that the contract is created from.
///
/// A contract belongs to a skill in a [`Registry`](crate::Registry), or in any other
/// [`Provider`](crate::Provider). It is checked when the skill is called by name, before the body
/// is filled and its commands run: when a [run](crate::Registry::run) starts, when a model loads
/// the skill with arguments, and when a user types `/NAME`.
///
/// ```
/// use helix_skills::run::{InputContract, Shape};
/// use {schemars::JsonSchema, serde::Deserialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// # #[allow(dead_code)]
/// struct Issue {
///     number: u32,
/// }
///
/// let contract = InputContract::from(Shape::<Issue>::new());
/// assert!(contract.schema().contains(r#""required":["number"]"#));
/// assert!(contract.check(r#"{"number": 42}"#).is_ok());
/// let error = contract.check(r#"{"number": "all"}"#).unwrap_err();
/// assert_eq!(error.to_string(), "`number`: invalid type: string \"all\", expected u32");
/// ```
///
/// # Words
///
/// A text is split into words as for placeholders in the body. Each word is the value of the
/// declared argument at its position: a number or a boolean if the schema has this type, else a
/// string. A text with more words than declared arguments does not fit.
#[derive(Clone)]
pub struct InputContract(pub(super) Arc<Contract>);

/// The schema and the checks of a [`Shape`](super::Shape) of any type.
pub(super) struct Contract {
    /// The text of a JSON object.
    pub(super) schema: String,
    pub(super) check: Box<Check>,
}

/// Checks the text of a JSON object.
type Check = dyn Fn(&str) -> Result<(), Mismatch> + Send + Sync;

impl InputContract {
    /// Returns the schema as the text of a JSON object, for a tool or a form that calls the skill.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.0.schema
    }

    /// Checks an input, the text of a JSON object.
    ///
    /// # Errors
    /// If the input does not fit.
    pub fn check(&self, input: &str) -> Result<(), Mismatch> {
        (self.0.check)(input)
    }

    /// Accepts all arguments, because contracts need the feature `serde`.
    #[cfg(not(feature = "serde"))]
    pub(crate) fn check_arguments(
        &self,
        _: &Skill,
        _: Arguments<'_>,
        _: Profile,
    ) -> Result<(), Mismatch> {
        Ok(())
    }
}

/// Contracts are equal if one is a clone of the other.
impl PartialEq for InputContract {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for InputContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputContract").field("schema", &self.schema()).finish_non_exhaustive()
    }
}

/// A value that does not fit its type or its schema. `Display` is one line, for a model.
///
/// ```
/// use helix_skills::run::Mismatch;
/// let mismatch = Mismatch::new("/stars", "9 is greater than the maximum of 5");
/// assert_eq!(mismatch.to_string(), "`/stars`: 9 is greater than the maximum of 5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The value: a path such as `issue.labels[2]`, or the JSON pointer of a validator; empty for
    /// the whole document.
    pub field: String,
    /// The problem.
    pub why: String,
}

impl Mismatch {
    /// Creates a mismatch of the value at `field`.
    #[must_use]
    pub fn new(field: impl Into<String>, why: impl Into<String>) -> Self {
        Self { field: field.into(), why: why.into() }
    }

    /// Creates a mismatch of the whole document.
    #[cfg(feature = "serde")]
    pub(super) fn whole(why: impl Into<String>) -> Self {
        Self::new("", why)
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.field {
            "" => OneLine(&self.why).fmt(f),
            field => write!(f, "`{}`: {}", OneLine(field), OneLine(&self.why)),
        }
    }
}

impl Error for Mismatch {}
