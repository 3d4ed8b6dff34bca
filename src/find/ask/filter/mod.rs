//! Metadata filters: the documents' filter language, validated up front and failing closed.
//!
//! A malformed filter is an `INVALID_FILTER` error that names the place, such as `filter.conds[1].op`; it never widens
//! what may be returned. `must_not` means the same wherever it stands. Source: OpenViking specification §2.1 and §2.5.

mod parse;
mod pattern;

pub use crate::base::value::{MAX_DEPTH, Value};
pub use pattern::compile;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::uri::{ContextType, SCHEME, is_within};
use crate::bundle::normalize_tag;
use crate::find::ask::time::Period;

/// A field of a row that a filter may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// `viking://` URI of the node.
    Uri,
    /// `file` or `directory`.
    Type,
    /// `memory`, `resource` or `skill`.
    ContextType,
    /// When the context was made.
    CreatedAt,
    /// When the context last changed.
    UpdatedAt,
    /// Number of times the context was reported as used.
    ActiveCount,
    /// 0 abstract, 1 overview, 2 content.
    Level,
    /// File or directory name.
    Name,
    /// Tags, also called `search_tags`.
    Tags,
    /// Account of a multi-tenant source.
    AccountId,
    /// User who owns the context.
    OwnerUserId,
}

/// Kind of the values of a [`Field`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Path,
    Text,
    Integer,
    /// Milliseconds since 1970 UTC.
    Date,
}

const FIELDS: [(&str, Field); 12] = [
    ("uri", Field::Uri),
    ("type", Field::Type),
    ("context_type", Field::ContextType),
    ("created_at", Field::CreatedAt),
    ("updated_at", Field::UpdatedAt),
    ("active_count", Field::ActiveCount),
    ("level", Field::Level),
    ("name", Field::Name),
    ("tags", Field::Tags),
    ("search_tags", Field::Tags),
    ("account_id", Field::AccountId),
    ("owner_user_id", Field::OwnerUserId),
];

impl Field {
    fn named(name: &str) -> Option<Self> {
        FIELDS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, field)| *field)
    }

    /// The field's name in a filter.
    #[cfg(feature = "full")]
    pub(crate) fn name(self) -> &'static str {
        let known = FIELDS.iter().find(|(_, field)| *field == self);
        known.map_or("", |(name, _)| name)
    }

    fn kind(self) -> Kind {
        match self {
            Self::Uri => Kind::Path,
            Self::CreatedAt | Self::UpdatedAt => Kind::Date,
            Self::ActiveCount | Self::Level => Kind::Integer,
            _ => Kind::Text,
        }
    }
}

/// The fields of one row, as a filter reads them. Nothing has to be allocated for a test.
pub trait Fields {
    /// True if any text of `field` passes `test`: one for a plain field, each element of a list, none when absent.
    ///
    /// Asked for [`Field::Uri`] (canonical, without sidecar suffix) and the text fields.
    fn any_text(&self, field: Field, test: &mut dyn FnMut(&str) -> bool) -> bool;

    /// The number in `field`: a count, a level, or milliseconds since 1970 UTC. `None` when absent.
    fn number(&self, field: Field) -> Option<i64>;
}

/// A compiled regular expression: an unanchored search.
pub type Pattern = Box<dyn Fn(&str) -> bool>;

/// Compiles the pattern of a `regex` condition. Errors: the reason, for people.
///
/// The browser's own `RegExp` is one, the `regex` crate another; this module names neither.
pub type CompilePattern<'a> = &'a dyn Fn(&str) -> Result<Pattern, String>;

/// A validated filter.
pub struct Filter(Node);

enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Text {
        field: Field,
        values: Vec<String>,
    },
    Number {
        field: Field,
        values: Vec<i64>,
    },
    Path {
        bases: Vec<String>,
        depth: Option<usize>,
    },
    Range {
        field: Field,
        range: Range,
        outside: bool,
    },
    Prefix {
        field: Field,
        prefix: String,
    },
    Contains {
        field: Field,
        substring: String,
    },
    Matches {
        field: Field,
        pattern: Pattern,
    },
}

