//! The `viking://` scheme: canonical form, scopes, aliases, sidecar suffixes and path variables.
//!
//! A [`Uri`] is canonical once it exists: no trailing slash, no query string, no `.` or `..`, one of the public scopes.
//! Source: OpenViking specification §2.3 and §5.1.

use crate::base::civil::{DAY_SECONDS, Date};
use crate::base::error::{Error, ErrorKind, Result};
use serde::{Serialize, Serializer};
use std::fmt::{self, Write as _};

/// Start of every URI; also the URI of the root.
pub const SCHEME: &str = "viking://";

/// Bytes of a URI, at most; a file system's longest path has 4,096, and an escape three.
pub const MAX_URI_BYTES: usize = 16 << 10;

/// Folders that stand directly below a user, and so cannot be mistaken for a user's id.
const USER_FOLDERS: [&str; 6] = [
    "memories",
    "resources",
    "skills",
    "peers",
    "privacy",
    "sessions",
];

/// Sidecar file names by level: 0 abstract, 1 overview.
const SIDECARS: [&str; 2] = [".abstract.md", ".overview.md"];

/// The three kinds of context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextType {
    /// About a user.
    Memory,
    /// Knowledge: documents, code, data.
    Resource,
    /// Something an agent can do.
    Skill,
}

impl ContextType {
    /// Names of all types.
    pub const NAMES: [&str; 3] = ["memory", "resource", "skill"];

    /// `memory`, `resource` or `skill`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Resource => "resource",
            Self::Skill => "skill",
        }
    }
}

/// Who asks: decides what `~` means and what may be seen.
///
/// The default has no user. It sees the whole bundle and cannot use `~` (the documents' ROOT identity).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    user: Option<String>,
    peer: Option<String>,
}

impl Identity {
    /// An identity of a user, and of the peer that acts for the user.
    ///
    /// Errors: `INVALID_ARGUMENT` when an id is not a single path segment, or the peer id breaks [`check_peer_id`].
    pub fn new(user: Option<&str>, peer: Option<&str>) -> Result<Self> {
        if let Some(user) = user
            && (user.is_empty()
                || user.contains(['/', '#', '?'])
                || refused(user)
                || has_control(user))
        {
            let message = format!("user id `{user}` is not a single path segment");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        peer.map_or(Ok(()), check_peer_id)?;
        Ok(Self {
            user: user.map(str::to_owned),
            peer: peer.map(str::to_owned),
        })
    }

    /// The user's id.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// The id of the acting peer.
    pub fn peer(&self) -> Option<&str> {
        self.peer.as_deref()
    }
}

/// Refuses what is not a peer id: letters, digits and `_ . @ -`, at most one `@`, not `.` or `..`.
pub fn check_peer_id(id: &str) -> Result<()> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '@' | '-');
    let valid = !id.is_empty() && id.chars().all(allowed) && id != "." && id != "..";
    if valid && id.matches('@').count() <= 1 {
        return Ok(());
    }
    let message =
        format!("peer id `{id}` may hold only letters, digits, `_`, `.`, `-` and one `@`");
    Err(Error::new(ErrorKind::InvalidArgument, message))
}

/// The time of the caller, for path variables. Seconds since 1970 UTC, and minutes east of Greenwich.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clock {
    /// Seconds since 1970 UTC.
    pub now_unix: i64,
    /// Minutes that local time is ahead of UTC.
    pub utc_offset_minutes: i32,
}

/// Reads URIs that a caller wrote.
#[derive(Debug, Clone, Copy)]
pub struct Resolver<'a> {
    /// Who asks.
    pub identity: &'a Identity,
    /// The caller's time, for `{calendar:…}`.
    pub clock: Clock,
}

/// A canonical `viking://` URI, with or without a fragment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uri(String);

impl Uri {
    /// The root, above all scopes.
    pub fn root() -> Self {
        Self(SCHEME.to_owned())
    }

    /// Takes text that is canonical by construction.
    pub(crate) fn from_canonical(text: String) -> Self {
        Self(text)
    }

    /// Reads a full URI as it stands in a bundle: no alias, no variable, no short form.
    ///
    /// Errors: `INVALID_URI` when it is empty, has another form or an unknown scope; `PERMISSION_DENIED` when it has a
    /// `.`, `..`, backslash or drive-letter segment.
    pub fn parse(text: &str) -> Result<Self> {
        let (segments, fragment) = split(text)?;
        match segments.first() {
            None | Some(&("agent" | "resources" | "user")) => Ok(assemble(&segments, fragment)),
            Some(scope) => Err(unknown_scope(text, scope)),
        }
    }

