//! A handler for all transports, alone or around another one.

use crate::{Skills, files, prompts::Given};
use helix_skills_agent::run::ToolCall;
use helix_skills_runtime::Error;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams,
        CancelledNotificationParam, CompleteRequestParams, CompleteResult, ContentBlock,
        CustomNotification, CustomRequest, CustomResult, DiscoverResult, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, GetSkillRequestParams, GetSkillResult, GetTaskParams,
        GetTaskResult, Implementation, InitializeRequestParams, InitializeResult,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult,
        ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, PromptMessage,
        ProtocolVersion, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Role,
        ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool,
        UnsubscribeRequestParams, UpdateTaskParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde_json::json;
use std::{borrow::Cow, collections::HashSet};

type Request = RequestContext<RoleServer>;
type Notification = NotificationContext<RoleServer>;

/// A server with skills and nothing else.
#[derive(Clone, Debug)]
pub struct Standalone(Implementation);

impl ServerHandler for Standalone {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::default()).with_server_info(self.0.clone())
    }
}

/// A [`ServerHandler`] with skills, alone or in addition to those of another one.
///
/// ```
/// use helix_skills_mcp::{SkillServer, rmcp};
/// use rmcp::model::{ServerCapabilities, ServerConfig};
/// # use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
///
/// #[derive(Clone)]
/// struct Weather; // a server with tools of its own
///
/// impl rmcp::ServerHandler for Weather {
///     fn get_info(&self) -> ServerConfig {
///         ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
///     }
/// }
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// // `skills::TOOLBOX` of `include_skills!`
/// SkillServer::around(Weather, Toolbox::new(SKILLS))?.serve_stdio().await
/// # }
/// ```
///
/// Lists of the other server come first, the skills follow on its last page. Its instructions come
/// before the catalog. Requests for anything but skills are passed on to it, and its name and
/// version are those of the server. If its last page has a tool or a prompt with the name of one
/// for skills, listing them is an error; a call by that name reaches the skills.
///
/// Clones share their skills, so a transport that needs a handler for each session can clone one.
#[derive(Clone, Debug)]
pub struct SkillServer<S = Standalone> {
    skills: Skills,
    server: S,
}

impl SkillServer {
    /// Makes a server with skills and nothing else.
    pub fn new(skills: impl Into<Skills>) -> Self {
        let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        Self { skills: skills.into(), server: Standalone(name) }
    }

    /// Sets the name and the version that clients get [default: those of this crate].
    pub fn named(mut self, name: Implementation) -> Self {
        self.server.0 = name;
        self
    }
}

impl<S: ServerHandler> SkillServer<S> {
    /// Adds skills to `server`.
    ///
    /// # Errors
    /// If [`get_tool`](ServerHandler::get_tool) of `server` has a tool with the name of one for
    /// skills.
    pub fn around(server: S, skills: impl Into<Skills>) -> Result<Self, Error> {
        let skills = skills.into();
        skills.check_tools(|name| server.get_tool(name).is_some())?;
        Ok(Self { skills, server })
    }

    /// Returns the skills.
    pub(crate) const fn skills(&self) -> &Skills {
        &self.skills
    }

    /// The capabilities of the other server.
    fn own(&self) -> ServerCapabilities {
        self.server.get_info().capabilities
    }

    /// Adds what the skills offer to what the server declares.
    fn declare(&self, capabilities: &mut ServerCapabilities, instructions: &mut Option<String>) {
        let ours = ServerCapabilities::builder().enable_skills_with_directory_read().build();
        capabilities.extensions.get_or_insert_default().extend(ours.extensions.unwrap_or_default());
        let can_change = self.skills.can_change().then_some(true);
        let declare = |list_changed: &mut Option<bool>| *list_changed = list_changed.or(can_change);
        declare(&mut capabilities.tools.get_or_insert_default().list_changed);
        declare(&mut capabilities.prompts.get_or_insert_default().list_changed);
        declare(&mut capabilities.resources.get_or_insert_default().list_changed);
        let catalog = self.skills.last().catalog.clone();
        *instructions = match instructions.take() {
            Some(theirs) if !catalog.is_empty() => Some(format!("{theirs}\n\n{catalog}")),
            theirs => theirs.or(Some(catalog).filter(|catalog| !catalog.is_empty())),
        };
    }
}

/// The methods that have parameters, and that every server with skills answers.
const METHODS: [&str; 9] = [
    "skills/list",
    "skills/get",
    "resources/directory/read",
    "resources/list",
    "resources/read",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
];

/// Adds to an answer about the skills how long a client may keep it.
macro_rules! kept {
    ($self:ident, $answer:expr) => {{
        let mut answer = $answer;
        answer.ttl_ms = $self.skills.ttl_ms();
        answer
    }};
}

