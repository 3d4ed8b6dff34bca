//! Reads the fields of an option that is an object, and refuses what is not known or of the wrong type.

use super::filter::Value;
use crate::base::error::{Error, ErrorKind, Result};
use std::ops::RangeInclusive;

/// The fields of one object. [`Fields::finish`] names those that nobody asked for.
pub struct Fields<'v> {
    /// Name of the option, for messages.
    option: &'static str,
    entries: &'v [(String, Value)],
    known: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    /// The fields of `value`; null has none. Errors: `INVALID_ARGUMENT` when it is no object.
    pub fn of(option: &'static str, value: &'v Value) -> Result<Self> {
        let entries: &[(String, Value)] = match value {
            Value::Null => &[],
            Value::Map(entries) => entries,
            other => return Err(invalid(&[option, " is ", other.kind(), ", not an object"])),
        };
        Ok(Self {
            option,
            entries,
            known: Vec::new(),
        })
    }

    /// The value of a field; null counts as absent.
    pub fn value(&mut self, name: &'static str) -> Option<&'v Value> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        let (_, value) = self.entries.iter().find(|(key, _)| key == name)?;
        (*value != Value::Null).then_some(value)
    }

    /// The string of a field; `None` where it is missing or null.
    pub fn text(&mut self, name: &'static str) -> Result<Option<&'v str>> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => value
                .as_text()
                .map(Some)
                .ok_or_else(|| self.wrong(name, "a string")),
        }
    }

    /// A list of texts, or a single text. Absent: empty.
    pub fn texts(&mut self, name: &'static str) -> Result<Vec<String>> {
        let wrong = "a string or a list of strings";
        match self.value(name) {
            None => Ok(Vec::new()),
            Some(Value::Text(text)) => Ok(vec![text.clone()]),
            Some(Value::List(items)) => items
                .iter()
                .map(|item| item.as_text().map(str::to_owned))
                .collect::<Option<_>>()
                .ok_or_else(|| self.wrong(name, wrong)),
            Some(_) => Err(self.wrong(name, wrong)),
        }
    }

    /// A finite number in `range`; `wanted` says so in words.
    pub fn number(
        &mut self,
        name: &'static str,
        range: RangeInclusive<f64>,
        wanted: &str,
    ) -> Result<Option<f64>> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        match number(value) {
            Some(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(self.wrong(name, wanted)),
        }
    }

    /// The number of a field, from 0 to 1.
    pub fn share(&mut self, name: &'static str) -> Result<Option<f64>> {
        self.number(name, 0.0..=1.0, "a number from 0 to 1")
    }

    /// A count: a number from 0, cut to a whole one.
    pub fn count(&mut self, name: &'static str) -> Result<Option<u32>> {
        let most = f64::from(u32::MAX);
        let count = self.number(name, 0.0..=most, "a number from 0")?;
        Ok(count.map(|n| n as u32))
    }

    /// True or false. Absent: false.
    pub fn flag(&mut self, name: &'static str) -> Result<bool> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.wrong(name, "true or false")),
        }
    }

    /// One of a list of words.
    pub fn one_of<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Result<Option<T>> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        let meant = value
            .as_text()
            .and_then(|text| words.iter().find(|(word, _)| *word == text));
        match meant {
            Some((_, meant)) => Ok(Some(*meant)),
            None => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(self.wrong(name, &["one of ", &words.join(", ")].concat()))
            }
        }
    }

    /// The error for a field that is not `wanted`.
    pub fn wrong(&self, name: &str, wanted: &str) -> Error {
        invalid(&[self.option, ".", name, " is not ", wanted])
    }

    /// Errors: `INVALID_ARGUMENT` when the object has a field that was not asked for.
    pub fn finish(self) -> Result<()> {
        let unknown = self
            .entries
            .iter()
            .find(|(key, _)| !self.known.contains(&key.as_str()));
        match unknown {
            None => Ok(()),
            Some((key, _)) => Err(invalid(&[
                self.option,
                " has no field ",
                key,
                "; known are ",
                &self.known.join(", "),
            ])),
        }
    }
}

/// A finite number, whole or not.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(whole) => Some(*whole as f64),
        Value::Float(number) if number.is_finite() => Some(*number),
        _ => None,
    }
}

fn invalid(message: &[&str]) -> Error {
    Error::new(ErrorKind::InvalidArgument, message.concat())
}
