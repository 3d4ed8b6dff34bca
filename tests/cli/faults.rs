//! A server of endpoints on loopback that answers as endpoints do, or fails in the way that the path names.
//!
//! It speaks HTTP by hand: a server that keeps to the protocol cannot hang, drip, or end an answer in the middle.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What was asked.
#[derive(Debug, Clone)]
pub struct Request {
    /// Path: a fault or `ok`, then `chat`, `rerank` or `embed`.
    pub path: String,
    /// Header lines.
    pub headers: Vec<String>,
    /// Body.
    pub body: Value,
}

/// A running server. It ends with the test's process.
pub struct Server {
    /// `http://127.0.0.1:PORT`.
    pub origin: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// What every fault must be called in the answer's `skipped`.
pub const FAULTS: [(&str, &str); 13] = [
    ("hang", "did not answer within"),
    ("drip", "did not answer within"),
    ("cut", "could not be reached"),
    ("401", "answered 401: no such key"),
    ("403", "answered 403"),
    ("429", "answered 429"),
    ("500", "answered 500"),
    ("later", "asks to wait longer"),
    ("redirect", "answered 307"),
    ("html", "looks like an HTML page"),
    ("truncated", "cut off"),
    ("empty", "is empty"),
    ("huge", "longer than"),
];

impl Server {
    /// Starts a server whose chat model writes `content`.
    pub fn new(content: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, content) = (requests.clone(), content.to_owned());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, content) = (log.clone(), content.clone());
                std::thread::spawn(move || {
                    // The client may be gone before the answer is: that is what some tests are about.
                    let _ = serve(stream, &log, &content);
                });
            }
        });
        Self { origin, requests }
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }

    /// An address where nobody listens.
    pub fn refused() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    }
}

fn serve(mut stream: TcpStream, log: &Mutex<Vec<Request>>, content: &str) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let length = lines.iter().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is = name.eq_ignore_ascii_case("content-length");
        is.then(|| value.trim().parse::<usize>().ok()).flatten()
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let path = lines[0].split(' ').nth(1).unwrap_or("/").to_owned();
    let request = Request {
        headers: lines.split_off(1),
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
        path,
    };
    let seen = {
        let mut log = log.lock().expect("no panic");
        log.push(request.clone());
        log.iter().filter(|r| r.path == request.path).count()
    };
    let mut parts = request.path.trim_start_matches('/').split('/');
    let (fault, kind) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let good = good(kind, &request.body, content);
    let text = good.to_string();
    match fault {
        "ok" => answer(&mut stream, "200 OK", "", &text),
        "busy" if seen == 1 => answer(&mut stream, "429 Too Many", "Retry-After: 0.05\r\n", "{}"),
        "busy" => answer(&mut stream, "200 OK", "", &text),
        // One page of the test corpus is too much for it: the others are answered.
        "moody" if is_about_clocks(&request.body) => answer(&mut stream, "500 Oops", "", "oops"),
        "choosy" if is_about_clocks(&request.body) => {
            answer(&mut stream, "400 Too Long", "", r#"{"error": "too long"}"#)
        }
        "moody" | "choosy" => answer(&mut stream, "200 OK", "", &text),
        "hang" => {
            stream.set_read_timeout(Some(Duration::from_secs(20)))?;
            stream.read(&mut [0]).map(|_| ())
        }
        "drip" => {
            head(&mut stream, "200 OK", "", 1_000)?;
            for _ in 0..200 {
                stream.write_all(b" ")?;
                std::thread::sleep(Duration::from_millis(50));
            }
            Ok(())
        }
        // The connection ends before the promised length.
        "cut" => {
            head(&mut stream, "200 OK", "", text.len() + 100)?;
            stream.write_all(text.as_bytes())
        }
        "401" => answer(
            &mut stream,
            "401 Unauthorized",
            "",
            r#"{"error": {"message": "no such key"}}"#,
        ),
        "403" => answer(&mut stream, "403 Forbidden", "", "<h1>Forbidden</h1>"),
        "429" => answer(&mut stream, "429 Too Many", "Retry-After: 0\r\n", "{}"),
        "500" => answer(&mut stream, "500 Oops", "Retry-After: 0\r\n", "oops"),
        "later" => answer(&mut stream, "503 Later", "Retry-After: 120\r\n", ""),
        "redirect" => answer(&mut stream, "307 Elsewhere", "Location: /ok/chat\r\n", ""),
        "html" => answer(
            &mut stream,
            "200 OK",
            "",
            "<!doctype html><title>Sign in</title>",
        ),
        "truncated" => answer(&mut stream, "200 OK", "", &text[..text.len() / 2]),
        "empty" => answer(&mut stream, "200 OK", "", ""),
        "huge" => {
            const MEGABYTE: usize = 1 << 20;
            head(&mut stream, "200 OK", "", 100 * MEGABYTE)?;
            let spaces = vec![b' '; MEGABYTE];
            (0..100).try_for_each(|_| stream.write_all(&spaces))
        }
        "wrong" => answer(
            &mut stream,
            "200 OK",
            "",
            &wrong(parts.next().unwrap_or(""), good),
        ),
        _ => answer(&mut stream, "404 Not Found", "", ""),
    }
}

