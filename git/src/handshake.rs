//! The first response of a server: its capabilities and, in old versions of the protocol, its
//! references.
//!
//! gix's own function for this panics if a server names the target of a reference that it does not
//! list.

use std::collections::HashMap;

use gix::bstr::{BString, ByteSlice as _};
use gix::protocol::Handshake;
use gix::protocol::handshake::{Ref, refs};
use gix::protocol::transport::Service;
use gix::protocol::transport::client::blocking_io::SetServiceResponse;

use super::error::Cause;
use super::fetch_response::Failure;
use super::transport::Transport;

/// The capability that names the targets of symbolic references.
const SYMBOLIC: &str = "symref";

/// Begins a conversation. The connector handles credentials.
pub(super) fn greet(transport: &mut Transport) -> Result<Handshake, Failure> {
    let answer = transport
        .handshake(Service::UploadPack, &[])
        .map_err(|error| Failure::from_error(&error))?;
    let SetServiceResponse { actual_protocol, capabilities, refs } = answer;
    let Some(mut lines) = refs else {
        return Ok(Handshake {
            server_protocol_version: actual_protocol,
            capabilities,
            ..Handshake::default()
        });
    };
    let mut targets = HashMap::new();
    for capability in capabilities.iter().filter(|capability| capability.name() == SYMBOLIC) {
        let Some((name, target)) = capability.value().and_then(|value| value.split_once_str(":"))
        else {
            return Err(Failure::Other(Cause::text("a symbolic reference has no target")));
        };
        // As in git, the first target of a name is used.
        targets.entry(BString::from(name)).or_insert_with(|| BString::from(target));
    }
    let others = capabilities.iter().filter(|capability| capability.name() != SYMBOLIC);
    let listed =
        refs::from_v1_refs_received_as_part_of_handshake_and_capabilities(&mut lines, others);
    let (refs, shallow) = listed.map_err(|error| Failure::from_gix(&error))?;
    drop(lines);
    Ok(Handshake {
        server_protocol_version: actual_protocol,
        refs: Some(refs.into_iter().map(|found| symbolic(found, &targets)).collect()),
        v1_shallow_updates: Some(shallow),
        capabilities,
    })
}

/// Adds its target to a symbolic reference.
fn symbolic(found: Ref, targets: &HashMap<BString, BString>) -> Ref {
    match found {
        Ref::Direct { full_ref_name, object } => match targets.get(&full_ref_name) {
            // Servers send `(null)` for a target that the client may not see.
            Some(target) if target != "(null)" => {
                Ref::Symbolic { full_ref_name, target: target.clone(), tag: None, object }
            }
            _ => Ref::Direct { full_ref_name, object },
        },
        other => other,
    }
}
