//! The toolboxes that an agent can have.

use helix_skills_agent::{AsyncToolbox, Provider, run::Tools};
use helix_skills_runtime::Toolbox;
use rig::wasm_compat::{WasmCompatSend, WasmCompatSync};
use std::sync::Arc;

/// A toolbox.
pub(crate) trait Source: Tools + WasmCompatSend + WasmCompatSync {
    /// Returns a toolbox over the skills as listed, for what needs no answer of a provider.
    fn listed(&self) -> Toolbox<'_>;
}

impl Source for Toolbox<'static> {
    fn listed(&self) -> Toolbox<'_> {
        *self
    }
}

impl<P: Provider> Source for AsyncToolbox<P> {
    fn listed(&self) -> Toolbox<'_> {
        Self::listed(self)
    }
}

impl<T: Source> Source for Arc<T> {
    fn listed(&self) -> Toolbox<'_> {
        T::listed(self)
    }
}
