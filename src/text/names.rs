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
/// `Vec.retain()` have one. `None` without a letter or digit, and for one longer than a term may be.
pub fn name_term(name: &str) -> Option<String> {
    let dashes = if name.starts_with("--") { "--" } else { "" };
    let mut term = dashes.to_owned();
    push_folded(&mut term, without_brackets(name));
    let is_empty = term.len() == dashes.len();
    term.push(NAME_SIGN);
    (!is_empty && term.len() <= MAX_TERM_BYTES).then_some(term)
}

/// A name without its parameters: `Vec` of `Vec<T>`, `read` of `read(path)`.
fn without_brackets(name: &str) -> &str {
    let end = name.find(['<', '(', '[', '{']).filter(|&at| at > 0);
    &name[..end.unwrap_or(name.len())]
}

/// True if a piece of a question without spaces is a name by its signs: `Vec::retain`, `fs.readFile`, `lists:keyfind`,
/// `--release`.
pub fn has_signs(piece: &str) -> bool {
    let inner = piece.trim_matches(|c: char| !c.is_alphanumeric());
    let name = without_brackets(inner);
    piece.starts_with("--") || name.contains(['.', '#', '/', ':'])
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
        assert_eq!((name_term("->"), name_term(&"a".repeat(64))), (None, None));
    }

    #[test]
    fn signs_tell_a_name_from_a_word() {
        assert!(has_signs("Vec::retain") && has_signs("Cargo.toml") && has_signs("--release"));
        assert!(has_signs("lists:keyfind") && !has_signs("note:"));
        assert!(!has_signs("release.") && !has_signs("well-known") && !has_signs("f(a.b)"));
    }
}
