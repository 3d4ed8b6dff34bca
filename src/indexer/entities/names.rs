//! Names in one line of text: labels, capitals, quotes, identifiers, dates, quantities.
//!
//! Source: spec minirag §1.4. Every rule is lexical; types are coarse because they only support answer types.

use super::words::{Words, in_list, is_place as is_place_name, is_thing, trim};
use crate::graph::canonical;
use crate::text::stop_words::{is_cjk, is_stop_word};

/// The type of a named thing, from the surest to the vaguest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A speaker, or a name after an honorific.
    Person,
    /// A calendar date.
    Date,
    /// A number with a unit.
    Quantity,
    /// An identifier of a program.
    Code,
    /// A company, university, …
    Organization,
    /// A place.
    Location,
    /// Anything else that has a name.
    Concept,
}

impl Kind {
    /// Its name in the graph.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "PERSON",
            Self::Date => "DATE",
            Self::Quantity => "QUANTITY",
            Self::Code => "CODE",
            Self::Organization => "ORGANIZATION",
            Self::Location => "LOCATION",
            Self::Concept => "CONCEPT",
        }
    }
}

/// The strength of a sign that something is a name; it decides how often the name must occur to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clue {
    /// The label of a speaker, or an author: once is enough.
    Label,
    /// A heading, link text, tag or identifier: once is enough.
    Strong,
    /// Capitals within a sentence, of a word that is ordinary nowhere: once is enough, too.
    Named,
    /// Capitals in running text, quotes, a pattern of digits, a frequent run of characters, a rare word.
    Weak,
    /// One capitalized word at the start of a sentence: no evidence unless the same word is capitalized elsewhere.
    Initial,
}

/// A name as found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// As written.
    pub surface: String,
    /// The type it seems to be of.
    pub kind: Kind,
    /// The sign by which it was noticed.
    pub clue: Clue,
}

