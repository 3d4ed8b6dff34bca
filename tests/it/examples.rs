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
    // Only one file has vectors of sections.
    for (single_file, scores) in [
        (true, ["0.98", "0.87", "0.85", "0.84", "0.45"]),
        (false, ["1.00", "0.85", "0.81", "0.77", "0.48"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in corpus(Some(single_file)).files {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let report = find_on_disk::report(folder.path().into(), "replace the battery").unwrap();
        let rows = [
            "Notes from the first week (guide/field%20notes/first%20week.md)",
            "Error H027 (reference/errors/h027.md)",
            "Add a sensor (guide/add-a-sensor.md)",
            "Configuration (reference/configuration.md)",
            "Error H012 (reference/errors/h012.md)",
        ];
        let lines = scores.iter().zip(rows);
        let expected: String = lines
            .map(|(score, row)| format!("{score} {row}\n"))
            .collect();
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
