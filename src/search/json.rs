//! Reading and writing JSON by hand.
//!
//! serde's derived readers and writers are a copy of the code for every type: with them the endpoints module weighed
//! 97 kB brotli.

use crate::base;
use crate::base::error::{Error, ErrorKind, Result};
use serde_json::{Map, Number, Value};

/// An object under construction.
#[derive(Debug, Default)]
pub struct Object(Map<String, Value>);

impl Object {
    /// Adds a member.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// Adds members; they replace those of the same name.
    pub fn extend(mut self, members: &Map<String, Value>) -> Self {
        for (name, value) in members {
            self.0.insert(name.clone(), value.clone());
        }
        self
    }

    /// The object.
    pub fn done(self) -> Value {
        Value::Object(self.0)
    }
}

/// A JSON string.
pub fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// A list of texts.
pub fn texts(list: &[String]) -> Value {
    Value::Array(list.iter().map(|item| text(item)).collect())
}

/// A number; null when it is not finite.
pub fn number(number: f64) -> Value {
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

/// A whole number.
pub fn whole(number: usize) -> Value {
    Value::Number(Number::from(number))
}

/// A value as text.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    push(&mut out, value);
    out
}

fn push(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => out.push_str(&whole.to_string()),
            (None, Some(whole)) => out.push_str(&whole.to_string()),
            (None, None) => out.push_str(&digits(number.as_f64().unwrap_or_default())),
        },
        Value::String(text) => push_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                push(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (i, (name, member)) in members.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                push_text(out, name);
                out.push(':');
                push(out, member);
            }
            out.push('}');
        }
    }
}

fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\0'..='\x1f' => {
                let digit = |n: u32| char::from_digit(n, 16).unwrap_or('0');
                out.push_str("\\u00");
                out.push(digit(u32::from(c) >> 4));
                out.push(digit(u32::from(c) & 15));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The shortest text that reads as this number. In the browser it is the browser's own: ours would be a tenth of
/// the module.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
fn digits(number: f64) -> String {
    let text = js_sys::Number::from(number).to_string_with_radix(10);
    text.map_or_else(|_| "0".to_owned(), String::from)
}

/// The shortest text that reads as this number.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
fn digits(number: f64) -> String {
    number.to_string()
}

/// Takes the members of an object one by one.
pub struct Reader {
    what: &'static str,
    members: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Reader {
    /// A reader of `what`. Errors: `INVALID_ARGUMENT` when it is not an object.
    pub fn new(what: &'static str, value: Value) -> Result<Self> {
        match value {
            Value::Object(members) => Ok(Self {
                what,
                members,
                known: Vec::new(),
            }),
            _ => Err(wrong(&[what, ": it is not an object"])),
        }
    }

    /// A member as it is; `None` when it is not there.
    pub fn any(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.members.get_mut(name).map(Value::take)
    }

    /// A member; null is as good as none.
    pub fn value(&mut self, name: &'static str) -> Option<Value> {
        self.any(name).filter(|value| !value.is_null())
    }

    /// Refuses a member: it is not `wanted`.
    pub fn refuse(&self, name: &str, wanted: &str) -> Error {
        wrong(&[self.what, ": ", name, " is not ", wanted])
    }

    /// A JSON string.
    pub fn text(&mut self, name: &'static str) -> Result<Option<String>> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.refuse(name, "a text")),
        }
    }

    /// A whole number from 0, as large as 32 bits hold.
    pub fn whole(&mut self, name: &'static str) -> Result<Option<u32>> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        let number = value.as_u64().and_then(|n| u32::try_from(n).ok());
        let number = number.ok_or_else(|| self.refuse(name, "a whole number from 0"))?;
        Ok(Some(number))
    }

    /// True or false.
    pub fn flag(&mut self, name: &'static str) -> Result<Option<bool>> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(self.refuse(name, "true or false")),
        }
    }

    /// The position of a name among `names`; the first when none is given.
    pub fn choice(&mut self, name: &'static str, names: &[&str]) -> Result<usize> {
        let Some(value) = self.value(name) else {
            return Ok(0);
        };
        let position = names.iter().position(|n| value.as_str() == Some(n));
        position.ok_or_else(|| self.refuse(name, &["one of ", &names.join(", ")].concat()))
    }

    /// A list of texts.
    pub fn texts(&mut self, name: &'static str) -> Result<Option<Vec<String>>> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        let list = value.as_array().map(|list| {
            let texts = list.iter().filter_map(Value::as_str).map(str::to_owned);
            (texts.collect::<Vec<_>>(), list.len())
        });
        match list {
            Some((texts, n)) if texts.len() == n => Ok(Some(texts)),
            _ => Err(self.refuse(name, "a list of texts")),
        }
    }

    /// An object; an empty one when none is given.
    pub fn members(&mut self, name: &'static str) -> Result<Map<String, Value>> {
        match self.value(name) {
            None => Ok(Map::new()),
            Some(Value::Object(members)) => Ok(members),
            Some(_) => Err(self.refuse(name, "an object")),
        }
    }

    /// Members that were not taken.
    pub fn rest(self) -> Map<String, Value> {
        without(self.members, &self.known)
    }

    /// Refuses members that were not asked for.
    pub fn finish(self) -> Result<()> {
        let unknown = |name: &&String| !self.known.contains(&name.as_str());
        match self.members.keys().find(unknown) {
            None => Ok(()),
            Some(name) => {
                let known = self.known.join(", ");
                let message = [self.what, ": unknown field ", name, "; known are ", &known];
                Err(wrong(&message))
            }
        }
    }
}

