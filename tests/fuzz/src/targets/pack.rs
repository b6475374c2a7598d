//! Packs: bytes that decide what is in one, or that are one but for its checksum, which would stop everything else.

use crate::Target;
use arbitrary::{Result, Unstructured};
use gix::{
    ObjectId,
    objs::{Kind, compute_hash},
    zlib::{Compression, stream::deflate},
};
use helix_skills_project::__internal::fuzzing::{Ingested, Object, ingest};
use std::{collections::BTreeSet, io::Write as _};

pub(crate) const TARGET: Target = Target {
    name: "pack",
    body,
    seeds,
    words: &["PACK", "\u{0}\u{0}\u{0}\u{2}", "\u{0}", "\u{1}", "tree", "100644 a\u{0}"],
    longest: 1024,
    count: 1000,
};

const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

const MOST: u64 = 12;
const TOTAL_BYTES: u64 = 1 << 16;
const LARGEST: u64 = 2000;

/// The first byte says what the others are.
const RAW: u8 = 0;

fn body(input: &[u8]) {
    match input.split_first() {
        Some((&RAW, pack)) => drop(is_sound(&sealed(pack.to_vec()))),
        Some((_, script)) => made(script).unwrap_or_default(),
        None => {}
    }
}

/// Whatever a pack is: no byte too many is kept, and nothing under a name that is not its own.
fn is_sound(pack: &[u8]) -> std::result::Result<Ingested, String> {
    let result = ingest(pack, MOST, TOTAL_BYTES, LARGEST);
    assert_eq!(ingest(pack, MOST, TOTAL_BYTES, LARGEST), result, "the same pack is something else");
    let Ok(ingested) = &result else { return result };
    assert!(ingested.count <= MOST && ingested.objects.len() as u64 <= ingested.count);
    let bytes: usize = ingested.objects.iter().map(|object| object.data.len()).sum();
    assert!(bytes as u64 <= TOTAL_BYTES, "{bytes} bytes were kept");
    for Object { id, kind, data } in &ingested.objects {
        assert_eq!(compute_hash(SHA1, *kind, data).ok().as_ref(), Some(id));
        assert!(
            *kind != Kind::Blob || data.len() as u64 <= LARGEST,
            "a blob of {} bytes was kept",
            data.len()
        );
    }
    // What is kept depends on the room, never what it is.
    if let (false, Ok(more)) =
        (ingested.is_incomplete, ingest(pack, MOST, 2 * TOTAL_BYTES, 2 * LARGEST))
    {
        assert_eq!(more.objects, ingested.objects);
    }
    result
}

/// A pack whose entries the bytes choose, with what each is going to be: most are right, some lie.
fn made(script: &[u8]) -> Result<()> {
    let mut input = Unstructured::new(script);
    let mut pack = b"PACK\0\0\0\x02\0\0\0\0".to_vec();
    let mut expected: Vec<(u64, Kind, Vec<u8>)> = Vec::new(); // by the places of entries
    let mut is_right = true;
    let count = input.int_in_range(0..=10_u32)?;
    for _ in 0..count {
        let place = pack.len() as u64;
        let data = contents(&mut input)?;
        let base = match expected.len() {
            0 => None,
            length => input.arbitrary::<bool>()?.then_some(input.choose_index(length)?),
        };
        let Some(base) = base else {
            let kind =
                *input.choose(&[Kind::Blob, Kind::Blob, Kind::Tree, Kind::Commit, Kind::Tag])?;
            let code = match kind {
                Kind::Commit => 1,
                Kind::Tree => 2,
                Kind::Blob => 3,
                Kind::Tag => 4,
            };
            is_right &= entry(&mut pack, code, &[], &data, &mut input)?;
            expected.push((place, kind, data));
            continue;
        };
        let (base_place, kind, base) = expected[base].clone();
        let delta = delta(&base, &data, &mut input)?;
        let distance = place - base_place;
        // An offset of one byte, the simple case, or the id.
        if distance < 0x80 && input.arbitrary()? {
            is_right &= entry(&mut pack, 6, &[distance as u8], &delta, &mut input)?;
        } else {
            let id = compute_hash(SHA1, kind, &base).unwrap_or(ObjectId::null(SHA1));
            is_right &= entry(&mut pack, 7, id.as_slice(), &delta, &mut input)?;
        }
        let result = [&base[..base.len().min(100)], &data].concat();
        expected.push((place, kind, result));
    }
    // One more or fewer than there are, now and then.
    let told = if input.ratio(1, 16)? { count ^ 1 } else { count };
    is_right &= told == count;
    pack[8..12].copy_from_slice(&told.to_be_bytes());
    let result = is_sound(&sealed(pack));
    if !is_right {
        return Ok(());
    }
    let ingested =
        result.unwrap_or_else(|why| panic!("a right pack of {count} entries is refused: {why}"));
    for (_, kind, data) in expected {
        let is_kept =
            ingested.objects.iter().any(|object| object.kind == kind && object.data == data);
        let may_lack = ingested.is_incomplete;
        assert!(is_kept || may_lack, "a {kind} of {} bytes is missing", data.len());
    }
    let ids: BTreeSet<_> = ingested.objects.iter().map(|object| object.id).collect();
    assert_eq!(ids.len(), ingested.objects.len());
    Ok(())
}

