//! One agent's view of a skill set: its catalog, its tools, and the replies to their calls.

mod builder;
mod call;
mod commands;
mod conventions;
mod event;
mod found_skills;
mod json;
mod preloads;
mod reply;
mod schema;
mod skill_as_tool;
mod skill_set;
mod slash;
mod tool;
mod tool_kind;
mod wire;

pub use builder::{ToolboxBuilder, build_unchecked, check_preloads, duplicate_skill};
pub use call::Call;
pub use commands::{check_commands, line_of};
pub use conventions::fills_bodies;
pub use event::Event;
pub use reply::{Reply, plainly_loaded, text_reply};

pub use skill_set::toolbox;
pub use slash::{SlashCommand, invoked};
pub use tool::Tool;
pub use wire::{ToolFormat, tool_json};

use crate::{
    Budget, Classifier, Error, ErrorKind, Hit, LoadedSkill, Profile, SearchOptions, Selection,
    Skill, SkillFile, SkillSet, Variables, View,
    baked::BakedCatalog,
    body::Fill,
    directory::{SkillDirectories, SkillDirectory},
    load::Delivery,
    search::best,
};
use alloc::{
    format,
    string::String,
    vec::{self, Vec},
};
use core::fmt::{self, Write};
use tool_kind::ToolKind;

/// The skills of one agent: text for the system prompt, tools, and replies to their calls.
///
/// A toolbox is a `Copy` view of a [`SkillSet`] and is free to create;
/// [`builder`](Self::builder) chooses skills, preloads and a profile. Every text is rendered from
/// the set when it is requested, and nothing is cached. The catalog rendered by the macro is used
/// only if no choice changes it.
///
/// A toolbox without skills adds nothing to an agent: no text, no tools, no reserved names.
/// Sub-agents do not inherit skills; give each its own toolbox.
///
/// `AsyncToolbox` of [helix-skills-agent](https://docs.rs/helix-skills-agent) serves the skills of
/// a provider in the same way.
///
/// ```
/// # use helix_skills::{Call, Skill, SkillSet, Toolbox, skill_set};
/// # const DEPLOY: Skill = Skill::define("deploy", "Deploys.", "Do it.").build();
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![DEPLOY, PDF];
/// // static SKILLS: SkillSet = include_skills!();
/// let toolbox = Toolbox::builder(SKILLS).allow(&["pdf"]).build()?;
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
#[derive(Clone, Copy)]
pub struct Toolbox<'a> {
    set: SkillSet<'a>,
    profile: Profile,
    pub(crate) conventions: &'static Conventions,
    allowed: Option<Selection<'a>>,
    preloaded: Selection<'a>,
    pub(crate) budget: Budget,
    directories: SkillDirectories<'a>,
    variables: Option<&'a Variables>,
    /// Fills the variables into bodies. Set only with them, so that other programs do not link the
    /// code that fills.
    fill: Option<Fill>,
    search: Option<SearchMode>,
    /// The function that answers a search call. Set only if the toolbox has a search tool, so that
    /// programs without one do not link the search code.
    find: Option<SearchFn>,
    /// Ranks skills instead of the set's index.
    classifier: Option<&'a (dyn Classifier + Sync + 'a)>,
    /// The catalog rendered by the macro, if this toolbox renders the same text.
    pub(crate) baked: Option<&'a BakedCatalog>,
}

/// Returns the error that a tool of the agent has a name that is reserved for the tools for skills.
#[must_use]
pub fn reserved_tool(name: &str) -> Error {
    let message =
        format!("the tool name `{name}` is reserved for skills; rename the agent's own tool");
    Error::new(ErrorKind::Setup, message)
}

/// Returns whether a tool named `tool` reads skill files in any profile.
#[must_use]
pub fn reads_files(tool: &str) -> bool {
    Profile::ALL.into_iter().any(|profile| ToolKind::Read.name(profile) == Some(tool))
}

/// Returns whether the load tool has a parameter for arguments. A profile that fills no bodies only
/// needs one if a skill declares some; without it, they are still accepted.
#[must_use]
pub fn takes_arguments(toolbox: &Toolbox<'_>) -> bool {
    toolbox.conventions.delivery.fill.is_some() || toolbox.skills().any(Skill::declares_arguments)
}

/// Returns the names of the tools for skills in `profile`, whether or not a toolbox has them.
pub fn tool_names(profile: Profile) -> impl Iterator<Item = &'static str> {
    ToolKind::ALL.into_iter().filter_map(move |kind| kind.name(profile))
}

