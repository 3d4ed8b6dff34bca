//! A bundle as bytes: the same input gives the same ones, and whatever else they are turned into, they open or fail.

use crate::support::{self, Script};
use knarr::bundle::Head;
use knarr::find::ask::options::{
    FindOptions, GrepOptions, ListOptions, ReadOptions, RelationOptions,
};
use knarr::indexer::BuildOptions;
use knarr::{ErrorKind, Knarr};
use pollster::block_on;
use sha2::{Digest, Sha256};

/// Everything a visitor can do, so that damage has every chance to show; all answers as text.
pub fn use_it(host: &Script) -> Result<String, knarr::Error> {
    let bundle = block_on(Knarr::open(host))?;
    let options = FindOptions {
        level: knarr::find::ask::filter::Value::from(&[0, 1, 2][..]),
        ..FindOptions::default()
    };
    let question = "how does a sensr drift CreateGateway";
    let mut said = format!("{:?}", block_on(bundle.find(host, question, &options))?);
    let unfinished = block_on(bundle.find(host, "batt", &FindOptions::default()))?;
    said.push_str(&format!("{unfinished:?}"));
    let deep = ListOptions {
        level_limit: 9,
        ..ListOptions::default()
    };
    said.push_str(&format!(
        "{:?}",
        block_on(bundle.tree(host, "viking://", &deep))?
    ));
    for file in block_on(bundle.grep_scope(host, "viking://", &GrepOptions::default()))? {
        said.push_str(&block_on(bundle.read(
            host,
            &file.uri,
            &ReadOptions::default(),
        ))?);
        said.push_str(&format!(
            "{:?}",
            block_on(bundle.relations(host, &file.uri, &RelationOptions::default()))?
        ));
    }
    Ok(said)
}

#[test]
fn the_same_documents_give_the_same_bytes_on_one_core_or_many() {
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap()
        .install(|| support::corpus(None));
    let many = rayon::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .unwrap()
        .install(|| support::corpus(None));
    assert_eq!(one.files, many.files);
}

#[test]
fn both_forms_answer_everything() {
    for single in [true, false] {
        let host = Script::of(support::corpus(Some(single)));
        assert_eq!(host.files.len() == 1, single);
        use_it(&host).unwrap();
    }
}

/// Up to what a first question of a larger bundle fetches anyway, everything is one file; how many pages that are does
/// not matter.
#[test]
fn bytes_decide_on_the_form() {
    // Text that does not compress well, of `bytes` in all.
    let is_one_file = |pages: usize, bytes: usize| {
        let mut random = support::Random(7);
        let word = |random: &mut support::Random| format!("w{:x} ", random.below(1 << 30));
        let text = |random: &mut support::Random| -> String {
            (0..bytes / pages / 9).map(|_| word(random)).collect()
        };
        let documents =
            (0..pages).map(|n| support::page(&format!("p{n}"), "Page", &text(&mut random)));
        let files = support::served(documents.collect(), "", "").files;
        let head = Head::decode(&files["index.knarr"]).unwrap();
        head.packs.last().is_some_and(|texts| texts.name.is_empty())
    };
    for pages in [1, 20] {
        assert!(is_one_file(pages, 20_000), "{pages} pages");
        assert!(!is_one_file(pages, 120_000), "{pages} pages");
    }
}

