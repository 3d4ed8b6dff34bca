//! Filters: which documents a request may see and wants to see.
//!
//! Categories are joined by AND, values inside one by OR. An access list in a browser is a view, not a wall: the
//! bundle's bytes are already on the machine of whoever asks. Source: spec onyx §4.

use crate::base::error::{Error, ErrorKind, Result};
use crate::text::lower;
use serde::Deserialize;

/// A lower bound on the update time older than this keeps undated documents, when there is no upper bound.
pub const UNDATED_AFTER_S: i64 = 90 * 86_400;

/// Facts of a document that filters test. Lists are empty and options `None` when unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Facts<'a> {
    /// Identity: the URI.
    pub id: &'a str,
    /// Kind of source.
    pub source: &'a str,
    /// Taken out of search by its author.
    pub hidden: bool,
    /// Visible to everyone.
    pub public: bool,
    /// Who may see it: `user_email:…`, `group:…`, `external_group:…`.
    pub access: &'a [&'a str],
    /// Document sets it belongs to.
    pub sets: &'a [&'a str],
    /// Tags, `key=value` or bare words.
    pub tags: &'a [&'a str],
    /// Folder nodes above it.
    pub ancestors: &'a [u32],
    /// Personas it is attached to.
    pub personas: &'a [u32],
    /// Projects it is attached to.
    pub projects: &'a [u32],
    /// Seconds since 1970 UTC.
    pub created: Option<i64>,
    /// Seconds since 1970 UTC; only the latest update is known.
    pub updated: Option<i64>,
    /// Number of the chunk in its document.
    pub chunk: u32,
}

/// An inclusive range of times in seconds since 1970 UTC; a missing side is open. Both open: no filter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct TimeRange(pub Option<i64>, pub Option<i64>);

impl TimeRange {
    fn is_open(self) -> bool {
        self.0.is_none() && self.1.is_none()
    }

    fn holds(self, time: i64) -> bool {
        self.0.is_none_or(|start| start <= time) && self.1.is_none_or(|end| time <= end)
    }
}

/// Conditions of a request on documents. The default has none: every document that is not hidden passes.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Visibility {
    /// Let hidden documents pass; for listings by an administrator.
    pub include_hidden: bool,
    /// Who is asking. `None`: no restriction; an empty list: public documents only.
    pub access: Option<Vec<String>>,
    /// Document sets forced on the request, beside its own scope.
    pub forced_sets: Vec<String>,
    /// Kinds of source.
    pub sources: Vec<String>,
    /// Tags, any of them, also across keys.
    pub tags: Vec<String>,
    /// Scope: document sets.
    pub sets: Vec<String>,
    /// Scope: documents by identity.
    pub docs: Vec<String>,
    /// Scope: folder nodes.
    pub nodes: Vec<u32>,
    /// Scope: a persona.
    pub persona: Option<u32>,
    /// Scope: a project.
    pub project: Option<u32>,
    /// Creation time. Documents without one pass.
    pub created: TimeRange,
    /// Update time. Documents without one are dropped, unless the start is older than [`UNDATED_AFTER_S`] and the end
    /// open.
    pub updated: TimeRange,
    /// Chunk numbers, inclusive.
    pub chunks: Option<(u32, u32)>,
}

/// The first category that kept a document out, for `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The document is hidden.
    Hidden,
    /// The asker shares no entry of its access list.
    Access,
    /// Not in a forced document set.
    ForcedSet,
    /// Another kind of source.
    Source,
    /// None of the tags.
    Tag,
    /// In none of the scopes given.
    Scope,
    /// Created outside the range.
    Created,
    /// Updated outside the range, or at an unknown time.
    Updated,
    /// Another chunk of the document.
    Chunk,
}

impl Visibility {
    /// True if a document passes. `now` is in seconds since 1970 UTC.
    pub fn allows(&self, facts: &Facts<'_>, now: i64) -> bool {
        self.refusal(facts, now).is_none()
    }

