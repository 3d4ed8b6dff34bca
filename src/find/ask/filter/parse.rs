//! Validation of filters: every refusal names the place inside the filter.

use super::{CompilePattern, FIELDS, Field, Kind, Node, Range, Value, canonical_path};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::uri::SCHEME;
use crate::bundle::{fold_tag, fold_value};
use crate::find::ask::time::parse_instant;

const OPS: &str = "and, or, must, must_not, range, range_out, time_range, prefix, contains, regex";

/// Deepest path scope; larger numbers mean the same.
const MAX_PATH_DEPTH: i64 = 50;

fn invalid<T>(place: &str, message: impl std::fmt::Display) -> Result<T> {
    Err(Error::new(
        ErrorKind::InvalidFilter,
        format!("{place}: {message}"),
    ))
}

/// A text as the rows have it in `field`: tags are folded there, so a condition that is not would let pass what it
/// means to keep out.
fn folded(field: Field, text: &str, fold: fn(&str) -> String) -> String {
    match field {
        Field::Tags => fold(text),
        _ => text.to_owned(),
    }
}

/// The keys of an operator besides `op`.
fn keys(op: &str, at_op: &str) -> Result<&'static [&'static str]> {
    Ok(match op {
        "and" | "or" => &["conds"],
        "must" | "must_not" => &["field", "conds", "para"],
        "range" | "range_out" | "time_range" => &["field", "gte", "gt", "lte", "lt"],
        "prefix" => &["field", "prefix"],
        "contains" => &["field", "substring"],
        "regex" => &["field", "pattern"],
        "geo_range" | "label_in" => {
            return invalid(at_op, format_args!("`{op}` is not supported; one of {OPS}"));
        }
        _ => {
            return invalid(at_op, format_args!("unknown operator `{op}`; one of {OPS}"));
        }
    })
}

/// Reads one node of a filter that stands at `place`.
pub(super) fn node(value: &Value, place: &str, compile: Option<CompilePattern>) -> Result<Node> {
    let Value::Map(entries) = value else {
        return invalid(
            place,
            format_args!("expected an object with `op`, got {}", value.kind()),
        );
    };
    let at_op = format!("{place}.op");
    let op = match value.get("op") {
        Some(Value::Text(op)) => op.as_str(),
        Some(other) => {
            return invalid(
                &at_op,
                format_args!("expected one of {OPS}, got {}", other.kind()),
            );
        }
        None => return invalid(&at_op, format_args!("missing; one of {OPS}")),
    };
    let allowed = keys(op, &at_op)?;
    if let Some((key, _)) = entries
        .iter()
        .find(|(key, _)| key != "op" && !allowed.contains(&key.as_str()))
    {
        let known = allowed.join(", ");
        return invalid(
            &format!("{place}.{key}"),
            format_args!("unknown key; `{op}` takes {known}"),
        );
    }
    let node = Reader { value, place, op };
    match op {
        "and" => node.children(compile).map(Node::All),
        "or" => node.children(compile).map(Node::Any),
        "must" => node.membership(),
        "must_not" => Ok(Node::Not(Box::new(node.membership()?))),
        "prefix" => node.prefix(),
        "contains" => {
            let field = node.text_field()?;
            let substring = folded(field, node.text("substring")?, fold_value);
            Ok(Node::Contains { field, substring })
        }
        "regex" => node.regex(compile),
        _ => node.range(),
    }
}

/// One node under validation.
struct Reader<'a> {
    value: &'a Value,
    place: &'a str,
    op: &'a str,
}

