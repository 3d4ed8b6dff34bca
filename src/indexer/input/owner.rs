//! A file in which the owner of a site says how it is searched: synonyms, weights, first pages, other names, and what is
//! left out. See docs/SITES.md.

use super::once::Once;
use super::scan::globs;
use crate::base::error::{Error, ErrorKind, Result};
use crate::indexer::document::Document;
use crate::indexer::lexicon::english_stem;
use crate::indexer::site::Told;
use crate::text::{pin_term, whole_terms};
use globset::GlobSet;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;

/// Name of the file in the folder of a site.
pub const OWNER_FILE: &str = "knarr.json";

/// Pages that one query may have first.
const MOST_PINNED: usize = 4;

/// The keys of the file.
const KEYS: [&str; 5] = ["synonyms", "weights", "pins", "hidden", "aliases"];

/// The file of a site's owner, read and proved.
#[derive(Debug, Clone, Default)]
pub struct Owner {
    file: String,
    text: String,
    synonyms: Vec<Synonym>,
    weights: Vec<(Named, f32)>,
    pins: Vec<Pin>,
    hidden: Vec<Named>,
    aliases: BTreeMap<String, Vec<String>>,
    /// Not all pages that it names are read.
    is_of_more: bool,
}

/// A glob of the file.
#[derive(Debug, Clone)]
struct Named {
    glob: String,
    set: GlobSet,
}

impl Named {
    fn is_of(&self, document: &Document) -> bool {
        self.set.is_match(&document.path)
    }
}

/// A query and its first pages.
#[derive(Debug, Clone)]
struct Pin {
    query: String,
    term: String,
    pages: Vec<String>,
}

/// Words of a page, and what a question may say for them.
#[derive(Debug, Clone)]
struct Synonym {
    /// Stems of the page's words, in their order.
    page: Vec<String>,
    /// Terms of the question's.
    question: Vec<String>,
}

/// One entry of `synonyms`: words that stand for each other, or one for others.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Both(Vec<String>),
    One { from: String, to: Vec<String> },
}

