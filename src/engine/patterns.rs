//! grep and glob in one call. Native only: the browser runs the same two halves across its two modules, so that the
//! pattern engines' weight is loaded on first use.

use super::{Knarr, ScopeFile};
use crate::base::error::Result;
use crate::base::host::Host;
use crate::find::answer::result::{GlobResult, GrepFile, GrepMatch, GrepResult};
use crate::find::ask::options::{GlobOptions, GrepOptions, GrepOutput, ReadOptions};
use crate::read::glob::Glob;
use crate::read::grep::Grep;

/// Texts read at a time: enough to share requests, few enough to stop soon after the limit.
const BATCH: usize = 32;

/// The rows of a grep, as files come in.
struct Taken<'a> {
    options: &'a GrepOptions,
    result: GrepResult,
    /// Rows seen, those before the first one wanted among them.
    n_rows: usize,
}

impl<'a> Taken<'a> {
    fn of(options: &'a GrepOptions) -> Self {
        Self {
            options,
            result: GrepResult::default(),
            n_rows: 0,
        }
    }

    fn last(&self) -> usize {
        let options = self.options;
        options.offset.saturating_add(options.node_limit)
    }

    fn is_full(&self) -> bool {
        self.n_rows >= self.last() || self.result.truncated
    }

    fn take(&mut self, grep: &Grep, file: &ScopeFile, text: &str) {
        let options = self.options;
        let result = &mut self.result;
        result.files_scanned += 1;
        let uri = &file.uri;
        if options.output == GrepOutput::Files {
            let count = grep.scan(text, usize::MAX).len();
            self.n_rows += usize::from(count > 0);
            if count > 0 && self.n_rows > options.offset {
                result.match_count += count;
                result.files.push(GrepFile {
                    uri: uri.clone(),
                    count,
                });
            }
            return;
        }
        let last = options.offset.saturating_add(options.node_limit);
        let left = last - self.n_rows;
        // One more, to know whether there is one.
        let lines = grep.scan(text, left.saturating_add(1));
        result.truncated = lines.len() > left;
        let leave_out = options.offset.saturating_sub(self.n_rows);
        let shown = lines.iter().take(left).skip(leave_out);
        result.matches.extend(shown.map(|l| GrepMatch {
            line: l.number,
            uri: uri.clone(),
            content: grep.cut(l.content, options.line_length),
        }));
        self.n_rows += lines.len().min(left);
    }

    fn done(mut self, n_files: usize) -> GrepResult {
        let is_full = self.is_full();
        let result = &mut self.result;
        result.truncated |= is_full && result.files_scanned < n_files;
        if self.options.output == GrepOutput::Lines {
            result.match_count = result.matches.len();
        }
        result.count = result.matches.len() + result.files.len();
        self.result
    }
}

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
        let is_section = uri.contains('#');
        let files = match is_section {
            // A section is one text: its lines are counted from its heading, as `read` counts them.
            true => vec![ScopeFile {
                node: 0,
                uri: uri.to_owned(),
            }],
            false => self.grep_scope(host, uri, options).await?,
        };
        let mut taken = Taken::of(options);
        for batch in files.chunks(BATCH) {
            if taken.is_full() {
                break;
            }
            let nodes: Vec<u32> = batch.iter().map(|f| f.node).collect();
            let texts = match is_section {
                true => vec![self.read(host, uri, &ReadOptions::default()).await?],
                false => self.texts(host, &nodes).await?,
            };
            for (file, text) in batch.iter().zip(texts) {
                if !taken.is_full() {
                    taken.take(&grep, file, &text);
                }
            }
        }
        Ok(taken.done(files.len()))
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
        let last = options.offset.saturating_add(options.node_limit);
        let found = glob.filter(&texts, last.saturating_add(1));
        let shown = found.iter().take(last).skip(options.offset);
        let matches: Vec<String> = shown.map(|&i| paths[i as usize].uri.clone()).collect();
        Ok(GlobResult {
            count: matches.len(),
            matches,
            truncated: found.len() > last,
        })
    }
}
