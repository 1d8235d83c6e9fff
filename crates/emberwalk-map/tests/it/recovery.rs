//! The recovery file: after a crash, it is found again, complete, once, and for the right map.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use emberwalk_map::editing::{FoundRecoveries, MapOrigin, Recovery, RecoveryFile, find_recoveries};

const SOURCE: &str = "(name: \"x\", base: [\"GGGGGG\"], overlay: [\"1....2\"])";
const ORIGIN: &MapOrigin = &MapOrigin::Unnamed("valley");

/// The text that would be saved after this number of strokes.
fn painted(strokes: usize) -> String {
    SOURCE.replacen("G", "S", strokes)
}

fn pack(strokes: usize) -> Vec<u8> {
    Recovery::pack("x", SOURCE, painted(strokes).as_bytes(), strokes).unwrap()
}

/// A window: its recovery file, and the number of strokes in it.
struct Window {
    file: RecoveryFile,
    strokes: usize,
}

impl Window {
    fn open(folder: &Path, origin: &MapOrigin) -> Self {
        Self { file: RecoveryFile::create(folder, origin, &pack(1)).unwrap(), strokes: 1 }
    }

    fn paint(&mut self) {
        self.strokes += 1;
        self.file.replace(&pack(self.strokes)).unwrap();
    }
}

fn files_in(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// The numbers of strokes that are found.
fn strokes(recoveries: &FoundRecoveries) -> Vec<usize> {
    recoveries.found.iter().map(|found| found.recovery.strokes).collect()
}

#[test]
fn what_a_crash_leaves_is_offered_once() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state/emberwalk");
    let find = || find_recoveries(&state, ORIGIN, SOURCE);
    assert!(find().found.is_empty() && !find().is_latest_locked, "there is no folder yet");
    let mut window = Window::open(&state, ORIGIN);
    window.paint();
    assert!(find().found.is_empty() && find().is_latest_locked, "the window is still open");
    drop(window);
    assert!(find_recoveries(&state, &MapOrigin::Unnamed("road"), SOURCE).found.is_empty(), "another map");
    let found = find();
    assert_eq!(strokes(&found), [2]);
    assert!(find().found.is_empty(), "another window offers it");
    drop(found);
    let found = find().found.pop().unwrap();
    assert_eq!((found.recovery.text.clone(), found.recovery.is_of(SOURCE)), (painted(2), true));
    found.file.discard().unwrap();
    assert!(find().found.is_empty());
    assert_eq!(files_in(&state), 0, "a map that is discarded leaves no file");
}

#[test]
fn what_was_saved_before_the_crash_is_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN);
    window.paint();
    drop(window);
    assert!(find_recoveries(folder.path(), ORIGIN, &painted(2)).found.is_empty());
    assert_eq!(files_in(folder.path()), 0);
    let window = Window::open(folder.path(), ORIGIN);
    window.file.discard().unwrap();
    assert_eq!(files_in(folder.path()), 0);
}

#[test]
fn a_damaged_file_is_noticed() {
    let bytes = pack(3);
    assert_eq!(Recovery::unpack(&bytes).unwrap().text, painted(3));
    for length in 0..bytes.len() {
        assert_eq!(Recovery::unpack(&bytes[..length]), None, "{length}");
    }
    // The number of strokes and the map's name are only for display, and the hash of the base only selects the
    // question.
    let text = painted(3);
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            assert!(Recovery::unpack(&flipped).is_none_or(|recovery| recovery.text == text), "{at} {bit}");
        }
    }
    assert_eq!(Recovery::unpack(b""), None);
}

#[test]
fn a_file_that_is_another_one_by_now_is_told() {
    let folder = tempfile::tempdir().unwrap();
    drop(Window::open(folder.path(), ORIGIN));
    let found = find_recoveries(folder.path(), ORIGIN, "(name: \"y\", base: [\"G\"], overlay: [\".\"])").found;
    assert_eq!((found.len(), found[0].recovery.is_of(SOURCE)), (1, true));
    assert!(!found[0].recovery.is_of("(name: \"y\", base: [\"G\"], overlay: [\".\"])"));
}

#[test]
fn two_windows_on_one_map_have_a_file_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("map.ron");
    fs::write(&file, SOURCE).unwrap();
    let origin = &MapOrigin::File(file.clone());
    let state = folder.path().join("state");
    let find = |origin: &MapOrigin| find_recoveries(&state, origin, SOURCE);
    let first = Window::open(&state, origin);
    let mut second = Window::open(&state, origin);
    second.paint();
    drop(second);
    let found = find(origin);
    assert_eq!(strokes(&found), [2]);
    drop((found, first));
    let mut counts = strokes(&find(origin));
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.ron");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(find(&MapOrigin::File(link.clone())).found.len(), 2, "another path to the same file");
    }
    assert!(find(&MapOrigin::File(folder.path().join("other.ron"))).found.is_empty());
}

