//! The modules of a crate and who names whom.

use super::{Named, blanked, files, paths, shipped};
use std::collections::{BTreeMap, BTreeSet};

/// Modules by path (`find::ask::words`, the root is empty), without those that only tests compile.
pub struct Modules {
    /// File of each module, below `src/`.
    pub files: BTreeMap<String, String>,
    named: BTreeMap<String, Vec<Named>>,
}

impl Modules {
    /// Reads all files below a folder that holds a `lib.rs` or a `main.rs`.
    pub fn read(folder: &str) -> Self {
        let mut sources: BTreeMap<String, (String, String)> = BTreeMap::new();
        for (file, text) in files(folder) {
            sources.insert(module_of(&file), (file, text));
        }
        let mut for_tests = BTreeSet::new();
        for (module, (_, text)) in &sources {
            let kept = declared(&shipped(text));
            let all = declared(&blanked(text));
            for_tests.extend(all.difference(&kept).map(|name| join(module, name)));
        }
        sources.retain(|module, _| {
            !for_tests
                .iter()
                .any(|test| module == test || is_below(module, test))
        });
        let named = |text: &str| paths(&shipped(text));
        Self {
            named: sources
                .iter()
                .map(|(m, s)| (m.clone(), named(&s.1)))
                .collect(),
            files: sources.into_iter().map(|(m, s)| (m, s.0)).collect(),
        }
    }

    /// Modules that a module names, re-exports apart: a path through a re-export leads to where the item is.
    pub fn needs(&self, module: &str) -> BTreeSet<String> {
        self.named[module]
            .iter()
            .filter(|named| !named.reexport)
            .filter_map(|named| self.resolve(module, named))
            .filter(|target| target != module)
            .collect()
    }

    /// First words of the paths that lead out of the crate: packages, and types in scope.
    pub fn foreign(&self, module: &str) -> BTreeSet<String> {
        self.named[module]
            .iter()
            .filter(|named| self.resolve(module, named).is_none())
            .map(|named| named.segments[0].clone())
            .collect()
    }

    fn resolve(&self, module: &str, named: &Named) -> Option<String> {
        let first = named.segments.first()?;
        let import = named.binds.is_some();
        let aliased = (!import && !["crate", "super", "self"].contains(&first.as_str()))
            .then(|| self.import(module, first))
            .flatten();
        if let Some(alias) = aliased {
            let mut segments = alias.segments.clone();
            segments.extend(named.segments[1..].iter().cloned());
            return self.follow(module, &segments, alias.depth);
        }
        self.follow(module, &named.segments, named.depth)
    }

    fn import(&self, module: &str, name: &str) -> Option<&Named> {
        self.named[module]
            .iter()
            .find(|n| n.binds.as_deref() == Some(name))
    }

    /// The module in which a path ends, or none for one that leads out of the crate.
    fn follow(&self, module: &str, segments: &[String], depth: usize) -> Option<String> {
        let mut depth = depth;
        let mut at = module.to_owned();
        let mut rest = segments;
        match rest.first()?.as_str() {
            "crate" => (at, rest) = (String::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while let Some("super") = rest.first().map(String::as_str) {
                    match depth {
                        0 => at = at.rsplit_once("::").map_or("", |p| p.0).to_owned(),
                        _ => depth -= 1,
                    }
                    rest = &rest[1..];
                }
            }
            child if !self.files.contains_key(&join(&at, child)) => return None,
            _ => {}
        }
        while let Some((name, after)) = rest.split_first() {
            let child = join(&at, name);
            if self.files.contains_key(&child) {
                (at, rest) = (child, after);
                continue;
            }
            let passed_on = self.import(&at, name).filter(|n| n.reexport);
            let Some(passed_on) = passed_on else { break };
            let mut segments = passed_on.segments.clone();
            segments.extend_from_slice(after);
            return self.follow(&at, &segments, passed_on.depth).or(Some(at));
        }
        Some(at)
    }

    /// Files that need each other in a circle, by their modules.
    ///
    /// A reference to a module's own ancestor does not count: `a.rs` and `a/…` are one thing, whose shared types stand
    /// in `a.rs`.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let needs: BTreeMap<&String, BTreeSet<String>> = self
            .files
            .keys()
            .map(|module| {
                let mut needs = self.needs(module);
                needs.retain(|to| !is_below(module, to));
                (module, needs)
            })
            .collect();
        let reached: BTreeMap<&String, BTreeSet<&String>> =
            needs.keys().map(|m| (*m, reach(&needs, m))).collect();
        let mut circles = BTreeSet::new();
        for module in needs.keys().filter(|m| reached[*m].contains(*m)) {
            let circle = needs
                .keys()
                .filter(|other| reached[module].contains(*other))
                .filter(|other| reached[*other].contains(module));
            circles.insert(circle.map(|m| (*m).clone()).collect());
        }
        circles.into_iter().collect()
    }
}

/// All modules that one needs, and that those need.
fn reach<'a>(
    needs: &'a BTreeMap<&String, BTreeSet<String>>,
    from: &'a String,
) -> BTreeSet<&'a String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        open.extend(needs[at].iter().filter(|to| seen.insert(*to)));
    }
    seen
}

/// `find/ask/mod.rs` is `find::ask`; `lib.rs` and `main.rs` are the root.
fn module_of(file: &str) -> String {
    let path = file.trim_end_matches(".rs");
    let path = path.trim_end_matches("/mod");
    match path {
        "lib" | "main" => String::new(),
        _ => path.replace('/', "::"),
    }
}

fn join(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        _ => format!("{module}::{name}"),
    }
}

fn is_below(module: &str, ancestor: &str) -> bool {
    ancestor.is_empty() && !module.is_empty() || module.starts_with(&format!("{ancestor}::"))
}

/// Names of the modules that code declares as files of their own.
fn declared(code: &str) -> BTreeSet<String> {
    code.lines()
        .filter_map(|line| {
            let line = line.trim().strip_suffix(';')?;
            let name = line.rsplit_once("mod ").filter(|(before, _)| {
                before.is_empty() || before.starts_with("pub") || before.ends_with(' ')
            })?;
            Some(name.1.to_owned())
        })
        .collect()
}
