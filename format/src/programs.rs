//! Where a program is searched: in the absolute directories of `PATH`, and nowhere else.
//!
//! An empty or relative element of `PATH` is a directory of whatever the working directory is, such
//! as a project or a skill, whose files an untrusted author may have written.

use std::{
    env,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The `PATH` if the given one has no absolute directories. With an empty one, systems search the
/// working directory.
const DEFAULT_PATH: &str =
    if cfg!(windows) { r"C:\Windows\System32;C:\Windows" } else { "/usr/bin:/bin" };

/// Returns the absolute directories of a `PATH`, or those of a default if there are none.
#[must_use]
pub fn absolute_path(path: &OsStr) -> OsString {
    let directories = env::split_paths(path).filter(|directory| directory.is_absolute());
    // Joining cannot fail, because no part contains a separator after splitting.
    let path = env::join_paths(directories).unwrap_or_default();
    if path.is_empty() { DEFAULT_PATH.into() } else { path }
}

/// Finds a program in the [absolute directories](absolute_path) of `path`. A name with a directory
/// is not searched.
///
/// `extensions` is the variable `PATHEXT`, which only Windows has. `is_program` returns whether a
/// file is a program.
///
/// # Errors
/// If there is none: the first path at which it was searched. Starting that path fails.
pub fn find_program(
    name: &Path,
    path: &OsStr,
    extensions: &OsStr,
    is_program: impl Fn(&Path) -> bool,
) -> Result<PathBuf, PathBuf> {
    if name.file_name() != Some(name.as_os_str()) {
        return Ok(name.to_owned());
    }
    let [lower, extensions] =
        [name.as_os_str(), extensions].map(|text| text.to_string_lossy().to_ascii_lowercase());
    let mut endings: Vec<&str> = extensions.split(';').filter(|end| !end.is_empty()).collect();
    if endings.is_empty() || endings.iter().any(|ending| lower.ends_with(ending)) {
        endings = vec![""];
    }
    let in_directory = |directory: PathBuf| {
        let file = directory.join(name);
        endings
            .iter()
            .map(move |end| PathBuf::from([file.as_os_str(), OsStr::new(end)].join(OsStr::new(""))))
    };
    let mut files: Vec<_> = env::split_paths(&absolute_path(path)).flat_map(in_directory).collect();
    let found = files.iter().position(|file| is_program(file));
    let file = files.swap_remove(found.unwrap_or_default());
    found.map(|_| file.clone()).ok_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTORIES: [&str; 2] =
        if cfg!(windows) { ["C:\\tools", "D:\\bin"] } else { ["/usr/bin", "/opt/bin"] };

    fn join(directories: &[&str]) -> OsString {
        env::join_paths(directories).unwrap()
    }

    #[test]
    fn relative_directories_of_path_are_removed() {
        let [first, second] = DIRECTORIES;
        let path = absolute_path(&join(&["", ".", first, "bin", "", "../bin", second]));
        assert_eq!(path, join(&[first, second]));
        assert_eq!(absolute_path(&join(&["", ".", "bin"])), DEFAULT_PATH);
        assert_eq!(absolute_path(OsStr::new("")), DEFAULT_PATH);
    }

    #[test]
    fn programs_are_found_in_absolute_directories_only() {
        let [first, second] = DIRECTORIES.map(Path::new);
        let default = env::split_paths(DEFAULT_PATH).next().unwrap();
        let all = ["", ".", "bin", "..", first.to_str().unwrap(), "", second.to_str().unwrap()];
        // What exists: relative files, and some in absolute directories.
        let exists = |file: &Path| {
            !file.is_absolute()
                || [second.join("ssh"), second.join("less.exe"), second.join("x.cmd")]
                    .contains(&file.to_owned())
                || [first.join("both"), second.join("both")].contains(&file.to_owned())
        };
        for (name, path, extensions, expected) in [
            ("ssh", &all[..], "", Ok(second.join("ssh"))),
            ("both", &all[..], "", Ok(first.join("both"))),
            // Only the working directory has it.
            ("skills-mcp", &all[..], "", Err(first.join("skills-mcp"))),
            ("sh", &[""][..], "", Err(default.join("sh"))),
            ("sh", &[".", "bin"][..], "", Err(default.join("sh"))),
            ("sh", &[][..], "", Err(default.join("sh"))),
            // As on Windows.
            ("less", &all[..], ".COM;.EXE", Ok(second.join("less.exe"))),
            ("less.exe", &all[..], ".COM;.EXE", Ok(second.join("less.exe"))),
            ("x", &all[..], ".COM;.EXE;.CMD", Ok(second.join("x.cmd"))),
            ("ssh", &all[..], ".COM;.EXE", Err(first.join("ssh.com"))),
            // The user's own path.
            ("./ssh", &all[..], "", Ok("./ssh".into())),
            ("bin/ssh", &all[..], ".EXE", Ok("bin/ssh".into())),
        ] {
            let found = find_program(name.as_ref(), &join(path), extensions.as_ref(), exists);
            assert_eq!(found, expected, "{name} in {path:?}");
        }
    }
}
