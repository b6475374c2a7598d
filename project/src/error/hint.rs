//! What a user can do about each error.

use super::Error;
#[cfg(feature = "git")]
use super::git;
use helix_skills_format::{LOCK_FILE, MANIFEST_FILE, STORE_DIR};
use std::{ffi::OsStr, io, path::Path};

impl Error {
    /// What a user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let fixed = match self {
            Self::NoManifest { .. } => "run `skills init` in the project's directory",
            Self::ManifestMissing { .. } => {
                "check the path: it starts where the program does; `skills init` writes a `helix.skills.json`"
            }
            Self::Manifest { finding, .. } | Self::Lock { finding, .. } => {
                return finding.hint.clone();
            }
            Self::Skill { finding, exclude, .. } => {
                return match (exclude, &finding.hint) {
                    (Some(exclude), Some(hint)) => {
                        Some(format!("{hint}; or leave the skill out: `{exclude}`"))
                    }
                    (Some(exclude), None) => Some(format!("leave the skill out: `{exclude}`")),
                    (None, hint) => hint.clone(),
                };
            }
            Self::NoLock { .. } => {
                "run `skills sync` and commit `helix.skills.lock` and `helix.skills/`"
            }
            Self::NoSource { .. } => "run `skills add OWNER/REPO` or `skills add ./PATH`",
            Self::Drift(_) => "run `skills sync` and commit what it writes",
            Self::NotStored { .. } => "run `skills sync`",
            Self::Edited { difference, .. } => difference.hint(),
            Self::Integrity { .. } => {
                "the source no longer gives what was reviewed, or the lockfile was edited: restore the lockfile from version control; to take what the source gives now, review it and run `skills update SOURCE`, which resolves its pin anew"
            }
            Self::Moved { is_sha: true, .. } => {
                "the tag or branch was moved; review the new commit, then change `sha`"
            }
            Self::Moved { .. } => {
                "a release should not move: ask upstream, review the new commit, then run `skills update` with the source's name"
            }
            Self::Vanished { .. } => {
                "upstream's history was replaced, the tag was taken back, or the server gives out only what a branch or tag points at: ask upstream; `skills update` takes what the pin means now"
            }
            Self::TreeMismatch { .. } | Self::PluginMismatch { .. } => {
                "the lockfile has what its commit does not: restore the lockfile from version control and find out who changed it"
            }
            Self::Unresolved { why, .. } => return why.hint(),
            Self::File { why, exclude, .. } => return Some(why.hint(exclude.as_deref())),
            Self::Usage(usage) => return Some(usage.hint()),
            Self::Limit { what, .. } => return Some(what.hint()),
            Self::Budget { field, .. } => {
                return Some(format!(
                    "leave skills out with `exclude` or `include`, or raise `{field}` in the manifest"
                ));
            }
            Self::SameName { .. } => {
                "give one of them another name with `rename` or `prefix`, or leave it out with `exclude`"
            }
            Self::Disk { verb, path, source } => return what_helps(verb, path, source),
            Self::Cache { source, .. } if source.kind() == io::ErrorKind::NotADirectory => {
                "remove it, or set HELIX_SKILLS_CACHE to another directory"
            }
            Self::Cache { .. } => "set HELIX_SKILLS_CACHE to a directory that can be written",
            Self::Offline { .. } => "run `skills sync` once with the network",
            Self::Program { project, .. } => {
                return Some(format!(
                    "install the program with `cargo install helix-skills-cli` or name it in HELIX_SKILLS_BIN, or run `skills sync --locked` in {}",
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

/// What a user can do about an operation that the file system refused.
fn what_helps(verb: &str, path: &Path, why: &io::Error) -> Option<String> {
    let is_ours =
        |name: &OsStr| [MANIFEST_FILE, LOCK_FILE, STORE_DIR].iter().any(|ours| name == *ours);
    let changes = !matches!(
        verb,
        "read" | "read the directory" | "read the working directory" | "lock" | "open"
    );
    let again =
        "then run the same command again: every file is still the old one or already the new one";
    match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some(format!("make room on its disk, {again}"))
        }
        io::ErrorKind::IsADirectory => {
            Some(format!("move that directory elsewhere or remove it, {again}"))
        }
        io::ErrorKind::FileTooLarge => {
            Some(format!("raise the limit on the size of files (`ulimit -f`), {again}"))
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            if changes && path.iter().any(is_ours) =>
        {
            Some("make the directory writable, or only check with `skills sync --check`".to_owned())
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem if changes => {
            Some(format!("make it and its directory writable, {again}"))
        }
        io::ErrorKind::InvalidInput if !changes => {
            Some("restore the file from version control".to_owned())
        }
        io::ErrorKind::PermissionDenied => Some("check its permissions with `ls -ld`".to_owned()),
        _ if is_out_of_files(why) => Some(format!(
            "close programs that have many files open, or raise the limit (`ulimit -n`), {again}"
        )),
        _ if is_broken(why) => {
            Some(format!("look for errors of the disk in the system's log (`dmesg`), {again}"))
        }
        _ => None,
    }
}

/// EMFILE and ENFILE, which have no kind.
fn is_out_of_files(why: &io::Error) -> bool {
    cfg!(unix) && matches!(why.raw_os_error(), Some(23 | 24))
}

/// EIO, which has no kind.
fn is_broken(why: &io::Error) -> bool {
    cfg!(unix) && why.raw_os_error() == Some(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denied_writes_get_a_hint_that_needs_none() {
        let hint = |verb, path: &str, kind: io::ErrorKind| {
            Error::disk(verb, path)(kind.into()).hint().unwrap()
        };
        let (denied, full) = (io::ErrorKind::PermissionDenied, io::ErrorKind::StorageFull);
        for path in ["/p/helix.skills.json", "/p/helix.skills.lock", "/p/helix.skills/.staging"] {
            for verb in [
                "write",
                "remove",
                "replace",
                "create the directory",
                "change the mode of",
                "make durable",
            ] {
                assert!(
                    hint(verb, path, denied).contains("`skills sync --check`"),
                    "{verb} {path}"
                );
            }
            assert!(hint("write", path, full).contains("make room"));
            assert!(hint("read", path, denied).contains("ls -ld"));
        }
        assert!(
            hint("write", "/man/skills.1", denied)
                .starts_with("make it and its directory writable")
        );
    }

    #[cfg(unix)]
    #[test]
    fn hints_name_what_the_system_lacks() {
        let hint =
            |code| Error::disk("write", "x")(io::Error::from_raw_os_error(code)).hint().unwrap();
        for (code, says) in [
            (5, "dmesg"),
            (23, "ulimit -n"),
            (24, "ulimit -n"),
            (27, "ulimit -f"),
            (28, "make room"),
        ] {
            assert!(
                hint(code).contains(says) && hint(code).contains("same command again"),
                "{code}: {}",
                hint(code)
            );
        }
    }
}
