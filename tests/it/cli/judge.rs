//! `emberwalk judge`: programs that are right, wrong, broken, or never end.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{program, run_in, run_with_input};
use crate::support::file;

/// Judges a shell script as the program, on a problem.
fn judge(folder: &Path, problem: &str, options: &[&str], script: &str) -> (Value, Output) {
    let args = [["judge", problem, "--json"].as_slice(), options, &["--", "sh", "-c", script]].concat();
    let output = run_in(folder, &args);
    (serde_json::from_slice(&output.stdout).unwrap_or_default(), output)
}

fn first_name(report: &Value) -> &str {
    report["problems"][0]["mistakes"][0]["name"].as_str().unwrap_or("none")
}

#[test]
fn broken_programs_are_told_and_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let exhausted = r#"echo '{"event":"exhausted"}'"#;
    for (script, name) in [
        ("echo oops >&2; exit 3", "crashed"),
        ("kill -SEGV $$", "crashed"),
        ("printf '{\"event\":\"op'; kill -SEGV $$", "crashed"),
        ("printf '{\"event\":\"op'", "not-understood"),
        ("true", "silent"),
        ("echo hello; cat > /dev/null", "silent"),
        ("head -c 200000000 /dev/zero | tr '\\0' '{'", "not-understood"),
        ("echo '{\"event\":'", "not-understood"),
        ("echo '{\"event\":\"opened\",\"cell\":[0.5,1]}'", "not-understood"),
        ("echo '{\"event\":\"opened\",\"cell\":[1,1],\"g\":NaN}'", "not-understood"),
        ("echo '{\"event\":\"opend\",\"cell\":[1,1]}'", "not-understood"),
        ("echo '{\"event\":\"opened\",\"cell\":[-999999999,1],\"g\":-1e300}'", "bad-start"),
        (exhausted, "missed-route"),
    ] {
        let (report, output) = judge(folder.path(), "open field", &["--time-limit", "3600"], script);
        assert_eq!((first_name(&report), output.status.code()), (name, Some(1)), "{script}: {report}");
    }
    for script in
        ["sleep 3600", "printf '{\"event\":\"op'; sleep 3600", "yes", "yes '{\"event\":\"closed\",\"cell\":[1,1]}'"]
    {
        let (report, output) = judge(folder.path(), "open field", &["--time-limit", "1"], script);
        assert_eq!((first_name(&report), output.status.code()), ("timed-out", Some(1)), "{script}: {report}");
    }
    let marker = folder.path().join("alive");
    let script = format!("(sleep 2; touch {}) & {exhausted}", marker.display());
    judge(folder.path(), "no route", &[], &script);
    std::thread::sleep(Duration::from_secs(3));
    assert!(!marker.exists(), "a program that was started in the background is ended");
}

#[test]
fn an_answer_is_judged_although_another_session_keeps_the_output_open() {
    if Command::new("setsid").arg("--version").output().is_err() {
        eprintln!("ignored: setsid is not installed");
        return;
    }
    for (command, answer, name, words) in [
        ("sleep 60", "echo '{\"event\":\"exhausted\"}'", "none", ""),
        ("yes", "echo '{\"event\":\"exhausted\"}'", "none", ""),
        ("sleep 60", "echo oops >&2; exit 3", "crashed", "its last words: oops"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(
            "setsid sh -c 'echo $$ > part; mv part id; exec {command}' & while [ ! -e id ]; do sleep 0.01; done; {answer}"
        );
        let begin = Instant::now();
        let (report, output) = judge(folder.path(), "no route", &["--time-limit", "3600"], &script);
        let id = fs::read_to_string(folder.path().join("id")).unwrap();
        let _ = Command::new("kill").arg(id.trim()).stderr(Stdio::null()).status();
        assert_eq!(first_name(&report), name, "{command}: {report}");
        assert!(report.to_string().contains(words), "{report}");
        assert_eq!(output.status.code(), Some(i32::from(name != "none")));
        assert!(begin.elapsed() < Duration::from_secs(50), "it waits for {command}");
    }
}

#[test]
fn programs_that_cannot_be_started_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    for (args, words) in [
        (
            ["judge", "--", "./no-such-program"].as_slice(),
            "./no-such-program cannot be started: there is no such program",
        ),
        (&["judge"], "give the program after --"),
        (&["judge", "--trace", "-"], "judged on one map"),
        (&["judge", "no-such-map", "--", "true"], "no-such-map"),
        (&["judge", "--starter", "cobol"], "possible values: python, javascript, cpp, java, rust"),
    ] {
        let output = run_in(folder.path(), args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(words), "{args:?}: {error}");
    }
}

