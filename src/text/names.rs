//! Names: what a site calls a thing. One sign tells them from words, so that a dictionary has the thing itself.

use super::{MAX_TERM_BYTES, push_folded};

/// Ends the term of a name; no word has it.
const NAME_SIGN: char = '=';
/// Ends the term of a query whose first pages somebody chose.
const PIN_SIGN: char = '!';

/// True for the term of a name or of a query, which is no word.
pub fn is_name(term: &str) -> bool {
    term.ends_with([NAME_SIGN, PIN_SIGN])
}

/// True for the term of a query whose first pages somebody chose.
pub fn is_pin(term: &str) -> bool {
    term.ends_with(PIN_SIGN)
}

/// The term of a query whose first pages somebody chose, as [`name_term`] makes that of a name.
pub fn pin_term(query: &str) -> Option<String> {
    let mut term = name_term(query)?;
    term.pop();
    term.push(PIN_SIGN);
    Some(term)
}

/// The term of a name: its letters and digits, folded, behind the dashes of an option: `Vec::retain`, `vec retain` and
/// `Vec.retain()` have one. Signs count where they are all that it has (`?.`), and behind `operator`. `None` for a name of
/// neither, and for one longer than a term may be.
pub fn name_term(name: &str) -> Option<String> {
    let (name, signs) = match operator_in(name) {
        Some(named) => named,
        None => (without_brackets(name), ""),
    };
    let dashes = if name.starts_with("--") { "--" } else { "" };
    let mut term = dashes.to_owned();
    push_folded(&mut term, name);
    if term.len() == dashes.len() {
        term = sign_in(name)?.to_owned();
    }
    term.push_str(signs);
    term.push(NAME_SIGN);
    (term.len() <= MAX_TERM_BYTES).then_some(term)
}

/// The operator whose term this is.
pub fn operator_of(term: &str) -> Option<&str> {
    let signs = term.strip_suffix(NAME_SIGN)?;
    (!signs.is_empty() && signs.chars().all(is_sign)).then_some(signs)
}

/// Characters of the longest operators (`>>>=`).
const MAX_SIGNS: usize = 4;

/// True for a character that operators are made of.
pub fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation() && !matches!(c, '"' | '\'' | '`')
        || matches!(c, '\u{2190}'..='\u{22ff}')
}

/// The signs that a piece of text consists of, without quotes and brackets around them: `?.` of `(?.)`.
pub fn sign_in(piece: &str) -> Option<&str> {
    let bare = piece.trim_matches(['"', '\'', '`']);
    let inner = bare
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let signs = inner
        .filter(|inner| !inner.is_empty())
        .map_or(bare, |inner| inner.trim_matches('`'));
    let is_short = !signs.is_empty() && signs.chars().nth(MAX_SIGNS).is_none();
    (is_short && signs.chars().all(is_sign)).then_some(signs)
}

/// An operator that is defined: what stands before its signs, and they. `string::operator` and `+=` of
/// `string::operator+=(const string&)`.
pub fn operator_in(name: &str) -> Option<(&str, &str)> {
    const WORD: &str = "operator";
    let at = name.rfind(WORD)?;
    if name[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    let end = at + WORD.len();
    let signs = name[end..].trim_start();
    let brackets = ["()", "[]"]
        .into_iter()
        .find(|pair| signs.starts_with(pair));
    let length = match brackets {
        Some(pair) => pair.len(),
        None => signs
            .find(|c| !is_sign(c) || matches!(c, '(' | '['))
            .unwrap_or(signs.len()),
    };
    let (signs, behind) = signs.split_at(length);
    let is_attached = name[end..].starts_with(signs) && behind.starts_with([' ', '<']);
    let ends = behind.is_empty() || behind.trim_start().starts_with('(') || is_attached;
    let ends_clause = signs.starts_with([',', '.', ';', ':', ')']);
    let is_operator = (1..=MAX_SIGNS).contains(&length) && ends && !ends_clause;
    is_operator.then(|| (&name[..end], signs))
}

/// A name without its parameters: `Vec` of `Vec<T>`, `read` of `read(path)`.
fn without_brackets(name: &str) -> &str {
    let end = name.find(['<', '(', '[', '{']).filter(|&at| at > 0);
    &name[..end.unwrap_or(name.len())]
}

/// True if a piece of a question without spaces is a name by its signs: `Vec::retain`, `fs.readFile`, `lists:keyfind`,
/// `--release`, `operator+=`.
pub fn has_signs(piece: &str) -> bool {
    if operator_in(piece).is_some() {
        return true;
    }
    let inner = piece.trim_matches(|c: char| !c.is_alphanumeric());
    let name = without_brackets(inner);
    piece.starts_with("--") && !inner.is_empty() || name.contains(['.', '#', '/', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_term_however_it_is_written() {
        for name in ["Vec::retain", "vec retain", "Vec.retain()", "Vec<T>"] {
            let wanted = if name == "Vec<T>" {
                "vec="
            } else {
                "vecretain="
            };
            assert_eq!(name_term(name).as_deref(), Some(wanted), "{name}");
        }
        assert_eq!(name_term("--no-deps").as_deref(), Some("--nodeps="));
        assert_eq!(name_term("&str").as_deref(), Some("str="));
        assert_eq!(name_term("[patch]").as_deref(), Some("patch="));
        assert_eq!((name_term(""), name_term(&"a".repeat(64))), (None, None));
    }

    #[test]
    fn an_operator_is_a_name() {
        for (name, wanted) in [
            ("->", Some("->=")),
            ("(?.)", Some("?.=")),
            ("`&&`", Some("&&=")),
            ("()", Some("()=")),
            ("--", Some("--=")),
            ("=====", None),
            ("operator+=", Some("operator+==")),
            ("string::operator<<(ostream&)", Some("stringoperator<<=")),
            ("operator ==(A, B)", Some("operator===")),
            ("T& operator[](size_t)", Some("toperator[]=")),
            ("operator()(int)", Some("operator()=")),
            ("operator bool", Some("operatorbool=")),
            ("operator-sdk", Some("operatorsdk=")),
            ("operator.itemgetter", Some("operatoritemgetter=")),
            (
                "Operators and operator - use",
                Some("operatorsandoperatoruse="),
            ),
            ("myoperator+", Some("myoperator=")),
        ] {
            assert_eq!(name_term(name).as_deref(), wanted, "{name}");
        }
        assert_eq!(operator_of("==="), Some("=="));
        assert_eq!((operator_of("vec="), operator_of("=")), (None, None));
        assert!(has_signs("operator+=") && !has_signs("&&"));
    }

    #[test]
    fn signs_tell_a_name_from_a_word() {
        assert!(has_signs("Vec::retain") && has_signs("Cargo.toml") && has_signs("--release"));
        assert!(has_signs("lists:keyfind") && !has_signs("note:"));
        assert!(!has_signs("release.") && !has_signs("well-known") && !has_signs("f(a.b)"));
    }
}
