//! How a repository on a server is reached: over http or through ssh.

use std::sync::Arc;

use gix::bstr::BStr;
use gix::protocol::transport::Protocol;

use super::endpoint::HttpEndpoint;
use super::error::{Cause, GitError};
use super::http::{Http, HttpTransport};
use super::meter::Expected;
use super::ssh::Ssh;
use super::transport::Transport;

/// How a repository on a server is reached.
pub(super) enum Connector {
    /// Each request is one by itself.
    Http(Arc<HttpEndpoint>),
    /// One process serves all requests of a conversation.
    Ssh(Arc<Ssh>),
}

impl Connector {
    /// Begins a conversation. Over http this sends nothing yet.
    pub(super) fn open(&self) -> Result<Transport, GitError> {
        match self {
            Self::Ssh(ssh) => ssh.open(),
            Self::Http(endpoint) => {
                let url = gix::url::parse(BStr::new(&endpoint.home));
                let url = url.map_err(|error| {
                    endpoint.problem("the url cannot be parsed").with_cause(Cause::from_gix(&error))
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

    /// Why the last request failed, if it was ours or the network's fault; gix only learns that it did.
    pub(super) fn take_failure(&self) -> Option<GitError> {
        match self {
            Self::Http(endpoint) => endpoint.take_failure(),
            Self::Ssh(ssh) => ssh.take_failure(),
        }
    }

    /// What the answers hold: it decides how long they may be, and what counts as progress.
    pub(super) fn expected(&self) -> &Arc<Expected> {
        match self {
            Self::Http(endpoint) => &endpoint.expected,
            Self::Ssh(ssh) => &ssh.expected,
        }
    }

    /// Gives up what is left of an answer. False when the conversation is over with it.
    pub(super) fn abandon(&self) -> bool {
        match self {
            Self::Http(endpoint) => {
                endpoint.abandon();
                true
            }
            Self::Ssh(_) => false,
        }
    }

    /// Whether the request that has just failed can be made again in the same conversation, because nothing of an answer was
    /// read.
    pub(super) fn can_repeat(&self) -> bool {
        match self {
            Self::Http(endpoint) => !endpoint.is_answered() && self.abandon(),
            Self::Ssh(_) => false,
        }
    }

    /// Whether a conversation goes on after an answer, also in version 0 of the protocol.
    pub(super) fn is_stateless(&self) -> bool {
        matches!(self, Self::Http(_))
    }

    /// A server's text without the credentials that it was sent.
    pub(super) fn scrub(&self, text: &str) -> String {
        match self {
            Self::Http(endpoint) => endpoint.scrub(text),
            // ssh has its own, and we never see them.
            Self::Ssh(_) => text.to_owned(),
        }
    }

    /// What should be told about the way there, once.
    pub(super) fn take_redirects(&self) -> Vec<String> {
        match self {
            Self::Http(endpoint) => endpoint.take_redirects(),
            Self::Ssh(_) => Vec::new(),
        }
    }
}
