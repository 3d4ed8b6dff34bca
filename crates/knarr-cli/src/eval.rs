//! `knarr eval`: nDCG, recall, precision and reciprocal rank over a labelled set.
//!
//! Pages are scored, not sections or directories: hits collapse to their page, at its best place.

use crate::disk::{self, DiskHost};
use crate::failure::{Failure, Outcome, invalid};
use crate::find::{best_first, now_ms};
use crate::flags::{parse_value, word};
use crate::judgements::{self, Judged, page_key};
use crate::metrics::{QueryMetrics, mean, measure};
use crate::models::{EmbedArguments, Queue, Side};
use crate::off_topic;
use crate::output::{self, Style, Table};
use clap::ValueEnum;
use knarr::base::uri::decode_name;
use knarr::find::answer::result::MatchedContext;
use knarr::find::ask::filter::Value;
use knarr::find::ask::options::{FindOptions, Mode, OneOrMany, Preset};
use knarr::search::{Bundle, embedding};
use knarr::{Error, ErrorKind, Knarr};
use serde::Serialize;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Arguments of `knarr eval`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// Lines `{"query", "relevant": [page]}`, or `{"id", "text"}` with --qrels.
    queries: PathBuf,
    /// Judgements: tab-separated `query doc grade`.
    #[arg(long, value_name = "FILE.tsv")]
    qrels: Option<PathBuf>,
    /// Places that the measures look at: nDCG@K, recall@K, precision@K, MRR@K.
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    k: u32,
    /// Results per query; the reciprocal rank looks at all of them.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = crate::flags::results)]
    limit: usize,
    /// Weight of the vectors in the score; several weights give a row each [default: the bundle's own].
    #[arg(long, value_name = "0..1", value_delimiter = ',')]
    alpha: Vec<f32>,
    /// Mode of search; several modes give a row each.
    #[arg(long, value_parser = word(Mode::WORDS), value_delimiter = ',', default_value = Mode::default().word())]
    mode: Vec<Mode>,
    /// The walk of --mode thinking.
    #[arg(long, value_parser = word(Preset::WORDS), default_value = Preset::default().word())]
    preset: Preset,
    /// Onyx's choices, as JSON (see `knarr find --help`).
    #[arg(long, value_name = "JSON", value_parser = parse_value)]
    hybrid: Option<Value>,
    /// Weight of the entity graph.
    #[arg(long, value_name = "0..1")]
    graph: Option<f32>,
    /// Only the first, third, fifth … query (a) or the others (b): tune on one half, report the other.
    #[arg(long, value_enum)]
    half: Option<Half>,
    #[command(flatten)]
    embed: EmbedArguments,
    /// Search for each query only in the folder that its `group` names.
    #[arg(long)]
    by_group: bool,
    /// Questions that the bundle cannot answer, in lines as the queries': print how well the relevance tells them from
    /// the queries (AUROC), and how many of each are refused. Needs no judgements.
    #[arg(long, value_name = "FILE")]
    off_topic: Vec<PathBuf>,
    /// Print JSON with the measures of every query, and the number of judged pages that the bundle does not have.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Half {
    A,
    B,
}

/// One configuration, measured.
#[derive(Serialize)]
struct Run {
    mode: String,
    alpha: Option<f32>,
    k: usize,
    queries: usize,
    zero_results: usize,
    absent: Absent,
    mean: Means,
    per_query: Vec<Row>,
}

/// Judged pages that the bundle does not have: nothing can find them, so they only lower the recall.
#[derive(Clone, Default, Serialize)]
struct Absent {
    pages: usize,
    /// The first of them, as keys.
    first: Vec<String>,
}

/// Means over the queries for which a measure is defined.
#[derive(Serialize)]
struct Means {
    ndcg: Option<f64>,
    recall: Option<f64>,
    precision: Option<f64>,
    mrr: Option<f64>,
    mrr_at_k: Option<f64>,
}

/// One query, measured.
#[derive(Serialize)]
struct Row {
    id: String,
    query: String,
    #[serde(flatten)]
    metrics: QueryMetrics,
    found: usize,
    /// The first k pages, as keys.
    top: Vec<String>,
}

