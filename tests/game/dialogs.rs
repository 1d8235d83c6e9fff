//! Dialogs: new maps, the list of maps, size and name of the map, and other names for its file.

use std::fs;

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::prelude::*;
use bevy::window::WindowEvent;

use emberwalk::game::action::{DialogInput, FieldId, FieldTyped};
use emberwalk::game::dialog::OpenDialog;
use emberwalk::game::dialog::form::{Form, List};
use emberwalk::game::dialog::pictures::{MapPictures, Picture};
use emberwalk::game::screen::notice::Done;
use emberwalk::game::world::request::MapSource;
use emberwalk_generate::NewContent;
use emberwalk_map::{DayLength, DayTime};
use emberwalk_world::check;

use crate::prelude::*;

const SAND: u8 = 2;

/// The fields for the hours in the form about the map.
const HOUR: usize = 7;
const DAY: usize = 8;

/// A map that was written by hand, with everything that a program would not write.
const BY_HAND: &str = "\u{feff}// Mine.\r\n(overlay: [\r\n  \"1......\", // north\r\n  r#\"..R..2.\"#,\r\n],\r\n\
                       about: \"As it was.\",\r\n name: \"My \\u{68}ome\", base: [\r\n  \"\\u{47}GGSGGG\", /* snow */\r\n  \
                       \"GGGGGGG\"\r\n])\r\n// The end.\r\n";

/// The name of the file of the map.
const MINE: &str = "mine.ron";

/// A folder with this map, and a game in which it is open.
fn begin() -> (Files, Game) {
    let files = Files::with(MINE, BY_HAND);
    let game = play(&files);
    (files, game)
}

fn play(files: &Files) -> Game {
    Game::following(MapRequest::of_path(files.path(MINE)))
}

/// Another map.
fn hut() -> String {
    BY_HAND.replace("ome\"", "ut\"")
}

/// Presses keys in one frame: `\t`, `\n` and `\u{1b}` stand for Tab, Enter and Esc, and `^` for Ctrl with the next one.
/// The traveller may jump.
pub fn press(game: &mut Game, keys: &str) {
    let mut events = Vec::new();
    let mut event = |key_code, logical_key: Key, state| {
        let window = Entity::PLACEHOLDER;
        let input = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
        events.push(WindowEvent::KeyboardInput(input));
    };
    let mut has_ctrl = false;
    for key in keys.chars() {
        let (code, logical) = match key {
            '^' => {
                event(KeyCode::ControlLeft, Key::Control, ButtonState::Pressed);
                has_ctrl = true;
                continue;
            }
            '\t' => (KeyCode::Tab, Key::Tab),
            '\n' => (KeyCode::Enter, Key::Enter),
            '\u{1b}' => (KeyCode::Escape, Key::Escape),
            ' ' => (KeyCode::Space, Key::Space),
            // The place on the keyboard does not matter.
            letter => (KeyCode::IntlRo, Key::Character(letter.to_string().into())),
        };
        event(code, logical.clone(), ButtonState::Pressed);
        event(code, logical, ButtonState::Released);
        if std::mem::take(&mut has_ctrl) {
            event(KeyCode::ControlLeft, Key::Control, ButtonState::Released);
        }
    }
    game.app().world_mut().write_message_batch(events);
    game.app().update();
}

/// Types a text into a field of the dialog, in place of what is there, as its panel reports it.
pub fn type_into(game: &mut Game, field: usize, text: &str) {
    game.app().world_mut().write_message(FieldTyped { field: FieldId::Dialog(field), text: text.into() });
    game.app().update();
}

/// Types a text into a field of the dialog, and confirms the dialog.
pub fn confirm(game: &mut Game, field: usize, text: &str) {
    type_into(game, field, text);
    press(game, "\n");
}

/// Takes one of the values of a field.
pub fn choose(game: &mut Game, field: usize, value: usize) {
    game.ask_for(Action::Dialog(DialogInput::Choose { field, value }));
}

fn form(game: &Game) -> Option<Form> {
    game.get::<OpenDialog>().get().map(|dialog| dialog.form().clone())
}

/// The list of the open dialog.
fn list(game: &Game) -> List {
    form(game).and_then(|form| form.list).expect("there is a list")
}

/// The effect of confirming the open dialog, or why that is impossible.
pub fn outcome(game: &Game) -> Result<String, String> {
    let dialog = game.get::<OpenDialog>().get().expect("a dialog is open");
    dialog.outcome().map(str::to_owned).map_err(str::to_owned)
}

