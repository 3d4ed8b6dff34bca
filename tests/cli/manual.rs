//! docs/COMMAND.md lists every option of every command: its tables are made from the help of the command line.

use super::ok;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Names in the help's list of commands.
fn commands() -> Vec<String> {
    let help = ok(["--help"]).out;
    let list = help.split("Commands:\n").nth(1).expect("a list");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// One line of a command's help: an argument or an option, and what it does.
type Row = (String, String);

/// The usage of a command, and its arguments and options but `--help`.
fn help(command: &str) -> (String, Vec<Row>) {
    let help = ok([command, "-h"]).out;
    let usage = help.lines().find_map(|line| line.strip_prefix("Usage: "));
    let mut rows = Vec::new();
    for line in help.lines().filter(|line| line.starts_with("  ")) {
        // Two spaces end a name; an option without a short form is indented further.
        let line = line.trim_start();
        let (name, effect) = line.split_once("  ").unwrap_or((line, ""));
        if name != "-h, --help" {
            rows.push((name.trim().to_owned(), effect.trim().to_owned()));
        }
    }
    (usage.expect("a usage").to_owned(), rows)
}

/// An effect as a sentence: what clap writes in brackets behind it is told in words.
fn sentence(effect: &str) -> String {
    const NOTES: [(&str, &str); 4] = [
        ("[default: ", "Default: "),
        ("[possible values: ", "One of "),
        ("[alias: ", "Also "),
        ("[aliases: ", "Also "),
    ];
    let mut text = effect.to_owned();
    let mut notes = Vec::new();
    while let Some((begin, mark, words)) = NOTES
        .iter()
        .filter_map(|(mark, words)| Some((text.rfind(mark)?, *mark, *words)))
        .max_by_key(|(begin, ..)| *begin)
        .filter(|_| text.ends_with(']'))
    {
        let value = &text[begin + mark.len()..text.len() - 1];
        notes.push(format!("{words}{value}."));
        text.truncate(begin);
        text.truncate(text.trim_end().len());
    }
    if !text.ends_with(['.', ':', '…']) && !text.is_empty() {
        text.push('.');
    }
    for note in notes.iter().rev() {
        write!(text, " {note}").expect("written");
    }
    marked(&text)
}

/// Text whose signs mean nothing to Markdown, outside of code.
fn marked(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        let part = part.replace('|', "\\|");
        out += &match at % 2 {
            0 => linked(&part.replace('<', "&lt;").replace('*', "\\*")),
            _ => part,
        };
    }
    out
}

/// Text in which documents beside the page are links, and other names of files are code: some programs take `a.md` for a
/// host.
fn linked(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let end = word.find(".md").map_or(0, |at| at + ".md".len());
        let begin = word.find(|c: char| c.is_alphanumeric()).unwrap_or(0);
        match (word.get(begin..end), word.get(end..)) {
            (Some(name), Some(rest)) if !name.is_empty() => {
                let name = match name.strip_prefix("docs/") {
                    Some(page) => format!("[{page}]({page})"),
                    None => format!("`{name}`"),
                };
                [&word[..begin], &name, rest].concat()
            }
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The part of the page about a command. Options that are also those of `find` are only named.
fn block(command: &str, of_find: &[Row]) -> String {
    let (usage, rows) = help(command);
    let mut text = format!("\n`{usage}`\n\n| | |\n|---|---|\n");
    let is_known = |row: &&Row| command == "search" && of_find.contains(row);
    for (name, effect) in rows.iter().filter(|row| !is_known(row)) {
        let name = name.replace('|', "\\|");
        writeln!(text, "| `{name}` | {} |", sentence(effect)).expect("written");
    }
    let known: Vec<String> = rows
        .iter()
        .filter(is_known)
        .filter(|(name, _)| name.contains("--"))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if !known.is_empty() {
        writeln!(
            text,
            "\nThese are as in [find](#find): {}.",
            known.join(", ")
        )
        .expect("written");
    }
    text + "\n"
}

/// `page` with the lines between "begin COMMAND" and "end COMMAND" replaced.
fn with_block(page: &str, command: &str, block: &str) -> String {
    let (begin, end) = (
        format!("<!-- begin {command} -->\n"),
        format!("<!-- end {command} -->\n"),
    );
    let hint = format!("docs/COMMAND.md has no place for `knarr {command}`: write {begin}{end}");
    let (before, rest) = page.split_once(&begin).expect(&hint);
    let (_, after) = rest.split_once(&end).expect(&hint);
    [before, &begin, block, &end, after].concat()
}

#[test]
fn every_option_of_every_command_stands_in_the_manual() {
    let path = repository("docs/COMMAND.md");
    let page = fs::read_to_string(&path).expect("the page");
    let of_find = help("find").1;
    assert!(of_find.len() > 30, "{of_find:?}");
    let mut made = page.clone();
    for command in commands() {
        made = with_block(&made, &command, &block(&command, &of_find));
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &made).expect("writable");
    } else {
        assert!(
            page == made,
            "docs/COMMAND.md differs from the help: UPDATE=1 cargo test -p knarr-cli --test cli manual"
        );
    }
}

#[test]
fn options_of_the_package_s_own_commands_stand_in_the_manual() {
    let page = fs::read_to_string(repository("docs/COMMAND.md")).expect("the page");
    for command in ["add", "init"] {
        let section = page.split(&format!("\n### {command}\n")).nth(1);
        let section = section.expect(command).split("\n### ").next();
        let section = section.expect("a section");
        let script = fs::read_to_string(repository(&format!("pkg/bin/{command}.mjs")));
        let script = script.expect("the script");
        let help = script.split("_HELP = `").nth(1).expect("its help");
        let help = help.split('`').next().expect("the end of the help");
        let lines = help.lines().map(str::trim);
        let flags: Vec<&str> = lines
            .filter(|line| line.starts_with("--"))
            .filter_map(|line| line.split(' ').next())
            .collect();
        assert!(flags.contains(&"--answers"), "{command}: {flags:?}");
        for flag in flags {
            let is_there = |end| section.contains(&["`", flag, end].concat());
            assert!(is_there("`") || is_there(" <"), "{command} {flag}");
        }
    }
}

#[test]
fn notes_of_the_help_become_words() {
    assert_eq!(
        sentence("Mode of `a|b` [default: x] [possible values: x, y]"),
        "Mode of `a\\|b`. Default: x. One of x, y."
    );
    assert_eq!(sentence("Of a <meta> name"), "Of a &lt;meta> name.");
    assert_eq!(
        sentence("It is there (docs/A.md), and a README.md"),
        "It is there ([A.md](A.md)), and a `README.md`."
    );
}