/// The bytes in the last code block of the specification are a bundle.
#[test]
fn the_bundle_written_out_in_the_specification_opens() {
    let text = include_str!("../../docs/FORMAT.md");
    let block = text.rsplit("```").nth(1).expect("the last code block");
    let is_byte = |word: &&str| word.len() == 2 && u8::from_str_radix(word, 16).is_ok();
    let bytes: Vec<u8> = block
        .lines()
        .flat_map(|line| line.split(' ').take_while(is_byte))
        .map(|word| u8::from_str_radix(word, 16).expect("tested"))
        .collect();
    let said = format!("## A whole bundle in {} bytes", bytes.len());
    assert!(text.contains(&said), "{said}");
    let files = [("index.knarr".to_owned(), bytes)].into();
    let host = Script { files };
    let bundle = block_on(Knarr::open(&host)).unwrap();
    assert_eq!(bundle.inspect().name, "");
    assert_eq!(bundle.inspect().generator, "demo");
    let options = ListOptions::default();
    assert!(
        block_on(bundle.tree(&host, "viking://", &options))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn no_prefix_of_a_bundle_opens() {
    let built = support::corpus(Some(true));
    let whole = &built.files[0].1;
    for end in (0..whole.len())
        .step_by(97)
        .chain(0..200)
        .chain(whole.len() - 200..whole.len())
    {
        let error = Knarr::from_bytes(whole[..end].to_vec())
            .err()
            .expect("a cut file must not open");
        let expected = [ErrorKind::BundleFormat, ErrorKind::BundleDamaged];
        assert!(expected.contains(&error.kind()), "{end}: {error}");
    }
}

#[test]
fn a_flipped_bit_is_an_error_or_nothing() {
    // Of all general words, most parts are read by no call.
    for (single, general_words, least) in [
        (true, Some(0), 800),
        (false, Some(0), 800),
        (true, None, 700),
        (false, None, 700),
    ] {
        let clean = Script::of(support::corpus_with(BuildOptions {
            single_file: Some(single),
            general_words,
            ..BuildOptions::default()
        }));
        let answers = use_it(&clean).unwrap();
        let mut random = support::Random(0x5eed);
        let mut refused = 0;
        for _ in 0..1500 {
            let mut host = clean.clone();
            let names: Vec<String> = host.files.keys().cloned().collect();
            let file = host
                .files
                .get_mut(&names[random.below(names.len())])
                .unwrap();
            let at = random.below(file.len());
            file[at] ^= 1 << random.below(8);
            match use_it(&host) {
                // The flip lies in a part that no call reads: then nothing may differ.
                Ok(said) => assert!(said == answers, "byte {at} changed an answer unnoticed"),
                Err(error) => {
                    assert!(error.code().starts_with("BUNDLE_"), "{error:?}");
                    refused += 1;
                }
            }
        }
        assert!(refused > least, "only {refused} of 1500 flips were noticed");
    }
}

/// A flip that the checksum does not notice, because it was made before the head was sealed: the decoder must.
#[test]
fn a_head_that_lies_is_an_error_or_answers() {
    let clean = support::two_languages();
    let file = &clean.files["index.knarr"];
    let sealed = usize::try_from(u32::from_le_bytes(file[8..12].try_into().unwrap())).unwrap();
    let body = knarr::bundle::decompress(&file[28..28 + sealed], 1 << 24).unwrap();
    let mut random = support::Random(0x5ea1);
    let mut refused = 0;
    for _ in 0..1000 {
        let mut lie = body.to_vec();
        // Half of them in the first quarter: counts, directories, languages and versions.
        let within = lie.len() / [1, 4][random.below(2)];
        let at = random.below(within);
        lie[at] = random.below(256) as u8;
        let stored = knarr::bundle::compress(&lie);
        let mut host = clean.clone();
        let bytes = [
            &file[..8],
            &u32::try_from(stored.len()).unwrap().to_le_bytes(),
            &Sha256::digest(&stored)[..16],
            &stored,
            &file[28 + sealed..],
        ]
        .concat();
        host.files.insert("index.knarr".into(), bytes);
        refused += usize::from(use_it(&host).is_err());
    }
    assert!(refused > 300, "only {refused} of 1000 lies were noticed");
}

#[test]
fn another_version_names_both_versions_and_the_remedy() {
    let mut file = support::corpus(Some(true)).files[0].1.clone();
    file[6] = 9;
    let error = Knarr::from_bytes(file).err().unwrap();
    assert_eq!(error.code(), "BUNDLE_VERSION");
    assert!(
        error.message().contains("format 9") && error.message().contains("newer reader"),
        "{error}"
    );
}

#[test]
fn a_page_instead_of_a_bundle_is_called_one() {
    let error = Knarr::from_bytes(b"<!doctype html><title>404</title>".to_vec())
        .err()
        .unwrap();
    assert_eq!(error.code(), "BUNDLE_FORMAT");
    assert!(error.message().contains("HTML"), "{error}");
}

#[test]
fn a_part_of_another_build_is_named() {
    let mut host = Script::of(support::corpus(Some(false)));
    let packs: Vec<String> = host
        .files
        .keys()
        .filter(|n| n.ends_with(".pack"))
        .cloned()
        .collect();
    for pack in &packs {
        let bytes = host.files.get_mut(pack).unwrap();
        bytes.reverse();
    }
    let bundle = block_on(Knarr::open(&host)).unwrap();
    let error = block_on(bundle.find(&host, "sensor", &FindOptions::default()))
        .err()
        .unwrap();
    assert_eq!(error.code(), "BUNDLE_MISMATCH");
    assert!(
        packs.iter().any(|p| error.message().contains(p.as_str())),
        "{error}"
    );
}

#[test]
fn what_was_asked_before_changes_no_answer() {
    let host = Script::of(support::corpus(Some(false)));
    let warm = block_on(Knarr::open(&host)).unwrap();
    let questions = [
        "sensor battery",
        "clock drift",
        "kalibrierung",
        "配置",
        "H027",
    ];
    for question in questions {
        block_on(warm.find(&host, question, &FindOptions::default())).unwrap();
    }
    for question in questions {
        let fresh = block_on(Knarr::open(&host)).unwrap();
        let a = block_on(warm.find(&host, question, &FindOptions::default())).unwrap();
        let b = block_on(fresh.find(&host, question, &FindOptions::default())).unwrap();
        assert_eq!(a, b, "{question}");
    }
}
