//! From paths to the order of nodes: the children of a directory form one block, after it come the blocks of its
//! subdirectories, depth first. So both "children of D" and "everything below D" are ranges of node numbers.

use std::collections::BTreeMap;

/// A directory or file in the order of the bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// Last segment; empty for the root.
    pub name: String,
    /// Index of the document; `None` for directories.
    pub document: Option<usize>,
    /// Index into [`Tree::directories`] for directories.
    pub directory: Option<usize>,
}

/// A directory's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeDirectory {
    /// Its own number in [`Tree::nodes`].
    pub node: u32,
    /// Index of its parent; the root is its own.
    pub parent: usize,
    /// First node of its children.
    pub first_child: u32,
    /// Files and directories in it, those below not counted.
    pub n_children: u32,
    /// End of everything below.
    pub end: u32,
}

/// All nodes in order, and the directories in node order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Node 0 is the root.
    pub nodes: Vec<TreeNode>,
    /// In node order; the first is the root.
    pub directories: Vec<TreeDirectory>,
}

#[derive(Default)]
struct Folder {
    folders: BTreeMap<String, Folder>,
    files: BTreeMap<String, usize>,
}

impl Folder {
    /// Renames files that are named like a directory beside them, before names are put in order.
    fn keep_both(&mut self) {
        for name in self.folders.keys() {
            if let Some(document) = self.files.remove(name) {
                let mut free = format!("{name}~");
                while self.files.contains_key(&free) || self.folders.contains_key(&free) {
                    free.push('~');
                }
                self.files.insert(free, document);
            }
        }
        self.folders.values_mut().for_each(Self::keep_both);
    }
}

impl Tree {
    /// Builds the tree of `paths` (segments joined by `/`), one per document, and of `directories`, which need not hold
    /// any.
    ///
    /// A file named like a directory beside it is kept under its own name with a trailing `~`, so nothing is lost.
    pub fn new<'a>(
        paths: impl Iterator<Item = &'a str>,
        directories: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut root = Folder::default();
        for path in directories {
            let segments = path.split('/').filter(|s| !s.is_empty());
            segments.fold(&mut root, |f, s| f.folders.entry(s.to_owned()).or_default());
        }
        for (document, path) in paths.enumerate() {
            let mut segments: Vec<&str> = path.split('/').collect();
            let name = segments.pop().expect("split gives at least one segment");
            let folder = segments.iter().fold(&mut root, |f, s| {
                f.folders.entry((*s).to_owned()).or_default()
            });
            folder.files.insert(name.to_owned(), document);
        }
        root.keep_both();
        let mut tree = Self::default();
        tree.nodes.push(TreeNode {
            name: String::new(),
            document: None,
            directory: None,
        });
        let mut places = Vec::new();
        tree.place(&root, 0, 0, &mut places);
        // Places were pushed in the order of visits; directories are kept in node order.
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&i| places[i].node);
        let mut rank = vec![0; places.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old] = new;
        }
        tree.directories = order
            .iter()
            .map(|&old| TreeDirectory {
                parent: rank[places[old].parent],
                ..places[old].clone()
            })
            .collect();
        for (i, d) in tree.directories.iter().enumerate() {
            tree.nodes[d.node as usize].directory = Some(i);
        }
        tree
    }

    /// Path of each directory, segments joined by `/`; the root's is empty.
    pub fn directory_paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::with_capacity(self.directories.len());
        for (i, d) in self.directories.iter().enumerate() {
            let name = self.nodes[d.node as usize].name.as_str();
            // A parent's node is before its children's, so its path is there.
            paths.push(match (i, d.parent) {
                (0, _) => String::new(),
                (_, 0) => name.to_owned(),
                (_, parent) => format!("{}/{name}", paths[parent]),
            });
        }
        paths
    }

    fn place(
        &mut self,
        folder: &Folder,
        node: u32,
        parent: usize,
        places: &mut Vec<TreeDirectory>,
    ) {
        let first_child = self.nodes.len() as u32;
        let own = places.len();
        places.push(TreeDirectory {
            node,
            parent,
            first_child,
            n_children: 0,
            end: 0,
        });
        for name in folder.folders.keys() {
            self.nodes.push(TreeNode {
                name: name.clone(),
                document: None,
                directory: None,
            });
        }
        for (name, &document) in &folder.files {
            self.nodes.push(TreeNode {
                name: name.clone(),
                document: Some(document),
                directory: None,
            });
        }
        places[own].n_children = self.nodes.len() as u32 - first_child;
        for (i, child) in folder.folders.values().enumerate() {
            self.place(child, first_child + i as u32, own, places);
        }
        places[own].end = self.nodes.len() as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_and_subtrees_are_ranges() {
        let tree = Tree::new(
            ["b/x.md", "a/c/y.md", "a/z.md", "top.md", "a/c/d/w.md"].into_iter(),
            ["a/c"].into_iter(),
        );
        let names: Vec<&str> = tree.nodes.iter().map(|n| n.name.as_str()).collect();
        // root | a b top.md | (a:) c z.md | (c:) d y.md | (d:) w.md | (b:) x.md
        assert_eq!(
            names,
            [
                "", "a", "b", "top.md", "c", "z.md", "d", "y.md", "w.md", "x.md"
            ]
        );
        let ranges: Vec<(u32, u32, u32)> = tree
            .directories
            .iter()
            .map(|d| (d.first_child, d.first_child + d.n_children, d.end))
            .collect();
        assert_eq!(
            ranges,
            [(1, 4, 10), (4, 6, 9), (9, 10, 10), (6, 8, 9), (8, 9, 9)]
        );
        assert_eq!(tree.directories[4].parent, 3);
    }

    #[test]
    fn a_directory_may_be_empty() {
        let tree = Tree::new(["a/x.md"].into_iter(), ["", "a/e", "a"].into_iter());
        assert_eq!(tree.directory_paths(), ["", "a", "a/e"]);
        let empty = &tree.directories[2];
        assert_eq!(
            (empty.n_children, empty.first_child == empty.end),
            (0, true)
        );
    }

    #[test]
    fn a_file_named_like_a_folder_is_kept() {
        let tree = Tree::new(["a", "a/b", "a~"].into_iter(), std::iter::empty());
        assert_eq!(
            tree.nodes
                .iter()
                .map(|n| n.name.as_str())
                .collect::<Vec<_>>(),
            ["", "a", "a~", "a~~", "b"]
        );
    }
}
