//! Repositories on disk.

use helix_skills_format::{__internal::one_line_chain, GitUrl, ObjectId};
#[cfg(unix)]
use std::time::Duration;

use super::fixture::{Upstream, file_url};
use super::{git_with, nowhere};
use crate::{EntryKind, ErrorKind};

fn all() -> Vec<String> {
    vec!["HEAD".to_owned(), "refs/".to_owned()]
}

fn url(path: &std::path::Path) -> GitUrl {
    GitUrl::parse(&file_url(path)).unwrap()
}

#[test]
fn every_way_to_name_a_repository() {
    let upstream = Upstream::new();
    let root = file_url(upstream.root());
    let git = git_with(|options| options.offline = true);
    for text in [
        "./up.git",
        "./up",
        "./work",
        "./work/.git",
        // A path without a drive is not absolute on Windows.
        #[cfg(unix)]
        &upstream.bare().display().to_string(),
        &format!("{root}/%75p.git"),
    ] {
        let mut session = git.session(&GitUrl::parse(text).unwrap(), upstream.root()).unwrap();
        let refs = session.refs(&all()).unwrap();
        let names: Vec<&str> = refs.iter().map(|reference| reference.name.as_str()).collect();
        assert_eq!(
            names,
            ["HEAD", "refs/heads/main", "refs/tags/light", "refs/tags/v1", "refs/tags/v1-tag"],
            "{text}"
        );
    }
}

