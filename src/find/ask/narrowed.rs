//! A scope narrowed by filters, and the rows as filters read them.

use super::filter::{Field, Fields, Filter};
use super::scope::Scope;
use super::tagged::attributes;
use crate::base::id::NodeId;
use crate::base::uri::{Uri, decode_name, is_within};
use crate::bundle::place;
use crate::bundle::place::Ranges;
use crate::bundle::step::Step;
use crate::bundle::{ATTRIBUTE_NODES, Attribute, Resident};
use crate::find::onyx::options::Access;
use crate::find::onyx::visibility;
use crate::find::onyx::visibility::Facts;
use crate::find::walk::Levels;

impl Scope {
    /// Narrows the scope to the rows that pass `filter` and `access`. O(nodes in scope).
    ///
    /// A walk goes through directories that do not pass themselves when `through` is true; they are never returned.
    pub fn filtered(
        self,
        store: &Resident,
        filter: Option<&Filter>,
        access: Option<&Access>,
        through: bool,
    ) -> Step<Self> {
        let mut known = Known::default();
        let parts = attributes(store, &self.ranges)?;
        let head = store.head();
        let paths: Vec<String> = (0..head.directories.len())
            .map(|d| place::directory_uri(head, d))
            .collect();
        let mut admitted = vec![Levels::NONE; head.parameters.n_nodes as usize];
        let mut row = Row::default();
        let (mut next_directory, mut parent) = (0, Children::default());
        for (node, admitted) in (0..).map(NodeId).zip(&mut admitted) {
            let directory = head
                .directories
                .get(next_directory)
                .filter(|d| d.node == node)
                .map(|_| next_directory);
            next_directory += usize::from(directory.is_some());
            let Some(part) = &parts[(node.0 / ATTRIBUTE_NODES) as usize] else {
                continue;
            };
            if !place::within(&self.ranges, node) {
                continue;
            }
            row.attribute = part.0[(node.0 % ATTRIBUTE_NODES) as usize].clone();
            row.is_dir = directory.is_some();
            match directory {
                Some(d) => {
                    row.uri.clone_from(&paths[d]);
                    row.attribute.name.clone_from(&head.directories[d].name);
                }
                None => {
                    if !parent.holds(node) {
                        parent = Children::of(store, node);
                    }
                    row.uri = place::file_uri(&paths[parent.directory], &row.attribute.name);
                }
            }
            if row.is_dir && through {
                *admitted = Levels::LEADS;
            }
            if access.is_none_or(|access| row.may_be_seen(access, &mut known)) {
                *admitted = row.passing(filter, *admitted);
            }
        }
        if let Some(access) = access {
            known.check(access)?;
        }
        Ok(Self {
            admitted: Some(admitted),
            ..self
        })
    }
}

/// The kinds of source of the documents in `ranges`, sorted.
pub fn sources(store: &Resident, ranges: &Ranges) -> Step<Vec<String>> {
    let mut known = Vec::new();
    for part in attributes(store, ranges)?.iter().flatten() {
        let tags = part.0.iter().flat_map(|attribute| &attribute.tags);
        tags.filter_map(|tag| tag.strip_prefix("source="))
            .for_each(|source| Known::note(&mut known, source));
    }
    Ok(known)
}

/// The children of one directory: files follow each other, so their parent is looked up once.
#[derive(Default)]
struct Children {
    directory: usize,
    from: u32,
    to: u32,
}

impl Children {
    fn of(store: &Resident, node: NodeId) -> Self {
        let directory = store.head().parent_of(node);
        let d = &store.head().directories[directory];
        Self {
            directory,
            from: d.first_child,
            to: d.first_child + d.n_children,
        }
    }

    fn holds(&self, node: NodeId) -> bool {
        (self.from..self.to).contains(&node.0)
    }
}

/// Sources and sets of the documents in scope, for the message about a value that none has.
#[derive(Default)]
struct Known {
    sources: Vec<String>,
    sets: Vec<String>,
}

impl Known {
    fn note(list: &mut Vec<String>, value: &str) {
        if let Err(at) = list.binary_search_by(|known| known.as_str().cmp(value)) {
            list.insert(at, value.to_owned());
        }
    }

