//! Objects that are few and small, but reference each other so often that reading them all would
//! not finish.

use super::{Forge, within};
use helix_skills_tests::{Pack, skill_md};
use serde_json::json;

/// Adds to a pack the directory `big` with a link `zl0`, which leads to a file through `links` more
/// links. Each target has `parts` parts, and each directory `entries` entries. Returns the
/// directory's id.
fn link_chain(pack: &mut Pack, links: usize, parts: usize, entries: usize) -> String {
    let (x, empty) = (pack.blob(b"x\n"), pack.tree(&[]));
    let mut names: Vec<(&str, String, String)> =
        (0..entries).map(|number| ("100644", format!("f{number:05}"), x.clone())).collect();
    names.push(("40000", "zz".to_owned(), empty));
    names.push(("100644", format!("zl{links}"), x));
    for number in 0..links {
        let target =
            pack.blob(format!("{}zl{}", "zz/../".repeat(parts / 2), number + 1).as_bytes());
        names.push(("120000", format!("zl{number}"), target));
    }
    let entries: Vec<_> =
        names.iter().map(|(mode, name, id)| (*mode, name.as_bytes(), id.as_str())).collect();
    pack.tree(&entries)
}

/// Adds a commit of a skill `a` with these links, next to the directory `big`.
fn commit_links(pack: &mut Pack, links: &[(&str, &str)], big: &str) -> String {
    let md = pack.blob(skill_md("a").as_bytes());
    let targets: Vec<String> =
        links.iter().map(|(_, target)| pack.blob(target.as_bytes())).collect();
    let mut entries = vec![("100644", &b"SKILL.md"[..], md.as_str())];
    entries.extend(
        links.iter().zip(&targets).map(|((name, _), id)| ("120000", name.as_bytes(), id.as_str())),
    );
    let skill = pack.tree(&entries);
    let skills = pack.tree(&[("40000", b"a", &skill)]);
    let root = pack.tree(&[("40000", b"big", big), ("40000", b"skills", &skills)]);
    pack.commit(&root)
}

/// Serves skills with a SKILL.md of their own, and the same files, whose names start with `prefix`.
/// Directories with the same tree would be one skill.
fn serve_skills(forge: &Forge, prefix: &str, files: usize, skills: usize) {
    let mut pack = Pack::new();
    let x = pack.blob(b"x\n");
    let names = |prefix: &str, count| -> Vec<String> {
        (0..count).map(|n| format!("{prefix}{n:05}")).collect()
    };
    let files = names(prefix, files);
    let mut entries = vec![("100644", &b"SKILL.md"[..], "")];
    entries.extend(files.iter().map(|name| ("100644", name.as_bytes(), x.as_str())));
    let mut skill = |name: String| {
        let md = pack.blob(skill_md(&name).as_bytes());
        let mut entries = entries.clone();
        entries[0].2 = &md;
        let tree = pack.tree(&entries);
        (name, tree)
    };
    let skills: Vec<(String, String)> = names("s", skills).into_iter().map(&mut skill).collect();
    let skills: Vec<_> =
        skills.iter().map(|(name, tree)| ("40000", name.as_bytes(), tree.as_str())).collect();
    let skills = pack.tree(&skills);
    let root = pack.tree(&[("40000", b"skills", &skills)]);
    forge.serve(&pack.commit(&root), &pack.finish());
}

#[test]
fn t17_link_steps_are_bounded() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let big = link_chain(&mut pack, 30, 600, 1_000);
    let tip =
        commit_links(&mut pack, &[("x.md", "../../big/zl0"), ("y.md", "../../big/./zl0")], &big);
    forge.serve(&tip, &pack.finish());
    forge.limits(json!({"objectsPerFetch": 200}));
    let run =
        forge.is_refused(6, &["3200 directory entries and path components for the source `evil`"]);
    run.says(["limits.objectsPerFetch"]);
    // Nothing else is wrong with it.
    forge.limits(json!({}));
    within(forge.sandbox.command(["sync"]), super::MEBIBYTES).run().succeeds();
    assert_eq!(forge.sandbox.read("project/helix.skills/a/y.md"), "x\n");
}

/// A lookup in a directory is one step for any number of entries: they are counted once.
#[test]
fn t17_directories_are_indexed_once() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let big = link_chain(&mut pack, 30, 20, 5_000);
    let names: Vec<String> = (0..30).map(|number| format!("x{number}.md")).collect();
    let targets: Vec<String> = (0..30).map(|number| format!("../../big/zl{number}")).collect();
    let links: Vec<_> =
        names.iter().map(String::as_str).zip(targets.iter().map(String::as_str)).collect();
    let tip = commit_links(&mut pack, &links, &big);
    forge.serve(&tip, &pack.finish());
    // The links take about 30 · 15 · 21 steps; scanning the directory for each part would take 40
    // million.
    forge.limits(json!({"objectsPerFetch": 1_500}));
    within(forge.sandbox.command(["sync"]), super::MEBIBYTES).run().succeeds();
}

/// In a directory over the limit of files, no more entries are parsed than the limit allows.
#[test]
fn t17_trees_are_parsed_as_far_as_they_are_read() {
    let forge = Forge::new();
    serve_skills(&forge, "f", 4_000, 50);
    // Twice 50 · 1,000 entries are read. Parsing all of them would take more than the 160,000 steps
    // of this limit.
    forge.limits(json!({"objectsPerFetch": 10_000}));
    forge.is_refused(6, &["evil: skills/s00049 with 1001 files or more", "limits.filesPerSkill"]);
}

#[test]
fn t17_errors_of_a_source_are_capped_and_counted() {
    let forge = Forge::new();
    serve_skills(&forge, "c:", 60, 200);
    // The first error of each of the 200 skills is among them.
    let more = "and 11751 more `file` errors in the source `evil`";
    let run = forge.is_refused(1, &[more]);
    assert_eq!(run.stderr.matches("error: ").count(), 250);
    // A hint that several errors in a row have is printed once.
    assert!(run.stderr.lines().count() < 2 * 249, "{run}");
    let run = forge.sandbox.skills(["sync", "--json"]).exits(1);
    let errors = run.json()["errors"].as_array().unwrap().clone();
    assert_eq!(errors.len(), 250);
    assert_eq!(errors[249]["code"], "file");
    assert_eq!(errors[249]["message"], more);
}

/// Invisible text is found after the files are read, in each skill separately.
#[test]
fn t17_invisible_text_errors_are_capped_and_counted() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let hidden = pack.blob("hid\u{200b}den\n".as_bytes());
    let skills: Vec<(String, String)> = (0..30)
        .map(|number| {
            let name = format!("s{number:02}");
            let md = pack.blob(skill_md(&name).as_bytes());
            let names = ["SKILL.md", "a.md", "b.md", "c.md"];
            let entries: Vec<_> =
                names.iter().map(|name| ("100644", name.as_bytes(), hidden.as_str())).collect();
            let entries = [&[("100644", &b"SKILL.md"[..], md.as_str())], &entries[1..]].concat();
            (name, pack.tree(&entries))
        })
        .collect();
    let skills: Vec<_> =
        skills.iter().map(|(name, tree)| ("40000", name.as_bytes(), tree.as_str())).collect();
    let skills = pack.tree(&skills);
    let root = pack.tree(&[("40000", b"skills", &skills)]);
    let tip = pack.commit(&root);
    forge.serve(&tip, &pack.finish());
    forge.is_refused(6, &["and 27 more `invisible-text` errors in the source `evil`"]);
}
