//! A single skill.

use crate::{
    Error, Provenance, Resource, Texts, Value, check_name,
    parts::Parts,
    resource::{check_resource_path, first_unsorted},
    shared::Shared,
    texts::{List, PairList, TextList},
};
use alloc::{
    borrow::{Cow, ToOwned},
    string::String,
    vec::Vec,
};
use core::fmt;

/// A skill: its name, its text, its fields and its files.
///
/// `include_skills!` embeds skills, and [`Skill::define`] makes one in code. `parse_skill` of the
/// crate `helix-skills-format` reads one from the text of a `SKILL.md`.
///
/// A clone is cheap: static text is not copied, and text from run time is shared.
///
/// Keys that only some systems know (`model`, `hooks`, …) are in [`extra`](Skill::extra) with their
/// source text; it is up to the agent to interpret them.
///
/// ```
/// # use helix_skills::Skill;
/// # let skill: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.")
/// #     .metadata(&[("version", "1.0")])
/// #     .build();
/// assert_eq!(skill.name(), "pdf");
/// assert_eq!(skill.body(), "Use `pdftotext`.");
/// assert!(skill.metadata().eq([("version", "1.0")]));
/// assert!(skill.allowed_tools().is_none()); // absent: all tools; an empty list: none
/// assert!(skill.resource("references/forms.md").is_none());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Skill(pub(crate) Fields);

/// The fields of a skill.
#[derive(Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is documented at the accessor of its name")]
pub struct Fields {
    pub name: Cow<'static, str>,
    pub description: Shared<str>,
    pub license: Option<Shared<str>>,
    pub compatibility: Option<Shared<str>>,
    pub metadata: PairList,
    pub allowed_tools: Option<TextList>,
    pub disallowed_tools: Option<TextList>,
    pub when_to_use: Option<Shared<str>>,
    pub argument_hint: Option<Shared<str>>,
    pub arguments: TextList,
    pub disable_model_invocation: bool,
    pub user_invocable: bool,
    pub shell: Option<Shared<str>>,
    pub max_ticks: Option<u32>,
    pub extra: Shared<[(Cow<'static, str>, Value)]>,
    /// `SKILL.md` up to its body: byte order mark, frontmatter with its fences, and blank lines.
    pub frontmatter: Shared<str>,
    pub body: Shared<str>,
    /// White space after the body.
    pub trailing: Shared<str>,
    /// The answer of `load_skill` as one text, if it was rendered in advance.
    pub loaded: Option<Shared<str>>,
    /// The digest of `SKILL.md`.
    pub digest: Option<&'static str>,
    /// Each path once; sorted by the bytes of their paths, which makes lookups faster.
    pub resources: Shared<[Resource]>,
    pub provenance: Provenance,
    /// The directory on this machine that the skill was loaded from.
    pub directory: Option<Shared<str>>,
}

/// [`Option::map`], for constant functions.
macro_rules! mapped {
    ($option:expr, $function:expr) => {
        match $option {
            Some(value) => Some($function(value)),
            None => None,
        }
    };
}

impl Skill {
    /// Returns the name, which is unique in its set: from the frontmatter, or as renamed by the
    /// manifest.
    #[must_use]
    pub const fn name(&self) -> &str {
        match &self.0.name {
            Cow::Borrowed(name) => name,
            Cow::Owned(name) => name.as_str(),
        }
    }

    /// Returns the description: what the skill does, and when to use it. It may have several lines.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// Returns `license`.
    #[must_use]
    pub fn license(&self) -> Option<&str> {
        self.0.license.as_deref()
    }

    /// Returns `compatibility`: the environment that the skill needs.
    #[must_use]
    pub fn compatibility(&self) -> Option<&str> {
        self.0.compatibility.as_deref()
    }

    /// Returns `metadata`, with the source text of its values; sorted by key if the skill is from a
    /// file.
    pub fn metadata(
        &self,
    ) -> impl ExactSizeIterator<Item = (&str, &str)> + DoubleEndedIterator + Clone {
        self.0.metadata.iter()
    }

    /// Returns `allowed-tools`: `None` allows all tools, an empty list none.
    ///
    /// A toolbox does not enforce the list. A run does (module `run` of `helix-skills-agent`), and
    /// a [`ToolPolicy`](crate::ToolPolicy) evaluates it.
    #[must_use]
    pub fn allowed_tools(&self) -> Option<Texts<'_>> {
        self.0.allowed_tools.as_ref().map(Texts::of)
    }

    /// Returns `disallowed-tools`.
    #[must_use]
    pub fn disallowed_tools(&self) -> Option<Texts<'_>> {
        self.0.disallowed_tools.as_ref().map(Texts::of)
    }

