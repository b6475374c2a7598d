//! The hint of each error.

#[cfg(feature = "git")]
use super::git;
use super::{Drift, Error};
use helix_skills_format::{
    __internal::{LOCK_FILE, MANIFEST_FILE, STORE_DIR},
    DirPath, SourceKey,
};
use std::{ffi::OsStr, io, path::Path};

impl Error {
    /// Returns what a user can do about the error, as an instruction.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let fixed = match self {
            Self::NoManifest { .. } => "run `skills init` in the project's directory",
            Self::ManifestMissing { .. } => {
                "check the path, which is relative to the working directory, or create a manifest with `skills init`"
            }
            Self::Manifest { finding, .. } | Self::Lock { finding, .. } => {
                return finding.hint.clone();
            }
            Self::Skill { finding, exclude, .. } => {
                return match (exclude, &finding.hint) {
                    (Some(exclude), Some(hint)) => {
                        Some(format!("{hint}; or exclude the skill with `{exclude}`"))
                    }
                    (Some(exclude), None) => Some(format!("exclude the skill with `{exclude}`")),
                    (None, hint) => hint.clone(),
                };
            }
            Self::NoLock { .. } => {
                "run `skills sync` and commit `helix.skills.lock` and `helix.skills/`"
            }
            Self::NoSource { .. } => "run `skills add OWNER/REPO` or `skills add ./PATH`",
            Self::Drift(drift) => match &**drift {
                Drift::LeftoversLocked { .. } => {
                    "run `skills sync` and commit what it writes; or take them with `files.include` of the source"
                }
                _ => "run `skills sync` and commit what it writes",
            },
            Self::NotStored { .. } => "run `skills sync`",
            Self::Edited { difference, .. } => difference.hint(),
            Self::Integrity { .. } => {
                "the source changed after it was locked, or the lockfile was edited: restore the lockfile from version control, or run `skills update SOURCE` and review the new files"
            }
            Self::Moved { is_sha: true, .. } => {
                "the tag or branch was moved; review the new commit, then change `sha`"
            }
            Self::Moved { .. } => {
                "a release should not move: ask upstream, review the new commit, then run `skills update` with the source's name"
            }
            Self::Vanished { .. } => {
                "upstream rewrote its history, removed the tag, or serves only commits of branches and tags: ask upstream, or run `skills update` to resolve the pin again"
            }
            Self::TreeMismatch { .. } | Self::PluginMismatch { .. } => {
                "the lockfile does not match the locked commit: restore it from version control and find out who changed it"
            }
            Self::Unresolved { why, .. } => return why.hint(),
            Self::File { why, exclude, .. } => return Some(why.hint(exclude.as_deref())),
            Self::Usage(usage) => return Some(usage.hint()),
            Self::Limit { what, .. } => return Some(what.hint()),
            Self::Budget { field, .. } => {
                return Some(format!(
                    "exclude skills with `exclude` or `include`, or raise `{field}` in the manifest"
                ));
            }
            Self::SameName { name, places } => return Some(same_name_hint(name, places)),
            Self::Disk { verb, path, source } => return disk_hint(verb, path, source),
            Self::Cache { source, .. } if source.kind() == io::ErrorKind::NotADirectory => {
                "remove it, or set HELIX_SKILLS_CACHE to another directory"
            }
            Self::Cache { .. } => "set HELIX_SKILLS_CACHE to a writable directory",
            Self::Offline { .. } => "run `skills sync` once with network access",
            Self::Program { project, .. } => {
                return Some(format!(
                    "install the program with `cargo install helix-skills-cli`, set HELIX_SKILLS_BIN to its path, or run `skills sync --locked` in {}",
                    project.display()
                ));
            }
            Self::Invisible { hint, .. } => return Some(hint.clone()),
            #[cfg(feature = "git")]
            Self::Git { error, .. } => return error.advice().and_then(git::hint),
            Self::Custom(error) => return error.hint.clone(),
            Self::Interrupted | Self::More { .. } => return None,
        };
        Some(fixed.to_owned())
    }
}

