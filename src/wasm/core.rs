//! The core module: everything but grep and glob, which it only feeds.

use super::convert::value;
use super::fetch::{FetchHost, Source};
use super::task::Task;
use crate::base::error::Result;
use crate::base::options;
use crate::bundle::Resident;
use crate::bundle::step::Step;
use crate::engine::{self, Knarr};
use crate::find::ask::options::RelationOptions;
use crate::find::ask::request::Request;
#[cfg(feature = "full")]
use crate::read::entities;
use crate::read::{links, listing, patterns, texts};
use js_sys::{Array, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::AbortSignal;

/// A pure step of any method, so that one state machine serves all.
type BoxedStep = Box<dyn Fn(&Resident) -> Step<JsValue>>;

/// An opened bundle. Each method is the engine's method of the same name.
#[wasm_bindgen]
pub struct Engine {
    knarr: Rc<Knarr>,
    source: Rc<Source>,
    #[cfg(feature = "full")]
    monitor: std::cell::RefCell<crate::engine::monitor::Monitor>,
}

/// Opens the bundle whose head is at `head` and whose other files are below `base`; the task's value is an [`Engine`].
#[wasm_bindgen]
pub fn open(head: String, base: String, signal: Option<AbortSignal>) -> Task {
    open_source(Source::Web { head, base }, signal)
}

/// Opens a bundle in the one-file form.
#[wasm_bindgen(js_name = openBytes)]
pub fn open_bytes(bytes: Uint8Array) -> Task {
    open_source(Source::Memory(bytes), None)
}

fn open_source(source: Source, signal: Option<AbortSignal>) -> Task {
    let source = Rc::new(source);
    Task::new(async move {
        let knarr = Knarr::open(&FetchHost::new(source.clone(), signal, false)).await?;
        Ok(Engine {
            knarr: Rc::new(knarr),
            source,
            #[cfg(feature = "full")]
            monitor: Default::default(),
        }
        .into())
    })
}

#[wasm_bindgen]
impl Engine {
    /// See [`Knarr::find`].
    pub fn find(&self, query: String, find_options: JsValue, signal: Option<AbortSignal>) -> Task {
        let request = options::read(&find_options).and_then(|given| Request::read(&query, given));
        let knarr = self.knarr.clone();
        self.proved(request, signal, move |store, request| {
            Ok(value(&knarr.find_step(store, request)?)?)
        })
    }

    /// See [`Knarr::abstract_`].
    #[wasm_bindgen(js_name = abstract)]
    pub fn abstract_(&self, uri: String, signal: Option<AbortSignal>) -> Task {
        self.task(signal, move |store| {
            Ok(texts::abstract_(store, &uri)?.into())
        })
    }

    /// See [`Knarr::overview`].
    pub fn overview(&self, uri: String, signal: Option<AbortSignal>) -> Task {
        self.task(
            signal,
            move |store| Ok(texts::overview(store, &uri)?.into()),
        )
    }

    /// See [`Knarr::read`].
    pub fn read(&self, uri: String, read_options: JsValue, signal: Option<AbortSignal>) -> Task {
        let given = options::read(&read_options);
        self.proved(given, signal, move |store, given| {
            Ok(texts::read(store, &uri, given)?.into())
        })
    }

    /// See [`Knarr::ls`].
    pub fn ls(&self, uri: String, list_options: JsValue, signal: Option<AbortSignal>) -> Task {
        let given = options::read(&list_options);
        self.proved(given, signal, move |store, given| {
            Ok(value(&listing::ls(store, &uri, given)?)?)
        })
    }

    /// See [`Knarr::tree`].
    pub fn tree(&self, uri: String, list_options: JsValue, signal: Option<AbortSignal>) -> Task {
        let given = options::read(&list_options);
        self.proved(given, signal, move |store, given| {
            Ok(value(&listing::tree(store, &uri, given)?)?)
        })
    }

    /// See [`Knarr::stat`].
    pub fn stat(&self, uri: String, signal: Option<AbortSignal>) -> Task {
        self.task(signal, move |store| {
            Ok(value(&listing::stat(store, &uri)?)?)
        })
    }

    /// See [`Knarr::relations`].
    pub fn relations(&self, uri: String, limit: u32, signal: Option<AbortSignal>) -> Task {
        let limit = limit as usize;
        self.task(signal, move |store| {
            let options = RelationOptions { limit };
            Ok(value(&links::relations(store, &uri, &options)?)?)
        })
    }

    /// See [`Knarr::grep_scope`].
    #[wasm_bindgen(js_name = grepScope)]
    pub fn grep_scope(
        &self,
        uri: String,
        grep_options: JsValue,
        signal: Option<AbortSignal>,
    ) -> Task {
        let given = options::read(&grep_options);
        self.proved(given, signal, move |store, given| {
            let files = patterns::grep_scope(store, &uri, given)?;
            Ok(value(&engine::scope_files(files))?)
        })
    }

    /// See [`Knarr::texts`]. An array of UTF-8 `Uint8Array`s: the patterns module takes bytes, and decoding a site's
    /// worth of text into strings costs more than the search.
    pub fn texts(&self, nodes: Vec<u32>, signal: Option<AbortSignal>) -> Task {
        self.task(signal, move |store| {
            let texts = texts::contents(store, &nodes)?;
            let bytes = texts.iter().map(|text| Uint8Array::from(text.as_bytes()));
            Ok(bytes.collect::<Array>().into())
        })
    }

    /// See [`Knarr::glob_scope`].
    #[wasm_bindgen(js_name = globScope)]
    pub fn glob_scope(&self, uri: String, signal: Option<AbortSignal>) -> Task {
        self.task(signal, move |store| {
            let paths = patterns::glob_scope(store, &uri)?;
            Ok(value(&engine::scope_paths(paths))?)
        })
    }

    /// See [`Knarr::inspect`].
    pub fn inspect(&self) -> Task {
        let knarr = self.knarr.clone();
        self.task(None, move |_| Ok(value(&knarr.inspect())?))
    }
}

impl Engine {
    fn task(
        &self,
        signal: Option<AbortSignal>,
        step: impl Fn(&Resident) -> Step<JsValue> + 'static,
    ) -> Task {
        self.run(signal, Box::new(step))
    }

    /// A task with options, which were read and proved before its first round; one that fails when they are wrong.
    fn proved<T: 'static>(
        &self,
        options: Result<T>,
        signal: Option<AbortSignal>,
        step: impl Fn(&Resident, &T) -> Step<JsValue> + 'static,
    ) -> Task {
        match options {
            Ok(options) => self.task(signal, move |store| step(store, &options)),
            Err(error) => Task::new(std::future::ready(Err(error))),
        }
    }

    /// One state machine for all calls: as asynchronous methods of [`Knarr`] they would be one each.
    fn run(&self, signal: Option<AbortSignal>, step: BoxedStep) -> Task {
        let host = FetchHost::new(self.source.clone(), signal, self.knarr.joins_ranges());
        let knarr = self.knarr.clone();
        Task::new(async move { knarr.run(&host, step).await })
    }
}

