//! Languages and versions of pages, translations of one page, damped pages and how often pages are linked, for every node.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Error, Result};
use crate::base::id::NodeId;

/// A language and a version that pages are in.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variant {
    /// BCP 47 tag; empty: of no language, or of the only one.
    pub language: String,
    /// As the site writes it; empty: of no version, or of the only one.
    pub version: String,
}

/// Variants, translations and damping of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Standing {
    /// Set of variants; 0: all.
    set: u32,
    /// The node that stands for the page and its translations, less this node.
    page: i32,
    /// Share of the score that the node loses, in sixteenths.
    damping: u8,
}

/// The variants of a site and of its nodes. Without any, nothing is narrowed, folded or damped.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variants {
    /// All variants; empty on a site of one language and version.
    pub all: Vec<Variant>,
    /// Language and version of questions that choose none; each part may be empty.
    pub default: Variant,
    /// Variants by set, from set 1 on; the first is a file's own, the others are its copies'.
    sets: Vec<Vec<u32>>,
    /// First node of each run and the record that applies from there on, ascending; before the first and with none: the
    /// default.
    runs: Vec<(u32, Standing)>,
    /// Quarter of the site that each node is in by the pages that link to it, from 0; four nodes a byte, the first in the
    /// lowest bits. Empty: no page is linked more than another.
    quarters: Vec<u8>,
}

/// Share that a node loses of its score for each quarter of the site whose pages are linked more.
const QUARTER_LOSS: f32 = 1.0 / 32.0;
/// The quarter of the pages that are linked most.
const LAST_QUARTER: u8 = 3;

impl Variants {
    /// True if no node has a variant, stands for another, or is damped.
    pub fn is_plain(&self) -> bool {
        self.runs.is_empty()
    }

    /// True if every node has the factor 1.
    pub fn is_even(&self) -> bool {
        self.runs.is_empty() && self.quarters.is_empty()
    }

    fn at(&self, node: NodeId) -> Standing {
        let next = self.runs.partition_point(|run| run.0 <= node.0);
        next.checked_sub(1)
            .map_or_else(Standing::default, |i| self.runs[i].1)
    }

    /// Variants of a node, its own first; empty: all.
    pub fn of(&self, node: NodeId) -> &[u32] {
        match self.at(node).set.checked_sub(1) {
            Some(set) => &self.sets[set as usize],
            None => &[],
        }
    }

    /// The node that stands for a page and its translations.
    pub fn page(&self, node: NodeId) -> NodeId {
        NodeId(node.0.wrapping_add_signed(self.at(node).page))
    }

    /// Factor of a node's score.
    pub fn factor(&self, node: NodeId) -> f32 {
        let kept = 1.0 - f32::from(self.at(node).damping) / 16.0;
        let four = self.quarters.get(node.index() / 4).copied();
        let behind = four.map_or(0, |four| {
            LAST_QUARTER - (four >> (node.0 % 4 * 2) & LAST_QUARTER)
        });
        kept * (1.0 - QUARTER_LOSS * f32::from(behind))
    }

    /// Reads the bytes that [`Variants::encode_quarters`] wrote for `n_nodes` nodes.
    pub fn decode_quarters(&mut self, r: &mut Reader<'_>, n_nodes: u32) -> Result<()> {
        if r.u8()? > 0 {
            self.quarters = r.take(n_nodes.div_ceil(4) as usize)?.to_vec();
        }
        Ok(())
    }

    /// Writes the quarters, uncompressed two bits a node.
    pub fn encode_quarters(&self, w: &mut Writer) {
        w.u8(u8::from(!self.quarters.is_empty()));
        w.raw(&self.quarters);
    }

    /// Reads the bytes that [`Variants::encode`] wrote for `n_nodes` nodes.
    pub fn decode(r: &mut Reader<'_>, n_nodes: u32) -> Result<Self> {
        let mut read = Self::default();
        for _ in 0..r.count(2)? {
            read.all.push(decode_variant(r)?);
        }
        let n = read.all.len();
        if n > 0 {
            read.default = decode_variant(r)?;
            for _ in 0..r.count(2)? {
                let mut set = Vec::new();
                for _ in 0..r.count(1)? {
                    set.push(below(r.var32()?, n)?);
                }
                below(0, set.len())?;
                read.sets.push(set);
            }
        }
        let mut start = 0u32;
        for _ in 0..r.count(4)? {
            let nodes = r.var32()?;
            let end = start.checked_add(nodes).filter(|&end| end <= n_nodes);
            let set = below(r.var32()?, read.sets.len() + 1)?;
            let page = r.signed()?;
            let damping = below(u32::from(r.u8()?), 16)? as u8;
            let (Some(end), Ok(offset)) = (end, i32::try_from(page)) else {
                return Err(out_of_range());
            };
            let is_there = |node: u32| (0..i64::from(n_nodes)).contains(&(i64::from(node) + page));
            if nodes == 0 || !is_there(start) || !is_there(end - 1) {
                return Err(out_of_range());
            }
            let standing = Standing {
                set,
                page: offset,
                damping,
            };
            read.runs.push((start, standing));
            start = end;
        }
        if start > 0 {
            read.runs.push((start, Standing::default()));
        }
        Ok(read)
    }

