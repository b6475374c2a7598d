//! git's credential helpers: programs of the user's git configuration that know passwords.
//!
//! They are asked only after a server wanted credentials, about that server alone, and told whether what they gave was
//! right. We never prompt; whether a helper does is its business.

use gix::bstr::{BStr, BString, ByteSlice};
use gix::credentials::Program;
use gix::credentials::helper::Action;
use gix::credentials::program::Kind;
use gix::credentials::protocol::{Context, ContextOptions};
use gix::sec::Trust;
use helix_skills_format::__internal::one_line_chain;

use super::child::{self, ChildError};
use super::error::{Cause, GitError};
use super::escape::escape;
use super::shared::Shared;

/// Bytes that are read of a helper's answer, which is a few lines.
const LONGEST: u64 = 64 << 10;

/// What the helpers together know of a server.
pub(super) struct HelperAnswer {
    /// The user, the password, and what is told to the helpers when these were tried.
    pub(super) login: Option<(String, String, HelperCredentials)>,
    /// What went wrong with single helpers. No secrets.
    pub(super) notes: Vec<String>,
}

/// Credentials that came from helpers, to tell them what became of them.
pub(super) struct HelperCredentials {
    programs: Vec<Program>,
    context: Context,
    /// The helper that gave the password.
    pub(super) name: String,
}

/// Asks the helpers that the user has configured for `url`, one after the other, until user and password are known.
/// Helpers that are configured for all URLs are asked only if the user has named the server (`is_named`).
///
/// # Errors
/// The caller asked to stop.
pub(super) fn ask(shared: &Shared, url: &str, is_named: bool) -> Result<HelperAnswer, GitError> {
    let mut found = HelperAnswer { login: None, notes: Vec::new() };
    if !shared.config().has_helpers {
        return Ok(found);
    }
    let (programs, mut context) = match configured(url, is_named) {
        Ok(configured) => configured,
        Err(cause) => {
            found.notes.push(format!(
                "the credential helpers of the git configuration cannot be used: {}",
                one_line_chain(&cause)
            ));
            return Ok(found);
        }
    };
    for at in 0..programs.len() {
        let name = name_of(&programs[at]);
        let Ok(asked) = helper_input(&context) else {
            found.notes.push("the url is nothing to ask a credential helper about".to_owned());
            break;
        };
        let answer = match run(shared, &programs[at], &Action::Get(context.clone()), asked)? {
            Ok(answer) => answer,
            Err(why) => {
                found.notes.push(format!("the credential helper {name} {why}"));
                continue;
            }
        };
        context.username = answer.username.or(context.username);
        context.password = answer.password.or(context.password);
        // What belongs to the password and only its helper understands.
        context.password_expiry_utc = answer.password_expiry_utc.or(context.password_expiry_utc);
        context.oauth_refresh_token = answer.oauth_refresh_token.or(context.oauth_refresh_token);
        if let (Some(user), Some(password)) = (&context.username, &context.password) {
            let (user, password) = (user.clone(), password.clone());
            found.login = Some((user, password, HelperCredentials { programs, context, name }));
            return Ok(found);
        }
        if answer.quit == Some(true) {
            break;
        }
    }
    Ok(found)
}

/// The helpers for a url in the order in which they are asked, and what they are asked.
fn configured(url: &str, is_named: bool) -> Result<(Vec<Program>, Context), Cause> {
    let options = gix::open::Options::default();
    // Read again: what gix has read cannot be shared by threads, and this is needed at most once for each repository.
    let mut file = gix::config(None, &options).map_err(|error| Cause::from_gix(&error))?;
    if !is_named {
        remove_catch_all(&mut file);
    }
    let url = gix::url::parse(BStr::new(url)).map_err(|error| Cause::from_gix(&error))?;
    let is_trusted = |meta: &gix::config::file::Metadata| meta.trust == Trust::Full;
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
    // The parts say everything; not every helper knows what to do with a url beside them.
    context.url = None;
    Ok((cascade.programs, context))
}

/// Removes the sections that configure helpers for more than one host: those without a URL, or with a pattern in it.
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

/// What a helper reads.
///
/// # Errors
/// A value holds a line end, which would begin another value.
fn helper_input(context: &Context) -> std::io::Result<Vec<u8>> {
    let mut input = Vec::new();
    context.write_to(&mut input)?;
    Ok(input)
}

/// Runs a helper. The inner error is what it did wrong, for the end of a sentence.
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
                "cannot be started: {}",
                one_line_chain(&Cause::from_gix(&error))
            )));
        }
    };
    // Whoever runs us may not be there to answer.
    command.env("GIT_TERMINAL_PROMPT", "0");
    let options = &shared.options;
    match child::run(&mut command, input, LONGEST, options.stall_timeout, &options.cancellation) {
        Ok((status, output)) if status.success() => {
            // Never what it wrote: that may be a password.
            let parsed = Context::from_bytes(&output, ContextOptions::default());
            Ok(parsed.map_err(|_| "gave an answer that is none".to_owned()))
        }
        Ok((status, _)) => Ok(Err(format!("failed ({status})"))),
        Err(ChildError::TimedOut) => {
            Ok(Err(format!("gave no answer within {} s", options.stall_timeout.as_secs_f32())))
        }
        Err(ChildError::Start(error)) => Ok(Err(format!("cannot be started: {error}"))),
        Err(ChildError::Cancelled) => Err(GitError::Interrupted),
    }
}

impl std::fmt::Debug for HelperCredentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HelperCredentials").field("name", &self.name).finish_non_exhaustive()
    }
}

impl HelperCredentials {
    /// The server took the credentials: helpers may keep them.
    pub(super) fn approve(&self, shared: &Shared) {
        self.report(shared, Action::Store);
    }

    /// The server refused the credentials: helpers forget them.
    pub(super) fn reject(&self, shared: &Shared) {
        self.report(shared, Action::Erase);
    }

    fn report(&self, shared: &Shared, action: fn(BString) -> Action) {
        // It was told once before.
        let Ok(input) = helper_input(&self.context) else { return };
        let action = action(input.clone().into());
        for program in &self.programs {
            // What becomes of it changes nothing for us; an interruption is noticed by whatever comes next.
            if let Ok(Err(why)) = run(shared, program, &action, input.clone()) {
                shared.verbose(&format!("the credential helper {} {why}", name_of(program)));
            }
        }
    }
}

/// What to call a helper: never its arguments or its script, which may hold a password.
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
