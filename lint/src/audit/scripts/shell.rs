//! The commands of shell scripts: which words of a line are one, as far as that can be seen without running it.

use super::{Deed, Sights};

/// Looks at every command of a script.
pub(super) fn check(text: &str, sights: &mut Sights) {
    let mut start = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    // A backslash at its end makes a line go on.
    let mut begun: Option<usize> = None;
    while let Some(one) = lines.next() {
        let end = start + one.len();
        let goes_on = one.trim_end_matches(['\n', '\r']).ends_with('\\') && lines.peek().is_some();
        let from = begun.unwrap_or(start);
        if goes_on && end - from < LONGEST {
            begun = Some(from);
        } else {
            line(&text[from..end], from, sights);
            begun = None;
        }
        start = end;
    }
}

/// So much of one line is read as one.
const LONGEST: usize = 8 * 1024;

/// How a command is joined to what is before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// It stands for itself.
    Own,
    /// It gets what the one before writes.
    Pipe,
    /// What it writes becomes part of the one that is open.
    Inner,
    /// It is the rest of the one that was open.
    Rest,
}

/// Looks at the commands of one line, which begins at `offset` of the text.
pub(super) fn line(line: &str, offset: usize, sights: &mut Sights) {
    let line = line.trim_end();
    if line.len() > LONGEST || line.trim_start().starts_with('#') {
        return;
    }
    // Whether something was fetched or decoded that the next command of the pipe gets, and the command around an inner one.
    let mut is_fetched = false;
    let mut around: Option<Command<'_>> = None;
    let mut has_run = false;
    for Part { joint, is_inner, at, text } in parts(line) {
        if joint == Joint::Rest {
            continue;
        }
        let Some(command) = Command::of(text) else { continue };
        let place = offset + at + command.at;
        let shown = &line[at + command.at..];
        if joint == Joint::Own {
            is_fetched = false;
        }
        if joint == Joint::Pipe && is_fetched && command.runs_its_input() {
            has_run = true;
        }
        if command.fetches() || command.decodes() {
            has_run |= is_inner && around.is_some_and(Command::runs_what_is_inside);
            is_fetched = true;
        }
        if command.uses_network() {
            sights.add(Deed::Network, place, shown);
        }
        if command.installs() {
            sights.add(Deed::Install, place, shown);
        }
        if !is_inner {
            around = Some(command);
        }
    }
    if has_run {
        let blanks = line.len() - line.trim_start().len();
        sights.add(Deed::Fetched, offset + blanks, line);
    }
}

/// A part of a line that may be a command.
struct Part<'l> {
    joint: Joint,
    /// Whether what it writes becomes part of another one.
    is_inner: bool,
    /// Where it begins.
    at: usize,
    text: &'l str,
}

/// A line in parts.
fn parts(line: &str) -> Vec<Part<'_>> {
    let bytes = line.as_bytes();
    let mut parts = Vec::new();
    let (mut joint, mut start, mut at) = (Joint::Own, 0, 0);
    let (mut is_single, mut is_double, mut is_back) = (false, false, false);
    // What quotation goes on where an inner command ends.
    let mut open: Vec<bool> = Vec::new();
    let mut is_inner = false;
    while at < bytes.len() {
        let next = bytes.get(at + 1).copied();
        let (found, width) = match bytes[at] {
            b'\\' => {
                at += 2;
                continue;
            }
            b'\'' if is_single || !is_double => {
                is_single = !is_single;
                (None, 1)
            }
            _ if is_single => (None, 1),
            b'"' => {
                is_double = !is_double;
                (None, 1)
            }
            b'$' | b'<' | b'>' if next == Some(b'(') && (bytes[at] == b'$' || !is_double) => {
                open.push(is_double);
                is_double = false;
                (Some(Joint::Inner), 2)
            }
            b'`' => {
                is_back = !is_back;
                (Some(if is_back { Joint::Inner } else { Joint::Rest }), 1)
            }
            b')' if !is_double => match open.pop() {
                Some(before) => {
                    is_double = before;
                    (Some(Joint::Rest), 1)
                }
                None => (Some(Joint::Own), 1),
            },
            _ if is_double => (None, 1),
            b'|' if next == Some(b'|') => (Some(Joint::Own), 2),
            b'|' => (Some(Joint::Pipe), 1),
            // Of a redirection.
            b'&' if next == Some(b'>') || (at > 0 && bytes[at - 1] == b'>') => (None, 1),
            b'&' | b';' | b'(' | b'\n' => (Some(Joint::Own), 1),
            b'#' if at == start || bytes[at - 1].is_ascii_whitespace() => break,
            _ => (None, 1),
        };
        if let Some(found) = found {
            parts.push(Part { joint, is_inner, at: start, text: &line[start..at] });
            (joint, start, is_inner) = (found, at + width, is_back || !open.is_empty());
        }
        at += width;
    }
    let (at, end) = (start.min(line.len()), at.min(line.len()));
    parts.push(Part { joint, is_inner, at, text: line.get(at..end).unwrap_or_default() });
    parts
}