/// While one thread replaces a file again and again, other threads look for it: they never see a part of it, and never
/// take it away.
#[test]
fn a_file_that_is_being_replaced_is_locked_and_whole_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN);
    let content = Recovery::pack("x", SOURCE, "long ".repeat(100_000).as_bytes(), 9).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| (0..200).for_each(|_| window.file.replace(&content).unwrap()));
        while !writer.is_finished() {
            assert!(find_recoveries(folder.path(), ORIGIN, SOURCE).found.is_empty());
        }
    });
    assert_eq!(files_in(folder.path()), 1);
    drop(window);
    assert_eq!(strokes(&find_recoveries(folder.path(), ORIGIN, SOURCE)), [9]);
}

#[test]
fn what_a_killed_window_was_writing_is_removed_after_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let window = Window::open(folder.path(), ORIGIN);
    let unfinished = window.file.path().with_extension("part");
    drop(window);
    fs::write(&unfinished, "half").unwrap();
    assert_eq!(strokes(&find_recoveries(folder.path(), ORIGIN, SOURCE)), [1]);
    assert!(unfinished.exists(), "it may still be written");
    set_age(&unfinished, 100);
    assert_eq!(strokes(&find_recoveries(folder.path(), ORIGIN, SOURCE)), [1]);
    assert!(!unfinished.exists());
}

fn set_age(file: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(file).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

#[test]
fn foreign_files_and_those_of_older_versions_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let window = Window::open(folder.path(), ORIGIN);
    let path = window.file.path().to_owned();
    drop(window);
    let name = path.file_name().unwrap().to_str().unwrap();
    let older = b"Emberwalk recovery 1\n\x05\0\0\0";
    for (number, content) in [&b""[..], older, b"something else", &pack(1)[..25]].iter().enumerate() {
        fs::write(path.with_file_name(name.replacen('-', &format!("-{number}"), 1)), content).unwrap();
    }
    assert_eq!(find_recoveries(folder.path(), ORIGIN, SOURCE).found.len(), 1);
    assert_eq!(files_in(folder.path()), 5);
}

/// Looks on a separate thread, in case it never ends.
fn find_within_seconds(folder: &Path) -> usize {
    let (sender, receiver) = std::sync::mpsc::channel();
    let folder = folder.to_owned();
    std::thread::spawn(move || sender.send(find_recoveries(&folder, ORIGIN, SOURCE).found.len()));
    receiver.recv_timeout(Duration::from_secs(20)).expect("it looks into regular files of a reasonable length only")
}

#[cfg(unix)]
#[test]
fn pipes_links_folders_and_huge_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let window = Window::open(folder.path(), ORIGIN);
    let path = window.file.path().to_owned();
    drop(window);
    let name = path.file_name().unwrap().to_str().unwrap();
    let other = |number: u32| path.with_file_name(name.replacen('-', &format!("-{number}"), 1));
    let made = std::process::Command::new("mkfifo").arg(other(1)).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink(other(1), other(2)).unwrap();
    std::os::unix::fs::symlink("/dev/zero", other(3)).unwrap();
    fs::create_dir(other(4)).unwrap();
    // A sparse file of a terabyte takes no space.
    fs::copy(&path, other(5)).unwrap();
    fs::File::options().write(true).open(other(5)).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(find_within_seconds(folder.path()), 1);
    assert_eq!(files_in(folder.path()), 6);
}

#[test]
fn a_later_file_that_is_still_locked_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let look = || {
        let looked = find_recoveries(folder.path(), ORIGIN, SOURCE);
        (looked.found.len(), looked.is_latest_locked)
    };
    let first = Window::open(folder.path(), ORIGIN);
    let first_path = first.file.path().to_owned();
    drop(first);
    let second = Window::open(folder.path(), ORIGIN);
    set_age(&first_path, 100);
    assert_eq!(look(), (1, true));
    set_age(second.file.path(), 200);
    assert_eq!(look(), (1, false), "an older one does not count");
    drop(second);
    assert_eq!(look(), (2, false));
}

#[test]
fn a_state_folder_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    assert!(RecoveryFile::create(&file.join("emberwalk"), ORIGIN, &pack(1)).is_err());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let state = folder.path().join("state");
        let mut window = Window::open(&state, ORIGIN);
        window.paint();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&state), mode(window.file.path())), (0o700, 0o600), "only the user can read the strokes");
    }
}
