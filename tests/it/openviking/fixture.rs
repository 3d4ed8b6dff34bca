//! The tree of the recorded traces: unit vectors in a plane, so that a row's score is the cosine of its angle.

use knarr::base::id::NodeId;
use knarr::base::uri::{is_within, with_sidecar};
use knarr::find::ask::options;
use knarr::find::walk::{Found, Group, Initial, Levels, Row, Space, Walk, WalkOptions};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The published behaviors: those of `find`, and the flat search without recursion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preset {
    Quick,
    Classic,
    ClassicLeaves,
    Current,
}

/// The walk of a published behavior.
pub fn published(preset: Preset, limit: usize) -> WalkOptions {
    let known = match preset {
        Preset::Classic => options::Preset::Classic,
        Preset::ClassicLeaves => options::Preset::ClassicLeaves,
        Preset::Current => options::Preset::Current,
        Preset::Quick => {
            return WalkOptions {
                alpha: 1.0,
                hotness_alpha: 0.0,
                global_levels: Levels::ALL,
                // A directory has two rows. Upstream asks for `max(limit, 10)` and then may return fewer than `limit`.
                global_limit: limit.saturating_mul(2).max(10),
                initial: Initial::All,
                recurse: false,
                ..WalkOptions::preset(options::Preset::Classic, limit)
            };
        }
    };
    WalkOptions::preset(known, limit)
}

/// A tree of rows held as plain lists; every search is a scan.
#[derive(Default)]
pub struct Tree {
    pub uris: Vec<String>,
    pub rows: Vec<Row>,
    /// Searches see only rows at or below one of these; empty means all.
    pub scopes: Vec<String>,
    /// Directories whose children are not loaded.
    pub missing: BTreeSet<NodeId>,
}

impl Tree {
    /// The recorded fixture.
    pub fn recorded() -> Self {
        let mut tree = Self::default();
        let mut directory = |uri: &str, abstract_: f32, overview: f32| {
            tree.add(uri, 0, abstract_);
            tree.add(uri, 1, overview);
        };
        directory("viking://resources", 80.0, 85.0);
        directory("viking://resources/docs", 30.0, 40.0);
        directory("viking://resources/docs/auth", 20.0, 25.0);
        directory("viking://resources/other", 70.0, 75.0);
        tree.add("viking://resources/docs/auth/oauth.md", 2, 5.0);
        tree.add("viking://resources/docs/auth/jwt.md", 2, 35.0);
        tree.add("viking://resources/docs/intro.md", 2, 60.0);
        tree.add("viking://resources/other/hidden-gem.md", 2, 1.0);
        tree.add("viking://user/alice/memories/events/e1.md", 2, 10.0);
        tree.node("viking://user/alice");
        tree
    }

    /// The node of `uri`, made when it is new.
    pub fn node(&mut self, uri: &str) -> NodeId {
        let known = self.uris.iter().position(|known| known == uri);
        let index = known.unwrap_or_else(|| {
            self.uris.push(uri.to_owned());
            self.uris.len() - 1
        });
        NodeId(index as u32)
    }

    /// Adds a row whose vector stands `degrees` off the query's.
    pub fn add(&mut self, uri: &str, level: u8, degrees: f32) {
        self.add_score(uri, level, degrees.to_radians().cos());
    }

    /// Adds a row with a score.
    pub fn add_score(&mut self, uri: &str, level: u8, score: f32) {
        let node = self.node(uri);
        self.rows.push(Row {
            node,
            level,
            score,
            hotness: 0.0,
            admitted: true,
        });
    }

    pub fn uri(&self, node: NodeId) -> &str {
        &self.uris[node.index()]
    }

    fn best(&self, limit: usize, take: impl Fn(&Row) -> bool) -> Vec<Row> {
        let in_scope = |row: &&Row| {
            self.scopes.is_empty()
                || self
                    .scopes
                    .iter()
                    .any(|scope| is_within(self.uri(row.node), scope))
        };
        let mut rows: Vec<Row> = self
            .rows
            .iter()
            .filter(in_scope)
            .filter(|row| take(row))
            .copied()
            .collect();
        rows.sort_by(|a, b| {
            let by_uri = || {
                self.uri(a.node)
                    .cmp(self.uri(b.node))
                    .then(a.level.cmp(&b.level))
            };
            b.score.total_cmp(&a.score).then_with(by_uri)
        });
        rows.truncate(limit);
        rows
    }

    /// Runs a walk and records what a reranker would have been asked: the groups of every round.
    pub fn run(&self, options: WalkOptions) -> Outcome {
        let mut walk = Walk::new(options);
        let mut calls = Vec::new();
        while let Some(round) = walk.next_round(self).expect("nothing is missing") {
            calls.push(round.groups.clone());
            // The recorded reranker is the exact cosine.
            let scores: Vec<f32> = round.rows.iter().map(|row| row.score).collect();
            walk.accept(self, &scores);
        }
        let found = walk.finish(self);
        Outcome { found, calls }
    }

    /// Hits as the documents write them: short URIs with sidecars, and scores.
    pub fn written(&self, found: &Found) -> Vec<(String, f32)> {
        let short = |uri: &str| {
            uri.trim_start_matches("viking://")
                .trim_start_matches("resources/")
                .to_owned()
        };
        let written = |level, node| with_sidecar(&short(self.uri(node)), level);
        found
            .hits
            .iter()
            .map(|hit| (written(hit.level, hit.node), hit.score))
            .collect()
    }
}

/// What a run found, and its rounds.
pub struct Outcome {
    pub found: Found,
    pub calls: Vec<Vec<Group>>,
}

impl Outcome {
    /// Directories in the order in which they were opened.
    pub fn pops<'t>(&self, tree: &'t Tree) -> Vec<&'t str> {
        let opened = self
            .calls
            .iter()
            .flatten()
            .filter_map(|group| group.directory);
        opened
            .map(|node| tree.uri(node).trim_start_matches("viking://resources/"))
            .collect()
    }

    /// Documents of each rerank call, when every search is a call of its own.
    pub fn documents(&self) -> Vec<usize> {
        self.calls
            .iter()
            .flatten()
            .map(|group| group.end - group.start)
            .filter(|n| *n > 0)
            .collect()
    }
}

impl Space for Tree {
    type Part = NodeId;

    fn global(&self, levels: Levels, limit: usize) -> Result<Vec<Row>, Vec<NodeId>> {
        Ok(self.best(limit, |row| levels.contains(row.level)))
    }

    fn children(&self, directory: NodeId, limit: usize) -> Result<Vec<Row>, Vec<NodeId>> {
        if self.missing.contains(&directory) {
            return Err(vec![directory]);
        }
        let base = self.uri(directory);
        Ok(self.best(limit, |row| {
            let uri = self.uri(row.node);
            let child = uri
                .strip_prefix(base)
                .and_then(|rest| rest.strip_prefix('/'));
            uri == base || child.is_some_and(|name| !name.contains('/'))
        }))
    }

    fn cmp_uri(&self, a: NodeId, b: NodeId) -> Ordering {
        self.uri(a).cmp(self.uri(b))
    }
}
