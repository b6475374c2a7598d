//! A locked skill.

use super::object_id;
use crate::{
    DirPath, Integrity, Listing, ObjectId, RelPath, Source, SourceKey,
    json::{Reader, Tree, Value},
};
use std::collections::{BTreeMap, BTreeSet};

/// A locked skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockedSkill {
    /// The source of the skill.
    pub source: SourceKey,
    /// Its directory, relative to the root of its repository or of the `path` source.
    pub path: DirPath,
    /// The git tree of that directory; only for skills of repositories.
    pub tree: Option<ObjectId>,
    /// The digest of its listing.
    pub integrity: Integrity,
    /// Number of files.
    pub files: u64,
    /// Total size of the files in bytes.
    pub bytes: u64,
    /// Links whose target is outside the skill's tree: path in the skill, and the object that
    /// replaces the link.
    pub links: BTreeMap<RelPath, ObjectId>,
    /// The executable files of the skill, by their paths in it. Absent for skills of `path`
    /// sources, whose files are used in place, and in lockfiles written before this field existed.
    ///
    /// Executable bits are not part of the listing's digests.
    pub executable: Option<BTreeSet<RelPath>>,
}

impl LockedSkill {
    /// Creates a skill at `path` of `source` with the files of `listing`, `bytes` bytes in total,
    /// and without `tree`, `links` and `executable`.
    #[doc(hidden)]
    #[must_use]
    pub fn new(source: SourceKey, path: DirPath, listing: &Listing, bytes: u64) -> Self {
        let (integrity, files) = (listing.integrity(), listing.len() as u64);
        Self {
            source,
            path,
            tree: None,
            integrity,
            files,
            bytes,
            links: BTreeMap::new(),
            executable: None,
        }
    }

    pub(super) fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a locked skill")?;
        let source = fields.require_parsed(reader, "source", None, SourceKey::new);
        let path = fields.require_parsed(reader, "path", None, DirPath::new);
        let integrity = fields.require_parsed(reader, "integrity", None, str::parse);
        let files = fields.require(reader, "files").and_then(|v| reader.number(v, "`files`"));
        let bytes = fields.require(reader, "bytes").and_then(|v| reader.number(v, "`bytes`"));
        let tree = fields.parsed(reader, "tree", object_id)?;
        let mut links = BTreeMap::new();
        if let Some(value) = fields.take("links") {
            for (path, at, id) in reader.object(value, "`links`")?.entries() {
                let path =
                    reader.checked(path, at, "the path of a link", |text| RelPath::new(text))?;
                links.insert(path, reader.parsed(id, "the object of a link", object_id)?);
            }
        }
        let what = "the path of an executable file";
        let executable =
            fields.parsed_set(reader, "executable", what, |text| RelPath::new(text))?;
        fields.finish(reader);
        let (source, path, integrity, files, bytes) = (source?, path?, integrity?, files?, bytes?);
        Some(Self { source, path, tree, integrity, files, bytes, links, executable })
    }

    /// Reports keys that a skill of this kind of source must have or must not have.
    pub(super) fn check_source(&self, reader: &mut Reader<'_>, at: usize, entry: &Source) {
        let of_repository = entry.url().is_some();
        if of_repository && self.tree.is_none() {
            reader.needs_key(at, "a skill of a repository", "tree");
        }
        if !of_repository && (self.tree.is_some() || !self.links.is_empty()) {
            let what = format!("a skill of a `{}` source", entry.type_name());
            reader.cannot_have(at, &what, "`tree` or `links`");
        }
        if self.executable.is_some() && entry.directory().is_some() {
            reader.cannot_have(at, "a skill of a `path` source", "`executable`");
        }
    }

    pub(super) fn to_tree(&self) -> Tree {
        let links = self.links.iter().map(|(path, id)| (path.as_str(), Tree::text(id)));
        Tree::present(vec![
            ("bytes", Some(Tree::from(self.bytes))),
            ("executable", self.executable.as_ref().map(Tree::texts)),
            ("files", Some(Tree::from(self.files))),
            ("integrity", Some(Tree::text(&self.integrity))),
            ("links", (!self.links.is_empty()).then(|| Tree::object(links))),
            ("path", Some(Tree::text(&self.path))),
            ("source", Some(Tree::text(&self.source))),
            ("tree", self.tree.as_ref().map(Tree::text)),
        ])
    }
}
