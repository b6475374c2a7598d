//! Deltas of git packs: copy and insert instructions over a base object.

/// A malformed delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BrokenDelta;

/// Returns the sizes that a delta claims for its base and its result.
pub(super) fn sizes(delta: &[u8]) -> Result<(u64, u64), BrokenDelta> {
    let mut rest = delta;
    Ok((size(&mut rest)?, size(&mut rest)?))
}

/// Applies a delta. Allocates exactly the claimed size of the result, which the caller has checked
/// against its limit.
pub(super) fn apply(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, BrokenDelta> {
    let (_, result_size) = sizes(delta)?;
    let mut out = Vec::with_capacity(usize::try_from(result_size).map_err(|_| BrokenDelta)?);
    each_piece(base, delta, |piece| out.extend_from_slice(piece))?;
    Ok(out)
}

/// Calls `take` with each piece of a delta's result, never with more than the claimed size in
/// total.
pub(super) fn each_piece(
    base: &[u8],
    delta: &[u8],
    mut take: impl FnMut(&[u8]),
) -> Result<(), BrokenDelta> {
    let mut rest = delta;
    let base_size = size(&mut rest)?;
    let mut missing = size(&mut rest)?;
    if base.len() as u64 != base_size {
        return Err(BrokenDelta);
    }
    while !rest.is_empty() {
        let instruction = byte(&mut rest)?;
        let piece = if instruction & 0x80 != 0 {
            let offset = number(&mut rest, instruction, 4)?;
            let length = match number(&mut rest, instruction >> 4, 3)? {
                0 => 0x1_0000,
                length => length,
            };
            let end = offset.checked_add(length).ok_or(BrokenDelta)?;
            base.get(offset..end).ok_or(BrokenDelta)?
        } else {
            let length = usize::from(instruction);
            if length == 0 || length > rest.len() {
                return Err(BrokenDelta);
            }
            let (piece, after) = rest.split_at(length);
            rest = after;
            piece
        };
        missing = missing.checked_sub(piece.len() as u64).ok_or(BrokenDelta)?;
        take(piece);
    }
    if missing == 0 { Ok(()) } else { Err(BrokenDelta) }
}

/// Reads a size in groups of seven bits, lowest first.
fn size(rest: &mut &[u8]) -> Result<u64, BrokenDelta> {
    let mut value = 0u64;
    for shift in (0..63).step_by(7) {
        let group = byte(rest)?;
        value |= u64::from(group & 0x7f) << shift;
        if group & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(BrokenDelta)
}

/// Reads a number whose bytes are present where `mask` has a bit, lowest first.
fn number(rest: &mut &[u8], mask: u8, bytes: u32) -> Result<usize, BrokenDelta> {
    let mut value = 0;
    for at in 0..bytes {
        if mask & (1 << at) != 0 {
            value |= usize::from(byte(rest)?) << (8 * at);
        }
    }
    Ok(value)
}

fn byte(rest: &mut &[u8]) -> Result<u8, BrokenDelta> {
    let (first, after) = rest.split_first().ok_or(BrokenDelta)?;
    *rest = after;
    Ok(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_inserts() {
        let base = b"hello world";
        // base 11, result 9: copy 5 from 6, insert "!", copy 3 from 0
        let delta = [11, 9, 0x91, 6, 5, 1, b'!', 0x90, 3];
        assert_eq!(apply(base, &delta).as_deref(), Ok(&b"world!hel"[..]));
        assert_eq!(sizes(&delta), Ok((11, 9)));
    }

    #[test]
    fn a_copy_without_length_is_64_kib() {
        let base = vec![7; 0x1_0000];
        assert_eq!(apply(&base, &[0x80, 0x80, 4, 0x80, 0x80, 4, 0x80]), Ok(base.clone()));
    }

    #[test]
    fn malformed_deltas_are_rejected() {
        let base = b"hello";
        for delta in [
            &[][..],
            &[5],
            &[4, 1, 0x90, 1],                      // wrong base size
            &[5, 1, 0x90, 2],                      // longer than claimed
            &[5, 3, 0x90, 2],                      // shorter than claimed
            &[5, 3, 0x91, 4, 3],                   // past the base
            &[5, 1, 0],                            // reserved instruction
            &[5, 4, 4, b'a'],                      // insert past the end
            &[5, 1, 0x91],                         // cut off
            &[5, 1, 0x8f, 0xff, 0xff, 0xff, 0xff], // offset far outside
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], // endless size
        ] {
            assert_eq!(apply(base, delta), Err(BrokenDelta), "{delta:?}");
        }
    }
}
