//! Maps in other people's formats.

use emberwalk_map::Map;

/// The rows of both layers.
pub fn rows(map: &Map) -> (Vec<String>, Vec<String>) {
    let tileset = map.tileset();
    let (width, height) = (map.size().width as i32, map.size().height as i32);
    let layer = |char: &dyn Fn((i32, i32)) -> char| {
        (0..height).map(|y| (0..width).map(|x| char((x, y))).collect()).collect::<Vec<String>>()
    };
    let base = layer(&|cell| tileset[map.base()[cell.into()]].char);
    let overlay = layer(&|cell| map.overlay()[cell.into()].map_or('.', |id| tileset[id].char));
    (base, overlay)
}

/// Tiles of a Tiled map.
pub const TILES: &str = r#"<tileset firstgid="1" name="land" tilewidth="32" tileheight="32" tilecount="4" columns="2">
  <image source="land.png" width="64" height="64"/>
  <tile id="0" type="Grass"/>
  <tile id="1"><properties><property name="terrain" value="~"/></properties></tile>
  <tile id="2" class="stone wall"/>
 </tileset>"#;

/// A Tiled map of 3 x 2 cells.
pub fn tmx(orientation: &str, tiles: &str, data: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<map version=\"1.10\" orientation=\"{orientation}\" width=\"3\" height=\"2\" \
         tilewidth=\"32\" tileheight=\"32\">\n {tiles}\n <layer id=\"1\" name=\"a\" width=\"3\" height=\"2\">\n  \
         {data}\n </layer>\n</map>\n"
    )
}

/// A Tiled map of 3 x 2 cells of grass, with these elements after its layer.
pub fn grass_with(orientation: &str, elements: &str) -> String {
    tmx(orientation, TILES, &csv("1,1,1,1,1,1")).replace("</map>", &format!("{elements}</map>"))
}

/// The data of a layer of Tiled as comma-separated numbers.
pub fn csv(cells: &str) -> String {
    format!("<data encoding=\"csv\">\n{cells}\n</data>")
}

/// A wall with a gate, and behind it trees and a pond. The last row is unreachable.
pub const MAP: &str = "type octile\nheight 4\nwidth 5\nmap\n..@.T\n..GSW\n..@..\n@@@@@\n";

/// Problems along the wall; through the gate to a passable corner; the same with a length that is too short; into the
/// trees; and with a start that is the goal.
pub const SCENARIO: &str = "version 1\n\
    0\tgate.map\t5\t4\t0\t0\t0\t2\t2\n\
    1\tgate.map\t5\t4\t0\t0\t3\t0\t4.41421\n\
    1\tgate.map\t5\t4\t0\t0\t3\t0\t4.4\n\
    0\tgate.map\t5\t4\t0\t0\t4\t0\t5.41421\n\
    0\tgate.map\t5\t4\t1\t1\t1\t1\t0\n";
