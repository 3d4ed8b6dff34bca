//! Time bounds of a request, and ISO 8601 in both directions, in plain integers.
//!
//! Instants are milliseconds since 1970 UTC. The clock is an argument. Source: OpenViking specification §2.4.

use crate::base::civil::{DAY_SECONDS, Date};
use crate::base::error::{Error, ErrorKind, Result};

const DAY_MS: i64 = DAY_SECONDS * 1000;

/// The instants that ISO 8601 writes with four-digit years: 0001-01-01 to 9999-12-31.
const FIRST_MS: i64 = -62_135_596_800_000;
const LAST_MS: i64 = 253_402_300_799_999;

/// The end of a period that a bound is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// `since`: a bare date means its first millisecond.
    Lower,
    /// `until`: a bare date means its last millisecond.
    Upper,
}

/// A period, both ends inclusive, in milliseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// First millisecond; `None` is open.
    pub since: Option<i64>,
    /// Last millisecond; `None` is open.
    pub until: Option<i64>,
}

impl Period {
    /// Reads `since` and `until` of a request.
    ///
    /// Errors: `INVALID_ARGUMENT` when a bound has no known form, or the period is empty.
    pub fn parse(since: Option<&str>, until: Option<&str>, now_ms: i64) -> Result<Self> {
        let since = since
            .map(|text| parse_bound("since", text, Edge::Lower, now_ms))
            .transpose()?;
        let until = until
            .map(|text| parse_bound("until", text, Edge::Upper, now_ms))
            .transpose()?;
        if let (Some(first), Some(last)) = (since, until)
            && first > last
        {
            let message = "since must be earlier than or equal to until";
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        Ok(Self { since, until })
    }
}

/// Reads one bound: `2h` (before now; s, m, h, d, w), `2026-03-11`, or an ISO 8601 instant.
///
/// `name` is what an error calls it. Errors: `INVALID_ARGUMENT`.
pub fn parse_bound(name: &str, text: &str, edge: Edge, now_ms: i64) -> Result<i64> {
    let text = text.trim();
    let instant = relative(text, now_ms).or_else(|| {
        let end_of_day = matches!(edge, Edge::Upper) && text.len() == "YYYY-MM-DD".len();
        parse_instant(text).map(|ms| if end_of_day { ms + DAY_MS - 1 } else { ms })
    });
    instant.ok_or_else(|| {
        let message = format!(
            "{name} `{text}` is not a time: write 2h, 7d, 2026-03-11 or 2026-03-11T18:00:00Z"
        );
        Error::new(ErrorKind::InvalidArgument, message)
    })
}

fn relative(text: &str, now_ms: i64) -> Option<i64> {
    let unit_ms = match text.as_bytes().last()? {
        b's' => 1000,
        b'm' => 60_000,
        b'h' => 3_600_000,
        b'd' => DAY_MS,
        b'w' => 7 * DAY_MS,
        _ => return None,
    };
    let count = digits(&text[..text.len() - 1])?;
    let instant = now_ms.checked_sub(count.checked_mul(unit_ms)?)?;
    (FIRST_MS..=LAST_MS).contains(&instant).then_some(instant)
}

/// Reads an ISO 8601 date or instant. Without an offset it is UTC; a date alone is its midnight.
///
/// Fractions beyond the millisecond are cut off. `None` when it is neither, or there is no such moment.
pub fn parse_instant(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let (year, month_day) = date.split_at_checked(4)?;
    let (month, day) = month_day.strip_prefix('-')?.split_once('-')?;
    let date = Date::new(
        fixed(year, 4)?,
        fixed(month, 2)? as u32,
        fixed(day, 2)? as u32,
    )?;
    let midnight = date.to_days() * DAY_MS;
    let instant = match rest {
        "" => midnight,
        _ => midnight + clock_ms(rest.strip_prefix(['T', 't', ' '])?)?,
    };
    (FIRST_MS..=LAST_MS).contains(&instant).then_some(instant)
}

/// `18:00[:00[.123456]][Z|±hh[[:]mm]]` as milliseconds after midnight UTC.
fn clock_ms(text: &str) -> Option<i64> {
    let (clock, offset_ms) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => (&text[..at], offset_ms(&text[at..])?),
        None => (text, 0),
    };
    let (clock, fraction) = clock
        .split_once(['.', ','])
        .map_or((clock, None), |(clock, f)| (clock, Some(f)));
    let mut parts = clock.split(':');
    let hour = fixed(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = fixed(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = match parts.next() {
        Some(second) => fixed(second, 2).filter(|second| *second < 60)?,
        None if fraction.is_none() => 0,
        None => return None,
    };
    if parts.next().is_some() {
        return None;
    }
    let millis = match fraction {
        None => 0,
        Some(f) => {
            let all_digits = f.bytes().all(|byte| byte.is_ascii_digit());
            let kept = all_digits.then(|| &f[..f.len().min(3)])?;
            digits(kept)? * [0, 100, 10, 1][kept.len()]
        }
    };
    Some(((hour * 60 + minute) * 60 + second) * 1000 + millis - offset_ms)
}

fn offset_ms(text: &str) -> Option<i64> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, digits) = if let Some(rest) = text.strip_prefix('+') {
        (1, rest)
    } else {
        (-1, &text[1..])
    };
    let (hours, minutes) = digits.split_at_checked(2)?;
    let minutes = minutes.strip_prefix(':').unwrap_or(minutes);
    let minutes = if digits.len() == 2 {
        0
    } else {
        fixed(minutes, 2).filter(|minutes| *minutes < 60)?
    };
    let hours = fixed(hours, 2).filter(|hours| *hours < 24)?;
    Some(sign * (hours * 60 + minutes) * 60_000)
}

