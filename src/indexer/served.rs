//! A finished bundle as a host, for programs that build and search in one process.

use super::assemble::Built;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::host::{Fetched, Host};

impl Host for Built {
    async fn fetch(&self, file: &str, range: Option<(u64, u64)>) -> Result<Fetched> {
        let Some((_, bytes)) = self.files.iter().find(|(name, _)| name == file) else {
            let message = format!("the bundle has no file {file:?}");
            return Err(Error::new(ErrorKind::BundleMissing, message));
        };
        let all = bytes.len() as u64;
        let (start, end) = range.unwrap_or((0, all));
        let (start, end) = (start.min(all), end.min(all));
        Ok(Fetched {
            bytes: bytes
                .get(start as usize..end as usize)
                .unwrap_or_default()
                .to_vec(),
            offset: start,
        })
    }
}
