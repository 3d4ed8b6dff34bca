//! Signs of a query that are no words: `"a phrase"` stands word for word in a page, and a page with `-word` is left out.
//!
//! A quote that is never closed and a `-` inside a word or before an option (`-p`, `--release`) are signs like others; so
//! are all where nothing else is asked for.

use crate::text::whole_terms;

/// Most phrases, and most words left out, of a query; further ones are words like others.
const MAX_SIGNED: usize = 8;

/// A query without the signs, and what they say. All terms without the pieces of identifiers.
#[derive(Debug, Clone, Default)]
pub struct Quoted {
    /// Terms of each phrase, in their order.
    pub phrases: Vec<Vec<String>>,
    /// Terms of each word or phrase that is left out.
    pub excluded: Vec<Vec<String>>,
}

impl Quoted {
    /// Reads a query. The text that is left to ask for has spaces in place of the signs, and of what is left out.
    pub fn read(query: &str) -> (String, Self) {
        let mut quoted = Self::default();
        let mut plain = query.to_owned();
        let mut blank = |from: usize, to: usize| {
            plain.replace_range(from..to, &" ".repeat(to - from));
        };
        let mut at = 0;
        while let Some(c) = query[at..].chars().next() {
            let begins = query[..at]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace);
            let is_minus = begins && c == '-';
            let from = at + usize::from(is_minus);
            at += c.len_utf8();
            if let Some((open, close, end)) = phrase(query, from) {
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
                if quoted.excluded.len() < MAX_SIGNED {
                    quoted.excluded.push(whole_terms(word));
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

/// A phrase in quotes from `from` on: its beginning, its end, and the end of the closing quote.
fn phrase(query: &str, from: usize) -> Option<(usize, usize, usize)> {
    let is_quote = |c: char| matches!(c, '"' | '“' | '”' | '„');
    let first = query[from..].chars().next().filter(|&c| is_quote(c))?;
    let open = from + first.len_utf8();
    let length = query[open..].find(is_quote)?;
    let close = open + length;
    let last = query[close..].chars().next()?;
    Some((open, close, close + last.len_utf8()))
}

/// The word after a `-`: of two letters and more, since `-p` is an option.
fn word(rest: &str) -> Option<&str> {
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let word = rest[..end].trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_word = word.starts_with(char::is_alphanumeric) && word.chars().nth(1).is_some();
    is_word.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Phrases or words left out, by their terms.
    type Terms<'c> = &'c [&'c [&'c str]];
    /// A query, what is left of it, its phrases, and what is left out.
    type Case<'c> = (&'c str, &'c str, Terms<'c>, Terms<'c>);

    #[test]
    fn quotes_and_minus_are_read_and_left_out_of_the_words() {
        let read = |query: &str| {
            let (plain, quoted) = Quoted::read(query);
            let words: Vec<&str> = plain.split_whitespace().collect();
            (words.join(" "), quoted.phrases, quoted.excluded)
        };
        let list = |of: &[&[&str]]| -> Vec<Vec<String>> {
            let terms = |t: &&[&str]| t.iter().map(|t| (*t).to_owned()).collect();
            of.iter().map(terms).collect()
        };
        let cases: [Case<'_>; 12] = [
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
                "read fooBar -CreateFile",
                "read fooBar",
                &[],
                &[&["createfile"]],
            ),
            (
                "well-known --release -p x",
                "well-known --release -p x",
                &[],
                &[],
            ),
            ("say \"open", "say \"open", &[], &[]),
            ("5\" pipe", "5\" pipe", &[], &[]),
            ("-behavior", "-behavior", &[], &[]),
            ("a - b", "a - b", &[], &[]),
            ("\"\" a", "\"\" a", &[], &[]),
            ("\"-x yz\"", "-x yz", &[&["x", "yz"]], &[]),
        ];
        for (query, plain, phrases, excluded) in cases {
            assert_eq!(
                read(query),
                (plain.to_owned(), list(phrases), list(excluded)),
                "{query}"
            );
        }
        let (plain, quoted) = Quoted::read(&"\"é\" -ab ".repeat(20));
        assert_eq!(
            (quoted.phrases.len(), quoted.excluded.len()),
            (MAX_SIGNED, MAX_SIGNED)
        );
        assert_eq!(plain.len(), "\"é\" -ab ".repeat(20).len());
    }
}
