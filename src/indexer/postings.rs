//! Stems with their postings packed: those of all stems are in memory at a time, and most stems have one or two.

use crate::base::bytes::{Reader, Writer};
use crate::bundle::stems::{Impact, Postings, SectionRef, StemInput};

/// A stem, until its part of the dictionary is written.
#[derive(Debug, Clone, Default)]
pub struct PackedStem {
    /// Number of nodes that contain it anywhere.
    pub df: u32,
    /// The nodes that contain it.
    pub postings: PackedPostings,
    /// Its vector, `dims` numbers.
    pub vector: Option<Vec<f32>>,
    /// True for a function word of the language.
    pub is_function: bool,
}

impl PackedStem {
    /// The stem as its part takes it.
    pub fn unpacked(&self) -> StemInput {
        StemInput {
            df: self.df,
            postings: self.postings.unpacked(),
            vector: self.vector.clone(),
            is_function: self.is_function,
        }
    }
}

/// The postings of a stem: of each the step from the node before, its impact, and the number of its sections with these.
#[derive(Debug, Clone, Default)]
pub struct PackedPostings {
    packed: Writer,
    n_nodes: u32,
    n_sections: u32,
    /// The node behind the last one.
    next: u32,
    without_sections: bool,
}

impl PackedPostings {
    /// Nodes that have the stem.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes as usize
    }

    /// Sections that have it, of all nodes.
    pub fn n_sections(&self) -> usize {
        self.n_sections as usize
    }

    /// Nodes whose sections are recorded: all, or none where the stem is too common.
    pub fn n_with_sections(&self) -> usize {
        if self.without_sections {
            0
        } else {
            self.n_nodes()
        }
    }

    /// Adds a node, behind all others.
    pub fn push(&mut self, node: u32, impact: Impact, sections: &[(u16, bool)]) {
        self.packed.varint(u64::from(node - self.next));
        self.packed.u8(impact.0);
        self.packed.len(sections.len());
        for &(ordinal, in_heading) in sections {
            let section = u64::from(ordinal) << 1 | u64::from(in_heading);
            self.packed.varint(section);
        }
        self.next = node + 1;
        self.n_nodes += 1;
        self.n_sections += sections.len() as u32;
    }

    /// Leaves the nodes that `keep` wants by their impacts, and their sections if they are wanted at all.
    pub fn retain(&mut self, with_sections: bool, keep: impl Fn(Impact) -> bool) {
        let all = self.unpacked();
        *self = Self {
            without_sections: self.without_sections || !with_sections,
            ..Self::default()
        };
        for (i, (&node, &impact)) in all.nodes.iter().zip(&all.impacts).enumerate() {
            if keep(impact) {
                let sections = if with_sections {
                    all.sections_of(i)
                } else {
                    &[]
                };
                let sections = sections
                    .iter()
                    .map(|s| (s.ordinal() as u16, s.in_heading()));
                self.push(node, impact, &sections.collect::<Vec<_>>());
            }
        }
        self.shrink();
    }

    /// Gives memory back that no posting came for.
    pub fn shrink(&mut self) {
        self.packed.bytes.shrink_to_fit();
    }

    /// The postings. They were packed here, so they are well formed.
    pub fn unpacked(&self) -> Postings {
        let mut postings = Postings::default();
        let mut bytes = Reader::new(&self.packed.bytes);
        let mut next = 0;
        while let Some((node, impact)) = self.read(&mut bytes, next, &mut postings.sections) {
            postings.nodes.push(node);
            postings.impacts.push(impact);
            postings.section_ends.push(postings.sections.len() as u32);
            next = node + 1;
        }
        if self.without_sections {
            postings.section_ends.clear();
        }
        postings
    }

    /// The next posting, whose sections are added to the others; `None` behind the last.
    fn read(
        &self,
        bytes: &mut Reader<'_>,
        next: u32,
        sections: &mut Vec<SectionRef>,
    ) -> Option<(u32, Impact)> {
        let node = next + bytes.var32().ok()?;
        let impact = Impact(bytes.u8().ok()?);
        for _ in 0..bytes.var32().ok()? {
            let section = bytes.var32().ok()?;
            sections.push(SectionRef::new((section >> 1) as u16, section & 1 != 0));
        }
        Some((node, impact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed() -> PackedPostings {
        let mut packed = PackedPostings::default();
        packed.push(0, Impact(3), &[(0, false), (32_767, true)]);
        packed.push(1, Impact(0x80), &[]);
        packed.push(70_000, Impact(255), &[(2, true)]);
        packed
    }

    #[test]
    fn postings_come_back_as_they_were_packed() {
        let packed = packed();
        let section = SectionRef::new;
        let expected = Postings {
            nodes: vec![0, 1, 70_000],
            impacts: vec![Impact(3), Impact(0x80), Impact(255)],
            section_ends: vec![2, 2, 3],
            sections: vec![section(0, false), section(32_767, true), section(2, true)],
        };
        assert_eq!(packed.unpacked(), expected);
        assert_eq!(
            (
                packed.n_nodes(),
                packed.n_sections(),
                packed.n_with_sections()
            ),
            (3, 3, 3)
        );
        assert_eq!(PackedPostings::default().unpacked(), Postings::default());
    }

    #[test]
    fn what_is_left_keeps_its_sections_or_loses_them() {
        let mut left = packed();
        left.retain(true, |impact| impact.0 != 3);
        let expected = Postings {
            nodes: vec![1, 70_000],
            impacts: vec![Impact(0x80), Impact(255)],
            section_ends: vec![0, 1],
            sections: vec![SectionRef::new(2, true)],
        };
        assert_eq!(left.unpacked(), expected);
        left.retain(false, |_| true);
        let expected = Postings {
            section_ends: vec![],
            sections: vec![],
            ..expected
        };
        assert_eq!(left.unpacked(), expected);
        assert_eq!(
            (left.n_nodes(), left.n_sections(), left.n_with_sections()),
            (2, 0, 0)
        );
    }
}
