//! The body of an answer over http, metered.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use reqwest::Response;

use super::client::Client;
use super::http::{Exchange, failed};
use super::meter::{Expected, Meter};
use super::wire::Wire;

/// The body of an answer, buffered, as gix reads it.
pub(super) struct Body {
    source: Source,
    wire: Arc<Wire>,
}

enum Source {
    Open(Arrival),
    Awaited(Exchange),
}

impl Body {
    pub(super) fn open(arrival: Arrival, wire: &Arc<Wire>) -> Self {
        Self { source: Source::Open(arrival), wire: wire.clone() }
    }

    pub(super) fn awaited(exchange: Exchange, wire: &Arc<Wire>) -> Self {
        Self { source: Source::Awaited(exchange), wire: wire.clone() }
    }

    fn arrival(&mut self) -> Option<&mut Arrival> {
        if let Source::Awaited(exchange) = &self.source {
            self.source = Source::Open(exchange.take_body()?);
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

/// What has come of an answer, and the rest of it.
pub(super) struct Arrival {
    client: Arc<Client>,
    response: Response,
    piece: Vec<u8>,
    /// So much of the piece was read already.
    taken: usize,
    meter: Meter,
}

impl Arrival {
    pub(super) fn new(client: Arc<Client>, response: Response, expected: &Expected) -> Self {
        let meter = Meter::new(expected);
        Self { client, response, piece: Vec::new(), taken: 0, meter }
    }

    pub(super) fn headers(&self) -> &reqwest::header::HeaderMap {
        self.response.headers()
    }

    /// What has come and was not read, at least one byte unless the answer is over.
    fn piece(&mut self, wire: &Wire) -> io::Result<&[u8]> {
        while self.taken >= self.piece.len() {
            let options = &wire.shared.options;
            let next = self.client.wait(options.stall_timeout, &options.cancellation, self.response.chunk());
            let next = match next {
                Ok(Ok(next)) => next,
                Ok(Err(error)) => return Err(failed(wire, wire.broken_off(&error))),
                Err(stopped) => return Err(failed(wire, wire.fell_silent(stopped))),
            };
            let Some(next) = next else { return Ok(&[]) };
            self.meter
                .add(next.len(), &wire.expected, &wire.name, &wire.shared)
                .map_err(|error| failed(wire, error))?;
            self.piece = next.into();
            self.taken = 0;
        }
        Ok(&self.piece[self.taken..])
    }
}
