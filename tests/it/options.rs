//! One table of options: everything that repeats it is written from it, and an option is added in one place.

use knarr::ErrorKind;
use knarr::base::key::CacheKey;
use knarr::base::options::{OptionInfo, Shape};
use knarr::base::value::Value;
use knarr::find::ask::options::{
    EntityOptions, FindOptions, GlobOptions, GrepOptions, ListOptions, ReadOptions, RelationOptions,
};
use serde_json::json;
use std::path::Path;

const WIDTH: usize = 120;

/// Every table, with the name of its call in pkg/src/server-requests.js.
fn tables() -> [(&'static str, &'static str, Vec<OptionInfo>); 7] {
    [
        ("find", "FindOptions", FindOptions::table()),
        ("grep", "GrepOptions", GrepOptions::table()),
        ("glob", "GlobOptions", GlobOptions::table()),
        ("read", "ReadOptions", ReadOptions::table()),
        ("ls", "ListOptions", ListOptions::table()),
        ("relations", "RelationOptions", RelationOptions::table()),
        ("entities", "EntityOptions", EntityOptions::table()),
    ]
}

/// The type in TypeScript.
fn ts(option: &OptionInfo) -> String {
    fn of(shape: &Shape) -> String {
        match shape {
            Shape::Flag => "boolean".into(),
            Shape::Whole | Shape::Integer | Shape::Number => "number".into(),
            Shape::Text => "string".into(),
            Shape::Word(words) => {
                let words: Vec<_> = words
                    .iter()
                    .map(|(word, _)| format!("\"{word}\""))
                    .collect();
                words.join(" | ")
            }
            Shape::List(item) => format!("{}[]", of(item)),
            Shape::OneOrMany(item) => format!("{0} | {0}[]", of(item)),
            Shape::Optional(inner) => format!("{} | null", of(inner)),
            Shape::Any => panic!("a schema of its own has a name in TypeScript"),
        }
    }
    option.ts.map_or_else(|| of(&option.shape), str::to_owned)
}

/// The check in pkg/src/server-requests.js.
fn js(option: &OptionInfo) -> String {
    fn of(shape: &Shape) -> String {
        match shape {
            Shape::Flag => "truth".into(),
            Shape::Whole => "whole".into(),
            Shape::Integer => "integer".into(),
            Shape::Number => "number".into(),
            Shape::Text => "text".into(),
            Shape::Word(words) => {
                let words: Vec<_> = words
                    .iter()
                    .map(|(word, _)| format!("\"{word}\""))
                    .collect();
                format!("oneOf({})", words.join(", "))
            }
            Shape::List(item) => format!("{}s", of(item)),
            Shape::OneOrMany(item) => match **item {
                Shape::Text => "textOrTexts".into(),
                _ => panic!("no check for one or many of {item:?}"),
            },
            Shape::Optional(inner) => format!("optional({})", of(inner)),
            Shape::Any => "object".into(),
        }
    }
    option.js.map_or_else(|| of(&option.shape), str::to_owned)
}

fn sentence(option: &OptionInfo) -> String {
    let mut text = option.sentence.trim().to_owned();
    if !matches!(option.default.as_str(), "" | "false") {
        text += &format!(" Default: `{}`.", option.default);
    }
    if !option.in_core {
        text += " Not in `knarr/core`.";
    }
    text
}

/// Words in lines of at most `width` characters.
fn wrapped(words: &str, separator: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(separator) {
        let line = lines.last_mut().expect("one line at least");
        let is_full = line.chars().count() + separator.len() + word.chars().count() > width;
        if line.is_empty() {
            *line = word.to_owned();
        } else if is_full {
            lines.push(word.to_owned());
        } else {
            *line += &format!("{separator}{word}");
        }
    }
    lines
}

fn types(options: &[OptionInfo]) -> String {
    let mut text = String::new();
    for option in options {
        let sentence = sentence(option);
        let line = format!("  /** {sentence} */\n");
        if line.chars().count() <= WIDTH {
            text += &line;
        } else {
            text += "  /**\n";
            for line in wrapped(&sentence, " ", WIDTH - 6) {
                text += &format!("   * {line}\n");
            }
            text += "   */\n";
        }
        text += &format!("  {}?: {} | undefined;\n", option.name, ts(option));
    }
    text
}

fn checks(call: &str, options: &[OptionInfo]) -> String {
    let checks = options
        .iter()
        .map(|option| format!("{}: {}", option.name, js(option)));
    // A comma inside a check must not end a line.
    let joined = checks.collect::<Vec<_>>().join(",\u{1f}");
    let mut text = format!("  {call}: {{\n");
    for line in wrapped(&joined, "\u{1f}", WIDTH - 5) {
        text += &format!("    {}\n", line.replace('\u{1f}', " "));
    }
    text.truncate(text.trim_end().len());
    text + ",\n  },\n"
}