#[test]
fn references_commits_trees_and_files() {
    let upstream = Upstream::new();
    let git = git_with(|_| ());
    let mut session = git.session(&url(&upstream.bare()), nowhere()).unwrap();
    let refs = session.refs(&all()).unwrap();
    assert_eq!(refs[0].target.as_deref(), Some("refs/heads/main"));
    assert_eq!((refs[0].id, refs[0].peeled), (upstream.id("main"), upstream.id("main")));
    let tag = refs.iter().find(|reference| reference.name == "refs/tags/v1-tag").unwrap();
    assert_eq!((tag.id, tag.peeled), (upstream.id("v1-tag"), upstream.id("v1^{commit}")));
    let commit = session.commit(&tag.id, None).unwrap();
    assert_eq!((commit.id, commit.tree), (upstream.id("v1^{commit}"), upstream.id("v1^{tree}")));
    let root = session.entries(&commit.tree).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    let names: Vec<String> =
        root.iter().map(|entry| String::from_utf8_lossy(entry.name).into_owned()).collect();
    assert_eq!(names, ["assets", "empty", "skills"]);
    assert!(root[2].kind == EntryKind::Directory);
    let id = upstream.id("v1:skills/a/SKILL.md");
    session.blobs(&[id]).unwrap();
    assert_eq!(session.blob(&id).unwrap(), upstream.bytes("v1:skills/a/SKILL.md"));
    assert_eq!(session.entries(&id).err().unwrap().kind(), ErrorKind::Corrupt);
    assert_eq!(session.commit(&commit.tree, None).unwrap_err().kind(), ErrorKind::NotFound);
    let none = ObjectId::from([0; 20]);
    assert_eq!(session.blobs(&[none]).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(session.commit(&none, None).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn replacement_references_are_ignored() {
    let upstream = Upstream::new();
    let original = upstream.id("main:skills/a/SKILL.md");
    let bytes = upstream.bytes("main:skills/a/SKILL.md");
    let other = upstream.id("main:skills/b/SKILL.md");
    upstream.git(&upstream.bare(), &["replace", &original.to_string(), &other.to_string()]);
    assert_ne!(upstream.bytes("main:skills/a/SKILL.md"), bytes, "git obeys");
    let git = git_with(|_| ());
    let mut session = git.session(&url(&upstream.bare()), nowhere()).unwrap();
    session.blobs(&[original]).unwrap();
    assert_eq!(session.blob(&original).unwrap(), bytes);
}

#[test]
fn objects_with_a_wrong_id_are_rejected() {
    let upstream = Upstream::new();
    let work = upstream.root().join("work");
    let place = |id: ObjectId| {
        let hex = id.to_string();
        work.join(".git/objects").join(&hex[..2]).join(&hex[2..])
    };
    let (a, b) = (upstream.id("main:skills/a/SKILL.md"), upstream.id("main:skills/b/SKILL.md"));
    // Objects are read-only, and Windows does not remove such files.
    std::fs::rename(place(a), upstream.root().join("original")).unwrap();
    std::fs::copy(place(b), place(a)).unwrap();
    let git = git_with(|_| ());
    let mut session = git.session(&url(&work), nowhere()).unwrap();
    let error = session.blobs(&[a]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(error.to_string().contains(&b.to_string()), "{error}");
}

#[test]
fn files_over_the_limit() {
    let upstream = Upstream::new();
    let git = git_with(|options| options.bytes_per_object = 50_000);
    let mut session = git.session(&url(&upstream.bare()), nowhere()).unwrap();
    let id = upstream.id("main:assets/noise.bin");
    session.blobs(&[id]).unwrap();
    assert!(session.has(&id));
    let error = session.blob(&id).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    session.blobs(&[upstream.id("main:empty")]).unwrap();
    assert!(session.blob(&upstream.id("main:empty")).unwrap().is_empty());
    assert!(error.to_string().contains("50000"), "{error}");
    assert!(error.hint().unwrap().contains("`limits.bytesPerFile`"));
}

#[test]
fn directories_without_a_repository_are_errors() {
    let upstream = Upstream::new();
    std::fs::create_dir(upstream.root().join("plain")).unwrap();
    let git = git_with(|_| ());
    for (path, hint) in [("./plain", "a source of type `path`"), ("./absent", "check the path")] {
        let mut session = git.session(&GitUrl::parse(path).unwrap(), upstream.root()).unwrap();
        let error = session.refs(&all()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Local);
        assert!(error.hint().unwrap().contains(hint));
    }
}

/// Opening a pipe would wait for its other end.
#[cfg(unix)]
#[test]
fn pipes_in_a_repository_are_errors() {
    for name in [
        "HEAD",
        "config",
        "config.worktree",
        "packed-refs",
        "objects/info/alternates",
        "objects/other/info/alternates",
    ] {
        for directory in ["up.git", "work/.git"] {
            let upstream = Upstream::new();
            let path = upstream.root().join(directory).join(name);
            if name.starts_with("objects/other") {
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                let objects = upstream.root().join(directory).join("objects");
                std::fs::write(objects.join("info/alternates"), "# one\nother\n").unwrap();
            }
            let _ = std::fs::remove_file(&path);
            let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
            assert!(made.success());
            let (sender, receiver) = std::sync::mpsc::channel();
            let url = url(&upstream.root().join(directory));
            std::thread::spawn(move || {
                let git = git_with(|_| ());
                let error = git.session(&url, nowhere()).unwrap().refs(&all()).unwrap_err();
                sender.send(format!("{error}: {}", one_line_chain(&error))).unwrap();
            });
            let error = receiver.recv_timeout(Duration::from_secs(60)).expect("it waits");
            assert!(error.contains(&format!("/{name}`")), "{error}");
            assert!(error.contains("expected a regular file"), "{error}");
        }
    }
}

#[test]
fn sha256_repositories_are_not_supported() {
    let upstream = Upstream::new();
    upstream.git(upstream.root(), &["init", "-q", "--object-format=sha256", "new"]);
    let git = git_with(|_| ());
    let mut session = git.session(&GitUrl::parse("./new").unwrap(), upstream.root()).unwrap();
    let error = session.refs(&all()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read `./new`: it uses SHA-256 object ids, which are not supported"
    );
}

#[test]
fn a_tree_is_parsed_once_for_its_lookups() {
    let upstream = Upstream::new();
    // Six trees: 96 steps.
    let git = git_with(|options| options.objects_per_fetch = 6);
    let mut session = git.session(&url(&upstream.bare()), nowhere()).unwrap();
    let commit = session.commit(&upstream.id("main"), None).unwrap();
    session.count_steps_for("a");
    // The first lookup parses three entries.
    for _ in 0..93 {
        assert!(
            session.entry(&commit.tree, b"skills").unwrap().unwrap().kind == EntryKind::Directory
        );
    }
    let error = session.entry(&commit.tree, b"skills").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    session.count_steps_for("b");
    assert_eq!(session.entry(&commit.tree, b"nothing").unwrap(), None);
    assert_eq!(
        session.entry(&commit.tree, b"empty").unwrap().unwrap().id,
        upstream.id("main:empty")
    );
}
