//! Filters that a question says in passing: when (`last week`, `since March 2025`) and where to look (`in slack`).
//!
//! Rules, where the source asks a model. Tags are never guessed. Source: spec onyx §5.

use super::visibility::TimeRange;
use crate::base::civil::{DAY_SECONDS, Date, month_by_name};

/// The caller's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Seconds since 1970 UTC.
    pub now: i64,
    /// Seconds that local time is ahead of UTC.
    pub ahead: i64,
}

/// The time and the places that a question names; nothing of either where both are empty.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Guessed {
    /// The words that say it.
    pub words: Vec<String>,
    /// First and last second of the change, null where open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<(Option<i64>, Option<i64>)>,
    /// First and last second of the creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<(Option<i64>, Option<i64>)>,
    /// Kinds of source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Half-open byte ranges of the words.
    #[serde(skip)]
    pub spans: Vec<(u32, u32)>,
}

impl Guessed {
    /// True if the question says nothing of when and where.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    fn say(&mut self, text: &str, from: usize, to: usize) {
        self.words.push(text[from..to].to_owned());
        self.spans.push((from as u32, to as u32));
    }
}

/// A word in lower case, and where it stands.
struct Word {
    text: String,
    from: usize,
    to: usize,
}

/// Words of letters and digits; a date in digits is one. Of scripts without spaces, one for each run.
fn words(text: &str) -> Vec<Word> {
    let is_inside = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let mut words: Vec<Word> = Vec::new();
    let mut last = None;
    for (at, c) in text.char_indices() {
        let kind = is_inside(c).then_some(c.is_ascii());
        match kind {
            None => {}
            kind if kind == last => {
                if let Some(word) = words.last_mut() {
                    word.text.extend(c.to_lowercase());
                    word.to = at + c.len_utf8();
                }
            }
            _ => words.push(Word {
                text: c.to_lowercase().collect(),
                from: at,
                to: at + c.len_utf8(),
            }),
        }
        last = kind;
    }
    words
}

/// Reads when a question is about. The first period counts; one that lies in the future is none, and one that reaches
/// today is open.
pub fn period(text: &str, clock: Clock, guessed: &mut Guessed) {
    let words = words(text);
    let at = |i: usize| words.get(i).map_or("", |word| word.text.as_str());
    let today = (clock.now + clock.ahead).div_euclid(DAY_SECONDS);
    let reader = Reader { at: &at, today };
    let found = (0..words.len()).find_map(|start| Some((start, reader.period(start)?)));
    let (from, to, days, is_creation) = match found {
        Some((start, (n, days))) => {
            let before = || (start.saturating_sub(2)..start).rev();
            let created = before().find(|&i| CREATED.contains(&at(i)));
            let changed = before().find(|&i| CHANGED.contains(&at(i)));
            let begin = created.or(changed).unwrap_or(start);
            let (from, to) = (words[begin].from, words[start + n - 1].to);
            (from, to, days, created.is_some())
        }
        None => match reader.chinese(text) {
            Some((from, to, days)) => (from, to, days, false),
            None => return,
        },
    };
    let second = |day: i64| day * DAY_SECONDS - clock.ahead;
    let last = days.1.filter(|&last| last < today);
    let range = (days.0.map(second), last.map(|day| second(day + 1) - 1));
    if days.0.is_some_and(|first| first > today) || range == (None, None) {
        return;
    }
    match is_creation {
        true => guessed.created = Some(range),
        false => guessed.updated = Some(range),
    }
    guessed.say(text, from, to);
}

/// Words before a period that make it one of creation; otherwise it is one of change.
const CREATED: [&str; 6] = [
    "created",
    "written",
    "published",
    "posted",
    "added",
    "opened",
];
const CHANGED: [&str; 5] = ["updated", "changed", "modified", "edited", "revised"];

/// Periods, in days since 1970, both ends inclusive.
type Days = (Option<i64>, Option<i64>);

struct Reader<'a> {
    at: &'a dyn Fn(usize) -> &'a str,
    today: i64,
}