    /// Returns `when_to_use`: more triggers, listed after the description.
    #[must_use]
    pub fn when_to_use(&self) -> Option<&str> {
        self.0.when_to_use.as_deref()
    }

    /// Returns `argument-hint`, which user interfaces show after the skill's name.
    #[must_use]
    pub fn argument_hint(&self) -> Option<&str> {
        self.0.argument_hint.as_deref()
    }

    /// Returns `arguments`: the names of positional arguments.
    #[must_use]
    pub fn arguments(&self) -> Texts<'_> {
        Texts::of(&self.0.arguments)
    }

    /// Returns whether the frontmatter declares arguments, by their names or by a hint.
    pub(crate) fn declares_arguments(&self) -> bool {
        !self.arguments().is_empty() || self.argument_hint().is_some()
    }

    /// Returns whether the skill may declare arguments, as far as a constant shows it.
    pub(crate) const fn may_declare_arguments(&self) -> bool {
        !matches!((&self.0.arguments, &self.0.argument_hint), (List::Static([]), None))
    }

    /// Returns `disable-model-invocation`: if set, the catalog leaves out the skill, and
    /// [`SkillSet::load_skill`](crate::SkillSet::load_skill) refuses it.
    #[must_use]
    pub const fn disable_model_invocation(&self) -> bool {
        self.0.disable_model_invocation
    }

    /// Returns `user-invocable`: whether lists for users contain the skill, and
    /// [`Toolbox::slash`](crate::Toolbox::slash) accepts it.
    #[must_use]
    pub const fn user_invocable(&self) -> bool {
        self.0.user_invocable
    }

    /// Returns `shell`: `bash` or `powershell`.
    #[must_use]
    pub fn shell(&self) -> Option<&str> {
        self.0.shell.as_deref()
    }

    /// Returns `maxTicks`: the maximum number of turns of a run (module `run` of
    /// `helix-skills-agent`).
    #[must_use]
    pub const fn max_ticks(&self) -> Option<u32> {
        self.0.max_ticks
    }

    /// Returns all other keys of the frontmatter, nested metadata, and known keys whose values have
    /// the wrong type, in the order of the source.
    ///
    /// Keys that only some systems know are here as well: `model`, `effort`, `context`, `agent`,
    /// `background`, `hooks` and `paths`. No toolbox interprets them; an agent can.
    #[must_use]
    pub fn extra(&self) -> &[(Cow<'static, str>, Value)] {
        &self.0.extra
    }

    /// Returns the text after the frontmatter, without blank lines before it and white space after
    /// it.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.0.body
    }

    /// Returns the digest of `SKILL.md`, `sha256:` and 64 hexadecimal digits, if the skill was
    /// embedded with a lockfile. [`Resource::digest`] is the digest of another file.
    #[must_use]
    pub const fn skill_md_digest(&self) -> Option<&'static str> {
        self.0.digest
    }

    /// Returns `SKILL.md` in three pieces: the text before the body, the body, and the white space
    /// after it.
    ///
    /// Concatenated, they are its exact bytes. A skill defined in code has no such file, and only
    /// the body is not empty.
    #[must_use]
    pub fn skill_md(&self) -> [&str; 3] {
        [&self.0.frontmatter, &self.0.body, &self.0.trailing]
    }

    /// Returns all other files. They are sorted by the bytes of their paths, except in a skill that
    /// is defined in code: there they have the order of the definition.
    #[must_use]
    pub fn resources(&self) -> &[Resource] {
        &self.0.resources
    }

    /// Returns the file at `path`, which has to be spelled exactly as [`Resource::path`].
    #[must_use]
    pub fn resource(&self, path: &str) -> Option<&Resource> {
        let all = self.resources();
        match all.binary_search_by(|resource| resource.path().cmp(path)) {
            Ok(at) => all.get(at),
            // The resources of a definition may have any order.
            Err(_) => all.iter().find(|resource| resource.path() == path),
        }
    }

    /// Returns all other files, sorted by the bytes of their paths, so that the order of the
    /// definition does not change the text for a model.
    pub(crate) fn sorted_resources(&self) -> impl Iterator<Item = &Resource> {
        let all = self.resources();
        let mut order = Vec::new();
        if first_unsorted(all).is_some() {
            // Inserting takes a tenth of the code of a sort, and only definitions are unsorted.
            for (at, file) in all.iter().enumerate() {
                let place = order.partition_point(|other: &usize| all[*other].path() < file.path());
                order.insert(place, at);
            }
        }
        (0..all.len()).map(move |at| &all[order.get(at).copied().unwrap_or(at)])
    }

    /// Returns the origin of the skill.
    #[must_use]
    pub const fn provenance(&self) -> Provenance {
        self.0.provenance
    }

    /// Returns the absolute path of the skill's directory on this machine, if the skill was loaded
    /// from one.
    ///
    /// It is the value of `${SKILL_DIR}`, and the working directory of commands and scripts.
    #[must_use]
    pub fn directory(&self) -> Option<&str> {
        self.0.directory.as_deref()
    }

    /// Sets the [directory](Self::directory). Loaders of directories call this.
    ///
    /// ```
    /// # use helix_skills_runtime::Skill;
    /// let mut skill = Skill::define("tool", "How to use the tool.", "Run it.").build();
    /// skill.set_directory(Some("/srv/skills/tool".to_owned()));
    /// assert_eq!(skill.directory(), Some("/srv/skills/tool"));
    /// ```
    pub fn set_directory(&mut self, path: Option<String>) {
        self.0.directory = path.map(Shared::new);
    }

    /// Renames the skill. Its text stays unchanged.
    ///
    /// ```
    /// use helix_skills::Skill;
    /// let mut skill = Skill::define("tool", "How to use the tool.", "Run it.").build();
    /// skill.rename("my-tool")?;
    /// assert_eq!(skill.name(), "my-tool");
    /// assert!(skill.rename("../tool").is_err());
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    /// If [`check_name`] fails. This is the rule for loading, not the stricter one for authors.
    pub fn rename(&mut self, name: &str) -> Result<(), Error> {
        check_name(name)?;
        if self.name() != name {
            // The text that was rendered in advance has the old name.
            (self.0.name, self.0.loaded) = (Cow::Owned(name.to_owned()), None);
        }
        Ok(())
    }

    /// Adds a file, or replaces the one with the same path. UTF-8 is stored as text.
    ///
    /// ```
    /// use helix_skills::{ErrorKind, Skill};
    /// let mut skill = Skill::define("tool", "How to use the tool.", "Run it.").build();
    /// skill.insert_resource("logo.png", b"\x89PNG\xff")?;
    /// let error = skill.insert_resource("../logo.png", "").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidPath);
    /// assert!(skill.insert_resource("SKILL.md", "").is_err());
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the path is not valid for a resource.
    pub fn insert_resource(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), Error> {
        check_resource_path(path)?;
        let resource = Resource::new(path, bytes);
        let resources = self.0.resources.make_mut();
        // A definition may have them in any order.
        if !resources.is_sorted_by(|one, next| one.path() < next.path()) {
            resources.sort_by(|one, other| one.path().cmp(other.path()));
        }
        match resources.binary_search_by(|resource| resource.path().cmp(path)) {
            Ok(at) => resources[at] = resource,
            Err(at) => {
                resources.insert(at, resource);
                // The text that was rendered in advance does not list the file.
                self.0.loaded = None;
            }
        }
        Ok(())
    }

    /// Copies a constant.
    pub(crate) const fn const_clone(&self) -> Self {
        let fields = &self.0;
        Self(Fields {
            name: match &fields.name {
                Cow::Borrowed(name) => Cow::Borrowed(name),
                Cow::Owned(_) => panic!("a constant has no data from run time"),
            },
            description: fields.description.const_clone(),
            license: mapped!(&fields.license, Shared::const_clone),
            compatibility: mapped!(&fields.compatibility, Shared::const_clone),
            metadata: fields.metadata.const_clone(),
            allowed_tools: mapped!(&fields.allowed_tools, List::const_clone),
            disallowed_tools: mapped!(&fields.disallowed_tools, List::const_clone),
            when_to_use: mapped!(&fields.when_to_use, Shared::const_clone),
            argument_hint: mapped!(&fields.argument_hint, Shared::const_clone),
            arguments: fields.arguments.const_clone(),
            shell: mapped!(&fields.shell, Shared::const_clone),
            extra: fields.extra.const_clone(),
            frontmatter: fields.frontmatter.const_clone(),
            body: fields.body.const_clone(),
            trailing: fields.trailing.const_clone(),
            loaded: mapped!(&fields.loaded, Shared::const_clone),
            resources: fields.resources.const_clone(),
            directory: mapped!(&fields.directory, Shared::const_clone),
            ..*fields
        })
    }
}

