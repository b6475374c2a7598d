//! git's credential helpers: programs of the user's git configuration that provide passwords.
//!
//! They run only after a server has asked for credentials, for that server alone, and are informed
//! whether the credentials were valid. This program never prompts; a helper may.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::credentials::Program;
use gix::credentials::helper::Action;
use gix::credentials::program::Kind;
use gix::credentials::protocol::{Context, ContextOptions};
use helix_skills_format::__internal::one_line_chain;

use super::child::{self, ChildError};
use super::error::{Cause, GitError};
use super::escape::escape;
use super::programs;
use super::secret::Secret;
use super::shared::Shared;
use super::user_config::is_trusted;

/// A user name and a password or token.
#[derive(Clone, Debug)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: Secret,
    /// Where it comes from, for messages.
    pub(super) source: String,
    /// The credential helpers that gave it and expect to learn whether it was valid.
    pub(super) helper: Option<Arc<HelperCredentials>>,
}

/// Maximum number of bytes read of a helper's answer, which has a few lines.
const MAX_ANSWER_BYTES: u64 = 64 << 10;

/// Credentials from helpers, to inform them of the outcome.
pub(super) struct HelperCredentials {
    programs: Vec<Program>,
    context: Context,
    /// Whether the helpers were informed that the credentials are valid.
    is_approved: AtomicBool,
}

/// Asks the helpers that the user has configured for `url`, one after the other, until user and
/// password are known. Helpers that are configured for all URLs are asked only if the user has
/// named the server (`is_named`). Adds problems with individual helpers, without secrets, to
/// `notes`.
///
/// # Errors
/// The operation was cancelled.
pub(super) fn ask(
    shared: &Shared,
    url: &str,
    is_named: bool,
    notes: &mut Vec<String>,
) -> Result<Option<Login>, GitError> {
    if !shared.config().has_helpers {
        return Ok(None);
    }
    let (programs, mut context) = match configured(url, is_named) {
        Ok(configured) => configured,
        Err(cause) => {
            notes.push(format!(
                "failed to load the credential helpers of the git configuration: {}",
                one_line_chain(&cause)
            ));
            return Ok(None);
        }
    };
    for at in 0..programs.len() {
        let name = name_of(&programs[at]);
        let Ok(asked) = helper_input(&context) else {
            notes.push("the URL cannot be passed to a credential helper".to_owned());
            break;
        };
        let answer = match run(shared, &programs[at], &Action::Get(context.clone()), asked)? {
            Ok(answer) => answer,
            Err(why) => {
                notes.push(format!("the credential helper {name} {why}"));
                continue;
            }
        };
        context.username = answer.username.or(context.username);
        context.password = answer.password.or(context.password);
        // Fields that belong to the password and only its helper understands.
        context.password_expiry_utc = answer.password_expiry_utc.or(context.password_expiry_utc);
        context.oauth_refresh_token = answer.oauth_refresh_token.or(context.oauth_refresh_token);
        if let (Some(user), Some(password)) = (&context.username, &context.password) {
            let (user, password) = (user.clone(), Secret::new(password.clone()));
            let source = format!("the git credential helper {name}");
            let helper =
                HelperCredentials { programs, context, is_approved: AtomicBool::default() };
            return Ok(Some(Login { user, password, source, helper: Some(Arc::new(helper)) }));
        }
        if answer.quit == Some(true) {
            break;
        }
    }
    Ok(None)
}

/// Returns the helpers for a URL in the order in which they are asked, and their input.
fn configured(url: &str, is_named: bool) -> Result<(Vec<Program>, Context), Cause> {
    let options = gix::open::Options::default();
    // Loaded again, because gix's types cannot be shared between threads. This happens at most once
    // per repository.
    let mut file = gix::config(None, &options).map_err(|error| Cause::from_gix(&error))?;
    if !is_named {
        remove_catch_all(&mut file);
    }
    let url = gix::url::parse(BStr::new(url)).map_err(|error| Cause::from_gix(&error))?;
    let found = gix::config::credential_helpers(
        url,
        &file,
        true,
        is_trusted,
        options.permissions.env,
        false,
    );
    let (cascade, action, _) = found.map_err(|error| Cause::from_gix(&error))?;
    let Action::Get(mut context) = action else { return Ok((Vec::new(), Context::default())) };
    context
        .destructure_url_in_place(cascade.use_http_path)
        .map_err(|error| Cause::from_gix(&error))?;
    // The other fields are complete, and some helpers fail if there is a URL too.
    context.url = None;
    Ok((cascade.programs, context))
}