/// Paints sand onto a cell.
fn paint(game: &mut Game, cell: (i32, i32)) {
    if !game.get::<Screen>().is_painting() {
        game.ask_for(Action::TogglePainting);
        game.app().update();
    }
    game.ask_for(Action::Brush(BrushChange::Take(SAND)));
    game.ask_for(Action::Stroke(Stroke::Begin { cell: cell.into(), straight: false }));
    game.ask_for(Action::Stroke(Stroke::End));
}

#[test]
fn while_a_dialog_is_open_no_key_of_the_game_fires() {
    let mut game = Game::on_grass(&["v.1..2"]);
    // One slow frame has the keys that open the dialog and the keys for the dialog.
    press(&mut game, "nvalleyr e\u{1b}");
    assert_eq!(form(&game), None);
    press(&mut game, "n");
    for keys in ["vVeErRhHbBcCtToOqQxXkKjJlLuUgGmMpPyYwasd", "\t \t123,.[]+-", "^z^y^s^o^r^n"] {
        press(&mut game, keys);
        let sent = game.get::<Messages<Action>>();
        assert!(sent.iter_current_update_messages().all(|action| matches!(action, Action::Dialog(_))), "{keys}");
    }
    assert!(form(&game).is_some());
    let lines = game.log_lines();
    assert!(!lines.iter().any(|line| line.contains("eruption")), "{lines:?}");
    press(&mut game, "\u{1b}");
    press(&mut game, "v");
    assert!(game.has_logged("eruption on"), "then they fire again");
}

#[test]
fn a_new_map_is_made_with_the_keyboard_and_saved_under_a_name() {
    let (files, mut game) = begin();
    press(&mut game, "n");
    for (field, text) in ["My isle", "12", "9"].into_iter().enumerate() {
        type_into(&mut game, field, text);
    }
    choose(&mut game, 4, 3);
    assert_eq!(outcome(&game), Ok("Makes an empty map of 12 x 9 cells. Save (Ctrl+S) keeps it.".into()));
    press(&mut game, "\n");
    game.wait_until("the map", |game| game.map().name() == "My isle");
    assert_eq!((game.map().size(), form(&game)), (Size::new(12, 9), None));
    assert_eq!(game.map().base_at(at(3, 3)).map(|ground| ground.name.as_str()), Some("water"));
    paint(&mut game, (11, 8));
    game.ask_for(Action::SaveAnew);
    assert_eq!(form(&game).map(|form| form.fields[0].as_text().to_owned()), Some("My-isle.ron".into()));
    confirm(&mut game, 0, &files.path("isle").display().to_string());
    let text = files.text("isle.ron");
    assert!(text.contains("name: \"My isle\"") && text.contains("\"~~~~~~~~~~~D\""), "{text}");
    assert!(!game.map().history().is_unsaved());
}

#[test]
fn a_new_map_counts_as_unsaved_until_it_is_saved() {
    let files = Files::with(MINE, BY_HAND);
    files.write("other.ron", hut());
    let mut game = play(&files);
    assert!(!game.map().history().is_unsaved(), "the file has all of it");
    for name in ["First", "Second"] {
        press(&mut game, "n");
        type_into(&mut game, 0, name);
        if name == "Second" {
            choose(&mut game, 3, 2);
        }
        press(&mut game, "\n");
        if name == "Second" {
            assert!(matches!(game.question(), OpenQuestion::Leave(Leaving::Open(MapSource::New(_)))));
            game.ask_for(Action::Answer(Answer::Discard));
        }
        game.wait_until("the map", |game| game.map().name().starts_with(name));
        assert!(game.map().history().is_unsaved());
    }
    // However the player leaves it.
    for action in [Action::Quit, Action::NextMap, Action::OpenBundled(0), Action::OpenLesson(0)] {
        game.ask_for(action);
        assert_eq!(game.question(), OpenQuestion::Leave(Leaving::Act(action)));
        game.ask_for(Action::Answer(Answer::Cancel));
    }
    game.drop_file(&files.path("other.ron"));
    assert_eq!(game.question(), OpenQuestion::Leave(Leaving::Open(MapSource::File(files.path("other.ron")))));
    game.ask_for(Action::Answer(Answer::Cancel));
    assert!(game.map().name().starts_with("Second"));
    // On another page it waits, as unsaved as before.
    game.ask_for(Action::NextMap);
    game.ask_for(Action::Answer(Answer::Discard));
    game.app().update();
    assert!(!game.map().name().starts_with("Second") && !game.map().history().is_unsaved());
    game.ask_for(Action::PreviousMap);
    assert!(game.map().name().starts_with("Second") && game.map().history().is_unsaved());
    // A stroke that is undone does not make it saved.
    paint(&mut game, (3, 3));
    game.ask_for(Action::Undo);
    assert!(game.map().history().is_unsaved());
    game.ask_for(Action::SaveAnew);
    confirm(&mut game, 0, &files.path("second").display().to_string());
    assert!(files.path("second.ron").exists() && !game.map().history().is_unsaved());
    game.ask_for(Action::NextMap);
    assert_eq!(game.question(), OpenQuestion::None);
}

