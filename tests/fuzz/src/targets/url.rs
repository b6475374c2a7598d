//! URLs of repositories.

use crate::{Target, checks};
use helix_skills_format::{
    __internal::{UrlKind, is_loopback, redacted},
    GitUrl,
};

pub(crate) const TARGET: Target = Target {
    name: "url",
    body,
    seeds,
    words: &[
        "https://",
        "http://",
        "ssh://",
        "file://",
        "git://",
        "ext::",
        "git@",
        "user:pass@",
        "@",
        ":",
        "::",
        "/",
        "//",
        "./",
        "../",
        "..",
        ".",
        "-",
        "--upload-pack=x",
        "example.com",
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[",
        "]",
        ":22",
        ":99999",
        "%2e%2e",
        "%2F",
        "?",
        "#",
        ".git",
        "\\",
        " ",
        "\n",
        "\0",
        "\u{202e}",
        "$(id)",
        "`id`",
        ";",
        "é",
        "＠",
        "\u{ff0f}",
    ],
    max_len: 256,
    count: 15_000,
};

fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let shown = redacted(&text);
    assert_eq!(redacted(&shown), shown, "redacting is not idempotent");
    let url = match GitUrl::parse_insecure(&text) {
        Ok(url) => url,
        Err(why) => {
            assert_eq!(GitUrl::parse(&text), Err(why.clone()));
            checks::assert_one_line(&why.to_string());
            return why.hint().iter().for_each(|hint| checks::assert_one_line(hint));
        }
    };
    assert_eq!(url.as_str(), text, "the text is changed");
    assert!(
        !text.starts_with('-') && !text.contains(char::is_control) && !text.contains('\\'),
        "{text:?}"
    );
    match GitUrl::parse(&text) {
        Ok(strict) => assert_eq!(strict, url),
        Err(_) => assert!(url.kind() == UrlKind::Http && !url.host().is_some_and(is_loopback)),
    }
    let Some(host) = url.host() else {
        assert_eq!(url.kind(), UrlKind::File);
        return assert!(text.starts_with("file:///") || text.starts_with(['/', '.']), "{text:?}");
    };
    assert!(!host.is_empty() && !host.starts_with('-'), "{text:?}");
    assert!(host.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-[]:".contains(&b)), "{text:?}");
    assert!(!text.contains(char::is_whitespace), "{text:?}");
    let (authority, path) = match text.split_once("://") {
        Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
        None => text.split_once(':').unwrap_or((&text, "")),
    };
    match url.kind() {
        // No secrets, neither as user nor in the query.
        UrlKind::Https | UrlKind::Http => {
            assert!(!authority.contains('@') && !text.contains(['?', '#']), "{text:?}");
        }
        _ => {
            let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
            assert!(
                !user.starts_with('-') && !user.contains([':', '@', '$', '`', ';', '\'', '"']),
                "{text:?}"
            );
        }
    }
    let is_dots =
        |part: &str| matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    assert!(!path.split('/').any(is_dots), "{text:?}");
}

fn seeds() -> Vec<Vec<u8>> {
    [
        "https://github.com/heygen-com/hyperframes.git",
        "http://127.0.0.1:8080/r",
        "ssh://git@example.com:2222/a/b.git",
        "git@example.com:a/b.git",
        "example.com:a",
        "file:///srv/r.git",
        "../r",
        "https://user:secret@[::1]:80/x?token=y#z",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}
