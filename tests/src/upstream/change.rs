//! What one commit changes.

/// Returns a minimal SKILL.md with a name and a description.
#[must_use]
pub fn skill_md(name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Does {name} things.\n---\n\n# {name}\n\nDo the {name} things.\n"
    )
}

/// The changes of one commit, applied in order.
#[derive(Clone, Debug, Default)]
pub struct Change(Vec<u8>);

impl Change {
    /// Creates an empty change.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a minimal SKILL.md of the skill `name` to `skills/NAME`.
    #[must_use]
    pub fn skill(self, name: &str) -> Self {
        self.skill_at(&format!("skills/{name}"), name)
    }

    /// Writes a minimal SKILL.md of the skill `name` to a directory.
    #[must_use]
    pub fn skill_at(self, directory: &str, name: &str) -> Self {
        self.text(&format!("{directory}/SKILL.md"), &skill_md(name))
    }

    /// Writes a text file.
    #[must_use]
    pub fn text(self, path: &str, text: &str) -> Self {
        self.bytes(path, text.as_bytes())
    }

    /// Writes a binary file.
    #[must_use]
    pub fn bytes(self, path: &str, bytes: &[u8]) -> Self {
        self.inline("100644", path, bytes)
    }

    /// Writes an executable file.
    #[must_use]
    pub fn executable(self, path: &str, text: &str) -> Self {
        self.inline("100755", path, text.as_bytes())
    }

    /// Writes a symbolic link.
    #[must_use]
    pub fn link(self, path: &str, target: &str) -> Self {
        self.inline("120000", path, target.as_bytes())
    }

    /// Adds a submodule at a commit.
    #[must_use]
    pub fn submodule(self, path: &str, commit: &str) -> Self {
        self.line(&format!("M 160000 {commit} {}", quoted(path)))
    }

    /// Adds a tree that is already in the repository.
    #[must_use]
    pub fn tree(self, path: &str, tree: &str) -> Self {
        self.line(&format!("M 040000 {tree} {}", quoted(path)))
    }

    /// Removes a file or a directory.
    #[must_use]
    pub fn remove(self, path: &str) -> Self {
        self.line(&format!("D {}", quoted(path)))
    }

    /// Removes all files.
    #[must_use]
    pub fn remove_all(self) -> Self {
        self.line("deleteall")
    }

    pub(super) fn write_to(&self, stream: &mut Vec<u8>) {
        stream.extend(&self.0);
        stream.push(b'\n');
    }

    fn inline(self, mode: &str, path: &str, bytes: &[u8]) -> Self {
        let mut change =
            self.line(&format!("M {mode} inline {}\ndata {}", quoted(path), bytes.len()));
        change.0.extend(bytes);
        change.0.push(b'\n');
        change
    }

    fn line(mut self, line: &str) -> Self {
        self.0.extend(line.bytes());
        self.0.push(b'\n');
        self
    }
}

/// Quotes a path for `git fast-import`.
fn quoted(path: &str) -> String {
    let escaped: String = path
        .chars()
        .map(|c| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            other => other.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}
