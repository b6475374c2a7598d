//! The decoding half of base64, for `Authorization` headers.

/// The bytes behind standard base64 with or without padding; nothing when it is not base64.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0u32);
    for digit in text.trim_end_matches('=').bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn decodes_with_and_without_padding() {
        assert_eq!(super::decode("dXNlcjpwYXNz").as_deref(), Some(b"user:pass".as_slice()));
        assert_eq!(super::decode("YTpi").as_deref(), Some(b"a:b".as_slice()));
        assert_eq!(super::decode("YTpiYw==").as_deref(), Some(b"a:bc".as_slice()));
        assert_eq!(super::decode("a b"), None);
    }
}
