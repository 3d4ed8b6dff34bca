//! Journeys through public names only.

mod cli;
mod openviking;
mod minirag;
mod onyx;
