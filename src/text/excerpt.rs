//! Excerpts: the passage of a text where the most of the question stands together.

/// An excerpt with the matched places.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Excerpted {
    /// Plain text, white space collapsed, with an ellipsis where something was cut off.
    pub text: String,
    /// Half-open ranges in UTF-16 code units of `text`.
    pub highlights: Vec<[u32; 2]>,
    /// The same of lines of code, as far as their signs tell.
    pub code: Vec<[u32; 2]>,
    /// Sum of the weights of the distinct matched terms in the window.
    pub weight: f32,
    /// All matched terms of the text that was read, in its order.
    pub hits: Vec<Hit>,
}

/// Bytes of lines that may match which are read for one excerpt; the line that reaches the limit is read to its end.
const MAX_READ: usize = 4_000;

/// A word of the question in a text: half-open bytes, which word it is, and its weight.
pub type Hit = (u32, u32, usize, f32);

/// Tells the words of the question in a piece of a text.
type Read<'r> = &'r dyn Fn(&str, &mut dyn FnMut(Hit));

/// Share of its weight that a window keeps which begins inside a sentence.
const INSIDE: f32 = 0.9;

/// Share of its weight that a word keeps in a line of code: the text around it explains, and is what people read.
const IN_CODE: f32 = 0.5;
/// Signs in a hundred bytes from which a line is code.
const CODE_SIGNS: usize = 12;

/// Cuts the window of about `width` letters in which the most of the question stands, the earliest among equals. Words
/// in the sentence that it begins with count twice: near each other they say more. It begins at a sentence where it can,
/// and at code where the text around it says less.
///
/// What stands between two spaces, or two commas of a script without spaces, is passed over where `may_match` says no.
/// `read` tells the words of the question in such a piece; two spellings of one word count once. Reads the first 4 kB of
/// lines that may match.
pub fn excerpt(
    text: &str,
    width: usize,
    may_match: impl Fn(&str) -> bool,
    read: impl Fn(&str, &mut dyn FnMut(Hit)),
) -> Excerpted {
    cut(text, width, &may_match, &read)
}

/// [`excerpt`], compiled once.
fn cut(text: &str, width: usize, may_match: &dyn Fn(&str) -> bool, read: Read<'_>) -> Excerpted {
    let mut hits: Vec<Hit> = Vec::new();
    // Where sentences begin, in the lines that were read.
    let mut starts: Vec<u32> = Vec::new();
    let mut start = 0;
    let mut left = MAX_READ;
    for line in text.split_inclusive('\n') {
        if left == 0 {
            break;
        }
        // Most pieces hold no word of the question, and cutting words costs more than all else here. No word goes over a
        // space or a comma.
        let mut from = start;
        let before = hits.len();
        let mut is_read = false;
        for piece in line.split_inclusive(is_between) {
            if may_match(piece) {
                is_read = true;
                read(piece, &mut |(begins, ends, which, weight)| {
                    hits.push((from + begins, from + ends, which, weight));
                });
            }
            from += piece.len() as u32;
        }
        if is_read {
            left = left.saturating_sub(line.len());
        }
        if hits.len() > before {
            sentences(line, start, &mut starts);
            if is_code(line) {
                hits[before..].iter_mut().for_each(|hit| hit.3 *= IN_CODE);
            }
        }
        start += line.len() as u32;
    }
    let max = bytes_of(text, width);
    let best = best_window(&hits, &starts, max as u32);
    let (start, end) = widen(text, &best, max, &starts);
    Excerpted {
        weight: best.weight,
        ..build(text, start, end, hits)
    }
}

/// True for a sign that ends a piece: a space, or what stands between clauses of Chinese and Japanese.
fn is_between(c: char) -> bool {
    matches!(c, ' ' | '\u{3000}'..='\u{3002}' | '，')
}

/// True for a line with as many signs as code has and no prose, or one that ends as a statement does.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    let signs = line.bytes().filter(|&byte| is_sign(byte)).count();
    signs > 1 && (signs * 100 >= line.len() * CODE_SIGNS || line.ends_with([';', '{', '}']))
}

