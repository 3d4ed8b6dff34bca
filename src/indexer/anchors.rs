//! The id of a section that a person would link to, of the several that it may have.

const MAX_NEAR: usize = 8; // Containers that start at one place; more are a theme's scaffolding.

/// Ids seen since the last text: of containers that start there, of empty elements that mark a place.
#[derive(Default)]
pub(crate) struct NearIds(Vec<String>, Mark);

/// The first id of an empty element among them.
type Mark = Option<String>;

impl NearIds {
    /// Takes in an id.
    pub(crate) fn push(&mut self, id: &str) {
        if self.0.len() == MAX_NEAR {
            self.0.remove(0);
        }
        self.0.push(id.to_owned());
    }

    /// Notes that an id is that of an empty element.
    pub(crate) fn mark(&mut self, id: &str) {
        self.1.get_or_insert_with(|| id.to_owned());
    }

    /// The first id of an empty element, once.
    pub(crate) fn take_mark(&mut self) -> Option<String> {
        self.1.take()
    }

    /// Forgets the ids: text stands between them and what follows.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
        self.1 = None;
    }
}

/// The ids of one heading, by where they stand.
#[derive(Default)]
pub(crate) struct HeadingIds {
    /// Its own attribute, or that of an element in it.
    pub(crate) own: String,
    /// The target of the link to itself that its theme shows.
    pub(crate) permalink: String,
    /// The ids just before it.
    pub(crate) near: NearIds,
}

impl HeadingIds {
    /// The id to link to: one that somebody chose before one that a program counted, then the heading's own, then the
    /// target of its link to itself, then the nearest before it. Empty when there is none.
    pub(crate) fn best(self) -> String {
        let near = self.near.0;
        let is_seen = near.contains(&self.permalink);
        let (seen, unseen) = if is_seen {
            (self.permalink, String::new())
        } else {
            (String::new(), self.permalink)
        };
        let named = [self.own, seen].into_iter();
        let ids = named.chain(near.into_iter().rev()).chain([unseen]);
        let mut ids: Vec<String> = ids.filter(|id| !id.is_empty()).collect();
        let at = ids.iter().position(|id| !is_generated(id)).unwrap_or(0);
        if at < ids.len() {
            ids.swap_remove(at)
        } else {
            String::new()
        }
    }

    /// The ids for the heading after this one, which turned out to have no text.
    pub(crate) fn into_near(self) -> NearIds {
        let mut near = self.near;
        for id in [self.permalink, self.own] {
            if !id.is_empty() {
                near.push(&id);
            }
        }
        near
    }
}

/// True for a running number as an id, which changes when the page does: `id5`, `toc-entry-3`, `_2`.
pub(crate) fn is_generated(id: &str) -> bool {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.len() < id.len()
        && matches!(
            stem,
            "id" | "_"
                | "toc"
                | "toc-entry-"
                | "toc_"
                | "section-"
                | "index-"
                | "footnote-reference-"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_id_is_before_a_counted_one() {
        for (own, permalink, near, want) in [
            ("own", "own", vec!["section", "id1"], "own"),
            ("", "building", vec!["building", "id1"], "building"),
            ("", "api", vec!["api", "label"], "api"),
            ("", "elsewhere", vec!["label"], "label"),
            ("", "alone", vec![], "alone"),
            ("", "id5", vec!["id5", "sessions"], "sessions"),
            ("", "", vec!["outer", "inner"], "inner"),
            ("", "", vec!["inner", "id3"], "inner"),
            ("id7", "id7", vec![], "id7"),
            ("id7", "", vec!["label"], "label"),
            ("idea2", "", vec!["label"], "idea2"),
            ("", "", vec![], ""),
        ] {
            let mut ids = HeadingIds {
                own: own.to_owned(),
                permalink: permalink.to_owned(),
                ..HeadingIds::default()
            };
            near.iter().for_each(|id| ids.near.push(id));
            assert_eq!(ids.best(), want, "{own:?} {permalink:?} {near:?}");
        }
    }
}
