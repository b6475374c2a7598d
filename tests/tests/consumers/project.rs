//! Lockfile and store of a project, written with the types of the format, without git or network.

use crate::cargo::Consumer;
use helix_skills_format::{Listing, Lock, RelPath};
use serde_json::{Map, Value, json};

/// A commit that no repository has.
pub(crate) const COMMIT: &str = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";

/// A skill: its name in the lockfile, its origin, and its files.
pub(crate) struct Locked {
    pub(crate) name: &'static str,
    pub(crate) origin: Origin,
    pub(crate) files: Vec<(&'static str, Vec<u8>)>,
}

/// The source of a skill.
pub(crate) enum Origin {
    /// A directory of `team`, a git repository.
    Team(&'static str),
    /// A directory of `own`, a `path` source for the directory `own`.
    Own(&'static str),
}

/// Returns a skill of the repository with a valid `SKILL.md` and these other files.
pub(crate) fn team(name: &'static str, files: &[(&'static str, &[u8])]) -> Locked {
    let text = format!("---\nname: {name}\ndescription: Does {name}.\n---\n# {name}\n");
    let mut all = vec![("SKILL.md", text.into_bytes())];
    all.extend(files.iter().map(|(path, bytes)| (*path, bytes.to_vec())));
    Locked { name, origin: Origin::Team("skills/x"), files: all }
}

/// Returns the `skills` of the manifest that [`write`] locks.
pub(crate) fn sources() -> Value {
    json!({
        "own": {"type": "path", "path": "own"},
        "team": {"type": "git", "url": "https://example.com/team.git", "ref": "v1"},
    })
}

/// Writes lockfile, listings and files to `dir` of the consumer.
pub(crate) fn write(consumer: &Consumer, dir: &str, skills: &[Locked]) {
    let at = |path: &str| if dir.is_empty() { path.to_owned() } else { format!("{dir}/{path}") };
    let mut locked = Map::new();
    for skill in skills {
        let files = skill.files.iter().map(|(path, bytes)| (RelPath::new(*path).unwrap(), bytes));
        let listing = Listing::from_files(files);
        consumer.write(&at(&format!("helix.skills/{}.sha256", skill.name)), listing.to_string());
        let (source, path, home) = match skill.origin {
            Origin::Team(path) => ("team", path, format!("helix.skills/{}", skill.name)),
            Origin::Own(".") => ("own", ".", "own".to_owned()),
            Origin::Own(path) => ("own", path, format!("own/{path}")),
        };
        for (path, bytes) in &skill.files {
            consumer.write(&at(&format!("{home}/{path}")), bytes);
        }
        let bytes: usize = skill.files.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut entry = json!({
            "source": source, "path": path, "integrity": listing.integrity().to_string(),
            "files": listing.len(), "bytes": bytes,
        });
        if source == "team" {
            entry["tree"] = COMMIT.into();
        }
        locked.insert(skill.name.to_owned(), entry);
    }
    let requests = sources();
    let sources = json!({
        "own": {"request": requests["own"]},
        "team": {"request": requests["team"], "ref": "refs/tags/v1", "commit": COMMIT},
    });
    let text =
        json!({"version": 1, "sources": sources, "skills": Value::Object(locked)}).to_string();
    consumer.write(&at("helix.skills.lock"), Lock::parse(&text).unwrap().to_string());
}
