//! Deltas, compared with a slow and obvious implementation. An input is the length of the base, the
//! base, and the delta.

use crate::Target;
use helix_skills_project::__internal::fuzzing::apply_delta;

pub(crate) const TARGET: Target = Target {
    name: "delta",
    body,
    seeds,
    words: &["\u{0}", "\u{1}", "\u{7f}", "hello", "world"],
    max_len: 600,
    count: 10_000,
};

/// Maximum size of a result, here and in the slow implementation.
const MAX_OBJECT_BYTES: u64 = 1 << 17;

fn body(input: &[u8]) {
    let Some((length, rest)) = input.split_first() else { return };
    let (base, delta) = rest.split_at(usize::from(*length).min(rest.len()));
    assert_eq!(apply_delta(base, delta, MAX_OBJECT_BYTES), slowly(base, delta));
}

/// Applies a delta as git's documentation of the pack format describes it.
fn slowly(base: &[u8], delta: &[u8]) -> Option<((u64, u64), Vec<u8>)> {
    let mut bytes = delta.iter().copied();
    let mut size = || {
        let mut value = 0_u128;
        for shift in (0..).step_by(7).take(9) {
            let byte = bytes.next()?;
            value += u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u64::try_from(value).ok();
            }
        }
        None
    };
    let sizes = (size()?, size()?);
    if sizes.0 != base.len() as u64 || sizes.1 > MAX_OBJECT_BYTES {
        return None;
    }
    let mut out = Vec::new();
    while let Some(instruction) = bytes.next() {
        if instruction < 0x80 {
            let inserted: Vec<u8> = bytes.by_ref().take(usize::from(instruction)).collect();
            if instruction == 0 || inserted.len() != usize::from(instruction) {
                return None;
            }
            out.extend(inserted);
        } else {
            let mut fields = [0_usize; 7];
            for (at, field) in fields.iter_mut().enumerate() {
                if instruction >> at & 1 == 1 {
                    *field = usize::from(bytes.next()?);
                }
            }
            let [a, b, c, d, e, f, g] = fields;
            let offset = a + (b << 8) + (c << 16) + (d << 24);
            let length = match e + (f << 8) + (g << 16) {
                0 => 0x1_0000,
                length => length,
            };
            out.extend(base.get(offset..offset + length)?);
        }
        if out.len() as u64 > sizes.1 {
            return None;
        }
    }
    (out.len() as u64 == sizes.1).then_some((sizes, out))
}

fn seeds() -> Vec<Vec<u8>> {
    let with = |base: &[u8], delta: &[u8]| [&[base.len() as u8], base, delta].concat();
    vec![
        with(b"hello world", &[11, 9, 0x91, 6, 5, 1, b'!', 0x90, 3]),
        with(b"", &[0, 3, 3, b'a', b'b', b'c']),
        with(&[7; 200], &[0xc8, 1, 0x90, 3, 0xb1, 0, 200, 0, 0xb1, 0, 200, 0]),
        with(b"hello", &[5, 0x80, 0x80, 4, 0x80]),
    ]
}