#[test]
fn a_change_of_the_tileset_does_not_make_a_new_map_saved() {
    let files = Files::with(MINE, BY_HAND);
    let assets = files.write_tileset(str::to_owned);
    let mut game = Game::following(MapRequest { assets: Some(assets), ..MapRequest::of_path(files.path(MINE)) });
    press(&mut game, "n");
    confirm(&mut game, 0, "Isle");
    game.wait_until("the map", |game| game.map().name() == "Isle");
    let before = game.map().tileset().clone();
    files.write_tileset(|text| format!("{text}\n// Another one.\n"));
    game.wait_until("the tileset", |game| !std::sync::Arc::ptr_eq(game.map().tileset(), &before));
    assert!(game.map().name() == "Isle" && game.map().history().is_unsaved());
}

#[test]
fn a_new_map_is_generated_with_the_mouse() {
    let (files, mut game) = begin();
    paint(&mut game, (4, 0));
    game.ask_for(Action::NewMap);
    let field = |game: &Game, label| {
        let form = form(game).expect("the dialog is open");
        form.fields.iter().position(|field| field.label == label && field.is_shown)
    };
    let (columns, content) = (field(&game, "Columns").unwrap(), field(&game, "Content").unwrap());
    assert_eq!(field(&game, "Seed"), None);
    game.ask_for(Action::Dialog(DialogInput::Choose { field: content, value: 2 }));
    assert_eq!(field(&game, "Ground"), None);
    for by in [-10, -10, -1] {
        game.ask_for(Action::Dialog(DialogInput::Add { field: columns, by }));
    }
    game.ask_for(Action::Dialog(DialogInput::Confirm));
    // There is something to save.
    let OpenQuestion::Leave(Leaving::Open(MapSource::New(new))) = game.question() else {
        panic!("{:?}", game.question())
    };
    assert!(matches!(new.content, NewContent::Generated(..)));
    game.ask_for(Action::Answer(Answer::Cancel));
    game.frame();
    assert_eq!((game.map().name(), game.map().history().is_unsaved()), ("My home", true));
    press(&mut game, "n");
    choose(&mut game, 3, 2);
    press(&mut game, "\n");
    game.ask_for(Action::Answer(Answer::Discard));
    game.wait_until("the maze", |game| game.map().name().starts_with("Maze "));
    assert!(game.map().castle().is_some());
    assert_eq!(files.text(MINE), BY_HAND, "the changes were given up");
}

/// The picture of each map that the open dialog is about; `None` if it is not made.
fn pictures(game: &Game) -> Vec<Option<Picture>> {
    let (open, pictures) = (game.get::<OpenDialog>(), game.get::<MapPictures>());
    open.get().into_iter().flat_map(|dialog| dialog.maps()).map(|map| pictures.of(map).cloned()).collect()
}

/// Whether there is no picture, and none is being made.
fn has_no_picture(game: &Game) -> bool {
    let pictures = game.get::<MapPictures>();
    pictures.known().is_empty() && pictures.next().is_none()
}

#[test]
fn the_die_takes_another_seed_and_so_another_map() {
    let mut game = Game::on_grass(&["1..2"]);
    press(&mut game, "n");
    choose(&mut game, 3, 1);
    let look = |game: &Game| (form(game).map(|form| form.fields[5].as_text().to_owned()), pictures(game));
    let before = look(&game);
    game.ask_for(Action::Dialog(DialogInput::Dice));
    let after = look(&game);
    assert_ne!(before.0, after.0);
    assert!(matches!(after.1[..], [Some(Picture::Painted(_))]) && before.1 != after.1);
}

