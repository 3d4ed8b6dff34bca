//! Cutting the dictionary into parts, alphabetically, by what a part will weigh.

use super::lexicon::Lexicon;
use super::meaning::Meaning;
use super::postings::PackedStem;
use crate::bundle::stems::{StemInput, StemRef, encode_part};
use crate::bundle::{SpellPart, forward, lists_forward, reversed};
use crate::text::{is_gram, is_name};

/// A part is closed when it is estimated to weigh this much: small enough that a question's few words stay cheap, large
/// enough that the table of parts stays small (8 bytes a part in the head).
const TERM_PART_BYTES: usize = 4_000;
/// The parts of a large dictionary weigh more, up to this, so that the table stays small beside what a question fetches.
const LARGE_TERM_PART_BYTES: usize = 7 << 10;
/// Parts from which they do.
const MANY_PARTS: usize = 1_500;
/// The same for general words. A question asks for a part per word that the site lacks.
pub const GENERAL_PART_BYTES: usize = 5 << 10;
/// A stem heavier than this gets a part of its own, so that its neighbors in the alphabet need not be paid for.
const HEAVY_STEM_BYTES: usize = 3 << 10;
/// Surfaces of a spelling part, in estimated bytes.
const SPELLING_PART_BYTES: usize = 8 << 10;
/// Shorter words are not corrected: too many words are one letter away.
pub const SHORTEST_CORRECTED: usize = 4;

/// A part before it is stored.
pub struct RawPart {
    /// Its first key.
    pub key: String,
    /// Encoded, not yet compressed.
    pub bytes: Vec<u8>,
}

fn weight(stem: &PackedStem, surfaces: &[u32], lexicon: &Lexicon, bits: u8) -> usize {
    let p = &stem.postings;
    let words: usize = surfaces
        .iter()
        .map(|&s| lexicon.surfaces[s as usize].term.len() / 2 + 3)
        .sum();
    let vector = stem
        .vector
        .as_ref()
        .map_or(0, |v| v.len() * usize::from(bits) / 8 + 2);
    let sections = p.n_with_sections() / 3 + p.n_sections() / 2;
    p.n_nodes() * 7 / 4 + sections + words + vector + 4
}

/// The weight at which the parts of a dictionary are closed.
pub fn term_part_bytes(stems: &[PackedStem], lexicon: &Lexicon, bits: u8) -> usize {
    let own = stems.iter().zip(&lexicon.stems);
    let total: usize = own
        .map(|(stem, words)| weight(stem, words, lexicon, bits))
        .sum();
    (total / MANY_PARTS).clamp(TERM_PART_BYTES, LARGE_TERM_PART_BYTES)
}

/// Gives every stem its vector: that of its commonest surface with one.
pub fn attach_vectors(stems: &mut [PackedStem], lexicon: &Lexicon, meaning: &Meaning) {
    for (stem, surfaces) in stems.iter_mut().zip(&lexicon.stems) {
        let known = surfaces
            .iter()
            .filter(|&&s| meaning.surfaces[s as usize].is_some());
        let best =
            known.max_by_key(|&&s| (lexicon.surfaces[s as usize].count, std::cmp::Reverse(s)));
        stem.vector = best.and_then(|&s| meaning.surfaces[s as usize].clone());
    }
}

/// A cut of words into parts.
pub struct Cut<'a> {
    stems: &'a [PackedStem],
    lexicon: &'a Lexicon,
    /// First stem of each part; stems stand in the order of their first surface.
    starts: Vec<usize>,
    /// Number of the first part.
    first: u32,
}

impl<'a> Cut<'a> {
    /// Cuts stems into parts of about `part_bytes`, numbered from `first` on.
    pub fn of(
        stems: &'a [PackedStem],
        lexicon: &'a Lexicon,
        bits: u8,
        part_bytes: usize,
        first: u32,
    ) -> Self {
        let mut starts: Vec<usize> = Vec::new();
        let mut filled = usize::MAX / 2;
        for (g, stem) in stems.iter().enumerate() {
            let w = weight(stem, &lexicon.stems[g], lexicon, bits);
            let heavy = w > HEAVY_STEM_BYTES;
            if filled + w > part_bytes || (heavy && filled > HEAVY_STEM_BYTES / 4) {
                starts.push(g);
                filled = 0;
            }
            filled = if heavy { usize::MAX / 2 } else { filled + w };
        }
        Self {
            stems,
            lexicon,
            starts,
            first,
        }
    }

