//! A custom source type: notes, each of which is a skill.

use helix_skills_project::{
    CustomSource, Error, ErrorKind, Project, Resolution, Scope, SourceFile,
    format::{DirPath, Listing, LockedSkill, RelPath, SkillName},
    manifest::{LockedSource, SourceType},
};
use helix_skills_tests::{Sandbox, skill_md};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

/// A backend that stores notes, such as a database table: all editions of each note, by name.
#[derive(Clone, Default)]
pub(crate) struct Notes {
    editions: Arc<Mutex<BTreeMap<String, Vec<String>>>>,
    /// Number of requests for bytes.
    pub(crate) asked: Arc<Mutex<u32>>,
}

impl Notes {
    pub(crate) fn write(&self, name: &str, text: &str) {
        let text = format!("{}{text}\n", skill_md(name));
        self.editions.lock().unwrap().entry(name.to_owned()).or_default().push(text);
    }

    pub(crate) fn remove(&self, name: &str) {
        self.editions.lock().unwrap().remove(name);
    }

    /// Opens a project that knows the source type `x-notes`.
    pub(crate) fn project(&self, sandbox: &Sandbox) -> Project {
        let notes = self.clone();
        let kind = SourceType::new("x-notes").unwrap();
        Project::at(sandbox.project("")).cache_dir(sandbox.path("cache")).source_type(
            kind,
            move |settings| {
                let Some(folder) = settings.get("folder").and_then(|folder| folder.as_str()) else {
                    let message = "a source of notes requires the key `folder`";
                    return Err(Error::new(ErrorKind::Usage, "usage", message));
                };
                Ok(Box::new(Folder { folder: folder.to_owned(), notes: notes.clone() }))
            },
        )
    }
}

struct Folder {
    folder: String,
    notes: Notes,
}

impl Folder {
    fn path(&self, name: &str) -> DirPath {
        DirPath::new(&format!("{}/{name}", self.folder)).unwrap()
    }

    fn file(text: &str) -> SourceFile {
        let path = RelPath::new("SKILL.md").unwrap();
        SourceFile::new(path, text)
    }
}

impl CustomSource for Folder {
    fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Error> {
        *self.notes.asked.lock().unwrap() += 1;
        let editions = self.notes.editions.lock().unwrap().clone();
        let mut resolution = Resolution::default();
        for (name, editions) in &editions {
            let directory = self.path(name);
            let newest = editions.last().filter(|_| scope.selects(&directory));
            let files = newest.map(|newest| Self::file(newest)).into_iter().collect();
            resolution.directories.insert(directory, files);
        }
        resolution.reference =
            Some(format!("edition {}", editions.values().map(Vec::len).sum::<usize>()));
        resolution.warnings.push("notes are short".to_owned());
        Ok(resolution)
    }

