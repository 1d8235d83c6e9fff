//! `emberwalk export`: the files that it writes, and what it refuses.

use std::fs;

use emberwalk_map::{Map, bundled_maps};

use super::run_in;
use crate::support::tileset;

#[test]
fn pictures_of_the_user_are_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let export = |map: &str| run_in(folder.path(), &["export", map, "-o", "town.tmx"]);
    let pictures = ["town-tiles.png", "town-tall.png", "town-levels.png"];
    for picture in pictures {
        fs::write(path(picture), b"MYART").unwrap();
        let output = export("highlands");
        let told = String::from_utf8(output.stderr).unwrap();
        let says = format!("{picture} was not written by `export`, or was edited since, and would be overwritten");
        assert!(output.status.code() == Some(2) && told.contains(&says), "{told}");
        assert_eq!(fs::read(path(picture)).unwrap(), b"MYART");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is written");
        fs::remove_file(path(picture)).unwrap();
    }
    // An earlier export is replaced, even one with other tiles, until its pictures are edited.
    for map in ["highlands", "valley", "highlands"] {
        assert!(export(map).status.success(), "{map}");
    }
    let edited = image::open(path("town-tall.png")).unwrap().fliph();
    edited.save(path("town-tall.png")).unwrap();
    assert_eq!(export("valley").status.code(), Some(2));
    assert_eq!(image::open(path("town-tall.png")).unwrap(), edited);
}

#[test]
fn export_writes_a_map_and_its_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let output = run_in(folder.path(), &["export", "valley", "-o", "my valley.tmx"]);
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    let map = tiled::Loader::new().load_tmx_map(path("my valley.tmx")).unwrap();
    assert_eq!((map.width, map.height), (20, 24), "turned by a quarter");
    for tileset in map.tilesets() {
        let image = tileset.image.as_ref().unwrap();
        let (width, height) = image::image_dimensions(&image.source).unwrap();
        assert_eq!((width as i32, height as i32), (image.width, image.height));
        assert!(
            tileset.columns * tileset.tile_width == width
                && tileset.tilecount <= width / tileset.tile_width * height / tileset.tile_height
        );
    }
    let output = run_in(folder.path(), &["import", "my valley.tmx", "-o", "back.ron"]);
    assert!(output.status.success(), "{output:?}");
    let read = |name: &str, text: &str| Map::parse(name, text, &tileset()).unwrap().to_ron();
    let valley = bundled_maps().into_iter().find(|map| map.name == "valley").unwrap();
    assert_eq!(read("back.ron", &fs::read_to_string(path("back.ron")).unwrap()), read("valley", valley.source));
    for args in [
        &["export", "valley", "-o", "-"][..],
        &["export", "valley", "-o", "a.json"],
        &["export", "no-such-map", "-o", "a.tmx"],
        &["export", "valley", "-o", "no/a.tmx"],
        &["export", "valley"],
    ] {
        let output = run_in(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["back.ron", "my valley-tall.png", "my valley-tiles.png", "my valley.tmx"]);
    let help = run_in(folder.path(), &["export", "--help"]);
    assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:"));
}
