//! Files that are dropped onto the window: maps of other formats, and pictures.

use std::fs;
use std::path::{Path, PathBuf};

use bevy::ecs::message::Messages;
use image::{Rgb, RgbImage};

use emberwalk::game::screen::notice::{Done, Notice};
use emberwalk::game::world::dropped_picture::DroppedPicture;
use emberwalk::game::world::request::MapSource;

use crate::dialogs::press;
use crate::prelude::*;

/// Draws a picture of this size of these shades of grey, and returns its path.
fn picture(files: &Files, name: &str, (width, height): (u32, u32), shade: impl Fn(u32, u32) -> u8) -> PathBuf {
    let path = files.path(name);
    RgbImage::from_fn(width, height, |x, y| Rgb([shade(x, y); 3])).save(&path).expect("it can be written");
    path
}

/// Draws a picture of 5 x 5 pixels with a wall in the middle column; it has a gap at the bottom if there is to be a path.
fn maze(files: &Files, name: &str, has_path: bool) -> PathBuf {
    picture(files, name, (5, 5), |x, y| if x == 2 && (y < 4 || !has_path) { 0 } else { 255 })
}

/// A folder with files to drop, and a game on another map.
fn begin() -> (Files, Game) {
    (Files::new(), Game::following(MapRequest::of_path("valley")))
}

/// The notice of this frame that contains these words.
fn notice_with(game: &Game, words: &str) -> Option<String> {
    let notices = game.get::<Messages<Notice>>().iter_current_update_messages().map(|Notice(text)| text);
    let done = game.get::<Messages<Done>>().iter_current_update_messages().map(|Done(text)| text);
    notices.chain(done).find(|text| text.contains(words)).cloned()
}

/// Runs frames until a notice that contains these words, and returns it.
fn wait_for_notice(game: &mut Game, words: &str) -> String {
    game.wait_until(words, |game| notice_with(game, words).is_some());
    notice_with(game, words).expect("it was just there")
}

/// Drops a file, and returns the notice of the same frame.
fn drop_and_read(game: &mut Game, file: &Path) -> Option<String> {
    game.drop_file(file);
    let notices = game.get::<Messages<Notice>>();
    notices.iter_current_update_messages().last().map(|Notice(text)| text.clone())
}

#[test]
fn maps_of_other_formats_are_imported() {
    let (files, mut game) = begin();
    let text = files.write("cave.txt", "WWWWW\nWM HW\nWWWWW\n");
    game.drop_file(&text);
    game.wait_until("the cave", |game| game.map().name() == "cave");
    assert!(game.map().history().is_unsaved(), "it is in no file of ours");
    assert_eq!((game.map().tent(), game.map().castle()), (Some(at(1, 1)), Some(at(3, 1))));
    let arena = files.write("arena.map", "type octile\nheight 2\nwidth 3\nmap\n.T.\n.@.\n");
    game.drop_file(&arena);
    assert!(matches!(game.question(), OpenQuestion::Leave(Leaving::Open(MapSource::Imported(..)))));
    game.app().world_mut().write_message(Action::Answer(Answer::Discard));
    game.wait_until("the arena", |game| game.map().name() == "arena");
    assert_eq!(game.map().size(), Size::new(3, 2));
    // The tileset is next to the map.
    let tsx = "<tileset tilecount=\"1\" tilewidth=\"52\" tileheight=\"26\"><tile id=\"0\" type=\"snow\"/></tileset>";
    files.write("tiles.tsx", tsx);
    let tmx = "<map orientation=\"orthogonal\" width=\"2\" height=\"1\" tilewidth=\"52\" tileheight=\"26\">\
               <tileset firstgid=\"1\" source=\"tiles.tsx\"/><layer width=\"2\" height=\"1\">\
               <data encoding=\"csv\">1,1</data></layer></map>";
    let tmx = files.write("village.tmx", tmx);
    game.drop_file(&tmx);
    game.app().world_mut().write_message(Action::Answer(Answer::Discard));
    game.wait_until("the village", |game| game.map().name() == "village");
    assert_eq!(game.map().base_at(at(1, 0)).map(|ground| ground.name.as_str()), Some("snow"));
}

