//! Paths and names: the rules for them, and requests of a model.

use crate::{Target, checks};
use helix_skills_format::{
    DirPath, PluginName, ProjectPath, RefName, RelPath, SkillName, SourceKey,
};
use helix_skills_runtime::{
    __internal::{check_path, is_git_name},
    __private::{Parts, binary, skill, text},
    ErrorKind, Resource, Skill, SkillSet, normalize_path,
};

pub(crate) const TARGET: Target = Target {
    name: "path",
    body,
    seeds,
    words: &[
        "R&D.md",
        "a b",
        "ö.txt",
        "o\u{308}.txt",
        "logo.png",
        "scripts",
        "run.sh",
        "SKILL.md",
        "skill.md",
        ".",
        "..",
        "...",
        "/",
        "//",
        "\\",
        "\\\\",
        "C:",
        "c:\\",
        "\\\\?\\",
        "~",
        " ",
        "\0",
        "%2e%2e",
        "%2f",
        "\u{ff0f}",
        "\u{2215}",
        "\u{2024}\u{2024}",
        "\u{200b}",
        "\u{200c}",
        "nul",
        "COM1",
        "com¹",
        "aux.txt",
        ".git",
        ".GIT",
        "git~1",
        "g\u{200c}it",
        "./",
        "../",
        "other",
        "x",
        "\n",
        "\r",
        "file://",
        "-",
        "::$DATA",
        "K",
        "ſ",
        "ﬁ",
        "İ",
        "Å",
    ],
    max_len: 1200,
    count: 6000,
};

const FILES: &[Resource] = &[
    text("R&D.md", "content of R&D.md", 17, ""),
    text("a b/ö.txt", "content of a b/ö.txt", 21, ""),
    binary("logo.png", b"\xff", 1, ""),
    text("scripts/run.sh", "content of scripts/run.sh", 25, ""),
];
const ALL: &[Skill] = &[
    skill(Parts { name: "other", frontmatter: "other's own", ..Parts::EMPTY }),
    skill(Parts {
        name: "x",
        frontmatter: "content of SKILL.md",
        resources: FILES,
        ..Parts::EMPTY
    }),
];
static SKILLS: SkillSet = SkillSet::new(ALL);

fn body(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    assert_read_or_refused(text);
    match check_path(text) {
        Ok(()) => {
            checks::assert_inside(text);
            let checked = RelPath::new(text).unwrap_or_else(|why| panic!("{text:?}: {why}"));
            assert_eq!(checked.as_str(), text);
            // A folded path may be invalid, for example if it contained a full-width `/`.
            if let Ok(folded) = RelPath::new(checked.folded()) {
                assert_eq!(folded.folded(), checked.folded(), "folding is not idempotent");
            }
            assert_eq!(normalize_path(text).ok(), Some(text));
            assert_eq!(normalize_path(&format!("./{text}")).ok(), Some(text));
            let reserved = [".git", ".gitattributes", ".gitignore", ".gitmodules"];
            let is_reserved = |name: &str| reserved.contains(&&*name.to_ascii_lowercase());
            assert!(
                !text.split('/').any(|name| is_git_name(name) || is_reserved(name)),
                "{text:?}"
            );
            assert!(DirPath::new(text).is_ok(), "a valid file is not a valid directory: {text:?}");
            assert!(
                !text.contains([':', '*', '?', '"', '<', '>', '|']) && !text.ends_with(['.', ' ']),
                "{text:?}"
            );
        }
        Err(why) => {
            assert_eq!(RelPath::new(text), Err(why));
            checks::assert_one_line(&why.to_string());
        }
    }
    directories(text);
    names(text);
}

fn assert_read_or_refused(path: &str) {
    let meant = path.strip_prefix("./").unwrap_or(path);
    let is_listed = meant == "SKILL.md" || FILES.iter().any(|file| file.path() == meant);
    match SKILLS.read_skill_file("x", path) {
        Ok(file) => {
            assert!(is_listed && file.path() == meant, "{path:?}");
            assert!(
                file.to_string().ends_with(&format!("\n\ncontent of {meant}\n</skill_file>")),
                "{file}"
            );
        }
        Err(error) => {
            assert!(!is_listed || meant == "logo.png", "{path:?}");
            checks::assert_one_line(&error.to_string());
            match error.kind() {
                ErrorKind::BinaryFile => assert_eq!(meant, "logo.png"),
                ErrorKind::InvalidPath => assert!(normalize_path(path).is_err()),
                ErrorKind::UnknownFile => assert!(!is_listed, "{path:?}"),
                _ => panic!("{error}"),
            }
        }
    }
}

fn directories(text: &str) {
    match DirPath::new(text) {
        Ok(dir) => {
            assert_eq!(DirPath::new(dir.as_str()).as_ref(), Ok(&dir));
            assert!(
                dir.parts()
                    .all(|part| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0'])),
                "{dir}"
            );
            assert!(DirPath::root().contains(&dir) && dir.contains(&dir));
            if let Some(parent) = dir.parent() {
                assert!(parent.contains(&dir) && !dir.contains(&parent), "{dir}");
                let name = dir.file_name().unwrap_or_default();
                assert_eq!(parent.join(name).as_ref(), Ok(&dir));
            }
            if let Ok(below) = dir.join("x") {
                assert_eq!((below.parent(), below.file_name()), (Some(dir), Some("x")));
            }
        }
        Err(why) => checks::assert_one_line(&why.to_string()),
    }
    match ProjectPath::new(text) {
        Ok(path) => assert_eq!(ProjectPath::new(path.as_str()).as_ref(), Ok(&path)),
        Err(why) => checks::assert_one_line(&why.to_string()),
    }
}

fn names(text: &str) {
    match SkillName::new(text) {
        Ok(name) => {
            checks::assert_inside(&name);
            assert!(
                !name.contains('/') && RelPath::new(format!("{}/x", name.as_str())).is_ok(),
                "{name:?}"
            );
            assert_eq!(
                SkillName::new(&name).as_ref(),
                Ok(&name),
                "a name changes when it is parsed again"
            );
        }
        Err(why) => checks::assert_one_line(&why.to_string()),
    }
    if let Ok(name) = PluginName::new(text) {
        assert_eq!(name.as_str(), text);
        assert!(!text.contains(char::is_control), "{text:?}");
    }
    if RefName::new(text).is_ok() {
        assert!(
            !text.starts_with('-') && !text.contains("..") && !text.contains(char::is_control),
            "{text:?}"
        );
    }
    if let Ok(key) = SourceKey::new(text) {
        checks::assert_inside(key.as_str());
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = [
        "",
        "SKILL.md",
        "./a b/ö.txt",
        "scripts/../logo.png",
        "logo.png",
        "refs/heads/main",
        "tide-tables",
        "a/b/c.d",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    seeds.push(b"a/".repeat(500));
    seeds.push(b"a".repeat(250));
    seeds
}
