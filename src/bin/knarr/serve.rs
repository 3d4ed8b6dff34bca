//! `knarr serve`: static files over HTTP, for preview on one's own machine.
//!
//! It behaves as the static hosts do on which a bundle is put: byte ranges, content types, `index.html` for folders.
//! It serves files below the folders named on the command line and nothing else.

use crate::failure::{Failure, Outcome, invalid, io_failure};
use knarr::{Error, ErrorKind};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// Arguments of `knarr serve`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to serve.
    folder: PathBuf,
    /// A bundle, served under /search/.
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// Serve another folder under an address: /doc=../html (repeatable).
    #[arg(long, value_name = "ADDRESS=DIR", value_parser = parse_mount)]
    mount: Vec<Mount>,
    /// Port; the next free one when it is taken. 0: any free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Address to listen on. The default keeps the server to this machine.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
}

/// A folder and the address it appears under: segments without slashes.
#[derive(Clone, Debug, PartialEq)]
struct Mount {
    address: Vec<String>,
    folder: PathBuf,
}

fn parse_mount(text: &str) -> Result<Mount, String> {
    let (address, folder) = text.split_once('=').ok_or("expected ADDRESS=DIR")?;
    let address = address
        .split('/')
        .filter(|segment| !segment.is_empty())
        .map(str::to_owned)
        .collect();
    Ok(Mount {
        address,
        folder: folder.into(),
    })
}

/// How many ports after the one asked for are tried.
const PORTS_TRIED: u16 = 20;

/// Requests answered at the same time: browsers open six connections to a host.
const WORKERS: usize = 8;

/// How often connections that wait for a thread are seen to.
const WAKE: Duration = Duration::from_millis(200);

/// Runs `knarr serve`, until the process is stopped.
pub fn run(arguments: &Arguments) -> Outcome {
    let mut mounts = vec![Mount {
        address: Vec::new(),
        folder: arguments.folder.clone(),
    }];
    if let Some(bundle) = &arguments.bundle {
        mounts.push(Mount {
            address: vec!["search".to_owned()],
            folder: bundle.clone(),
        });
    }
    mounts.extend(arguments.mount.iter().cloned());
    if let Some(mount) = mounts.iter().find(|mount| !mount.folder.is_dir()) {
        return Err(invalid(format!(
            "{} is not a folder",
            mount.folder.display()
        )));
    }
    mounts.sort_by_key(|mount| std::cmp::Reverse(mount.address.len())); // The longest address wins.

    let listener = listen(&arguments.host, arguments.port)?;
    let address = listener.local_addr()?;
    let server = Server::from_listener(listener, None).map_err(|error| {
        Failure::Error(Error::new(ErrorKind::Io, format!("cannot serve: {error}")))
    })?;
    let mut out = io::stdout();
    writeln!(
        out,
        "serving {} at http://{address}/ (Ctrl+C stops)",
        arguments.folder.display()
    )?;
    out.flush()?;

    wake(address);
    let server = Arc::new(server);
    let mounts = Arc::new(mounts);
    let workers: Vec<_> = (0..WORKERS)
        .map(|_| {
            let (server, mounts) = (Arc::clone(&server), Arc::clone(&mounts));
            std::thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    // A browser that went away before its answer is no failure of the server.
                    let _ = respond(request, &mounts);
                }
            })
        })
        .collect();
    for worker in workers {
        worker
            .join()
            .map_err(|_| Error::new(ErrorKind::Internal, "a server thread stopped"))?;
    }
    Ok(())
}

/// Connects to the server's own address for as long as the process lives.
///
/// tiny_http gives a connection to an idle thread that another connection of the same moment may have taken, and then to
/// none until the next thread ends its work: a browser that opens six at once and keeps them open waited for seconds.
/// The thread of an empty connection takes up what was left lying.
fn wake(mut address: SocketAddr) {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(WAKE);
            drop(TcpStream::connect_timeout(&address, WAKE));
        }
    });
}

