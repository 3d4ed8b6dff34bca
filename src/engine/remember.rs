//! Answers given before: the same question of the same bundle is not worked out twice.
//!
//! What is asked decides an answer entirely (invariant 6), so a remembered one is the same. Source: spec/onyx.md §6.

use super::Knarr;
use crate::bundle::Resident;
use crate::bundle::step::Step;
use crate::engine::cache::{CacheKey, ResultCache};
use crate::find::answer::result::FindResult;
use crate::find::ask::filter::Value;
use crate::find::ask::options::FindOptions;
use crate::find::ask::request::Request;
use crate::find::pipeline;
use std::cell::RefCell;

/// Answers kept: a person goes back a few questions; each answer is a few kilobytes.
const CAPACITY: usize = 32;
/// Milliseconds in which age as a factor counts as standing still.
const TIME_BUCKET_MS: i64 = 3_600_000;

/// The answers of one opened bundle.
pub struct Answers(RefCell<Remembered>);

struct Remembered {
    cache: ResultCache<FindResult>,
    hits: u64,
}

impl Default for Answers {
    fn default() -> Self {
        Self(RefCell::new(Remembered {
            cache: ResultCache::new(CAPACITY),
            hits: 0,
        }))
    }
}

impl Knarr {
    /// [`pipeline::find`], or what it answered before.
    pub(crate) fn find_step(&self, store: &Resident, request: &Request) -> Step<FindResult> {
        let key = key(&request.question.text, &request.options);
        {
            let mut known = self.answers.0.borrow_mut();
            if let Some(answer) = known.cache.get(&key).cloned() {
                known.hits += 1;
                return Ok(answer);
            }
        }
        let answer = pipeline::find(store, request)?;
        let mut known = self.answers.0.borrow_mut();
        known.cache.set(key, answer.clone());
        Ok(answer)
    }

    /// Number of questions answered from memory.
    pub fn remembered(&self) -> u64 {
        self.answers.0.borrow().hits
    }
}

/// Everything that can change an answer. The table of options says which of them can.
fn key(query: &str, options: &FindOptions) -> CacheKey {
    // One bundle has one generation: its bytes never change.
    let mut key = CacheKey::new(0);
    key.text(query);
    options.add_to(&mut key);
    let mut targets = options.target_uri.as_slice().iter();
    let is_timed = options.since.is_some() || options.until.is_some();
    let time = if is_timed || targets.any(|uri| uri.contains('{')) {
        options.now
    } else if options.hybrid == Value::Null && options.hotness_weight == 0.0 {
        None
    } else {
        options.now.map(|now| now.div_euclid(TIME_BUCKET_MS))
    };
    key.number(u64::from(options.now.is_some()))
        .number(time.unwrap_or(0).cast_unsigned());
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::options::Shape;
    use crate::find::ask::options::OneOrMany;

    /// A value of the type that differs from every default.
    fn sample(shape: &Shape) -> Value {
        match shape {
            Shape::Flag => Value::Bool(true),
            Shape::Whole | Shape::Integer | Shape::Any => Value::Int(77),
            Shape::Number => Value::Float(0.77),
            Shape::Text => Value::Text("77".into()),
            Shape::Word(words) => Value::Text(words[words.len() - 1].0.into()),
            Shape::List(item) => Value::List(vec![sample(item)]),
            Shape::OneOrMany(inner) | Shape::Optional(inner) => sample(inner),
        }
    }

    #[test]
    fn every_option_but_the_clock_is_in_the_key() {
        let base = key("q", &FindOptions::default());
        for option in FindOptions::table() {
            let value = match &option.default[..] {
                "true" => Value::Bool(false),
                _ => sample(&option.shape),
            };
            let given = Value::Map(vec![(option.name.to_owned(), value)]);
            let options = FindOptions::read(&given).expect("of its type");
            let now = options.now.is_some();
            let bare = FindOptions {
                now: None,
                ..options
            };
            assert_eq!(key("q", &bare) == base, now, "{}", option.name);
        }
    }

    #[test]
    fn what_changes_an_answer_changes_the_key() {
        let base = FindOptions::default();
        let map = |n| Value::Map(vec![("recency".into(), Value::Float(n))]);
        let others = [
            FindOptions {
                limit: 11,
                ..base.clone()
            },
            FindOptions {
                node_limit: Some(10),
                ..base.clone()
            },
            FindOptions {
                alpha: Some(0.3),
                ..base.clone()
            },
            FindOptions {
                graph: Some(0.3),
                ..base.clone()
            },
            FindOptions {
                score_threshold: Some(0.3),
                ..base.clone()
            },
            FindOptions {
                level: Value::Int(1),
                ..base.clone()
            },
            FindOptions {
                level: Value::Text("1".into()),
                ..base.clone()
            },
            FindOptions {
                tags: vec!["a".into()],
                ..base.clone()
            },
            FindOptions {
                lang: OneOrMany::One("de".into()),
                ..base.clone()
            },
            FindOptions {
                version: OneOrMany::One("de".into()),
                ..base.clone()
            },
            FindOptions {
                user: Some(String::new()),
                ..base.clone()
            },
            FindOptions {
                since: Some("2h".into()),
                now: Some(1),
                ..base.clone()
            },
            FindOptions {
                since: Some("2h".into()),
                now: Some(2),
                ..base.clone()
            },
            FindOptions {
                hybrid: map(0.5),
                now: Some(1),
                ..base.clone()
            },
            FindOptions {
                hybrid: map(0.6),
                now: Some(1),
                ..base.clone()
            },
            FindOptions {
                hotness_weight: 0.5,
                now: Some(1),
                ..base.clone()
            },
            FindOptions {
                hotness_weight: 0.5,
                now: Some(TIME_BUCKET_MS),
                ..base.clone()
            },
            FindOptions {
                vector: Some(vec![0.0]),
                ..base.clone()
            },
            FindOptions {
                explain: true,
                ..base.clone()
            },
            FindOptions {
                excerpts: false,
                ..base.clone()
            },
            FindOptions {
                excerpt_length: 90,
                ..base.clone()
            },
        ];
        let mut keys: Vec<CacheKey> = others.iter().map(|o| key("q", o)).collect();
        keys.extend([key("q", &base), key("r", &base)]);
        let n = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), n);
        // Without anything that is about time, the clock does not matter.
        let at = |now| {
            key(
                "q",
                &FindOptions {
                    now: Some(now),
                    ..base.clone()
                },
            )
        };
        assert_eq!(at(1), at(2));
    }
}
