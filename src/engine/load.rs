//! Getting missing parts: which bytes of which files, joined where they lie close together.

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::host::{Fetched, Host};
use crate::base::order;
use crate::bundle::{Need, PartAddress, Resident};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Two parts of one pack are fetched together when at most this many bytes lie between them: about what a request costs.
const GAP: u64 = 4 << 10;

struct Request {
    pack: u32,
    from: u64,
    to: u64,
    needs: Vec<(Need, PartAddress)>,
}

/// Joins needs of one pack that lie close together.
fn plan(mut needs: Vec<(Need, PartAddress)>) -> Vec<Request> {
    order::sort_by(&mut needs, |(_, a), (_, b)| {
        (a.pack, a.offset).cmp(&(b.pack, b.offset))
    });
    let mut requests: Vec<Request> = Vec::new();
    for (need, address) in needs {
        let end = address.offset + u64::from(address.len);
        match requests.last_mut() {
            Some(r) if r.pack == address.pack && address.offset <= r.to + GAP => {
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

/// Fetches `needs` and supplies them to the store. `embedded` is the head's file, for packs that follow the head.
pub async fn load(
    store: &Resident,
    host: &impl Host,
    embedded: &[u8],
    needs: Vec<Need>,
) -> Result<()> {
    let addresses = needs
        .into_iter()
        .map(|n| Ok((n, store.address(n)?)))
        .collect::<Result<Vec<_>>>()?;
    let requests = plan(addresses);
    let fetches = requests.iter().map(|request| -> Fetch<'_> {
        Box::pin(async {
            let pack = &store.head().packs[request.pack as usize];
            if pack.name.is_empty() {
                let start = store.head().embedded_offset(request.pack);
                let bytes =
                    embedded.get((start + request.from) as usize..(start + request.to) as usize);
                let bytes = bytes.ok_or_else(|| {
                    Error::new(ErrorKind::BundleDamaged, "the bundle's file is cut off")
                })?;
                return Ok(Fetched {
                    bytes: bytes.to_vec(),
                    offset: request.from,
                });
            }
            let whole = request.from == 0 && request.to == pack.bytes;
            host.fetch(&pack.name, (!whole).then_some((request.from, request.to)))
                .await
        })
    });
    for (request, fetched) in requests.iter().zip(all(fetches.collect()).await) {
        let fetched = fetched?;
        for (need, address) in &request.needs {
            store.supply(*need, cut(&fetched, address, store)?)?;
        }
    }
    Ok(())
}

type Fetch<'f> = Pin<Box<dyn Future<Output = Result<Fetched>> + 'f>>;

/// Runs `fetches` side by side; their results in the same order.
///
/// Whenever one wakes, all that are under way are polled: requests are few, and a queue of the awake ones weighs more.
async fn all(mut fetches: Vec<Fetch<'_>>) -> Vec<Result<Fetched>> {
    let mut results: Vec<Option<Result<Fetched>>> = fetches.iter().map(|_| None).collect();
    poll_fn(|context| {
        let mut waits = false;
        for (fetch, result) in fetches.iter_mut().zip(&mut results) {
            if result.is_none() {
                match fetch.as_mut().poll(context) {
                    Poll::Ready(fetched) => *result = Some(fetched),
                    Poll::Pending => waits = true,
                }
            }
        }
        if waits {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
    results.into_iter().flatten().collect()
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
        let at = |pack, offset, len| PartAddress {
            pack,
            offset,
            len,
            check: 0,
        };
        let need = |i| Need::Part(PartKind::Terms, i);
        let requests = plan(vec![
            (need(0), at(0, 0, 100)),
            (need(1), at(1, 0, 10)),
            (need(2), at(0, 200, 50)),
            (need(3), at(0, 90_000, 50)),
        ]);
        let shape: Vec<(u32, u64, u64, usize)> = requests
            .iter()
            .map(|r| (r.pack, r.from, r.to, r.needs.len()))
            .collect();
        assert_eq!(
            shape,
            [(0, 0, 250, 2), (0, 90_000, 90_050, 1), (1, 0, 10, 1)]
        );
    }
}
