//! A toolbox whose skills have to be waited for.

mod reply_buf;

pub use reply_buf::ReplyBuf;

use crate::{Provided, Provider, ProviderWarning, ResolveError, Tracker, provider::said};
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;
use helix_skills_runtime::{
    __internal::{SearchTool, check_preloads, first_of_each_name, unchecked_toolbox, with_search_tool},
    Arguments, Budget, Call, CommandError, Excerpt, Hit, IndexOptions, InvokedSkill, Profile, SearchIndexBuf,
    SearchOptions, Selection, SkillBuf, SkillSet, SkillSetBuf, Toolbox, Variables, normalize_path,
};

/// A toolbox in the making, over a [`Provider`]: the choices of a [`Toolbox`], and then [`resolve`](Self::resolve), once
/// for every conversation.
///
/// What a person configured may have become wrong since: a name that no skill has is a warning here, not an error.
///
/// ```
/// use helix_skills::{ProviderToolbox, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # fn ready<T>(future: impl Future<Output = T>) -> T {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
/// # }
/// # ready(async {
/// let configured = ["pdf", "retired"]; // by a person, some time ago
/// let toolbox = ProviderToolbox::new(SKILLS).allow(configured).resolve().await?; // SKILLS, or a database
/// assert_eq!(toolbox.warnings()[0].to_string(), "there is no skill `retired`: the name has no effect");
/// # Ok::<(), helix_skills::ResolveError>(())
/// # }).unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use = "a toolbox has no skills before it is resolved"]
pub struct ProviderToolbox<P> {
    provider: P,
    choice: Choice,
    preloaded: Vec<String>,
}

/// What a toolbox of a set knows, too.
#[derive(Clone, Debug, Default)]
struct Choice {
    profile: Profile,
    allowed: Option<Vec<String>>,
    budget: Budget,
    root: Option<String>,
    provenance: bool,
    search: Option<SearchTool>,
    /// How to index, if somebody chose.
    index: Option<IndexOptions>,
}

impl<P: Provider> ProviderToolbox<P> {
    /// All skills of `provider`, and [`Profile::Helix`].
    pub fn new(provider: P) -> Self {
        Self { provider, choice: Choice::default(), preloaded: Vec::new() }
    }

    /// As the system that `profile` names hands them out.
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.choice.profile = profile;
        self
    }

    /// Only these skills, by name. None at all turns everything off.
    pub fn allow<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.choice.allowed = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Puts the bodies of these skills into the catalog.
    pub fn preload<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.preloaded = names.into_iter().map(Into::into).collect();
        self
    }

    /// What the catalog and the preloaded bodies may cost. Preloads over their budget are left out from the end, with a
    /// warning.
    pub const fn limit(mut self, budget: Budget) -> Self {
        self.choice.budget = budget;
        self
    }

    /// Says where the skills lie as files, `root/NAME/SKILL.md`, for the profiles that tell the model.
    pub fn at(mut self, root: impl Into<String>) -> Self {
        self.choice.root = Some(root.into());
        self
    }

    /// Says in every answer where the skill comes from.
    pub const fn with_provenance(mut self) -> Self {
        self.choice.provenance = true;
        self
    }

    /// How the index is made of what is listed, where it is to be another one than [`IndexOptions::new`] makes: words of all
    /// languages, more fields. It is made without a tool, too, for a program that searches itself.
    ///
    /// ```
    /// use helix_skills::{IndexOptions, ProviderToolbox, SearchOptions, Skill, SkillSet, Words, skill_set};
    /// # const INVOICE: Skill = Skill::define("invoice", "处理发票。", "…").build();
    /// # static SKILLS: SkillSet = skill_set![INVOICE];
    /// # fn ready<T>(future: impl Future<Output = T>) -> T {
    /// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
    /// # }
    /// # ready(async {
    /// let options = IndexOptions::new().words(Words::Unicode);
    /// let toolbox = ProviderToolbox::new(SKILLS).indexed(options).resolve().await?; // SKILLS, or a database
    /// assert_eq!(toolbox.search("发票", &SearchOptions::new(), 5)[0].0, "invoice");
    /// # Ok::<(), helix_skills::ResolveError>(())
    /// # }).unwrap();
    /// ```
    pub const fn indexed(mut self, options: IndexOptions) -> Self {
        self.choice.index = Some(options);
        self
    }

    /// Gives the model a tool to search for skills, beside the catalog. The index is made of what is resolved.
    pub const fn with_search(mut self) -> Self {
        self.choice.search = Some(SearchTool::Beside);
        self
    }

    /// Gives the model a tool to search for skills in the place of a list.
    pub const fn with_search_only(mut self) -> Self {
        self.choice.search = Some(SearchTool::Instead);
        self
    }

    /// Asks the provider what there is, and for the bodies that are preloaded. The catalog stays as it is from here on.
    ///
    /// # Errors
    /// When the provider cannot list its skills. Everything else is among the [warnings](ResolvedToolbox::warnings).
    pub async fn resolve(self) -> Result<ResolvedToolbox<P>, ResolveError> {
        let listed = self.provider.list().await;
        let Provided { skills: provided, mut warnings } = listed.map_err(|cause| ResolveError { cause })?;
        let (skills, repeated) = first_of_each_name(provided);
        warnings.extend(repeated.into_iter().map(|name| ProviderWarning::Duplicate { name }));
        let unknown = self.choice.allowed.iter().flatten().filter(|name| skills.get(name).is_none());
        warnings.extend(unknown.map(|name| ProviderWarning::Unknown { name: name.clone() }));
        let mut choice = self.choice;
        // Sorted names are looked up without looking at all of them.
        if let Some(allowed) = &mut choice.allowed {
            allowed.sort_unstable();
            allowed.dedup();
        }

        let options = choice.index.or(choice.search.map(|_| IndexOptions::new()));
        let index = options.map_or_else(SearchIndexBuf::default, |options| skills.view(|set| set.index(&options)));
        let mut resolved = ResolvedToolbox {
            provider: self.provider,
            choice,
            skills,
            preloaded: Vec::new(),
            index,
            catalog: String::new(),
            warnings,
        };
        for name in self.preloaded {
            if resolved.preloaded.binary_search(&name).is_err()
                && let Err(warning) = resolved.preload(&name).await
            {
                resolved.warnings.push(warning);
            }
        }
        resolved.catalog = resolved.view(|toolbox| toolbox.catalog().to_string());
        Ok(resolved)
    }
}

