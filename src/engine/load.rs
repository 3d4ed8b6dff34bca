//! Getting missing parts: which bytes of which files, joined where they lie close together.

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::host::{Fetched, Host};
use crate::base::order;
use crate::bundle::{Need, Packed, PartAddress, Resident, packed, without_check};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Poll, Waker};

/// Two parts of one pack are fetched together when at most this many bytes lie between them: about what a request costs.
const GAP: u64 = 4 << 10;
/// The same where ranges share a request: about what the head of a range costs in its response.
const JOINED_GAP: u64 = 128;

struct Request {
    pack: u32,
    from: u64,
    to: u64,
    needs: Vec<(Need, PartAddress)>,
}

/// Joins needs of one pack between which at most `gap` bytes lie.
fn plan(mut needs: Vec<(Need, PartAddress)>, gap: u64) -> Vec<Request> {
    order::sort_by(&mut needs, |(_, a), (_, b)| {
        (a.pack, a.offset).cmp(&(b.pack, b.offset))
    });
    let mut requests: Vec<Request> = Vec::new();
    for (need, address) in needs {
        let end = address.offset + u64::from(address.len);
        match requests.last_mut() {
            Some(r) if r.pack == address.pack && address.offset <= r.to + gap => {
                r.to = r.to.max(end);
                r.needs.push((need, address));
            }
            _ => requests.push(Request {
                pack: address.pack,
                from: address.offset,
                to: end,
                needs: vec![(need, address)],
            }),
        }
    }
    requests
}

/// Parts on their way, asked for by any call: whoever needs one of them waits for it and does not ask again.
#[derive(Default)]
pub struct Underway {
    needs: RefCell<Vec<Need>>,
    waiting: RefCell<Vec<Waker>>,
}

impl Underway {
    fn has(&self, need: Need) -> bool {
        self.needs.borrow().contains(&need)
    }

    /// Ends when none of `needs` is on its way any more: each has arrived, or failed for whoever asked for it.
    async fn wait_for(&self, needs: &[Need]) {
        poll_fn(|context| {
            if needs.iter().any(|&need| self.has(need)) {
                self.waiting.borrow_mut().push(context.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(())
        })
        .await;
    }
}

/// Parts of one request on their way. Dropped when they have arrived, when they failed, and with a call that is dropped.
struct Held<'u> {
    underway: &'u Underway,
    needs: &'u [(Need, PartAddress)],
}

impl<'u> Held<'u> {
    fn new(underway: &'u Underway, needs: &'u [(Need, PartAddress)]) -> Self {
        let all = needs.iter().map(|&(need, _)| need);
        underway.needs.borrow_mut().extend(all);
        Self { underway, needs }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let is_other = |need: &Need| self.needs.iter().all(|(own, _)| own != need);
        self.underway.needs.borrow_mut().retain(is_other);
        let waiting = std::mem::take(&mut *self.underway.waiting.borrow_mut());
        waiting.into_iter().for_each(Waker::wake);
    }
}

/// Fetches those of `needs` that are not on their way, supplies each to the store as it arrives, and waits for the
/// others. `embedded` is the head's file, for packs that follow the head.
///
/// A part that somebody else's request failed to bring is missing afterwards: the step then asks for it by itself.
pub async fn load(
    store: &Resident,
    host: &impl Host,
    embedded: &[u8],
    underway: &Underway,
    needs: Vec<Need>,
) -> Result<()> {
    let (theirs, ours): (Vec<_>, Vec<_>) = needs.into_iter().partition(|&need| underway.has(need));
    let addresses = ours
        .into_iter()
        .map(|n| Ok((n, store.address(n)?)))
        .collect::<Result<Vec<_>>>()?;
    let gap = match store.head().parameters.joins_ranges {
        true => JOINED_GAP,
        false => GAP,
    };
    let requests = plan(addresses, gap);
    let loads = requests.iter().map(|request| -> Load<'_> {
        Box::pin(async {
            let _held = Held::new(underway, &request.needs);
            let fetched = match fetch(store, host, embedded, request).await {
                Err(error) if error.kind() == ErrorKind::BundleMissing => {
                    let needs = request.needs.iter().map(|&(need, _)| need);
                    return store.do_without(needs).then_some(()).ok_or(error);
                }
                fetched => fetched?,
            };
            for (need, address) in &request.needs {
                let stored = cut(&fetched, address, store)?;
                store.check(*need, stored)?;
                let raw = unpack(host, without_check(stored), need.most_bytes()).await?;
                store.supply(*need, &raw)?;
            }
            Ok(())
        })
    });
    all(loads.collect()).await?;
    underway.wait_for(&theirs).await;
    Ok(())
}

