//! Calendar dates in plain integers, so that no date library has to travel to the browser.
//!
//! Days are counted from 1970-01-01 in the proleptic Gregorian calendar. The era arithmetic is the widely published
//! "days from civil" method: years start in March, so that the leap day is the last day of a year.

/// Seconds of a day.
pub const DAY_SECONDS: i64 = 86_400;

const ERA_DAYS: i64 = 146_097; // Days of 400 years; the calendar repeats after them.

/// Months in English, in lower case.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The number of a month, 1–12, by its English name in lower case, whole or of three letters.
pub fn month_by_name(word: &str) -> Option<u32> {
    let is_it = |month: &str| month == word || (word.len() == 3 && month.starts_with(word));
    let place = MONTHS.iter().position(|month| is_it(month))?;
    Some(place as u32 + 1)
}

/// A calendar date. `month` is 1–12, `day` 1–31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Year; 0 is 1 BC.
    pub year: i64,
    /// Month, 1–12.
    pub month: u32,
    /// Day of the month, 1–31.
    pub day: u32,
}

impl Date {
    /// The date, or `None` when there is no such day (30 February).
    pub fn new(year: i64, month: u32, day: u32) -> Option<Self> {
        let date = Self { year, month, day };
        let valid = (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month);
        valid.then_some(date)
    }

    /// The date `days` after 1970-01-01.
    pub fn from_days(days: i64) -> Self {
        let shifted = days + 719_468; // Days from 0000-03-01 to 1970-01-01.
        let era = shifted.div_euclid(ERA_DAYS);
        let day_of_era = shifted.rem_euclid(ERA_DAYS);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153; // 0 is March.
        let day = (day_of_year - (153 * march_month + 2) / 5 + 1) as u32;
        let month = if march_month < 10 {
            march_month + 3
        } else {
            march_month - 9
        } as u32;
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self { year, month, day }
    }

    /// Days since 1970-01-01.
    pub fn to_days(self) -> i64 {
        let year = if self.month <= 2 {
            self.year - 1
        } else {
            self.year
        };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let march_month = i64::from((self.month + 9) % 12);
        let day_of_year = (153 * march_month + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * ERA_DAYS + day_of_era - 719_468
    }

    /// ISO 8601 week: the year the week belongs to, and its number 1–53.
    pub fn iso_week(self) -> (i64, u32) {
        let days = self.to_days();
        let weekday = (days + 3).rem_euclid(7); // 0 is Monday; 1970-01-01 was a Thursday.
        // A week belongs to the year of its Thursday.
        let thursday = days - weekday + 3;
        let year = Self::from_days(thursday).year;
        let new_year = Self {
            year,
            month: 1,
            day: 1,
        }
        .to_days();
        (year, ((thursday - new_year) / 7 + 1) as u32)
    }
}

fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i64, month: u32, day: u32) -> Date {
        Date::new(year, month, day).expect("a real date")
    }

    #[test]
    fn known_days() {
        assert_eq!(date(1970, 1, 1).to_days(), 0);
        assert_eq!(date(1969, 12, 31).to_days(), -1);
        assert_eq!(date(2000, 3, 1).to_days(), 11_017);
        assert_eq!(Date::from_days(20_580), date(2026, 5, 7));
    }

    #[test]
    fn every_day_of_eight_centuries_follows_the_day_before() {
        let mut expected = date(1600, 1, 1);
        for days in expected.to_days()..date(2400, 1, 1).to_days() {
            assert_eq!(Date::from_days(days), expected);
            assert_eq!(expected.to_days(), days);
            let Date { year, month, day } = expected;
            expected = Date::new(year, month, day + 1)
                .or_else(|| Date::new(year, month + 1, 1))
                .unwrap_or(Date {
                    year: year + 1,
                    month: 1,
                    day: 1,
                });
        }
        assert_eq!(Date::new(1900, 2, 29), None);
        assert_eq!(Date::new(2026, 13, 1), None);
        assert_eq!(Date::new(2026, 4, 0), None);
    }

    #[test]
    fn iso_weeks_at_the_turn_of_the_year() {
        assert_eq!(date(2026, 5, 7).iso_week(), (2026, 19));
        assert_eq!(date(2021, 1, 3).iso_week(), (2020, 53));
        assert_eq!(date(2024, 12, 30).iso_week(), (2025, 1));
        assert_eq!(date(2018, 1, 1).iso_week(), (2018, 1));
    }
}
