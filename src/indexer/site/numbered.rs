//! Numbers of sections and chapters in the titles of a book.

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

/// Title behind the unit of a book, `21. Tools` of `Chapter 21. Tools`; and whether there is one.
fn without_unit(title: &str) -> (&str, bool) {
    const UNITS: [&str; 4] = ["Chapter ", "Appendix ", "Part ", "Section "];
    let bare = UNITS.iter().find_map(|unit| title.strip_prefix(unit));
    (bare.unwrap_or(title), bare.is_some())
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

/// True for `1. Overview` and `2.3 Examples`.
pub(super) fn is_numbered(heading: &str) -> bool {
    let number = heading.split(' ').next().unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.contains('.')
        && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

#[cfg(test)]
mod tests {
    use super::is_bare_number;

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
