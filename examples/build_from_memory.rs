//! Builds a bundle from texts in memory and searches it.
//!
//! `cargo run --features index --example build_from_memory`

use knarr::{BuildOptions, Builder, Document, FindOptions, Knarr, Result};
use std::fmt::Write;

const NOTES: [(&str, &str, &str); 3] = [
    (
        "garden.md",
        "Garden",
        "Tomatoes want sun and water every morning.",
    ),
    (
        "kitchen.md",
        "Kitchen",
        "Bake the bread at 230 degrees until its crust is brown.",
    ),
    (
        "workshop.md",
        "Workshop",
        "Sharpen the plane before the oak arrives.",
    ),
];

fn main() -> Result<()> {
    print!("{}", report("how hot to bake bred")?);
    Ok(())
}

/// The size of the bundle, and what it finds for `query`.
pub fn report(query: &str) -> Result<String> {
    let mut builder = Builder::new(BuildOptions {
        name: "notes".into(),
        ..BuildOptions::default()
    })?;
    for (path, title, text) in NOTES {
        builder.add(Document::new(path, title, text))?;
    }
    let bundle = builder.finish(&mut |_, _, _| {})?;
    let answer = pollster::block_on(async {
        let knarr = Knarr::open(&bundle).await?;
        let options = FindOptions::new().limit(1);
        knarr.find(&bundle, query, &options).await
    })?;

    let mut out = format!("{} notes in {} file\n", NOTES.len(), bundle.files.len());
    for [typed, read_as] in &answer.corrections {
        let _ = writeln!(out, "{typed} was read as {read_as}");
    }
    for found in &answer.resources {
        let _ = writeln!(out, "{}: {}", found.title, found.excerpt.text);
    }
    Ok(out)
}
