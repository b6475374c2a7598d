//! Skills that have to be waited for: from a database, a network, a directory.

mod combined;
mod set;
mod warning;

pub use combined::Providers;
pub(crate) use set::OwnedSkill;
pub use warning::ProviderWarning;

use crate::run::InputContract;
use alloc::{
    borrow::ToOwned,
    boxed::Box,
    string::{String, ToString},
    vec::Vec,
};
use core::{error::Error, fmt::Display, pin::Pin};
use helix_skills_runtime::{Profile, SkillBuf};

/// What a provider's answer is waited for as: a boxed future, `Send` except on wasm32, where nothing is.
#[cfg(not(target_arch = "wasm32"))]
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + Send + 'a>>;
/// What a provider's answer is waited for as: a boxed future, `Send` except on wasm32, where nothing is.
#[cfg(target_arch = "wasm32")]
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + 'a>>;

/// Why a provider has no answer: any error of its own. A model reads it with its causes on one line,
/// the first 500 characters.
pub type ProviderError = Box<dyn Error + Send + Sync>;

/// What a provider may need to know about the agent that asks.
///
/// A toolbox asks every question with its own [profile](crate::AsyncToolboxBuilder::profile).
///
/// ```
/// use helix_skills::{Profile, provider::ProviderRequest};
/// assert_eq!(ProviderRequest::default(), ProviderRequest::new(Profile::Helix));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderRequest {
    /// The conventions that the agent follows. They decide what a `SKILL.md` may leave out.
    pub profile: Profile,
}

impl ProviderRequest {
    /// A request of an agent with this profile.
    #[must_use]
    pub const fn new(profile: Profile) -> Self {
        Self { profile }
    }
}

/// What a provider has.
///
/// ```
/// use helix_skills::{provider::Provided, Skill, SkillBuf};
/// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let provided = Provided::from(vec![SkillBuf::from(pdf)]);
/// assert!(provided.warnings.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Provided {
    /// The skills, in any order, as far as a catalog needs them: names, descriptions, flags. Bodies and files may be left
    /// out. Of several skills of one name the first counts.
    pub skills: Vec<SkillBuf>,
    /// What is wrong without keeping the rest from working.
    pub warnings: Vec<ProviderWarning>,
}

impl Provided {
    /// Adds a skill, or in its place a [warning](ProviderWarning::LeftOut) that says why there is none: a text that somebody
    /// broke takes nothing but itself away. `what` is what the text is called, or where it lies.
    ///
    /// ```
    /// use helix_skills::{provider::Provided, Skill, SkillBuf};
    ///
    /// let mut provided = Provided::default();
    /// for (name, about) in [("pdf", "Reads PDF files."), ("csv", "")] {
    ///     provided.push(name, Skill::define(name, about, "…").try_build().map(SkillBuf::from));
    /// }
    /// assert_eq!(provided.skills.len(), 1);
    /// assert_eq!(
    ///     provided.warnings[0].to_string(),
    ///     "`csv` is left out: the description is blank: say what the skill does and when to use it",
    /// );
    /// ```
    pub fn push(&mut self, what: impl Into<String>, skill: Result<SkillBuf, impl Display>) {
        match skill {
            Ok(skill) => self.skills.push(skill),
            Err(why) => self
                .warnings
                .push(ProviderWarning::LeftOut { what: what.into(), why: why.to_string() }),
        }
    }
}

impl From<Vec<SkillBuf>> for Provided {
    fn from(skills: Vec<SkillBuf>) -> Self {
        Self { skills, warnings: Vec::new() }
    }
}

