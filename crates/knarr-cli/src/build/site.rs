//! The owner's flags about a site, and the report of the decisions on its pages.

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use knarr::indexer::SiteOptions;
use knarr::indexer::site::{Kind, Report, UrlStyle};
use serde::Serialize;
use std::collections::BTreeMap;

/// Arguments of `knarr build` about the site whose pages are read.
#[derive(clap::Args)]
pub struct SiteArguments {
    /// Spelling of addresses, for `guide/start.html` and `guide/index.html`: file (as they are), html (start.html,
    /// guide/), clean (start, guide/), bare (start, guide), slash (start/, guide/); auto follows the pages' canonical
    /// addresses, the sitemap and the site's own links.
    #[arg(long, value_name = "STYLE", default_value = "auto", value_parser = styles(), help_heading = "Sites")]
    url_style: UrlStyle,
    /// Treat pages of this kind as content: neither leave them out nor damp them (repeatable, or separated by commas):
    /// not-found, search, name-index, source, list, tool, print, page-source, stray, post, changelog, unsettled,
    /// report, file, copy.
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kinds(), help_heading = "Sites")]
    keep: Vec<Kind>,
    /// The site's own language, for queries that name none [default: that of the home page].
    #[arg(long, value_name = "TAG", help_heading = "Sites")]
    lang: Option<String>,
    /// The version for queries that name none [default: the newest stable one].
    #[arg(long, value_name = "VERSION", help_heading = "Sites")]
    docs_version: Option<String>,
    /// Take every file as it is: no languages, versions or copies, and addresses like the files' names.
    #[arg(long, conflicts_with_all = ["url_style", "keep", "lang", "docs_version"], help_heading = "Sites")]
    no_site: bool,
}

fn styles() -> impl TypedValueParser<Value = UrlStyle> {
    let of = |name: String| {
        UrlStyle::ALL
            .iter()
            .find(|s| s.0 == name)
            .map_or(UrlStyle::Auto, |s| s.1)
    };
    PossibleValuesParser::new(UrlStyle::ALL.map(|s| s.0)).map(of)
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    let of = |name: String| {
        Kind::ALL
            .iter()
            .find(|k| k.0 == name)
            .map_or(Kind::Copy, |k| k.1)
    };
    PossibleValuesParser::new(Kind::ALL.map(|k| k.0)).map(of)
}

impl SiteArguments {
    /// The options; `None` when the files are to be taken as they are.
    pub fn options(&self) -> Option<SiteOptions> {
        (!self.no_site).then(|| SiteOptions {
            url_style: self.url_style,
            keep: self.keep.clone(),
            language: self.lang.clone(),
            version: self.docs_version.clone(),
            ..SiteOptions::default()
        })
    }
}

/// Counts of what was decided, for `--json`.
#[derive(Serialize)]
pub struct Counts {
    /// Pages by where their addresses are from.
    addresses: BTreeMap<String, usize>,
    /// Pages by language, on a site of several.
    languages: BTreeMap<String, usize>,
    /// Pages by version, on a site of several.
    versions: BTreeMap<String, usize>,
    /// Pages that rules left out, by kind.
    left_out: BTreeMap<&'static str, usize>,
    /// Pages that rules damped, by kind.
    damped: BTreeMap<&'static str, usize>,
    /// Pages that were folded into others of the same text.
    folded: usize,
}

impl Counts {
    /// Counts a report.
    pub fn of(report: &Report) -> Self {
        let owned = |counts: BTreeMap<&str, usize>| {
            counts
                .into_iter()
                .map(|(name, n)| (name.to_owned(), n))
                .collect()
        };
        let named = |counts: BTreeMap<Kind, usize>| {
            counts
                .into_iter()
                .map(|(kind, n)| (kind.name(), n))
                .collect()
        };
        let (left_out, damped, folded) = report.counts();
        Self {
            addresses: owned(report.tally(|d| &d.url_by)),
            languages: owned(report.tally(|d| &d.language)),
            versions: owned(report.tally(|d| &d.version)),
            left_out: named(left_out),
            damped: named(damped),
            folded,
        }
    }
}

/// Rows of the summary.
pub fn rows(report: &Report) -> Vec<(&'static str, String)> {
    let counts = Counts::of(report);
    let lists = [
        ("addresses by", counts.addresses),
        ("languages", counts.languages),
        ("versions", counts.versions),
    ];
    let shown = lists.into_iter().filter(|(_, list)| !list.is_empty());
    shown.map(|(name, list)| (name, joined(&list))).collect()
}

fn joined<N: std::fmt::Display>(counts: &BTreeMap<N, usize>) -> String {
    let parts: Vec<String> = counts
        .iter()
        .map(|(name, n)| format!("{n} {name}"))
        .collect();
    parts.join(", ")
}

/// Says on standard error which rules left pages out, damped or folded them; with `all` which pages.
pub fn say(report: &Report, all: bool) {
    let counts = Counts::of(report);
    if !counts.left_out.is_empty() {
        eprintln!(
            "no content: {} (--keep KIND keeps them)",
            joined(&counts.left_out)
        );
    }
    if !counts.damped.is_empty() {
        eprintln!("damped: {} (--keep KIND does not)", joined(&counts.damped));
    }
    if counts.folded > 0 {
        eprintln!(
            "folded into pages of the same text: {} (--keep copy keeps them)",
            counts.folded
        );
    }
    let said = !counts.left_out.is_empty() || !counts.damped.is_empty() || counts.folded > 0;
    if said && !all {
        eprintln!("`knarr inspect BUNDLE --pages` tells of each page what was decided, and why");
    }
    if all {
        for (path, decision) in &report.pages {
            match (decision.kind, decision.folded_into.as_str()) {
                (_, into) if !into.is_empty() => eprintln!("  {path}: the same as {into}"),
                (Some(kind), _) if decision.left_out => eprintln!("  {path}: {}", kind.name()),
                (Some(kind), _) => eprintln!("  {path}: {}, damped", kind.name()),
                _ => {}
            }
        }
    }
}
