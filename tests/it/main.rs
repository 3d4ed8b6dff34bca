//! Journeys through public names only.

#![cfg_attr(
    not(feature = "full"),
    allow(
        dead_code,
        unused_imports,
        reason = "the tests of the full engine use them"
    )
)]

#[cfg(feature = "full")]
mod answers;
mod begun;
mod bundle;
#[cfg(feature = "full")]
mod connected;
#[cfg(feature = "full")]
mod cut;
mod docs;
mod examples;
mod facets;
mod find;
mod floors;
#[cfg(feature = "full")]
mod golden;
mod greedy;
mod groups;
mod handbooks;
mod heads;
#[cfg(feature = "full")]
mod hotness;
#[cfg(feature = "full")]
mod hybrid;
mod languages;
mod minirag;
mod names;
mod near;
mod onyx;
#[cfg(feature = "full")]
mod openviking;
mod options;
mod oracle;
mod ovpack;
mod owner;
mod packages;
#[cfg(feature = "full")]
mod paging;
mod pieces;
mod properties;
mod prose;
mod quoted;
mod resealed;
#[cfg(feature = "full")]
mod scope;
#[cfg(feature = "full")]
mod sections;
mod similar;
#[cfg(feature = "full")]
mod sorting;
mod source;
mod supplied;
mod support;
#[cfg(feature = "full")]
mod typed;
mod underway;
mod variants;
mod vectors;
#[cfg(feature = "full")]
mod walking;
