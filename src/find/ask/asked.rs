//! A question as one bundle can search for it: its words there, its vector, and the nodes it is about.

use super::options::FindOptions;
use super::question::Question;
use super::quoted::Quoted;
use super::request::Request;
use super::scope::Scope;
use super::variants;
use super::variants::Wanted;
use super::words::{self, Slot};
use crate::base::error::{Error, ErrorKind};
use crate::base::id::NodeId;
use crate::bundle::step::Step;
use crate::bundle::{Head, Resident};
use crate::find::answer::result::{FindResult, Skipped};
use crate::text::TermKind;
use crate::vectors::QueryVector;

/// The inputs of a ranking: one query's words, vector, and the weight of the vector.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// Its words.
    pub slots: Vec<Slot>,
    /// Its vector, when the bundle has vectors and any word has one, or the caller gave one.
    pub vector: Option<QueryVector>,
    /// Weight of the vector list, in [0, 1].
    pub alpha: f32,
    /// The caller chose that weight.
    pub is_alpha_given: bool,
    /// Likeness of the query to a sentence, in [0, 1].
    pub sentence: f32,
}

impl Inputs {
    /// True if there is nothing to search with.
    pub fn is_empty(&self) -> bool {
        self.vector.is_none() && !self.slots.iter().any(Slot::occurs)
    }

    /// The sum of the words' vectors, each counting by its own length; `None` in a bundle without vectors.
    pub fn vector_of(slots: &[Slot], dims: usize) -> Option<QueryVector> {
        if dims == 0 {
            return None;
        }
        let mut sum = vec![0.0f32; dims];
        for slot in slots.iter().filter(|s| s.kind != TermKind::Whole) {
            if let Some(v) = slot.alternatives.iter().find_map(|a| a.vector()) {
                sum.iter_mut().zip(&v).for_each(|(s, v)| *s += v);
            }
        }
        QueryVector::new(&sum)
    }
}

/// A question, its options, and the nodes of the bundle that may answer it.
pub struct Asked<'a> {
    /// The query.
    pub question: &'a Question,
    /// The options, validated.
    pub request: &'a Request,
    /// The options as given.
    pub options: &'a FindOptions,
    /// The nodes that are scored.
    pub scope: Scope,
    /// Those that somebody chose to be first.
    pub pinned: Vec<NodeId>,
    /// Texts tell which of them are answers: there is a phrase.
    pub reads_texts: bool,
    /// Languages and versions.
    pub wanted: Wanted,
    /// Words that were read as other words: `[typed, read as]`, the one as it stands in the query.
    corrections: Vec<[String; 2]>,
    /// Steps that were left out.
    pub skipped: Vec<Skipped>,
}

impl<'a> Asked<'a> {
    /// Reads a question against the bundle's dictionary and tree.
    ///
    /// Errors: `INVALID_ARGUMENT` for a given vector that does not fit the bundle; those of the request's scope.
    pub fn read(
        store: &Resident,
        request: &'a Request,
        question: &'a Question,
    ) -> Step<(Self, Inputs)> {
        let options = &request.options;
        let head = store.head();
        let (slots, scope, mut wanted) = variants::read(store, question, request, options)?;
        #[cfg(feature = "full")]
        let slots = super::request::narrow::without_guessed(&scope, question, slots);
        let mut pinned = words::pinned(store, question)?;
        let (scope, reads_texts) = narrow(store, &question.quoted, scope)?;
        pinned.retain(|&node| scope.admits(node, 2));
        let mut skipped = std::mem::take(&mut wanted.skipped);
        #[cfg(feature = "full")]
        skipped.extend(request.notes(head));
        let corrections = corrections(question, &slots);
        skip_words(question, &slots, &mut skipped);
        let dims = head.parameters.dims as usize;
        let vector = match &options.vector {
            Some(given) => Some(given_vector(given, dims)?),
            None => Inputs::vector_of(&slots, dims),
        };
        let given = request.alpha(options);
        let alpha = given.unwrap_or(head.parameters.alpha);
        if vector.is_none() && alpha > 0.0 {
            skipped.push(Skipped {
                step: "vector".into(),
                reason: without_vector(head).into(),
            });
        }
        let asked = Self {
            question,
            request,
            options,
            pinned,
            scope,
            reads_texts,
            wanted,
            corrections,
            skipped,
        };
        let inputs = Inputs {
            slots,
            vector,
            alpha,
            is_alpha_given: given.is_some(),
            sentence: question.sentence,
        };
        Ok((asked, inputs))
    }

