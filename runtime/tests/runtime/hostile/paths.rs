//! The paths that can be read in a skill.

use crate::hostile::{attacks, config};
use helix_skills_runtime::{
    __private::{Parts, binary, skill, text},
    ErrorKind, Resource, Skill, SkillSet, normalize_path,
};
use proptest::{prelude::*, sample::select};

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

fn part() -> impl Strategy<Value = String> {
    let known = vec![
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
        "",
        " ",
        "\0",
        "%2e%2e",
        "%2f",
        "\u{ff0f}",
        "\u{2215}",
        "\u{2024}\u{2024}",
        "\u{200b}",
        "nul",
        "COM1",
        ".git",
        "./",
        "../",
        "other",
        "x",
        "\n",
        "\r",
        "file://",
        "-",
        "::$DATA",
    ];
    prop_oneof![6 => select(known).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from), 1 => attacks::text()]
}

fn path() -> impl Strategy<Value = String> {
    let joined = |between: &'static str| {
        proptest::collection::vec(part(), 0..5).prop_map(move |parts| parts.join(between))
    };
    prop_oneof![joined(""), joined("/"), any::<String>()]
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn t05_paths_are_files_of_the_skill_or_refused(path in path()) {
        let listed: Vec<&str> = FILES.iter().map(Resource::path).chain(["SKILL.md"]).collect();
        let expected = path.strip_prefix("./").unwrap_or(&path);
        match SKILLS.read_skill_file("x", &path) {
            Ok(file) => {
                prop_assert_eq!(file.path(), expected, "exactly the requested path");
                prop_assert!(listed.contains(&file.path()));
                let text = file.to_string();
                prop_assert!(text.ends_with(&format!("\n\ncontent of {expected}\n</skill_file>")), "{}", text);
            }
            Err(error) => match error.kind() {
                ErrorKind::BinaryFile => prop_assert_eq!(expected, "logo.png"),
                ErrorKind::InvalidPath => prop_assert!(normalize_path(&path).is_err()),
                ErrorKind::UnknownFile => prop_assert!(!listed.contains(&expected), "{}", expected),
                _ => prop_assert!(false, "{}", error),
            },
        }
    }
}
