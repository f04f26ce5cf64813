//! Atomic output files. Each is written under a temporary name in its folder and renamed once it is complete. After an
//! interrupt, on a full disk or with a second process, there is either the old file or the new one, never a part of one.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{anyhow, bail};

/// Returns the error for a file that cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{}: cannot be written: {error}", path.display())
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(path: &Path) -> anyhow::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir()) {
        bail!("{}: cannot be created: it is a file; name a folder", path.display());
    }
    let created = fs::create_dir_all(path);
    created.map_err(|error| anyhow!("{}: cannot be created: {error}", path.display()))
}

/// Writes bytes to a file and replaces an existing one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes).map_err(|error| cannot_write(path, &error))?;
    file.finish()
}

/// A file that is being written. [`finish`](OutputFile::finish) puts it in place; if it is dropped before, the temporary
/// file is removed.
#[derive(Debug)]
pub(crate) struct OutputFile {
    /// Path as the user wrote it.
    path: PathBuf,
    file: Option<BufWriter<File>>,
    /// Temporary name of the file; `None` for a device or the standard output, which is written directly.
    temporary: Option<TemporaryFile>,
}

impl OutputFile {
    /// Creates a file that will replace an existing one. A device such as `/dev/null`, and `/dev/stdout`, are written directly.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let write_error = |error: io::Error| cannot_write(path, &error);
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(write_error(error)),
        };
        if let Some(existing) = &existing {
            check_replaceable(path, existing)?;
            if !existing.is_file() {
                let file = OpenOptions::new().write(true).open(path).map_err(write_error)?;
                return Ok(Self::new(path, file, None));
            }
        }
        // The target of a link is replaced, and not the link.
        let target = resolve_links(path).map_err(write_error)?;
        let (temporary, file) = TemporaryFile::create(target).map_err(write_error)?;
        let file = Self::new(path, file, Some(temporary));
        if let (Some(existing), Some(out)) = (existing, &file.file) {
            // The new file gets the permissions of the old one, where the system supports that.
            let _ = out.get_ref().set_permissions(existing.permissions());
        }
        Ok(file)
    }

    fn new(path: &Path, file: File, temporary: Option<TemporaryFile>) -> Self {
        Self { path: path.to_owned(), file: Some(BufWriter::new(file)), temporary }
    }

    /// Flushes everything to the disk, which may be full. Files that belong together are all flushed before the first is
    /// put in place.
    pub(crate) fn store(&mut self) -> anyhow::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let stored = file.flush().and_then(|()| match self.temporary {
            // Some disks report that they are full only here. After a crash, the renamed file must have its content.
            Some(_) => file.get_ref().sync_all(),
            None => Ok(()),
        });
        stored.map_err(|error| cannot_write(&self.path, &error))
    }

    /// Renames the complete file to its own name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        finish_together(vec![self])
    }

    fn put_in_place(&mut self) -> anyhow::Result<()> {
        let Some(temporary) = &mut self.temporary else { return Ok(()) };
        temporary.put_in_place().map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Puts files that belong together in place. All are flushed before the first rename, and the renames follow each other
/// directly: only a process killed between two of them leaves old and new files together.
pub(crate) fn finish_together(mut files: Vec<OutputFile>) -> anyhow::Result<()> {
    files.iter_mut().try_for_each(OutputFile::store)?;
    files.iter_mut().try_for_each(OutputFile::put_in_place)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        // Data still in the buffer belongs to an abandoned file; `store` has flushed all other data.
        if let Some(file) = self.file.take() {
            drop(file.into_parts());
        }
    }
}

/// The temporary name of an incomplete file. Dropping it removes the file unless it has been put in place.
#[derive(Debug)]
struct TemporaryFile {
    path: PathBuf,
    /// Path that the complete file gets.
    target: PathBuf,
    is_in_place: bool,
}

/// Number in the next temporary name of this process.
static NEXT_NUMBER: AtomicU32 = AtomicU32::new(0);

/// Names tried before a folder counts as unusable.
const MAX_TRIES: u32 = 1_000;

