//! A query as typed, folded and cut into words: once, whatever reads it afterwards.

use super::quoted::Quoted;
use crate::text::{
    TermKind, Token, has_signs, is_gram, lower, marked_term, name_term, path_end, pin_term,
    sign_in, tokenize,
};

/// Words of a query that count: further ones cost reading and add little. The answer lists them as skipped.
pub const MAX_WORDS: usize = 64;

/// Words up to which a query is a name or some words, and from which it is a sentence.
const SENTENCE: [f32; 2] = [3.0, 6.0];

/// Likeness of a query to a sentence. A name is a word, however many pieces it has; of scripts without spaces two pairs of
/// letters are a word.
fn sentence(plain: &str, tokens: &[Token]) -> f32 {
    let words = plain.split(' ').filter(|piece| !piece.is_empty()).count();
    let grams = tokens.iter().filter(|token| is_gram(&token.term));
    let words = words.max(grams.count() / 2) as f32;
    let [from, to] = SENTENCE;
    ((words - from) / (to - from)).clamp(0.0, 1.0)
}

/// A query, read once and handed to everything that works with its text.
#[derive(Debug, Clone)]
pub struct Question {
    /// As typed.
    pub text: String,
    /// In lower case.
    pub folded: String,
    /// Its terms in reading order, at most [`MAX_WORDS`].
    pub tokens: Vec<Token>,
    /// Names in it: pieces that are names by their signs, and the whole of it.
    pub names: Vec<Name>,
    /// Its term in the dictionary, where somebody chose its first pages; empty when it has none.
    pub pin: String,
    /// Phrases, and what is left out.
    pub quoted: Quoted,
    /// True if there were more.
    pub is_cut: bool,
    /// Likeness to a sentence, in [0, 1]: none up to three words, full from six on.
    pub sentence: f32,
    /// End of its last word, in bytes, if nothing follows: the word may be unfinished.
    open_end: Option<u32>,
}

impl Question {
    /// True if it is a sentence around its phrases: fewer than a third of its words stand in quotes.
    pub fn is_around_phrases(&self) -> bool {
        let words = self.tokens.iter().filter(|t| t.kind != TermKind::Part);
        3 * self.quoted.phrases.iter().map(Vec::len).sum::<usize>() < words.count()
    }

    /// Folds and cuts a query. Its words are those without quotes and without what is left out. O(text).
    pub fn new(text: &str) -> Self {
        Self::with_options(text, &[])
    }

    /// [`Question::new`] where these options, by their terms, are words: the site knows them.
    pub fn with_options(text: &str, known: &[&String]) -> Self {
        let mut tokens: Vec<Token> = Vec::new();
        let mut is_cut = false;
        let (plain, quoted) = Quoted::read(text, known);
        tokenize(&plain, |t| {
            if tokens.len() < MAX_WORDS {
                tokens.push(t);
            } else {
                is_cut = true;
            }
        });
        let last_end = tokens.iter().map(|t| t.span.1).max().unwrap_or(0);
        Self {
            text: text.to_owned(),
            folded: lower(text),
            names: names_in(&plain),
            pin: pin_term(text.trim()).unwrap_or_default(),
            quoted,
            is_cut,
            sentence: sentence(&plain, &tokens),
            tokens,
            open_end: (last_end as usize == text.len()).then_some(last_end),
        }
    }

    /// True if a term belongs to the last word and may be unfinished.
    pub fn is_open(&self, token: &Token) -> bool {
        self.open_end == Some(token.span.1)
    }

    /// True if a name may be unfinished. A plain word that begins a name is a word.
    pub fn is_open_name(&self, name: &Name) -> bool {
        let is_plain = self.tokens_of(name).count() < 2;
        name.is_written && !is_plain && self.open_end == Some(name.span.1)
    }

    /// True if a name is a plain word: without signs, and not of several like `fooBar`.
    pub fn is_word(&self, name: &Name) -> bool {
        self.tokens_of(name).count() == 1 && self.tokens_of(name).all(|t| t.span == name.span)
    }

    fn tokens_of<'q>(&'q self, name: &Name) -> impl Iterator<Item = &'q Token> {
        let (start, end) = name.span;
        let is_in = move |t: &&Token| t.span.0 >= start && t.span.1 <= end;
        self.tokens.iter().filter(is_in)
    }
}

/// A possible name.
#[derive(Debug, Clone)]
pub struct Name {
    /// Its term in the dictionary.
    pub term: String,
    /// The term that is looked for where the site lacks that one.
    pub other: Option<String>,
    /// Half-open byte range in the query.
    pub span: (u32, u32),
    /// Written as one: its words say less than it does. Words that are a name only together may mean something else, and
    /// are taken for one where a page is called so.
    pub is_written: bool,
}

/// Most names of a question that are looked up: each may need a part.
const MAX_NAMES: usize = 4;

