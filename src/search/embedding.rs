//! The question's vector from an endpoint, for bundles whose vectors come from the same model.
//! Source: OpenViking specification §4.2.

use super::json::{Object, text, texts as list_of, whole};
use crate::base::error::{Error, ErrorKind, Result};
use crate::search::endpoints::{Bundle, EmbeddingEndpoint, EmbeddingFlavor};
use crate::search::exchange::Exchange;
use serde_json::Value;

/// Name of a bundle's encoder when its vectors come from a model.
pub fn fingerprint(model: &str, dims: u32) -> String {
    ["model:", model, "@", &dims.to_string()].concat()
}

/// Stands between the names of the words' encoder and the documents' where these are a model's, projected.
const WITH_WORDS: &str = "+model:";

/// Proves that the endpoint's model is the bundle's.
///
/// Errors: `FAILED_PRECONDITION` when it is another one: vectors of two models have nothing to do with each other, and
/// a search with them would look like one that works.
pub fn check(endpoint: &EmbeddingEndpoint, bundle: &Bundle) -> Result<()> {
    let own = match &endpoint.encoder {
        Some(encoder) => encoder.clone(),
        None => fingerprint(&endpoint.model, endpoint.dimensions.unwrap_or(bundle.dims)),
    };
    if bundle.dims > 0 && own == bundle.encoder {
        return Ok(());
    }
    if bundle.encoder.contains(WITH_WORDS) {
        let message = [
            "this bundle's vectors are those of ",
            &bundle.encoder,
            ", projected, and its words have their own: leave the embedding endpoint out",
        ];
        return Err(Error::new(ErrorKind::FailedPrecondition, message.concat()));
    }
    let theirs = if bundle.dims == 0 {
        "this bundle has no vectors"
    } else {
        &["this bundle's vectors are of ", &bundle.encoder].concat()
    };
    let message = [
        theirs,
        ", the embedding endpoint's are of ",
        &own,
        ": leave the endpoint out, or build the bundle with its model",
    ];
    Err(Error::new(ErrorKind::FailedPrecondition, message.concat()))
}

/// The request for the vectors of `texts`, in one exchange.
pub fn request(endpoint: &EmbeddingEndpoint, texts: &[&str]) -> Exchange {
    let texts: Vec<String> = texts
        .iter()
        .map(|text| [&endpoint.query_prefix, *text].concat())
        .collect();
    let is_cohere = endpoint.flavor == EmbeddingFlavor::Cohere;
    let mut body = Object::default()
        .with("model", text(&endpoint.model))
        .with(if is_cohere { "texts" } else { "input" }, list_of(&texts));
    match endpoint.flavor {
        EmbeddingFlavor::Openai => {}
        EmbeddingFlavor::Jina => body = body.with("task", text("retrieval.query")),
        EmbeddingFlavor::Cohere => {
            body = body
                .with("input_type", text("search_query"))
                .with("embedding_types", Value::Array(vec![text("float")]));
        }
    }
    if let Some(dimensions) = endpoint.dimensions {
        let name = if is_cohere {
            "output_dimension"
        } else {
            "dimensions"
        };
        body = body.with(name, whole(dimensions as usize));
    }
    let body = body.extend(&endpoint.query_params).done();
    Exchange::new(endpoint.target(), &body)
}

/// The vectors of `n` texts, `dims` numbers each, in their order. Errors: why there are none, for people.
pub fn vectors(
    endpoint: &EmbeddingEndpoint,
    answer: &Value,
    n: usize,
    dims: usize,
) -> Result<Vec<Vec<f32>>, String> {
    let rows: Vec<&Value> = match endpoint.flavor {
        EmbeddingFlavor::Cohere => answer
            .pointer("/embeddings/float")
            .and_then(Value::as_array)
            .ok_or("its answer has no embeddings.float")?
            .iter()
            .collect(),
        _ => in_order(
            answer["data"]
                .as_array()
                .ok_or("its answer has no list data")?,
        )?,
    };
    if rows.len() != n {
        let (made, n) = (rows.len().to_string(), n.to_string());
        return Err(["it made ", &made, " vectors of ", &n, " texts"].concat());
    }
    rows.into_iter().map(|row| vector(row, dims)).collect()
}

/// The embeddings of OpenAI's list, by `index` where there is one.
fn in_order(data: &[Value]) -> Result<Vec<&Value>, String> {
    let mut rows: Vec<Option<&Value>> = vec![None; data.len()];
    for (position, item) in data.iter().enumerate() {
        let index = match &item["index"] {
            Value::Null => Some(position),
            number => number.as_u64().and_then(|i| usize::try_from(i).ok()),
        };
        let place = index.and_then(|index| rows.get_mut(index));
        match place {
            Some(place @ None) => *place = Some(&item["embedding"]),
            _ => return Err("the indexes of its vectors are not those of the texts".into()),
        }
    }
    Ok(rows.into_iter().flatten().collect())
}

