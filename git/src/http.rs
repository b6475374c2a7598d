//! Responses over HTTP, with limits.

use std::io::Read;
use std::sync::Arc;

use reqwest::Response;

use super::client::Client;
use super::endpoint::HttpEndpoint;
use super::meter::Meter;
use super::packets::PieceReader;

impl HttpEndpoint {
    /// Returns the body of a response. Reading it waits for the server.
    pub(super) fn body(
        self: &Arc<Self>,
        client: Arc<Client>,
        mut response: Response,
    ) -> impl Read + Send + use<> {
        let (endpoint, mut meter) = (self.clone(), Meter::new(&self.origin.expected));
        PieceReader::new(move || {
            let next = client
                .wait(response.chunk())
                .map_err(|stopped| endpoint.fell_silent(stopped))?
                .map_err(|error| endpoint.broken_off(&error))?;
            let Some(next) = next else { return Ok(None) };
            meter.add(next.len(), &endpoint.origin)?;
            Ok(Some(next.into()))
        })
    }
}
