//! `find`, on one screen: words, scope, relevance, walk, results.

use crate::base::error::{Error, ErrorKind};
use crate::base::order;
use crate::base::uri::{Uri, url_path, with_sidecar};
use crate::bundle::place;
use crate::bundle::step::{Gather, Step};
use crate::bundle::{NodeRecord, Resident, TextRecord};
#[cfg(feature = "full")]
use crate::find::answer::explain;
#[cfg(feature = "full")]
use crate::find::answer::result::VectorTelemetry;
use crate::find::answer::result::{Also, Excerpt, FindResult, MatchedContext, SectionHit, Skipped};
use crate::find::ask::options::FindOptions;
use crate::find::ask::request::Request;
use crate::find::ask::scope::Scope;
use crate::find::ask::variants;
use crate::find::ask::variants::{Hit, Wanted};
use crate::find::ask::words::{Meant, Slot};
#[cfg(feature = "full")]
use crate::find::onyx::ranking;
use crate::find::rank::mix::{Question, Relevance};
use crate::find::walk::over_bundle;
use crate::text::excerpt;
use crate::vectors::QueryVector;

/// Whether this module can do more than the core: messages about the rest are for it only.
const IS_FULL: bool = cfg!(feature = "full");
/// Characters of an excerpt: two lines of a result list.
const EXCERPT_CHARS: usize = 180;
/// Sections shown below a result.
const SECTION_HITS: usize = 3;
/// Share of the best section's weight from which another is shown.
const SHOWN_FROM: f32 = 0.35;
/// Sections of a result that are read for excerpts.
const LOOKED_AT: usize = 3;

/// Answers a question. Pure: run again when it stops for missing parts.
pub fn find(store: &Resident, query: &str, options: &FindOptions) -> Step<FindResult> {
    let request = Request::read(query, options)?;
    let head = store.head();
    let mut result = FindResult::default();
    if request.limit == 0 {
        return Ok(result);
    }
    let ((slots, is_cut), scope, wanted) =
        variants::read(store, query, &request, options, &mut result)?;
    result.corrections = slots
        .iter()
        .filter_map(|s| s.correction.as_ref().map(|c| [s.term.clone(), c.clone()]))
        .collect();
    if is_cut {
        result.skipped.push(Skipped {
            step: "words".into(),
            reason: "the words after the 64th".into(),
        });
    }
    let dims = head.parameters.dims as usize;
    let vector = match &options.vector {
        Some(given) => Some(given_vector(given, dims)?),
        None if dims == 0 => None,
        None => Question::vector_of(&slots, dims),
    };
    let question = Question {
        slots,
        vector,
        alpha: request.alpha(options, head),
    };
    if question.vector.is_none() && question.alpha > 0.0 {
        let reason = if dims == 0 {
            "this bundle has no vectors"
        } else if IS_FULL && !head.parameters.encoder.starts_with("static-") {
            "this bundle's vectors are a model's: search() with its endpoint uses them"
        } else {
            "no word of the query has a vector"
        };
        result.skipped.push(Skipped {
            step: "vector".into(),
            reason: reason.into(),
        });
    }
    let Some((ranking, question)) = ranking::rank(
        store,
        query,
        question,
        &scope,
        &request,
        options,
        &mut result,
    )?
    else {
        return Ok(result);
    };
    let walked = request
        .walks(head)
        .then(|| over_bundle::walk(store, &ranking.rows, &scope, &request, options));
    let mut hits: Vec<Hit> = match &walked {
        None => flat(store, &ranking.rows, &scope, &request),
        Some(found) => {
            let hits = found.hits.iter();
            hits.map(|h| (h.node.0, h.level, h.score)).collect()
        }
    };
    hits.retain(|h| options.score_threshold.is_none_or(|t| h.2 > t));
    let (hits, others) = wanted.rows(head, hits, request.limit);
    #[cfg(feature = "full")]
    if options.trace {
        let found = walked.unwrap_or_default();
        result.trace = Some(explain::trace(
            store,
            &question,
            &ranking.rows,
            found.trace,
            found.counts,
        )?);
    }
    let contexts = contexts(store, &question.slots, &hits, &others, &wanted, options)?;
    #[cfg(feature = "full")]
    let contexts = {
        let told = explain::tell(
            store, &question, &ranking, &hits, contexts, &request, options,
        )?;
        result.telemetry = options.telemetry.then(|| VectorTelemetry {
            returned: hits.len(),
            scanned: scope.ranges().iter().map(|(a, b)| (b - a) as usize).sum(),
            ..ranking.counts.clone()
        });
        result.alpha = question.alpha;
        told
    };
    for context in contexts {
        match context.context_type {
            "memory" => result.memories.push(context),
            "skill" => result.skills.push(context),
            _ => result.resources.push(context),
        }
    }
    result.total = hits.len();
    Ok(result)
}

