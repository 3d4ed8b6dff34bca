//! Sorting, once.
//!
//! The standard sort is compiled anew for every element type and comparison: ninety kilobytes of the browser module
//! before this file. Here numbers are sorted by a comparison behind a reference, and the items follow.

use std::cmp::Ordering;

/// Sorts `items` stably by `compare`. O(n log n) comparisons, one move of each item.
pub fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted(items.len(), &|a, b| compare(&items[a], &items[b]));
    let mut moved: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|i| moved[i as usize].take()));
}

/// Sorts numbers and drops repeats.
pub fn sort_dedup(numbers: &mut Vec<u32>) {
    sort_by(numbers, u32::cmp);
    numbers.dedup();
}

/// The positions `0..n` in order. Never inlined: this is the one copy.
#[inline(never)]
fn sorted(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| compare(a as usize, b as usize));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut seed = 7u32;
        let mut items: Vec<(u32, u32)> = (0..500)
            .map(|i| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 28, i)
            })
            .collect();
        let mut expected = items.clone();
        expected.sort_by_key(|i| i.0);
        sort_by(&mut items, |a, b| a.0.cmp(&b.0));
        assert_eq!(items, expected);
        let mut numbers = vec![3, 1, 3, 2];
        sort_dedup(&mut numbers);
        assert_eq!(numbers, [1, 2, 3]);
    }
}
