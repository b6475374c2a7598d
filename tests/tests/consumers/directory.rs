//! `include_skills!(dir = "…")`, which needs no lockfile.

use crate::cargo::{Consumer, facade};

const MAIN: &str = "const SKILLS: helix_skills::SkillSet = helix_skills::include_skills!(dir = \"skills\");
fn main() {
    for skill in SKILLS {
        let files: Vec<_> = skill.resources().iter().map(|file| file.path()).collect();
        println!(\"{} {:?} {} {:?}\", skill.name(), files, skill.provenance().path(), skill.provenance().integrity());
    }
}
";

fn skill_md(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n---\nBody.\n")
}

#[test]
fn directory_of_skills_is_embedded_unchanged() {
    let consumer = Consumer::new("directory");
    consumer.package("", "directory", &facade("helix-skills", "")).write("src/main.rs", MAIN);
    consumer
        .write("skills/README.md", "not a skill")
        .write("skills/notes/todo.md", "not a skill either");
    consumer
        .write("skills/zed/SKILL.md", skill_md("zed"))
        .write("skills/zed/b/z.md", "z")
        .write("skills/zed/a", "a");
    consumer
        .write("skills/zed/.gitignore", "*")
        .write("skills/zed/.git/config", "x")
        .write("skills/zed/.DS_Store", "x")
        .write("skills/zed/a~", "x")
        .write("skills/zed/__pycache__/a.pyc", "x")
        .write("skills/.git/SKILL.md", "x");
    consumer
        .write("skills/dir/SKILL.md", skill_md("alpha"))
        .write("skills/dir/nested/SKILL.md", skill_md("inner"));
    let run = consumer.cargo(&["run", "--quiet"]).success();
    assert_eq!(
        run.stdout,
        "alpha [\"nested/SKILL.md\"] skills/dir None\nzed [\"a\", \"b/z.md\"] skills/zed None\n"
    );

    // An added skill is noticed only by a build script that watches the directory; a change of a
    // file is noticed without one.
    consumer.write("build.rs", "fn main() { println!(\"cargo::rerun-if-changed=skills\"); }\n");
    consumer.cargo(&["run", "--quiet"]).success();
    consumer.write("skills/new/SKILL.md", skill_md("new"));
    let run = consumer.cargo(&["run", "--quiet"]).success();
    assert!(run.stdout.contains("\nnew [] skills/new None\n"), "{}", run.stdout);
    consumer.remove("skills/new").remove("build.rs");
    consumer.write("skills/dir/SKILL.md", skill_md("beta"));
    let run = consumer.cargo(&["run", "--quiet"]).success();
    assert!(run.stdout.starts_with("beta "), "{}", run.stdout);

    let says = |expected: &[&str]| {
        let errors = consumer.cargo(&["check", "--quiet"]).errors();
        let errors: Vec<_> =
            errors.iter().map(|e| e.replace(consumer.dir.to_str().unwrap(), "DIR")).collect();
        assert_eq!(errors, expected, "\n{}", errors.join("\n"));
    };
    consumer.write("skills/dir/SKILL.md", skill_md("Zed"));
    says(&["error: two skills have the name `zed`\n\
        file: DIR/skills/dir/SKILL.md\n\
        file: DIR/skills/zed/SKILL.md\n\
        help: give one of them another `name`, or bake them from a lockfile with `rename`\n"]);
    consumer
        .write("skills/dir/SKILL.md", "no frontmatter")
        .write("skills/zed/SKILL.md", skill_md("../zed"));
    let run = consumer.cargo(&["check", "--quiet"]);
    let errors = run.errors();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors[0].contains("skills/dir/SKILL.md:1:1")
            && errors[1].contains("skills/zed/SKILL.md:2:7"),
        "{errors:?}"
    );

    consumer.remove("skills/dir").write("skills/zed/SKILL.md", skill_md("zed"));
    consumer.write("src/main.rs", MAIN.replace("\"skills\"", "\"skills\", only = [\"zde\"]"));
    says(&["error: there is no skill `zde`\n\
        file: DIR/skills\n\
        help: did you mean `zed`?\n"]);
    consumer.write("src/main.rs", MAIN.replace("\"skills\"", "\"skills\", only = [\"other\"]"));
    says(&["error: there is no skill `other`\n\
        file:   DIR/skills\n\
        skills: `zed`\n\
        help: correct the name, or put the skill into the directory\n"]);
    consumer.write("src/main.rs", MAIN);

    #[cfg(unix)]
    {
        let link = consumer.dir.join("skills/zed/link.md");
        std::os::unix::fs::symlink("/etc/hostname", &link).unwrap();
        consumer.write("skills/zed/ab:c", "x").write("skills/zed/aux", "x");
        let help = "help: replace the link with the file, or lock the skills: `cargo skills init`, then `cargo skills add ./skills`";
        let refused = "error: a file of a skill has an invalid path";
        says(&[
            &format!(
                "{refused}: a path cannot contain `:`\nfile: DIR/skills/zed/ab:c\nhelp: rename the file\n"
            ),
            &format!(
                "{refused}: a part of the path is reserved for a device on Windows\nfile: DIR/skills/zed/aux\nhelp: rename the file\n"
            ),
            &format!(
                "error: symbolic links are not followed\nfile: DIR/skills/zed/link.md\n{help}\n"
            ),
        ]);
        // A skill is an error, not ignored, if its text is outside the directory.
        consumer.remove("skills/zed");
        consumer.write("skills/zed/notes.md", "x");
        std::os::unix::fs::symlink("/etc/hostname", consumer.dir.join("skills/zed/SKILL.md"))
            .unwrap();
        says(&[&format!(
            "error: symbolic links are not followed\nfile: DIR/skills/zed/SKILL.md\n{help}\n"
        )]);
    }
    consumer.remove("skills/zed").write("skills/pdf/SKILLS.md", skill_md("pdf"));
    says(&["error: the directory contains no skill\n\
        file: DIR/skills\n\
        help: `pdf/SKILLS.md`: not read as a skill, because the name of its file is not `SKILL.md`; rename it to `SKILL.md`\n"]);
    consumer.remove("skills/pdf");
    says(&["error: the directory contains no skill\n\
        file: DIR/skills\n\
        help: a skill is a directory with a file `SKILL.md`, one level below this one\n"]);
    consumer.write("skills/SKILL.md", "---\nname: skills\ndescription: Does.\n---\nDo.\n");
    says(&["error: the directory contains no skill\n\
        file: DIR/skills\n\
        help: the directory is a skill itself: use its parent directory, and select it with `only`\n"]);
    consumer.remove("skills").write("skill/a/SKILL.md", "");
    let error = &consumer.cargo(&["check", "--quiet"]).errors()[0];
    assert!(error.contains("help: did you mean `skill`?"), "{error}");
    // Neither a file nor the store is a directory of skills.
    consumer.remove("skill").write("helix.skills/a/SKILL.md", "").write("skill", "");
    consumer.write("src/main.rs", MAIN);
    let error = &consumer.cargo(&["check", "--quiet"]).errors()[0];
    assert!(error.contains("/directory/skills`: No such file"), "{error}");
    assert!(error.contains("help: the path is relative to the package's Cargo.toml"), "{error}");
}

