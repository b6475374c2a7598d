//! Mistakes in manifest and lockfile are reported with their location, and never cause a panic.

use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

/// Checks that a sync with this manifest exits with code 2 and these messages, without requests and
/// without writing a file.
#[track_caller]
fn is_refused(manifest: &str, words: &[&str]) {
    let sandbox = Sandbox::with_manifest(manifest);
    let run = sandbox.skills(["sync"]).exits(2).says(words);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{run}");
    let run = sandbox.skills(["sync", "--json"]).exits(2);
    assert!(run.json()["errors"].as_array().is_some_and(|errors| !errors.is_empty()), "{run}");
}

fn source(body: &str) -> String {
    format!("{{\n  \"skills\": {{\n    \"a\": {{\n      {body}\n    }}\n  }}\n}}\n")
}

#[test]
fn invalid_json_has_a_location() {
    is_refused("{\n  \"skills\": {\n    oops\n  }\n}\n", &["helix.skills.json:3:5"]);
    is_refused("", &["helix.skills.json:1:1"]);
    is_refused("{\"skills\": {}} trailing", &["helix.skills.json:1:"]);
    is_refused("[]", &["helix.skills.json:1:1"]);
}

#[test]
fn unknown_key_gets_a_suggestion() {
    let body = "\"type\": \"path\", \"path\": \"x\",\n      \"inclde\": [\"b\"]";
    is_refused(&source(body), &["helix.skills.json:5:7", "inclde", "did you mean `include`"]);
    is_refused("{\"skils\": {}}", &["helix.skills.json:1:2", "did you mean `skills`"]);
    is_refused(
        "{\"skills\": {}, \"limits\": {\"filesPerSkil\": 1}}",
        &["1:27", "did you mean `filesPerSkill`"],
    );
}

/// Cargo's keys for pins have other names here.
#[test]
fn pins_with_the_keys_of_cargo_get_hints() {
    for kind in ["\"git\"", "\"claude-marketplace\", \"plugin\": \"p\""] {
        for (key, hint) in [
            ("branch", "pin a branch with `\"ref\": \"BRANCH\"`"),
            ("tag", "pin a tag with `\"ref\": \"TAG\"`"),
            ("rev", "pin a commit with `\"sha\": \"COMMIT\"`"),
        ] {
            let body = format!("\"type\": {kind}, \"url\": \"./r\",\n      \"{key}\": \"x\"");
            let message = format!("helix.skills.json:5:7: unknown key `{key}`");
            is_refused(&source(&body), &[&message, hint]);
        }
    }
    let body = "\"type\": \"path\", \"path\": \"x\", \"tag\": \"v1\"";
    is_refused(&source(body), &["unknown key `tag`", "valid keys are"]);
}

