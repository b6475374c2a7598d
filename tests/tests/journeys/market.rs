//! A marketplace and the repositories that it leads to, as the journeys through them begin.

use crate::requests::commands;
use helix_skills_tests::{Behavior, Change, GitServer, Run, Sandbox, Upstream};
use serde_json::{Value, json};

/// Where the world believes the repositories to be. The user's git configuration says that it is the server of the test:
/// what a marketplace names may be https or ssh only.
const HOST: &str = "https://plugins.example/";

/// A sandbox with the marketplace `market`, a server, and one source `team` that asks for a plugin of it.
pub(crate) struct Market {
    // Dropped before the directories it serves.
    pub(crate) server: GitServer,
    pub(crate) upstream: Upstream,
    pub(crate) sandbox: Sandbox,
}

/// The public url of a repository.
pub(crate) fn url(name: &str) -> String {
    format!("{HOST}{name}.git")
}

/// The index of a marketplace with these plugins.
pub(crate) fn index(plugins: &Value) -> String {
    format!("{:#}\n", json!({"name": "market", "owner": {"name": "Team"}, "plugins": plugins}))
}

/// A change that publishes an index.
pub(crate) fn publish(index: &str) -> Change {
    Change::new().text(".claude-plugin/marketplace.json", index)
}

/// The manifest of a plugin in a directory: `plugins/x/`, or nothing for the root.
pub(crate) fn plugin_json(change: Change, directory: &str, manifest: &Value) -> Change {
    change.text(&format!("{directory}.claude-plugin/plugin.json"), &manifest.to_string())
}

impl Market {
    /// With nothing published.
    pub(crate) fn empty() -> Self {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("market");
        let server = sandbox.serve_with(Behavior::default());
        let configuration = format!("[url \"{}/\"]\n\tinsteadOf = {HOST}\n", server.base());
        sandbox.write("home/.gitconfig", configuration);
        Self { server, upstream, sandbox }
    }

    /// With these plugins in the index, these files, and a source that asks for the plugin `p`.
    pub(crate) fn with(plugins: &Value, files: Change) -> Self {
        Self::with_index(&index(plugins), files)
    }

    /// With this text as its index.
    pub(crate) fn with_index(index: &str, files: Change) -> Self {
        let market = Self::empty();
        market.upstream.commit(publish(index));
        market.upstream.commit(files);
        market.ask(json!({}));
        market
    }

    /// Writes a manifest whose one source asks for the plugin `p`, with these keys besides or instead.
    pub(crate) fn ask(&self, keys: Value) {
        let mut source = json!({"type": "claude-marketplace", "url": url("market"), "plugin": "p"});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        self.sandbox.sources(&json!({ "team": source }));
    }

    /// Syncs from nothing: without lock, store and cache.
    #[must_use]
    pub(crate) fn sync(&self) -> Run {
        self.sandbox.forget();
        self.server.take_traffic();
        self.sandbox.skills(["sync", "-v"])
    }

    /// What the requests to a repository are for, since they were last forgotten.
    pub(crate) fn asked_of(&self, repository: &str) -> Vec<String> {
        let of = format!("/{repository}.git/");
        let exchanges =
            self.server.exchanges().into_iter().filter(|exchange| exchange.target.starts_with(&of));
        commands(&exchanges.collect::<Vec<_>>()).into_iter().map(str::to_owned).collect()
    }

    /// The files of the store without listings and attributes.
    pub(crate) fn stored(&self) -> Vec<String> {
        let files = self.sandbox.files("project/helix.skills").into_iter();
        files.filter(|file| file.contains('/')).collect()
    }

    /// What the lock says of the plugin.
    pub(crate) fn locked_plugin(&self) -> Value {
        self.sandbox.lock_json()["sources"]["team"]["plugin"].clone()
    }

    /// Nothing but the manifest is in the project.
    pub(crate) fn nothing_was_written(&self) {
        assert_eq!(self.sandbox.files("project"), ["helix.skills.json"]);
    }
}
