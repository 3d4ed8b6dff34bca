//! Languages and versions: among which pages a question looks, which address of a page it opens, which pages are one row.

use super::question::Question;
use super::request::Request;
use super::scope::Scope;
use super::words::{self, Slot};
use crate::base::id::NodeId;
use crate::bundle::step::{Step, both};
use crate::bundle::{Head, Resident, Variant};
use crate::find::answer::result::Skipped;
use crate::find::ask::options::FindOptions;
use crate::find::walk::{Hit, Levels};

/// Of the question's words, weighed, the best wanted page must hold this share of what the best page at all holds:
/// below, the wanted pages do not answer. A translation lacks a word or two that the other language happens to share; a
/// page that has most of the question is not worth changing the language for.
const ENOUGH: f32 = 0.5;
/// Stands for every language, or every version.
const ANY: &str = "*";

/// Languages and versions that a question wants, most preferred first; empty lists: any.
pub struct Wanted {
    languages: Vec<String>,
    versions: Vec<String>,
    /// Widening of the question: 1 to every version, 2 to every language, 3 to both.
    widened: u8,
    /// By variant of the head.
    admitted: Vec<bool>,
    /// The options that could not be followed.
    pub skipped: Vec<Skipped>,
}

impl Wanted {
    /// Languages and versions of the options, or the site's own where it has none of those.
    fn of(head: &Head, options: &FindOptions) -> Self {
        let v = &head.variants;
        let mut skipped = Vec::new();
        let mut pick = |named: &[String], own: &str, step: &str, has: &dyn Fn(&str) -> bool| {
            let is_any = named.iter().any(|tag| tag == ANY);
            let named = named.iter().filter(|tag| !tag.is_empty() && *tag != ANY);
            let mut tags: Vec<String> = named.clone().filter(|tag| has(tag)).cloned().collect();
            if tags.is_empty() && named.count() > 0 && !own.is_empty() {
                skipped.push(Skipped {
                    step: step.into(),
                    reason: ["no page is in it: searched is ", own].concat(),
                });
            }
            if (tags.is_empty() || is_any) && !own.is_empty() {
                tags.push(own.into());
            }
            if is_any {
                tags.push(ANY.into());
            }
            tags
        };
        let languages = pick(
            options.lang.as_slice(),
            &v.default.language,
            "lang",
            &|tag| v.all.iter().any(|v| is_language(&v.language, tag)),
        );
        let versions = pick(
            options.version.as_slice(),
            &v.default.version,
            "version",
            &|tag| v.all.iter().any(|v| v.version.eq_ignore_ascii_case(tag)),
        );
        Self {
            languages,
            versions,
            widened: 0,
            admitted: Vec::new(),
            skipped,
        }
        .widened(head, 0)
    }

    fn widened(mut self, head: &Head, how: u8) -> Self {
        self.widened = how;
        let admits = |v: &Variant| {
            (how & 2 != 0 || self.place(v) < self.languages.len().max(1))
                && (how & 1 != 0 || self.has_version(v))
        };
        self.admitted = head.variants.all.iter().map(admits).collect();
        self
    }

    fn has_version(&self, v: &Variant) -> bool {
        let is_it = |tag: &String| tag == ANY || v.version.eq_ignore_ascii_case(tag);
        self.versions.is_empty() || v.version.is_empty() || self.versions.iter().any(is_it)
    }

    /// Notes how far the question was widened.
    fn note(&mut self) {
        for (bit, step) in [(1, "version"), (2, "lang")] {
            if self.widened & bit != 0 {
                self.skipped.push(Skipped {
                    step: step.into(),
                    reason: "what was wanted has no answer: the others were searched too".into(),
                });
            }
        }
    }

    /// Rank of a variant's language among the wanted ones, from 0, the most preferred.
    fn place(&self, v: &Variant) -> usize {
        if v.language.is_empty() {
            return 0;
        }
        let is_it = |tag: &String| tag == ANY || is_language(&v.language, tag);
        let place = self.languages.iter().position(is_it);
        place.unwrap_or(self.languages.len())
    }

    fn place_of(&self, head: &Head, node: NodeId) -> usize {
        let own = head.variants.of(node).first();
        own.map_or(0, |&v| self.place(&head.variants.all[v as usize]))
    }

    fn holds(&self, head: &Head, node: NodeId) -> bool {
        let own = head.variants.of(node);
        own.is_empty() || own.iter().any(|&v| self.admitted[v as usize])
    }

    /// True where the wanted language is not that of the general words, which is English.
    fn is_foreign(&self, head: &Head) -> bool {
        let preferred = self.languages.first();
        head.general_keys.is_empty() || preferred.is_some_and(|tag| !is_language(tag, "en"))
    }

    /// True if pages in a variant of the head, by number, are wanted.
    pub fn admits(&self, variant: u32) -> bool {
        self.admitted[variant as usize]
    }

