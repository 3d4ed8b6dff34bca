//! `knarr entities` and `knarr neighbors`: the entity graph of a bundle that was built with `--graph`.

use crate::disk;
use crate::failure::Outcome;
use crate::output::{self, Style, Table};
use knarr::find::ask::options::EntityOptions;
use std::path::PathBuf;

/// Arguments of `knarr entities`.
#[derive(clap::Args)]
pub struct EntitiesArguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// Only entities that have this in a name.
    query: Option<String>,
    /// Only entities of this type: PERSON, ORGANIZATION, LOCATION, DATE, CODE, …
    #[arg(long = "type", value_name = "TYPE")]
    entity_type: Option<String>,
    /// Number of entities at most.
    #[arg(long, value_name = "N", default_value_t = EntityOptions::default().limit)]
    limit: usize,
    /// Leave out so many before the first.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Arguments of `knarr neighbors`.
#[derive(clap::Args)]
pub struct NeighborsArguments {
    /// The bundle: its folder, or its one file.
    pub bundle: PathBuf,
    /// The name of the entity, as `knarr entities` prints it, or another of its names.
    name: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `knarr entities`.
pub fn entities(arguments: &EntitiesArguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let options = EntityOptions {
        query: arguments.query.clone(),
        entity_type: arguments.entity_type.clone(),
        limit: arguments.limit,
        offset: arguments.offset,
    };
    let entities = pollster::block_on(bundle.entities(&host, &options))?;
    if arguments.json {
        return output::json(&entities);
    }
    let mut table = Table::new(&["entity", "type", ">mentions", ">files", ">neighbors"]);
    for entity in entities {
        table.row([
            entity.name,
            entity.kind,
            entity.n_mentions.to_string(),
            entity.n_files.to_string(),
            entity.n_neighbors.to_string(),
        ]);
    }
    output::text(&table.render(Style::of_stdout()))
}

/// Runs `knarr neighbors`.
pub fn neighbors(arguments: &NeighborsArguments) -> Outcome {
    let (bundle, host) = disk::open(&arguments.bundle)?;
    let neighbors = pollster::block_on(bundle.neighbors(&host, &arguments.name))?;
    if arguments.json {
        return output::json(&neighbors);
    }
    let mut table = Table::new(&["neighbor", "type", ">seen", "shown by"]);
    for neighbor in neighbors {
        let files: Vec<String> = neighbor.files.into_iter().map(|file| file.uri).collect();
        table.row([
            neighbor.name,
            neighbor.kind,
            neighbor.weight.to_string(),
            files.join(", "),
        ]);
    }
    output::text(&table.render(Style::of_stdout()))
}
