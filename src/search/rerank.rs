//! Scoring candidates again by a rerank model. Source: OpenViking specification §1.6, §4.1.
//!
//! One request per query and round. An answer counts only if it scores every document that was sent, once, on the
//! scale that was configured: everything else leaves the local scores of the whole round, and is said.

use super::json::{Object, text, texts, whole, write};
use super::result::Context;
use crate::search::endpoints::{RerankEndpoint, RerankFlavor, Scores};
use crate::search::exchange::Exchange;
use crate::text::budget;
use serde_json::Value;

/// Cohere's model when none is configured: it is required there.
const COHERE_MODEL: &str = "rerank-v3.5";
/// Distance that a relevance may lie outside [0, 1]: the error of half-precision arithmetic.
const SLACK: f64 = 1e-3;

/// A request and the candidates it is about.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The request.
    pub exchange: Exchange,
    /// Positions of the candidates whose texts were sent, in the request's order.
    pub positions: Vec<usize>,
}

/// The request for scores; `None` when no candidate has a text.
pub fn request(endpoint: &RerankEndpoint, query: &str, candidates: &[Context]) -> Option<Sent> {
    let (query, budget) = budget::rerank_budget(query, endpoint.max_input_tokens as usize);
    let mut documents = Vec::new();
    let mut positions = Vec::new();
    for (position, candidate) in candidates.iter().enumerate() {
        let text = document(candidate);
        if !text.is_empty() {
            documents.push(budget::truncate(&text, budget).into_owned());
            positions.push(position);
        }
    }
    if documents.is_empty() {
        return None;
    }
    let exchange = Exchange::new(endpoint.target(), &body(endpoint, &query, &documents));
    Some(Sent {
        exchange,
        positions,
    })
}

/// Text of a candidate for the model: title, abstract, and the place that matched. Blank parts are left out.
fn document(candidate: &Context) -> String {
    let abstract_ = candidate.text("abstract").trim();
    let excerpt = candidate.value["excerpt"]["text"]
        .as_str()
        .unwrap_or_default()
        .trim();
    let excerpt = if abstract_.contains(excerpt) {
        ""
    } else {
        excerpt
    };
    let parts = [candidate.text("title").trim(), abstract_, excerpt];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

fn body(endpoint: &RerankEndpoint, query: &str, documents: &[String]) -> Value {
    let asked = || {
        let asked = Object::default().with("query", text(query));
        asked.with("documents", texts(documents))
    };
    let top_n = whole(documents.len());
    let mut body = match (endpoint.flavor, &endpoint.template) {
        (RerankFlavor::Template, Some(template)) => {
            let filled = template.fill(&endpoint.model, query, documents);
            match &filled {
                Value::Object(members) => Object::default().extend(members),
                // A list has no place for more fields.
                _ => return filled,
            }
        }
        (RerankFlavor::Dashscope, _) => {
            let parameters = Object::default().with("return_documents", Value::Bool(false));
            Object::default()
                .with("input", asked().done())
                .with("parameters", parameters.with("top_n", top_n).done())
        }
        _ => asked().with("top_n", top_n),
    };
    let model = match endpoint.flavor {
        RerankFlavor::Template => "",
        RerankFlavor::Cohere if endpoint.model.is_empty() => COHERE_MODEL,
        _ => &endpoint.model,
    };
    if !model.is_empty() {
        body = body.with("model", text(model));
    }
    body.extend(&endpoint.extra).done()
}

/// The scores of `n` documents, in their order; `None` for one that is not a number. Errors: why none counts, for people.
pub fn scores(
    endpoint: &RerankEndpoint,
    answer: &Value,
    n: usize,
) -> Result<Vec<Option<f64>>, String> {
    let list = list(endpoint, answer).ok_or("its answer has no list of results")?;
    if list.len() != n {
        let (scored, n) = (list.len().to_string(), n.to_string());
        return Err(["it scored ", &scored, " of ", &n, " documents"].concat());
    }
    let mut scores: Vec<Option<Option<f64>>> = vec![None; n];
    for (position, item) in list.iter().enumerate() {
        let (index, score) =
            read(endpoint, item, position).ok_or("a result has no index or no score")?;
        let place = usize::try_from(index).ok().and_then(|i| scores.get_mut(i));
        match place {
            None => {
                let (index, n) = (index.to_string(), n.to_string());
                return Err(["it scored document ", &index, " of ", &n].concat());
            }
            Some(Some(_)) => {
                return Err(["it scored document ", &index.to_string(), " twice"].concat());
            }
            Some(place) => *place = Some(calibrate(endpoint.scores, score)?),
        }
    }
    // As many results as documents and none twice: every place is filled.
    Ok(scores.into_iter().flatten().collect())
}

fn list<'a>(endpoint: &RerankEndpoint, answer: &'a Value) -> Option<&'a Vec<Value>> {
    let found = match (endpoint.flavor, &endpoint.template) {
        (RerankFlavor::Template, Some(template)) => answer.pointer(&template.results),
        (RerankFlavor::Dashscope, _) => answer.pointer("/output/results"),
        // Servers differ in the list's name, or send the list alone.
        _ => ["/results", "/data", ""].iter().find_map(|path| {
            let value = answer.pointer(path)?;
            value.is_array().then_some(value)
        }),
    };
    found?.as_array()
}

