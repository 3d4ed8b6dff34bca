//! Sorting, once.
//!
//! The standard sort is compiled anew for every element type and comparison: ninety kilobytes of the browser module
//! before this file. Here numbers are sorted by a comparison behind a reference, and the items follow.

use std::cmp::Ordering;

/// Sorts `items` stably by `compare`. O(n log n) comparisons, one swap of each item.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted(items.len(), &|a, b| compare(&items[a], &items[b]));
    permute(order, &mut |a, b| items.swap(a, b));
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

/// Brings item `order[i]` to `i`, for all `i`, by swaps along the cycles.
#[inline(never)]
fn permute(mut order: Vec<u32>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at as u32) as usize;
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
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