/// Runs `knarr eval`.
pub fn run(arguments: &Arguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let mut queries = judgements::read(&arguments.queries, arguments.qrels.as_deref())?;
    keep_half(&mut queries, arguments.half);
    if queries.is_empty() {
        return Err(invalid(format!(
            "{} holds no query",
            arguments.queries.display()
        )));
    }
    if !arguments.off_topic.is_empty() {
        return tell_apart(&bundle, &host, &queries, arguments);
    }
    if queries.iter().all(|query| query.grades.is_empty()) {
        return Err(invalid(
            "no query has a judgement; name the file of judgements with --qrels",
        ));
    }
    let absent = absent(&bundle, &host, &queries)?;
    if absent.pages > 0 {
        let such = if absent.pages > MOST_NAMED {
            "such as "
        } else {
            ""
        };
        eprintln!(
            "warning: judged pages that are not in the bundle: {} ({such}{}); they count as not found",
            absent.pages,
            absent.first.join(", ")
        );
    }
    let vectors = vectors(&bundle, &queries, &arguments.embed)?;
    let mut runs = Vec::new();
    for &mode in &arguments.mode {
        if arguments.alpha.is_empty() {
            runs.push(measure_all(
                &bundle, &host, &queries, &vectors, mode, None, arguments,
            )?);
        }
        for &alpha in &arguments.alpha {
            runs.push(measure_all(
                &bundle,
                &host,
                &queries,
                &vectors,
                mode,
                Some(alpha),
                arguments,
            )?);
        }
    }
    for run in &mut runs {
        run.absent = absent.clone();
    }
    if arguments.json {
        output::json(&runs)
    } else {
        print(&runs)
    }
}

/// Judged pages that are named as absent.
const MOST_NAMED: usize = 3;

/// The pages with a grade above 0 that no page of the bundle is.
fn absent(bundle: &Knarr, host: &DiskHost, queries: &[Judged]) -> Outcome<Absent> {
    let mut judged: Vec<&String> = Vec::new();
    for query in queries {
        let relevant = query.grades.iter().filter(|(_, grade)| **grade > 0.0);
        judged.extend(relevant.map(|(page, _)| page));
    }
    let mut known: HashSet<String> = HashSet::new();
    for (uri, url) in pollster::block_on(bundle.addresses(host))? {
        known.insert(page_key(url.split('#').next().unwrap_or_default()));
        known.insert(page_key(&url));
        known.insert(key_of_uri(&uri));
    }
    let mut absent = Absent::default();
    let mut told: HashSet<&String> = HashSet::new();
    for page in judged {
        if !known.contains(page) && told.insert(page) {
            absent.pages += 1;
            if absent.first.len() < MOST_NAMED {
                absent.first.push(page.clone());
            }
        }
    }
    Ok(absent)
}

fn keep_half(queries: &mut Vec<Judged>, half: Option<Half>) {
    if let Some(half) = half {
        let mut number = 0;
        queries.retain(|_| {
            number += 1;
            (number % 2 == 1) == (half == Half::A)
        });
    }
}

/// Compares the queries with those of the files in `off_topic`.
fn tell_apart(
    bundle: &Knarr,
    host: &DiskHost,
    queries: &[Judged],
    arguments: &Arguments,
) -> Outcome {
    let texts = |queries: &[Judged]| queries.iter().map(|judged| judged.query.clone()).collect();
    let mut others = Vec::new();
    for file in &arguments.off_topic {
        let mut off_topic = judgements::read(file, None)?;
        keep_half(&mut off_topic, arguments.half);
        others.push((file.display().to_string(), texts(&off_topic)));
    }
    let options = FindOptions {
        mode: arguments.mode[0],
        alpha: arguments.alpha.first().copied(),
        now: Some(now_ms()),
        excerpts: true,
        ..FindOptions::default()
    };
    let own: Vec<String> = texts(queries);
    off_topic::compare(bundle, host, &own, &others, &options, arguments.json)
}

/// Seconds for a request of an embedding endpoint.
const TIMEOUT: u32 = 120;
/// Times that such a request is sent, and how many side by side.
const ATTEMPTS: u32 = 5;
const JOBS: usize = 4;

/// The queries' vectors by the endpoint, where one is named.
fn vectors(
    bundle: &Knarr,
    queries: &[Judged],
    arguments: &EmbedArguments,
) -> Outcome<Vec<Option<Vec<f32>>>> {
    let mut vectors = vec![None; queries.len()];
    let Some(embedder) = arguments.embedder(Side::Questions, TIMEOUT)? else {
        return Ok(vectors);
    };
    let inspection = bundle.inspect();
    let own = Bundle {
        encoder: inspection.encoder,
        dims: inspection.dims,
    };
    embedding::check(&embedder.endpoint, &own)?;
    let dims = OnceLock::from(own.dims as usize);
    let queue = Queue::new(JOBS, ATTEMPTS);
    let numbers: Vec<usize> = (0..queries.len()).collect();
    let batches: Vec<&[usize]> = numbers.chunks(embedder.batch).collect();
    let work = |batch: &&[usize]| {
        let texts: Vec<&str> = batch.iter().map(|&at| queries[at].query.as_str()).collect();
        embedder.ask_once(&queue, &texts, &dims)
    };
    queue.run(&batches, work, |position, made| {
        let made = made.map_err(|refusal| {
            let what = format!("the embedding endpoint failed: {}", refusal.reason);
            Failure::Error(Error::new(ErrorKind::Unavailable, what))
        })?;
        for (&at, vector) in batches[position].iter().zip(made) {
            vectors[at] = Some(vector);
        }
        Ok::<(), Failure>(())
    })?;
    Ok(vectors)
}

