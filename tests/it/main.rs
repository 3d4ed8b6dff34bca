//! Journeys through public names only.

mod bundle;
mod cli;
mod connected;
mod find;
mod floors;
mod minirag;
mod onyx;
mod openviking;
mod scope;
mod support;
