//! The source as the tests about it read it: files, tokens, items and paths. No compiler; what it reads is formatted
//! by rustfmt.

pub mod modules;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All `.rs` files below a folder of the repository, by their path in it, in order.
pub fn files(folder: &str) -> BTreeMap<String, String> {
    fn walk(dir: &Path, prefix: &str, out: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && name != "target" {
                walk(&path, &format!("{prefix}{name}/"), out);
            } else if name.ends_with(".rs") {
                out.insert(
                    format!("{prefix}{name}"),
                    std::fs::read_to_string(&path).unwrap(),
                );
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(&root().join(folder), "", &mut out);
    assert!(!out.is_empty(), "no source in {folder}");
    out
}

/// Code of the same length and lines, with spaces for comments and for the inside of strings and characters.
pub fn blanked(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    while at < chars.len() {
        let rest = &chars[at..];
        let end = at + span(rest, at.checked_sub(1).map(|p| chars[p]));
        if end > at {
            out.extend(chars[at..end].iter().map(|&c| blank(c)));
            at = end;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

/// Length of the comment, string or character that begins here; 0 where none does.
fn span(rest: &[char], before: Option<char>) -> usize {
    let starts = |s: &str| s.chars().enumerate().all(|(i, c)| rest.get(i) == Some(&c));
    if starts("//") {
        return rest.iter().take_while(|&&c| c != '\n').count();
    }
    if starts("/*") {
        return block_comment(rest);
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !in_word {
        let raw = if starts("br") { 2 } else { 1 };
        let hashes = rest.iter().skip(raw).take_while(|&&c| c == '#').count();
        if (starts("r") || starts("br")) && rest.get(raw + hashes) == Some(&'"') {
            let close: String = std::iter::once('"')
                .chain("#".repeat(hashes).chars())
                .collect();
            let close: Vec<char> = close.chars().collect();
            let from = raw + hashes + 1;
            let found = rest[from..].windows(close.len()).position(|w| w == close);
            return found.map_or(rest.len(), |i| from + i + close.len());
        }
    }
    match rest {
        ['"', ..] => quoted(rest, '"'),
        ['\'', '\\', ..] => quoted(rest, '\''),
        ['\'', _, '\'', ..] => 3,
        _ => 0,
    }
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match (rest[at], rest.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn quoted(rest: &[char], mark: char) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != mark {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// Blanked code without the items that only tests compile: each is cut from its `#[cfg(test)]` to its own end.
pub fn shipped(text: &str) -> String {
    let code = blanked(text);
    let mut out = String::with_capacity(code.len());
    let mut rest = code.as_str();
    while let Some(at) = ["#[cfg(test)]", "#[cfg(all(test,"]
        .iter()
        .filter_map(|mark| rest.find(mark))
        .min()
    {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[item_len(rest)..];
    }
    out + rest
}

/// Length of the item that begins with these attributes: to its `;`, or to the brace that closes its body.
fn item_len(code: &str) -> usize {
    let mut depth = 0;
    let mut attribute = false;
    let imports = code
        .lines()
        .find(|l| !l.trim_start().starts_with("#["))
        .is_some_and(|l| {
            l.trim_start()
                .trim_start_matches("pub ")
                .starts_with("use ")
        });
    for (i, c) in code.char_indices() {
        match c {
            '#' if depth == 0 => attribute = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 && c == ']' && attribute {
                    attribute = false;
                } else if depth == 0 && c == '}' && !imports {
                    return i + 1;
                }
            }
            ';' if depth == 0 => return i + 1,
            _ => {}
        }
    }
    code.len()
}

/// A path as code spells it, `a::b::c`, and the inline modules around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    pub segments: Vec<String>,
    /// Name that an import binds; none for a path in the middle of code.
    pub binds: Option<String>,
    /// A `pub use`: it passes a name on and does not need it.
    pub reexport: bool,
    /// How many inline modules are around it.
    pub depth: usize,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Colons,
    Mark(char),
}

fn tokens(code: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            let mut word = c.to_string();
            while let Some(&next) = chars.peek().filter(|c| c.is_alphanumeric() || **c == '_') {
                word.push(next);
                chars.next();
            }
            out.push(Token::Word(word));
        } else if c == ':' && chars.peek() == Some(&':') {
            chars.next();
            out.push(Token::Colons);
        } else if !c.is_whitespace() {
            out.push(Token::Mark(c));
        }
    }
    out
}

/// All paths of blanked code: those of `use` trees, one per leaf, and those in the middle of code.
pub fn paths(code: &str) -> Vec<Named> {
    let tokens = tokens(code);
    let mut out = Vec::new();
    let mut inline: Vec<usize> = Vec::new(); // braces open when each inline module began
    let (mut braces, mut at) = (0, 0);
    while at < tokens.len() {
        match &tokens[at] {
            Token::Mark('{') => braces += 1,
            Token::Mark('}') => {
                braces -= 1;
                inline.pop_if(|opened| *opened == braces);
            }
            Token::Word(w)
                if w == "mod" && matches!(tokens.get(at + 2), Some(Token::Mark('{'))) =>
            {
                inline.push(braces);
            }
            Token::Word(w)
                if w == "use" && !matches!(tokens.get(at + 1), Some(Token::Mark('<'))) =>
            {
                let public = match &tokens[..at] {
                    [.., Token::Word(p)] => p == "pub",
                    [
                        ..,
                        Token::Word(p),
                        Token::Mark('('),
                        Token::Word(_),
                        Token::Mark(')'),
                    ] => p == "pub",
                    _ => false,
                };
                let from = out.len();
                at = tree(&tokens, at + 1, &[], &mut out);
                for named in &mut out[from..] {
                    (named.reexport, named.depth) = (public, inline.len());
                }
                continue;
            }
            Token::Word(_) if starts_path(&tokens, at) => {
                let mut segments = Vec::new();
                while let Some(Token::Word(w)) = tokens.get(at) {
                    segments.push(w.clone());
                    at += 1;
                    if tokens.get(at) != Some(&Token::Colons) {
                        break;
                    }
                    at += 1;
                }
                // A macro of the crate stands at its root, wherever it is written.
                let is_macro = tokens.get(at) == Some(&Token::Mark('!'));
                if is_macro && segments.len() == 2 && segments[0] == "crate" {
                    continue;
                }
                let depth = inline.len();
                out.push(Named {
                    segments,
                    binds: None,
                    reexport: false,
                    depth,
                });
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    out
}

/// A word before `::` that is not itself behind one, except a leading one.
fn starts_path(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1) == Some(&Token::Colons)
        && !matches!(
            &tokens[..at],
            [.., Token::Word(_) | Token::Mark('>'), Token::Colons] | [.., Token::Mark('.')]
        )
}

/// One `use` tree from `at` on; returns the place behind it and its comma or semicolon.
fn tree(tokens: &[Token], mut at: usize, prefix: &[String], out: &mut Vec<Named>) -> usize {
    let mut segments = prefix.to_vec();
    let mut binds = None;
    loop {
        match tokens.get(at) {
            Some(Token::Word(w)) if w == "as" => {
                if let Some(Token::Word(name)) = tokens.get(at + 1) {
                    binds = Some(name.clone());
                }
                at += 1;
            }
            Some(Token::Word(w)) if w == "self" && !segments.is_empty() => {}
            Some(Token::Word(w)) => segments.push(w.clone()),
            Some(Token::Mark('*')) => segments.push("*".into()),
            Some(Token::Mark('{')) => {
                at += 1;
                while tokens.get(at).is_some_and(|t| *t != Token::Mark('}')) {
                    at = tree(tokens, at, &segments, out);
                    if tokens.get(at) == Some(&Token::Mark(',')) {
                        at += 1;
                    }
                }
                return at + 1;
            }
            Some(Token::Colons) => {}
            _ => break,
        }
        at += 1;
    }
    let binds = binds.or_else(|| segments.last().cloned());
    // Nothing for `use $crate::…`: that is read as a path in the middle of code.
    if !segments.is_empty() {
        out.push(Named {
            segments,
            binds,
            reexport: false,
            depth: 0,
        });
    }
    at
}

#[test]
fn code_is_cut_exactly() {
    let text = "fn a() { let s = \"}//\"; } // b::c\n#[cfg(test)]\nmod tests {\n    use x::y; fn f() { '}'; }\n}\nfn d() { e::f() }\n#[cfg(test)]\nuse g::{h, i};\nuse j::{k as l, m::{self, n}};\n";
    let code = shipped(text);
    let all = paths(&code);
    let spelled: Vec<String> = all.iter().map(|n| n.segments.join("::")).collect();
    assert_eq!(spelled, ["e::f", "j::k", "j::m", "j::m::n"]);
    let bound: Vec<Option<&str>> = all.iter().map(|n| n.binds.as_deref()).collect();
    assert_eq!(bound, [None, Some("l"), Some("m"), Some("n")]);
    assert_eq!(
        blanked("r#\"a\"b\"# c 'd' 'e: '\\'' f").trim(),
        "c     'e:      f"
    );
}
