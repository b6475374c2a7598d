//! Packet lines: how git frames requests and responses.

use std::io::{self, Cursor, Read};

use gix::bstr::ByteSlice as _;
use gix_packetline::PacketLineRef::{self, Delimiter, Flush, ResponseEnd};
use gix_packetline::blocking_io::StreamingPeekableIter;
use gix_packetline::read::Error as Refusal;

use super::error::{Cause, GitError};
use super::pack::PackError;

/// The packets of a response, or of all responses of a conversation over ssh.
pub(super) type Packets = StreamingPeekableIter<Box<dyn Read + Send>>;

/// The packets that end a section of a response.
const ENDS: &[PacketLineRef<'static>] = &[Flush, Delimiter, ResponseEnd];

/// Why a response could not be read.
pub(super) enum Failure {
    /// The server refused with this message.
    Refused(Vec<u8>),
    /// The pack is too large, or not a pack.
    Pack(PackError),
    /// The response did not arrive.
    Git(GitError),
    /// The response violates the protocol.
    Protocol(Cause),
}

impl Failure {
    pub(super) fn protocol(problem: &str) -> Self {
        Self::Protocol(Cause::text(problem))
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

impl From<gix::Error> for Failure {
    fn from(error: gix::Error) -> Self {
        Self::Protocol(Cause::from_gix(&error))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let other = match error.downcast::<GitError>() {
            Ok(error) => return Self::Git(error),
            Err(other) => other,
        };
        match other.downcast::<Refusal>() {
            Ok(refusal) => Self::Refused(refusal.message.into()),
            Err(error) => Self::Protocol(Cause::from_error(&error)),
        }
    }
}

/// Splits what a server sends into packets. An `ERR` packet anywhere is an error.
pub(super) fn packets(reader: impl Read + Send + 'static) -> Packets {
    let mut packets = StreamingPeekableIter::new(Box::new(reader) as _, ENDS, false);
    packets.fail_on_err_lines(true);
    packets
}

/// Reads the next line without its line break, or returns `None` at the end of a section.
pub(super) fn next_line(packets: &mut Packets) -> Result<Option<&[u8]>, Failure> {
    match packets.read_line() {
        None => Ok(None),
        Some(line) => Ok(line??.as_slice().map(|line| line.trim_end())),
    }
}

/// A reader of bytes that arrive in pieces. The errors of `next` are the cause of its own.
pub(super) struct PieceReader<N> {
    next: N,
    piece: Cursor<Vec<u8>>,
}

impl<N: FnMut() -> Result<Option<Vec<u8>>, GitError>> PieceReader<N> {
    /// `next` returns the next piece, or `None` at the end.
    pub(super) fn new(next: N) -> Self {
        Self { next, piece: Cursor::default() }
    }
}

impl<N: FnMut() -> Result<Option<Vec<u8>>, GitError>> Read for PieceReader<N> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.piece.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match (self.next)().map_err(io::Error::other)? {
                Some(piece) => self.piece = Cursor::new(piece),
                None => return Ok(0),
            }
        }
    }
}
