//! The members of the ZIP file, within limits. Nothing is unpacked to disk.

use super::{invalid, paths};
use crate::base::error::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};
use zip::result::ZipError;

/// The largest pack that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Members of the archive.
    pub members: usize,
    /// Unpacked bytes of one member.
    pub member_bytes: u64,
    /// Unpacked bytes of all members.
    pub total_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            members: 1_000_000,
            // A small archive can take so much memory. Vectors of 65,000 texts in 1,024 dimensions are 256 MiB.
            member_bytes: 256 << 20,
            total_bytes: 512 << 20,
        }
    }
}

/// All members of an archive by their names without the root folder.
#[derive(Debug, Default)]
pub struct Archive {
    /// Name of the root folder.
    pub root: String,
    /// Directory entries, without a slash at the end; the root folder is the empty name.
    pub directories: BTreeSet<String>,
    /// Contents of files, unpacked.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Archive {
    /// Reads every member. Sizes are what the archive declares, and each member is held to it while it is unpacked.
    pub fn read(reader: impl Read + Seek, limits: &Limits) -> Result<Self> {
        let mut zip = zip::ZipArchive::new(reader).map_err(|error| damaged("the file", error))?;
        if zip.len() > limits.members {
            let (n, most) = (zip.len(), limits.members);
            return Err(invalid(format!(
                "the pack has {n} members, more than {most}"
            )));
        }
        if zip.has_duplicate_names() {
            return Err(invalid(
                "two members of the pack have the same name: export it again",
            ));
        }
        // Members that share bytes are how a small archive claims to be a large one.
        if zip
            .has_overlapping_entries()
            .map_err(|error| damaged("the file", error))?
        {
            return Err(invalid("members of the pack overlap: export it again"));
        }
        let mut archive = Self::default();
        let mut left = limits.total_bytes;
        for index in 0..zip.len() {
            let what = || format!("member {}", index + 1);
            let mut member = zip
                .by_index(index)
                .map_err(|error| damaged(&what(), error))?;
            let name = match member.name() {
                Ok(name) => name.into_owned(),
                Err(error) => return Err(damaged(&what(), error)),
            };
            let root = name.split('/').next().unwrap_or("");
            if index == 0 {
                paths::check_relative(root)?;
                root.clone_into(&mut archive.root);
            }
            paths::check_member(&name, &archive.root)?;
            let size = member.size();
            let below = name[archive.root.len()..].trim_start_matches('/');
            if below.is_empty() || below.ends_with('/') {
                archive.add_directory(&name, below, size)?;
                continue;
            }
            if size > limits.member_bytes || size > left {
                let most = limits.member_bytes.min(left);
                return Err(invalid(format!(
                    "{name:?} unpacks to {size} bytes, and {most} are the most that are read: export a smaller directory"
                )));
            }
            left -= size;
            let bytes = unpack(&mut member, &name, size)?;
            archive.files.insert(below.to_owned(), bytes);
        }
        Ok(archive)
    }

    /// Adds the directory entry `name`, which is `below` the root folder.
    fn add_directory(&mut self, name: &str, below: &str, size: u64) -> Result<()> {
        if !name.ends_with('/') {
            return Err(invalid(format!(
                "the pack has a file {name:?} in place of its root folder"
            )));
        }
        if size > 0 && !below.is_empty() {
            return Err(invalid(format!(
                "the directory {name:?} of the pack has contents"
            )));
        }
        let directory = below.strip_suffix('/').unwrap_or(below);
        self.directories.insert(directory.to_owned());
        Ok(())
    }
}

/// The bytes of a member, which must be `size`.
fn unpack(member: &mut impl Read, name: &str, size: u64) -> Result<Vec<u8>> {
    // What a member declares is not reserved for it: it may not be there.
    let mut bytes = Vec::new();
    let read = member.take(size + 1).read_to_end(&mut bytes);
    read.map_err(|error| damaged(&format!("{name:?}"), error))?;
    if bytes.len() as u64 != size {
        return Err(invalid(format!(
            "{name:?} does not unpack to the {size} bytes that the archive names: it is damaged, export it again"
        )));
    }
    Ok(bytes)
}

fn damaged(what: &str, error: impl Into<ZipError>) -> Error {
    match error.into() {
        ZipError::Io(error) if !is_content(&error) => {
            Error::new(ErrorKind::Io, format!("{what} cannot be read: {error}"))
        }
        error => invalid(format!(
            "{what} is not readable as ZIP with deflate ({error}): export the pack again"
        )),
    }
}

/// True if the bytes are at fault and not the disk.
fn is_content(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as Io;
    matches!(
        error.kind(),
        Io::InvalidData | Io::InvalidInput | Io::UnexpectedEof | Io::Other | Io::Unsupported
    )
}
