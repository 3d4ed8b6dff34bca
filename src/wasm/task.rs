//! A call in progress, driven by JavaScript.
//!
//! `wasm_bindgen_futures::spawn_local` would poll in a microtask of its own, where a trap is nobody's: the promise of the
//! call stays pending for ever, and Node ends the process. Polled from JavaScript, a trap is an exception like any other.

use super::convert::js_error;
use crate::base::error::Result;
use js_sys::Function;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A call in progress. Dropping it (`free()`) cancels the call.
#[wasm_bindgen]
pub struct Task {
    future: Pin<Box<dyn Future<Output = Result<JsValue>>>>,
}

#[wasm_bindgen]
impl Task {
    /// Runs until the call is done or has to wait: `undefined` while waiting, else the result.
    ///
    /// Calls `wake` once, later, when polling again is worthwhile. Throws the call's error.
    pub fn poll(&mut self, wake: Function) -> Result<JsValue, JsValue> {
        let waker = Waker::from(Arc::new(Callback(wake)));
        match self.future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Pending => Ok(JsValue::UNDEFINED),
            Poll::Ready(Ok(value)) => Ok(value),
            Poll::Ready(Err(error)) => Err(js_error(&error)),
        }
    }
}

impl Task {
    /// A task that has not started.
    pub fn new(future: impl Future<Output = Result<JsValue>> + 'static) -> Self {
        Self {
            future: Box::pin(future),
        }
    }
}

struct Callback(Function);

impl Wake for Callback {
    fn wake(self: Arc<Self>) {
        // The callback resolves a promise; there is nothing to do about one that throws.
        let _ = self.0.call0(&JsValue::UNDEFINED);
    }
}
