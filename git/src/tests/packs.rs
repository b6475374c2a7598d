//! Handmade packs.

use std::io::Write as _;

use gix::objs::Kind;
use helix_skills_format::ObjectId;

use super::fixture::noise;
use crate::ids::{SHA1, from_gix};
use crate::objects::Objects;
use crate::pack::{PackError, PackLimits, ingest};

const LIMITS: PackLimits = PackLimits { objects: 100, total_bytes: 100_000 };

fn empty() -> Objects {
    Objects::new("test".into(), 10_000)
}

/// Writes packs entry by entry.
struct Pack {
    bytes: Vec<u8>,
    count: u32,
}

impl Pack {
    fn new() -> Self {
        Self { bytes: b"PACK\0\0\0\x02\0\0\0\0".to_vec(), count: 0 }
    }

    /// Writes an entry: type and size in the header, the bytes between header and data, and the
    /// data. Returns its offset.
    fn entry(&mut self, kind: u8, size: usize, extra: &[u8], data: &[u8]) -> usize {
        let place = self.bytes.len();
        let mut rest = size >> 4;
        let mut byte = kind << 4 | (size & 15) as u8;
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        self.bytes.push(byte);
        self.bytes.extend_from_slice(extra);
        self.bytes.extend_from_slice(&deflate(data));
        self.count += 1;
        place
    }

    fn blob(&mut self, data: &[u8]) -> usize {
        self.entry(3, data.len(), &[], data)
    }

    fn ref_delta(&mut self, base: &ObjectId, delta: &[u8]) {
        self.entry(7, delta.len(), base.as_bytes(), delta);
    }

    /// Writes a delta whose base is `distance` bytes (below 128) before it.
    fn ofs_delta(&mut self, distance: usize, delta: &[u8]) {
        self.entry(6, delta.len(), &[u8::try_from(distance).unwrap()], delta);
    }

    fn done(mut self) -> Vec<u8> {
        self.bytes[8..12].copy_from_slice(&self.count.to_be_bytes());
        let mut hasher = gix::hash::hasher(SHA1);
        hasher.update(&self.bytes);
        self.bytes.extend_from_slice(hasher.try_finalize().unwrap().as_slice());
        self.bytes
    }
}

fn deflate(data: &[u8]) -> Vec<u8> {
    let mut out =
        gix::zlib::stream::deflate::Write::new(Vec::new(), gix::zlib::Compression::DEFAULT);
    out.write_all(data).unwrap();
    out.flush().unwrap();
    out.into_inner()
}

fn blob_id(data: &[u8]) -> ObjectId {
    from_gix(&gix::objs::compute_hash(SHA1, Kind::Blob, data).unwrap())
}

/// Returns a delta that keeps a base of less than 128 bytes and appends to it.
fn append(base: &[u8], text: &[u8]) -> Vec<u8> {
    let length = |n: usize| u8::try_from(n).ok().filter(|n| *n < 128).unwrap();
    let mut delta = vec![length(base.len()), length(base.len() + text.len())];
    if !base.is_empty() {
        delta.extend_from_slice(&[0x90, length(base.len())]);
    }
    delta.push(length(text.len()));
    delta.extend_from_slice(text);
    delta
}

