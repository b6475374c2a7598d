//! Notifications about lists that change.

use crate::snapshot::Snapshot;
use rmcp::{
    RoleServer,
    service::{Peer, SubscriptionSink},
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

    /// Notifies a client of protocol versions up to 2025-11-25 of the lists that differ from
    /// `seen`. Returns whether it is connected.
    pub(crate) async fn notify(self, seen: Self, client: &Peer<RoleServer>) -> bool {
        let mut is_connected = !client.is_transport_closed();
        if self.tools != seen.tools {
            is_connected &= client.notify_tool_list_changed().await.is_ok();
        }
        if self.prompts != seen.prompts {
            is_connected &= client.notify_prompt_list_changed().await.is_ok();
        }
        if self.resources != seen.resources {
            is_connected &= client.notify_resource_list_changed().await.is_ok();
        }
        is_connected
    }

    /// Sends a subscription those lists that differ from `seen` and that it asked for.
    pub(crate) async fn send(self, seen: Self, to: &SubscriptionSink) {
        let wants = to.accepted();
        // An error means that the subscription has ended, which its owner notices.
        if self.tools != seen.tools && wants.tools_list_changed == Some(true) {
            let _ = to.notify_tool_list_changed().await;
        }
        if self.prompts != seen.prompts && wants.prompts_list_changed == Some(true) {
            let _ = to.notify_prompt_list_changed().await;
        }
        if self.resources != seen.resources && wants.resources_list_changed == Some(true) {
            let _ = to.notify_resource_list_changed().await;
        }
    }
}
