//! The patterns module: grep and glob, loaded on first use. The core says which texts and paths to look at.

use super::convert::js_error;
use crate::base::error::{Error, ErrorKind};
use crate::read::{glob, grep};
use js_sys::Array;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A compiled regular expression.
#[wasm_bindgen]
pub struct Grep(grep::Grep);

#[wasm_bindgen]
impl Grep {
    /// See [`grep::Grep::new`]; throws `INVALID_PATTERN`.
    #[wasm_bindgen(constructor)]
    pub fn new(pattern: &str, case_insensitive: bool) -> Result<Grep, JsValue> {
        grep::Grep::new(pattern, case_insensitive)
            .map(Grep)
            .map_err(|error| js_error(&error))
    }

    /// The first `limit` matching lines of a UTF-8 text, as a flat array: number, line, number, line, …
    pub fn scan(&self, text: &[u8], limit: usize) -> Result<Array, JsValue> {
        let text = std::str::from_utf8(text).map_err(|_| {
            js_error(&Error::new(
                ErrorKind::Internal,
                "a text of the bundle is not UTF-8",
            ))
        })?;
        let lines = Array::new();
        for line in self.0.scan(text, limit) {
            lines.push(&line.number.into());
            lines.push(&line.content.into());
        }
        Ok(lines)
    }

    /// See [`grep::Grep::cut`].
    pub fn cut(&self, line: &str, length: usize) -> String {
        self.0.cut(line, length)
    }
}

/// A compiled glob pattern.
#[wasm_bindgen]
pub struct Glob(glob::Glob);

#[wasm_bindgen]
impl Glob {
    /// See [`glob::Glob::new`]; throws `INVALID_PATTERN`.
    #[wasm_bindgen(constructor)]
    pub fn new(pattern: &str) -> Result<Glob, JsValue> {
        glob::Glob::new(pattern)
            .map(Glob)
            .map_err(|error| js_error(&error))
    }

    /// Positions of the first `limit` paths that match, in order.
    pub fn filter(&self, paths: Vec<String>, limit: usize) -> Vec<u32> {
        self.0.filter(&paths, limit)
    }
}
