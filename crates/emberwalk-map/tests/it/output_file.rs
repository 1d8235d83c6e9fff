//! Atomic writes: files are complete or unchanged.

use std::fs;

use emberwalk_map::output_file::{OutputFile, reason, write_new};

#[test]
fn a_file_that_is_not_committed_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.ron");
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    drop(OutputFile::new(&path).unwrap().stage(b"new").unwrap());
    assert!(names().is_empty());
    OutputFile::new(&path).unwrap().write(b"old").unwrap();
    drop(OutputFile::new(&path).unwrap().stage(b"new").unwrap());
    assert_eq!((names(), fs::read(&path).unwrap()), (vec!["out.ron".into()], b"old".to_vec()));
    let output = OutputFile::new(&path).unwrap();
    output.stage(b"new").unwrap().commit().unwrap();
    assert_eq!((names(), fs::read(&path).unwrap()), (vec!["out.ron".into()], b"new".to_vec()));
}

#[test]
fn a_stream_is_at_its_path_when_it_is_finished() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.json");
    for old in [None, Some("old, and longer than the new content")] {
        if let Some(old) = old {
            fs::write(&path, old).unwrap();
        }
        let output = OutputFile::new(&path).unwrap();
        let mut stream = output.stream().unwrap();
        write!(stream, "one ").unwrap();
        drop(stream);
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), old, "it was not finished");
        let mut stream = output.stream().unwrap();
        for word in ["one ", "two"] {
            write!(stream, "{word}").unwrap();
        }
        stream.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::remove_file(&path).unwrap();
    }
}

/// A program that is killed while it writes removes nothing, so it must not have created a named file.
#[cfg(target_os = "linux")]
#[test]
fn a_file_has_no_name_while_it_is_written() {
    use std::os::unix::fs::OpenOptionsExt;
    const O_TMPFILE: i32 = 0o20_200_000;
    let folder = tempfile::tempdir().unwrap();
    if fs::OpenOptions::new().write(true).custom_flags(O_TMPFILE).open(folder.path()).is_err() {
        eprintln!("not tested: this file system has no files without a name");
        return;
    }
    let path = folder.path().join("out.ron");
    let output = OutputFile::new(&path).unwrap();
    let staged = output.stage(b"whole").unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    staged.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"whole");
}

#[test]
fn a_new_file_gets_the_first_free_name() {
    let folder = tempfile::tempdir().unwrap();
    let paths = || (1..=3).map(|number| folder.path().join(format!("shot-{number}.png")));
    fs::write(folder.path().join("shot-2.png"), b"old").unwrap();
    let written: Vec<_> = (0..3).map(|_| write_new(paths(), b"new").unwrap()).collect();
    let [first, _, third]: [_; 3] = paths().collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(written, [Some(first), Some(third), None]);
    assert_eq!(fs::read(folder.path().join("shot-2.png")).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    assert!(write_new([folder.path().join("no/shot.png")], b"new").is_err());
}

/// Whether permissions are ignored, because the user is the superuser.
#[cfg(unix)]
fn permissions_are_ignored(folder: &std::path::Path) -> bool {
    fs::write(folder.join("probe"), b"").is_ok_and(|()| fs::remove_file(folder.join("probe")).is_ok())
}

#[cfg(unix)]
#[test]
fn what_cannot_be_saved_leaves_the_old_file_whole() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let set_mode = |path: &std::path::Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let maps = folder.path().join("maps");
    fs::create_dir(&maps).unwrap();
    let path = maps.join("map.ron");
    fs::write(&path, b"old").unwrap();
    let save = || OutputFile::new(&path).and_then(|output| output.write(b"new"));
    let refused = || reason(&save().unwrap_err());

    set_mode(&path, 0o444);
    assert_eq!(refused(), "it is read-only");
    set_mode(&path, 0o640);
    assert_eq!(fs::read(&path).unwrap(), b"old");

    // The file can be changed where the folder cannot.
    set_mode(&maps, 0o555);
    save().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    if !permissions_are_ignored(&maps) {
        let new = OutputFile::new(&maps.join("other.ron"));
        assert_eq!(reason(&new.unwrap_err()), "you are not allowed to write there");
    }
    set_mode(&maps, 0o755);

    // A link to a file in another folder stays a link, and the file keeps its permissions.
    let link = folder.path().join("link.ron");
    symlink(&path, &link).unwrap();
    OutputFile::new(&link).unwrap().write(b"newer").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"newer");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(&maps).unwrap().count(), 1, "nothing else is left");

    // The folder vanishes before the save, and between its two steps.
    let output = OutputFile::new(&path).unwrap();
    let staged = output.stage(b"lost").unwrap();
    fs::rename(&maps, folder.path().join("moved")).unwrap();
    assert!(staged.commit().is_err());
    assert_eq!(reason(&output.write(b"lost").unwrap_err()), "its folder does not exist");
    assert_eq!(refused(), "its folder does not exist");
    assert_eq!(fs::read(folder.path().join("moved/map.ron")).unwrap(), b"newer");
    assert_eq!(fs::read_dir(folder.path().join("moved")).unwrap().count(), 1);
    fs::write(&maps, b"a file").unwrap();
    assert_eq!(refused(), "its folder is a file");
}

/// Only the superuser can mount a file system of a few kilobytes, in a separate namespace.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file_whole() {
    const INSIDE: &str = "EMBERWALK_TEST_FULL_DISK";
    if let Some(folder) = std::env::var_os(INSIDE) {
        let path = std::path::Path::new(&folder).join("map.ron");
        fs::write(&path, b"old").unwrap();
        let output = OutputFile::new(&path).unwrap();
        let error = output.write(&vec![b'x'; 1 << 20]).unwrap_err();
        assert_eq!(reason(&error), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        output.write(b"new").unwrap();
        // The folder is read-only, so the content of the file is replaced.
        let inside = path.parent().unwrap().join("inside");
        fs::create_dir(&inside).unwrap();
        let path = inside.join("map.ron");
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&inside, std::os::unix::fs::PermissionsExt::from_mode(0o555)).unwrap();
        let output = OutputFile::new(&path).unwrap();
        assert_eq!(reason(&output.write(&vec![b'x'; 1 << 20]).unwrap_err()), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        for content in [&b"longer"[..], b"new", b""] {
            output.write(content).unwrap();
            assert_eq!(fs::read(&path).unwrap(), content);
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let name = "output_file::a_full_disk_leaves_the_old_file_whole";
    let script = r#"mount -t tmpfs -o size=64k tmpfs "$0" 2>/dev/null || exit 77; exec "$1" --exact "$2""#;
    let program = std::env::current_exe().unwrap();
    let mut unshare = std::process::Command::new("unshare");
    unshare
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(folder.path())
        .arg(program)
        .arg(name);
    let output = unshare.env(INSIDE, folder.path()).output();
    match output.map(|output| (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())) {
        Ok((Some(0), _)) => {}
        // The test has run, and failed.
        Ok((_, told)) if told.contains("running 1 test") => panic!("{told}"),
        _ => eprintln!("not tested: no file system can be mounted here"),
    }
}
