//! Text set for a terminal, as man2html keeps it in `<pre>`: lines of one width, indented, their spaces spread and their
//! words cut at the ends of lines.

use crate::indexer::prose::is_prose;

const MIN_INDENT: usize = 4; // Of a line that a formatter of manual pages set.
const MIN_FILLED: usize = 60; // Characters of a line that goes on in the next.
const COLUMNS: &str = "    "; // Between the columns of a table; a line that is spread has fewer.

/// True if most lines of a text are indented, as a formatter sets them.
pub(super) fn is_set(text: &str) -> bool {
    let n_indented = text.lines().filter(|line| indent(line) >= MIN_INDENT);
    n_indented.count() * 2 > text.lines().count()
}

/// The text with its paragraphs as lines; code and tables stay as they are. O(text).
pub(super) fn reflow(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    for line in text.lines() {
        if !goes_on(&paragraph, line) {
            push(&mut out, &paragraph);
            paragraph.clear();
        }
        paragraph.push(line);
    }
    push(&mut out, &paragraph);
    out.join("\n")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn has_columns(line: &str) -> bool {
    line.trim().contains(COLUMNS)
}

/// True if a line belongs to the paragraph so far: that is filled, and the line begins below its text, which a list's sign
/// may stand before.
fn goes_on(paragraph: &[&str], line: &str) -> bool {
    let Some(last) = paragraph.last() else {
        return false;
    };
    let (own, above) = (indent(line), indent(last));
    let hangs = || {
        let (sign, text) = last.split_at_checked(own).unwrap_or((last, ""));
        let sign = sign.trim();
        paragraph.len() == 1
            && (1..own - above).contains(&sign.len())
            && !sign.contains(' ')
            && !text.is_empty()
            && !text.starts_with(' ')
    };
    let is_below = own == above || (own > above && hangs());
    let is_filled = last.chars().count() >= MIN_FILLED;
    let is_code = last.ends_with([';', '{', '}', '\\']);
    is_below && own >= MIN_INDENT && is_filled && !is_code && !has_columns(line)
}

/// Adds the lines of a paragraph, as one where that is prose.
fn push(out: &mut Vec<String>, paragraph: &[&str]) {
    let joined = join(paragraph.iter().copied());
    let is_table = paragraph.iter().any(|line| has_columns(line));
    match !is_table && is_prose(&joined) {
        true => out.push(joined),
        false => out.extend(paragraph.iter().map(|line| (*line).to_owned())),
    }
}

/// The words of lines, each with one space behind it; a word that was cut is whole again.
pub(super) fn join<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let mut joined = String::new();
    for word in lines.flat_map(with_end) {
        let is_cut = joined.ends_with("-\n")
            && joined[..joined.len() - 2].ends_with(char::is_alphabetic)
            && word.starts_with(char::is_lowercase);
        if is_cut {
            joined.truncate(joined.len() - 2);
        } else if joined.ends_with('\n') {
            joined.pop();
            joined.push(' ');
        } else if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(&word);
    }
    joined.trim_end().to_owned()
}

/// The words of a line, the last with its end.
fn with_end(line: &str) -> Vec<String> {
    let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    words
        .last_mut()
        .into_iter()
        .for_each(|last| last.push('\n'));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_lines_and_cut_words_whole() {
        let text = "       The refresh and wrefresh routines (or wnoutrefresh and  doupdate)  must\n\
                    \u{20}      be called to get actual output to the terminal, as other routines mere-\n\
                    \u{20}      ly manipulate data structures.\n\
                    \u{20}      o   first  calling  wnoutrefresh,  which copies the named window to the\n\
                    \u{20}          virtual screen, and\n\
                    \u{20}      int wredrawln(WINDOW *win, int beg_line, int num_lines, int the_rest);\n\
                    \u{20}      int doupdate(void);\n\
                    \u{20}      COLOR_BLACK        0     the color of the sea at night and of the deep\n\
                    \u{20}      COLOR_RED          1     the color of the sun before it goes down there";
        assert!(is_set(text) && !is_set("Text.\nMore."));
        assert_eq!(
            reflow(text),
            "The refresh and wrefresh routines (or wnoutrefresh and doupdate) must be called to get actual output to the \
             terminal, as other routines merely manipulate data structures.\n\
             o first calling wnoutrefresh, which copies the named window to the virtual screen, and\n\
             \u{20}      int wredrawln(WINDOW *win, int beg_line, int num_lines, int the_rest);\n\
             \u{20}      int doupdate(void);\n\
             \u{20}      COLOR_BLACK        0     the color of the sea at night and of the deep\n\
             \u{20}      COLOR_RED          1     the color of the sun before it goes down there"
        );
    }
}