/// How the system of a profile lists skills and delivers their bodies.
///
/// A toolbox refers only to the conventions of its own profile, so that a program that uses one
/// profile does not link the code of the others.
pub(crate) struct Conventions {
    /// `None` if the list of skills is in the description of a tool.
    pub(crate) catalog: Option<&'static CatalogFormat>,
    /// Writes the list in the description of the tool that loads skills.
    pub(crate) tool_list: Option<ToolListFn>,
    delivery: Delivery,
}

/// The format in which a system lists skills.
pub(crate) struct CatalogFormat {
    /// Writes the text before the first skill.
    pub(crate) head: fn(&Toolbox<'_>, &mut dyn Write) -> fmt::Result,
    pub(crate) entry: fn(CatalogEntry<'_>, &mut dyn Write) -> fmt::Result,
    /// The text after the last skill.
    pub(crate) end: &'static str,
}

/// A skill in a catalog.
#[derive(Clone, Copy)]
pub(crate) struct CatalogEntry<'e> {
    pub(crate) toolbox: &'e Toolbox<'e>,
    pub(crate) skill: &'e Skill,
    /// Whether the description is written after the name, which no budget leaves out.
    pub(crate) described: bool,
}

/// A function that writes the list of skills in the description of a tool.
pub(crate) type ToolListFn = fn(&Toolbox<'_>, &mut dyn Write) -> fmt::Result;

type SearchFn = for<'s> fn(&Toolbox<'s>, &str) -> String;

/// How a model searches for skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchMode {
    /// A search tool, next to a catalog that lists the skills.
    ToolAndList,
    /// A search tool without a list: the catalog only says how many skills there are and how to
    /// find them.
    ///
    /// Only [`Profile::Helix`] supports this; other profiles treat it as `ToolAndList`.
    ToolOnly,
}

impl<'a> Toolbox<'a> {
    /// Returns the set that the skills are from.
    #[must_use]
    pub const fn set(&self) -> SkillSet<'a> {
        self.set
    }

    /// Returns the profile whose conventions this toolbox follows.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Returns the skills that the model may load, sorted by the bytes of their names.
    ///
    /// They are the skills of the set that the allow-list contains and that are for models.
    ///
    /// ```
    /// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
    /// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
    /// static SKILLS: SkillSet = skill_set![PDF, CSV];
    ///
    /// let toolbox = Toolbox::builder(SKILLS).allow(&["pdf"]).build()?;
    /// assert!(toolbox.skills().map(|skill| skill.name()).eq(["pdf"]));
    /// let error = toolbox.load_skill("csv").unwrap_err();
    /// assert_eq!(error.to_string(), "there is no skill `csv`; the skills are `pdf`");
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    pub fn skills(&self) -> impl Iterator<Item = &'a Skill> + Clone + use<'a> {
        self.view().iter()
    }

    pub(crate) const fn view(&self) -> View<'a> {
        let has_search = self.search.is_some() && ToolKind::Search.name(self.profile).is_some();
        let (allowed, profile) = (self.allowed, self.profile);
        View { skills: self.set.skills, allowed, profile, has_search }
    }

    /// Returns the body of the skill `name` (level 2).
    ///
    /// # Errors
    ///
    /// If this agent has no such skill. The error's text is meant for the model.
    #[inline(never)]
    pub fn load_skill(&self, name: &str) -> Result<LoadedSkill<'a>, Error> {
        Ok(self.loaded(self.view().get(name)?))
    }

    /// Returns the body of `skill`, in the form of the profile.
    fn loaded(&self, skill: &'a Skill) -> LoadedSkill<'a> {
        let directory = self.directories.get(skill);
        let (mut delivery, variables) = (self.conventions.delivery, self.variables);
        delivery.fill = delivery.fill.or(self.fill);
        skill.loaded().profile(self.profile, delivery, directory, variables)
    }

    /// Returns a text file of the skill `skill` (level 3); [`SkillFile::lines`] selects lines.
    ///
    /// # Errors
    ///
    /// If this agent has no such skill, if `path` leaves the skill or is not one of its files, or
    /// if the file is not text. The error's text is meant for the model.
    #[inline(never)]
    pub fn read_skill_file(&self, skill: &str, path: &str) -> Result<SkillFile<'a>, Error> {
        SkillFile::find(self.view().get(skill)?, path)
    }

    /// Returns the skills of this agent that match `query` best, best first; equal scores are
    /// ordered by name.
    ///
    /// There are none if the set has no index and the toolbox no classifier.
    #[must_use]
    pub fn search(&self, query: &str, options: &SearchOptions) -> Vec<Hit<'a>> {
        let prefix = options.prefix.unwrap_or(self.profile != Profile::DeepAgents);
        let mut hits = match self.classifier {
            Some(classifier) => classifier.classify(query, self.set),
            None => self.set.index.hits(query, self.set.skills, prefix),
        };
        let view = self.view();
        hits.retain(|hit| {
            hit.score > 0.0
                && hit.score > options.threshold
                && view.is_allowed(hit.skill.name())
                && self.profile.shows(hit.skill)
        });
        best(hits, options.limit)
    }

    /// Returns the tools for the model, or none without skills.
    ///
    /// `host_tools` are the names of the agent's own tools.
    ///
    /// ```
    /// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// # static SKILLS: SkillSet = skill_set![PDF];
    /// let toolbox = Toolbox::new(SKILLS);
    /// let names = toolbox.tools(["get_weather"])?.map(|tool| tool.name());
    /// assert!(names.eq(["load_skill", "read_skill_file"]));
    /// let error = toolbox.tools(["load_skill"]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the tool name `load_skill` is reserved for skills; rename the agent's own tool",
    /// );
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If one of `host_tools` has the name of a skill tool of this profile, whether or not this
    /// toolbox has that tool.
    pub fn tools<'n>(
        &self,
        host_tools: impl IntoIterator<Item = &'n str>,
    ) -> Result<vec::IntoIter<Tool<'a>>, Error> {
        let reserved = |name: &str| {
            ToolKind::named(name, self.profile).and_then(|kind| kind.name(self.profile))
        };
        match host_tools.into_iter().find_map(reserved).filter(|_| !self.view().is_empty()) {
            Some(name) => Err(reserved_tool(name)),
            None => {
                let kinds = ToolKind::ALL.into_iter().filter(|kind| self.has(*kind));
                let tools = kinds.map(|kind| Tool { toolbox: *self, kind });
                Ok(tools.collect::<Vec<_>>().into_iter())
            }
        }
    }

    /// Returns the preloaded skills, sorted by name.
    pub fn preloaded(&self) -> impl Iterator<Item = &'a Skill> + Clone + use<'a> {
        let toolbox = *self;
        self.view().iter().filter(move |skill| toolbox.is_preloaded(skill.name()))
    }
}