/// Untrusted files may have any type and size; the macro neither blocks on them nor reads them into
/// memory.
#[cfg(unix)]
#[test]
fn hostile_directories_are_errors_with_the_file() {
    let consumer = Consumer::new("hostile-directory");
    consumer
        .package("", "hostile-directory", &facade("helix-skills", ""))
        .write("src/main.rs", MAIN);
    let at = |path: &str| consumer.dir.join("skills").join(path);
    let link = |to: &str, path: &str| std::os::unix::fs::symlink(to, at(path)).unwrap();
    let pipe = |path: &str| {
        assert!(std::process::Command::new("mkfifo").arg(at(path)).status().unwrap().success());
    };
    let errors = || {
        let errors = consumer.cargo(&["check", "--quiet"]).errors();
        let skills = consumer.dir.join("skills");
        errors.iter().map(|e| e.replace(skills.to_str().unwrap(), "DIR")).collect::<Vec<_>>()
    };
    // A pipe instead of the text and next to it; a file that does not fit into memory.
    consumer
        .write("skills/a/note.md", "x")
        .write("skills/b/SKILL.md", skill_md("b"))
        .write("skills/d/note.md", "x");
    pipe("a/SKILL.md");
    pipe("b/pipe");
    pipe("d/pipe");
    link("/dev/zero", "a/zero");
    std::fs::File::create(at("b/large")).unwrap().set_len(1 << 40).unwrap();
    let regular = "error: a skill may only contain regular files";
    let pipes = "help: remove the pipe, socket or device";
    let found = errors();
    assert_eq!(found.len(), 4, "{found:#?}");
    assert_eq!(found[0], format!("{regular}\nfile: DIR/a/SKILL.md\n{pipes}\n"));
    assert!(
        found[1].starts_with("error: symbolic links are not followed\nfile: DIR/a/zero\n"),
        "{}",
        found[1]
    );
    assert_eq!(found[2], format!("{regular}\nfile: DIR/b/pipe\n{pipes}\n"));
    let large = "error: with a file of 1099511627776 bytes the skill has more than 33554432 bytes\nfile: DIR/b/large\n";
    assert!(found[3].starts_with(large), "{}", found[3]);
    consumer.remove("skills/a").remove("skills/b").remove("skills/d");

    // Very many links, files and levels.
    consumer.write("skills/a/SKILL.md", skill_md("a")).write("skills/b/SKILL.md", skill_md("b"));
    consumer
        .write(&format!("skills/b/{}x", "d/".repeat(17)), "x")
        .write("skills/c/SKILL.md", skill_md("c"));
    for n in 0..1000 {
        consumer.write(&format!("skills/b/e/{n}"), "");
    }
    (0..200).for_each(|n| link("SKILL.md", &format!("c/link{n}")));
    let found = errors();
    assert_eq!(found.len(), 101, "{found:#?}");
    let deep = format!(
        "error: directories of the skill are nested more than 16 levels deep\nfile: DIR/b/{}d\n",
        "d/".repeat(16)
    );
    assert!(found[0].starts_with(&deep), "{}", found[0]);
    assert!(
        found[1].starts_with("error: the skill has more than 1000 files\nfile: DIR/b/e/"),
        "{}",
        found[1]
    );
    assert_eq!(found[100], "error: 102 more problems are not shown\n");
    // A loop or a pipe outside a skill is ignored.
    for skill in ["skills/a", "skills/b", "skills/c"] {
        consumer.remove(skill);
    }
    consumer.write("skills/ok/SKILL.md", skill_md("ok")).write("skills/notes/note.md", "x");
    link("..", "notes/up");
    pipe("notes/pipe");
    consumer.cargo(&["check", "--quiet"]).success();
}
