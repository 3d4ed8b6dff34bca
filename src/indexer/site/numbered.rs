//! Numbers of sections and chapters in the titles of a book.

use super::super::document::Document;
use super::super::prose::same_words;
use super::super::sections::absorb_title;

/// True for `Section A.24`, which says where a page stands in its book and not what it is about.
pub(super) fn is_bare_number(title: &str) -> bool {
    let (number, has_unit) = without_unit(title);
    let mut parts = number.split('.');
    has_unit && parts.all(is_count)
}

/// True for `24`, `A` and `VII`.
fn is_count(part: &str) -> bool {
    let all = |is: fn(&u8) -> bool| part.bytes().all(|byte| is(&byte));
    match part.len() {
        0 => false,
        1 => all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase()),
        _ => all(u8::is_ascii_digit) || all(|byte| b"IVX".contains(byte)),
    }
}

/// Chapters, appendices, parts and sections as DocBook writes them in other languages.
#[rustfmt::skip]
const UNITS: [&str; 45] = [
    "Abschnitt", "Anexa", "Anexo", "Anhang", "Annexe", "Apèndix", "Apéndice", "Apêndice", "Appendice", "Appendiks", "Bijlage",
    "Bilag", "Bilaga", "Bölüm", "Capitolo", "Capitolul", "Capítol", "Capítulo", "Chapitre", "Deel", "Del", "Dodatek",
    "Hoofdstuk", "Kapitel", "Kapitola", "Kapittel", "Liite", "Luku", "Osa", "Parte", "Partea", "Partie", "Příloha", "Rozdział",
    "Teil", "Tillegg", "Vedlegg", "Κεφάλαιο", "Παράρτημα", "Глава", "Додаток", "Приложение", "Розділ", "Часть", "부록",
];

/// Title behind the unit of a book, `21. Tools` of `Chapter 21. Tools`; and whether there is one.
fn without_unit(title: &str) -> (&str, bool) {
    const ENGLISH: [&str; 4] = ["Chapter", "Appendix", "Part", "Section"];
    let Some((unit, bare)) = title.split_once([' ', '\u{a0}']) else {
        return (title, false);
    };
    // Without a sign behind its number, a word of a language that few of us read may be the beginning of a sentence.
    let is_apart = |bare: &str| {
        let number = bare.split([' ', '\u{a0}']).next();
        number.is_some_and(|number| number.ends_with(['.', ':']))
    };
    let has_unit = ENGLISH.contains(&unit) || UNITS.contains(&unit) && is_apart(bare);
    (if has_unit { bare } else { title }, has_unit)
}

/// The number of a section, and the title behind it. A number that begins with 0 names a record, and one of more than
/// three digits is a year.
pub(super) fn behind_section_number(title: &str) -> Option<(&str, &str)> {
    let (bare, has_unit) = without_unit(title);
    let (number, rest) = bare.split_once([' ', '\u{a0}'])?;
    let rest = rest.trim_start();
    let mut parts = number.trim_end_matches(['.', ':']).split('.');
    let is_digits = |part: &str| {
        (1..=3).contains(&part.len())
            && !part.starts_with('0')
            && part.bytes().all(|b| b.is_ascii_digit())
    };
    let first = parts.next()?;
    let is_letter = first.len() == 1 && first.starts_with(|c: char| c.is_ascii_uppercase());
    let is_first = is_digits(first) || is_letter && (has_unit || number.len() > 1);
    let is_number = is_first && parts.all(is_digits) && rest.contains(char::is_alphabetic);
    is_number.then(|| (number.trim_end_matches(['.', ':']), rest))
}

/// Folds the first heading into the text before it where it says the title with a number in front, `3.2 Tides` below the
/// title "Tides", or without the number of the title. One that the title lacks stays among the keywords.
pub(super) fn absorb_numbered(document: &mut Document) {
    // The site's name may stand above the heading of a page.
    const MAX_HEADINGS: usize = 2;
    let first_h1 = document.sections.iter().find(|s| s.level == 1);
    let headed = document.sections.iter().filter(|s| !s.heading.is_empty());
    let title = document.title.as_str();
    fn behind(text: &str) -> &str {
        behind_section_number(text).map_or(text, |(_, rest)| rest)
    }
    let is_title = |heading: &&String| {
        !same_words(heading, title) && same_words(behind(heading), behind(title))
    };
    let mut headings = first_h1.into_iter().chain(headed.take(MAX_HEADINGS));
    let heading = headings.find_map(|s| Some(&s.heading).filter(is_title));
    let Some(heading) = heading.cloned() else {
        return;
    };
    let of_heading = behind_section_number(&heading);
    if let Some((number, _)) = of_heading
        && !document.keywords.iter().any(|keyword| keyword == number)
    {
        document.keywords.push(number.to_owned());
    }
    absorb_title(&mut document.sections, &heading);
}

/// True for `1. Overview` and `2.3 Examples`.
pub(super) fn is_numbered(heading: &str) -> bool {
    let number = heading.split(' ').next().unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.contains('.')
        && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

#[cfg(test)]
mod tests {
    use super::{Document, absorb_numbered, behind_section_number, is_bare_number};

    #[test]
    fn units_of_other_languages_stand_before_a_number_and_a_sign() {
        for (title, want) in [
            ("Kapitel 6. Häfen", Some(("6", "Häfen"))),
            ("Annexe\u{a0}C. Le port", Some(("C", "Le port"))),
            ("Приложение A.\u{a0}Гавань", Some(("A", "Гавань"))),
            ("부록 A. 항구", Some(("A", "항구"))),
            ("Chapter 6 Harbours", Some(("6", "Harbours"))),
            ("Teil 2 der Reise", None),
            ("Parte A del puerto", None),
            ("Kapitel", None),
        ] {
            assert_eq!(behind_section_number(title), want, "{title}");
        }
    }

    #[test]
    fn a_heading_that_says_the_title_behind_a_number_is_no_section() {
        for (title, heading, is_same, keywords) in [
            ("Tides", "3.2 Tides", true, vec!["3.2"]),
            ("Tides", "Chapter 3. Tides", true, vec!["3"]),
            ("3.2 Tides", "Tides", true, vec![]),
            ("3.2 Tides", "3.3 Tides", true, vec!["3.3"]),
            ("Tides", "3.2 Moons", false, vec![]),
            ("Tides", "2020 Tides", false, vec![]),
        ] {
            let mut document = Document::new("a.html", title, "").section(heading, "x", "Text.");
            document.sections.remove(0);
            absorb_numbered(&mut document);
            assert_eq!(
                document.sections[0].heading.is_empty(),
                is_same,
                "{heading}"
            );
            assert_eq!(document.sections[0].text, "Text.");
            assert_eq!(document.keywords, keywords, "{heading}");
        }
    }

    #[test]
    fn a_unit_and_its_number_are_no_title() {
        for bare in ["Section A.24", "Chapter 3", "Part VII", "Appendix B"] {
            assert!(is_bare_number(bare), "{bare}");
        }
        for title in [
            "Part CSS",
            "Section API",
            "Chapter 3. Tools",
            "Part ",
            "A.24",
            "Part one",
        ] {
            assert!(!is_bare_number(title), "{title}");
        }
    }
}