#[test]
fn misspelled_required_key_is_not_a_missing_one() {
    for (body, wrong, key) in [
        ("\"type\": \"path\",\n      \"pth\": \"x\"", "pth", "path"),
        ("\"path\": \"x\",\n      \"tpye\": \"path\"", "tpye", "type"),
        ("\"type\": \"git\",\n      \"urll\": \"./r\"", "urll", "url"),
        ("\"type\": \"git\",\n      \"repo\": \"./r\"", "repo", "url"),
        (
            "\"type\": \"claude-marketplace\", \"url\": \"./r\",\n      \"plugn\": \"p\"",
            "plugn",
            "plugin",
        ),
    ] {
        let sandbox = Sandbox::with_manifest(&source(body));
        let run = sandbox.skills(["sync", "--json"]).exits(2);
        let document = run.json();
        let errors = document["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 1, "{run}");
        let message = format!("unknown key `{wrong}` in a source");
        assert!(errors[0]["message"].as_str().unwrap().contains(&message), "{run}");
        assert_eq!(errors[0]["hint"], format!("did you mean `{key}`?"), "{run}");
        is_refused(&source(body), &["helix.skills.json:5:7", &message]);
    }
}

#[test]
fn duplicate_key_has_the_second_location() {
    is_refused(
        &source("\"type\": \"path\", \"path\": \"x\",\n      \"path\": \"y\""),
        &["helix.skills.json:5:7", "`path`"],
    );
    is_refused(
        "{\"skills\": {\"a\": {\"type\": \"path\", \"path\": \"x\"},\n\"a\": {\"type\": \"path\", \"path\": \"y\"}}}",
        &["helix.skills.json:2:1", "`a`"],
    );
}

#[test]
fn wrong_type_has_a_location() {
    for (body, place) in [
        ("\"type\": 1", "4:15"),
        ("\"type\": \"svn\"", "4:15"),
        ("\"type\": \"git\", \"url\": \"./r\", \"files\": {\"exclude\": [\"a/../b[\"]}", "4:58"),
        ("\"type\": \"git\", \"url\": \"./r\", \"version\": 1", "4:47"),
        ("\"type\": \"git\", \"url\": \"./r\", \"include\": \"a\"", "4:47"),
        ("\"type\": \"git\", \"url\": \"./r\", \"include\": [1]", "4:48"),
        ("\"type\": \"git\", \"url\": \"./r\", \"rename\": []", "4:46"),
        ("\"type\": \"git\", \"url\": \"./r\", \"files\": {\"exclude\": [\"[\"]}", "4:58"),
    ] {
        is_refused(&source(body), &[&format!("helix.skills.json:{place}")]);
    }
    is_refused("{\"skills\": {}, \"limits\": {\"treeDepth\": -1}}", &["1:40"]);
    is_refused("{\"skills\": {}, \"limits\": {\"treeDepth\": 1.5}}", &["1:40"]);
    is_refused("{\"skills\": {}, \"limits\": {\"treeDepth\": 1e99}}", &["1:40"]);
}

#[test]
fn conflicting_pins_are_an_error() {
    is_refused(
        &source("\"type\": \"git\", \"url\": \"./r\", \"version\": \"1.0.0\", \"ref\": \"main\""),
        &["helix.skills.json:4:", "version", "ref"],
    );
    is_refused(
        &source("\"type\": \"git\", \"url\": \"./r\", \"version\": \">=1 <2\""),
        &["4:47", "cargo"],
    );
    is_refused(
        &source("\"type\": \"git\", \"url\": \"./r\", \"ref\": \"--upload-pack=touch ran\""),
        &["4:43"],
    );
    is_refused(&source("\"type\": \"git\", \"url\": \"./r\", \"ref\": \"a..b\""), &["4:43"]);
}

#[test]
fn all_mistakes_are_reported_at_once() {
    is_refused(
        "{\"skills\": {\n\"a\": {\"type\": \"git\"},\n\"b\": {\"type\": \"path\"},\n\"../c\": {\"type\": \"path\", \"path\": \"x\"}}}",
        &["helix.skills.json:2:", "helix.skills.json:3:", "helix.skills.json:4:"],
    );
}

#[test]
fn t11_urls_with_options_commands_or_secrets_are_refused() {
    for url in [
        "--upload-pack=touch ran",
        "-x",
        "ext::sh -c touch% ran",
        "EXT::sh -c id",
        "fd::17",
        "ssh://-oProxyCommand=touch%20ran/x",
        "-oProxyCommand=x:repo.git",
        "git://example.com/x.git",
        "ftp://example.com/x.git",
        "http://example.com/x.git",
        "https://user:hunter2@example.com/x.git",
        "https:///x.git",
        "https://example.com/a b",
        "https://exa\\u0007mple.com/x",
        "",
        "owner/repo",
    ] {
        let sandbox =
            Sandbox::with_manifest(&source(&format!("\"type\": \"git\", \"url\": \"{url}\"")));
        let run = sandbox
            .skills(["sync"])
            .exits(2)
            .says(["helix.skills.json:4:29"])
            .never_prints("hunter2");
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{run}");
    }
}

#[test]
fn plain_http_needs_permission() {
    let body = "\"type\": \"git\", \"url\": \"http://192.0.2.1:9/x.git\"";
    is_refused(&source(body), &["allowInsecure"]);
}

#[test]
fn source_paths_are_relative() {
    for path in ["/etc", "a/../../b", "a\\\\b", "", "~/skills", "C:/skills"] {
        let manifest = source(&format!("\"type\": \"path\", \"path\": \"{path}\""));
        let sandbox = Sandbox::with_manifest(&manifest);
        let run = sandbox.skills(["sync"]);
        // `~` is an ordinary directory name: it does not exist, but is valid.
        assert_eq!(run.code, Some(2), "{path}: {run}");
    }
}

#[test]
fn hostile_manifests_are_usage_errors() {
    for manifest in [
        "[".repeat(100_000),
        format!("{{\"skills\":{}", "{\"a\":".repeat(50_000)),
        "\"".repeat(9),
        "\u{0}".repeat(1000),
    ] {
        let sandbox = Sandbox::with_manifest(&manifest);
        let run = sandbox.skills(["sync"]).exits(2);
        assert!(run.stderr.len() < 10_000, "{} bytes of stderr", run.stderr.len());
    }
    let sandbox = Sandbox::new();
    sandbox.write("project/helix.skills.json", b"{\"skills\": {\"\xff\": 1}}");
    sandbox.skills(["sync"]).fails().says(["helix.skills.json"]);
}

#[test]
fn comments_trailing_commas_bom_and_crlf_are_accepted() {
    let manifest = "\u{feff}// ours\r\n{\r\n  \"$schema\": \"https://example.com/x.json\", /* all of it */\r\n  \"skills\": {\r\n    \
        \"own\": {\"type\": \"path\", \"path\": \"own\",},\r\n  },\r\n  \"limits\": {\"treeDepth\": 4,},\r\n  \"budget\": {},\r\n  \
        \"allow\": {\"a/SKILL.md\": [\"invisible-text\"]},\r\n}\r\n";
    let sandbox = Sandbox::with_manifest(manifest);
    sandbox.write("project/own/a/SKILL.md", helix_skills_tests::skill_md("a"));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["sync", "--check"]).succeeds();
    assert_eq!(sandbox.read("project/helix.skills.json"), manifest);
}

