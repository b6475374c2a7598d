//! Responses to fetches: the pack, or the reason why there is none.

use std::io::{BufRead, ErrorKind};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::ByteSlice as _;
use gix::protocol::transport::client::MessageKind;
use gix::protocol::transport::client::blocking_io::ExtendedBufRead;
use gix::protocol::transport::{Protocol, packetline};

use super::error::Cause;
use super::meter::Expected;
use super::pack::{self, PackError};

/// Maximum number of bytes kept of a server's refusal.
const LONGEST_REFUSAL: usize = 4096;
/// Maximum number of bytes before a pack, about 20,000 lines. These fetches need one
/// acknowledgment, and one line for the boundary below each wanted commit.
const LONGEST_PREAMBLE: usize = 1 << 20;
/// Prefix of a line that refuses a request.
const REFUSAL: &[u8] = b"ERR ";
/// Prefixes of lines before a pack, or in place of it, in versions 0 and 1.
const PREAMBLE: [&[u8]; 5] = [b"shallow ", b"unshallow ", b"NAK", b"ACK ", REFUSAL];
/// Bytes of the length at the start of a packet.
const PACKET_HEAD: usize = 4;

/// Why a response could not be read.
pub(super) enum Failure {
    /// The server refused with this message.
    Refused(Vec<u8>),
    /// The pack is too large, or not a pack.
    Pack(PackError),
    /// The request failed, or the response violates the protocol.
    Other(Cause),
}

impl Failure {
    pub(super) fn from_gix(error: &gix::Error) -> Self {
        match error.iter_errors().find_map(server_words) {
            Some(words) => Self::Refused(words),
            None => Self::Other(Cause::from_gix(error)),
        }
    }

    pub(super) fn from_error(error: &(dyn std::error::Error + 'static)) -> Self {
        match server_words(error) {
            Some(words) => Self::Refused(words),
            None => Self::Other(Cause::from_error(error)),
        }
    }
}

/// Returns the text of an `ERR` line, however deeply gix and io have wrapped it.
fn server_words(error: &(dyn std::error::Error + 'static)) -> Option<Vec<u8>> {
    if let Some(error) = error.downcast_ref::<packetline::read::Error>() {
        return Some(error.message.to_vec());
    }
    if let Some(error) = error.downcast_ref::<gix::Error>() {
        return error.iter_errors().filter(|e| !e.is::<gix::Error>()).find_map(server_words);
    }
    let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    inner.and_then(|inner| server_words(inner)).or_else(|| error.source().and_then(server_words))
}

/// Reads the response to a fetch: a pack of at most `longest` bytes and `most` objects. Its bytes
/// count as progress in `expected`.
pub(super) fn read_pack<'a>(
    mut answer: Box<dyn ExtendedBufRead<'a> + Unpin + 'a>,
    version: Protocol,
    longest: u64,
    most: u64,
    expected: &Expected,
) -> Result<Vec<u8>, Failure> {
    // If one connection serves several responses, the reader is still at the end of the previous
    // one.
    answer.reset(version);
    let has_pack = match version {
        Protocol::V2 => skip_sections(&mut *answer)?,
        Protocol::V0 | Protocol::V1 => skip_to_pack(&mut *answer)?,
    };
    if !has_pack {
        return Err(Failure::Pack(PackError::Corrupt("the response contains no pack".to_owned())));
    }
    let refusal = Arc::new(Mutex::new(None));
    let listener = refusal.clone();
    // gix separates the pack from the other side bands only if a handler is set.
    answer.set_progress_handler(Some(Box::new(move |is_error, text: &[u8]| {
        if !is_error {
            return ControlFlow::Continue(());
        }
        let text = &text[..text.len().min(LONGEST_REFUSAL)];
        *listener.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_vec());
        ControlFlow::Break(())
    })));
    let pack = collect(&mut *answer, longest, most, expected);
    match refusal.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(words) => Err(Failure::Refused(words)),
        None => pack,
    }
}

/// The bytes that may precede a pack: acknowledgments and the boundaries of shallow commits.
struct Preamble {
    room: usize,
}

impl Preamble {
    fn new() -> Self {
        Self { room: LONGEST_PREAMBLE }
    }