    /// Writes variants, sets and runs.
    pub fn encode(&self, w: &mut Writer) {
        let put = |w: &mut Writer, v: &Variant| {
            w.str(&v.language);
            w.str(&v.version);
        };
        w.len(self.all.len());
        self.all.iter().for_each(|v| put(w, v));
        if !self.all.is_empty() {
            put(w, &self.default);
            w.len(self.sets.len());
            for set in &self.sets {
                w.len(set.len());
                set.iter().for_each(|&v| w.varint(u64::from(v)));
            }
        }
        // The last run only says where the others end.
        w.len(self.runs.len().saturating_sub(1));
        for pair in self.runs.windows(2) {
            let (from, standing) = pair[0];
            w.varint(u64::from(pair[1].0 - from));
            w.varint(u64::from(standing.set));
            w.signed(i64::from(standing.page));
            w.u8(standing.damping);
        }
    }
}

fn decode_variant(r: &mut Reader<'_>) -> Result<Variant> {
    Ok(Variant {
        language: r.str()?.to_owned(),
        version: r.str()?.to_owned(),
    })
}

fn below(number: u32, n: usize) -> Result<u32> {
    if (number as usize) < n {
        Ok(number)
    } else {
        Err(out_of_range())
    }
}

fn out_of_range() -> Error {
    Error::damaged("bundle head", "languages and versions")
}

/// The indexer's facts about one node.
#[cfg(feature = "index")]
#[derive(Debug, Clone, Default)]
pub struct NodeVariants {
    /// Numbers of its variants, its own first; empty: all.
    pub variants: Vec<u32>,
    /// The node that stands for it and its translations.
    pub page: u32,
    /// Share of its score that it loses, in sixteenths, below 16.
    pub damping: u8,
    /// Pages that link to it; `None` for a directory, which loses nothing.
    pub linked_from: Option<u32>,
}

#[cfg(feature = "index")]
impl Variants {
    /// Gathers sets and runs of all nodes.
    pub fn new(all: Vec<Variant>, default: Variant, nodes: &[NodeVariants]) -> Self {
        let mut made = Self {
            all,
            default,
            ..Self::default()
        };
        let mut last = Standing::default();
        for (node, of) in (0u32..).zip(nodes) {
            let known = made.sets.iter().position(|set| *set == of.variants);
            let set = match (of.variants.is_empty(), known) {
                (true, _) => 0,
                (_, Some(at)) => at + 1,
                (_, None) => {
                    made.sets.push(of.variants.clone());
                    made.sets.len()
                }
            };
            let standing = Standing {
                set: set as u32,
                page: (i64::from(of.page) - i64::from(node)) as i32,
                damping: of.damping.min(15),
            };
            if standing != last {
                made.runs.push((node, standing));
                last = standing;
            }
        }
        // Runs are counted from node 0.
        if made.runs.first().is_some_and(|run| run.0 > 0) {
            made.runs.insert(0, (0, Standing::default()));
        }
        if last != Standing::default() {
            made.runs.push((nodes.len() as u32, Standing::default()));
        }
        made.quarters = quarters(nodes);
        made
    }
}