/// The skills of one agent, resolved from a [`Provider`]: a catalog that stays the same, and answers that are waited for.
///
/// Every text is the one that a [`Toolbox`] over a set of the same skills renders.
///
/// ```
/// use helix_skills::{Call, ProviderToolbox, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// # fn ready<T>(future: impl Future<Output = T>) -> T {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
/// # }
/// # ready(async {
/// let toolbox = ProviderToolbox::new(SKILLS).resolve().await?; // SKILLS, or a database
/// let prompt = format!("You are an agent.\n\n{}", toolbox.catalog());
/// let names: Vec<_> = toolbox.view(|toolbox| toolbox.tools().map(|tool| tool.name()).collect());
/// let reply = toolbox.answer(Call::LoadSkill { name: "pdf", arguments: None }).await;
/// assert_eq!(names, ["load_skill", "read_skill_file"]);
/// assert!(prompt.contains("\n- pdf: ") && reply.as_str().contains("pdftotext"));
/// # Ok::<(), helix_skills::ResolveError>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct ResolvedToolbox<P> {
    provider: P,
    choice: Choice,
    /// Without bodies, but those that are preloaded.
    skills: SkillSetBuf,
    /// Sorted.
    preloaded: Vec<String>,
    index: SearchIndexBuf,
    catalog: String,
    warnings: Vec<ProviderWarning>,
}

impl<P: Provider> ResolvedToolbox<P> {
    /// Level 1: the text for the system prompt.
    #[must_use]
    pub fn catalog(&self) -> &str {
        &self.catalog
    }

    /// What was wrong, and did not keep the rest from working.
    #[must_use]
    pub fn warnings(&self) -> &[ProviderWarning] {
        &self.warnings
    }

