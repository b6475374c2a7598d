//! What one agent has of a set: its prompt, its tools, and their answers.

mod builder;
mod call;
mod error;
mod event;
mod found;
mod json;
mod reply;
mod schema;
mod skill_as_tool;
mod slash;
mod tool;

pub use builder::ToolboxBuilder;
pub use call::Call;
pub use error::ToolboxError;
pub use event::Event;
pub use found::FoundSkills;
pub use json::{CallError, JsonCall};
pub use reply::Reply;
pub use schema::{ToolDescription, ToolParameters};
pub use skill_as_tool::SkillAsTool;
pub use slash::{InvokedSkill, SlashCommand};
pub use tool::{Tool, ToolIter};

use crate::{
    Budget, Catalog, Classifier, Hit, LoadError, LoadedSkill, Profile, ReadError, SearchOptions,
    Selection, Skill, SkillFile, SkillSet, View,
    body::Fill,
    directory::{SkillDirectories, SkillDirectory},
    parts::BakedCatalog,
};
use core::fmt;
use tool::Kind;

/// The skills of one agent, with all that its framework needs of them: text for the system prompt,
/// tools, and answers to their calls.
///
/// It is a `Copy` view of a [`SkillSet`] and costs nothing to make; [`builder`](Self::builder) chooses
/// skills, preloads and a profile. A toolbox without skills adds nothing to an agent: no text, no tools,
/// no reserved names. A sub-agent gets a toolbox of its own, or none: it inherits nothing.
///
/// For skills of a [provider](https://docs.rs/helix-skills-agent) there is `AsyncToolbox`, with the same methods.
///
/// ```
/// # use helix_skills::{Call, Skill, SkillSet, Toolbox, skill_set};
/// # const DEPLOY: Skill = Skill::define("deploy", "Deploys.", "Do it.").build();
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![DEPLOY, PDF];
/// let toolbox = Toolbox::builder(SKILLS).allow(&["pdf"]).build()?; // static SKILLS: SkillSet = include_skills!();
/// let prompt = format!("You are an agent.\n\n{}", toolbox.catalog());
/// let own = ["get_weather"]; // the agent's own tools
/// for tool in toolbox.tools(own)? {
///     println!("{}: {} {}", tool.name(), tool.description(), tool.parameters());
/// }
/// let reply = toolbox.answer(Call::LoadSkill { name: "pdf", arguments: None });
/// assert_eq!(reply.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
/// assert!(!prompt.contains("deploy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The feature `alloc` adds `collect_loaded_skill_names`.
#[derive(Clone, Copy)]
pub struct Toolbox<'a> {
    set: SkillSet<'a>,
    profile: Profile,
    fill: Option<Fill>,
    allowed: Option<Selection<'a>>,
    preloaded: Selection<'a>,
    budget: Budget,
    directories: SkillDirectories<'a>,
    provenance: bool,
    search: Option<SearchMode>,
    /// How a call is searched for: known to those toolboxes alone that have the tool, so that the others' programs need not
    /// hold a search at all.
    find: Option<Find>,
    /// What ranks in the place of the set's own index.
    classifier: Option<&'a (dyn Classifier + Sync + 'a)>,
    /// The text of the catalog that the macro made, if it is the one that this toolbox renders.
    baked: Option<&'a BakedCatalog<'a>>,
}

/// Whether a tool of this name reads the files of a skill, in any profile.
#[must_use]
pub fn reads_files(tool: &str) -> bool {
    Profile::ALL.into_iter().any(|profile| Kind::Read.name(profile) == Some(tool))
}

/// Whether the tool that loads a skill has a parameter for arguments.
#[must_use]
pub const fn takes_arguments(profile: Profile) -> bool {
    Kind::arguments_parameter(profile).is_some()
}

type Find = for<'s> fn(&Toolbox<'s>, &str) -> FoundSkills<'s>;

/// How a model finds skills by searching for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchMode {
    /// By a search tool, next to a catalog that lists the skills.
    ToolAndList,
    /// By a search tool alone: instead of a list, the catalog says how many skills there are and how to
    /// find them. Only [`Profile::Helix`] can do without a list; in other profiles this is the same as
    /// `ToolAndList`.
    ToolOnly,
}

impl<'a> Toolbox<'a> {
    /// All skills of `set`, and [`Profile::Helix`].
    #[must_use]
    pub const fn new(set: SkillSet<'a>) -> Self {
        Self {
            set,
            profile: Profile::Helix,
            fill: None,
            allowed: None,
            preloaded: Selection::NONE,
            budget: Budget::NONE,
            directories: SkillDirectories::Unknown,
            provenance: false,
            search: None,
            find: None,
            classifier: None,
            baked: match set.baked {
                Some(baked) => baked.catalog.as_ref(),
                None => None,
            },
        }
    }

