//! Where the user's home is: asked of the environment, as in `process/environment.rs` what programs are given of it.

use crate::Error;
use std::path::{Path, PathBuf};

/// `path` with the home directory in the place of a leading `~`, as shells read it; `~name` is a name like any other.
/// `chosen` counts before the home of the user who runs the program.
///
/// # Errors
/// When there is a `~`, and no home.
pub(crate) fn expanded(path: &Path, chosen: Option<&Path>) -> Result<PathBuf, Error> {
    let Ok(rest) = path.strip_prefix("~") else { return Ok(path.to_owned()) };
    let home = chosen.map(Path::to_owned).or_else(std::env::home_dir);
    match home.filter(|home| home.is_absolute()) {
        Some(home) if rest.as_os_str().is_empty() => Ok(home),
        Some(home) => Ok(home.join(rest)),
        None => Err(Error::NoHome { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_directory_and_only_as_a_whole_part() {
        let home = Path::new(if cfg!(windows) { "C:\\me" } else { "/home/me" });
        let expanded = |path: &str| expanded(Path::new(path), Some(home)).unwrap();
        assert_eq!(expanded("~"), home);
        assert_eq!(expanded("~/a/b"), home.join("a/b"));
        for path in ["~you/a", "a/~", "./~", "/~"] {
            assert_eq!(expanded(path), Path::new(path));
        }
    }

    #[test]
    fn a_home_that_is_none_is_an_error_that_names_the_path() {
        for home in ["", "relative/home"] {
            let error = expanded(Path::new("~/skills"), Some(Path::new(home))).unwrap_err();
            assert_eq!(
                error.to_string(),
                "cannot expand `~/skills`: the home directory is not known"
            );
            assert_eq!(error.hint().unwrap(), "set `HOME`, or name the directory without `~`");
        }
    }
}
