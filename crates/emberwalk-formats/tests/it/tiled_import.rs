//! Importing Tiled maps that Tiled itself opens.

use std::fs;

use emberwalk_formats::import::{ImportOptions, import, import_with, parse_map};
use emberwalk_formats::tmx::TileMapping;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;

use crate::support::foreign::{TILES, csv, grass_with, rows, tmx};
use crate::support::tileset;

fn read(text: &str) -> Map {
    import("a.tmx", text.as_bytes(), None, &tileset()).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics}"))
}

/// Reads a map with these terrains for its tiles, and returns it with the notes.
fn read_mapped(file: &str, text: &str, mappings: &[&str]) -> Result<(Map, Vec<String>), Diagnostics> {
    let tile_mappings = mappings.iter().map(|mapping| mapping.parse().unwrap()).collect();
    let options = ImportOptions { tile_mappings, ..ImportOptions::default() };
    let imported = import_with(file, text.as_bytes(), &tileset(), &options)?;
    Ok((Map::of_content(imported.content), imported.notes))
}

fn error(file: &str, text: &str) -> Diagnostics {
    import(file, text.as_bytes(), None, &tileset()).map(|_| ()).expect_err(text)
}

/// The report of a map that is refused, on one line.
fn report(text: &str) -> String {
    error("a.tmx", text).to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_tiled_does_not_need_is_not_read() {
    let good = tmx("orthogonal", TILES, &csv("1,2,1,3,0,2"));
    let expected = rows(&read(&good));
    for (from, to) in [
        (" tilecount=\"4\"", ""),
        (" tilecount=\"4\"", " tilecount=\"4000000000\""),
        (" columns=\"2\"", ""),
        (" columns=\"2\"", " margin=\"1\" spacing=\"x\""),
        (" width=\"64\" height=\"64\"", ""),
        (" width=\"64\"", " width=\"-1\""),
        ("tilewidth=\"32\" tileheight=\"32\" tilec", "tilewidth=\"4294967295\" tilec"),
        (" version=\"1.10\" orientation=\"orthogonal\"", ""),
        ("orientation=\"orthogonal\"", "orientation=\"oblique\" skewx=\"16\""),
    ] {
        assert!(good.contains(from), "{from}");
        assert_eq!(rows(&read(&good.replacen(from, to, 1))), expected, "{from} -> {to}");
    }
    let old = r#"<tileset firstgid="1" name="ground" tilewidth="32" tileheight="32"><image source="g.png"/></tileset>"#;
    let text = tmx("orthogonal", old, &csv("1,2,1,2,0,2"));
    let (map, _) = read_mapped("a.tmx", &text, &["ground:0=grass", "ground:1=water"]).unwrap();
    assert_eq!(rows(&map).0, ["G~G", "~G~"]);
}

#[test]
fn layer_data_are_read_as_in_tiled() {
    let expected = (vec!["G~G".to_owned(), "GG~".into()], vec!["...".to_owned(), "W..".into()]);
    let base64 = |compression: &str, cells: &str| format!("<data encoding=\"base64\"{compression}>{cells}</data>");
    let gzip = "H4sIAAAAAAACA2NkYGBgAmJGIGZmgAAQHwBhUtWbGAAAAA==";
    for data in [
        base64("", "\n   AQAAAAIAAAABAAAA\n   AwAAAAAAAAACAAAA\n  "),
        base64(" compression=\"zlib\"", "eJxjZGBg\r\nYAJiRiBm\tZoAA EB8AAJQACg=="),
        base64(" compression=\"zlib\"", "eJxjZGBgYAJiRiBmZoAAEB8AAJQACg"),
        base64(" compression=\"zlib\"", gzip),
        base64(" compression=\"gzip\"", gzip),
        base64("", "AQAAAAIAAAABAAAA<!-- -->AwAAAAAAAAACAAAA"),
        "<data><tile gid=\"1\"/><tile gid=\"2\"/><tile gid=\"1\"/><tile gid=\"3\"></tile><tile/><tile gid=\"2\"/></data>".into(),
        csv("1,2,1,\n3,,2,\n"),
        csv("1,2,1,<!-- -->3,0,2"),
        // Flipped and turned tiles are the same terrain.
        csv("2147483649,1073741826,536870913,3758096387,0,2"),
        csv("<![CDATA[1,2,1,3,0,2]]>"),
        csv("<x>9</x>1,2,1,3,0,2"),
        csv("<chunk x=\"0\" y=\"0\" width=\"2\" height=\"2\">1,2,3,0</chunk><chunk x=\"2\" y=\"0\" width=\"1\" height=\"2\">1,2</chunk>"),
    ] {
        assert_eq!(rows(&read(&tmx("orthogonal", TILES, &data))), expected, "{data}");
        let infinite = tmx("orthogonal", TILES, &data).replace("<map version", "<map infinite=\"1\" version");
        assert_eq!(rows(&read(&infinite)), expected, "{data}");
    }
    for data in [csv(""), csv("<!-- -->"), base64("", ""), "<data/>".into(), "<data>1,1</data>".into(), String::new()] {
        assert_eq!(rows(&read(&tmx("orthogonal", TILES, &data))).0, ["GGG", "GGG"], "{data}");
    }
    let outside = csv("<chunk x=\"3\" y=\"-1\" width=\"1\" height=\"1\">2</chunk>");
    assert_eq!(rows(&read(&tmx("orthogonal", TILES, &outside))).0, ["GGG~", "GGGG", "GGGG"]);
    let seven = report(&tmx("orthogonal", TILES, &format!("<data>{}</data>", "<tile gid=\"1\"/>".repeat(7))));
    assert!(seven.contains("the layer has 7 cells, but its width and height say 6"), "{seven}");
}

/// The argument between the quotes of a shell.
fn unquoted(argument: &str) -> String {
    match argument.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').unwrap().to_owned(),
        None => argument.replace("'\\''", "\0").replace('\'', "").replace('\0', "'"),
    }
}

