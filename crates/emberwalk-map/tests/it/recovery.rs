//! The recovery file: what a crash leaves is found again, whole, once, and for the right map.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use emberwalk_map::editing::{History, MapOrigin, Recovery, RecoveryLog, find_recoveries};
use emberwalk_map::{CellEdit, Edges, Map};
use emberwalk_path::grid::Cell;

use crate::support::tileset;

const SOURCE: &str = "(name: \"x\", base: [\"GGGGGG\", \"GGGGGG\"], overlay: [\"1.....\", \".....2\"])";
const ORIGIN: MapOrigin<'_> = MapOrigin::Unnamed("valley");

fn parse(source: &[u8]) -> Map {
    let text = std::str::from_utf8(source).unwrap();
    Map::parse("x.ron", text, &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))
}

/// A window: a map, its history and its recovery file.
struct Window {
    map: Map,
    history: History,
    log: RecoveryLog,
}

impl Window {
    fn open(folder: &Path, origin: MapOrigin<'_>, source: &str) -> Self {
        let log = RecoveryLog::create(folder, origin, source.as_bytes()).unwrap();
        Self { map: parse(source.as_bytes()), history: History::new(), log }
    }

    fn record(&mut self) {
        self.log.append(&self.history.take_steps()).unwrap();
    }

    fn paint(&mut self, x: i32, char: char) {
        let edit = CellEdit::base(Cell::new(x, 0), tileset().find(char).unwrap());
        self.history.apply(&mut self.map, &[edit]).unwrap();
        self.history.finish_stroke(&self.map);
        self.record();
    }

    fn undo(&mut self) {
        self.history.undo(&mut self.map).unwrap().unwrap();
        self.record();
    }

    fn redo(&mut self) {
        self.history.redo(&mut self.map).unwrap().unwrap();
        self.record();
    }

    /// Saves the map; returns the content of the file.
    fn save(&mut self, before: &[u8]) -> Vec<u8> {
        let source = self.map.patch("x.ron", before).unwrap();
        self.log.note_saving(&source).unwrap();
        self.history.mark_saved();
        source
    }

    /// Returns the content of the recovery file after a crash.
    fn crash(self) -> Vec<u8> {
        fs::read(self.log.path()).unwrap()
    }
}

/// Returns the map after the recovery of what is in a recovery file, and the number of steps.
fn restored(bytes: &[u8], present: &[u8]) -> (Map, usize) {
    let Recovery { steps, other_source } = Recovery::read(bytes, present).unwrap();
    let (mut map, mut history) = (parse(other_source.as_deref().unwrap_or(present)), History::new());
    for step in &steps {
        history.replay(&mut map, step).unwrap();
    }
    assert_eq!(history.len(), steps.len());
    (map, steps.len())
}

#[test]
fn what_a_crash_leaves_is_offered_once() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state/emberwalk");
    let look = || find_recoveries(&state, ORIGIN, SOURCE.as_bytes());
    let find = || look().found;
    assert!(find().is_empty() && !look().is_latest_locked, "there is no folder yet");
    let mut window = Window::open(&state, ORIGIN, SOURCE);
    window.paint(1, 'S');
    window.paint(2, 'D');
    window.paint(3, '~');
    window.undo();
    assert!(find().is_empty() && look().is_latest_locked, "the window is still open");
    let expected = window.map.clone();
    drop(window);
    assert!(find_recoveries(&state, MapOrigin::Unnamed("road"), SOURCE.as_bytes()).found.is_empty(), "another map");
    let found = find();
    assert_eq!((found.len(), found[0].recovery.steps.len()), (1, 2));
    assert!(find().is_empty(), "another window offers it");
    drop(found);
    let found = find().pop().unwrap();
    let (mut map, mut history) = (parse(SOURCE.as_bytes()), History::new());
    for step in &found.recovery.steps {
        history.replay(&mut map, step).unwrap();
    }
    assert!(map.is_same(&expected) && history.is_unsaved());
    found.discard().unwrap();
    assert!(find().is_empty());
    assert_eq!(fs::read_dir(&state).unwrap().count(), 0, "a map that is discarded leaves no file");
}