/// Removes the sections that configure helpers for more than one host: those without a URL, or with
/// a pattern in it.
fn remove_catch_all(file: &mut gix::config::File) {
    let sections = file.sections_and_ids_by_name("credential").into_iter().flatten();
    let is_catch_all =
        |url: Option<&BStr>| url.is_none_or(|url| url.find_byteset(b"*?[").is_some());
    let ids: Vec<_> = sections
        .filter(|(section, _)| is_catch_all(section.header().subsection_name()))
        .map(|(_, id)| id)
        .collect();
    for id in ids {
        file.remove_section_by_id(id);
    }
}

/// Returns the input of a helper.
///
/// # Errors
/// A value contains a line break, which would begin another value.
fn helper_input(context: &Context) -> std::io::Result<Vec<u8>> {
    let mut input = Vec::new();
    context.write_to(&mut input)?;
    Ok(input)
}

/// Runs a helper. The inner error says what the helper did wrong, for the end of a message.
fn run(
    shared: &Shared,
    helper: &Program,
    action: &Action,
    input: Vec<u8>,
) -> Result<Result<Context, String>, GitError> {
    let mut command = match helper.to_command(action) {
        Ok(command) => command,
        Err(error) => {
            return Ok(Err(format!(
                "failed to start: {}",
                one_line_chain(&Cause::from_gix(&error))
            )));
        }
    };
    // The user may not be there to answer a prompt. Git reads the configuration of the repository
    // that it is started in, and the project's is not trusted: an alias could be a helper.
    command.current_dir(programs::outside_of_projects());
    command.env("GIT_TERMINAL_PROMPT", "0").env("PATH", programs::search_path());
    let options = &shared.options;
    match child::run(
        &mut command,
        input,
        MAX_ANSWER_BYTES,
        options.stall_timeout,
        &options.cancellation,
    ) {
        Ok((status, output)) if status.success() => {
            // The error does not quote the output, which may contain a password.
            let parsed = Context::from_bytes(&output, ContextOptions::default());
            Ok(parsed.map_err(|_| "gave an invalid answer".to_owned()))
        }
        Ok((status, _)) => Ok(Err(format!("failed ({status})"))),
        Err(ChildError::TimedOut) => {
            Ok(Err(format!("gave no answer within {} s", options.stall_timeout.as_secs_f32())))
        }
        Err(ChildError::Start(error)) => Ok(Err(format!("failed to start: {error}"))),
        Err(ChildError::Cancelled) => Err(GitError::Interrupted),
    }
}

impl std::fmt::Debug for HelperCredentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HelperCredentials(..)")
    }
}

impl HelperCredentials {
    /// Informs the helpers, once, that the server accepted the credentials; they may store them.
    pub(super) fn approve(&self, shared: &Shared) {
        if !self.is_approved.swap(true, Relaxed) {
            self.report(shared, Action::Store);
        }
    }

    /// Informs the helpers that the server rejected the credentials; they should erase them.
    pub(super) fn reject(&self, shared: &Shared) {
        self.report(shared, Action::Erase);
    }

    fn report(&self, shared: &Shared, action: fn(BString) -> Action) {
        // Building this input succeeded before.
        let Ok(input) = helper_input(&self.context) else { return };
        let action = action(input.clone().into());
        for program in &self.programs {
            // A failing helper has no consequences; the next wait notices a cancellation.
            if let Ok(Err(why)) = run(shared, program, &action, input.clone()) {
                shared.verbose(&format!("the credential helper {} {why}", name_of(program)));
            }
        }
    }
}

/// Returns a name for a helper without its arguments or script, which may contain a password.
fn name_of(helper: &Program) -> String {
    let first = |text: &BString| {
        let word = text.split_str(" ").next().unwrap_or_default();
        format!("`{}`", escape(word))
    };
    match &helper.kind {
        Kind::ExternalName { name_and_args: text } | Kind::ExternalPath { path_and_args: text } => {
            first(text)
        }
        Kind::ExternalShellScript(_) | Kind::Builtin => "that is a shell script".to_owned(),
    }
}