impl Owner {
    /// Reads the file's text; `file` names it in errors.
    ///
    /// Errors: `INVALID_ARGUMENT` for what is not JSON, a key that stands twice, an unknown key, a value of another shape, or a bad glob; the message
    /// has the key and its line.
    pub fn read(file: &str, text: &str) -> Result<Self> {
        let mut owner = Self {
            file: file.to_owned(),
            text: text.to_owned(),
            ..Self::default()
        };
        let no_json = |error| Error::new(ErrorKind::InvalidArgument, format!("{file}: {error}"));
        let Once(all) =
            serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(no_json)?;
        let all: BTreeMap<String, Value> = serde_json::from_value(all).map_err(no_json)?;
        if let Some(key) = all.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let keys = KEYS.join(", ");
            return Err(owner.wrong(key, key, &format!("there is no such key: use {keys}")));
        }
        for entry in
            owner.value::<Vec<Entry>>(&all, "synonyms", "lists of words, or {\"from\", \"to\"}")?
        {
            owner.add_synonyms(entry)?;
        }
        let shape = "numbers from 0 to 10 by glob";
        for (glob, weight) in owner.value::<BTreeMap<String, f32>>(&all, "weights", shape)? {
            if !(0.0..=10.0).contains(&weight) {
                return Err(owner.wrong(
                    "weights",
                    &glob,
                    &format!("{weight} is not from 0 to 10"),
                ));
            }
            let named = owner.named("weights", glob)?;
            owner.weights.push((named, weight));
        }
        let shape = "lists of pages by query";
        for (query, pages) in owner.value::<BTreeMap<String, Vec<String>>>(&all, "pins", shape)? {
            let is_list = (1..=MOST_PINNED).contains(&pages.len());
            let Some(term) = pin_term(&query).filter(|_| is_list) else {
                let what =
                    format!("a query has 1 to 63 letters and digits, and 1 to {MOST_PINNED} pages");
                return Err(owner.wrong("pins", &query, &what));
            };
            if let Some(other) = owner.pins.iter().find(|pin| pin.term == term) {
                let what = format!("it is the same query as {:?}", other.query);
                return Err(owner.wrong("pins", &query, &what));
            }
            owner.pins.push(Pin { query, term, pages });
        }
        let hidden: Vec<String> = owner.value(&all, "hidden", "a list of globs")?;
        let hidden = hidden.into_iter().map(|glob| owner.named("hidden", glob));
        owner.hidden = hidden.collect::<Result<_>>()?;
        owner.aliases = owner.value(&all, "aliases", "lists of names by page")?;
        Ok(owner)
    }

    /// The value of a key; empty without it.
    fn value<T: DeserializeOwned + Default>(
        &self,
        all: &BTreeMap<String, Value>,
        key: &str,
        shape: &str,
    ) -> Result<T> {
        let Some(value) = all.get(key) else {
            return Ok(T::default());
        };
        T::deserialize(value).map_err(|_| self.wrong(key, key, &format!("it is not {shape}")))
    }

    fn named(&self, key: &str, glob: String) -> Result<Named> {
        let set = globs(std::slice::from_ref(&glob));
        let set = set.map_err(|error| self.wrong(key, &glob, error.message()))?;
        Ok(Named { glob, set })
    }

    fn wrong(&self, key: &str, entry: &str, what: &str) -> Error {
        Error::new(ErrorKind::InvalidArgument, self.said(key, entry, what))
    }

    /// A message about `key`, with the line where `entry` stands.
    fn said(&self, key: &str, entry: &str, what: &str) -> String {
        let quoted = serde_json::to_string(entry).unwrap_or_default();
        let at = self.text.find(&quoted).unwrap_or(0);
        let line = self.text[..at].matches('\n').count() + 1;
        let entry = if entry == key {
            String::new()
        } else {
            format!(", {quoted}")
        };
        format!("{}, line {line}, \"{key}\"{entry}: {what}", self.file)
    }

    fn add_synonyms(&mut self, entry: Entry) -> Result<()> {
        let n_before = self.synonyms.len();
        let named = match &entry {
            Entry::Both(words) => words.first(),
            Entry::One { from, .. } => Some(from),
        };
        let named = named.cloned().unwrap_or_default();
        let mut add = |page: &str, question: &str| {
            let (page, question) = (whole_terms(page), whole_terms(question));
            if !page.is_empty() && !question.is_empty() && page != question {
                let page = page.iter().map(|term| stem(term)).collect();
                self.synonyms.push(Synonym { page, question });
            }
        };
        match entry {
            Entry::Both(words) => {
                for page in &words {
                    words.iter().for_each(|question| add(page, question));
                }
            }
            Entry::One { from, to } => to.iter().for_each(|page| add(page, &from)),
        }
        if self.synonyms.len() > n_before {
            return Ok(());
        }
        let what = "it is no other word for anything: two words that differ are needed";
        Err(self.wrong("synonyms", &named, what))
    }

    /// Tells a page what the owner says of it. O(text), with synonyms.
    pub(crate) fn apply(&self, document: &mut Document) {
        if self.is_hidden(document) {
            document.weight = 0.0;
        }
        for weight in self.weights(document) {
            if weight < 1.0 {
                document.damping = 1.0 - (1.0 - document.damping) * weight.max(0.01);
            } else {
                document.weight *= weight;
            }
        }
        let aliases: Vec<String> = self.aliases(document).cloned().collect();
        let mut pins = Vec::new();
        for (pin, place) in self.pins(document) {
            pins.push((pin.term.clone(), place));
            // A query none of whose words is on the site has no answer.
            document.keywords.push(pin.query.clone());
        }
        aliases
            .into_iter()
            .for_each(|alias| document.call_also(alias));
        document.pins = pins;
        if !self.synonyms.is_empty() {
            self.add_words(document);
        }
    }

    fn is_hidden(&self, document: &Document) -> bool {
        self.hidden.iter().any(|named| named.is_of(document))
    }

    fn weights(&self, document: &Document) -> Vec<f32> {
        let own = self
            .weights
            .iter()
            .filter(|(named, _)| named.is_of(document));
        own.map(|(_, weight)| *weight).collect()
    }

    /// The queries that a page is among the first of, with its place.
    fn pins(&self, document: &Document) -> Vec<(&Pin, u32)> {
        let place = |pin: &Pin| pin.pages.iter().position(|page| is_of(page, document));
        let own = self.pins.iter().filter_map(|pin| Some((pin, place(pin)?)));
        own.map(|(pin, place)| (pin, place as u32 + 1)).collect()
    }

    fn aliases(&self, document: &Document) -> impl Iterator<Item = &String> {
        let own = self
            .aliases
            .iter()
            .filter(|(page, _)| is_of(page, document));
        own.flat_map(|(_, aliases)| aliases)
    }

    /// The orders that [`Owner::apply`] has for a page, for people.
    pub(crate) fn told(&self, document: &Document) -> Told {
        let weights = self.weights(document);
        let pins = self.pins(document).into_iter();
        Told {
            hidden: self.is_hidden(document),
            weight: (!weights.is_empty()).then(|| weights.iter().product()),
            first_for: pins.map(|(pin, _)| pin.query.clone()).collect(),
            aliases: self.aliases(document).cloned().collect(),
        }
    }

    fn add_words(&self, document: &mut Document) {
        let mut said: Vec<(usize, String)> = Vec::new();
        for (at, section) in document.text().iter().enumerate() {
            let mut own = self.words_for(&section.heading);
            own.extend(self.words_for(&section.text));
            said.extend(own.into_iter().map(|word| (at, word)));
        }
        document.keywords.extend(self.words_for(&document.title));
        document.said = said;
    }

    /// The words that a question may say for those of a text, once for each place.
    fn words_for(&self, text: &str) -> Vec<String> {
        let stems: Vec<String> = whole_terms(text).iter().map(|term| stem(term)).collect();
        let mut words = Vec::new();
        for synonym in &self.synonyms {
            let places = stems
                .windows(synonym.page.len())
                .filter(|place| *place == synonym.page);
            places.for_each(|_| words.extend(synonym.question.iter().cloned()));
        }
        words
    }

    /// The same file for a build that does not read all pages: that it names others is a warning, and no error.
    #[must_use]
    pub fn for_a_part(mut self) -> Self {
        self.is_of_more = true;
        self
    }

    /// Warnings about globs that are of no page: a page that was misspelt would be found as before.
    pub(crate) fn idle(&self, documents: &[Document]) -> Vec<String> {
        let weights = self.weights.iter().map(|(named, _)| ("weights", named));
        let hidden = self.hidden.iter().map(|named| ("hidden", named));
        let idle = weights
            .chain(hidden)
            .filter(|(_, named)| !documents.iter().any(|document| named.is_of(document)));
        let what = "no page of the bundle has such a file";
        let globs = idle.map(|(key, named)| self.said(key, &named.glob, what));
        let what = "no page that this build reads is that one";
        let absent = self.named_pages().filter(|(_, page)| {
            self.is_of_more && !documents.iter().any(|document| is_of(page, document))
        });
        let pages = absent.map(|(key, page)| self.said(key, page, what));
        let hides_all = documents.iter().all(|document| self.is_hidden(document));
        let all = self.hidden.first().filter(|_| hides_all).map(|named| {
            let what = "every page of the bundle is hidden: no search finds one";
            self.said("hidden", &named.glob, what)
        });
        globs.chain(pages).chain(all).collect()
    }

    /// The pages that the file names one by one, with their keys.
    fn named_pages(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let pins = self.pins.iter().flat_map(|pin| &pin.pages);
        let pins = pins.map(|page| ("pins", page));
        pins.chain(self.aliases.keys().map(|page| ("aliases", page)))
    }

    /// Fails for pages that are named and are not there.
    pub(crate) fn check<'d>(&self, documents: impl Iterator<Item = &'d Document>) -> Result<()> {
        let mut named: Vec<(&str, &String)> = self.named_pages().collect();
        if named.is_empty() {
            return Ok(());
        }
        for document in documents {
            let is_pinned = |(key, page): &&(&str, &String)| {
                *key == "pins" && (**page == document.path || **page == document.url)
            };
            let hidden = named.iter().find(is_pinned);
            if let Some((key, page)) = hidden.filter(|_| self.is_hidden(document)) {
                return Err(self.wrong(key, page, "the page is hidden, too, and is never found"));
            }
            named.retain(|(_, page)| **page != document.path && **page != document.url);
        }
        if self.is_of_more {
            named.retain(|(_, page)| page.contains('#'));
        }
        let wrong = |(key, page): &(&str, &String)| {
            let what = match page.contains('#') {
                true => "a page is first, and not a section of it: leave out what begins with `#`",
                false => "there is no such page: name a file below the input, `guide/install.html`",
            };
            Err(self.wrong(key, page, what))
        };
        named.first().map_or(Ok(()), wrong)
    }
}