    /// The set that the skills are of.
    #[must_use]
    pub const fn set(&self) -> SkillSet<'a> {
        self.set
    }

    /// Whose conventions it follows.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The skills that the model may load.
    #[must_use]
    pub const fn view(&self) -> View<'a> {
        View::new(self.set, self.allowed, self.profile)
    }

    /// Level 1: the text for the system prompt. The same bytes in every call: it tells nothing of what was loaded since.
    #[must_use]
    pub const fn catalog(&self) -> Catalog<'a> {
        Catalog::new(*self)
    }

    /// Level 2: the body of the skill `name`.
    ///
    /// # Errors
    /// When there is no such skill for this agent. The error's text is meant for the model.
    #[inline(never)]
    pub fn load_skill(&self, name: &str) -> Result<LoadedSkill<'a>, LoadError<'a>> {
        let skill = self.view().get(name)?;
        let loaded =
            skill.loaded().in_profile(self.profile, self.fill, self.directories.get(skill.name()));
        Ok(if self.provenance { loaded.with_provenance() } else { loaded })
    }

    /// Level 3: one text file of the skill `skill`; [`SkillFile::lines`] takes some of its lines.
    ///
    /// # Errors
    /// When there is no such skill for this agent, `path` leaves the skill or names no file of it, or the file is not
    /// text. The error's text is meant for the model.
    #[inline(never)]
    pub fn read_skill_file(&self, skill: &str, path: &str) -> Result<SkillFile<'a>, ReadError<'a>> {
        let file = SkillFile::find(self.view().get(skill).map_err(ReadError::Skill)?, path)?;
        Ok(if self.provenance { file.with_provenance() } else { file })
    }

    /// The skills of this agent that answer `query` best, best first, as many as `out` has room for, by their positions in
    /// the [`set`](Self::set). None, if there is no index and nothing else ranks.
    #[must_use]
    pub fn search<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        let view = self.view();
        let only = |document: usize| options.accepts_document(document) && view.shows_at(document);
        let options = options.only(&only);
        match self.classifier {
            Some(classifier) => classifier.classify(query, &options, out),
            None => self.set.search_index().search(query, &options, out),
        }
    }

    /// The tools that the model gets; none if there is no skill. `host_tools` are the names of the
    /// agent's own tools.
    ///
    /// ```
    /// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let toolbox = Toolbox::new(SKILLS);
    /// assert!(toolbox.tools(["get_weather"])?.map(|tool| tool.name()).eq(["load_skill", "read_skill_file"]));
    /// let error = toolbox.tools(["load_skill"]).unwrap_err();
    /// assert_eq!(error.to_string(), "the tool name `load_skill` is reserved for skills; rename the agent's own tool");
    /// # Ok::<(), helix_skills::ToolboxError>(())
    /// ```
    ///
    /// # Errors
    /// If one of `host_tools` has the name of a tool for skills in this profile, in use or not.
    pub fn tools<'n>(
        &self,
        host_tools: impl IntoIterator<Item = &'n str>,
    ) -> Result<ToolIter<'a>, ToolboxError> {
        let reserved =
            |name: &str| Kind::named(name, self.profile).and_then(|kind| kind.name(self.profile));
        match host_tools.into_iter().find_map(reserved).filter(|_| !self.view().is_empty()) {
            Some(name) => Err(ToolboxError::ReservedTool { name }),
            None => Ok(ToolIter::new(*self)),
        }
    }

    /// The preloaded skills, sorted by name.
    pub fn preloaded(&self) -> impl Iterator<Item = &'a Skill<'a>> + Clone + use<'a> {
        let toolbox = *self;
        self.view().iter().filter(move |skill| toolbox.is_preloaded(skill.name()))
    }
}

/// What catalogs and tools ask.
impl<'a> Toolbox<'a> {
    /// A toolbox with preloads that the macro has checked, and its catalog.
    pub(crate) const fn baked(
        set: SkillSet<'a>,
        preloaded: &'a [&'a str],
        catalog: &'a BakedCatalog<'a>,
    ) -> Self {
        let mut toolbox = Self::new(set);
        (toolbox.preloaded, toolbox.baked) = (Selection::from_names(preloaded), Some(catalog));
        toolbox
    }

    pub(crate) const fn budget(&self) -> Budget {
        self.budget
    }

    /// Where a skill lies as a file, if that is told to the model.
    pub(crate) fn directory_of(&self, name: &'a str) -> Option<SkillDirectory<'a>> {
        match (self.directories, self.profile) {
            (SkillDirectories::Unknown, Profile::DeepAgents) => {
                Some(SkillDirectory::below("/skills", name))
            }
            (directories, _) => directories.get(name),
        }
    }

    /// The text of the catalog that the macro made, if it is the one that this toolbox renders.
    pub(crate) const fn baked_catalog(&self) -> Option<&'a BakedCatalog<'a>> {
        self.baked
    }

    pub(crate) fn is_preloaded(&self, name: &str) -> bool {
        self.preloaded.contains(name)
    }

    /// The tool that loads a skill, if the profile has one.
    pub(crate) const fn load_tool(&self) -> Option<&'static str> {
        Kind::Load.name(self.profile)
    }

    /// The tool that searches, if the agent has it and the profile has one.
    pub(crate) fn search_tool(&self) -> Option<&'static str> {
        Kind::Search.name(self.profile).filter(|_| self.searches())
    }

    /// Whether the catalog lists skills, instead of only saying [how to find them](SearchMode::ToolOnly).
    ///
    /// If not, the host's own tools should not list their names either.
    #[must_use]
    pub const fn lists_skills(&self) -> bool {
        !(matches!(self.search, Some(SearchMode::ToolOnly))
            && matches!(self.profile, Profile::Helix))
    }

    const fn searches(&self) -> bool {
        self.search.is_some()
    }

    pub(crate) fn has(&self, kind: Kind) -> bool {
        let wanted = match kind {
            Kind::Load => true,
            // Others read files with tools of their own; baked skills have no other way.
            Kind::Read => {
                matches!(self.profile, Profile::Helix | Profile::SkillUse | Profile::DeerFlow)
                    || self.view().iter().any(|skill| !skill.resources().is_empty())
            }
            Kind::Search => self.searches(),
        };
        wanted && kind.name(self.profile).is_some() && !self.view().is_empty()
    }
}

impl fmt::Debug for Toolbox<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toolbox")
            .field("profile", &self.profile)
            .field("skills", &self.view())
            .field("preloaded", &self.preloaded)
            .field("budget", &self.budget)
            .field("search", &self.search)
            .finish_non_exhaustive()
    }
}
