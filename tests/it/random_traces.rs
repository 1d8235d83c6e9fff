//! Whatever a program prints, it is read and judged.

use std::collections::BTreeSet;

use emberwalk::trace_text::{Unread, read};
use emberwalk_path::trace::{Recording, judge};
use emberwalk_path::{Algorithm, Options, Planner, RouteQuery};
use fastrand::Rng;

use crate::support::bundled;

/// Words that stand in for parts of lines. A line can also be broken there.
const WORDS: &str = "-1 0 7 1e300 -0.0 0.5 null \"x\" [0,0] {} opened closed found 2147483648 \n exhausted";

/// The trace of a search, line by line, as its own program would print it.
fn lines(recording: &Recording) -> Vec<String> {
    let events = recording.events().map(|event| {
        let kind = if event.is_closed() { "closed" } else { "opened" };
        let cell = event.cell();
        format!(r#"{{"event":"{kind}","cell":[{},{}],"parent":[{},{}],"g":1,"h":2.5}}"#, cell.x, cell.y, cell.y, cell.x)
    });
    let cells = recording.result().cells().iter().map(|cell| format!("[{},{}]", cell.x, cell.y));
    let end = format!(r#"{{"event":"found","cells":[{}],"cost":3}}"#, cells.collect::<Vec<_>>().join(","));
    events.chain([end]).collect()
}

/// A text with a few random changes.
fn changed(lines: &[String], rng: &mut Rng) -> Vec<u8> {
    let words: Vec<_> = WORDS.split(' ').collect();
    let mut lines = lines.to_vec();
    for _ in 0..rng.u8(0..4) {
        let (one, other) = (rng.usize(0..lines.len()), rng.usize(0..lines.len()));
        match rng.u8(0..3) {
            0 => lines.swap(one, other),
            1 => lines[one] = lines[other].clone(),
            _ => lines.truncate(one + 1),
        }
    }
    let mut text = lines.join("\n").into_bytes();
    for _ in 0..rng.u8(0..6) {
        let at = rng.usize(0..text.len());
        let end = (at + rng.usize(0..4)).min(text.len());
        match rng.u8(0..3) {
            0 => text[at] = rng.u8(..),
            _ => drop(text.splice(at..end, rng.choice(&words).unwrap().bytes())),
        }
    }
    text
}

#[test]
fn any_trace_is_read_and_judged() {
    let map = bundled("figures/slope");
    let (from, to) = (map.tent().unwrap(), map.castle().unwrap());
    let algorithms = [Algorithm::AStar, Algorithm::Dijkstra, Algorithm::Greedy, Algorithm::BreadthFirst];
    let query = RouteQuery::new(from, to).with_options(Options::default().with_algorithm(Algorithm::AStar));
    let lines = lines(&Recording::new(&mut Planner::new(), map.costs(), &query).unwrap());
    let mut judged = 0;
    for seed in 0..2000 {
        let rng = &mut Rng::with_seed(seed);
        let text = changed(&lines, rng);
        let (mut trace, unread) = read(&*text, |_| {});
        if let Some(unread) = unread {
            assert!(matches!(unread, Unread::Line { .. }), "{seed}");
            trace.end = unread.end();
        }
        judged += usize::from(!trace.events.is_empty());
        let query = query.with_options(query.options.with_algorithm(*rng.choice(&algorithms).unwrap()));
        let verdict = judge(map.costs(), &query, &trace).unwrap();
        let kinds: BTreeSet<_> = verdict.mistakes.iter().map(|mistake| mistake.kind).collect();
        assert_eq!(kinds.len(), verdict.mistakes.len(), "{seed}: each kind is told once");
    }
    assert!(judged > 1000, "{judged}");
}
