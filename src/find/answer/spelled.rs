//! The words that a question's were read as, as the pages of its answer spell them.

use super::result::MatchedContext;
use crate::find::ask::words::Slot;
use crate::text::{lower, tokenize};

/// Tells of each word that was read as another the spelling of the first row with one of the words that it may be, with
/// its capitals and accents: the dictionary has neither, and its likeliest word may be none of the rows'.
#[inline(never)] // It may stand in the second module: few questions need it.
pub fn tell(corrections: &mut [[String; 2]], slots: &[Slot], contexts: &[MatchedContext]) {
    for [_, read_as] in corrections {
        let mut found = ("", String::new(), false);
        for slot in slots {
            if slot.correction() == Some(read_as) {
                for context in contexts {
                    look(&context.title, slot, &mut found);
                    look(&context.excerpt.text, slot, &mut found);
                }
            }
        }
        if !found.1.is_empty() {
            *read_as = found.1;
        }
    }
}

/// Looks for a word in a text: its term, its spelling, and true if nothing better is to be found.
fn look<'t>(text: &'t str, slot: &'t Slot, found: &mut (&'t str, String, bool)) {
    tokenize(text, |token| {
        let (from, to) = (token.span.0 as usize, token.span.1 as usize);
        for known in &slot.alternatives {
            let is_wanted = found.0.is_empty() || found.0 == known.surface && !found.2;
            if is_wanted && known.surface == token.term {
                let is_sure = is_inside(text, from) || to - from == text.len();
                if is_sure || found.0.is_empty() {
                    *found = (&known.surface, spelled(&text[from..to], is_sure), is_sure);
                }
            }
        }
    });
}

/// True for a place behind another word: a sentence begins with a capital whatever its first word is.
fn is_inside(text: &str, from: usize) -> bool {
    let Some(before) = text[..from].strip_suffix(' ') else {
        return false;
    };
    before.ends_with(|c: char| c.is_alphanumeric() || c == ',')
}

/// A word without the capital that its sentence gives it.
fn spelled(written: &str, is_sure: bool) -> String {
    let small = lower(written);
    let rest = written.chars().next().map_or(0, char::len_utf8);
    let is_capital = !is_sure && small.ends_with(&written[rest..]);
    if is_capital {
        small
    } else {
        written.to_owned()
    }
}