#[test]
fn a_trace_is_judged_from_a_file_and_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["route", "valley", "--algorithm", "astar", "--trace", "t.jsonl"];
    assert!(run_in(folder.path(), &args).status.success());
    assert!(run_in(folder.path(), &["judge", "valley", "--trace", "t.jsonl"]).status.success());
    let trace = fs::read(folder.path().join("t.jsonl")).unwrap();
    let output = run_with_input(folder.path(), &["judge", "valley", "--trace", "-"], &trace);
    assert!(String::from_utf8(output.stdout).unwrap().contains("right: cost 9.828"));
    let other = run_with_input(folder.path(), &["judge", "figures/road", "--trace", "-", "--json"], &trace);
    let report: Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!((other.status.code(), first_name(&report)), (Some(1), "bad-start"), "it is of another map");
}

/// Judges a starter, if the programs that it needs are there.
#[track_caller]
fn check_starter(language: &str, name: &str, build: &[&str], run: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let starter = run_in(folder.path(), &["judge", "--starter", language]).stdout;
    assert_eq!(starter, fs::read(file("docs/starters").join(name)).unwrap());
    fs::write(folder.path().join(name), starter).unwrap();
    let needed = build.first().unwrap_or(&run[0]);
    if Command::new(needed).arg("--version").output().is_err() {
        eprintln!("ignored: {needed} is not installed");
        return;
    }
    if let [compiler, args @ ..] = build {
        assert!(Command::new(compiler).args(args).current_dir(&folder).status().unwrap().success());
    }
    let args = [["judge", "--json", "--time-limit", "3600", "--"].as_slice(), run].concat();
    let output = program(folder.path(), &args).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["right"], true, "{report:#}");
    assert!(report["problems"].as_array().unwrap().iter().all(|problem| problem["lowest"] == problem["cost"]));
}

#[test]
fn the_python_starter_is_right() {
    check_starter("python", "my_search.py", &[], &["python3", "my_search.py"]);
}

#[test]
fn the_javascript_starter_is_right() {
    check_starter("javascript", "my_search.js", &[], &["node", "my_search.js"]);
}

#[test]
fn the_cpp_starter_is_right() {
    check_starter("cpp", "my_search.cpp", &["g++", "-O2", "-o", "my_search", "my_search.cpp"], &["./my_search"]);
}

#[test]
fn the_java_starter_is_right() {
    check_starter("java", "MySearch.java", &[], &["java", "MySearch.java"]);
}

#[test]
fn the_rust_starter_is_right() {
    check_starter("rust", "my_search.rs", &["rustc", "--edition", "2024", "-O", "my_search.rs"], &["./my_search"]);
}

/// Runs a script that never ends and writes the number of a process into the file `id`. Returns the judge and this number.
#[cfg(target_os = "linux")]
fn judge_without_end(folder: &Path, script: &str) -> (Child, String) {
    let args = ["judge", "no route", "--time-limit", "3600", "--", "sh", "-c", script];
    let judge = program(folder, &args).spawn().unwrap();
    loop {
        match fs::read_to_string(folder.join("id")) {
            Ok(id) => return (judge, id),
            Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// Waits until a process has ended.
#[cfg(target_os = "linux")]
fn wait_until_ended(id: &str) {
    // A program that has ended, and that nobody has waited for, is still listed.
    let status = Path::new("/proc").join(id.trim()).join("status");
    while fs::read_to_string(&status).is_ok_and(|status| !status.contains("State:\tZ")) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_ends_with_the_judge_that_runs_it() {
    let folder = tempfile::tempdir().unwrap();
    let (mut judge, id) = judge_without_end(folder.path(), "echo $$ > id.part; mv id.part id; exec sleep 3600");
    judge.kill().unwrap();
    judge.wait().unwrap();
    wait_until_ended(&id);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_and_its_children_end_before_a_signal_ends_the_judge() {
    use std::os::unix::process::ExitStatusExt;
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let folder = tempfile::tempdir().unwrap();
        let script = "sleep 3600 & echo $! > id.part; mv id.part id; wait";
        let (mut judge, id) = judge_without_end(folder.path(), script);
        assert!(Command::new("kill").args(["-s", signal, &judge.id().to_string()]).status().unwrap().success());
        assert_eq!(judge.wait().unwrap().signal(), Some(number));
        wait_until_ended(&id);
    }
}