/// Bounds of a range. Values are compared as f64: exact for every date and every count below 2^53.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Range {
    /// Lower bound, and whether it belongs to the range.
    low: Option<(f64, bool)>,
    /// Upper bound, and whether it belongs to the range.
    high: Option<(f64, bool)>,
}

impl Range {
    fn holds(self, value: f64) -> bool {
        let above = self
            .low
            .is_none_or(|(bound, closed)| value > bound || (closed && value == bound));
        let below = self
            .high
            .is_none_or(|(bound, closed)| value < bound || (closed && value == bound));
        above && below
    }

    /// Strictly beyond a bound, whether or not the bound itself belongs to the range.
    fn excludes(self, value: f64) -> bool {
        self.low.is_some_and(|(bound, _)| value < bound)
            || self.high.is_some_and(|(bound, _)| value > bound)
    }
}

impl Filter {
    /// Validates a filter. `null` and `{}` are no filter: `None`.
    ///
    /// Without `compile`, a `regex` condition is refused. Errors: `INVALID_FILTER`, naming the place and the remedy.
    pub fn parse(value: &Value, compile: Option<CompilePattern>) -> Result<Option<Self>> {
        match value {
            Value::Null => Ok(None),
            Value::Map(entries) if entries.is_empty() => Ok(None),
            value => parse::node(value, "filter", compile).map(|node| Some(Self(node))),
        }
    }

    /// True if a row passes.
    pub fn matches(&self, row: &dyn Fields) -> bool {
        self.0.matches(row)
    }

    /// A filter that every one of `filters` lets through. No filters: `None`.
    pub fn all(filters: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut nodes: Vec<Node> = filters.into_iter().map(|filter| filter.0).collect();
        match nodes.len() {
            0 | 1 => nodes.pop().map(Self),
            _ => Some(Self(Node::All(nodes))),
        }
    }

    /// Rows of one of these context types. No types: `None`.
    pub fn context_types(types: &[ContextType]) -> Option<Self> {
        let values: Vec<String> = types.iter().map(|kind| kind.as_str().to_owned()).collect();
        (!values.is_empty()).then_some(Self(Node::Text {
            field: Field::ContextType,
            values,
        }))
    }

    /// Rows that carry every one of `tags`, which [`normalize_tags`] has read. No tags: `None`.
    pub fn tags(tags: &[String]) -> Option<Self> {
        Self::all(tags.iter().map(|tag| {
            Self(Node::Text {
                field: Field::Tags,
                values: vec![tag.clone()],
            })
        }))
    }

    /// Rows whose time `field` lies in `period`. A row without that time does not. An open period: `None`.
    pub fn period(field: TimeField, period: Period) -> Option<Self> {
        let bound = |ms: Option<i64>| ms.map(|ms| (ms as f64, true));
        let range = Range {
            low: bound(period.since),
            high: bound(period.until),
        };
        let field = match field {
            TimeField::UpdatedAt => Field::UpdatedAt,
            TimeField::CreatedAt => Field::CreatedAt,
        };
        (range != Range::default()).then_some(Self(Node::Range {
            field,
            range,
            outside: false,
        }))
    }
}

crate::words! {
    /// The time of a context that `since` and `until` are about.
    pub enum TimeField {
        /// When the context last changed.
        UpdatedAt = "updated_at" (default),
        /// When the context was made.
        CreatedAt = "created_at",
    }
}

impl Node {
    fn matches(&self, row: &dyn Fields) -> bool {
        match self {
            Self::All(nodes) => nodes.iter().all(|node| node.matches(row)),
            Self::Any(nodes) => nodes.iter().any(|node| node.matches(row)),
            Self::Not(node) => !node.matches(row),
            Self::Text { field, values } => {
                row.any_text(*field, &mut |text| values.iter().any(|v| v == text))
            }
            Self::Number { field, values } => row
                .number(*field)
                .is_some_and(|number| values.contains(&number)),
            Self::Path { bases, depth } => row.any_text(Field::Uri, &mut |uri| {
                bases.iter().any(|base| in_reach(uri, base, *depth))
            }),
            Self::Range {
                field,
                range,
                outside,
            } => row.number(*field).is_some_and(|number| {
                let number = number as f64;
                if *outside {
                    range.excludes(number)
                } else {
                    range.holds(number)
                }
            }),
            Self::Prefix { field, prefix } => {
                row.any_text(*field, &mut |text| text.starts_with(prefix.as_str()))
            }
            Self::Contains { field, substring } => {
                row.any_text(*field, &mut |text| text.contains(substring.as_str()))
            }
            Self::Matches { field, pattern } => row.any_text(*field, &mut |text| pattern(text)),
        }
    }
}

