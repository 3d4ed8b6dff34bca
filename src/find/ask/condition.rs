//! Filters as Rust values. They become the documents' filter language, which proves them.

use super::filter::Field;
use crate::base::value::Value;
use std::ops::{BitAnd, BitOr};

/// A condition on a context's metadata; `&` and `|` join two.
///
#[cfg_attr(feature = "index", doc = "```")]
#[cfg_attr(not(feature = "index"), doc = "```ignore")]
/// use knarr::FindOptions;
/// use knarr::options::{Condition, Field};
///
/// let recent = Condition::at_least(Field::UpdatedAt, "2026-01-01");
/// let guide = Condition::tag("kind=guide") | Condition::prefix(Field::Name, "how-to");
/// let options = FindOptions::new().filter(guide & recent);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Condition(Value);

impl Condition {
    /// The context carries this tag, `key=value` or a single word.
    pub fn tag(tag: impl Into<Value>) -> Self {
        Self::is(Field::Tags, [tag])
    }

    /// The field has one of these values.
    pub fn is(field: Field, values: impl IntoIterator<Item = impl Into<Value>>) -> Self {
        Self::of("must", field, "conds", list(values))
    }

    /// The field has none of these values.
    pub fn is_not(field: Field, values: impl IntoIterator<Item = impl Into<Value>>) -> Self {
        Self::of("must_not", field, "conds", list(values))
    }

    /// The field, a number or a date, is not below this. Dates are ISO 8601 or milliseconds since 1970 UTC.
    pub fn at_least(field: Field, bound: impl Into<Value>) -> Self {
        Self::of("range", field, "gte", bound.into())
    }

    /// The field, a number or a date, is not above this.
    pub fn at_most(field: Field, bound: impl Into<Value>) -> Self {
        Self::of("range", field, "lte", bound.into())
    }

    /// The text of the field begins so.
    pub fn prefix(field: Field, prefix: impl Into<Value>) -> Self {
        Self::of("prefix", field, "prefix", prefix.into())
    }

    /// The text of the field contains this.
    pub fn contains(field: Field, substring: impl Into<Value>) -> Self {
        Self::of("contains", field, "substring", substring.into())
    }

    /// The text of the field matches a regular expression, anywhere unless it is anchored.
    pub fn matches(field: Field, pattern: impl Into<Value>) -> Self {
        Self::of("regex", field, "pattern", pattern.into())
    }

    fn of(op: &str, field: Field, key: &str, value: Value) -> Self {
        let pairs = [
            ("op", op.into()),
            ("field", field.name().into()),
            (key, value),
        ];
        Self(Value::map(pairs))
    }

    fn joined(self, op: &str, other: Self) -> Self {
        let conds = Value::List(vec![self.0, other.0]);
        Self(Value::map([("op", op.into()), ("conds", conds)]))
    }
}

fn list(values: impl IntoIterator<Item = impl Into<Value>>) -> Value {
    Value::List(values.into_iter().map(Into::into).collect())
}

impl BitAnd for Condition {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.joined("and", other)
    }
}

impl BitOr for Condition {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.joined("or", other)
    }
}

impl From<Condition> for Value {
    fn from(condition: Condition) -> Self {
        condition.0
    }
}
