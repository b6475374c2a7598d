//! Notifications about lists that change.

use crate::snapshot::Snapshot;
use rmcp::model::{
    PromptListChangedNotification, ResourceListChangedNotification, ServerNotification,
    ToolListChangedNotification,
};

/// How often each list of a server has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Versions {
    tools: u64,
    prompts: u64,
    resources: u64,
}

impl Versions {
    /// Counts the lists that differ.
    pub(crate) fn count(&mut self, before: &Snapshot, after: &Snapshot) {
        self.tools += u64::from(before.tools != after.tools);
        self.prompts += u64::from(before.prompts != after.prompts);
        self.resources += u64::from(before.entries != after.entries);
    }

    /// Returns the notifications of the lists that differ from `seen`.
    pub(crate) fn since(self, seen: Self) -> impl Iterator<Item = ServerNotification> {
        let tools = || ToolListChangedNotification::default().into();
        let prompts = || PromptListChangedNotification::default().into();
        let resources = || ResourceListChangedNotification::default().into();
        let changed = [
            (self.tools != seen.tools).then(tools),
            (self.prompts != seen.prompts).then(prompts),
            (self.resources != seen.resources).then(resources),
        ];
        changed.into_iter().flatten()
    }
}
