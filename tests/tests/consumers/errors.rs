//! Compile errors of the macro: file, expected and found values, and the command that fixes it. All
//! mistakes are reported at once, without follow-up errors.

use crate::{
    broken::{Broken, skills},
    cargo::Consumer,
    project,
};
use helix_skills_format::{Listing, RelPath};

const MAIN: &str = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();\n\
                    fn main() { print!(\"{}\", SKILLS.get(\"alpha\").unwrap().description()); }\n";

/// Replaces `alpha` with other files and the listing and lockfile that match them.
fn alpha_with(consumer: &Consumer, files: &[(&'static str, &[u8])]) {
    consumer.remove("helix.skills/alpha");
    let mut all = skills();
    all[0].files = files.iter().map(|(path, bytes)| (*path, bytes.to_vec())).collect();
    project::write(consumer, "", &all);
}

#[test]
fn lockfile_errors_name_location_and_command() {
    let broken = Broken::new("lock-errors", MAIN);
    broken.change(|at| { at.remove("helix.skills.lock"); }).says(&["error: there is neither a `helix.skills.lock` nor a manifest\n\
        expected: DIR/helix.skills.lock\n\
        help: run `cargo skills init`, then `cargo skills add`; or embed a directory without a lockfile: `include_skills!(mod skills, dir = \"skills\")`\n"]);
    broken
        .change(|at| {
            at.remove("helix.skills.lock").write("helix.skills.json", "{}");
        })
        .says(&["error: there is a manifest but no lockfile: the skills were never synced\n\
        expected: DIR/helix.skills.lock\n\
        help: run `cargo skills sync`\n"]);
    let lock = |change: fn(&str) -> String| {
        move |at: &Consumer| {
            let text = change(&at.read("helix.skills.lock"));
            at.write("helix.skills.lock", text);
        }
    };
    broken.change(lock(|text| text.replace("\"version\": 1", "\"version\": 2"))).says(&[
        "error: cannot read the lockfile: the lockfile has version 2; this program reads version 1\n\
        file: DIR/helix.skills.lock\n\
        help: update helix-skills, in Cargo.toml and the program `skills`\n",
    ]);
    let hint = "help: `cargo skills sync` writes the lockfile; restore it from version control, or delete it and run `cargo skills sync`";
    broken.change(lock(|text| text.replacen("\"own\"", "own", 1))).says(&[&format!(
        "error: cannot read the lockfile: expected a value\nfile: DIR/helix.skills.lock:24:17\n{hint}\n"
    )]);
    broken
        .change(lock(|text| text.replacen("  \"skills\"", "<<<<<<< ours\n  \"skills\"", 1)))
        .says(&[
            "error: cannot read the lockfile: the lockfile contains conflict markers of a merge\n\
        file: DIR/helix.skills.lock:2:1\n\
        help: resolve `helix.skills.json`, then run `cargo skills sync`, which merges both sides\n",
        ]);
    broken.change(lock(|text| text.replacen("\"beta\"", "\"ALPHA\"", 1))).says(&[&format!(
        "error: cannot read the lockfile: `ALPHA` and `alpha` are the same name on some file systems\n\
         file: DIR/helix.skills.lock:11:5\n{hint}\n"
    )]);
}

#[test]
fn t18_store_errors_are_reported_together() {
    let broken = Broken::new("store-errors", MAIN);
    broken
        .change(|at| {
            at.remove("helix.skills");
        })
        .says(&["error: the store is missing: the skills are locked, but not synced here\n\
        expected: DIR/helix.skills\n\
        help: run `cargo skills sync`; if build scripts do this with `build::sync()`, each package that embeds skills needs one\n"]);
    broken
        .change(|at| {
            at.remove("helix.skills/alpha.sha256").remove("helix.skills/beta");
        })
        .says(&[
            "error: the listing of the skill `alpha` is missing from the store\n\
        file:     DIR/helix.skills/alpha.sha256\n\
        expected: sha256:…\n\
        help: run `cargo skills sync`; if build scripts do this with `build::sync()`, each package that embeds skills needs one\n",
            "error: the directory of the skill `beta` is missing\n\
        expected: DIR/helix.skills/beta\n\
        help: run `cargo skills sync`; if build scripts do this with `build::sync()`, each package that embeds skills needs one\n",
        ]);
    let changed = |at: &Consumer| {
        at.write("helix.skills/alpha/references/a.md", "other\n")
            .remove("helix.skills/alpha/references/b.md");
        at.write("helix.skills/beta.sha256", "").write("own/SKILL.md", "edited");
    };
    broken.change(changed).says(&[
        "error: the file `references/a.md` of the skill `alpha` does not match the lockfile\n\
        file:     DIR/helix.skills/alpha/references/a.md\n\
        expected: sha256:…\n\
        found:    sha256:…\n\
        help: `cargo skills diff` shows what was edited, `cargo skills sync --restore` restores the locked files\n",
        "error: the file `references/b.md` of the skill `alpha` is missing\n\
        file:     DIR/helix.skills/alpha/references/b.md\n\
        expected: sha256:…\n\
        help: `cargo skills diff` shows what was edited, `cargo skills sync --restore` restores the locked files\n",
        "error: the skill `beta` does not match the integrity in the lockfile\n\
        file:     DIR/helix.skills/beta.sha256\n\
        expected: sha256:…\n\
        found:    sha256:…\n\
        help: `cargo skills diff` shows what was edited, `cargo skills sync --restore` restores the locked files\n",
        "error: the file `SKILL.md` of the skill `house` does not match the lockfile\n\
        file:     DIR/own/SKILL.md\n\
        expected: sha256:…\n\
        found:    sha256:…\n\
        help: `git diff` shows the change; run `cargo skills sync` to lock it, or undo it\n",
    ]);
    let relocked = |at: &Consumer| {
        let integrity = format!(
            "sha256:{}",
            helix_skills_format::Digest::hash(at.read("helix.skills/beta.sha256").as_bytes())
        );
        let lock = at.read("helix.skills.lock");
        at.write(
            "helix.skills.lock",
            lock.replace(&integrity, &format!("sha256:{}", "0".repeat(64))),
        );
    };
    broken.change(relocked).says(&["error: the skill `beta` does not match the integrity in the lockfile\n\
        file:     DIR/helix.skills/beta.sha256\n\
        expected: sha256:…\n\
        found:    sha256:…\n\
        help: the lockfile or the listing was edited: see `git diff`, and restore both from version control; if the store is only older than the lockfile, run `cargo skills sync`\n"]);
    let line_ends = |at: &Consumer| {
        for file in
            ["helix.skills/alpha/references/a.md", "helix.skills/beta.sha256", "own/SKILL.md"]
        {
            let text = at.read(file).replace('\n', "\r\n");
            at.write(file, text);
        }
    };
    let help = "help: only the line endings differ: commit `helix.skills/.gitattributes`, so that git does not convert them, then run `cargo skills sync --restore`";
    broken.change(line_ends).says(&[
        &format!(
            "error: the file `references/a.md` of the skill `alpha` does not match the lockfile\n\
             file:     DIR/helix.skills/alpha/references/a.md\n\
             expected: sha256:…\nfound:    sha256:…\n{help}\n"
        ),
        &format!(
            "error: the skill `beta` does not match the integrity in the lockfile\n\
             file:     DIR/helix.skills/beta.sha256\n\
             expected: sha256:…\nfound:    sha256:…\n{help}\n"
        ),
        "error: the file `SKILL.md` of the skill `house` does not match the lockfile\n\
         file:     DIR/own/SKILL.md\n\
         expected: sha256:…\nfound:    sha256:…\n\
         help: only the line endings differ: add `* -text` to a `.gitattributes` next to the skill, so that git does not convert them, and check out the file again\n",
    ]);
}

/// `skills sync --check` refuses them, too.
#[cfg(unix)]
#[test]
fn t04_links_in_the_store_are_refused() {
    use std::os::unix::fs::symlink;
    let broken = Broken::new("store-links", MAIN);
    for path in ["helix.skills", "helix.skills/alpha", "helix.skills/alpha.sha256"]
        .into_iter()
        .chain(["helix.skills/alpha/SKILL.md", "helix.skills/alpha/references/a.md"])
    {
        let link = |at: &Consumer| {
            let moved = at.dir.join("elsewhere");
            let _ = std::fs::remove_dir_all(&moved).or_else(|_| std::fs::remove_file(&moved));
            std::fs::rename(at.dir.join(path), &moved).unwrap();
            symlink(&moved, at.dir.join(path)).unwrap();
        };
        broken.change(link).says(&[&format!(
            "error: symbolic links in the store are not followed\n\
             file: DIR/{path}\n\
             help: remove the link, then run `cargo skills sync --restore`\n"
        )]);
        std::fs::remove_file(broken.0.dir.join(path)).unwrap();
    }
}

#[test]
fn invalid_locked_skill_says_why() {
    let broken = Broken::new("skill-errors", MAIN);
    broken.change(|at| alpha_with(at, &[("SKILL.md", b"---\nname: alpha\ndescription: \xff\n---\n")])).says(&[
        "error: the skill `alpha` cannot be used: the byte `0xff` is not UTF-8\n\
        file: DIR/helix.skills/alpha/SKILL.md:3:14\n\
        help: save the file as UTF-8, then run `cargo skills sync`; or add `x` to the source's `exclude`\n",
    ]);
    broken.change(|at| alpha_with(at, &[("SKILL.md", b"---\nname: alpha\n---\n")])).says(&[
        "error: the skill `alpha` cannot be used: `description` is missing\n\
        file: DIR/helix.skills/alpha/SKILL.md:1:1\n\
        help: say what the skill does and when to use it, then run `cargo skills sync`; or add `x` to the source's `exclude`\n",
    ]);
    broken.change(|at| alpha_with(at, &[("README.md", b"x")])).says(&[
        "error: the listing of the skill `alpha` names no `SKILL.md`\n\
        file: DIR/helix.skills/alpha\n\
        help: run `cargo skills sync`\n",
    ]);
    // A lockfile may have the digest of any bytes as a listing; they are parsed as untrusted text.
    let climbing = |at: &Consumer| {
        let digest = Listing::from_files([(RelPath::new("x").unwrap(), b"")]).to_string();
        let text = digest.replace("  x", "  ../../Cargo.toml");
        let before = at.read("helix.skills/beta.sha256");
        let lock = at.read("helix.skills.lock");
        let integrity =
            |text: &str| format!("sha256:{}", helix_skills_format::Digest::hash(text.as_bytes()));
        at.write("helix.skills.lock", lock.replace(&integrity(&before), &integrity(&text)));
        at.write("helix.skills/beta.sha256", text);
    };
    broken.change(climbing).says(&[
        "error: cannot read the listing of the skill `beta`: a path cannot have empty parts, `.` or `..`\n\
        file: DIR/helix.skills/beta.sha256:1:67\n\
        help: run `cargo skills sync --restore`\n",
    ]);
}

#[test]
fn arguments_are_checked() {
    let broken = Broken::new("argument-errors", MAIN);
    let call = |arguments: &str| {
        let arguments = arguments.to_owned();
        move |at: &Consumer| {
            at.write("src/main.rs", MAIN.replace("include_skills!()", &arguments));
        }
    };
    broken.change(call("include_skills!(only = [\"alpha\", \"huose\", \"zzz\"])")).says(&[
        "error: there is no skill `huose`\n\
        file: DIR/helix.skills.lock\n\
        help: did you mean `house`?\n",
        "error: there is no skill `zzz`\n\
        file:   DIR/helix.skills.lock\n\
        skills: `alpha`, `beta`, `house`\n\
        help: correct the name, or add the skill to the manifest and run `cargo skills sync`\n",
    ]);
    broken.change(call("include_skills!(\"nowhere\")")).says(&[
        "error: there is neither a `helix.skills.lock` nor a manifest\n\
        expected: DIR/nowhere/helix.skills.lock\n\
        help: run `cargo skills init`, then `cargo skills add`; or embed a directory without a lockfile: `include_skills!(mod skills, dir = \"skills\")`\n",
    ]);
    let expected = "error: expected a path as a string, `dir = \"…\"`, `only = [\"…\"]`, `preload = [\"…\"]`, `search = [\"…\"]`, or `pub mod skills` before all others\n";
    broken.change(call("include_skills!(all = true)")).says(&[expected]);
    broken
        .change(call("include_skills!(dirs = \"skills\")"))
        .says(&["error: unknown argument `dirs`; did you mean `dir`?\n"]);
    broken.change(call("include_skills!(\"a\", 7)")).says(&[expected]);
    broken
        .change(call("include_skills!(\"a\", dir = \"b\")"))
        .says(&["error: the location of the skills is given twice\n"]);
    broken
        .change(call("include_skills!(only = \"alpha\")"))
        .says(&["error: expected a list of strings: `only = [\"name\"]`\n"]);
    broken
        .change(call("include_skills!(search = [unicode])"))
        .says(&["error: expected a list of strings: `search = [\"unicode\"]`\n"]);
    broken
        .change(call("include_skills!(dir = skills)"))
        .says(&["error: expected a string: `dir = \"skills\"`\n"]);
    broken
        .change(call("include_skills!(dir)"))
        .says(&["error: expected a string: `dir = \"skills\"`\n"]);
    // After the fix it compiles, and one skill is enough: unrequested skills are not read.
    broken.change(call("include_skills!(only = [\"alpha\"])"));
    broken.0.remove("helix.skills/beta.sha256").remove("own");
    let run = broken.0.cargo(&["run", "--quiet"]).success();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("Does alpha.", ""));
}
