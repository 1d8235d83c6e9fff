//! `emberwalk export`: the files that it writes, and what it refuses.

use std::fs;

use emberwalk_map::{Map, bundled_maps};

use super::Folder;
use crate::support::tileset;

#[test]
fn pictures_of_the_user_are_never_replaced() {
    let folder = Folder::new();
    for picture in ["town-tiles.png", "town-tall.png", "town-levels.png"] {
        folder.write(picture, "MYART");
        let reason = format!("{picture} was not written by `export`, or was edited since, and would be overwritten");
        folder.refuses("export highlands -o town.tmx", &reason);
        assert_eq!(folder.text(picture), "MYART");
        fs::remove_file(folder.path(picture)).unwrap();
    }
    // An earlier export is replaced, even one with other tiles, until its pictures are edited.
    for map in ["highlands", "valley", "highlands"] {
        folder.done(&format!("export {map} -o town.tmx"));
    }
    let edited = image::open(folder.path("town-tall.png")).unwrap().fliph();
    edited.save(folder.path("town-tall.png")).unwrap();
    folder.refuses("export valley -o town.tmx", "was edited since");
    assert_eq!(image::open(folder.path("town-tall.png")).unwrap(), edited);
}

#[test]
fn export_writes_a_map_and_its_pictures() {
    let folder = Folder::new();
    folder.done("export valley -o 'my valley.tmx'");
    let map = tiled::Loader::new().load_tmx_map(folder.path("my valley.tmx")).unwrap();
    assert_eq!((map.width, map.height), (20, 24), "turned by a quarter");
    for tileset in map.tilesets() {
        let image = tileset.image.as_ref().unwrap();
        let (width, height) = image::image_dimensions(&image.source).unwrap();
        assert_eq!((width as i32, height as i32), (image.width, image.height));
        assert_eq!(tileset.columns * tileset.tile_width, width);
        assert!(tileset.tilecount <= width / tileset.tile_width * height / tileset.tile_height);
    }
    assert_eq!(folder.run("import 'my valley.tmx' -o back.ron").status, 0);
    let read = |name: &str, text: &str| Map::parse(name, text, &tileset()).unwrap().to_ron();
    let valley = bundled_maps().into_iter().find(|map| map.name == "valley").unwrap();
    assert_eq!(read("back.ron", &folder.text("back.ron")), read("valley", valley.source));
    for (command, reason) in [
        ("export valley -o -", "so it must be a file"),
        ("export valley -o a.json", "so its name should end in .tmx"),
        ("export valley -o .", "this is a folder, not a file"),
        ("export no-such-map -o a.tmx", "no-such-map"),
        ("export valley -o no/a.tmx", "its folder does not exist"),
        ("export valley", "--output"),
    ] {
        folder.refuses(command, reason);
    }
    assert_eq!(folder.names(), ["back.ron", "my valley-tall.png", "my valley-tiles.png", "my valley.tmx"]);
}
