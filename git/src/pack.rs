//! Turns untrusted packs into hashed objects in one pass, without files and within limits.
//!
//! Every entry is inflated once. Deltas wait until their base is known and are then applied from
//! the base outward, so that neither the order of entries nor the length of delta chains matters.

use std::collections::{HashMap, HashSet};

use gix::objs::Kind;
use gix::odb::pack::data::{self, Entry, entry::Header};
use gix::zlib::{Decompress, FlushDecompress, Status};
use helix_skills_format::ObjectId;

use super::delta;
use super::ids::{SHA1, from_gix};
use super::objects::Objects;

/// Limits of one pack. Objects larger than [`Objects::largest`] allows are omitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackLimits {
    /// Number of objects.
    pub(super) objects: u64,
    /// Total bytes of all objects and deltas, including omitted ones, because inflating them takes
    /// time too.
    pub(super) total_bytes: u64,
}

/// Why a pack is rejected.
#[derive(Debug)]
pub(super) enum PackError {
    /// More than [`PackLimits::objects`].
    TooManyObjects,
    /// More than [`PackLimits::total_bytes`].
    TooManyBytes,
    /// The data is not a pack, or contradicts itself.
    Corrupt(String),
}

fn corrupt(problem: impl Into<String>) -> PackError {
    PackError::Corrupt(problem.into())
}

fn collision() -> PackError {
    corrupt("it contains a SHA-1 collision attack")
}

/// Returns a hasher for the id of an object that arrives in pieces.
fn object_hasher(kind: Kind, size: u64) -> gix::hash::Hasher {
    let mut hasher = gix::hash::hasher(SHA1);
    hasher.update(&gix::objs::encode::loose_header(kind, size));
    hasher
}

/// Reads the number of objects from the first bytes of a pack; `None` if there are too few bytes.
pub(super) fn count_objects(pack: &[u8]) -> Result<Option<u64>, PackError> {
    let Some(header) = pack.first_chunk::<{ data::header::SIZE }>() else { return Ok(None) };
    match data::header::decode(header) {
        Ok((_, count)) => Ok(Some(u64::from(count))),
        Err(_) => Err(corrupt("it has no valid pack header")),
    }
}

/// Reads all objects of a pack into `objects`. Returns their number.
pub(super) fn ingest(
    pack: &[u8],
    limits: &PackLimits,
    objects: &mut Objects,
) -> Result<u64, PackError> {
    let count = count_objects(pack)?.ok_or_else(|| corrupt("the pack is truncated"))?;
    if count > limits.objects {
        return Err(PackError::TooManyObjects);
    }
    let end = pack.len().checked_sub(SHA1.len_in_bytes()).filter(|end| *end >= data::header::SIZE);
    let end = end.ok_or_else(|| corrupt("the pack is truncated"))?;
    let (entries, trailer) = pack.split_at(end);
    let mut hasher = gix::hash::hasher(SHA1);
    hasher.update(entries);
    let sum = hasher.try_finalize().map_err(|_| corrupt("the pack is a SHA-1 collision attack"))?;
    if sum.as_slice() != trailer {
        return Err(corrupt("the checksum of the pack is wrong"));
    }
    let mut unpack = Unpack {
        pack: entries,
        limits,
        objects,
        total: 0,
        places: HashSet::new(),
        settled: Vec::new(),
        waiting_at: HashMap::new(),
        waiting_for: HashMap::new(),
        inflate: Decompress::new(),
        piece: vec![0; 64 << 10],
    };
    unpack.read_entries(count)?;
    Ok(count)
}

/// An inflated delta that waits for its base, and its place.
type PendingDelta = (u64, Vec<u8>);

