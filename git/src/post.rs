//! HTTP POST requests that gix writes and reads.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::endpoint::HttpEndpoint;
use super::error::GitError;
use super::response::HttpResponse;

/// A POST request that is sent when its response is first read.
#[derive(Clone)]
pub(super) struct LazyPost(Arc<Mutex<PostStage>>);

enum PostStage {
    Writing {
        endpoint: Arc<HttpEndpoint>,
        url: String,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    },
    Answered(HttpResponse),
    Over,
}

impl LazyPost {
    pub(super) fn new(
        endpoint: &Arc<HttpEndpoint>,
        url: String,
        headers: Vec<(String, String)>,
    ) -> Self {
        let stage =
            PostStage::Writing { endpoint: endpoint.clone(), url, headers, body: Vec::new() };
        Self(Arc::new(Mutex::new(stage)))
    }

    fn stage(&self) -> std::sync::MutexGuard<'_, PostStage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the request if it was not sent yet, and returns the headers of the response.
    pub(super) fn send(&self) -> io::Result<Cursor<Vec<u8>>> {
        let mut stage = self.stage();
        if !matches!(*stage, PostStage::Writing { .. }) {
            return Ok(Cursor::default());
        }
        let PostStage::Writing { endpoint, url, headers, body } =
            std::mem::replace(&mut *stage, PostStage::Over)
        else {
            return Ok(Cursor::default());
        };
        match endpoint.post(&url, &headers, body) {
            Ok(response) => {
                let lines = header_lines(&response);
                *stage = PostStage::Answered(response);
                Ok(lines)
            }
            Err(error) => Err(failed(&endpoint, error)),
        }
    }

    /// Returns the body of the response once. `None` if the request was never sent or failed.
    pub(super) fn take_body(&self) -> Option<HttpResponse> {
        let mut stage = self.stage();
        match std::mem::replace(&mut *stage, PostStage::Over) {
            PostStage::Answered(body) => Some(body),
            other => {
                *stage = other;
                None
            }
        }
    }
}

/// Keeps the error for the caller of gix, and returns a placeholder for gix.
pub(super) fn failed(endpoint: &HttpEndpoint, error: GitError) -> io::Error {
    endpoint.fail(error);
    io::Error::other("the request failed")
}

/// The request body that gix writes.
pub(super) struct PostBody(pub(super) LazyPost);

impl Write for PostBody {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let PostStage::Writing { body, .. } = &mut *self.0.stage() {
            body.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the headers of a response as gix reads them: one per line.
pub(super) fn header_lines(response: &HttpResponse) -> Cursor<Vec<u8>> {
    let mut lines = Vec::new();
    // The only header that gix reads.
    if let Some(value) = response.headers().get(reqwest::header::CONTENT_TYPE) {
        lines.extend_from_slice(b"content-type: ");
        lines.extend_from_slice(value.as_bytes());
        lines.push(b'\n');
    }
    Cursor::new(lines)
}
