//! Vectors as bytes: rows of 2- to 4- or 8-bit integers, then one scale per row.
//!
//! Shape: `n` rows of `ceil(dims · bits / 8)` bytes each, then `n` scales of two bytes, the upper half of an `f32`
//! (bfloat16), little-endian. Value `i` of row `r` is `scale[r] · integer`.
//! 8 bits: two's complement, −127 to 127. 4 bits: low nibble first, integer + 8, −7 to 7; an odd last nibble holds 8.
//! 2 and 3 bits: lowest bits first, the odd integers from −3 to 3 and from −7 to 7, as (integer + 3) / 2 and
//! (integer + 7) / 2; what is left of a row's last byte holds 0.
//!
//! Source: spec/embedding.md §6, where 64 dimensions at 4 bits cost .003 of hybrid nDCG against 384 in `f32`.
//! bfloat16 instead of half floats: one shift decodes it on every target, and integers are chosen for the scale
//! *after* rounding, so the 0.2 % it may be off costs nothing but range.

use crate::base::error::{Error, ErrorKind, Result};

/// Bytes of one scale.
const SCALE_BYTES: usize = 2;

/// Bytes that `n` vectors of `dims` dimensions take at `bits` (2, 3, 4 or 8) per value, scales included.
///
/// Saturates where the product does not fit, so a length check against it fails as it should.
pub fn packed_len(n: usize, dims: usize, bits: u8) -> usize {
    dims.checked_mul(usize::from(bits))
        .and_then(|row_bits| row_bits.div_ceil(8).checked_add(SCALE_BYTES))
        .and_then(|row_bytes| row_bytes.checked_mul(n))
        .unwrap_or(usize::MAX)
}

/// Packs vectors: rows first, then scales.
///
/// `vectors` is row-major, `n × dims`, in any unit; lengths survive (a row's length sits in its scale).
/// A row that holds NaN or infinity is stored as zero: nothing is similar to it.
/// The error per value is at most half a step, a step being the row's largest magnitude / 127 or / 7. At 2 and 3 bits a
/// step is 1 and .586 of the row's root mean square, and larger values than two or four steps are cut off.
///
/// # Panics
/// When `bits` is none of these, or `vectors` is not whole rows: both are defects of the caller.
pub fn quantize(vectors: &[f32], dims: usize, bits: u8) -> Vec<u8> {
    assert!(
        matches!(bits, 2..=4 | 8),
        "rows have 2 to 4 or 8 bits per value, not {bits}"
    );
    assert!(
        dims > 0 && vectors.len().is_multiple_of(dims),
        "{} values are not rows of {dims}",
        vectors.len()
    );
    let n = vectors.len() / dims;
    let mut bytes = Vec::with_capacity(packed_len(n, dims, bits));
    let mut scales = Vec::with_capacity(n);
    for row in vectors.chunks_exact(dims) {
        let (integers, scale) = quantize_row(row, bits);
        scales.push(scale);
        match bits {
            8 => bytes.extend(integers.iter().map(|&v| v as u8)),
            4 => bytes.extend(
                integers
                    .chunks(2)
                    .map(|pair| nibble(pair[0]) | nibble(*pair.get(1).unwrap_or(&0)) << 4),
            ),
            _ => put_odd(&mut bytes, &integers, bits),
        }
    }
    bytes.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
    bytes
}

/// Reads what [`pack`] wrote: one `i8` per value, one `f32` per row.
///
/// Errors: [`ErrorKind::BundleDamaged`] when the length is not exactly [`packed_len`], or a scale is negative, NaN or
/// infinite; after that no arithmetic on the rows can make a NaN.
pub(super) fn unpack(bytes: &[u8], n: usize, dims: usize, bits: u8) -> Result<(Vec<i8>, Vec<f32>)> {
    let damaged = |message: String| Error::new(ErrorKind::BundleDamaged, message);
    if !matches!(bits, 2..=4 | 8) {
        return Err(damaged(format!(
            "vectors have {bits} bits per value, expected 2 to 4 or 8"
        )));
    }
    let expected = packed_len(n, dims, bits);
    if bytes.len() != expected {
        return Err(damaged(format!(
            "{n} vectors of {dims} dimensions take {expected} bytes, got {}",
            bytes.len()
        )));
    }
    let (rows, scales) = bytes.split_at(bytes.len() - n * SCALE_BYTES);
    let integers = match bits {
        8 => rows.iter().map(|&b| b as i8).collect(),
        4 if dims.is_multiple_of(2) => rows.iter().flat_map(|&b| halves(b)).collect(),
        4 => rows
            .chunks_exact(dims.div_ceil(2))
            .flat_map(|row| row.iter().flat_map(|&b| halves(b)).take(dims))
            .collect(),
        _ => rows
            .chunks_exact((dims * usize::from(bits)).div_ceil(8).max(1))
            .flat_map(|row| (0..dims).map(|i| odd(row, i, bits)))
            .collect(),
    };
    let scales: Vec<f32> = scales
        .as_chunks::<SCALE_BYTES>()
        .0
        .iter()
        .map(|&b| f32::from_bits(u32::from(u16::from_le_bytes(b)) << 16))
        .collect();
    match scales
        .iter()
        .position(|s| !s.is_finite() || s.is_sign_negative())
    {
        Some(row) => Err(damaged(format!(
            "vector {row} has a scale that is negative or not finite"
        ))),
        None => Ok((integers, scales)),
    }
}

