//! From ranked chunks to readable sections: build, trim, widen, merge.
//!
//! A section is a set of chunks of one document with a centre, its best-ranked chunk. Chunk numbers count from 0 in
//! reading order. Source: spec onyx §3.4.

use crate::base::order;

/// Chunks of one document shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The document.
    pub doc: u32,
    /// Chunk numbers, ascending, never empty.
    pub chunks: Vec<u32>,
    /// The chunk that was found, or found best.
    pub centre: u32,
}

/// Sections kept after building.
pub const MAX_SECTIONS: usize = 50;
/// Tokens that the sections handed to a reader may hold: 25 chunks of 512.
pub const TOKEN_BUDGET: usize = 25 * 512;
/// Tokens counted for the metadata of each section.
pub const METADATA_TOKENS: usize = 75;

/// Builds sections from ranked `(document, chunk)` hits, best first: consecutive chunks of a document form one
/// section, which stands where its best chunk stood. A repeated hit counts at its first place.
pub fn build(hits: &[(u32, u32)]) -> Vec<Section> {
    let mut ranked: Vec<(u32, u32, usize)> = hits
        .iter()
        .enumerate()
        .map(|(rank, &(doc, chunk))| (doc, chunk, rank))
        .collect();
    order::sort_by(&mut ranked, |a, b| a.cmp(b));
    ranked.dedup_by_key(|hit| (hit.0, hit.1));
    let mut sections: Vec<(usize, Section)> = Vec::new();
    for (doc, chunk, rank) in ranked {
        match sections.last_mut() {
            Some((best, section))
                if section.doc == doc && last(section).checked_add(1) == Some(chunk) =>
            {
                section.chunks.push(chunk);
                if rank < *best {
                    *best = rank;
                    section.centre = chunk;
                }
            }
            _ => sections.push((
                rank,
                Section {
                    doc,
                    chunks: vec![chunk],
                    centre: chunk,
                },
            )),
        }
    }
    order::sort_by(&mut sections, |a, b| a.0.cmp(&b.0));
    sections.into_iter().map(|(_, section)| section).collect()
}

/// Joins sections of one document that touch or overlap. The joined section takes the place and the centre of its
/// best-ranked member.
pub fn merge(sections: &[Section]) -> Vec<Section> {
    let mut order: Vec<usize> = (0..sections.len()).collect();
    order::sort_by(&mut order, |&a, &b| {
        let key = |i: usize| (sections[i].doc, first(&sections[i]), i);
        key(a).cmp(&key(b))
    });
    let mut merged: Vec<(usize, Section)> = Vec::new();
    for i in order {
        let section = &sections[i];
        match merged.last_mut() {
            Some((lead, joined)) if joined.doc == section.doc && meets(&joined.chunks, section) => {
                joined.chunks.extend(&section.chunks);
                order::sort_dedup(&mut joined.chunks);
                if i < *lead {
                    *lead = i;
                    joined.centre = section.centre;
                }
            }
            _ => merged.push((i, section.clone())),
        }
    }
    order::sort_by(&mut merged, |a, b| a.0.cmp(&b.0));
    merged.into_iter().map(|(_, section)| section).collect()
}

/// True if a section that starts no earlier than the first of `chunks` touches or overlaps them.
fn meets(chunks: &[u32], section: &Section) -> bool {
    chunks.last().and_then(|last| last.checked_add(1)) == Some(first(section))
        || section
            .chunks
            .iter()
            .any(|c| chunks.binary_search(c).is_ok())
}

fn first(section: &Section) -> u32 {
    section.chunks.first().copied().unwrap_or(section.centre)
}

fn last(section: &Section) -> u32 {
    section.chunks.last().copied().unwrap_or(section.centre)
}

/// Widens a section by `above` and `below` chunks, within a document of `n_chunks`.
///
/// (1, 1) is the default context; (2, 2) and (5, 5) are the classes "a little more" and "the whole passage".
pub fn expand(section: &Section, above: u32, below: u32, n_chunks: u32) -> Section {
    let low = first(section).saturating_sub(above);
    let high = last(section)
        .saturating_add(below)
        .min(n_chunks.saturating_sub(1))
        .max(last(section));
    Section {
        doc: section.doc,
        chunks: (low..=high).collect(),
        centre: section.centre,
    }
}

/// Keeps sections from the top while they fit `budget` tokens; stops at the first that does not.
///
/// A section costs `tokens` plus [`METADATA_TOKENS`]. The source counts three of its chunks at most, but all are handed out.
pub fn fit_tokens<'a>(
    sections: &'a [Section],
    budget: usize,
    tokens: &dyn Fn(&Section) -> usize,
) -> &'a [Section] {
    let mut used = 0;
    for (n_kept, section) in sections.iter().enumerate() {
        used += METADATA_TOKENS + tokens(section);
        if used > budget {
            return &sections[..n_kept];
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(chunks: &[u32], centre: u32) -> Section {
        Section {
            doc: 1,
            chunks: chunks.to_vec(),
            centre,
        }
    }

    #[test]
    fn widening_stays_inside_the_document() {
        assert_eq!(expand(&section(&[0, 1], 1), 5, 1, 3).chunks, [0, 1, 2]);
        assert_eq!(expand(&section(&[4], 4), 1, 1, 5).chunks, [3, 4]);
        assert_eq!(expand(&section(&[4], 4), 0, 0, 5).chunks, [4]);
    }

    #[test]
    fn trimming_stops_at_the_first_that_does_not_fit() {
        let sections = [
            section(&[0], 0),
            section(&[2, 3, 4, 5, 6], 2),
            section(&[9], 9),
        ];
        let tokens = |section: &Section| section.chunks.len() * 100;
        // 75 + 100, then 75 + 500 is too much; the short third is not pulled forward.
        assert_eq!(fit_tokens(&sections, 400, &tokens).len(), 1);
        assert_eq!(fit_tokens(&sections, 749, &tokens).len(), 1);
        assert_eq!(fit_tokens(&sections, 750, &tokens).len(), 2);
        assert_eq!(fit_tokens(&sections, 925, &tokens).len(), 3);
    }
}
