//! The file of the site's owner.

use super::Arguments;
use crate::failure::{Outcome, io_failure};
use knarr::indexer::input::{OWNER_FILE, Owner};
use std::path::PathBuf;

/// The path of the file: the one that is named, or the one in the input folder, if it is there.
pub fn path(arguments: &Arguments) -> Option<PathBuf> {
    let own = || arguments.input.join(OWNER_FILE);
    // Never a device or a pipe, and no link out of the input.
    let is_file = |own: &PathBuf| own.symlink_metadata().is_ok_and(|file| file.is_file());
    let named = arguments.site_file.clone();
    named.or_else(|| Some(own()).filter(is_file))
}

/// Orders of the owner.
pub fn read(arguments: &Arguments) -> Outcome<Owner> {
    let Some(file) = path(arguments) else {
        return Ok(Owner::default());
    };
    let text =
        std::fs::read_to_string(&file).map_err(|error| io_failure("cannot read", &file, error))?;
    let owner = Owner::read(&file.display().to_string(), &text)?;
    let is_part = !arguments.include.is_empty() || !arguments.exclude.is_empty();
    Ok(if is_part { owner.for_a_part() } else { owner })
}
