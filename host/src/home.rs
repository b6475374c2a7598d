//! Expanding `~` to the home directory.

use crate::{
    Error, ErrorKind,
    error::{Problem, display_path},
};
use std::path::{Path, PathBuf};

/// Returns `path` with a leading `~` replaced by the home directory, as shells do; `~name` is not
/// expanded. `chosen` overrides the home directory of the current user.
///
/// # Errors
/// If there is a `~` and the home directory is not known.
pub(crate) fn expand(path: &Path, chosen: Option<&Path>) -> Result<PathBuf, Error> {
    let Ok(rest) = path.strip_prefix("~") else { return Ok(path.to_owned()) };
    let home = chosen.map(Path::to_owned).or_else(std::env::home_dir);
    match home.filter(|home| home.is_absolute()) {
        Some(home) if rest.as_os_str().is_empty() => Ok(home),
        Some(home) => Ok(home.join(rest)),
        None => {
            let shown = display_path(path);
            let message = format!("cannot expand `{shown}`: the home directory is not known");
            let hint = "set `HOME`, or use a path without `~`";
            Err(Problem::other(ErrorKind::Failed, message, hint).at(path))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_tilde_only_as_a_whole_component() {
        let home = Path::new(if cfg!(windows) { "C:\\me" } else { "/home/me" });
        let expand = |path: &str| expand(Path::new(path), Some(home)).unwrap();
        assert_eq!(expand("~"), home);
        assert_eq!(expand("~/a/b"), home.join("a/b"));
        for path in ["~you/a", "a/~", "./~", "/~"] {
            assert_eq!(expand(path), Path::new(path));
        }
    }

    #[test]
    fn unknown_home_is_an_error_with_the_path() {
        for home in ["", "relative/home"] {
            let error = expand(Path::new("~/skills"), Some(Path::new(home))).unwrap_err();
            assert_eq!(
                error.to_string(),
                "cannot expand `~/skills`: the home directory is not known"
            );
            assert_eq!(error.hint().unwrap(), "set `HOME`, or use a path without `~`");
        }
    }
}
