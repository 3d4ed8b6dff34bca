//! Vectors by an embedding endpoint: of every section, and of L0 and L1 of every directory.
//!
//! A text longer than a model reads at once is cut into pieces, and its vector is the mean of theirs.
//! Source: spec openviking.md §4.2 for the requests, §6.2 for what is embedded.

use super::cache::{self, Cache, Key};
use super::cost::Estimate;
use super::queue::{Queue, Refusal};
use super::{Made, Tally};
use crate::build::progress::Progress;
use crate::failure::Outcome;
use knarr::indexer::{Builder, Embedded, MAX_DIMS, Row, RowText};
use knarr::search::embedding;
use knarr::search::endpoints::{EmbeddingEndpoint, EmbeddingFlavor};
use knarr::text::budget;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// Estimated tokens of a request, at most, unless one text has more.
const REQUEST_TOKENS: usize = 16_384;

/// An embedding endpoint and how much it is given at a time. Prefix and parameters are those for documents.
pub struct Embedder {
    /// Address, headers, limits, model.
    pub endpoint: EmbeddingEndpoint,
    /// Texts of a request.
    pub batch: usize,
    /// Estimated tokens of a piece of text.
    pub piece_tokens: usize,
    /// Words are to have vectors too.
    pub words: bool,
}

/// A text to embed.
struct Piece {
    key: Key,
    text: String,
}

/// The pieces of all rows.
struct Pieces {
    /// Each once.
    pieces: Vec<Piece>,
    /// Rows with the positions of their pieces.
    rows: Vec<(Row, Vec<usize>)>,
}

impl Embedder {
    fn key(&self, text: &str) -> Key {
        let endpoint = &self.endpoint;
        let flavor = format!("{:?}", endpoint.flavor);
        let dims = endpoint.dimensions.map_or(String::new(), |d| d.to_string());
        let params = Value::Object(endpoint.query_params.clone()).to_string();
        let prefix = &endpoint.query_prefix;
        cache::key(&[
            "embed 1",
            &endpoint.model,
            &flavor,
            &dims,
            &params,
            prefix,
            text,
        ])
    }

    fn pieces(&self, rows: Vec<RowText>) -> Pieces {
        let mut out = Pieces {
            pieces: Vec::new(),
            rows: Vec::with_capacity(rows.len()),
        };
        let mut places: HashMap<Key, usize> = HashMap::new();
        for row in rows {
            let texts = cut(&row.head, &row.text, self.piece_tokens);
            let mut own = Vec::with_capacity(texts.len());
            for text in texts {
                let key = self.key(&text);
                let place = *places.entry(key).or_insert(out.pieces.len());
                if place == out.pieces.len() {
                    out.pieces.push(Piece { key, text });
                }
                own.push(place);
            }
            out.rows.push((row.row, own));
        }
        out
    }

    /// Positions in `open`, cut into requests.
    fn batches(&self, pieces: &[Piece], open: &[usize]) -> Vec<Vec<usize>> {
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut filled = 0;
        for &at in open {
            let n_tokens = budget::estimate(&pieces[at].text);
            let fits = filled + n_tokens <= REQUEST_TOKENS;
            match batches.last_mut() {
                Some(batch) if fits && batch.len() < self.batch => batch.push(at),
                _ => {
                    batches.push(vec![at]);
                    filled = 0;
                }
            }
            filled += n_tokens;
        }
        batches
    }

    /// The vectors of some pieces. A request that the endpoint takes for wrong is halved, down to single texts.
    fn ask(
        &self,
        queue: &Queue,
        pieces: &[Piece],
        batch: &[usize],
        dims: &OnceLock<usize>,
    ) -> Vec<Result<Vec<f32>, String>> {
        let texts: Vec<&str> = batch.iter().map(|&at| pieces[at].text.as_str()).collect();
        match self.ask_once(queue, &texts, dims) {
            Ok(vectors) => vectors.into_iter().map(Ok).collect(),
            Err(refusal) if refusal.is_refused && batch.len() > 1 => {
                let (left, right) = batch.split_at(batch.len() / 2);
                let mut out = self.ask(queue, pieces, left, dims);
                out.extend(self.ask(queue, pieces, right, dims));
                out
            }
            Err(refusal) => vec![Err(refusal.reason); batch.len()],
        }
    }

    /// The vectors of the pieces `open`, in batches side by side; `take` gets each as it comes.
    fn ask_all(
        &self,
        queue: &Queue,
        pieces: &[Piece],
        open: &[usize],
        dims: &OnceLock<usize>,
        mut take: impl FnMut(usize, Result<Vec<f32>, String>) -> Outcome,
    ) -> Outcome {
        let batches = self.batches(pieces, open);
        let work = |batch: &Vec<usize>| self.ask(queue, pieces, batch, dims);
        // The first request alone says how long the vectors are, and that the key is right.
        let (first, others) = batches.split_at(batches.len().min(1));
        for some in [first, others] {
            queue.run(some, work, |position, answers| {
                let mut answers = some[position].iter().zip(answers);
                answers.try_for_each(|(&at, answer)| take(at, answer))
            })?;
        }
        Ok(())
    }

