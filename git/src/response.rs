//! An answer over HTTP that has begun.

use std::sync::Arc;

use reqwest::Response;

use super::client::Client;
use super::meter::{Expected, Meter};

/// What has arrived of an answer, and the rest of it.
pub(super) struct HttpResponse {
    pub(super) client: Arc<Client>,
    pub(super) response: Response,
    pub(super) piece: Vec<u8>,
    /// How much of the piece was read already.
    pub(super) taken: usize,
    /// Whether it is known that the answer does not begin with a refusal.
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
