//! An untyped value as a request carries it, from JSON or from a JavaScript object.
//!
//! Deserializing is bounded in depth, so that a hostile filter cannot exhaust the stack.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Deepest nesting of lists and maps. A filter node takes two levels, so this is 16 nested `and`s.
pub const MAX_DEPTH: usize = 32;

/// A value without a schema.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// `null`, `undefined`, or absent.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction, or one beyond the whole numbers.
    Float(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// Keys and values in the order given; keys are distinct.
    Map(Vec<(String, Value)>),
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Value {
    /// An object with these keys, which are distinct.
    #[cfg(feature = "full")]
    pub(crate) fn map<const N: usize>(pairs: [(&str, Value); N]) -> Self {
        Self::Map(pairs.map(|(key, value)| (key.to_owned(), value)).into())
    }

    /// Kind of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a number with a fraction",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }

    /// The value of `key` in a map; a null value counts as absent.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let Self::Map(entries) = self else {
            return None;
        };
        let (_, value) = entries.iter().find(|(name, _)| name == key)?;
        (*value != Self::Null).then_some(value)
    }

    /// The text, if it is text.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }
}

impl From<&[u8]> for Value {
    fn from(numbers: &[u8]) -> Self {
        Self::List(numbers.iter().map(|&n| Self::Int(i64::from(n))).collect())
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nested {
            depth_left: MAX_DEPTH,
        }
        .deserialize(deserializer)
    }
}

#[derive(Clone, Copy)]
struct Nested {
    depth_left: usize,
}

impl Nested {
    fn inner<E: Error>(self) -> Result<Self, E> {
        let depth_left = self.depth_left.checked_sub(1);
        let depth_left = depth_left
            .ok_or_else(|| E::custom(format!("nested deeper than {MAX_DEPTH} levels")))?;
        Ok(Self { depth_left })
    }
}

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("null, a boolean, a number, text, a list or an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut entries: Vec<(String, Value)> = Vec::new();
        while let Some(key) = items.next_key::<String>()? {
            if entries.iter().any(|(name, _)| *name == key) {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
            entries.push((key, items.next_value_seed(inner)?));
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Value, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_every_kind() {
        let value =
            read(r#"{"a":[1,-2,1.5,"x",true,null,18446744073709551615]}"#).expect("valid json");
        let Some(Value::List(items)) = value.get("a") else {
            panic!("a list: {value:?}")
        };
        let text = Value::Text("x".to_owned());
        let big = Value::Float(1.8446744073709552e19);
        let expected = [
            Value::Int(1),
            Value::Int(-2),
            Value::Float(1.5),
            text,
            Value::Bool(true),
            Value::Null,
            big,
        ];
        assert_eq!(items[..], expected);
    }

    #[test]
    fn refuses_what_could_mislead_or_exhaust() {
        assert!(
            read(r#"{"op":"and","op":"or"}"#)
                .expect_err("a double key")
                .contains("`op` is given twice")
        );
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(read(&deep(MAX_DEPTH)).is_ok());
        assert!(
            read(&deep(MAX_DEPTH + 1))
                .expect_err("too deep")
                .contains("nested deeper")
        );
    }
}
