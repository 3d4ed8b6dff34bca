//! Telling prose from code and labels, and words from signs.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that an admonition begins with, in the languages that documentation is most written in.
const LABELS: &str = "attention aviso advertencia advertência achtung atenção atención avertissement avvertenza \
    attenzione caution danger disclaimer hinweis important importante info information nota note notice remarque tip \
    warning warnung wichtig uwaga внимание предупреждение примечание 警告 注意 注 注記 提示 备注 備考 경고 주의 참고 알림";

/// True if two texts have the same letters and digits in the same order, whatever their case and punctuation.
pub(crate) fn same_words(a: &str, b: &str) -> bool {
    let (a, b) = (letters(a), letters(b));
    !a.is_empty() && a == b
}

/// The letters and digits of a text, in lower case: what [`same_words`] compares.
pub(crate) fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// True for a word that says what a callout is: "Warning".
pub(crate) fn is_callout(label: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| listed(LABELS));
    KNOWN.contains(label.trim().to_lowercase().as_str())
}

/// Words of a line that is no label, at least.
const MIN_WORDS: usize = 4;

/// The words of a list, to be looked up.
pub(crate) fn listed(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// The lower-case words of a text, split at everything that is no letter or digit.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
}

/// True if a line reads like a sentence: words of a language, not code, not a label, not a table row.
pub(crate) fn is_prose(line: &str) -> bool {
    reads_like_prose(line, MIN_WORDS)
}

/// [`is_prose`] of a line that may be as short as `min_words`.
pub(crate) fn reads_like_prose(line: &str, min_words: usize) -> bool {
    let Some(first) = line.chars().next() else {
        return false;
    };
    let opens = first.is_alphanumeric()
        || matches!(
            first,
            '"' | '\'' | '(' | '“' | '‘' | '„' | '«' | '「' | '《' | '_'
        );
    if !opens || line.ends_with([';', '{', '}', ',']) || line.contains(" | ") {
        return false;
    }
    let (mut n_letters, mut n_signs, mut n_wide, mut n_chars) = (0, 0, 0, 0);
    let (mut n_words, mut is_word) = (0, false);
    for c in line.chars() {
        n_chars += 1;
        if c == ' ' {
            n_words += usize::from(is_word);
            is_word = false;
        }
        if ('\u{2E80}'..='\u{9FFF}').contains(&c) {
            n_wide += 1;
        }
        if c.is_alphabetic() {
            n_letters += 1;
            is_word = true;
        } else if matches!(
            c,
            '{' | '}'
                | ';'
                | '='
                | '<'
                | '>'
                | '|'
                | '\\'
                | '/'
                | '#'
                | '&'
                | '*'
                | '$'
                | '@'
                | '+'
        ) {
            n_signs += 1;
        }
    }
    n_words += usize::from(is_word);
    let long_enough = n_words >= min_words || n_wide >= 8;
    long_enough && n_signs * 12 <= n_chars && n_letters * 2 >= n_chars
}

/// True if a line ends where a sentence does.
pub(crate) fn ends_sentence(line: &str) -> bool {
    line.trim_end_matches([')', '"', '”', '’', '」', '»'])
        .ends_with(['.', '!', '?', '。', '！', '？', '…'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_told_from_code_labels_and_tables() {
        assert!(is_prose(
            "A contiguous growable array type, written as Vec<T>."
        ));
        assert!(is_prose("搜索引擎在浏览器中运行，不需要服务器。"));
        assert!(is_prose("Die Suche läuft vollständig im Browser."));
        for line in [
            "int x = 5; // five",
            "Microsoft Specific",
            "Intrinsic | Architecture of the old machine",
            "",
            "}",
            "for (auto& x : list) { x.run(); }",
            "where the A: Allocator,",
        ] {
            assert!(!is_prose(line), "{line}");
        }
    }

    #[test]
    fn words_are_compared_without_signs() {
        assert!(same_words("Warning `C26832`", "warning c26832"));
        assert!(!same_words("Warning", "warnings"));
        assert!(!same_words("", "!"));
    }
}
