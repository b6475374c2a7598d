//! Connects to a repository on a server, over HTTP or ssh.

use std::sync::Arc;

use gix::bstr::BStr;
use gix::protocol::transport::Protocol;

use super::endpoint::HttpEndpoint;
use super::error::{Cause, GitError};
use super::http::{Http, HttpTransport};
use super::meter::Expected;
use super::ssh::Ssh;
use super::transport::Transport;

/// How to connect to a repository on a server.
pub(super) enum Connector {
    /// Each request is independent.
    Http(Arc<HttpEndpoint>),
    /// One process serves all requests of a conversation.
    Ssh(Arc<Ssh>),
}

impl Connector {
    /// Begins a conversation. Over HTTP, this sends nothing yet.
    pub(super) fn open(&self) -> Result<Transport, GitError> {
        match self {
            Self::Ssh(ssh) => ssh.open(),
            Self::Http(endpoint) => {
                let url = gix::url::parse(BStr::new(&endpoint.home));
                let url = url.map_err(|error| {
                    endpoint.problem("the URL cannot be parsed").with_cause(Cause::from_gix(&error))
                })?;
                Ok(Box::new(HttpTransport::new_http(
                    Http::new(endpoint.clone()),
                    url,
                    Protocol::V2,
                    false,
                )))
            }
        }
    }

    /// Returns why the last request failed, if the cause is in this program or the network; gix
    /// only learns that it failed.
    pub(super) fn take_failure(&self) -> Option<GitError> {
        match self {
            Self::Http(endpoint) => endpoint.take_failure(),
            Self::Ssh(ssh) => ssh.take_failure(),
        }
    }

    /// Returns what the responses contain, which determines their maximum size and what counts as
    /// progress.
    pub(super) fn expected(&self) -> &Arc<Expected> {
        match self {
            Self::Http(endpoint) => &endpoint.expected,
            Self::Ssh(ssh) => &ssh.expected,
        }
    }

    /// Discards the rest of a response. Returns false if this ends the conversation.
    pub(super) fn abandon(&self) -> bool {
        match self {
            Self::Http(endpoint) => {
                endpoint.abandon();
                true
            }
            Self::Ssh(_) => false,
        }
    }

    /// Returns whether the request that has just failed can be repeated in the same conversation,
    /// because no part of a response was read. Otherwise a retry begins with the handshake.
    pub(super) fn can_repeat(&self) -> bool {
        match self {
            Self::Http(endpoint) => !endpoint.is_answered() && self.abandon(),
            Self::Ssh(_) => false,
        }
    }

    /// Lets conversations begin with a handshake. Returns false if they do already.
    pub(super) fn require_handshake(&self) -> bool {
        match self {
            Self::Http(endpoint) => endpoint.require_handshake(),
            Self::Ssh(_) => false,
        }
    }

    /// Returns whether a conversation continues after a response, also in version 0 of the
    /// protocol.
    pub(super) fn is_stateless(&self) -> bool {
        matches!(self, Self::Http(_))
    }

    /// Removes credentials that were sent to the server from its text.
    pub(super) fn scrub(&self, text: &str) -> String {
        match self {
            Self::Http(endpoint) => endpoint.scrub(text),
            // ssh uses its own credentials, which this program never sees.
            Self::Ssh(_) => text.to_owned(),
        }
    }

    /// Returns the redirects to report to the user, once.
    pub(super) fn take_redirects(&self) -> Vec<String> {
        match self {
            Self::Http(endpoint) => endpoint.take_redirects(),
            Self::Ssh(_) => Vec::new(),
        }
    }
}
