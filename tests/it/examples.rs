//! The examples run, and print what their comments promise.

#[path = "../../examples/build_from_memory.rs"]
#[allow(dead_code, reason = "main prints the report")]
mod build_from_memory;
#[path = "../../examples/custom_host.rs"]
#[allow(dead_code, reason = "main prints the report")]
mod custom_host;
#[path = "../../examples/find_on_disk.rs"]
#[allow(dead_code, reason = "main prints the report")]
mod find_on_disk;

use crate::support::corpus;
use knarr::ErrorKind;

#[test]
fn a_bundle_from_memory_corrects_and_finds() {
    let report = build_from_memory::report("how hot to bake bred").unwrap();
    let expected = "3 notes in 1 file\n\
        bred was read as bread\n\
        Kitchen: Bake the bread at 230 degrees until its crust is brown.\n";
    assert_eq!(report, expected);
}

#[test]
fn a_folder_is_searched_by_ranges_of_its_files() {
    for single_file in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in corpus(Some(single_file)).files {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let report = find_on_disk::report(folder.path().into(), "replace the battery").unwrap();
        let expected = "\
            0.81 Notes from the first week (guide/field%20notes/first%20week.md)\n\
            0.73 Configuration (reference/configuration.md)\n\
            0.72 Add a sensor (guide/add-a-sensor.md)\n\
            0.72 Error H027 (reference/errors/h027.md)\n\
            0.40 Error H012 (reference/errors/h012.md)\n";
        assert_eq!(report, expected);
    }
    let missing = find_on_disk::report("/there/is/no/bundle".into(), "battery").unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::BundleMissing);
}

#[test]
fn a_custom_host_sends_nothing_on_the_second_visit() {
    let report = custom_host::report().unwrap();
    let expected = "first visit: Day 12, 4 requests\nsecond visit: Day 12, 0 requests\n";
    assert_eq!(report, expected);
}