fn given_vector(values: &[f32], dims: usize) -> Result<QueryVector, Error> {
    let bad = |what: String| Error::new(ErrorKind::InvalidArgument, what);
    if values.len() != dims {
        return Err(bad(format!(
            "the query vector has {} dimensions, this bundle's have {dims}",
            values.len()
        )));
    }
    QueryVector::new(values).ok_or_else(|| bad("the query vector is zero or not finite".into()))
}

/// The core's ranking: one query, Knarr's own scores.
#[cfg(not(feature = "full"))]
mod ranking {
    use super::*;
    use crate::find::rank::mix;

    pub struct Ranking {
        pub rows: Vec<Relevance>,
    }

    pub fn rank(
        store: &Resident,
        _: &str,
        question: Question,
        scope: &Scope,
        request: &Request,
        _: &FindOptions,
        _: &mut FindResult,
    ) -> Step<Option<(Ranking, Question)>> {
        if question.is_empty() {
            return Ok(None);
        }
        let rows = mix::rank(store, &question, scope, request.limit)?;
        Ok(Some((Ranking { rows }, question)))
    }
}

/// QUICK: the ranking as it is, a directory at the first level that was asked for and may be returned.
fn flat(
    store: &Resident,
    ranked: &[Relevance],
    scope: &Scope,
    request: &Request,
) -> Vec<(u32, u8, f32)> {
    let level_of = |node: u32| {
        let levels: &[u8] = match store.head().directory_at(node) {
            None => &[2],
            Some(_) => &[0, 1],
        };
        let wanted = |&&l: &&u8| request.levels.contains(l) && scope.admits(node, l);
        levels.iter().find(wanted).copied()
    };
    ranked
        .iter()
        .filter_map(|r| level_of(r.node).map(|level| (r.node, level, r.score)))
        .collect()
}

/// Turns hits into results. Branches of all hits are asked for together, then their texts.
fn contexts(
    store: &Resident,
    slots: &[Slot],
    hits: &[Hit],
    others: &[(usize, u32)],
    wanted: &Wanted,
    options: &FindOptions,
) -> Step<Vec<MatchedContext>> {
    let head = store.head();
    let mut gather = Gather::default();
    for node in hits.iter().map(|h| h.0).chain(others.iter().map(|o| o.1)) {
        gather.take(store.branch(head.block_of(node)));
    }
    gather.done()?;
    let mut gather = Gather::default();
    let mut texts = Vec::new();
    for (node, level, _) in hits {
        let wanted = options.excerpts || *level == 1;
        texts.push(if wanted {
            gather.take(store.text(*node))
        } else {
            None
        });
    }
    gather.done()?;
    let meant = Meant::of(slots);
    let mut out = Vec::with_capacity(hits.len());
    for (&(node, level, score), text) in hits.iter().zip(texts) {
        let record = place::record(store, node)?;
        let uri = place::uri_of(store, node)?;
        let mut context = MatchedContext {
            context_type: Uri::from_canonical(uri.clone()).context_type().as_str(),
            level,
            score: score.clamp(0.0, 1.0),
            abstract_: record.abstract_.clone(),
            tags: record.tags.clone(),
            title: record.title.clone(),
            url: url_of(&record, &uri, store),
            crumbs: record.crumbs.clone(),
            uri,
            ..MatchedContext::default()
        };
        wanted.tell(head, node, &record, &mut context);
        if let Some(text) = text {
            let sections = best_sections(slots, node, text.sections.len());
            fill(&mut context, &text, &sections, &meant, options);
        }
        if level < 2 {
            context.uri = with_sidecar(&context.uri, level);
        }
        out.push(context);
    }
    for &(place, node) in others {
        let record = place::record(store, node)?;
        let mut other = MatchedContext {
            url: url_of(&record, &place::uri_of(store, node)?, store),
            ..MatchedContext::default()
        };
        wanted.tell(head, node, &record, &mut other);
        out[place].also.push(Also {
            lang: other.lang,
            version: other.version,
            url: other.url,
        });
    }
    Ok(out)
}

