//! `knarr eval --off-topic`: how well the relevance tells a bundle's own questions from others.

use crate::disk::DiskHost;
use crate::failure::Outcome;
use crate::find::best_first;
use crate::output::{self, Style, Table};
use knarr::Knarr;
use knarr::find::ask::options::FindOptions;
use serde::Serialize;

/// The comparison with one file of questions.
#[derive(Serialize)]
struct Comparison {
    /// The file of questions that the bundle has no answer to.
    off_topic: String,
    /// Number of the bundle's own questions, and of the others.
    questions: [usize; 2],
    /// Probability that an own question's best relevance is above another's; 0.5 is chance.
    auroc: f64,
    /// Shares of the two without a relevant row.
    refused: [f64; 2],
}

/// Best relevance of an answer, 0 without rows, and true if nothing in it is relevant.
struct Told {
    relevance: f64,
    is_refused: bool,
}

fn ask(
    bundle: &Knarr,
    host: &DiskHost,
    questions: &[String],
    options: &FindOptions,
) -> Outcome<Vec<Told>> {
    let told = |question: &String| -> Outcome<Told> {
        let result = pollster::block_on(bundle.find(host, question, options))?;
        let first = best_first(&result).first().map(|row| row.relevance);
        Ok(Told {
            relevance: f64::from(first.unwrap_or(0.0)),
            is_refused: result.weak || result.total == 0,
        })
    };
    questions.iter().map(told).collect()
}

/// Prints the comparison of `own` questions with those of each file in `others`.
pub fn compare(
    bundle: &Knarr,
    host: &DiskHost,
    own: &[String],
    others: &[(String, Vec<String>)],
    options: &FindOptions,
    as_json: bool,
) -> Outcome {
    let own = ask(bundle, host, own, options)?;
    let mut all = Vec::new();
    for (name, questions) in others {
        let other = ask(bundle, host, questions, options)?;
        let values = |told: &[Told]| -> Vec<f64> { told.iter().map(|t| t.relevance).collect() };
        all.push(Comparison {
            off_topic: name.clone(),
            questions: [own.len(), other.len()],
            auroc: auroc(&values(&own), &values(&other)),
            refused: [&own, &other].map(|told| {
                let n = told.iter().filter(|t| t.is_refused).count();
                n as f64 / told.len().max(1) as f64
            }),
        });
    }
    if as_json {
        return output::json(&all);
    }
    let titles = [
        "off topic",
        ">questions",
        ">AUROC",
        ">own refused",
        ">others refused",
    ];
    let mut table = Table::new(&titles);
    for one in &all {
        table.row([
            one.off_topic.clone(),
            format!("{} / {}", one.questions[0], one.questions[1]),
            format!("{:.3}", one.auroc),
            format!("{:.1} %", one.refused[0] * 100.0),
            format!("{:.1} %", one.refused[1] * 100.0),
        ]);
    }
    output::text(&table.render(Style::of_stdout()))
}

/// Probability that one of `above` is larger than one of `below`, ties half. O(n · m).
fn auroc(above: &[f64], below: &[f64]) -> f64 {
    let pairs = above
        .iter()
        .flat_map(|a| below.iter().map(move |b| a.total_cmp(b)));
    let won: f64 = pairs
        .map(|order| match order {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
        .sum();
    won / (above.len() * below.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::auroc;

    #[test]
    fn pairs_are_counted_and_ties_are_half() {
        assert_eq!(auroc(&[0.9, 0.8], &[0.1, 0.2]), 1.0);
        assert_eq!(auroc(&[0.1], &[0.9]), 0.0);
        assert_eq!(
            auroc(&[0.5, 0.9], &[0.5, 0.7]),
            (0.5 + 0.0 + 1.0 + 1.0) / 4.0
        );
    }
}