    /// The vectors of texts in one request; their dimensions are those of the first answer.
    pub fn ask_once(
        &self,
        queue: &Queue,
        texts: &[&str],
        dims: &OnceLock<usize>,
    ) -> Result<Vec<Vec<f32>>, Refusal> {
        let exchange = embedding::request(&self.endpoint, texts);
        let body: Value = serde_json::from_str(&exchange.post.body)
            .map_err(|error| Refusal::from(format!("the request is not JSON: {error}")))?;
        queue.ask(self.endpoint.target(), &body, |answer| {
            let own = self.first_length(answer).unwrap_or(0);
            let dims = *dims.get_or_init(|| own);
            if own != dims {
                return Err(format!("its vectors have {own} dimensions, not {dims}"));
            }
            embedding::vectors(&self.endpoint, answer, texts.len(), dims)
        })
    }

    fn first_length(&self, answer: &Value) -> Option<usize> {
        let first = match self.endpoint.flavor {
            EmbeddingFlavor::Cohere => answer.pointer("/embeddings/float/0"),
            _ => answer.pointer("/data/0/embedding"),
        };
        let length = first?.as_array()?.len();
        (1..=MAX_DIMS).contains(&length).then_some(length)
    }
}

/// The cost of the vectors of `builder`.
pub fn estimate(builder: &mut Builder, embedder: &Embedder, cache: &Cache) -> Estimate {
    let pieces = embedder.pieces(builder.row_texts()).pieces;
    let open = unknown(&pieces, cache);
    Estimate {
        what: "vectors",
        by: super::name_of(&embedder.endpoint.model, &embedder.endpoint.url),
        wanted: pieces.len(),
        cached: pieces.len() - open.len(),
        requests: embedder.batches(&pieces, &open).len(),
        tokens_in: open
            .iter()
            .map(|&at| budget::estimate(&pieces[at].text))
            .sum(),
        tokens_out: 0,
    }
}

/// Asks for what is not cached and gives `builder` all vectors.
pub fn make(
    builder: &mut Builder,
    embedder: &Embedder,
    cache: &mut Cache,
    queue: &Queue,
    progress: &mut Progress,
) -> Outcome<Made> {
    let mut tally = Tally::new("vectors");
    let Pieces { pieces, rows } = embedder.pieces(builder.row_texts());
    let dims = OnceLock::new();
    if let Some(asked) = embedder.endpoint.dimensions {
        let _ = dims.set(asked as usize);
    }
    let mut vectors = known(&pieces, cache, &dims);
    vectors.iter().flatten().for_each(|_| tally.cached());
    let open: Vec<usize> = (0..pieces.len())
        .filter(|&at| vectors[at].is_none())
        .collect();
    if !open.is_empty() {
        progress.begin("embedding", open.len() as u64);
    }
    let mut failures: BTreeMap<usize, String> = BTreeMap::new();
    embedder.ask_all(queue, &pieces, &open, &dims, |at, answer| {
        progress.advance(1);
        match answer {
            Ok(vector) => {
                let bytes = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
                cache.put(pieces[at].key, bytes)?;
                vectors[at] = Some(vector);
                tally.made();
            }
            Err(reason) => drop(failures.insert(at, reason)),
        }
        Ok(())
    })?;
    let dims = dims.get().copied().unwrap_or(0);
    let mut embedded = Embedded {
        dims,
        encoder: embedding::fingerprint(&embedder.endpoint.model, dims as u32),
        words: embedder.words,
        ..Embedded::default()
    };
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for (row, own) in rows {
        if let Some(reason) = own.iter().find_map(|at| failures.get(at)) {
            named.entry(name_of(&row)).or_insert_with(|| reason.clone());
        }
        if let Some(mean) = mean(own.iter().filter_map(|&at| vectors[at].as_deref())) {
            embedded.rows.insert(row, mean);
        }
    }
    for (name, reason) in named {
        tally.failed(name, reason);
    }
    let made = tally.done(queue)?;
    if embedded.dims > 0 {
        builder.embedded(embedded)?;
    }
    Ok(made)
}

/// Vectors in the cache, all as long as the first.
fn known(pieces: &[Piece], cache: &Cache, dims: &OnceLock<usize>) -> Vec<Option<Vec<f32>>> {
    let cached = |piece: &Piece| {
        let vector = cache.get(&piece.key).and_then(numbers)?;
        // Two lengths under one name: the model was changed.
        (*dims.get_or_init(|| vector.len()) == vector.len()).then_some(vector)
    };
    pieces.iter().map(cached).collect()
}

fn unknown(pieces: &[Piece], cache: &Cache) -> Vec<usize> {
    let is_unknown = |&at: &usize| cache.get(&pieces[at].key).and_then(numbers).is_none();
    (0..pieces.len()).filter(is_unknown).collect()
}