fn names_in(text: &str) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut add = |term: Option<String>, other, piece: &str, from: usize, is_written: bool| {
        let Some(term) = term else { return };
        if names.len() < MAX_NAMES && names.iter().all(|name| name.term != term) {
            let span = (from as u32, (from + piece.len()) as u32);
            names.push(Name {
                term,
                other,
                span,
                is_written,
            });
        }
    };
    let whole = text.trim();
    let is_one = !whole.contains(char::is_whitespace);
    let (first, last) = (
        text.find(char::is_alphanumeric),
        text.rfind(char::is_alphanumeric),
    );
    let mut at = 0;
    let mut is_added = false;
    for piece in text.split_inclusive(char::is_whitespace) {
        let behind = &text[at + piece.len()..];
        let has_before = first.is_some_and(|first| first < at);
        let has_behind = last.is_some_and(|last| last >= at + piece.len());
        let piece = piece.trim_end();
        let asked = piece.trim_end_matches('?');
        let is_mark = behind.is_empty() && !asked.is_empty() && has_before;
        let piece = if is_mark { asked } else { piece };
        let marked = marked_term(piece);
        is_added = marked.is_some();
        if is_added {
            let other = if is_one { name_term(piece) } else { None };
            add(marked, other, piece, at, true);
        } else if has_signs(piece) || is_operator(piece, has_before, has_behind) {
            let end = path_end(piece).and_then(name_term);
            add(name_term(piece), end, piece, at, true);
            is_added = true;
        }
        at = text.len() - behind.len();
    }
    if !(is_one && is_added) {
        let start = text.len() - text.trim_start().len();
        add(name_term(whole), None, whole, start, is_one);
    }
    names
}

/// True if a piece is an operator, and no sign between the words that it has before or behind it.
fn is_operator(piece: &str, has_before: bool, has_behind: bool) -> bool {
    let is_prose = match piece {
        "--" | "..." => true,
        "?" | "!" | "." | "," | ";" | ":" => has_before,
        sign => sign.len() == 1 && has_before && has_behind,
    };
    !is_prose && sign_in(piece).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_names_and_signs_between_words_are_not() {
        let names = |text: &str| -> Vec<String> {
            let names = Question::new(text).names.into_iter();
            names
                .filter(|name| name.is_written)
                .map(|name| name.term)
                .collect()
        };
        assert_eq!(names("?."), ["?.="]);
        assert_eq!(names("--"), ["--="]);
        assert_eq!(names("? operator"), ["?="]);
        assert_eq!(names("what does ..= mean"), ["..=="]);
        assert_eq!(names("what is =>?"), ["=>="]);
        assert_eq!(names("a string operator+="), ["operator+=="]);
        for prose in [
            "is it so ?",
            "this & that",
            "either / or",
            "one -- two",
            "one - two",
        ] {
            assert!(names(prose).is_empty(), "{prose}");
        }
    }

    #[test]
    fn only_the_last_word_is_open_and_only_without_a_sign_behind_it() {
        let open = |text: &str| -> Vec<String> {
            let question = Question::new(text);
            let open = question.tokens.iter().filter(|t| question.is_open(t));
            open.map(|t| t.term.clone()).collect()
        };
        assert_eq!(open("borrow check"), ["check"]);
        assert!(open("borrow check ").is_empty());
        assert!(open("borrow check?").is_empty());
        assert!(open("").is_empty());
        assert_eq!(open("use fooBar"), ["foobar", "bar"]);
    }

    #[test]
    fn names_are_told_by_their_signs_and_the_whole_question_is_one() {
        let names = |text: &str| -> Vec<(String, bool)> {
            let names = Question::new(text).names.into_iter();
            names.map(|name| (name.term, name.is_written)).collect()
        };
        let named = |term: &str, is_written| (term.to_owned(), is_written);
        assert_eq!(names("Vec::retain"), [named("vecretain=", true)]);
        assert_eq!(names("println!"), [named("println!=", true)]);
        assert_eq!(names("-Wall"), [named("-wall=", true)]);
        assert_eq!(names("gcc -Wall")[0], named("-wall=", true));
        let others = |text: &str| Question::new(text).names.remove(0).other;
        let path = others("a std::collections::HashMap::get b");
        assert_eq!(path.as_deref(), Some("hashmapget="));
        assert_eq!(others("vec!").as_deref(), Some("vec="));
        assert_eq!(others("hello world!"), None);
        assert_eq!(names("open options"), [named("openoptions=", false)]);
        let both = [named("vecretain=", true), named("howvecretain=", false)];
        assert_eq!(names("how Vec::retain "), both);
    }

    #[test]
    fn a_name_of_one_word_without_signs_is_a_word() {
        let is_word = |text: &str| {
            let question = Question::new(text);
            question.is_word(question.names.last().expect("the whole"))
        };
        assert!(is_word("profile") && is_word(" profile "));
        assert!(!is_word("--profile") && !is_word("fooBar") && !is_word("two words"));
    }

    #[test]
    fn a_question_is_a_sentence_by_its_words() {
        let sentence = |text: &str| Question::new(text).sentence;
        assert_eq!(sentence("run tests in"), 0.0);
        assert!((sentence("run tests in parallel") - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(sentence("how do I run tests in parallel"), 1.0);
        assert_eq!(
            sentence("std::collections::HashMap::entry fooBarBazQux a-b-c"),
            0.0,
            "a name is one word, however many pieces it has"
        );
        assert!(sentence("怎么上传一个文件") < sentence("怎么在服务器上传一个很大的文件"));
    }

    #[test]
    fn words_after_the_last_that_counts_are_left_out() {
        let words = |n: usize| Question::new(&"a ".repeat(n));
        assert!(!words(MAX_WORDS).is_cut);
        assert!(words(MAX_WORDS + 1).is_cut);
        assert_eq!(words(MAX_WORDS + 9).tokens.len(), MAX_WORDS);
    }
}