/// Makes a skill of static parts.
#[must_use]
pub const fn skill(parts: Parts<'static>) -> Skill {
    Skill(Fields {
        name: Cow::Borrowed(parts.name),
        description: Shared::Static(parts.description),
        license: mapped!(parts.license, Shared::Static),
        compatibility: mapped!(parts.compatibility, Shared::Static),
        metadata: List::Static(parts.metadata),
        allowed_tools: mapped!(parts.allowed_tools, List::Static),
        disallowed_tools: mapped!(parts.disallowed_tools, List::Static),
        when_to_use: mapped!(parts.when_to_use, Shared::Static),
        argument_hint: mapped!(parts.argument_hint, Shared::Static),
        arguments: List::Static(parts.arguments),
        disable_model_invocation: parts.disable_model_invocation,
        user_invocable: parts.user_invocable,
        shell: mapped!(parts.shell, Shared::Static),
        max_ticks: parts.max_ticks,
        extra: Shared::Static(parts.extra),
        frontmatter: Shared::Static(parts.frontmatter),
        body: Shared::Static(parts.body),
        trailing: Shared::Static(parts.trailing),
        loaded: mapped!(parts.loaded, Shared::Static),
        digest: parts.digest,
        resources: Shared::Static(parts.resources),
        provenance: parts.provenance,
        directory: None,
    })
}