impl TemporaryFile {
    /// Creates a file beside `target`. It stays locked while it is open, which distinguishes it from files that killed
    /// processes have left behind.
    fn create(target: PathBuf) -> io::Result<(Self, File)> {
        remove_abandoned(&target);
        let process = std::process::id();
        for _ in 0..MAX_TRIES {
            // A process never uses a number twice: a thread must not reuse the name of another thread's removed file.
            let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = temporary_path(&target, &format!("{process}-{number}"));
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            // Without locks, no file counts as abandoned either.
            let _ = file.lock();
            // Another process may have removed the file as abandoned before it was locked.
            if path.exists() {
                return Ok((Self { path, target, is_in_place: false }, file));
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)?;
        self.is_in_place = true;
        Ok(())
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if !self.is_in_place {
            // The caller has reported why the file is incomplete.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Extension of temporary names.
const EXTENSION: &str = "part";

/// Returns the path `.NAME.MIDDLE.part` in the folder of `target`. The dot hides it on Unix.
fn temporary_path(target: &Path, middle: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_else(|| OsStr::new("output")));
    name.push(format!(".{middle}.{EXTENSION}"));
    target.with_file_name(name)
}

/// Removes temporary files of `target` that killed processes have left behind: those are not locked.
fn remove_abandoned(target: &Path) {
    let Some(name) = target.file_name() else { return };
    let Ok(listing) = fs::read_dir(folder_of(target)) else { return };
    for path in listing.flatten().map(|item| item.path()) {
        if is_temporary_of(name, &path)
            && let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Returns whether a path is a temporary name of the file `name`.
fn is_temporary_of(name: &OsStr, path: &Path) -> bool {
    let (Some(own), Some(name)) = (path.file_name().and_then(OsStr::to_str), name.to_str()) else {
        return false;
    };
    let middle = own.strip_prefix('.').and_then(|own| own.strip_prefix(name));
    let middle = middle.and_then(|own| own.strip_prefix('.'));
    let middle = middle.and_then(|own| own.strip_suffix(EXTENSION)?.strip_suffix('.'));
    let numbers = middle.and_then(|middle| middle.split_once('-'));
    numbers.is_some_and(|(process, number)| {
        process.parse::<u32>().is_ok() && number.parse::<u32>().is_ok()
    })
}

/// Returns the folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Most links that are followed one after another.
const MAX_LINKS: usize = 40;

/// Follows symbolic links. The last target need not exist.
fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("symbolic links form a cycle"))
}

/// Refuses folders, pipes, sockets and read-only files. Renaming would replace a read-only file.
fn check_replaceable(path: &Path, existing: &Metadata) -> anyhow::Result<()> {
    if existing.is_dir() {
        bail!("{}: cannot be written: it is a folder; name a file", path.display());
    }
    if let Some(noun) = pipe_or_socket(existing).filter(|_| !is_open_file(path)) {
        bail!("{}: cannot be written: it is a {noun}; name a file", path.display());
    }
    if existing.is_file() && existing.permissions().readonly() {
        bail!(
            "{}: cannot be written: the file is read-only; make it writable or name another",
            path.display()
        );
    }
    Ok(())
}

/// Returns what a pipe or socket is called. Opening one to write waits until another process opens it to read.
#[cfg(unix)]
fn pipe_or_socket(existing: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    match existing.file_type() {
        kind if kind.is_fifo() => Some("pipe"),
        kind if kind.is_socket() => Some("socket"),
        _ => None,
    }
}

#[cfg(not(unix))]
fn pipe_or_socket(_: &Metadata) -> Option<&'static str> {
    None
}

/// Paths of the open files of a process. A pipe among them has its reader already.
const OPEN_FILES: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];

/// Returns whether a path, or the target of a link, is an open file of a process.
fn is_open_file(path: &Path) -> bool {
    let is_open = |path: &Path| OPEN_FILES.iter().any(|open| path.starts_with(open));
    is_open(path) || resolve_links(path).is_ok_and(|target| is_open(&target))
}

/// Keeps other processes of this program from putting files into a folder until it is dropped.
#[derive(Debug)]
pub(crate) struct FolderLock(
    #[allow(dead_code, reason = "dropping the file releases the lock")] Option<File>,
);

/// Waits until no other process is putting files into a folder. Where folders cannot be locked (Windows), each file is
/// still complete, but files that belong together may come from different processes.
pub(crate) fn lock_folder(folder: &Path) -> FolderLock {
    let file = File::open(folder).ok();
    FolderLock(file.filter(|file| file.lock().is_ok()))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// Names in a folder, sorted.
    fn names(folder: &TempDir) -> Vec<String> {
        let items = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> =
            items.map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_put_in_place_only_when_it_is_finished() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        for (old, new) in [(None, "first"), (Some("first"), "second, which is longer")] {
            let mut file = OutputFile::create(&path).unwrap();
            file.write_all(new.as_bytes()).unwrap();
            file.store().unwrap();
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), old);
            file.finish().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), new);
            assert_eq!(names(&folder), ["a.txt"]);
        }
    }

    #[test]
    fn an_abandoned_file_leaves_only_the_old_one() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(&vec![7; 1 << 20]).unwrap();
        assert_eq!(names(&folder).len(), 2, "the temporary file is beside it");
        drop(file);
        assert_eq!(
            (fs::read_to_string(&path).unwrap(), names(&folder)),
            ("old".into(), vec!["a.txt".into()])
        );
    }

    #[test]
    fn folders_and_read_only_files_are_not_replaced() {
        let folder = TempDir::new().unwrap();
        let error = |path: &Path| write(path, b"new").unwrap_err().to_string();
        assert!(error(folder.path()).ends_with("it is a folder; name a file"));
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(error(&path).contains("the file is read-only"), "{}", error(&path));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert!(error(&folder.path().join("no/such/a.txt")).contains("cannot be written: "));
        let error = create_folder(&path).unwrap_err().to_string();
        assert!(error.ends_with("it is a file; name a folder"), "{error}");
    }

    #[test]
    fn files_that_a_killed_process_left_behind_are_removed_and_files_in_use_are_not() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(temporary_path(&path, "4000000000-0"), "left behind").unwrap();
        for kept in [".a.txt.notes.part", ".b.txt.1-0.part", ".a.txt.1-0.part.bak"] {
            fs::write(folder.path().join(kept), "kept").unwrap();
        }
        let mut open = OutputFile::create(&path).unwrap();
        open.write_all(b"first").unwrap();
        write(&path, b"second").unwrap();
        open.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        let rest = [".a.txt.1-0.part.bak", ".a.txt.notes.part", ".b.txt.1-0.part", "a.txt"];
        assert_eq!(names(&folder), rest);
    }

    #[test]
    fn of_several_writers_at_once_one_wins_and_its_file_is_complete() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.bin");
        std::thread::scope(|scope| {
            for byte in 1..=4_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..10 {
                        write(path, &vec![byte; 50_000 + usize::from(byte)]).unwrap();
                        let read = fs::read(path).unwrap();
                        assert_eq!(read.len(), 50_000 + usize::from(read[0]));
                        assert!(read.iter().all(|other| *other == read[0]));
                    }
                });
            }
        });
        assert_eq!(names(&folder), ["a.bin"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_link_is_replaced_and_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = TempDir::new().unwrap();
        let (file, link) = (folder.path().join("a.txt"), folder.path().join("link"));
        symlink("a.txt", &link).unwrap();
        // The target does not exist yet.
        write(&link, b"first").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        write(&link, b"second").unwrap();
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("a.txt"));
        assert_eq!(fs::read_to_string(&file).unwrap(), "second");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write(&folder.path().join("circle"), b"").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_sockets_are_refused_at_once_and_devices_are_written() {
        let folder = TempDir::new().unwrap();
        let [pipe, socket, link] = ["pipe", "socket", "link"].map(|name| folder.path().join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::os::unix::fs::symlink("pipe", &link).unwrap();
        for (path, noun) in [(&pipe, "pipe"), (&link, "pipe"), (&socket, "socket")] {
            let error = write(path, b"new").unwrap_err().to_string();
            let expected = format!(": cannot be written: it is a {noun}; name a file");
            assert!(error.ends_with(&expected), "{error}");
        }
        assert_eq!(names(&folder), ["link", "pipe", "socket"]);
        write(Path::new("/dev/null"), b"new").unwrap();
    }

    #[test]
    fn files_that_belong_together_are_put_in_place_together() {
        let folder = TempDir::new().unwrap();
        let [one, other] = ["a", "b"].map(|name| folder.path().join(name));
        let files = [&one, &other].map(|path| OutputFile::create(path).unwrap());
        fs::create_dir(&other).unwrap();
        // The second rename fails; no temporary file stays behind.
        assert!(finish_together(files.into()).is_err());
        assert_eq!(names(&folder), ["a", "b"]);
        fs::remove_dir(&other).unwrap();
        let files = [&one, &other].map(|path| OutputFile::create(path).unwrap());
        finish_together(files.into()).unwrap();
        assert_eq!(names(&folder), ["a", "b"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_room_is_an_error() {
        let error = write(Path::new("/dev/full"), &[7; 100_000]).unwrap_err().to_string();
        assert!(error.starts_with("/dev/full: cannot be written: No space left"), "{error}");
    }
}