#[test]
fn the_advised_tile_option_works_for_all_names_of_tilesets() {
    for name in ["", " ", "a=b", "x:1-2=y", "x:1=grass", "it's", "a&quot;b", "-dash", "$HOME!", "a\u{202e}b", "  a  b "]
    {
        let tiles = format!("<tileset firstgid=\"1\" name=\"{name}\" tilewidth=\"9\" tileheight=\"9\"/>");
        let text = tmx("orthogonal", &tiles, &csv("4,4,5,0,7,7"));
        let report = error("a.tmx", &text).to_string();
        let advice = report
            .split_once("`--tile ")
            .and_then(|(_, rest)| rest.split_once('`'))
            .unwrap_or_else(|| panic!("{report}"))
            .0;
        let mapping = unquoted(advice).parse::<TileMapping>().unwrap_or_else(|error| panic!("{advice}: {error}"));
        let options = ImportOptions { tile_mappings: vec![mapping], ..ImportOptions::default() };
        let map = import_with("a.tmx", text.as_bytes(), &tileset(), &options)
            .unwrap_or_else(|error| panic!("{advice}\n{error}"));
        assert_eq!(rows(&Map::of_content(map.content)).0, ["GGG", "GGG"], "{name}");
    }
}

#[test]
fn misspelt_classes_get_a_suggestion() {
    for (class, says) in [
        ("stone wal", "instead of \"stone wal\", did you mean `stone wall`?"),
        ("stone wal", "use `--tile \"land:2=stone wall\"`"),
        ("wall", "instead of \"wall\", did you mean `stone wall`?"),
        ("level 10", "\"level 10\" is not a level: levels go from 0 to 9"),
        ("q", "use `--tile \"land:2=grass\"`"),
    ] {
        let text = tmx("orthogonal", &TILES.replace("stone wall", class), &csv("1,1,1,1,1,3"));
        let report = report(&text);
        assert!(report.contains(says), "{class}: {report}");
        assert!(class != "q" || !report.contains("did you mean"), "{report}");
    }
}

#[test]
fn errors_are_marked_where_they_are() {
    for (text, line, column, says) in [
        ("no map\n\n", 1, 1, "this is not a Tiled map"),
        (
            &tmx("orthogonal", TILES, &csv("1,2,1,\n3, x,2")),
            12,
            4,
            "\"x\" in column 1 of row 1 is not a number from 0 to 4294967295",
        ),
    ] {
        let errors = error("a.tmx", text);
        let [error] = errors.list() else { panic!("{errors}") };
        let place = error.location.as_ref().unwrap();
        assert_eq!((place.line, place.column), (line, column), "{errors}");
        assert!(error.message.contains(says), "{errors}");
    }
}

#[test]
fn a_number_out_of_range_is_reported_with_the_range() {
    let object = "<objectgroup><object x=\"1e308\"/></objectgroup>";
    for (text, says) in [
        (
            tmx("orthogonal", TILES, &csv("1,-1,1,1,1,1")),
            "\"-1\" in column 1 of row 0 is not a number from 0 to 4294967295",
        ),
        (
            tmx("orthogonal", TILES, &csv("99999999999999")),
            "\"99999999999999\" in column 0 of row 0 is not a number from 0",
        ),
        (
            grass_with("orthogonal", object),
            "x is \"1e308\"; it must be a number of pixels from -1073741824 to 1073741824",
        ),
        (
            grass_with("orthogonal", "").replace("<layer ", "<layer x=\"99999999999\" "),
            "it must be a number from -1048576 to 1048576",
        ),
    ] {
        let errors = report(&text);
        assert!(errors.contains(says), "{errors}");
    }
}

#[test]
fn the_property_terrain_may_have_capitals() {
    assert!(TILES.contains("name=\"terrain\""), "{TILES}");
    let text = tmx("orthogonal", &TILES.replace("name=\"terrain\"", "name=\"Terrain\""), &csv("1,2,1,3,0,2"));
    assert_eq!(rows(&read(&text)), rows(&read(&tmx("orthogonal", TILES, &csv("1,2,1,3,0,2")))));
}

