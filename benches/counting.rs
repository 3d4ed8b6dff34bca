//! A bundle's folder as a host that counts what it is asked for, and the rounds of dependent requests.

use knarr::{Error, ErrorKind, Fetched, Host, Result};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A file and the half-open range of it that was asked for.
pub type Asked = (String, (u64, u64));

/// A folder, counting what it is asked for. Every answer takes one turn of [`waited`].
#[derive(Default)]
pub struct Counting {
    folder: PathBuf,
    files: RefCell<HashMap<String, Vec<u8>>>,
    pub bytes: Cell<u64>,
    /// Ranges in their order.
    pub asked: RefCell<Vec<Asked>>,
    /// Requests, where ranges of one file that are asked for in one turn share one.
    pub joined: Cell<u64>,
    /// Files of which something is on its way.
    under_way: RefCell<Vec<String>>,
}

impl Counting {
    pub fn new(folder: &str) -> Self {
        Self {
            folder: folder.into(),
            ..Self::default()
        }
    }

    /// Begins to count anew.
    pub fn reset(&self) {
        self.bytes.set(0);
        self.joined.set(0);
        self.asked.borrow_mut().clear();
    }
}

impl Host for Counting {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        if !self.under_way.borrow().iter().any(|other| other == file) {
            self.under_way.borrow_mut().push(file.to_owned());
            self.joined.set(self.joined.get() + 1);
        }
        let mut is_first = true;
        poll_fn(|_| match std::mem::replace(&mut is_first, false) {
            true => Poll::Pending,
            false => Poll::Ready(()),
        })
        .await;
        self.under_way.borrow_mut().retain(|other| other != file);
        let mut files = self.files.borrow_mut();
        if !files.contains_key(file) {
            let missing = |error| Error::new(ErrorKind::BundleMissing, format!("{file}: {error}"));
            let bytes = std::fs::read(self.folder.join(file)).map_err(missing)?;
            files.insert(file.to_owned(), bytes);
        }
        let whole = &files[file];
        let (from, to) = range.unwrap_or((0, whole.len() as u64));
        let bytes = whole[from as usize..to as usize].to_vec();
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        self.asked.borrow_mut().push((file.to_owned(), (from, to)));
        Ok(Fetched {
            bytes,
            offset: from,
        })
    }
}

/// The value of a future, and the rounds that it waited for.
pub fn waited<T>(future: impl Future<Output = T>) -> (T, u32) {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    let mut rounds = 0;
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return (value, rounds),
            Poll::Pending => rounds += 1,
        }
    }
}

/// The value below which `share` of `values` lie.
pub fn percentile(values: &mut [u64], share: f64) -> u64 {
    values.sort_unstable();
    values[((values.len() - 1) as f64 * share).round() as usize]
}
