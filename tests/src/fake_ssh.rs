//! A stand-in for `ssh`. It records its calls and runs the remote command locally with the real
//! `git-upload-pack`, or fails on request.

use crate::upstream::git_command;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// What the program does when it is called.
#[derive(Clone, Copy, Debug)]
pub enum SshBehavior {
    /// Runs the remote command like a large forge.
    Serve,
    /// Runs the remote command like a server with only these capabilities.
    ServeWith {
        /// Protocol version 2; otherwise version 0.
        protocol_v2: bool,
        /// `filter` (`uploadpack.allowFilter`).
        filters: bool,
        /// Wants of any object (`uploadpack.allowAnySHA1InWant`); version 2 always allows them.
        any_want: bool,
    },
    /// Writes this text to stderr and exits with this status.
    Fail(i32, &'static str),
    /// Writes this text to stderr, then stalls for a minute.
    Stall(&'static str),
    /// Runs the remote command, passes on this many bytes of its output, writes this text to stderr
    /// and exits with status 255.
    Truncate(u64, &'static str),
    /// Runs the remote command, passes on this many bytes of its output, then stalls for a minute.
    StallAfter(u64),
}

/// A call of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SshCall {
    /// All arguments.
    pub arguments: Vec<String>,
    /// The environment variable `GIT_PROTOCOL`.
    pub git_protocol: String,
}

/// The program, in a temporary directory outside every sandbox.
#[derive(Debug)]
pub struct FakeSsh {
    directory: TempDir,
    root: PathBuf,
}

impl FakeSsh {
    /// Installs the program as `ssh`. Remote commands run in `root`, which relative paths start
    /// from.
    ///
    /// # Panics
    /// Like every function of this module, if the disk fails.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        let directory =
            tempfile::Builder::new().prefix("fake-ssh-").tempdir().expect("a temporary directory");
        let fake = Self { directory, root: root.to_owned() };
        fake.install("ssh");
        fake.behave(&[SshBehavior::Serve]);
        fake
    }

    /// Returns the directory of the program, for `PATH`.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Returns the path of the program.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.path().join("ssh")
    }

    /// Returns the value of `PATH` with this program before all others.
    #[must_use]
    pub fn search_path(&self) -> String {
        format!("{}:{}", self.directory.path().display(), std::env::var("PATH").unwrap_or_default())
    }

    /// Installs the program under another name in the same directory and returns its path.
    pub fn install(&self, name: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, self.script()).expect("a script");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
                .expect("permissions of a script");
        }
        path
    }

    /// Sets what later calls do: the first call does the first of these, and so on; the last
    /// applies to all further calls. Clears the recorded calls.
    pub fn behave(&self, behaviors: &[SshBehavior]) {
        drop(fs::remove_file(self.directory.path().join("calls")));
        for entry in fs::read_dir(self.directory.path()).expect("the directory").flatten() {
            if entry.file_name().to_string_lossy().starts_with("behavior-") {
                fs::remove_file(entry.path()).expect("an old behavior");
            }
        }
        for (at, behavior) in behaviors.iter().enumerate() {
            let number =
                if at + 1 == behaviors.len() { "last".to_owned() } else { (at + 1).to_string() };
            let file = self.directory.path().join(format!("behavior-{number}"));
            fs::write(file, behavior.script()).expect("a behavior");
        }
    }

    /// Returns the calls since the start or the last [`FakeSsh::behave`], in order.
    #[must_use]
    pub fn calls(&self) -> Vec<SshCall> {
        let text = fs::read_to_string(self.directory.path().join("calls")).unwrap_or_default();
        let mut calls: Vec<SshCall> = Vec::new();
        for line in text.lines() {
            match (line.split_once(' '), calls.last_mut()) {
                (Some(("call", protocol)), _) => {
                    calls
                        .push(SshCall { arguments: Vec::new(), git_protocol: protocol.to_owned() });
                }
                (Some(("argument", argument)), Some(call)) => {
                    call.arguments.push(argument.to_owned())
                }
                _ => {}
            }
        }
        calls
    }

    /// Returns the calls that contact a repository, without those that probe the program's options
    /// (`-G`).
    #[must_use]
    pub fn repository_calls(&self) -> Vec<SshCall> {
        self.calls().into_iter().filter(|call| !call.arguments.iter().any(|a| a == "-G")).collect()
    }

    fn script(&self) -> String {
        let git = git_command();
        let mut environment = String::new();
        for (name, value) in git.get_envs() {
            let value = value.unwrap_or_default().to_string_lossy().replace('\'', "'\\''");
            environment.push_str(&format!(" {}='{value}'", name.to_string_lossy()));
        }
        format!(
            r#"#!/bin/sh
here='{here}'
{{
    printf 'call %s\n' "$GIT_PROTOCOL"
    for argument in "$@"; do printf 'argument %s\n' "$argument"; done
}} >> "$here/calls"
for last in "$@"; do :; done
for argument in "$@"; do
    if [ "$argument" = -G ]; then case "$0" in */simple*) exit 1;; *) exit 0;; esac; fi
done
number=$(grep -c '^call ' "$here/calls")
[ -f "$here/behavior-$number" ] || number=last
cd '{root}' || exit 9
serve() {{
    env -i{environment} GIT_PROTOCOL="$1" GIT_CONFIG_COUNT=3 \
        GIT_CONFIG_KEY_0=uploadpack.allowFilter GIT_CONFIG_VALUE_0="$2" \
        GIT_CONFIG_KEY_1=uploadpack.allowAnySHA1InWant GIT_CONFIG_VALUE_1="$3" \
        GIT_CONFIG_KEY_2=safe.directory GIT_CONFIG_VALUE_2='*' sh -c "$last"
}}
. "$here/behavior-$number"
"#,
            here = self.directory.path().display(),
            root = self.root.display(),
        )
    }
}

impl SshBehavior {
    fn script(self) -> String {
        let serve = "serve \"$GIT_PROTOCOL\" true true";
        match self {
            Self::Serve => format!("{serve}\n"),
            Self::ServeWith { protocol_v2, filters, any_want } => {
                let protocol = if protocol_v2 { "\"$GIT_PROTOCOL\"" } else { "''" };
                format!("serve {protocol} {filters} {any_want}\n")
            }
            Self::Fail(status, words) => format!("{}exit {status}\n", say(words)),
            Self::Stall(words) => format!("{}exec sleep 60\n", say(words)),
            Self::Truncate(bytes, words) => {
                format!("{}{}exit 255\n", cut(serve, bytes), say(words))
            }
            Self::StallAfter(bytes) => format!("{}exec sleep 60\n", cut(serve, bytes)),
        }
    }
}

/// Passes on the first bytes of a command's output; the command itself runs on until its input
/// ends.
/// `dd` is used because `head` would buffer its output.
fn cut(command: &str, bytes: u64) -> String {
    format!(
        "exec 3<&0\n{{ {command} <&3 2>/dev/null & }} | dd bs=1 count={bytes} 2>/dev/null\nexec 3<&-\n"
    )
}

fn say(words: &str) -> String {
    format!("printf '%s\\n' '{}' >&2\n", words.replace('\'', "'\\''"))
}