/// Returns the field of the manifest that renames the last of several skills with one name.
fn same_name_hint(name: &str, places: &[(SourceKey, DirPath)]) -> String {
    let other = "exclude it with `exclude`";
    let Some((key, path)) = places.last() else { return other.to_owned() };
    let directory = path.file_name().unwrap_or(name);
    let rename = serde_json::json!({ directory: key.qualify(name) });
    format!("write `\"rename\": {rename}` in the source `{key}` of the manifest, or {other}")
}

/// Returns the hint for a failed file system operation.
fn disk_hint(verb: &str, path: &Path, why: &io::Error) -> Option<String> {
    let is_ours =
        |name: &OsStr| [MANIFEST_FILE, LOCK_FILE, STORE_DIR].iter().any(|ours| name == *ours);
    let changes = !matches!(
        verb,
        "read" | "read the directory" | "read the working directory" | "lock" | "open"
    );
    let again = "then run the same command again; no file was left half-written";
    match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some(format!("free space on its disk, {again}"))
        }
        io::ErrorKind::IsADirectory => Some(format!("move or remove that directory, {again}")),
        io::ErrorKind::FileTooLarge => {
            Some(format!("raise the limit on file sizes (`ulimit -f`), {again}"))
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            if changes && path.iter().any(is_ours) =>
        {
            Some(
                "make the directory writable, or check without writing with `skills sync --check`"
                    .to_owned(),
            )
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem if changes => {
            Some(format!("make it and its directory writable, {again}"))
        }
        io::ErrorKind::InvalidInput if !changes => {
            Some("restore the file from version control".to_owned())
        }
        io::ErrorKind::PermissionDenied => Some("check its permissions with `ls -ld`".to_owned()),
        _ if is_out_of_files(why) => Some(format!(
            "close other programs or raise the limit on open files (`ulimit -n`), {again}"
        )),
        _ if is_broken(why) => {
            Some(format!("check the system log for disk errors (`dmesg`), {again}"))
        }
        _ => None,
    }
}

/// Returns whether an error is EMFILE or ENFILE, which have no `ErrorKind`.
fn is_out_of_files(why: &io::Error) -> bool {
    cfg!(unix) && matches!(why.raw_os_error(), Some(23 | 24))
}

/// Returns whether an error is EIO, which has no `ErrorKind`.
fn is_broken(why: &io::Error) -> bool {
    cfg!(unix) && why.raw_os_error() == Some(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denied_writes_suggest_a_check_without_writing() {
        let hint = |verb, path: &str, kind: io::ErrorKind| {
            Error::disk(verb, path)(kind.into()).hint().unwrap()
        };
        let (denied, full) = (io::ErrorKind::PermissionDenied, io::ErrorKind::StorageFull);
        for path in ["/p/helix.skills.json", "/p/helix.skills.lock", "/p/helix.skills/.staging"] {
            for verb in
                ["write", "remove", "replace", "create the directory", "change the mode of", "sync"]
            {
                assert!(
                    hint(verb, path, denied).contains("`skills sync --check`"),
                    "{verb} {path}"
                );
            }
            assert!(hint("write", path, full).contains("free space"));
            assert!(hint("read", path, denied).contains("ls -ld"));
        }
        assert!(
            hint("write", "/man/skills.1", denied)
                .starts_with("make it and its directory writable")
        );
    }

    #[cfg(unix)]
    #[test]
    fn hints_name_the_missing_system_resource() {
        let hint =
            |code| Error::disk("write", "x")(io::Error::from_raw_os_error(code)).hint().unwrap();
        for (code, says) in [
            (5, "dmesg"),
            (23, "ulimit -n"),
            (24, "ulimit -n"),
            (27, "ulimit -f"),
            (28, "free space"),
        ] {
            assert!(
                hint(code).contains(says) && hint(code).contains("same command again"),
                "{code}: {}",
                hint(code)
            );
        }
    }
}