    /// Reads a URI that a caller wrote: expands path variables, `~`, the session alias, and the current user's short
    /// forms `viking://user/memories`, `resources`, `skills`, `peers`, `privacy` and `sessions`.
    ///
    /// Errors: as [`Uri::parse`]; also `INVALID_URI` when an alias needs a user and there is none.
    pub fn resolve(text: &str, resolver: &Resolver) -> Result<Self> {
        let expanded = expand_variables(text.trim(), resolver.clock);
        let (segments, fragment) = split(&expanded)?;
        let of_user = |folder: &[&str], rest: &[&str]| -> Result<Self> {
            let Some(user) = resolver.identity.user() else {
                let message =
                    format!("`{text}` needs a user: set one, or write viking://user/<id>/…");
                return Err(Error::new(ErrorKind::InvalidUri, message));
            };
            Ok(assemble(
                &[&["user", user], folder, rest].concat(),
                fragment,
            ))
        };
        match segments.as_slice() {
            ["~", rest @ ..] => of_user(&[], rest),
            ["session", rest @ ..] => of_user(&["sessions"], rest),
            ["user", folder, ..]
                if USER_FOLDERS.contains(folder) && resolver.identity.user() != Some(folder) =>
            {
                of_user(&[], &segments[1..])
            }
            [] | ["agent" | "resources" | "user", ..] => Ok(assemble(&segments, fragment)),
            [scope, ..] => Err(unknown_scope(text, scope)),
        }
    }

    /// Refuses what is read as a folder of the user who asks (`viking://user/memories`): whoever asks, a document would
    /// not be found there.
    ///
    /// Errors: `INVALID_ARGUMENT`.
    #[cfg(feature = "index")]
    pub fn check_owned(&self) -> Result<()> {
        let mut segments = self.segments();
        let (scope, folder) = (segments.next(), segments.next().unwrap_or_default());
        if scope != Some("user") || !USER_FOLDERS.contains(&folder) {
            return Ok(());
        }
        let uri: String = shown(&self.0).chars().take(200).collect();
        let message = format!(
            "`{uri}` is read as a folder of the user who asks: write viking://user/<id>/{folder}/…"
        );
        Err(Error::new(ErrorKind::InvalidArgument, message))
    }

    /// The whole URI, fragment included.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The URI without its fragment.
    pub fn without_fragment(&self) -> &str {
        self.0.split_once('#').map_or(&self.0, |(base, _)| base)
    }

    /// The fragment without `#`: the anchor of a section.
    pub fn fragment(&self) -> Option<&str> {
        self.0.split_once('#').map(|(_, fragment)| fragment)
    }

    /// The same file with another fragment; an empty one removes it.
    pub fn with_fragment(&self, anchor: &str) -> Self {
        let base = self.without_fragment();
        if anchor.is_empty() {
            Self(base.to_owned())
        } else {
            Self(format!("{base}#{anchor}"))
        }
    }

