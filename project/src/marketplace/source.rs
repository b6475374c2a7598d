//! The location of a plugin.

use super::{Marketplace, path};
use helix_skills_format::{
    __internal::{
        Fields, JsonKind, Reader, UrlKind, Value, is_owner_and_repository, nearest, quoted,
        redacted,
    },
    Code, DirPath, GitUrl, ObjectId, RefName,
};

/// The location of a plugin: in its marketplace, or in another repository.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginSource {
    /// In the marketplace's own repository, in the same commit.
    Relative {
        /// The plugin's root, relative to the root of the marketplace.
        path: DirPath,
        /// The location below the marketplace's `pluginRoot`, which some marketplaces imply before
        /// every path. Used, with a warning, if `path` is not a directory.
        otherwise: Option<DirPath>,
    },
    /// In another repository.
    Git {
        /// The URL of the repository: https or ssh, or the marketplace's own URL.
        url: GitUrl,
        /// The plugin's root, relative to the root of that repository.
        path: DirPath,
        /// The branch or tag. Without it and `sha`, the default branch.
        reference: Option<RefName>,
        /// The commit. It takes precedence over `reference`.
        sha: Option<ObjectId>,
    },
}

/// The types of plugin sources other than paths. `OWNER/REPO` is a URL only where it is documented,
/// in `git-subdir` and in the `repo` of `github`.
const TYPES: [&str; 3] = ["github", "url", "git-subdir"];

/// The types of plugin sources that other programs support, and what they fetch.
const REFUSED: [(&str, &str); 4] = [
    ("npm", "an npm package"),
    ("pip", "a Python package"),
    ("archive", "an archive"),
    ("command", "what a command prints, which would have to be run"),
];

impl PluginSource {
    pub(super) fn read<'t>(
        reader: &mut Reader<'t>,
        value: Value<'t>,
        marketplace: &Marketplace,
    ) -> Option<Self> {
        if let Some(text) = value.text() {
            return Self::relative(reader, &text, value.start(), marketplace);
        }
        match value.kind() {
            JsonKind::Object => {
                let mut fields = reader.object(value, "the source of a plugin")?;
                fields.ignore_others();
                // In the index of Codex.
                if fields.peek("source").as_deref() == Some("local") {
                    let path = fields.require(reader, "path")?;
                    let text = reader.string(path, "`path`")?;
                    return Self::relative(reader, &text, path.start(), marketplace);
                }
                Self::git(reader, &mut fields, marketplace.url.as_ref())
            }
            _ => {
                reader.wrong_type(value, "`source`", "a path or an object");
                None
            }
        }
    }

    fn relative(
        reader: &mut Reader<'_>,
        text: &str,
        at: usize,
        marketplace: &Marketplace,
    ) -> Option<Self> {
        let is_url = GitUrl::parse_insecure(text).is_ok_and(|url| url.kind() != UrlKind::File);
        if is_url || text.contains("://") {
            let message = format!("`source` {} is a URL, expected a path", quoted(text));
            let hint = "write a URL as `{\"source\": \"url\", \"url\": \"https://…\"}`";
            reader.error_hint(Code::BadValue, at, message, hint);
            return None;
        }
        let is_bare = !text.contains(['/', '\\']) && !matches!(text, "" | "." | "..");
        if !is_bare {
            let path = path::checked(reader, text, at, "`source`")?;
            let otherwise = match &marketplace.plugin_root {
                Some(Ok(root)) if !root.is_root() && !path.is_root() => {
                    root.join(path.as_str()).ok()
                }
                _ => None,
            };
            return Some(Self::Relative { path, otherwise });
        }
        let name = quoted(text);
        let why = match &marketplace.plugin_root {
            Some(Ok(root)) => match root.join(text) {
                Ok(path) => return Some(Self::Relative { path, otherwise: None }),
                Err(why) => format!("`source` {name} is refused: {why}"),
            },
            Some(Err(why)) => {
                format!("`source` {name} is relative to `pluginRoot`, which is refused: {why}")
            }
            None => format!(
                "`source` {name} is relative to `pluginRoot`, which the marketplace does not have"
            ),
        };
        reader.error_hint(
            Code::BadPath,
            at,
            why,
            format!(
                "a path relative to the marketplace's root is `./{}`",
                redacted(text).escape_debug()
            ),
        );
        None
    }

    fn git<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<'t>,
        marketplace: Option<&GitUrl>,
    ) -> Option<Self> {
        let written = fields.require(reader, "source")?;
        let kind = reader.string(written, "`source`")?;
        let fetched = |text: &str| GitUrl::parse_fetched(text, marketplace);
        let url = match kind.as_str() {
            "github" => fields.require(reader, "repo").and_then(|v| github(reader, v)),
            "url" => fields.require(reader, "url").and_then(|v| reader.url(v, fetched)),
            "git-subdir" => match fields.require(reader, "url") {
                Some(value) if value.text().is_some_and(|text| is_owner_and_repository(&text)) => {
                    github(reader, value)
                }
                value => value.and_then(|v| reader.url(v, fetched)),
            },
            _ => {
                unknown_type(reader, &kind, written.start());
                return None;
            }
        };
        let path = match fields.take("path") {
            Some(value) => path::inside(reader, value, "`path`"),
            None if kind == "git-subdir" => {
                reader.error(
                    Code::MissingKey,
                    fields.at,
                    "a source of type `git-subdir` needs the key `path`",
                );
                None
            }
            None => Some(DirPath::root()),
        };
        let reference = fields.parsed(reader, "ref", RefName::new)?;
        let sha = fields.parsed(reader, "sha", str::parse::<ObjectId>)?;
        Some(Self::Git { url: url?, path: path?, reference, sha })
    }
}

fn unknown_type(reader: &mut Reader<'_>, kind: &str, at: usize) {
    if let Some((kind, what)) = REFUSED.iter().find(|(refused, _)| *refused == kind) {
        let message = format!("unsupported type of plugin source `{kind}`: it is {what}");
        let hint = "copy its skills into the project and use a source of type `path`, or ask the plugin's author for a repository and use a source of type `git`";
        reader.error_hint(Code::RefusedSource, at, message, hint);
        return;
    }
    let message = format!("unknown type of plugin source {}", quoted(kind));
    let types = "the types are `github`, `url`, `git-subdir`, and a path that starts with `./`";
    let hint = match nearest(kind, TYPES) {
        Some(near) => format!("did you mean `{near}`? {types}"),
        None => types.to_owned(),
    };
    reader.error_hint(Code::BadValue, at, message, hint);
}

/// Parses `OWNER/REPO`, a repository on GitHub.
fn github<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<GitUrl> {
    let text = reader.string(value, "the repository")?;
    let name = text.strip_suffix(".git").unwrap_or(&text);
    if is_owner_and_repository(name)
        && let Ok(url) = GitUrl::parse(&format!("https://github.com/{name}.git"))
    {
        return Some(url);
    }
    let message = format!("the repository {} is refused: expected `OWNER/REPO`", quoted(&text));
    reader.error(Code::BadUrl, value.start(), message);
    None
}
