//! Signs of a query that are no words: `"a phrase"` stands word for word in a page, and a page with `-word` is left out.
//!
//! A quote that is never closed, one behind a letter or digit, and a `-` inside a word or before an option (`-p`,
//! `--release`, `-Wall`, `-std=c99`, and `-name` where the site has such an option) are signs like others; so are all
//! where nothing else is asked for.

use crate::text::{is_unspaced, marked_term, whole_terms};

/// Most phrases, and most words left out, of a query; further ones are words like others.
const MAX_SIGNED: usize = 8;

/// A query without the signs, and what they say. All terms without the pieces of identifiers.
#[derive(Debug, Clone, Default)]
pub struct Quoted {
    /// Terms of each phrase, in their order.
    pub phrases: Vec<Vec<String>>,
    /// Terms of each word or phrase that is left out.
    pub excluded: Vec<Vec<String>>,
    /// Terms of the options that words left out would be.
    pub options: Vec<String>,
}

impl Quoted {
    /// Reads a query; the options `known` are words. The text that is left to ask for has spaces in place of the signs,
    /// and of what is left out.
    pub fn read(query: &str, known: &[&String]) -> (String, Self) {
        let mut quoted = Self::default();
        let mut plain = query.to_owned();
        let mut blank = |from: usize, to: usize| {
            plain.replace_range(from..to, &" ".repeat(to - from));
        };
        let mut at = 0;
        // Where no quote closes what one opened, none closes what a later one opens.
        let mut closes = true;
        while let Some(c) = query[at..].chars().next() {
            let begins = query[..at]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace);
            let is_minus = begins && c == '-';
            let from = at + usize::from(is_minus);
            at += c.len_utf8();
            let open = opened(query, from).filter(|_| closes);
            let ends = open.and_then(|open| closed(query, open));
            closes &= open.is_none() || ends.is_some();
            if let (Some(open), Some((close, end))) = (open, ends) {
                let list = if is_minus {
                    &mut quoted.excluded
                } else {
                    &mut quoted.phrases
                };
                let terms = whole_terms(&query[open..close]);
                if !terms.is_empty() && list.len() < MAX_SIGNED {
                    list.push(terms);
                    match is_minus {
                        true => blank(from - 1, end),
                        false => [(from, open), (close, end)]
                            .map(|(a, b)| blank(a, b))
                            .into_iter()
                            .collect(),
                    }
                }
                at = end;
            } else if is_minus && let Some(word) = word(&query[from..]) {
                let option = marked_term(&query[from - 1..from + word.len()]);
                let is_known = option.iter().any(|option| known.contains(&option));
                let terms = whole_terms(word);
                if !terms.is_empty() && quoted.excluded.len() < MAX_SIGNED && !is_known {
                    quoted.excluded.push(terms);
                    quoted.options.extend(option);
                    blank(from - 1, from + word.len());
                }
                at = from + word.len();
            }
        }
        if plain.contains(char::is_alphanumeric) {
            (plain, quoted)
        } else {
            (query.to_owned(), Self::default())
        }
    }
}

/// The beginning of what a quote at `from` opens. None opens behind a letter or digit: `5" pipe` is of five inches.
fn opened(query: &str, from: usize) -> Option<usize> {
    let before = query[..from].chars().next_back();
    quote(query, from).filter(|_| !is_letter(before))
}

/// The next quote from `open` on that closes, where it is and where it ends. None closes before a letter or digit.
fn closed(query: &str, open: usize) -> Option<(usize, usize)> {
    let mut rest = query[open..].char_indices();
    rest.find_map(|(length, _)| {
        let end = quote(query, open + length)?;
        (!is_letter(query[end..].chars().next())).then_some((open + length, end))
    })
}

/// The end of a quote at `at`.
fn quote(query: &str, at: usize) -> Option<usize> {
    let c = query[at..].chars().next()?;
    let is_quote = matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '「' | '」');
    is_quote.then_some(at + c.len_utf8())
}

fn is_letter(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c))
}

