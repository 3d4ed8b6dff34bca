//! Bytes that lie behind a correct checksum: every decoder gets them, and gives an error or a valid answer.

use crate::bundle::use_it;
use crate::support::{self, Random, Script};
use knarr::bundle::NodeRecord;
use knarr::bundle::{
    Block, Branch, Head, Pack, PartAddress, PartKind, TextPlace, decompress, seal, without_check,
};
use knarr::indexer::BuildOptions;
use knarr::indexer::input::InputOptions;
use knarr::vectors::VectorRows;
use knarr::{Error, Knarr};
use pollster::block_on;

/// The pieces of a text record, and the kept record where there is one.
type Record = (Vec<Vec<u8>>, Option<Vec<u8>>);

/// A bundle taken apart: decompressed parts by kind, and the text and kept records of every node.
struct Apart {
    head: Head,
    parts: Vec<Vec<Vec<u8>>>,
    /// By block and node.
    records: Vec<Vec<Record>>,
}

impl Apart {
    fn of(file: &[u8]) -> Self {
        let head = Head::decode(file).expect("a bundle");
        let bytes = |pack: u32, offset: u64, len: u32| {
            let from = usize::try_from(head.embedded_offset(pack) + offset).unwrap();
            decompress(without_check(&file[from..from + len as usize]), 1 << 28).expect("sealed")
        };
        let parts: Vec<Vec<Vec<u8>>> = head
            .parts
            .iter()
            .map(|of_kind| of_kind.iter().map(|a| bytes(a.pack, a.offset, a.len)))
            .map(Iterator::collect)
            .collect();
        let text = |offset, len| {
            let (pack, offset) = head.text_place(offset, len).expect("a place");
            bytes(pack, offset, len)
        };
        let records = (0..head.block_starts.len())
            .map(|block| {
                let nodes = branch(&head, &parts, block).nodes.into_iter();
                let record = nodes.map(|node| {
                    let kept_at = node.text_offset + u64::from(node.text_len);
                    let kept = (node.kept_len > 0).then(|| text(kept_at, node.kept_len));
                    let mut lens: Vec<u32> = node.pieces.iter().map(|piece| piece.len).collect();
                    if lens.is_empty() {
                        lens.push(node.text_len);
                    }
                    let mut at = node.text_offset;
                    let pieces = lens.iter().map(|&len| {
                        at += u64::from(len);
                        text(at - u64::from(len), len)
                    });
                    (pieces.collect(), kept)
                });
                record.collect()
            })
            .collect();
        Self {
            head,
            parts,
            records,
        }
    }

    /// The bundle in one file, every length and check as the bytes now are. `branches` are as given: with records that
    /// changed their length, [`Apart::with_records`] writes them anew.
    fn sealed(&self) -> Script {
        let mut head = self.head.clone();
        let mut packed = Vec::new();
        for (addresses, parts) in head.parts.iter_mut().zip(&self.parts) {
            for (address, raw) in addresses.iter_mut().zip(parts) {
                let stored = seal(raw);
                *address = PartAddress {
                    pack: 0,
                    offset: packed.len() as u64,
                    len: stored.len() as u32,
                };
                packed.extend(stored);
            }
        }
        let mut texts = Vec::new();
        for (pieces, kept) in self.records.iter().flatten() {
            texts.extend(pieces.iter().flat_map(|piece| seal(piece)));
            texts.extend(kept.iter().flat_map(|kept| seal(kept)));
        }
        let pack = |bytes: &Vec<u8>| Pack {
            name: String::new(),
            bytes: bytes.len() as u64,
        };
        head.packs = vec![pack(&packed), pack(&texts)];
        head.first_text_pack = 1;
        // Rows of their own: what the vectors say does not matter here.
        let rows = |n: usize| -> Vec<f32> {
            let n = n * head.parameters.dims as usize;
            (0..n).map(|i| [0.5, -0.25, 1.0][i % 3]).collect()
        };
        let mut file = head.encode(&rows(head.block_starts.len()));
        file.extend(packed);
        file.extend(texts);
        Script {
            files: [("index.knarr".to_owned(), file)].into(),
        }
    }

    /// Writes the branches anew, so that they hold the lengths and checks of the records.
    fn with_records(mut self) -> Self {
        let mut offset = 0;
        for (block, records) in self.records.iter().enumerate() {
            let mut nodes = branch(&self.head, &self.parts, block).nodes;
            for (node, (pieces, kept)) in nodes.iter_mut().zip(records) {
                let stored: Vec<u32> = pieces.iter().map(|raw| seal(raw).len() as u32).collect();
                for (piece, len) in node.pieces.iter_mut().zip(&stored) {
                    piece.len = *len;
                }
                node.text_len = stored.iter().sum();
                node.text_offset = offset;
                offset += u64::from(node.text_len);
                if let Some(kept) = kept {
                    let stored = seal(kept);
                    node.kept_len = stored.len() as u32;
                    offset += stored.len() as u64;
                }
            }
            let place = |node: &NodeRecord| TextPlace {
                offset: node.text_offset,
                len: node.text_len,
                kept_len: node.kept_len,
                pieces: node.pieces.clone(),
            };
            let texts: Vec<TextPlace> = nodes.iter().map(place).collect();
            let vectors = vectors(&self.head, &self.parts, block);
            self.parts[PartKind::Blocks as usize][block] = Block::encode(&texts, &vectors);
            self.parts[PartKind::Branch as usize][block] = Branch::encode(&nodes);
        }
        self
    }

