//! Answers to fetches: the pack in them, or why there is none.

use std::io::{BufRead, ErrorKind};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use gix::protocol::fetch;
use gix::protocol::transport::client::MessageKind;
use gix::protocol::transport::client::blocking_io::ExtendedBufRead;
use gix::protocol::transport::{Protocol, packetline};

use super::error::Cause;
use super::pack::{self, PackError};

/// Bytes that are kept of a server's last words.
const MOST_WORDS: usize = 4096;

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
    pub(super) fn of_gix(error: &gix::Error) -> Self {
        match error.iter_errors().find_map(server_words) {
            Some(words) => Self::Refused(words),
            None => Self::Other(Cause::of_gix(error)),
        }
    }

    pub(super) fn of(error: &(dyn std::error::Error + 'static)) -> Self {
        match server_words(error) {
            Some(words) => Self::Refused(words),
            None => Self::Other(Cause::of(error)),
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

/// Reads the answer to a fetch: a pack of at most `longest` bytes and `most` objects.
pub(super) fn read_pack<'a>(
    mut answer: Box<dyn ExtendedBufRead<'a> + Unpin + 'a>,
    version: Protocol,
    longest: u64,
    most: u64,
) -> Result<Vec<u8>, Failure> {
    // Where one connection serves several answers, the reader still stands at the end of the last one.
    answer.reset(version);
    // gix looks for errors only in the handshake.
    match answer.peek_data_line() {
        Some(Ok(Ok(line))) => {
            if let Some(words) = line.strip_prefix(b"ERR ") {
                let words = words.to_vec();
                // Else the next answer would begin with it.
                let _ = answer.readline();
                return Err(Failure::Refused(words));
            }
        }
        // It is told once.
        Some(Err(error)) if error.kind() != ErrorKind::UnexpectedEof => return Err(Failure::of(&error)),
        _ => {}
    }
    let has_pack = match version {
        Protocol::V2 => {
            let response = fetch::Response::from_line_reader(version, &mut answer, true, false);
            response.map_err(|error| Failure::of_gix(&error))?.has_pack()
        }
        Protocol::V0 | Protocol::V1 => skip_to_pack(&mut *answer)?,
    };
    if !has_pack {
        return Err(Failure::Pack(PackError::Corrupt("the answer holds no pack".to_owned())));
    }
    let said = Arc::new(Mutex::new(Vec::new()));
    let listener = said.clone();
    // Having a handler is what separates the pack from messages.
    answer.set_progress_handler(Some(Box::new(move |is_error, text: &[u8]| {
        let mut said = listener.lock().unwrap_or_else(PoisonError::into_inner);
        if is_error && said.len() < MOST_WORDS {
            said.extend_from_slice(text);
        }
        ControlFlow::Continue(())
    })));
    let pack = collect(&mut *answer, longest, most);
    let said = std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner));
    if said.is_empty() { pack } else { Err(Failure::Refused(said)) }
}

/// Reads what comes before the pack in versions 0 and 1, and whether one follows. gix's own reader asserts, in debug builds,
/// that the server has sent none of the packets that only version 2 knows.
fn skip_to_pack<'a>(answer: &mut (dyn ExtendedBufRead<'a> + 'a)) -> Result<bool, Failure> {
    loop {
        let is_preamble = match answer.peek_data_line() {
            Some(Ok(Ok(line))) => {
                Some(["shallow ", "unshallow ", "NAK", "ACK "].iter().any(|start| line.starts_with(start.as_bytes())))
            }
            Some(Err(error)) if error.kind() == ErrorKind::UnexpectedEof => return Ok(false),
            Some(Err(error)) => return Err(Failure::of(&error)),
            Some(Ok(Err(error))) => return Err(Failure::of(&error)),
            None => None,
        };
        match is_preamble {
            Some(true) => {}
            Some(false) => return Ok(true),
            None if answer.stopped_at() == Some(MessageKind::Flush) => {
                // The end of the shallow commits.
                answer.reset(Protocol::V1);
                continue;
            }
            None => {
                return Err(Failure::Other(Cause::text("a packet that this version of the protocol does not have")));
            }
        }
        match answer.readline() {
            Some(Ok(Ok(_))) => {}
            Some(Err(error)) => return Err(Failure::of(&error)),
            Some(Ok(Err(error))) => return Err(Failure::of_gix(&error)),
            None => return Ok(false),
        }
    }
}

fn collect(answer: &mut dyn BufRead, longest: u64, most: u64) -> Result<Vec<u8>, Failure> {
    let mut pack = Vec::new();
    let mut is_counted = false;
    loop {
        let piece = answer.fill_buf().map_err(|error| Failure::of(&error))?;
        if piece.is_empty() {
            return Ok(pack);
        }
        let length = piece.len();
        if pack.len() as u64 + length as u64 > longest {
            return Err(Failure::Pack(PackError::TooManyBytes));
        }
        pack.extend_from_slice(piece);
        answer.consume(length);
        if !is_counted && let Some(count) = pack::count_objects(&pack).map_err(Failure::Pack)? {
            if count > most {
                return Err(Failure::Pack(PackError::TooManyObjects));
            }
            is_counted = true;
        }
    }
}