#[test]
fn a_saved_map_leaves_no_recovery_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    window.paint(1, 'S');
    window.log.discard().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // What was undone before a crash need not be offered.
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    window.paint(1, 'S');
    window.undo();
    drop(window);
    assert!(find_recoveries(folder.path(), ORIGIN, SOURCE.as_bytes()).found.is_empty());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn every_torn_tail_loses_only_the_last_stroke() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    let mut states = vec![(fs::metadata(window.log.path()).unwrap().len() as usize, window.map.clone(), 0)];
    for number in 0..4 {
        window.paint(number, 'S');
        states.push((fs::metadata(window.log.path()).unwrap().len() as usize, window.map.clone(), number as usize + 1));
    }
    let bytes = window.crash();
    for length in 0..=bytes.len() {
        let torn = &bytes[..length];
        match states.iter().rfind(|(end, ..)| *end <= length) {
            None => assert_eq!(Recovery::read(torn, SOURCE.as_bytes()), None, "{length}"),
            Some((_, map, count)) => {
                let (restored, steps) = restored(torn, SOURCE.as_bytes());
                assert!(restored.is_same(map) && steps == *count, "{length}");
                // What the disk has after the tail is noise.
                let noise = [torn, &[0xff; 40]].concat();
                assert_eq!(Recovery::read(&noise, SOURCE.as_bytes()).unwrap().steps.len(), *count, "{length}");
            }
        }
    }
    // A bit that has changed is noticed: nothing after it is used.
    for at in states[0].0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        let (_, _, count) = states.iter().rfind(|(end, ..)| *end <= at).unwrap();
        assert_eq!(Recovery::read(&flipped, SOURCE.as_bytes()).unwrap().steps.len(), *count, "{at}");
    }
}

#[test]
fn undo_and_redo_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    let check = |window: &Window, present: &[u8], count: usize| {
        let (map, steps) = restored(&fs::read(window.log.path()).unwrap(), present);
        assert!(map.is_same(&window.map), "{}\n{}", map.to_ron(), window.map.to_ron());
        assert_eq!(steps, count);
    };
    for (x, char) in [(1, 'S'), (2, 'D'), (3, '~')] {
        window.paint(x, char);
    }
    window.undo();
    window.undo();
    check(&window, SOURCE.as_bytes(), 1);
    window.redo();
    check(&window, SOURCE.as_bytes(), 2);
    window.paint(4, 'S');
    window
        .history
        .resize(&mut window.map, Edges { west: 1, ..Edges::default() }, tileset().find('D').unwrap())
        .unwrap();
    window.history.set_name_and_about(&mut window.map, "new".into(), Some("a map".into()));
    window.record();
    check(&window, SOURCE.as_bytes(), 5);
    // From here on, the file is the saved one.
    let saved = window.save(SOURCE.as_bytes());
    check(&window, &saved, 0);
    window.undo();
    window.undo();
    window.undo();
    check(&window, &saved, 3);
    window.redo();
    check(&window, &saved, 2);
    window.paint(5, '~');
    assert!(window.history.is_unsaved());
    check(&window, &saved, 3);
    window.paint(1, 'D');
    check(&window, &saved, 4);
    // If the program was killed before the file was replaced, the strokes still apply to the old one.
    check(&window, SOURCE.as_bytes(), 5);
}

#[test]
fn a_file_that_is_another_one_by_now_is_not_overwritten_by_old_strokes() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    window.paint(1, 'S');
    let expected = window.map.clone();
    drop(window);
    let other = "(name: \"y\", base: [\"G\"], overlay: [\".\"])";
    let found = find_recoveries(folder.path(), ORIGIN, other.as_bytes()).found.pop().unwrap();
    assert_eq!(found.recovery.other_source.as_deref(), Some(SOURCE.as_bytes()));
    let bytes = {
        drop(found);
        let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        fs::read(file).unwrap()
    };
    let (map, steps) = restored(&bytes, other.as_bytes());
    assert!(map.is_same(&expected) && steps == 1);
}

#[test]
fn two_windows_on_one_map_have_a_file_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("map.ron");
    fs::write(&file, SOURCE).unwrap();
    let origin = MapOrigin::File(&file);
    let state = folder.path().join("state");
    let find = |origin: MapOrigin<'_>| find_recoveries(&state, origin, SOURCE.as_bytes()).found;
    let (mut first, mut second) = (Window::open(&state, origin, SOURCE), Window::open(&state, origin, SOURCE));
    first.paint(1, 'S');
    second.paint(2, 'D');
    second.paint(3, 'D');
    drop(second);
    let found = find(origin);
    assert_eq!(found.iter().map(|found| found.recovery.steps.len()).collect::<Vec<_>>(), [2]);
    drop((found, first));
    let mut counts: Vec<_> = find(origin).iter().map(|found| found.recovery.steps.len()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2]);
    #[cfg(unix)]
    {
        let link = folder.path().join("link.ron");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(find(MapOrigin::File(&link)).len(), 2, "another path to the same file");
    }
    assert!(find(MapOrigin::File(&folder.path().join("other.ron"))).is_empty());
}

