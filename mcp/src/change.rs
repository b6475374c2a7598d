//! Notifications about lists that change.

use crate::snapshot::Snapshot;
use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ServerNotification,
    ToolListChangedNotification,
};

/// Returns the notifications of the lists that differ.
pub(crate) fn changes(
    before: &Snapshot,
    after: &Snapshot,
) -> impl Iterator<Item = ServerNotification> + use<> {
    let tools = || ToolListChangedNotification::default().into();
    let prompts = || PromptListChangedNotification::default().into();
    let resources = || ResourceListChangedNotification::default().into();
    let changed = [
        (before.tools != after.tools).then(tools),
        (before.prompts != after.prompts).then(prompts),
        (before.entries != after.entries).then(resources),
    ];
    changed.into_iter().flatten()
}
