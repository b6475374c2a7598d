//! A marketplace and the repositories of its plugins, for tests of plugins.

use crate::requests::commands;
use helix_skills_tests::{Behavior, Change, GitServer, Run, Sandbox, Upstream};
use serde_json::{Value, json};

/// The base URL of the repositories in the marketplace, which has to be HTTPS or SSH. The user's
/// git configuration maps it to the test server.
const HOST: &str = "https://plugins.example/";

/// A sandbox with the marketplace `market`, a server, and one source `team` for a plugin of it.
pub(crate) struct Market {
    // Dropped before the directories that it serves.
    pub(crate) server: GitServer,
    pub(crate) upstream: Upstream,
    pub(crate) sandbox: Sandbox,
}

/// The public URL of a repository.
pub(crate) fn url(name: &str) -> String {
    format!("{HOST}{name}.git")
}

/// Returns the index of a marketplace with these plugins.
pub(crate) fn index(plugins: &Value) -> String {
    format!("{:#}\n", json!({"name": "market", "owner": {"name": "Team"}, "plugins": plugins}))
}

/// Returns a change that publishes an index.
pub(crate) fn publish(index: &str) -> Change {
    Change::new().text(".claude-plugin/marketplace.json", index)
}

/// Adds the manifest of a plugin in a directory: `plugins/x/`, or empty for the root.
pub(crate) fn plugin_json(change: Change, directory: &str, manifest: &Value) -> Change {
    change.text(&format!("{directory}.claude-plugin/plugin.json"), &manifest.to_string())
}

impl Market {
    /// Creates a marketplace without an index.
    pub(crate) fn empty() -> Self {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("market");
        let server = sandbox.serve_with(Behavior::default());
        let configuration = format!("[url \"{}/\"]\n\tinsteadOf = {HOST}\n", server.base());
        sandbox.write("home/.gitconfig", configuration);
        Self { server, upstream, sandbox }
    }

    /// Creates a marketplace with these plugins, these files, and a source for the plugin `p`.
    pub(crate) fn with(plugins: &Value, files: Change) -> Self {
        Self::with_index(&index(plugins), files)
    }

    /// Creates a marketplace with this index.
    pub(crate) fn with_index(index: &str, files: Change) -> Self {
        let market = Self::empty();
        market.upstream.commit(publish(index));
        market.upstream.commit(files);
        market.request(json!({}));
        market
    }

    /// Writes a manifest whose only source requests the plugin `p`, with additional or other keys.
    pub(crate) fn request(&self, keys: Value) {
        let mut source = json!({"type": "claude-marketplace", "url": url("market"), "plugin": "p"});
        source.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        self.sandbox.sources(&json!({ "team": source }));
    }

    /// Syncs without lockfile, store and cache.
    #[must_use]
    pub(crate) fn sync(&self) -> Run {
        self.sandbox.forget();
        self.server.take_traffic();
        self.sandbox.skills(["sync", "-v"])
    }

    /// Returns the requests to a repository since the last reset of the traffic.
    pub(crate) fn requests_to(&self, repository: &str) -> Vec<String> {
        let of = format!("/{repository}.git/");
        let exchanges =
            self.server.exchanges().into_iter().filter(|exchange| exchange.target.starts_with(&of));
        commands(&exchanges.collect::<Vec<_>>()).into_iter().map(str::to_owned).collect()
    }

    /// Returns the files of the store without listings and attributes.
    pub(crate) fn stored(&self) -> Vec<String> {
        let files = self.sandbox.files("project/helix.skills").into_iter();
        files.filter(|file| file.contains('/')).collect()
    }

    /// Returns the plugin's entry in the lockfile.
    pub(crate) fn locked_plugin(&self) -> Value {
        self.sandbox.lock_json()["sources"]["team"]["plugin"].clone()
    }

    /// Checks that the project contains only the manifest.
    pub(crate) fn assert_nothing_written(&self) {
        assert_eq!(self.sandbox.files("project"), ["helix.skills.json"]);
    }
}
