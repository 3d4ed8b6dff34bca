//! The term index: a dictionary cut into alphabetical parts, each with its postings and its words' vectors.
//!
//! A *surface* is a term as the tokenizer writes it. Surfaces of one stem share a *stem*: one document frequency, one
//! posting list, one vector. Stemming happens when the bundle is built, so the reader needs no stemmer. A stem lives in
//! one part; a surface whose alphabetical place is another part has a redirect there.
//!
//! A posting says how much a node is about a stem before any question is known: an [`Impact`] byte (saturated body
//! frequency, title length, heading flag) and the ordinals of the sections that contain it.
//! Source: BM25F (Robertson, Zaragoza 2009) with impacts precomputed as in Anh and Moffat 2002.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, Result};
use crate::vectors::{VectorRows, quantize};

/// The part, in errors.
const PART: &str = "term part";

/// BM25's saturation of body term frequency.
pub const K1: f32 = 1.2;
/// BM25's length normalisation of body term frequency; also used for titles.
pub const B: f32 = 0.75;

/// BM25's idf in the form that is never negative. Source: spec/onyx.md §2.1.
pub fn idf(n_docs: u32, df: u32) -> f32 {
    let (n, df) = (n_docs as f32, (df as f32).min(n_docs as f32));
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

/// The weight of one stem in one node, in a byte.
///
/// Bits 0–3: body frequency, saturated and length-normalised, in fifteenths (0: not in the body).
/// Bits 4–6: title length class (0: not in the title). Bit 7: in a heading or a keyword of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Impact(pub u8);

/// Number of terms in a title by length class; index 0 means "not in the title".
const TITLE_LENGTHS: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.5, 8.0, 12.0];

impl Impact {
    /// `tf` occurrences in a body `length / average` times as long as usual, a title of `title_len` terms containing
    /// the stem (`None`: it does not), and whether a heading or keyword contains it.
    pub fn new(tf: f32, relative_length: f32, title_len: Option<usize>, heading: bool) -> Self {
        let body = if tf > 0.0 {
            let saturated = tf / (tf + K1 * (1.0 - B + B * relative_length));
            ((saturated * 15.0).round() as u8).clamp(1, 15)
        } else {
            0
        };
        let title = match title_len {
            None => 0,
            Some(n) => match n {
                0 | 1 => 1,
                2..=4 => n as u8,
                5..=6 => 5,
                7..=9 => 6,
                _ => 7,
            },
        };
        Self(body | title << 4 | u8::from(heading) << 7)
    }

    /// Saturated body frequency in [0, 1).
    pub fn body(self) -> f32 {
        f32::from(self.0 & 15) / 15.0
    }

    /// Terms in the title, 0 when the title does not contain the stem.
    pub fn title_len(self) -> f32 {
        TITLE_LENGTHS[usize::from(self.0 >> 4 & 7)]
    }

    /// True if a heading or keyword contains the stem.
    pub fn heading(self) -> bool {
        self.0 & 0x80 != 0
    }
}

/// A section of a node that contains a stem: its ordinal, and whether its heading contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SectionRef(u16);

impl SectionRef {
    /// Largest ordinal.
    pub const MAX: u16 = u16::MAX >> 1;

    /// Section `ordinal`, at most [`Self::MAX`].
    pub fn new(ordinal: u16, heading: bool) -> Self {
        Self(ordinal.min(Self::MAX) << 1 | u16::from(heading))
    }

    /// Its place in the node, from 0.
    pub fn ordinal(self) -> usize {
        usize::from(self.0 >> 1)
    }

