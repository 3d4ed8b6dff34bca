//! Excerpts: the passage of a text where the most of the question stands together.

use super::tokenize;

/// An excerpt with the matched places.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Excerpted {
    /// Plain text, white space collapsed, with an ellipsis where something was cut off.
    pub text: String,
    /// Half-open ranges in UTF-16 code units of `text`.
    pub highlights: Vec<[u32; 2]>,
    /// Sum of the weights of the distinct matched terms in the window.
    pub weight: f32,
}

/// Bytes of lines that may match which are read for one excerpt; the line that reaches the limit is read to its end.
const MAX_READ: usize = 4_000;

/// Maps a term to the query term it matches, with its weight.
type Weight<'w> = &'w dyn Fn(&str) -> Option<(usize, f32)>;

/// Cuts the window of about `max_chars` characters whose distinct matched terms weigh most, the earliest among equals.
///
/// A line for which `may_match` says no is passed over, and so is what stands between two spaces in the others.
/// `weight` gives a term's weight, or `None` when it is no term of the query; its first value tells which query term it
/// is, so that two spellings of one term count once. Reads the first 4 kB of lines that may match.
pub fn excerpt(
    text: &str,
    max_chars: usize,
    may_match: impl Fn(&str) -> bool,
    weight: impl Fn(&str) -> Option<(usize, f32)>,
) -> Excerpted {
    cut(text, max_chars, &may_match, &weight)
}

/// [`excerpt`], compiled once.
fn cut(
    text: &str,
    max_chars: usize,
    may_match: &dyn Fn(&str) -> bool,
    weight: Weight<'_>,
) -> Excerpted {
    let mut hits: Vec<(u32, u32, usize, f32)> = Vec::new();
    let mut start = 0;
    let mut left = MAX_READ;
    for line in text.split_inclusive('\n') {
        // Most lines hold no word of the query, nor do most pieces of the others; and cutting words costs more than all
        // else here. No word goes over a space.
        if left > 0 && may_match(line) {
            left = left.saturating_sub(line.len());
            let mut at = 0;
            for piece in line.as_bytes().split_inclusive(|&byte| byte == b' ') {
                let piece = &line[at..at + piece.len()];
                if may_match(piece) {
                    let from = start + at as u32;
                    tokenize(piece, |token| {
                        if let Some((which, w)) = weight(&token.term) {
                            hits.push((from + token.span.0, from + token.span.1, which, w));
                        }
                    });
                }
                at += piece.len();
            }
        }
        start += line.len() as u32;
    }
    let window = best_window(&hits, max_chars as u32);
    let (from, to, weight) = window.unwrap_or((0, 0, 0.0));
    let (start, end) = widen(text, from as usize, to as usize, max_chars);
    build(text, start, end, &hits, weight)
}

/// Byte range of the best run of hits no longer than `max` bytes, with its weight.
fn best_window(hits: &[(u32, u32, usize, f32)], max: u32) -> Option<(u32, u32, f32)> {
    let mut best: Option<(u32, u32, f32)> = None;
    for (i, first) in hits.iter().enumerate() {
        let mut seen: Vec<usize> = Vec::new();
        let mut sum = 0.0;
        let mut end = first.1;
        for hit in hits[i..].iter().take_while(|h| h.1 <= first.0 + max) {
            if !seen.contains(&hit.2) {
                seen.push(hit.2);
                sum += hit.3;
                end = hit.1;
            }
        }
        if best.is_none_or(|b| sum > b.2 + 1e-6) {
            best = Some((first.0, end, sum));
        }
    }
    best
}

/// Grows `from..to` to about `max` characters, to the start of its line where that is near, and to word boundaries.
fn widen(text: &str, from: usize, to: usize, max: usize) -> (usize, usize) {
    if text.len() <= max {
        return (0, text.len());
    }
    let spare = max.saturating_sub(to - from);
    let line = text[..from].rfind('\n').map_or(0, |i| i + 1);
    let mut start = if from - line <= spare * 2 / 3 {
        line
    } else {
        from - spare / 3
    };
    let mut end = (start + max).max(to).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    if start > line
        && let Some((_, rest)) = text[start..from].split_once(char::is_whitespace)
    {
        // A space may be of several bytes: the no-break one of code, the ideographic one.
        start = from - rest.len();
    }
    if end < text.len()
        && let Some(space) = text[to..end].rfind(char::is_whitespace)
    {
        end = to + space;
    }
    (start, end)
}

/// A text in one line, with the lengths that JavaScript counts.
#[derive(Default)]
struct Line {
    text: String,
    /// UTF-16 units of `text`.
    units: u32,
    /// True after white space, which is written once.
    has_space: bool,
}

impl Line {
    fn push(&mut self, c: char) {
        self.text.push(c);
        self.units += c.len_utf16() as u32;
    }

    /// Adds a character of the source. White space is one space, and control characters are dropped.
    fn add(&mut self, c: char) {
        if c.is_whitespace() {
            if !self.has_space {
                self.push(' ');
            }
            self.has_space = true;
        } else if !c.is_control() {
            self.push(c);
            self.has_space = false;
        }
    }
}