fn locked() -> (Sandbox, helix_skills_tests::GitServer) {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo")}}));
    sandbox.skills(["sync"]).succeeds();
    (sandbox, server)
}

#[test]
fn lockfile_with_conflict_markers_gets_a_hint() {
    let (sandbox, _server) = locked();
    let lock = sandbox.lock().replacen("  \"skills\"", "<<<<<<< ours\n  \"skills\"", 1);
    sandbox.write("project/helix.skills.lock", &lock);
    for arguments in [&["sync"][..], &["sync", "--check"], &["list"]] {
        sandbox.skills(arguments).exits(1).says(["helix.skills.lock:2", "skills sync"]);
    }
    assert_eq!(sandbox.lock(), lock);
}

#[test]
fn newer_lockfile_is_an_error_and_kept() {
    let (sandbox, _server) = locked();
    let lock = "{\"version\": 2, \"things\": []}\n";
    sandbox.write("project/helix.skills.lock", lock);
    for arguments in [&["sync"][..], &["sync", "--check"]] {
        sandbox.skills(arguments).exits(1).says(["version 2"]);
    }
    assert_eq!(sandbox.lock(), lock);
}

/// The lockfile is untrusted: every value is checked before it is used in a path or a request.
#[test]
fn t05_hostile_lockfile_reaches_no_path_or_request() {
    let (sandbox, server) = locked();
    let lock = sandbox.lock();
    let url = server.url("repo");
    for (from, to) in [
        ("\"a\": {", "\"../../evil\": {"),
        ("\"a\": {", "\"/etc/evil\": {"),
        ("\"a\": {", "\"CON\": {"),
        ("\"path\": \"skills/a\"", "\"path\": \"../../etc\""),
        (url.as_str(), "ext::sh -c touch% ran"),
        (url.as_str(), "--upload-pack=touch ran"),
        ("\"HEAD\"", "\"--x\""),
        ("\"refs/heads/main\"", "\"--x\""),
        ("\"tree\": \"", "\"tree\": \"--"),
        ("\"commit\": \"", "\"commit\": \"../"),
        ("sha256:", "md5:"),
        ("\"source\": \"repo\"", "\"source\": \"unknown\""),
        ("\"files\": 1", "\"files\": -1"),
    ] {
        if !lock.contains(from) {
            continue;
        }
        sandbox.write("project/helix.skills.lock", lock.replacen(from, to, 1));
        sandbox.remove_store();
        server.take_traffic();
        sandbox.skills(["sync"]).exits(1).says(["helix.skills.lock:"]);
        sandbox.skills(["sync", "--check"]).exits(1).says(["helix.skills.lock:"]);
        assert_eq!(server.traffic().requests, 0, "{to}");
        assert_eq!(sandbox.files("project"), ["helix.skills.json", "helix.skills.lock"], "{to}");
    }
}

#[test]
fn invalid_utf_8_has_a_location() {
    let sandbox = Sandbox::new();
    let utf_16: Vec<u8> = "{\"skills\": {}}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    sandbox.write("project/helix.skills.json", [&[0xff, 0xfe], &utf_16[..]].concat());
    let words = ["helix.skills.json:1:1: the byte `0xff` is not UTF-8", "save the file as UTF-8"];
    sandbox.skills(["sync"]).exits(2).says(words);
    sandbox.skills(["add", "./own"]).exits(2).says(words);
    sandbox.write("project/helix.skills.json", "{\"skills\": {}}");
    sandbox.write("project/helix.skills.lock", b"{\n  \"version\": \xe9\n}\n");
    sandbox
        .skills(["sync", "--check"])
        .exits(1)
        .says(["helix.skills.lock:2:14: the byte `0xe9` is not UTF-8"]);
}

#[test]
fn long_values_are_truncated_in_messages() {
    let sandbox =
        Sandbox::with_manifest(&format!("{{\"skills\": {{}}, \"{}\": 1}}", "long".repeat(2 << 20)));
    let run = sandbox.skills(["sync"]).exits(2).says([
        "helix.skills.json:1:16: ",
        " bytes … ",
        "longlong",
    ]);
    assert!(run.stderr.len() < 10_000, "{} bytes", run.stderr.len());
}

