//! gix's `Http` trait over the program's single reqwest client: one connection pool for all
//! repositories, our own rules for redirects and credentials, and limits on responses.

use std::any::Any;
use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;

use gix::protocol::transport::client::blocking_io::http::{
    self, GetResponse, PostBodyDataKind, PostResponse,
};

use super::body::Body;
use super::endpoint::HttpEndpoint;
use super::post::{LazyPost, PostBody, header_lines};

/// The response that stands for the handshake until a request fails: the capabilities that the
/// requests of this program need, as servers with version 2 of the protocol send them. Without
/// `object-format`, which means SHA-1.
const ASSUMED: &[u8] = b"000eversion 2\n000cls-refs\n0019fetch=shallow filter\n0000";
/// The header of that response.
const ASSUMED_HEADER: &[u8] = b"content-type: application/x-git-upload-pack-advertisement\n";

/// gix's HTTP transport over this client.
pub(super) type HttpTransport = http::Transport<Http>;

/// The client as seen by one repository.
pub(super) struct Http {
    endpoint: Arc<HttpEndpoint>,
}

impl Http {
    /// Creates the transport. `endpoint` makes the requests and keeps the reason for a failure; gix
    /// only learns that a request failed.
    pub(super) fn new(endpoint: Arc<HttpEndpoint>) -> Self {
        Self { endpoint }
    }
}

impl http::Http for Http {
    type Headers = Headers;
    type ResponseBody = Body;
    type PostBody = PostBody;

    fn get(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> gix::error::Result<GetResponse<Headers, Body>> {
        self.endpoint.begin();
        if self.endpoint.skips_handshake() {
            let headers = Headers::Ready(Cursor::new(ASSUMED_HEADER.to_vec()));
            return Ok(GetResponse { headers, body: Body::fixed(ASSUMED, &self.endpoint) });
        }
        let headers = parse_headers(headers);
        match self.endpoint.get(url, base_url, &headers) {
            Ok(response) => {
                let headers = Headers::Ready(header_lines(&response));
                Ok(GetResponse { headers, body: Body::open(response, &self.endpoint) })
            }
            Err(error) => {
                self.endpoint.fail(error);
                Err(gix::error::message("the request failed").into())
            }
        }
    }

    fn post(
        &mut self,
        url: &str,
        _base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        _kind: PostBodyDataKind,
    ) -> gix::error::Result<PostResponse<Headers, Body, PostBody>> {
        self.endpoint.begin();
        let post = LazyPost::new(&self.endpoint, url.to_owned(), parse_headers(headers));
        Ok(PostResponse {
            post_body: PostBody(post.clone()),
            headers: Headers::Pending(post.clone()),
            body: Body::pending(post, &self.endpoint),
        })
    }

    fn configure(&mut self, _config: &dyn Any) -> gix::error::Result {
        Ok(())
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.endpoint.redirected_base()
    }
}

/// Splits `Name: value` lines. Drops the user agent of gix; the client sets its own.
fn parse_headers(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<(String, String)> {
    lines
        .into_iter()
        .filter_map(|line| {
            let (name, value) = line.as_ref().split_once(':')?;
            let is_ours = !name.eq_ignore_ascii_case("user-agent");
            is_ours.then(|| (name.trim().to_owned(), value.trim().to_owned()))
        })
        .collect()
}

/// The headers of a response, which gix reads before the body.
pub(super) enum Headers {
    /// The headers of a request that was sent already.
    Ready(Cursor<Vec<u8>>),
    /// Reading them sends the request.
    Pending(LazyPost),
}

impl Headers {
    fn lines(&mut self) -> io::Result<&mut Cursor<Vec<u8>>> {
        if let Self::Pending(post) = self {
            *self = Self::Ready(post.send()?);
        }
        match self {
            Self::Ready(lines) => Ok(lines),
            Self::Pending(_) => Err(io::Error::other("the request was not sent")),
        }
    }
}

impl Read for Headers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.lines()?.read(buffer)
    }
}

impl BufRead for Headers {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.lines()?.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Self::Ready(lines) = self {
            lines.consume(amount);
        }
    }
}
