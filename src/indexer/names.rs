//! The names that headings define: `Vec::retain`, `fs.readFile(path)`, `--release`, `moduleNameMapper [object]`.

use crate::text::{marked_term, name_term, sign_in, signs_behind};

/// Longer headings are sentences.
const MAX_CHARS: usize = 120;
/// Names of one heading, options with their short forms say.
const MAX_NAMES: usize = 4;
/// Parts of a path, from its end, that a name is known by.
const MAX_PARTS: usize = 4;
/// Words before a name that say what it is.
const KINDS: [&str; 14] = [
    "class",
    "method",
    "function",
    "fn",
    "def",
    "async",
    "static",
    "property",
    "attribute",
    "exception",
    "struct",
    "enum",
    "trait",
    "macro",
];
/// Words behind the name in a title that say what it is, besides these.
const TITLE_KINDS: [&str; 18] = [
    "structure",
    "enumeration",
    "interface",
    "union",
    "namespace",
    "operator",
    "typedef",
    "header",
    "keyword",
    "statement",
    "command",
    "directive",
    "component",
    "hook",
    "object",
    "type",
    "module",
    "package",
];
/// Words behind a name in a heading that say what it is: `AllowOverride Directive`. Of [`TITLE_KINDS`], those that stand
/// behind few words that are no names (`return type`, `base class`).
const HEADING_KINDS: [&str; 5] = ["command", "directive", "keyword", "macro", "statement"];
/// Endings of files' names, which are no names by themselves.
const EXTENSIONS: [&str; 16] = [
    "c", "css", "h", "html", "js", "json", "jsx", "lock", "md", "mjs", "py", "rs", "toml", "ts",
    "xml", "yml",
];

/// Values and types, which tables have everywhere.
const VALUES: [&str; 22] = [
    "any",
    "array",
    "auto",
    "bool",
    "boolean",
    "default",
    "false",
    "float",
    "function",
    "int",
    "integer",
    "no",
    "none",
    "null",
    "number",
    "object",
    "str",
    "string",
    "true",
    "undefined",
    "void",
    "yes",
];