/// An object without some of its members. Made anew: taking out of a tree needs more code than putting in.
pub fn without(members: Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let mut rest = Map::new();
    for (name, value) in members {
        if !names.contains(&name.as_str()) {
            rest.insert(name, value);
        }
    }
    rest
}

/// `INVALID_ARGUMENT` with a message in parts.
pub fn wrong(message: &[&str]) -> Error {
    Error::new(ErrorKind::InvalidArgument, message.concat())
}

/// `search` hands options of `find` on as JSON.
impl base::options::Source for Value {
    fn is_null(&self) -> bool {
        self.is_null()
    }

    fn flag(&self) -> Option<bool> {
        self.as_bool()
    }

    fn number(&self) -> Option<f64> {
        self.as_f64()
    }

    fn text(&self) -> Option<String> {
        self.as_str().map(str::to_owned)
    }

    fn items(&self) -> Option<Vec<Self>> {
        self.as_array().cloned()
    }

    fn members(&self) -> Option<Vec<(String, Self)>> {
        let members = self.as_object()?.iter();
        Some(members.map(|(k, v)| (k.clone(), v.clone())).collect())
    }

    fn value(&self) -> Option<base::value::Value> {
        serde::Deserialize::deserialize(self).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reader(value: Value) -> Reader {
        Reader::new("the thing", value).expect("an object")
    }

    #[test]
    fn reads_each_kind_and_passes_over_null() {
        let mut r = reader(
            json!({"t": "a", "n": 7, "f": true, "c": "two", "l": ["x"], "o": {"k": 1}, "z": null}),
        );
        assert_eq!(r.text("t").expect("a text").as_deref(), Some("a"));
        assert_eq!(r.whole("n").expect("a number"), Some(7));
        assert_eq!(r.flag("f").expect("a flag"), Some(true));
        assert_eq!(r.choice("c", &["one", "two"]).expect("a choice"), 1);
        assert_eq!(r.texts("l").expect("texts"), Some(vec!["x".to_owned()]));
        assert_eq!(r.members("o").expect("an object").len(), 1);
        assert_eq!(r.text("z").expect("nothing"), None);
        assert_eq!(r.choice("absent", &["one"]).expect("the first"), 0);
        r.finish().expect("all taken");
    }

    #[test]
    fn refuses_other_kinds_by_name() {
        let message = |error: Error| error.message().to_owned();
        let mut r = reader(json!({"t": 1, "n": -1, "c": "three", "l": ["x", 2], "more": 0}));
        assert_eq!(
            message(r.text("t").expect_err("no text")),
            "the thing: t is not a text"
        );
        assert!(message(r.whole("n").expect_err("negative")).contains("n is not a whole"));
        assert!(
            message(r.choice("c", &["one", "two"]).expect_err("no choice"))
                .ends_with("one of one, two")
        );
        assert!(message(r.texts("l").expect_err("a number in it")).contains("l is not"));
        let unknown = message(r.finish().expect_err("more"));
        assert_eq!(
            unknown,
            "the thing: unknown field more; known are t, n, c, l"
        );
        assert!(Reader::new("the thing", json!([])).is_err());
    }

    #[test]
    fn writes_what_it_is_given() {
        let more = json!({"b": 2});
        let object = Object::default()
            .with("a", text("x"))
            .with("b", whole(1))
            .with("n", number(f64::NAN))
            .extend(more.as_object().expect("an object"))
            .done();
        assert_eq!(object, json!({"a": "x", "b": 2, "n": null}));
        assert_eq!(texts(&["a".to_owned()]), json!(["a"]));
        assert_eq!(number(0.5), json!(0.5));
    }

    #[test]
    fn texts_read_as_what_was_written() {
        let value = json!({
            "t": "a \"b\" \\ \n \t \u{1} \u{1f} é 中 😀 \u{2028}",
            "n": [0, 7, -7, u64::MAX, i64::MIN, 0.5, -0.1, 1e-7, 1e300, 0.8999999761581421],
            "o": {"empty": {}, "list": [], "deep": [[null, true, false]]},
        });
        let text = write(&value);
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
        assert!(text.contains(r#"\n \u0009 \u0001 \u001f é"#), "{text}");
    }
}
