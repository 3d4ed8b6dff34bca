//! `--watch`: a bundle built again whenever its pages change.

use crate::build;
use crate::failure::{Failure, Outcome, io_failure};
use knarr::ErrorKind;
use notify::event::{Event, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A generator writes many files at once: the build begins when nothing has changed for this long.
const QUIET: Duration = Duration::from_millis(300);
/// Time between two looks for a folder that a generator removed to write it anew.
const LOOK: Duration = Duration::from_millis(200);

/// Builds for the first time. A build that fails is told, and the next change builds again, as after any other.
///
/// *Errors*: those of the arguments, which no change of the files mends.
pub fn first(arguments: &build::Arguments) -> Outcome {
    match build::run(arguments) {
        Err(failure) if failure.is_of_files() => {
            failure.report();
            Ok(())
        }
        other => other,
    }
}

/// Builds again after every change of the input, until the process is stopped. A build that fails is told, and the
/// bundle stays as it was.
///
/// `watch` began before the first build: a page that changed during it is built again.
///
/// *Errors*: `IO` if the system cannot watch the input.
pub fn rebuild(arguments: &build::Arguments, mut watch: Watch) -> Outcome {
    eprintln!("watching {} (Ctrl+C stops)", arguments.input().display());
    loop {
        watch.wait()?;
        let start = Instant::now();
        match build::again(arguments) {
            Ok(files) => eprintln!(
                "built again: {files} {} in {:.1} s",
                if files == 1 { "file" } else { "files" },
                start.elapsed().as_secs_f32()
            ),
            Err(failure) => {
                failure.report();
            }
        }
    }
}

/// The changes of a folder, or of a file.
pub struct Watch {
    input: PathBuf,
    /// The bundle, which may lie in the input: that it changes is no reason to build.
    out: PathBuf,
    /// The folder of the cache, where it lies in the input, too.
    cache: Option<PathBuf>,
    /// The owner's file, where one is named that lies elsewhere.
    beside: Option<PathBuf>,
    events: Receiver<notify::Result<Event>>,
    // Watches until it is dropped.
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches the input of a build.
    ///
    /// *Errors*: `IO` if the input is missing or the system cannot watch it.
    pub fn of(arguments: &build::Arguments) -> Outcome<Self> {
        arguments.keep_pages();
        let own = (&*arguments.out(), arguments.cache());
        Self::new(arguments.input(), own, arguments.site_file())
    }

    fn new(
        input: &Path,
        (out, cache): (&Path, Option<&Path>),
        site_file: Option<&Path>,
    ) -> Outcome<Self> {
        let failure = |error: &dyn std::fmt::Display| io_failure("cannot watch", input, error);
        let input = input.canonicalize().map_err(|error| failure(&error))?;
        // A bundle that is not there yet lies in a folder that is, or its changes cannot be those of the input.
        let out = resolved(out);
        let is_below = |folder: &PathBuf| folder.starts_with(&input) && *folder != input;
        let cache = cache.map(resolved).filter(is_below);
        let beside = site_file
            .map(resolved)
            .filter(|file| !file.starts_with(&input));
        let (sender, events) = mpsc::channel();
        let mut watcher = notify::recommended_watcher(sender).map_err(|error| failure(&error))?;
        watcher
            .watch(&input, RecursiveMode::Recursive)
            .map_err(|error| failure(&error))?;
        // Its folder, since editors write files anew.
        if let Some(folder) = beside.as_deref().and_then(Path::parent) {
            watcher
                .watch(folder, RecursiveMode::NonRecursive)
                .map_err(|error| io_failure("cannot watch", folder, error))?;
        }
        Ok(Self {
            input,
            out,
            cache,
            beside,
            events,
            _watcher: watcher,
        })
    }

    /// Returns when the input has changed, is there and has been quiet for a while.
    pub fn wait(&mut self) -> Outcome {
        let mut has_changed = false;
        while !has_changed {
            has_changed = match self.events.recv() {
                Ok(event) => self.concerns(&event),
                Err(_) => return Err(self.ended()),
            };
        }
        // A server that reads the pages, or a build that writes among them, does not delay it.
        let mut changed = Instant::now();
        loop {
            let rest = QUIET.saturating_sub(changed.elapsed());
            match self.events.recv_timeout(rest) {
                Ok(event) if self.concerns(&event) => changed = Instant::now(),
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if self.input.exists() => break,
                Err(RecvTimeoutError::Timeout) => std::thread::sleep(LOOK),
            }
        }
        // A folder that was removed and made again is another one to the system.
        let own = (&*self.out, self.cache.as_deref());
        *self = Self::new(&self.input, own, self.beside.as_deref())?;
        Ok(())
    }

    /// True for a change of the input's files. Reading them is none, and an error may hide one.
    fn concerns(&self, event: &notify::Result<Event>) -> bool {
        let Ok(event) = event else { return true };
        let is_change = !matches!(event.kind, EventKind::Access(_));
        is_change && (event.need_rescan() || event.paths.iter().any(|path| self.is_input(path)))
    }

    fn is_input(&self, path: &Path) -> bool {
        if !path.starts_with(&self.input) {
            return self.beside.as_deref() == Some(path);
        }
        let cache = self.cache.as_deref();
        !path.starts_with(&self.out)
            && !cache.is_some_and(|cache| path.starts_with(cache))
            // The lock and the partial file of a bundle of one file lie beside it.
            && !path
                .file_name()
                .and_then(|name| name.to_str())
                .is_some_and(build::is_scratch)
    }

    fn ended(&self) -> Failure {
        Failure::Error(knarr::Error::new(
            ErrorKind::Io,
            format!("the system stopped watching {}", self.input.display()),
        ))
    }
}

/// The path as the system tells it; what is not there yet lies in a folder that is.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let parent = path
            .parent()
            .map(|parent| match parent.as_os_str().is_empty() {
                true => Path::new("."),
                false => parent,
            });
        let parent = parent.and_then(|parent| parent.canonicalize().ok());
        let name = path.file_name().unwrap_or_default();
        parent.map_or_else(|| path.to_path_buf(), |parent| parent.join(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn has_changed(watch: &mut Watch) -> bool {
        std::thread::sleep(Duration::from_millis(100));
        let events: Vec<_> = watch.events.try_iter().collect();
        events.iter().any(|event| watch.concerns(event))
    }

    #[test]
    fn pages_are_watched_and_the_bundle_among_them_is_not() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("search")).unwrap();
        fs::write(folder.path().join("a.html"), "a").unwrap();
        let mut watch =
            Watch::new(folder.path(), (&folder.path().join("search"), None), None).unwrap();

        fs::write(folder.path().join("search/index.knarr"), "x").unwrap();
        fs::read(folder.path().join("a.html")).unwrap();
        assert!(!has_changed(&mut watch));
        fs::write(folder.path().join("a.html"), "b").unwrap();
        assert!(has_changed(&mut watch));
        fs::create_dir(folder.path().join("new")).unwrap();
        assert!(has_changed(&mut watch));
        fs::write(folder.path().join("new/b.html"), "b").unwrap();
        assert!(has_changed(&mut watch));
    }

    #[test]
    fn a_file_of_the_owner_elsewhere_is_watched_and_nothing_beside_it() {
        let (site, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let file = own.path().join("site.json");
        let out = site.path().join("search");
        let mut watch = Watch::new(site.path(), (&out, None), Some(&file)).unwrap();
        fs::write(own.path().join("other.json"), "{}").unwrap();
        assert!(!has_changed(&mut watch));
        fs::write(&file, "{}").unwrap();
        assert!(has_changed(&mut watch));
    }

    #[test]
    fn the_cache_among_the_pages_is_not_watched() {
        let folder = tempfile::tempdir().unwrap();
        let (out, cache) = (folder.path().join("search"), folder.path().join("kept"));
        let mut watch = Watch::new(folder.path(), (&out, Some(&cache)), None).unwrap();
        fs::create_dir(&cache).unwrap();
        fs::write(cache.join("pages.json"), "x").unwrap();
        assert!(!has_changed(&mut watch));
        fs::write(folder.path().join("a.html"), "a").unwrap();
        assert!(has_changed(&mut watch));
        // Pages lie in the folder that was named, or it is the input itself.
        for cache in [folder.path().parent().unwrap(), folder.path()] {
            let mut watch = Watch::new(folder.path(), (&out, Some(cache)), None).unwrap();
            fs::write(folder.path().join("a.html"), "b").unwrap();
            assert!(has_changed(&mut watch));
            fs::write(folder.path().join("pages.json"), "x").unwrap();
            assert!(!has_changed(&mut watch));
        }
    }

    #[test]
    fn pages_that_are_read_all_the_time_delay_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.html"), "a").unwrap();
        let mut watch =
            Watch::new(folder.path(), (&folder.path().join("search"), None), None).unwrap();
        let page = folder.path().join("a.html");
        let (stop, stopped) = mpsc::channel::<()>();
        let reader = std::thread::spawn(move || {
            while stopped.recv_timeout(QUIET / 10) == Err(RecvTimeoutError::Timeout) {
                fs::read(&page).unwrap();
            }
        });
        fs::write(folder.path().join("b.html"), "b").unwrap();
        watch.wait().unwrap();
        drop(stop);
        reader.join().unwrap();
    }

    #[test]
    fn a_folder_made_anew_is_still_watched() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("site");
        fs::create_dir(&folder).unwrap();
        let mut watch = Watch::new(&folder, (&folder.join("search"), None), None).unwrap();
        for round in 0..2 {
            fs::remove_dir_all(&folder).unwrap();
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("a.html"), round.to_string()).unwrap();
            watch.wait().unwrap();
            assert!(folder.exists());
        }
        fs::write(folder.join("a.html"), "last").unwrap();
        watch.wait().unwrap();
    }
}
