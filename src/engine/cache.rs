//! A small cache of results: least recently used goes first, by a logical clock.
//!
//! Keys are compared whole, never by a hash of a part: two questions share an entry only when every byte that can
//! change the answer is equal. Source: spec onyx §6 ("cache key", "eviction").

pub use crate::base::key::CacheKey;

/// Results by key, at most `capacity` of them. A list: it holds a few dozen, and keys differ in their first bytes.
#[derive(Debug, Clone)]
pub struct ResultCache<V> {
    capacity: usize,
    clock: u64,
    entries: Vec<Entry<V>>,
}

#[derive(Debug, Clone)]
struct Entry<V> {
    key: CacheKey,
    used: u64,
    value: V,
}

impl<V> ResultCache<V> {
    /// An empty cache. Capacity 0 turns it off.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity,
            clock: 0,
            entries: Vec::new(),
        }
    }

    /// The result under `key`, which thereby becomes the youngest. Cost: O(n) key comparisons.
    pub fn get(&mut self, key: &CacheKey) -> Option<&V> {
        let clock = self.tick();
        let entry = self.entries.iter_mut().find(|entry| entry.key == *key)?;
        entry.used = clock;
        Some(&entry.value)
    }

    /// Stores a result and gives back the key of the entry that had to leave for it. Replacing evicts nothing.
    pub fn set(&mut self, key: CacheKey, value: V) -> Option<CacheKey> {
        if self.capacity == 0 {
            return None;
        }
        let used = self.tick();
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == key) {
            (entry.used, entry.value) = (used, value);
            return None;
        }
        let entry = Entry { key, used, value };
        if self.entries.len() < self.capacity {
            self.entries.push(entry);
            return None;
        }
        let oldest = self.entries.iter_mut().min_by_key(|entry| entry.used)?;
        Some(std::mem::replace(oldest, entry).key)
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> CacheKey {
        let mut key = CacheKey::new(1);
        key.text(text);
        key
    }

    #[test]
    fn every_part_of_a_question_separates_keys() {
        let mut keys = vec![key("a"), key("b"), CacheKey::new(2)];
        let mut more = |build: &dyn Fn(&mut CacheKey)| {
            let mut next = key("a");
            build(&mut next);
            keys.push(next);
        };
        more(&|k| {
            k.vector(None);
        });
        more(&|k| {
            k.vector(Some(&[]));
        });
        more(&|k| {
            k.vector(Some(&[0.0; 11]));
        });
        more(&|k| {
            k.vector(Some(&[
                0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
            ]));
        });
        more(&|k| {
            k.real(0.5);
        });
        more(&|k| {
            k.set(&["x", "y"]);
        });
        more(&|k| {
            k.set(&["xy"]);
        });
        let mut distinct = keys.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), keys.len());
        assert_eq!(key("a").set(&["y", "x", "y"]), key("a").set(&["x", "y"]));
    }

    #[test]
    fn capacity_zero_stores_nothing() {
        let mut cache = ResultCache::new(0);
        assert_eq!(cache.set(key("a"), 1), None);
        assert_eq!(cache.get(&key("a")), None);
    }
}
