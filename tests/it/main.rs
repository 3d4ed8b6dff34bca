//! Journeys through public names only.

mod bundle;
mod cli;
mod connected;
mod faults;
mod find;
mod floors;
mod hybrid;
mod minirag;
mod onyx;
mod openviking;
mod ovpack;
mod properties;
mod scope;
mod supplied;
mod support;
mod variants;