/// The instant as ISO 8601 in UTC with milliseconds: `2026-03-11T16:00:00.000Z`.
///
/// Instants outside the years 1 to 9999 are written as the nearest one inside.
pub fn format_ms(instant_ms: i64) -> String {
    let instant = instant_ms.clamp(FIRST_MS, LAST_MS);
    let Date { year, month, day } = Date::from_days(instant.div_euclid(DAY_MS));
    let ms = instant.rem_euclid(DAY_MS);
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z",
        ms % 1000
    )
}

/// A number of ASCII digits only: no sign, no other script's digits.
fn digits(text: &str) -> Option<i64> {
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| text.parse().ok())?
}

fn fixed(text: &str, length: usize) -> Option<i64> {
    digits(text).filter(|_| text.len() == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-11T18:00Z, the reference moment of the specification.
    fn now() -> i64 {
        parse_instant("2026-03-11T18:00Z").expect("an instant")
    }

    fn since(text: &str) -> Option<String> {
        parse_bound("since", text, Edge::Lower, now())
            .ok()
            .map(format_ms)
    }

    fn until(text: &str) -> Option<String> {
        parse_bound("until", text, Edge::Upper, now())
            .ok()
            .map(format_ms)
    }

    #[test]
    fn relative_bounds_lie_in_the_past_at_both_edges() {
        assert_eq!(since("2h").as_deref(), Some("2026-03-11T16:00:00.000Z"));
        assert_eq!(until("2h").as_deref(), Some("2026-03-11T16:00:00.000Z"));
        assert_eq!(since("90s").as_deref(), Some("2026-03-11T17:58:30.000Z"));
        assert_eq!(since("5m").as_deref(), Some("2026-03-11T17:55:00.000Z"));
        assert_eq!(since("11d").as_deref(), Some("2026-02-28T18:00:00.000Z"));
        assert_eq!(since("1w").as_deref(), Some("2026-03-04T18:00:00.000Z"));
    }

    #[test]
    fn a_date_covers_its_whole_day() {
        assert_eq!(
            since("2026-03-11").as_deref(),
            Some("2026-03-11T00:00:00.000Z")
        );
        assert_eq!(
            until("2026-03-11").as_deref(),
            Some("2026-03-11T23:59:59.999Z")
        );
        assert!(Period::parse(Some("2026-03-11"), Some("2026-03-11"), now()).is_ok());
    }

    #[test]
    fn iso_instants_with_offsets_and_fractions() {
        for (text, expected) in [
            ("2026-03-11T18:00:00Z", "2026-03-11T18:00:00.000Z"),
            ("2026-03-11 18:00", "2026-03-11T18:00:00.000Z"),
            ("2026-03-11T18:00:00.1234567891", "2026-03-11T18:00:00.123Z"),
            ("2026-03-11T18:00:00,5", "2026-03-11T18:00:00.500Z"),
            ("2026-03-11T18:00:00+02:00", "2026-03-11T16:00:00.000Z"),
            ("2026-03-11T01:00:00+0530", "2026-03-10T19:30:00.000Z"),
            ("2026-12-31T23:00:00-08", "2027-01-01T07:00:00.000Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(since(text).as_deref(), Some(expected), "{text}");
            assert_eq!(until(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "h",
            "2",
            "2H",
            "2y",
            "1.5h",
            "-2h",
            "２h",
            "2026-02-30",
            "2026-3-1",
            "2026-03-11T",
            "2026-03-11T25:00",
            "2026-03-11T18",
            "2026-03-11T18:00:60",
            "2026-03-11T18:00.5",
            "2026-03-11T18:00:00.",
            "2026-03-11T18:00:00.x",
            "2026-03-11T18:00+2",
            "2026-03-11T18:00+25:00",
            "2026-03-11T18:00Zx",
            "yesterday",
            "99999999999999999999d",
            "9223372036854775807w",
            "3000000d",
            "日本日本日本",
            "0001-01-01T00:00+01:00",
        ] {
            assert_eq!(since(text), None, "{text}");
        }
    }

    #[test]
    fn an_empty_period_is_refused() {
        let error =
            Period::parse(Some("2026-03-12"), Some("2026-03-11"), now()).expect_err("inverted");
        assert_eq!(error.code(), "INVALID_ARGUMENT");
        assert_eq!(
            error.message(),
            "since must be earlier than or equal to until"
        );
        let error = Period::parse(None, Some("soon"), now()).expect_err("no time");
        assert!(error.message().starts_with("until `soon`"));
    }
}
