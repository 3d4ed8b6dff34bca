//! grep and glob in one call. Native only: the browser runs the same two halves across its two modules, so that the
//! pattern engines' weight is loaded on first use.

use super::Knarr;
use crate::base::error::Result;
use crate::base::host::Host;
use crate::find::answer::result::{GlobResult, GrepMatch, GrepResult};
use crate::find::ask::options::{GlobOptions, GrepOptions, ReadOptions};
use crate::read::glob::Glob;
use crate::read::grep::Grep;

/// Texts read at a time: enough to share requests, few enough to stop soon after the limit.
const BATCH: usize = 32;

impl Knarr {
    /// Lines that match a regular expression, files in tree order (spec: OpenViking §2.7).
    ///
    /// Cost: reads the files in scope until `node_limit` lines are found. Errors: `INVALID_PATTERN`, `NOT_FOUND`.
    pub async fn grep(
        &self,
        host: &impl Host,
        uri: &str,
        pattern: &str,
        options: &GrepOptions,
    ) -> Result<GrepResult> {
        let grep = Grep::new(pattern, options.case_insensitive)?;
        if uri.contains('#') {
            return self.grep_section(host, uri, &grep, options).await;
        }
        let files = self.grep_scope(host, uri, options).await?;
        let mut result = GrepResult::default();
        for batch in files.chunks(BATCH) {
            let left = options.node_limit - result.matches.len();
            if left == 0 {
                break;
            }
            let nodes: Vec<u32> = batch.iter().map(|f| f.node).collect();
            for (file, text) in batch.iter().zip(self.texts(host, &nodes).await?) {
                let left = options.node_limit - result.matches.len();
                if left == 0 {
                    break;
                }
                result.files_scanned += 1;
                let lines = grep.scan(&text, left);
                result.match_count += lines.len();
                result.matches.extend(lines.into_iter().map(|l| GrepMatch {
                    line: l.number,
                    uri: file.uri.clone(),
                    content: l.content.to_owned(),
                }));
            }
        }
        result.count = result.matches.len();
        Ok(result)
    }

    /// [`Knarr::grep`] in one section, whose lines are counted from its heading, as `read` counts them.
    async fn grep_section(
        &self,
        host: &impl Host,
        uri: &str,
        grep: &Grep,
        options: &GrepOptions,
    ) -> Result<GrepResult> {
        let text = self.read(host, uri, &ReadOptions::default()).await?;
        let matches: Vec<GrepMatch> = grep
            .scan(&text, options.node_limit)
            .iter()
            .map(|l| GrepMatch {
                line: l.number,
                uri: uri.to_owned(),
                content: l.content.to_owned(),
            })
            .collect();
        Ok(GrepResult {
            count: matches.len(),
            match_count: matches.len(),
            files_scanned: 1,
            matches,
        })
    }

    /// URIs whose path below `uri` matches a glob pattern (spec: OpenViking §2.8). Errors: `INVALID_PATTERN`, `NOT_FOUND`.
    pub async fn glob(
        &self,
        host: &impl Host,
        pattern: &str,
        uri: &str,
        options: &GlobOptions,
    ) -> Result<GlobResult> {
        let glob = Glob::new(pattern)?;
        let paths = self.glob_scope(host, uri).await?;
        let texts: Vec<&str> = paths.iter().map(|p| p.path.as_str()).collect();
        let found = glob.filter(&texts, options.node_limit);
        let matches: Vec<String> = found
            .into_iter()
            .map(|i| paths[i as usize].uri.clone())
            .collect();
        Ok(GlobResult {
            count: matches.len(),
            matches,
        })
    }
}
