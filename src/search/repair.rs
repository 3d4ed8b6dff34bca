//! JSON as language models write it: in prose, in fences, with single quotes, comments, trailing commas, Python's names
//! for constants, or cut off.
//!
//! What is well formed is read as JSON has it; only what is not is guessed. A value that is cut off is dropped, its
//! container kept. Source: OpenViking specification §3, "parsing cascade".

use serde_json::{Map, Value};

/// Greatest depth of nested values.
const MAX_DEPTH: usize = 64;
/// Places where a value might start that are tried. A model's answer has one or two.
const STARTS: usize = 32;

/// The first value in `text` that `fits`: the text itself, a fenced block, a value in the prose, a repaired value.
///
/// What stands before the end of a model's thinking aloud (`</think>`) is not looked at.
pub fn find(text: &str, fits: &dyn Fn(&Value) -> bool) -> Option<Value> {
    let mut text = text;
    while let Some(end) = text.find(THOUGHT) {
        text = &text[end + THOUGHT.len()..];
    }
    let strict = |text: &str| serde_json::from_str(text.trim()).ok().filter(|v| fits(v));
    if let Some(value) = strict(text).or_else(|| fences(text).find_map(strict)) {
        return Some(value);
    }
    let mut reader = Lenient::new(text);
    let opens = |at: &usize| matches!(reader.chars[*at], '{' | '[');
    let starts: Vec<usize> = (0..reader.chars.len()).filter(opens).take(STARTS).collect();
    starts.into_iter().find_map(|at| {
        (reader.at, reader.cut) = (at, false);
        reader.value(0).ok().filter(|v| fits(v))
    })
}

/// End marker of a model's thinking aloud.
const THOUGHT: &str = "</think>";

/// A whole text that is JSON but for what can be repaired; nothing may be cut off or follow.
pub fn whole(text: &str) -> Option<Value> {
    let mut reader = Lenient::new(text);
    let value = reader.value(0).ok()?;
    reader.space();
    (!reader.cut && reader.peek().is_none()).then_some(value)
}

/// Contents of the fenced blocks.
fn fences(text: &str) -> impl Iterator<Item = &str> {
    let blocks = text.split("```").skip(1).step_by(2);
    blocks.map(|block| {
        let language = block
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(0);
        &block[language..]
    })
}

/// Why a value could not be read.
enum Stop {
    /// The text ended in it.
    Cut,
    /// It is no value.
    Wrong,
}

struct Lenient {
    chars: Vec<char>,
    at: usize,
    /// True when anything was cut off.
    cut: bool,
}

