//! Skills that were read and verified.

use crate::problem::{Arguments, Problem};
use helix_skills_format::{
    __internal::{invisible, skill_md::Rules},
    Code, Digest, Finding, RelPath, SkillMd, SkillName,
};
use helix_skills_runtime::__private::{is_neutral, is_plain};
use helix_skills_runtime::{IndexOptions, Skill};
use proc_macro2::TokenStream;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The data that one call bakes.
#[derive(Default)]
pub(crate) struct Bake {
    /// Files whose change has to rerun the macro, in addition to those of the skills.
    pub(crate) tracked: Vec<PathBuf>,
    /// The verified skills, in any order.
    pub(crate) skills: Vec<BakedSkill>,
    /// The invalid skills, with the files that they should have, as far as these are known.
    pub(crate) unverified: BTreeMap<SkillName, Vec<RelPath>>,
    /// The names of the skills whose bodies are in the catalog, sorted.
    pub(crate) preloaded: Vec<String>,
    /// The options of the search index.
    pub(crate) search: IndexOptions,
    /// The errors of the call.
    pub(crate) problems: Vec<Problem>,
}

/// Maximum number of problems that one call reports. Each is a compile error of several lines.
const MAX_PROBLEMS: usize = 100;

impl Bake {
    /// Returns the compile errors of the problems.
    pub(crate) fn errors(&self, arguments: Arguments) -> TokenStream {
        let more = self.problems.len().saturating_sub(MAX_PROBLEMS);
        let more = (more > 0).then(|| Problem::new(format!("{more} more problems are not shown")));
        self.problems
            .iter()
            .take(MAX_PROBLEMS)
            .chain(&more)
            .map(|problem| problem.tokens(arguments))
            .collect()
    }
}

/// A verified skill.
pub(crate) struct BakedSkill {
    pub(crate) name: SkillName,
    /// The skill without its files.
    pub(crate) skill: Skill,
    /// Its `SKILL.md`.
    pub(crate) file: PathBuf,
    /// The digest of `file`, if a listing has it.
    pub(crate) digest: Option<Digest>,
    /// Sorted by path.
    pub(crate) resources: Vec<BakedResource>,
    /// Findings of invisible text in its files, allowed or not.
    pub(crate) invisible: Vec<Finding>,
    pub(crate) origin: Origin,
}

/// One file other than `SKILL.md`, embedded by its path.
pub(crate) struct BakedResource {
    pub(crate) path: RelPath,
    pub(crate) file: PathBuf,
    pub(crate) len: usize,
    pub(crate) kind: ContentKind,
    /// Its digest, if a listing has it.
    pub(crate) digest: Option<Digest>,
}

/// Properties of a file that are determined at compile time, so that reading it is faster.
#[derive(Clone, Copy)]
pub(crate) enum ContentKind {
    Binary,
    Text,
    /// Text without a NUL in the range that the runtime checks.
    Plain,
    /// Plain text in which nothing has to be escaped.
    Neutral,
}

impl ContentKind {
    pub(crate) fn detect(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Err(_) => Self::Binary,
            Ok(text) if !is_plain(text) => Self::Text,
            Ok(text) if !is_neutral(text) => Self::Plain,
            Ok(_) => Self::Neutral,
        }
    }
}

/// Where a skill comes from.
#[derive(Default)]
pub(crate) struct Origin {
    pub(crate) source: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) commit: Option<String>,
    pub(crate) path: String,
    pub(crate) integrity: Option<String>,
}

/// The files of a skill that were read.
#[derive(Default)]
pub(crate) struct Files {
    /// `SKILL.md`: its path, its bytes, and its digest if a listing has it.
    pub(crate) skill_md: Option<(PathBuf, Vec<u8>, Option<Digest>)>,
    resources: Vec<BakedResource>,
    invisible: Vec<Finding>,
}

impl Files {
    /// Adds a file, in the order of paths.
    pub(crate) fn add(
        &mut self,
        path: RelPath,
        file: PathBuf,
        bytes: Vec<u8>,
        digest: Option<Digest>,
    ) {
        let found = invisible::check_file(&path, &bytes).into_iter();
        self.invisible.extend(found.filter(|found| found.code == Code::InvisibleText));
        if SkillMd::is_file_name(&path) && self.skill_md.is_none() {
            self.skill_md = Some((file, bytes, digest));
        } else {
            let (len, kind) = (bytes.len(), ContentKind::detect(&bytes));
            self.resources.push(BakedResource { path, file, len, kind, digest });
        }
    }

    /// Parses `SKILL.md` by `rules`. `directory` is the name of the skill if the frontmatter has
    /// none, and `problem` describes a finding in the file.
    pub(crate) fn bake(
        self,
        directory: &str,
        rules: Rules<'_>,
        origin: Origin,
        problem: &dyn Fn(&Path, &Finding) -> Problem,
    ) -> Result<BakedSkill, Vec<Problem>> {
        let Self { skill_md, resources, invisible } = self;
        let Some((file, bytes, digest)) = skill_md else { return Err(Vec::new()) };
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("SKILL.md");
        let parsed = SkillMd::parse_as(&bytes, Some(directory), name, rules);
        let md = match parsed {
            Ok(parsed) => parsed.value,
            Err(findings) => {
                return Err(findings.iter().map(|found| problem(&file, found)).collect());
            }
        };
        // The parser refuses text that is not UTF-8.
        let skill = md.to_skill(std::str::from_utf8(&bytes).unwrap_or_default());
        Ok(BakedSkill { name: md.name, skill, file, digest, resources, invisible, origin })
    }
}
