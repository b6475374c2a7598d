//! A skill as the extension lists it.

use crate::{
    files::{SKILL_MD, digest, mime_type},
    frontmatter, uri,
};
use helix_skills_runtime::{__private::skill_md_text, Resource as SkillFile, Skill};
use rmcp::model::{
    DIRECTORY_MIME_TYPE, Resource, Skill as SkillEntry, SkillResource, SkillResources,
};
use std::collections::BTreeMap;

/// Maximum number of files of one skill that clients have to load.
const MAX_FILES: usize = 512;
/// Maximum number of bytes of one skill that clients have to load.
const MAX_BYTES: u64 = 16 << 20;

/// A skill that the extension can express.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The name of the skill in the toolbox.
    pub(crate) name: String,
    /// The URI of its directory.
    directory: String,
    pub(crate) skill: SkillEntry,
    /// All files, by their URIs.
    files: BTreeMap<String, File>,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct File {
    pub(crate) path: String,
    /// `None` if the content differs between reads.
    pub(crate) digest: Option<String>,
    pub(crate) size: u64,
}

impl File {
    /// Describes a file that is in memory.
    pub(crate) fn new(path: &str, bytes: &[u8], known: Option<&str>) -> Self {
        let digest = known.map_or_else(|| digest(bytes), str::to_owned);
        Self { path: path.to_owned(), digest: Some(digest), size: bytes.len() as u64 }
    }

    pub(crate) fn skill_md(skill: &Skill) -> Self {
        let text = skill_md_text(skill);
        let known = skill.skill_md_digest().map(str::to_owned);
        let digest = known.unwrap_or_else(|| digest(text.concat().as_bytes()));
        let size = text.iter().map(|piece| piece.len() as u64).sum();
        Self { path: SKILL_MD.to_owned(), digest: Some(digest), size }
    }

    pub(crate) fn resource(file: &SkillFile) -> Self {
        match file.is_lazy() {
            true => Self { path: file.path().to_owned(), digest: None, size: 0 },
            false => Self::new(file.path(), file.bytes(), file.digest()),
        }
    }
}

impl Entry {
    /// Lists a skill with these files, in any order.
    ///
    /// # Errors
    /// Why the extension cannot express the skill.
    pub(crate) fn new(skill: &Skill, files: Vec<File>) -> Result<Self, String> {
        check_limits(files.len(), files.iter().map(|file| file.size).sum())?;
        let frontmatter = frontmatter::read(&skill_md_text(skill).concat())?;
        // The last segment has to be the author's name. A renamed skill gets its own name before
        // it, which no other skill has.
        let path = match frontmatter.name == skill.name() {
            true => frontmatter.name.clone(),
            false => format!("{}/{}", skill.name(), frontmatter.name),
        };
        let directory = uri::directory(&path);
        let files: BTreeMap<String, File> =
            files.into_iter().map(|file| (uri::file(&directory, &file.path), file)).collect();
        let resources = files
            .iter()
            .map(|(uri, file)| Some(SkillResource::new(uri, file.digest.clone()?, file.size)))
            .collect::<Option<Vec<_>>>()
            .map_or(SkillResources::Dynamic, SkillResources::Files);
        let entry = SkillEntry::new(uri::file(&directory, SKILL_MD), frontmatter, resources);
        entry.validate().map_err(|error| error.to_string())?;
        Ok(Self { name: skill.name().to_owned(), directory, skill: entry, files })
    }

    /// Returns the path of the file with a URI.
    pub(crate) fn path(&self, uri: &str) -> Option<&str> {
        self.files.get(uri).map(|file| &*file.path)
    }

    /// Returns the `SKILL.md` as a resource.
    pub(crate) fn resource(&self) -> Resource {
        let frontmatter = &self.skill.frontmatter;
        let resource = self.file(&self.skill.uri, &self.files[&self.skill.uri], &frontmatter.name);
        resource.with_description(&frontmatter.description)
    }

    fn file(&self, uri: &str, file: &File, name: &str) -> Resource {
        let mut resource = Resource::new(uri, name);
        resource.mime_type = mime_type(&file.path).map(Into::into);
        let is_known = self.skill.resources != SkillResources::Dynamic;
        resource.size = is_known.then_some(file.size);
        resource
    }

    /// Returns the files and directories directly in the directory with a URI, with or without a
    /// slash at its end; `None` if there is no such directory.
    pub(crate) fn children(&self, uri: &str) -> Option<Vec<Resource>> {
        let directory = uri.strip_suffix('/').unwrap_or(uri);
        let rest = directory.strip_prefix(&*self.directory)?;
        if !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        let mut children = BTreeMap::new();
        for (uri, file) in &self.files {
            let Some(below) = uri.strip_prefix(directory).and_then(|uri| uri.strip_prefix('/'))
            else {
                continue;
            };
            let depth = below.matches('/').count();
            let name = file.path.rsplit('/').nth(depth).unwrap_or_default();
            let child = match below.split_once('/') {
                None => self.file(uri, file, name),
                Some((encoded, _)) => Resource::new(format!("{directory}/{encoded}"), name)
                    .with_mime_type(DIRECTORY_MIME_TYPE),
            };
            children.insert(child.uri.clone(), child);
        }
        (!children.is_empty()).then(|| children.into_values().collect())
    }
}

/// Checks the limits of what clients have to load.
///
/// # Errors
/// Which limit the skill exceeds.
pub(crate) fn check_limits(files: usize, bytes: u64) -> Result<(), String> {
    if files > MAX_FILES {
        return Err(format!(
            "it has {files} files, and clients need not load more than {MAX_FILES}"
        ));
    }
    if bytes > MAX_BYTES {
        return Err(format!(
            "it has {bytes} bytes, and clients need not load more than {MAX_BYTES}"
        ));
    }
    Ok(())
}