/// True if `uri` is `base` or lies at most `depth` levels below it (`None`: any).
fn in_reach(uri: &str, base: &str, depth: Option<usize>) -> bool {
    if !is_within(uri, base) {
        return false;
    }
    let below = uri[base.len()..]
        .split('/')
        .filter(|segment| !segment.is_empty())
        .count();
    depth.is_none_or(|depth| below <= depth)
}

/// Reads the `tags` of a request: trimmed, lower case, the last value of a key wins.
///
/// `key=value`, or a bare word without `=` (our addition: front matter is full of them). Errors: `INVALID_ARGUMENT` when
/// a tag is empty or has no key or value.
#[inline(never)]
pub fn normalize_tags(tags: &[String]) -> Result<Vec<String>> {
    let mut kept: Vec<String> = Vec::new();
    for tag in tags {
        let Some(tag) = normalize_tag(tag) else {
            let message = format!("tag `{tag}` is malformed: write key=value or a single word");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        };
        let key = tag.split_once('=').map(|(key, _)| key);
        let same = |other: &String| match key {
            Some(key) => other.split_once('=').is_some_and(|(other, _)| other == key),
            None => *other == tag,
        };
        match kept.iter().position(same) {
            Some(at) => kept[at] = tag,
            None => kept.push(tag),
        }
    }
    Ok(kept)
}

/// Reads the `context_type` of a request: names, also several in one text with commas, in any case.
///
/// Errors: `INVALID_ARGUMENT` for any other name.
pub fn parse_context_types<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<ContextType>> {
    let mut types = Vec::new();
    for name in names
        .into_iter()
        .flat_map(|names| names.split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        let all = [
            ContextType::Memory,
            ContextType::Resource,
            ContextType::Skill,
        ];
        let Some(kind) = all
            .into_iter()
            .find(|kind| kind.as_str().eq_ignore_ascii_case(name))
        else {
            let message = format!("unknown context type `{name}`: one of memory, resource, skill");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        };
        if !types.contains(&kind) {
            types.push(kind);
        }
    }
    Ok(types)
}

/// Reads the `level` of a request: a number, text such as `0,2`, or a list of both.
///
/// Parts that are no whole number are passed over; when none is left there is no level filter: `None`.
pub fn parse_levels(value: &Value) -> Option<Vec<i64>> {
    /// Keeps the list ascending and distinct; it has three entries at most that mean anything.
    fn insert(levels: &mut Vec<i64>, level: i64) {
        let at = levels.partition_point(|&known| known < level);
        if levels.get(at) != Some(&level) {
            levels.insert(at, level);
        }
    }
    fn collect(value: &Value, levels: &mut Vec<i64>) {
        match value {
            Value::Int(level) => insert(levels, *level),
            Value::Text(text) => text
                .split(',')
                .filter_map(|part| part.trim().parse::<i64>().ok())
                .for_each(|level| insert(levels, level)),
            Value::List(items) => items.iter().for_each(|item| collect(item, levels)),
            _ => {}
        }
    }
    let mut levels = Vec::new();
    collect(value, &mut levels);
    (!levels.is_empty()).then_some(levels)
}

/// A path as a filter writes it, `viking://a/b` or `/a/b`, in canonical form without a trailing slash.
fn canonical_path(text: &str) -> Option<String> {
    let path = text
        .strip_prefix(SCHEME)
        .or_else(|| text.strip_prefix('/'))?;
    Some(format!("{SCHEME}{}", path.trim_end_matches('/')))
}

#[cfg(test)]
mod tests;