impl<'a> Reader<'a> {
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.place)
    }

    fn list(&self, key: &str) -> Result<&'a [Value]> {
        match self.value.get(key) {
            Some(Value::List(items)) => Ok(items),
            Some(other) => invalid(
                &self.at(key),
                format_args!("expected a list, got {}", other.kind()),
            ),
            None => invalid(
                &self.at(key),
                format_args!("missing; `{}` needs a list", self.op),
            ),
        }
    }

    fn text(&self, key: &str) -> Result<&'a str> {
        match self.value.get(key) {
            Some(Value::Text(text)) if !text.is_empty() => Ok(text),
            Some(Value::Text(_)) => invalid(&self.at(key), "must not be empty"),
            Some(other) => invalid(
                &self.at(key),
                format_args!("expected text, got {}", other.kind()),
            ),
            None => invalid(
                &self.at(key),
                format_args!("missing; `{}` needs it", self.op),
            ),
        }
    }

    fn children(&self, compile: Option<CompilePattern>) -> Result<Vec<Node>> {
        let children = self.list("conds")?;
        if children.is_empty() {
            return invalid(&self.at("conds"), "must not be empty");
        }
        let place = self.at("conds");
        let read = |(i, child)| node(child, &format!("{place}[{i}]"), compile);
        children.iter().enumerate().map(read).collect()
    }

    fn field(&self) -> Result<Field> {
        let name = self.text("field")?;
        if let Some(field) = Field::named(name) {
            return Ok(field);
        }
        let known = FIELDS.map(|(name, _)| name).join(", ");
        invalid(
            &self.at("field"),
            format_args!("unknown field `{name}`; one of {known}"),
        )
    }

    fn text_field(&self) -> Result<Field> {
        let field = self.field()?;
        match field.kind() {
            Kind::Path | Kind::Text => Ok(field),
            Kind::Integer | Kind::Date => invalid(
                &self.at("field"),
                format_args!("`{}` needs a field of text", self.op),
            ),
        }
    }

    /// `prefix`: a raw prefix, not a test of segments.
    fn prefix(&self) -> Result<Node> {
        let field = self.text_field()?;
        let prefix = self.text("prefix")?;
        // Only the internal form `/a` is brought into the outer one.
        let inner = prefix.strip_prefix('/').filter(|_| field == Field::Uri);
        let prefix = inner.map_or_else(
            || folded(field, prefix, fold_value),
            |path| format!("{SCHEME}{path}"),
        );
        Ok(Node::Prefix { field, prefix })
    }

    /// `regex`: the pattern matches somewhere in the field.
    fn regex(&self, compile: Option<CompilePattern>) -> Result<Node> {
        let field = self.text_field()?;
        let source = self.text("pattern")?;
        let at = self.at("pattern");
        let Some(compile) = compile else {
            return invalid(&at, "regular expressions are not available here");
        };
        match compile(source) {
            Ok(pattern) => Ok(Node::Matches { field, pattern }),
            Err(reason) => invalid(&at, format_args!("`{source}` does not compile: {reason}")),
        }
    }

    /// The place of a value of `conds`.
    fn cond(&self, i: usize) -> String {
        format!("{}[{i}]", self.at("conds"))
    }

    fn wrong<T>(&self, i: usize, expected: &str, item: &Value) -> Result<T> {
        let what = format_args!("expected {expected}, got {}", item.kind());
        invalid(&self.cond(i), what)
    }

    /// `must`: the field has one of the values. An empty list of values matches nothing.
    fn membership(&self) -> Result<Node> {
        let field = self.field()?;
        let items = self.list("conds")?;
        let depth = self.path_depth(field)?;
        if field.kind() == Kind::Path || field.kind() == Kind::Text {
            let mut values = Vec::with_capacity(items.len());
            for (i, item) in items.iter().enumerate() {
                let Some(text) = item.as_text() else {
                    return self.wrong(i, "text", item);
                };
                values.push(folded(field, text, fold_tag));
            }
            if field.kind() == Kind::Text {
                return Ok(Node::Text { field, values });
            }
            for (i, value) in values.iter_mut().enumerate() {
                match canonical_path(value) {
                    Some(path) => *value = path,
                    None => {
                        return invalid(
                            &self.cond(i),
                            format_args!("`{value}` is not a full uri: write viking://…"),
                        );
                    }
                }
            }
            return Ok(Node::Path {
                bases: values,
                depth,
            });
        }
        self.numbers(field, items)
    }

    /// The values of a number or a date.
    fn numbers(&self, field: Field, items: &[Value]) -> Result<Node> {
        let wrong = |i: usize, expected: &str| self.wrong(i, expected, &items[i]);
        let mut values = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            let number = match (item, field.kind()) {
                (Value::Int(number), _) => Some(*number),
                (Value::Text(text), Kind::Date) => parse_instant(text),
                (Value::Text(text), _) => text.trim().parse().ok(),
                _ => None,
            };
            match number {
                Some(number) => values.push(number),
                None if field.kind() == Kind::Date => return wrong(i, "an ISO 8601 time"),
                None => return wrong(i, "an integer"),
            }
        }
        // One list has one type: a list that mixes them is more likely a mistake than a wish.
        let kind = |value: &Value| std::mem::discriminant(value);
        if let Some(i) = (1..items.len()).find(|i| kind(&items[*i]) != kind(&items[0])) {
            return wrong(
                i,
                &format!("the type of the first value, {}", items[0].kind()),
            );
        }
        Ok(Node::Number { field, values })
    }

    /// `para`: `-d=N`, N −1 for the whole subtree, 0 for the path alone, otherwise levels below it.
    fn path_depth(&self, field: Field) -> Result<Option<usize>> {
        let Some(para) = self.value.get("para") else {
            return Ok(None);
        };
        if field.kind() != Kind::Path {
            return invalid(&self.at("para"), "only the field `uri` takes it");
        }
        let text = match para {
            Value::Text(text) => text.trim(),
            other => {
                return invalid(
                    &self.at("para"),
                    format_args!("expected text, got {}", other.kind()),
                );
            }
        };
        if text.is_empty() {
            return Ok(None);
        }
        let depth = text
            .strip_prefix("-d=")
            .and_then(|depth| depth.trim().parse::<i64>().ok());
        match depth {
            Some(depth) => Ok(usize::try_from(depth.min(MAX_PATH_DEPTH)).ok()),
            None => invalid(
                &self.at("para"),
                format_args!("`{text}` is not of the form -d=N"),
            ),
        }
    }

    fn range(&self) -> Result<Node> {
        let field = self.field()?;
        let kind = field.kind();
        if kind != Kind::Date && (self.op == "time_range" || kind != Kind::Integer) {
            let needs = if self.op == "time_range" {
                "a date"
            } else {
                "a number or a date"
            };
            return invalid(
                &self.at("field"),
                format_args!("`{}` needs {needs}", self.op),
            );
        }
        let bounds = ["gte", "gt", "lte", "lt"].map(|key| self.bound(key, kind));
        let [gte, gt, lte, lt] = bounds;
        let (gte, gt, lte, lt) = (gte?, gt?, lte?, lt?);
        let closed = |bound: Option<f64>| bound.map(|bound| (bound, true));
        let open = |bound: Option<f64>| bound.map(|bound| (bound, false));
        // The closed bound wins when both are given, as upstream.
        let range = Range {
            low: closed(gte).or(open(gt)),
            high: closed(lte).or(open(lt)),
        };
        if range == Range::default() {
            return invalid(
                self.place,
                format_args!("`{}` needs one of gte, gt, lte, lt", self.op),
            );
        }
        Ok(Node::Range {
            field,
            range,
            outside: self.op == "range_out",
        })
    }

    fn bound(&self, key: &str, kind: Kind) -> Result<Option<f64>> {
        match (self.value.get(key), kind) {
            (None, _) => Ok(None),
            (Some(Value::Int(number)), _) => Ok(Some(*number as f64)),
            (Some(Value::Float(number)), _) if number.is_finite() => Ok(Some(*number)),
            (Some(Value::Text(text)), Kind::Date) => match parse_instant(text) {
                Some(ms) => Ok(Some(ms as f64)),
                None => invalid(
                    &self.at(key),
                    format_args!("`{text}` is not an ISO 8601 time"),
                ),
            },
            (Some(other), Kind::Date) => invalid(
                &self.at(key),
                format_args!("expected an ISO 8601 time, got {}", other.kind()),
            ),
            (Some(other), _) => invalid(
                &self.at(key),
                format_args!("expected a number, got {}", other.kind()),
            ),
        }
    }
}
