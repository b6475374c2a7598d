//! Git objects and packs written byte by byte, including ones that git would not write.

use gix::{
    hash::Kind as Hash,
    objs::Kind,
    zlib::{Compression, stream::deflate},
};
use std::io::Write as _;

/// Returns the bytes of a tree exactly as given. Each entry has a mode (`100644`, `120000`,
/// `40000`, `160000`), a name and an object id.
///
/// # Panics
/// If an id is not a valid object id.
#[must_use]
pub fn tree(entries: &[(&str, &[u8], &str)]) -> Vec<u8> {
    let mut tree = Vec::new();
    let mut last = ("", None);
    for (mode, name, id) in entries {
        // Large trees often repeat the same id.
        if last.0 != *id {
            last = (id, Some(gix::ObjectId::from_hex(id.as_bytes()).expect("an id")));
        }
        tree.extend_from_slice(mode.as_bytes());
        tree.push(b' ');
        tree.extend_from_slice(name);
        tree.push(0);
        tree.extend_from_slice(last.1.as_ref().expect("an id").as_slice());
    }
    tree
}

/// Returns the bytes of a commit without parents.
#[must_use]
pub fn commit(tree: &str) -> Vec<u8> {
    let person = "Upstream <upstream@example.invalid> 1700000000 +0000";
    format!("tree {tree}\nauthor {person}\ncommitter {person}\n\n").into_bytes()
}

/// Returns the id of an object in hexadecimal digits.
///
/// # Panics
/// If the bytes are a SHA-1 collision.
#[must_use]
pub fn id(kind: Kind, data: &[u8]) -> String {
    gix::objs::compute_hash(Hash::Sha1, kind, data).expect("no collision").to_string()
}

/// A delta of copies and insertions.
///
/// ```
/// use helix_skills_tests::forged::Delta;
/// let delta = Delta::new(5, 9).copy(0, 5).insert(b" too").bytes();
/// assert_eq!(delta, b"\x05\x09\x90\x05\x04 too");
/// ```
#[derive(Clone, Debug)]
pub struct Delta(Vec<u8>);

impl Delta {
    /// Creates a delta that claims these sizes for its base and its result.
    #[must_use]
    pub fn new(base: u64, result: u64) -> Self {
        let mut bytes = Vec::new();
        for mut size in [base, result] {
            while size > 0x7f {
                bytes.push(size as u8 | 0x80);
                size >>= 7;
            }
            bytes.push(size as u8);
        }
        Self(bytes)
    }

    /// Copies a part of the base.
    #[must_use]
    pub fn copy(mut self, offset: u32, length: u32) -> Self {
        let mut instruction = 0x80;
        let mut numbers = Vec::new();
        for (bit, byte) in offset.to_le_bytes().iter().chain(&length.to_le_bytes()[..3]).enumerate()
        {
            if *byte != 0 {
                instruction |= 1 << bit;
                numbers.push(*byte);
            }
        }
        self.0.push(instruction);
        self.0.extend(numbers);
        self
    }

    /// Inserts up to 127 bytes.
    ///
    /// # Panics
    /// If there are more.
    #[must_use]
    pub fn insert(mut self, bytes: &[u8]) -> Self {
        self.0.push(
            u8::try_from(bytes.len())
                .ok()
                .filter(|length| *length < 128)
                .expect("less than 128 bytes"),
        );
        self.0.extend(bytes);
        self
    }

    /// Returns the bytes of the delta.
    #[must_use]
    pub fn bytes(self) -> Vec<u8> {
        self.0
    }
}

/// A pack that is written entry by entry.
#[derive(Clone, Debug)]
pub struct Pack {
    bytes: Vec<u8>,
    count: u32,
}

impl Default for Pack {
    fn default() -> Self {
        Self::new()
    }
}

impl Pack {
    /// Creates a pack without entries.
    #[must_use]
    pub fn new() -> Self {
        Self { bytes: b"PACK\0\0\0\x02\0\0\0\0".to_vec(), count: 0 }
    }

    /// Adds a blob and returns its id.
    pub fn blob(&mut self, data: &[u8]) -> String {
        self.entry(3, data.len() as u64, &[], data);
        id(Kind::Blob, data)
    }

    /// Adds a tree exactly as given and returns its id.
    pub fn tree(&mut self, entries: &[(&str, &[u8], &str)]) -> String {
        let data = tree(entries);
        self.entry(2, data.len() as u64, &[], &data);
        id(Kind::Tree, &data)
    }

    /// Adds a commit of a tree and returns its id.
    pub fn commit(&mut self, tree: &str) -> String {
        let data = commit(tree);
        self.entry(1, data.len() as u64, &[], &data);
        id(Kind::Commit, &data)
    }

    /// Adds a commit with this tree as `skills/NAME` and returns the commit's id.
    pub fn commit_skill(&mut self, name: &str, tree: &str) -> String {
        let skills = self.tree(&[("40000", name.as_bytes(), tree)]);
        let root = self.tree(&[("40000", b"skills", &skills)]);
        self.commit(&root)
    }

    /// Adds a delta whose base is the object with this id.
    ///
    /// # Panics
    /// If the id is not a valid object id.
    pub fn ref_delta(&mut self, base: &str, delta: Delta) {
        let base = gix::ObjectId::from_hex(base.as_bytes()).expect("an id");
        let delta = delta.bytes();
        self.entry(7, delta.len() as u64, base.as_slice(), &delta);
    }

    /// Adds a delta whose base starts `distance` bytes before it.
    pub fn ofs_delta(&mut self, distance: u64, delta: Delta) {
        let mut digits = vec![(distance & 0x7f) as u8];
        let mut rest = distance >> 7;
        while rest > 0 {
            rest -= 1;
            digits.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        digits.reverse();
        let delta = delta.bytes();
        self.entry(6, delta.len() as u64, &digits, &delta);
    }

    /// Adds an entry: its type, the size it claims, the bytes between header and data, and the
    /// data, which is compressed.
    pub fn entry(&mut self, kind: u8, size: u64, extra: &[u8], data: &[u8]) {
        let mut rest = size >> 4;
        let mut byte = kind << 4 | (size & 15) as u8;
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        self.bytes.push(byte);
        self.bytes.extend(extra);
        self.bytes.extend(deflated(data));
        self.count += 1;
    }

    /// Returns the current length, which is the offset of the next entry.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the pack with its checksum.
    #[must_use]
    pub fn finish(&self) -> Vec<u8> {
        self.with_claimed_count(self.count)
    }

    /// Returns the pack with a header that claims `count` entries.
    ///
    /// # Panics
    /// If the bytes are a SHA-1 collision.
    #[must_use]
    pub fn with_claimed_count(&self, count: u32) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[8..12].copy_from_slice(&count.to_be_bytes());
        let mut hasher = gix::hash::hasher(Hash::Sha1);
        hasher.update(&bytes);
        bytes.extend(hasher.try_finalize().expect("no collision").as_slice());
        bytes
    }
}

fn deflated(data: &[u8]) -> Vec<u8> {
    let mut out = deflate::Write::new(Vec::new(), Compression::DEFAULT);
    out.write_all(data).and_then(|()| out.flush()).expect("memory takes everything");
    out.into_inner()
}
