//! Git trees with entries of any name, parsed, and used as the files of a skill.

use crate::{Target, checks};
use helix_skills_format::{Limits, Select};
use helix_skills_project::__internal::fuzzing::{Tree, collect};

pub(crate) const TARGET: Target = Target {
    name: "tree",
    body,
    seeds,
    words: &[
        "100644 ",
        "100755 ",
        "120000 ",
        "40000 ",
        "040000 ",
        "160000 ",
        "0 ",
        "777777777777 ",
        "\0",
        "\0aaaaaaaaaaaaaaaaaaaa",
        ".",
        "..",
        "/",
        "SKILL.md",
        ".git",
        ".GIT",
        "git~1",
        "g\u{200c}it",
        "a",
        "A",
        "é",
        "e\u{301}",
        "\\",
        ":",
        "con",
        "\n",
        "\u{202e}",
        " ",
    ],
    max_len: 1024,
    count: 8000,
};

fn body(input: &[u8]) {
    let Some(tree) = Tree::new(input) else { return };
    let entries = match tree.entries() {
        Ok(entries) => entries,
        Err(message) => return checks::assert_one_line(&message),
    };
    let mut most = 0;
    for (name, _, id) in &entries {
        assert!(
            !name.is_empty() && !matches!(name.as_slice(), b"." | b"..") && !name.contains(&b'/'),
            "{name:?}"
        );
        let first = entries.iter().find(|entry| entry.0 == *name).map(|entry| entry.2);
        assert_eq!(tree.entry(name), Ok(first), "{name:?} of {id}");
        most += name.len() + 22; // a NUL, an id, and at least one digit of the mode
    }
    assert!(most <= input.len(), "more entries than fit into the bytes");
    // Longer than any existing name.
    assert_eq!(tree.entry(&vec![b'x'; input.len() + 1]), Ok(None));
    let names: Vec<&str> =
        entries.iter().filter_map(|entry| std::str::from_utf8(&entry.0).ok()).collect();
    let files = names.iter().map(|name| (*name, Some(&b""[..])));
    let Some((Ok(files), _)) = collect(&Select::default(), Limits::default(), files) else {
        return;
    };
    files.iter().for_each(|file| checks::assert_inside(&file.path));
}

fn seeds() -> Vec<Vec<u8>> {
    let tree = |entries: &[&[u8]]| {
        entries.iter().flat_map(|entry| [*entry, b"\0", &[7; 20]].concat()).collect()
    };
    vec![
        Vec::new(),
        tree(&[b"100644 SKILL.md", b"40000 references", b"100755 run.sh"]),
        tree(&[b"100644 .gitignore", b"120000 link", b"160000 module", b"100644 git~1"]),
        tree(&[b"100644 a", b"100644 A", "100644 é".as_bytes(), "100644 e\u{301}".as_bytes()]),
        tree(&[b"100644 ..", b"100644 a/b"]),
    ]
}
