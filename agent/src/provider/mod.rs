//! Skills that are loaded asynchronously: from a database, a network, a directory.

mod combined;
mod set;
mod warning;

pub use combined::Providers;
pub(crate) use set::{first_of_each_name, in_memory};
pub use warning::ProviderWarning;

use crate::{BoxFuture, forward::forward, future::MaybeSync, run::Shape};
use alloc::{
    borrow::ToOwned,
    boxed::Box,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt::Display;
use helix_skills_runtime::{Profile, Skill};

/// The skills of a provider.
///
/// ```
/// use helix_skills::{Skill, provider::Provided};
/// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// let provided = Provided::from(vec![Skill::from(pdf)]);
/// assert!(provided.warnings.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Provided {
    /// The skills, in any order, with the fields that a catalog needs: names, descriptions, flags.
    /// Bodies and files may be left out. If several skills have the same name, the first one is
    /// used.
    pub skills: Vec<Skill>,
    /// Problems that do not affect the other skills.
    pub warnings: Vec<ProviderWarning>,
    /// Whether the list never changes, like the list of a set. If so, building a toolbox fails if a
    /// preloaded name is unknown; otherwise that is a warning.
    pub(crate) is_fixed: bool,
}

impl Provided {
    /// Adds a skill, or a warning if the skill is invalid, so that one broken text does not affect
    /// the others. `what` identifies the text: its name or location.
    ///
    /// ```
    /// use helix_skills::{provider::Provided, Skill};
    ///
    /// let mut provided = Provided::default();
    /// for (name, about) in [("pdf", "Reads PDF files."), ("csv", "")] {
    ///     provided.push(name, Skill::define(name, about, "…").try_build());
    /// }
    /// assert_eq!(provided.skills.len(), 1);
    /// assert_eq!(
    ///     provided.warnings[0].to_string(),
    ///     "`csv` is left out: the description is blank: \
    ///      say what the skill does and when to use it",
    /// );
    /// ```
    pub fn push(&mut self, what: impl AsRef<str>, skill: Result<Skill, impl Display>) {
        match skill {
            Ok(skill) => self.skills.push(skill),
            Err(why) => {
                let (what, why) = (what.as_ref(), why.to_string());
                self.warnings.push(ProviderWarning::left_out(Some(what), what, &why));
            }
        }
    }
}

impl From<Vec<Skill>> for Provided {
    fn from(skills: Vec<Skill>) -> Self {
        Self { skills, ..Self::default() }
    }
}

/// Serves catalog, bodies and files to an [`AsyncToolbox`](crate::AsyncToolbox), as plain data.
///
/// A [`SkillSet`](helix_skills_runtime::SkillSet) is a provider, and so is [`Providers`], which
/// combines several. The futures are boxed, so that providers of different types fit into one list;
/// they need no particular async runtime.
///
/// ```
/// use helix_skills::{
///     AsyncToolbox, Profile, Provider, Skill,
///     provider::{BoxFuture, Provided},
/// };
///
/// /// Skills of a table.
/// struct Table(Vec<(String, String, String)>);
///
/// impl Table {
///     fn skill(&self, name: &str) -> Option<Skill> {
///         let (name, about, body) = self.0.iter().find(|row| row.0 == name)?;
///         Skill::define(name, about, body).try_build().ok()
///     }
/// }
///
/// impl Provider for Table {
///     fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
///         Box::pin(async {
///             Ok(self
///                 .0
///                 .iter()
///                 .filter_map(|row| self.skill(&row.0))
///                 .collect::<Vec<_>>()
///                 .into())
///         })
///     }
///
///     fn load<'p>(
///         &'p self,
///         name: &'p str,
///         _: Profile,
///     ) -> BoxFuture<'p, Option<Skill>> {
///         Box::pin(async { Ok(self.skill(name)) })
///     }
/// }
///
/// # pollster::block_on(async {
/// let table =
///     Table(vec![("pdf".into(), "Reads PDF files.".into(), "Use `pdftotext`.".into())]);
/// let toolbox = AsyncToolbox::builder(table).build().await?;
/// assert!(toolbox.catalog().ends_with("\n- pdf: Reads PDF files.\n"));
/// # Ok::<(), helix_skills::Error>(())
/// # }).unwrap();
/// ```
pub trait Provider: MaybeSync {
    /// Lists the skills: level 1.
    fn list(&self, profile: Profile) -> BoxFuture<'_, Provided>;

    /// Returns the skill `name` with its body and the paths of its files, level 2; `None` if it no
    /// longer exists.
    ///
    /// The contents of the files may be empty if the provider implements [`read`](Self::read).
    fn load<'p>(&'p self, name: &'p str, profile: Profile) -> BoxFuture<'p, Option<Skill>>;

    /// Returns the content of one of the files that [`load`](Self::load) listed, level 3; `None` if
    /// it no longer exists.
    ///
    /// By default, this is the content that `load` returns.
    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        profile: Profile,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        let loading = self.load(skill, profile);
        Box::pin(async move {
            Ok(loading
                .await?
                .and_then(|skill| skill.resource(path).map(|file| file.bytes().to_vec())))
        })
    }

    /// Returns the absolute path of the directory on this machine that contains the files of a
    /// skill: the value of `${SKILL_DIR}` if the host runs commands.
    ///
    /// By default, this is the [directory](Skill::directory) of the skill that
    /// [`load`](Self::load) returns.
    fn directory<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<String>> {
        let loading = self.load(skill, profile);
        Box::pin(async move {
            Ok(loading.await?.and_then(|skill| skill.directory().map(str::to_owned)))
        })
    }

    /// Returns the shape that the arguments of calls of a skill must have.
    ///
    /// By default, this is `None`: any arguments are accepted.
    fn input<'p>(&'p self, _skill: &'p str, _profile: Profile) -> BoxFuture<'p, Option<Shape>> {
        Box::pin(async { Ok(None) })
    }
}

forward!(Provider {
    fn list(&self, profile: Profile) -> BoxFuture<'_, Provided>;
    fn load<'p>(&'p self, name: &'p str, profile: Profile) -> BoxFuture<'p, Option<Skill>>;
    fn read<'p>(&'p self, skill: &'p str, path: &'p str, profile: Profile) -> BoxFuture<'p, Option<Vec<u8>>>;
    fn directory<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<String>>;
    fn input<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<Shape>>;
});