impl Found {
    /// A name with its kind and clue.
    pub fn new(surface: String, kind: Kind, clue: Clue) -> Self {
        Self {
            surface,
            kind,
            clue,
        }
    }
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const UNITS: &str = " % kg g mg km m cm mm miles mile kb mb gb tb kib mib gib bytes byte bits ms s sec seconds second \
minutes minute min hours hour h days day weeks week months month years year usd eur dollars dollar euros euro yuan px \
hz khz mhz ghz w kw v ";
const UNITS_CJK: [&str; 16] = [
    "公里", "公斤", "千克", "小时", "分钟", "美元", "欧元", "元", "个月", "天", "岁", "米", "万",
    "亿", "次", "%",
];
const ORGANIZATION_ENDS: &str = " inc ltd corp corporation company gmbh llc university college institute bank agency \
foundation association committee ministry group ";
const ORGANIZATION_ENDS_CJK: [&str; 9] = [
    "公司",
    "大学",
    "学院",
    "银行",
    "医院",
    "集团",
    "研究所",
    "委员会",
    "协会",
];
const PLACE_ENDS: &str =
    " street road avenue square park river lake mountain island city county airport station ";
const PLACE_ENDS_CJK: [&str; 7] = ["市", "省", "县", "区", "路", "国", "机场"];
const HONORIFICS: &str = " mr mrs ms miss mx dr prof professor sir madam herr frau ";
/// Words that begin a sentence with a capital before a name.
const OPENERS: &str = " yesterday today tomorrow tonight perhaps unlike ask tell call meet visit contact email invite \
remind add set use change fix update remove run imagine create install open click press choose select import convert \
configure enable disable subclass validate ";
/// Words that open a line of a conversation with a capital.
const GREETINGS: &str =
    " hi hello hey dear thanks thank ok okay sure great yeah oh wow sorry absolutely ";
/// Words that titles write in lower case, too.
const SMALL: &str = " a an the and or but nor for of to in on at by with from as into onto over via vs per your its ";
const PLACE_WORDS: &str = " in at near ";
/// Words behind which "to" and "from" lead to a place.
const MOTIONS: &str = " is are was were am originally go goes going gone went come comes coming came move moves moved \
travel travels travelled traveled traveling trip trips journey fly flies flew flight flights drive drives drove train \
trains bus ferry road way back return returns returned relocate relocates relocated visit visits walk walked sail sailed ";
/// Labels of facts about a text, not of people who speak.
const FACT_LABELS: &str = " time date subject from to cc note notes title example warning tip todo see usage default type value name description answer question result output input location summary ";
const WEEKDAYS: &str = " monday tuesday wednesday thursday friday saturday sunday ";
const MONTH_NAMES: &str = " january february march april may june july august september october november december jan feb \
apr jun jul aug sep sept oct nov dec ";
const CONNECTORS: &str = " of de la van von der den del di da & ";

/// The label of a dialogue line, `Name: text` with a name of one to three capitalized words, or of CJK characters.
pub fn speaker(line: &str) -> Option<&str> {
    let (label, rest) = line.split_once([':', '：'])?;
    let label = label.trim();
    let words: Vec<&str> = label.split_whitespace().collect();
    let is_name = |word: &&str| {
        let mut chars = word.chars();
        chars.next().is_some_and(|c| c.is_uppercase() || is_cjk(c))
            && chars.all(|c| c.is_alphabetic() || matches!(c, '.' | '-' | '\''))
    };
    let plausible =
        (1..=3).contains(&words.len()) && label.chars().count() <= 30 && words.iter().all(is_name);
    let is_fact = in_list(FACT_LABELS, &label.to_lowercase());
    (plausible && !is_fact && !rest.trim().is_empty() && !rest.starts_with("//")).then_some(label)
}

/// Names in one sentence. `site` has the words of the whole input; with `nouns_have_capitals`, as in German, a capital
/// within a sentence says nothing.
pub fn find(sentence: &str, site: &Words, nouns_have_capitals: bool, out: &mut Vec<Found>) {
    quoted(sentence, out);
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let words: Vec<&str> = tokens.iter().map(|token| trim(token)).collect();
    identifiers(&words, out);
    dates(&words, out);
    quantities(&words, out);
    let is_telling = !nouns_have_capitals && is_prose(&words);
    capitals(&tokens, &words, site, is_telling, out);
    cjk_dates(sentence, out);
}

/// True for a sentence whose capitals tell something: it has words without that a title would write with one.
fn is_prose(words: &[&str]) -> bool {
    let is_plain = |word: &&str| {
        word.starts_with(char::is_lowercase)
            && word.chars().all(char::is_alphabetic)
            && !in_list(SMALL, word)
    };
    words.iter().any(is_plain)
}

fn push(out: &mut Vec<Found>, surface: &str, kind: Kind, clue: Clue) {
    out.push(Found::new(surface.to_owned(), kind, clue));
}

fn quoted(sentence: &str, out: &mut Vec<Found>) {
    for (open, close) in [('“', '”'), ('《', '》'), ('「', '」'), ('"', '"')] {
        let mut rest = sentence;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((inside, after)) = after.split_once(close) else {
                break;
            };
            let is_title = inside
                .chars()
                .next()
                .is_some_and(|c| c.is_uppercase() || is_cjk(c));
            if is_title
                && inside.split_whitespace().count() <= 6
                && (2..=40).contains(&inside.chars().count())
            {
                push(out, inside, Kind::Concept, Clue::Weak);
            }
            rest = after;
        }
    }
}

fn identifiers(words: &[&str], out: &mut Vec<Found>) {
    for word in words {
        let bare = word.strip_suffix("()").unwrap_or(word);
        let ascii = bare.len() > 2
            && bare
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.'));
        if !ascii || bare.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let has_hump = bare
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        let inner = |mark: &str| bare.split(mark).filter(|part| !part.is_empty()).count() > 1;
        if bare.len() < word.len() || inner("::") || inner("_") || has_hump {
            push(out, bare, Kind::Code, Clue::Strong);
        }
    }
}