/// Latencies and counts of questions. The module has no clock: the package measures.
#[cfg(feature = "full")]
#[wasm_bindgen]
impl Engine {
    /// Counts an answered question: its milliseconds, and the weight of vectors it was answered with.
    pub fn answered(&self, latency_ms: f64, alpha: f64) {
        self.monitor.borrow_mut().answered(latency_ms, alpha);
    }

    /// Counts a question that failed.
    pub fn failed(&self) {
        self.monitor.borrow_mut().failed();
    }

    /// See [`Knarr::download`]. A `Uint8Array`.
    pub fn download(&self, uri: String, signal: Option<AbortSignal>) -> Task {
        self.task(signal, move |store| {
            Ok(Uint8Array::from(&texts::download(store, &uri)?[..]).into())
        })
    }

    /// See [`Knarr::entities`].
    pub fn entities(&self, entity_options: JsValue, signal: Option<AbortSignal>) -> Task {
        let given = options::read(&entity_options);
        self.proved(given, signal, move |store, given| {
            Ok(value(&entities::entities(store, given)?)?)
        })
    }

    /// See [`Knarr::neighbors`].
    pub fn neighbors(&self, name: String, signal: Option<AbortSignal>) -> Task {
        self.task(signal, move |store| {
            Ok(value(&entities::neighbors(store, &name)?)?)
        })
    }

    /// The totals, for `elapsed_s` seconds since the first question.
    pub fn statistics(&self, elapsed_s: f64) -> Task {
        let mut report = self.monitor.borrow().report(elapsed_s);
        report.n_remembered = self.knarr.remembered();
        self.task(None, move |_| Ok(value(&report)?))
    }
}

// instant-distance's dependencies ask for a source of randomness at compile time. Graphs are built natively, so nothing
// calls it here; if something did, it must fail rather than be predictable.
getrandom::register_custom_getrandom!(no_randomness);

fn no_randomness(_: &mut [u8]) -> std::result::Result<(), getrandom::Error> {
    Err(getrandom::Error::UNSUPPORTED)
}
