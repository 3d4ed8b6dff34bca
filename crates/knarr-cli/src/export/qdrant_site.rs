//! The points that `Knarr.remote` reads besides the rows: the words, the directories, and what is true of the whole.
//! They have no vectors, so that no question finds them and one collection is all that a page is told of.

use super::format::{Site, line};
use super::row::Numbers;
use knarr::engine::points::{Folder, Term};
use serde::Serialize;

/// Form of the points, which `pkg/src/qdrant-site.js` reads: a page refuses another one.
const FORMAT: u32 = 1;
/// Number of the point that is about the whole: no row has it.
pub const ABOUT: u64 = 0;
/// Points of one request: a word is a quarter of a kilobyte.
const AT_ONCE: usize = 256;

#[derive(Serialize)]
struct Points<P> {
    points: Vec<Point<P>>,
}

#[derive(Serialize)]
struct Point<P> {
    id: u64,
    vector: NoVectors,
    payload: P,
}

#[derive(Serialize)]
struct NoVectors {}

/// The collection as a whole.
#[derive(Serialize)]
struct About<'a> {
    format: u32,
    generator: &'a str,
    name: &'a str,
    dims: u32,
    encoder: &'a str,
    alpha: f32,
    /// Nodes that an idf counts.
    nodes: u32,
    languages: Vec<&'a str>,
    versions: Vec<&'a str>,
    language: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct Card<'a> {
    knarr: About<'a>,
}

/// A word in all its forms: those of the site, and then those that only the language has.
#[derive(Serialize)]
struct Word<'a> {
    words: Vec<&'a str>,
    /// The forms that an unfinished word may become, or a mistyped one be.
    starts: Vec<&'a str>,
    /// The same forms read backwards: who mistypes the beginning of a word has its end.
    ends: Vec<String>,
    number: u32,
    df: u32,
    idf: f32,
    in_title: bool,
    #[serde(flatten)]
    meaning: Option<Meaning<'a>>,
}

/// A word that the site lacks.
#[derive(Serialize)]
struct Beyond<'a> {
    words: &'a [String],
    #[serde(flatten)]
    meaning: Option<Meaning<'a>>,
}

/// A vector in a quarter of the letters: integers, and what a one of them is.
#[derive(Serialize)]
struct Meaning<'a> {
    vector: &'a [i8],
    scale: f32,
}

fn meaning(term: &Term) -> Option<Meaning<'_>> {
    let meaning = Meaning {
        vector: &term.packed,
        scale: term.scale,
    };
    (!term.packed.is_empty()).then_some(meaning)
}

#[derive(Serialize)]
struct Directory<'a> {
    uri: &'a str,
    /// The directory that it lies in; none for the root of all.
    folder: Option<&'a str>,
    parents: Vec<&'a str>,
    place: usize,
    kind: &'static str,
    title: &'a str,
    #[serde(rename = "abstract")]
    abstract_: &'a str,
    overview: &'a str,
}

/// Writes the points, as bodies of upserts.
pub fn put(site: &Site<'_>, numbers: &mut Numbers, out: &mut String) {
    let about = Point {
        id: ABOUT,
        vector: NoVectors {},
        payload: about(site),
    };
    put_points(std::iter::once(about), out);
    let words = site.terms.all.iter().zip(site.words).enumerate();
    let words = words.map(|(place, (term, &number))| {
        let more = site
            .language
            .forms
            .get(&place)
            .map_or(&[][..], |forms| forms);
        point(numbers.next(&name(term)), word(term, number, more))
    });
    put_points(words, out);
    let beyond = site.language.words.iter().map(|term| {
        let word = Beyond {
            words: &term.words,
            meaning: meaning(term),
        };
        point(numbers.next(&name(term)), word)
    });
    put_points(beyond, out);
    let folders = site.folders.iter().map(directory);
    put_points(
        folders.map(|folder| point(numbers.next(folder.uri), folder)),
        out,
    );
}

/// The text that the number of a word is made of: no URI begins so.
fn name(term: &Term) -> String {
    format!("word\n{}", term.words.first().map_or("", String::as_str))
}

fn put_points<P: Serialize>(points: impl Iterator<Item = Point<P>>, out: &mut String) {
    let mut points = points.peekable();
    while points.peek().is_some() {
        let points = points.by_ref().take(AT_ONCE).collect();
        *out += &line(&Points { points });
        out.push('\n');
    }
}

fn point<P>(id: u64, payload: P) -> Point<P> {
    Point {
        id,
        vector: NoVectors {},
        payload,
    }
}

fn about<'a>(site: &Site<'a>) -> Card<'a> {
    let setup = site.setup;
    let knarr = About {
        format: FORMAT,
        generator: env!("CARGO_PKG_VERSION"),
        name: &setup.name,
        dims: setup.dims,
        encoder: &setup.encoder,
        alpha: setup.alpha,
        nodes: setup.defaults.nodes,
        languages: site.languages.iter().map(String::as_str).collect(),
        versions: site.versions.iter().map(String::as_str).collect(),
        language: &setup.defaults.language,
        version: &setup.defaults.version,
    };
    Card { knarr }
}

fn word<'a>(term: &'a Term, number: u32, more: &'a [String]) -> Word<'a> {
    let is_spelled = |word: &&String| word.chars().all(char::is_alphanumeric);
    let spelled: Vec<&str> = term
        .words
        .iter()
        .filter(is_spelled)
        .map(String::as_str)
        .collect();
    Word {
        words: term.words.iter().chain(more).map(String::as_str).collect(),
        ends: spelled.iter().map(|w| w.chars().rev().collect()).collect(),
        starts: spelled,
        number,
        df: term.df,
        idf: term.idf,
        in_title: term.in_title,
        meaning: meaning(term),
    }
}

fn directory(folder: &Folder) -> Directory<'_> {
    let parents = above(&folder.uri);
    let root = (folder.uri != ROOT).then_some(ROOT);
    Directory {
        uri: &folder.uri,
        folder: parents.last().copied().or(root),
        parents,
        place: 0,
        kind: "directory",
        title: &folder.title,
        abstract_: &folder.abstract_,
        overview: &folder.overview,
    }
}

/// The root of all, which rows do not name among their parents.
pub const ROOT: &str = "viking://";

/// The URIs of the directories above one, outermost first, without the root of all.
fn above(uri: &str) -> Vec<&str> {
    let path = uri.match_indices('/').map(|(at, _)| at);
    path.filter(|&at| at > ROOT.len())
        .map(|at| &uri[..at])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_below_all_that_is_above_it() {
        let folder = |uri: &str| Folder {
            uri: uri.into(),
            ..Folder::default()
        };
        let deep = folder("viking://resources/a/b");
        let told = directory(&deep);
        assert_eq!(told.parents, ["viking://resources", "viking://resources/a"]);
        assert_eq!(told.folder, Some("viking://resources/a"));
        assert_eq!(directory(&folder("viking://resources")).folder, Some(ROOT));
        assert_eq!(directory(&folder(ROOT)).folder, None);
    }

    #[test]
    fn names_are_no_words_that_somebody_mistypes() {
        let term = Term {
            words: vec!["sensor".into(), "sensor=".into(), "c++".into()],
            ..Term::default()
        };
        let more = ["sensoring".into()];
        let told = word(&term, 7, &more);
        assert_eq!((told.starts, told.words.len()), (vec!["sensor"], 4));
        assert_eq!(told.ends, ["rosnes"]);
    }
}
