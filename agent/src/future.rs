//! Futures and bounds that differ on wasm32, where everything runs on one thread.

use alloc::boxed::Box;
use core::{error::Error, pin::Pin};

/// Any error of a provider. A model reads the first 500 characters of the error and its causes, on
/// one line.
pub type ProviderError = Box<dyn Error + Send + Sync>;

/// The boxed future of a provider, a model, a tool or a shell; `Send` except on wasm32.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + Send + 'a>>;
/// The boxed future of a provider, a model, a tool or a shell; `Send` except on wasm32.
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ProviderError>> + 'a>>;

/// `Send` and `Sync`, except on wasm32: the bound of everything that a future borrows.
#[cfg(not(target_arch = "wasm32"))]
pub trait MaybeSync: Send + Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send + Sync + ?Sized> MaybeSync for T {}

/// `Send` and `Sync`, except on wasm32: the bound of everything that a future borrows.
#[cfg(target_arch = "wasm32")]
pub trait MaybeSync {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> MaybeSync for T {}