    /// Why a document does not pass; `None` when it does.
    pub fn refusal(&self, facts: &Facts<'_>, now: i64) -> Option<Refusal> {
        if facts.hidden && !self.include_hidden {
            return Some(Refusal::Hidden);
        }
        if self
            .access
            .as_ref()
            .is_some_and(|asker| !facts.public && !share(asker, facts.access))
        {
            return Some(Refusal::Access);
        }
        if !self.forced_sets.is_empty() && !share(&self.forced_sets, facts.sets) {
            return Some(Refusal::ForcedSet);
        }
        if !self.sources.is_empty() && !self.sources.iter().any(|source| source == facts.source) {
            return Some(Refusal::Source);
        }
        if !self.tags.is_empty() && !share(&self.tags, facts.tags) {
            return Some(Refusal::Tag);
        }
        if self.has_scope() && !self.in_scope(facts) {
            return Some(Refusal::Scope);
        }
        // A document whose creation date is unknown may well lie inside; one that cannot say when it changed is no
        // answer to "what changed lately", but is to "anything newer than long ago".
        if facts.created.is_some_and(|time| !self.created.holds(time)) {
            return Some(Refusal::Created);
        }
        if !self.updated.is_open() {
            let passes = match (facts.updated, self.updated) {
                (Some(time), range) => range.holds(time),
                (None, TimeRange(Some(start), None)) => start < now.saturating_sub(UNDATED_AFTER_S),
                (None, _) => false,
            };
            if !passes {
                return Some(Refusal::Updated);
            }
        }
        if self
            .chunks
            .is_some_and(|(low, high)| !(low..=high).contains(&facts.chunk))
        {
            return Some(Refusal::Chunk);
        }
        None
    }

    fn has_scope(&self) -> bool {
        !self.sets.is_empty()
            || !self.docs.is_empty()
            || !self.nodes.is_empty()
            || self.persona.is_some()
            || self.project.is_some()
    }

    fn in_scope(&self, facts: &Facts<'_>) -> bool {
        share(&self.sets, facts.sets)
            || self.docs.iter().any(|id| id == facts.id)
            || self.nodes.iter().any(|node| facts.ancestors.contains(node))
            || self
                .persona
                .is_some_and(|persona| facts.personas.contains(&persona))
            || self
                .project
                .is_some_and(|project| facts.projects.contains(&project))
    }
}

fn share(wanted: &[String], have: &[&str]) -> bool {
    wanted.iter().any(|wanted| have.contains(&wanted.as_str()))
}

/// Fails for a value that does not exist: an unknown set or tag is an error, not an empty result.
///
/// `what` names the category in the message, which lists up to three known values that resemble the unknown one.
/// Errors: `INVALID_FILTER`.
pub fn check_known(what: &str, wanted: &[String], known: &[&str]) -> Result<()> {
    let Some(unknown) = wanted
        .iter()
        .find(|wanted| !known.contains(&wanted.as_str()))
    else {
        return Ok(());
    };
    let folded = lower(unknown);
    let resembles = |candidate: &&&str| {
        let candidate = lower(candidate);
        candidate.contains(&folded)
            || folded.contains(&candidate)
            || one_edit_apart(&candidate, &folded)
    };
    let near: Vec<&str> = known.iter().filter(resembles).take(3).copied().collect();
    let hint = if near.is_empty() {
        String::new()
    } else {
        ["; did you mean ", &near.join(", ")].concat()
    };
    Err(Error::new(
        ErrorKind::InvalidFilter,
        ["unknown ", what, " \"", unknown, "\"", &hint].concat(),
    ))
}

/// True if one insertion, deletion, substitution or swap of neighbors turns one word into the other.
pub fn one_edit_apart(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let room = a.len().min(b.len()) - start;
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(room)
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    a.len().max(b.len()) <= 1 || (a.len() == 2 && b.len() == 2 && a[0] == b[1] && a[1] == b[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_value_names_its_neighbours() {
        let known = ["engineering", "legal", "sales"];
        assert!(check_known("set", &["legal".to_owned()], &known).is_ok());
        let error = check_known("set", &["leagl".to_owned()], &known).expect_err("no such set");
        assert_eq!(error.code(), "INVALID_FILTER");
        assert_eq!(error.message(), "unknown set \"leagl\"; did you mean legal");
        let error = check_known("set", &["zz".to_owned()], &known).expect_err("no such set");
        assert_eq!(error.message(), "unknown set \"zz\"");
    }

    #[test]
    fn one_edit() {
        for (a, b) in [
            ("ab", "b"),
            ("ab", "axb"),
            ("ab", "ba"),
            ("", "a"),
            ("aa", "aaa"),
        ] {
            assert!(one_edit_apart(a, b) && one_edit_apart(b, a), "{a} {b}");
        }
        assert!(!one_edit_apart("ab", "cd"));
        assert!(!one_edit_apart("abc", "cba"));
    }

    #[test]
    fn the_first_reason_is_told() {
        let filter = Visibility {
            chunks: Some((2, 4)),
            ..Visibility::default()
        };
        assert_eq!(
            filter.refusal(
                &Facts {
                    chunk: 5,
                    ..Facts::default()
                },
                0
            ),
            Some(Refusal::Chunk)
        );
        assert_eq!(
            filter.refusal(
                &Facts {
                    chunk: 4,
                    ..Facts::default()
                },
                0
            ),
            None
        );
        assert_eq!(
            filter.refusal(
                &Facts {
                    hidden: true,
                    ..Facts::default()
                },
                0
            ),
            Some(Refusal::Hidden)
        );
    }
}
