//! The skills of a server.

use crate::{change::Versions, files, prompts::Given, snapshot::Snapshot, source::AnyProvider};
use helix_skills_agent::{
    __internal::{is_fixed, shared},
    AsyncToolboxBuilder, Provider,
    run::ToolCall,
};
use helix_skills_format::__internal::one_line_chain;
use helix_skills_runtime::{Error, SkillSet, Toolbox};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResult, ContentBlock, GetPromptRequestParams,
        GetPromptResult, GetSkillRequestParams, GetSkillResult, ListSkillsResult,
        PaginatedRequestParams, PromptMessage, ReadResourceDirectoryRequestParams,
        ReadResourceDirectoryResult, ReadResourceRequestParams, ReadResourceResult, Role,
        ServerCapabilities, ServerNotification, Tool,
    },
    service::{Peer, SubscriptionSink},
};
use serde_json::json;
use std::{
    fmt, mem,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
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
    snapshot: RwLock<Arc<Snapshot>>,
    refreshing: Mutex<()>,
    versions: watch::Sender<Versions>,
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
            snapshot: RwLock::new(Arc::new(snapshot)),
            refreshing: Mutex::new(()),
            versions: watch::Sender::default(),
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

    /// Returns the capabilities to declare.
    #[must_use]
    pub(crate) fn capabilities(&self) -> ServerCapabilities {
        let list_changed = self.can_change().then_some(true);
        let mut capabilities =
            ServerCapabilities::builder().enable_skills_with_directory_read().build();
        capabilities.tools.get_or_insert_default().list_changed = list_changed;
        capabilities.prompts.get_or_insert_default().list_changed = list_changed;
        capabilities.resources.get_or_insert_default().list_changed = list_changed;
        capabilities
    }

    /// Returns the catalog, for the instructions of the server; `None` if there is none.
    #[must_use]
    pub(crate) fn instructions(&self) -> Option<String> {
        let last = self.last();
        (!last.catalog.is_empty()).then(|| last.catalog.clone())
    }

    /// Answers `skills/list`, with all skills on one page.
    ///
    /// # Errors
    /// If the request has a cursor, or the provider fails.
    pub(crate) async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
    ) -> Result<ListSkillsResult, ErrorData> {
        check_cursor(request)?;
        let snapshot = self.current().await?;
        let skills = snapshot.entries.iter().map(|entry| entry.skill.clone()).collect();
        Ok(ListSkillsResult::with_all_items(skills))
    }

    /// Answers `skills/get`.
    ///
    /// # Errors
    /// If no skill has the URI, or the provider fails.
    pub(crate) async fn get_skill(
        &self,
        request: GetSkillRequestParams,
    ) -> Result<GetSkillResult, ErrorData> {
        let snapshot = self.current().await?;
        let entry = snapshot.entry(&request.uri).ok_or_else(|| {
            let message = format!("unknown skill `{}`: `skills/list` has all URIs", request.uri);
            ErrorData::invalid_params(message, uri_data(&request.uri))
        })?;
        Ok(GetSkillResult::new(entry.skill.clone()))
    }

    /// Answers `resources/directory/read` for the directory of a skill, or one below it.
    ///
    /// # Errors
    /// If no directory of a skill has the URI, or the provider fails.
    pub(crate) async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let snapshot = self.current().await?;
        let children = snapshot.entries.iter().find_map(|entry| entry.children(&request.uri));
        children.map(ReadResourceDirectoryResult::with_all_items).ok_or_else(|| {
            let message = format!("{} is not a directory of a skill", request.uri);
            ErrorData::invalid_params(message, uri_data(&request.uri))
        })
    }

    /// Answers `resources/read` for a file of a skill. `None` if no skill has such a file: it may
    /// be another resource of the server.
    ///
    /// # Errors
    /// If the provider cannot read the file.
    pub(crate) async fn read_resource(
        &self,
        request: &ReadResourceRequestParams,
    ) -> Result<Option<ReadResourceResult>, ErrorData> {
        let (uri, snapshot) = (&request.uri, self.last());
        let Some((entry, path)) = snapshot.file(uri) else { return Ok(None) };
        let content = snapshot.source.read(&entry.name, path).await.map_err(|error| {
            ErrorData::internal_error(format!("cannot read {uri}: {error}"), uri_data(uri))
        })?;
        Ok(content.map(|bytes| ReadResourceResult::new(vec![files::contents(uri, path, bytes)])))
    }

    /// Answers `tools/call` for a tool of the toolbox; `None` for any other tool. A call that fails
    /// has a result with the text for the model.
    pub(crate) async fn call_tool(
        &self,
        request: &CallToolRequestParams,
    ) -> Option<CallToolResult> {
        let snapshot = self.last();
        snapshot.tools.iter().find(|tool| tool.name == request.name)?;
        let arguments =
            request.arguments.as_ref().map_or_else(|| "{}".into(), |all| json!(all).to_string());
        let call = ToolCall::new("", &*request.name, arguments);
        Some(match snapshot.source.as_tools().call_tool(&call).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
        })
    }

    /// Answers `prompts/get` for a skill that a user can invoke, with its body as a message of the
    /// user; `None` for any other prompt.
    ///
    /// # Errors
    /// If the prompt has no such argument, or the skill cannot be loaded.
    pub(crate) async fn get_prompt(
        &self,
        request: &GetPromptRequestParams,
    ) -> Result<Option<GetPromptResult>, ErrorData> {
        let snapshot = self.last();
        let Some(prompt) = snapshot.prompts.iter().find(|prompt| prompt.name == request.name)
        else {
            return Ok(None);
        };
        let given = Given::new(prompt, request.arguments.clone().unwrap_or_default());
        let given = given.map_err(|error| ErrorData::invalid_params(error, None))?;
        let arguments = given
            .as_arguments()
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let Some(reply) = snapshot.source.invoke(&prompt.name, arguments).await else {
            return Ok(None);
        };
        if reply.is_error() {
            return Err(ErrorData::internal_error(reply.to_string(), None));
        }
        let message = PromptMessage::new_text(Role::User, reply.to_string());
        let mut result = GetPromptResult::new(vec![message]);
        result.description.clone_from(&prompt.description);
        Ok(Some(result))
    }

    /// Notifies a client of lists that change, until it disconnects; for
    /// [`on_initialized`](rmcp::ServerHandler::on_initialized). Returns at once if the skills never
    /// change.
    pub(crate) async fn notify(&self, client: &Peer<RoleServer>) {
        let mut versions = self.0.versions.subscribe();
        let mut seen = *versions.borrow_and_update();
        while let Some(changes) = self.changes(&mut versions, &mut seen).await {
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
        let mut versions = self.0.versions.subscribe();
        let mut seen = *versions.borrow_and_update();
        while let Some(changes) = self.changes(&mut versions, &mut seen).await {
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

    pub(crate) fn get_tool(&self, name: &str) -> Option<Tool> {
        self.last().tools.iter().find(|tool| tool.name == name).cloned()
    }

    /// Waits for a change, but at most for the interval in which changes are looked for. Returns
    /// the notifications of all changes since `seen`, and `None` at once if the skills never
    /// change.
    async fn changes(
        &self,
        versions: &mut watch::Receiver<Versions>,
        seen: &mut Versions,
    ) -> Option<impl Iterator<Item = ServerNotification> + use<>> {
        if !self.can_change() {
            return None;
        }
        if tokio::time::timeout(WATCH_INTERVAL, versions.changed()).await.is_err()
            && let Err(error) = self.current().await
        {
            tracing::warn!("{}", error.message);
        }
        let now = *versions.borrow_and_update();
        Some(now.since(mem::replace(seen, now)))
    }

    /// Returns what the server listed last.
    fn last(&self) -> Arc<Snapshot> {
        // Replacing a snapshot cannot fail halfway.
        self.0.snapshot.read().unwrap_or_else(PoisonError::into_inner).clone()
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
        *self.0.snapshot.write().unwrap_or_else(PoisonError::into_inner) = next.clone();
        self.0.versions.send_if_modified(|versions| {
            let before = *versions;
            versions.count(&last, &next);
            *versions != before
        });
        Ok(next)
    }

    /// Returns an error if a tool of a server has the name of a tool for skills.
    pub(crate) fn check_tools(&self, is_taken: impl Fn(&str) -> bool) -> Result<(), Error> {
        let last = self.last();
        let taken = last.tools.iter().map(|tool| &*tool.name).filter(|name| is_taken(name));
        last.source.listed().tools(taken).map(|_| ())
    }
}

/// All results are on one page, so no cursor is valid.
pub(crate) fn check_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(cursor) => Err(ErrorData::invalid_params(format!("unknown cursor `{cursor}`"), None)),
    }
}

/// The data of an error about a resource.
pub(crate) fn uri_data(uri: &str) -> Option<serde_json::Value> {
    Some(json!({ "uri": uri }))
}

impl fmt::Debug for Skills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.last();
        let names: Vec<_> = last.entries.iter().map(|entry| &entry.name).collect();
        f.debug_struct("Skills").field("listed", &names).finish_non_exhaustive()
    }
}