#[test]
fn the_picture_of_a_new_map_is_forgotten_as_soon_as_the_fields_ask_for_another_one() {
    let mut game = Game::on_grass(&["1..2"]);
    press(&mut game, "n");
    choose(&mut game, 3, 4);
    let island = pictures(&game);
    assert!(matches!(island[..], [Some(Picture::Painted(_))]));
    game.wait_for_no_job();
    type_into(&mut game, 0, "Isle");
    assert_eq!(pictures(&game), island, "the name is not in the picture");
    type_into(&mut game, 1, "40");
    let is_next = |game: &Game| game.get::<MapPictures>().next().is_some();
    assert!(pictures(&game) == [None] && is_next(&game));
    game.wait_until("the wider map", |game| pictures(game)[0].is_some());
    assert_ne!(pictures(&game), island);
    type_into(&mut game, 1, "0");
    assert!(has_no_picture(&game), "there is no such map");
    for side in [1, 2] {
        type_into(&mut game, side, "1000");
    }
    game.wait_until("the answer", |game| pictures(game)[0].is_some());
    assert_eq!(pictures(&game), [Some(Picture::TooLarge)]);
    press(&mut game, "\u{1b}");
    assert!(has_no_picture(&game), "the dialog is closed");
}

#[test]
fn maps_in_the_list_have_pictures_and_maps_with_errors_an_icon() {
    let files = Files::with(MINE, BY_HAND);
    files.write("broken.RON", "(name: ");
    let mut game = play(&files);
    press(&mut game, "^o");
    game.app().update();
    let pictures = pictures(&game);
    assert_eq!(pictures[0], Some(Picture::Unreadable), "broken.RON");
    for (index, picture) in pictures.iter().enumerate().skip(1).take(20) {
        let Some(Picture::Painted(picture)) = picture else { panic!("{index}: {picture:?}") };
        let is_seen = picture.pixels().filter(|pixel| pixel.0[3] > 0).count() * 3 > picture.pixels().count();
        assert!(is_seen && picture.width() <= 416 && picture.height() <= 224, "{index}");
    }
}

#[test]
fn impossible_numbers_are_refused_with_the_reason() {
    let mut game = Game::on_grass(&["1..2"]);
    let (new, edit) = (Action::NewMap, Action::EditMap);
    for (action, field, text, why) in [
        (new, 1, "0", "Columns: a whole number from 1 to 4096."),
        (new, 1, "4097", "Columns: a whole number from 1 to 4096."),
        (edit, 2, "-1", "A map has 1 to 4096 columns and rows, not 4 x 0."),
        (edit, 3, "-1", "The castle at 3,0 would be cut off. Move it first."),
        (edit, 2, "-", "Rows north: a whole number from -4096 to 4096."),
    ] {
        game.ask_for(action);
        type_into(&mut game, field, text);
        assert_eq!(outcome(&game), Err(why.into()), "{text}");
        press(&mut game, "\n");
        assert!(form(&game).is_some(), "it stays open");
        press(&mut game, "\u{1b}");
    }
    game.ask_for(new);
    for (field, text) in [(1, "1"), (2, "1")] {
        type_into(&mut game, field, text);
    }
    choose(&mut game, 3, 1);
    assert_eq!(outcome(&game), Err("A generated map has a tent and a castle, so it needs two cells.".into()));
    press(&mut game, "\n");
    assert!(form(&game).is_some());
    press(&mut game, "\u{1b}");
    assert_eq!(game.map().size(), Size::new(4, 1));
}

#[test]
fn a_resize_by_keys_writes_the_rows_anew_and_leaves_the_rest_of_the_file() {
    let (files, mut game) = begin();
    press(&mut game, "^r");
    for (field, text) in [(2, "1"), (3, "-1"), (5, "2")] {
        type_into(&mut game, field, text);
    }
    choose(&mut game, 6, 1);
    assert_eq!(outcome(&game), Ok("7 x 2 cells become 8 x 3. It loses 2 cells.".into()));
    press(&mut game, "\n");
    assert_eq!((game.map().size(), game.map().tent()), (Size::new(8, 3), Some(at(2, 1))));
    assert_eq!((game.traveller().origin(), game.route().last()), (Some(at(2, 1)), Some(&at(7, 2))));
    press(&mut game, "^s");
    let expected = BY_HAND
        .replace(
            "\"1......\", // north\r\n  r#\"..R..2.\"#,",
            "\"........\", // north\r\n  \"..1.....\",\r\n  \"....R..2\",",
        )
        .replace(
            "\"\\u{47}GGSGGG\", /* snow */\r\n  \"GGGGGGG\"",
            "\"SSSSSSSS\", /* snow */\r\n  \"SSGGGSGG\",\r\n  \"SSGGGGGG\"",
        );
    assert_eq!(files.text(MINE), expected);
    press(&mut game, "^z");
    assert_eq!((game.map().size(), game.traveller().origin()), (Size::new(7, 2), Some(at(0, 0))));
    press(&mut game, "^s");
    assert_eq!(files.text(MINE), BY_HAND, "what is undone is as it was written");
    press(&mut game, "^y");
    press(&mut game, "^s");
    assert_eq!(files.text(MINE), expected);
}

