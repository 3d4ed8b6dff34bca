//! `knarr serve`: static files over HTTP, for preview on one's own machine.
//!
//! It behaves as the static hosts do on which a bundle is put: byte ranges, content types, `index.html` for folders,
//! `guide.html` for `guide`, and the site's `404.html` for what is not there.
//! It serves files below the folders named on the command line and nothing else: what links name elsewhere, and names
//! that begin with a dot, only when asked.

mod files;
mod http;

use crate::build;
use crate::failure::{Outcome, invalid, io_failure};
use crate::watch::{self, Watch};
use clap::Parser;
use files::{not_found, send};
use http::{Request, Response};
use std::io::{self, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// Arguments of `knarr serve`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to serve.
    folder: PathBuf,
    /// A bundle, served under /search/; with --watch the one that the build writes.
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// Serve another folder under an address: /doc=../html (repeatable).
    #[arg(long, value_name = "ADDRESS=DIR", value_parser = parse_mount)]
    mount: Vec<Mount>,
    /// Also serve files outside the folders that symbolic links point to.
    #[arg(long)]
    follow_links: bool,
    /// Also serve files and folders whose names begin with a dot.
    #[arg(long)]
    hidden: bool,
    /// Port to listen on, or the next free one. 0: any free port.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Build the folder's index, and again whenever its pages change. Options of `knarr build` may follow "--".
    #[arg(long)]
    watch: bool,
    /// Options of `knarr build` for --watch, after "--".
    #[arg(last = true, requires = "watch", value_name = "OPTION")]
    build: Vec<String>,
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

/// Ports tried after the one asked for.
const PORTS_TRIED: u16 = 20;

/// The folders that are served.
struct Site {
    mounts: Vec<Mount>,
    follow_links: bool,
    hidden: bool,
}

/// The options of `knarr build` that stand in another command.
#[derive(clap::Parser)]
#[command(name = "knarr build")]
struct BuildOptions {
    #[command(flatten)]
    arguments: build::Arguments,
}

impl Arguments {
    /// The build of --watch: of the folder, into the bundle that is served.
    fn build(&self) -> Outcome<Option<build::Arguments>> {
        if !self.watch {
            return Ok(None);
        }
        let mut words = vec!["knarr build".into(), self.folder.clone().into_os_string()];
        if let Some(bundle) = &self.bundle {
            words.extend(["--out".into(), bundle.clone().into_os_string()]);
        }
        words.extend(self.build.iter().map(Into::into));
        Ok(Some(BuildOptions::try_parse_from(words)?.arguments))
    }
}

/// Runs `knarr serve`, until the process is stopped.
pub fn run(arguments: &Arguments) -> Outcome {
    let build = match arguments.build()? {
        None => None,
        Some(build) => {
            let watch = Watch::of(&build)?;
            watch::first(&build)?;
            Some((build, watch))
        }
    };
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
    // A bundle whose first build failed is there after the next.
    let is_to_come =
        |mount: &Mount| build.is_some() && Some(&mount.folder) == arguments.bundle.as_ref();
    let is_absent = |mount: &&Mount| !mount.folder.is_dir() && !is_to_come(mount);
    if let Some(mount) = mounts.iter().find(is_absent) {
        return Err(invalid(format!(
            "{} is not a folder",
            mount.folder.display()
        )));
    }
    mounts.sort_by_key(|mount| std::cmp::Reverse(mount.address.len())); // The longest address wins.

    let listener = listen(&arguments.host, arguments.port)?;
    let address = listener.local_addr()?;
    let mut out = io::stdout();
    writeln!(
        out,
        "serving {} at http://{address}/ (Ctrl+C stops)",
        arguments.folder.display()
    )?;
    out.flush()?;

    let site = Site {
        mounts,
        follow_links: arguments.follow_links,
        hidden: arguments.hidden,
    };
    let serve = move || http::serve(&listener, move |request| respond(request, &site));
    match build {
        None => serve(),
        Some((build, watch)) => {
            std::thread::spawn(serve);
            watch::rebuild(&build, watch)?;
        }
    }
    Ok(())
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

/// The response to a request.
#[derive(Debug, PartialEq)]
enum Answer {
    File(PathBuf),
    /// A folder without the slash that relative links need.
    Redirect(String),
    NotFound,
    BadRequest,
}

fn respond(request: &Request, site: &Site) -> Response {
    match site.locate(&request.target) {
        Answer::File(path) => send(request, &path),
        Answer::Redirect(to) => Response {
            status: 301,
            ..Response::default()
        }
        .with("Location", to),
        Answer::NotFound => missing(site),
        Answer::BadRequest => Response::text(400, "bad request"),
    }
}

/// The site's own page for what is not there, or a line.
fn missing(site: &Site) -> Response {
    let Some(page) = site.missing_page() else {
        return not_found();
    };
    Response {
        status: 404,
        ..send(&Request::default(), &page)
    }
}

impl Site {
    /// Finds the file for an address. Segments that could leave the folder are refused, encoded or not.
    fn locate(&self, target: &str) -> Answer {
        let path = path_of(target);
        if !path.starts_with('/') {
            return Answer::BadRequest;
        }
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
        let Some(mount) = self
            .mounts
            .iter()
            .find(|mount| segments.starts_with(&mount.address))
        else {
            return Answer::NotFound;
        };
        let below = &segments[mount.address.len()..];
        if !self.hidden && below.iter().any(|segment| segment.starts_with('.')) {
            return Answer::NotFound;
        }
        let mut file = mount.folder.clone();
        file.extend(below);
        if !below.is_empty() && !path.ends_with('/') && !file.is_file() {
            // Before the folder of the same name, as on GitHub Pages, Netlify and Cloudflare.
            let mut page = file.clone().into_os_string();
            page.push(".html");
            let page = PathBuf::from(page);
            if page.is_file() && self.may_show(&page, mount) {
                return Answer::File(page);
            }
        }
        if !self.may_show(&file, mount) {
            return Answer::NotFound;
        }
        if file.is_dir() {
            if !path.ends_with('/') {
                // One slash in front only: "//host/" would be another site.
                return Answer::Redirect(format!("/{}/", path.trim_matches('/')));
            }
            file.push("index.html");
        } else if path.ends_with('/') {
            return Answer::NotFound;
        }
        if file.is_file() && self.may_show(&file, mount) {
            Answer::File(file)
        } else {
            Answer::NotFound
        }
    }

    /// `404.html` of the folder at the root.
    fn missing_page(&self) -> Option<PathBuf> {
        let root = self.mounts.iter().find(|mount| mount.address.is_empty())?;
        let page = root.folder.join("404.html");
        (page.is_file() && self.may_show(&page, root)).then_some(page)
    }

    /// True if `path`, its links followed, lies below the mount's folder.
    fn may_show(&self, path: &Path, mount: &Mount) -> bool {
        let real = (path.canonicalize(), mount.folder.canonicalize());
        matches!(real, (Ok(path), Ok(folder)) if self.follow_links || path.starts_with(&folder))
    }
}

/// The path of a request's target: `/a` of `/a?b` and of `http://host/a`.
fn path_of(target: &str) -> &str {
    let absolute = ["http://", "https://"]
        .iter()
        .find_map(|scheme| target.strip_prefix(scheme));
    let target = match absolute {
        Some(rest) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => target,
    };
    target.split(['?', '#']).next().unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;
    use http::Body;

    #[test]
    fn stays_inside_the_folders() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join("a b")).expect("made");
        std::fs::write(site.join("index.html"), "home").expect("written");
        std::fs::write(site.join("a b/ü.txt"), "text").expect("written");
        std::fs::write(folder.path().join("secret"), "secret").expect("written");
        let served = Site {
            mounts: vec![Mount {
                address: Vec::new(),
                folder: site.clone(),
            }],
            follow_links: false,
            hidden: false,
        };
        let locate = |target: &str| served.locate(target);
        assert_eq!(locate("/"), Answer::File(site.join("index.html")));
        assert_eq!(
            locate("/a%20b/%C3%BC.txt?v=1"),
            Answer::File(site.join("a b/ü.txt"))
        );
        assert_eq!(locate("//a%20b"), Answer::Redirect("/a%20b/".into()));
        assert_eq!(locate("/index.html/"), Answer::NotFound);
        for target in [
            "http://localhost",
            "http://localhost/?x",
            "https://h:1/index.html",
        ] {
            assert_eq!(
                locate(target),
                Answer::File(site.join("index.html")),
                "{target}"
            );
        }
        for url in [
            "/../secret",
            "/%2e%2e/secret",
            "/..%2fsecret",
            "/a%20b/..%5c..%5csecret",
            "/%ff",
            "/%2",
            "/a%00",
            "*",
            "",
            "?x",
        ] {
            assert_eq!(locate(url), Answer::BadRequest, "{url}");
        }
    }

    #[test]
    fn addresses_are_as_clean_as_on_hosts() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let site = folder.path();
        std::fs::create_dir_all(site.join("guide")).expect("made");
        std::fs::create_dir_all(site.join("only")).expect("made");
        for page in [
            "guide.html",
            "guide/index.html",
            "v1.2.html",
            "only/index.html",
        ] {
            std::fs::write(site.join(page), page).expect("written");
        }
        std::fs::write(folder.path().join("only/.html"), "hidden").expect("written");
        let served = Site {
            mounts: vec![parse_mount(&format!("/={}", site.display())).expect("a mount")],
            follow_links: false,
            hidden: false,
        };
        let file = |name: &str| Answer::File(site.join(name));
        assert_eq!(served.locate("/guide"), file("guide.html"));
        assert_eq!(served.locate("/guide?x"), file("guide.html"));
        assert_eq!(served.locate("/guide.html"), file("guide.html"));
        assert_eq!(served.locate("/guide/"), file("guide/index.html"));
        assert_eq!(served.locate("/v1.2"), file("v1.2.html"));
        assert_eq!(served.locate("/only"), Answer::Redirect("/only/".into()));
        assert_eq!(served.locate("/only/"), file("only/index.html"));
        assert_eq!(served.locate("/guide/nothing"), Answer::NotFound);
        assert_eq!(served.locate("/v1.2/"), Answer::NotFound);

        let ask = |target: &str| {
            let mut request = Request::default();
            request.target = target.into();
            request.range = Some("bytes=0-0".into());
            let Response { status, body, .. } = respond(&request, &served);
            (status, matches!(body, Body::File(_, 0, 7)))
        };
        assert_eq!(ask("/nothing"), (404, false));
        std::fs::write(site.join("404.html"), "nothing").expect("written");
        assert_eq!(
            ask("/nothing"),
            (404, true),
            "the whole page, whatever the range"
        );
    }

    #[test]
    fn the_longest_mount_wins() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        std::fs::write(folder.path().join("x.wasm"), "x").expect("written");
        let mounts = vec![
            parse_mount(&format!("/knarr/={}", folder.path().display())).expect("a mount"),
            Mount {
                address: Vec::new(),
                folder: folder.path().join("absent"),
            },
        ];
        let served = Site {
            mounts,
            follow_links: false,
            hidden: false,
        };
        assert_eq!(
            served.locate("/knarr/x.wasm"),
            Answer::File(folder.path().join("x.wasm"))
        );
        assert_eq!(served.locate("/x.wasm"), Answer::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn links_out_and_hidden_names_are_served_when_asked() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a scratch folder");
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join(".git")).expect("made");
        std::fs::create_dir_all(folder.path().join("out")).expect("made");
        for file in [
            "out/secret.txt",
            "out/index.html",
            "site/.git/config",
            "site/.env",
            "site/in.txt",
        ] {
            std::fs::write(folder.path().join(file), "text").expect("written");
        }
        symlink("../out/secret.txt", site.join("link.txt")).expect("a link");
        symlink("../out", site.join("folder")).expect("a link");
        symlink("in.txt", site.join("same.txt")).expect("a link");
        // The folder itself may be a link.
        let root = folder.path().join("root");
        symlink("site", &root).expect("a link");
        let mut served = Site {
            mounts: vec![Mount {
                address: Vec::new(),
                folder: root.clone(),
            }],
            follow_links: false,
            hidden: false,
        };
        let found = |served: &Site, target: &str| matches!(served.locate(target), Answer::File(_));
        assert!(found(&served, "/in.txt") && found(&served, "/same.txt"));
        let out = ["/link.txt", "/folder/secret.txt", "/folder/"];
        let hidden = ["/.env", "/.git/config", "/%2eenv"];
        for target in out.iter().chain(&hidden).chain(&["/folder", "/.git"]) {
            assert_eq!(served.locate(target), Answer::NotFound, "{target}");
        }
        served.follow_links = true;
        assert!(out.iter().all(|target| found(&served, target)));
        assert!(!hidden.iter().any(|target| found(&served, target)));
        served.hidden = true;
        assert!(hidden.iter().all(|target| found(&served, target)));
    }
}
