//! Pins on the command line and in the manifest.

use crate::program::args::Pin;
use helix_skills_format::{self as format, RefName, Source, SourceKind, VersionPin};

impl Pin {
    pub(super) fn version(version: &str) -> Self {
        Self { version: VersionPin::parse(version).ok(), ..Self::default() }
    }

    pub(super) fn reference(name: &str) -> Self {
        Self { reference: RefName::new(name).ok(), ..Self::default() }
    }

    /// Returns the pin of a source.
    pub(super) fn of_source(source: &Source) -> Self {
        let mut pin = Self::default();
        if let Some(repository) = source.repository() {
            pin.sha = repository.sha;
            match &repository.pin {
                format::Pin::Version(version) => pin.version = Some(version.clone()),
                format::Pin::Ref(name) => pin.reference = Some(name.clone()),
                format::Pin::None => {}
            }
        }
        pin
    }

    /// Pins a source.
    pub(super) fn apply(self, source: &mut Source) {
        let (SourceKind::Git { repository, .. } | SourceKind::Marketplace { repository, .. }) =
            &mut source.kind
        else {
            return;
        };
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
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let version = self.version.as_ref().map(|version| version.as_str().to_owned());
        let reference = self.reference.as_ref().map(ToString::to_string);
        let sha = self.sha.as_ref().map(ToString::to_string);
        let fields = [("version", version), ("ref", reference), ("sha", sha)];
        fields.into_iter().filter_map(|(field, value)| Some((field, value?))).collect()
    }

    /// Describes the pin: `version 1.2.0`.
    pub(super) fn describe(&self) -> String {
        let fields = self.fields().into_iter().map(|(field, value)| format!("{field} {value}"));
        match self.is_empty() {
            true => "the default branch".to_owned(),
            false => fields.collect::<Vec<_>>().join(", "),
        }
    }
}