/// A method that returns a page of the other server with all skills after it, if it is the last
/// one. `$what` has a name that no other item may have.
macro_rules! list {
    ($method:ident, $result:ty, $items:ident $(, $what:literal)?) => {
        async fn $method(
            &self,
            request: Option<PaginatedRequestParams>,
            context: Request,
        ) -> Result<$result, ErrorData> {
            let mut page = match self.own().$items {
                Some(_) => self.server.$method(request, context).await?,
                None => check_cursor(request).map(|()| kept!(self, <$result>::default()))?,
            };
            if page.next_cursor.is_none() {
                page.$items.extend(self.skills.current().await?.$items.clone());
            }
            $(check_unique($what, page.$items.iter().map(|item| &*item.name))?;)?
            Ok(page)
        }
    };
}

/// Returns an error if two of these have one name.
fn check_unique<'n>(what: &str, names: impl Iterator<Item = &'n str>) -> Result<(), ErrorData> {
    let mut known = HashSet::new();
    for name in names {
        if !known.insert(name) {
            let message =
                format!("the server and its skills both have a {what} `{name}`: rename one");
            return Err(ErrorData::internal_error(message, None));
        }
    }
    Ok(())
}

/// All results are on one page, so no cursor is valid.
fn check_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(cursor) => Err(ErrorData::invalid_params(format!("unknown cursor `{cursor}`"), None)),
    }
}

/// The data of an error about a resource.
fn uri_data(uri: &str) -> Option<serde_json::Value> {
    Some(json!({ "uri": uri }))
}

