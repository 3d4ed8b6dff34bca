//! The browser's host: `fetch` with byte ranges, or a bundle that is already in memory.

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::host::{Fetched, Host};
use crate::base::inflate::does_not_inflate;
use crate::engine::HEAD_FILE;
use js_sys::{ArrayBuffer, Promise, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestCache, RequestInit, Response};

#[wasm_bindgen(raw_module = "./fetching.js")]
extern "C" {
    // The global `fetch`, or a head that was asked for before this module was there. Ranges of one file that are asked
    // for in one go may share a request where `joins` is true.
    #[wasm_bindgen(catch, js_name = fetchFile)]
    fn fetch_file(url: &str, init: &RequestInit, joins: bool) -> Result<Promise, JsValue>;

    // Throws where the browser has no such thing.
    #[wasm_bindgen(catch)]
    fn inflate(data: &Uint8Array, length: usize) -> Result<Promise, JsValue>;

    // True when the caller that this signal was made for has given up.
    #[wasm_bindgen(js_name = isLeft)]
    fn is_left(signal: &AbortSignal) -> bool;
}

/// Address of a bundle's bytes.
pub enum Source {
    /// On a server.
    Web {
        /// Address of the head.
        head: String,
        /// Prefix of the names of the other files; ends with a slash.
        base: String,
    },
    /// In memory, in the one-file form. Kept outside the module's memory, which never shrinks.
    Memory(Uint8Array),
}

/// The host of one call: a source, and the signal that ends its requests. A caller's abort is not yet that signal: other
/// calls may wait for what this one asked for.
pub struct FetchHost {
    source: Rc<Source>,
    signal: Option<AbortSignal>,
    /// The server is said to answer several ranges of a file in one response.
    joins: bool,
}

impl FetchHost {
    /// A host that reads `source` until `signal` aborts.
    pub fn new(source: Rc<Source>, signal: Option<AbortSignal>, joins: bool) -> Self {
        Self {
            source,
            signal,
            joins,
        }
    }

    /// Meaning of a rejected promise: the end of the call, by its time limit or otherwise, or a network that failed.
    fn failure(&self, url: &str, reason: &JsValue) -> Error {
        let Some(signal) = self.signal.as_ref().filter(|signal| signal.aborted()) else {
            return Error::new(
                ErrorKind::Unavailable,
                [url, " could not be fetched: ", &text(reason)].concat(),
            );
        };
        let cause = signal.reason();
        let timed_out = cause
            .dyn_ref::<js_sys::Error>()
            .is_some_and(|cause| cause.name() == "TimeoutError");
        let kind = if timed_out {
            ErrorKind::DeadlineExceeded
        } else {
            ErrorKind::Aborted
        };
        Error::new(kind, text(&cause))
    }

    /// Settings of a request for a file or a range of it.
    fn settings(&self, file: &str, range: Option<(u64, u64)>) -> Result<RequestInit, JsValue> {
        let init = RequestInit::new();
        init.set_signal(self.signal.as_ref());
        if file == HEAD_FILE {
            // The one name that is not a content hash: ask the server whether a newer build is there.
            init.set_cache(RequestCache::NoCache);
        }
        if let Some((start, end)) = range {
            let headers = Headers::new()?;
            let last = end.saturating_sub(1).to_string();
            headers.set(
                "Range",
                &["bytes=", &start.to_string(), "-", &last].concat(),
            )?;
            init.set_headers_headers(&headers);
        }
        Ok(init)
    }

    async fn request(&self, url: &str, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        let init = self
            .settings(file, range)
            .map_err(|error| self.failure(url, &error))?;
        let promise =
            fetch_file(url, &init, self.joins).map_err(|error| self.failure(url, &error))?;
        let response = JsFuture::from(promise)
            .await
            .map_err(|error| self.failure(url, &error))?;
        let response: Response = response.unchecked_into();
        let offset = match response.status() {
            206 => content_range(&response)
                .or(range.map(|(start, _)| start))
                .unwrap_or(0),
            200..=299 => 0,
            404 | 410 => {
                return Err(Error::new(
                    ErrorKind::BundleMissing,
                    [url, " is not there"].concat(),
                ));
            }
            416 => {
                let message = [
                    url,
                    " is shorter than the index says; it is truncated or from another build",
                ]
                .concat();
                return Err(Error::new(ErrorKind::BundleDamaged, message));
            }
            status => {
                let message = [url, " answered with status ", &status.to_string()].concat();
                return Err(Error::new(ErrorKind::Unavailable, message));
            }
        };
        let body = response
            .array_buffer()
            .map_err(|error| self.failure(url, &error))?;
        let body = JsFuture::from(body)
            .await
            .map_err(|error| self.failure(url, &error))?;
        Ok(Fetched {
            bytes: Uint8Array::new(body.unchecked_ref::<ArrayBuffer>()).to_vec(),
            offset,
        })
    }
}

impl Host for FetchHost {
    fn is_left(&self) -> bool {
        self.signal.as_ref().is_some_and(is_left)
    }

    async fn inflate(&self, data: &[u8], len: usize) -> Result<Vec<u8>> {
        let raw = inflate(&Uint8Array::from(data), len).map_err(|error| {
            let what = ["this browser cannot inflate: ", &text(&error)].concat();
            Error::new(ErrorKind::FailedPrecondition, what)
        })?;
        let raw = JsFuture::from(raw)
            .await
            .map_err(|error| does_not_inflate(&[": ", &text(&error)].concat()))?;
        Ok(raw.unchecked_into::<Uint8Array>().to_vec())
    }

    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        match &*self.source {
            Source::Web { head, .. } if file == HEAD_FILE => self.request(head, file, range).await,
            Source::Web { base, .. } => self.request(&[base, file].concat(), file, range).await,
            Source::Memory(bytes) if file == HEAD_FILE => {
                let length = bytes.length();
                let clamp = |position: u64| u32::try_from(position).unwrap_or(length).min(length);
                let (start, end) =
                    range.map_or((0, length), |(start, end)| (clamp(start), clamp(end)));
                Ok(Fetched {
                    bytes: bytes.subarray(start, end).to_vec(),
                    offset: u64::from(start),
                })
            }
            Source::Memory(_) => {
                let message = [
                    "the bundle given as bytes is not in the one-file form: it names ",
                    file,
                ]
                .concat();
                Err(Error::new(ErrorKind::BundleMissing, message))
            }
        }
    }
}

/// Position of the first byte of a partial response. Cross-origin servers hide the header unless they expose it.
fn content_range(response: &Response) -> Option<u64> {
    let header = response.headers().get("Content-Range").ok()??;
    header
        .strip_prefix("bytes ")?
        .split('-')
        .next()?
        .parse()
        .ok()
}

/// The message of whatever JavaScript threw.
fn text(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => thrown
            .as_string()
            .unwrap_or_else(|| String::from("the call was aborted")),
    }
}
