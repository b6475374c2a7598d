//! The body of an answer over http, metered.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use super::endpoint::Wire;
use super::error::GitError;
use super::post::{Exchange, failed};
use super::response::Arrival;

/// Bytes of a packet that tell whether it is a refusal: its length, and `ERR `.
const START: usize = 8;

/// The body of an answer, buffered, as gix reads it.
pub(super) struct Body {
    source: Source,
    wire: Arc<Wire>,
}

enum Source {
    Open(Box<Arrival>),
    Awaited(Exchange),
}

impl Body {
    pub(super) fn open(arrival: Arrival, wire: &Arc<Wire>) -> Self {
        Self { source: Source::Open(Box::new(arrival)), wire: wire.clone() }
    }

    pub(super) fn awaited(exchange: Exchange, wire: &Arc<Wire>) -> Self {
        Self { source: Source::Awaited(exchange), wire: wire.clone() }
    }

    fn arrival(&mut self) -> Option<&mut Arrival> {
        if let Source::Awaited(exchange) = &self.source {
            self.source = Source::Open(Box::new(exchange.take_body()?));
        }
        match &mut self.source {
            Source::Open(arrival) => Some(arrival),
            Source::Awaited(_) => None,
        }
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Body {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.wire.is_abandoned() {
            return Ok(&[]);
        }
        let wire = self.wire.clone();
        self.arrival().map_or(Ok(&[]), |arrival| arrival.piece(&wire))
    }

    fn consume(&mut self, amount: usize) {
        if let Source::Open(arrival) = &mut self.source {
            arrival.taken += amount;
        }
    }
}

/// How an answer is read.
impl Arrival {
    /// What has arrived and was not read, at least one byte unless the answer is over.
    fn piece(&mut self, wire: &Wire) -> io::Result<&[u8]> {
        if !self.is_accepted {
            if let Some(words) = self.refusal(wire)? {
                let words = wire.scrub(&String::from_utf8_lossy(words));
                return Err(failed(wire, GitError::refusal(&wire.name, &words)));
            }
            self.is_accepted = true;
        }
        while self.taken >= self.piece.len() {
            let Some(next) = self.next(wire)? else { return Ok(&[]) };
            self.piece = next;
            self.taken = 0;
        }
        Ok(&self.piece[self.taken..])
    }

    /// The words of an `ERR` packet at the start of the answer: gix looks for one only later in the first answer of a
    /// conversation.
    fn refusal(&mut self, wire: &Wire) -> io::Result<Option<&[u8]>> {
        self.gather(START, wire)?;
        let digits = self.piece.get(..4).and_then(|digits| std::str::from_utf8(digits).ok());
        let length = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let Some(length) = length.filter(|_| self.piece.get(4..START) == Some(b"ERR ".as_slice()))
        else {
            return Ok(None);
        };
        self.gather(length, wire)?;
        Ok(self.piece.get(START..length.min(self.piece.len())))
    }

    /// Waits until that many bytes of the answer have arrived, or all of it.
    fn gather(&mut self, bytes: usize, wire: &Wire) -> io::Result<()> {
        while self.piece.len() < bytes {
            let Some(next) = self.next(wire)? else { return Ok(()) };
            self.piece.extend_from_slice(&next);
        }
        Ok(())
    }

    /// The next bytes from the network; none at the end of the answer.
    fn next(&mut self, wire: &Wire) -> io::Result<Option<Vec<u8>>> {
        let options = &wire.shared.options;
        let next =
            self.client.wait(options.stall_timeout, &options.cancellation, self.response.chunk());
        let next = match next {
            Ok(Ok(next)) => next,
            Ok(Err(error)) => return Err(failed(wire, wire.broken_off(&error))),
            Err(stopped) => return Err(failed(wire, wire.fell_silent(stopped))),
        };
        let Some(next) = next else { return Ok(None) };
        let metered = self.meter.add(next.len(), &wire.expected, &wire.name, &wire.shared);
        metered.map_err(|error| failed(wire, error))?;
        Ok(Some(next.into()))
    }
}