#[test]
fn files_that_are_no_maps_say_what_they_are() {
    let tsj = r#"{ "columns":2, "name":"land", "tilecount":4, "tilewidth":32, "type":"tileset" }"#;
    let ldtk = r#"{ "__header__": { "app": "LDtk" }, "defs": { "layers": [] } }"#;
    for (text, what, help) in [
        (r#"{ "compressionlevel":-1, "layers":[] }"#, "this is a Tiled map in JSON", "File > Export As"),
        (tsj, "this is a Tiled tileset in JSON, not a map", "import the map that uses it"),
        (ldtk, "this is an LDtk project", "Tiled (TMX) export"),
        ("<svg xmlns=\"a\"/>", "this is an SVG picture, which has no pixels", "PNG picture"),
        ("{\"maps\":[],\"type\":\"world\"}", "this is a Tiled world, not a map", "import its maps"),
        ("return {\n  luaversion = \"5.1\" }", "this is a Tiled map in Lua", "File > Export As"),
        ("return {\n  layers = {} }", "this is a Tiled map in Lua", "File > Export As"),
        ("version 1\n0\ta.map\t5\t4\t0\t0\t1\t1\t1", "this is a Moving AI scenario, not a map", "emberwalk scenario"),
        ("(format: 1, entries: [(0, order(open(\"", "this is a recording, not a map", "play it: emberwalk replay a"),
        (
            "agents:\n-   start: [0, 0]\nmap:\n    dimensions: [3, 3]",
            "this is a MAPF instance, not a map",
            "crowd MAP --orders",
        ),
        ("statistics:\n    cost: 7\nschedule:\n", "this is a MAPF schedule, not a map", "only the problem can be run"),
        (
            "{\"mapFile\": \"maps/a.map\", \"agentFile\": \"a.agents\"}",
            "this is a problem of the League of Robot Runners, not a map",
            "the file that \"mapFile\" names",
        ),
        (
            "{\"actionModel\": \"MAPF_T\", \"teamSize\": 1}",
            "this is a result of the League of Robot Runners, not a map",
            "check its paths: emberwalk crowd MAP --plan ",
        ),
        (
            "# version for LoRR 2024\n2\n17\n3\n",
            "this is a list of cell numbers, as the League of Robot Runners has for agents and tasks, not a map",
            "x = N % width",
        ),
    ] {
        let parsed = parse_map("a.ron", text, &tileset()).map(|_| ()).unwrap_err();
        for file in ["a.tmx", "a.tmj", "a.txt", "a.map", "a"] {
            for errors in [error(file, text), parsed.clone()] {
                let [error] = errors.list() else { panic!("{errors}") };
                assert_eq!(error.message, what, "{file}");
                assert!(error.help.as_ref().is_some_and(|text| text.contains(help)), "{errors}");
            }
        }
    }
    for (text, what) in [
        ("<tileset/>", "this is a Tiled tileset, not a map"),
        ("<?xml version=\"1.0\"?>\n<html/>", "this is an XML file, not a map"),
        ("<?xml version=\"1.0\"?>\n<svg/>", "this is an SVG picture, which has no pixels"),
        ("WWWW\nWM W\nWWHW\n", "this is a text map"),
    ] {
        let errors = parse_map("a.ron", text, &tileset()).map(|_| ()).unwrap_err();
        assert_eq!(errors.list()[0].message, what);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.tmx").display().to_string();
    fs::write(folder.path().join("land.tsj"), tsj).unwrap();
    let errors = error(&file, &tmx("orthogonal", "<tileset firstgid=\"1\" source=\"land.tsj\"/>", &csv("1,1,1,1,1,1")));
    assert_eq!(errors.list()[0].message, "this is a Tiled tileset in JSON, not a map");
    assert!(errors.list()[0].help.as_ref().unwrap().contains("ends in .tsx"), "{errors}");
}

/// A Tiled map of 3 x 2 cells of grass, and a layer with these cells and attributes.
fn with_layer(orientation: &str, attributes: &str, cells: &str) -> String {
    grass_with(orientation, &format!("<layer id=\"2\"{attributes} width=\"3\" height=\"2\">{}</layer>", csv(cells)))
}

#[test]
fn a_moved_layer_that_is_empty_or_unused_is_ignored() {
    let moved = " offsetx=\"16\" offsety=\"5.5\"";
    assert_eq!(rows(&read(&with_layer("orthogonal", moved, "0,0,0,0,0,0"))).0, ["GGG", "GGG"]);
    let unused = with_layer("orthogonal", moved, "4,0,0,0,4,0");
    assert!(read_mapped("a.tmx", &unused, &["land:3=nothing"]).is_ok());
    let used = report(&with_layer("orthogonal", moved, "0,0,0,0,2,0"));
    assert!(used.contains("the layer is moved by 16,5.5 pixels"), "{used}");
}

#[test]
fn raised_layers_of_isometric_maps_set_levels() {
    // A level is 12 pixels high where a tile is 26 pixels high, so about 14.8 here.
    for (attributes, level) in [(" offsety=\"-15\"", 1), (" offsety=\"-30\"", 2), (" offsety=\"-44.3\"", 3), ("", 0)] {
        let map = read(&with_layer("isometric", attributes, "2,0,0,0,0,3"));
        let levels: Vec<_> = map.size().cells().map(|cell| map.level(cell)).collect();
        // The column 0 and row 0 of Tiled are our cell 1,0.
        assert_eq!(levels, [0, level, 0, 0, 0, 0], "{attributes}");
        assert_eq!(
            rows(&map),
            (vec!["G~".into(), "GG".into(), "GG".into()], vec!["..".into(), "..".into(), "W.".into()])
        );
    }
    let whole = read(&with_layer("isometric", " offsety=\"32\"", "2,0,0,0,0,0"));
    assert_eq!((whole.top(), rows(&whole).0), (0, vec!["GG".into(), "~G".into(), "GG".into()]));
    for (orientation, attributes) in [
        ("isometric", " offsety=\"-20\""),
        ("isometric", " offsety=\"15\""),
        ("isometric", " offsetx=\"3\" offsety=\"-15\""),
        ("isometric", " offsety=\"-148\""),
        ("orthogonal", " offsety=\"-15\""),
    ] {
        let errors = report(&with_layer(orientation, attributes, "2,0,0,0,0,0"));
        assert!(errors.contains("the layer is moved by"), "{attributes}: {errors}");
    }
}

/// The offset between the two walls of a staggered or hexagonal map, whose corners outside Tiled's map are water.
fn offset_of_walls(map: &Map) -> (i32, i32) {
    let outside = rows(map).0.concat().chars().filter(|&char| char == '~').count();
    assert_eq!(outside, map.size().area() - 6, "the corners are water");
    let walls: Vec<_> = map.overlay().iter().filter(|(_, id)| id.is_some()).map(|(cell, _)| cell).collect();
    let [a, b] = walls[..] else { panic!("{walls:?}") };
    (b.x - a.x, b.y - a.y)
}

#[test]
fn staggered_and_hexagonal_maps_have_the_neighbours_that_tiled_shows() {
    // In Tiled, every second row is half a tile further right, so the first cell of the second row touches the first two
    // cells above it. Hexagons also touch the next one in their row.
    let staggered = "staggered\" staggeraxis=\"y\" staggerindex=\"odd";
    let hexagonal = "hexagonal\" staggeraxis=\"y\" staggerindex=\"odd\" hexsidelength=\"16";
    for (orientation, neighbours) in [(staggered, &[(1, 0), (0, 1)][..]), (hexagonal, &[(1, 0), (0, 1), (1, 1)])] {
        let is_hexagonal = orientation == hexagonal;
        for (cells, are_neighbours) in [
            ("3,1,1,3,1,1", true),
            ("1,3,1,3,1,1", true),
            ("1,1,3,3,1,1", false),
            ("3,1,1,1,3,1", false),
            ("3,3,1,1,1,1", is_hexagonal),
        ] {
            let (map, notes) = read_mapped("a.tmx", &tmx(orientation, TILES, &csv(cells)), &[]).unwrap();
            let (x, y) = offset_of_walls(&map);
            let is_neighbour = neighbours.contains(&(x, y)) || neighbours.contains(&(-x, -y));
            assert_eq!(is_neighbour, are_neighbours, "{orientation}, {cells}: {x},{y}");
            assert_eq!(notes.concat().contains("six moves"), is_hexagonal, "{notes:?}");
        }
    }
}

#[test]
fn layers_that_are_moved_extremely_far_are_reported() {
    for offset in ["1073741824", "-1073741824", "1073741823"] {
        let groups = format!("<group offsetx=\"{offset}\" offsety=\"{offset}\">");
        for orientation in ["orthogonal", "isometric", "staggered"] {
            let text = with_layer(orientation, "", "2,0,0,0,0,0")
                .replace("<layer id=\"2\"", &format!("{}<layer id=\"2\"", groups.repeat(20)));
            let text = text.replace("tilewidth=\"32\" tileheight=\"32\">\n", "tilewidth=\"1\" tileheight=\"1\">\n");
            let text = text.replace("</layer></map>", &format!("</layer>{}</map>", "</group>".repeat(20)));
            let infinite = text.replace("<map version", "<map infinite=\"1\" version");
            assert!(error("a.tmx", &text).to_string().contains("outside the map"), "{orientation} {offset}");
            assert!(error("a.tmx", &infinite).to_string().contains("columns"), "{orientation} {offset}");
        }
    }
}

/// A map file, and other files beside it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn import(&self, text: &str, mappings: &[&str]) -> Result<Map, Diagnostics> {
        self.import_with_notes(text, mappings).map(|(map, _)| map)
    }

    fn import_with_notes(&self, text: &str, mappings: &[&str]) -> Result<(Map, String), Diagnostics> {
        let file = self.0.path().join("a.tmx").display().to_string();
        read_mapped(&file, text, mappings).map(|(map, notes)| (map, notes.concat()))
    }
}