/// Accessors for catalogs and tools.
impl<'a> Toolbox<'a> {
    /// Returns the directory of a skill, if the profile shows it to the model.
    pub(crate) fn directory_of<'s>(&self, skill: &'s Skill) -> Option<SkillDirectory<'s>>
    where
        'a: 's,
    {
        match (self.directories, self.profile) {
            (SkillDirectories::Unknown, Profile::DeepAgents) => Some(match skill.directory() {
                Some(path) => SkillDirectory::at(path),
                None => SkillDirectory::below("/skills", skill),
            }),
            (directories, _) => directories.get(skill),
        }
    }

    pub(crate) fn is_preloaded(&self, name: &str) -> bool {
        self.preloaded.contains(name)
    }

    /// Returns the name of the load tool, if the profile has one.
    pub(crate) const fn load_tool(&self) -> Option<&'static str> {
        ToolKind::Load.name(self.profile)
    }

    /// Returns the name of the search tool, if the toolbox searches and the profile has one.
    pub(crate) fn search_tool(&self) -> Option<&'static str> {
        ToolKind::Search.name(self.profile).filter(|_| self.search.is_some())
    }

    /// Returns whether the catalog lists the skills ([`SearchMode::ToolOnly`] does not).
    pub(crate) const fn lists_skills(&self) -> bool {
        !(matches!(self.search, Some(SearchMode::ToolOnly))
            && matches!(self.profile, Profile::Helix))
    }

    pub(crate) fn has(&self, kind: ToolKind) -> bool {
        let wanted = match kind {
            ToolKind::Load => true,
            // Other profiles read files with the agent's own tools, but embedded files have no
            // other reader.
            ToolKind::Read => {
                matches!(self.profile, Profile::Helix | Profile::SkillUse | Profile::DeerFlow)
                    || self.view().iter().any(|skill| !skill.resources().is_empty())
            }
            ToolKind::Search => self.search.is_some(),
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
