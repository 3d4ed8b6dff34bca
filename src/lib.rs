//! Search over a folder of documents, answered from static files.
//!
//! # Do you need this crate?
//!
//! - **To add search to a website,** use the command line, which builds a bundle from the site's pages, and the npm
//!   package, which searches it in the browser. Neither needs a line of Rust: see the README.
//! - **To search or build bundles inside a Rust program,** use this crate. It runs wherever Rust does, does no IO of its
//!   own, and needs no server.
//!
//! # Build and search
//!
//! Building needs the feature `index`; searching needs no feature. The methods of [`Knarr`] are async and run on any
//! executor; this example uses the pollster crate.
//!
#![cfg_attr(feature = "index", doc = "```")]
#![cfg_attr(not(feature = "index"), doc = "```ignore")]
//! use knarr::{BuildOptions, Builder, Document, FindOptions, Knarr};
//!
//! # fn main() -> knarr::Result<()> {
//! let mut builder = Builder::new(BuildOptions::default())?;
//! builder.add(Document::new("battery.html", "Battery life", "A sensor's battery lasts a year."))?;
//! builder.add(
//!     Document::new("install.html", "Installation", "Unpack the archive on the gateway.")
//!         .section("First start", "start", "Press the button until the light turns green."),
//! )?;
//! let bundle = builder.finish(&mut |_, _, _| {})?; // The closure is told the progress.
//!
//! let answer = pollster::block_on(async {
//!     let knarr = Knarr::open(&bundle).await?; // A bundle in memory is its own host.
//!     knarr.find(&bundle, "which buton to press", &FindOptions::new()).await
//! })?;
//! let best = &answer.resources[0];
//! assert_eq!(best.title, "Installation");
//! assert_eq!(best.sections[0].url, "install.html#start");
//! assert_eq!(answer.corrections, [["buton", "button"]]);
//! # Ok(())
//! # }
//! ```
//!
//! To keep a bundle, write `bundle.files` (pairs of a name and bytes) into a folder. To search it later, implement
//! [`Host`]: one method that reads a range of a file. The repository's `examples/` has one host over a folder and one
//! that caches what a web server sends.
//!
//! # The map
//!
//! | To | use |
//! |---|---|
//! | open a bundle and search, read and list it | [`Knarr`] |
//! | get its bytes from a disk, a server, an archive | [`Host`], which returns [`Fetched`] |
//! | set what `find` looks for | [`FindOptions`] and the module [`options`] |
//! | read the answer | [`FindResult`], [`MatchedContext`] and the module [`answers`] |
//! | build a bundle | [`Builder`], [`BuildOptions`], [`Document`]; the result is a [`Built`] |
//! | read a folder of HTML and Markdown | [`indexing::scan`], and [`indexing::parse`] for each file |
//! | handle a failure | [`Error`] with its [`ErrorKind`] |
//!
//! # Features
//!
//! - `full` (default): filters, users, traces, explanations, the graph. Without it, `find` refuses
//!   the options for them, as the browser's small module does.
//! - `index`: the builder and its parsers of HTML, Markdown and `.ovpack` files.
//! - `search`, `patterns`: for the command line and the browser's modules.
//!
//! # Stability
//!
//! The names on this page are the interface. Modules that the documentation does not show are public only for the
//! command line and the tests, and change without notice.
#![cfg_attr(
    not(feature = "index"),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the builder's names exist with its feature"
    )
)]

// By floor: a module names only those of lower floors (ARCHITECTURE.md has the map, tests/it/floors.rs the proof).
// 0: vocabulary
#[doc(hidden)]
pub mod base;
// 1: words
#[doc(hidden)]
pub mod text;
// 2: indexes
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod vectors;
// 3: the format
#[doc(hidden)]
pub mod bundle;
// 4: from a question to an answer
#[doc(hidden)]
pub mod find;
// 5: the bundle as a file system
#[doc(hidden)]
pub mod read;
// 5: the write side
#[cfg(feature = "index")]
#[doc(hidden)]
pub mod indexer;
// 5: endpoints, as a state machine without IO; in the browser a module of its own
#[cfg(feature = "search")]
#[doc(hidden)]
pub mod search;
// 6: a bundle and a host
#[doc(hidden)]
pub mod engine;
// 7: JavaScript
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod wasm;

pub use base::error::{Error, ErrorKind, Result};
pub use base::host::{Fetched, Host};
pub use engine::Knarr;
pub use find::answer::result::{FindResult, MatchedContext};
pub use find::ask::options::FindOptions;
#[cfg(feature = "index")]
pub use indexer::{BuildOptions, Builder, Built, Document, DocumentSection};

/// Options of the calls, and the types of their values.
pub mod options {
    pub use crate::base::value::Value;
    pub use crate::find::ask::builder::Level;
    pub use crate::find::ask::options::{
        GlobOptions, GrepOptions, Group, ListOptions, Mode, OneOrMany, Preset, ReadOptions,
        RelationOptions, SortBy, SortOrder,
    };
    #[cfg(feature = "full")]
    pub use crate::{
        base::uri::ContextType,
        find::ask::condition::Condition,
        find::ask::filter::{Field, TimeField},
        find::onyx::two_field::Profile,
        find::onyx::typed::HybridOptions,
    };
}

/// Reading of folders, and parts of builds.
#[cfg(feature = "index")]
pub mod indexing {
    pub use crate::indexer::input::{
        InputFile, InputOptions, PageSelector, Scan, SkipReason, Skipped, parse, parse_bytes, scan,
    };
    pub use crate::indexer::site::{Decision, Defaults, Kind, Report, UrlStyle};
    pub use crate::indexer::{
        BuildSummary, Kept, Link, PageCopy, PageFacts, SiteOptions, Stage, WordFit,
    };
}

/// Parts of answers.
pub mod answers {
    pub use crate::engine::{Inspection, ScopeFile, ScopePath};
    pub use crate::find::answer::counts::{Facet, FacetValue};
    pub use crate::find::answer::result::{
        Also, DirectoryGroup, Entry, Excerpt, GlobResult, GrepMatch, GrepResult, RelatedContext,
        SectionHit, Skipped, Stat,
    };
    #[cfg(feature = "full")]
    pub use crate::find::answer::result::{
        Answer, Evidence, Explanation, Passage, Trace, VectorTelemetry,
    };
}

/// The code of the crate's page is a test.
#[cfg(all(doctest, feature = "index"))]
#[doc = include_str!("../docs/RUST.md")]
struct Page;
