//! The pkt-lines of a git request.

/// Returns the data lines of pkt-line framed bytes, without the line feed at their end. Skips flush
/// and delimiter packets and stops at the first invalid packet.
pub(super) fn lines(mut body: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some((digits, rest)) = body.split_at_checked(4) {
        let length =
            std::str::from_utf8(digits).ok().and_then(|text| usize::from_str_radix(text, 16).ok());
        let Some(length) = length else { break };
        // 0000 flush, 0001 delimiter, 0002 end of the response.
        if length < 4 {
            body = rest;
            continue;
        }
        let Some((data, rest)) = rest.split_at_checked(length - 4) else { break };
        lines.push(String::from_utf8_lossy(data).trim_end_matches('\n').to_owned());
        body = rest;
    }
    lines
}

/// Returns the object ids of the `want` lines; in version 0, capabilities follow the first id.
pub(super) fn wants(lines: &[String]) -> impl Iterator<Item = &str> {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("want "))
        .filter_map(|rest| rest.split(' ').next())
}

/// Returns a packet with this text.
pub(super) fn packet(text: &str) -> Vec<u8> {
    format!("{:04x}{text}", text.len() + 4).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_its_packets_and_stops_at_garbage() {
        let mut body = packet("command=fetch\n");
        body.extend(b"0001");
        body.extend(packet("want 1234 side-band-64k\n"));
        body.extend(b"0000PACK");
        let read = lines(&body);
        assert_eq!(read, ["command=fetch", "want 1234 side-band-64k"]);
        assert_eq!(wants(&read).collect::<Vec<_>>(), ["1234"]);
    }
}
