//! Codes and tags of languages, and the guess of what a text is in.

use super::super::document::Document;
use super::super::prepare::two_letters;
use super::super::prose::listed;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Letters that a text needs before its language is guessed.
const MIN_LETTERS: usize = 300;

/// True for a path segment that can be the code of a language: `de`, `pt-br`, `zh_hans`.
pub(super) fn is_code(segment: &str) -> bool {
    let (language, rest) = match segment.split_once(['-', '_']) {
        Some((language, rest)) => (language, Some(rest)),
        None => (segment, None),
    };
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| listed(CODES));
    let is_language = KNOWN.contains(language);
    let is_region = |rest: &str| {
        (matches!(rest.len(), 2 | 3) && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
            || matches!(rest, "hans" | "hant" | "latn" | "cyrl" | "419")
    };
    is_language && rest.is_none_or(is_region)
}

/// Languages that documentation is translated to (ISO 639-1).
const CODES: &str = "af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it \
    ja ka kk km kn ko ku ky lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr uk \
    ur uz vi yo zh";

/// A language tag as it is compared: lower case, parts joined by `-`.
pub(super) fn tag_of(tag: &str) -> String {
    tag.trim().replace('_', "-").to_ascii_lowercase()
}

/// A tag without its region.
pub(super) fn primary(tag: &str) -> &str {
    tag.split('-').next().unwrap_or(tag)
}

/// The language of a text that is long enough and sure.
pub(super) fn guessed(document: &Document) -> Option<&'static str> {
    let sections = document.text();
    let texts = sections.iter().flat_map(|s| s.text.lines());
    let mut sample = String::new();
    for line in texts {
        sample.push_str(line);
        sample.push(' ');
        if sample.len() > 4_000 {
            break;
        }
    }
    let letters = sample.chars().filter(|c| c.is_alphabetic()).count();
    if letters < MIN_LETTERS {
        return None;
    }
    let info = whatlang::detect(&sample).filter(whatlang::Info::is_reliable)?;
    Some(two_letters(info.lang()))
}

#[cfg(test)]
mod tests {
    use super::is_code;

    #[test]
    fn codes_of_languages_are_told_from_words() {
        for code in ["de", "pt-br", "zh_hans", "zh-cn", "es-419"] {
            assert!(is_code(code), "{code}");
        }
        for word in ["docs", "api", "v2", "go", "de-luxe", "a", "cpp"] {
            assert!(!is_code(word), "{word}");
        }
    }
}
