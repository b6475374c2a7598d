//! Items that other crates of this project share and users do not need: exempt from semver.

pub use crate::{error_text::truncate_bytes, shell::scripts::Scripts};

use crate::{AsyncToolbox, AsyncToolboxBuilder, Provider};
use alloc::sync::Arc;

/// Returns the same builder over a provider of any type, so that it can be built again.
pub fn shared<P: Provider + 'static>(
    builder: AsyncToolboxBuilder<P>,
) -> AsyncToolboxBuilder<Arc<dyn Provider>> {
    builder.shared()
}

/// Returns whether the list of skills never changes, like the list of a set.
pub const fn is_fixed<P>(toolbox: &AsyncToolbox<P>) -> bool {
    toolbox.is_fixed
}