fn dates(words: &[&str], out: &mut Vec<Found>) {
    let is_month = |word: &str| {
        let lower = word.to_lowercase();
        lower.len() >= 3
            && lower.is_ascii()
            && MONTHS.contains(&&lower[..3])
            && word.starts_with(|c: char| c.is_uppercase())
    };
    let number = |word: &str| -> Option<u32> {
        word.trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .parse()
            .ok()
    };
    let is_day = |word: &&str| number(word).is_some_and(|day| (1..=31).contains(&day));
    let is_year = |word: &&str| {
        word.len() == 4 && number(word).is_some_and(|year| (1000..=2999).contains(&year))
    };
    for (i, word) in words.iter().enumerate() {
        let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
        if parts.len() == 3 && is_year(&parts[0]) && parts[1..].iter().all(is_day) {
            push(out, word, Kind::Date, Clue::Weak);
        }
        if !is_month(word) {
            continue;
        }
        let before = i > 0 && is_day(&words[i - 1]);
        let after = !before && words.get(i + 1).is_some_and(is_day);
        let end = i + usize::from(after);
        let year = words.get(end + 1).is_some_and(is_year);
        if before || after || year {
            let range = i - usize::from(before)..=end + usize::from(year);
            push(out, &words[range].join(" "), Kind::Date, Clue::Weak);
        }
    }
}

fn quantities(words: &[&str], out: &mut Vec<Found>) {
    for (i, word) in words.iter().enumerate() {
        let digits = word.trim_start_matches(['$', '€', '£', '¥']);
        let cut = digits
            .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
            .unwrap_or(digits.len());
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let unit = digits[cut..].to_lowercase();
        if cut < digits.len() && (in_list(UNITS, &unit) || UNITS_CJK.contains(&unit.as_str())) {
            push(out, word, Kind::Quantity, Clue::Weak);
        } else if cut == digits.len()
            && words
                .get(i + 1)
                .is_some_and(|next| in_list(UNITS, &next.to_lowercase()))
        {
            push(out, &words[i..=i + 1].join(" "), Kind::Quantity, Clue::Weak);
        }
    }
}

/// Dates written with 年, 月 and 日.
fn cjk_dates(sentence: &str, out: &mut Vec<Found>) {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '年' | '月' | '日');
    for run in sentence.split(|c: char| !is_part(c)) {
        let marks = run.chars().filter(|c| !c.is_ascii_digit()).count();
        if marks >= 2 && run.starts_with(|c: char| c.is_ascii_digit()) {
            push(out, run, Kind::Date, Clue::Weak);
        }
    }
}

/// Runs of capitalized words, function words cut off at both ends.
fn capitals(tokens: &[&str], words: &[&str], site: &Words, is_telling: bool, out: &mut Vec<Found>) {
    let mut start = 0;
    while start < words.len() {
        if !is_capital(words[start]) || is_function(words[start]) {
            start += 1;
            continue;
        }
        let end = end_of_run(tokens, words, start);
        // An emoji or a dash trims to nothing; what follows it begins anew.
        let begins = start == 0 || words[start - 1].is_empty();
        if begins && is_opener(&words[start..end], site) {
            start += 1;
            continue;
        }
        let run = &words[start..end];
        start = end;
        let surface = run.join(" ");
        // A title stands inside the run, because it is capitalized itself: "Dr. Chen".
        if is_honorific(run[0]) {
            if let name @ [_, ..] = &run[1..] {
                push(out, &name.join(" "), Kind::Person, Clue::Weak);
            }
            continue;
        }
        if surface.chars().count() < 2 {
            continue;
        }
        let is_in = is_telling && !begins && leads_to_place(&words[..end - run.len()]);
        let kind = kind_of(&surface, is_in, site);
        // The capital of the first word is the sentence's, except where it can only be a name.
        let is_named = match kind {
            Kind::Person => true,
            Kind::Date => false,
            _ => run[usize::from(begins)..]
                .iter()
                .any(|word| !site.is_ordinary(word)),
        };
        let clue = match (is_telling && is_named, begins && run.len() == 1) {
            (true, _) => Clue::Named,
            (_, true) if kind != Kind::Person => Clue::Initial,
            _ => Clue::Weak,
        };
        push(out, &surface, kind, clue);
    }
}

