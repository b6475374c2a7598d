//! The body of an HTTP response, with metering.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use super::endpoint::HttpEndpoint;
use super::error::GitError;
use super::post::{LazyPost, failed};
use super::response::HttpResponse;

/// Bytes at the start of a packet that show whether it is a refusal: its length, and `ERR `.
const START: usize = 8;

/// The body of a response, buffered, as gix reads it.
pub(super) struct Body {
    state: BodyState,
    endpoint: Arc<HttpEndpoint>,
}

enum BodyState {
    Open(Box<HttpResponse>),
    Pending(LazyPost),
    /// The rest of a body that no server has sent.
    Fixed(&'static [u8]),
}

impl Body {
    pub(super) fn open(response: HttpResponse, endpoint: &Arc<HttpEndpoint>) -> Self {
        Self { state: BodyState::Open(Box::new(response)), endpoint: endpoint.clone() }
    }

    pub(super) fn fixed(bytes: &'static [u8], endpoint: &Arc<HttpEndpoint>) -> Self {
        Self { state: BodyState::Fixed(bytes), endpoint: endpoint.clone() }
    }

    pub(super) fn pending(post: LazyPost, endpoint: &Arc<HttpEndpoint>) -> Self {
        Self { state: BodyState::Pending(post), endpoint: endpoint.clone() }
    }

    fn response(&mut self) -> Option<&mut HttpResponse> {
        if let BodyState::Pending(post) = &self.state {
            self.state = BodyState::Open(Box::new(post.take_body()?));
        }
        match &mut self.state {
            BodyState::Open(response) => Some(response),
            BodyState::Pending(_) | BodyState::Fixed(_) => None,
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
        if self.endpoint.is_abandoned() {
            return Ok(&[]);
        }
        if let BodyState::Fixed(rest) = self.state {
            return Ok(rest);
        }
        let endpoint = self.endpoint.clone();
        self.response().map_or(Ok(&[]), |response| response.piece(&endpoint))
    }

    fn consume(&mut self, amount: usize) {
        match &mut self.state {
            BodyState::Open(response) => response.taken += amount,
            BodyState::Fixed(rest) => *rest = rest.get(amount..).unwrap_or_default(),
            BodyState::Pending(_) => {}
        }
    }
}

/// Reading of a response.
impl HttpResponse {
    /// Returns the bytes that have arrived and were not read: at least one, unless the response is
    /// complete.
    fn piece(&mut self, endpoint: &HttpEndpoint) -> io::Result<&[u8]> {
        if !self.is_accepted {
            if let Some(words) = self.refusal(endpoint)? {
                let words = endpoint.scrub(&String::from_utf8_lossy(words));
                return Err(failed(endpoint, GitError::refusal(&endpoint.name, &words)));
            }
            self.is_accepted = true;
        }
        while self.taken >= self.piece.len() {
            let Some(next) = self.next(endpoint)? else { return Ok(&[]) };
            self.piece = next;
            self.taken = 0;
        }
        Ok(&self.piece[self.taken..])
    }

    /// Returns the text of an `ERR` packet at the start of the response. In the first response of a
    /// conversation, gix only recognizes one further on.
    fn refusal(&mut self, endpoint: &HttpEndpoint) -> io::Result<Option<&[u8]>> {
        self.gather(START, endpoint)?;
        let digits = self.piece.get(..4).and_then(|digits| std::str::from_utf8(digits).ok());
        let length = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let Some(length) = length.filter(|_| self.piece.get(4..START) == Some(b"ERR ".as_slice()))
        else {
            return Ok(None);
        };
        self.gather(length, endpoint)?;
        Ok(self.piece.get(START..length.min(self.piece.len())))
    }

    /// Waits until `count` bytes of the response, or all of it, have arrived.
    fn gather(&mut self, bytes: usize, endpoint: &HttpEndpoint) -> io::Result<()> {
        while self.piece.len() < bytes {
            let Some(next) = self.next(endpoint)? else { return Ok(()) };
            self.piece.extend_from_slice(&next);
        }
        Ok(())
    }

    /// Returns the next bytes from the network, or `None` at the end of the response.
    fn next(&mut self, endpoint: &HttpEndpoint) -> io::Result<Option<Vec<u8>>> {
        let options = &endpoint.shared.options;
        let next =
            self.client.wait(options.stall_timeout, &options.cancellation, self.response.chunk());
        let next = match next {
            Ok(Ok(next)) => next,
            Ok(Err(error)) => return Err(failed(endpoint, endpoint.broken_off(&error))),
            Err(stopped) => return Err(failed(endpoint, endpoint.fell_silent(stopped))),
        };
        let Some(next) = next else { return Ok(None) };
        let metered =
            self.meter.add(next.len(), &endpoint.expected, &endpoint.name, &endpoint.shared);
        metered.map_err(|error| failed(endpoint, error))?;
        Ok(Some(next.into()))
    }
}