/// True for a page that is named by its file or by its address.
fn is_of(page: &str, document: &Document) -> bool {
    page == document.path || (!page.is_empty() && page == document.url)
}

fn stem(term: &str) -> String {
    match term.bytes().all(|b| b.is_ascii_lowercase()) {
        true => english_stem(term),
        false => term.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_key_and_line() {
        let cases = [
            (
                "{\n",
                "knarr.json: EOF while parsing an object at line 2 column 0",
            ),
            (
                "{\n\n\"weight\": {}}",
                "knarr.json, line 3, \"weight\": there is no such key",
            ),
            (
                "{\n\"hidden\": \"x\"}",
                "knarr.json, line 2, \"hidden\": it is not a list of globs",
            ),
            (
                "{\"synonyms\": [\n{\"from\": 1}]}",
                "knarr.json, line 1, \"synonyms\": it is not lists",
            ),
            (
                "{\"weights\": {\n\"a/**\": 11}}",
                "knarr.json, line 2, \"weights\", \"a/**\": 11 is not",
            ),
            (
                "{\"weights\": {\n\"[a\": 1}}",
                "knarr.json, line 2, \"weights\", \"[a\": glob pattern",
            ),
            (
                "{\n\"pins\": {\"…\": [\"a.md\"]}}",
                "knarr.json, line 2, \"pins\", \"…\": a query has 1 to 63",
            ),
            (
                "{\n\"pins\": {\"a\": []}}",
                "knarr.json, line 2, \"pins\", \"a\": a query has 1 to 63",
            ),
            (
                "{\"pins\": {\"go on\": [\"a.md\"],\n\"go-on!\": [\"b.md\"]}}",
                "knarr.json, line 2, \"pins\", \"go-on!\": it is the same query as \"go on\"",
            ),
            (
                "{\"synonyms\": [[\"a\", \"b\"],\n[\"tide\", \"Tide\", \"…\"]]}",
                "knarr.json, line 2, \"synonyms\", \"tide\": it is no other word",
            ),
            (
                "{\"synonyms\": [\n[]]}",
                "knarr.json, line 1, \"synonyms\", \"\": it is no other word",
            ),
        ];
        for (text, wanted) in cases {
            let error = Owner::read(OWNER_FILE, text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{text}");
            assert!(error.message().starts_with(wanted), "{error}");
        }
        assert!(Owner::read(OWNER_FILE, "{}").is_ok());
        assert!(Owner::read(OWNER_FILE, "\u{feff}{}").is_ok());
    }

    #[test]
    fn synonyms_are_found_in_any_form_and_by_several_words() {
        let text = r#"{"synonyms": [["sso", "single sign-on"], {"from": "wifi", "to": ["wireless network"]}]}"#;
        let owner = Owner::read(OWNER_FILE, text).unwrap();
        assert_eq!(owner.words_for("Single sign-on for all"), ["sso"]);
        assert_eq!(owner.words_for("SSO"), ["single", "sign", "on"]);
        assert_eq!(owner.words_for("Wireless networks"), ["wifi"]);
        assert_eq!(owner.words_for("Wifi"), [""; 0]);
    }
}