/// The file or directory of a row, for people.
fn name_of(row: &Row) -> String {
    match row {
        Row::Section { path, .. } => path.clone(),
        Row::Directory { path, .. } => format!("viking://{path}"),
    }
}

/// A vector as the cache has it: little-endian `f32`, one of them at least, all finite.
fn numbers(bytes: &[u8]) -> Option<Vec<f32>> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = chunks.iter().map(|c| f32::from_le_bytes(*c)).collect();
    let are_whole = rest.is_empty() && !numbers.is_empty();
    (are_whole && numbers.iter().all(|x| x.is_finite())).then_some(numbers)
}

/// The mean of vectors, each at length 1; `None` when there is none or they cancel out.
fn mean<'v>(vectors: impl Iterator<Item = &'v [f32]>) -> Option<Vec<f32>> {
    let mut sum: Vec<f64> = Vec::new();
    for vector in vectors {
        let square = |x: &f32| f64::from(*x).powi(2);
        let length = vector.iter().map(square).sum::<f64>().sqrt();
        sum.resize(vector.len(), 0.0);
        let parts = sum.iter_mut().zip(vector);
        parts.for_each(|(sum, x)| *sum += f64::from(*x) / length);
    }
    let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
    (length.is_finite() && length > 1e-9)
        .then(|| sum.into_iter().map(|x| (x / length) as f32).collect())
}

/// A text in pieces of at most `limit` estimated tokens, the head above each; cut between lines, else between words,
/// else anywhere.
pub(super) fn cut(head: &str, text: &str, limit: usize) -> Vec<String> {
    // A long head leaves half of the room to the text.
    let head = budget::truncate(head, limit / 2);
    let room = limit.saturating_sub(budget::estimate(&head) + 1).max(1);
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line = &rest[..line_end];
        if budget::estimate(&piece) + budget::estimate(line) <= room {
            piece.push_str(line);
            rest = &rest[line_end..];
        } else if piece.is_empty() {
            let fits = prefix(line, room);
            piece.push_str(&line[..fits]);
            rest = rest[fits..].trim_start();
            pieces.push(std::mem::take(&mut piece));
        } else {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() || pieces.is_empty() {
        pieces.push(piece);
    }
    let whole = |piece: String| match piece.trim() {
        "" => head.clone().into_owned(),
        piece => format!("{head}\n{piece}"),
    };
    pieces
        .into_iter()
        .map(whole)
        .filter(|p| !p.trim().is_empty())
        .collect()
}

/// Bytes of a line's beginning that has at most `room` tokens, at least one character, up to a space where there is one.
fn prefix(line: &str, room: usize) -> usize {
    // No character has more than two tokens and none less than a quarter.
    let mut end = line
        .char_indices()
        .nth(room * 4)
        .map_or(line.len(), |(at, _)| at);
    while budget::estimate(&line[..end]) > room {
        let shorter = line.floor_char_boundary(end * 3 / 4);
        if shorter == 0 {
            return line.chars().next().map_or(line.len(), char::len_utf8);
        }
        end = shorter;
    }
    match line[..end].rfind(char::is_whitespace) {
        Some(space) if space > 0 && end < line.len() => space,
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_lines_and_words() {
        let of = |text: &str| cut("T", text, 10);
        assert_eq!(of("short"), ["T\nshort"]);
        assert_eq!(of(""), ["T"]);
        assert!(cut("", " ", 10).is_empty());
        // Eight tokens of room are 32 letters.
        assert_eq!(
            of("a line of it\nanother line\nand a third one"),
            ["T\na line of it\nanother line", "T\nand a third one"]
        );
        let words = "word ".repeat(40);
        let pieces = of(&words);
        assert!(pieces.len() > 5);
        for piece in &pieces {
            assert!(budget::estimate(piece) <= 10, "{piece}");
            assert!(piece.ends_with("word"), "{piece}");
        }
        let unbroken = "中".repeat(100);
        let joined: String = of(&unbroken).iter().map(|p| &p[2..]).collect();
        assert_eq!(joined, unbroken);
        for piece in cut(&"long head ".repeat(50), &words, 20) {
            assert!(
                budget::estimate(&piece) <= 21 && piece.ends_with("word"),
                "{piece}"
            );
        }
    }

    #[test]
    fn means_are_of_directions() {
        let of = |vectors: &[&[f32]]| mean(vectors.iter().copied());
        assert_eq!(
            of(&[&[9.0, 0.0], &[0.0, 0.1]]),
            Some(vec![std::f32::consts::FRAC_1_SQRT_2; 2])
        );
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[&[1.0, 0.0], &[-1.0, 0.0]]), None);
    }

    #[test]
    fn cached_numbers_are_proved() {
        let bytes: Vec<u8> = [1.5f32, -2.0]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        assert_eq!(numbers(&bytes), Some(vec![1.5, -2.0]));
        assert_eq!(numbers(&bytes[..7]), None);
        assert_eq!(numbers(&[]), None);
        assert_eq!(numbers(&f32::NAN.to_le_bytes()), None);
    }
}