fn contents(input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let length = input.int_in_range(0..=40_usize)?;
    let mut data = input.bytes(length.min(input.len()))?.to_vec();
    if input.ratio(1, 8)? {
        data = data.repeat(120);
    }
    Ok(data)
}

/// Writes an entry; tells whether it is one that nobody may refuse.
fn entry(
    pack: &mut Vec<u8>,
    code: u8,
    before: &[u8],
    data: &[u8],
    input: &mut Unstructured<'_>,
) -> Result<bool> {
    let is_right = !input.ratio(1, 24)?;
    let mut size = data.len() as u64;
    let mut stream = deflated(data);
    if !is_right {
        match input.int_in_range(0..=3_u8)? {
            0 => size = size.wrapping_add(input.arbitrary::<i8>()? as u64),
            1 => size = input.arbitrary()?,
            2 => stream.truncate(input.choose_index(stream.len())?),
            _ => {
                let at = input.choose_index(stream.len())?;
                stream[at] ^= input.arbitrary::<u8>()?;
            }
        }
    }
    let mut rest = size >> 4;
    let mut byte = code << 4 | (size & 15) as u8;
    while rest > 0 {
        pack.push(byte | 0x80);
        byte = (rest & 0x7f) as u8;
        rest >>= 7;
    }
    pack.push(byte);
    pack.extend_from_slice(before);
    pack.extend_from_slice(&stream);
    Ok(is_right)
}

/// A delta that keeps up to 100 bytes of its base and puts data after them.
fn delta(base: &[u8], data: &[u8], input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    fn size(mut rest: usize, out: &mut Vec<u8>) {
        while rest > 0x7f {
            out.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }
    let kept = base.len().min(100);
    let mut delta = Vec::new();
    size(base.len(), &mut delta);
    size(kept + data.len(), &mut delta);
    if kept > 0 {
        // With a lower half of the offset that is there for nothing, or without.
        let instruction: &[u8] = if input.arbitrary()? { &[0x91, 0] } else { &[0x90] };
        delta.extend_from_slice(instruction);
        delta.push(kept as u8);
    }
    for piece in data.chunks(0x7f) {
        delta.push(piece.len() as u8);
        delta.extend_from_slice(piece);
    }
    Ok(delta)
}

fn deflated(data: &[u8]) -> Vec<u8> {
    let mut out = deflate::Write::new(Vec::new(), Compression::DEFAULT);
    let written = out.write_all(data).and_then(|()| out.flush());
    written.unwrap_or_else(|why| panic!("cannot deflate {} bytes: {why}", data.len()));
    out.into_inner()
}

/// With the checksum it should have.
fn sealed(mut pack: Vec<u8>) -> Vec<u8> {
    let mut hasher = gix::hash::hasher(SHA1);
    hasher.update(&pack);
    let sum = hasher.try_finalize().unwrap_or(ObjectId::null(SHA1));
    pack.extend_from_slice(sum.as_slice());
    pack
}

fn seeds() -> Vec<Vec<u8>> {
    let mut raw = vec![RAW];
    raw.extend_from_slice(b"PACK\0\0\0\x02\0\0\0\x02\x35");
    raw.extend_from_slice(&deflated(b"hello"));
    raw.extend_from_slice(&[0x68, 14]); // the base begins 14 bytes before it
    raw.extend_from_slice(&deflated(&[5, 6, 0x90, 5, 1, b'!', 0, 0]));
    let mut seeds = vec![raw, vec![RAW], b"\0PACK\0\0\0\x02\0\0\0\0".to_vec()];
    // Scripts: all the same byte, and bytes that look random.
    let mut rng = fastrand::Rng::with_seed(7);
    seeds.extend((0..12).map(|_| (0..400).map(|_| rng.u8(1..)).collect()));
    seeds.push(vec![0xff; 300]);
    seeds
}
