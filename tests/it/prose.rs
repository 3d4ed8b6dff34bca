//! Mechanical rules of the prose and of sizes: first words of doc comments, lengths of functions and files.

use crate::source::{blanked, files, shipped};

/// Folders that the rules hold in.
const FOLDERS: [&str; 3] = ["src", "crates/knarr-cli/src", "xtask/src"];

/// Words that no doc comment begins with: what follows them is a clause where a reader looks for a noun.
const FIRST_WORDS: [&str; 5] = ["What", "Whether", "How", "Where", "Which"];

/// Lines of the longest function that needs no reason.
const FUNCTION_LINES: usize = 60;

/// Lines of the longest file.
const FILE_LINES: usize = 600;

/// First lines of doc comments with the line number and the item's name.
fn docs(file: &str, text: &str) -> Vec<(usize, String, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let doc = |line: &str| {
        let rest = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"))?;
        Some(rest.trim().to_owned())
    };
    let mut out = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let follows = i > 0 && doc(lines[i - 1]).is_some();
        let Some(first) = doc(line).filter(|_| !follows) else {
            continue;
        };
        let name = if line.starts_with("//!") {
            let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
            path.rsplit('/').next().unwrap().to_owned()
        } else {
            let item = lines[i..]
                .iter()
                .find(|l| !l.starts_with("//") && !l.starts_with("#["));
            item.map_or_else(String::new, |item| name_of(item))
        };
        out.push((i + 1, first, name));
    }
    out
}

/// Name of the item, field or variant that a line begins.
fn name_of(line: &str) -> String {
    const KEYWORDS: &str = " pub async const unsafe extern static mut fn struct enum trait type mod union crate super in ";
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .find(|word| !word.is_empty() && !KEYWORDS.contains(&format!(" {word} ")))
        .unwrap_or_default()
        .to_owned()
}

/// Words in lower case without articles: `n_rows`, `NRows` and "The n rows." are the same.
fn words(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut before = ' ';
    for c in text.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(if c.is_alphanumeric() { c } else { ' ' });
        before = c;
    }
    spaced
        .split_whitespace()
        .map(str::to_lowercase)
        .filter(|word| !["a", "an", "the"].contains(&word.as_str()))
        .collect()
}

fn breaches(file: &str, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (line, first, name) in docs(file, text) {
        let word = first.split(|c: char| !c.is_alphabetic()).next().unwrap();
        if FIRST_WORDS.contains(&word) {
            out.push(format!("{file}:{line}: begins with {word}: {first}"));
        } else if !name.is_empty() && words(&first) == words(&name) {
            out.push(format!("{file}:{line}: repeats the name: {first}"));
        }
    }
    out
}

#[test]
fn doc_comments_begin_with_their_noun_and_do_not_repeat_the_name() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        for (file, text) in files(folder) {
            let file = format!("{folder}/{file}");
            found.extend(breaches(&file, &text));
        }
    }
    assert!(
        found.is_empty(),
        "{} lines:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// Functions of blanked code: name, first line (from 0), number of lines.
fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let mut out = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let name: String = code[at + 3..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let (mut round, mut curly, mut end) = (0, 0, at);
        for (i, c) in code[at..].char_indices() {
            match c {
                '(' | '[' => round += 1,
                ')' | ']' => round -= 1,
                '{' => curly += 1,
                '}' => curly -= 1,
                _ => {}
            }
            let closed = c == '}' && curly == 0 && round == 0;
            if closed || curly < 0 || round < 0 || (c == ';' && curly == 0 && round == 0) {
                end = at + i;
                break;
            }
        }
        if !name.is_empty() {
            let line = code[..at].matches('\n').count();
            out.push((name, line, code[at..end].matches('\n').count() + 1));
        }
    }
    out
}

#[test]
fn functions_are_short_or_say_why_not() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        for (file, text) in files(folder) {
            if file.ends_with("tests.rs") {
                continue; // Only tests compile it.
            }
            let file = format!("{folder}/{file}");
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            for (name, line, n) in functions(&shipped(&text)) {
                let above = lines[..line]
                    .iter()
                    .rev()
                    .take_while(|l| l.starts_with("//") || l.starts_with("#["));
                let says = above.clone().any(|l| l.starts_with("// Long:"));
                if n > FUNCTION_LINES && !says {
                    found.push(format!("{file}: {name} has {n} lines"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn files_are_of_a_size_to_read() {
    let mut found = Vec::new();
    for folder in ["src", "crates", "xtask/src", "tests/it", "tests/cli"] {
        for (file, text) in files(folder) {
            let (file, n) = (format!("{folder}/{file}"), text.lines().count());
            if n > FILE_LINES {
                found.push(format!("{file} has {n} lines"));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_rules_see_what_they_are_for() {
    let text = "/// Whether it holds.\nfn a() {}\n/// The n rows.\n#[x]\npub n_rows: u8,\n/// Rows.\nb: u8,\n";
    let found = breaches("x.rs", text);
    assert_eq!(found.len(), 2, "{found:?}");
    let long = format!(
        "fn a(x: [u8; 2]) -> u8 {{\n{}}}\nfn b();\n",
        "x;\n".repeat(61)
    );
    let lengths: Vec<_> = functions(&blanked(&long)).iter().map(|f| f.2).collect();
    assert_eq!(lengths, [63, 1]);
}