/// True for a sign that code has more of than prose.
fn is_sign(byte: u8) -> bool {
    matches!(byte, b'#' | b'$' | b'&' | b'(' | b')' | b'*' | b'/' | b':'..=b'>' | b'['..=b']' | b'_' | b'{'..=b'}')
}

/// The lines of code between two places of a text, as half-open bytes; neighbors are one.
fn code_between(text: &str, start: usize, end: usize) -> Vec<[usize; 2]> {
    let mut code: Vec<[usize; 2]> = Vec::new();
    let mut before = text.as_bytes()[..start].iter();
    let mut at = before
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    for line in text[at..].split_inclusive('\n') {
        let from = at;
        at += line.len();
        if from >= end {
            break;
        }
        if !is_code(line) {
            continue;
        }
        match code.last_mut() {
            Some(last) if last[1] == from => last[1] = at,
            _ => code.push([from.max(start), at]),
        }
    }
    code
}

/// The bytes of `width` letters of a text; those of scripts with wide letters count as two.
pub fn bytes_of(text: &str, width: usize) -> usize {
    let wide = |c: char| if c < '\u{1100}' { 1 } else { 2 };
    let all = match text.is_ascii() {
        true => text.len(),
        false => text.chars().map(wide).sum(),
    };
    // In 64 bits: a browser's `usize` has 32.
    (width.min(all) as u64 * text.len() as u64 / all.max(1) as u64) as usize
}

/// Adds the places at which the sentences of a line begin.
pub fn sentences(line: &str, at: u32, starts: &mut Vec<u32>) {
    starts.push(at);
    // What came last: the end of a sentence, and white space behind it.
    let (mut ended, mut spaced) = (false, false);
    let mut i = 0;
    // Between the ends of sentences most bytes tell nothing.
    let tells = |ended, byte: u8| ended || matches!(byte, b'.' | b'!' | b'?' | 0x80..);
    while let Some(passed) = line.as_bytes()[i..].iter().position(|&b| tells(ended, b)) {
        i += passed;
        let Some(c) = line[i..].chars().next() else {
            break;
        };
        if c.is_whitespace() {
            spaced = ended;
        } else if spaced && !c.is_ascii_lowercase() {
            starts.push(at + i as u32);
            (ended, spaced) = (false, false);
        } else if !matches!(c, '"' | ')' | '”' | '\'' | '’') {
            // Chinese and Japanese sentences have no space between them.
            spaced = matches!(c, '。' | '！' | '？');
            ended = spaced
                || matches!(c, '!' | '?')
                || c == '.' && !is_abbreviation(&line.as_bytes()[..i]);
        }
        i += c.len_utf8();
    }
}

/// True for the beginning of a line whose last letter stands alone between dots, as in `e.g.`
fn is_abbreviation(before: &[u8]) -> bool {
    matches!(before, [.., b'.', last] if last.is_ascii_alphabetic())
}

/// The sentence of a place: where it begins, and where the next one does.
fn sentence(starts: &[u32], at: u32) -> (u32, u32) {
    let next = starts.partition_point(|&start| start <= at);
    let from = starts.get(next.wrapping_sub(1)).copied().unwrap_or(0);
    (from, starts.get(next).copied().unwrap_or(u32::MAX))
}

/// A run of hits with what stands before it.
#[derive(Default)]
struct Window {
    /// The beginning, in bytes.
    from: u32,
    /// The beginning of the first hit.
    first: u32,
    /// The end of the last hit.
    to: u32,
    /// Sum of the weights of its distinct hits.
    weight: f32,
}

