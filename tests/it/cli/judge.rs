//! `emberwalk judge`: programs that are right, wrong, broken, or never end.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Folder, Run, program, run};
use crate::support::file;

/// Judges a shell script as the program, on a problem. Returns the report and the exit status.
fn judge(folder: &Folder, problem: &str, time_limit: &str, script: &str) -> (Value, i32) {
    let args = ["judge", problem, "--json", "--time-limit", time_limit, "--", "sh", "-c", script];
    let run = Run::of(program(&folder.path(""), &args).output().unwrap());
    (run.json(), run.status)
}

fn first_name(report: &Value) -> &str {
    report["problems"][0]["mistakes"][0]["name"].as_str().unwrap_or("none")
}

#[test]
fn broken_programs_are_told_and_leave_nothing_behind() {
    let folder = Folder::new();
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
        let (report, status) = judge(&folder, "open field", "3600", script);
        assert_eq!((first_name(&report), status), (name, 1), "{script}: {report}");
    }
    for script in
        ["sleep 3600", "printf '{\"event\":\"op'; sleep 3600", "yes", "yes '{\"event\":\"closed\",\"cell\":[1,1]}'"]
    {
        let (report, status) = judge(&folder, "open field", "1", script);
        assert_eq!((first_name(&report), status), ("timed-out", 1), "{script}: {report}");
    }
    judge(&folder, "no route", "10", &format!("(sleep 2; touch alive) & {exhausted}"));
    std::thread::sleep(Duration::from_secs(3));
    assert!(!folder.path("alive").exists(), "a program that was started in the background is ended");
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
        let folder = Folder::new();
        let script = format!(
            "setsid sh -c 'echo $$ > part; mv part id; exec {command}' & while [ ! -e id ]; do sleep 0.01; done; {answer}"
        );
        let begin = Instant::now();
        let (report, status) = judge(&folder, "no route", "3600", &script);
        let _ = Command::new("kill").arg(folder.text("id").trim()).stderr(Stdio::null()).status();
        assert_eq!(first_name(&report), name, "{command}: {report}");
        assert!(report.to_string().contains(words), "{report}");
        assert_eq!(status, i32::from(name != "none"));
        assert!(begin.elapsed() < Duration::from_secs(50), "it waits for {command}");
    }
}

#[test]
fn programs_that_cannot_be_started_are_errors() {
    for (command, reason) in [
        ("judge -- ./no-such-program", "./no-such-program cannot be started: there is no such program"),
        ("judge", "give the program after --"),
        ("judge --trace -", "judged on one map"),
        ("judge no-such-map -- true", "no-such-map"),
        ("judge --starter cobol", "possible values: python, javascript, cpp, java, rust"),
    ] {
        Folder::new().refuses(command, reason);
    }
}

#[test]
fn a_trace_is_judged_from_a_file_and_from_standard_input() {
    let folder = Folder::new();
    folder.run("route valley --algorithm astar --trace t.jsonl").success();
    folder.run("judge valley --trace t.jsonl").success();
    let trace = folder.bytes("t.jsonl");
    assert!(folder.run_with("judge valley --trace -", &trace).success().contains("right: cost 9.828"));
    let other = folder.run_with("judge figures/road --trace - --json", &trace);
    assert_eq!((other.status, first_name(&other.json())), (1, "bad-start"), "it is of another map");
}

/// Languages whose programs are not installed are left out.
#[test]
fn the_starters_are_right() {
    for (language, name, build, command) in [
        ("python", "my_search.py", "", "python3 my_search.py"),
        ("javascript", "my_search.js", "", "node my_search.js"),
        ("cpp", "my_search.cpp", "g++ -O2 -o my_search my_search.cpp", "./my_search"),
        ("java", "MySearch.java", "", "java MySearch.java"),
        ("rust", "my_search.rs", "rustc --edition 2024 -O my_search.rs", "./my_search"),
    ] {
        let starter = run(&format!("judge --starter {language}")).success();
        assert_eq!(starter, fs::read_to_string(file("docs/starters").join(name)).unwrap());
        let needed = format!("{build} {command}").split_whitespace().next().unwrap().to_owned();
        if Command::new(&needed).arg("--version").output().is_err() {
            eprintln!("ignored: {needed} is not installed");
            continue;
        }
        let folder = Folder::with(&[(name, &starter)]);
        let built = Command::new("sh").args(["-c", build]).current_dir(folder.path("")).status().unwrap();
        assert!(built.success(), "{build}");
        let report = folder.run(&format!("judge --json --time-limit 3600 -- {command}")).json();
        assert_eq!(report["right"], true, "{language}: {report:#}");
        let problems = report["problems"].as_array().unwrap();
        assert!(problems.iter().all(|problem| problem["lowest"] == problem["cost"]), "{language}: {report:#}");
    }
}

/// The end of the judge, and of what it started.
#[cfg(target_os = "linux")]
mod end {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Child;
    use std::thread::sleep;

    use super::*;

    const PAUSE: Duration = Duration::from_millis(5);

    /// Runs a script that never ends and writes the number of a process into the file `id`. Returns the judge and this
    /// number.
    fn judge_without_end(script: &str) -> (Child, String) {
        let folder = Folder::new();
        let args = ["judge", "no route", "--time-limit", "3600", "--", "sh", "-c", script];
        let judge = program(&folder.path(""), &args).spawn().unwrap();
        while !folder.path("id").exists() {
            sleep(PAUSE);
        }
        (judge, folder.text("id"))
    }

    /// Waits until a process has ended.
    fn wait_until_ended(id: &str) {
        // A program that has ended, and that nobody has waited for, is still listed.
        let status = format!("/proc/{}/status", id.trim());
        while fs::read_to_string(&status).is_ok_and(|status| !status.contains("State:\tZ")) {
            sleep(PAUSE);
        }
    }

    #[test]
    fn a_program_ends_with_the_judge_that_runs_it() {
        let (mut judge, id) = judge_without_end("echo $$ > id.part; mv id.part id; exec sleep 3600");
        judge.kill().unwrap();
        judge.wait().unwrap();
        wait_until_ended(&id);
    }

    #[test]
    fn a_program_and_its_children_end_before_a_signal_ends_the_judge() {
        for (signal, number) in [("INT", 2), ("TERM", 15)] {
            let (mut judge, id) = judge_without_end("sleep 3600 & echo $! > id.part; mv id.part id; wait");
            assert!(Command::new("kill").args(["-s", signal, &judge.id().to_string()]).status().unwrap().success());
            assert_eq!(judge.wait().unwrap().signal(), Some(number));
            wait_until_ended(&id);
        }
    }
}