fn unserved(options: &[OptionInfo]) -> String {
    let values = options.iter().filter_map(|option| {
        let values = option.unserved?;
        Some(format!("{}: [{values}]", option.name))
    });
    let joined = values.collect::<Vec<_>>().join(",\u{1f}");
    let lines = wrapped(&joined, "\u{1f}", WIDTH - 3);
    let lines: Vec<_> = lines
        .iter()
        .map(|line| format!("  {}\n", line.replace('\u{1f}', " ")))
        .collect();
    lines.concat().trim_end().to_owned() + ",\n"
}

fn script() -> String {
    let tables = tables();
    let calls = tables
        .iter()
        // No server has a graph.
        .filter(|(call, ..)| *call != "entities")
        .map(|(call, _, options)| checks(call, options));
    let calls: String = calls.collect();
    let unserved = unserved(&tables[0].2);
    format!(
        "const OPTIONS = {{\n{calls}}};\n\n\
         /** Options without a counterpart on any server, and the values with which they ask for nothing. */\n\
         const UNSERVED = {{\n{unserved}}};\n"
    )
}

fn reference(options: &[OptionInfo]) -> String {
    let has_flags = options.iter().any(|option| option.flag.is_some());
    let mut text = String::from("| option | type | default | |");
    text += if has_flags {
        " flag |\n|---|---|---|---|---|\n"
    } else {
        "\n|---|---|---|---|\n"
    };
    for option in options {
        let star = if option.in_core { "" } else { " *" };
        let ts = ts(option).replace('|', "\\|");
        let default = Some(format!("`{}`", option.default)).filter(|_| !option.default.is_empty());
        let default = default.unwrap_or_default();
        let sentence = option.sentence.trim().replace('|', "\\|");
        text += &format!(
            "| `{}`{star} | `{ts}` | {default} | {sentence} |",
            option.name
        );
        if has_flags {
            let flag = match option.flag {
                Some((flag, Some(value))) => format!("`--{flag} {value}`"),
                Some((flag, None)) => format!("`--{flag}`"),
                None => String::new(),
            };
            text += &format!(" {flag} |");
        }
        text.push('\n');
    }
    text
}

/// The text with the lines between "begin NAME" and "end NAME" replaced.
fn with_block(text: &str, name: &str, block: &str) -> String {
    let line_after = |mark: &str| {
        let at = text.find(mark).unwrap_or_else(|| panic!("{mark} is gone"));
        at + text[at..].find('\n').expect("a line ends") + 1
    };
    let begin = line_after(&format!("begin {name}"));
    let end = line_after(&format!("end {name}"));
    let last = text[..end - 1].rfind('\n').expect("a line before") + 1;
    [&text[..begin], block, &text[last..]].concat()
}

#[test]
fn everything_that_repeats_the_table_is_made_from_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        "pkg/types/index.d.ts",
        "pkg/src/server-requests.js",
        "docs/OPTIONS.md",
    ];
    if !root.join(files[0]).exists() {
        return; // The published crate has no package for npm.
    }
    for file in files {
        let path = root.join(file);
        let there = std::fs::read_to_string(&path).expect("a file of the repository");
        let mut made = there.clone();
        if file.ends_with(".js") {
            made = with_block(&made, "OPTIONS", &script());
        } else {
            for (_, name, options) in tables() {
                let block = if file.ends_with(".md") {
                    reference(&options)
                } else {
                    types(&options)
                };
                made = with_block(&made, name, &block);
            }
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &made).expect("writable");
        } else {
            assert!(
                there == made,
                "{file} differs from src/find/ask/options.rs: UPDATE=1 cargo test -p knarr --test it options"
            );
        }
    }
}

#[test]
fn the_core_has_the_options_that_the_table_says() {
    let names = knarr::base::options::Options::<Value>::names(&FindOptions::default());
    let expected = FindOptions::table().into_iter();
    let expected = expected.filter(|option| cfg!(feature = "full") || option.in_core);
    assert!(expected.map(|option| option.name).eq(names.iter().copied()));
}

knarr::words! {
    /// The strength of tea.
    pub enum Strength {
        /// For the evening.
        Weak = "weak",
        /// For the morning.
        Strong = "strong" (default),
    }
}

knarr::options! {
    /// Options that nobody else knows.
    pub struct TeaOptions {
        /// How many cups.
        cups: usize = 2, answer, flag "cups" "N";
        /// How it is made.
        strength: Strength = Strength::default(), answer, unserved "\"strong\"";
        /// Who drinks it.
        guests: Vec<String> = Vec::new(), set;
        /// The time of day.
        now: Option<i64> = None, clock;
    }
}

