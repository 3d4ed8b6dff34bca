//! Answers given before: the same question of the same bundle is not worked out twice.
//!
//! What is asked decides an answer entirely (invariant 6), so a remembered one is the same. Source: spec/onyx.md §6.

use super::Knarr;
use crate::bundle::Resident;
use crate::bundle::step::Step;
use crate::engine::cache::{CacheKey, ResultCache};
use crate::find::answer::result::FindResult;
use crate::find::ask::filter::{TimeField, Value};
use crate::find::ask::options::{FindOptions, Mode, OneOrMany, Preset};
use crate::find::ask::question::Question;
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
    pub(crate) fn find_step(
        &self,
        store: &Resident,
        question: &Question,
        options: &FindOptions,
    ) -> Step<FindResult> {
        let key = key(&question.text, options);
        {
            let mut known = self.answers.0.borrow_mut();
            if let Some(answer) = known.cache.get(&key).cloned() {
                known.hits += 1;
                return Ok(answer);
            }
        }
        let answer = pipeline::find(store, question, options)?;
        let mut known = self.answers.0.borrow_mut();
        known.cache.set(key, answer.clone());
        Ok(answer)
    }

    /// How many questions were answered from memory.
    pub fn remembered(&self) -> u64 {
        self.answers.0.borrow().hits
    }
}

/// Everything that can change an answer. Fields are named one by one: a new option does not compile until it is here.
fn key(query: &str, options: &FindOptions) -> CacheKey {
    let FindOptions {
        target_uri,
        limit,
        node_limit,
        score_threshold,
        level,
        mode,
        preset,
        filter,
        tags,
        context_type,
        since,
        until,
        time_field,
        user,
        actor_peer,
        now,
        utc_offset_minutes,
        alpha,
        vector,
        graph,
        hybrid,
        explain,
        trace,
        telemetry,
        relations,
        lang,
        version,
        prefix,
        excerpts,
    } = options;
    // One bundle has one generation: its bytes never change.
    let mut key = CacheKey::new(0);
    key.text(query);
    texts(&mut key, target_uri);
    key.number(*limit as u64)
        .number(node_limit.map_or(u64::MAX, |n| n as u64));
    real(&mut key, *score_threshold);
    value(&mut key, level);
    key.number(match mode {
        Mode::Auto => 0,
        Mode::Quick => 1,
        Mode::Thinking => 2,
    });
    key.number(match preset {
        Preset::Classic => 0,
        Preset::ClassicLeaves => 1,
        Preset::Current => 2,
    });
    value(&mut key, filter);
    key.set(tags);
    texts(&mut key, context_type);
    texts(&mut key, lang);
    texts(&mut key, version);
    for text in [since, until, user, actor_peer] {
        key.number(u64::from(text.is_some()))
            .text(text.as_deref().unwrap_or_default());
    }
    key.number(match time_field {
        TimeField::UpdatedAt => 0,
        TimeField::CreatedAt => 1,
    });
    let has_variables = target_uri.as_slice().iter().any(|uri| uri.contains('{'));
    let time = if since.is_some() || until.is_some() || has_variables {
        *now
    } else if *hybrid == Value::Null {
        None
    } else {
        now.map(|now| now.div_euclid(TIME_BUCKET_MS))
    };
    key.number(u64::from(now.is_some()))
        .number(time.unwrap_or(0).cast_unsigned())
        .number(utc_offset_minutes.cast_unsigned());
    real(&mut key, *alpha);
    key.vector(vector.as_deref());
    real(&mut key, *graph);
    value(&mut key, hybrid);
    for flag in [explain, trace, telemetry, relations, prefix, excerpts] {
        key.number(u64::from(*flag));
    }
    key
}

fn texts(key: &mut CacheKey, texts: &OneOrMany<String>) {
    let texts = texts.as_slice();
    key.number(texts.len() as u64);
    for text in texts {
        key.text(text);
    }
}

fn real(key: &mut CacheKey, number: Option<f32>) {
    key.number(u64::from(number.is_some()))
        .real(number.map_or(0.0, f64::from));
}

/// A value with its kind, so that `1` and `"1"` and `[1]` differ.
fn value(key: &mut CacheKey, v: &Value) {
    match v {
        Value::Null => key.number(0),
        Value::Bool(b) => key.number(1).number(u64::from(*b)),
        Value::Int(n) => key.number(2).number(n.cast_unsigned()),
        Value::Float(n) => key.number(3).real(*n),
        Value::Text(text) => key.number(4).text(text),
        Value::List(items) => {
            key.number(5).number(items.len() as u64);
            items.iter().for_each(|item| value(key, item));
            key
        }
        Value::Map(entries) => {
            key.number(6).number(entries.len() as u64);
            for (name, item) in entries {
                key.text(name);
                value(key, item);
            }
            key
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

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
