//! Answers to fetches: the pack in them, or why there is none.

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

/// Bytes that are kept of a server's refusal.
const LONGEST_REFUSAL: usize = 4096;
/// Bytes that may come before a pack, about 20,000 lines. A fetch here needs one acknowledgement, and one line for the
/// boundary below each commit that it wants.
const LONGEST_PREAMBLE: usize = 1 << 20;
/// How the line of a refusal begins.
const REFUSAL: &[u8] = b"ERR ";
/// How the lines begin that come before a pack, or in its place, in versions 0 and 1.
const PREAMBLE: [&[u8]; 5] = [b"shallow ", b"unshallow ", b"NAK", b"ACK ", REFUSAL];
/// Bytes of the length at the start of a packet.
const PACKET_HEAD: usize = 4;

/// Why an answer could not be read.
pub(super) enum Failure {
    /// The server said so, in these words.
    Refused(Vec<u8>),
    /// The pack is too large, or not a pack.
    Pack(PackError),
    /// The request failed, or the answer breaks the protocol.
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

/// What an `ERR` line said, however deep gix and io have wrapped it.
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

/// Reads the answer to a fetch: a pack of at most `longest` bytes and `most` objects. Its bytes count as progress in
/// `expected`.
pub(super) fn read_pack<'a>(
    mut answer: Box<dyn ExtendedBufRead<'a> + Unpin + 'a>,
    version: Protocol,
    longest: u64,
    most: u64,
    expected: &Expected,
) -> Result<Vec<u8>, Failure> {
    // Where one connection serves several answers, the reader still stands at the end of the last one.
    answer.reset(version);
    let has_pack = match version {
        Protocol::V2 => skip_sections(&mut *answer)?,
        Protocol::V0 | Protocol::V1 => skip_to_pack(&mut *answer)?,
    };
    if !has_pack {
        return Err(Failure::Pack(PackError::Corrupt("the answer holds no pack".to_owned())));
    }
    let refusal = Arc::new(Mutex::new(None));
    let listener = refusal.clone();
    // Only with a handler does gix separate the pack from the other side bands.
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

/// The bytes that may come before a pack: acknowledgements and the boundaries of shallow commits.
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
            rest.ok_or_else(|| Failure::Other(Cause::text("too much comes before the pack")))?;
        Ok(())
    }

    /// Reads the next line; none at the end of a section.
    ///
    /// # Errors
    /// The line is a refusal, for which gix looks only in the handshake; there are too many lines.
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
    Failure::Other(Cause::text("a packet that this version of the protocol does not have"))
}

/// Reads what comes before the pack in version 2, and returns whether one follows.
fn skip_sections<'a>(answer: &mut (dyn ExtendedBufRead<'a> + 'a)) -> Result<bool, Failure> {
    let mut preamble = Preamble::new();
    loop {
        match preamble.next(answer)? {
            Some(b"packfile") => return Ok(true),
            Some(b"acknowledgments" | b"shallow-info" | b"wanted-refs") => {}
            Some(_) => return Err(Failure::Other(Cause::text("a section that was not asked for"))),
            None => return Ok(false),
        }
        while preamble.next(answer)?.is_some() {}
        if answer.stopped_at() != Some(MessageKind::Delimiter) {
            return Ok(false);
        }
        answer.reset(Protocol::V2);
    }
}

/// Reads what comes before the pack in versions 0 and 1, and returns whether one follows.
///
/// gix's own reader asserts, in debug builds, that the server has sent none of the packets that only version 2 knows.
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
                // The one flush that ends the boundaries of shallow commits.
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
