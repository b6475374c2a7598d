//! Responses over HTTP, with limits.

use std::io::Read;
use std::sync::Arc;

use reqwest::Response;

use super::client::Client;
use super::endpoint::HttpEndpoint;
use super::error::GitError;
use super::meter::Meter;
use super::packets::PieceReader;

/// A response that has begun.
struct HttpResponse {
    client: Arc<Client>,
    response: Response,
    endpoint: Arc<HttpEndpoint>,
    meter: Meter,
}

impl HttpEndpoint {
    /// Returns the body of a response. Reading it waits for the server.
    pub(super) fn body(
        self: &Arc<Self>,
        client: Arc<Client>,
        response: Response,
    ) -> impl Read + Send + use<> {
        let (endpoint, meter) = (self.clone(), Meter::new(&self.origin.expected));
        let mut response = HttpResponse { client, response, endpoint, meter };
        PieceReader::new(move || response.next())
    }
}

impl HttpResponse {
    /// Returns the next bytes from the network, or `None` at the end of the response.
    fn next(&mut self) -> Result<Option<Vec<u8>>, GitError> {
        let endpoint = &self.endpoint;
        let next = self.client.wait(self.response.chunk());
        let next = match next {
            Ok(next) => next.map_err(|error| endpoint.broken_off(&error))?,
            Err(stopped) => return Err(endpoint.fell_silent(stopped)),
        };
        let Some(next) = next else { return Ok(None) };
        self.meter.add(next.len(), &endpoint.origin)?;
        Ok(Some(next.into()))
    }
}
