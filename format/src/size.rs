//! Sizes as all messages print them.

/// Formats a number of bytes with decimal units: `103 B`, `25.09 kB`, `3.20 MB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let mut unit = 0;
    // Hundredths of the unit, rounded down.
    let mut hundredths = bytes / 10;
    while hundredths >= 100_000 && unit + 1 < UNITS.len() {
        hundredths /= 1_000;
        unit += 1;
    }
    format!("{}.{:02} {}", hundredths / 100, hundredths % 100, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_decimal_units() {
        let shown = [0, 999, 1_000, 25_094, 999_999, 3_200_000, 107_374_182_400].map(size);
        let expected = ["0 B", "999 B", "1.00 kB", "25.09 kB", "999.99 kB", "3.20 MB", "107.37 GB"];
        assert_eq!(shown, expected);
    }
}
