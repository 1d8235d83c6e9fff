//! Files that are complete or not there.

use std::fs;

use emberwalk::output_file::{OutputFile, write_new};

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

/// A program that is stopped while it writes removes nothing, so there must be nothing with a name.
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