/// The terms of the names that a heading defines, each with the end of its path: `flask.Flask.run` is `Flask.run` and
/// `run`, too. Empty for a heading in words.
pub fn of_heading(heading: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    if heading.len() > MAX_CHARS {
        return terms;
    }
    let bare = bare(behind_number(heading));
    let parts = bare.split([',', '|']).flat_map(|part| part.split(" or "));
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        match name_of(part.trim()) {
            Some(name) if names.len() < MAX_NAMES => names.push(name),
            _ => return terms,
        }
    }
    for name in names {
        terms.extend(endings(name));
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The name in a piece of code in a table or a list; elsewhere than in front, only a flag or a key with its type. Values
/// and types are none.
pub fn of_code(code: &str, is_in_front: bool) -> Option<String> {
    let code = code.trim();
    if is_in_front && let Some(signs) = sign_in(code) {
        return Some(signs.to_owned());
    }
    let first = code.split([',', '|']).next()?.trim();
    let is_typed = first.starts_with("--") || first.contains('<') && first.contains([':', '=']);
    let bare = bare(first);
    let name = name_of(bare.trim()).filter(|_| is_in_front || is_typed)?;
    let n_letters = name.chars().filter(|c| c.is_alphanumeric()).count();
    let is_value = VALUES.iter().any(|value| name.eq_ignore_ascii_case(value));
    let is_name = n_letters > 1 && !is_value && !name.starts_with(['"', '\'', '`', '.', '/', '<']);
    is_name.then(|| name.to_owned())
}

/// The terms of a name that stands in code: `process.env.HOME` is `HOME`, too.
pub fn of_row(name: &str) -> impl Iterator<Item = String> {
    endings(name)
}

/// The terms of the operators that a title or a heading names: of `string::operator+=(const string&)` and `operator+=` its
/// signs, too; `?.` of `Optional chaining (?.)`, `&&` and `||` of `&& and ||`. A sign alone between or behind words is
/// prose.
pub fn of_operators(heading: &str) -> Vec<String> {
    if heading.len() > MAX_CHARS {
        return Vec::new();
    }
    let word = heading.split(':').next_back().unwrap_or(heading);
    let signs = signs_behind(heading);
    if !signs.is_empty() && word.trim_start().starts_with("operator") {
        let names = [heading, word, signs].into_iter();
        return names.filter_map(name_term).collect();
    }
    let last = heading.split_whitespace().count().saturating_sub(1);
    let pieces = heading.split_whitespace().enumerate();
    let signs = pieces.filter_map(|(at, piece)| {
        let piece = if at < last {
            piece.trim_end_matches([',', ';'])
        } else {
            piece
        };
        let signs = sign_in(piece)?;
        let is_set_apart = signs.len() < piece.len() || last == 0;
        let is_sign = match signs {
            "--" | "..." => false,
            "?" | "->" | "→" => at == last, // An arrow elsewhere is part of a type.
            _ => signs.len() > 1,
        };
        (is_set_apart || is_sign)
            .then(|| name_term(signs))
            .flatten()
    });
    signs.take(MAX_NAMES).collect()
}

/// The term of the one name that a heading defines, where it is a path of several parts: `Vec::retain`.
pub fn qualified(heading: &str) -> Option<String> {
    let bare = bare(heading);
    let name = name_of(bare.trim()).filter(|name| parts_of(name).count() > 1)?;
    name_term(name)
}

/// The terms of a name that stands alone, a page's own say, and of the ends of its path that have two parts and more or
/// several words: `Gtk.HeaderBar` is `HeaderBar`, too, which texts say in one word.
pub fn of_page(name: &str) -> Vec<String> {
    let ends = path_ends(name).into_iter();
    let is_name = |end: &str| parts_of(end).count() > 1 || is_camel_case(end);
    // The end of a number (`4.2` of `A.4.2`) is another number.
    let is_number = |end: &str| end.starts_with(|c: char| c.is_ascii_digit());
    let own = ends.filter(|end| end.len() == name.len() || is_name(end) && !is_number(end));
    own.filter_map(name_term).collect()
}

/// The term of the member that a title names with what it belongs to, where it is of several words:
/// `event.preventDefault()` is `preventDefault`, too.
pub fn of_last(title: &str) -> Option<String> {
    let bare = bare(title);
    let name = name_of(bare.trim()).filter(|name| parts_of(name).count() > 1)?;
    let last = parts_of(name).last()?;
    let is_name = last.chars().all(char::is_alphanumeric) && has_humps(last);
    is_name.then(|| name_term(last)).flatten()
}

/// True for `HeaderBar`, which is two words.
fn is_camel_case(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && has_humps(name)
}

/// True for words that are joined by their capitals: `preventDefault`.
fn has_humps(name: &str) -> bool {
    let behind = name.chars().skip(1);
    let mut pairs = name.chars().zip(behind);
    pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

/// The terms of a member of what a page defines, by the heading of its section: `String.format` of `format`.
pub fn of_member(owner: &str, heading: &str) -> Option<String> {
    let bare = bare(heading);
    let name = name_of(bare.trim()).filter(|name| parts_of(name).count() == 1)?;
    // `Examples` is a word.
    let mut letters = name.chars();
    let is_word = letters.next()?.is_uppercase() && letters.all(char::is_lowercase);
    if is_word {
        return None;
    }
    name_term(&[owner, ".", name].concat())
}

/// The names of a title that has one beside what it is: `is_empty Class`, `Function printf`, `json — JSON encoder`.
pub fn of_title(title: &str) -> Vec<String> {
    let is_kind = |word: &str| {
        let word = word.to_ascii_lowercase();
        KINDS.contains(&word.as_str()) || TITLE_KINDS.contains(&word.as_str())
    };
    let name = match title.split_once(" — ") {
        Some((name, _)) => Some(name),
        None => title.split_once(' ').and_then(|(first, rest)| {
            let behind = is_kind(rest).then_some(first);
            behind.or_else(|| is_kind(first).then_some(rest))
        }),
    };
    let is_name = |name: &&str| !name.contains(' ') && name.contains(char::is_alphabetic);
    name.filter(is_name).map(of_page).unwrap_or_default()
}

/// The heading behind the number of its section: `3.3.2. __slots__`, `(5) SQLITE_BUSY`.
fn behind_number(heading: &str) -> &str {
    let Some((number, rest)) = heading.split_once(' ') else {
        return heading;
    };
    let is_number = number.starts_with(|c: char| c.is_ascii_digit() || c == '(')
        && number.ends_with(['.', ')'])
        && number
            .bytes()
            .all(|b| b.is_ascii_digit() || b".()".contains(&b));
    if is_number { rest.trim() } else { heading }
}

/// Signatures among the headings of a page from which on it defines what they say: a module of Erlang's.
const MANY_SIGNATURES: usize = 3;

/// True if the headings of a page that has the name of one thing are signatures: it defines that, whatever its kind.
pub fn are_members<'h>(title: &str, headings: impl Iterator<Item = &'h str>) -> bool {
    let is_signature = |heading: &&str| {
        let name = heading.split('(').next().unwrap_or_default();
        name.len() < heading.len() && is_identifier(name)
    };
    is_identifier(title)
        && headings.filter(is_signature).take(MANY_SIGNATURES).count() == MANY_SIGNATURES
}

fn is_identifier(name: &str) -> bool {
    name.contains(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// A signature without its brackets and what it results in: `keyfind` of `keyfind(Key, N) -> Tuple | false`.
fn bare(heading: &str) -> String {
    let bare = without_brackets(heading);
    let end = [" -> ", " → "].iter().filter_map(|arrow| bare.find(arrow));
    match end.min() {
        Some(end) => bare[..end].to_owned(),
        None => bare,
    }
}

/// The text outside of brackets.
fn without_brackets(text: &str) -> String {
    let mut depth = 0usize;
    let mut bare = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            // A heading may begin with one: `[patch]`.
            '(' | '[' | '{' | '<' if at > 0 => depth += 1,
            ')' | ']' | '}' | '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => bare.push(c),
            _ => {}
        }
    }
    bare
}

/// The name that a part of a heading is: one word, behind a kind or before a type.
fn name_of(part: &str) -> Option<&str> {
    let part = match part.rsplit_once(' ') {
        Some((name, kind)) if HEADING_KINDS.iter().any(|k| kind.eq_ignore_ascii_case(k)) => name,
        _ => part,
    };
    let mut words = part
        .split_whitespace()
        .skip_while(|word| KINDS.contains(word));
    let first = words.next()?;
    let is_typed = || is_flag(first) || first.ends_with(':');
    let is_name = first.contains(char::is_alphabetic) && (is_typed() || is_alone(words));
    is_name.then(|| first.trim_end_matches([':', '=']))
}

/// True for `--release`, and for `-Wall`, of two letters and more as it is known by.
pub fn is_flag(piece: &str) -> bool {
    piece.starts_with("--") || piece.starts_with('-') && marked_term(piece).is_some()
}

/// True if nothing follows but a sign and what stands behind it: `port = 3000`, `run → None`.
fn is_alone<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words
        .next()
        .is_none_or(|word| !word.contains(char::is_alphanumeric) && word != "-" && word != "–")
}

