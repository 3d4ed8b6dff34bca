//! HTTP/1.1 as far as static files need it, bounded in every direction: bytes of a head, time of a request, time without
//! progress of an answer, connections at a time.
//!
//! A body is never read: the methods that are answered have none.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at a time. When one more comes, the oldest goes: a fresh request is always answered.
const CONNECTIONS: usize = 256;
/// Bytes of a request's line and headers together, as with most servers.
const MAX_HEAD: usize = 16 * 1024;
/// Headers of a request.
const MAX_HEADERS: usize = 100;
/// A client sends its head within this time, and takes at least something of its answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The whole of an answer, however slowly it is taken.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(600);
/// The most that a refused client may still send, in bytes and time, before the connection is cut; cut at once, it
/// would lose the refusal.
const MAX_LINGER: (u64, Duration) = (256 * 1024, Duration::from_secs(1));
/// Stack of a connection's thread: its buffers are on the heap.
const STACK: usize = 256 * 1024;

/// A request without a body.
#[derive(Debug, Default, PartialEq)]
pub struct Request {
    /// `GET`, `HEAD`, or what is refused.
    pub method: String,
    /// Path and query, percent-encoded.
    pub target: String,
    /// The range that is asked for, unless it hangs on a condition.
    pub range: Option<String>,
    keeps_open: bool,
}

/// An answer.
#[derive(Debug, Default)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
}

/// The body of a response.
#[derive(Debug, Default)]
pub enum Body {
    #[default]
    Empty,
    Text(&'static str),
    /// Bytes `start..end` of a file.
    File(File, u64, u64),
    /// Several such, each behind a text of its own, and a text at the end.
    Parts(File, Vec<(String, u64, u64)>, String),
}

impl Response {
    /// An answer of one line of text.
    pub fn text(status: u16, text: &'static str) -> Self {
        Self {
            status,
            headers: vec![("Content-Type", "text/plain; charset=utf-8".into())],
            body: Body::Text(text),
        }
    }

    /// With one more header.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

type Open = Mutex<VecDeque<(u64, Arc<TcpStream>)>>;

/// Answers requests for as long as the process lives, each connection on a thread of its own.
pub fn serve(
    listener: &TcpListener,
    answer: impl Fn(&Request) -> Response + Send + Sync + 'static,
) {
    let answer = Arc::new(answer);
    let open: Arc<Open> = Arc::default();
    for number in 0.. {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(Duration::from_millis(10)); // Out of file numbers, say: connections end by themselves.
            continue;
        };
        let stream = Arc::new(stream);
        admit(&open, number, &stream);
        let (open, answer) = (Arc::clone(&open), Arc::clone(&answer));
        let of_connection = move || {
            // A client that went away before its answer is no failure of the server.
            let _ = converse(&stream, &*answer);
            forget(&open, number);
        };
        // Without a thread the connection is closed, and the next may find one.
        let _ = thread::Builder::new()
            .stack_size(STACK)
            .spawn(of_connection);
    }
}

fn admit(open: &Open, number: u64, stream: &Arc<TcpStream>) {
    let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
    if open.len() >= CONNECTIONS
        && let Some((_, oldest)) = open.pop_front()
    {
        let _ = oldest.shutdown(Shutdown::Both); // Its thread sees the end.
    }
    open.push_back((number, Arc::clone(stream)));
}

fn forget(open: &Open, number: u64) {
    let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|(other, _)| *other != number);
}

/// Answers the requests of one connection, one after the other.
fn converse(mut stream: &TcpStream, answer: &dyn Fn(&Request) -> Response) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut received = Vec::new();
    loop {
        let request = match read_head(stream, &mut received) {
            Ok(Some(request)) => request,
            Ok(None) => return Ok(()),
            Err(refusal) => {
                send(&mut stream, &Request::default(), refusal)?;
                return linger(stream);
            }
        };
        let is_known = matches!(request.method.as_str(), "GET" | "HEAD");
        let response = if is_known {
            answer(&request)
        } else {
            Response::text(405, "method not allowed").with("Allow", "GET, HEAD")
        };
        let keeps_open = request.keeps_open && is_known;
        send(
            &mut stream,
            &Request {
                keeps_open,
                ..request
            },
            response,
        )?;
        if !keeps_open {
            return linger(stream);
        }
    }
}

/// Reads one head. `None` at the end of the connection, or when nothing comes in time; else what is refused.
fn read_head(mut stream: &TcpStream, received: &mut Vec<u8>) -> Result<Option<Request>, Response> {
    let deadline = Instant::now() + PATIENCE;
    let mut chunk = [0; 4096];
    loop {
        if let Some((request, length)) = parse(received)? {
            received.drain(..length);
            return Ok(Some(request));
        }
        if received.len() > MAX_HEAD {
            return Err(Response::text(431, "the request's headers are too long"));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let in_time = !left.is_zero() && stream.set_read_timeout(Some(left)).is_ok();
        let read = if in_time {
            stream.read(&mut chunk)
        } else {
            Ok(0)
        };
        match read {
            Ok(0) => return Ok(None),
            Ok(n) => received.extend_from_slice(&chunk[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Ok(None),
        }
    }
}

/// The request at the start of `received` and the length of its head; `None` while it is not all there.
fn parse(received: &[u8]) -> Result<Option<(Request, usize)>, Response> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(received) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::Version) => {
            return Err(Response::text(505, "HTTP/1.1 is spoken here"));
        }
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Response::text(431, "the request has too many headers"));
        }
        Err(_) => return Err(Response::text(400, "bad request")),
    };
    let value = |name: &str| {
        let mut found = parsed.headers.iter();
        found
            .find(|header| header.name.eq_ignore_ascii_case(name))
            .map(|header| String::from_utf8_lossy(header.value).trim().to_owned())
    };
    let method = parsed.method.unwrap_or_default().to_owned();
    let has_body = value("Content-Length").is_some_and(|length| length != "0")
        || value("Transfer-Encoding").is_some();
    let connection = value("Connection").unwrap_or_default().to_ascii_lowercase();
    let keeps_open = if parsed.version == Some(1) {
        !connection.contains("close")
    } else {
        connection.contains("keep-alive")
    };
    let request = Request {
        // No answer carries a validator, so a condition on one never holds (RFC 9110 §13.1.5).
        range: value("Range").filter(|_| method == "GET" && value("If-Range").is_none()),
        target: parsed.path.unwrap_or_default().to_owned(),
        keeps_open: keeps_open && !has_body,
        method,
    };
    Ok(Some((request, length)))
}

