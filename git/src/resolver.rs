//! Name resolution that keeps URLs from fetched data away from this machine.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use helix_skills_format::__internal::is_local_address;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::wait::lock;

/// Resolves names with the system's resolver, and refuses those that resolve to this machine or its
/// link-local network unless the user has named the host. Connections use the checked addresses.
///
/// Through a proxy, only the name of the proxy is resolved here.
#[derive(Clone, Default)]
pub(super) struct Resolver {
    named: Arc<Mutex<BTreeSet<String>>>,
}

/// The error for a host that resolves to a local address.
#[derive(Debug, thiserror::Error)]
#[error("`{host}`, which the user has not named, resolves to the local address {address}")]
pub(super) struct LocalAddress {
    host: String,
    address: IpAddr,
}

impl Resolver {
    /// Lets a host that the user has named have a local address.
    pub(super) fn add_named(&self, host: &str) {
        lock(&self.named).insert(host.to_ascii_lowercase());
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_ascii_lowercase();
        let is_named = lock(&self.named).contains(&host);
        Box::pin(async move {
            // Port 0 stands for the port of the URL.
            let found: Vec<SocketAddr> = tokio::net::lookup_host((&*host, 0)).await?.collect();
            let local = found.iter().map(SocketAddr::ip).find(|address| is_local_address(*address));
            match local.filter(|_| !is_named) {
                Some(address) => Err(LocalAddress { host, address }.into()),
                None => Ok(Box::new(found.into_iter()) as Addrs),
            }
        })
    }
}