    /// True if the heading contains the stem.
    pub fn in_heading(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The postings of one stem. Struct of arrays; nodes ascend.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Postings {
    /// Node numbers, strictly ascending.
    pub nodes: Vec<u32>,
    /// One per node.
    pub impacts: Vec<Impact>,
    /// `sections[section_ends[i-1]..section_ends[i]]` are the section ordinals of node `i`; empty when not recorded.
    pub section_ends: Vec<u32>,
    /// Sections within their node, ascending per node. Only where [`Impact::heading`] holds, one may have it in its heading.
    pub sections: Vec<SectionRef>,
}

impl Postings {
    /// Section ordinals of posting `i`; empty when the stem does not record them.
    pub fn sections_of(&self, i: usize) -> &[SectionRef] {
        if self.section_ends.is_empty() {
            return &[];
        }
        let from = if i == 0 { 0 } else { self.section_ends[i - 1] };
        &self.sections[from as usize..self.section_ends[i] as usize]
    }
}

/// All surfaces of one stem.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stem {
    /// Number of nodes that contain it anywhere (postings may be fewer: frequent stems are pruned).
    pub df: u32,
    /// The nodes that contain it.
    pub postings: Postings,
    /// Row of its vector in the part, if it has one.
    pub vector: Option<u32>,
    /// True for a function word of the language: no excerpt marks it.
    pub is_function: bool,
}

/// The place of a surface's stem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StemRef {
    /// Term part.
    pub part: u32,
    /// Index of the stem in that part.
    pub stem: u32,
}

/// A decoded term part: an alphabetical range of surfaces.
#[derive(Debug, Clone, Default)]
pub struct TermPart {
    surfaces: Vec<(String, StemRef)>,
    stems: Vec<Stem>,
    vectors: VectorRows,
}

/// Bounds of a part's numbers, known from the head.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Nodes of the tree.
    pub n_nodes: u32,
    /// Term parts.
    pub n_parts: u32,
    /// Vector dimensions, 0 without vectors.
    pub dims: usize,
    /// Bits per dimension of a term vector.
    pub bits: u8,
}

impl TermPart {
    /// Decodes and proves a part: afterwards every number in it is in range. O(bytes).
    pub fn decode(bytes: &[u8], own: u32, limits: &Limits) -> Result<Self> {
        let mut r = Reader::new(bytes);
        let surfaces = decode_surfaces(&mut r, own, limits)?;
        let n_stems = r.count(2)?;
        if surfaces
            .iter()
            .any(|(_, at)| at.part == own && at.stem as usize >= n_stems)
        {
            return Err(Error::damaged(
                PART,
                "a surface names a stem that is not there",
            ));
        }
        let mut stems = Vec::with_capacity(n_stems);
        let mut shapes = Vec::with_capacity(n_stems);
        let mut n_vectors = 0;
        for _ in 0..n_stems {
            let df = r.var32()?;
            let coded = r.count(1)?;
            let flags = r.u8()?;
            let vector = (flags & 1 != 0).then(|| {
                n_vectors += 1;
                n_vectors - 1
            });
            shapes.push((coded, flags & 2 != 0));
            stems.push(Stem {
                df,
                postings: Postings::default(),
                vector,
                is_function: flags & 4 != 0,
            });
        }
        for (stem, &(n, _)) in stems.iter_mut().zip(&shapes) {
            stem.postings.nodes = decode_ascending(&mut r, n, limits.n_nodes)?;
        }
        for (stem, &(n, _)) in stems.iter_mut().zip(&shapes) {
            stem.postings.impacts = r.take(n)?.iter().map(|&b| Impact(b)).collect();
        }
        for (stem, &(n, has_sections)) in stems.iter_mut().zip(&shapes) {
            if has_sections {
                decode_sections(&mut r, n, &mut stem.postings)?;
            }
        }
        let n_vectors = n_vectors as usize;
        let packed = if limits.dims == 0 {
            0
        } else {
            VectorRows::packed_len(n_vectors, limits.dims, limits.bits)
        };
        let vectors = VectorRows::unpack(r.take(packed)?, n_vectors, limits.dims, limits.bits)?;
        r.finish()?;
        Ok(Self {
            surfaces,
            stems,
            vectors,
        })
    }