const TWO_TILES: &str =
    r#"<tileset name="land"><tile id="0" class="grass"/><tile id="1" class="stone wall"/></tileset>"#;

/// A map of 3 x 2 cells with a wall in its second cell, whose tileset is in the file `source`.
fn with_tileset(source: &str) -> String {
    tmx("orthogonal", &format!("<tileset firstgid=\"1\" source=\"{source}\"/>"), &csv("1,2,1,1,1,1"))
}

#[test]
fn tileset_files_are_found_as_on_windows() {
    let folder =
        Folder::new(&[("tiles/land.tsx", TWO_TILES), ("Other Tiles/Sea.TSX", TWO_TILES), ("up.tsx", TWO_TILES)]);
    for source in [
        "tiles/land.tsx",
        "tiles\\land.tsx",
        "Tiles/Land.TSX",
        ".\\TILES\\.\\land.tsx",
        "other tiles\\sea.tsx",
        "tiles/../UP.tsx",
        // It was moved next to the map.
        "C:\\maps\\tiles\\up.tsx",
    ] {
        let map = folder.import(&with_tileset(source), &[]).unwrap_or_else(|errors| panic!("{source}: {errors}"));
        assert_eq!(rows(&map).1, [".W.", "..."], "{source}");
    }
    let errors = folder.import(&with_tileset("tiles\\lands.tsx"), &[]).map(|_| ()).unwrap_err();
    assert!(errors.to_string().contains("tiles\\lands.tsx: there is no such file"), "{errors}");
    let image = r#"<tileset firstgid="1" name="x"><tile id="0"><image source="tiles\grass_02.png"/></tile>
                   <tile id="1"><image source="C:\tiles\Stone_Wall.png"/></tile></tileset>"#;
    assert_eq!(rows(&read(&tmx("orthogonal", image, &csv("1,2,1,1,1,1")))).1, [".W.", "..."]);
}

