//! Journeys through public names only.

mod openviking;
