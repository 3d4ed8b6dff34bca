//! The endpoints module: the state machine of `search()`, loaded on the first search with an endpoint. Texts of JSON go in
//! and out: the package hands them to `fetch` and to the core, and a reader of JavaScript objects would weigh more.

use super::convert::js_error;
use crate::delegate::{self, Bundle, Endpoints, SearchOptions, Session};
use crate::error::{Error, ErrorKind, Result};
use serde_json::Value;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A search under way.
#[wasm_bindgen]
pub struct Search(delegate::Search);

#[wasm_bindgen]
impl Search {
    /// See [`delegate::Search::new`]. `request` is `{"options", "session", "endpoints", "bundle"}`.
    #[wasm_bindgen(constructor)]
    pub fn new(query: &str, request: &str) -> Result<Search, JsValue> {
        start(query, request).map_err(|error| js_error(&error))
    }

    /// See [`delegate::Search::step`]: `{"post": […]}`, `{"find": […]}` or `{"done": …}`.
    pub fn step(&self) -> Result<String, JsValue> {
        serde_json::to_string(&self.0.step()).map_err(|error| js_error(&internal(&error)))
    }

    /// See [`delegate::Search::supply`]: `{"post": […]}` or `{"find": […]}`.
    pub fn supply(&mut self, answer: &str) -> Result<(), JsValue> {
        serde_json::from_str(answer)
            .map_err(|error| internal(&error))
            .and_then(|answer| self.0.supply(answer))
            .map_err(|error| js_error(&error))
    }
}

fn start(query: &str, request: &str) -> Result<Search> {
    let mut request: Value = serde_json::from_str(request).map_err(|error| internal(&error))?;
    let mut member = |name: &str| request[name].take();
    let bundle: Bundle =
        serde_json::from_value(member("bundle")).map_err(|error| internal(&error))?;
    let search = delegate::Search::new(
        query,
        SearchOptions::from_value(member("options"))?,
        Session::from_value(member("session"))?,
        Endpoints::from_value(member("endpoints"))?,
        &bundle,
    )?;
    Ok(Search(search))
}

/// The package makes the texts itself, so one that is wrong is a defect.
fn internal(error: &serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, error.to_string())
}
