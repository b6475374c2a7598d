//! What a server offers, refuses and demands.

use super::{Script, backend, exchange::basic_credentials, pkt_line};
use std::{collections::BTreeMap, io, path::Path, time::Duration};

/// What the server lacks, refuses or demands. The default behaves like the large forges: protocol
/// version 2, filters, wants of any object.
#[derive(Clone, Debug)]
pub struct Behavior {
    /// Whether `filter` is offered (`uploadpack.allowFilter`).
    pub filters: bool,
    /// Whether filters are offered but refused (`uploadpackfilter.allow`). Otherwise `blob:none`
    /// and `tree:0` are accepted, as on the large forges.
    pub refuses_filters: bool,
    /// Whether protocol version 2 is supported; otherwise the server falls back to version 0.
    pub protocol_v2: bool,
    /// Whether files are served as they are, without git. Refuses every POST.
    pub is_dumb: bool,
    /// Which objects a client may request.
    pub wants: Wants,
    /// Credentials that every request needs; requests without them get status 401.
    pub login: Option<Login>,
    /// Targets that are redirected.
    pub redirects: Vec<Redirect>,
    /// Requests that fail, by number, counted from 1 since the start or the last
    /// [`take_traffic`](super::GitServer::take_traffic).
    pub faults: BTreeMap<u64, Fault>,
    /// Time that each request waits for its answer.
    pub latency: Duration,
    /// Answers made by the test; they take precedence over all of the above.
    pub script: Option<Script>,
}

impl Default for Behavior {
    fn default() -> Self {
        Self {
            filters: true,
            refuses_filters: false,
            protocol_v2: true,
            is_dumb: false,
            wants: Wants::Any,
            login: None,
            redirects: Vec::new(),
            faults: BTreeMap::new(),
            latency: Duration::ZERO,
            script: None,
        }
    }
}

/// Which objects a client may request by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Everything.
    Any,
    /// Everything but trees.
    NoTrees,
    /// Commits and tags only.
    NoTreesOrBlobs,
    /// Only the objects that a ref of the repository points to.
    Advertised,
}

/// Basic credentials.
#[derive(Clone, Debug)]
pub struct Login {
    /// The user name; `None` accepts every name.
    pub user: Option<String>,
    /// The password.
    pub password: String,
}

/// A redirect of every target that starts with `from`.
#[derive(Clone, Debug)]
pub struct Redirect {
    /// The start of the target, with its leading slash.
    pub from: String,
    /// What replaces that start: an absolute URL or another path.
    pub to: String,
    /// The status, such as 301.
    pub status: u16,
}

/// How a request fails.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// An empty answer with this status.
    Status(u16),
    /// An empty answer with this status and this `Retry-After`.
    Busy(u16, &'static str),
    /// An answer with this status that repeats the client's `Authorization`, as sent and decoded,
    /// in headers and body.
    Echo(u16),
    /// No answer: the connection is closed.
    Hangup,
    /// Status 200 with the right content type and a body that is not from git.
    Garbage,
    /// A refusal in git's own form, with this text.
    Refusal(&'static str),
    /// The right answer, truncated in the middle; then the connection is closed.
    Truncated,
    /// The right answer with one bit flipped, this many bytes before its end.
    Corrupted(usize),
    /// A response head, then nothing until the client gives up.
    Stalled,
}

impl Login {
    pub(super) fn admits(&self, header: Option<&str>) -> bool {
        let credentials = header.and_then(basic_credentials);
        let Some((user, password)) = credentials.as_deref().and_then(|text| text.split_once(':'))
        else {
            return false;
        };
        password == self.password && self.user.as_deref().is_none_or(|expected| expected == user)
    }
}

impl Wants {
    /// Returns the first object that the request wants and the server refuses.
    pub(super) fn refused(self, repository: &Path, lines: &[String]) -> io::Result<Option<String>> {
        let wanted: Vec<&str> = pkt_line::wants(lines).collect();
        if self == Self::Any || wanted.is_empty() {
            return Ok(None);
        }
        let given: Vec<bool> = match self {
            Self::Any => return Ok(None),
            Self::Advertised => {
                let advertised = backend::advertised(repository)?;
                wanted.iter().map(|id| advertised.contains(*id)).collect()
            }
            Self::NoTrees | Self::NoTreesOrBlobs => backend::kinds(repository, &wanted)?
                .iter()
                .map(|kind| kind != "tree" && (self == Self::NoTrees || kind != "blob"))
                .collect(),
        };
        Ok(wanted.iter().zip(given).find(|(_, given)| !given).map(|(id, _)| (*id).to_owned()))
    }
}
