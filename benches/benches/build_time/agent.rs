//! Agents that embed the same files in different ways.

/// A way to embed files.
#[derive(Clone, Copy)]
pub enum Agent {
    /// One file with all bytes: the lower bound.
    Bytes,
    IncludeDir,
    RustEmbed,
    /// `include_skills!`, verified against a lockfile.
    Helix,
    /// `include_skills!` of a directory.
    HelixDir,
}

impl Agent {
    pub const ALL: [Self; 5] =
        [Self::Bytes, Self::IncludeDir, Self::RustEmbed, Self::Helix, Self::HelixDir];

    pub fn title(self) -> &'static str {
        match self {
            Self::Bytes => "include_bytes! of one file",
            Self::IncludeDir => "include_dir!",
            Self::RustEmbed => "rust-embed",
            Self::Helix => "include_skills!()",
            Self::HelixDir => "include_skills!(dir = …)",
        }
    }

    /// Returns the name of the package.
    pub fn package(self) -> &'static str {
        match self {
            Self::Bytes => "bytes-agent",
            Self::IncludeDir => "include-dir-agent",
            Self::RustEmbed => "rust-embed-agent",
            Self::Helix => "helix-agent",
            Self::HelixDir => "helix-dir-agent",
        }
    }

    /// Returns the line of its `[dependencies]`; `ours` is the directory of this repository.
    pub fn dependency(self, ours: &str) -> String {
        match self {
            Self::Bytes => String::new(),
            Self::IncludeDir => "include_dir = \"0.7\"".to_owned(),
            Self::RustEmbed => {
                "rust-embed = { version = \"8\", features = [\"debug-embed\"] }".to_owned()
            }
            Self::Helix | Self::HelixDir => format!("helix-skills = {{ path = {ours:?} }}"),
        }
    }

    /// Returns the text of its only source file, which prints the file named on the command line.
    /// `root` is the directory of the workspace.
    pub fn source(self, root: &str) -> String {
        let (items, read) = match self {
            Self::Bytes => (
                format!("static ALL: &[u8] = include_bytes!(\"{root}/all\");"),
                "Some(&ALL[path.len()..][..1000])",
            ),
            Self::IncludeDir => (
                format!(
                    "static ALL: include_dir::Dir = include_dir::include_dir!(\"{root}/skills\");"
                ),
                "ALL.get_file(&path).map(|file| file.contents())",
            ),
            Self::RustEmbed => (
                format!(
                    "#[derive(rust_embed::RustEmbed)]\n#[folder = \"{root}/skills\"]\nstruct All;"
                ),
                "All::get(&path).map(|file| file.data)",
            ),
            Self::Helix | Self::HelixDir => {
                let arguments = if matches!(self, Self::Helix) {
                    String::new()
                } else {
                    format!("dir = \"{root}/skills\"")
                };
                (
                    format!(
                        "static ALL: helix_skills::SkillSet = helix_skills::include_skills!({arguments});"
                    ),
                    "path.split_once('/').and_then(|(skill, path)| ALL.get(skill)?.resource(path)).map(|file| file.bytes())",
                )
            }
        };
        format!(
            "{items}\n\nfn main() {{\n    let path = std::env::args().nth(1).unwrap_or_default();\n    \
             println!(\"{{:?}}\", {read});\n}}\n"
        )
    }
}
