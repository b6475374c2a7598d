//! Hosts that are this machine, or are on its link.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Names of this machine in the hosts files of common systems. All names below `localhost` are
/// this machine, too.
const LOCAL_NAMES: [&str; 5] =
    ["localhost", "localhost.localdomain", "localhost6", "ip6-localhost", "ip6-loopback"];

/// Returns whether a host, as [`GitUrl::host`](crate::GitUrl::host) returns it, is this machine.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns whether a host is this machine or is on its link, in any spelling that a URL parser or
/// the system's resolver accepts: `localhost.`, `127.1`, `2130706433`, `[::ffff:127.0.0.1]`.
///
/// On the link is where cloud providers serve credentials (`169.254.169.254`). Addresses of private
/// networks are not local. Names are not resolved.
#[must_use]
pub fn is_local(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        let address = address.trim_end_matches(']').parse::<Ipv6Addr>();
        // Another parser may read an invalid address as a local one.
        return address.map_or(true, is_local_v6);
    }
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if LOCAL_NAMES.contains(&host.as_str()) || host.ends_with(".localhost") {
        return true;
    }
    let is_number = |part: &str| parse_number(part).is_some() || is_decimal(part);
    let last = host.rsplit('.').next().unwrap_or_default();
    // A host whose last part is a number is an address, or invalid.
    is_number(last) && parse_v4(&host).is_none_or(is_local_v4)
}

/// Returns whether an address is this machine or is on its link.
#[must_use]
pub const fn is_local_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_local_v4(address),
        IpAddr::V6(address) => is_local_v6(address),
    }
}

const fn is_local_v4(address: Ipv4Addr) -> bool {
    // All of 0.0.0.0/8 is "this host on this network".
    address.is_loopback() || address.is_link_local() || address.octets()[0] == 0
}

const fn is_local_v6(address: Ipv6Addr) -> bool {
    let embedded = match address.segments() {
        // IPv4-mapped, IPv4-compatible (and `::`, `::1`), and translated by NAT64.
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => true,
        _ => false,
    };
    let [.., a, b, c, d] = address.octets();
    address.is_unicast_link_local() || embedded && is_local_v4(Ipv4Addr::new(a, b, c, d))
}

/// Parses an IPv4 address as the URL standard does, and as `inet_aton`: one to four numbers, of
/// which the last one fills the remaining bytes.
///
/// This is own code because the crate `url` would become a dependency of every macro's build.
fn parse_v4(host: &str) -> Option<Ipv4Addr> {
    let mut parts = host.split('.').map(parse_number).collect::<Option<Vec<u64>>>()?;
    let last = parts.pop()?;
    let free = 4_u32.checked_sub(u32::try_from(parts.len()).ok()?)?;
    if free == 0 || last >> (8 * free) != 0 || parts.iter().any(|part| *part > 255) {
        return None;
    }
    let high = (0_u32..).zip(parts).fold(0, |sum, (at, part)| sum | (part << (24 - 8 * at)));
    u32::try_from(high | last).ok().map(Ipv4Addr::from)
}

/// Parses a decimal number, an octal one (`0177`) or a hexadecimal one (`0x7f`).
fn parse_number(part: &str) -> Option<u64> {
    let (digits, radix) = match part.strip_prefix("0x") {
        // The URL standard reads `0x` as 0.
        Some("") => return Some(0),
        Some(digits) => (digits, 16),
        None if part.len() > 1 && part.starts_with('0') => (&part[1..], 8),
        None => (part, 10),
    };
    // `from_str_radix` accepts a sign.
    let is_unsigned = digits.starts_with(|c: char| c.is_ascii_hexdigit());
    is_unsigned.then(|| u64::from_str_radix(digits, radix).ok()).flatten()
}

fn is_decimal(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_hosts_in_every_spelling() {
        for host in [
            "localhost",
            "LocalHost.",
            "a.localhost",
            "a.LOCALHOST..",
            "localhost.localdomain",
            "ip6-loopback",
            "127.0.0.1",
            "127.0.0.1.",
            "127.255.255.254",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0X7F.1",
            "0x7f.0x0.0x0.0x1",
            "017700000001",
            "0177.0.0.1",
            "0",
            "0x",
            "0.0.0.0",
            "0.1.2.3",
            "169.254.169.254",
            "2852039166",
            "0xa9fea9fe",
            "169.16689662",
            "[::]",
            "[::1]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::ffff:169.254.169.254]",
            "[::ffff:0:0]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[fe80::1]",
            "[febf::1]",
            // Invalid addresses.
            "[::1",
            "[1:2]",
            "256.1.1.1",
            "1.2.3.4.5",
            "4294967296",
            "127.0.0.099",
            "99999999999999999999",
            "example.09",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "example.com",
            "localhost.example.com",
            "notlocalhost",
            "0x7f.example",
            "1.example",
            "github.com.",
            "10.0.0.1",
            "192.168.1.1",
            "172.16.0.1",
            "100.64.0.1",
            "128.0.0.1",
            "1.1",
            "126.255.255.255",
            "169.253.255.255",
            "0xg",
            "[2001:db8::1]",
            "[fd00::1]",
            "[fec0::1]",
            "[::ffff:10.0.0.1]",
            "[64:ff9b::a00:1]",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