/// True if the first of the words that begin a sentence is none of a name, but stands before one.
fn is_opener(run: &[&str], site: &Words) -> bool {
    let [first, second, ..] = run else {
        return false;
    };
    let lower = first.to_lowercase();
    let is_before_person = site.is_given(second) && site.is_ordinary(first);
    let is_form = (lower.ends_with("ing") || lower.ends_with("ed")) && lower != "united";
    let is_word = is_form && site.is_ordinary(first) || in_list(OPENERS, &lower);
    !is_honorific(first) && (is_before_person || is_word && !site.is_ordinary(second))
}

/// True if a name behind these words is a place.
fn leads_to_place(words: &[&str]) -> bool {
    let mut words = words.iter().rev().map(|word| word.to_lowercase());
    let last = words.next().unwrap_or_default();
    let before = words.next().unwrap_or_default();
    in_list(PLACE_WORDS, &last)
        || matches!(last.as_str(), "to" | "from") && in_list(MOTIONS, &before)
}

fn is_capital(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "-'’.&".contains(c))
}

fn is_function(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_stop_word(&lower) || in_list(GREETINGS, &lower)
}

fn is_honorific(word: &str) -> bool {
    in_list(HONORIFICS, &word.to_lowercase())
}

/// End of the run of capitalized words that begins at `start`: six words at most, none across punctuation.
fn end_of_run(tokens: &[&str], words: &[&str], start: usize) -> usize {
    let closes = |i: usize| {
        !is_honorific(words[i])
            && tokens[i].ends_with([',', ';', ':', '.', '!', '?', ')', '"', '”'])
    };
    // "European Space Agency (ESA)" are two names of one thing, and no name together.
    let opens = |i: usize| tokens[i].starts_with(['(', '[', '"', '“']);
    let mut end = start + 1;
    while end < words.len() && end - start < 6 && !closes(end - 1) && !opens(end) {
        let joined = in_list(CONNECTORS, words[end])
            && words.get(end + 1).is_some_and(|next| is_capital(next));
        let continues = joined || is_capital(words[end]) && !is_function(words[end]);
        if is_honorific(words[end]) || !continues {
            break;
        }
        end += 1;
    }
    end
}

/// Type of a name by its words and its ending; `is_in` for one behind a word that leads to a place.
pub fn kind_of(surface: &str, is_in: bool, site: &Words) -> Kind {
    let folded = canonical(surface);
    let last = folded.rsplit(' ').next().unwrap_or_default();
    let ends = |list: &[&str]| {
        list.iter()
            .any(|end| surface.ends_with(end) && surface.chars().count() > end.chars().count())
    };
    let is_place = || {
        let mut words = surface.split_whitespace();
        is_in && !is_thing(surface) && words.any(|word| !site.is_ordinary(word))
    };
    if in_list(WEEKDAYS, &folded) || in_list(MONTH_NAMES, &folded) {
        Kind::Date
    } else if (in_list(ORGANIZATION_ENDS, last) && folded.contains(' '))
        || ends(&ORGANIZATION_ENDS_CJK)
    {
        Kind::Organization
    } else if (in_list(PLACE_ENDS, last) && folded.contains(' '))
        || ends(&PLACE_ENDS_CJK)
        || is_place_name(surface)
    {
        Kind::Location
    } else if site.is_person(surface) {
        Kind::Person
    } else if is_place() {
        Kind::Location
    } else {
        Kind::Concept
    }
}

