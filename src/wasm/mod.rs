//! The crate as JavaScript sees it. One compilation is one module: the core, or with the feature `patterns` grep and glob.
//!
//! Every call that takes time returns a [`task::Task`] that JavaScript polls inside `try`, so a trap of the module always
//! surfaces at a caller. The package in `pkg/` turns tasks into promises; nothing here is public API.

mod convert;
#[cfg(not(feature = "patterns"))]
mod core;
#[cfg(not(feature = "patterns"))]
mod fetch;
#[cfg(feature = "patterns")]
mod patterns;
#[cfg(not(feature = "patterns"))]
mod task;

use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs when the module is instantiated: a panic leaves its message for [`last_panic`] before it traps.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        LAST_PANIC.with(|last| *last.borrow_mut() = Some(message));
    }));
}

/// The message of the panic that trapped this instance; nothing after other traps.
#[wasm_bindgen(js_name = lastPanic)]
pub fn last_panic() -> Option<String> {
    LAST_PANIC.with(|last| last.borrow_mut().take())
}

/// Discards the instance: the next call of any export runs in a fresh one. Objects of the old instance are dead.
#[wasm_bindgen]
pub fn restart() {
    wasm_bindgen::handler::schedule_reinit();
}