    /// Path segments, the scope first. Nothing for the root.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.without_fragment()[SCHEME.len()..]
            .split('/')
            .filter(|segment| !segment.is_empty())
    }

    /// True for `viking://` itself.
    pub fn is_root(&self) -> bool {
        self.without_fragment() == SCHEME
    }

    /// The last segment, escaped as it stands in the URI; empty for the root. [`decode_name`] gives the file name.
    pub fn name(&self) -> &str {
        self.without_fragment()[SCHEME.len()..]
            .rsplit('/')
            .next()
            .unwrap_or_default()
    }

    /// One level up: the file of a section, the directory of a file. `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        if self.fragment().is_some() {
            return Some(self.with_fragment(""));
        }
        if self.is_root() {
            return None;
        }
        let path = &self.0[SCHEME.len()..];
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        Some(Self(format!("{SCHEME}{parent}")))
    }

    /// The child with the file name `name`, escaped where the name would mean something else in a URI.
    ///
    /// Errors: `INVALID_URI` when the name is none ([`is_name`]).
    pub fn join(&self, name: &str) -> Result<Self> {
        if !is_name(name) {
            let message = format!("`{}` is not the name of a file or directory", shown(name));
            return Err(Error::new(ErrorKind::InvalidUri, message));
        }
        let base = self.without_fragment();
        let separator = if self.is_root() { "" } else { "/" };
        Ok(Self(format!("{base}{separator}{}", encode_name(name))))
    }

    /// True when this lies at or below `ancestor`, by whole segments. Fragments do not count. No allocation.
    pub fn is_within(&self, ancestor: &Uri) -> bool {
        is_within(self.without_fragment(), ancestor.without_fragment())
    }

    /// The context type that the location implies.
    pub fn context_type(&self) -> ContextType {
        let mut segments = self.segments();
        let mut path = [""; 5];
        path.iter_mut()
            .for_each(|slot| *slot = segments.next().unwrap_or_default());
        match path {
            ["user", _, "memories", ..] | ["user", _, "peers", _, "memories"] => {
                ContextType::Memory
            }
            ["user", _, "skills", ..] | ["agent", "skills", ..] => ContextType::Skill,
            ["agent", _, "memories", ..] => ContextType::Memory,
            ["agent", _, "skills", ..] => ContextType::Skill,
            _ => ContextType::Resource,
        }
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Uri {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// [`Uri::is_within`] on canonical text without fragments.
pub fn is_within(uri: &str, ancestor: &str) -> bool {
    let Some(rest) = uri.strip_prefix(ancestor) else {
        return false;
    };
    rest.is_empty() || rest.starts_with('/') || ancestor == SCHEME
}

/// Appends the sidecar suffix of `level` (0 abstract, 1 overview) to a directory's URI.
///
/// A trailing slash goes first. What already ends in a sidecar stays, and so do other levels.
pub fn with_sidecar(uri: &str, level: u8) -> String {
    let base = trim_slashes(uri);
    match SIDECARS.get(usize::from(level)) {
        Some(name) if split_sidecar(base).1.is_none() => {
            let separator = if base == SCHEME { "" } else { "/" };
            format!("{base}{separator}{name}")
        }
        _ => base.to_owned(),
    }
}

/// Takes a sidecar suffix off: the directory, and the level that the suffix stands for.
pub fn split_sidecar(uri: &str) -> (&str, Option<u8>) {
    for (level, name) in (0u8..).zip(SIDECARS) {
        if let Some(base) = uri.strip_suffix(name).filter(|base| base.ends_with('/')) {
            return (trim_slashes(base), Some(level));
        }
    }
    (uri, None)
}

/// True when a file or directory may be called `name`: any name of which [`encode_name`] makes a segment that
/// [`Uri::parse`] reads. The one definition of it: what a builder takes, every reader finds.
pub fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains('/') && !has_control(name)
}

/// The path of a web address for a path of segments as they stand in a URI: what is not of an address's alphabet is
/// percent-encoded, and what [`encode_name`] escaped stays as it is, so decoding gives the file's path.
///
/// Colons go too: `a:b.html` at the beginning of a relative address would be a scheme.
pub fn url_path(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/%-._~!$&'()*+,;=@".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push('%');
            for digit in [byte >> 4, byte & 15] {
                url.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
    }
    url
}

/// The file name behind an escaped segment: the inverse of [`encode_name`].
pub fn decode_name(segment: &str) -> String {
    let mut name = String::with_capacity(segment.len());
    let mut rest = segment;
    while let Some(at) = rest.find('%') {
        name.push_str(&rest[..at]);
        let escape = ESCAPES
            .iter()
            .find(|(_, code)| rest[at..].starts_with(code));
        let (plain, length) = escape.map_or(('%', 1), |(plain, code)| (*plain, code.len()));
        name.push(plain);
        rest = &rest[at + length..];
    }
    name + rest
}

/// Characters of file names that mean something in a URI, with their escapes.
const ESCAPES: [(char, &str); 5] = [
    ('%', "%25"),
    ('#', "%23"),
    ('?', "%3F"),
    ('\\', "%5C"),
    (':', "%3A"),
];

/// The segment that stands for a file name: a bundle's tree, its URIs and packs hold names in this form.
pub fn encode_name(name: &str) -> String {
    let drive = is_drive(name);
    let mut segment = String::with_capacity(name.len());
    for c in name.chars() {
        match ESCAPES.iter().find(|(plain, _)| *plain == c) {
            Some((_, code)) if c != ':' || drive => segment.push_str(code),
            _ => segment.push(c),
        }
    }
    segment
}

/// Replaces `{calendar:…}` by the caller's local date; an unknown variable stays as it is.
///
/// Known: `today`, `yesterday`, `tomorrow` (`2026/05/07`), `year`, `month`, `day`, `ym` (`2026/05`), `quarter` (`Q2`),
/// `yq` (`2026/Q2`), `week` (ISO 8601, `19`), `yw` (`2026/w19`, the year that the week belongs to).
pub fn expand_variables(text: &str, clock: Clock) -> String {
    const OPEN: &str = "{calendar:";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(OPEN) {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let value = from
            .find('}')
            .and_then(|end| Some((calendar(&from[OPEN.len()..end], clock)?, end + 1)));
        let (value, length) = value.unwrap_or_else(|| (OPEN.to_owned(), OPEN.len()));
        out.push_str(&value);
        rest = &from[length..];
    }
    out + rest
}

fn calendar(name: &str, clock: Clock) -> Option<String> {
    let local = clock
        .now_unix
        .saturating_add(i64::from(clock.utc_offset_minutes) * 60);
    let days = local.div_euclid(DAY_SECONDS);
    let Date { year, month, day } = Date::from_days(days);
    let quarter = month.div_ceil(3);
    let path = |days: i64| {
        let Date { year, month, day } = Date::from_days(days);
        format!("{year:04}/{month:02}/{day:02}")
    };
    let (week_year, week) = Date { year, month, day }.iso_week();
    Some(match name {
        "today" => path(days),
        "yesterday" => path(days - 1),
        "tomorrow" => path(days + 1),
        "year" => format!("{year:04}"),
        "month" => format!("{month:02}"),
        "day" => format!("{day:02}"),
        "ym" => format!("{year:04}/{month:02}"),
        "quarter" => format!("Q{quarter}"),
        "yq" => format!("{year:04}/Q{quarter}"),
        "week" => format!("{week:02}"),
        "yw" => format!("{week_year:04}/w{week:02}"),
        _ => return None,
    })
}

/// Path segments and fragment of a URI text, checked for form but not for scope.
fn split(text: &str) -> Result<(Vec<&str>, Option<&str>)> {
    let invalid = |message: String| Err(Error::new(ErrorKind::InvalidUri, message));
    if text.is_empty() {
        return invalid("uri must not be empty".to_owned());
    }
    // Messages repeat a URI, and no tree has a longer one.
    if text.len() > MAX_URI_BYTES {
        return invalid("uri is longer than 16384 bytes".to_owned());
    }
    if has_control(text) {
        return invalid(format!("uri `{}` holds a control character", shown(text)));
    }
    let Some(path) = text.strip_prefix(SCHEME) else {
        return invalid(format!(
            "`{text}` is not a full uri: write viking://<scope>/<path>"
        ));
    };
    let (path, fragment) = path
        .split_once('#')
        .map_or((path, None), |(path, anchor)| (path, Some(anchor)));
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    if let Some(segment) = segments.iter().find(|segment| refused(segment)) {
        let message = format!("access denied: segment `{segment}` in `{text}`");
        return Err(Error::new(ErrorKind::PermissionDenied, message));
    }
    Ok((segments, fragment.filter(|anchor| !anchor.is_empty())))
}

fn assemble(segments: &[&str], fragment: Option<&str>) -> Uri {
    let mut text = format!("{SCHEME}{}", segments.join("/"));
    if let Some(fragment) = fragment {
        write!(text, "#{fragment}").expect("a String takes every write");
    }
    Uri(text)
}

fn unknown_scope(text: &str, scope: &str) -> Error {
    let message =
        format!("unknown scope `{scope}` in `{text}`: one of agent, resources, session, user");
    Error::new(ErrorKind::InvalidUri, message)
}

/// Segments that could leave the tree on some file system.
fn refused(segment: &str) -> bool {
    segment == "." || segment == ".." || segment.bytes().any(|b| b == b'\\') || is_drive(segment)
}

fn is_drive(segment: &str) -> bool {
    let bytes = segment.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

fn has_control(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_control())
}

/// A text for a message, with signs in the place of control characters. The standard library's escapes bring its tables
/// of all that can be printed: 2.5 kB of the core.
fn shown(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{FFFD}' } else { c };
    text.chars().map(shown).collect()
}

fn trim_slashes(uri: &str) -> &str {
    let trimmed = uri.trim_end_matches('/');
    // The slashes of the scheme itself stay.
    if uri.starts_with(SCHEME) && trimmed.len() < SCHEME.len() {
        SCHEME
    } else {
        trimmed
    }
}

#[cfg(test)]
mod tests;
