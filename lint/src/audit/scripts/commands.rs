//! Finds commands in shell scripts by the words of a line. Nothing is expanded or run.

use super::Occurrences;
use helix_skills_format::Code;

/// Maximum length in bytes of a line with its continuation lines. Longer lines are skipped.
const MAX_LINE: usize = 8 * 1024;

/// Checks every command of a script, which starts at `offset` of the text.
pub(super) fn check(text: &str, offset: usize, occurrences: &mut Occurrences) {
    let (mut start, mut end) = (0, 0);
    for physical in text.split_inclusive('\n') {
        end += physical.len();
        let is_continued = physical.trim_end_matches(['\n', '\r']).ends_with('\\');
        if !is_continued || end - start >= MAX_LINE {
            line(&text[start..end], offset + start, occurrences);
            start = end;
        }
    }
    line(&text[start..], offset + start, occurrences);
}

/// Checks the commands of one line, which starts at `offset` of the text.
pub(super) fn line(line: &str, offset: usize, occurrences: &mut Occurrences) {
    let line = line.trim_end();
    if line.len() > MAX_LINE || line.trim_start().starts_with('#') {
        return;
    }
    // Whether this pipeline has fetched or decoded data, and the command that contains a
    // substitution.
    let (mut is_fetched, mut outer, mut runs_fetched) = (false, None::<Command<'_>>, false);
    for part in parts(line) {
        let Some(command) = Command::parse(part.text) else { continue };
        is_fetched &= part.is_piped;
        runs_fetched |= is_fetched && command.runs_its_input();
        if command.fetches() || command.decodes() {
            runs_fetched |= part.is_inner && outer.is_some_and(Command::runs_its_substitution);
            is_fetched = true;
        }
        let place = part.at + command.at;
        if command.uses_network() {
            occurrences.add(Code::NetworkAccess, offset + place, &line[place..]);
        }
        if command.installs() {
            occurrences.add(Code::PackageInstall, offset + place, &line[place..]);
        }
        if !part.is_inner {
            outer = Some(command);
        }
    }
    if runs_fetched {
        let indent = line.len() - line.trim_start().len();
        occurrences.add(Code::FetchedCode, offset + indent, line);
    }
}

/// A part of a line that may be a command.
struct Part<'l> {
    /// Whether the output of the part before it is its input.
    is_piped: bool,
    /// Whether it is in a command or process substitution.
    is_inner: bool,
    /// Its offset in the line.
    at: usize,
    text: &'l str,
}

/// Splits a line at the positions where a command can start.
fn parts(line: &str) -> Vec<Part<'_>> {
    let bytes = line.as_bytes();
    let mut parts = Vec::new();
    let (mut is_piped, mut start, mut at) = (false, 0, 0);
    let mut quote = None;
    // For each open substitution, the quote that it is in.
    let mut open = Vec::new();
    while let Some(&byte) = bytes.get(at) {
        let (before, next) = (at.checked_sub(1).map(|at| bytes[at]), bytes.get(at + 1));
        let was_inner = !open.is_empty();
        let mut width = 1;
        // Whether a part begins after this byte, and whether it is piped.
        let found = match (byte, quote) {
            (b'\'' | b'"', Some(opening)) if byte == opening => {
                quote = None;
                None
            }
            (_, Some(b'\'')) => None,
            (b'\\', _) => {
                width = 2;
                None
            }
            (b'$' | b'<', _) if next == Some(&b'(') => {
                open.push(quote.take());
                width = 2;
                Some(false)
            }
            (b'`', _) => Some(false),
            (_, Some(_)) => None,
            (b'\'' | b'"', None) => {
                quote = Some(byte);
                None
            }
            (b')', None) => {
                quote = open.pop().flatten();
                Some(false)
            }
            (b'|', None) if next != Some(&b'|') && before != Some(b'|') => Some(true),
            // An `&` of a redirection does not end a command.
            (b'&', None) => (next != Some(&b'>') && before != Some(b'>')).then_some(false),
            (b'|' | b';' | b'(', None) => Some(false),
            (b'#', None)
                if at == start || before.is_some_and(|byte| byte.is_ascii_whitespace()) =>
            {
                break;
            }
            _ => None,
        };
        if let Some(found) = found {
            parts.push(Part { is_piped, is_inner: was_inner, at: start, text: &line[start..at] });
            (is_piped, start) = (found, at + width);
        }
        at += width;
    }
    let text = line.get(start..at.min(line.len())).unwrap_or_default();
    parts.push(Part { is_piped, is_inner: !open.is_empty(), at: start, text });
    parts
}

/// A command and its arguments.
#[derive(Clone, Copy)]
struct Command<'l> {
    /// The name, without the path to it.
    name: &'l str,
    arguments: &'l str,
    /// Its offset in the part.
    at: usize,
}

