//! A project with one source, `repo`, served on loopback, which most tests use.

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream};
use serde_json::{Value, json};

pub(crate) struct Project {
    pub(crate) sandbox: Sandbox,
    pub(crate) upstream: Upstream,
    pub(crate) server: GitServer,
}

/// Creates an unsynced project whose manifest requests all skills of a repository with this commit.
pub(crate) fn project(change: Change) -> Project {
    project_in(Sandbox::new(), change)
}

/// Like [`project`], in this sandbox.
pub(crate) fn project_in(sandbox: Sandbox, change: Change) -> Project {
    let upstream = sandbox.upstream("repo");
    upstream.commit(change);
    let server = sandbox.serve();
    let project = Project { sandbox, upstream, server };
    project.select(json!({}));
    project
}

impl Project {
    /// Writes the manifest with these additional keys of the source.
    pub(crate) fn select(&self, select: Value) {
        self.sandbox.sources(&json!({ "repo": self.source(select) }));
    }

    /// Returns the source with these additional keys.
    pub(crate) fn source(&self, select: Value) -> Value {
        let mut source = json!({"type": "git", "url": self.server.url("repo")});
        source.as_object_mut().unwrap().extend(select.as_object().unwrap().clone());
        source
    }
}
