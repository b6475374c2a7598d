//! Files of a skill as contents of a resource.

use base64::{Engine, prelude::BASE64_STANDARD};
use helix_skills_format::Digest;
use mime_guess::MimeGuess;
use rmcp::model::ResourceContents;

/// The name of the file with the instructions.
pub(crate) const SKILL_MD: &str = "SKILL.md";

/// Returns the digest of a file without one: of a skill that was not embedded.
pub(crate) fn digest(bytes: &[u8]) -> String {
    #[cfg(test)]
    tests::HASHED.with(|hashed| hashed.set(hashed.get() + 1));
    format!("sha256:{}", Digest::hash(bytes))
}

/// Returns the media type of a path by its extension.
pub(crate) fn mime_type(path: &str) -> Option<&'static str> {
    MimeGuess::from_path(path).first_raw()
}

/// Returns the content of a file, exactly its bytes: as text if it is UTF-8 without a NUL.
pub(crate) fn contents(uri: &str, path: &str, bytes: Vec<u8>) -> ResourceContents {
    let contents = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => ResourceContents::text(text, uri),
        Ok(text) => ResourceContents::blob(BASE64_STANDARD.encode(text), uri),
        Err(error) => ResourceContents::blob(BASE64_STANDARD.encode(error.as_bytes()), uri),
    };
    match mime_type(path) {
        Some(mime_type) => contents.with_mime_type(mime_type),
        None => contents,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::Skills;
    use helix_skills::{AsyncToolbox, include_skills};
    use rmcp::model::SkillResources;

    include_skills!(mod skills, "../examples/agent");

    thread_local! {
        /// Number of files that this thread has hashed.
        pub(super) static HASHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    /// Reads every listed file, and returns how many there are.
    async fn read_all(skills: &Skills) -> usize {
        let mut read = 0;
        let snapshot = skills.last();
        for entry in &snapshot.entries {
            let SkillResources::Files(files) = &entry.skill.resources else {
                panic!("it is dynamic")
            };
            for file in files {
                let path = entry.path(&file.uri).unwrap();
                assert!(snapshot.source.read(&entry.name, path).await.unwrap().is_some());
                read += 1;
            }
        }
        read
    }

    #[tokio::test]
    async fn embedded_skills_are_never_hashed() {
        HASHED.set(0);
        let files = read_all(&skills::TOOLBOX.into()).await;
        assert!(files > 3);
        assert_eq!(HASHED.get(), 0);

        // A skill that was copied with other content has no digest any more.
        let mut copy = skills::SKILLS.get("incident-review").unwrap().clone();
        copy.insert_resource("references/questions.md", "Why?").unwrap();
        let copied = Skills::new(AsyncToolbox::builder(vec![copy])).await.unwrap();
        read_all(&copied).await;
        assert_eq!(HASHED.get(), 1);
    }
}