/// The sentences of a line: they end behind full stops, question and exclamation marks, but not behind those of a title
/// ("Dr.") or an initial.
pub fn sentences(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    for (at, mark) in line.match_indices(['.', '!', '?', '。', '！', '？']) {
        let end = at + mark.len();
        let before = line[start..at]
            .rsplit(|c: char| !c.is_alphanumeric())
            .next();
        let before = before.unwrap_or_default();
        let is_initial = before.len() == 1 && before.starts_with(char::is_uppercase);
        let is_short = mark == "." && (is_honorific(before) || is_initial);
        if mark.len() > 1 || line[end..].starts_with(' ') && !is_short {
            out.push(&line[start..end]);
            start = end;
        }
    }
    out.push(&line[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sentence: &str) -> Vec<(String, &'static str)> {
        let mut out = Vec::new();
        find(sentence, &Words::default(), false, &mut out);
        out.into_iter()
            .map(|found| (found.surface, found.kind.name()))
            .collect()
    }

    fn has(sentence: &str, surface: &str, kind: &str) {
        let all = found(sentence);
        assert!(
            all.iter().any(|(s, k)| s == surface && *k == kind),
            "{surface} {kind} in {all:?}"
        );
    }

    #[test]
    fn names_and_their_types() {
        has(
            "We met Wolfgang Schulz in Berlin.",
            "Wolfgang Schulz",
            "PERSON",
        );
        has("We met Wolfgang Schulz in Berlin.", "Berlin", "LOCATION");
        has("Ask Dr. Chen about it", "Chen", "PERSON");
        has(
            "She joined Acme Corp last year",
            "Acme Corp",
            "ORGANIZATION",
        );
        has(
            "The University of Oslo replied",
            "University of Oslo",
            "CONCEPT",
        );
        let both = "He wrote to the European Space Agency (ESA) about it";
        has(both, "European Space Agency", "ORGANIZATION");
        has(both, "ESA", "CONCEPT");
        has("call std::move or push_back() now", "push_back", "CODE");
        has("call std::move or push_back() now", "std::move", "CODE");
        has("on 2026-01-21 and March 3, 2026", "2026-01-21", "DATE");
        has("on 2026-01-21 and March 3, 2026", "March 3 2026", "DATE");
        has("it took 3.5 hours and 20MB", "3.5 hours", "QUANTITY");
        has("it took 3.5 hours and 20MB", "20MB", "QUANTITY");
        has("会议在2026年1月21日举行", "2026年1月21日", "DATE");
        has("他读了《红楼梦》", "红楼梦", "CONCEPT");
    }

    #[test]
    fn function_words_and_plain_words_are_no_names() {
        assert!(
            found("The quick brown fox. In the end it was fine").is_empty(),
            "{:?}",
            found("The quick brown fox.")
        );
        assert!(found("it may 3").is_empty());
        let mut out = Vec::new();
        find("see you 😄 Excited", &Words::default(), false, &mut out);
        assert!(
            out.iter().all(|found| found.clue == Clue::Initial),
            "{out:?}"
        );
    }

    #[test]
    fn sentences_end_behind_marks_but_not_behind_titles() {
        let line = "Dr. Emma Watts and J. Smith came. Is it so? Yes!No. 好。他来了";
        assert_eq!(
            sentences(line),
            [
                "Dr. Emma Watts and J. Smith came.",
                " Is it so?",
                " Yes!No.",
                " 好。",
                "他来了"
            ]
        );
        has("Ask Prof. Dr. Emma Watts about it.", "Emma Watts", "PERSON");
        has("Adding Jinja is easy", "Jinja", "CONCEPT");
        has("Yesterday Contoso announced it", "Contoso", "CONCEPT");
        has(
            "New Horizons Inc sells them",
            "New Horizons Inc",
            "ORGANIZATION",
        );
    }

    #[test]
    fn dialogue_labels() {
        assert_eq!(speaker("LiHua: see you at 10:00"), Some("LiHua"));
        assert_eq!(speaker("李华：明天见"), Some("李华"));
        assert_eq!(speaker("https://example.org"), None);
        assert_eq!(speaker("the answer: yes"), None);
        assert_eq!(speaker("Time: 20260121"), None);
        assert_eq!(speaker("LiHua:"), None);
    }
}