#[test]
fn foreign_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    window.paint(1, 'S');
    let path = window.log.path().to_owned();
    let bytes = window.crash();
    let name = path.file_name().unwrap().to_str().unwrap();
    for (number, content) in [&b""[..], b"Emberwalk recovery 2\n", b"something else", &bytes[..25]].iter().enumerate() {
        fs::write(path.with_file_name(name.replacen('-', &format!("-{number}"), 1)), content).unwrap();
    }
    assert_eq!(find_recoveries(folder.path(), ORIGIN, SOURCE.as_bytes()).found.len(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
    assert_eq!(Recovery::read(b"", b""), None);
}

/// Looks on a thread of its own, in case that it never ends.
fn find_within_seconds(folder: &Path) -> usize {
    let (sender, receiver) = std::sync::mpsc::channel();
    let folder = folder.to_owned();
    std::thread::spawn(move || sender.send(find_recoveries(&folder, ORIGIN, SOURCE.as_bytes()).found.len()));
    receiver.recv_timeout(Duration::from_secs(20)).expect("it looks into regular files of a reasonable length only")
}

#[cfg(unix)]
#[test]
fn pipes_links_folders_and_huge_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    window.paint(1, 'S');
    let path = window.log.path().to_owned();
    let bytes = window.crash();
    let name = path.file_name().unwrap().to_str().unwrap();
    let other = |number: u32| path.with_file_name(name.replacen('-', &format!("-{number}"), 1));
    let made = std::process::Command::new("mkfifo").arg(other(1)).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink(other(1), other(2)).unwrap();
    std::os::unix::fs::symlink("/dev/zero", other(3)).unwrap();
    fs::create_dir(other(4)).unwrap();
    // A hole of a terabyte takes no room.
    let mut huge = fs::File::create(other(5)).unwrap();
    std::io::Write::write_all(&mut huge, &bytes).unwrap();
    huge.set_len(1 << 40).unwrap();
    assert_eq!(find_within_seconds(folder.path()), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
}

#[test]
fn a_later_file_that_is_still_locked_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let look = || find_recoveries(folder.path(), ORIGIN, SOURCE.as_bytes());
    let mut first = Window::open(folder.path(), ORIGIN, SOURCE);
    first.paint(1, 'S');
    let first_path = first.log.path().to_owned();
    drop(first);
    let mut second = Window::open(folder.path(), ORIGIN, SOURCE);
    second.paint(1, 'S');
    second.paint(2, 'D');
    let set_age = |seconds| {
        let file = fs::File::options().write(true).open(&first_path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    };
    set_age(100);
    assert_eq!((look().found.len(), look().is_latest_locked), (1, true));
    let second_path = second.log.path().to_owned();
    fs::File::options()
        .write(true)
        .open(&second_path)
        .unwrap()
        .set_modified(SystemTime::now() - Duration::from_secs(200))
        .unwrap();
    assert_eq!((look().found.len(), look().is_latest_locked), (1, false), "an older one does not count");
    drop(second);
    assert_eq!((look().found.len(), look().is_latest_locked), (2, false));
}

#[test]
fn a_file_without_steps_does_not_stay() {
    let folder = tempfile::tempdir().unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let mut window = Window::open(folder.path(), ORIGIN, SOURCE);
    assert_eq!(files(), 1);
    window.save(SOURCE.as_bytes());
    drop(window);
    assert_eq!(files(), 0);
    let window = Window::open(folder.path(), ORIGIN, SOURCE);
    window.log.discard().unwrap();
    assert_eq!(files(), 0);
}

#[test]
fn a_state_folder_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    assert!(RecoveryLog::create(&file.join("emberwalk"), ORIGIN, SOURCE.as_bytes()).is_err());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let state = folder.path().join("state");
        let window = Window::open(&state, ORIGIN, SOURCE);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&state), mode(window.log.path())), (0o700, 0o600), "only the user can read the strokes");
    }
}
