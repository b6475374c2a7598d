//! Skills with a typed input.

#[cfg(feature = "schemars")]
use super::SchemaValidator;
use super::{Run, Shape, config::RunInput, error, json::read_object};
use crate::Error;
use core::{fmt, marker::PhantomData};
use helix_skills_runtime::Skill;
use serde::{Serialize, de::DeserializeOwned};

/// A skill with the type of its input. The compiler checks typed input, deserialization checks JSON
/// input. A `validator` also checks both against the whole schema of the type.
///
/// The fields of the type are serialized under the names that the body uses: `$number` is the field
/// `number`.
///
/// ```
/// use helix_skills::{Skill, run::TypedSkill};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Issue {
///     number: u32,
/// }
///
/// const SKILL: Skill =
///     Skill::define("triage", "Sorts issues.", "Look into issue $number.")
///         .arguments(&["number"])
///         .build();
///
/// let triage = TypedSkill::<Issue>::new(SKILL); // or `skills::TRIAGE` of `include_skills!`
/// let run = triage.run(&Issue { number: 42 })?;
/// let error = triage.run_json(r#"{"number": "all"}"#).unwrap_err(); // before a model is called
/// assert_eq!(
///     error.to_string(),
///     "cannot run the skill `triage`: its input does not fit: `number`: \
///      invalid type: string \"all\", expected u32",
/// );
/// # Ok::<(), helix_skills::Error>(())
/// ```
///
/// A loaded skill can be typed as well:
/// `TypedSkill::<Issue>::new(load_skill("skills/triage")?.value)`. In a
/// [`Registry`](crate::Registry), the type becomes the [contract](crate::RegistryEntry::input) of
/// the skill's input (feature `schemars`).
pub struct TypedSkill<I> {
    skill: Skill,
    /// The contract of a skill with a validator.
    contract: Option<Shape>,
    input: PhantomData<fn(&I)>,
}

impl<I> TypedSkill<I> {
    /// Creates a typed skill.
    #[must_use]
    pub fn new(skill: impl Into<Skill>) -> Self {
        Self { skill: skill.into(), contract: None, input: PhantomData }
    }

    /// Creates a run of the skill with an input.
    ///
    /// # Errors
    /// If the input cannot be serialized to JSON, because a map has keys that are not strings or
    /// `Serialize` fails, or if the validator rejects it. The type
    /// determines which arguments are required: a field that is not serialized has no value in the
    /// body.
    pub fn run(&self, input: &I) -> Result<Run<'static>, Error>
    where
        I: Serialize,
    {
        let run = Run::new(&self.skill).with_contract(self.contract.clone());
        let run = run.with_input(input, RunInput::Typed)?;
        run.check_input()?;
        Ok(run)
    }

    /// Creates a run of the skill with untrusted input, the text of a JSON object. The body is
    /// filled with the deserialized value: with the defaults of the type, without members that the
    /// type does not have.
    ///
    /// # Errors
    /// If the input does not have the type, or the validator rejects it; the error names the field.
    pub fn run_json(&self, input: &str) -> Result<Run<'static>, Error>
    where
        I: Serialize + DeserializeOwned,
    {
        let input = read_object(input).map_err(|why| error::input(self.skill.name(), why))?;
        self.run(&input)
    }

    /// Checks each input against the whole schema of the type: the input of a run, and, if the
    /// skill is registered, the arguments of calls by name.
    ///
    /// # Errors
    /// If the validator does not support the schema.
    #[cfg(feature = "schemars")]
    pub fn validator(mut self, validator: SchemaValidator) -> Result<Self, Error>
    where
        I: DeserializeOwned + schemars::JsonSchema,
    {
        self.contract = Some(Shape::new::<I>().validator(validator)?);
        Ok(self)
    }
}

/// Creates an entry whose contract is the input type.
#[cfg(feature = "schemars")]
impl<I: DeserializeOwned + schemars::JsonSchema> From<TypedSkill<I>> for crate::RegistryEntry {
    fn from(typed: TypedSkill<I>) -> Self {
        let contract = typed.contract.unwrap_or_else(Shape::new::<I>);
        Self::new(typed.skill).input(contract)
    }
}

impl<I> Clone for TypedSkill<I> {
    fn clone(&self) -> Self {
        Self { skill: self.skill.clone(), contract: self.contract.clone(), input: PhantomData }
    }
}

impl<I> fmt::Debug for TypedSkill<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedSkill").field(&self.skill.name()).finish()
    }
}