/// See [`Variants`]. Files with as many links are in one quarter, that of the first of them.
#[cfg(feature = "index")]
fn quarters(nodes: &[NodeVariants]) -> Vec<u8> {
    let mut sorted: Vec<u32> = nodes.iter().filter_map(|n| n.linked_from).collect();
    sorted.sort_unstable();
    if sorted.first() == sorted.last() {
        return Vec::new();
    }
    let quarter = |node: &NodeVariants| match node.linked_from {
        Some(links) => (sorted.partition_point(|&l| l < links) * 4 / sorted.len()) as u8,
        None => LAST_QUARTER,
    };
    let pack = |four: &[NodeVariants]| {
        let shifted = four
            .iter()
            .enumerate()
            .map(|(i, node)| quarter(node) << (i * 2));
        shifted.fold(0, |byte, bits| byte | bits)
    };
    nodes.chunks(4).map(pack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(language: &str, version: &str) -> Variant {
        Variant {
            language: language.into(),
            version: version.into(),
        }
    }

    fn nodes() -> Vec<NodeVariants> {
        let node = |variants: &[u32], page, damping| NodeVariants {
            variants: variants.to_vec(),
            page,
            damping,
            linked_from: None,
        };
        vec![
            node(&[], 0, 0),
            node(&[0, 2], 1, 0),
            node(&[1], 1, 0),
            node(&[1], 3, 4),
            node(&[], 4, 0),
            node(&[0], 5, 0),
            node(&[], 6, 0),
        ]
    }

    fn encoded(variants: &Variants) -> Vec<u8> {
        let mut w = Writer::default();
        variants.encode(&mut w);
        w.bytes
    }

    #[test]
    fn what_holds_for_a_node_comes_back() {
        let all = vec![
            variant("en", "2"),
            variant("pt-br", "2"),
            variant("en", "1"),
        ];
        let made = Variants::new(all, variant("en", "2"), &nodes());
        let bytes = encoded(&made);
        let mut r = Reader::new(&bytes);
        let read = Variants::decode(&mut r, 7).unwrap();
        r.finish().unwrap();
        assert_eq!(read, made);
        for (node, of) in (0u32..).zip(nodes()) {
            assert_eq!(read.of(NodeId(node)), of.variants);
            assert_eq!(read.page(NodeId(node)), NodeId(of.page));
            assert_eq!(
                read.factor(NodeId(node)),
                1.0 - f32::from(of.damping) / 16.0
            );
        }
    }

    #[test]
    fn a_site_of_one_language_and_version_costs_two_bytes() {
        let plain: Vec<NodeVariants> = (0..500)
            .map(|page| NodeVariants {
                page,
                ..NodeVariants::default()
            })
            .collect();
        let made = Variants::new(Vec::new(), Variant::default(), &plain);
        assert!(made.is_plain());
        assert_eq!(encoded(&made), [0, 0]);
    }

    #[test]
    fn pages_that_more_pages_link_to_lose_less() {
        let linked = |linked_from| NodeVariants {
            linked_from,
            ..NodeVariants::default()
        };
        // A directory, and nine files: a quarter of them has no link, and two have one each.
        let links = [0, 9, 0, 1, 4, 1, 5, 7];
        let nodes: Vec<NodeVariants> = std::iter::once(None)
            .chain(links.map(Some))
            .map(linked)
            .collect();
        let made = Variants::new(Vec::new(), Variant::default(), &nodes);
        let mut w = Writer::default();
        made.encode_quarters(&mut w);
        assert_eq!(w.bytes.len(), 1 + 3);
        let mut read = Variants::default();
        let mut r = Reader::new(&w.bytes);
        read.decode_quarters(&mut r, 9).unwrap();
        r.finish().unwrap();
        assert!(read.is_plain() && !read.is_even());
        let lost: Vec<f32> = (0..9)
            .map(|node| (1.0 - read.factor(NodeId(node))) * 32.0)
            .collect();
        assert_eq!(lost, [0.0, 3.0, 0.0, 3.0, 2.0, 1.0, 2.0, 1.0, 0.0]);
        let cut = &w.bytes[..3];
        assert!(
            Variants::default()
                .decode_quarters(&mut Reader::new(cut), 9)
                .is_err()
        );
    }

    #[test]
    fn without_links_all_pages_are_alike() {
        let file = NodeVariants {
            linked_from: Some(3),
            ..NodeVariants::default()
        };
        let made = Variants::new(Vec::new(), Variant::default(), &[file.clone(), file]);
        let mut w = Writer::default();
        made.encode_quarters(&mut w);
        assert_eq!(w.bytes, [0]);
    }

    /// Any bytes decode to numbers in range, or not at all.
    #[test]
    fn damage_is_an_error_and_never_a_number_out_of_range() {
        let all = vec![
            variant("en", "2"),
            variant("pt-br", "2"),
            variant("en", "1"),
        ];
        let bytes = encoded(&Variants::new(all, variant("en", "2"), &nodes()));
        for at in 0..bytes.len() {
            for value in 0..=255 {
                let mut bad = bytes.clone();
                bad[at] = value;
                let Ok(read) = Variants::decode(&mut Reader::new(&bad), 7) else {
                    continue;
                };
                for node in 0..7 {
                    assert!(read.page(NodeId(node)) < NodeId(7));
                    assert!((0.0..=1.0).contains(&read.factor(NodeId(node))));
                    let own = read.of(NodeId(node));
                    assert!(own.iter().all(|&v| (v as usize) < read.all.len()));
                }
            }
        }
    }
}
