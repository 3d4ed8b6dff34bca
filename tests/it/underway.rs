//! Calls that run at the same time share what is on its way, and one that is given up spoils nothing for the others.

use crate::support::{self, Script};
use knarr::{Error, ErrorKind, Fetched, FindOptions, Host, Knarr, Result};
use pollster::block_on;
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// A file, and the range of it.
type Asked = (String, Option<(u64, u64)>);

/// A host whose answers take some polls, and that notes what it was asked for.
struct Slow<'s> {
    script: &'s Script,
    asked: &'s RefCell<Vec<Asked>>,
    /// Nobody waits for the call of this host any more.
    is_left: Cell<bool>,
    /// Requests that fail before one succeeds.
    failures: Cell<usize>,
}

impl<'s> Slow<'s> {
    fn new(script: &'s Script, asked: &'s RefCell<Vec<Asked>>) -> Self {
        Self {
            script,
            asked,
            is_left: Cell::new(false),
            failures: Cell::new(0),
        }
    }
}

impl Host for Slow<'_> {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        self.asked.borrow_mut().push((file.to_owned(), range));
        let mut polls = 3;
        poll_fn(|context| {
            polls -= 1;
            if polls == 0 {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        if self.failures.get() > 0 {
            self.failures.set(self.failures.get() - 1);
            return Err(Error::new(ErrorKind::Unavailable, "the line is down"));
        }
        self.script.fetch(file, range).await
    }

    fn is_left(&self) -> bool {
        self.is_left.get()
    }
}

/// Runs both to their ends, polled in turns.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let (mut first, mut second) = (None, None);
    poll_fn(|context| {
        if first.is_none() {
            first = ready(a.as_mut(), context);
        }
        if second.is_none() {
            second = ready(b.as_mut(), context);
        }
        match first.is_some() && second.is_some() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    })
    .await;
    (first.unwrap(), second.unwrap())
}

fn ready<F: Future>(future: Pin<&mut F>, context: &mut Context<'_>) -> Option<F::Output> {
    match future.poll(context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

fn is_distinct(asked: &[Asked]) -> bool {
    let mut sorted = asked.to_vec();
    sorted.sort();
    sorted.dedup();
    sorted.len() == asked.len()
}

const QUESTION: &str = "sensor battery";

#[test]
fn two_calls_ask_for_a_part_once() {
    let script = Script::of(support::corpus(Some(false)));
    let options = FindOptions::default();
    let alone = RefCell::default();
    let host = Slow::new(&script, &alone);
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let answer = block_on(bundle.find(&host, QUESTION, &options)).unwrap();
    assert!(answer.total > 0);

    let together = RefCell::default();
    let (one, other) = (Slow::new(&script, &together), Slow::new(&script, &together));
    let bundle = block_on(Knarr::open(&one)).unwrap();
    // The second begins with what the first has on its way, and has a word of its own.
    let (a, b) = block_on(both(
        bundle.find(&one, QUESTION, &options),
        bundle.find(&other, "sensor calibration", &options),
    ));
    assert_eq!(a.unwrap(), answer);
    assert!(b.unwrap().total > 0);
    assert!(is_distinct(&together.borrow()), "{together:?}");
    assert!(together.borrow().len() < 2 * alone.borrow().len());
}

#[test]
fn a_call_that_nobody_waits_for_keeps_what_it_asked_for_and_asks_no_more() {
    let script = Script::of(support::corpus(Some(false)));
    let options = FindOptions::default();
    let asked = RefCell::default();
    let host = Slow::new(&script, &asked);
    let bundle = block_on(Knarr::open(&host)).unwrap();
    asked.borrow_mut().clear();
    {
        let mut call = pin!(bundle.find(&host, QUESTION, &options));
        let context = &mut Context::from_waker(Waker::noop());
        assert!(ready(call.as_mut(), context).is_none());
        host.is_left.set(true);
        let n_asked = asked.borrow().len();
        assert!(n_asked > 0);
        let error = block_on(call).err().unwrap();
        assert_eq!(error.code(), "ABORTED");
        assert_eq!(asked.borrow().len(), n_asked);
    }
    let next = Slow::new(&script, &asked);
    block_on(bundle.find(&next, QUESTION, &options)).unwrap();
    assert!(is_distinct(&asked.borrow()), "{asked:?}");
}

#[test]
fn a_call_that_is_dropped_or_fails_leaves_its_parts_to_the_others() {
    let script = Script::of(support::corpus(Some(false)));
    let options = FindOptions::default();
    let asked = RefCell::default();
    let host = Slow::new(&script, &asked);
    let fresh = || block_on(Knarr::open(&Slow::new(&script, &asked))).unwrap();
    let expected = block_on(fresh().find(&host, QUESTION, &options)).unwrap();

    let bundle = fresh();
    let context = &mut Context::from_waker(Waker::noop());
    let mut dropped = Box::pin(bundle.find(&host, QUESTION, &options));
    let mut waiting = pin!(bundle.find(&host, QUESTION, &options));
    assert!(ready(dropped.as_mut(), context).is_none());
    assert!(ready(waiting.as_mut(), context).is_none());
    drop(dropped);
    assert_eq!(block_on(waiting).unwrap(), expected);

    let bundle = fresh();
    let failing = Slow::new(&script, &asked);
    failing.failures.set(1);
    let (failed, answered) = block_on(both(
        bundle.find(&failing, QUESTION, &options),
        bundle.find(&host, QUESTION, &options),
    ));
    assert_eq!(failed.err().unwrap().code(), "UNAVAILABLE");
    assert_eq!(answered.unwrap(), expected);
}
