//! The repository of a source and its pin.

use super::{EntryChecks, Pin, VersionPin};
use crate::{
    Code, GitUrl, ObjectId, RefName,
    json::{Fields, Reader, Tree},
};

/// A repository and its pin: the keys `url`, `version` or `ref`, `sha`, `allowInsecure` and
/// `origin` of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repository {
    /// The URL of the repository: https, ssh, or a path on this machine.
    pub url: GitUrl,
    /// Which release, tag or branch.
    pub pin: Pin,
    /// The full id of a commit. With `version` or `ref`, the commit that it must resolve to.
    pub sha: Option<ObjectId>,
    /// Allows unencrypted `http://` to other machines.
    pub allow_insecure: bool,
    /// Whether the store keeps an origin file, which proves what the locked commit has.
    pub origin: bool,
}

impl Repository {
    /// Creates a request for the default branch of the repository at `url`.
    #[must_use]
    pub fn new(url: GitUrl) -> Self {
        Self { url, pin: Pin::None, sha: None, allow_insecure: false, origin: true }
    }

    pub(super) fn read<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<'t>,
        checks: EntryChecks,
    ) -> Option<Self> {
        fields.belongs_elsewhere("branch", "pin a branch with `\"ref\": \"BRANCH\"`");
        fields.belongs_elsewhere("tag", "pin a tag with `\"ref\": \"TAG\"`");
        fields.belongs_elsewhere("rev", "pin a commit with `\"sha\": \"COMMIT\"`");
        let mut flag =
            |key| fields.optional(key, |value| reader.boolean(value, &format!("`{key}`")));
        let allow_insecure = flag("allowInsecure")?.unwrap_or(false);
        let origin = flag("origin")?.unwrap_or(true);
        let parse = if allow_insecure { GitUrl::parse_insecure } else { GitUrl::parse };
        let written = fields.require_as(
            reader,
            "url",
            "for example `\"url\": \"https://github.com/OWNER/REPO.git\"`",
        )?;
        let url = reader.url(written, parse);
        let version = fields.take("version");
        let reference = fields.take("ref");
        let pin = match (version, reference) {
            (Some(_), Some(second)) => {
                let message = "a source cannot have both `version` and `ref`";
                reader.error_hint(
                    Code::ConflictingKeys,
                    second.start(),
                    message,
                    "remove one of them; `sha` can be combined with either",
                );
                None
            }
            (Some(version), None) => {
                let parse = |text: &str| match VersionPin::parse(text)? {
                    VersionPin::Range(range) => {
                        (checks.range)(&range).map(|()| VersionPin::Range(range))
                    }
                    exact => Ok(exact),
                };
                reader.parsed(version, "`version`", parse).map(Pin::Version)
            }
            (None, Some(name)) => reader.parsed(name, "`ref`", RefName::new).map(Pin::Ref),
            (None, None) => Some(Pin::None),
        };
        let sha = fields.parsed(reader, "sha", str::parse)?;
        Some(Self { url: url?, pin: pin?, sha, allow_insecure, origin })
    }

    pub(super) fn write(&self, add: &mut impl FnMut(&str, Tree)) {
        add("url", Tree::text(&self.url));
        match &self.pin {
            Pin::Version(version) => add("version", Tree::text(&version.as_str())),
            Pin::Ref(name) => add("ref", Tree::text(name)),
            Pin::None => {}
        }
        if let Some(sha) = &self.sha {
            add("sha", Tree::text(sha));
        }
        if self.allow_insecure {
            add("allowInsecure", Tree::Boolean(true));
        }
        if !self.origin {
            add("origin", Tree::Boolean(false));
        }
    }
}