fn listen(host: &str, port: u16) -> Outcome<TcpListener> {
    let last = port.saturating_add(PORTS_TRIED);
    for port in port..=last {
        match TcpListener::bind((host, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => {
                return Err(io_failure(
                    "cannot listen on",
                    Path::new(&format!("{host}:{port}")),
                    error,
                ));
            }
        }
    }
    Err(invalid(format!("ports {port} to {last} are all taken")))
}

/// What a request gets.
#[derive(Debug, PartialEq)]
enum Answer {
    File(PathBuf),
    /// A folder without the slash that relative links need.
    Redirect(String),
    NotFound,
    BadRequest,
}

fn respond(request: Request, mounts: &[Mount]) -> io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return refuse(request, 405, "method not allowed");
    }
    match locate(request.url(), mounts) {
        Answer::File(path) => send(request, &path),
        Answer::Redirect(to) => {
            let response = Response::from_string("")
                .with_status_code(301)
                .with_header(header("Location", &to));
            request.respond(response)
        }
        Answer::NotFound => refuse(request, 404, "not found"),
        Answer::BadRequest => refuse(request, 400, "bad request"),
    }
}

fn refuse(request: Request, status: u16, text: &str) -> io::Result<()> {
    request.respond(Response::from_string(text).with_status_code(status))
}

/// Finds the file for an address. Segments that could leave the folder are refused, encoded or not.
fn locate(url: &str, mounts: &[Mount]) -> Answer {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let Some(segments) = path.split('/').map(decode).collect::<Option<Vec<String>>>() else {
        return Answer::BadRequest;
    };
    let segments: Vec<String> = segments
        .into_iter()
        .filter(|segment| !segment.is_empty())
        .collect();
    let leaves = |segment: &String| {
        segment == "." || segment == ".." || segment.contains(['/', '\\', '\0', ':'])
    };
    if segments.iter().any(leaves) {
        return Answer::BadRequest;
    }
    let Some(mount) = mounts
        .iter()
        .find(|mount| segments.starts_with(&mount.address))
    else {
        return Answer::NotFound;
    };
    let mut file = mount.folder.clone();
    file.extend(&segments[mount.address.len()..]);
    if file.is_dir() {
        if !path.ends_with('/') {
            // One slash in front only: "//host/" would be another site.
            return Answer::Redirect(format!("/{}/", path.trim_matches('/')));
        }
        file.push("index.html");
    } else if path.ends_with('/') {
        return Answer::NotFound;
    }
    if file.is_file() {
        Answer::File(file)
    } else {
        Answer::NotFound
    }
}

/// Decodes `%41` in a segment; `None` when it is malformed or no UTF-8.
fn decode(segment: &str) -> Option<String> {
    let mut bytes = segment.bytes();
    let mut decoded = Vec::with_capacity(segment.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let high = char::from(bytes.next()?).to_digit(16)?;
        let low = char::from(bytes.next()?).to_digit(16)?;
        decoded.push((high * 16 + low) as u8);
    }
    String::from_utf8(decoded).ok()
}

fn send(request: Request, path: &Path) -> io::Result<()> {
    let Ok((mut file, metadata)) = open(path) else {
        return refuse(request, 404, "not found");
    };
    let length = metadata.len();
    let range = request
        .headers()
        .iter()
        .find(|header| header.field.equiv("Range"))
        .map(|header| header.value.as_str());
    let (status, start, end) = match range.map_or(Range::Whole, |value| parse_range(value, length))
    {
        Range::Whole => (200, 0, length),
        Range::Part(start, end) => (206, start, end),
        Range::Unsatisfiable => {
            let response = Response::from_string("").with_status_code(416);
            return request.respond(
                response.with_header(header("Content-Range", &format!("bytes */{length}"))),
            );
        }
    };
    let mut headers = vec![
        header("Content-Type", content_type(path)),
        header("Accept-Ranges", "bytes"),
        header("Cache-Control", "no-cache"), // A preview shows what is on disk now.
    ];
    if status == 206 {
        headers.push(header(
            "Content-Range",
            &format!("bytes {start}-{}/{length}", end - 1),
        ));
    }
    file.seek(SeekFrom::Start(start))?;
    let count = end - start;
    let body = file.take(count);
    let size = usize::try_from(count).ok();
    // Without the threshold the library switches to chunks for large files and drops the length.
    request.respond(
        Response::new(status.into(), headers, body, size, None).with_chunked_threshold(usize::MAX),
    )
}

fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

/// What a `Range` header asks for: bytes `start..end`, half-open.
#[derive(Debug, PartialEq)]
enum Range {
    Whole,
    Part(u64, u64),
    Unsatisfiable,
}

