//! A finished bundle onto the disk.
//!
//! Packs first, the head last and by renaming, so that at every moment the head on disk names files that are there;
//! then the packs of an earlier build go. Nothing is touched but files with the names that Knarr gives.

use crate::failure::{Outcome, io_failure};
use knarr::build::is_pack_name;
use knarr::engine::HEAD_FILE;
use std::fs;
use std::path::Path;

/// Whether `out` names one file and not a folder.
pub fn is_single_file(out: &Path) -> bool {
    out.extension()
        .is_some_and(|extension| extension == "knarr")
}

/// Writes the files of a bundle, the head being the last of them. Returns how many old packs were removed.
pub fn bundle(out: &Path, files: &[(String, Vec<u8>)]) -> Outcome<usize> {
    if is_single_file(out) {
        for (_, bytes) in files {
            let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
            create_folder(folder.unwrap_or(Path::new(".")))?;
            replace(out, bytes)?;
        }
        return Ok(0);
    }
    create_folder(out)?;
    for (name, bytes) in files {
        let path = out.join(name);
        // A pack is named by its content: one that is there with the right length is the same.
        let is_there = name != HEAD_FILE
            && fs::metadata(&path).is_ok_and(|file| file.len() == bytes.len() as u64);
        if !is_there {
            replace(&path, bytes)?;
        }
    }
    remove_old_packs(out, files)
}

fn create_folder(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| io_failure("cannot create", folder, error))
}

/// Writes a file under another name and renames it: nobody ever sees half of it.
fn replace(path: &Path, bytes: &[u8]) -> Outcome {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    fs::write(partial, bytes).map_err(|error| io_failure("cannot write", partial, error))?;
    fs::rename(partial, path).map_err(|error| io_failure("cannot write", path, error))
}

fn remove_old_packs(folder: &Path, files: &[(String, Vec<u8>)]) -> Outcome<usize> {
    let entries = fs::read_dir(folder).map_err(|error| io_failure("cannot list", folder, error))?;
    let mut removed = 0;
    for entry in entries {
        let entry = entry.map_err(|error| io_failure("cannot list", folder, error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_pack_name(&name) && files.iter().all(|(kept, _)| *kept != name) {
            fs::remove_file(entry.path())
                .map_err(|error| io_failure("cannot remove", &entry.path(), error))?;
            removed += 1;
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn removes_packs_of_an_earlier_build_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let out = folder.path().join("deep/search");
        let old = format!("{}.pack", "0".repeat(20));
        let new = format!("{}.pack", "a".repeat(20));
        assert!(is_pack_name(&old), "the pattern of pack names changed");
        let first = [(old.clone(), vec![1]), (HEAD_FILE.to_owned(), vec![2])];
        assert_eq!(bundle(&out, &first).expect("written"), 0);
        fs::write(out.join("robots.txt"), "mine").expect("written");
        fs::write(out.join("other.pack"), "mine").expect("written");
        let second = [(new.clone(), vec![3]), (HEAD_FILE.to_owned(), vec![4])];
        assert_eq!(bundle(&out, &second).expect("written"), 1);
        let mut expected = vec![
            new,
            HEAD_FILE.to_owned(),
            "other.pack".into(),
            "robots.txt".into(),
        ];
        expected.sort();
        assert_eq!(names(&out), expected);
        assert_eq!(fs::read(out.join(HEAD_FILE)).expect("a head"), [4]);
    }

    #[test]
    fn writes_one_file_where_its_name_says_so() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let out = folder.path().join("new/site.knarr");
        bundle(&out, &[(HEAD_FILE.to_owned(), vec![7])]).expect("written");
        assert_eq!(names(&folder.path().join("new")), ["site.knarr"]);
    }
}