    /// Place of a stem.
    pub fn place(&self, stem: usize) -> StemRef {
        let part = self.starts.partition_point(|&s| s <= stem) - 1;
        StemRef {
            part: self.first + part as u32,
            stem: (stem - self.starts[part]) as u32,
        }
    }

    /// Number of parts.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// First surface of a part.
    fn key(&self, part: usize) -> &str {
        let first = self.lexicon.stems[self.starts[part]][0];
        &self.lexicon.surfaces[first as usize].term
    }

    /// The parts, each encoded when it is asked for. `more` are surfaces of stems that stand elsewhere.
    pub fn parts(
        &self,
        more: Vec<(String, StemRef)>,
        dims: usize,
        bits: u8,
    ) -> impl Iterator<Item = RawPart> {
        let (starts, lexicon) = (&self.starts, self.lexicon);
        let own = lexicon.surfaces.iter();
        let own = own.map(|s| (s.term.clone(), self.place(s.stem as usize)));
        let mut all: Vec<(String, StemRef)> = own.chain(more).collect();
        all.sort_unstable();
        let mut surfaces: Vec<Vec<(String, StemRef)>> = vec![Vec::new(); starts.len()];
        let mut part = 0;
        for surface in all {
            while part + 1 < starts.len() && surface.0.as_str() >= self.key(part + 1) {
                part += 1;
            }
            surfaces[part].push(surface);
        }
        let mut before = String::new();
        let encode = move |(part, own): (usize, Vec<(String, StemRef)>)| {
            let end = starts.get(part + 1).copied().unwrap_or(self.stems.len());
            let stems = self.stems[starts[part]..end].iter();
            let stems: Vec<StemInput> = stems.map(PackedStem::unpacked).collect();
            let stems: Vec<&StemInput> = stems.iter().collect();
            let key = separator(&before, self.key(part)).to_owned();
            if let Some((last, _)) = own.last() {
                before.clone_from(last);
            }
            RawPart {
                key,
                bytes: encode_part(&own, &stems, self.first + part as u32, dims, bits),
            }
        };
        surfaces.into_iter().enumerate().map(encode)
    }
}

/// The shortest beginning of `first` that is behind `last`: it stands in the head for a part that begins with `first`.
fn separator<'f>(last: &str, first: &'f str) -> &'f str {
    let mut ends = first.char_indices().map(|(at, c)| at + c.len_utf8());
    let shortest = ends.find(|&end| &first[..end] > last);
    &first[..shortest.unwrap_or(first.len())]
}

/// Cuts the surfaces, in order of their last letters and, beside a dictionary of many parts, of their first, into encoded
/// spelling parts.
pub fn spelling_parts(
    stems: &[PackedStem],
    lexicon: &Lexicon,
    n_term_parts: usize,
) -> Vec<RawPart> {
    let surfaces = lexicon.surfaces.iter().filter(|s| {
        s.count > 0
            && s.term.chars().count() >= SHORTEST_CORRECTED
            && !is_gram(&s.term)
            && !is_name(&s.term)
            && s.term.chars().any(char::is_alphabetic)
    });
    let mut words: Vec<(String, u8)> = surfaces
        .flat_map(|s| {
            let common = stems[s.stem as usize].df.max(1).ilog2() as u8;
            let first = lists_forward(n_term_parts).then(|| forward(&s.term));
            let keys = [Some(reversed(&s.term)), first];
            keys.into_iter().flatten().map(move |key| (key, common))
        })
        .collect();
    words.sort_unstable();
    let mut parts = Vec::new();
    let mut from = 0;
    while from < words.len() {
        let mut bytes = 0;
        let mut to = from;
        while to < words.len() && bytes < SPELLING_PART_BYTES {
            bytes += words[to].0.len() / 2 + 2;
            to += 1;
        }
        parts.push(RawPart {
            key: words[from].0.clone(),
            bytes: SpellPart::encode(&words[from..to]),
        });
        from = to;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::separator;

    #[test]
    fn a_separator_is_as_short_as_can_be() {
        for (last, first, key) in [
            ("", "a", "a"),
            ("", "vector", "v"),
            ("apple", "vector", "v"),
            ("vectorize", "vectors", "vectors"),
            ("vec", "vector", "vect"),
            ("naïve", "naïver", "naïver"),
            ("nave", "naïve", "naï"),
        ] {
            assert_eq!(separator(last, first), key, "{last} {first}");
        }
    }
}
