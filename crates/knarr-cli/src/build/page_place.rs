//! The place of pages that builds keep for the next one: a folder, or memory.

use super::page_cache::{DiskCache, MemoryCache};
use super::shard::List;
use knarr::indexer::Memo;
use std::path::Path;
use std::sync::Arc;

/// The place of pages that earlier builds kept.
pub enum Cache {
    Disk(Arc<DiskCache>, Option<String>),
    Memory(Arc<MemoryCache>),
    /// Nowhere; with the reason, where somebody asked for a cache.
    None(Option<String>),
}

impl Cache {
    /// The place for a build: the folder that is named, else `memory`.
    pub fn of(folder: Option<&Path>, memory: Option<Arc<MemoryCache>>) -> Self {
        let Some(folder) = folder else {
            return memory.map_or(Self::None(None), Self::Memory);
        };
        match DiskCache::open(folder) {
            Ok((cache, note)) => Self::Disk(Arc::new(cache), note),
            Err(error) => Self::None(Some(no_cache(folder, &error))),
        }
    }

    /// Its records, for a builder.
    pub fn memo(&self) -> Option<Arc<dyn Memo>> {
        match self {
            Self::Disk(cache, _) => Some(cache.clone()),
            Self::Memory(cache) => Some(cache.clone()),
            Self::None(_) => None,
        }
    }

    /// Keeps the pages of this build for the next. Returns what there is to say; a cache never fails a build.
    pub fn finish(self, list: &List) -> Option<String> {
        match self {
            Self::Disk(cache, note) => {
                let written = cache.finish().and_then(|()| list.write(cache.folder()));
                let failed = |error| format!("no cache of pages was written: {error}");
                written.err().map(failed).or(note)
            }
            Self::Memory(cache) => {
                cache.finish();
                None
            }
            Self::None(note) => note,
        }
    }
}

fn no_cache(folder: &Path, error: &std::io::Error) -> String {
    format!("no cache of pages in {}: {error}", folder.display())
}
