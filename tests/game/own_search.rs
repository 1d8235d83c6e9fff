//! Searches of the player's own programs, judged on the open map and played in the search view.

use std::fmt::Write;

use emberwalk::game::action::DialogInput;
use emberwalk::game::search_view::own_search::OwnSearch;
use emberwalk::game::search_view::recorded_search::{RecordedSearch, TimeMarkKind};
use emberwalk_path::trace::{MistakeKind, Recording, SearchEvent};

use crate::dialogs::{outcome, type_into};
use crate::prelude::*;
use crate::search_view::view;

/// A right A* from the tent to the castle, as a program prints it, and the number of its events.
fn right_trace(game: &Game) -> (String, usize) {
    let map = game.map();
    let options = Options::default().with_algorithm(Algorithm::AStar);
    let query = RouteQuery::new(map.start().unwrap(), map.castle().unwrap()).with_options(options);
    let recording = Recording::new(&mut Planner::new(), map.costs(), &query).unwrap();
    let mut text = String::new();
    for event in recording.events() {
        let (name, cell, parent, g, h) = match event {
            SearchEvent::Opened(opened) => ("opened", opened.cell, opened.parent, opened.g, opened.h),
            SearchEvent::Closed(closed) => ("closed", closed.cell, closed.parent, closed.g, closed.h),
        };
        let parent = parent.map_or("null".into(), |parent| format!("[{},{}]", parent.x, parent.y));
        let costs = format!(r#""g":{},"h":{}"#, g.tiles(), h.tiles());
        writeln!(text, r#"{{"event":"{name}","cell":[{},{}],"parent":{parent},{costs}}}"#, cell.x, cell.y).unwrap();
    }
    let cells: Vec<_> = recording.result().cells().iter().map(|cell| format!("[{},{}]", cell.x, cell.y)).collect();
    let cost = recording.result().cost().unwrap().tiles();
    writeln!(text, r#"{{"event":"found","cells":[{}],"cost":{cost}}}"#, cells.join(",")).unwrap();
    (text, recording.len())
}

/// The name of the file of a trace.
const TRACE: &str = "mine.jsonl";

/// An empty folder, and a game.
fn begin() -> (Files, Game) {
    (Files::new(), Game::on_bundled("figures/road"))
}

/// Writes a trace to a file, drops it onto the window, and waits until it is judged.
fn drop_trace(game: &mut Game, files: &Files, trace: &str) {
    game.drop_file(&files.write(TRACE, trace));
    game.wait_until("the search is judged", |game| own(game).is_some());
}

/// The search on the left, once it is the player's own.
fn own(game: &Game) -> Option<&RecordedSearch> {
    view(game).search().filter(|search| search.verdict.is_some())
}

fn mistakes(game: &Game) -> Vec<MistakeKind> {
    own(game).into_iter().flat_map(RecordedSearch::mistakes).map(|(_, mistake)| mistake.kind).collect()
}

#[test]
fn a_trace_that_is_dropped_is_judged_played_read_again_raced_and_closed() {
    let (files, mut game) = begin();
    let (right, events) = right_trace(&game);
    drop_trace(&mut game, &files, &right);
    let search = own(&game).unwrap();
    assert!(search.verdict.as_ref().unwrap().is_right(), "{:?}", search.verdict);
    assert_eq!(search.recording.len(), events);
    assert_eq!(search.recording.result().cost(), search.lowest);

    // The first costs that are not zero become a mistake, and the cost of the route; the file is read again.
    let wrong = right.replacen(r#""g":1,"#, r#""g":7,"#, 1).replace(r#""cost":"#, r#""cost":9"#);
    assert_ne!(wrong, right);
    files.write(TRACE, &wrong);
    game.wait_until("the file is read again", |game| mistakes(game).contains(&MistakeKind::WrongG));
    let (position, mistake) = own(&game).unwrap().mistakes().next().unwrap();
    assert_eq!(Some(position), mistake.event);
    let marks = own(&game).unwrap().marks().iter().filter(|mark| mark.kind == TimeMarkKind::Mistake);
    assert_eq!(marks.count(), mistakes(&game).len());
    let positions: Vec<_> = own(&game).unwrap().mistakes().map(|(position, _)| position).collect();
    assert!(positions.len() > 1, "{positions:?}");
    // From one to the next, round and round, and back.
    let steps = std::iter::repeat_n(false, positions.len() + 1).chain([true]);
    let expected = positions.iter().chain([&positions[0], positions.last().unwrap()]);
    for (back, position) in steps.zip(expected) {
        game.ask_and_show(Action::StepToMistake { back });
        assert_eq!((view(&game).position(), view(&game).is_playing()), (*position, false));
    }
    game.ask(Action::ToMistake(0));
    assert_eq!((view(&game).position(), view(&game).is_playing()), (position, false));

    game.ask(Action::ToggleRace);
    game.wait_until("both searches are there", |game| view(game).race().is_some());
    let [left, rival] = view(&game).race().unwrap();
    assert!(left.verdict.is_some() && rival.verdict.is_none());
    assert_eq!(rival.recording.query().options.algorithm, Algorithm::AStar);

    game.ask(Action::CloseOwnSearch);
    game.wait_until("the planner's search is back", |game| {
        view(game).search_on(Half::Left).is_some() && own(game).is_none()
    });
    assert!(!game.get::<OwnSearch>().is_open());
}

#[test]
fn a_file_without_a_search_is_refused_in_a_notice() {
    let (files, mut game) = begin();
    for (name, content, words) in [
        ("empty.jsonl", "", "empty.jsonl has no events of a search."),
        ("garbage.json", "{\"event\":\"opend\",\"cell\":[1,2]}", "garbage.json, line 1: "),
    ] {
        game.drop_file(&files.write(name, content));
        game.frame();
        let notice = game.notice().unwrap_or_default();
        assert!(notice.starts_with(words), "{notice}");
        assert!(!game.get::<OwnSearch>().is_open());
    }
}

#[test]
fn the_events_before_a_line_that_cannot_be_understood_are_played() {
    let (files, mut game) = begin();
    let (right, _) = right_trace(&game);
    let (events, _) = right.trim_end().rsplit_once('\n').unwrap();
    drop_trace(&mut game, &files, &format!("{events}\n{{\"event\":\"fou"));
    assert_eq!(mistakes(&game), [MistakeKind::NotUnderstood]);
}

#[test]
fn a_trace_is_opened_by_its_name_in_a_dialog() {
    let (files, mut game) = begin();
    let (right, _) = right_trace(&game);
    let file = files.path(TRACE);
    game.ask(Action::ChooseOwnSearch);
    assert_eq!(outcome(&game), Err("Type the name of a file.".into()));
    type_into(&mut game, 0, &file.display().to_string());
    assert_eq!(outcome(&game), Err(format!("There is no file {}.", file.display())));
    files.write(TRACE, right);
    type_into(&mut game, 0, &file.display().to_string());
    game.ask(Action::Dialog(DialogInput::Confirm));
    game.wait_until("the search is judged", |game| own(game).is_some());
    assert!(own(&game).unwrap().verdict.as_ref().unwrap().is_right());
}

#[test]
fn two_marked_searches_race_instead_of_the_open_one() {
    let (files, mut game) = begin();
    let (right, _) = right_trace(&game);
    drop_trace(&mut game, &files, &right);
    game.ask(Action::ToggleComparison);
    let marked = [Algorithm::BreadthFirst, Algorithm::Dijkstra];
    for algorithm in marked {
        game.ask(Action::MarkForRace(Options::default().with_algorithm(algorithm)));
    }
    game.wait_until("both searches are there", |game| view(game).race().is_some());
    let raced = view(&game).race().unwrap().map(|search| search.recording.query().options.algorithm);
    assert_eq!(raced, marked);
    assert!(!game.get::<OwnSearch>().is_open());
}
