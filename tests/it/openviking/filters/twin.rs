//! Random filters, against an evaluator that reads them as they stand.

use super::{Context, contexts, value};
use knarr::find::ask::filter::Filter;
use knarr::find::ask::time::{format_ms, parse_instant};
use serde_json::{Value as Json, json};

/// A small xorshift generator: the same filters on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn filter(&mut self, depth: usize) -> Json {
        let uris = [
            "viking://resources",
            "viking://resources/a",
            "viking://resources/a/c/",
            "/user/u",
            "viking://x",
        ];
        let tags = ["team=infra", "team=web", "lang=zh", "none"];
        let dates = [
            "2026-01-01",
            "2026-02-15",
            "2026-03-01T00:00:00Z",
            "2026-05-01T02:00:00+02:00",
        ];
        match self.below(if depth == 0 { 7 } else { 9 }) {
            0 => {
                let op = self.pick(&["must", "must_not"]);
                let para = self.pick(&[
                    json!(null),
                    json!("-d=0"),
                    json!("-d=1"),
                    json!("-d=2"),
                    json!("-d=-1"),
                ]);
                json!({"op": op, "field": "uri", "conds": [self.pick(&uris), self.pick(&uris)], "para": para})
            }
            1 => {
                json!({"op": self.pick(&["must", "must_not"]), "field": "tags", "conds": [self.pick(&tags), self.pick(&tags)]})
            }
            2 => {
                json!({"op": self.pick(&["must", "must_not"]), "field": "level", "conds": [self.below(3)]})
            }
            3 => {
                let op = self.pick(&["range", "range_out"]);
                let (low, high) = (self.pick(&["gte", "gt"]), self.pick(&["lte", "lt"]));
                json!({"op": op, "field": "level", low: self.below(3), high: self.below(3)})
            }
            4 => {
                let op = self.pick(&["time_range", "range", "range_out"]);
                let bound = self.pick(&["gte", "gt", "lte", "lt"]);
                json!({"op": op, "field": "updated_at", bound: self.pick(&dates)})
            }
            5 => {
                json!({"op": "prefix", "field": "uri", "prefix": self.pick(&["viking://resources/a", "/user", "viking://r"])})
            }
            6 => {
                json!({"op": "contains", "field": self.pick(&["tags", "name"]), "substring": self.pick(&["a", "b", ".md"])})
            }
            _ => {
                let children: Vec<Json> = (0..1 + self.below(3))
                    .map(|_| self.filter(depth - 1))
                    .collect();
                json!({"op": self.pick(&["and", "or"]), "conds": children})
            }
        }
    }
}

/// The twin: reads the filter as it stands, with lists of segments and texts of dates, and shares no code.
fn naive(filter: &Json, row: &Context) -> bool {
    let texts = |field: &str| -> Vec<String> {
        match field {
            "uri" => vec![row.uri.to_owned()],
            "name" => vec![row.uri.split('/').next_back().unwrap_or("").to_owned()],
            _ => row.tags.iter().map(|tag| (*tag).to_owned()).collect(),
        }
    };
    let segments = |uri: &str| -> Vec<String> {
        uri.replace("viking:/", "")
            .split('/')
            .filter(|s| !s.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let field = filter["field"].as_str().unwrap_or_default();
    let op = filter["op"].as_str().expect("an operator");
    let list = |key: &str| filter[key].as_array().cloned().unwrap_or_default();
    match op {
        "and" => !list("conds").iter().any(|child| !naive(child, row)),
        "or" => {
            list("conds")
                .iter()
                .filter(|child| naive(child, row))
                .count()
                > 0
        }
        "must_not" => {
            let mut twin = filter.clone();
            twin["op"] = json!("must");
            !naive(&twin, row)
        }
        "must" if field == "level" => list("conds").contains(&json!(row.level)),
        "must" if field == "tags" => list("conds")
            .iter()
            .any(|tag| row.tags.iter().any(|own| tag == own)),
        "must" => {
            let own = segments(row.uri);
            let levels: i64 = filter["para"]
                .as_str()
                .map_or(-1, |para| para[3..].parse().expect("a number"));
            list("conds").iter().any(|base| {
                let base = segments(base.as_str().expect("text"));
                let inside = own.len() >= base.len() && own[..base.len()] == base[..];
                inside && (levels < 0 || (own.len() - base.len()) as i64 <= levels)
            })
        }
        "prefix" => {
            let prefix = filter["prefix"]
                .as_str()
                .expect("text")
                .replacen("viking:/", "", 1);
            row.uri.replacen("viking:/", "", 1).find(&prefix) == Some(0)
        }
        "contains" => texts(field).iter().any(|text| {
            text.split(filter["substring"].as_str().expect("text"))
                .count()
                > 1
        }),
        _ => {
            // Fixed-width ISO texts in UTC compare like the instants they write.
            let own = match field {
                "level" => Some(format!("{}", row.level)),
                _ => row.updated_at.map(format_ms),
            };
            let Some(own) = own else { return false };
            let bound = |key: &str| match &filter[key] {
                Json::Null => None,
                Json::String(text) => Some(format_ms(parse_instant(text).expect("a date"))),
                number => Some(number.to_string()),
            };
            let (gte, gt, lte, lt) = (bound("gte"), bound("gt"), bound("lte"), bound("lt"));
            if op == "range_out" {
                let below = [&gte, &gt].into_iter().flatten().any(|bound| own < *bound);
                return below || [&lte, &lt].into_iter().flatten().any(|bound| own > *bound);
            }
            let low = gte.is_none_or(|bound| own >= bound) && gt.is_none_or(|bound| own > bound);
            low && lte.is_none_or(|bound| own <= bound) && lt.is_none_or(|bound| own < bound)
        }
    }
}

#[test]
fn agrees_with_the_naive_evaluator() {
    let mut random = Random(0x5eed);
    let (mut passed, mut held) = (0, 0);
    for _ in 0..5000 {
        let json = random.filter(3);
        let filter = Filter::parse(&value(&json), None)
            .expect("well formed")
            .expect("not empty");
        for row in contexts() {
            let expected = naive(&json, &row);
            assert_eq!(filter.matches(&row), expected, "{json} on {}", row.uri);
            if expected { passed += 1 } else { held += 1 }
        }
    }
    assert!(
        passed > 3000 && held > 3000,
        "both answers are exercised: {passed} {held}"
    );
}

#[test]
fn one_damaged_node_refuses_the_whole_filter() {
    let mut random = Random(0xbad);
    for _ in 0..2000 {
        let mut json = random.filter(3);
        // Walk down to a random node and break it.
        let mut node = &mut json;
        while node["conds"][0].is_object() {
            let children = node["conds"].as_array_mut().expect("a list");
            let i = random.below(children.len());
            node = &mut children[i];
            if random.below(3) == 0 {
                break;
            }
        }
        match random.below(3) {
            0 => node["op"] = json!("must_have"),
            1 => node["extra"] = json!(1),
            _ => drop(node.as_object_mut().expect("a node").remove("op")),
        }
        let error = Filter::parse(&value(&json), None).err().expect("a refusal");
        assert_eq!(error.code(), "INVALID_FILTER");
        assert!(error.message().starts_with("filter"), "{error}");
    }
}
