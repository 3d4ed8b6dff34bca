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
    let dashes = if name.starts_with("--") { "--" } else { "" };
    let mut term = dashes.to_owned();
    push_folded(&mut term, without_brackets(name));
    if term.len() == dashes.len() {
        term = sign_in(name)?.to_owned();
    } else if term.ends_with(OPERATOR) {
        term.push_str(signs_behind(name));
    }
    term.push(NAME_SIGN);
    (term.len() <= MAX_TERM_BYTES).then_some(term)
}

/// The term with the mark that tells a thing from others of its name, besides [`name_term`]: `-wall=` of `-Wall`, `-march=`
/// of `-march=native`, `vec!=` of `vec![1]`. A letter alone has none.
pub fn marked_term(piece: &str) -> Option<String> {
    let is_option = matches!(piece.as_bytes(), [b'-', first, ..] if first.is_ascii_alphabetic());
    let name = match is_option {
        true => without_value(&piece[1..]),
        false => without_brackets(piece),
    };
    if !is_option && !name.as_bytes().ends_with(b"!") {
        return None;
    }
    let term = name_term(name).filter(|term| (3..MAX_TERM_BYTES).contains(&term.len()))?;
    let (name, sign) = term.split_at(term.len() - 1);
    Some(match is_option {
        true => ["-", name, sign].concat(),
        false => [name, "!", sign].concat(),
    })
}

/// An option without its value: `march` of `march=native`.
fn without_value(option: &str) -> &str {
    let end = option.bytes().position(|byte| byte == b'=');
    &option[..end.unwrap_or(option.len())]
}

/// The last two parts of a path of more: `HashMap::get` of `std::collections::HashMap::get`. No end of a number.
pub fn path_end(path: &str) -> Option<&str> {
    let path = without_brackets(path).trim_end_matches(|c: char| !c.is_alphanumeric());
    let joins = |at: usize| matches!(path.as_bytes()[at], b':' | b'.' | b'#' | b'/');
    let mut parts = (1..path.len())
        .rev()
        .filter(|&at| joins(at - 1) && !joins(at));
    let from = parts.nth(1)?;
    let is_number = path.as_bytes()[from].is_ascii_digit();
    (!is_number).then(|| &path[from..])
}

/// The word that signs stand behind as part of a name: `operator+=`.
const OPERATOR: &str = "operator";

/// The signs behind the words of an operator's name: `+=` of `string::operator+=(const string&)`, else nothing.
pub fn signs_behind(name: &str) -> &str {
    let words = without_brackets(name).trim_end_matches(|c: char| !c.is_alphanumeric());
    let behind = name[words.len()..].trim_start();
    // `operator()(int)`: the second bracket begins the parameters. `The operator (+)` is called without its signs.
    let is_of = |(at, byte): &(usize, u8)| is_sign(*byte) && (*at == 0 || *byte != b'(');
    let length = behind.bytes().enumerate().take_while(is_of).count();
    let (signs, rest) = behind.split_at(length);
    let is_operator = (signs == "()" || !signs.starts_with('('))
        && are_signs(signs.as_bytes())
        && matches!(rest.as_bytes(), [] | [b'(', ..] | [b' ', b'(', ..]);
    if is_operator { signs } else { "" }
}

/// The operator whose term this is.
pub fn operator_of(term: &str) -> Option<&str> {
    let signs = term.strip_suffix(NAME_SIGN)?;
    are_signs(signs.as_bytes()).then_some(signs)
}

fn are_signs(bytes: &[u8]) -> bool {
    (1..=MAX_SIGNS).contains(&bytes.len()) && bytes.iter().all(|&byte| is_sign(byte))
}

/// Characters of the longest operators (`>>>=`).
const MAX_SIGNS: usize = 4;

/// True for a character that operators are made of.
pub fn is_sign(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !matches!(byte, b'"' | b'\'' | b'`')
}