fn send(out: &mut impl Write, request: &Request, response: Response) -> io::Result<()> {
    let length = match &response.body {
        Body::Empty => 0,
        Body::Text(text) => text.len() as u64,
        Body::File(_, start, end) => end - start,
        Body::Parts(_, parts, end) => {
            let parts = parts.iter();
            let parts = parts.map(|(head, start, end)| head.len() as u64 + end - start);
            parts.sum::<u64>() + end.len() as u64
        }
    };
    let mut head = format!(
        "HTTP/1.1 {} {}\r\n",
        response.status,
        reason(response.status)
    );
    let now = DateTimePrinter::new().timestamp_to_rfc9110_string(&Timestamp::now());
    let date = now.ok().map(|now| ("Date", now));
    let own = [
        ("Content-Length", length.to_string()),
        (
            "Connection",
            if request.keeps_open {
                "keep-alive"
            } else {
                "close"
            }
            .to_owned(),
        ),
    ];
    for (name, value) in response.headers.into_iter().chain(own).chain(date) {
        // Nothing of a request can begin a line of its own.
        let value = value.replace(['\r', '\n'], "");
        let _ = write!(head, "{name}: {value}\r\n"); // Writing into a string does not fail.
    }
    head.push_str("\r\n");
    out.write_all(head.as_bytes())?;
    if request.method == "HEAD" {
        return Ok(());
    }
    let deadline = Instant::now() + MAX_ANSWER_TIME;
    match response.body {
        Body::Empty => Ok(()),
        Body::Text(text) => out.write_all(text.as_bytes()),
        Body::File(file, start, end) => send_file(out, &file, (start, end), deadline),
        Body::Parts(file, parts, end) => {
            for (head, start, end) in parts {
                out.write_all(head.as_bytes())?;
                send_file(out, &file, (start, end), deadline)?;
            }
            out.write_all(end.as_bytes())
        }
    }
}

fn send_file(
    out: &mut impl Write,
    mut file: &File,
    (start, end): (u64, u64),
    deadline: Instant,
) -> io::Result<()> {
    file.seek(SeekFrom::Start(start))?;
    let mut rest = file.take(end - start);
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let n = rest.read(&mut chunk)?;
        if n == 0 {
            // A file that became shorter: the length was promised, so the connection ends.
            return match rest.limit() {
                0 => Ok(()),
                _ => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        if Instant::now() > deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        out.write_all(&chunk[..n])?;
    }
}

/// Lets the client take the last answer before the connection goes.
fn linger(mut stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let (mut bytes, time) = MAX_LINGER;
    let deadline = Instant::now() + time;
    let mut chunk = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || bytes == 0 {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut chunk)? {
            0 => return Ok(()),
            n => bytes = bytes.saturating_sub(n as u64),
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        301 => "Moved Permanently",
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        416 => "Range Not Satisfiable",
        431 => "Request Header Fields Too Large",
        505 => "HTTP Version Not Supported",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &[u8]) -> u16 {
        match parse(head) {
            Err(refusal) => refusal.status,
            Ok(Some(_)) => 200,
            Ok(None) => 0,
        }
    }

    #[test]
    fn heads_are_read_or_refused() {
        for (head, want) in [
            (&b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..], 200),
            (b"GET / HTTP/1.1\nHost: x\n\n", 200),
            (b"GET / HTTP/1.1\r\nHost: x\r\n", 0),
            (b"", 0),
            (b"GET / HTTP/2.0\r\n\r\n", 505),
            (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            (b"GET /\xFF HTTP/1.1\r\n\r\n", 400),
            (b"GET  HTTP/1.1\r\n\r\n", 400),
            (b"\x16\x03\x01", 400),
        ] {
            assert_eq!(status(head), want, "{}", String::from_utf8_lossy(head));
        }
        let many = "GET / HTTP/1.1\r\n".to_owned() + &"a: b\r\n".repeat(MAX_HEADERS + 1) + "\r\n";
        assert_eq!(status(many.as_bytes()), 431);
    }

    #[test]
    fn conditions_bodies_and_versions_decide() {
        let read = |head: &str| parse(head.as_bytes()).ok().flatten().expect("a request").0;
        assert_eq!(
            read("GET /a?b HTTP/1.1\r\nRange: bytes=0-1\r\n\r\n"),
            Request {
                method: "GET".into(),
                target: "/a?b".into(),
                range: Some("bytes=0-1".into()),
                keeps_open: true,
            }
        );
        let conditional = read("GET / HTTP/1.1\r\nRange: bytes=0-1\r\nIf-Range: \"x\"\r\n\r\n");
        assert_eq!(conditional.range, None);
        assert_eq!(
            read("HEAD / HTTP/1.1\r\nRange: bytes=0-1\r\n\r\n").range,
            None
        );
        for closing in [
            "GET / HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.1\r\nConnection: Close\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert!(!read(closing).keeps_open, "{closing}");
        }
    }
}