fn parts_of(name: &str) -> impl Iterator<Item = &str> {
    let parts = name.split(['.', '#', ':']);
    parts.filter(|part| part.contains(char::is_alphanumeric))
}

/// A name, and what is left of it behind each of its separators but the first ones of a long path.
fn path_ends(name: &str) -> Vec<&str> {
    let n = parts_of(name).count();
    let mut ends = vec![name];
    let mut rest = name;
    for left in (1..n).rev() {
        let Some(at) = rest.find(['.', '#', ':']) else {
            break;
        };
        rest = rest[at..].trim_start_matches(['.', '#', ':']);
        if left <= MAX_PARTS {
            ends.push(rest);
        }
    }
    ends
}

fn endings(name: &str) -> impl Iterator<Item = String> {
    let is_file = parts_of(name)
        .last()
        .is_some_and(|end| EXTENSIONS.contains(&end));
    let ends = path_ends(name).into_iter();
    let ends = ends.filter(move |end| !is_file || parts_of(end).count() > 1);
    ends.filter_map(name_term).chain(marked_term(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_headings_name_operators() {
        let cases: [(&str, &[&str]); 13] = [
            ("&&", &["&&="]),
            ("Optional chaining (?.)", &["?.="]),
            ("Spread syntax (...)", &["...="]),
            ("`&&` and `||`", &["&&=", "||="]),
            ("The question mark operator, ?", &["?="]),
            ("Ranges with ..=", &["..=="]),
            (
                "basic_string::operator+=",
                &["basicstringoperator+==", "operator+==", "+=="],
            ),
            (
                "operator <<(ostream&)",
                &["operator<<=", "operator<<=", "<<="],
            ),
            ("this & that", &[]),
            ("What is it?", &[]),
            ("One -- two", &[]),
            ("impl<F: FnOnce() -> T> Lazy<F>", &[]),
            ("API - Reference", &[]),
        ];
        for (heading, wanted) in cases {
            assert_eq!(of_operators(heading), wanted, "{heading}");
        }
    }

    #[test]
    fn headings_define_names_with_the_ends_of_their_paths() {
        let cases: [(&str, &[&str]); 25] = [
            ("Vec::retain", &["retain=", "vecretain="]),
            (
                "class flask.Flask(import_name, static_url_path=None)",
                &["flask=", "flaskflask="],
            ),
            (
                "fs.readFile(path[, options], callback)",
                &["fsreadfile=", "readfile="],
            ),
            (
                "moduleNameMapper [object<string, string>]",
                &["modulenamemapper="],
            ),
            ("-r, --release", &["--release=", "r="]),
            ("--git url", &["--git="]),
            ("-Wall", &["-wall=", "wall="]),
            ("-jar filename", &["-jar=", "jar="]),
            (
                "-march=cpu, -m64",
                &["-m64=", "-march=", "m64=", "marchcpu="],
            ),
            (".toBe(value)", &["tobe="]),
            ("server.port", &["port=", "serverport="]),
            ("port = 3000", &["port="]),
            ("lists:keyfind/3", &["keyfind3=", "listskeyfind3="]),
            ("keyfind(Key, N, TupleList) -> Tuple | false", &["keyfind="]),
            ("Cargo.toml", &["cargotoml="]),
            ("[patch]", &["patch="]),
            ("println!", &["println!=", "println="]),
            ("Examples", &["examples="]),
            ("3.3.2.4. __slots__", &["slots="]),
            ("(5) SQLITE_BUSY", &["sqlitebusy="]),
            ("AllowOverride Directive", &["allowoverride="]),
            ("2024 edition", &[]),
            ("Return type", &[]),
            ("Using TypeScript", &[]),
            ("Errors - a guide", &[]),
        ];
        for (heading, wanted) in cases {
            assert_eq!(of_heading(heading), wanted, "{heading}");
        }
        assert_eq!(qualified("Vec::retain(f)").as_deref(), Some("vecretain="));
        assert_eq!((qualified("retain"), qualified("a.b, c.d")), (None, None));
        assert_eq!(of_title("is_empty Class"), ["isempty="]);
        assert_eq!(
            of_title("Array.prototype.map() method"),
            ["arrayprototypemap=", "prototypemap="]
        );
        assert_eq!(of_title("Function printf"), ["printf="]);
        assert_eq!(of_title("json — JSON encoder and decoder"), ["json="]);
        for title in [
            "Class",
            "Abstract base class",
            "Type of a value",
            "Mooring a boat",
        ] {
            assert!(of_title(title).is_empty(), "{title}");
        }
        assert_eq!(of_page("std::vec::Vec"), ["stdvecvec=", "vecvec="]);
        assert_eq!(of_page("Vec"), ["vec="]);
        let last = |title| of_last(title);
        assert_eq!(
            last("event.preventDefault()").as_deref(),
            Some("preventdefault=")
        );
        for title in ["preventDefault", "np.linalg", "Read package.json", "a.b_c"] {
            assert_eq!(last(title), None, "{title}");
        }
        assert_eq!(of_page("Gtk.HeaderBar"), ["gtkheaderbar=", "headerbar="]);
        assert_eq!(of_page("Gtk.HeaderBar.get_title").len(), 2);
        let are = |title, headings: &[&str]| are_members(title, headings.iter().copied());
        let signatures = ["all(P) -> boolean()", "Types", "any(P)", "nth(N, List)"];
        assert!(are("lists", &signatures));
        assert!(!are("lists", &signatures[..3]) && !are("Using lists", &signatures));
        let member = |heading| of_member("String", heading);
        assert_eq!(member("format(locale)").as_deref(), Some("stringformat="));
        for heading in ["Method Details", "a.b", "Examples"] {
            assert_eq!(member(heading), None, "{heading}");
        }
    }
}