fn build(
    text: &str,
    start: usize,
    end: usize,
    hits: &[(u32, u32, usize, f32)],
    weight: f32,
) -> Excerpted {
    let mut line = Line::default();
    let mut highlights: Vec<[u32; 2]> = Vec::new();
    if start > 0 {
        line.push('…');
    }
    line.has_space = true;
    let within = |h: &&(u32, u32, usize, f32)| h.0 as usize >= start && h.1 as usize <= end;
    let mut spans = hits.iter().filter(within).peekable();
    let mut open: Option<(u32, u32)> = None; // start in units, end in source bytes
    for (i, c) in text[start..end].char_indices() {
        let at = (start + i) as u32;
        if let Some((from, until)) = open
            && at >= until
        {
            highlights.push([from, line.units]);
            open = None;
        }
        while let Some(hit) = spans.next_if(|h| h.0 <= at) {
            open = match open {
                Some((from, until)) => Some((from, until.max(hit.1))),
                None if hit.0 == at => Some((line.units, hit.1)),
                None => None,
            };
        }
        line.add(c);
    }
    if let Some((from, _)) = open {
        highlights.push([from, line.units]);
    }
    if end < text.trim_end().len() {
        line.push('…');
    }
    Excerpted {
        text: line.text.trim_end().to_owned(),
        highlights,
        weight,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(words: &[&str]) -> impl Fn(&str) -> Option<(usize, f32)> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        move |term| words.iter().position(|w| w == term).map(|i| (i, 1.0))
    }

    fn marked(e: &Excerpted) -> Vec<String> {
        let units: Vec<u16> = e.text.encode_utf16().collect();
        e.highlights
            .iter()
            .map(|h| String::from_utf16(&units[h[0] as usize..h[1] as usize]).unwrap())
            .collect()
    }

    #[test]
    fn highlights_are_the_matched_words() {
        let e = excerpt(
            "The borrow checker 🦀 checks borrows.\nNothing else.",
            200,
            |_| true,
            find(&["borrow", "checks"]),
        );
        assert_eq!(marked(&e), ["borrow", "checks"]);
        assert_eq!(
            e.text,
            "The borrow checker 🦀 checks borrows. Nothing else."
        );
    }

    #[test]
    fn the_densest_window_wins() {
        let text = format!(
            "alpha {} alpha beta gamma {}",
            "x ".repeat(300),
            "y ".repeat(300)
        );
        let e = excerpt(&text, 60, |_| true, find(&["alpha", "beta", "gamma"]));
        assert_eq!(marked(&e), ["alpha", "beta", "gamma"]);
        assert!(e.text.starts_with('…') && e.text.ends_with('…'));
        assert!(e.text.chars().count() <= 64);
    }

    /// Code is not collapsed, so any space may stand anywhere, in lines of any length.
    #[test]
    fn any_text_and_any_question_give_an_excerpt() {
        let pieces = [
            "a",
            "needle",
            "é",
            "中",
            "設定",
            "🦀",
            "e\u{301}",
            " ",
            "\n",
            "\t",
            "\u{a0}",
            "\u{3000}",
            "\u{2003}",
            "\u{85}",
            "\u{200b}",
            "<",
            "::",
            "_",
            "option\u{a0}",
        ];
        let mut seed = 0x9e37_79b9_u64;
        let mut below = |n: usize| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (seed >> 33) as usize % n
        };
        for _ in 0..4_000 {
            let repeated = below(pieces.len());
            let mut text = String::new();
            for _ in 0..below(300) {
                let at = if below(3) > 0 {
                    repeated
                } else {
                    below(pieces.len())
                };
                text.push_str(pieces[at]);
            }
            let wanted = pieces[below(6)];
            let e = excerpt(&text, below(200), |_| true, find(&[wanted, "needle"]));
            for mark in marked(&e) {
                assert!(!mark.trim().is_empty(), "{text:?}: {e:?}");
            }
        }
    }

    #[test]
    fn no_hit_gives_the_beginning() {
        let e = excerpt(&"word ".repeat(100), 30, |_| true, |_| None);
        assert!(e.text.starts_with("word word") && e.highlights.is_empty());
    }

    #[test]
    fn pieces_that_cannot_match_are_passed_over() {
        let may = |piece: &str| piece.contains("borrow");
        let text = "borrow checks, «borrow»\u{a0}checks\nchecks alone";
        let e = excerpt(text, 200, may, find(&["borrow", "checks"]));
        // The line breaks no word, the space between words does, one that joins them does not.
        assert_eq!(marked(&e), ["borrow", "borrow", "checks"]);
    }

    #[test]
    fn identifiers_are_marked_once() {
        let e = excerpt(
            "call CreateFile now",
            100,
            |_| true,
            find(&["createfile", "file"]),
        );
        assert_eq!(marked(&e), ["CreateFile"]);
    }
}
