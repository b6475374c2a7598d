//! Sorting in constant functions, and searching what is sorted and no slice.

use core::ops::Range;

/// Sorts an array: `sorted!(array, a, b => whether a comes before b)`.
///
/// It is a heap sort, because the compiler interprets it: a quadratic sort would be too slow for a
/// thousand items.
macro_rules! sorted {
    ($items:expr, $a:ident, $b:ident => $less:expr) => {{
        let mut items = $items;
        let mut start = items.len() / 2;
        let mut end = items.len();
        while end > 1 {
            if start > 0 {
                start -= 1;
            } else {
                end -= 1;
                items.swap(0, end);
            }
            // Moves the item at `root` down until it is not less than its children.
            let mut root = start;
            loop {
                let mut child = 2 * root + 1;
                if child >= end {
                    break;
                }
                if child + 1 < end {
                    let ($a, $b) = (&items[child], &items[child + 1]);
                    if $less {
                        child += 1;
                    }
                }
                let ($a, $b) = (&items[root], &items[child]);
                if !$less {
                    break;
                }
                items.swap(root, child);
                root = child;
            }
        }
        items
    }};
}
pub(crate) use sorted;

/// Returns the first index of a range for which `holds` is true, assuming that it is then true for
/// all later ones; else the end of the range.
pub(crate) fn first(range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use crate::tests::Samples;
    use alloc::{string::String, vec::Vec};

    fn check<const N: usize>() {
        for texts in 0..if cfg!(miri) { 2 } else { 200 } {
            let texts: Vec<_> = Samples::new("abc", 5).skip(texts * 7).take(N).collect();
            let array: [String; N] = core::array::from_fn(|at| texts[at].clone());
            let mut expected = texts;
            expected.sort_unstable();
            assert_eq!(sorted!(array, a, b => a < b)[..], expected);
        }
    }

    #[test]
    fn arrays_of_every_length_are_sorted() {
        check::<0>();
        check::<1>();
        check::<2>();
        check::<3>();
        check::<7>();
        check::<8>();
        check::<64>();
    }
}
