//! The final vote: entities give their similarity to the chunks of their lists.

use super::{Boost, Rules};

/// An entity as it votes for one name of the question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// Number of the entity in the graph.
    pub entity: u32,
    /// Its similarity.
    pub score: f64,
    /// Its chunks, heaviest first, each with its share of the score (1 unless shares are relative).
    pub chunks: Vec<(u32, f64)>,
}

/// One vote.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Contribution {
    /// Index of the name among the distinct names of the question.
    pub name: u32,
    /// The entity that voted.
    pub entity: u32,
    /// The chunk it voted for.
    pub chunk: u32,
    /// Weight it gave.
    pub amount: f64,
}

/// Factor of the best match of a name.
const LEAD: f64 = 2.0;
/// Factor of chunks that the chunk hits confirm.
const CONFIRMED: f64 = 10.0;

/// Totals per chunk, as first seen, and the votes behind them. `lists` holds the records of each name, best first.
pub fn vote(
    lists: &[(u32, Vec<Record>)],
    hits: &[u32],
    rules: &Rules,
) -> (Vec<(u32, f64)>, Vec<Contribution>) {
    let mut totals: Vec<(u32, f64)> = Vec::new();
    let mut contributions = Vec::new();
    for (name, records) in lists {
        // Summed per name first: the order of additions is part of the published result.
        let mut part: Vec<(u32, f64)> = Vec::new();
        for (place, record) in records.iter().enumerate() {
            let equals = |other: &Record| {
                let ids =
                    |record: &Record| record.chunks.iter().map(|pair| pair.0).collect::<Vec<_>>();
                other.score == record.score && ids(other) == ids(record)
            };
            let leads = if rules.double_by_position {
                place == 0
            } else {
                equals(&records[0])
            };
            let score = record.score * if leads { LEAD } else { 1.0 };
            let confirmed = |chunk: u32| hits.contains(&chunk);
            let head_confirmed = record.chunks.first().is_some_and(|pair| confirmed(pair.0));
            for (position, &(chunk, share)) in record.chunks.iter().enumerate() {
                let boosted = match rules.boost {
                    Boost::WholeList => head_confirmed,
                    Boost::First => head_confirmed && position == 0,
                    Boost::Any => confirmed(chunk),
                };
                let amount = score * if boosted { CONFIRMED } else { 1.0 } * share;
                add(&mut part, chunk, amount);
                contributions.push(Contribution {
                    name: *name,
                    entity: record.entity,
                    chunk,
                    amount,
                });
            }
        }
        part.into_iter()
            .for_each(|(chunk, amount)| add(&mut totals, chunk, amount));
        if !rules.fill_from_hits {
            totals.retain(|total| total.1 > 0.0);
        }
    }
    (totals, contributions)
}

fn add(totals: &mut Vec<(u32, f64)>, chunk: u32, amount: f64) {
    match totals.iter_mut().find(|pair| pair.0 == chunk) {
        Some(pair) => pair.1 += amount,
        None => totals.push((chunk, amount)),
    }
}
