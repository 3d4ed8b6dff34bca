//! The kernels: integer dot products in plain loops of sixteen lanes.
//!
//! Sums are `i32`, so their order cannot change a bit: SIMD or not, native or browser, the answer is the same.
//! The loops carry no intrinsics; they compile to `i32x4.extmul_low_i16x8_s` under `+simd128`, to `pmaddwd` under SSE2.
//! Queries have 16 bits because rows are widened to 16 anyway (twice as fast as 8-bit products, spec/wasm.md §2), so
//! the finer query is free.

/// Lanes of one step: one 128-bit register of row bytes, two of query values.
#[cfg(any(not(target_feature = "simd128"), feature = "index"))]
const LANES: usize = 16;

/// Dot product of a row and a query. Beyond the shorter of the two, nothing is added.
///
/// Cost: one pass, no allocation. The caller bounds the values so that the sum fits (see [`super::QueryVector`]).
pub(super) fn row_query(row: &[i8], query: &[i16]) -> i32 {
    #[cfg(target_feature = "simd128")]
    return row_query_simd(row, query);
    #[cfg(not(target_feature = "simd128"))]
    row_query_lanes(row, query)
}

/// The browser module is compiled for size, which turns the vectoriser off: here the instructions are named. All of
/// them are safe functions. The sums are the same integers in another order.
#[cfg(target_feature = "simd128")]
fn row_query_simd(row: &[i8], query: &[i16]) -> i32 {
    use core::arch::wasm32::{
        i16x8, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat,
        u64x2,
    };
    const STEP: usize = 8;
    let mut sums = i32x4_splat(0);
    let (row_blocks, row_tail) = row.as_chunks::<STEP>();
    let (query_blocks, query_tail) = query.as_chunks::<STEP>();
    for (a, b) in row_blocks.iter().zip(query_blocks) {
        let row = i16x8_extend_low_i8x16(u64x2(u64::from_le_bytes(a.map(|v| v as u8)), 0));
        let query = i16x8(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]);
        sums = i32x4_add(sums, i32x4_dot_i16x8(row, query));
    }
    let tail: i32 = row_tail
        .iter()
        .zip(query_tail)
        .map(|(&a, &b)| i32::from(a) * i32::from(b))
        .sum();
    i32x4_extract_lane::<0>(sums)
        + i32x4_extract_lane::<1>(sums)
        + i32x4_extract_lane::<2>(sums)
        + i32x4_extract_lane::<3>(sums)
        + tail
}

#[cfg(not(target_feature = "simd128"))]
fn row_query_lanes(row: &[i8], query: &[i16]) -> i32 {
    let mut sums = [0i32; LANES];
    let (row_blocks, row_tail) = row.as_chunks::<LANES>();
    let (query_blocks, query_tail) = query.as_chunks::<LANES>();
    for (a, b) in row_blocks.iter().zip(query_blocks) {
        for lane in 0..LANES {
            sums[lane] += i32::from(i16::from(a[lane])) * i32::from(b[lane]);
        }
    }
    let tail: i32 = row_tail
        .iter()
        .zip(query_tail)
        .map(|(&a, &b)| i32::from(a) * i32::from(b))
        .sum();
    sums.iter().sum::<i32>() + tail
}

/// Dot product of two rows of one length.
///
/// Cost: one pass, no allocation. Fits for any row of up to 131,071 dimensions.
#[cfg(feature = "index")] // Only the graph builder compares rows with rows.
pub(super) fn row_row(a: &[i8], b: &[i8]) -> i32 {
    let mut sums = [0i32; LANES];
    let (a_blocks, a_tail) = a.as_chunks::<LANES>();
    let (b_blocks, b_tail) = b.as_chunks::<LANES>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..LANES {
            sums[lane] += i32::from(i16::from(a[lane])) * i32::from(i16::from(b[lane]));
        }
    }
    let tail: i32 = a_tail
        .iter()
        .zip(b_tail)
        .map(|(&a, &b)| i32::from(a) * i32::from(b))
        .sum();
    sums.iter().sum::<i32>() + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive twin: one number after the other, in 64 bits.
    fn naive(row: &[i8], query: &[i16]) -> i64 {
        row.iter()
            .zip(query)
            .map(|(&a, &b)| i64::from(a) * i64::from(b))
            .sum()
    }

    /// A few lines of xorshift: tests need a seed, not a library.
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state >> 16
    }

    #[test]
    fn lanes_agree_with_the_naive_sum_for_every_length() {
        let mut state = 7;
        for dims in (0..100).chain([128, 255, 256, 384, 1000, 1024]) {
            for _ in 0..8 {
                let row: Vec<i8> = (0..dims).map(|_| random(&mut state) as i8).collect();
                let other: Vec<i8> = (0..dims).map(|_| random(&mut state) as i8).collect();
                let query: Vec<i16> = (0..dims)
                    .map(|_| (random(&mut state) % 32_767) as i16 - 16_383)
                    .collect();
                assert_eq!(
                    i64::from(row_query(&row, &query)),
                    naive(&row, &query),
                    "{dims} dimensions"
                );
                let widened: Vec<i16> = other.iter().map(|&v| i16::from(v)).collect();
                assert_eq!(
                    i64::from(row_row(&row, &other)),
                    naive(&row, &widened),
                    "{dims} dimensions"
                );
            }
        }
    }

    #[test]
    fn the_largest_values_do_not_overflow() {
        // 1024 · 128 · 16,383 = 2,147,352,576, just below 2³¹ − 1.
        assert_eq!(row_query(&[-128; 1024], &[-16_383; 1024]), 2_147_352_576);
        assert_eq!(row_query(&[-128; 1024], &[16_383; 1024]), -2_147_352_576);
    }
}
