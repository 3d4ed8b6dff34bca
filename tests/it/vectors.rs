//! The cases of the published programs (`tests/vectors/*.json`), read.

use serde_json::Value;

/// The cases of a block; their number is part of a test, so that none is lost silently.
pub fn cases(block: &Value, n: usize) -> Vec<Value> {
    let cases = list(block);
    assert_eq!(cases.len(), n, "cases");
    cases
}

pub fn list(value: &Value) -> Vec<Value> {
    value.as_array().expect("a list").clone()
}

pub fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

pub fn texts(value: &Value) -> Vec<String> {
    list(value)
        .iter()
        .map(|value| text(value).to_owned())
        .collect()
}

pub fn real(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

pub fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a whole number")).expect("a small one")
}

/// Keys of an object, in order of bytes: the JSON library sorts them.
pub fn keys(value: &Value) -> Vec<String> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect()
}

/// Names as numbers, in order of appearance.
#[derive(Debug, Default, Clone)]
pub struct Names(pub Vec<String>);

impl Names {
    pub fn id(&mut self, name: &str) -> u32 {
        let place = self
            .0
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                self.0.push(name.to_owned());
                self.0.len() - 1
            });
        u32::try_from(place).expect("few names")
    }

    pub fn ids(&mut self, names: &Value) -> Vec<u32> {
        list(names).iter().map(|name| self.id(text(name))).collect()
    }

    pub fn names(&self, ids: &[u32]) -> Vec<&str> {
        ids.iter().map(|id| self.0[*id as usize].as_str()).collect()
    }
}
