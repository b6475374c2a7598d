//! Mutation of inputs.

use crate::Target;
use fastrand::Rng;

/// Maximum number of changes to one input.
const MAX_CHANGES: usize = 6;

/// Bytes and characters that parsers often mishandle.
const BYTES: [u8; 14] = [0, 1, 4, 9, 10, 13, 0x20, 0x22, 0x2f, 0x5c, 0x7f, 0x80, 0xc2, 0xff];
const CHARS: [char; 14] = [
    '\u{85}',
    '\u{a0}',
    '\u{130}',
    '\u{301}',
    '\u{200b}',
    '\u{202e}',
    '\u{2028}',
    '\u{feff}',
    '\u{ff0f}',
    '\u{fffd}',
    '\u{1f600}',
    '\u{e0041}',
    '\u{212a}',
    '\u{3164}',
];

/// Generates an input: a seed with some changes, or sometimes random bytes.
pub(crate) fn input(target: &Target, seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = match rng.usize(..16) {
        0 => (0..rng.usize(..=target.max_len.min(512))).map(|_| rng.u8(..)).collect(),
        _ => rng.choice(seeds).cloned().unwrap_or_default(),
    };
    for _ in 0..=rng.usize(..MAX_CHANGES) {
        change(&mut bytes, target, seeds, rng);
        bytes.truncate(target.max_len);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, target: &Target, seeds: &[Vec<u8>], rng: &mut Rng) {
    let range = range(bytes, rng);
    let at = range.start;
    match rng.usize(..12) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.u8(..8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.choice(BYTES).unwrap_or_default();
            }
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = byte.wrapping_add(rng.u8(..8)).wrapping_sub(4);
            }
        }
        3 => drop(bytes.drain(range)),
        4 => {
            // Repeats or nests a part of the input.
            let piece: Vec<u8> = bytes[range].repeat(1 << rng.usize(..4));
            drop(bytes.splice(at..at, piece));
        }
        5 => bytes.truncate(at),
        6 | 7 => {
            let word = rng.choice(target.words).map_or(&b"x"[..], |word| word.as_bytes());
            drop(bytes.splice(at..at, word.iter().copied()));
        }
        8 => {
            let word = rng.choice(target.words).map_or(&b"x"[..], |word| word.as_bytes());
            drop(bytes.splice(range, word.iter().copied()));
        }
        9 => {
            let c = rng.choice(CHARS).unwrap_or('x');
            drop(bytes.splice(at..at, c.encode_utf8(&mut [0; 4]).bytes()));
        }
        10 => {
            let other = rng.choice(seeds).cloned().unwrap_or_default();
            let piece = self::range(&other, rng);
            drop(bytes.splice(range, other[piece].iter().copied()));
        }
        _ => {
            let to = rng.usize(..=bytes.len());
            let piece = bytes[range].to_vec();
            drop(bytes.splice(to..to, piece));
        }
    }
}

/// Returns a random range of the input, short ones more often than long ones.
fn range(bytes: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.usize(..=bytes.len());
    let most = bytes.len() - start;
    let length = rng.usize(..=most).min(1 << rng.usize(..10));
    start..start + length
}
