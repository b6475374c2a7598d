//! The words of other languages that import or call what reaches out of the script.

use super::{Deed, Sights, language::Language};

/// Longer lines are nothing that a person wrote: only so much of one is looked at for what belongs together.
const LONGEST: usize = 8 * 1024;

/// Looks at every word of a script.
pub(super) fn check(language: Language, text: &str, sights: &mut Sights) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() && !language.is_comment(content) {
            check_line(language, line, start, sights);
        }
        start += line.len();
    }
}

fn check_line(language: Language, line: &str, offset: usize, sights: &mut Sights) {
    let is_import = is_import(language, line.trim_start());
    let (mut has_eval, mut has_source) = (None, false);
    // A package manager, and whether the word after it is the one that installs.
    let (mut manager, mut installer) = (None, None);
    let bytes = line.as_bytes();
    for (at, word) in words(line) {
        let before = at.checked_sub(1).map_or(b' ', |at| bytes[at]);
        let behind = bytes.get(at + word.len()).copied().unwrap_or(b' ');
        let is_call = behind == b'(';
        let is_quoted = matches!(before, b'\'' | b'"' | b'`');
        let is_text = is_quoted && matches!(behind, b'\'' | b'"' | b'`');
        if let Some(deed) = deed(language, word, is_import, is_call, is_text) {
            sights.add(deed, offset + at, word);
        }
        if is_eval(language, word, is_call) {
            has_eval.get_or_insert(at);
        }
        has_source |= is_source(language, word);
        if let Some(at) = manager.take()
            && matches!(word, "install" | "add" | "ci")
        {
            installer.get_or_insert(at);
        }
        if is_quoted && matches!(word, "pip" | "pip3" | "npm" | "pnpm" | "yarn" | "uv") {
            manager = Some(at);
        }
    }
    if let (Some(at), true) = (has_eval, has_source) {
        sights.add(Deed::Fetched, offset + at, line.get(at..).unwrap_or_default());
    }
    // Not where it is advice for whoever reads a message.
    if let Some(at) = installer
        && line.len() <= LONGEST
        && !["print", "raise", "Error", "console.", "log", "echo", "warn", "help", "exit"]
            .iter()
            .any(|word| line.contains(word))
        && ["subprocess", "system", "exec", "spawn", "run(", "[", "call("].iter().any(|word| line.contains(word))
    {
        sights.add(Deed::Install, offset + at, line.get(at..).unwrap_or_default());
    }
}

/// Runs of characters that names are made of, also those with a namespace.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && !is_of_word(bytes[at]) {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && is_of_word(bytes[at]) {
            at += 1;
        }
        (start < at).then(|| (start, &line[start..at]))
    })
}

const fn is_of_word(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'$' | b':' | b'-' | b'/')
}

fn is_import(language: Language, line: &str) -> bool {
    match language {
        Language::Python => line.starts_with("import ") || line.starts_with("from ") || line.starts_with("__import__("),
        Language::JavaScript => {
            line.starts_with("import")
                || line.contains("require(")
                || line.contains(" from ")
                || line.contains("import(")
        }
        Language::Ruby | Language::Php | Language::Lua => line.contains("require"),
        Language::Perl => line.starts_with("use ") || line.starts_with("require "),
        Language::Shell | Language::PowerShell => false,
    }
}