#[test]
fn the_new_edges_follow_the_fields_of_a_resize() {
    let mut game = Game::on_grass(&[".......", ".1...2.", "......."]);
    let area = |game: &Game| {
        let dialog = game.get::<OpenDialog>().get();
        dialog.and_then(|dialog| dialog.new_area()).map(|area| (area.first(), area.last()))
    };
    assert_eq!(area(&game), None);
    game.ask_for(Action::EditMap);
    assert_eq!(area(&game), Some((at(0, 0), at(6, 2))));
    for (field, text, first, last) in [
        (2, "2", at(0, -2), at(6, 2)),
        (3, "-1", at(0, -2), at(5, 2)),
        (4, "4", at(0, -2), at(5, 6)),
        (5, "-1", at(1, -2), at(5, 6)),
        // The tent would be cut off. The map shows where.
        (5, "-2", at(2, -2), at(5, 6)),
    ] {
        type_into(&mut game, field, text);
        assert_eq!(area(&game), Some((first, last)), "field {field}: {text}");
    }
    type_into(&mut game, 5, "-");
    assert_eq!(area(&game), None, "there is no such size");
    press(&mut game, "\u{1b}");
    assert_eq!(area(&game), None);
}

#[test]
fn a_traveller_that_walks_keeps_its_place_and_its_goal_when_rows_are_added() {
    let (_files, mut game) = begin();
    game.ask_for(Action::Go(at(6, 1)));
    game.advance(0.5);
    let before = game.traveller().origin().expect("there is a traveller");
    press(&mut game, "^r");
    for (field, text) in [(2, "3"), (5, "2")] {
        let typed = FieldTyped { field: FieldId::Dialog(field), text: text.into() };
        game.app().world_mut().write_message(typed);
    }
    press(&mut game, "\n");
    let after = game.traveller().origin().expect("it is still there");
    // It may have walked on by a step in that frame.
    assert!((2..=3).contains(&(after.x - before.x)) && (3..=4).contains(&(after.y - before.y)), "{before} {after}");
    assert_eq!(game.route().last(), Some(&at(8, 4)));
    game.arrive();
    assert_eq!(game.traveller().standing_cell(), Some(at(8, 4)));
}

#[test]
fn the_hours_of_a_map_are_checked_as_those_of_its_file_and_can_be_undone() {
    let (files, mut game) = begin();
    game.ask_for(Action::EditMap);
    for (field, text, error) in [
        (HOUR, "25:00", "Begins at: this must be an hour from 0:00 to 24:00."),
        (HOUR, "dusk", "Begins at: this must be an hour from 0:00 to 24:00."),
        (DAY, "9", "Seconds per day: this must be a whole number of seconds from 10 to 86400."),
    ] {
        type_into(&mut game, field, text);
        assert_eq!(outcome(&game), Err(error.to_owned()));
        type_into(&mut game, field, if field == HOUR { "12:00" } else { "" });
        assert!(outcome(&game).is_ok());
    }
    type_into(&mut game, HOUR, "20:30");
    confirm(&mut game, DAY, "600");
    let evening = DayTime { start: "20:30".parse().unwrap(), day: DayLength::from_seconds(600.0) };
    assert_eq!(game.map().day_time(), evening);
    let now = game.map().day();
    assert_eq!((now.start.to_string(), now.day), ("20:30".to_owned(), evening.day), "it is evening at once");
    assert!(check(&game.map().recording(), game.map().tileset(), |_| {}).unwrap().is_none(), "recordings have it");
    game.ask(Action::Save);
    let after = files.text(MINE);
    assert!(after.contains("hour: 20.5") && after.contains("day: 600"), "{after}");
    game.ask(Action::Undo);
    assert_eq!((game.map().day_time(), game.map().day()), (DayTime::default(), DayTime::default()));
    game.ask(Action::Save);
    assert_eq!(files.text(MINE), BY_HAND);
}