/// Address of a page: the author's as given, or its path below the tree, percent-encoded.
pub fn url_of(record: &NodeRecord, uri: &str, store: &Resident) -> String {
    if record.is_dir {
        return String::new();
    }
    if !record.url.is_empty() {
        return record.url.clone();
    }
    let root = ["viking://resources/", &store.head().name, "/"].concat();
    let path = uri
        .strip_prefix(root.as_str())
        .or_else(|| uri.strip_prefix("viking://"));
    url_path(path.unwrap_or(uri))
}

/// The sections that hold the most of the question, best first, at most [`LOOKED_AT`]; the first ones when the words say
/// nothing of sections. Cutting an excerpt reads a whole section, so only these are read.
fn best_sections(slots: &[Slot], node: u32, n_sections: usize) -> Vec<usize> {
    let weights = section_weights(slots, node, n_sections);
    let mut order: Vec<usize> = (0..n_sections).collect();
    order::sort_by(&mut order, |&a, &b| {
        weights[b].total_cmp(&weights[a]).then(a.cmp(&b))
    });
    order.truncate(LOOKED_AT);
    order
}

/// What each section of a node holds of the question; all 0 when the words say nothing of sections.
pub(crate) fn section_weights(slots: &[Slot], node: u32, n_sections: usize) -> Vec<f32> {
    let mut weights = vec![0.0f32; n_sections];
    for slot in slots {
        let mut own = vec![0.0f32; n_sections];
        for a in &slot.alternatives {
            let p = &a.stem().postings;
            let Ok(at) = p.nodes.binary_search(&node) else {
                continue;
            };
            if p.section_ends.is_empty() {
                continue;
            }
            for section in p.sections_of(at) {
                if let Some(weight) = own.get_mut(section.ordinal()) {
                    // What its heading names, a section is about.
                    let times = if section.in_heading() { 2.0 } else { 1.0 };
                    *weight = weight.max(a.weight * a.idf * slot.weight * times);
                }
            }
        }
        weights
            .iter_mut()
            .zip(own)
            .for_each(|(sum, own)| *sum += own);
    }
    weights
}

fn fill(
    context: &mut MatchedContext,
    text: &TextRecord,
    sections: &[usize],
    meant: &Meant<'_>,
    options: &FindOptions,
) {
    if context.level == 1 {
        context.abstract_.clone_from(&text.overview);
    }
    if !options.excerpts {
        return;
    }
    let cut_to = |text: &str, max_chars: usize| {
        let may_match = |line: &str| meant.may_be_in(line);
        excerpt(text, max_chars, may_match, |term| meant.by(term))
    };
    let cut = |text: &str| cut_to(text, EXCERPT_CHARS);
    let mut cuts: Vec<(usize, crate::text::Excerpted, f32, bool)> = sections
        .iter()
        .map(|&i| {
            let s = &text.sections[i];
            let cut = cut(&s.text);
            let weight = cut.weight + cut_to(&s.heading, 200).weight;
            (i, cut, weight, meant.is_said_by(&s.heading))
        })
        .collect();
    let best = cuts.iter().map(|c| c.2).fold(0.0, f32::max);
    // A section whose heading is the question is the one that is looked for, whatever the others say of it.
    cuts.iter_mut().filter(|c| c.3).for_each(|c| c.2 = best);
    order::sort_by(&mut cuts, |a, b| {
        b.2.total_cmp(&a.2).then(b.3.cmp(&a.3)).then(a.0.cmp(&b.0))
    });
    let shown = cuts.iter().find(|c| c.1.weight > 0.0);
    let shown = shown.map_or_else(|| cut(&context.abstract_), |c| c.1.clone());
    context.excerpt = Excerpt {
        text: shown.text,
        highlights: shown.highlights,
    };
    for (i, cut, weight, _) in cuts.into_iter().filter(|c| c.2 > 0.0).take(SECTION_HITS) {
        let section = &text.sections[i];
        if section.heading.is_empty() || weight < best * SHOWN_FROM {
            continue;
        }
        let fragment = if section.anchor.is_empty() {
            String::new()
        } else {
            ["#", &section.anchor].concat()
        };
        context.sections.push(SectionHit {
            uri: [context.uri.as_str(), &fragment].concat(),
            title: section.heading.clone(),
            anchor: section.anchor.clone(),
            url: [context.url.as_str(), &fragment].concat(),
            score: if best > 0.0 { weight / best } else { 0.0 },
            excerpt: Excerpt {
                text: cut.text,
                highlights: cut.highlights,
            },
        });
    }
}