/// The word after a `-`: of two letters and more, since `-p` is an option, and so is one with a capital or a value.
fn word(rest: &str) -> Option<&str> {
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let word = rest[..end].trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_word = word.starts_with(char::is_alphanumeric)
        && word.chars().nth(1).is_some()
        && !word.bytes().any(|b| b.is_ascii_uppercase() || b == b'=');
    is_word.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Phrases or words left out, by their terms.
    type Terms<'c> = &'c [&'c [&'c str]];
    /// A query, what is left of it, its phrases, and what is left out.
    type Case<'c> = (&'c str, &'c str, Terms<'c>, Terms<'c>);

    /// Fails where a query is read otherwise. The site has the option `-name`.
    #[track_caller]
    fn check(cases: &[Case<'_>]) {
        let list = |of: &[&[&str]]| -> Vec<Vec<String>> {
            let terms = |t: &&[&str]| t.iter().map(|t| (*t).to_owned()).collect();
            of.iter().map(terms).collect()
        };
        for &(query, plain, phrases, excluded) in cases {
            let (left, quoted) = Quoted::read(query, &[&"-name=".to_owned()]);
            let words: Vec<&str> = left.split_whitespace().collect();
            assert_eq!(
                (words.join(" "), quoted.phrases, quoted.excluded),
                (plain.to_owned(), list(phrases), list(excluded)),
                "{query}"
            );
        }
    }

    #[test]
    fn quotes_and_minus_are_read_and_left_out_of_the_words() {
        check(&[
            (
                "a \"share data\" b",
                "a share data b",
                &[&["share", "data"]],
                &[],
            ),
            ("“share data”", "share data", &[&["share", "data"]], &[]),
            ("undefined -behavior", "undefined", &[], &[&["behavior"]]),
            (
                "share -\"data race\" x",
                "share x",
                &[],
                &[&["data", "race"]],
            ),
            (
                "read fooBar -create_file",
                "read fooBar",
                &[],
                &[&["createfile"]],
            ),
            (
                "read -\"CreateFile\" -names",
                "read",
                &[],
                &[&["createfile"], &["names"]],
            ),
            ("say \"open", "say \"open", &[], &[]),
            ("-behavior", "-behavior", &[], &[]),
            ("a - b", "a - b", &[], &[]),
            ("\"\" a", "\"\" a", &[], &[]),
            ("\"-x yz\"", "-x yz", &[&["x", "yz"]], &[]),
        ]);
        let (plain, quoted) = Quoted::read(&"\"é\" -ab ".repeat(20), &[]);
        assert_eq!(
            (quoted.phrases.len(), quoted.excluded.len()),
            (MAX_SIGNED, MAX_SIGNED)
        );
        assert_eq!(plain.len(), "\"é\" -ab ".repeat(20).len());
    }

    #[test]
    fn options_are_words() {
        check(&[
            (
                "well-known --release -p x",
                "well-known --release -p x",
                &[],
                &[],
            ),
            ("gcc -Wall -std=c99", "gcc -Wall -std=c99", &[], &[]),
            (
                "cargo -Zbuild-std -verbose",
                "cargo -Zbuild-std",
                &[],
                &[&["verbose"]],
            ),
            ("find -name -type", "find -name", &[], &[&["type"]]),
        ]);
    }

    #[test]
    fn a_quote_opens_before_a_word_and_closes_behind_one() {
        check(&[
            ("5\" pipe 3\" hose", "5\" pipe 3\" hose", &[], &[]),
            (
                "\"5\" pipe\" (\"a b\")",
                "5 pipe\" ( a b )",
                &[&["5"], &["a", "b"]],
                &[],
            ),
            ("צה\"ל או ארה\"ב", "צה\"ל או ארה\"ב", &[], &[]),
            (
                "f(\"a\"b c\", d)",
                "f( a\"b c , d)",
                &[&["a", "b", "c"]],
                &[],
            ),
            ("検索\"全文\"引擎", "検索 全文 引擎", &[&["全文"]], &[]),
            (
                "«a b» „c d“ -「全文」",
                "a b c d",
                &[&["a", "b"], &["c", "d"]],
                &[&["全文"]],
            ),
        ]);
    }
}