#[test]
fn what_is_wrong_with_an_imported_map_is_listed_until_it_is_corrected() {
    let (files, mut game) = begin();
    let arena = files.write("arena.map", "type octile\nheight 1\nwidth 2\nmap\n.X\n");
    game.drop_file(&arena);
    game.wait_until("errors", |game| !game.errors().is_empty());
    assert_eq!(game.map().name(), "The valley");
    files.write("arena.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    game.wait_until("the arena", |game| game.map().name() == "arena");
    assert_eq!(game.errors(), <[&str; 0]>::default());
}

#[test]
fn a_picture_is_opened_as_a_map_with_the_route_through_it() {
    let (files, mut game) = begin();
    game.drop_file(&maze(&files, "maze.png", true));
    assert_eq!(game.question(), OpenQuestion::Picture(DroppedPicture::new(files.path("maze.png"))));
    press(&mut game, "\n");
    game.wait_until("the maze", |game| game.map().name() == "maze");
    assert_eq!(game.question(), OpenQuestion::None);
    assert_eq!(
        (game.map().size(), game.map().tent(), game.map().castle()),
        (Size::new(5, 5), Some(at(0, 0)), Some(at(4, 4)))
    );
    assert!(game.route().contains(&at(2, 4)), "{:?}", game.route());
}

#[test]
fn a_picture_without_walls_is_opened_with_a_notice_that_tells_why() {
    let (files, mut game) = begin();
    let grey = picture(&files, "grey.png", (5, 5), |x, _| if x == 2 { 34 } else { 255 });
    game.drop_file(&grey);
    press(&mut game, "\n");
    let told = wait_for_notice(&mut game, "no pixel is a wall");
    assert_eq!(told, "grey.png: no pixel is a wall: the lowest red is 34, and a wall has 0.");
    assert_eq!(game.map().name(), "grey");
    game.drop_file(&grey);
    game.ask(Action::Answer(Answer::Solve));
    let told = wait_for_notice(&mut game, "Note: ");
    assert!(told.ends_with(" Note: no pixel is a wall: the lowest red is 34, and a wall has 0."), "{told}");
}

/// Runs frames until the hint on the dropped picture is there, and returns the text of the question.
fn wait_for_hint(game: &mut Game) -> String {
    let has_hint = |game: &Game| matches!(game.question(), OpenQuestion::Picture(DroppedPicture { hint: Some(_), .. }));
    game.wait_until("the hint", has_hint);
    game.question().text("")
}

#[test]
fn walls_with_grey_edges_can_be_closed_in_the_question() {
    let (files, mut game) = begin();
    // A wall that ends above the lowest row. It has a hole that is as grey as its edge.
    let red = |x, y| match (x, y) {
        (1, 0..4) | (2, 2) => 90,
        (2, 0..4) => 0,
        _ => 255,
    };
    game.drop_file(&picture(&files, "smooth.png", (5, 5), red));
    let asked = wait_for_hint(&mut game);
    assert!(asked.contains("whose black pixels are walls. 5 pixels (20.0 %) are grey"), "{asked}");
    assert!(asked.contains(" The threshold to try is 172. "), "{asked}");
    game.ask(Action::Answer(Answer::ImproveWalls));
    let asked = game.question().text("");
    assert!(asked.contains("whose dark pixels are walls. Open it as a map"), "{asked}");
    press(&mut game, "\n");
    game.wait_until("the map", |game| game.map().name() == "smooth");
    assert!((0..4).all(|y| [1, 2].iter().all(|&x| game.map().overlay_at(at(x, y)).is_some())), "the hole is a wall");
}

#[test]
fn light_walls_can_be_chosen_in_the_question() {
    let (files, mut game) = begin();
    let chalk = picture(&files, "chalk.png", (5, 3), |_, y| if y == 1 { 0 } else { 255 });
    game.drop_file(&chalk);
    let asked = wait_for_hint(&mut game);
    assert!(asked.contains("There would be a path if light pixels were walls. Open it"), "{asked}");
    game.ask(Action::Answer(Answer::ImproveWalls));
    game.ask(Action::Answer(Answer::Solve));
    wait_for_notice(&mut game, "The path through chalk.png has cost 20 and 4 steps.");
    game.drop_file(&chalk);
    game.ask(Action::Answer(Answer::Solve));
    let told = wait_for_notice(&mut game, "There is no path through chalk.png.");
    assert!(told.ends_with(" Note: there would be a path if light pixels were walls."), "{told}");
}

#[test]
fn the_path_through_a_picture_is_saved_in_a_new_picture() {
    let (files, mut game) = begin();
    files.write("maze-solved.png", "mine");
    game.drop_file(&maze(&files, "maze.png", true));
    game.ask(Action::Answer(Answer::Solve));
    let folder = files.folder().display();
    wait_for_notice(&mut game, &format!("has cost 34 and 6 steps. Saved as maze-solved-2.png in {folder}."));
    let solved = image::open(files.path("maze-solved-2.png")).expect("it is a picture").to_rgb8();
    assert_eq!(solved.get_pixel(2, 4).0, [0, 128, 0]);
    assert_eq!(files.text("maze-solved.png"), "mine", "nothing is replaced");
    assert_eq!(game.map().name(), "The valley");
    game.drop_file(&maze(&files, "closed.png", false));
    game.ask(Action::Answer(Answer::Solve));
    wait_for_notice(&mut game, "There is no path through closed.png.");
    assert!(!files.path("closed-solved.png").exists());
}

#[test]
fn a_picture_that_is_none_is_refused_with_the_reason() {
    let (files, mut game) = begin();
    let bad = files.write("bad.png", b"\x89PNG\r\n\x1a\n\0\0");
    game.drop_file(&bad);
    game.ask(Action::Answer(Answer::Solve));
    wait_for_notice(&mut game, "bad.png: the picture cannot be read");
    game.drop_file(&bad);
    press(&mut game, "\n");
    game.wait_until("errors", |game| !game.errors().is_empty());
    game.drop_file(&files.path("gone.png"));
    game.ask(Action::Answer(Answer::Solve));
    wait_for_notice(&mut game, "gone.png: there is no such file");
    game.drop_file(&bad);
    press(&mut game, "\u{1b}");
    assert_eq!(game.question(), OpenQuestion::None);
}

#[test]
fn a_picture_does_not_take_the_place_of_another_question() {
    let (files, mut game) = begin();
    let open = OpenQuestion::Replace("other.ron".into());
    game.app().insert_resource(open.clone());
    let said = drop_and_read(&mut game, &maze(&files, "maze.png", true));
    assert_eq!(said.as_deref(), Some("Answer the question first, and drop maze.png again."));
    assert_eq!(game.question(), open);
    game.app().world_mut().write_message(Action::Answer(Answer::Cancel));
    game.frame();
    assert_eq!(game.question(), OpenQuestion::None);
}

#[test]
fn other_files_are_named() {
    let (files, mut game) = begin();
    fs::create_dir(files.path("folder.png")).unwrap();
    for name in ["notes.md", "tiles.tsx", "no-extension"] {
        files.write(name, "");
    }
    for name in ["notes.md", "tiles.tsx", "no-extension", "folder.png"] {
        game.log_lines();
        let said = drop_and_read(&mut game, &files.path(name)).unwrap_or_default();
        assert!(said.starts_with(&format!("{name} is not a map.")), "{said}");
        assert_eq!(game.log_lines(), [format!("not a map file={:?}", files.path(name).as_os_str())]);
    }
    assert_eq!(game.map().name(), "The valley");
}
