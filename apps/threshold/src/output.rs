//! Files that the program writes. Each is written under a temporary name in its folder and renamed when it is whole:
//! an interrupt, a full disk or a second process leaves the earlier file as it was, or the new one, and never a part
//! of either.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{anyhow, bail};

/// The error for a file that cannot be written, by its name.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> anyhow::Error {
    anyhow!("{}: cannot be written: {error}", path.display())
}

/// Makes a folder and those above it.
pub(crate) fn create_folder(path: &Path) -> anyhow::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir()) {
        bail!("{}: cannot be made: there is a file of that name; name a folder", path.display());
    }
    fs::create_dir_all(path).map_err(|error| anyhow!("{}: cannot be made: {error}", path.display()))
}

/// Writes a file of these bytes, in place of an earlier one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes).map_err(|error| cannot_write(path, &error))?;
    file.finish()
}

/// A file that is being written. It takes its place with [`finish`](OutputFile::finish); dropped before, it leaves
/// nothing behind.
#[derive(Debug)]
pub(crate) struct OutputFile {
    /// As the user named it.
    path: PathBuf,
    file: Option<BufWriter<File>>,
    /// What it is called until it is whole; `None` for a device or pipe, which is written directly.
    temporary: Option<Temporary>,
}

impl OutputFile {
    /// Begins a file that will replace an earlier one. A path to a device or pipe, such as `/dev/null`, is written
    /// directly: there is nothing to keep whole.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let cannot = |error: io::Error| cannot_write(path, &error);
        let earlier = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(cannot(error)),
        };
        if let Some(earlier) = &earlier {
            check_replaceable(path, earlier)?;
            if !earlier.is_file() {
                let file = OpenOptions::new().write(true).open(path).map_err(cannot)?;
                return Ok(Self::new(path, file, None));
            }
        }
        // The file that a link leads to is replaced, and not the link.
        let place = behind_links(path).map_err(cannot)?;
        let (temporary, file) = Temporary::create(place).map_err(cannot)?;
        let file = Self::new(path, file, Some(temporary));
        if let (Some(earlier), Some(out)) = (earlier, &file.file) {
            // Who may read the file stays as it was, where the system allows that to be said.
            let _ = out.get_ref().set_permissions(earlier.permissions());
        }
        Ok(file)
    }

    fn new(path: &Path, file: File, temporary: Option<Temporary>) -> Self {
        Self { path: path.to_owned(), file: Some(BufWriter::new(file)), temporary }
    }

    /// Hands everything to the disk, which may refuse it. Files that belong together are all stored before the first
    /// takes its place.
    pub(crate) fn store(&mut self) -> anyhow::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let stored = file.flush().and_then(|()| match self.temporary {
            // A disk may be full only now; and a name must not outlive a crash that its content does not.
            Some(_) => file.get_ref().sync_all(),
            None => Ok(()),
        });
        stored.map_err(|error| cannot_write(&self.path, &error))
    }

    /// Puts the file in its place: from here on it is there, whole, whatever happens.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.store()?;
        match self.temporary.take() {
            Some(temporary) => {
                temporary.take_place().map_err(|error| cannot_write(&self.path, &error))
            }
            None => Ok(()),
        }
    }
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
        // What is still in the buffer belongs to a file that is given up, or is stored.
        if let Some(file) = self.file.take() {
            drop(file.into_parts());
        }
    }
}

/// The name of a file that is not whole yet; removes it when dropped.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    place: PathBuf,
    is_in_place: bool,
}

/// The number in the next temporary name of this process.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// How many names are tried before a folder counts as unusable.
const TRIES: u32 = 1_000;

