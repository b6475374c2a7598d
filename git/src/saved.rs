//! Objects in texts that [`Session::take_read`](super::Session::take_read) returned, read without a
//! repository.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gix::objs::Kind;
use helix_skills_format::ObjectId;

use super::GitOptions;
use super::error::GitError;
use super::objects::{Commit, Object, Objects};
use super::reference::Reference;
use super::repository::Repository;

/// Saved objects, by the ids computed from them.
pub(super) struct Saved(Objects);

impl Repository for Saved {
    fn objects(&self) -> &Objects {
        &self.0
    }

    fn objects_mut(&mut self) -> &mut Objects {
        &mut self.0
    }

    fn refs(&mut self, _: &[String]) -> Result<Vec<Reference>, GitError> {
        Ok(Vec::new())
    }

    fn commit(&mut self, id: &ObjectId, _: Option<&str>) -> Result<Commit, GitError> {
        self.0.commit(id)
    }

    fn prefetch_commits(&mut self, _: &[ObjectId]) -> Result<(), GitError> {
        Ok(())
    }

    fn history(&mut self, _: &ObjectId, _: &ObjectId) -> Result<bool, GitError> {
        Ok(false)
    }

    fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        self.0.expect(ids)
    }
}

impl Saved {
    /// Parses texts, of which each has a name for messages.
    pub(super) fn new(texts: &[(String, String)], options: &GitOptions) -> Result<Self, GitError> {
        let names: Vec<&str> = texts.iter().map(|(name, _)| name.as_str()).collect();
        let mut objects = Objects::new(names.join(", "), options.bytes_per_object);
        let mut count = 0;
        for (name, text) in texts {
            for (number, line) in text.lines().enumerate() {
                let problem = |why: &str| GitError::Corrupt {
                    url: name.clone(),
                    problem: format!("line {}: {why}", number + 1),
                };
                count += 1;
                if count > options.objects_per_fetch {
                    let limit = options.objects_per_fetch;
                    return Err(GitError::limit(name, "objects", "objectsPerFetch", limit));
                }
                let (kind, id, data) =
                    parts(line).ok_or_else(|| problem("expected `KIND ID BASE64`"))?;
                let length = (data.len() / 4 * 3) as u64;
                // Padding is not data.
                if length > objects.largest(kind) + 2
                    || length > objects.room(options.bytes_per_fetch)
                {
                    return Err(problem("the object is too large"));
                }
                let data = BASE64_STANDARD.decode(data).map_err(|_| problem("invalid base64"))?;
                match objects.insert(kind, data) {
                    Ok(found) if found == id => {}
                    Ok(found) => {
                        return Err(problem(&format!("object {id} has the contents of {found}")));
                    }
                    Err(_) => return Err(problem("the object is a SHA-1 collision attack")),
                }
            }
        }
        Ok(Self(objects))
    }
}

/// Splits a line into the kind, the id and the data of an object.
fn parts(line: &str) -> Option<(Kind, ObjectId, &str)> {
    let mut parts = line.splitn(3, ' ');
    let kind = Kind::from_bytes(parts.next()?.as_bytes()).ok()?;
    Some((kind, parts.next()?.parse().ok()?, parts.next()?))
}

/// Returns a text with these objects that [`Saved::new`] parses: always the same one.
pub(super) fn text(objects: &Objects, ids: impl Iterator<Item = ObjectId>) -> String {
    let line = |id| {
        let Object { kind, data } = objects.get(&id)?;
        Some(((kind.to_string(), id), BASE64_STANDARD.encode(data)))
    };
    let lines: BTreeMap<_, _> = ids.filter_map(line).collect();
    lines.into_iter().map(|((kind, id), data)| format!("{kind} {id} {data}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_objects_are_verified() {
        let mut objects = Objects::new("a".to_owned(), 100);
        let id = objects.insert(Kind::Blob, b"text".to_vec()).unwrap();
        let text = text(&objects, [id].into_iter());
        let options = GitOptions::default();
        let parse = |text: &str, options: &GitOptions| {
            Saved::new(&[("a".to_owned(), text.to_owned())], options)
        };
        assert!(parse(&text, &options).unwrap().objects().has(&id));
        // As a union of two branches may have it.
        assert!(parse(&format!("{text}{text}"), &options).is_ok());
        let bad = [
            text.replace("dGV4dA==", "dGV4dB=="),
            text.replace("dGV4dA==", "dGV4dHM="),
            text.replace("blob", "tree"),
            text.replace("blob", "file"),
            "blob\n".to_owned(),
            "\n".to_owned(),
        ];
        for bad in bad {
            assert!(parse(&bad, &options).is_err(), "{bad}");
        }
        let few = GitOptions { objects_per_fetch: 0, ..GitOptions::default() };
        assert!(parse(&text, &few).is_err());
        let small = GitOptions { bytes_per_fetch: 1, ..GitOptions::default() };
        assert!(parse(&text, &small).is_err());
    }
}