/// Number and score of one result. A null score is one that is not a number.
fn read<'a>(
    endpoint: &RerankEndpoint,
    item: &'a Value,
    position: usize,
) -> Option<(u64, &'a Value)> {
    let (index, score) = match (endpoint.flavor, &endpoint.template) {
        (RerankFlavor::Template, Some(template)) => {
            let index = match &template.index {
                Some(path) => item.pointer(path)?.as_u64()?,
                None => position as u64,
            };
            (index, item.pointer(&template.score))
        }
        _ => {
            let names = ["relevance_score", "relevance_scores", "score"];
            (
                item["index"].as_u64()?,
                names.iter().find_map(|name| item.get(name)),
            )
        }
    };
    let score = score.filter(|s| s.is_number() || s.is_null())?;
    Some((index, score))
}

fn calibrate(scale: Scores, value: &Value) -> Result<Option<f64>, String> {
    let Some(score) = value.as_f64() else {
        return Ok(None);
    };
    match scale {
        Scores::Logit => Ok(Some(1.0 / (1.0 + (-score).exp()))),
        Scores::Unit if (-SLACK..=1.0 + SLACK).contains(&score) => Ok(Some(score.clamp(0.0, 1.0))),
        Scores::Unit => {
            let what = " does not lie between 0 and 1: set scores to \"logit\"";
            Err(["its score ", &write(value), what].concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::result::Found;
    use super::*;
    use crate::search::endpoints::Endpoints;
    use serde_json::json;

    fn endpoint(more: Value) -> RerankEndpoint {
        let mut rerank = json!({"url": "https://a.example/rerank"});
        for (name, value) in more.as_object().expect("an object") {
            rerank[name] = value.clone();
        }
        let endpoints = Endpoints::from_value(json!({"rerank": rerank})).expect("accepted");
        endpoints.rerank.expect("there")
    }

    fn candidates(texts: &[&str]) -> Vec<Context> {
        let list: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(i, text)| json!({"uri": format!("viking://{i}"), "score": 1.0 - i as f64 / 10.0, "abstract": text}))
            .collect();
        Found::from_value(json!({"resources": list})).contexts
    }

    fn sent(more: Value, texts: &[&str]) -> Value {
        let sent = request(&endpoint(more), "q", &candidates(texts)).expect("texts");
        serde_json::from_str(&sent.exchange.post.body).expect("JSON")
    }

    #[test]
    fn requests_have_the_shape_of_their_flavor() {
        assert_eq!(
            sent(json!({"model": "m"}), &["a", "b"]),
            json!({"model": "m", "query": "q", "documents": ["a", "b"], "top_n": 2})
        );
        assert_eq!(
            sent(
                json!({"flavour": "cohere", "extra": {"max_tokens_per_doc": 512}}),
                &["a"]
            ),
            json!({"model": "rerank-v3.5", "query": "q", "documents": ["a"], "top_n": 1, "max_tokens_per_doc": 512})
        );
        assert_eq!(
            sent(
                json!({"flavour": "dashscope", "model": "gte-rerank-v2"}),
                &["a"]
            ),
            json!({"model": "gte-rerank-v2", "input": {"query": "q", "documents": ["a"]},
                "parameters": {"return_documents": false, "top_n": 1}})
        );
        let template = json!({"flavour": "template", "template": {"request": {"q": "{{query}}", "d": "{{documents}}"}}});
        assert_eq!(sent(template, &["a"]), json!({"q": "q", "d": ["a"]}));
    }

    #[test]
    fn blank_documents_are_not_sent() {
        let all = candidates(&["root A", "", "   ", "root D"]);
        let sent = request(&endpoint(json!({})), "q", &all).expect("texts");
        assert_eq!(sent.positions, [0, 3]);
        assert!(request(&endpoint(json!({})), "q", &candidates(&["", " "])).is_none());
        assert!(request(&endpoint(json!({})), "q", &[]).is_none());
    }

    #[test]
    fn a_document_is_title_abstract_and_the_place_that_matched() {
        let context = |excerpt: &str| {
            let value = json!({"uri": "u", "score": 1, "title": "T", "abstract": "The abstract.", "excerpt": {"text": excerpt}});
            Found::from_value(json!({"resources": [value]}))
                .contexts
                .remove(0)
        };
        assert_eq!(document(&context("a place")), "T\nThe abstract.\na place");
        assert_eq!(document(&context("abstract")), "T\nThe abstract.");
    }

    #[test]
    fn texts_keep_to_the_budget() {
        let long = "word ".repeat(2_000);
        let body = sent(json!({"max_input_tokens": 128}), &[&long, "short"]);
        let text = body["documents"][0].as_str().expect("a text");
        assert_eq!(budget::estimate(text), 127);
        assert_eq!(body["documents"][1], "short");
    }

    #[test]
    fn reads_every_flavor() {
        let list =
            json!([{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]);
        let expected = Ok(vec![Some(0.2), Some(0.9)]);
        for (more, answer) in [
            (json!({}), json!({"results": list})),
            (json!({}), json!({"data": list})),
            (
                json!({}),
                json!([{"index": 0, "score": 0.2}, {"index": 1, "score": 0.9}]),
            ),
            (
                json!({"flavour": "cohere"}),
                json!({"id": "x", "results": list}),
            ),
            (
                json!({"flavour": "dashscope"}),
                json!({"output": {"results": list}}),
            ),
            (
                json!({"flavour": "template", "template": {"request": {}, "results": "/result/data", "score": "/score"}}),
                json!({"result": {"data": [{"score": 0.2}, {"score": 0.9}]}}),
            ),
            (
                json!({"flavour": "template", "template": {"request": {}, "results": "", "score": "/s", "index": "/n"}}),
                json!([{"n": 1, "s": 0.9}, {"n": 0, "s": 0.2}]),
            ),
            (
                json!({"flavour": "template", "template": {"request": {}, "results": "/scores"}}),
                json!({"scores": [0.2, 0.9]}),
            ),
        ] {
            assert_eq!(scores(&endpoint(more), &answer, 2), expected, "{answer}");
        }
    }

    #[test]
    fn an_answer_that_is_wrong_in_any_way_counts_for_nothing() {
        let of = |list: Value| scores(&endpoint(json!({})), &json!({"results": list}), 2);
        let item = |index: i64, score: f64| json!({"index": index, "relevance_score": score});
        for (list, reason) in [
            (json!([]), "0 of 2"),
            (json!([item(0, 0.1)]), "1 of 2"),
            (json!([item(0, 0.1), item(1, 0.1), item(2, 0.1)]), "3 of 2"),
            (json!([item(0, 0.1), item(2, 0.1)]), "document 2 of 2"),
            (json!([item(0, 0.1), item(-1, 0.1)]), "no index"),
            (json!([item(1, 0.1), item(1, 0.1)]), "twice"),
            (json!([item(0, 0.1), {"index": 1}]), "no score"),
            (
                json!([item(0, 0.1), {"index": 1, "score": "high"}]),
                "no score",
            ),
            (json!([item(0, 0.1), item(1, 4.2)]), "logit"),
            (json!([item(0, 0.1), item(1, -0.5)]), "logit"),
        ] {
            let error = of(list.clone()).expect_err("refused");
            assert!(error.contains(reason), "{list}: {error}");
        }
        assert!(scores(&endpoint(json!({})), &json!({"ok": true}), 2).is_err());
    }

    #[test]
    fn what_is_not_a_number_is_told_apart_and_logits_are_mapped() {
        let answer = json!({"results": [{"index": 0, "relevance_score": null}, {"index": 1, "relevance_score": 1.0005}]});
        assert_eq!(
            scores(&endpoint(json!({})), &answer, 2),
            Ok(vec![None, Some(1.0)])
        );
        let logits = json!({"results": [{"index": 0, "score": 0}, {"index": 1, "score": -800.0}]});
        let mapped = scores(&endpoint(json!({"scores": "logit"})), &logits, 2);
        assert_eq!(mapped, Ok(vec![Some(0.5), Some(0.0)]));
    }
}