#[test]
fn a_missing_tileset_matters_only_if_its_tiles_have_no_terrain() {
    let folder = Folder::new(&[("broken.tsx", "<tileset name=\"broken\"><tile id=\"0\">")]);
    for name in ["demo", "broken"] {
        let text = with_tileset(&format!("tiles/{name}.tsx"));
        let mappings = [format!("{name}:0=grass"), format!("{name}:1=stone wall")];
        let [grass, wall] = [&*mappings[0], &*mappings[1]];
        assert_eq!(rows(&folder.import(&text, &[grass, wall]).unwrap()).1, [".W.", "..."], "{name}");
        for mappings in [&[][..], &[grass]] {
            let errors = folder.import(&text, mappings).map(|_| ()).unwrap_err().to_string();
            let reason = if name == "demo" { "there is no such file" } else { "the file ends" };
            assert!(
                errors.contains(reason) && errors.contains("--tile \"demo:ID=TERRAIN\"") == (name == "demo"),
                "{errors}"
            );
        }
    }
    let unused = with_tileset("no.tsx")
        .replace("<layer", &format!("{}<layer", TILES.replace("firstgid=\"1\"", "firstgid=\"9\"")));
    assert!(folder.import(&unused.replace("1,2,1,1,1,1", "9,10,9,9,9,9"), &[]).is_ok());
}

#[test]
fn the_closing_tag_that_is_missing_is_named() {
    let folder = Folder::new(&[]);
    let outside = Folder::new(&[("land.tsx", "<tileset name=\"secret\">\n<tile id=\"0\">\n</secret>\n</tileset>")]);
    let source = outside.0.path().join("land.tsx").display().to_string();
    let errors = folder.import(&with_tileset(&source), &[]).map(|_| ()).unwrap_err().to_string();
    assert!(errors.contains("`</tile>` was expected") && !errors.contains("secret>"), "{errors}");
    let text = tmx("orthogonal", TILES, &csv("1,2,1,1,1,1"));
    for (from, to, says) in [
        ("</layer>", "</layers>", "expected `</layer>`, not `</layers>`"),
        ("</data>", "</tile>", "expected `</data>`"),
    ] {
        let errors = report(&text.replace(from, to));
        assert!(errors.contains(says), "{errors}");
    }
}

/// Imports a map with these objects. Returns the rows of both layers, and the notes.
fn with_objects(orientation: &str, objects: &str) -> (Vec<String>, Vec<String>) {
    let text = grass_with(orientation, &format!("<objectgroup id=\"5\" name=\"Objects\">{objects}</objectgroup>"));
    let (map, notes) = read_mapped("a.tmx", &text, &[]).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    (rows(&map).1, notes)
}

#[test]
fn objects_with_the_name_of_a_terrain_stand_on_their_cells() {
    let none: Vec<String> = Vec::new();
    // The cells of the map are 32 x 32 pixels.
    let objects = r#"<object id="1" name="Tent" x="70" y="40"><point/></object>
        <object id="2" name="the goal" class="castle" x="0" y="0" width="32" height="64"/>
        <object id="3" type="well" x="33" y="1" width="30" height="30"><ellipse/></object>
        <object id="4" x="1" y="1"><properties><property name="terrain" value="stone wall"/></properties><point/></object>"#;
    assert_eq!(with_objects("orthogonal", objects), (vec!["Ww.".into(), "2.1".into()], none.clone()));
    // A tile stands at its lower left corner, and in an isometric map at the middle of its lower side.
    let tile = r#"<object id="1" gid="3" x="32" y="64" width="32" height="64"/>"#;
    assert_eq!(with_objects("orthogonal", tile).0, ["...", ".W."]);
    let flipped = tile.replace("gid=\"3\"", "gid=\"2147483651\"");
    assert_eq!(with_objects("orthogonal", &flipped).0, ["...", ".W."]);
    let aligned = |alignment: &str, object: &str| {
        let tiles = TILES.replace("name=\"land\"", &format!("name=\"land\" objectalignment=\"{alignment}\""));
        let group = format!("<objectgroup>{object}</objectgroup></map>");
        rows(&read(&tmx("orthogonal", &tiles, &csv("1,1,1,1,1,1")).replace("</map>", &group))).1
    };
    for (alignment, x, y) in [("topleft", 32, 0), ("bottom", 48, 64), ("right", 64, 32), ("unspecified", 32, 64)] {
        let object = tile.replace("x=\"32\" y=\"64\"", &format!("x=\"{x}\" y=\"{y}\""));
        assert_eq!(aligned(alignment, &object), ["...", ".W."], "{alignment}");
    }
    // Column 2 and row 1 of an isometric map are our column 1 and row 2, as its columns are our rows, and its rows our
    // columns from the east.
    let isometric = r#"<object id="1" name="tent" x="64" y="32"><point/></object>
        <object id="2" name="castle" x="5" y="5" width="3" height="3"/><object id="3" gid="3" x="64" y="32" width="32" height="96"/>"#;
    assert_eq!(with_objects("isometric", isometric), (vec![".2".into(), ".W".into(), "1.".into()], none));
}