impl Temporary {
    /// A new file beside `place`, locked as long as it is open, so that those of processes that were ended can be told
    /// from those in use.
    fn create(place: PathBuf) -> io::Result<(Self, File)> {
        remove_abandoned(&place);
        let process = std::process::id();
        for _ in 0..TRIES {
            // Never the same twice in a process: a thread must not take over the name of another's removed file.
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = named(&place, &format!("{process}-{number}"));
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            // Where there are no locks, nothing is taken for abandoned either.
            let _ = file.lock();
            // Another process may have taken it for abandoned before it was locked.
            if path.exists() {
                return Ok((Self { path, place, is_in_place: false }, file));
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn take_place(mut self) -> io::Result<()> {
        fs::rename(&self.path, &self.place)?;
        self.is_in_place = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_in_place {
            // What was begun is of no use; the reason has been said already.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// What temporary names end in.
const ENDING: &str = "part";

/// `.NAME.MIDDLE.part`, hidden where names with a dot are.
fn named(place: &Path, middle: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(place.file_name().unwrap_or_else(|| OsStr::new("output")));
    name.push(format!(".{middle}.{ENDING}"));
    place.with_file_name(name)
}

/// Removes what processes left behind that were ended while they wrote this file: no one holds its lock.
fn remove_abandoned(place: &Path) {
    let Some(name) = place.file_name() else { return };
    let Ok(listing) = fs::read_dir(folder_of(place)) else { return };
    for path in listing.flatten().map(|item| item.path()) {
        if is_temporary_of(name, &path)
            && let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Whether a path is a temporary name of the file `name`.
fn is_temporary_of(name: &OsStr, path: &Path) -> bool {
    let (Some(own), Some(name)) = (path.file_name().and_then(OsStr::to_str), name.to_str()) else {
        return false;
    };
    let middle = own.strip_prefix('.').and_then(|own| own.strip_prefix(name));
    let middle = middle.and_then(|own| own.strip_prefix('.'));
    let middle = middle.and_then(|own| own.strip_suffix(ENDING)?.strip_suffix('.'));
    let numbers = middle.and_then(|middle| middle.split_once('-'));
    numbers.is_some_and(|(process, number)| {
        process.parse::<u32>().is_ok() && number.parse::<u32>().is_ok()
    })
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Links that are followed one after the other.
const MAX_LINKS: usize = 40;

/// Where a path leads, through links to files that need not be there.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("a link that leads to itself"))
}

/// Renaming replaces files that could not have been written to.
fn check_replaceable(path: &Path, earlier: &Metadata) -> anyhow::Result<()> {
    if earlier.is_dir() {
        bail!("{}: cannot be written: it is a folder; name a file", path.display());
    }
    if earlier.is_file() && earlier.permissions().readonly() {
        bail!(
            "{}: cannot be written: the file is read-only; make it writable or name another",
            path.display()
        );
    }
    Ok(())
}

/// Keeps other processes of this program from putting files into a folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct FolderLock(
    #[allow(dead_code, reason = "the lock goes with the file")] Option<File>,
);

/// Waits until no other process is putting files into this folder. Where the system has no locks on folders (Windows),
/// each file is still whole, but of files that belong together one may be of another process.
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
    fn a_file_takes_its_place_only_when_it_is_finished() {
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
    fn a_file_that_is_given_up_leaves_the_old_one_and_nothing_else() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(&vec![7; 1 << 20]).unwrap();
        assert_eq!(names(&folder).len(), 2, "what is begun is beside it");
        drop(file);
        assert_eq!(
            (fs::read_to_string(&path).unwrap(), names(&folder)),
            ("old".into(), vec!["a.txt".into()])
        );
    }

    #[test]
    fn what_cannot_be_replaced_is_refused_with_a_reason() {
        let folder = TempDir::new().unwrap();
        let said = |path: &Path| write(path, b"new").unwrap_err().to_string();
        assert!(said(folder.path()).ends_with("it is a folder; name a file"));
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(said(&path).contains("the file is read-only"), "{}", said(&path));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert!(said(&folder.path().join("no/such/a.txt")).contains("cannot be written: "));
        let said = create_folder(&path).unwrap_err().to_string();
        assert!(said.ends_with("there is a file of that name; name a folder"), "{said}");
    }

    #[test]
    fn what_an_ended_process_left_behind_is_removed_and_what_is_being_written_is_not() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(named(&path, "4000000000-0"), "left behind").unwrap();
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
    fn of_two_writers_at_once_one_wins_and_its_file_is_whole() {
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
    fn the_file_behind_a_link_is_replaced_with_its_permissions_and_the_link_stays() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = TempDir::new().unwrap();
        let (file, link) = (folder.path().join("a.txt"), folder.path().join("link"));
        symlink("a.txt", &link).unwrap();
        // There is nothing there yet.
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
    fn a_pipe_is_written_directly_and_stays_a_pipe() {
        use std::os::unix::fs::FileTypeExt;
        let folder = TempDir::new().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_without_room_is_an_error() {
        let said = write(Path::new("/dev/full"), &[7; 100_000]).unwrap_err().to_string();
        assert!(said.starts_with("/dev/full: cannot be written: No space left"), "{said}");
    }
}
