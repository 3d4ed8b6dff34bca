//! Stems of the site that a typed word may mean.

use crate::base::error::{Error, ErrorKind};
use crate::base::id::NodeId;
use crate::bundle::stems::{Stem, StemRef, TermPart, idf};
use crate::bundle::step::Step;
use crate::bundle::{Missing, Resident};
use crate::text::{TermKind, is_name};
use std::rc::Rc;

/// A stem that may be meant by a typed word.
#[derive(Debug, Clone)]
pub struct Alternative {
    pub(super) part: Rc<TermPart>,
    pub(super) index: u32,
    /// The surface that led here.
    pub surface: String,
    /// Certainty that it is meant, in (0, 1].
    pub weight: f32,
    /// Inverse document frequency it counts with.
    pub idf: f32,
}

impl Alternative {
    /// Looks the stem up in its part.
    pub fn stem(&self) -> &Stem {
        self.part
            .stem(self.index)
            .expect("checked when the alternative was made")
    }

    /// The word's vector, not normalised.
    pub fn vector(&self) -> Option<Vec<f32>> {
        self.part.vector(self.stem())
    }
}

/// A typed word with its possible stems, surest first.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The term as typed, folded.
    pub term: String,
    /// Kind of the term within the typed word.
    pub kind: TermKind,
    /// Possible stems; empty when nothing on the site is like it.
    pub alternatives: Vec<Alternative>,
    /// Weight in the question: pieces of a known identifier count less than the identifier.
    pub weight: f32,
    /// The word it was read as, when not as typed.
    pub correction: Option<String>,
    /// The files with words of the language that the site lacks are not there: it may have a meaning that is not known.
    pub is_untold: bool,
}

impl Slot {
    /// Weight times idf of the surest alternative; 0 when there is none.
    pub fn importance(&self) -> f32 {
        self.alternatives
            .iter()
            .map(|a| a.idf * a.weight)
            .fold(0.0, f32::max)
            * self.weight
    }

    /// The word that it was read as, for people: a name that goes on as it began, or ends before, is what was typed.
    pub fn correction(&self) -> Option<&str> {
        let read_as = self.correction.as_deref()?;
        let is_same = self.kind == TermKind::Whole
            && (read_as.starts_with(&*self.term) || self.term.starts_with(read_as));
        (!is_same).then_some(read_as)
    }

    /// True for a name, beside the words in it.
    pub fn is_name(&self) -> bool {
        is_name(&self.term)
    }

    /// True if any alternative occurs on the site.
    pub fn occurs(&self) -> bool {
        self.alternatives.iter().any(|a| a.stem().df > 0)
    }
}

/// The nodes that are wanted; `None`: all.
pub type Inside<'a> = Option<&'a dyn Fn(NodeId) -> bool>;

/// True if a stem occurs on a wanted page.
pub fn is_inside(stem: &Stem, inside: Inside<'_>) -> bool {
    inside.is_none_or(|inside| stem.postings.nodes.iter().any(|&node| inside(NodeId(node))))
}

/// True if any of the alternatives occurs on a wanted page.
#[inline(never)] // once in the module
pub fn any_inside(alternatives: &[Alternative], inside: Inside<'_>) -> bool {
    alternatives.iter().any(|a| is_inside(a.stem(), inside))
}

/// Drops alternatives that occur only outside, where any occurs inside. One that occurs nowhere only brings a vector.
pub fn prefer_inside(alternatives: &mut Vec<Alternative>, inside: Inside<'_>) {
    if any_inside(alternatives, inside) {
        alternatives.retain(|a| a.stem().df == 0 || is_inside(a.stem(), inside));
    }
}

/// The place of a word in the dictionary.
pub fn lookup(store: &Resident, surface: &str) -> Step<Option<StemRef>> {
    match store.head().term_part(surface) {
        Some(part) => Ok(store.terms(part)?.find(surface)),
        None => Ok(None),
    }
}

/// An alternative, or the part missing for it. Errors: `BUNDLE_DAMAGED` when the place does not exist.
#[allow(clippy::type_complexity)]
pub fn alternative(
    store: &Resident,
    at: StemRef,
    surface: &str,
    weight: f32,
) -> Step<Result<Alternative, Missing>> {
    let part = match store.terms(at.part) {
        Ok(part) => part,
        Err(missing) => return Ok(Err(missing)),
    };
    let df = part.stem(at.stem).map(|stem| stem.df).ok_or_else(|| {
        Error::new(
            ErrorKind::BundleDamaged,
            "a surface leads to a stem that is not there",
        )
    })?;
    let idf = idf(store.head().parameters.n_nodes, df);
    Ok(Ok(Alternative {
        part,
        index: at.stem,
        surface: surface.to_owned(),
        weight,
        idf,
    }))
}