    /// Errors: `INVALID_FILTER` for a source or set that no document has.
    fn check(&self, access: &Access) -> Step<()> {
        let filter = &access.filter;
        let (sources, sets) = (&self.sources, &self.sets);
        let asked = [
            ("source", &filter.sources, sources),
            ("document set", &filter.sets, sets),
            ("document set", &filter.forced_sets, sets),
        ];
        for (what, wanted, known) in asked {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            visibility::check_known(what, wanted, &known)?;
        }
        Ok(())
    }
}

/// One row, as a filter reads it.
#[derive(Default)]
struct Row {
    uri: String,
    is_dir: bool,
    level: u8,
    attribute: Attribute,
}

impl Row {
    /// `levels` and those of the row's levels that pass the filter.
    fn passing(&mut self, filter: Option<&Filter>, mut levels: Levels) -> Levels {
        let own: &[u8] = if self.is_dir { &[0, 1] } else { &[2] };
        for &level in own {
            self.level = level;
            if filter.is_none_or(|filter| filter.matches(self)) {
                levels = levels.with(level);
            }
        }
        levels
    }

    /// True if an access filter lets the document pass. Its facts are tags: `source=…`, `acl=…` (none: public), `set=…`,
    /// `persona=…`, `project=…`, `hidden`. Directories carry no tags: they are public.
    fn may_be_seen(&self, access: &Access, known: &mut Known) -> bool {
        let tags: Vec<&str> = self.attribute.tags.iter().map(String::as_str).collect();
        let values = |key: &str| -> Vec<&str> {
            let own = tags.iter().filter_map(|tag| tag.strip_prefix(key));
            own.filter_map(|rest| rest.strip_prefix('=')).collect()
        };
        let numbers =
            |key: &str| -> Vec<u32> { values(key).iter().filter_map(|v| v.parse().ok()).collect() };
        let (readers, sets) = (values("acl"), values("set"));
        let (personas, projects) = (numbers("persona"), numbers("project"));
        let source = values("source").first().copied().unwrap_or_default();
        if !source.is_empty() {
            Known::note(&mut known.sources, source);
        }
        sets.iter()
            .for_each(|set| Known::note(&mut known.sets, set));
        let ancestors: Vec<u32> = (0u32..)
            .zip(&access.folders)
            .filter(|(_, folder)| is_within(&self.uri, folder.trim_end_matches('/')))
            .map(|(place, _)| place)
            .collect();
        let facts = Facts {
            id: &self.uri,
            source,
            hidden: tags.contains(&"hidden"),
            public: readers.is_empty(),
            access: &readers,
            sets: &sets,
            tags: &tags,
            ancestors: &ancestors,
            personas: &personas,
            projects: &projects,
            created: self.attribute.created_at,
            updated: self.attribute.updated_at,
            chunk: 0,
        };
        access.filter.allows(&facts, access.now)
    }
}

impl Fields for Row {
    fn any_text(&self, field: Field, test: &mut dyn FnMut(&str) -> bool) -> bool {
        match field {
            Field::Uri => test(&self.uri),
            Field::Type => test(if self.is_dir { "directory" } else { "file" }),
            Field::ContextType => test(
                Uri::from_canonical(self.uri.clone())
                    .context_type()
                    .as_str(),
            ),
            Field::Name => test(&decode_name(&self.attribute.name)),
            Field::Tags => self.attribute.tags.iter().any(|tag| test(tag)),
            // viking://user/<id>/…
            Field::OwnerUserId => self
                .uri
                .strip_prefix("viking://user/")
                .and_then(|path| path.split('/').next())
                .is_some_and(test),
            // A bundle is one account's.
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        let ms = |seconds: i64| seconds.checked_mul(1000);
        match field {
            Field::Level => Some(i64::from(self.level)),
            Field::CreatedAt => self.attribute.created_at.and_then(ms),
            Field::UpdatedAt => self.attribute.updated_at.and_then(ms),
            Field::ActiveCount => i64::try_from(self.attribute.active_count).ok(),
            _ => None,
        }
    }
}