/// A vector that is turned clockwise on the screen.
fn turned((x, y): (f64, f64), degrees: f64) -> (f64, f64) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (x * cos - y * sin, x * sin + y * cos)
}

#[test]
fn turned_objects_stand_where_tiled_draws_them() {
    let staggered = "staggered\" staggeraxis=\"y\" staggerindex=\"odd";
    let hexagonal = "hexagonal\" staggeraxis=\"y\" staggerindex=\"odd\" hexsidelength=\"16";
    // The middle of a cell in the pixels of objects. Those of an isometric map have its axes.
    for (orientation, middle) in [
        ("orthogonal", (48.0, 48.0)),
        ("isometric", (80.0, 48.0)),
        (staggered, (64.0, 32.0)),
        (hexagonal, (64.0, 40.0)),
    ] {
        let is_isometric = orientation == "isometric";
        let on_screen = |(x, y): (f64, f64)| if is_isometric { (x - y, (x + y) / 2.0) } else { (x, y) };
        let of_screen = |(x, y): (f64, f64)| if is_isometric { (y + x / 2.0, y - x / 2.0) } else { (x, y) };
        let wide_if_isometric = |object: &str| {
            let text = grass_with(orientation, &format!("<group><objectgroup>{object}</objectgroup></group>"));
            let text = if is_isometric { text.replacen("tilewidth=\"32\"", "tilewidth=\"64\"", 1) } else { text };
            rows(&read(&text)).1
        };
        let point =
            format!(r#"<object class="stone wall" x="{}" y="{}" rotation="50"><point/></object>"#, middle.0, middle.1);
        let expected = wide_if_isometric(&point);
        assert_eq!(expected.concat().matches('W').count(), 1, "{orientation}: {expected:?}");
        // From the place of an object to its middle, on the screen. A tile hangs at its lower side.
        let tile_size = if is_isometric { r#"width="64" height="32""# } else { r#"width="32" height="32""# };
        let tile = (format!(r#"gid="3" {tile_size}"#), if is_isometric { (0.0, -16.0) } else { (16.0, -16.0) });
        let flipped = (format!(r#"gid="2147483651" {tile_size}"#), tile.1);
        let without_size = (r#"gid="3""#.to_owned(), tile.1);
        let area = (r#"class="stone wall" width="32" height="32""#.to_owned(), on_screen((16.0, 16.0)));
        for (attributes, to_middle) in [tile, flipped, without_size, area] {
            for degrees in [0.0, 90.0, 180.0, 270.0, -90.0, 360.0, 450.0, 30.0, -117.5, 359.9, 45.25] {
                let (x, y) = turned(to_middle, degrees);
                let centre = on_screen(middle);
                let (x, y) = of_screen((centre.0 - x, centre.1 - y));
                let object = format!(r#"<object x="{x:.4}" y="{y:.4}" rotation="{degrees}" {attributes}/>"#);
                assert_eq!(wide_if_isometric(&object), expected, "{orientation}: {object}");
            }
        }
    }
    // The foot of what is higher than a cell is turned with it.
    let castle = r#"<object name="castle" x="96" y="0" width="32" height="64" rotation="90"/>"#;
    assert_eq!(with_objects("orthogonal", castle).0, [".2.", "..."]);
    let group = r#"<objectgroup><object name="tent" x="1" y="1" rotation="left"/></objectgroup>"#;
    let errors = report(&grass_with("orthogonal", group));
    assert!(errors.contains("rotation is \"left\"; it must be a number of degrees"), "{errors}");
}

#[test]
fn objects_that_are_left_out_are_named() {
    let objects = r#"<object id="1" name="Door" x="1" y="1"><point/></object><object id="2" name="Chest" x="1" y="1"/>
        <object id="3" name="A" gid="4" x="1" y="1"/><object id="4" name="1" x="1" y="1"/><object id="5" x="1" y="1"/>
        <object id="6" name="water" x="0" y="0" width="64" height="64"/><object id="7" name="road" x="0" y="0"><polyline points="0,0 9,9"/></object>
        <object id="8" name="tent" x="-1" y="5"><point/></object></objectgroup><group><imagelayer/><objectgroup offsetx="-32">
        <object id="9" name="castle" x="40" y="40"><point/></object></objectgroup></group><objectgroup>"#;
    let (overlay, notes) = with_objects("orthogonal", objects);
    assert_eq!(overlay, ["...", "2.."], "the layer of the castle is moved");
    let expected = "left out: 5 objects without the name of a terrain (\"1\", \"A\", \"Chest\" and 1 more); 1 object drawn \
                    as lines, polygons or texts (\"road\"); 1 object larger than a cell (\"water\"); 1 object outside \
                    the map (\"tent\"); 1 image layer";
    assert_eq!(notes, [expected]);
    let two = r#"<object name="tent" x="1" y="1"/><object name="tent" x="33" y="1"/>"#;
    let errors = report(&grass_with("orthogonal", &format!("<objectgroup>{two}</objectgroup>")));
    assert!(errors.contains("2 cells are a tent"), "{errors}");
}

#[test]
fn a_note_tells_why_an_object_is_left_out() {
    let polygon = r#"<object name="road" x="4" y="4"><polygon points="0,0 9,0 9,9"/></object>"#;
    let typed = |kind: &str, value: &str| {
        format!(
            r#"<object name="x" x="4" y="4"><properties><property name="Terrain" type="{kind}" value="{value}"/></properties></object>"#
        )
    };
    let [road, mistyped] = ["drawn as lines, polygons or texts", "whose property `terrain` is not a string"];
    for (objects, first, says) in [
        (r#"<object template="foo.tx" x="4" y="4"/>"#, "...", "1 object of templates that cannot be read (\"foo.tx\")"),
        (
            r#"<object template="foo.tx" name="tent" x="4" y="4"/>"#,
            "...",
            "of templates that cannot be read (\"tent\")",
        ),
        (polygon, "...", road),
        (
            r#"<object name="tent" x="4" y="4"/><object name="stone wall" x="9" y="9"/>"#,
            "W..",
            "under another object on the same cell (\"tent\")",
        ),
        (r#"<object name="tent" x="4" y="4"/><object name="tent" x="9" y="9"/>"#, "1..", ""),
        (r#"<object name="tent" x="4" y="4"/><object name="sand" x="9" y="9"/>"#, "1..", ""),
        (&typed("int", "2"), "...", mistyped),
        (&typed("color", "#ff000000"), "...", mistyped),
        (&typed("string", "2"), "2..", ""),
        ("<object name=\"a&#27;&#8238;b\" x=\"4\" y=\"4\"/>", "...", r#"("a\u{1b}\u{202e}b")"#),
    ] {
        let (overlay, notes) = with_objects("orthogonal", objects);
        assert_eq!(overlay[0], first, "{objects}");
        assert!(notes.concat().contains(says) && notes.is_empty() == says.is_empty(), "{objects}: {notes:?}");
    }
}

#[test]
fn a_copy_of_a_template_takes_from_it_what_it_does_not_say() {
    let named = r#"<template><object name="tent" class="Thing" width="8" height="40"/></template>"#;
    let wide = r#"<template><object width="40" height="8" rotation="90"><properties>
        <property name="terrain" value="stone wall"/></properties></object></template>"#;
    let tile =
        r#"<template><tileset firstgid="1" source="..\land.tsx"/><object gid="2" width="32" height="32"/></template>"#;
    let line = r#"<template><object name="road"><polyline points="0,0 9,9"/></object></template>"#;
    // The place of its tileset is behind the end of the map.
    let lost = format!("<!--{}-->{}", "x".repeat(9999), tile.replace("land", "lost"));
    let wall = r#"<template><object class="stone wall" width="8" height="8"/></template>"#;
    let folder = Folder::new(&[
        ("land.tsx", TWO_TILES),
        ("named.tx", named),
        ("wide.tx", wide),
        ("objects/tile.tx", tile),
        ("objects/lost.tx", &lost),
        ("line.tx", line),
        ("wall.tx", wall),
        ("broken.tx", "<template><object name=\"tent\">"),
        ("none.tx", "<template/>"),
    ]);
    let import = |object: &str, mappings: &[&str]| {
        let text = grass_with("orthogonal", &format!("<group><objectgroup>{object}</objectgroup></group>"));
        let (map, note) =
            folder.import_with_notes(&text, mappings).unwrap_or_else(|errors| panic!("{object}: {errors}"));
        (rows(&map).1.join(" "), note)
    };
    for (object, expected, says) in [
        (r#"<object template="named.tx" x="4" y="0"/>"#, "1.. ...", ""),
        (r#"<object template="named.tx" x="4" y="0" name="castle"/>"#, "2.. ...", ""),
        (
            r#"<object template="named.tx" x="4" y="0" name="Anna"/>"#,
            "... ...",
            "without the name of a terrain (\"Anna\")",
        ),
        (r#"<object template="named.tx" x="4" y="0" name="Anna" class="tent"/>"#, "1.. ...", ""),
        (r#"<object template="named.tx" x="36" y="4"><point/></object>"#, ".1. ...", ""),
        (r#"<object template="named.tx" x="36" y="4" height="56"/>"#, "... .1.", ""),
        (r#"<object template="wide.tx" x="36" y="4"/>"#, "... ...", "1 object larger than a cell"),
        (r#"<object template="wide.tx" x="36" y="20" width="30"/>"#, "... .W.", ""),
        (r#"<object template="wide.tx" x="36" y="20" width="30" rotation="0"/>"#, ".W. ...", ""),
        (r#"<object template="Objects\Tile.tx" x="32" y="64"/>"#, "... .W.", ""),
        (r#"<object template="objects/tile.tx" gid="1" x="32" y="64"/>"#, "... ...", ""),
        (r#"<object template="objects/lost.tx" x="32" y="64"/>"#, "... ...", "without the name of a terrain"),
        (r#"<object template="wall.tx" x="4" y="0"/>"#, "W.. ...", ""),
        (r#"<object template="wall.tx" x="4" y="0" type="tent"/>"#, "1.. ...", ""),
        (r#"<object template="line.tx" x="4" y="4"/>"#, "... ...", "drawn as lines, polygons or texts (\"road\")"),
        (r#"<object template="broken.tx"/>"#, "... ...", "of templates that cannot be read (\"broken.tx\")"),
        (r#"<object template="none.tx" name="a"/>"#, "... ...", "of templates that cannot be read (\"a\")"),
    ] {
        let (overlay, note) = import(object, &[]);
        assert_eq!(overlay, expected, "{object}: {note}");
        assert!(note.contains(says) && note.is_empty() == says.is_empty(), "{object}: {note}");
    }
    let lost = r#"<object template="objects/lost.tx" x="32" y="64"/>"#;
    assert_eq!(import(lost, &["lost:1=stone wall"]).0, "... .W.", "the tileset is lost, but its tile is named");
}

#[test]
fn many_templates_can_share_a_tileset_file() {
    let wall =
        r#"<template><tileset firstgid="9" source="land.tsx"/><object gid="10" width="32" height="32"/></template>"#;
    let names: Vec<_> = (0..=256).map(|number| format!("{number}.tx")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), wall)).chain([("land.tsx", TWO_TILES)]).collect();
    let copies: String = names.iter().map(|name| format!("<object template=\"{name}\" y=\"32\"/>")).collect();
    let text = with_tileset("land.tsx").replace("</map>", &format!("<objectgroup>{copies}</objectgroup></map>"));
    let (map, note) = Folder::new(&files).import_with_notes(&text, &[]).unwrap();
    assert_eq!(rows(&map).1, ["WW.", "..."]);
    assert_eq!(note, "left out: 1 object of templates that cannot be read (\"256.tx\")", "only 256 files are read");
}

#[test]
fn the_terrain_brush_of_tiled_names_terrains() {
    let colours = r#"<wangcolor name="Grass"/><wangcolor name="water"/>"#;
    let wang = |ids: [&str; 3]| {
        let tiles = ids.iter().enumerate().map(|(id, wang)| format!("<wangtile tileid=\"{id}\" wangid=\"{wang}\"/>"));
        let tiles: String = tiles.collect();
        format!(
            "<tileset firstgid=\"1\" name=\"x\"><wangsets><wangset type=\"corner\">{colours}{tiles}</wangset></wangsets></tileset>"
        )
    };
    let old = r#"<tileset firstgid="1" name="x"><terraintypes><terrain name="grass" tile="0"/><terrain name="water"/></terraintypes>
        <tile id="0" terrain="0,0,0,0"/><tile id="1" terrain="1,1,1,1"/><tile id="2" terrain="1,1,,0"/></tileset>"#;
    for tiles in [
        &wang(["0,1,0,1,0,1,0,1", "0,2,0,2,0,2,0,2", "0,2,0,2,0,1,0,0"]),
        &wang(["0x10101010", "0x20202020", "0x20201000"]),
        old,
    ] {
        assert_eq!(rows(&read(&tmx("orthogonal", tiles, &csv("1,2,3,1,1,1")))).0, ["G~~", "GGG"], "{tiles}");
    }
    let even = wang(["0,1,0,1,0,2,0,2", "0,2,0,2,0,1,0,1", ""]);
    assert_eq!(rows(&read(&tmx("orthogonal", &even, &csv("1,2,1,1,1,1")))).0, ["GGG", "GGG"], "the first of two");
    let misspelt = wang(["0,1,0,1,0,1,0,1", "0,2,0,2,0,2,0,2", ""]).replace("water", "watr");
    let errors = report(&tmx("orthogonal", &misspelt, &csv("1,2,1,1,1,1")));
    assert!(errors.contains("did you mean `water`?"), "{errors}");
}

#[test]
fn a_terrain_that_is_not_a_string_is_reported_with_its_type() {
    let tiles = |kind: &str| {
        format!(
            "<tileset firstgid=\"1\" name=\"x\"><tile id=\"0\"><properties><property name=\"terrain\" {kind} \
             value=\"2\"/></properties></tile><tile id=\"1\" class=\"grass\"/></tileset>"
        )
    };
    for (kind, says) in [
        ("type=\"int\" propertytype=\"Ter\"", "type int, because the values of \"Ter\" are not stored as string"),
        ("type=\"int\"", "of the type int; in Tiled, give each tile a string property `terrain`"),
        ("type=\"float\"", "of the type float; "),
        ("type=\"bool\"", "of the type bool; "),
        ("type=\"class\" propertytype=\"Ground\"", "of the type class \"Ground\"; "),
    ] {
        let errors = report(&tmx("orthogonal", &tiles(kind), &csv("1,2,1,1,1,1")));
        assert!(
            errors.contains("the property `terrain` of x 0 is not a string but ") && errors.contains(says),
            "{errors}"
        );
    }
}
