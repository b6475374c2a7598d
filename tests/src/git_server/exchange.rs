//! The record of a request.

use super::{http::Request, pkt_line};
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// A recorded request.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// `GET` or `POST`.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The `Git-Protocol` header.
    pub git_protocol: Option<String>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    lines: Vec<String>,
}

impl Exchange {
    pub(super) fn new(request: &Request, lines: Vec<String>) -> Self {
        let header = |name: &str| request.header(name).map(str::to_owned);
        Self {
            method: request.method.clone(),
            target: request.target.clone(),
            authorization: header("authorization"),
            git_protocol: header("git-protocol"),
            user_agent: header("user-agent"),
            lines,
        }
    }

    /// Returns the command of a version 2 request: `ls-refs` or `fetch`.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| line.strip_prefix("command="))
    }

    /// Returns the requested objects, in order.
    #[must_use]
    pub fn wants(&self) -> Vec<&str> {
        pkt_line::wants(&self.lines).collect()
    }

    /// Returns the requested filter.
    #[must_use]
    pub fn filter(&self) -> Option<&str> {
        self.argument("filter ")
    }

    /// Returns the requested depth.
    #[must_use]
    pub fn depth(&self) -> Option<&str> {
        self.argument("deepen ")
    }

    /// Returns the prefixes of an `ls-refs` request.
    #[must_use]
    pub fn ref_prefixes(&self) -> Vec<&str> {
        self.lines.iter().filter_map(|line| line.strip_prefix("ref-prefix ")).collect()
    }

    /// Returns the credentials in the `Authorization` header, as `user:password`.
    #[must_use]
    pub fn credentials(&self) -> Option<String> {
        basic_credentials(self.authorization.as_deref()?)
    }

    fn argument(&self, name: &str) -> Option<&str> {
        self.lines.iter().find_map(|line| line.strip_prefix(name))
    }
}

/// Returns the credentials of an `Authorization: Basic` header, as `user:password`.
pub(super) fn basic_credentials(header: &str) -> Option<String> {
    let encoded = header.strip_prefix("Basic ")?;
    String::from_utf8(BASE64_STANDARD.decode(encoded.trim()).ok()?).ok()
}
