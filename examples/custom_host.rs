//! Serves a bundle through a function, as an HTTP client would, and keeps what arrived.
//!
//! `cargo run --features index --example custom_host`

use knarr::{BuildOptions, Builder, Document, Fetched, FindOptions, Host, Knarr, Result};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Write;

type Range = Option<(u64, u64)>;

/// A host that sends each request once, however many bundles are opened with it.
pub struct Cached<F> {
    request: F,
    kept: RefCell<HashMap<(String, Range), Fetched>>,
    sent: Cell<usize>,
}

impl<F: Fn(&str, Range) -> Result<Fetched>> Cached<F> {
    /// A host that answers through `request`.
    pub fn new(request: F) -> Self {
        Self {
            request,
            kept: RefCell::default(),
            sent: Cell::new(0),
        }
    }
}

impl<F: Fn(&str, Range) -> Result<Fetched>> Host for Cached<F> {
    async fn fetch(&self, file: &str, range: Range) -> Result<Fetched> {
        let key = (file.to_owned(), range);
        if let Some(fetched) = self.kept.borrow().get(&key) {
            return Ok(fetched.clone());
        }
        // Replace this line by a request with the header `Range: bytes={start}-{end - 1}`. A server that answers 200
        // instead of 206 sent the whole file: then the offset is 0.
        let fetched = (self.request)(file, range)?;
        self.sent.set(self.sent.get() + 1);
        self.kept.borrow_mut().insert(key, fetched.clone());
        Ok(fetched)
    }
}

fn main() -> Result<()> {
    print!("{}", report()?);
    Ok(())
}

/// Two visits with the same question, and the requests that each sent.
pub fn report() -> Result<String> {
    let mut builder = Builder::new(BuildOptions {
        single_file: Some(false), // a head and packs, as larger sites have them
        ..BuildOptions::default()
    })?;
    for day in 1..=30 {
        let text = format!(
            "Day {day}: the station measured {} millimeters of rain.",
            day * 3
        );
        builder.add(Document::new(
            format!("day-{day}.html"),
            format!("Day {day}"),
            text,
        ))?;
    }
    let server = builder.finish(&mut |_, _, _| {})?;
    let host = Cached::new(|file, range| pollster::block_on(server.fetch(file, range)));

    let mut out = String::new();
    for visit in ["first", "second"] {
        let before = host.sent.get();
        let answer = pollster::block_on(async {
            let knarr = Knarr::open(&host).await?;
            knarr
                .find(&host, "rain on day 12", &FindOptions::new())
                .await
        })?;
        let (title, sent) = (&answer.resources[0].title, host.sent.get() - before);
        let _ = writeln!(out, "{visit} visit: {title}, {sent} requests");
    }
    Ok(out)
}
