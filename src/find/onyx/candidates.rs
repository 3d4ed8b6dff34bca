//! The candidates of the two-field formula over a bundle: four features each, and what their titles tell.

use super::alpha::{target_hits, title_ratio};
use super::options::{Hybrid, TitleShare};
use super::two_field::{Features, TwoFieldRow, WINDOW, two_field_each};
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::{Gather, Step, all};
use crate::bundle::{NodeRecord, Resident, place};
use crate::find::ask::asked::Inputs;
use crate::find::ask::question::Question;
use crate::find::ask::words;
use crate::find::rank::keywords;
use crate::find::rank::mix::Lists;

/// Candidates whose titles are looked at: each may cost a branch, and for its vector parts of the dictionary.
const TITLE_DEPTH: usize = 50;

/// Scores the candidates of both lists by the two-field formula.
pub fn by_two_fields(
    store: &Resident,
    inputs: &Inputs,
    lists: &Lists,
    hybrid: &Hybrid,
    limit: usize,
) -> Step<Vec<(NodeId, TwoFieldRow)>> {
    let width = target_hits(limit, WINDOW);
    let firsts = [&lists.keyword, &lists.vector].map(|list| list.iter().take(width));
    let mut nodes: Vec<u32> = firsts.into_iter().flatten().map(|hit| hit.node.0).collect();
    order::sort_dedup(&mut nodes);
    let mut cosines: Vec<Option<f64>> = vec![None; nodes.len()];
    for similar in &lists.vector {
        if let Ok(at) = nodes.binary_search(&similar.node.0) {
            cosines[at] = Some(f64::from(similar.score));
        }
    }
    let average_title = store.head().parameters.average_title;
    let usual = hybrid.title_share.usual();
    let candidates = nodes.iter().zip(cosines).map(|(&node, content_cosine)| {
        let node = NodeId(node);
        let fields = keywords::field_scores(&inputs.slots, node, average_title);
        let features = Features {
            content_cosine,
            title_bm25: f64::from(fields.title.unwrap_or(0.0)),
            content_bm25: f64::from(fields.content.unwrap_or(0.0)),
            ..Features::default()
        };
        (node, features, hybrid.profile.first_phase(&features, usual))
    });
    let mut candidates: Vec<(NodeId, Features, f64)> = candidates.collect();
    order::sort_by(&mut candidates, |a, b| {
        b.2.total_cmp(&a.2).then(a.0.cmp(&b.0))
    });
    candidates.truncate(WINDOW);
    let nodes: Vec<NodeId> = candidates.iter().map(|c| c.0).collect();
    let mut features: Vec<Features> = candidates.iter().map(|c| c.1).collect();
    let mut shares = vec![usual; features.len()];
    look_at_titles(store, inputs, hybrid, &nodes, &mut features, &mut shares)?;
    let rows = two_field_each(&features, f64::from(inputs.alpha), &shares);
    Ok(nodes.into_iter().zip(rows).collect())
}

/// Adds what the titles of the first candidates tell: their vectors, and the share that a document's own facts give them.
fn look_at_titles(
    store: &Resident,
    inputs: &Inputs,
    hybrid: &Hybrid,
    nodes: &[NodeId],
    features: &mut [Features],
    shares: &mut [f64],
) -> Step<()> {
    let is_fixed = matches!(hybrid.title_share, TitleShare::Fixed(_));
    if is_fixed && !hybrid.title_vectors {
        return Ok(());
    }
    let nodes = &nodes[..nodes.len().min(TITLE_DEPTH)];
    let mut gather = Gather::default();
    for &node in nodes {
        gather.take(store.branch(store.head().block_of(node)));
    }
    gather.done()?;
    let records: Vec<NodeRecord> = all(nodes.iter().map(|&n| place::record(store, n)).collect())?;
    for (share, record) in shares.iter_mut().zip(&records) {
        *share = share_of(&hybrid.title_share, record);
    }
    if let Some(query) = inputs.vector.as_ref().filter(|_| hybrid.title_vectors) {
        let dims = store.head().parameters.dims as usize;
        let read = |record: &NodeRecord| {
            let slots = words::on_site(store, &Question::new(&record.title))?;
            Ok(Inputs::vector_of(&slots, dims).map(|title| f64::from(title.cosine(query))))
        };
        let cosines = all(records.iter().map(read).collect())?;
        for (features, cosine) in features.iter_mut().zip(cosines) {
            features.title_cosine = cosine;
        }
    }
    Ok(())
}

/// The title's share for a document, by its source and by the lengths that the builder noted.
fn share_of(share: &TitleShare, record: &NodeRecord) -> f64 {
    let own = || {
        record
            .tags
            .iter()
            .find_map(|tag| tag.strip_prefix("source="))
    };
    let source = match share {
        TitleShare::Fixed(ratio) => return *ratio,
        TitleShare::Source(source) => source,
        TitleShare::OfDocument => own().unwrap_or_default(),
    };
    let title = record.title.chars().count();
    title_ratio(source, Some(title), usize::try_from(record.size).ok())
}