impl Reader<'_> {
    /// The period that begins at a word, and its length in words.
    fn period(&self, start: usize) -> Option<(usize, Days)> {
        let at = self.at;
        match at(start) {
            "today" => return Some((1, (Some(self.today), None))),
            "yesterday" => return Some((1, (Some(self.today - 1), Some(self.today - 1)))),
            "between" | "from" => {
                let (n, from) = self.date(start + 1)?;
                let joined = start + 1 + n;
                if matches!(at(joined), "and" | "to" | "until") {
                    let (m, to) = self.date(joined + 1)?;
                    return Some((n + m + 2, (Some(from.0), Some(to.1))));
                }
                return (at(start) == "from").then_some((n + 1, (Some(from.0), None)));
            }
            "since" => {
                let (n, days) = self.date_or_span(start + 1)?;
                return Some((n + 1, (days.0, None)));
            }
            "after" => {
                let (n, days) = self.date(start + 1)?;
                return Some((n + 1, (Some(days.1 + 1), None)));
            }
            "before" => {
                let (n, days) = self.date(start + 1)?;
                return Some((n + 1, (None, Some(days.0 - 1))));
            }
            "until" => {
                let (n, days) = self.date(start + 1)?;
                return Some((n + 1, (None, Some(days.1))));
            }
            "in" | "on" | "during" | "over" | "within" => {
                let (n, days) = self.date_or_span(start + 1)?;
                return Some((n + 1, days));
            }
            _ => {}
        }
        self.span(start)
    }

    fn date_or_span(&self, start: usize) -> Option<(usize, Days)> {
        let date = self.date(start);
        let date = date.map(|(n, days)| (n, (Some(days.0), Some(days.1))));
        date.or_else(|| self.span(start))
    }

    /// `the last 3 weeks`, `this month`.
    fn span(&self, start: usize) -> Option<(usize, Days)> {
        let at = self.at;
        let the = usize::from(at(start) == "the");
        let first = start + the;
        if at(first) == "this" {
            let date = Date::from_days(self.today);
            let from = match at(first + 1) {
                // 1970-01-01 was a Thursday: weeks begin on Mondays.
                "week" => self.today - (self.today + 3).rem_euclid(7),
                "month" => Date::new(date.year, date.month, 1)?.to_days(),
                "year" => Date::new(date.year, 1, 1)?.to_days(),
                _ => return None,
            };
            return Some((the + 2, (Some(from), None)));
        }
        if !matches!(at(first), "last" | "past" | "previous") {
            return None;
        }
        let number = number(at(first + 1));
        let unit = first + 1 + usize::from(number.is_some());
        let days = number.unwrap_or(1.0) * unit_days(at(unit))?;
        let from = self.today - days.round() as i64;
        Some((unit - start + 1, (Some(from), None)))
    }

    /// A day, a month or a year, as its first and last day.
    fn date(&self, start: usize) -> Option<(usize, (i64, i64))> {
        let at = self.at;
        let first = at(start);
        match first {
            "today" => return Some((1, (self.today, self.today))),
            "yesterday" => return Some((1, (self.today - 1, self.today - 1))),
            _ => {}
        }
        if let Some(days) = in_digits(first) {
            return Some((1, days));
        }
        let (day, n) = match day_number(first) {
            Some(day) => (Some(day), 1),
            None => (None, 0),
        };
        let month = month_by_name(at(start + n))?;
        let (day, n) = match day {
            Some(_) => (day, n + 1),
            None => match day_number(at(start + 1)) {
                Some(day) => (Some(day), 2),
                None => (None, 1),
            },
        };
        let (year, n) = match year_number(at(start + n)) {
            Some(year) => (year, n + 1),
            None => {
                // The latest one that has begun.
                let year = Date::from_days(self.today).year;
                let begun = Date::new(year, month, day.unwrap_or(1))?.to_days() <= self.today;
                (year - i64::from(!begun), n)
            }
        };
        match day {
            Some(day) => {
                let day = Date::new(year, month, day)?.to_days();
                Some((n, (day, day)))
            }
            None => Some((n, month_days(year, month)?)),
        }
    }

    /// A Chinese word for a time, as the bytes where it stands.
    fn chinese(&self, text: &str) -> Option<(usize, usize, Days)> {
        let mut all = CHINESE.iter();
        let (at, word, days) =
            all.find_map(|(word, days)| Some((text.find(word)?, word, *days)))?;
        let days = match days {
            -1 => (Some(self.today - 1), Some(self.today - 1)),
            days => (Some(self.today - days), None),
        };
        Some((at, at + word.len(), days))
    }
}