#[test]
fn oversized_files_are_not_read() {
    for name in ["helix.skills.json", "helix.skills.lock"] {
        let sandbox = Sandbox::with_manifest("{\"skills\": {}}");
        sandbox.write(format!("project/{name}"), "");
        let file = std::fs::File::options().write(true).open(sandbox.project(name)).unwrap();
        file.set_len(2 << 30).unwrap();
        let run = sandbox.skills(["sync", "--check"]).exits(7);
        run.says([
            name,
            "it has 2147483648 bytes, more than 67108864",
            "restore the file from version control",
        ]);
        sandbox.remove(format!("project/{name}"));
    }
}

#[test]
fn syntax_errors_have_a_hint_about_the_text() {
    let sandbox = Sandbox::new();
    for (manifest, error) in [
        // A missing comma.
        (
            "{\"skills\": {\n  \"a\": {\n    \"type\": \"path\" // c\n    \"path\": \"x\"\n}}}",
            "4:5: expected `,` or `}`\nhelp: add a `,` at 3:19\n",
        ),
        ("{\"skills\": {} \"limits\": {}}", "1:15: expected `,` or `}`\nhelp: add a `,` at 1:14\n"),
        ("{\"skills\": [\"a\" \"b\"]}", "1:17: expected `,` or `]`\nhelp: add a `,` at 1:16\n"),
        // A missing quote.
        (
            "{\"skills\": {\"a\": {\"type\": \"path, \"path\": \"x\"}}}",
            "1:35: expected `,` or `}`\nhelp: a `\"` is missing in this line, or in one before\n",
        ),
        (
            "{\"skills\": {\"a\": {\"type\": \"path\n}}}",
            "1:32: a control character in a string\nhelp: close the string with `\"` before the end of the line\n",
        ),
        (
            "{\"skills\": {\"a\": {\"type\": path\"}}}",
            "1:27: expected a value\nhelp: write it in double quotes: `\"path\"`\n",
        ),
        (
            "{skills: {}}",
            "1:2: expected a key in double quotes\nhelp: write it in double quotes: `\"skills\"`\n",
        ),
        ("{\"skills\": {\"a", "1:15: expected a closing quote\nhelp: close the string with `\"`\n"),
        // Single quotes.
        (
            "{'skills': {}}",
            "1:2: expected a key in double quotes\nhelp: write keys and strings in double quotes\n",
        ),
        (
            "{\"skills\": 'x'}",
            "1:12: expected a value\nhelp: write keys and strings in double quotes\n",
        ),
        // Trailing text.
        (
            "{\"skills\": {}} x",
            "1:16: expected nothing after the value\nhelp: remove it, or move it before the `}` that closes the text\n",
        ),
        (
            "{\"skills\": {}}}",
            "1:15: expected nothing after the value\nhelp: remove it, or move it before the `}` that closes the text\n",
        ),
        // Other slips.
        ("# ours\n{\"skills\": {}}", "1:1: expected a value\nhelp: write comments as `// …`\n"),
        (
            "{\"skills\": {}",
            "1:14: expected `,` or `}`\nhelp: close the `{` at 1:1 with `}` first\n",
        ),
        (
            "{\n  \"skills\": {\"a\\\"{\": {}} // }\n",
            "3:1: expected `,` or `}`\nhelp: close the `{` at 1:1 with `}` first\n",
        ),
        (
            "{\n  \"skills\": [1}}",
            "2:15: expected `,` or `]`\nhelp: close the `[` at 2:13 with `]` first\n",
        ),
        (
            "{\"skills\": {\"x\": {\"type\": \"git\", \"url\": \"./x\", \"version\": 2}}}",
            "1:59: `version` must be a string, not a number\nhelp: write `\"2\"`\n",
        ),
        (
            "{\"skills\": {\"x\": {\"type\": \"path\", \"path\": true}}}",
            "1:43: `path` must be a string, not a boolean\nhelp: write `\"true\"`\n",
        ),
        ("{\"skills\" = {}}", "1:11: expected `:`\nhelp: write `:` and a value after the key\n"),
        ("{\"skills\": }", "1:12: expected a value\nhelp: write a value before it\n"),
        ("{\"skills\": {},,}", "1:15: expected a key in double quotes\nhelp: remove this `,`\n"),
        ("", "1:1: the manifest is empty, expected a JSON object\nhelp: the smallest manifest is"),
    ] {
        sandbox.manifest(manifest);
        sandbox.skills(["sync"]).exits(2).says([format!("error: helix.skills.json:{error}")]);
    }
}
