//! The file of the site's owner.

use super::Arguments;
use crate::failure::{Outcome, io_failure};
use knarr::indexer::input::{OWNER_FILE, Owner};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The path of the file: the one that is named, or the one in the input folder, if it is there.
pub fn path(arguments: &Arguments) -> Option<PathBuf> {
    let own = || arguments.input.join(OWNER_FILE);
    // Never a device or a pipe, and no link out of the input.
    let is_file = |own: &PathBuf| own.symlink_metadata().is_ok_and(|file| file.is_file());
    let named = arguments.site_file.clone();
    named.or_else(|| Some(own()).filter(is_file))
}

/// Bytes of the file, at most: a device has no end.
const MAX_BYTES: u64 = 16 << 20;

/// Reads and proves the file at `path`.
pub fn read_file(path: &Path) -> Outcome<Owner> {
    let failed = |error| io_failure("cannot read", path, error);
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    let read = file.take(MAX_BYTES + 1).read_to_string(&mut text);
    if read.map_err(failed)? as u64 > MAX_BYTES {
        let what = format!("it is longer than {} MB", MAX_BYTES >> 20);
        return Err(io_failure("cannot read", path, what));
    }
    Ok(Owner::read(&path.display().to_string(), &text)?)
}

/// Orders of the owner.
pub fn read(arguments: &Arguments) -> Outcome<Owner> {
    let Some(file) = path(arguments) else {
        return Ok(Owner::default());
    };
    let owner = read_file(&file)?;
    let is_part = !arguments.include.is_empty() || !arguments.exclude.is_empty();
    Ok(if is_part { owner.for_a_part() } else { owner })
}