/// What a word does where it stands.
fn deed(language: Language, word: &str, is_import: bool, is_call: bool, is_text: bool) -> Option<Deed> {
    let program = ["curl", "wget", "ssh", "scp", "nc"].contains(&word) && is_text;
    match language {
        Language::Python => match word.split('.').next().unwrap_or(word) {
            "requests" | "urllib" | "urllib2" | "urllib3" | "httpx" | "aiohttp" | "socket" | "ftplib" | "smtplib"
            | "telnetlib" | "paramiko" | "websocket" | "websockets" | "pycurl"
                if is_import && !word.starts_with("urllib.parse") && !word.starts_with("urllib.error") =>
            {
                Some(Deed::Network)
            }
            "http" if is_import && word == "http.client" => Some(Deed::Network),
            "subprocess" if is_import => Some(Deed::Program),
            "os" if is_call && (word == "os.system" || word == "os.popen" || word.starts_with("os.exec")) => {
                Some(Deed::Program)
            }
            _ if program => Some(Deed::Network),
            _ => None,
        },
        Language::JavaScript => match word.strip_prefix("node:").unwrap_or(word) {
            "http" | "https" | "http2" | "net" | "tls" | "dgram" | "axios" | "node-fetch" | "got" | "ws" | "undici"
            | "request" | "superagent"
                if is_import && is_text =>
            {
                Some(Deed::Network)
            }
            "child_process" | "execa" | "zx" | "shelljs" if is_import && is_text => Some(Deed::Program),
            "fetch" | "WebSocket" | "XMLHttpRequest" | "globalThis.fetch" | "window.fetch" if is_call => {
                Some(Deed::Network)
            }
            "Deno.Command" | "Bun.spawn" | "Bun.spawnSync" if is_call => Some(Deed::Program),
            _ if program => Some(Deed::Network),
            _ => None,
        },
        Language::Ruby => match word {
            "net/http" | "open-uri" | "socket" | "httparty" | "faraday" if is_import => Some(Deed::Network),
            "system" | "IO.popen" | "Open3.capture3" if is_call => Some(Deed::Program),
            _ => None,
        },
        Language::Perl => match word {
            "LWP::UserAgent" | "LWP::Simple" | "HTTP::Tiny" | "IO::Socket" | "IO::Socket::INET" if is_import => {
                Some(Deed::Network)
            }
            "system" | "exec" if is_call => Some(Deed::Program),
            _ => None,
        },
        Language::Php => match word {
            "curl_init" | "curl_exec" | "fsockopen" | "stream_socket_client" if is_call => Some(Deed::Network),
            "shell_exec" | "exec" | "system" | "passthru" | "proc_open" if is_call => Some(Deed::Program),
            _ => None,
        },
        Language::Lua => match word {
            "socket" | "socket.http" | "http.request" if is_import => Some(Deed::Network),
            "os.execute" | "io.popen" if is_call => Some(Deed::Program),
            _ => None,
        },
        Language::PowerShell => match word.to_ascii_lowercase().as_str() {
            "invoke-webrequest"
            | "iwr"
            | "invoke-restmethod"
            | "irm"
            | "start-bitstransfer"
            | "net.webclient"
            | "system.net.webclient"
            | "curl"
            | "curl.exe"
            | "wget"
            | "bitsadmin"
            | "certutil" => Some(Deed::Network),
            "install-module" | "winget" | "choco" => Some(Deed::Install),
            _ => None,
        },
        Language::Shell => None,
    }
}

/// Whether a word takes a text for a program.
fn is_eval(language: Language, word: &str, is_call: bool) -> bool {
    match language {
        Language::Python => is_call && matches!(word, "eval" | "exec"),
        Language::JavaScript => {
            is_call && matches!(word, "eval" | "Function" | "vm.runInThisContext" | "vm.runInNewContext")
        }
        Language::Ruby | Language::Perl | Language::Php => matches!(word, "eval" | "instance_eval"),
        Language::Lua => is_call && matches!(word, "load" | "loadstring"),
        Language::PowerShell => word.eq_ignore_ascii_case("iex") || word.eq_ignore_ascii_case("invoke-expression"),
        Language::Shell => false,
    }
}

