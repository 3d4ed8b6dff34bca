//! `knarr serve`, over a socket.

use super::{Site, corpus, text};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A running server; stopped when dropped.
struct Served {
    process: Child,
    address: String,
}

impl Served {
    fn new(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_knarr"))
            .args(["serve", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        Self {
            address: address
                .unwrap_or_else(|| panic!("no address in {line:?}"))
                .to_owned(),
            process,
        }
    }

    /// Sends a request and returns the head and the body of the answer.
    fn ask(&self, method: &str, path: &str, header: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).expect("connected");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\r\n"
        )
        .expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("received");
        let end = answer
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .expect("a head");
        (
            String::from_utf8_lossy(&answer[..end]).into_owned(),
            answer[end + 4..].to_vec(),
        )
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[track_caller]
fn has(head: &str, wanted: &str) {
    let found = head.lines().any(|line| line.eq_ignore_ascii_case(wanted));
    assert!(found, "{wanted:?} is not in\n{head}");
}

#[test]
fn files_ranges_and_refusals() {
    let site = Site::new();
    let folder = corpus();
    let served = Served::new(&[text(&folder), "--bundle", &site.bundle()]);
    let page = std::fs::read(folder.join("reference/commands.html")).expect("a page");

    let (head, body) = served.ask("GET", "/reference/commands.html?x=1", "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    has(&head, "Content-Type: text/html; charset=utf-8");
    has(&head, &format!("Content-Length: {}", page.len()));
    assert_eq!(body, page);

    let (head, body) = served.ask("GET", "/reference/commands.html", "Range: bytes=10-19\r\n");
    assert!(head.starts_with("HTTP/1.1 206"), "{head}");
    has(&head, &format!("Content-Range: bytes 10-19/{}", page.len()));
    assert_eq!(body, page[10..20]);

    let (head, _) = served.ask(
        "GET",
        "/reference/commands.html",
        "Range: bytes=999999-\r\n",
    );
    assert!(head.starts_with("HTTP/1.1 416"), "{head}");
    has(&head, &format!("Content-Range: bytes */{}", page.len()));

    let (head, body) = served.ask("HEAD", "/reference/commands.html", "");
    has(&head, &format!("Content-Length: {}", page.len()));
    assert!(body.is_empty());

    let (head, body) = served.ask("GET", "/zh/%E6%8C%87%E5%8D%97/%E5%AE%89%E8%A3%85.md", "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(!body.is_empty());

    assert!(
        served
            .ask("GET", "/../Cargo.toml", "")
            .0
            .starts_with("HTTP/1.1 400")
    );
    assert!(
        served
            .ask("GET", "/%2e%2e/it/main.rs", "")
            .0
            .starts_with("HTTP/1.1 400")
    );
    assert!(
        served
            .ask("GET", "/absent.html", "")
            .0
            .starts_with("HTTP/1.1 404")
    );
    assert!(
        served
            .ask("POST", "/index.md", "Content-Length: 0\r\n")
            .0
            .starts_with("HTTP/1.1 405")
    );
    let (head, _) = served.ask("GET", "/reference", "");
    assert!(head.starts_with("HTTP/1.1 301"), "{head}");
    has(&head, "Location: /reference/");

    let (head, body) = served.ask("GET", "/search/index.knarr", "");
    has(&head, "Content-Type: application/octet-stream");
    assert_eq!(
        body,
        std::fs::read(site.bundle() + "/index.knarr").expect("a head")
    );
}

#[test]
fn a_taken_port_moves_to_the_next() {
    let site = Site::new();
    let first = Served::new(&[&site.bundle()]);
    let port = first.address.rsplit(':').next().expect("a port").to_owned();
    let mut second = Command::new(env!("CARGO_BIN_EXE_knarr"))
        .args(["serve", &site.bundle(), "--port", &port])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    BufReader::new(second.stdout.take().expect("piped"))
        .read_line(&mut line)
        .expect("a line");
    second.kill().expect("stopped");
    second.wait().expect("ended");
    assert!(
        line.contains("http://127.0.0.1:") && !line.contains(&format!(":{port}/")),
        "{line}"
    );
}

#[test]
fn refusals_say_what_would_be_taken() {
    let folder = corpus();
    let served = Served::new(&[text(&folder)]);
    let (head, _) = served.ask("POST", "/index.md", "Content-Length: 3\r\n\r\nabc");
    assert!(head.starts_with("HTTP/1.1 405"), "{head}");
    has(&head, "Allow: GET, HEAD");

    let condition = "Range: bytes=0-1\r\nIf-Range: \"other\"\r\n";
    let (head, _) = served.ask("GET", "/index.md", condition);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");

    for (request, want) in [
        ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", "505"),
        ("GET  HTTP/1.1\r\nHost: x\r\n\r\n", "400"),
        ("GET /index.md HTTP/1.1\nConnection: close\n\n", "200"),
    ] {
        let mut stream = TcpStream::connect(&served.address).expect("connected");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).expect("a line");
        assert!(
            line.starts_with(&format!("HTTP/1.1 {want}")),
            "{request:?}: {line}"
        );
    }
}

#[test]
fn a_connection_takes_several_requests() {
    let folder = corpus();
    let served = Served::new(&[text(&folder)]);
    let mut stream = TcpStream::connect(&served.address).expect("connected");
    let first = "HEAD /index.md HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = "HEAD /absent HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream
        .write_all(format!("{first}{first}{last}").as_bytes())
        .expect("sent");
    let mut answers = String::new();
    stream.read_to_string(&mut answers).expect("received");
    let statuses: Vec<_> = answers
        .lines()
        .filter_map(|line| line.strip_prefix("HTTP/1.1 "))
        .collect();
    assert_eq!(statuses, ["200 OK", "200 OK", "404 Not Found"]);
}

#[test]
fn an_endless_head_ends() {
    let folder = corpus();
    let served = Served::new(&[text(&folder)]);
    let mut stream = TcpStream::connect(&served.address).expect("connected");
    stream.write_all(b"GET / HTTP/1.1\r\n").expect("sent");
    let piece = "X-Endless: and so on and so on\r\n".repeat(1024);
    // What the buffers of two sockets hold is sent either way.
    let taken = (0..2048)
        .take_while(|_| stream.write_all(piece.as_bytes()).is_ok())
        .count();
    assert!(taken < 2048, "64 MiB of headers were taken");
}

#[test]
fn bad_clients_stop_nobody() {
    let site = Site::new();
    let large = std::fs::File::create(site.path("large.bin")).expect("made");
    large.set_len(256 << 20).expect("a sparse file");
    site.write("page.txt", "here");
    let served = Served::new(&[&site.path("")]);
    let bad = [
        "GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /page.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nabc",
        "GET /page.txt HTTP/1.1\r\nX-Never: ends",
        "",
    ];
    let clients: Vec<_> = (0..300)
        .map(|n| {
            let mut stream = TcpStream::connect(&served.address).expect("connected");
            // The server may have closed it to make place for others.
            let _ = stream.write_all(bad[n % bad.len()].as_bytes());
            stream
        })
        .collect();
    let answered = (0..3).any(|_| {
        let start = std::time::Instant::now();
        let (_, body) = served.ask("GET", "/page.txt", "");
        // A bad client would hold its thread for ten seconds; an answer takes milliseconds.
        body == b"here" && start.elapsed() < std::time::Duration::from_secs(5)
    });
    assert!(answered, "{} bad clients held up the others", clients.len());
}

#[test]
fn a_watched_site_is_built_again_when_a_page_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let page = format!("<title>{name}</title><main><p>{text}</p></main>");
        std::fs::write(folder.path().join(format!("{name}.html")), page).expect("written");
    };
    write("one", "The first page tells of herring.");
    let served = Served::new(&[
        text(folder.path()),
        "--watch",
        "--",
        "--quiet",
        "--name",
        "site",
    ]);
    let (head, first) = served.ask("GET", "/search/index.knarr", "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");

    write("two", "The second page tells of mackerel.");
    let later = (0..900).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let (_, body) = served.ask("GET", "/search/index.knarr", "");
        (body != first).then_some(body)
    });
    let bundle = folder.path().join("later.knarr");
    std::fs::write(&bundle, later.expect("the bundle is built again")).expect("written");
    let found = Command::new(env!("CARGO_BIN_EXE_knarr"))
        .args(["find", text(&bundle), "mackerel"])
        .output()
        .expect("the binary starts");
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(
        found.contains("viking://resources/site/two.html"),
        "{found}"
    );
}

#[test]
fn options_of_a_build_need_a_watched_site() {
    let output = Command::new(env!("CARGO_BIN_EXE_knarr"))
        .args(["serve", text(&corpus()), "--", "--name", "x"])
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--watch"), "{said}");
}