/// Reads a `Range` header. Several ranges, other units and malformed ones mean the whole file, as RFC 9110 §14.2 allows.
fn parse_range(value: &str, length: u64) -> Range {
    let Some((first, last)) = value
        .trim()
        .strip_prefix("bytes=")
        .and_then(|range| range.split_once('-'))
    else {
        return Range::Whole;
    };
    match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if first > last => Range::Whole,
        (Ok(first), _) if first >= length => Range::Unsatisfiable,
        (Ok(first), Ok(last)) => Range::Part(first, last.saturating_add(1).min(length)),
        (Ok(first), Err(_)) if last.trim().is_empty() => Range::Part(first, length),
        (Err(_), Ok(0)) if first.trim().is_empty() => Range::Unsatisfiable,
        (Err(_), Ok(_)) if first.trim().is_empty() && length == 0 => Range::Unsatisfiable,
        (Err(_), Ok(suffix)) if first.trim().is_empty() => {
            Range::Part(length.saturating_sub(suffix), length)
        }
        _ => Range::Whole,
    }
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("header names and values here are printable ASCII")
}

/// The content type by extension. `application/wasm` lets browsers compile while they download.
fn content_type(path: &Path) -> &'static str {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    match extension.as_str() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "pdf" => "application/pdf",
        "xml" => "application/xml",
        "txt" | "md" | "ts" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges() {
        assert_eq!(parse_range("bytes=0-9", 100), Range::Part(0, 10));
        assert_eq!(parse_range("bytes=90-200", 100), Range::Part(90, 100));
        assert_eq!(parse_range("bytes=90-", 100), Range::Part(90, 100));
        assert_eq!(parse_range("bytes=-10", 100), Range::Part(90, 100));
        assert_eq!(parse_range("bytes=-500", 100), Range::Part(0, 100));
        assert_eq!(parse_range("bytes=100-", 100), Range::Unsatisfiable);
        assert_eq!(parse_range("bytes=-0", 100), Range::Unsatisfiable);
        assert_eq!(parse_range("bytes=-5", 0), Range::Unsatisfiable);
        for whole in [
            "bytes=9-1",
            "bytes=0-1,5-6",
            "lines=1-2",
            "bytes=a-b",
            "bytes=-",
            "x",
        ] {
            assert_eq!(parse_range(whole, 100), Range::Whole, "{whole}");
        }
    }

    #[test]
    fn stays_inside_the_folders() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join("a b")).expect("made");
        std::fs::write(site.join("index.html"), "home").expect("written");
        std::fs::write(site.join("a b/ü.txt"), "text").expect("written");
        std::fs::write(folder.path().join("secret"), "secret").expect("written");
        let mounts = [Mount {
            address: Vec::new(),
            folder: site.clone(),
        }];
        assert_eq!(locate("/", &mounts), Answer::File(site.join("index.html")));
        assert_eq!(
            locate("/a%20b/%C3%BC.txt?v=1", &mounts),
            Answer::File(site.join("a b/ü.txt"))
        );
        assert_eq!(
            locate("//a%20b", &mounts),
            Answer::Redirect("/a%20b/".into())
        );
        assert_eq!(locate("/index.html/", &mounts), Answer::NotFound);
        for url in [
            "/../secret",
            "/%2e%2e/secret",
            "/..%2fsecret",
            "/a%20b/..%5c..%5csecret",
            "/%ff",
            "/%2",
            "/a%00",
        ] {
            assert_eq!(locate(url, &mounts), Answer::BadRequest, "{url}");
        }
    }

    #[test]
    fn the_longest_mount_wins() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        std::fs::write(folder.path().join("x.wasm"), "x").expect("written");
        let mounts = [
            parse_mount(&format!("/knarr/={}", folder.path().display())).expect("a mount"),
            Mount {
                address: Vec::new(),
                folder: folder.path().join("absent"),
            },
        ];
        assert_eq!(
            locate("/knarr/x.wasm", &mounts),
            Answer::File(folder.path().join("x.wasm"))
        );
        assert_eq!(locate("/x.wasm", &mounts), Answer::NotFound);
        assert_eq!(content_type(Path::new("x.wasm")), "application/wasm");
    }
}
