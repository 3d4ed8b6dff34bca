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
