//! The body of an answer, metered.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::time::Instant;

use reqwest::blocking::Response;

use super::http::{Exchange, failed};
use super::wire::Wire;

/// An answer that has not come on, on average, by this many bytes a second is given up ...
const SLOWEST: u64 = 1024;
/// ... once it has taken this many times the stall timeout. Servers may count objects for a while before they send any.
const PATIENCE: u32 = 10;

/// A whole packet line fits into it.
const BUFFER: usize = 64 << 10;

/// The body of an answer, buffered, as gix reads it.
pub(super) struct Body {
    source: Source,
    wire: Arc<Wire>,
}

enum Source {
    Open(Box<BufReader<Meter>>),
    Awaited(Exchange),
}

impl Body {
    pub(super) fn open(response: Response, wire: &Arc<Wire>) -> Self {
        Self { source: Source::Open(Box::new(metered(response, wire))), wire: wire.clone() }
    }

    pub(super) fn awaited(exchange: Exchange, wire: &Arc<Wire>) -> Self {
        Self { source: Source::Awaited(exchange), wire: wire.clone() }
    }

    fn reader(&mut self) -> Option<&mut BufReader<Meter>> {
        if let Source::Awaited(exchange) = &self.source {
            self.source = Source::Open(exchange.take_body()?);
        }
        match &mut self.source {
            Source::Open(reader) => Some(reader),
            Source::Awaited(_) => None,
        }
    }
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.wire.is_abandoned() {
            return Ok(0);
        }
        self.reader().map_or(Ok(0), |reader| reader.read(buffer))
    }
}

impl BufRead for Body {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.wire.is_abandoned() {
            return Ok(&[]);
        }
        self.reader().map_or(Ok(&[]), BufRead::fill_buf)
    }

    fn consume(&mut self, amount: usize) {
        if let Source::Open(reader) = &mut self.source {
            reader.consume(amount);
        }
    }
}

pub(super) fn metered(response: Response, wire: &Arc<Wire>) -> BufReader<Meter> {
    let meter = Meter { response, wire: wire.clone(), received: 0, begun: Instant::now() };
    BufReader::with_capacity(BUFFER, meter)
}

/// Counts what arrives and stops at the limit, or when it arrives too slowly.
pub(super) struct Meter {
    response: Response,
    wire: Arc<Wire>,
    received: u64,
    begun: Instant,
}

impl Read for Meter {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // reqwest gives every read the stall timeout.
        let count = match self.response.read(buffer) {
            Ok(count) => count,
            Err(error) => return Err(failed(&self.wire, self.wire.broken_off(&error))),
        };
        self.received += count as u64;
        if self.received > self.wire.longest_answer() {
            return Err(failed(&self.wire, self.wire.too_long()));
        }
        let elapsed = self.begun.elapsed();
        if elapsed > self.wire.stall_timeout() * PATIENCE && self.received < elapsed.as_secs() * SLOWEST {
            return Err(failed(&self.wire, self.wire.too_slow()));
        }
        Ok(count)
    }
}
