//! Dates as authors write them, to seconds since 1970 UTC. A date without a zone is midnight UTC.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Seconds since 1970 UTC of a written date, or `None` when it is not one.
///
/// Read are: ISO 8601 and RFC 3339 with or without time and zone, RFC 2822, `2024/5/1`, `05/01/2024` (month first, unless
/// only day first can be right), `1.5.2024`, `May 1, 2024`, `1 May 2024`.
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim().trim_matches(['"', '\'']);
    if text.len() < 8 || text.len() > 64 {
        return None;
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp.as_second());
    }
    if let Ok(zoned) = text.parse::<Zoned>() {
        return Some(zoned.timestamp().as_second());
    }
    if let Ok(date_time) = text.parse::<DateTime>() {
        return seconds(date_time);
    }
    if let Ok(zoned) = jiff::fmt::rfc2822::parse(text) {
        return Some(zoned.timestamp().as_second());
    }
    for format in [
        "%Y-%m-%d %H:%M:%S %z",
        "%Y-%m-%d %H:%M %z",
        "%Y-%m-%dT%H:%M:%S%z",
    ] {
        if let Ok(zoned) = Zoned::strptime(format, text) {
            return Some(zoned.timestamp().as_second());
        }
    }
    if let Ok(date_time) = DateTime::strptime("%Y-%m-%d %H:%M", text) {
        return seconds(date_time);
    }
    let date = numeric(text).or_else(|| {
        let formats = ["%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y"];
        formats
            .iter()
            .find_map(|format| Date::strptime(format, text).ok())
    })?;
    seconds(date.to_datetime(Time::midnight()))
}

fn seconds(date_time: DateTime) -> Option<i64> {
    date_time
        .to_zoned(TimeZone::UTC)
        .ok()
        .map(|zoned| zoned.timestamp().as_second())
}

fn numeric(text: &str) -> Option<Date> {
    let text = text.split([' ', 'T']).next().unwrap_or(text);
    let separator = ['-', '/', '.']
        .into_iter()
        .find(|&c| text.matches(c).count() == 2)?;
    let mut parts = text.split(separator).map(|part| part.parse::<i16>().ok());
    let (first, second, third) = (parts.next()??, parts.next()??, parts.next()??);
    let (year, month, day) = match separator {
        _ if first > 31 => (first, second, third),
        '/' if first <= 12 => (third, first, second),
        _ => (third, second, first),
    };
    if year < 1000 {
        return None;
    }
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_authors_write_them() {
        let may = 1_714_521_600; // 2024-05-01T00:00:00Z
        for text in [
            "2024-05-01",
            "2024/05/01",
            "2024/5/1",
            "05/01/2024",
            "1.5.2024",
            "May 1, 2024",
            "1 May 2024",
            "2024-05-01T00:00:00Z",
            "2024-05-01T02:00:00+02:00",
            "2024-05-01 02:00:00 +0200",
            "2024-05-01 00:00:00",
            "2024-05-01 00:00",
            "Wed, 1 May 2024 00:00:00 +0000",
            "\"2024-05-01\"",
            "2024-05-01T00:00:00.500Z",
        ] {
            assert_eq!(parse(text), Some(may), "{text}");
        }
        assert_eq!(parse("13/05/2024"), parse("2024-05-13"));
        assert_eq!(parse("11/04/2016"), parse("2016-11-04"));
        for text in [
            "",
            "soon",
            "2024",
            "99/99/2024",
            "2024-13-01",
            "1.2.3.4.5",
            "02/30/2024",
            "version 1.2.3",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