#[test]
fn name_and_description_are_a_stroke_and_a_resize_is_another() {
    let (files, mut game) = begin();
    game.resize(640, 480);
    let view = game.view();
    press(&mut game, "^r");
    for (field, text) in ["Zürich \"2\"", "Near the lake", "1"].into_iter().enumerate() {
        type_into(&mut game, field, text);
    }
    press(&mut game, "\n");
    assert_eq!((game.map().name(), game.map().about()), ("Zürich \"2\"", Some("Near the lake")));
    assert_eq!((game.map().history().len(), game.map().size().height), (2, 3));
    press(&mut game, "^z");
    assert_eq!((game.map().name(), game.map().size().height), ("Zürich \"2\"", 2));
    assert_eq!(game.view(), view, "the smaller map is framed as before");
    press(&mut game, "^s");
    let expected = BY_HAND.replace("My \\u{68}ome", "Zürich \\\"2\\\"").replace("As it was.", "Near the lake");
    assert_eq!(files.text(MINE), expected);
    press(&mut game, "^z");
    assert_eq!((game.map().name(), game.map().about()), ("My home", Some("As it was.")));
    press(&mut game, "^s");
    assert_eq!(files.text(MINE), BY_HAND);
}

#[test]
fn the_list_has_bundled_maps_and_files_and_typing_finds_them() {
    let files = Files::with(MINE, BY_HAND);
    files.write("other.ron", hut());
    files.write("broken.RON", "(name: ");
    files.write("notes.txt", "");
    let mut game = play(&files);
    press(&mut game, "^o");
    let texts = |game: &Game| list(game).entries.into_iter().map(|entry| entry.text).collect::<Vec<_>>();
    let chosen = |game: &Game| list(game).entries[list(game).chosen].text.clone();
    let all = texts(&game);
    assert_eq!(all[..3], ["broken.RON", MINE, "other.ron"]);
    assert!(all.contains(&"valley".to_owned()) && !all.contains(&"notes.txt".to_owned()), "{all:?}");
    assert_eq!(chosen(&game), MINE, "the open one");
    game.ask_for(Action::Dialog(DialogInput::Pick(2)));
    game.wait_until("the other map", |game| game.map().name() == "My hut");
    press(&mut game, "^o");
    type_into(&mut game, 0, "broken");
    assert_eq!(texts(&game), ["broken.RON"]);
    press(&mut game, "\n");
    game.wait_until("the errors", |game| !game.errors().is_empty());
    assert_eq!(game.map().name(), "My hut");
    press(&mut game, "^o");
    assert_eq!(chosen(&game), "broken.RON", "the last choice");
    type_into(&mut game, 0, "no such map");
    assert_eq!(outcome(&game), Err("There is no such map.".into()));
    press(&mut game, "\n\u{1b}");
    press(&mut game, "^o");
    confirm(&mut game, 0, "snow");
    game.app().update();
    assert_eq!(game.map().name(), "Snow");
}

