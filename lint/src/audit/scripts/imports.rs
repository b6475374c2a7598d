//! Finds modules and functions of Python and JavaScript that use the network or install packages.

use super::{Occurrences, language::Language};
use helix_skills_format::Code;

/// Top-level modules of Python that use the network.
const PYTHON: [&str; 11] = [
    "aiohttp",
    "ftplib",
    "httpx",
    "paramiko",
    "requests",
    "smtplib",
    "socket",
    "urllib",
    "urllib3",
    "websocket",
    "websockets",
];

/// Modules of JavaScript that use the network, without `node:`.
const JAVASCRIPT: [&str; 10] =
    ["axios", "dgram", "got", "http", "http2", "https", "net", "tls", "undici", "ws"];

/// Functions of JavaScript that use the network without an import.
const CALLS: [&str; 3] = ["fetch", "WebSocket", "XMLHttpRequest"];

/// Checks every line of a script that is not a comment.
pub(super) fn check(language: Language, text: &str, occurrences: &mut Occurrences) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (content, at) = (line.trim(), start + line.len() - line.trim_start().len());
        start += line.len();
        if content.is_empty() || language.is_comment(content) {
            continue;
        }
        let imports = match language {
            Language::Python => imports_of_python(content),
            Language::JavaScript => imports_of_javascript(content),
            Language::Shell => false,
        };
        if imports {
            occurrences.add(Code::NetworkAccess, at, content);
        } else if language == Language::JavaScript {
            calls(content)
                .for_each(|(call, name)| occurrences.add(Code::NetworkAccess, at + call, name));
        }
        // The arguments of a process are separate strings; in a message they would be one string.
        if quotes(content, "pip") && quotes(content, "install") {
            occurrences.add(Code::PackageInstall, at, content);
        }
    }
}

fn imports_of_python(line: &str) -> bool {
    let modules =
        line.strip_prefix("import ").or_else(|| line.strip_prefix("from ")?.split(' ').next());
    let uses_network = |module: &str| {
        let name = module.split_whitespace().next().unwrap_or_default();
        let top = name.split('.').next().unwrap_or_default();
        name == "http.client"
            || (PYTHON.contains(&top) && !matches!(name, "urllib.parse" | "urllib.error"))
    };
    modules.is_some_and(|modules| modules.split(',').any(uses_network))
}

fn imports_of_javascript(line: &str) -> bool {
    let is_import = line.starts_with("import")
        || ["require(", "import(", " from "].iter().any(|form| line.contains(form));
    // The string literals of the line.
    let mut strings = line.split(['"', '\'']).skip(1).step_by(2);
    is_import
        && strings
            .any(|module| JAVASCRIPT.contains(&module.strip_prefix("node:").unwrap_or(module)))
}

/// Returns the calls in a line with their offsets.
fn calls(line: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    CALLS.into_iter().flat_map(move |name| {
        let places = line.match_indices(name).map(|(at, _)| at);
        let places = places.filter(move |at| {
            let (before, after) = line.as_bytes().split_at(*at);
            !before.last().is_some_and(is_of_name) && after.get(name.len()) == Some(&b'(')
        });
        places.map(move |at| (at, name))
    })
}

/// Returns whether `word` is a whole string literal of the line.
fn quotes(line: &str, word: &str) -> bool {
    let bytes = line.as_bytes();
    let is_quote = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at)).is_some_and(|byte| matches!(byte, b'"' | b'\''))
    };
    line.match_indices(word)
        .any(|(at, _)| is_quote(at.checked_sub(1)) && is_quote(Some(at + word.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(language: Language, text: &str) -> Vec<(Code, String)> {
        let mut found = Occurrences::default();
        check(language, text, &mut found);
        found.0.into_iter().map(|occurrence| (occurrence.code, occurrence.what)).collect()
    }

    #[test]
    fn network_modules_and_installers_are_found() {
        for (language, text, behavior, what) in [
            (Language::Python, "import requests", Code::NetworkAccess, "import requests"),
            (Language::Python, "import os, socket", Code::NetworkAccess, "import os, socket"),
            (
                Language::Python,
                "  from urllib.request import a",
                Code::NetworkAccess,
                "from urllib.request import a",
            ),
            (
                Language::Python,
                "from http.client import A",
                Code::NetworkAccess,
                "from http.client import A",
            ),
            (
                Language::Python,
                "run([x, '-m', 'pip', 'install'])",
                Code::PackageInstall,
                "run([x, '-m', 'pip', 'install'])",
            ),
            (
                Language::JavaScript,
                "a = require('https');",
                Code::NetworkAccess,
                "a = require('https');",
            ),
            (
                Language::JavaScript,
                "import a from \"node:net\"",
                Code::NetworkAccess,
                "import a from \"node:net\"",
            ),
            (Language::JavaScript, "const r = await fetch(url)", Code::NetworkAccess, "fetch"),
        ] {
            assert_eq!(seen(language, text), [(behavior, what.to_owned())], "{text}");
        }
    }

    #[test]
    fn names_that_only_look_alike_are_ignored() {
        for (language, text) in [
            (Language::Python, "# import requests"),
            (Language::Python, "requests = []"),
            (Language::Python, "from urllib.parse import quote"),
            (Language::Python, "from .requests_local import x"),
            (Language::Python, "print('Run: pip install x')"),
            (Language::JavaScript, "// fetch(x)"),
            (Language::JavaScript, "cache.fetch(prefetch(x))"),
            (Language::JavaScript, "const net = 'net'"),
            (Language::JavaScript, "a = 'http://www.w3.org/2000/svg'"),
        ] {
            assert_eq!(seen(language, text), [], "{text}");
        }
    }
}
