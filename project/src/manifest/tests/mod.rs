//! Tests of the manifest's entries, also as the lockfile keeps them.

mod drift;
mod lock;

use super::*;

fn findings(text: &str) -> Vec<(Code, String, Option<String>)> {
    let findings = Manifest::parse(text).expect_err(text);
    findings
        .into_iter()
        .map(|f| (f.code, f.at.map(|at| at.to_string()).unwrap_or_default(), f.hint))
        .collect()
}

#[test]
fn every_mistake_has_a_position() {
    let source = |body: &str| format!("{{\"skills\": {{\"a\": {{\n{body}}}}}}}");
    for (body, code, at) in [
        ("\"type\": \"git\"", Code::MissingKey, "1:18"),
        (
            "\"type\": \"git\", \"url\": \"./g\", \"include\": [\"./a\", \"b\"],\n\"exclude\": [\"c\", \"b\"]",
            Code::BadValue,
            "3:18",
        ),
        ("\"type\": \"svn\"", Code::BadValue, "2:9"),
        ("\"type\": 1", Code::WrongType, "2:9"),
        ("\"type\": \"path\", \"path\": \"/etc\"", Code::BadValue, "2:25"),
        ("\"type\": \"path\", \"path\": \"a/../../b\"", Code::BadValue, "2:25"),
        ("\"type\": \"path\", \"path\": \"x\", \"path\": \"y\"", Code::DuplicateKey, "2:30"),
        ("\"type\": \"path\", \"path\": \"x\", \"inclde\": []", Code::UnknownKey, "2:30"),
        ("\"type\": \"path\", \"path\": \"x\", \"include\": [\"a/b\"]", Code::BadValue, "2:42"),
        (
            "\"type\": \"path\", \"path\": \"x\", \"files\": {\"exclude\": [\"[\"]}",
            Code::BadValue,
            "2:52",
        ),
        (
            "\"type\": \"path\", \"path\": \"x\", \"files\": {\"exclude\": [\"[z-a]\"]}",
            Code::BadValue,
            "2:52",
        ),
        ("\"type\": \"x-wiki\", \"space\": 1", Code::BadValue, "2:9"),
        ("\"type\": \"claude-marketplace\", \"url\": \"./r\"", Code::MissingKey, "1:18"),
        (
            "\"type\": \"claude-marketplace\", \"url\": \"./r\", \"plugin\": \"a/b\"",
            Code::BadValue,
            "2:55",
        ),
        (
            "\"type\": \"claude-marketplace\", \"url\": \"./r\", \"plugin\": \"a\", \"skillsDir\": \"x\"",
            Code::UnknownKey,
            "2:60",
        ),
        ("\"type\": \"git\", \"url\": \"--x\"", Code::BadUrl, "2:23"),
        (
            "\"type\": \"git\", \"url\": \"./r\", \"version\": \"1\", \"ref\": \"m\"",
            Code::ConflictingKeys,
            "2:53",
        ),
        ("\"type\": \"git\", \"url\": \"./r\", \"sha\": \"abc\"", Code::BadValue, "2:37"),
        ("\"type\": \"git\", \"url\": \"./r\", \"version\": \">=1 <2\"", Code::BadValue, "2:41"),
    ] {
        let found = findings(&source(body));
        assert_eq!((found[0].0, found[0].1.as_str()), (code, at), "{body}: {found:?}");
    }
    assert_eq!(findings("")[0].0, Code::Syntax);
    assert_eq!(findings("{\"skills\": {}} x")[0].0, Code::Syntax);
    assert_eq!(findings(&"[".repeat(100_000))[0].0, Code::Syntax);
    assert_eq!(
        findings("{\"skills\": {}, \"limits\": {\"filesPerSkil\": 1}}")[0].2.as_deref(),
        Some("did you mean `filesPerSkill`?")
    );
}

#[test]
fn unknown_type_hint_names_the_closest() {
    for (found, near) in [
        ("gti", "did you mean `git`?"),
        ("claude-marketplce", "did you mean `claude-marketplace`?"),
    ] {
        let found = findings(&format!("{{\"skills\": {{\"a\": {{\"type\": \"{found}\"}}}}}}"));
        let hint = found[0].2.as_deref().unwrap_or_default();
        assert!(hint.starts_with(near) && hint.contains("`path`"), "{hint}");
    }
}

#[test]
fn mistakes_have_hints_that_can_be_pasted() {
    let source = |body: &str| format!("{{\"skills\": {{\"a\": {{{body}}}}}}}");
    let git = "\"type\": \"git\", \"url\": \"./r\"";
    for (text, hint) in [
        (String::new(), "the smallest manifest is `{ \"skills\": {} }`"),
        ("{\"skills\": oops}".to_owned(), "write it in double quotes: `\"oops\"`"),
        ("{}".to_owned(), "the smallest manifest is"),
        (source("\"type\": \"git\""), "for example `\"url\": "),
        (source("\"type\": \"path\""), "for example `\"path\": "),
        (source(&git.replace("git", "claude-marketplace")), "name one with `\"plugin\": \"NAME\"`"),
        (
            source(&format!("{git}, \"plugin\": \"p\"")),
            "plugins need `\"type\": \"claude-marketplace\"`",
        ),
        (source(&format!("{git}, \"include\": \"x\"")), "write `[\"x\"]`"),
        (
            source(&git.replace("./r", "obra/superpowers")),
            "write `https://github.com/obra/superpowers.git`",
        ),
        (
            source(&format!("{git}, \"sha\": \"F5d81cb\"")),
            "`git rev-parse F5d81cb` in a clone prints the full id",
        ),
    ] {
        let found = findings(&text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(
            found[0].2.as_deref().is_some_and(|found| found.starts_with(hint)),
            "{text}: {found:?}"
        );
    }
    // A misspelled key is reported once.
    let found = findings("{\"skils\": {}}");
    assert_eq!((found.len(), found[0].0), (1, Code::UnknownKey), "{found:?}");
    let text = source(&format!("{git}, \"rename\": {{\"b\": \"no good\"}}"));
    let found = Manifest::parse(&text).expect_err("refused");
    assert!(found[0].message.contains("the name of `b` in `rename`"), "{found:?}");
}

#[test]
fn passwords_in_urls_are_not_printed() {
    let text =
        "{\"skills\": {\"a\": {\"type\": \"git\", \"url\": \"https://u:hunter2@example.com/r\"}}}";
    assert!(!format!("{:?}", Manifest::parse(text).expect_err("refused")).contains("hunter2"));
}

#[test]
fn edits_keep_comments_and_formatting() {
    let text = "{\n  // ours\n  \"skills\": {\n    \"a\": {\"type\": \"path\", \"path\": \"a\"}, // first\n  },\n}\n";
    let mut edited = ManifestText::parse(text).expect("valid");
    let key = SourceKey::new("b").expect("a key");
    edited.set(&key, &Source::path(helix_skills_format::ProjectPath::new("b").expect("a path")));
    let with_b = edited.to_string();
    assert!(with_b.contains("// ours") && with_b.contains("// first"), "{with_b}");
    assert_eq!(Manifest::parse(&with_b).expect("still valid").sources.len(), 2, "{with_b}");
    assert!(edited.remove(&key) && !edited.remove(&key));
    assert_eq!(edited.to_string(), text);
}