impl<'l> Command<'l> {
    /// Parses the command of a part, after keywords, assignments and programs that run another one.
    fn parse(part: &'l str) -> Option<Self> {
        let mut rest = part;
        let mut takes_options = false;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
            let word = rest.split(char::is_whitespace).next().filter(|word| !word.is_empty())?;
            let bare = word.trim_matches(['"', '\'']);
            let is_skipped = match bare {
                "if" | "then" | "else" | "elif" | "while" | "until" | "do" | "!" | "{" | "time"
                | "exec" | "nohup" | "$" => true,
                "sudo" | "env" | "xargs" | "command" => {
                    takes_options = true;
                    true
                }
                // `command -v` only checks whether a program exists.
                "-v" | "-V" if takes_options => return None,
                _ => {
                    is_assignment(bare)
                        || (takes_options && (bare.starts_with('-') || bare.parse::<u32>().is_ok()))
                }
            };
            if !is_skipped {
                let name = bare.rsplit('/').next().unwrap_or(bare);
                return Some(Self {
                    name,
                    arguments: &rest[word.len()..],
                    at: part.len() - rest.len(),
                });
            }
            rest = &rest[word.len()..];
        }
    }

    fn words(self) -> impl Iterator<Item = &'l str> {
        self.arguments.split_whitespace().map(|word| word.trim_matches(['"', '\'']))
    }

    /// Returns the first argument that is not an option.
    fn verb(self) -> Option<&'l str> {
        self.words().find(|word| !word.starts_with('-'))
    }

    fn fetches(self) -> bool {
        matches!(self.name, "curl" | "wget" | "nc" | "ncat")
            && self.words().next().is_some_and(|word| !word.starts_with(['=', '{', ':']))
    }

    fn uses_network(self) -> bool {
        match self.name {
            "ssh" | "scp" | "sftp" | "rsync" => self.words().next().is_some(),
            "git" => matches!(self.verb(), Some("clone" | "fetch" | "pull" | "push" | "ls-remote")),
            _ => self.fetches() || self.arguments.contains("/dev/tcp/"),
        }
    }

    fn decodes(self) -> bool {
        self.name == "base64" && self.words().any(|word| matches!(word, "-d" | "-D" | "--decode"))
    }

    fn installs(self) -> bool {
        match self.name {
            "pip" | "pip3" | "pipx" | "brew" | "gem" | "apt" | "apt-get" | "dnf" | "yum"
            | "cargo" | "go" => self.verb() == Some("install"),
            "npm" | "pnpm" | "yarn" | "bun" => {
                matches!(self.verb(), Some("add" | "install" | "i" | "ci" | "dlx" | "x" | "exec"))
            }
            "npx" | "bunx" | "uvx" => self.verb().is_some_and(|package| !package.starts_with('.')),
            "uv" => self.arguments.trim_start().starts_with("pip install"),
            "python" | "python3" => self.arguments.trim_start().starts_with("-m pip install"),
            _ => false,
        }
    }

    /// Returns whether it runs its standard input: an interpreter without a program as an argument.
    fn runs_its_input(self) -> bool {
        let first = self.words().next();
        match self.name {
            "sh" | "bash" | "zsh" => first.is_none_or(|word| {
                word.starts_with('-') && !word.starts_with("--") && !word.contains('c')
            }),
            "python" | "python3" | "node" | "ruby" | "perl" => first.is_none_or(|word| word == "-"),
            _ => false,
        }
    }

    /// Returns whether it runs the output of a substitution in its arguments.
    fn runs_its_substitution(self) -> bool {
        let first = self.words().next();
        match self.name {
            "eval" | "source" | "." => true,
            "sh" | "bash" | "zsh" => {
                first.is_none_or(|word| word.starts_with('-') && word.contains('c'))
            }
            "python" | "python3" => first == Some("-c"),
            "node" | "ruby" | "perl" => first == Some("-e"),
            _ => false,
        }
    }
}

/// Returns whether a word is an assignment: `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<Code> {
        let mut found = Occurrences::default();
        check(text, 0, &mut found);
        let mut behaviors: Vec<Code> = found.0.iter().map(|occurrence| occurrence.code).collect();
        behaviors.sort();
        behaviors
    }

    #[test]
    fn network_commands_are_found_wherever_one_can_start() {
        for text in [
            "  curl x",
            "a && curl x",
            "a || wget x",
            "if ! curl -s x; then",
            "x=$(curl -s x)",
            "x=\"$(curl -s \"$u\")\"",
            "x=\"$(date)\"; curl x",
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
            assert_eq!(seen(text), [Code::NetworkAccess], "{text}");
        }
    }

    #[test]
    fn words_that_are_not_commands_are_ignored() {
        for text in [
            "# curl x",
            "a # curl x",
            "command -v curl >/dev/null",
            "echo \"needs curl; install it\"",
            "echo 'a; curl x'",
            "for tool in curl wget; do",
            "curl=1",
            "which curl",
            "git status; git commit -m x",
            "pip list; npm test; npm run build",
            "a 2>&1 && b &> c",
            "curl",
        ] {
            assert_eq!(seen(text), [], "{text}");
        }
    }

    #[test]
    fn installing_commands_are_found() {
        for text in [
            "pip3 install -r requirements.txt",
            "python3 -m pip install x",
            "npm install -g x",
            "npx -y x",
            "uv pip install x",
            "sudo apt-get -y install x",
        ] {
            assert_eq!(seen(text), [Code::PackageInstall], "{text}");
        }
    }

    #[test]
    fn fetched_code_is_found_only_if_it_is_run() {
        for text in [
            "curl x | sh",
            "curl x | sudo bash -s -- -y",
            "curl -fsSL x 2>/dev/null | tee y | bash",
            "wget -qO- x | python3 -",
            "bash <(curl -s x)",
            "bash -c \"$(curl -fsSL x)\"",
            "eval \"$(curl x)\"",
            "source <(curl x)",
            "curl x |\\\n  bash",
        ] {
            assert_eq!(seen(text), [Code::NetworkAccess, Code::FetchedCode], "{text}");
        }
        for text in ["echo aGk= | base64 -d | sh", "eval \"$(echo x | base64 --decode)\""] {
            assert_eq!(seen(text), [Code::FetchedCode], "{text}");
        }
        for text in [
            "curl x | jq . | head",
            "curl x | python3 -m json.tool",
            "curl x | python3 -c 'import json'",
            "curl -o y x; bash y",
            "bash run.sh \"$(curl x)\"",
            "curl x | bash run.sh",
        ] {
            assert_eq!(seen(text), [Code::NetworkAccess], "{text}");
        }
        assert_eq!(seen("eval \"$(ssh-agent -s)\"; cat x | sh"), []);
    }
}
