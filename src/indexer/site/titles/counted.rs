//! Titles that say which part of a book a page is, and not what it is about: `XXXI` above the heading "XXXI. The Sea", and
//! `Reference Section 3` above "3.3 Tides".

use super::super::super::document::Document;
use super::super::super::sections::absorb_title;
use super::super::is_page;
use super::super::numbered::behind_section_number;

const MIN_COUNTED: usize = 3; // Pages with numerals as titles; else one may name a thing, `X`.
const UNITS: [&str; 4] = ["Chapter", "Appendix", "Part", "Section"];

/// True if several pages are called by a numeral.
pub(super) fn are_counted(documents: &[Document]) -> bool {
    let counted = documents.iter().filter(|d| is_page(d));
    counted.filter(|d| is_numeral(&d.title)).count() >= MIN_COUNTED
}

/// Calls a page by its first heading where its title counts it only. The numeral stays among the keywords.
pub(super) fn name_by_heading(document: &mut Document, are_counted: bool) {
    let mut headings = document.sections.iter().map(|s| s.heading.as_str());
    let Some(heading) = headings.find(|heading| !heading.is_empty()) else {
        return;
    };
    let title = document.title.as_str();
    let named = match are_counted && is_numeral(title) {
        true => Some((title, behind_numeral(heading, title).unwrap_or(heading)))
            .filter(|(title, rest)| title != rest),
        false => behind_section_number(heading).filter(|(number, _)| counts(title, number)),
    };
    let Some((number, rest)) = named else {
        return;
    };
    let (heading, number, rest) = (heading.to_owned(), number.to_owned(), rest.to_owned());
    absorb_title(&mut document.sections, &heading);
    document.title = rest;
    if !document.keywords.contains(&number) {
        document.keywords.push(number);
    }
}

/// True for `31` and `XXXI`.
fn is_numeral(title: &str) -> bool {
    let all = |is: fn(u8) -> bool| !title.is_empty() && title.bytes().all(is);
    title.len() <= 8
        && (all(|byte| byte.is_ascii_digit()) || all(|byte| b"IVXLCDM".contains(&byte)))
}

/// The words of a heading behind the numeral that the title is, and a sign.
fn behind_numeral<'h>(heading: &'h str, numeral: &str) -> Option<&'h str> {
    let rest = heading.strip_prefix(numeral)?;
    let is_apart = rest.starts_with(|c: char| !c.is_alphanumeric());
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !"«\"“‘¿¡".contains(c));
    (is_apart && rest.contains(char::is_alphabetic)).then_some(rest)
}

/// True for a title that ends with a unit of a book and the last part of the `number` of a section: `Tutorial Section 3`
/// above 2.3.
fn counts(title: &str, number: &str) -> bool {
    let last = number.rsplit('.').next();
    let Some((before, count)) = title.rsplit_once(' ') else {
        return false;
    };
    let unit = before.rsplit(' ').next();
    last == Some(count) && unit.is_some_and(|unit| UNITS.contains(&unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(title: &str, heading: &str, is_counted: bool) -> (String, Vec<String>) {
        let mut document = Document::new("a.html", title, "").section(heading, "x", "Text.");
        document.sections.remove(0);
        name_by_heading(&mut document, is_counted);
        (document.title, document.keywords)
    }

    #[test]
    fn a_page_that_its_title_counts_is_called_by_its_heading() {
        let (title, keywords) = called("XXXI", "XXXI. The Sea", true);
        assert_eq!((title.as_str(), keywords), ("The Sea", vec!["XXXI".into()]));
        assert_eq!(called("3", "3 — «The Sea»", true).0, "«The Sea»");
        assert_eq!(called("I", "Introduction", true).0, "Introduction");
        let (title, keywords) = called("Tutorial Section 3", "2.3 The Sea", false);
        assert_eq!((title.as_str(), keywords), ("The Sea", vec!["2.3".into()]));
        for (title, heading) in [
            ("X", "X"),
            ("Section 3", "2.4 The Sea"),
            ("Release 3", "2.3 The Sea"),
            ("Tutorial", "2.3 The Sea"),
        ] {
            assert_eq!(called(title, heading, true).0, title, "{heading}");
        }
        assert_eq!(called("X", "X. The Sea", false).0, "X");
    }
}