    /// At most `limit` rows, one for each page and its translations: the most preferred language that answers, with the best score. Besides,
    /// the translations that a row stands for: its place, and the node.
    pub fn rows(
        &self,
        head: &Head,
        hits: Vec<Hit>,
        limit: usize,
    ) -> (Vec<Hit>, Vec<(usize, NodeId)>) {
        let mut rows: Vec<Hit> = Vec::new();
        let mut pages: Vec<(NodeId, u8)> = Vec::new();
        let mut others = Vec::new();
        for hit in hits {
            let page = (head.variants.page(hit.node), hit.level);
            if let Some(place) = pages.iter().position(|other| *other == page) {
                let mut other = hit.node;
                // A page that hardly answers does not stand for its translation that does.
                let answers = hit.score * 2.0 >= rows[place].score;
                if answers && self.place_of(head, other) < self.place_of(head, rows[place].node) {
                    std::mem::swap(&mut rows[place].node, &mut other);
                }
                others.push((place, other));
            } else if rows.len() < limit {
                rows.push(hit);
                pages.push(page);
            }
        }
        (rows, others)
    }
}

/// True if a page in `language` serves a reader who wants `tag`; one may be less specific (`pt` and `pt-BR`).
fn is_language(language: &str, tag: &str) -> bool {
    let (a, b) = (language.as_bytes(), tag.as_bytes());
    let n = a.len().min(b.len());
    let ends = |tag: &[u8]| tag.get(n).is_none_or(|&c| c == b'-');
    a[..n].eq_ignore_ascii_case(&b[..n]) && ends(a) && ends(b)
}

/// Reads a question among the pages that are wanted: among all where these do not answer it.
pub fn read(
    store: &Resident,
    question: &Question,
    request: &Request,
    options: &FindOptions,
) -> Step<(Vec<Slot>, Scope, Wanted)> {
    let head = store.head();
    let mut wanted = Wanted::of(head, options);
    loop {
        let is_all = wanted.admitted.iter().all(|&admitted| admitted);
        let holds = |node: NodeId| wanted.holds(head, node);
        // Directories are of every language, and tell of all of them.
        let inside = |node: NodeId| head.directory_at(node).is_none() && holds(node);
        // Words and scope do not depend on each other: what both lack is fetched together.
        let (words, scope) = both(
            words::read(
                store,
                question,
                options.prefix,
                wanted.is_foreign(head),
                (!is_all).then_some(&inside),
            ),
            request.scope(store),
        )?;
        if is_all {
            wanted.note();
            return Ok((words, scope, wanted));
        }
        let cover = covered(&words, head, &scope, &inside);
        if cover[0] >= cover[1] * ENOUGH {
            let scope = scope.within(head.parameters.n_nodes, &holds);
            wanted.note();
            return Ok((words, scope, wanted));
        }
        let next = wanted.widened + 1;
        wanted = wanted.widened(head, next);
    }
}

/// Importance of the question's words in the best file `inside`, and in the best of the others. O(postings).
///
/// A name counts by its words: the wanted version may use what only another one defines. A file without any of the words
/// counts a little: where the scope has none `inside`, the others are better.
fn covered(
    slots: &[Slot],
    head: &Head,
    scope: &Scope,
    inside: &dyn Fn(NodeId) -> bool,
) -> [f32; 2] {
    let mut sums = vec![(0.0f32, usize::MAX); head.parameters.n_nodes as usize];
    for (word, slot) in slots.iter().enumerate() {
        if slot.is_name() {
            continue;
        }
        let importance = slot.importance();
        for &node in slot
            .alternatives
            .iter()
            .flat_map(|a| &a.stem().postings.nodes)
        {
            let sum = &mut sums[node as usize];
            if sum.1 != word {
                *sum = (sum.0 + importance, word);
            }
        }
    }
    let mut best = [0.0f32; 2];
    for (node, sum) in (0..).map(NodeId).zip(sums) {
        if scope.holds(node) && head.directory_at(node).is_none() {
            let best = &mut best[usize::from(!inside(node))];
            *best = best.max(sum.0).max(f32::MIN_POSITIVE);
        }
    }
    best
}

impl Scope {
    /// Narrows the scope to some of the nodes.
    pub(super) fn within(mut self, n_nodes: u32, inside: &dyn Fn(NodeId) -> bool) -> Self {
        let mut admitted = self.admitted.take();
        let all = admitted.get_or_insert_with(|| vec![Levels::ALL; n_nodes as usize]);
        for (node, levels) in (0..).map(NodeId).zip(all) {
            if !inside(node) {
                *levels = Levels::NONE;
            }
        }
        self.admitted = admitted;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_match_where_one_says_less() {
        for (page, asked, is_one) in [
            ("pt-br", "pt", true),
            ("en", "en-US", true),
            ("PT-br", "pt-BR", true),
            ("pt-br", "pt-pt", false),
            ("en", "enm", false),
            ("de", "en", false),
        ] {
            assert_eq!(is_language(page, asked), is_one, "{page} {asked}");
            assert_eq!(is_language(asked, page), is_one, "{asked} {page}");
        }
    }
}