/// One row as integers and the bits of its bfloat16 scale.
fn quantize_row(row: &[f32], bits: u8) -> (Vec<i8>, u16) {
    if bits < 4 {
        return odd_row(row, bits);
    }
    let limit = if bits == 8 { 127.0f32 } else { 7.0 };
    let largest = row.iter().fold(0.0f32, |m, v| {
        if v.is_finite() {
            m.max(v.abs())
        } else {
            f32::INFINITY
        }
    });
    let scale_bits = if largest.is_finite() {
        to_bfloat16(largest / limit)
    } else {
        0
    };
    let scale = f32::from_bits(u32::from(scale_bits) << 16);
    if scale == 0.0 {
        return (vec![0; row.len()], 0);
    }
    (
        row.iter()
            .map(|v| (v / scale).round().clamp(-limit, limit) as i8)
            .collect(),
        scale_bits,
    )
}

/// One row as odd integers, in steps that are next to the best for normal numbers (Max 1960), and the bits of the scale
/// with which it keeps its length.
fn odd_row(row: &[f32], bits: u8) -> (Vec<i8>, u16) {
    let square: f32 = row.iter().map(|v| v * v).sum();
    let step = (square / row.len() as f32).sqrt() * if bits == 2 { 1.0 } else { 0.586 };
    if !(step.is_finite() && step > 0.0) {
        return (vec![1; row.len()], 0);
    }
    let half = f32::from(1i8 << (bits - 1));
    let odd = |v: &f32| (v / step).floor().clamp(-half, half - 1.0) as i8 * 2 + 1;
    let integers: Vec<i8> = row.iter().map(odd).collect();
    let own: f32 = integers.iter().map(|&i| f32::from(i).powi(2)).sum();
    (integers, to_bfloat16((square / own).sqrt()))
}

/// The upper half of a finite `f32`, rounded to nearest, ties to even.
fn to_bfloat16(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16) as u16
}

fn nibble(value: i8) -> u8 {
    (value + 8) as u8
}

/// Value `i` of a row of odd integers.
fn odd(row: &[u8], i: usize, bits: u8) -> i8 {
    let at = i * usize::from(bits);
    let next = u16::from(*row.get(at / 8 + 1).unwrap_or(&0));
    let code = (u16::from(row[at / 8]) | next << 8) >> (at % 8);
    let most = (1i8 << bits) - 1;
    2 * (code as i8 & most) - most
}

/// Appends odd integers of `bits` bits each.
fn put_odd(bytes: &mut Vec<u8>, integers: &[i8], bits: u8) {
    let (mut held, mut n_held) = (0u16, 0);
    for &i in integers {
        held |= u16::from(((i + (1 << bits) - 1) / 2) as u8) << n_held;
        n_held += bits;
        if n_held >= 8 {
            bytes.push(held as u8);
            held >>= 8;
            n_held -= 8;
        }
    }
    if n_held > 0 {
        bytes.push(held as u8);
    }
}