/// Words for times, and the days back; -1 is yesterday alone.
const CHINESE: [(&str, i64); 8] = [
    ("昨天", -1),
    ("今天", 0),
    ("上周", 7),
    ("最近一周", 7),
    ("上个月", 30),
    ("最近一个月", 30),
    ("去年", 365),
    ("最近一年", 365),
];

/// `2025`, `2025-03` or `2025-03-04`.
fn in_digits(word: &str) -> Option<(i64, i64)> {
    let mut parts = word.split('-');
    let year = year_number(parts.next()?)?;
    let (month, day) = (parts.next(), parts.next());
    if parts.next().is_some() {
        return None;
    }
    let Some(month) = month else {
        return Some((
            Date::new(year, 1, 1)?.to_days(),
            Date::new(year, 12, 31)?.to_days(),
        ));
    };
    let month: u32 = month.parse().ok()?;
    match day {
        None => month_days(year, month),
        Some(day) => {
            let day = Date::new(year, month, day.parse().ok()?)?.to_days();
            Some((day, day))
        }
    }
}

fn month_days(year: i64, month: u32) -> Option<(i64, i64)> {
    let first = Date::new(year, month, 1)?.to_days();
    let next = match month {
        12 => Date::new(year + 1, 1, 1)?,
        _ => Date::new(year, month + 1, 1)?,
    };
    Some((first, next.to_days() - 1))
}

fn year_number(word: &str) -> Option<i64> {
    let year = word.parse().ok().filter(|_| word.len() == 4)?;
    (1970..=2100).contains(&year).then_some(year)
}

/// `4`, `4th`.
fn day_number(word: &str) -> Option<u32> {
    let bare = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_ordinal = matches!(&word[bare.len()..], "" | "st" | "nd" | "rd" | "th");
    let day = bare.parse().ok().filter(|_| is_ordinal)?;
    (1..=31).contains(&day).then_some(day)
}

const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

fn number(word: &str) -> Option<f64> {
    let spelled = NUMBERS.iter().position(|number| *number == word);
    let digits = word.parse::<u16>().ok().map(f64::from);
    let few = (word == "few").then_some(3.0);
    spelled.map(|place| place as f64 + 1.0).or(digits).or(few)
}

/// Days of a unit; months and quarters by their mean length, as the source has them.
fn unit_days(word: &str) -> Option<f64> {
    let one = word.strip_suffix('s').unwrap_or(word);
    let days = [
        ("day", 1.0),
        ("week", 7.0),
        ("month", 30.437),
        ("quarter", 91.25),
        ("year", 365.0),
    ];
    days.iter()
        .find(|(unit, _)| *unit == one)
        .map(|unit| unit.1)
}

/// Words before the name of a place to look at.
const PLACES: [&str; 8] = [
    "in", "on", "from", "via", "within", "across", "through", "search",
];

/// Reads where a question wants to look: known kinds of source named as places, joined by commas, `and` or `or`. Fewer than
/// two known ones leave nothing to choose.
pub fn sources(text: &str, known: &[String], guessed: &mut Guessed) {
    if known.len() < 2 {
        return;
    }
    let words = words(text);
    let at = |i: usize| words.get(i).map_or("", |word| word.text.as_str());
    let is_article = |i: usize| matches!(at(i), "the" | "our" | "my");
    let is_known = |i: usize| known.iter().any(|source| source == at(i));
    let mut next = 0;
    while next < words.len() {
        let start = next;
        next += 1;
        if !PLACES.contains(&at(start)) {
            continue;
        }
        let mut place = start + 1;
        place += usize::from(is_article(place));
        let mut last = None;
        while is_known(place) {
            let source = at(place).to_owned();
            if !guessed.sources.contains(&source) {
                guessed.sources.push(source);
            }
            last = Some(place);
            place += 1;
            let other = place + usize::from(matches!(at(place), "and" | "or"));
            let other = other + usize::from(is_article(other));
            if is_known(other) {
                place = other;
            }
        }
        if let Some(last) = last {
            guessed.say(text, words[start].from, words[last].to);
            next = last + 1;
        }
    }
}

