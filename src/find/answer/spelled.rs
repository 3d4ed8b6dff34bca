//! The words that a question's were read as, as the pages of its answer spell them.

use super::result::MatchedContext;
use crate::find::ask::words::Slot;
use crate::text::tokenize;

/// Tells of each word that was read as another the spelling of the first row with one of the words that it may be, with
/// its capitals and accents: the dictionary has neither, and its likeliest word may be none of the rows'.
#[inline(never)] // Few questions need it.
pub fn tell(corrections: &mut [[String; 2]], slots: &[Slot], contexts: &[MatchedContext]) {
    for [_, read_as] in corrections {
        let mut found = "";
        for slot in slots {
            if slot.correction() == Some(read_as) {
                for context in contexts {
                    for text in [&context.title, &context.excerpt.text] {
                        if found.is_empty() {
                            found = spelled(text, slot);
                        }
                    }
                }
            }
        }
        if !found.is_empty() {
            *read_as = found.to_owned();
        }
    }
}

/// The first of the words in a text that is written as it would be anywhere; empty if none is. A sentence begins with a
/// capital whatever its first word is, and a word behind one with a capital that is no first word may stand in a title
/// where all words have capitals.
fn spelled<'t>(text: &'t str, slot: &Slot) -> &'t str {
    let mut found = "";
    let mut has_capitals = false;
    tokenize(text, |token| {
        let (from, to) = (token.span.0 as usize, token.span.1 as usize);
        let is_behind = is_behind(text.as_bytes(), from);
        for known in &slot.alternatives {
            let is_first = found.is_empty() && known.surface == token.term;
            if is_first && (to - from == text.len() || (is_behind && !has_capitals)) {
                found = &text[from..to];
            }
        }
        has_capitals = is_behind && text.as_bytes()[from].is_ascii_uppercase();
    });
    found
}

/// True for a place behind a word of the same sentence.
fn is_behind(text: &[u8], from: usize) -> bool {
    from >= 2 && text[from - 1] == b' ' && !b".:!?\"'(*-#|".contains(&text[from - 2])
}
