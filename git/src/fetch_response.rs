//! Responses to fetches: the pack, or the reason why there is none.

use std::io::ErrorKind;

use gix_packetline::BandRef;
use gix_packetline::PacketLineRef::{Delimiter, Flush};

use super::pack::{self, PackError};
use super::packets::{Failure, Packets, next_line};
use super::shared::Origin;

/// Maximum number of bytes before a pack, about 20,000 lines. These fetches need one
/// acknowledgment, and one line for the boundary below each wanted commit.
const LONGEST_PREAMBLE: usize = 1 << 20;
/// Prefixes of lines before a pack in versions 0 and 1.
const PREAMBLE: [&[u8]; 4] = [b"shallow ", b"unshallow ", b"NAK", b"ACK "];
/// Bytes of the length at the start of a packet.
const PACKET_HEAD: usize = 4;

/// Reads the response to a fetch: a pack within the limits of the options. `is_old` says whether
/// the server lacks version 2 of the protocol.
pub(super) fn read_pack(
    packets: &mut Packets,
    is_old: bool,
    origin: &Origin,
) -> Result<Vec<u8>, Failure> {
    let options = &origin.shared.options;
    let mut preamble = Preamble { room: LONGEST_PREAMBLE };
    let has_pack =
        if is_old { preamble.skip_to_pack(packets)? } else { preamble.skip_sections(packets)? };
    if !has_pack {
        return Err(Failure::Pack(PackError::Corrupt("the response contains no pack".to_owned())));
    }
    let mut pack = Vec::new();
    let mut is_counted = false;
    while let Some(packet) = packets.read_line() {
        let piece = match packet??.decode_band()? {
            BandRef::Data(piece) => piece,
            BandRef::Progress(_) => continue,
            BandRef::Error(words) => return Err(Failure::Refused(words.to_vec())),
        };
        if pack.len() as u64 + piece.len() as u64 > options.bytes_per_fetch {
            return Err(Failure::Pack(PackError::TooManyBytes));
        }
        pack.extend_from_slice(piece);
        origin.expected.add_pack_bytes(piece.len());
        if !is_counted && let Some(count) = pack::count_objects(&pack).map_err(Failure::Pack)? {
            if count > options.objects_per_fetch {
                return Err(Failure::Pack(PackError::TooManyObjects));
            }
            is_counted = true;
        }
    }
    Ok(pack)
}

/// The bytes that may precede a pack: acknowledgments and the boundaries of shallow commits.
struct Preamble {
    room: usize,
}

impl Preamble {
    /// Reads the next line and counts its packet. Returns `None` at the end of a section.
    fn next<'p>(&mut self, packets: &'p mut Packets) -> Result<Option<&'p [u8]>, Failure> {
        let line = next_line(packets)?;
        let length = PACKET_HEAD + line.map_or(0, <[u8]>::len);
        self.room = self
            .room
            .checked_sub(length)
            .ok_or_else(|| Failure::protocol("too many lines precede the pack"))?;
        Ok(line)
    }

    /// Reads what precedes the pack in version 2, and returns whether a pack follows.
    fn skip_sections(&mut self, packets: &mut Packets) -> Result<bool, Failure> {
        loop {
            match self.next(packets)? {
                Some(b"packfile") => return Ok(true),
                Some(b"acknowledgments" | b"shallow-info" | b"wanted-refs") => {}
                Some(_) => return Err(Failure::protocol("unexpected section")),
                None => return Ok(false),
            }
            while self.next(packets)?.is_some() {}
            if packets.stopped_at() != Some(Delimiter) {
                return Ok(false);
            }
            packets.reset();
        }
    }

    /// Reads what precedes the pack in versions 0 and 1, and returns whether a pack follows.
    fn skip_to_pack(&mut self, packets: &mut Packets) -> Result<bool, Failure> {
        let mut is_flushed = false;
        loop {
            match packets.peek_line() {
                Some(Ok(line)) => {
                    let line = line?.as_slice().unwrap_or_default();
                    if !PREAMBLE.iter().any(|start| line.starts_with(start)) {
                        return Ok(true);
                    }
                    self.next(packets)?;
                }
                Some(Err(error)) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
                Some(Err(error)) => return Err(error.into()),
                None => {
                    // The single flush packet that ends the boundaries of shallow commits.
                    if is_flushed || packets.stopped_at() != Some(Flush) {
                        return Err(Failure::protocol(
                            "unknown packet for this version of the protocol",
                        ));
                    }
                    is_flushed = true;
                    packets.reset();
                }
            }
        }
    }
}