#[test]
fn saving_under_another_name_adds_the_extension_and_asks_before_it_replaces_a_file() {
    let files = Files::with(MINE, BY_HAND);
    files.write("taken.ron", "mine!");
    let mut game = play(&files);
    paint(&mut game, (4, 0));
    game.ask_for(Action::SaveAnew);
    assert_eq!(form(&game).map(|form| form.fields[0].as_text().to_owned()), Some(MINE.into()));
    confirm(&mut game, 0, "taken");
    assert_eq!(game.question(), OpenQuestion::Replace(files.path("taken.ron")));
    press(&mut game, "\u{1b}");
    assert_eq!(files.text("taken.ron"), "mine!");
    game.ask_for(Action::SaveAnew);
    assert_eq!(outcome(&game), Ok(format!("Saves {}.", files.path(MINE).display())), "its own file");
    for name in [" ", ".ron", ".", "..", "...", "sub/"] {
        confirm(&mut game, 0, name);
        assert_eq!(outcome(&game), Err("Type a name for the file.".into()), "{name:?}");
    }
    confirm(&mut game, 0, "taken.ron");
    // Enter asks for another name.
    press(&mut game, "\n");
    game.app().update();
    confirm(&mut game, 0, "free.Ron");
    let expected = BY_HAND.trim_start_matches('\u{feff}').replace("\\u{47}GGSGGG", "\\u{47}GGSDGG");
    assert_eq!((files.text("free.Ron"), files.text(MINE).as_str()), (expected.clone(), BY_HAND));
    assert!(!game.map().history().is_unsaved());
    // From now on it is the file of the map.
    paint(&mut game, (5, 0));
    press(&mut game, "^s");
    assert!(files.text("free.Ron").contains("\\u{47}GGSDDG"));
    game.ask_for(Action::SaveAnew);
    confirm(&mut game, 0, "taken");
    game.ask_for(Action::Answer(Answer::Overwrite));
    assert!(files.text("taken.ron").contains("\\u{47}GGSDDG"));
    for (name, why) in [(" ", "Type a name for the file."), ("no/such", "There is no folder")] {
        game.ask_for(Action::SaveAnew);
        type_into(&mut game, 0, name);
        assert!(outcome(&game).is_err_and(|message| message.starts_with(why)), "{name}: {:?}", outcome(&game));
        press(&mut game, "\u{1b}");
    }
}

#[test]
fn a_broken_map_costs_no_strokes_even_if_the_player_gives_them_up_for_it() {
    let files = Files::with(MINE, BY_HAND);
    files.write("broken.ron", "(");
    let mut game = play(&files);
    paint(&mut game, (4, 0));
    game.drop_file(&files.path("broken.ron"));
    assert!(matches!(game.question(), OpenQuestion::Leave(Leaving::Open(_))));
    game.ask_for(Action::Answer(Answer::Discard));
    game.wait_until("the errors", |game| !game.errors().is_empty());
    assert!(game.map().history().is_unsaved(), "the map is still there, and so are its strokes");
    // It is corrected meanwhile.
    paint(&mut game, (5, 0));
    files.write("broken.ron", hut());
    game.wait_until("the question", |game| game.question() != OpenQuestion::None);
    game.ask_for(Action::Answer(Answer::Discard));
    game.wait_until("the other map", |game| game.map().name() == "My hut");
}

#[test]
fn saving_the_map_that_is_shown_while_another_one_is_awaited_goes_on_with_it() {
    let files = Files::with(MINE, BY_HAND);
    files.write(MINE, "(");
    let mut game = play(&files);
    assert!(!game.errors().is_empty() && game.map().name() == "The valley");
    paint(&mut game, (3, 3));
    game.ask_for(Action::SaveAnew);
    confirm(&mut game, 0, &files.path("valley").display().to_string());
    assert!(game.errors().is_empty());
    std::thread::sleep(std::time::Duration::from_millis(400));
    game.app().update();
    assert!(!game.has_logged("map loaded name=\"My home\""));
    game.ask_for(Action::Undo);
    assert!(game.map().history().is_unsaved(), "its history goes on");
}

#[test]
fn f12_takes_a_screenshot_whatever_is_open() {
    let (_files, mut game) = begin();
    let f12 = |game: &mut Game| {
        let window = Entity::PLACEHOLDER;
        let (key_code, state) = (KeyCode::F12, ButtonState::Pressed);
        let input = KeyboardInput { key_code, logical_key: Key::F12, state, text: None, repeat: false, window };
        game.app().world_mut().write_message(WindowEvent::KeyboardInput(input));
        game.app().update();
        let sent = game.get::<Messages<Action>>();
        sent.iter_current_update_messages().any(|action| *action == Action::Screenshot { with_panels: false })
    };
    assert!(f12(&mut game), "nothing is open");
    for dialog in [Action::NewMap, Action::ListMaps, Action::EditMap, Action::SaveAnew] {
        game.ask_for(dialog);
        assert!(f12(&mut game) && form(&game).is_some(), "{dialog:?}");
        press(&mut game, "\u{1b}");
    }
    paint(&mut game, (1, 0));
    game.ask_for(Action::Quit);
    assert!(f12(&mut game) && game.question() != OpenQuestion::None, "a question");
    game.ask_for(Action::Answer(Answer::Cancel));
    game.ask_for(Action::Help);
    game.app().update();
    assert!(f12(&mut game), "the help");
}

