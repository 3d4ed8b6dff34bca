//! The flags of `find` and `search`, made from the table of options (src/find/ask/options.rs).

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, error};
use knarr::base::options::{OptionInfo, Shape};
use knarr::base::value::Value;
use knarr::find::ask::options::FindOptions;
use std::num::ParseFloatError;

/// Values of the flags that were given. Those of a report add to the printed answer, and only `find` has them.
pub struct Flags<const REPORT: bool>(Value);

impl<const REPORT: bool> Flags<REPORT> {
    /// Sets the options whose flags were given.
    pub fn set(&self, options: &mut FindOptions) -> knarr::Result<()> {
        options.fill(&self.0)
    }

    /// Every entry of the table that has a flag here, with the flag's name.
    fn entries() -> impl Iterator<Item = (OptionInfo, &'static str)> {
        let entries = FindOptions::table().into_iter();
        let here = entries.filter(|option| option.is_report == REPORT);
        here.filter_map(|option| {
            let (flag, _) = option.flag?;
            Some((option, flag))
        })
    }
}

impl<const REPORT: bool> clap::Args for Flags<REPORT> {
    fn augment_args(command: Command) -> Command {
        Self::entries().fold(command, |command, (option, flag)| {
            command.arg(argument(&option, flag))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const REPORT: bool> clap::FromArgMatches for Flags<REPORT> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = Self::entries()
            .filter(|(_, flag)| matches.value_source(flag) == Some(ValueSource::CommandLine));
        let members = given.filter_map(|(option, flag)| {
            let value = value(&option, flag, matches)?;
            Some((option.name.to_owned(), value))
        });
        Ok(Self(Value::Map(members.collect())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Names that OpenViking's command line has for flags.
const OPENVIKING: &[(&str, &str)] = &[("target", "uri"), ("since", "after"), ("until", "before")];

fn argument(option: &OptionInfo, flag: &'static str) -> Arg {
    let arg = Arg::new(flag).long(flag).help(help(option));
    let arg = match OPENVIKING.iter().find(|(own, _)| *own == flag) {
        Some((_, other)) => arg.visible_alias(other),
        None if flag == "level" => arg.short('L'),
        None => arg,
    };
    let arg = match option.flag {
        Some((_, Some(name))) => arg.value_name(name),
        _ => return switch(option, arg),
    };
    let (shape, is_list) = inner(&option.shape);
    let arg = match shape {
        Shape::Word(words) => arg
            .value_parser(possible(words).map(Value::Text))
            .default_value(default_word(option, words)),
        Shape::Whole if option.name == "limit" => arg.value_parser(parse_limit),
        Shape::Whole => arg.value_parser(clap::value_parser!(u32).map(|n| Value::Int(n.into()))),
        Shape::Integer => arg.value_parser(clap::value_parser!(i64).map(Value::Int)),
        Shape::Number => arg.value_parser(parse_number),
        Shape::Any if option.name == "level" => arg.value_parser(parse_levels),
        Shape::Any => {
            let example = example(option.sentence);
            arg.value_parser(move |json: &str| {
                parse_value(json).map_err(|error| format!("{error}; an example: {example}"))
            })
        }
        // `-date`, the largest first.
        _ if option.name == "sort" => arg
            .allow_hyphen_values(true)
            .value_parser(StringValueParser::new().map(Value::Text)),
        _ => arg.value_parser(StringValueParser::new().map(Value::Text)),
    };
    if is_list || option.name == "level" {
        arg.action(ArgAction::Append)
    } else {
        arg
    }
}

/// A flag without a value: turns an option on or off, or chooses its other word.
fn switch(option: &OptionInfo, arg: Arg) -> Arg {
    let arg = arg.action(ArgAction::SetTrue);
    if option.is_report && option.default == "false" {
        arg.requires("json")
    } else {
        arg
    }
}

fn value(option: &OptionInfo, flag: &str, matches: &ArgMatches) -> Option<Value> {
    let (shape, is_list) = inner(&option.shape);
    match (shape, option.flag?) {
        (Shape::Flag, _) => Some(Value::Bool(option.default == "false")),
        (Shape::Word(words), (_, None)) => Some(Value::Text(other_word(option, words)?.to_owned())),
        _ if is_list || option.name == "level" => {
            let values = matches.get_many::<Value>(flag)?;
            Some(Value::List(values.cloned().collect()))
        }
        _ => matches.get_one::<Value>(flag).cloned(),
    }
}

/// The type of one value, and true if there may be several.
fn inner(shape: &Shape) -> (&Shape, bool) {
    match shape {
        Shape::Optional(one) => inner(one),
        Shape::List(one) | Shape::OneOrMany(one) => (one, true),
        one => (one, false),
    }
}

type Words = &'static [(&'static str, &'static str)];

fn is_default(option: &OptionInfo, word: &str) -> bool {
    option.default.trim_matches('"') == word
}

fn default_word(option: &OptionInfo, words: Words) -> Option<&'static str> {
    let words = words.iter().map(|(word, _)| *word);
    words.into_iter().find(|word| is_default(option, word))
}

fn other_word(option: &OptionInfo, words: Words) -> Option<&'static str> {
    let words = words.iter().map(|(word, _)| *word);
    words.into_iter().find(|word| !is_default(option, word))
}

fn help(option: &OptionInfo) -> String {
    let mut text = plain(option.sentence);
    let (shape, is_list) = inner(&option.shape);
    match (shape, option.flag) {
        (Shape::Flag, _) if option.default == "true" => {
            text = format!("Turn this off: {}", lower(&text));
        }
        (Shape::Flag, _) if option.is_report => text += "; needs --json",
        (Shape::Word(words), Some((_, None))) => {
            if let Some(word) = other_word(option, words) {
                text += &format!(": {word}, not {}", option.default.trim_matches('"'));
            }
        }
        (Shape::Whole, _) if !option.default.is_empty() => {
            text += &format!(" [default: {}]", option.default);
        }
        _ if option.name == "level" => text += " (repeatable, or several with commas: 0,1)",
        _ if is_list => text += " (repeatable)",
        _ => {}
    }
    text
}

/// A sentence without the marks of Markdown and its full stop.
fn plain(sentence: &str) -> String {
    let text = sentence.trim().replace('`', "");
    text.strip_suffix('.').map(str::to_owned).unwrap_or(text)
}

/// The text with a small first letter.
fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

fn possible(words: Words) -> PossibleValuesParser {
    let values = words.iter();
    PossibleValuesParser::new(
        values.map(|(word, sentence)| PossibleValue::new(*word).help(plain(sentence))),
    )
}

/// Reads one of the words of an enum.
pub fn word<T: Copy + Send + Sync + 'static>(
    words: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = words.iter().map(|(word, _)| *word);
    PossibleValuesParser::new(names).try_map(move |given| {
        let known = words.iter().find(|(word, _)| *word == given);
        known
            .map(|(_, value)| *value)
            .ok_or_else(|| clap::Error::new(error::ErrorKind::InvalidValue))
    })
}

/// The first value in JSON that an option's sentence shows.
fn example(sentence: &'static str) -> &'static str {
    let shown = sentence.split('`').skip(1).step_by(2);
    shown
        .into_iter()
        .find(|code| code.starts_with('{'))
        .unwrap_or("{}")
}

/// Reads an option given as JSON.
pub fn parse_value(json: &str) -> Result<Value, String> {
    serde_json::from_str(json).map_err(|error| format!("not JSON: {error}"))
}

/// With the precision of the options, so that a number means the same as in JSON.
fn parse_number(text: &str) -> Result<Value, ParseFloatError> {
    text.parse::<f32>()
        .map(|number| Value::Float(number.into()))
}

/// Levels with commas between them.
fn parse_levels(text: &str) -> Result<Value, String> {
    let level = |part: &str| match part.trim().parse::<u8>() {
        Ok(level @ 0..=2) => Ok(Value::Int(level.into())),
        _ => Err(format!("level {part:?} is not 0, 1 or 2")),
    };
    text.split(',')
        .map(level)
        .collect::<Result<_, _>>()
        .map(Value::List)
}

/// A number of results, of which there is one at least.
pub fn results(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err(NO_RESULT.into()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

const NO_RESULT: &str = "ask for one result at least";

fn parse_limit(text: &str) -> Result<Value, String> {
    match text.parse::<u32>() {
        Ok(0) => Err(NO_RESULT.into()),
        Ok(limit) => Ok(Value::Int(limit.into())),
        Err(error) => Err(format!("{error}")),
    }
}