/// The signs that a piece of text consists of, without quotes and brackets around them: `?.` of `(?.)`.
pub fn sign_in(piece: &str) -> Option<&str> {
    let mut signs = piece.as_bytes();
    while let [open, inner @ .., close] = signs
        && (open == close && !is_sign(*open) || (*open, *close) == (b'(', b')'))
        && !inner.is_empty()
    {
        signs = inner;
    }
    let is_operator = are_signs(signs);
    std::str::from_utf8(signs).ok().filter(|_| is_operator)
}

/// The places of `wanted` in `text`. The standard library's search costs the browser 2 kB.
pub fn places<'t>(text: &'t str, wanted: &'t str) -> impl DoubleEndedIterator<Item = usize> + 't {
    let windows = text.as_bytes().windows(wanted.len()).enumerate();
    windows.filter_map(move |(at, window)| (window == wanted.as_bytes()).then_some(at))
}

/// A name without its parameters: `Vec` of `Vec<T>`, `read` of `read(path)`. The code of `error[E0502]` is none.
fn without_brackets(name: &str) -> &str {
    let end = name.find(['<', '(', '[', '{']).unwrap_or(0);
    match &name.as_bytes()[end..] {
        [b'[', b'A'..=b'Z', b'0'..=b'9', b'0'..=b'9', ..] => name,
        _ if end > 0 => &name[..end],
        _ => name,
    }
}

/// True if a piece of a question without spaces is a name by its signs: `Vec::retain`, `fs.readFile`, `lists:keyfind`,
/// `--release`, `operator+=`.
pub fn has_signs(piece: &str) -> bool {
    let inner = piece.trim_matches(|c: char| !c.is_alphanumeric());
    let name = without_brackets(inner);
    piece.starts_with("--") && !inner.is_empty()
        || name.contains(['.', '#', '/', ':'])
        || name.ends_with(OPERATOR) && !piece.ends_with(name)
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
        assert_eq!(name_term("error[E0502]").as_deref(), Some("errore0502="));
        assert_eq!(name_term("list[T]").as_deref(), Some("list="));
        assert_eq!((name_term(""), name_term(&"a".repeat(64))), (None, None));
    }

    #[test]
    fn an_option_and_a_macro_have_a_term_with_their_mark() {
        for (piece, wanted) in [
            ("-Wall", Some("-wall=")),
            ("-march=native", Some("-march=")),
            ("-XX:+UseG1GC", Some("-xxuseg1gc=")),
            ("-ab", Some("-ab=")),
            ("vec!", Some("vec!=")),
            ("vec![1, 2]", Some("vec!=")),
            ("-p", None),
            ("--release", None),
            ("-5degrees", None),
            ("-", None),
            ("!", None),
            ("!=", None),
            ("Wall", None),
        ] {
            assert_eq!(marked_term(piece).as_deref(), wanted, "{piece}");
        }
        let long = |n| marked_term(&["-", &"a".repeat(n)].concat());
        assert!(long(62).is_some() && long(63).is_none());
    }

    #[test]
    fn a_path_ends_with_two_parts() {
        for (path, wanted) in [
            ("std::collections::HashMap::get", Some("HashMap::get")),
            ("std::fs::read(a.b)", Some("fs::read")),
            ("numpy.linalg.norm.", Some("linalg.norm")),
            ("Vec::new", None),
            ("1.2.3", None),
            ("::", None),
        ] {
            assert_eq!(path_end(path), wanted, "{path}");
        }
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
            ("Bitwise AND operator (&)", Some("bitwiseandoperator=")),
            ("operator()(int)", Some("operator()=")),
            ("operator!= (set)", Some("operator!==")),
            ("operator > (MASM)", Some("operator>=")),
            ("operator bool", Some("operatorbool=")),
            ("operator-sdk", Some("operatorsdk=")),
            ("operator.itemgetter", Some("operatoritemgetter=")),
            (
                "Operators and operator - use",
                Some("operatorsandoperatoruse="),
            ),
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
