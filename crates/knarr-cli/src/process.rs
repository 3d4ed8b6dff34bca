//! Numbers of processes: names of files that two at a time do not share.

use std::time::{SystemTime, UNIX_EPOCH};

/// Number of this process; 0 where processes have none.
pub fn process_number() -> u32 {
    if cfg!(target_os = "wasi") {
        0
    } else {
        std::process::id()
    }
}

/// A number that no other process has at this time.
pub fn own_number() -> u32 {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH);
    match process_number() {
        0 => now().map_or(0, |now| now.as_nanos() as u32),
        number => number,
    }
}