fn vector(row: &Value, dims: usize) -> Result<Vec<f32>, String> {
    let numbers = row.as_array().ok_or("a vector is not a list of numbers")?;
    if numbers.len() != dims {
        let (own, dims) = (numbers.len().to_string(), dims.to_string());
        return Err([
            "its vector has ",
            &own,
            " dimensions, the bundle's have ",
            &dims,
        ]
        .concat());
    }
    let vector: Vec<f32> = numbers
        .iter()
        .filter_map(|number| number.as_f64().map(|x| x as f32))
        .filter(|x| x.is_finite())
        .collect();
    if vector.len() != dims {
        return Err("its vector holds what is not a finite number".into());
    }
    if vector.iter().all(|x| *x == 0.0) {
        return Err("its vector is zero".into());
    }
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::endpoints::Endpoints;
    use serde_json::json;

    fn endpoint(more: Value) -> EmbeddingEndpoint {
        let mut embedding = json!({"url": "https://a.example/embed", "model": "m"});
        for (name, value) in more.as_object().expect("an object") {
            embedding[name] = value.clone();
        }
        let endpoints = Endpoints::from_value(json!({"embedding": embedding})).expect("accepted");
        endpoints.embedding.expect("there")
    }

    fn bundle(encoder: &str, dims: u32) -> Bundle {
        Bundle {
            encoder: encoder.into(),
            dims,
        }
    }

    fn sent(more: Value) -> Value {
        let exchange = request(&endpoint(more), &["a", "b"]);
        serde_json::from_str(&exchange.post.body).expect("JSON")
    }

    #[test]
    fn another_model_is_refused() {
        let plain = endpoint(json!({}));
        assert!(check(&plain, &bundle("model:m@3", 3)).is_ok());
        let shortened = endpoint(json!({"dimensions": 2}));
        assert!(check(&shortened, &bundle("model:m@2", 2)).is_ok());
        let named = endpoint(json!({"encoder": "own:1"}));
        assert!(check(&named, &bundle("own:1", 3)).is_ok());
        for (endpoint, bundle) in [
            (&plain, bundle("static-256-int4:abc", 64)),
            (&plain, bundle("model:n@3", 3)),
            (&shortened, bundle("model:m@3", 3)),
            (&named, bundle("model:m@3", 3)),
            (&plain, bundle("", 0)),
        ] {
            let error = check(endpoint, &bundle).expect_err("refused");
            assert_eq!(error.kind(), ErrorKind::FailedPrecondition);
        }
        let projected = bundle("static-256-int4:abc+model:m@3", 3);
        let error = check(&plain, &projected).expect_err("refused");
        assert!(error.message().contains("leave the embedding endpoint out"));
    }

    #[test]
    fn requests_have_the_shape_of_their_flavor() {
        assert_eq!(
            sent(json!({"query_prefix": "query: ", "query_params": {"input_type": "query"}})),
            json!({"model": "m", "input": ["query: a", "query: b"], "input_type": "query"})
        );
        assert_eq!(
            sent(json!({"flavour": "jina", "dimensions": 8})),
            json!({"model": "m", "input": ["a", "b"], "task": "retrieval.query", "dimensions": 8})
        );
        assert_eq!(
            sent(json!({"flavour": "cohere", "dimensions": 8})),
            json!({"model": "m", "texts": ["a", "b"], "input_type": "search_query",
                "embedding_types": ["float"], "output_dimension": 8})
        );
    }

    #[test]
    fn reads_vectors_in_the_order_of_the_texts() {
        let data = json!({"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [1.5, 0]}]});
        let expected = Ok(vec![vec![1.5, 0.0], vec![0.0, 2.0]]);
        assert_eq!(vectors(&endpoint(json!({})), &data, 2, 2), expected);
        let plain = json!({"data": [{"embedding": [1.5, 0]}, {"embedding": [0, 2]}]});
        assert_eq!(
            vectors(&endpoint(json!({"flavour": "jina"})), &plain, 2, 2),
            expected
        );
        let cohere = json!({"embeddings": {"float": [[1.5, 0], [0, 2]]}});
        assert_eq!(
            vectors(&endpoint(json!({"flavour": "cohere"})), &cohere, 2, 2),
            expected
        );
    }

    #[test]
    fn vectors_that_are_wrong_in_any_way_are_refused() {
        let of = |data: Value| vectors(&endpoint(json!({})), &json!({"data": data}), 1, 2);
        for (data, reason) in [
            (json!([]), "0 vectors"),
            (
                json!([{"embedding": [1, 2]}, {"embedding": [1, 2]}]),
                "2 vectors",
            ),
            (json!([{"embedding": [1]}]), "1 dimensions"),
            (json!([{"embedding": [1, 2, 3]}]), "3 dimensions"),
            (json!([{"embedding": [1, null]}]), "finite"),
            (json!([{"embedding": [1, 1e300]}]), "finite"),
            (json!([{"embedding": [0, 0]}]), "zero"),
            (json!([{"embedding": "AACAPw=="}]), "list of numbers"),
            (json!([{"index": 5, "embedding": [1, 2]}]), "indexes"),
            (
                json!([{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [1, 2]}]),
                "indexes",
            ),
        ] {
            let error = of(data.clone()).expect_err("refused");
            assert!(error.contains(reason), "{data}: {error}");
        }
        assert!(vectors(&endpoint(json!({})), &json!({"error": "x"}), 1, 2).is_err());
    }
}