struct Unpack<'a> {
    pack: &'a [u8],
    limits: &'a PackLimits,
    objects: &'a mut Objects,
    total: u64,
    /// Offsets of the entries in the pack.
    places: HashSet<u64>,
    /// The offsets of the entries that do not wait for another one, with their ids, which are known
    /// unless a delta or a base was too large.
    settled: Vec<(u64, Option<ObjectId>)>,
    waiting_at: HashMap<u64, Vec<PendingDelta>>,
    waiting_for: HashMap<ObjectId, Vec<PendingDelta>>,
    inflate: Decompress,
    /// The last inflated bytes.
    piece: Vec<u8>,
}

impl Unpack<'_> {
    fn read_entries(&mut self, count: u64) -> Result<(), PackError> {
        let mut place = data::header::SIZE as u64;
        for _ in 0..count {
            let entry = self.entry(place)?;
            self.total += entry.decompressed_size;
            let used = match entry.header.as_kind() {
                Some(kind) => self.read_whole(kind, place, &entry)?,
                None => self.read_delta(place, &entry)?,
            };
            self.places.insert(place);
            place = entry.data_offset + used;
        }
        if place != self.pack.len() as u64 {
            return Err(corrupt("the pack contains more data than objects"));
        }
        for (place, id) in std::mem::take(&mut self.settled) {
            self.resolve_pending(place, id)?;
        }
        // Deltas based on an omitted object cannot be built. Without omitted objects, a waiting
        // delta has a missing base or is part of a cycle.
        let is_waiting = !self.waiting_at.is_empty() || !self.waiting_for.is_empty();
        if is_waiting && !self.objects.is_incomplete() {
            return Err(corrupt("deltas of the pack have no base"));
        }
        Ok(())
    }

    fn entry(&self, place: u64) -> Result<Entry, PackError> {
        let bytes = usize::try_from(place)
            .ok()
            .and_then(|place| self.pack.get(place..))
            .unwrap_or_default();
        let entry = Entry::from_bytes(bytes, place, SHA1);
        let entry =
            entry.map_err(|_| corrupt(format!("the pack has no valid entry at byte {place}")))?;
        self.check_total(entry.decompressed_size)?;
        Ok(entry)
    }

    fn check_total(&self, more: u64) -> Result<(), PackError> {
        let total = self.total.saturating_add(more);
        if total > self.limits.total_bytes { Err(PackError::TooManyBytes) } else { Ok(()) }
    }

    /// Reads an object that is not a delta. Returns its length in the pack.
    fn read_whole(&mut self, kind: Kind, place: u64, entry: &Entry) -> Result<u64, PackError> {
        if entry.decompressed_size > self.objects.largest(kind) {
            let (id, used) = self.leave_out(kind, place, entry)?;
            self.objects.leave_out(Some((id, kind)));
            self.settled.push((place, Some(id)));
            return Ok(used);
        }
        let (data, used) = self.inflate(place, entry)?;
        let id = self.objects.insert(kind, data).map_err(|_| collision())?;
        self.settled.push((place, Some(id)));
        Ok(used)
    }

    fn read_delta(&mut self, place: u64, entry: &Entry) -> Result<u64, PackError> {
        // A delta has the kind of its base, which may not be known yet.
        if entry.decompressed_size > self.objects.largest(Kind::Tree) {
            // The result is hardly smaller. Its id is unknown until its base is known.
            self.objects.leave_out(None);
            let (_, used) = self.leave_out(Kind::Blob, place, entry)?;
            self.settled.push((place, None));
            return Ok(used);
        }
        let (delta, used) = self.inflate(place, entry)?;
        let waiting = (place, delta);
        match entry.header {
            Header::OfsDelta { base_distance } => {
                // Bases precede their deltas in the pack, so an unknown offset will never be one.
                let base =
                    place.checked_sub(base_distance).filter(|base| self.places.contains(base));
                let base = base.ok_or_else(|| {
                    corrupt(format!("the delta at byte {place} of the pack has no base"))
                })?;
                self.waiting_at.entry(base).or_default().push(waiting);
            }
            Header::RefDelta { base_id } => {
                self.waiting_for.entry(from_gix(&base_id)).or_default().push(waiting)
            }
            _ => {}
        }
        Ok(used)
    }

    /// Inflates an entry whose size was checked.
    fn inflate(&mut self, place: u64, entry: &Entry) -> Result<(Vec<u8>, u64), PackError> {
        let size = usize::try_from(entry.decompressed_size).map_err(|_| PackError::TooManyBytes)?;
        let mut data = Vec::with_capacity(size);
        let used = self.each_piece(place, entry, |piece| data.extend_from_slice(piece))?;
        Ok((data, used))
    }

    /// Inflates an entry that is too large to keep, to compute its id and find its end.
    fn leave_out(
        &mut self,
        kind: Kind,
        place: u64,
        entry: &Entry,
    ) -> Result<(ObjectId, u64), PackError> {
        let mut hasher = object_hasher(kind, entry.decompressed_size);
        let used = self.each_piece(place, entry, |piece| hasher.update(piece))?;
        let id = from_gix(&hasher.try_finalize().map_err(|_| collision())?);
        Ok((id, used))
    }

    /// Inflates an entry in pieces. Returns its length in the pack.
    fn each_piece(
        &mut self,
        place: u64,
        entry: &Entry,
        mut take: impl FnMut(&[u8]),
    ) -> Result<u64, PackError> {
        // In bounds, because the header before it was read.
        let body = &self.pack[entry.data_offset as usize..];
        let size = entry.decompressed_size;
        let broken = || corrupt(format!("the entry at byte {place} of the pack is damaged"));
        let inflate = &mut self.inflate;
        inflate.reset();
        loop {
            let (used, written) = (inflate.total_in() as usize, inflate.total_out());
            let status = inflate
                .decompress(&body[used..], &mut self.piece, FlushDecompress::None)
                .map_err(|_| broken())?;
            let fresh = inflate.total_out() - written;
            if inflate.total_out() > size {
                return Err(broken());
            }
            take(&self.piece[..fresh as usize]);
            match status {
                Status::StreamEnd if inflate.total_out() == size => return Ok(inflate.total_in()),
                Status::StreamEnd => return Err(broken()),
                _ if fresh == 0 && inflate.total_in() as usize == used => return Err(broken()),
                _ => {}
            }
        }
    }

    /// Builds all deltas that wait for an entry, then those that wait for the results, and so on.
    fn resolve_pending(&mut self, place: u64, id: Option<ObjectId>) -> Result<(), PackError> {
        let mut next = vec![(place, id)];
        while let Some((place, id)) = next.pop() {
            let mut ready = self.waiting_at.remove(&place).unwrap_or_default();
            if let Some(id) = id {
                ready.append(&mut self.waiting_for.remove(&id).unwrap_or_default());
            }
            for (place, delta) in ready {
                let built = id.map(|base| self.build(&base, place, &delta)).transpose()?;
                next.push((place, built.flatten()));
            }
        }
        Ok(())
    }

    /// Builds an object from a delta. Returns its id; `None` if the base was left out.
    fn build(
        &mut self,
        base: &ObjectId,
        place: u64,
        delta: &[u8],
    ) -> Result<Option<ObjectId>, PackError> {
        let Some(base) = self.objects.get(base) else { return Ok(None) };
        let broken = || corrupt(format!("the delta at byte {place} of the pack is damaged"));
        let (_, size) = delta::sizes(delta).map_err(|_| broken())?;
        self.check_total(size)?;
        self.total += size;
        let kind = base.kind;
        if size > self.objects.largest(kind) {
            let mut hasher = object_hasher(kind, size);
            delta::each_piece(&base.data, delta, |piece| hasher.update(piece))
                .map_err(|_| broken())?;
            let id = from_gix(&hasher.try_finalize().map_err(|_| collision())?);
            self.objects.leave_out(Some((id, kind)));
            return Ok(Some(id));
        }
        let data = delta::apply(&base.data, delta).map_err(|_| broken())?;
        let id = self.objects.insert(kind, data).map_err(|_| collision())?;
        Ok(Some(id))
    }
}