/// Whether a request is about `guide/clocks.md`: by its path in the question, or its title in the texts.
fn is_about_clocks(body: &Value) -> bool {
    let content = body["messages"][1]["content"].as_str().unwrap_or_default();
    let texts = body["input"].as_array();
    let is_titled = |text: &Value| text.as_str().is_some_and(|t| t.starts_with(CLOCKS));
    content.starts_with("Path: guide/clocks.md\n") || texts.is_some_and(|t| t.iter().any(is_titled))
}

/// Title of the page.
const CLOCKS: &str = "Keep clocks in step\n";

/// A vector of 48 dimensions that texts with the same words share, whatever the words are.
fn of_words(text: &str) -> Vec<f64> {
    let mut vector = vec![0.0; 48];
    let words = text.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|w| w.len() > 3) {
        let word = word.to_lowercase();
        let stem = word.trim_end_matches("ting").trim_end_matches('s');
        let bytes = stem
            .bytes()
            .fold(7u64, |h, b| h.wrapping_mul(0x0100_0000_01b3) ^ u64::from(b));
        vector[(bytes % 48) as usize] += 1.0;
    }
    vector[0] += 0.01;
    vector
}

/// Subjects of a sailing club, by the beginnings of their words.
const THEMES: [&[&str]; 8] = [
    &["sail", "jib", "spinnaker", "reef", "mast", "boom"],
    &["rope", "line", "sheet", "halyard", "knot", "cleat"],
    &["anchor", "chain", "mooring", "buoy", "berth", "pontoon"],
    &["engine", "fuel", "diesel", "batter", "pump", "propeller"],
    &["wind", "weather", "gale", "forecast", "storm", "fog"],
    &["member", "committee", "fee", "subscri", "guest", "club"],
    &["race", "racing", "start", "protest", "mark", "finish"],
    &["tide", "tidal", "current", "chart", "depth", "compass"],
];

/// A vector of 8 dimensions that says how much a text is about each subject, which words in a space of meanings tell.
fn of_themes(text: &str) -> Vec<f64> {
    let words = || text.split(|c: char| !c.is_alphanumeric());
    let about = |theme: &&[&str]| {
        let own = words().map(str::to_lowercase);
        let own = own.filter(|word| theme.iter().any(|t| word.starts_with(t)));
        0.1 + own.count() as f64
    };
    THEMES.iter().map(about).collect()
}

/// What a working endpoint answers: the plan; scores that turn the order round; a vector of the first dimension.
fn good(kind: &str, body: &Value, content: &str) -> Value {
    let count = |name: &str| body[name].as_array().map_or(0, Vec::len);
    match kind {
        "chat" => json!({"choices": [{"message": {"role": "assistant", "content": content}}]}),
        "rerank" => {
            let n = count("documents");
            let results: Vec<Value> = (0..n)
                .map(|i| json!({"index": i, "relevance_score": (i + 1) as f64 / (n + 1) as f64}))
                .collect();
            json!({"results": results})
        }
        "words" | "themes" => {
            let of = if kind == "words" { of_words } else { of_themes };
            let input = body["input"].as_array().map_or(&[][..], Vec::as_slice);
            let data = input.iter().enumerate().rev().map(
                |(i, text)| json!({"index": i, "embedding": of(text.as_str().unwrap_or_default())}),
            );
            json!({"data": data.collect::<Vec<_>>()})
        }
        _ => {
            let dims = body["dimensions"].as_u64().unwrap_or(64) as usize;
            let mut vector = vec![0; dims];
            vector[0] = 1;
            let data: Vec<Value> = (0..count("input"))
                .map(|i| json!({"index": i, "embedding": vector}))
                .collect();
            json!({"data": data})
        }
    }
}

/// A well-formed answer that says the wrong things.
fn wrong(what: &str, mut good: Value) -> String {
    let rerank = good.get("results").is_some();
    let list = if rerank { "results" } else { "data" };
    let items = good[list].as_array_mut().expect("a list");
    match what {
        "short" => drop(items.pop()),
        "long" => items.push(items[0].clone()),
        "range" => items[0]["index"] = json!(items.len() + 5),
        "twice" if items.len() > 1 => items[0]["index"] = json!(1),
        "dims" => drop(items[0]["embedding"].as_array_mut().map(Vec::pop)),
        _ => {
            let text = good.to_string();
            let number = if rerank {
                "\"relevance_score\":0."
            } else {
                "[1,"
            };
            let nan = if rerank {
                "\"relevance_score\":NaN,\"was\":0."
            } else {
                "[NaN,"
            };
            return text.replace(number, nan);
        }
    }
    good.to_string()
}

fn head(stream: &mut TcpStream, status: &str, headers: &str, length: usize) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
    )
}

fn answer(stream: &mut TcpStream, status: &str, headers: &str, body: &str) -> std::io::Result<()> {
    head(stream, status, headers, body.len())?;
    stream.write_all(body.as_bytes())
}
