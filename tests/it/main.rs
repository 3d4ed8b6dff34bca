//! Journeys through public names only.

mod openviking;
mod minirag;
mod onyx;