/// Whether a word fetches or decodes a text.
fn is_source(language: Language, word: &str) -> bool {
    let last = word.rsplit('.').next().unwrap_or(word);
    match language {
        Language::Python => {
            matches!(last, "urlopen" | "b64decode" | "b85decode" | "a85decode" | "decompress" | "fromhex" | "unhexlify")
                || matches!(word, "requests.get" | "requests.post" | "httpx.get" | "marshal.loads" | "codecs.decode")
        }
        Language::JavaScript => {
            matches!(last, "atob" | "fetch" | "unescape") || matches!(word, "Buffer.from" | "base64")
        }
        Language::Ruby => {
            matches!(last, "decode64" | "unpack" | "unpack1") || matches!(word, "URI.open" | "Net::HTTP.get")
        }
        Language::Perl => matches!(word, "decode_base64" | "unpack"),
        Language::Php => matches!(word, "base64_decode" | "gzinflate" | "str_rot13" | "file_get_contents"),
        Language::Lua => last == "request",
        Language::PowerShell => {
            let word = word.to_ascii_lowercase();
            let last = word.rsplit([':', '.']).next().unwrap_or(&word);
            matches!(
                last,
                "frombase64string" | "downloadstring" | "iwr" | "irm" | "invoke-webrequest" | "invoke-restmethod"
            )
        }
        Language::Shell => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(language: Language, text: &str) -> Vec<Deed> {
        let mut sights = Sights::default();
        check(language, text, &mut sights);
        sights.0.iter().map(|sight| sight.deed).collect()
    }

    #[test]
    fn what_reaches_out_is_found() {
        for (language, text, deed) in [
            (Language::Python, "import requests", Deed::Network),
            (Language::Python, "import os, socket", Deed::Network),
            (Language::Python, "    from urllib.request import urlopen", Deed::Network),
            (Language::Python, "from http.client import HTTPSConnection", Deed::Network),
            (Language::Python, "run([\"curl\", url])", Deed::Network),
            (Language::Python, "import subprocess", Deed::Program),
            (Language::Python, "os.system(cmd)", Deed::Program),
            (Language::Python, "exec(base64.b64decode(x))", Deed::Fetched),
            (Language::Python, "eval(compile(zlib.decompress(x), '', 'exec'))", Deed::Fetched),
            (Language::Python, "run([sys.executable, '-m', 'pip', 'install', x])", Deed::Install),
            (Language::JavaScript, "const https = require('https');", Deed::Network),
            (Language::JavaScript, "import axios from \"axios\"", Deed::Network),
            (Language::JavaScript, "const r = await fetch(url)", Deed::Network),
            (Language::JavaScript, "import { execSync } from 'node:child_process';", Deed::Program),
            (Language::JavaScript, "new Function(atob(x))()", Deed::Fetched),
            (Language::Ruby, "require 'net/http'", Deed::Network),
            (Language::Perl, "use LWP::UserAgent;", Deed::Network),
            (Language::Php, "eval(base64_decode($x));", Deed::Fetched),
            (Language::PowerShell, "Invoke-WebRequest $u -OutFile x", Deed::Network),
            (Language::Lua, "os.execute('ls')", Deed::Program),
        ] {
            assert_eq!(seen(language, text), [deed], "{text}");
        }
        let found = seen(Language::PowerShell, "iex (iwr https://a.example/x)");
        assert_eq!(found, [Deed::Network, Deed::Fetched]);
    }

    #[test]
    fn what_only_looks_like_it_is_left_alone() {
        for (language, text) in [
            (Language::Python, "# import requests"),
            (Language::Python, "requests = []"),
            (Language::Python, "from urllib.parse import quote"),
            (Language::Python, "from .requests_local import x"),
            (Language::Python, "print('Run: pip install x')"),
            (Language::JavaScript, "exec(\"npm's file was not found (install npm with Node)\")"),
            (Language::Python, "model.eval()"),
            (Language::Python, "re.compile(x)"),
            (Language::JavaScript, "// fetch(x)"),
            (Language::JavaScript, "cache.prefetch(x)"),
            (Language::JavaScript, "const net = 'net'"),
            (Language::JavaScript, "http://www.w3.org/2000/svg"),
            (Language::Ruby, "system_name = 1"),
        ] {
            assert_eq!(seen(language, text), [], "{text}");
        }
    }
}
