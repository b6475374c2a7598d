//! The lockfile: parsed, printed, and parsed again.

use crate::{Target, checks};
use helix_skills_format::{GitUrl, Lock};
use helix_skills_runtime::is_invisible;

pub(crate) const TARGET: Target = Target {
    name: "lock",
    body,
    seeds,
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\n",
        "\"skills\"",
        "\"sources\"",
        "\"version\"",
        "1",
        "2",
        "\"request\"",
        "\"commit\"",
        "\"ref\"",
        "\"refs/tags/v1\"",
        "\"integrity\"",
        "\"tree\"",
        "\"path\"",
        "\".\"",
        "\"..\"",
        "\"files\"",
        "\"bytes\"",
        "\"links\"",
        "\"executable\"",
        "\"directories\"",
        "\"plugin\"",
        "\"url\"",
        "\"https://example.com/p.git\"",
        "\"own\"",
        "\"team\"",
        "\"alpha\"",
        "\"f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74\"",
        "\\u202e",
        "\\u0000",
        "\u{202e}",
        "\u{7f}",
        "1e3",
        "-1",
        "0.5",
        "18446744073709551615",
        "null",
        "<<<<<<< x\n",
        "\u{feff}",
    ],
    max_len: 2048,
    count: 6000,
};

fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let lock = match Lock::parse(&text) {
        Ok(lock) => lock,
        Err(findings) => {
            assert!(!findings.is_empty(), "refused without a reason");
            checks::assert_findings(&findings, &text);
            assert!(findings.iter().all(|found| found.hint.is_some()), "{findings:?}");
            return;
        }
    };
    let printed = lock.to_string();
    assert!(
        !printed.chars().any(|c| c != '\n' && (c.is_control() || is_invisible(c))),
        "{printed:?}"
    );
    assert!(printed.ends_with("}\n"));
    let again = Lock::parse(&printed)
        .unwrap_or_else(|why| panic!("printed text is refused: {why:?}\n{printed}"));
    assert_eq!(again, lock);
    assert_eq!(again.to_string(), printed);
    let json: serde_json::Value =
        serde_json::from_str(&printed).unwrap_or_else(|why| panic!("not JSON: {why}"));
    assert_eq!(json["version"], 1);
    for (name, skill) in &lock.skills {
        checks::assert_inside(name);
        assert!(lock.sources.contains_key(&skill.source));
        skill.links.keys().for_each(|path| checks::assert_inside(path));
        skill.executable.iter().flatten().for_each(|path| checks::assert_inside(path));
        assert!(!skill.path.parts().any(|part| part == ".."), "{}", skill.path);
    }
    let repositories = lock.sources.values().filter_map(|source| source.entry.repository());
    let urls = repositories.map(|repository| &repository.url);
    urls.for_each(|url| {
        assert!(GitUrl::parse_insecure(url.as_str()).is_ok() && !url.as_str().starts_with('-'))
    });
}

fn seeds() -> Vec<Vec<u8>> {
    const ID: &str = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";
    let digest = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    [
        "{\n  \"skills\": {},\n  \"sources\": {},\n  \"version\": 1\n}\n".to_owned(),
        format!(
            r#"{{"version": 1,
 "sources": {{
  "own": {{"request": {{"path": "skills/house", "type": "path"}}}},
  "team": {{"commit": "{ID}", "directories": ["skills/al\u202epha"], "ref": "refs/tags/v1.0.0", "request": {{"exclude": ["b"], "files": {{"exclude": ["*.png"]}}, "include": ["a"], "prefix": "t-", "rename": {{"a": "alpha"}}, "skillsDir": "skills", "type": "git", "url": "https://example.com/team/skills.git", "version": "^1"}}}}
 }},
 "skills": {{
  "alpha": {{"bytes": 3, "executable": ["scripts/run.sh"], "files": 1, "integrity": "{digest}", "links": {{"references/shared.md": "{ID}"}}, "path": "skills/al\u202epha", "source": "team", "tree": "{ID}"}},
  "house": {{"bytes": 3, "files": 1, "integrity": "{digest}", "path": ".", "source": "own"}}
 }}}}"#
        ),
        format!(
            r#"{{"version": 1, "sources": {{"m": {{"request": {{"type": "claude-marketplace", "url": "http://127.0.0.1/m", "plugin": "p"}}, "commit": "{ID}", "plugin": {{"url": "git@example.com:p.git", "path": "plugins/p", "ref": "refs/heads/main", "commit": "{ID}", "version": "1.2.0"}}}}}}, "skills": {{}}}}"#
        ),
    ]
    .map(String::into_bytes)
    .to_vec()
}
