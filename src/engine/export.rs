//! Everything that a bundle holds, for writing it elsewhere. Native only.

use super::Knarr;
use crate::base::error::Result;
use crate::base::host::Host;
use crate::bundle::NodeExport;
use crate::read::texts;

/// Nodes read at a time.
const BATCH: u32 = 256;

#[doc(hidden)] // for the command line's export
impl Knarr {
    /// Every node in tree order, the root first. Cost: the whole bundle but its indexes, in memory.
    pub async fn stored(&self, host: &impl Host) -> Result<Vec<NodeExport>> {
        let n = self.store.head().parameters.n_nodes;
        let mut nodes = Vec::new();
        for from in (0..n).step_by(BATCH as usize) {
            let to = (from + BATCH).min(n);
            nodes.extend(
                self.run(host, |store| texts::stored(store, from, to))
                    .await?,
            );
        }
        Ok(nodes)
    }

    /// URI and address of every page, in tree order. Cost: the facts of all pages, in memory.
    pub async fn addresses(&self, host: &impl Host) -> Result<Vec<(String, String)>> {
        let n = self.store.head().parameters.n_nodes;
        let mut pages = Vec::new();
        for from in (0..n).step_by(BATCH as usize) {
            let to = (from + BATCH).min(n);
            pages.extend(
                self.run(host, |store| texts::addresses(store, from, to))
                    .await?,
            );
        }
        Ok(pages)
    }
}