impl Lenient {
    fn new(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
            cut: false,
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        while let Some(c) = self.peek() {
            let line = c == '#' || self.chars[self.at..].starts_with(&['/', '/']);
            if c.is_whitespace() || c == '\u{feff}' {
                self.at += 1;
            } else if line {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            } else if self.chars[self.at..].starts_with(&['/', '*']) {
                self.at += 2;
                while self.at < self.chars.len() && !self.chars[self.at..].starts_with(&['*', '/'])
                {
                    self.at += 1;
                }
                self.at += 2;
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Stop> {
        if depth > MAX_DEPTH {
            return Err(Stop::Wrong);
        }
        self.space();
        match self.peek().ok_or(Stop::Cut)? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            c if closing(c).is_some() => self.string().map(Value::String),
            ',' | '}' | ']' | ':' => Err(Stop::Wrong),
            _ => self.bare(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Stop> {
        let mut members = Map::new();
        self.at += 1;
        loop {
            match self.separated() {
                None => {
                    self.cut = true;
                    return Ok(Value::Object(members));
                }
                Some('}') => {
                    self.at += 1;
                    return Ok(Value::Object(members));
                }
                Some(']') => return Ok(Value::Object(members)), // Its own bracket was forgotten.
                Some(_) => {}
            }
            match self.member(depth) {
                Ok((key, value)) => members.insert(key, value),
                Err(Stop::Cut) => {
                    self.cut = true;
                    return Ok(Value::Object(members));
                }
                Err(Stop::Wrong) => return Err(Stop::Wrong),
            };
        }
    }

    fn member(&mut self, depth: usize) -> Result<(String, Value), Stop> {
        let key = match self.peek() {
            Some(c) if closing(c).is_some() => self.string()?,
            _ => self.word(|c| c.is_alphanumeric() || "_-$".contains(c)),
        };
        self.space();
        match self.peek().ok_or(Stop::Cut)? {
            ':' | '=' if !key.is_empty() => self.at += 1,
            _ => return Err(Stop::Wrong),
        }
        Ok((key, self.value(depth + 1)?))
    }

    fn array(&mut self, depth: usize) -> Result<Value, Stop> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            match self.separated() {
                None => {
                    self.cut = true;
                    return Ok(Value::Array(items));
                }
                Some(']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                Some('}') => return Ok(Value::Array(items)),
                Some(_) => {}
            }
            match self.value(depth + 1) {
                Ok(value) => items.push(value),
                Err(Stop::Cut) => {
                    self.cut = true;
                    return Ok(Value::Array(items));
                }
                Err(Stop::Wrong) => return Err(Stop::Wrong),
            }
        }
    }

    /// The next character after white space and commas, of which there may be too many or too few.
    fn separated(&mut self) -> Option<char> {
        self.space();
        while self.peek() == Some(',') {
            self.at += 1;
            self.space();
        }
        self.peek()
    }

    /// A text in quotes. A quote inside that was not escaped is one that nothing structural follows.
    fn string(&mut self) -> Result<String, Stop> {
        let close = closing(self.chars[self.at]).ok_or(Stop::Wrong)?;
        self.at += 1;
        let mut text = String::new();
        loop {
            let c = self.peek().ok_or(Stop::Cut)?;
            self.at += 1;
            match c {
                '\\' => text.extend(self.escape()?),
                c if close.contains(&c) => {
                    let here = self.at;
                    self.space();
                    let follows =
                        self.peek().is_none_or(|c| ",:}]=".contains(c)) || self.key_follows();
                    if follows || self.chars[here..self.at].contains(&'\n') {
                        return Ok(text);
                    }
                    self.at = here;
                    text.push(c);
                }
                c => text.push(c),
            }
        }
    }

    /// True when a key in quotes comes next: the comma before it was forgotten.
    fn key_follows(&self) -> bool {
        let mut rest = self.chars[self.at..].iter().skip(1);
        let quoted = self.peek().and_then(closing).is_some_and(|close| {
            rest.find(|c| !(c.is_alphanumeric() || **c == '_'))
                .is_some_and(|c| close.contains(c))
        });
        quoted && rest.find(|c| !c.is_whitespace()) == Some(&':')
    }

    fn escape(&mut self) -> Result<Option<char>, Stop> {
        let c = self.peek().ok_or(Stop::Cut)?;
        self.at += 1;
        Ok(Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' | 'f' => ' ',
            '\n' => return Ok(None),
            'u' => {
                let first = self.hex()?;
                let pair = (0xd800..0xdc00).contains(&first)
                    && self.chars[self.at..].starts_with(&['\\', 'u']);
                let code = if pair {
                    self.at += 2;
                    let second = self.hex()?;
                    0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
                } else {
                    first
                };
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            c => c,
        }))
    }

    fn hex(&mut self) -> Result<u32, Stop> {
        let digits = self.chars.get(self.at..self.at + 4).ok_or(Stop::Cut)?;
        let digits: String = digits.iter().collect();
        self.at += 4;
        u32::from_str_radix(&digits, 16).map_err(|_| Stop::Wrong)
    }

    /// A number, a constant, or words whose quotes were forgotten.
    fn bare(&mut self) -> Result<Value, Stop> {
        let text = self.word(|c| !",]}\n".contains(c));
        let text = text.trim();
        Ok(match text {
            "true" | "True" => Value::Bool(true),
            "false" | "False" => Value::Bool(false),
            "null" | "None" | "undefined" | "NaN" | "Infinity" | "-Infinity" => Value::Null,
            _ => {
                // The last word of a text may be half of one.
                if self.peek().is_none() {
                    return Err(Stop::Cut);
                }
                // What is left is a number in JSON or none at all.
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
            }
        })
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(&belongs) {
            self.at += 1;
        }
        self.chars[from..self.at].iter().collect()
    }
}

/// The quotes that end a text begun with `open`; typographic ones are what an editor makes of plain ones.
fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"'],
        '\'' => &['\''],
        '“' | '”' => &['”', '“', '"'],
        '‘' | '’' => &['’', '\''],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn any(text: &str) -> Option<Value> {
        find(text, &|v| v.get("queries").is_some())
    }

    #[test]
    fn finds_the_object_wherever_it_is() {
        let plan = json!({"queries": [{"query": "a"}]});
        let text = plan.to_string();
        for answer in [
            text.clone(),
            format!("  \n{text}\n"),
            format!("```json\n{text}\n```"),
            format!("Sure! [1] Here it is:\n```\n{text}\n```\nAnything else?"),
            format!("The plan {{as asked}} is {text}. Done."),
            format!("<think>maybe {{\"queries\": []}}?</think>\n{text}"),
        ] {
            assert_eq!(any(&answer).as_ref(), Some(&plan), "{answer}");
        }
        for answer in [
            "",
            "no plan",
            "{",
            "[1, 2",
            "{\"other\": 1}",
            "{{{{{{",
            "```",
        ] {
            assert_eq!(any(answer), None, "{answer}");
        }
    }

    #[test]
    fn repairs_what_models_break() {
        let plan = json!({"queries": [{"query": "it's a \"test\"", "priority": 1}], "done": true, "x": null});
        for answer in [
            r#"{'queries': [{'query': 'it\'s a "test"', 'priority': 1,},], 'done': True, 'x': None}"#,
            r#"{queries: [{query: "it's a "test"", priority: 1}], done: true, x: null,}"#,
            "{\"queries\": [{\"query\": \"it's a \\\"test\\\"\" \"priority\": 1}] // all\n \"done\": true, /* so */ \"x\": NaN}",
            "{“queries”: [{“query”: “it's a \\\"test\\\"”, “priority”: 1}], “done”: true, “x”: null}",
            r#"Plan: {"queries": [{"query": "it's a \"test\"", "priority": 1], "done": true, "x": null}"#,
        ] {
            assert_eq!(any(answer).as_ref(), Some(&plan), "{answer}");
        }
    }

    #[test]
    fn what_is_cut_off_is_dropped_and_the_rest_kept() {
        let text =
            r#"{"reasoning": "r", "queries": [{"query": "first", "priority": 1}, {"query": "seco"#;
        let plan = any(text).expect("the rest");
        assert_eq!(plan["queries"][0]["query"], "first");
        assert_eq!(plan["queries"][1], json!({}));
        let number = any(r#"{"queries": [], "n": 12"#).expect("the rest");
        assert_eq!(number, json!({"queries": []}));
    }

    #[test]
    fn every_prefix_ends_without_a_panic() {
        let text = r#"{'queries': [{"query": "ü\u00e9\ud83d\ude00'", a: [1.5e3, {}], b: /* c */ None}], // d
            “e”: nul"#;
        let ends = text.char_indices().map(|(at, _)| at);
        for end in ends {
            any(&text[..end]);
            whole(&text[..end]);
        }
        any(&"[".repeat(100_000));
        any(&"{\"a\":".repeat(50_000));
        any(&"{a:[".repeat(50_000));
    }

    #[test]
    fn a_whole_text_is_well_formed_but_for_constants() {
        let text = r#"{"s": "a \"b\", c", "n": [1, NaN, -Infinity], "t": true}"#;
        let value = json!({"s": "a \"b\", c", "n": [1, null, null], "t": true});
        assert_eq!(whole(text), Some(value));
        assert_eq!(whole(r#"{"n": [1, NaN"#), None);
        assert_eq!(whole(r#"{"n": NaN} and more"#), None);
    }
}
