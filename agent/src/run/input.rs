//! The contract of a skill's input.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::{error::Error, fmt};
use helix_skills_runtime::{
    __internal::{TokenMode, token_mode},
    Arguments, OneLine, Profile, Skill,
};

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
pub struct InputContract(Arc<dyn Contract + Send + Sync>);

/// A [`Shape`](super::Shape) of any type.
pub(super) trait Contract {
    /// Returns the schema as the text of a JSON object.
    fn schema(&self) -> &str;

    /// Checks the text of a JSON object.
    fn check(&self, input: &str) -> Result<(), InputError>;

    /// Checks the arguments of a skill that declares `names`.
    fn check_arguments(
        &self,
        names: &[&str],
        mode: TokenMode,
        arguments: Arguments<'_>,
    ) -> Result<(), InputError>;
}

impl InputContract {
    #[cfg(feature = "serde")]
    pub(super) fn new(contract: impl Contract + Send + Sync + 'static) -> Self {
        Self(Arc::new(contract))
    }

    /// Returns the schema as the text of a JSON object, for a tool or a form that calls the skill.
    #[must_use]
    pub fn schema(&self) -> &str {
        self.0.schema()
    }

    /// Checks an input, the text of a JSON object.
    ///
    /// # Errors
    /// If the input does not fit.
    pub fn check(&self, input: &str) -> Result<(), InputError> {
        self.0.check(input)
    }

    /// Checks the arguments that `skill` is called with.
    pub(crate) fn check_arguments(
        &self,
        skill: &Skill,
        arguments: Arguments<'_>,
        profile: Profile,
    ) -> Result<(), InputError> {
        let names: Vec<&str> = skill.arguments().iter().collect();
        self.0.check_arguments(&names, token_mode(profile), arguments)
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

/// The error if an input does not fit its [contract](InputContract). `Display` is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputError {
    /// The value: a path such as `issue.labels[2]`, or the JSON pointer of a validator; `.` is the
    /// whole input.
    pub field: String,
    /// The problem.
    pub why: String,
}

impl InputError {
    #[cfg(feature = "serde")]
    pub(super) fn whole(why: String) -> Self {
        Self { field: ".".into(), why }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.field {
            "." => OneLine(&self.why).fmt(f),
            field => write!(f, "`{}`: {}", OneLine(field), OneLine(&self.why)),
        }
    }
}

impl Error for InputError {}