    /// The beginning of an answer: corrected words, skipped steps, what is left out, and guessed filters. Leaves the
    /// lists empty.
    pub fn begin(&mut self) -> FindResult {
        let joined = |terms: &Vec<String>| {
            let mut all = String::new();
            for term in terms {
                if !all.is_empty() {
                    all.push(' ');
                }
                all.push_str(term);
            }
            all
        };
        let excluded = self.question.quoted.excluded.iter();
        FindResult {
            corrections: std::mem::take(&mut self.corrections),
            skipped: std::mem::take(&mut self.skipped),
            excluded: excluded.map(joined).collect(),
            #[cfg(feature = "full")]
            guessed: Some(&self.scope.guessed)
                .filter(|guessed| !guessed.is_empty())
                .cloned(),
            ..FindResult::default()
        }
    }
}

/// The words that were read as others.
fn corrections(question: &Question, slots: &[Slot]) -> Vec<[String; 2]> {
    let mut corrections = Vec::new();
    for slot in slots {
        for token in &question.tokens {
            if let Some(read_as) = slot.correction()
                && slot.term == token.term
            {
                let typed = &question.text[token.span.0 as usize..token.span.1 as usize];
                corrections.push([typed.to_owned(), read_as.to_owned()]);
                break;
            }
        }
    }
    corrections
}

/// Tells of the words that were not read.
fn skip_words(question: &Question, slots: &[Slot], skipped: &mut Vec<Skipped>) {
    if question.is_cut {
        skipped.push(Skipped {
            step: "words".into(),
            reason: "the words after the 64th".into(),
        });
    }
    if slots.iter().any(|slot| slot.is_untold) {
        skipped.push(Skipped {
            step: "words".into(),
            reason: "words that the site lacks: their files are not beside the index".into(),
        });
    }
}

/// Leaves out of `scope` the nodes that have a word which is left out, in any of its forms. True if texts have to be read
/// besides: for phrases, and for words so frequent that the bundle does not list all their pages.
fn narrow(store: &Resident, quoted: &Quoted, scope: Scope) -> Step<(Scope, bool)> {
    let is_phrase = |terms: &Vec<String>| terms.len() > 1;
    let has_phrases = !quoted.phrases.is_empty() || quoted.excluded.iter().any(is_phrase);
    if quoted.excluded.is_empty() {
        return Ok((scope, has_phrases));
    }
    let single = quoted.excluded.iter().filter(|terms| !is_phrase(terms));
    let terms: Vec<&str> = single.map(|terms| terms[0].as_str()).collect();
    let (nodes, is_cut) = words::nodes_of(store, &terms)?;
    let is_inside = |node: NodeId| nodes.binary_search(&node.0).is_err();
    let scope = scope.within(store.head().parameters.n_nodes, &is_inside);
    Ok((scope, has_phrases || is_cut))
}

/// Why a question has no vector, for people. Only the full modules know of endpoints.
fn without_vector(head: &Head) -> &'static str {
    if head.parameters.dims == 0 {
        "this bundle has no vectors"
    } else if cfg!(feature = "full") && !head.parameters.encoder.starts_with("static-") {
        "this bundle's vectors are a model's: search() with its endpoint uses them"
    } else {
        "no word of the query has a vector"
    }
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