#[test]
fn an_option_is_added_in_one_place() {
    let key = |options: &TeaOptions| {
        let mut key = CacheKey::new(0);
        options.add_to(&mut key);
        key
    };
    let read = |given: serde_json::Value| TeaOptions::read(&given);
    let default = TeaOptions::default();
    let tea = read(json!({"cups": 3, "strength": "weak", "guests": ["b", "a"]})).expect("tea");
    assert_eq!(
        (tea.cups, tea.strength, tea.guests.len()),
        (3, Strength::Weak, 2)
    );
    let same = Value::Map(vec![
        ("strength".into(), Value::Text("weak".into())),
        ("cups".into(), Value::Int(3)),
        (
            "guests".into(),
            Value::List(vec![Value::Text("b".into()), Value::Text("a".into())]),
        ),
    ]);
    assert_eq!(TeaOptions::read(&same).expect("tea"), tea);
    assert_eq!(read(json!(null)).expect("the defaults"), default);

    for other in [
        json!({"cups": 1}),
        json!({"strength": "weak"}),
        json!({"guests": ["a"]}),
    ] {
        assert_ne!(
            key(&read(other.clone()).expect("tea")),
            key(&default),
            "{other}"
        );
    }
    assert_eq!(key(&read(json!({"now": 5})).expect("tea")), key(&default));
    let turned = read(json!({"cups": 3, "strength": "weak", "guests": ["a", "b", "a"]}));
    assert_eq!(key(&turned.expect("tea")), key(&tea));

    let more = if cfg!(feature = "full") {
        ""
    } else {
        " (the package `knarr` has more than `knarr/core`)"
    };
    for (given, message) in [
        (
            json!({"cup": 1}),
            format!("unknown option cup; known are cups, strength, guests, now{more}"),
        ),
        (
            json!({"cups": -1}),
            "option cups is not a whole number from 0 to 4294967295".into(),
        ),
        (
            json!({"strength": "pale"}),
            "option strength is not one of weak, strong".into(),
        ),
        (
            json!({"guests": "a"}),
            "option guests is not a list of strings".into(),
        ),
        (json!([]), "the options are not an object".into()),
    ] {
        let error = read(given).expect_err(&message);
        assert_eq!(
            (error.kind(), error.message()),
            (ErrorKind::InvalidArgument, &message[..])
        );
    }

    let table = TeaOptions::table();
    let expected = "  /** How many cups. Default: `2`. */\n  cups?: number | undefined;\n  \
        /** How it is made. Default: `\"strong\"`. */\n  strength?: \"weak\" | \"strong\" | undefined;\n  \
        /** Who drinks it. */\n  guests?: string[] | undefined;\n  \
        /** The time of day. */\n  now?: number | null | undefined;\n";
    assert_eq!(types(&table), expected);
    let expected = "  tea: {\n    cups: whole, strength: oneOf(\"weak\", \"strong\"), guests: texts, now: optional(integer),\n  },\n";
    assert_eq!(checks("tea", &table), expected);
    assert_eq!(unserved(&table), "  strength: [\"strong\"],\n");
    assert!(
        reference(&table).contains("| `cups` | `number` | `2` | How many cups. | `--cups N` |\n")
    );
}

/// A filter that the core left out in silence would widen the answer.
#[cfg(not(feature = "full"))]
#[test]
fn the_core_refuses_fields_that_only_the_full_engine_has() {
    let host = crate::support::Script::of(crate::support::corpus(None));
    let bundle = pollster::block_on(knarr::Knarr::open(&host)).unwrap();
    let find = |options: FindOptions| pollster::block_on(bundle.find(&host, "sensor", &options));
    assert!(find(FindOptions::default()).unwrap().total > 0);
    let set = FindOptions::default;
    for (name, options) in [
        (
            "user",
            FindOptions {
                user: Some("ann".into()),
                ..set()
            },
        ),
        (
            "sort",
            FindOptions {
                sort: Some("updated_at".into()),
                ..set()
            },
        ),
        (
            "filter",
            FindOptions {
                filter: Value::Map(Vec::new()),
                ..set()
            },
        ),
        (
            "since",
            FindOptions {
                since: Some("30d".into()),
                ..set()
            },
        ),
        (
            "hybrid",
            FindOptions {
                hybrid: Value::Map(Vec::new()),
                ..set()
            },
        ),
        (
            "graph",
            FindOptions {
                graph: Some(0.2),
                ..set()
            },
        ),
    ] {
        let error = find(options).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains(name), "{error}");
    }
}