    /// True for what stands in place of a part that could not be had: no part is without a surface.
    pub fn is_absent(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// The stem of a surface. O(log surfaces).
    pub fn find(&self, surface: &str) -> Option<StemRef> {
        // Most words of a text are not of this range of the alphabet.
        let range = self.surfaces.first()?.0.as_str()..=self.surfaces.last()?.0.as_str();
        let known = range.contains(&surface).then_some(&self.surfaces)?;
        let by_name = |(s, _): &(String, StemRef)| s.as_str().cmp(surface);
        let at = known.binary_search_by(by_name).ok()?;
        Some(known[at].1)
    }

    /// Surfaces that begin with `prefix`, in order.
    pub fn with_prefix<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a str, StemRef)> + 'a {
        let from = self.surfaces.partition_point(|(s, _)| s.as_str() < prefix);
        self.surfaces[from..]
            .iter()
            .take_while(move |(s, _)| s.starts_with(prefix))
            .map(|(s, at)| (s.as_str(), *at))
    }

    /// A stem of this part; `None` when the number is not of this part (a redirect from a damaged neighbour).
    pub fn stem(&self, index: u32) -> Option<&Stem> {
        self.stems.get(index as usize)
    }

    /// The vector of a stem, `dims` numbers, not normalised: its length is the word's weight.
    pub fn vector(&self, stem: &Stem) -> Option<Vec<f32>> {
        stem.vector.map(|row| self.vectors.row_f32(row as usize))
    }

    /// The same as integers, and what a one of them is.
    pub fn packed_vector(&self, stem: &Stem) -> Option<(&[i8], f32)> {
        stem.vector.map(|row| self.vectors.packed(row as usize))
    }
}

fn decode_surfaces(
    r: &mut Reader<'_>,
    own: u32,
    limits: &Limits,
) -> Result<Vec<(String, StemRef)>> {
    let n = r.count(3)?;
    let mut surfaces: Vec<(String, StemRef)> = Vec::with_capacity(n);
    let mut coded_surfaces = FrontCoded::default();
    for _ in 0..n {
        let surface = coded_surfaces.next_key(r)?;
        let coded = r.varint()?;
        let at = if coded & 1 == 0 {
            StemRef {
                part: own,
                stem: u32::try_from(coded >> 1)
                    .map_err(|_| Error::damaged(PART, "a stem number"))?,
            }
        } else {
            let part =
                u32::try_from(coded >> 1).map_err(|_| Error::damaged(PART, "a part number"))?;
            if part >= limits.n_parts {
                return Err(Error::damaged(
                    PART,
                    "a redirect names a part that is not there",
                ));
            }
            StemRef {
                part,
                stem: r.var32()?,
            }
        };
        surfaces.push((surface, at));
    }
    Ok(surfaces)
}

/// Most bytes that a list of strings may have together: three bytes of a part can say "the one before and a letter", so
/// that their number alone bounds nothing.
const FRONT_CODED_BYTES: usize = 1 << 22;

/// A list of strings each of which shares its beginning with the one before.
#[derive(Default)]
pub struct FrontCoded {
    last: Option<String>,
    n_bytes: usize,
}

impl FrontCoded {
    /// The next string: shared bytes, then the rest. Errors: `BUNDLE_DAMAGED`.
    pub fn next(&mut self, r: &mut Reader<'_>) -> Result<String> {
        self.read(r, false)
    }

    /// The next string of a list that ascends and has none twice. Errors: `BUNDLE_DAMAGED`.
    pub fn next_key(&mut self, r: &mut Reader<'_>) -> Result<String> {
        self.read(r, true)
    }

    #[cfg_attr(all(target_arch = "wasm32", target_os = "unknown"), inline(never))]
    fn read(&mut self, r: &mut Reader<'_>, ascends: bool) -> Result<String> {
        let shared = r.var32()? as usize;
        let start = self.last.as_deref().unwrap_or_default().get(..shared);
        let start = start.ok_or_else(|| Error::damaged(PART, "a shared prefix is too long"))?;
        let next = [start, r.str()?].concat();
        if ascends && self.last.as_ref().is_some_and(|last| next <= *last) {
            return Err(Error::damaged(PART, "its words are not in order"));
        }
        self.n_bytes += next.len();
        if self.n_bytes > FRONT_CODED_BYTES {
            return Err(Error::damaged(PART, "its words are too long"));
        }
        self.last = Some(next.clone());
        Ok(next)
    }
}

