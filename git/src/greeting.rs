//! The first response of a server: its capabilities and, in old versions of the protocol, its
//! references.

use std::collections::HashMap;

use gix::bstr::ByteSlice as _;
use gix::protocol::transport::client::Capabilities;

use super::packets::{Failure, Packets, next_line};
use super::reference::{Reference, split_id};

/// The capabilities that the requests of this program need, as servers with version 2 of the
/// protocol send them. Without `object-format`, which means SHA-1.
const ASSUMED: &str = "version 2\nls-refs\nfetch=shallow filter\n";

/// What a server supports.
pub(super) struct Greeting {
    capabilities: Capabilities,
    /// All references, from a server without version 2 of the protocol.
    pub(super) refs: Option<Vec<Reference>>,
}

impl Greeting {
    /// Returns the greeting to expect of a server that was not asked for one.
    pub(super) fn assumed() -> Result<Self, Failure> {
        Ok(Self { capabilities: Capabilities::from_lines(ASSUMED.into())?, refs: None })
    }

    /// Reads a greeting. Over HTTP, an announcement of the service may precede it.
    pub(super) fn read(packets: &mut Packets) -> Result<Self, Failure> {
        let mut first = next_line(packets)?.map(<[u8]>::to_vec);
        if first.as_ref().is_some_and(|line| line.starts_with(b"# service=")) {
            while next_line(packets)?.is_some() {}
            packets.reset();
            first = next_line(packets)?.map(<[u8]>::to_vec);
        }
        let first = first.ok_or_else(|| Failure::protocol("it is empty"))?;
        if !first.starts_with(b"version ") {
            return Self::read_old(&first, packets);
        }
        let mut lines = first;
        while let Some(line) = next_line(packets)? {
            lines.push(b'\n');
            lines.extend_from_slice(line);
        }
        Ok(Self { capabilities: Capabilities::from_lines(lines.into())?, refs: None })
    }

    /// Reads a greeting of versions 0 and 1, whose first line has the capabilities.
    fn read_old(first: &[u8], packets: &mut Packets) -> Result<Self, Failure> {
        let (capabilities, end) = Capabilities::from_bytes(first)?;
        let mut targets = HashMap::new();
        for capability in capabilities.iter().filter(|capability| capability.name() == "symref") {
            let symref = capability.value().and_then(|value| value.split_once_str(":"));
            let (name, target) =
                symref.ok_or_else(|| Failure::protocol("a symbolic reference has no target"))?;
            // As in git, the first target of a name is used.
            targets.entry(name).or_insert(target);
        }
        let mut refs = Vec::new();
        let mut add = |line: &[u8]| {
            if line.starts_with(b"shallow ") {
                return Ok(());
            }
            let (id, name) = split_id(line)?;
            match name.strip_suffix(b"^{}") {
                None => refs.extend(Reference::checked(name, id, id, targets.get(name).copied())),
                // The line after a tag has the object that it leads to.
                Some(tag) => {
                    let tag =
                        refs.last_mut().filter(|last: &&mut Reference| last.name.as_bytes() == tag);
                    tag.into_iter().for_each(|tag| tag.peeled = id);
                }
            }
            Ok::<_, Failure>(())
        };
        add(&first[..end])?;
        while let Some(line) = next_line(packets)? {
            add(line)?;
        }
        Ok(Self { capabilities, refs: Some(refs) })
    }

    /// Returns the kind of object ids, if the server names it.
    pub(super) fn object_format(&self) -> Option<&[u8]> {
        Some(self.capabilities.capability("object-format")?.value()?)
    }

    /// Returns whether fetches may use a feature such as `filter`.
    pub(super) fn supports(&self, feature: &str) -> bool {
        match self.refs {
            None => self
                .capabilities
                .capability("fetch")
                .and_then(|fetch| fetch.supports(feature))
                .unwrap_or_default(),
            Some(_) => self.capabilities.contains(feature),
        }
    }
}