/// Methods that pass a request or a notification on to the other server.
macro_rules! pass_on {
    ($($(#[$attribute:meta])*
       async fn $method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        $(#[$attribute])*
        async fn $method(&self, $($argument: $type),*) $(-> $result)? {
            self.server.$method($($argument),*).await
        }
    )*};
}

impl<S: ServerHandler> ServerHandler for SkillServer<S> {
    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _: Request,
    ) -> Result<ListSkillsResult, ErrorData> {
        check_cursor(request)?;
        let snapshot = self.skills.current().await?;
        let skills = snapshot.entries.iter().map(|entry| entry.skill.clone()).collect();
        Ok(kept!(self, ListSkillsResult::with_all_items(skills)))
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: Request,
    ) -> Result<GetSkillResult, ErrorData> {
        let snapshot = self.skills.current().await?;
        let entry = snapshot.entry(&request.uri).ok_or_else(|| {
            let message = format!("unknown skill `{}`: `skills/list` has all URIs", request.uri);
            ErrorData::invalid_params(message, uri_data(&request.uri))
        })?;
        Ok(kept!(self, GetSkillResult::new(entry.skill.clone())))
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _: Request,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let snapshot = self.skills.current().await?;
        let children = snapshot.entries.iter().find_map(|entry| entry.children(&request.uri));
        let children = children.ok_or_else(|| {
            let message = format!("`{}` is not a directory of a skill", request.uri);
            ErrorData::invalid_params(message, uri_data(&request.uri))
        })?;
        Ok(kept!(self, ReadResourceDirectoryResult::with_all_items(children)))
    }

    list!(list_resources, ListResourcesResult, resources);
    list!(list_tools, ListToolsResult, tools, "tool");
    list!(list_prompts, ListPromptsResult, prompts, "prompt");

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Request,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (uri, snapshot) = (&request.uri, self.skills.last());
        if let Some((entry, path)) = snapshot.file(uri) {
            let content = snapshot.source.read(&entry.name, path).await.map_err(|error| {
                ErrorData::internal_error(format!("cannot read `{uri}`: {error}"), uri_data(uri))
            })?;
            if let Some(bytes) = content {
                let contents = vec![files::contents(uri, path, bytes)];
                return Ok(kept!(self, ReadResourceResult::new(contents)).into());
            }
        }
        if self.own().resources.is_some() {
            return self.server.read_resource(request, context).await;
        }
        Err(ErrorData::resource_not_found(format!("unknown resource `{uri}`"), uri_data(uri)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Request,
    ) -> Result<CallToolResponse, ErrorData> {
        let snapshot = self.skills.last();
        if !snapshot.tools.iter().any(|tool| tool.name == request.name) {
            if self.own().tools.is_some() {
                return self.server.call_tool(request, context).await;
            }
            let message = format!("unknown tool `{}`", request.name);
            return Err(ErrorData::invalid_params(message, None));
        }
        let arguments = json!(request.arguments.unwrap_or_default()).to_string();
        let call = ToolCall::new("", &*request.name, arguments);
        // A call that fails has a result with the text for the model.
        let result = match snapshot.source.as_tools().call_tool(&call).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
        };
        Ok(result.into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let own = self.skills.last().tools.iter().find(|tool| tool.name == name).cloned();
        own.or_else(|| self.server.get_tool(name))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Request,
    ) -> Result<GetPromptResponse, ErrorData> {
        let snapshot = self.skills.last();
        if let Some(prompt) = snapshot.prompts.iter().find(|prompt| prompt.name == request.name) {
            let invalid = |error: String| ErrorData::invalid_params(error, None);
            let given = Given::new(prompt, request.arguments.clone().unwrap_or_default());
            let given = given.map_err(invalid)?;
            let arguments = given.as_arguments().map_err(|error| invalid(error.to_string()))?;
            if let Some(reply) = snapshot.source.invoke(&prompt.name, arguments).await {
                if reply.is_error() {
                    return Err(ErrorData::internal_error(reply.to_string(), None));
                }
                let message = PromptMessage::new_text(Role::User, reply.to_string());
                let mut result = GetPromptResult::new(vec![message]);
                result.description.clone_from(&prompt.description);
                return Ok(result.into());
            }
        }
        if self.own().prompts.is_some() {
            return self.server.get_prompt(request, context).await;
        }
        Err(ErrorData::invalid_params(format!("unknown prompt `{}`", request.name), None))
    }

    fn get_info(&self) -> ServerConfig {
        let mut info = self.server.get_info();
        self.declare(&mut info.capabilities, &mut info.instructions);
        info
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Request,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.server.initialize(request, context).await?;
        self.declare(&mut result.capabilities, &mut result.instructions);
        Ok(result)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.server.supported_protocol_versions()
    }

    async fn discover(&self, context: Request) -> Result<DiscoverResult, ErrorData> {
        let mut result = self.server.discover(context).await?;
        self.declare(&mut result.capabilities, &mut result.instructions);
        Ok(result)
    }

    async fn on_initialized(&self, context: Notification) {
        let client = context.peer.clone();
        tokio::join!(self.server.on_initialized(context), self.skills.notify(&client));
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let theirs = self.server.accepted_subscription_filter(requested);
        if !self.skills.can_change() {
            return theirs;
        }
        let mut filter = theirs.unwrap_or_default();
        filter.tools_list_changed = requested.tools_list_changed;
        filter.prompts_list_changed = requested.prompts_list_changed;
        filter.resources_list_changed = requested.resources_list_changed;
        Some(filter)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        if !self.skills.can_change() {
            return self.server.listen(context).await;
        }
        let sink = context.sink().clone();
        tokio::select! {
            result = self.server.listen(context) => result,
            () = self.skills.listen(&sink) => Ok(()),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Request,
    ) -> Result<CustomResult, ErrorData> {
        // A request whose parameters do not parse arrives here. "Method not found" would say that
        // the server does not have it.
        if METHODS.contains(&&*request.method) {
            let message = format!("invalid parameters of `{}`", request.method);
            return Err(ErrorData::invalid_params(message, None));
        }
        self.server.on_custom_request(request, context).await
    }

    // Everything else is passed on.

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Request,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        match self.own().resources {
            Some(_) => self.server.list_resource_templates(request, context).await,
            None => check_cursor(request).map(|()| ListResourceTemplatesResult::default()),
        }
    }

    pass_on! {
        async fn ping(context: Request) -> Result<(), ErrorData>;
        async fn complete(request: CompleteRequestParams, context: Request) -> Result<CompleteResult, ErrorData>;
        async fn get_task(request: GetTaskParams, context: Request) -> Result<GetTaskResult, ErrorData>;
        async fn update_task(request: UpdateTaskParams, context: Request) -> Result<(), ErrorData>;
        async fn cancel_task(request: CancelTaskParams, context: Request) -> Result<(), ErrorData>;
        #[expect(deprecated, reason = "clients of older protocol versions use it")]
        async fn set_level(request: rmcp::model::SetLevelRequestParams, context: Request) -> Result<(), ErrorData>;
        #[expect(deprecated, reason = "clients of older protocol versions use it")]
        async fn subscribe(request: SubscribeRequestParams, context: Request) -> Result<(), ErrorData>;
        #[expect(deprecated, reason = "clients of older protocol versions use it")]
        async fn unsubscribe(request: UnsubscribeRequestParams, context: Request) -> Result<(), ErrorData>;
        async fn on_cancelled(notification: CancelledNotificationParam, context: Notification);
        async fn on_progress(notification: ProgressNotificationParam, context: Notification);
        async fn on_roots_list_changed(context: Notification);
        async fn on_custom_notification(notification: CustomNotification, context: Notification);
    }
}