    fn fetch(
        &self,
        _: &Scope<'_>,
        _: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Vec<SourceFile>>, Error> {
        *self.notes.asked.lock().unwrap() += 1;
        let editions = self.notes.editions.lock().unwrap();
        let mut found = BTreeMap::new();
        for (name, locked) in skills {
            // Skills may be renamed by the manifest; the locked path has the source's own name.
            let own = locked.path.file_name().unwrap();
            for text in editions.get(own).into_iter().flatten() {
                let file = Self::file(text);
                let listing = Listing::from_files([(file.path.clone(), &file.bytes)]);
                // The locked edition, if it still exists.
                if listing.integrity() == locked.integrity || !found.contains_key(name) {
                    found.insert(name.clone(), vec![file]);
                }
            }
        }
        Ok(found)
    }
}

#[test]
fn custom_source_is_locked_stored_cached_and_checked() {
    let sandbox = Sandbox::with_manifest(
        r#"{"skills": {"team": {"type": "x-notes", "folder": "team", "exclude": ["draft"], "prefix": "n-"}}}"#,
    );
    let notes = Notes::default();
    notes.write("one", "First.");
    notes.write("draft", "Never.");
    let project = notes.project(&sandbox);
    let planned = project.resolve().unwrap();
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    let synced = project.sync().unwrap();
    assert_eq!(synced.lock, planned);
    assert!(synced.warnings.contains(&"notes are short".to_owned()));
    assert_eq!(sandbox.locked_skills(), ["n-one"]);
    assert_eq!(sandbox.lock_json()["sources"]["team"]["ref"], "edition 2");
    assert!(sandbox.read("project/helix.skills/n-one/SKILL.md").ends_with("First.\n"));
    assert_eq!(project.check_store().unwrap().skills, 1);

    // The locked edition is used even if there is a newer one: from store, cache and source, in
    // that order.
    notes.write("one", "Second.");
    *notes.asked.lock().unwrap() = 0;
    assert!(!project.sync().unwrap().lock_changed);
    sandbox.remove_store();
    project.sync().unwrap();
    assert_eq!(*notes.asked.lock().unwrap(), 0);
    sandbox.remove_store();
    sandbox.remove_cache();
    project.sync().unwrap();
    assert_eq!(*notes.asked.lock().unwrap(), 1);
    assert!(sandbox.read("project/helix.skills/n-one/SKILL.md").ends_with("First.\n"));
    // Only an update moves to a newer edition, and only if the caller confirms it.
    let declined = project.update(&[], |planned| !planned.lock_changed).unwrap();
    assert!(
        declined.lock_changed
            && sandbox.read("project/helix.skills/n-one/SKILL.md").ends_with("First.\n")
    );
    project.update(&[], |_| true).unwrap();
    assert!(sandbox.read("project/helix.skills/n-one/SKILL.md").ends_with("Second.\n"));
    // The source is not a repository, so there is nothing to compare upstream.
    assert!(project.outdated(&[]).unwrap().is_empty());
}

#[test]
fn content_of_a_custom_source_is_verified() {
    let sandbox =
        Sandbox::with_manifest(r#"{"skills": {"team": {"type": "x-notes", "folder": "team"}}}"#);
    let notes = Notes::default();
    notes.write("one", "First.");
    let project = notes.project(&sandbox);
    project.sync().unwrap();
    sandbox.remove_store();
    sandbox.remove_cache();
    notes.remove("one");
    let failure = project.sync().unwrap_err();
    assert!(failure.to_string().contains("it no longer has the locked skill `one`"), "{failure}");
    notes.write("one", "Other bytes.");
    let failure = project.sync().unwrap_err();
    assert!(failure.code() == "integrity", "{failure}");
    assert!(failure.hint().unwrap().contains("run `skills update team` and review"));
    assert!(!sandbox.exists("project/helix.skills/one"));

    let mistakes = [
        (r#"{"type": "x-notes"}"#, "a source of notes requires the key `folder`"),
        (r#"{"type": "x-notes", "folder": "t", "include": ["on"]}"#, "did you mean `one`?"),
        (r#"{"type": "x-other"}"#, "unknown source type `x-other`"),
    ];
    for (entry, says) in mistakes {
        sandbox.manifest(&format!(r#"{{"skills": {{"team": {entry}}}}}"#));
        let failure = project.sync().unwrap_err();
        assert!(format!("{failure:?}").contains(says), "{failure:?}");
    }
    notes.write("two", &"x".repeat(3000));
    sandbox.manifest(r#"{"skills": {"team": {"type": "x-notes", "folder": "t"}}, "limits": {"bytesPerFile": 2000}}"#);
    let failure = project.sync().unwrap_err();
    assert!(
        failure.code() == "limit" && failure.to_string().contains("limits.bytesPerFile"),
        "{failure:?}"
    );
}

/// The program can check such a project. To sync it, it names the programs that can.
#[test]
fn program_checks_unknown_source_types() {
    let sandbox =
        Sandbox::with_manifest(r#"{"skills": {"team": {"type": "x-notes", "folder": "team"}}}"#);
    for flag in ["-v", "--offline"] {
        let run = sandbox.skills(["sync", flag]).exits(2);
        run.says([
            "unknown source type `x-notes`",
            "sync with the program that registers this one",
        ]);
    }
    let notes = Notes::default();
    notes.write("one", "First.");
    notes.project(&sandbox).sync().unwrap();
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["list"]).succeeds().prints(["one", "team"]);
    sandbox.skills(["outdated"]).succeeds();
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync", "--locked"]).exits(2).says(["unknown source type `x-notes`"]);
}