    /// Counts the packet of a line.
    fn count(&mut self, line: &[u8]) -> Result<(), Failure> {
        let rest = self.room.checked_sub(PACKET_HEAD + line.len());
        self.room =
            rest.ok_or_else(|| Failure::Other(Cause::text("too many lines precede the pack")))?;
        Ok(())
    }

    /// Reads the next line, or `None` at the end of a section.
    ///
    /// # Errors
    /// The line is a refusal, which gix only recognizes in the handshake; there are too many lines.
    fn next<'l, 'a>(
        &mut self,
        answer: &'l mut (dyn ExtendedBufRead<'a> + 'a),
    ) -> Result<Option<&'l [u8]>, Failure> {
        match answer.readline() {
            None => Ok(None),
            Some(Ok(Ok(packet))) => {
                let line = packet.as_slice().ok_or_else(unknown_packet)?;
                self.count(line)?;
                match line.strip_prefix(REFUSAL) {
                    Some(words) => Err(Failure::Refused(words.to_vec())),
                    None => Ok(Some(line.trim_end())),
                }
            }
            Some(Ok(Err(error))) => Err(Failure::from_gix(&error)),
            Some(Err(error)) => Err(Failure::from_error(&error)),
        }
    }
}

fn unknown_packet() -> Failure {
    Failure::Other(Cause::text("unknown packet for this version of the protocol"))
}

/// Reads what precedes the pack in version 2, and returns whether a pack follows.
fn skip_sections<'a>(answer: &mut (dyn ExtendedBufRead<'a> + 'a)) -> Result<bool, Failure> {
    let mut preamble = Preamble::new();
    loop {
        match preamble.next(answer)? {
            Some(b"packfile") => return Ok(true),
            Some(b"acknowledgments" | b"shallow-info" | b"wanted-refs") => {}
            Some(_) => return Err(Failure::Other(Cause::text("unexpected section"))),
            None => return Ok(false),
        }
        while preamble.next(answer)?.is_some() {}
        if answer.stopped_at() != Some(MessageKind::Delimiter) {
            return Ok(false);
        }
        answer.reset(Protocol::V2);
    }
}

/// Reads what precedes the pack in versions 0 and 1, and returns whether a pack follows.
///
/// Not done with gix's reader, which asserts in debug builds that the server has sent no packets
/// that only version 2 has.
fn skip_to_pack<'a>(answer: &mut (dyn ExtendedBufRead<'a> + 'a)) -> Result<bool, Failure> {
    let mut preamble = Preamble::new();
    let mut is_flushed = false;
    loop {
        let is_preamble = match answer.peek_data_line() {
            Some(Ok(Ok(line))) => PREAMBLE.iter().any(|start| line.starts_with(start)),
            Some(Err(error)) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
            Some(Err(error)) => return Err(Failure::from_error(&error)),
            Some(Ok(Err(error))) => return Err(Failure::from_error(&error)),
            None => {
                // The single flush packet that ends the boundaries of shallow commits.
                if is_flushed || answer.stopped_at() != Some(MessageKind::Flush) {
                    return Err(unknown_packet());
                }
                is_flushed = true;
                answer.reset(Protocol::V1);
                continue;
            }
        };
        if !is_preamble {
            return Ok(true);
        }
        if preamble.next(answer)?.is_none() {
            return Ok(false);
        }
    }
}

fn collect(
    answer: &mut dyn BufRead,
    longest: u64,
    most: u64,
    expected: &Expected,
) -> Result<Vec<u8>, Failure> {
    let mut pack = Vec::new();
    let mut is_counted = false;
    loop {
        let piece = answer.fill_buf().map_err(|error| Failure::from_error(&error))?;
        if piece.is_empty() {
            return Ok(pack);
        }
        let length = piece.len();
        if pack.len() as u64 + length as u64 > longest {
            return Err(Failure::Pack(PackError::TooManyBytes));
        }
        pack.extend_from_slice(piece);
        answer.consume(length);
        expected.add_pack_bytes(length);
        if !is_counted && let Some(count) = pack::count_objects(&pack).map_err(Failure::Pack)? {
            if count > most {
                return Err(Failure::Pack(PackError::TooManyObjects));
            }
            is_counted = true;
        }
    }
}
