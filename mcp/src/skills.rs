//! The skills of a server.

use crate::{change::changes, snapshot::Snapshot, source::AnyProvider};
use helix_skills_agent::{
    __internal::{is_fixed, shared},
    AsyncToolboxBuilder, Provider,
};
use helix_skills_format::__internal::one_line_chain;
use helix_skills_runtime::{Error, SkillSet, Toolbox};
use rmcp::{
    ErrorData, RoleServer,
    model::ServerNotification,
    service::{Peer, SubscriptionSink},
};
use std::{fmt, mem, sync::Arc, time::Duration};
use tokio::sync::{Mutex, watch};

/// How long the skills of a provider count as unchanged. A client that sends many requests does not
/// have them listed again for each.
const FRESH: Duration = Duration::from_secs(1);

/// How often the skills of a provider are compared while a client waits for notifications.
const WATCH_INTERVAL: Duration = Duration::from_secs(5);

/// The skills of a server, and the answers to requests about them.
///
/// [`SkillServer`](crate::SkillServer) sends them, alone or around a
/// [`ServerHandler`](rmcp::ServerHandler) of yours.
///
/// Embedded skills are known when this value is made:
///
/// ```
/// use helix_skills_mcp::Skills;
/// # use helix_skills::{Resource, Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let skills = Skills::from(Toolbox::new(SKILLS)); // or `skills::TOOLBOX` of `include_skills!`
/// assert!(skills.warnings().is_empty());
/// ```
///
/// Those of a provider are loaded, and listed again when a client lists them and the last list is
/// older than a second. While a client waits for notifications, changes are looked for every 5
/// seconds.
///
/// ```
/// use helix_skills::AsyncToolbox;
/// use helix_skills_host::Directories;
/// use helix_skills_mcp::Skills;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path();
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let directories = Directories::new().root(path);
/// let skills = Skills::new(AsyncToolbox::builder(directories)).await?;
/// # assert!(skills.warnings().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Clones share their skills.
#[derive(Clone)]
pub struct Skills(Arc<State>);

struct State {
    /// Makes the next snapshot; `None` if the skills never change.
    builder: Option<AsyncToolboxBuilder<AnyProvider>>,
    snapshot: watch::Sender<Arc<Snapshot>>,
    refreshing: Mutex<()>,
}

impl From<Toolbox<'static>> for Skills {
    fn from(toolbox: Toolbox<'static>) -> Self {
        Self::with(Snapshot::embedded(toolbox), None)
    }
}

impl From<SkillSet<'static>> for Skills {
    fn from(set: SkillSet<'static>) -> Self {
        Toolbox::new(set).into()
    }
}