/// The raw bytes of what was compressed, at most `most`.
pub async fn unpack(host: &impl Host, stored: &[u8], most: usize) -> Result<Vec<u8>> {
    match packed(stored, most)? {
        Packed::Plain(raw) => Ok(raw.to_vec()),
        Packed::Deflated(data, len) => host.inflate(data, len).await,
    }
}

async fn fetch(
    store: &Resident,
    host: &impl Host,
    embedded: &[u8],
    request: &Request,
) -> Result<Fetched> {
    let pack = &store.head().packs[request.pack as usize];
    if pack.name.is_empty() {
        let start = store.head().embedded_offset(request.pack);
        let bytes = embedded.get((start + request.from) as usize..(start + request.to) as usize);
        let bytes = bytes
            .ok_or_else(|| Error::new(ErrorKind::BundleDamaged, "the bundle's file is cut off"))?;
        return Ok(Fetched {
            bytes: bytes.to_vec(),
            offset: request.from,
        });
    }
    let whole = request.from == 0 && request.to == pack.bytes;
    host.fetch(&pack.name, (!whole).then_some((request.from, request.to)))
        .await
}

type Load<'l> = Pin<Box<dyn Future<Output = Result<()>> + 'l>>;

/// Runs `loads` side by side to the end of all; the failure of the first that failed.
///
/// Whenever one wakes, all that are under way are polled: requests are few, and a queue of the awake ones weighs more.
async fn all(loads: Vec<Load<'_>>) -> Result<()> {
    let mut loads: Vec<Option<Load<'_>>> = loads.into_iter().map(Some).collect();
    let mut outcome = Ok(());
    poll_fn(|context| {
        let mut waits = false;
        for slot in &mut loads {
            let Some(load) = slot else { continue };
            match load.as_mut().poll(context) {
                Poll::Ready(ended) => {
                    *slot = None;
                    if outcome.is_ok() {
                        outcome = ended;
                    }
                }
                Poll::Pending => waits = true,
            }
        }
        if waits {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
    outcome
}

/// The bytes of `address` among those that arrived.
fn cut<'f>(fetched: &'f Fetched, address: &PartAddress, store: &Resident) -> Result<&'f [u8]> {
    let from = address
        .offset
        .checked_sub(fetched.offset)
        .map(|f| f as usize);
    let bytes = from.and_then(|f| fetched.bytes.get(f..f + address.len as usize));
    bytes.ok_or_else(|| {
        let pack = &store.head().packs[address.pack as usize].name;
        Error::new(
            ErrorKind::BundleMismatch,
            format!("'{pack}' is shorter than its head says: it is cut off or of another build"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::PartKind;

    #[test]
    fn close_parts_share_a_request() {
        let at = |pack, offset, len| PartAddress { pack, offset, len };
        let need = |i| Need::Part(PartKind::Terms, i);
        let needs = vec![
            (need(0), at(0, 0, 100)),
            (need(1), at(1, 0, 10)),
            (need(2), at(0, 200, 50)),
            (need(3), at(0, 400, 50)),
            (need(4), at(0, 90_000, 50)),
        ];
        let shape = |gap| {
            let requests = plan(needs.clone(), gap).into_iter();
            let shape = requests.map(|r| (r.pack, r.from, r.to, r.needs.len()));
            shape.collect::<Vec<_>>()
        };
        let (far, other) = ((0, 90_000, 90_050, 1), (1, 0, 10, 1));
        assert_eq!(shape(GAP), [(0, 0, 450, 3), far, other]);
        assert_eq!(
            shape(JOINED_GAP),
            [(0, 0, 250, 2), (0, 400, 450, 1), far, other]
        );
    }
}