/// The periods as a filter has them: of creation and of change. The source asks of a change in a period only that the
/// document was made before its end; where no page says when it was made, every page would then pass.
pub fn as_filters(guessed: &Guessed) -> (TimeRange, TimeRange) {
    let range = |period: Option<(Option<i64>, Option<i64>)>| {
        let (first, last) = period.unwrap_or_default();
        TimeRange(first, last)
    };
    (range(guessed.created), range(guessed.updated))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-11, a Wednesday, 18:00 UTC.
    const CLOCK: Clock = Clock {
        now: 1_773_252_000,
        ahead: 0,
    };

    fn day(year: i64, month: u32, day: u32) -> i64 {
        let date = Date::new(year, month, day).expect("a date");
        date.to_days() * DAY_SECONDS
    }

    fn of(text: &str) -> Guessed {
        let mut guessed = Guessed::default();
        period(text, CLOCK, &mut guessed);
        guessed
    }

    #[test]
    fn periods_are_read_with_their_words() {
        let (y, m) = (day(2026, 1, 1), day(2025, 3, 1));
        let cases = [
            (
                "refunds last week",
                "last week",
                Some(day(2026, 3, 4)),
                None,
            ),
            (
                "refunds in the past 3 days",
                "in the past 3 days",
                Some(day(2026, 3, 8)),
                None,
            ),
            (
                "what changed this month?",
                "changed this month",
                Some(day(2026, 3, 1)),
                None,
            ),
            (
                "updated this week",
                "updated this week",
                Some(day(2026, 3, 9)),
                None,
            ),
            (
                "since March 2025 refunds",
                "since March 2025",
                Some(m),
                None,
            ),
            ("in 2025", "in 2025", Some(day(2025, 1, 1)), Some(y - 1)),
            (
                "on 4 March 2025",
                "on 4 March 2025",
                Some(day(2025, 3, 4)),
                Some(day(2025, 3, 5) - 1),
            ),
            (
                "on March 4th",
                "on March 4th",
                Some(day(2026, 3, 4)),
                Some(day(2026, 3, 5) - 1),
            ),
            ("before 2025-03", "before 2025-03", None, Some(m - 1)),
            (
                "after 2025-03-04",
                "after 2025-03-04",
                Some(day(2025, 3, 5)),
                None,
            ),
            (
                "between 2025 and today",
                "between 2025 and today",
                Some(day(2025, 1, 1)),
                None,
            ),
            (
                "yesterday's notes",
                "yesterday",
                Some(day(2026, 3, 10)),
                Some(day(2026, 3, 11) - 1),
            ),
            ("since May", "since May", Some(day(2025, 5, 1)), None),
        ];
        for (text, words, first, last) in cases {
            let guessed = of(text);
            assert_eq!(guessed.updated, Some((first, last)), "{text}");
            assert_eq!(guessed.words, [words], "{text}");
        }
        let created = of("notes written last year");
        assert_eq!(created.created, Some((Some(day(2025, 3, 11)), None)));
        let chinese = of("请问上周的退款");
        assert_eq!(chinese.updated, Some((Some(day(2026, 3, 4)), None)));
        assert_eq!(chinese.words, ["上周"]);
    }

    #[test]
    fn what_is_no_period_or_lies_ahead_says_nothing() {
        for text in [
            "the last of the refunds",
            "refunds in the shop",
            "since 2031",
            "until today",
            "may I ask",
            "version 2025",
            "before",
            "in 2025-13",
        ] {
            assert!(of(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_callers_day_counts() {
        let mut guessed = Guessed::default();
        let late = Clock {
            ahead: 8 * 3600,
            ..CLOCK
        };
        period("today", late, &mut guessed);
        assert_eq!(
            guessed.updated,
            Some((Some(day(2026, 3, 12) - 8 * 3600), None))
        );
    }

    #[test]
    fn sources_count_where_they_are_places() {
        let known = ["slack", "wiki", "web"].map(str::to_owned);
        let of = |text: &str, known: &[String]| {
            let mut guessed = Guessed::default();
            sources(text, known, &mut guessed);
            (guessed.sources, guessed.words)
        };
        let (found, words) = of("refunds in Slack and the wiki", &known);
        assert_eq!(found, ["slack", "wiki"]);
        assert_eq!(words, ["in Slack and the wiki"]);
        let (found, words) = of("refunds from our slack or wiki, please", &known);
        assert_eq!(found, ["slack", "wiki"]);
        assert_eq!(words, ["from our slack or wiki"]);
        assert!(of("how to install slack", &known).0.is_empty());
        assert!(of("refunds in jira", &known).0.is_empty());
        assert!(
            of("refunds in slack", &known[..1]).0.is_empty(),
            "nothing to choose"
        );
    }
}