    fn records_mut(&mut self) -> impl Iterator<Item = &mut Record> {
        self.records.iter_mut().flatten()
    }
}

fn branch(head: &Head, parts: &[Vec<Vec<u8>>], block: usize) -> Branch {
    let (from, to) = head.block_range(block);
    let raw = &parts[PartKind::Branch as usize][block];
    Branch::decode(raw, (to - from) as usize, head.variants.all.len()).expect("a branch")
}

/// The packed vectors at the end of a block.
fn vectors(head: &Head, parts: &[Vec<Vec<u8>>], block: usize) -> Vec<u8> {
    let (dims, bits) = (head.parameters.dims as usize, head.parameters.node_bits);
    let len = VectorRows::packed_len(head.files_in(block).count(), dims, bits);
    let raw = &parts[PartKind::Blocks as usize][block];
    raw[raw.len() - len..].to_vec()
}

/// Changes bytes in one of four ways.
fn lie(raw: &mut Vec<u8>, random: &mut Random) {
    if raw.is_empty() {
        raw.push(random.below(256) as u8);
        return;
    }
    // Counts and lengths lie at the front: half of the lies are told there.
    let within = (raw.len() / [1, 8][random.below(2)]).max(1);
    let at = random.below(within);
    match random.below(4) {
        0 => raw[at] = random.below(256) as u8,
        1 => raw[at] ^= 1 << random.below(8),
        2 => raw.truncate(at),
        _ => raw.insert(at, 0xff),
    }
}

/// Everything that `use_it` does, and every node written out: only that reads all kept records.
fn use_all(host: &Script) -> Result<(), Error> {
    use_it(host)?;
    #[cfg(feature = "full")]
    {
        let bundle = block_on(Knarr::open(host))?;
        block_on(bundle.stored(host))?;
    }
    Ok(())
}

/// Tells `n` lies; returns how many of them were refused, each as damage.
fn refused(n: usize, seed: u64, mut told: impl FnMut(&mut Random) -> Script) -> usize {
    let mut random = Random(seed);
    let refusals = (0..n).filter_map(|_| use_all(&told(&mut random)).err());
    refusals
        .inspect(|error| assert!(error.code().starts_with("BUNDLE_"), "{error:?}"))
        .count()
}

/// The corpus in one file, with long pages in pieces, and with its pages kept as they are.
fn corpus() -> Vec<u8> {
    let build = BuildOptions {
        single_file: Some(true),
        text_piece_bytes: Some(300),
        ..BuildOptions::default()
    };
    let options = InputOptions {
        keep_source: true,
        ..InputOptions::default()
    };
    support::corpus_read(build, &options).files.remove(0).1
}

#[test]
fn a_bundle_taken_apart_and_sealed_again_answers() {
    let mut apart = Apart::of(&corpus()).with_records();
    use_all(&apart.sealed()).unwrap();
    let n_pieces = apart.records_mut().map(|(pieces, _)| pieces.len());
    assert!(n_pieces.max() > Some(2));
}

#[test]
fn parts_that_lie_are_errors_or_answers() {
    let file = corpus();
    let clean = Apart::of(&file);
    let mut told = Vec::new();
    for kind in PartKind::ALL {
        let n_parts = clean.parts[kind as usize].len();
        if n_parts == 0 {
            continue;
        }
        let n_refused = refused(200, 0xface + kind as u64, |random| {
            let mut apart = Apart::of(&file);
            lie(
                &mut apart.parts[kind as usize][random.below(n_parts)],
                random,
            );
            apart.sealed()
        });
        told.push((kind, n_refused));
    }
    let least = [
        (PartKind::Terms, 30),
        (PartKind::Spelling, 1),
        (PartKind::Branch, 30),
        (PartKind::Blocks, 30),
        (PartKind::Links, 1),
    ];
    for (kind, least) in least {
        assert!(
            told.iter().any(|&(k, n)| k == kind && n >= least),
            "{told:?}"
        );
    }
}

#[test]
fn records_that_lie_are_errors_or_answers() {
    let file = corpus();
    let texts = refused(200, 0x7e47, |random| {
        let mut apart = Apart::of(&file);
        let n = apart.records_mut().count();
        let (text, _) = apart.records_mut().nth(random.below(n)).unwrap();
        let piece = random.below(text.len());
        lie(&mut text[piece], random);
        apart.with_records().sealed()
    });
    assert!(texts > 30, "{texts} of 200 lies in texts were refused");
    let kept = refused(200, 0x3e97, |random| {
        let mut apart = Apart::of(&file);
        let n = apart.records_mut().filter_map(|r| r.1.as_mut()).count();
        let mut records = apart.records_mut().filter_map(|r| r.1.as_mut());
        lie(records.nth(random.below(n)).expect("kept files"), random);
        drop(records);
        apart.with_records().sealed()
    });
    // A kept file is bytes: only its kind and its length can be wrong.
    assert!(kept > 5 || cfg!(not(feature = "full")), "{kept} of 200");
}
