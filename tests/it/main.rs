//! Journeys through public names only.

mod minirag;
mod onyx;
