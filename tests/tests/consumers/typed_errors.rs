//! Mistakes in `include_skills!(pub mod skills)`: each is reported once, even if the items are used
//! elsewhere.

use crate::{
    broken::{Broken, skills},
    cargo::Consumer,
    project::{self, Locked, Origin, team},
};

const MAIN: &str = "helix_skills::include_skills!(pub mod skills);
const _: () = assert!(skills::CATALOG_TOKENS < 2_000);
fn main() {
    let file = skills::ALPHA_REFERENCES_A_MD;
    print!(\"{} {} {}\", skills::ALPHA.name(), file.path(), skills::SKILLS.len());
}
";

/// Returns a change that replaces `pub mod skills` with other arguments.
fn call(arguments: &str) -> impl Fn(&Consumer) + use<> {
    let main = MAIN.replace("pub mod skills", arguments);
    move |at: &Consumer| {
        at.write("src/main.rs", &main);
    }
}

#[test]
fn invalid_arguments_still_generate_the_module() {
    let broken = Broken::new("typed-arguments", MAIN);
    let only = |arguments: &str, error: &str| {
        let main = format!(
            "helix_skills::include_skills!({arguments});\nfn main() {{ let _ = skills::SKILLS; }}\n"
        );
        broken
            .change(|at| {
                at.write("src/main.rs", main);
            })
            .says(&[error]);
    };
    only(
        "pub mod skills, dri = \"skills\"",
        "error: unknown argument `dri`; did you mean `dir`?\n",
    );
    only(
        "pub mod skills, \"a\", dir = \"skills\"",
        "error: the location of the skills is given twice\n",
    );
    only("mod skills, preload = [\"alpha\"], preload = []", "error: `preload` is given twice\n");
    let says = |call: &str, error: &str| {
        let main = format!("{call}\nfn main() {{}}\n");
        broken
            .change(|at| {
                at.write("src/main.rs", main);
            })
            .says(&[error]);
    };
    let module = "error: expected a module: `include_skills!(pub mod skills)`\n";
    says("helix_skills::include_skills!(pub static SKILLS);", module);
    says("helix_skills::include_skills!(pub(crate));", module);
    says("helix_skills::include_skills!(# mod skills);", module);
    let name = "error: expected the module's name: `include_skills!(pub mod skills)`\n";
    says("helix_skills::include_skills!(pub mod);", name);
    says("helix_skills::include_skills! { mod \"skills\" }", name);
    let end = "error: expected a comma and arguments, or nothing: the macro generates the items of the module\n";
    says("helix_skills::include_skills! { pub mod skills; }", end);
    says("helix_skills::include_skills! { pub mod skills {} }", end);
    // In place of a value.
    let list = "error: expected a list of strings: `preload = [\"name\"]`\n";
    says("fn f() { let _ = helix_skills::include_skills!(preload = 7); }", list);
}

#[test]
fn unverifiable_skills_are_reported_once() {
    let broken = Broken::new("typed-unproved", MAIN);
    let help = "help: `cargo skills diff` shows what was edited, `cargo skills sync --restore` restores the locked files\n";
    broken
        .change(|at| {
            at.write("helix.skills/alpha/references/a.md", "x");
        })
        .says(&[&format!(
            "error: the file `references/a.md` of the skill `alpha` does not match the lockfile\n\
         file:     DIR/helix.skills/alpha/references/a.md\nexpected: sha256:…\nfound:    sha256:…\n{help}"
        )]);
    broken
        .change(|at| {
            at.remove("helix.skills/beta.sha256");
        })
        .says(&["error: the listing of the skill `beta` is missing from the store\n\
         file:     DIR/helix.skills/beta.sha256\nexpected: sha256:…\nhelp: run `cargo skills sync`; if build scripts do this with `build::sync()`, each package that embeds skills needs one\n"]);
    // The lockfile still names the skills, but nothing lists their files.
    let main = MAIN.replace(
        "skills::ALPHA_REFERENCES_A_MD",
        "&skills::SKILLS.get(\"alpha\").unwrap().resources()[0]",
    );
    let store = |at: &Consumer| {
        at.write("src/main.rs", main);
        at.remove("helix.skills");
    };
    broken.change(store).says(&[
        "error: the store is missing: the skills are locked, but not synced here
\
         expected: DIR/helix.skills
help: run `cargo skills sync`; if build scripts do this with `build::sync()`, each package that embeds skills needs one
",
    ]);
    // A directory without a lockfile, with a skill that has no name yet.
    let directory = |at: &Consumer| {
        call("pub mod skills, dir = \"skills\"")(at);
        at.write("skills/beta/SKILL.md", "# none\n");
        at.write("skills/alpha/SKILL.md", "---\nname: alpha\ndescription: x\n---\n");
        at.write("skills/alpha/references/a.md", "x");
    };
    broken.change(directory).says(&["error: the skill in `beta` cannot be used: a SKILL.md must begin with frontmatter between two `---` lines\n\
         file: DIR/skills/beta/SKILL.md:1:1\n\
         help: put `---`, `name: …`, `description: …` and `---` before the text, each on its own line\n"]);
    // After the fix it compiles.
    broken.0.write("skills/beta/SKILL.md", "---\nname: b\ndescription: x\n---\n");
    assert_eq!(broken.0.cargo(&["run", "--quiet"]).success().stdout, "alpha references/a.md 2");
}

#[test]
fn item_name_conflict_names_both() {
    let broken = Broken::new("typed-collisions", MAIN);
    let rename = "help: rename a skill: `rename` in the manifest, or `name` in its `SKILL.md`\n";
    let with = |more: Vec<Locked>| {
        move |at: &Consumer| {
            let mut all = skills();
            all.extend(more);
            project::write(at, "", &all);
        }
    };
    let error = |name: &str, first: &str, second: &str, help: &str| {
        format!(
            "error: two items of the module would be named `{name}`\nfirst:  {first}\nsecond: {second}\n{help}"
        )
    };
    broken.change(with(vec![team("my-skill", &[]), team("my_skill", &[])])).says(&[&error(
        "MY_SKILL",
        "the skill `my-skill`",
        "the skill `my_skill`",
        rename,
    )]);
    broken.change(with(vec![team("alpha-references-a.md", &[]), team("skills", &[])])).says(&[
        &error(
            "ALPHA_REFERENCES_A_MD",
            "the file `references/a.md` of the skill `alpha`",
            "the skill `alpha-references-a.md`",
            rename,
        ),
        &error("SKILLS", "the set of all skills", "the skill `skills`", rename),
    ]);
    let files = |at: &Consumer| with(vec![team("gamma", &[("a-b", b"1"), ("a_b", b"2")])])(at);
    broken.change(files).says(&[&error(
        "GAMMA_A_B",
        "the file `a-b` of the skill `gamma`",
        "the file `a_b` of the skill `gamma`",
        "help: exclude one of the files (`files.exclude` in the manifest), or bake the skill without a module, as an expression\n",
    )]);
    // Neither unrequested skills nor the expression form are affected.
    let main = MAIN.replace("pub mod skills", "pub mod skills, only = [\"alpha\"]")
        + "pub static ALL: helix_skills::SkillSet = helix_skills::include_skills!();\n";
    broken.0.write("src/main.rs", main);
    assert_eq!(broken.0.cargo(&["run", "--quiet"]).success().stdout, "alpha references/a.md 1");
}

#[test]
fn preloaded_names_are_checked() {
    let broken = Broken::new("typed-preload", MAIN);
    let hidden = "---\nname: hidden\ndescription: x\ndisable-model-invocation: true\n---\n";
    let change = |arguments: &str| {
        let call = call(arguments);
        move |at: &Consumer| {
            let files = vec![("SKILL.md", hidden.as_bytes().to_vec())];
            let mut all = skills();
            all.push(Locked { name: "hidden", origin: Origin::Own("hidden"), files });
            project::write(at, "", &all);
            call(at);
        }
    };
    let errors = [
        "error: there is no skill `alhpa`\nfile: DIR/helix.skills.lock\nhelp: did you mean `alpha`?\n",
        "error: the skill `beta` is preloaded twice\nhelp: remove the duplicate from `preload`\n",
        "error: the skill `hidden` cannot be preloaded: it sets `disable-model-invocation`, and is not for models\n\
         help: remove the name from `preload`\n",
    ];
    let names = "preload = [\"alhpa\", \"beta\", \"beta\", \"hidden\"]";
    broken.change(change(&format!("pub mod skills, {names}"))).says(&errors);
    let expression = format!("fn main() {{ let _ = helix_skills::include_skills!({names}); }}\n");
    let main = |at: &Consumer| {
        at.write("src/main.rs", &expression);
    };
    broken
        .change(|at| {
            change("pub mod skills")(at);
            main(at);
        })
        .says(&errors);
    broken
        .change(change("pub mod skills, only = [\"alpha\"], preload = [\"house\", \"alpha\"]"))
        .says(&["error: the skill `house` is preloaded, but not baked\n\
         help: add the name to `only`, or remove it from `preload`\n"]);
    // Each error is at its literal.
    let run = broken.0.cargo(&["check", "--quiet"]);
    assert!(run.stderr.contains(" --> src/main.rs:1:76\n"), "{}", run.stderr);
}

#[test]
fn compiler_checks_token_budget_and_skill_names() {
    let broken = Broken::new("typed-budget", MAIN);
    let budget = |at: &Consumer| {
        at.write("src/main.rs", MAIN.replace("2_000", "10"));
    };
    broken.change(budget).says(&[
        "error[E0080]: evaluation panicked: assertion failed: skills::CATALOG_TOKENS < 10\n",
    ]);

    // Upstream renames a skill; only the lockfile changes, and cargo notices.
    broken.change(|at| {
        at.write("src/main.rs", MAIN);
    });
    broken.0.cargo(&["check", "--quiet"]).success();
    let mut renamed = skills();
    renamed[0].name = "omega";
    project::write(&broken.0, "", &renamed);
    let errors = broken.0.cargo(&["check", "--quiet"]).errors().join("\n");
    for item in ["ALPHA", "ALPHA_REFERENCES_A_MD"] {
        assert!(
            errors.contains(&format!("cannot find value `{item}` in module `skills`")),
            "{errors}"
        );
    }
}

#[test]
fn errors_underline_the_arguments_and_name_a_missing_module() {
    let broken = Broken::new("typed-places", MAIN);
    broken.change(|at| {
        at.write("helix.skills/alpha/SKILL.md", "edited");
    });
    let run = broken.0.cargo(&["check", "--quiet"]);
    let underlined = "1 | helix_skills::include_skills!(pub mod skills);\n  |                               ^^^^^^^^^^^^^^\n";
    assert!(!run.ok && run.stderr.contains(underlined), "{}", run.stderr);
    assert!(!run.stderr.contains("macro-backtrace"), "{}", run.stderr);

    broken.change(|at| {
        at.write("src/main.rs", "helix_skills::include_skills!();\nfn main() {}\n");
    });
    let run = broken.0.cargo(&["check", "--quiet"]);
    assert!(!run.ok && run.stderr.contains("__an_item_needs_mod_NAME!"), "{}", run.stderr);
    let label = "'an_item_needs_mod_NAME_as_in_include_skills_mod_skills`";
    assert!(run.stderr.contains(label), "{}", run.stderr);
}
