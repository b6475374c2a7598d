//! Why there is no toolbox of a provider.

use super::ProviderError;
use alloc::string::{String, ToString};
use core::{error::Error, fmt};

/// How many characters of a provider's error a model is shown.
const MAX_SAID: usize = 500;

/// What an error says, as far as a model is shown it: a provider may fail with a whole page of its server.
pub(crate) fn said(error: ProviderError) -> String {
    cut(error.to_string(), MAX_SAID)
}

/// The start of a text, and a sign where there is more.
pub(crate) fn cut(mut text: String, chars: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(chars) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The provider could not list its skills. The [source](Error::source) is what it failed with.
///
/// A type of its own, where a provider has a boxed error: `?` takes a boxed error into no other one.
///
/// ```
/// use helix_skills::{AsyncToolbox, provider::{Pending, Provided, ProviderRequest, ResolveError}, Provider, SkillBuf};
/// use std::error::Error;
///
/// struct Offline;
///
/// impl Provider for Offline {
///     fn list<'p>(&'p self, _: &'p ProviderRequest) -> Pending<'p, Provided> {
///         Box::pin(async { Err("the database does not answer".into()) })
///     }
///
///     fn load<'p>(&'p self, _name: &'p str, _: &'p ProviderRequest) -> Pending<'p, Option<SkillBuf>> {
///         Box::pin(async { Ok(None) })
///     }
/// }
///
/// # fn ready<T>(future: impl Future<Output = T>) -> T {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
/// # }
/// # ready(async {
/// let error: ResolveError = AsyncToolbox::builder(Offline).build().await.unwrap_err();
/// assert_eq!(error.to_string(), "cannot list the skills of the provider");
/// assert_eq!(error.source().unwrap().to_string(), "the database does not answer");
/// # });
/// ```
#[derive(Debug)]
pub struct ResolveError {
    pub(crate) cause: ProviderError,
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot list the skills of the provider")
    }
}

impl Error for ResolveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.cause)
    }
}
