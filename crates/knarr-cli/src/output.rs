//! Output of the commands: plain text, aligned, with emphasis on a terminal only; or JSON; or a file.

use crate::failure::{Outcome, io_failure};
use crate::process::own_number;
use serde::Serialize;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Writes a file beside its place and puts it there when it is whole: a full disk costs no file that was good.
pub fn file(out: &Path, bytes: &[u8]) -> Outcome {
    let failed = |error| io_failure("cannot write", out, error);
    if out.exists() && !out.is_file() {
        return std::fs::write(out, bytes).map_err(failed); // A pipe or a device.
    }
    // A link stays, and what it leads to is written.
    let place = std::fs::canonicalize(out).unwrap_or_else(|_| out.into());
    let mut partial = place.clone().into_os_string();
    partial.push(format!(".{}.partial", own_number()));
    let write = || {
        let mut file = File::create(&partial)?;
        // Who may read what is replaced may read what replaces it, and nobody else, not even meanwhile.
        if let Ok(before) = std::fs::metadata(&place) {
            let _ = file.set_permissions(before.permissions()); // Not on every system.
        }
        file.write_all(bytes)?;
        std::fs::rename(&partial, &place)
    };
    let written = write();
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written.map_err(failed)
}

/// Prints a value as indented JSON and a line break.
pub fn json(value: &impl Serialize) -> Outcome {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Prints a value as one line of JSON.
pub fn json_line(value: &impl Serialize) -> Outcome {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Bytes in the standard alphabet of base64, padded.
pub fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * i) & 63) as usize];
            let is_padding = i > three.len();
            text.push(if is_padding { '=' } else { char::from(digit) });
        }
    }
    text
}

/// Prints a text, closed by a line break; nothing of an empty one, so that who counts lines counts none.
pub fn text(text: &str) -> Outcome {
    if text.is_empty() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        writeln!(out)?;
    }
    Ok(())
}

/// A name with its control characters as they are written in Rust: a terminal obeys them.
pub fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_control() {
            true => plain.extend(c.escape_default()),
            false => plain.push(c),
        }
    }
    plain
}

/// Emphasis by terminal escapes; none when standard output is no terminal or `NO_COLOR` is set.
#[derive(Clone, Copy)]
pub struct Style {
    on: bool,
}

impl Style {
    /// The style fit for standard output.
    pub fn of_stdout() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self {
            on: wanted && io::stdout().is_terminal(),
        }
    }

    /// Strong.
    pub fn bold(self, text: impl Display) -> String {
        self.wrap("1", text)
    }

    /// Less than the text around it.
    pub fn dim(self, text: impl Display) -> String {
        self.wrap("2", text)
    }

    /// A place that matched.
    pub fn mark(self, text: impl Display) -> String {
        self.wrap("1;33", text)
    }

    fn wrap(self, code: &str, text: impl Display) -> String {
        if self.on {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

/// A number of bytes as people write it: `812 B`, `4.1 kB`, `26.3 MB`.
pub fn bytes(n: u64) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// A number of things that have a regular plural: `1 request`, `2 requests`.
pub fn counted(n: usize, what: &str) -> String {
    let end = if n == 1 { "" } else { "s" };
    format!("{n} {what}{end}")
}

/// Widest column that others are aligned behind, in characters.
const MAX_WIDTH: usize = 200;

/// Rows with aligned columns, two spaces apart. A column whose title starts with `>` is aligned to the right.
pub struct Table {
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
    has_head: bool,
}

impl Table {
    /// A table with these column titles; without a head line when all are empty.
    pub fn new(titles: &[&str]) -> Self {
        let right = titles.iter().map(|title| title.starts_with('>')).collect();
        let head: Vec<String> = titles
            .iter()
            .map(|title| title.trim_start_matches('>').to_owned())
            .collect();
        let has_head = head.iter().any(|title| !title.is_empty());
        Self {
            right,
            rows: if has_head { vec![head] } else { Vec::new() },
            has_head,
        }
    }

    /// Adds a row; it has as many cells as there are titles.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The text, a line break after each row.
    pub fn render(&self, style: Style) -> String {
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        // One very long cell would pad every other row to its length.
        let width = |column: usize| width(column).min(MAX_WIDTH);
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for ((cell, &width), &right) in row.iter().zip(&widths).zip(&self.right) {
                // Not by format!: its widths end at 65,535, and a title may be longer.
                let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, after) = if right {
                    (&padding[..], "")
                } else {
                    ("", &padding[..])
                };
                line.extend([before, cell, after, "  "]);
            }
            let line = line.trim_end();
            text += &if self.has_head && number == 0 {
                style.bold(line)
            } else {
                line.to_owned()
            };
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_columns() {
        let mut table = Table::new(&["name", ">n"]);
        table.row(["a".into(), "5".into()]);
        table.row(["longer".into(), "1234".into()]);
        assert_eq!(
            table.render(Style { on: false }),
            "name       n\na          5\nlonger  1234\n"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_mode_and_a_link_its_place() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a scratch folder");
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&path, "old").expect("written");
        symlink("a", &link).expect("a link");
        for (mode, out) in [(0o600, &path), (0o664, &link)] {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("set");
            file(out, b"new").expect("written");
            let after = std::fs::metadata(&path).expect("there");
            assert_eq!(after.permissions().mode() & 0o777, mode);
        }
        assert!(link.is_symlink());
        assert_eq!(
            std::fs::read_dir(folder.path()).expect("a folder").count(),
            2
        );
    }

    #[test]
    fn cells_of_any_length_are_written() {
        for length in [0, 199, 200, 201, 70_000] {
            let mut table = Table::new(&["", ">"]);
            let long = "é".repeat(length);
            table.row([long.clone(), "1".into()]);
            table.row(["b".into(), long.clone()]);
            let text = table.render(Style { on: false });
            assert_eq!(text.matches(long.as_str()).count().min(2), 2, "{length}");
            assert!(text.len() < 5 * length + 2_000, "{length}");
        }
    }

    #[test]
    fn base64_as_the_standard_has_it() {
        // RFC 4648, section 10.
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn a_terminal_obeys_no_name() {
        assert_eq!(plain("b\u{1b}[31m\n'c'.md"), "b\\u{1b}[31m\\n'c'.md");
    }

    #[test]
    fn writes_bytes_for_people() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(4_100), "4.1 kB");
        assert_eq!(bytes(26_300_000), "26.3 MB");
    }
}