impl Skills {
    /// Loads the skills of a provider: directories, a registry, or a `Vec` of skills. The builder
    /// has the options of the toolbox, whose tools the server offers.
    ///
    /// # Errors
    /// If the toolbox cannot be built; see
    /// [`AsyncToolboxBuilder::build`](helix_skills_agent::AsyncToolboxBuilder::build). A skill that
    /// cannot be loaded is a [warning](Self::warnings).
    pub async fn new<P: Provider + 'static>(
        toolbox: AsyncToolboxBuilder<P>,
    ) -> Result<Self, Error> {
        let builder = shared(toolbox);
        let toolbox = builder.clone().build().await?;
        let builder = (!is_fixed(&toolbox)).then_some(builder);
        Ok(Self::with(Snapshot::provided(toolbox).await, builder))
    }

    fn with(snapshot: Snapshot, builder: Option<AsyncToolboxBuilder<AnyProvider>>) -> Self {
        Self(Arc::new(State {
            builder,
            snapshot: watch::Sender::new(Arc::new(snapshot)),
            refreshing: Mutex::new(()),
        }))
    }

    /// Returns problems that affect single skills: those that the skills extension cannot express,
    /// and the warnings of the provider. Each is one line.
    ///
    /// A skill without a valid name for the extension, with more than 512 files or more than 16 MiB
    /// is not in `skills/list`, but the tools serve it.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.last().warnings.clone()
    }

    /// Notifies a client of lists that change, until it disconnects; for
    /// [`on_initialized`](rmcp::ServerHandler::on_initialized). Returns at once if the skills never
    /// change.
    pub(crate) async fn notify(&self, client: &Peer<RoleServer>) {
        let mut snapshots = self.0.snapshot.subscribe();
        let mut seen = snapshots.borrow_and_update().clone();
        while let Some(changes) = self.changes(&mut snapshots, &mut seen).await {
            let mut is_connected = !client.is_transport_closed();
            for change in changes {
                is_connected &= client.send_notification(change).await.is_ok();
            }
            if !is_connected {
                return;
            }
        }
    }

    /// Sends a subscription the changes that it asked for, as long as the future is polled; for
    /// [`listen`](rmcp::ServerHandler::listen). Returns at once if the skills never change.
    pub(crate) async fn listen(&self, subscription: &SubscriptionSink) {
        let mut snapshots = self.0.snapshot.subscribe();
        let mut seen = snapshots.borrow_and_update().clone();
        while let Some(changes) = self.changes(&mut snapshots, &mut seen).await {
            for change in changes {
                // An error means that the subscription has not asked for it, or has ended, which
                // its owner notices.
                let _ = subscription.send(change).await;
            }
        }
    }

    /// Returns how long a client may keep an answer about the skills, in milliseconds: for an hour
    /// if they cannot change while the server runs.
    pub(crate) fn ttl_ms(&self) -> Option<u64> {
        (!self.can_change()).then_some(60 * 60 * 1000)
    }

    /// Returns whether the skills can change, and a client can wait for that.
    pub(crate) fn can_change(&self) -> bool {
        self.0.builder.is_some()
    }

    /// Waits for a change, but at most for the interval in which changes are looked for. Returns
    /// the notifications of all changes since `seen`, and `None` at once if the skills never
    /// change.
    async fn changes(
        &self,
        snapshots: &mut watch::Receiver<Arc<Snapshot>>,
        seen: &mut Arc<Snapshot>,
    ) -> Option<impl Iterator<Item = ServerNotification> + use<>> {
        if !self.can_change() {
            return None;
        }
        if tokio::time::timeout(WATCH_INTERVAL, snapshots.changed()).await.is_err()
            && let Err(error) = self.current().await
        {
            tracing::warn!("{}", error.message);
        }
        let before = mem::replace(seen, snapshots.borrow_and_update().clone());
        Some(changes(&before, seen))
    }

    /// Returns what the server listed last.
    pub(crate) fn last(&self) -> Arc<Snapshot> {
        self.0.snapshot.borrow().clone()
    }

    /// Returns what the server lists now.
    pub(crate) async fn current(&self) -> Result<Arc<Snapshot>, ErrorData> {
        let is_current = |last: &Snapshot| !self.can_change() || last.made.elapsed() < FRESH;
        let last = self.last();
        if is_current(&last) {
            return Ok(last);
        }
        let _refreshing = self.0.refreshing.lock().await;
        // Another request may have refreshed meanwhile.
        let last = self.last();
        let Some(builder) = self.0.builder.as_ref().filter(|_| !is_current(&last)) else {
            return Ok(last);
        };
        let toolbox = builder
            .clone()
            .build()
            .await
            .map_err(|error| ErrorData::internal_error(one_line_chain(&error), None))?;
        let next = Arc::new(Snapshot::provided(toolbox).await);
        for warning in next.warnings.iter().filter(|warning| !last.warnings.contains(warning)) {
            tracing::warn!("{warning}");
        }
        self.0.snapshot.send_replace(next.clone());
        Ok(next)
    }

    /// Returns an error if a tool of a server has the name of a tool for skills.
    pub(crate) fn check_tools(&self, is_taken: impl Fn(&str) -> bool) -> Result<(), Error> {
        let last = self.last();
        let taken = last.tools.iter().map(|tool| &*tool.name).filter(|name| is_taken(name));
        last.source.listed().tools(taken).map(|_| ())
    }
}

impl fmt::Debug for Skills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last();
        let names: Vec<_> = last.entries.iter().map(|entry| &entry.name).collect();
        f.debug_struct("Skills").field("listed", &names).finish_non_exhaustive()
    }
}