#[test]
fn names_with_invisible_characters_are_refused_with_the_reason() {
    let (_files, mut game) = begin();
    game.ask_for(Action::SaveAnew);
    for (name, char) in [("a\u{1b}[31m", r"\u{1b}"), ("a\nb", r"\n"), ("a\u{202e}b", r"\u{202e}")] {
        type_into(&mut game, 0, name);
        assert_eq!(outcome(&game), Err(format!("The name has the invisible character {char}.")));
        press(&mut game, "\n");
        assert!(form(&game).is_some(), "nothing was saved");
    }
    press(&mut game, "\u{1b}");
    for (dialog, field) in [(Action::NewMap, 0), (Action::EditMap, 0), (Action::EditMap, 1)] {
        game.ask_for(dialog);
        type_into(&mut game, field, "a\u{7}b");
        let refusal = outcome(&game).unwrap_err();
        assert!(refusal.contains(r"has the character '\u{7}'"), "{refusal}");
        type_into(&mut game, field, &"x".repeat(1 << 20));
        let refusal = outcome(&game).unwrap_err();
        assert!(refusal.contains("has 1048576 characters"), "{refusal}");
        press(&mut game, "\u{1b}");
    }
}

#[test]
fn a_notice_tells_in_which_folder_a_map_was_saved() {
    let (files, mut game) = begin();
    let done = |game: &Game| {
        let done = game.get::<Messages<Done>>();
        done.iter_current_update_messages().map(|Done(text)| text.clone()).collect::<Vec<_>>()
    };
    let folder = files.folder().display().to_string();
    paint(&mut game, (1, 0));
    game.ask_for(Action::Save);
    assert_eq!(done(&game), [format!("Saved mine.ron in {folder}.")]);
    game.ask_for(Action::SaveAnew);
    confirm(&mut game, 0, "isle");
    assert_eq!(done(&game), [format!("Saved as isle.ron in {folder}.")]);
}

#[test]
fn a_huge_file_is_not_read_for_its_picture_nor_before_a_save() {
    let files = Files::with(MINE, BY_HAND);
    let huge = |name: &str| {
        let file = fs::File::create(files.path(name)).expect("it can be written");
        file.set_len(300 << 20).expect("its bytes take no room");
    };
    huge("huge.ron");
    let mut game = play(&files);
    press(&mut game, "^o");
    game.wait_until("the picture", |game| pictures(game).iter().take(2).all(Option::is_some));
    assert_eq!(pictures(&game)[0], Some(Picture::TooLarge));
    press(&mut game, "\u{1b}");
    paint(&mut game, (1, 0));
    huge(MINE);
    game.ask_for(Action::Save);
    assert_eq!(game.question(), OpenQuestion::FileChanged);
    game.wait_until("the error", |game| !game.errors().is_empty());
    assert!(game.errors()[0].contains("longer than 256 MiB"), "{:?}", game.errors());
}

#[test]
fn the_list_names_maps_by_their_titles_and_shows_the_best_matches_first() {
    let files = Files::with(MINE, BY_HAND);
    let map =
        |name: &str, about: &str| format!("(name: \"{name}\", about: \"{about}\", base: [\"GG\"], overlay: [\"..\"])");
    files.write("a-first-land.ron", map("My first land", "It has grass."));
    files.write("other.ron", map("Land", "An exact name."));
    files.write("z.ron", map("Landing", ""));
    files.write("zz.ron", map("Isle", "There is no land around it."));
    let mut game = play(&files);
    press(&mut game, "^o");
    let entries = |game: &Game| list(game).entries;
    game.wait_until("the titles", |game| entries(game).iter().all(|entry| entry.title.is_some()));
    let first = entries(&game)[0].title.clone().expect("it has one");
    assert_eq!((first.name.as_str(), first.about.as_str()), ("My first land", "It has grass."));
    let valley = entries(&game).into_iter().find(|entry| entry.text == "valley").and_then(|entry| entry.title);
    assert_eq!(valley.map(|title| title.name), Some("The valley".into()));
    type_into(&mut game, 0, "LAND");
    let found: Vec<_> = entries(&game).into_iter().map(|entry| entry.text).collect();
    assert_eq!(found[..3], ["other.ron", "z.ron", "a-first-land.ron"], "exact, then the beginning, then a word");
    assert!(found.iter().position(|map| map == "highlands") < found.iter().position(|map| map == "zz.ron"));
    assert_eq!(list(&game).chosen, 0, "Enter opens the best one");
    press(&mut game, "\n");
    game.wait_until("the map", |game| game.map().name() == "Land");
}
