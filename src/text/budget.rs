//! Token estimates and truncation, so that what goes to a rerank endpoint fits its budget.
//!
//! An estimate is the rounded-up sum over code points: 1.5 for CJK, 2 above U+FFFF, 0.25 for the others. It is summed
//! in quarters, so it is exact. Source: OpenViking specification §1.6.

use std::borrow::Cow;

/// Marker in place of text that was cut out.
const MARKER: &str = "\n...\n";

/// Estimated number of tokens. O(length), no allocation.
pub fn estimate(text: &str) -> usize {
    text.chars().map(quarters).sum::<usize>().div_ceil(4)
}

fn quarters(c: char) -> usize {
    match u32::from(c) {
        0x1_0000.. => 8,
        // Kana, ideographs with extension A, syllables, compatibility ideographs.
        0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF => {
            6
        }
        _ => 1,
    }
}

/// Cuts `text` to at most `budget` estimated tokens: three quarters from its head, one quarter from its tail.
///
/// Borrowed when it fits already. A budget too small for the marker keeps the head only.
pub fn truncate(text: &str, budget: usize) -> Cow<'_, str> {
    let budget = budget.saturating_mul(4);
    if text.chars().map(quarters).sum::<usize>() <= budget {
        return Cow::Borrowed(text);
    }
    let marker = MARKER.chars().map(quarters).sum::<usize>();
    if budget <= marker {
        return Cow::Borrowed(&text[..prefix(text.char_indices(), budget)]);
    }
    let room = budget - marker;
    let head_room = room * 3 / 4;
    let head = &text[..prefix(text.char_indices(), head_room)];
    let mut left = room - head_room;
    let tail_start = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| take(&mut left, *c))
        .last();
    let tail = tail_start.map_or("", |(at, _)| &text[at..]);
    Cow::Owned([head, MARKER, tail].concat())
}

/// Bytes of the longest prefix that costs at most `room` quarters.
fn prefix(chars: std::str::CharIndices, room: usize) -> usize {
    let mut left = room;
    chars
        .take_while(|(_, c)| take(&mut left, *c))
        .last()
        .map_or(0, |(at, c)| at + c.len_utf8())
}

/// Takes the cost of `c` out of `left`, if it is there.
fn take(left: &mut usize, c: char) -> bool {
    let rest = left.checked_sub(quarters(c));
    *left = rest.unwrap_or(*left);
    rest.is_some()
}

/// Splits a rerank budget: the query, cut to three quarters of it if longer, and the tokens left for each document.
///
/// `max_tokens` 0 switches the budget off; then documents get `usize::MAX`.
pub fn rerank_budget(query: &str, max_tokens: usize) -> (Cow<'_, str>, usize) {
    if max_tokens == 0 {
        return (Cow::Borrowed(query), usize::MAX);
    }
    let query = truncate(query, max_tokens * 3 / 4);
    let left = max_tokens - estimate(&query);
    (query, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_by_code_point() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("a"), 1); // 0.25
        assert_eq!(estimate("abcd"), 1);
        assert_eq!(estimate("abcde"), 2); // 1.25
        assert_eq!(estimate("中"), 2); // 1.5
        assert_eq!(estimate("中文"), 3);
        assert_eq!(estimate("かな한글"), 6);
        assert_eq!(estimate("😀"), 2);
        assert_eq!(estimate("中ab"), 2); // 1.5 + 0.5
    }

    #[test]
    fn keeps_three_quarters_of_the_head_and_one_of_the_tail() {
        let text = format!("{}{}", "h".repeat(500), "t".repeat(500));
        // 50 tokens are 200 quarters, 5 of them the marker: 146 head, 49 tail.
        let cut = truncate(&text, 50);
        assert_eq!(cut, format!("{}\n...\n{}", "h".repeat(146), "t".repeat(49)));
        assert_eq!(estimate(&cut), 50);
        assert!(matches!(truncate("short", 2), Cow::Borrowed("short")));
    }

    #[test]
    fn never_exceeds_the_budget() {
        let texts = [
            "a".repeat(300),
            "中".repeat(300),
            "a中😀b".repeat(90),
            "😀".repeat(50),
        ];
        for text in &texts {
            for budget in 0..120 {
                let cut = truncate(text, budget);
                assert!(estimate(&cut) <= budget, "{budget}: {cut}");
                assert!(budget < 4 || !cut.is_empty());
            }
        }
    }

    #[test]
    fn rerank_budget_leaves_the_rest_to_each_document() {
        assert_eq!(
            rerank_budget("abcd", 0),
            (Cow::Borrowed("abcd"), usize::MAX)
        );
        assert_eq!(rerank_budget("abcd", 128), (Cow::Borrowed("abcd"), 127));
        let long = "q".repeat(4000);
        let (query, left) = rerank_budget(&long, 128);
        assert_eq!((estimate(&query), left), (96, 32));
    }
}