/// The best window of at most `max` bytes; it begins at a sentence where it can.
fn best_window(hits: &[Hit], starts: &[u32], max: u32) -> Window {
    let mut best = Window::default();
    let mut most = 0.0;
    let mut seen: Vec<usize> = Vec::new();
    for (i, hit) in hits.iter().enumerate() {
        let (begins, ends) = sentence(starts, hit.0);
        for (from, kept) in [(begins, 1.0), (hit.0.saturating_sub(max / 6), INSIDE)] {
            seen.clear();
            let (mut sum, mut near, mut to) = (0.0, 0.0, hit.1);
            for hit in hits[i..].iter().take_while(|h| h.1 <= from + max) {
                if !seen.contains(&hit.2) {
                    seen.push(hit.2);
                    sum += hit.3;
                    if hit.1 <= ends {
                        near += hit.3;
                    }
                    to = hit.1;
                }
            }
            let score = (sum + near) * kept;
            if score > most + 1e-6 {
                most = score;
                best = Window {
                    from,
                    first: hit.0,
                    to,
                    weight: sum,
                };
            }
        }
    }
    best
}

/// Grows a window to about `max` bytes, and to word boundaries.
fn widen(text: &str, best: &Window, max: usize, starts: &[u32]) -> (usize, usize) {
    if text.len() <= max {
        return (0, text.len());
    }
    let [from, first, to] = [best.from, best.first, best.to].map(|at| at as usize);
    // At the end of a text, what stands before has the room that is left.
    let fills = |&&start: &&u32| start as usize + max >= text.len();
    let mut start = starts
        .iter()
        .find(fills)
        .map_or(from, |&s| from.min(s as usize));
    let is_whole = starts.contains(&(start as u32));
    let mut end = (start + max).max(to).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    if !is_whole
        && start > 0
        && let Some((cut, _)) = text[start..first].split_once(char::is_whitespace)
    {
        start += cut.len();
    }
    // Between two words: at a space, or behind a letter that needs none.
    let divides =
        |&(_, c): &(usize, char)| c.is_whitespace() || ('\u{3000}'..='\u{9fff}').contains(&c);
    if end < text.len()
        && let Some((at, c)) = text[to..end].char_indices().rev().find(divides)
    {
        end = to + at + if c.is_whitespace() { 0 } else { c.len_utf8() };
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

fn build(text: &str, start: usize, end: usize, hits: Vec<Hit>) -> Excerpted {
    let mut line = Line::default();
    let mut highlights: Vec<[u32; 2]> = Vec::new();
    if start > 0 {
        line.push('…');
    }
    line.has_space = true;
    let within = |h: &&Hit| h.0 as usize >= start && h.1 as usize <= end;
    let mut spans = hits.iter().filter(within).peekable();
    let mut open: Option<(u32, u32)> = None; // start in units, end in source bytes
    let lines = code_between(text, start, end);
    let mut code: Vec<[u32; 2]> = vec![[u32::MAX, 0]; lines.len()];
    for (i, c) in text[start..end].char_indices() {
        let at = (start + i) as u32;
        let is_in = |line: &[usize; 2]| line[0] <= start + i && start + i < line[1];
        if let Some(line_idx) = lines.iter().position(is_in)
            && !c.is_whitespace()
        {
            let range = &mut code[line_idx];
            *range = [range[0].min(line.units), line.units + c.len_utf16() as u32];
        }
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
    code.retain(|range| range[0] < range[1]);
    Excerpted {
        text: line.text.trim_end().to_owned(),
        highlights,
        code,
        weight: 0.0,
        hits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokenize;

    fn find(words: &[&str]) -> impl Fn(&str, &mut dyn FnMut(Hit)) {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        move |piece, found| {
            tokenize(piece, |token| {
                if let Some(i) = words.iter().position(|w| *w == token.term) {
                    found((token.span.0, token.span.1, i, 1.0));
                }
            });
        }
    }

    #[test]
    fn a_width_beyond_the_text_is_all_of_it() {
        assert_eq!(bytes_of("abc", usize::MAX), 3);
        assert_eq!(bytes_of("漢字漢字", 4), 6);
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

    #[test]
    fn an_excerpt_begins_at_a_sentence() {
        let text = format!(
            "{} He said \"yes.\" The borrow checker (e.g. of Rust 1.95) checks. {}",
            "Some words stand before. ".repeat(9),
            "Others stand behind. ".repeat(9)
        );
        let e = excerpt(&text, 60, |_| true, find(&["borrow", "checks"]));
        assert!(e.text.starts_with("…The borrow checker"), "{e:?}");
        assert_eq!(marked(&e), ["borrow", "checks"]);
        let late = format!(
            "It is {} and then a needle is {}.",
            "long ".repeat(90),
            "there ".repeat(90)
        );
        let e = excerpt(&late, 60, |_| true, find(&["needle"]));
        assert!(e.text.contains("then a needle is there"), "{e:?}");
        let chinese = format!(
            "{}。借用检查器在这里。{}",
            "前面的话".repeat(30),
            "后面".repeat(60)
        );
        let e = excerpt(&chinese, 40, |_| true, find(&["检查"]));
        assert!(e.text.starts_with("…借用检查器"), "{e:?}");
        assert!((14..=26).contains(&e.text.chars().count()), "{e:?}");
        let mixed = format!("借用检查器用 Rust {}", "后面".repeat(60));
        let e = excerpt(&mixed, 40, |_| true, find(&["检查"]));
        assert!(e.text.ends_with("后…") || e.text.ends_with("面…"), "{e:?}");
    }

    #[test]
    fn words_of_one_sentence_come_before_words_of_several() {
        let text = "An alpha is here. A beta is here, too, and more. Words. Alpha and beta meet. They do. Nothing else is said.";
        let e = excerpt(text, 50, |_| true, find(&["alpha", "beta"]));
        assert!(e.text.starts_with("…Alpha and beta meet."), "{e:?}");
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
    fn prose_comes_before_code_that_says_the_same() {
        let text = "pub fn sort_by_key<K, F>(&mut self, f: F) where F: FnMut(&T) -> K, K: Ord,\n\
            Sorts the slice by a key, and keeps the order of equal elements.";
        let e = excerpt(text, 70, |_| true, find(&["sort", "sorts", "key"]));
        assert!(e.text.starts_with("…Sorts the slice"), "{e:?}");
        let e = excerpt(text, 70, |_| true, find(&["fnmut"]));
        assert!(e.text.starts_with("pub fn sort_by_key"), "{e:?}");
        for (line, code) in [
            ("let mut map: HashMap<&str, u32> = HashMap::new();", true),
            ("#[non_exhaustive] pub struct Lifetime {}", true),
            ("pub fn or_insert(self, default: V) -> &'a mut V", true),
            ("let contents = fs::read_to_string(path)?;", true),
            ("first, the simple thing;", false),
            ("$ npm install --save-dev knarr", false),
            (
                "The two most used string types are String and &str (see below).",
                false,
            ),
            (
                "Use `Option::zip` to join two options, or `std::iter::zip`.",
                false,
            ),
            ("", false),
        ] {
            assert_eq!(is_code(line), code, "{line}");
        }
    }

    #[test]
    fn lines_of_code_are_told() {
        let text = "Reads a file.\nuse std::fs;\nlet s = fs::read(\"🦀\")?;\nThe file is closed.\nfn main() {}\n";
        let e = excerpt(text, 500, |_| true, find(&["file"]));
        let units: Vec<u16> = e.text.encode_utf16().collect();
        let code = e.code.iter();
        let told = code.map(|c| String::from_utf16(&units[c[0] as usize..c[1] as usize]).unwrap());
        let lines = ["use std::fs; let s = fs::read(\"🦀\")?;", "fn main() {}"];
        assert_eq!(told.collect::<Vec<_>>(), lines, "{e:?}");
        let e = excerpt(text, 20, |_| true, find(&["closed"]));
        assert_eq!(
            (e.text.as_str(), e.code.len()),
            ("…The file is closed.…", 0)
        );
    }

    #[test]
    fn no_hit_gives_the_beginning() {
        let e = excerpt(&"word ".repeat(100), 30, |_| true, find(&[]));
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
