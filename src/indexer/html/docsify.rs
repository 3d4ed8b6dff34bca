//! The shell in which Docsify shows pages of Markdown.
//!
//! ```html
//! <div id="app"></div><script>window.$docsify = { routerMode: 'history' };</script><script src="//cdn.x.org/npm/docsify@4"></script>
//! ```

use crate::indexer::noise::PageNode;

/// Name of the generator, which its script tells.
pub(crate) const GENERATOR: &str = "docsify";
/// Class of a shell whose addresses have no `#`.
pub(crate) const HISTORY: &str = "docsify-history";

/// True for the address of Docsify's script: `//cdn.x.org/npm/docsify@4`, `lib/docsify.min.js`.
pub(crate) fn is_script(src: &str) -> bool {
    let is_step = |step: &str| {
        let rest = step.strip_prefix(GENERATOR);
        rest.is_some_and(|rest| rest.starts_with('@') || matches!(rest, "" | ".js" | ".min.js"))
    };
    src.split('/').any(is_step)
}

/// True for a script that chooses addresses without `#`, not in a comment.
pub(crate) fn chooses_history(script: PageNode<'_>) -> bool {
    let chooses = |line: &str| {
        let (before, value) = line.split_once("routerMode")?;
        let value = value.trim_start_matches([':', ' ', '\'', '"']);
        (!before.contains("//") && value.starts_with("history")).then_some(())
    };
    let mut texts = script
        .children()
        .filter_map(|child| child.value().as_text());
    texts.any(|text| text.lines().any(|line| chooses(line).is_some()))
}
