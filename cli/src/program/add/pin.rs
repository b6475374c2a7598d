//! Pins on the command line and in the manifest.

use crate::program::args::Pin;
use helix_skills_format::{self as format, RefName, Repository, Source, SourceKind, VersionPin};

impl Pin {
    pub(in crate::program) fn version(version: &str) -> Self {
        Self { version: VersionPin::parse(version).ok(), ..Self::default() }
    }

    pub(super) fn reference(name: &str) -> Self {
        Self { reference: RefName::new(name).ok(), ..Self::default() }
    }

    /// Returns the pin of a source.
    pub(super) fn of_source(source: &Source) -> Self {
        let Some(repository) = source.repository() else { return Self::default() };
        let (version, reference) = match repository.pin.clone() {
            format::Pin::Version(version) => (Some(version), None),
            format::Pin::Ref(name) => (None, Some(name)),
            format::Pin::None => (None, None),
        };
        Self { version, reference, sha: repository.sha }
    }

    /// Pins a source.
    pub(super) fn apply(self, source: &mut Source) {
        let Some(repository) = repository_mut(source) else { return };
        repository.sha = self.sha;
        repository.pin = match (self.version, self.reference) {
            (Some(version), _) => format::Pin::Version(version),
            (None, Some(name)) => format::Pin::Ref(name),
            (None, None) => format::Pin::None,
        };
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the fields of the manifest, which are also the options.
    pub(in crate::program) fn fields(&self) -> [(&'static str, Option<String>); 3] {
        let version = self.version.as_ref().map(|version| version.as_str().to_owned());
        let reference = self.reference.as_ref().map(ToString::to_string);
        let sha = self.sha.as_ref().map(ToString::to_string);
        [("version", version), ("ref", reference), ("sha", sha)]
    }

    /// Describes the pin: `version 1.2.0`.
    pub(super) fn describe(&self) -> String {
        let fields = self.fields().into_iter();
        let fields = fields.filter_map(|(field, value)| Some(format!("{field} {}", value?)));
        match self.is_empty() {
            true => "the default branch".to_owned(),
            false => fields.collect::<Vec<_>>().join(", "),
        }
    }
}

/// Returns the repository of a source; `None` for paths.
pub(super) fn repository_mut(source: &mut Source) -> Option<&mut Repository> {
    match &mut source.kind {
        SourceKind::Git { repository, .. } | SourceKind::Marketplace { repository, .. } => {
            Some(repository)
        }
        _ => None,
    }
}