/// Copies the parts of a skill from run time.
impl From<Parts<'_>> for Fields {
    fn from(parts: Parts<'_>) -> Self {
        let text = |text: Option<&str>| text.map(Shared::copied);
        let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect();
        let pairs = parts.metadata.iter();
        let mut resources = parts.resources.to_vec();
        resources.sort_by(|one, other| one.path().cmp(other.path()));
        Self {
            name: Cow::Owned(parts.name.to_owned()),
            description: Shared::copied(parts.description),
            license: text(parts.license),
            compatibility: text(parts.compatibility),
            metadata: pairs.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
            allowed_tools: parts.allowed_tools.map(list),
            disallowed_tools: parts.disallowed_tools.map(list),
            when_to_use: text(parts.when_to_use),
            argument_hint: text(parts.argument_hint),
            arguments: list(parts.arguments),
            disable_model_invocation: parts.disable_model_invocation,
            user_invocable: parts.user_invocable,
            shell: text(parts.shell),
            max_ticks: parts.max_ticks,
            extra: Shared::copied(parts.extra),
            frontmatter: Shared::copied(parts.frontmatter),
            body: Shared::copied(parts.body),
            trailing: Shared::copied(parts.trailing),
            loaded: text(parts.loaded),
            digest: parts.digest,
            resources: Shared::new(resources),
            provenance: parts.provenance,
            directory: None,
        }
    }
}

impl From<Parts<'_>> for Skill {
    fn from(parts: Parts<'_>) -> Self {
        Self(parts.into())
    }
}

/// Clones a skill, which is cheap.
impl From<&Skill> for Skill {
    fn from(skill: &Skill) -> Self {
        skill.clone()
    }
}

impl From<Skill> for Fields {
    fn from(skill: Skill) -> Self {
        skill.0
    }
}

impl From<Fields> for Skill {
    fn from(fields: Fields) -> Self {
        Self(fields)
    }
}

impl fmt::Debug for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skill")
            .field("name", &self.0.name)
            .field("description", &self.0.description)
            .field("resources", &self.0.resources)
            .finish_non_exhaustive()
    }
}
