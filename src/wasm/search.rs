//! The endpoints module: the state machine of `search()`, loaded on the first search with an endpoint. Texts of JSON go in
//! and out: the package hands them to `fetch` and to the core, and a reader of JavaScript objects would weigh more.

use super::convert::js_error;
use crate::base::error::{Error, ErrorKind, Result};
use crate::search;
use crate::search::{Answer, Bundle, Endpoints, SearchOptions, Session};
use serde_json::Value;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A search under way.
#[wasm_bindgen]
pub struct Search(search::Search);

#[wasm_bindgen]
impl Search {
    /// See [`search::Search::new`]. `request` is `{"options", "session", "endpoints", "bundle"}`.
    #[wasm_bindgen(constructor)]
    pub fn new(query: &str, request: &str) -> Result<Search, JsValue> {
        start(query, request).map_err(|error| js_error(&error))
    }

    /// See [`search::Step::to_value`].
    pub fn step(&self) -> String {
        search::json::write(&self.0.step().to_value())
    }

    /// See [`search::Answer::from_value`].
    pub fn supply(&mut self, answer: &str) -> Result<(), JsValue> {
        parse(answer)
            .and_then(Answer::from_value)
            .and_then(|answer| self.0.supply(answer))
            .map_err(|error| js_error(&error))
    }
}

fn start(query: &str, request: &str) -> Result<Search> {
    let mut request = parse(request)?;
    let mut member = |name: &str| request[name].take();
    let bundle = member("bundle");
    let bundle = Bundle {
        encoder: bundle["encoder"].as_str().unwrap_or_default().to_owned(),
        dims: bundle["dims"].as_u64().map_or(0, |dims| dims as u32),
    };
    let search = search::Search::new(
        query,
        SearchOptions::from_value(member("options"))?,
        Session::from_value(member("session"))?,
        Endpoints::from_value(member("endpoints"))?,
        &bundle,
    )?;
    Ok(Search(search))
}

/// The package makes the texts itself, so one that is wrong is a defect.
fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|_| Error::new(ErrorKind::Internal, "a text is not JSON"))
}