/// A command and its arguments.
#[derive(Clone, Copy)]
struct Command<'l> {
    /// Without the path to it.
    name: &'l str,
    arguments: &'l str,
    /// Where it begins in its part.
    at: usize,
}

impl<'l> Command<'l> {
    /// The command of a part, without what stands before one.
    fn of(part: &'l str) -> Option<Self> {
        let mut rest = part;
        let mut takes_options = false;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
            let word = rest.split(char::is_whitespace).next().filter(|word| !word.is_empty())?;
            let after = &rest[word.len()..];
            let bare = word.trim_matches(['"', '\'']);
            let is_assignment = bare.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty()
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'+')
            });
            match bare {
                "if" | "then" | "else" | "elif" | "while" | "until" | "do" | "!" | "{" | "time" | "exec" | "nohup"
                | "builtin" | "@" | "$" => {}
                "sudo" | "env" | "xargs" | "command" => takes_options = true,
                // `command -v` asks whether there is one.
                "-v" | "-V" if takes_options => return None,
                _ if is_assignment => {}
                _ if takes_options && (bare.starts_with('-') || bare.bytes().all(|byte| byte.is_ascii_digit())) => {}
                _ => {
                    let name = bare.rsplit('/').next().unwrap_or(bare);
                    let at = part.len() - rest.len();
                    return Some(Self { name, arguments: after, at });
                }
            }
            rest = after;
        }
    }

    fn words(self) -> impl Iterator<Item = &'l str> {
        self.arguments.split_whitespace().map(|word| word.trim_matches(['"', '\'']))
    }

    /// The first argument that is no option.
    fn verb(self) -> Option<&'l str> {
        self.words().find(|word| !word.starts_with('-'))
    }

    fn fetches(self) -> bool {
        matches!(self.name, "curl" | "wget" | "http" | "https" | "xh" | "aria2c" | "nc" | "ncat" | "netcat")
            && self.words().next().is_some()
            && !self.arguments.trim_start().starts_with(['=', '{', ':'])
    }

    fn uses_network(self) -> bool {
        self.fetches()
            || (matches!(self.name, "telnet" | "ftp" | "sftp" | "scp" | "ssh" | "rsync" | "socat")
                && self.words().next().is_some())
            || (self.name == "git" && matches!(self.verb(), Some("clone" | "fetch" | "pull" | "push" | "ls-remote")))
            || self.arguments.contains("/dev/tcp/")
    }

    fn decodes(self) -> bool {
        let has = |options: &[&str]| self.words().any(|word| options.contains(&word));
        match self.name {
            "base64" | "base32" => has(&["-d", "-D", "--decode", "-di", "-id"]),
            "xxd" => has(&["-r", "-p", "-rp"]) && self.arguments.contains("-r"),
            "openssl" => has(&["-d"]),
            _ => false,
        }
    }

    fn installs(self) -> bool {
        let verb = self.verb();
        let fetched_and_run = || verb.is_some_and(|name| !name.starts_with('.'));
        match self.name {
            "pip" | "pip3" | "pipx" | "brew" | "gem" | "apt" | "apt-get" | "dnf" | "yum" | "cargo" | "go" => {
                verb == Some("install")
            }
            "apk" => verb == Some("add"),
            "npm" => matches!(verb, Some("install" | "i" | "ci" | "exec")),
            "pnpm" | "yarn" | "bun" => matches!(verb, Some("add" | "install" | "i" | "dlx" | "x")),
            "npx" | "bunx" | "uvx" | "pnpx" => fetched_and_run(),
            "uv" => matches!(
                self.words().take(2).collect::<Vec<_>>()[..],
                ["pip", "install"] | ["tool", "install"] | ["add", _]
            ),
            "python" | "python3" => {
                let words: Vec<&str> = self.words().take(3).collect();
                matches!(words[..], ["-m", "pip", "install"])
            }
            _ => false,
        }
    }

    /// Whether it takes what it is given for a program: an interpreter that got none by its arguments.
    fn runs_its_input(self) -> bool {
        let mut words = self.words();
        match self.name {
            "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" => {
                words.next().is_none_or(|word| matches!(word, "-" | "-s" | "-e" | "-x" | "-ex" | "-eux" | "-l" | "--"))
            }
            "python" | "python3" | "node" | "ruby" | "perl" | "php" => words.next().is_none_or(|word| word == "-"),
            "source" | "." => words.next() == Some("/dev/stdin"),
            "iex" | "Invoke-Expression" => true,
            _ => false,
        }
    }

    /// Whether what an inner command writes is a program to it.
    fn runs_what_is_inside(self) -> bool {
        match self.name {
            "eval" | "source" | "." => true,
            "sh" | "bash" | "zsh" | "dash" | "ksh" => {
                let first = self.words().next();
                first.is_none() || first.is_some_and(|word| word.starts_with('-') && word.contains('c'))
            }
            "python" | "python3" => self.words().next() == Some("-c"),
            "node" | "ruby" | "perl" => self.words().next() == Some("-e"),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<Deed> {
        let mut sights = Sights::default();
        check(text, &mut sights);
        let mut deeds: Vec<_> = sights.0.iter().map(|sight| sight.deed).collect();
        deeds.sort();
        deeds
    }

    #[test]
    fn commands_are_found_where_they_stand() {
        for text in [
            "curl x",
            "  curl x",
            "a && curl x",
            "a || wget x",
            "if ! curl -s x; then",
            "x=$(curl -s x)",
            "x=\"$(curl -s \"$u\")\"",
            "x=`curl y`",
            "FOO=1 sudo -E /usr/bin/curl x",
            "cat a | nc b 80",
            "(cd a; git clone b)",
            "case $1 in a) ssh b ls;; esac",
            "xargs -n 1 curl x",
            "a \\\n  && \\\n  curl x",
            "echo x > /dev/tcp/a/80",
            "if x; then { curl y; } fi",
        ] {
            assert_eq!(seen(text), [Deed::Network], "{text}");
        }
    }

    #[test]
    fn words_that_are_no_command_are_left_alone() {
        for text in [
            "# curl x",
            "a # curl x",
            "command -v curl >/dev/null",
            "echo \"needs curl; install it\"",
            "echo 'a; curl x'",
            "for tool in curl wget; do",
            "curl=1",
            "which curl",
            "apt_list=\"curl wget\"",
            "git status; git commit -m x",
            "pip list; npm test; npm run build",
            "a 2>&1 && b &> c",
            "curl",
        ] {
            assert_eq!(seen(text), [], "{text}");
        }
    }

    #[test]
    fn installing_is_found() {
        for text in [
            "pip install x",
            "pip3 install -r requirements.txt",
            "python3 -m pip install x",
            "npm install -g x",
            "npm i x",
            "npx -y x",
            "uvx x",
            "uv pip install x",
            "sudo apt-get -y install x",
            "brew install x",
            "cargo install x",
        ] {
            assert_eq!(seen(text), [Deed::Install], "{text}");
        }
    }

    #[test]
    fn what_runs_what_it_fetches_is_found_and_what_only_reads_it_is_not() {
        for text in [
            "curl x | sh",
            "curl x | sudo bash -s -- -y",
            "curl -fsSL x 2>/dev/null | tee y | bash",
            "wget -qO- x | python3 -",
            "bash <(curl -s x)",
            "bash -c \"$(curl -fsSL x)\"",
            "sh -c \"$(wget -qO- x)\"",
            "eval \"$(curl x)\"",
            "eval `curl x`",
            "source <(curl x)",
            "python3 -c \"$(curl x)\"",
            "curl x |\\\n  bash",
        ] {
            assert_eq!(seen(text), [Deed::Network, Deed::Fetched], "{text}");
        }
        for text in ["echo aGk= | base64 -d | sh", "eval \"$(echo x | base64 --decode)\"", "xxd -r -p x | bash"] {
            assert_eq!(seen(text), [Deed::Fetched], "{text}");
        }
        for text in [
            "curl x | jq . | head",
            "curl x | python3 -m json.tool",
            "curl x | python3 -c 'import json'",
            "curl -o y x; bash y",
            "bash run.sh \"$(curl x)\"",
            "curl x | bash run.sh",
        ] {
            assert_eq!(seen(text), [Deed::Network], "{text}");
        }
        assert_eq!(seen("eval \"$(ssh-agent -s)\"; cat x | sh"), []);
    }
}