    /// Calls `read` with a toolbox over what was resolved: for its tools, names and searches. It has no bodies but those
    /// that are preloaded; answers come from [`answer`](Self::answer).
    pub fn view<R>(&self, read: impl FnOnce(Toolbox<'_>) -> R) -> R {
        self.skills.view(|set| {
            let set = set.with_index(self.index.as_index());
            read(self.choice.toolbox(set, self.choice.allowed(), Selection::from(&self.preloaded)))
        })
    }

    /// Whether the model may load the skill `name`, of which alone a view is made.
    fn shows(&self, name: &str) -> bool {
        self.skills.get(name).is_some_and(|skill| {
            skill.view(|skill| {
                let alone = [skill];
                let toolbox = self.choice.toolbox(SkillSet::new(&alone), self.choice.allowed(), Selection::NONE);
                toolbox.view().get(name).is_ok()
            })
        })
    }

    /// The skills that answer `query` best, best first, by name. None without a search tool or an
    /// [index](ProviderToolbox::indexed).
    #[must_use]
    pub fn search(&self, query: &str, options: &SearchOptions<'_>, most: usize) -> Vec<(String, f64)> {
        let mut hits = alloc::vec![Hit::default(); most.min(self.skills.len())];
        self.view(|toolbox| {
            let found = toolbox.search(query, options, &mut hits);
            let name = |hit: &Hit| toolbox.set().iter().nth(hit.document).map(|skill| skill.name().to_owned());
            found.iter().filter_map(|hit| Some((name(hit)?, hit.score))).collect()
        })
    }

    /// Answers a call. What the provider fails with becomes a text for the model, too.
    pub async fn answer(&self, call: Call<'_>) -> ReplyBuf {
        let (name, path) = match call {
            Call::LoadSkill { name, .. } => (name, None),
            Call::ReadSkillFile { skill, path, .. } => (skill, Some(path)),
            // A search needs what was resolved, and nothing of the provider.
            _ => return self.view(|toolbox| toolbox.answer(call).into()),
        };
        // What was resolved says whether there is such a skill, whatever the provider has by now.
        if !self.shows(name) {
            return self.view(|toolbox| toolbox.answer(call).into());
        }
        match self.fetch(name, path).await {
            Ok(skill) => skill
                .view(|skill| self.choice.toolbox(SkillSet::new(&[skill]), None, Selection::NONE).answer(call).into()),
            Err(why) => ReplyBuf::failed(&match path {
                Some(path) => alloc::format!("cannot read `{}` of the skill `{name}`: {why}", Excerpt::of(path)),
                None => not_loaded(name, &why),
            }),
        }
    }

    /// Answers a call as [`answer`](Self::answer) does, with a short note for a body that `tracker` has seen.
    pub async fn answer_tracked(&self, call: Call<'_>, tracker: &mut Tracker) -> ReplyBuf {
        tracker.track_buf(self.answer(call).await)
    }

    /// The provider.
    #[must_use]
    pub const fn provider(&self) -> &P {
        &self.provider
    }

    /// The skill that the model would load by `name`, with its body: for a host that fills it, and answers with
    /// [`reply`](Self::reply).
    ///
    /// # Errors
    /// The answer for the model, when there is no such skill for this agent or the provider fails.
    pub async fn skill(&self, name: &str) -> Result<SkillBuf, ReplyBuf> {
        if !self.shows(name) {
            let call = Call::LoadSkill { name, arguments: None };
            return Err(self.view(|toolbox| toolbox.answer(call).into()));
        }
        self.fetch(name, None).await.map_err(|why| ReplyBuf::failed(&not_loaded(name, &why)))
    }

    /// The answer to the load of a `skill` that was [asked for](Self::skill) here, filled by a host as
    /// [`LoadedSkill::filled`](helix_skills_runtime::LoadedSkill::filled) says.
    ///
    /// # Errors
    /// When there are more outputs than commands, or fewer.
    pub fn reply(
        &self,
        skill: &SkillBuf,
        arguments: Arguments<'_>,
        known: Variables<'_>,
        outputs: &[&str],
    ) -> Result<ReplyBuf, CommandError> {
        skill.view(|skill| {
            let alone = [skill];
            let toolbox = self.choice.toolbox(SkillSet::new(&alone), None, Selection::NONE);
            let reply = match toolbox.load_skill(alone[0].name()) {
                Ok(loaded) => loaded.with_arguments(arguments).filled(known, outputs)?.into(),
                // It may be another one than was listed: one that is not for models.
                Err(_) => toolbox.answer(Call::LoadSkill { name: alone[0].name(), arguments: None }),
            };
            Ok(reply.into())
        })
    }

    /// What a person's message calls: see [`Toolbox::slash`]. What the provider fails with becomes a text for the model, marked
    /// as an error. None of any other message.
    pub async fn slash(&self, message: &str) -> Option<ReplyBuf> {
        let skill = self.slash_skill(message).await?;
        Some(
            skill
                .and_then(|skill| self.slashed(&skill, message, |invoked| invoked.into()))
                .unwrap_or_else(|reply| reply),
        )
    }

    /// The skill that a person's message calls, with its body: for a host that fills it, and answers with
    /// [`slash_reply`](Self::slash_reply). None of any other message.
    ///
    /// # Errors
    /// The answer in its place, when the provider fails, or has another skill of this name by now that is not for people.
    pub async fn slash_skill(&self, message: &str) -> Option<Result<SkillBuf, ReplyBuf>> {
        let name = self.view(|toolbox| toolbox.slash(message).map(|skill| skill.name().to_owned()))?;
        let fetched = self.fetch(&name, None).await.map_err(|why| ReplyBuf::failed(&not_loaded(&name, &why)));
        Some(fetched.and_then(|skill| self.slashed(&skill, message, |_| ()).map(|()| skill)))
    }

    /// The answer to a person's message, by a `skill` that was [asked for](Self::slash_skill) here, filled by a host as
    /// [`InvokedSkill::filled`](helix_skills_runtime::InvokedSkill::filled) says.
    ///
    /// # Errors
    /// When there are more outputs than commands, or fewer.
    pub fn slash_reply(
        &self,
        skill: &SkillBuf,
        message: &str,
        known: Variables<'_>,
        outputs: &[&str],
    ) -> Result<ReplyBuf, CommandError> {
        let filled = self.slashed(skill, message, |invoked| invoked.filled(known, outputs).map(ReplyBuf::from));
        filled.unwrap_or_else(Ok)
    }

    /// What `answer` makes of a skill that a message calls; or why there is nothing, because it is another one than was listed.
    fn slashed<R>(
        &self,
        skill: &SkillBuf,
        message: &str,
        answer: impl FnOnce(InvokedSkill<'_>) -> R,
    ) -> Result<R, ReplyBuf> {
        skill.view(|skill| {
            let alone = [skill];
            let toolbox = self.choice.toolbox(SkillSet::new(&alone), None, Selection::NONE);
            let no_longer = || ReplyBuf::failed(&not_loaded(skill.name(), "it is no longer for people"));
            toolbox.slash(message).map(answer).ok_or_else(no_longer)
        })
    }

    /// Answers the call of `tool` with `arguments`, the text of a JSON object; `None` if the tool is none of ours.
    pub async fn call(&self, tool: &str, arguments: &str) -> Option<ReplyBuf> {
        let read = self.view(|toolbox| toolbox.read_call(tool, arguments))?;
        Some(match read {
            Ok(call) => self.answer(call.as_call()).await,
            Err(error) => ReplyBuf::failed(&error.to_string()),
        })
    }

    /// The skill with its body, and the content of the file at `path` if it has such a file.
    async fn fetch(&self, name: &str, path: Option<&str>) -> Result<SkillBuf, String> {
        let gone = || "it is gone".to_owned();
        let mut skill = self.provider.load(name).await.map_err(said)?.ok_or_else(gone)?;
        // Whatever the text calls itself: it was asked for by this name.
        skill.rename(name).map_err(|error| error.to_string())?;
        let listed = path.and_then(|path| normalize_path(path).ok()).filter(|path| skill.resource(path).is_some());
        if let Some(path) = listed {
            let content = self.provider.read(name, path).await.map_err(said)?.ok_or_else(gone)?;
            skill.insert_resource(path, content).map_err(|error| error.to_string())?;
        }
        Ok(skill)
    }

    /// Puts the body of a skill into what was resolved, if it fits the budget.
    async fn preload(&mut self, name: &str) -> Result<(), ProviderWarning> {
        let not = |why: String| ProviderWarning::NotPreloaded { name: name.to_owned(), why };
        if self.skills.get(name).is_none() {
            return Err(ProviderWarning::Unknown { name: name.to_owned() });
        }
        self.view(|toolbox| toolbox.view().get(name).map(|_| ()).map_err(|error| not(error.to_string())))?;
        let skill = self.fetch(name, None).await.map_err(not)?;
        let before = self.skills.replace(skill);
        let at = self.preloaded.partition_point(|preloaded| preloaded.as_str() < name);
        self.preloaded.insert(at, name.to_owned());
        let fits = self.view(|toolbox| {
            // It may be another one than was listed: one that is not for models.
            toolbox.view().get(name).map_err(|error| error.to_string())?;
            check_preloads(&toolbox).map_err(|error| error.to_string())
        });
        fits.map_err(|why| {
            self.preloaded.remove(at);
            before.map(|before| self.skills.replace(before));
            not(why)
        })
    }
}

fn not_loaded(name: &str, why: &str) -> String {
    alloc::format!("cannot load the skill `{name}`: {why}")
}

impl Choice {
    fn allowed(&self) -> Option<Selection<'_>> {
        self.allowed.as_ref().map(Selection::from)
    }

    fn toolbox<'a>(
        &'a self,
        set: SkillSet<'a>,
        allowed: Option<Selection<'a>>,
        preloaded: Selection<'a>,
    ) -> Toolbox<'a> {
        let toolbox = unchecked_toolbox(set, self.profile, allowed, preloaded, self.budget);
        let toolbox = if let Some(root) = &self.root { toolbox.at(root) } else { toolbox };
        let toolbox = if self.provenance { toolbox.with_provenance() } else { toolbox };
        match self.search {
            None => toolbox,
            Some(tool) => with_search_tool(toolbox, tool),
        }
    }
}

impl<P> fmt::Debug for ResolvedToolbox<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResolvedToolbox")
            .field("skills", &self.skills)
            .field("preloaded", &self.preloaded)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}
