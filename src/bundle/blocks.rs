//! Ends of the blocks that a part is deflated in.
//!
//! A part is columns, one after the other: names, then lengths, then numbers that are nearly random. Codes that fit all
//! of them fit none, and deflate's own encoder ends a block only when it is full, which a part never makes it. Where codes
//! should change is estimated by bytes alone, without what deflate finds to repeat: for parts that is nearly as good as
//! to deflate every choice, at a hundredth of the time.

use std::sync::LazyLock;

/// Pieces at whose ends a block may end, and the least bytes of one.
const PIECES: usize = 16;
const LEAST_PIECE: usize = 128;

/// The estimate of a block's codes: bits for the block, and for each byte that occurs in it.
const BLOCK_BITS: f64 = 100.0;
const CODE_BITS: f64 = 5.0;

/// Bytes to which an end is found, once the pieces are chosen.
const CLOSE: usize = 8;

/// Counts whose logarithms are calculated once.
const TABLE: u32 = 4096;

/// Occurrences of each byte.
type Counts = [u32; 256];

/// Ends of the blocks of `raw`; the last is its own.
pub fn ends(raw: &[u8]) -> Vec<usize> {
    let piece = raw.len().div_ceil(PIECES).max(LEAST_PIECE);
    let mut ends = best(raw, piece);
    let mut step = piece / 2;
    while step >= CLOSE {
        for at in 1..ends.len() {
            let begin = if at == 1 { 0 } else { ends[at - 2] };
            ends[at - 1] = moved(raw, begin, ends[at - 1], ends[at], step);
        }
        step /= 2;
    }
    ends
}

/// The ends of the choice of blocks that is fewest bits, if blocks end with pieces.
fn best(raw: &[u8], piece: usize) -> Vec<usize> {
    let pieces: Vec<Counts> = raw.chunks(piece).map(counted).collect();
    // For each number of pieces, the fewest bits they take, and how many of them are before the last block.
    let mut fewest = vec![(0.0, 0)];
    for to in 1..=pieces.len() {
        let mut counts = [0; 256];
        let mut found = (f64::INFINITY, 0);
        for from in (0..to).rev() {
            add(&mut counts, &pieces[from]);
            let bits = fewest[from].0 + bits(&counts);
            if bits < found.0 {
                found = (bits, from);
            }
        }
        fewest.push(found);
    }
    let mut ends = vec![raw.len()];
    let mut at = fewest.last().map_or(0, |(_, from)| *from);
    while at > 0 {
        ends.push(at * piece);
        at = fewest[at].1;
    }
    ends.reverse();
    ends
}

/// The end between two blocks, or one a step away if that is fewer bits.
fn moved(raw: &[u8], begin: usize, end: usize, next: usize, step: usize) -> usize {
    let both = |at: usize| bits(&counted(&raw[begin..at])) + bits(&counted(&raw[at..next]));
    let mut found = (both(end), end);
    for at in [end - step.min(end), end + step] {
        if begin < at && at < next {
            let bits = both(at);
            if bits < found.0 {
                found = (bits, at);
            }
        }
    }
    found.1
}

fn counted(bytes: &[u8]) -> Counts {
    let mut counts = [0; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    counts
}

fn add(counts: &mut Counts, more: &Counts) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
    }
}

/// Bits of a block with these bytes: what its codes take, and its bytes by them.
fn bits(counts: &Counts) -> f64 {
    let (mut n, mut bits) = (0, BLOCK_BITS);
    for count in counts.iter().filter(|count| **count > 0) {
        n += count;
        bits += CODE_BITS - times_log(*count);
    }
    bits + times_log(n)
}

/// `n` times its binary logarithm.
fn times_log(n: u32) -> f64 {
    static KNOWN: LazyLock<Vec<f64>> = LazyLock::new(|| (0..TABLE).map(calculated).collect());
    let known = KNOWN.get(n as usize).copied();
    known.unwrap_or_else(|| calculated(n))
}

/// [`times_log`] to a sixteenth, so that no machine's rounding chooses other blocks.
fn calculated(n: u32) -> f64 {
    let n = f64::from(n.max(1));
    (n * n.log2() * 16.0).round() / 16.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that repeat nothing, from 0 to `below`.
    fn numbers(n: usize, below: u32) -> Vec<u8> {
        let mut state = 1u32;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % below) as u8
        };
        (0..n).map(next).collect()
    }

    #[test]
    fn blocks_end_where_columns_do() {
        let columns = [numbers(1500, 5), numbers(1100, 250), numbers(2000, 12)];
        let found = ends(&columns.concat());
        assert_eq!(found.len(), 3, "{found:?}");
        for (found, end) in found.iter().zip([1500, 2600, 4600]) {
            assert!(found.abs_diff(end) <= 2 * CLOSE, "{found} is not at {end}");
        }
    }

    #[test]
    fn alike_bytes_are_one_block() {
        for raw in [numbers(4000, 40), b"the same words again ".repeat(200)] {
            assert_eq!(ends(&raw), [raw.len()]);
        }
    }

    #[test]
    fn the_last_end_is_that_of_the_part_whatever_its_length() {
        for n in [0, 1, 2, 127, 128, 129, 2047, 2048, 2049, 70_000] {
            for below in [1, 2, 250] {
                let raw = [numbers(n / 2, below), numbers(n - n / 2, 250)].concat();
                let found = ends(&raw);
                assert_eq!(found.last(), Some(&n));
                assert!(found.is_sorted_by(|a, b| a < b), "{found:?}");
            }
        }
    }
}