fn problem(pack: &[u8]) -> String {
    match ingest(pack, &LIMITS, &mut empty()) {
        Err(PackError::Corrupt(problem)) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn deltas_find_their_bases_in_any_order() {
    let (one, two, three, four) = (b"one", b"one two", b"one two three", b"one two three four");
    let mut pack = Pack::new();
    pack.ref_delta(&blob_id(three), &append(three, b" four"));
    pack.ref_delta(&blob_id(two), &append(two, b" three"));
    let place = pack.blob(one);
    let distance = pack.bytes.len() - place;
    pack.ofs_delta(distance, &append(one, b" two"));
    let place = pack.bytes.len();
    pack.blob(b"");
    let distance = pack.bytes.len() - place;
    pack.ofs_delta(distance, &append(b"", b"from nothing"));
    let mut objects = empty();
    assert_eq!(ingest(&pack.done(), &LIMITS, &mut objects).unwrap(), 6);
    for data in [&one[..], two, three, four, b"", b"from nothing"] {
        assert_eq!(objects.get(&blob_id(data)).unwrap().data, data);
    }
    assert!(!objects.is_incomplete());
}

#[test]
fn a_long_chain_of_forward_deltas_takes_no_stack() {
    const LENGTH: usize = 3_000;
    let texts: Vec<Vec<u8>> = (0..LENGTH).map(|n| format!("text {n:06}").into_bytes()).collect();
    let mut pack = Pack::new();
    for n in (1..LENGTH).rev() {
        let mut delta = vec![11, 11, 11];
        delta.extend_from_slice(&texts[n]);
        pack.ref_delta(&blob_id(&texts[n - 1]), &delta);
    }
    pack.blob(&texts[0]);
    let limits = PackLimits { objects: 10_000, ..LIMITS };
    let mut objects = empty();
    ingest(&pack.done(), &limits, &mut objects).unwrap();
    assert!(texts.iter().all(|text| objects.has(&blob_id(text))));
}

#[test]
fn deltas_without_a_base() {
    let mut cycle = Pack::new();
    cycle.ref_delta(&blob_id(b"ab"), &append(b"ab", b"c"));
    cycle.ref_delta(&blob_id(b"abc"), &append(b"a", b"b"));
    assert_eq!(problem(&cycle.done()), "deltas of the pack have no base");

    let mut pack = Pack::new();
    pack.ref_delta(&blob_id(b"elsewhere"), &append(b"elsewhere", b"!"));
    assert_eq!(problem(&pack.done()), "deltas of the pack have no base");

    for distance in [0, 1, 100] {
        let mut pack = Pack::new();
        pack.blob(b"base");
        pack.ofs_delta(distance, &append(b"base", b"!"));
        assert!(problem(&pack.done()).contains("has no base"), "{distance}");
    }

    let mut pack = Pack::new();
    pack.blob(b"base");
    pack.ref_delta(&blob_id(b"base"), &append(b"longer base", b"!"));
    assert!(problem(&pack.done()).ends_with("is damaged"));
}

#[test]
fn truncated_and_changed_packs_are_rejected() {
    let mut pack = Pack::new();
    pack.blob(b"some text that is long enough");
    let whole = pack.done();
    assert!(ingest(&whole, &LIMITS, &mut empty()).is_ok());
    for length in 0..whole.len() {
        problem(&whole[..length]);
    }
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        assert!(ingest(&changed, &LIMITS, &mut empty()).is_err(), "byte {place}");
    }
    let mut wrong_sum = whole.clone();
    *wrong_sum.last_mut().unwrap() ^= 1;
    assert_eq!(problem(&wrong_sum), "the checksum of the pack is wrong");
}

#[test]
fn damaged_packs_do_not_panic() {
    let mut pack = Pack::new();
    let text = "text ".repeat(20);
    pack.ref_delta(&blob_id(text.as_bytes()), &append(text.as_bytes(), b"more"));
    let place = pack.blob(text.as_bytes());
    let distance = pack.bytes.len() - place;
    pack.ofs_delta(distance, &append(text.as_bytes(), b"else"));
    let whole = pack.done();
    let end = whole.len() - SHA1.len_in_bytes();
    for random in noise(40_000).chunks_exact(4) {
        let mut damaged = whole[..end].to_vec();
        damaged[usize::from(random[0]) % end] = random[1];
        damaged[12 + usize::from(random[2]) % (end - 12)] ^= random[3];
        let mut hasher = gix::hash::hasher(SHA1);
        hasher.update(&damaged);
        damaged.extend_from_slice(hasher.try_finalize().unwrap().as_slice());
        // Depending on the damaged byte, the pack may still be valid.
        let _ = ingest(&damaged, &LIMITS, &mut empty());
    }
}

#[test]
fn contents_that_differ_from_their_headers() {
    for (claimed, data) in [(3, &b"four"[..]), (5, b"four"), (0, b"four"), (4, b"")] {
        let mut pack = Pack::new();
        pack.entry(3, claimed, &[], data);
        assert!(problem(&pack.done()).ends_with("is damaged"), "{claimed} {data:?}");
    }
    for kind in [0, 5] {
        let mut pack = Pack::new();
        pack.entry(kind, 1, &[], b"x");
        assert!(problem(&pack.done()).starts_with("the pack has no valid entry"), "{kind}");
    }
    let mut pack = Pack::new();
    pack.blob(b"x");
    pack.blob(b"y");
    pack.count = 1;
    assert_eq!(problem(&pack.done()), "the pack contains more data than objects");
    let mut pack = Pack::new();
    pack.blob(b"x");
    pack.count = 2;
    problem(&pack.done());
}

#[test]
fn more_than_the_limits_allow() {
    let mut pack = Pack::new();
    for n in 0..101 {
        pack.blob(format!("{n}").as_bytes());
    }
    let result = ingest(&pack.done(), &LIMITS, &mut empty());
    assert!(matches!(result, Err(PackError::TooManyObjects)));

    let mut pack = Pack::new();
    for _ in 0..11 {
        pack.blob(&[0; 10_000]);
    }
    let result = ingest(&pack.done(), &LIMITS, &mut empty());
    assert!(matches!(result, Err(PackError::TooManyBytes)));

    // A header may claim any size; nothing of that size is ever allocated.
    let mut pack = Pack::new();
    pack.entry(3, usize::MAX >> 3, &[], b"x");
    let result = ingest(&pack.done(), &LIMITS, &mut empty());
    assert!(matches!(result, Err(PackError::TooManyBytes)));
}

#[test]
fn delta_bombs_are_not_expanded() {
    let base = vec![7; 9_000];
    let mut pack = Pack::new();
    pack.blob(&base);
    // 9,000 bytes of input; the output is ten times the whole base.
    let mut delta = vec![0xa8, 0x46, 0x90, 0xbf, 0x05];
    (0..10).for_each(|_| delta.extend_from_slice(&[0xb0, 0x28, 0x23]));
    pack.ref_delta(&blob_id(&base), &delta);
    let mut objects = empty();
    ingest(&pack.done(), &LIMITS, &mut objects).unwrap();
    let result = blob_id(&vec![7; 90_000]);
    assert!(objects.has(&result) && objects.get(&result).is_none());

    let tight = PackLimits { total_bytes: 99_000, ..LIMITS };
    let mut pack = Pack::new();
    pack.blob(&base);
    pack.ref_delta(&blob_id(&base), &delta);
    let result = ingest(&pack.done(), &tight, &mut Objects::new("test".into(), 90_000));
    assert!(matches!(result, Err(PackError::TooManyBytes)), "base, delta and result together");
}

#[test]
fn objects_over_the_limit_are_omitted() {
    let large = vec![1; 10_001];
    let mut pack = Pack::new();
    let place = pack.blob(&large);
    let distance = pack.bytes.len() - place;
    pack.blob(b"small");
    pack.ref_delta(&blob_id(&large), &append(b"x", b"y"));
    pack.ref_delta(&blob_id(b"small"), &append(b"small", b"er"));
    assert!(distance < 128);
    let mut objects = empty();
    ingest(&pack.done(), &LIMITS, &mut objects).unwrap();
    assert!(objects.has(&blob_id(&large)) && objects.get(&blob_id(&large)).is_none());
    let error = objects.data_of(&blob_id(&large), Kind::Blob).unwrap_err();
    assert!(error.to_string().contains("10000 bytes in one file"), "{error}");
    assert!(objects.has(&blob_id(b"small")) && objects.has(&blob_id(b"smaller")));

    let mut pack = Pack::new();
    pack.entry(3, 20_000, &[], &large);
    assert!(
        problem(&pack.done()).ends_with("is damaged"),
        "the size is checked although nothing is kept"
    );
}