/// Serves catalog, bodies and files to an [`AsyncToolbox`](crate::AsyncToolbox), as plain data.
///
/// A [`SkillSet`](helix_skills_runtime::SkillSet) is a provider, and so is [`Providers`], which
/// combines several. The futures are boxed, so that providers of different types fit into one list;
/// they need no particular async runtime.
///
/// ```
/// use helix_skills::{AsyncToolbox, provider::{Pending, Provided, ProviderRequest}, Provider, Skill, SkillBuf};
///
/// /// Skills of a table.
/// struct Table(Vec<(String, String, String)>);
///
/// impl Table {
///     fn skill(&self, name: &str) -> Option<SkillBuf> {
///         let (name, about, body) = self.0.iter().find(|row| row.0 == name)?;
///         Skill::define(name, about, body).try_build().ok().map(SkillBuf::from)
///     }
/// }
///
/// impl Provider for Table {
///     fn list<'p>(&'p self, _: &'p ProviderRequest) -> Pending<'p, Provided> {
///         Box::pin(async { Ok(self.0.iter().filter_map(|row| self.skill(&row.0)).collect::<Vec<_>>().into()) })
///     }
///
///     fn load<'p>(&'p self, name: &'p str, _: &'p ProviderRequest) -> Pending<'p, Option<SkillBuf>> {
///         Box::pin(async { Ok(self.skill(name)) })
///     }
/// }
///
/// # pollster::block_on(async {
/// let table = Table(vec![("pdf".into(), "Reads PDF files.".into(), "Use `pdftotext`.".into())]);
/// let toolbox = AsyncToolbox::builder(table).build().await?;
/// assert!(toolbox.catalog().ends_with("\n- pdf: Reads PDF files.\n"));
/// # Ok::<(), helix_skills::ToolboxError>(())
/// # }).unwrap();
/// ```
pub trait Provider {
    /// Level 1: what there is.
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> Pending<'p, Provided>;

    /// Level 2: the skill `name` with its body and the paths of its files; `None` if it is gone.
    ///
    /// The contents of the files may be empty if the provider implements [`read`](Self::read).
    fn load<'p>(
        &'p self,
        name: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<SkillBuf>>;

    /// Level 3: the content of one of the files that [`load`](Self::load) returned; `None` if it is
    /// gone.
    ///
    /// By default the content that `load` returns.
    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<Vec<u8>>> {
        let loading = self.load(skill, request);
        Box::pin(async move {
            Ok(loading
                .await?
                .and_then(|skill| skill.resource(path).map(|file| file.bytes().to_vec())))
        })
    }

    /// The absolute path of the directory on this machine that has the files of a skill: the value of
    /// `${SKILL_DIR}` where a host runs commands.
    ///
    /// By default the [directory](SkillBuf::directory) of the skill that [`load`](Self::load) returns.
    fn directory<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> Pending<'p, Option<String>> {
        let loading = self.load(skill, request);
        Box::pin(async move {
            Ok(loading.await?.and_then(|skill| skill.directory().map(str::to_owned)))
        })
    }

    /// The contract of a skill's input. The arguments of its calls by name are checked by it.
    ///
    /// By default `None`: any arguments are accepted.
    fn input<'p>(
        &'p self,
        _skill: &'p str,
        _request: &'p ProviderRequest,
    ) -> Pending<'p, Option<InputContract>> {
        Box::pin(async { Ok(None) })
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<P: Provider + ?Sized> Provider for $pointer {
            fn list<'p>(&'p self, request: &'p ProviderRequest) -> Pending<'p, Provided> {
                (**self).list(request)
            }

            fn load<'p>(&'p self, name: &'p str, request: &'p ProviderRequest) -> Pending<'p, Option<SkillBuf>> {
                (**self).load(name, request)
            }

            fn read<'p>(&'p self, skill: &'p str, path: &'p str, request: &'p ProviderRequest) -> Pending<'p, Option<Vec<u8>>> {
                (**self).read(skill, path, request)
            }

            fn directory<'p>(&'p self, skill: &'p str, request: &'p ProviderRequest) -> Pending<'p, Option<String>> {
                (**self).directory(skill, request)
            }

            fn input<'p>(&'p self, skill: &'p str, request: &'p ProviderRequest) -> Pending<'p, Option<InputContract>> {
                (**self).input(skill, request)
            }
        }
    )*};
}

forward!(&P, Box<P>, alloc::sync::Arc<P>);
