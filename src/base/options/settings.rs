//! The types that an option can have.

use super::{CacheKey, Setting, Shape, Source, Value};

impl Setting for bool {
    const WANTED: &'static str = "true or false";

    fn read(source: &impl Source) -> Option<Self> {
        source.flag()
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.number(u64::from(*self));
    }

    fn shape() -> Shape {
        Shape::Flag
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Setting for String {
    const WANTED: &'static str = "a string";

    fn read(source: &impl Source) -> Option<Self> {
        source.text()
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.text(self);
    }

    fn shape() -> Shape {
        Shape::Text
    }
}

impl Setting for f32 {
    const WANTED: &'static str = "a number";

    fn read(source: &impl Source) -> Option<Self> {
        source.number().map(|number| number as f32)
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.real(f64::from(*self));
    }

    fn shape() -> Shape {
        Shape::Number
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Setting for i64 {
    const WANTED: &'static str = "a whole number";

    fn read(source: &impl Source) -> Option<Self> {
        let number = source.number()?;
        let whole = number as i64;
        (whole as f64 == number).then_some(whole)
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.number(self.cast_unsigned());
    }

    fn shape() -> Shape {
        Shape::Integer
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

/// The browser's numbers of things have 32 bits, and a request means the same everywhere.
impl Setting for usize {
    const WANTED: &'static str = "a whole number from 0 to 4294967295";

    fn read(source: &impl Source) -> Option<Self> {
        let whole: u32 = i64::read(source)?.try_into().ok()?;
        Some(whole as Self)
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.number(*self as u64);
    }

    fn shape() -> Shape {
        Shape::Whole
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl<T: Setting> Setting for Option<T> {
    const WANTED: &'static str = T::WANTED;

    fn read(source: &impl Source) -> Option<Self> {
        if source.is_null() {
            return Some(None);
        }
        T::read(source).map(Some)
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.number(u64::from(self.is_some()));
        if let Some(value) = self {
            value.add_to(key);
        }
    }

    fn shape() -> Shape {
        Shape::Optional(Box::new(T::shape()))
    }

    fn shown(&self) -> String {
        self.as_ref().map(T::shown).unwrap_or_default()
    }
}

impl Setting for Vec<String> {
    const WANTED: &'static str = "a list of strings";

    fn read(source: &impl Source) -> Option<Self> {
        source.items()?.iter().map(String::read).collect()
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.number(self.len() as u64);
        self.iter().for_each(|text| text.add_to(key));
    }

    fn shape() -> Shape {
        Shape::List(Box::new(Shape::Text))
    }
}

impl Setting for Vec<f32> {
    const WANTED: &'static str = "a list of numbers";

    fn read(source: &impl Source) -> Option<Self> {
        source.numbers()
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.vector(Some(self));
    }

    fn shape() -> Shape {
        Shape::List(Box::new(Shape::Number))
    }
}

impl Setting for Value {
    const WANTED: &'static str = if cfg!(feature = "full") {
        "a plain object, not nested deeper than 32 levels"
    } else {
        // The core's only option of this kind.
        "a level from 0 to 2, or a list of them"
    };

    fn read(source: &impl Source) -> Option<Self> {
        source.value()
    }

    /// Adds the kind, too, so that `1` and `"1"` and `[1]` differ.
    fn add_to(&self, key: &mut CacheKey) {
        match self {
            Self::Null => key.number(0),
            Self::Bool(b) => key.number(1).number(u64::from(*b)),
            Self::Int(n) => key.number(2).number(n.cast_unsigned()),
            Self::Float(n) => key.number(3).real(*n),
            Self::Text(text) => key.number(4).text(text),
            Self::List(items) => {
                key.number(5).number(items.len() as u64);
                items.iter().for_each(|item| item.add_to(key));
                key
            }
            Self::Map(entries) => {
                key.number(6).number(entries.len() as u64);
                for (name, item) in entries {
                    key.text(name);
                    item.add_to(key);
                }
                key
            }
        };
    }

    fn shape() -> Shape {
        Shape::Any
    }
}

/// One value or a list of values, as the documents' request shapes allow.
#[derive(Debug, Clone, PartialEq)]
pub enum OneOrMany<T> {
    /// A single value.
    One(T),
    /// Several values.
    Many(Vec<T>),
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> OneOrMany<T> {
    /// The values as a slice.
    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Many(values) => values,
        }
    }
}

impl<T: Setting> Setting for OneOrMany<T> {
    const WANTED: &'static str = T::WANTED;

    fn read(source: &impl Source) -> Option<Self> {
        match source.items() {
            None => T::read(source).map(Self::One),
            Some(items) => {
                let items = items.iter().map(T::read).collect::<Option<_>>()?;
                Some(Self::Many(items))
            }
        }
    }

    fn add_to(&self, key: &mut CacheKey) {
        key.number(self.as_slice().len() as u64);
        self.as_slice().iter().for_each(|value| value.add_to(key));
    }

    fn shape() -> Shape {
        Shape::OneOrMany(Box::new(T::shape()))
    }
}
