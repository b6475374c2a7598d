//! The shape of an input or a result.

#[cfg(feature = "serde")]
use alloc::vec::Vec;
use alloc::{string::String, sync::Arc};
use core::{error::Error, fmt};
use helix_skills_runtime::OneLine;
#[cfg(not(feature = "serde"))]
use helix_skills_runtime::{Arguments, Profile, Skill};

/// The shape of a skill's input, or of a result: a JSON Schema, and checks.
///
/// A schema alone only informs the model. What is checked: that the JSON text is an object, the
/// schema if there is a `validator`, the type that the shape is made from with `new`, and each
/// `check`. The first that fails gives the error, which names the field.
///
/// ```
/// use helix_skills::run::Shape;
/// use {schemars::JsonSchema, serde::Deserialize};
///
/// /// The outcome of an issue.
/// #[derive(Deserialize, JsonSchema)]
/// struct Verdict {
///     /// Whether a fix is in.
///     fix_applied: bool,
/// }
///
/// let shape = Shape::new::<Verdict>().check(|verdict: &Verdict| match verdict.fix_applied {
///     true => Ok(()),
///     false => Err("apply the fix first"), // the answer to the model
/// });
/// assert!(shape.schema().contains("Whether a fix is in."));
/// ```
///
/// As the result of a [run](super::Run), a value that does not fit is answered to the model, which
/// may try again. Because parameters of tools are objects, a schema of another type, such as an
/// array or a number, is wrapped in the member `result` of an object.
///
/// As the [input](crate::RegistryEntry::input) of a skill in a [`Registry`](crate::Registry), or in
/// any other [`Provider`](crate::Provider), it is checked when the skill is called by name, before
/// the body is filled and its commands run: when a [run](crate::Registry::run) starts, when a model
/// loads the skill with arguments, and when a user types `/NAME`.
///
/// A text as input is split into words as for placeholders in the body. Each word is the value of
/// the declared argument at its position: a number or a boolean if the schema has this type, else a
/// string. A text with more words than declared arguments does not fit.
///
/// Shapes are equal if one is a clone of the other.
#[derive(Clone)]
pub struct Shape(pub(super) Arc<ShapeParts>);

#[derive(Clone)]
pub(super) struct ShapeParts {
    /// The text of a JSON object.
    pub(super) schema: String,
    /// Whether a value is the member `result` of an object.
    #[cfg(feature = "serde")]
    pub(super) is_wrapped: bool,
    /// In the order in which they are made.
    #[cfg(feature = "serde")]
    pub(super) checks: Vec<Arc<Check>>,
}

/// Checks the text of a JSON object.
#[cfg(feature = "serde")]
type Check = dyn Fn(&str) -> Result<(), Mismatch> + Send + Sync;

impl Shape {
    /// Returns the schema as the text of a JSON object, for a tool or a form that calls the skill.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.0.schema
    }

    /// Accepts all arguments, because shapes are made with the feature `serde`.
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

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shape").field("schema", &self.schema()).finish_non_exhaustive()
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
pub struct Mismatch {
    /// The value: a path such as `issue.labels[2]`, or the JSON pointer of a validator; empty for
    /// the whole document.
    pub(super) field: String,
    pub(super) why: String,
}

impl Mismatch {
    /// Creates a mismatch of the value at `field`, a JSON pointer; empty for the whole document.
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