/// Answers every query in one mode with one weight of the vectors, and measures the answers.
fn measure_all(
    bundle: &Knarr,
    host: &DiskHost,
    queries: &[Judged],
    vectors: &[Option<Vec<f32>>],
    mode: Mode,
    alpha: Option<f32>,
    arguments: &Arguments,
) -> Outcome<Run> {
    let k = arguments.k as usize;
    let name = bundle.inspect().name;
    let mut rows = Vec::with_capacity(queries.len());
    for (judged, vector) in queries.iter().zip(vectors) {
        let options = FindOptions {
            mode,
            alpha,
            vector: vector.clone(),
            ..options_for(judged, &name, arguments)
        };
        let result = pollster::block_on(bundle.find(host, &judged.query, &options))?;
        let mut ranking: Vec<String> = best_first(&result)
            .into_iter()
            .map(|found| key_of(found, judged))
            .collect();
        ranking.retain(|page| !judged.exclude.contains(page));
        let metrics = measure(&ranking, &judged.grades, k);
        let found = ranking.len();
        ranking.truncate(k);
        rows.push(Row {
            id: judged.id.clone(),
            query: judged.query.clone(),
            metrics,
            found,
            top: ranking,
        });
    }
    Ok(Run {
        mode: mode.word().to_owned(),
        alpha,
        k,
        queries: rows.len(),
        zero_results: rows.iter().filter(|row| row.found == 0).count(),
        absent: Absent::default(),
        mean: means(&rows),
        per_query: rows,
    })
}

/// Options for one query, in every mode; `name` is that of the bundle's tree.
fn options_for(judged: &Judged, name: &str, arguments: &Arguments) -> FindOptions {
    let group = judged.group.as_ref().filter(|_| arguments.by_group);
    let target = group.map(|group| format!("viking://resources/{name}/{group}"));
    FindOptions {
        target_uri: OneOrMany::Many(target.into_iter().collect()),
        limit: arguments.limit + judged.exclude.len(),
        preset: arguments.preset,
        hybrid: arguments.hybrid.clone().unwrap_or_default(),
        now: Some(now_ms()),
        graph: arguments.graph,
        excerpts: true,
        ..FindOptions::default()
    }
}

fn means(rows: &[Row]) -> Means {
    let average =
        |value: fn(&QueryMetrics) -> Option<f64>| mean(rows.iter().map(|row| value(&row.metrics)));
    Means {
        ndcg: average(|metrics| metrics.ndcg),
        recall: average(|metrics| metrics.recall),
        precision: average(|metrics| Some(metrics.precision)),
        mrr: average(|metrics| Some(metrics.mrr)),
        mrr_at_k: average(|metrics| Some(metrics.mrr_at_k)),
    }
}

/// The key under which the judgements know a result: its address where they name that, else its path in the tree.
///
/// Rows of a `corpus.jsonl` keep their `id` as the address, so judgements by id meet them whatever their path is.
fn key_of(found: &MatchedContext, judged: &Judged) -> String {
    let is_named = |key: &String| judged.grades.contains_key(key) || judged.exclude.contains(key);
    let without_fragment = found.url.split('#').next().unwrap_or_default();
    let keys = [&found.url[..], without_fragment].map(page_key);
    if let Some(key) = keys.into_iter().find(is_named) {
        return key;
    }
    key_of_uri(found.uri.split('#').next().unwrap_or_default())
}

/// The key of a page by its path in the tree.
fn key_of_uri(uri: &str) -> String {
    let below_scope = uri
        .strip_prefix("viking://resources/")
        .and_then(|path| path.split_once('/'));
    page_key(&decode_name(below_scope.map_or(uri, |(_, path)| path)))
}

fn print(runs: &[Run]) -> Outcome {
    let k = runs.first().map_or(0, |run| run.k);
    let measures = ["nDCG", "recall", "precision", "MRR"].map(|name| format!(">{name}@{k}"));
    let mut titles = vec!["mode", ">alpha", ">queries"];
    titles.extend(measures.iter().map(String::as_str));
    titles.extend([">MRR", ">no result"]);
    let mut table = Table::new(&titles);
    for run in runs {
        let number =
            |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
        let mean = &run.mean;
        table.row([
            run.mode.clone(),
            run.alpha
                .map_or("own".to_owned(), |alpha| format!("{alpha:.2}")),
            run.queries.to_string(),
            number(mean.ndcg),
            number(mean.recall),
            number(mean.precision),
            number(mean.mrr_at_k),
            number(mean.mrr),
            run.zero_results.to_string(),
        ]);
    }
    output::text(&table.render(Style::of_stdout()))
}