fn halves(byte: u8) -> [i8; 2] {
    [(byte & 15) as i8 - 8, (byte >> 4) as i8 - 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_as_documented() {
        // Largest 7.0, limit 7: scale 1.0 = 0x3f80. −7 → 1, 7 → 15, 0 → 8, 2.4 → 2 → 10; the odd fifth: 1 → 9, pad 8.
        assert_eq!(
            quantize(&[-7.0, 7.0, 0.0, 2.4, 1.0], 5, 4),
            [0xf1, 0xa8, 0x89, 0x80, 0x3f]
        );
        // Largest 254, limit 127: scale 2.0 = 0x4000. −254 → −127, 5 → 2.5 → 3 (away from zero).
        assert_eq!(quantize(&[-254.0, 5.0], 2, 8), [0x81, 3, 0x00, 0x40]);
        // Root mean square 2: −3, 1, −1, 3, and the fifth, 1, in a byte of its own; 21 instead of 20 squared: .976.
        assert_eq!(
            quantize(&[-3.0, 1.0, -1.0, 2.4, 1.8], 5, 2),
            [0b1101_1000, 0b10, 0x7a, 0x3f]
        );
        // Steps of 1.172: −5, 1, −1, 5, 3, as 1, 4, 3, 6, 5; 61 instead of 20 squared: .573.
        assert_eq!(
            quantize(&[-3.0, 1.0, -1.0, 2.4, 1.8], 5, 3),
            [0b1110_0001, 0b0101_1100, 0x13, 0x3f]
        );
    }

    #[test]
    fn odd_integers_keep_lengths_and_nearly_directions() {
        for (bits, least) in [(2, 0.93), (3, 0.975)] {
            for dims in [1, 5, 8, 33, 64] {
                let vectors: Vec<f32> = (0..dims * 9)
                    .map(|i| ((i * 37 % 101) as f32 - 50.0) * 0.013 + 0.001)
                    .collect();
                let bytes = quantize(&vectors, dims, bits);
                assert_eq!(bytes.len(), packed_len(9, dims, bits));
                let (integers, scales) = unpack(&bytes, 9, dims, bits).unwrap();
                for (r, row) in vectors.chunks(dims).enumerate() {
                    let back = integers[r * dims..][..dims].iter();
                    let back: Vec<f32> = back.map(|&i| f32::from(i) * scales[r]).collect();
                    let dot =
                        |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
                    let (own, length) = (dot(row, row).sqrt(), dot(&back, &back).sqrt());
                    assert!((length / own - 1.0).abs() < 0.005, "{length} was {own}");
                    let cosine = dot(row, &back) / own / length;
                    assert!(cosine > least, "{bits} bits, {dims} dims: {cosine}");
                }
            }
        }
    }

    #[test]
    fn what_was_packed_comes_back_within_half_a_step() {
        for (bits, limit) in [(4, 7.0f32), (8, 127.0)] {
            for dims in [1, 3, 16, 33, 64] {
                let vectors: Vec<f32> = (0..dims * 9)
                    .map(|i| ((i * 37 % 101) as f32 - 50.0) * 0.013)
                    .collect();
                let bytes = quantize(&vectors, dims, bits);
                assert_eq!(bytes.len(), packed_len(9, dims, bits));
                let (integers, scales) = unpack(&bytes, 9, dims, bits).unwrap();
                for (r, row) in vectors.chunks(dims).enumerate() {
                    let step = row.iter().fold(0.0f32, |m, v| m.max(v.abs())) / limit;
                    for (i, v) in row.iter().enumerate() {
                        let back = f32::from(integers[r * dims + i]) * scales[r];
                        // Half a step, plus 7 or 127 steps times bfloat16's 2⁻⁹ where the scale was rounded down.
                        assert!(
                            (back - v).abs() <= step * (0.5 + limit / 512.0) * 1.01,
                            "{bits} bits: {v} came back as {back}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn bfloat16_rounds_to_the_nearest_even() {
        assert_eq!(to_bfloat16(f32::from_bits(0x3f80_8000)), 0x3f80); // a tie, the lower is even
        assert_eq!(to_bfloat16(f32::from_bits(0x3f81_8000)), 0x3f82); // a tie, the upper is even
        assert_eq!(to_bfloat16(f32::from_bits(0x3f80_8001)), 0x3f81);
    }

    #[test]
    fn rows_without_a_direction_are_zero() {
        for row in [
            [0.0, 0.0],
            [f32::NAN, 1.0],
            [1.0, f32::INFINITY],
            [1e-45, 0.0],
        ] {
            let (integers, scales) = unpack(&quantize(&row, 2, 4), 1, 2, 4).unwrap();
            assert_eq!((integers, scales), (vec![0, 0], vec![0.0]), "{row:?}");
            for bits in [2, 3] {
                let (_, scales) = unpack(&quantize(&row, 2, bits), 1, 2, bits).unwrap();
                assert_eq!(scales, [0.0], "{row:?}");
            }
        }
    }

    #[test]
    fn damage_is_refused() {
        let bytes = quantize(&[1.0, 2.0, 3.0, 4.0], 2, 8);
        let kind = |r: Result<(Vec<i8>, Vec<f32>)>| r.map_err(|e| e.kind()).err();
        for cut in 0..bytes.len() {
            assert_eq!(
                kind(unpack(&bytes[..cut], 2, 2, 8)),
                Some(ErrorKind::BundleDamaged),
                "cut at {cut}"
            );
        }
        assert_eq!(
            kind(unpack(&bytes, 2, 2, 5)),
            Some(ErrorKind::BundleDamaged)
        );
        assert_eq!(
            kind(unpack(&bytes, usize::MAX, usize::MAX, 8)),
            Some(ErrorKind::BundleDamaged)
        );
        for scale in [f32::NAN, f32::INFINITY, -1.0, -0.0] {
            let mut bad = bytes.clone();
            bad[4..6].copy_from_slice(&scale.to_bits().to_le_bytes()[2..]);
            assert_eq!(
                kind(unpack(&bad, 2, 2, 8)),
                Some(ErrorKind::BundleDamaged),
                "scale {scale}"
            );
        }
    }
}
