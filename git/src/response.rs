//! HTTP responses that have begun.

use std::sync::Arc;

use reqwest::Response;

use super::client::Client;
use super::meter::{Expected, Meter};

/// The received part of a response, and the rest of it.
pub(super) struct HttpResponse {
    pub(super) client: Arc<Client>,
    pub(super) response: Response,
    pub(super) piece: Vec<u8>,
    /// Number of bytes of the piece that were read already.
    pub(super) taken: usize,
    /// Whether the start of the response was checked and is not a refusal.
    pub(super) is_accepted: bool,
    pub(super) meter: Meter,
}

impl HttpResponse {
    pub(super) fn new(client: Arc<Client>, response: Response, expected: &Expected) -> Self {
        let meter = Meter::new(expected);
        Self { client, response, piece: Vec::new(), taken: 0, is_accepted: false, meter }
    }

    pub(super) fn headers(&self) -> &reqwest::header::HeaderMap {
        self.response.headers()
    }
}
