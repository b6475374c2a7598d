//! Failed operations of the file system.

use super::{Error, ErrorKind, Inner, Report, Source};
use helix_skills_format::__internal::{LOCK_FILE, MANIFEST_FILE, STORE_DIR};
use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

/// The end of every hint after which the command can be run again.
const AGAIN: &str = "then run the same command again; no file was left half-written";

impl Error {
    /// Returns a function that converts an error of reading a file or directory.
    ///
    /// ```
    /// use helix_skills_project::Error;
    /// let error = std::fs::read("/gone").map_err(Error::read("/gone")).unwrap_err();
    /// assert_eq!(error.to_string(), "failed to read `/gone`");
    /// ```
    pub fn read(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| {
            let hint = resource_hint(&source).or_else(|| read_hint(&source).map(str::to_owned));
            Self::of_disk("read", path, source, hint)
        }
    }

    /// Returns a function that converts an error of an operation that changes a file or directory:
    /// "failed to *verb* `path`".
    #[doc(hidden)]
    pub fn disk(verb: &str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| {
            let hint = resource_hint(&source).or_else(|| change_hint(&path, &source));
            Self::of_disk(verb, path, source, hint)
        }
    }

    fn of_disk(verb: &str, path: PathBuf, source: io::Error, hint: Option<String>) -> Self {
        let message = format!("failed to {verb} `{}`", path.display());
        Self::new(ErrorKind::Disk, "disk", message).with_source(source).hinted(hint).at(path, None)
    }

    /// Returns an error for a file or directory of the cache.
    pub(crate) fn cache(path: PathBuf, source: io::Error) -> Self {
        let hint = match source.kind() {
            io::ErrorKind::NotADirectory => {
                "remove it, or set HELIX_SKILLS_CACHE to another directory"
            }
            _ => "set HELIX_SKILLS_CACHE to a writable directory",
        };
        let message = format!("cannot use the cache `{}`", path.display());
        Self::new(ErrorKind::Disk, "cache", message).with_source(source).with_hint(hint)
    }

    /// Returns the kind of a failed operation of the file system; `None` for other errors.
    pub(crate) fn io_kind(&self) -> Option<io::ErrorKind> {
        match self.single()? {
            Report { code: "disk", source: Some(Source::Cause(source)), .. } => {
                source.downcast_ref().map(io::Error::kind)
            }
            _ => None,
        }
    }

    /// Returns the path and the cause of a failed operation of the file system.
    ///
    /// # Errors
    /// The error itself if it is another one.
    pub(crate) fn into_disk(self) -> Result<(PathBuf, io::Error), Self> {
        if self.io_kind().is_none() {
            return Err(self);
        }
        match self.0 {
            Inner::One(report) => match *report {
                Report { place: Some((path, _)), source: Some(Source::Cause(source)), .. } => {
                    let source = source.downcast::<io::Error>().map(|source| *source);
                    Ok((path, source.unwrap_or_else(io::Error::other)))
                }
                report => Err(Self(Inner::One(Box::new(report)))),
            },
            several @ Inner::Several(_) => Err(Self(several)),
        }
    }
}

/// Returns the hint for a resource that the system lacks.
fn resource_hint(why: &io::Error) -> Option<String> {
    let what = match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free space on its disk",
        io::ErrorKind::IsADirectory => "move or remove that directory",
        io::ErrorKind::FileTooLarge => "raise the limit on file sizes (`ulimit -f`)",
        // EMFILE, ENFILE and EIO have no `ErrorKind`.
        _ if cfg!(unix) => match why.raw_os_error() {
            Some(23 | 24) => "close other programs or raise the limit on open files (`ulimit -n`)",
            Some(5) => "check the system log for disk errors (`dmesg`)",
            _ => return None,
        },
        // ERROR_SHARING_VIOLATION has no `ErrorKind`.
        _ if cfg!(windows) && why.raw_os_error() == Some(32) => {
            "close the program that has it open"
        }
        _ => return None,
    };
    Some(format!("{what}, {AGAIN}"))
}

fn read_hint(why: &io::Error) -> Option<&'static str> {
    match why.kind() {
        io::ErrorKind::PermissionDenied if cfg!(windows) => {
            Some("check its permissions with `icacls`")
        }
        io::ErrorKind::PermissionDenied => Some("check its permissions with `ls -ld`"),
        io::ErrorKind::InvalidInput => Some("restore the file from version control"),
        _ => None,
    }
}

fn change_hint(path: &Path, why: &io::Error) -> Option<String> {
    let is_ours =
        |name: &OsStr| [MANIFEST_FILE, LOCK_FILE, STORE_DIR].iter().any(|ours| name == *ours);
    match why.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            let next = match path.iter().any(is_ours) {
                true => "or check without writing with `skills sync --check`",
                false => AGAIN,
            };
            Some(format!("make it and its directory writable, {next}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(error: &Error) -> &str {
        error.hint().unwrap_or_default()
    }

    #[test]
    fn denied_writes_suggest_a_check_without_writing() {
        let (denied, full) = (io::ErrorKind::PermissionDenied, io::ErrorKind::StorageFull);
        for path in ["/p/helix.skills.json", "/p/helix.skills.lock", "/p/helix.skills/.staging"] {
            let error = Error::disk("write", path)(denied.into());
            let says = "make it and its directory writable, or check without writing with `skills sync --check`";
            assert_eq!(hint(&error), says, "{path}");
            assert!(hint(&Error::disk("write", path)(full.into())).contains("free space"));
            let tool = if cfg!(windows) { "icacls" } else { "ls -ld" };
            assert!(hint(&Error::read(path)(denied.into())).contains(tool));
        }
        let error = Error::disk("write", "/man/skills.1")(denied.into());
        assert!(hint(&error).starts_with("make it and its directory writable"));
    }

    #[test]
    fn hints_name_the_missing_system_resource() {
        let unix: &[(i32, &str)] = &[
            (5, "dmesg"),
            (23, "ulimit -n"),
            (24, "ulimit -n"),
            (27, "ulimit -f"),
            (28, "free space"),
        ];
        let windows: &[(i32, &str)] = &[(32, "has it open"), (112, "free space")];
        for &(code, says) in if cfg!(windows) { windows } else { unix } {
            let error = Error::disk("write", "x")(io::Error::from_raw_os_error(code));
            let hint = hint(&error);
            assert!(hint.contains(says) && hint.contains("same command again"), "{code}: {hint}");
        }
    }

    #[test]
    fn disk_errors_are_taken_apart() {
        let error = Error::read("a")(io::ErrorKind::NotFound.into());
        assert_eq!(error.io_kind(), Some(io::ErrorKind::NotFound));
        let (path, source) = error.into_disk().unwrap();
        assert_eq!((path.as_path(), source.kind()), (Path::new("a"), io::ErrorKind::NotFound));
        let other = Error::cache("a".into(), io::ErrorKind::NotFound.into());
        assert_eq!(other.io_kind(), None);
        assert_eq!(other.into_disk().unwrap_err().code(), "cache");
    }
}
