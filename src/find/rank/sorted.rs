//! The files that have the words of a question, in the order of a field: the option `sort`.
//!
//! Source: Pagefind's sorting. A page has all of the words, one without the field is left out, and values are numbers
//! where all of the site's are.

use super::worded;
use crate::base::id::NodeId;
use crate::base::order;
use crate::bundle::step::Step;
use crate::bundle::{Resident, place};
use crate::find::answer::result::Skipped;
use crate::find::ask::asked::{Asked, Inputs};
use crate::find::ask::order::Order;
use crate::find::ask::tagged::attributes;
use crate::find::walk::Hit;

/// Fields that are told to who asks for another one.
const MOST_TOLD: usize = 20;

/// Decimals of a number that count.
const DECIMALS: usize = 6;

/// The files of a question in the order that it asks for; `None` when it asks for none, or for one by a key that no page
/// has, which is told. Reads the attributes of the whole site: what is a number is one on every page.
pub fn files(store: &Resident, asked: &mut Asked<'_>, inputs: &Inputs) -> Step<Option<Vec<Hit>>> {
    let Some(order) = &asked.request.order else {
        return Ok(None);
    };
    let (values, are_numbers) = values(store, order)?;
    if values.iter().all(Option::is_none) {
        asked.skipped.push(Skipped {
            step: "sort".into(),
            reason: format!("no page has '{}'; known are {}", order.key, fields(store)?),
        });
        return Ok(None);
    }
    let mut rows: Vec<(i64, &str, NodeId)> = Vec::new();
    let worded = worded::files(store, asked, &inputs.slots);
    if let Some(word) = worded.unlisted {
        asked.skipped.push(Skipped {
            step: "sort".into(),
            reason: format!("'{word}' is on so many pages that the index does not list them"),
        });
    }
    for node in worded.files {
        if let Some(value) = values.get(node.index()).and_then(Option::as_deref) {
            let number = if are_numbers { number(value) } else { None };
            rows.push((number.unwrap_or_default(), value, node));
        }
    }
    order::sort_by(&mut rows, |a, b| {
        let (a, b, nodes) = match order.largest_first {
            true => (b, a, a.2.cmp(&b.2)),
            false => (a, b, a.2.cmp(&b.2)),
        };
        a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)).then(nodes)
    });
    let files = rows.into_iter().map(|(_, _, node)| node);
    Ok(Some(worded::in_order(files.collect())))
}

/// The values of all pages, by node, and true if each is a number. O(nodes).
fn values(store: &Resident, order: &Order) -> Step<(Vec<Option<String>>, bool)> {
    let parts = attributes(store, &place::everything(store))?;
    let rows = parts.iter().flatten().flat_map(|part| &part.0);
    let values: Vec<Option<String>> = rows.map(|row| order.value(row)).collect();
    let are_numbers = values.iter().flatten().all(|value| number(value).is_some());
    Ok((values, are_numbers))
}

/// The fields that pages have, a few of many.
fn fields(store: &Resident) -> Step<String> {
    let parts = attributes(store, &place::everything(store))?;
    let rows = parts.iter().flatten().flat_map(|part| &part.0);
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        let tags = row.tags.iter().filter_map(|tag| tag.split_once('='));
        let times = [
            (row.updated_at, "updated_at"),
            (row.created_at, "created_at"),
        ];
        let times = times.into_iter().filter(|(time, _)| time.is_some());
        for name in tags.map(|(key, _)| key).chain(times.map(|(_, name)| name)) {
            if names.len() < MOST_TOLD && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    order::sort_by(&mut names, |a, b| a.cmp(b));
    Ok(match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    })
}

/// A decimal number in millionths; further digits are cut off. Read here, because the standard library's floats are 15 kB
/// of the full module.
fn number(value: &str) -> Option<i64> {
    let unsigned = value.strip_prefix('-');
    let (whole, fraction) = match unsigned.unwrap_or(value).split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (unsigned.unwrap_or(value), ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let mut digits = whole
        .bytes()
        .chain(fraction.bytes().chain([b'0'; DECIMALS]).take(DECIMALS));
    let magnitude = digits.try_fold(0i64, |sum, digit| {
        sum.checked_mul(10)?.checked_add(i64::from(digit - b'0'))
    })?;
    Some(if unsigned.is_some() {
        -magnitude
    } else {
        magnitude
    })
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn decimals_are_numbers_and_nothing_else_is() {
        for (text, value) in [
            ("0", Some(0)),
            ("-2", Some(-2_000_000)),
            ("10.5", Some(10_500_000)),
            ("1.23456789", Some(1_234_567)),
            ("1767225600000", Some(1_767_225_600_000_000_000)),
            ("99999999999999999999", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
        for text in [
            "",
            "-",
            ".",
            "1.",
            ".5",
            "1e3",
            "1.2.3",
            "v1",
            "NaN",
            "-x",
            "2024-01-01",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
