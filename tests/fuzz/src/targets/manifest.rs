//! The manifest: parsed, converted to JSON and back, and edited.

use crate::{Target, checks};
use helix_skills_format::{ProjectPath, Source, SourceKey};
use helix_skills_project::__internal::fuzzing::compile_globs;
use helix_skills_project::{
    __internal::ManifestText,
    manifest::{Manifest, to_json},
};
use serde_json::{Map, Value as Json, json};

pub(crate) const TARGET: Target = Target {
    name: "manifest",
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
        "'",
        "// x\n",
        "/* x */",
        "\n",
        "\u{feff}",
        "\"skills\": {",
        "\"a\": ",
        "\"type\": \"git\"",
        "\"type\": \"path\"",
        "\"type\": \"claude-marketplace\"",
        "\"url\": ",
        "\"https://example.com/r.git\"",
        "\"git@example.com:r.git\"",
        "\"./r\"",
        "\"path\": \"skills\"",
        "\"plugin\": \"p\"",
        "\"version\": \"^1.2\"",
        "\"ref\": \"main\"",
        "\"sha\": \"f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74\"",
        "\"skillsDir\": \"a/b\"",
        "\"include\": [\"b\"]",
        "\"exclude\": []",
        "\"rename\": {\"b\": \"c\"}",
        "\"prefix\": \"p-\"",
        "\"files\": {\"exclude\": [\"*.png\"]}",
        "*",
        "**",
        "?",
        "[!a-z]",
        "[z-a]",
        "{a,b}",
        "{a,{b,c}}",
        "\\\\",
        "/",
        "..",
        "\"allowInsecure\": true",
        "\"limits\": {\"filesPerSkill\": 1}",
        "\"budget\": {\"catalogTokens\": 1}",
        "\"allow\": {\"a/SKILL.md\": [\"x\"]}",
        "null",
        "true",
        "1e9",
        "-1",
        "18446744073709551616",
        "\\u0000",
        "\\ud800",
        "<<<<<<< x\n",
        "\"$schema\": \"x\"",
        "\u{3000}",
    ],
    max_len: 1536,
    count: 6000,
};

fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let manifest = match Manifest::parse(&text) {
        Ok(manifest) => manifest,
        Err(findings) => {
            assert!(!findings.is_empty(), "refused without a reason");
            checks::assert_findings(&findings, &text);
            assert!(ManifestText::parse(&text).is_err());
            return;
        }
    };
    let skills: Map<String, Json> = manifest
        .sources
        .iter()
        .map(|(key, source)| (key.as_str().to_owned(), to_json(source)))
        .collect();
    let again = Manifest::parse(&json!({"skills": skills}).to_string());
    let again = again.unwrap_or_else(|why| panic!("its form in the lockfile is refused: {why:?}"));
    assert_eq!(again.sources, manifest.sources, "its form in the lockfile differs");
    for source in manifest.sources.values() {
        compile_globs(&source.select)
            .unwrap_or_else(|why| panic!("an invalid glob was accepted: {why}"));
    }
    edit(&text, &manifest);
}

/// Returns the text without characters that may change next to an edit.
fn written(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace() && *c != ',' && *c != '\u{feff}')
}

fn edit(text: &str, manifest: &Manifest) {
    let parse = |text: &ManifestText| {
        Manifest::parse(&text.to_string())
            .unwrap_or_else(|why| panic!("an edit broke it: {why:?}\n{text}"))
    };
    let mut edited =
        ManifestText::parse(text).unwrap_or_else(|why| panic!("cannot be edited: {why:?}"));
    assert_eq!(edited.to_string(), text.strip_prefix('\u{feff}').unwrap_or(text));
    let key = SourceKey::new("added-1").expect("a key");
    if !manifest.sources.contains_key(&key) {
        let added = Source::path(ProjectPath::new("added").expect("a path"));
        edited.set(&key, &added);
        let with = parse(&edited);
        assert_eq!(with.sources.len(), manifest.sources.len() + 1);
        assert!(manifest.sources.iter().all(|(key, source)| with.sources.get(key) == Some(source)));
        let text_with = edited.to_string();
        let mut found = written(&text_with);
        assert!(
            written(text).all(|c| found.any(|other| other == c)),
            "an edit removed text:\n{text_with}"
        );
        assert!(edited.remove(&key) && !edited.remove(&key));
        assert_eq!(&parse(&edited), manifest);
        assert!(
            written(&edited.to_string()).eq(written(text)),
            "add and remove left something:\n{edited}"
        );
    }
    for key in manifest.sources.keys() {
        let mut edited = ManifestText::parse(text).expect("as before");
        assert!(edited.remove(key));
        let mut rest = manifest.clone();
        rest.sources.remove(key);
        assert_eq!(parse(&edited), rest);
    }
}

fn seeds() -> Vec<Vec<u8>> {
    [
        "{\"skills\": {}}",
        "{\n  // ours\n  \"skills\": {\n    \"a\": {\"type\": \"path\", \"path\": \"a\"}, // first\n    /* second */ \"b\": {\n      \"type\": \"git\",\n      \"url\": \"https://github.com/heygen-com/hyperframes.git\",\n      \"version\": \"0.6.70\",\n      \"include\": [\"hyperframes\"],\n    },\n  },\n}\n",
        "{\"skills\": {\"m\": {\"type\": \"claude-marketplace\", \"url\": \"git@example.com:m.git\", \"plugin\": \"p\", \"ref\": \"refs/heads/main\", \"sha\": \"f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74\", \"rename\": {\"b\": \"beta\"}, \"prefix\": \"t-\", \"files\": {\"exclude\": [\"*.png\", \"a/**\", \"{b,[c-d]}?\"]}}}, \"limits\": {\"bytesPerFile\": 100}, \"budget\": {\"bodyTokens\": 5}, \"allow\": {\"a/SKILL.md\": [\"x\"]}}",
        "\u{feff}{\"skills\": {\"w\": {\"type\": \"path\", \"path\": \"\\u00e9\", \"exclude\": [\"c\"]}, \"h\": {\"type\": \"git\", \"url\": \"http://example.com/r\", \"allowInsecure\": true, \"skillsDir\": \".\"}},}",
        "{'skills': {}}",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}