/// Writes `surface` as [`FrontCoded`] reads it.
pub fn put_front_coded(w: &mut Writer, last: &str, surface: &str) {
    let mut shared = last
        .bytes()
        .zip(surface.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    while !surface.is_char_boundary(shared) {
        shared -= 1;
    }
    w.len(shared);
    w.str(&surface[shared..]);
}

fn decode_ascending(r: &mut Reader<'_>, n: usize, below: u32) -> Result<Vec<u32>> {
    let mut out = Vec::with_capacity(n);
    let mut next = 0u64;
    for _ in 0..n {
        let node = next.checked_add(r.varint()?);
        let node = node.filter(|&n| n < u64::from(below));
        let node =
            node.ok_or_else(|| Error::damaged(PART, "a posting names a node that is not there"))?;
        out.push(node as u32);
        next = node + 1;
    }
    Ok(out)
}

fn decode_sections(r: &mut Reader<'_>, n: usize, postings: &mut Postings) -> Result<()> {
    let mut end = 0u32;
    let mut ends = Vec::with_capacity(n);
    for _ in 0..n {
        end = end
            .checked_add(r.var32()?)
            .ok_or_else(|| Error::damaged(PART, "section counts"))?;
        ends.push(end);
    }
    if end as usize > r.left() {
        return Err(Error::damaged(PART, "more sections than bytes"));
    }
    let mut sections = Vec::with_capacity(end as usize);
    let mut from = 0;
    for (&to, impact) in ends.iter().zip(&postings.impacts) {
        let mut next = 0u32;
        // Where no heading of the node has the word, a bit for each section would be a byte for some.
        let bits = u32::from(impact.heading());
        for _ in from..to {
            let coded = r.var32()?;
            let ordinal = next
                .checked_add(coded >> bits)
                .filter(|&o| o <= u32::from(SectionRef::MAX));
            let ordinal = ordinal.ok_or_else(|| Error::damaged(PART, "a section number"))?;
            sections.push(SectionRef::new(ordinal as u16, coded & bits != 0));
            next = ordinal + 1;
        }
        from = to;
    }
    postings.section_ends = ends;
    postings.sections = sections;
    Ok(())
}

/// A stem as the builder hands it over.
#[derive(Debug, Clone, Default)]
pub struct StemInput {
    /// Number of nodes that contain it anywhere.
    pub df: u32,
    /// The nodes that contain it.
    pub postings: Postings,
    /// Its vector, `dims` numbers.
    pub vector: Option<Vec<f32>>,
    /// True for a function word of the language.
    pub is_function: bool,
}

/// Encodes a part. `surfaces` ascend; each has a place, here (`part == own`) or elsewhere.
pub fn encode_part(
    surfaces: &[(String, StemRef)],
    stems: &[&StemInput],
    own: u32,
    dims: usize,
    bits: u8,
) -> Vec<u8> {
    let mut w = Writer::default();
    w.len(surfaces.len());
    let mut last = "";
    for (surface, at) in surfaces {
        put_front_coded(&mut w, last, surface);
        if at.part == own {
            w.varint(u64::from(at.stem) << 1);
        } else {
            w.varint(u64::from(at.part) << 1 | 1);
            w.varint(u64::from(at.stem));
        }
        last = surface;
    }
    w.len(stems.len());
    for stem in stems {
        let has_sections = !stem.postings.section_ends.is_empty();
        w.varint(u64::from(stem.df));
        w.len(stem.postings.nodes.len());
        let is_function = u8::from(stem.is_function) << 2;
        w.u8(u8::from(stem.vector.is_some()) | u8::from(has_sections) << 1 | is_function);
    }
    for stem in stems {
        let mut next = 0;
        for &node in &stem.postings.nodes {
            w.varint(u64::from(node - next));
            next = node + 1;
        }
    }
    for stem in stems {
        stem.postings.impacts.iter().for_each(|i| w.u8(i.0));
    }
    let postings = stems.iter().map(|stem| &stem.postings);
    for postings in postings.filter(|p| !p.section_ends.is_empty()) {
        encode_sections(&mut w, postings);
    }
    let flat: Vec<f32> = stems
        .iter()
        .filter_map(|stem| stem.vector.as_deref())
        .flatten()
        .copied()
        .collect();
    if dims > 0 {
        w.raw(&quantize(&flat, dims, bits));
    }
    w.bytes
}

fn encode_sections(w: &mut Writer, postings: &Postings) {
    for i in 0..postings.nodes.len() {
        w.len(postings.sections_of(i).len());
    }
    for i in 0..postings.nodes.len() {
        let mut next = 0;
        let bits = u32::from(postings.impacts[i].heading());
        for section in postings.sections_of(i) {
            let step = section.ordinal() as u64 - next;
            w.varint(step << bits | u64::from(section.in_heading()) & u64::from(bits));
            next = section.ordinal() as u64 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idf_is_the_published_formula() {
        // ln(1 + (10 - 3 + 0.5) / (3 + 0.5)) = ln(3.142857)
        assert!((idf(10, 3) - 1.145_132).abs() < 1e-5);
        assert!(idf(10, 10) > 0.0);
    }

    #[test]
    fn an_impact_keeps_what_it_was_given() {
        // tf 1 in a text of average length: 1 / (1 + 1.2) = .4545, the nearest fifteenth is 7/15.
        let i = Impact::new(1.0, 1.0, Some(3), true);
        assert!((i.body() - 7.0 / 15.0).abs() < 1e-6);
        assert_eq!(i.title_len(), 3.0);
        assert!(i.heading());
        let none = Impact::new(0.0, 1.0, None, false);
        assert_eq!(
            (none.body(), none.title_len(), none.heading()),
            (0.0, 0.0, false)
        );
        assert!(Impact::new(1.0, 1e6, None, false).body() > 0.0);
    }

    fn example() -> (Vec<(String, StemRef)>, Vec<StemInput>) {
        let at = |part, stem| StemRef { part, stem };
        let surfaces = vec![
            ("run".to_owned(), at(1, 0)),
            ("running".to_owned(), at(1, 0)),
            ("rust".to_owned(), at(2, 5)),
        ];
        let postings = Postings {
            nodes: vec![2, 3, 90],
            impacts: vec![Impact(1), Impact(0x95), Impact(0x7f)],
            section_ends: vec![1, 3, 5],
            sections: [(4, false), (1, true), (9, false), (0, false), (7, false)]
                .map(|(ordinal, heading)| SectionRef::new(ordinal, heading))
                .into(),
        };
        (
            surfaces,
            vec![StemInput {
                df: 3,
                postings,
                vector: Some((0..16).map(|i| i as f32 / 16.0).collect()),
                is_function: true,
            }],
        )
    }

    const LIMITS: Limits = Limits {
        n_nodes: 100,
        n_parts: 3,
        dims: 16,
        bits: 8,
    };

    #[test]
    fn a_part_comes_back_as_it_went_in() {
        let (surfaces, stems) = example();
        let bytes = encode_part(&surfaces, &stems.iter().collect::<Vec<_>>(), 1, 16, 8);
        let part = TermPart::decode(&bytes, 1, &LIMITS).unwrap();
        assert_eq!(part.find("running"), Some(StemRef { part: 1, stem: 0 }));
        assert_eq!(part.find("rust"), Some(StemRef { part: 2, stem: 5 }));
        assert_eq!(part.find("ru"), None);
        assert_eq!(
            part.with_prefix("run").map(|s| s.0).collect::<Vec<_>>(),
            ["run", "running"]
        );
        let stem = part.stem(0).unwrap();
        assert_eq!(stem.postings, stems[0].postings);
        let of = |i| -> Vec<(usize, bool)> {
            let own = stem.postings.sections_of(i).iter();
            own.map(|s| (s.ordinal(), s.in_heading())).collect()
        };
        assert_eq!(of(1), [(1, true), (9, false)]);
        assert_eq!(of(2), [(0, false), (7, false)]);
        assert!(stem.is_function);
        assert!((part.vector(stem).unwrap()[8] - 0.5).abs() < 0.01);
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let (surfaces, stems) = example();
        let bytes = encode_part(&surfaces, &stems.iter().collect::<Vec<_>>(), 1, 16, 8);
        for end in 0..bytes.len() {
            assert!(
                TermPart::decode(&bytes[..end], 1, &LIMITS).is_err(),
                "prefix of {end}"
            );
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut bad = bytes.clone();
                bad[at] ^= 1 << bit;
                if let Ok(part) = TermPart::decode(&bad, 1, &LIMITS) {
                    let nodes = part.stems.iter().flat_map(|stem| &stem.postings.nodes);
                    assert!(nodes.max().is_none_or(|&node| node < 100));
                }
            }
        }
    }
}
