//! Importing Tiled maps that Tiled itself opens.

use std::fs;

use emberwalk_formats::import::{ImportOptions, import, import_with, parse_map};
use emberwalk_formats::tmx::TileMapping;
use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;

use crate::support::foreign::{TILES, csv, rows, tmx};
use crate::support::tileset;

fn read(text: &str) -> Map {
    import("a.tmx", text.as_bytes(), None, &tileset()).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics}"))
}

fn error(file: &str, text: &str) -> Diagnostics {
    import(file, text.as_bytes(), None, &tileset()).map(|_| ()).expect_err(text)
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
    let tile_mappings = vec!["ground:0=grass".parse().unwrap(), "ground:1=water".parse().unwrap()];
    let options = ImportOptions { tile_mappings, ..ImportOptions::default() };
    let text = tmx("orthogonal", old, &csv("1,2,1,2,0,2"));
    let map = import_with("a.tmx", text.as_bytes(), &tileset(), &options).unwrap().content;
    assert_eq!(rows(&Map::of_content(map)).0, ["G~G", "~G~"]);
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
        base64("", "AQAAAAIAAAABAAAA<!-- -->AwAAAAAAAAACAAAA"),
        "<data><tile gid=\"1\"/><tile gid=\"2\"/><tile gid=\"1\"/><tile gid=\"3\"></tile><tile/><tile gid=\"2\"/></data>".into(),
        csv("1,2,1,\n3,,2,\n"),
        csv("1,2,1,<!-- -->3,0,2"),
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
    let seven = error("a.tmx", &tmx("orthogonal", TILES, &format!("<data>{}</data>", "<tile gid=\"1\"/>".repeat(7))));
    assert!(seven.to_string().contains("the layer has 7 cells, but its width and height say 6"), "{seven}");
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
        let report = error("a.tmx", &text).to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(report.contains(says), "{class}: {report}");
        assert!(class != "q" || !report.contains("did you mean"), "{report}");
    }
}

#[test]
fn errors_are_marked_where_they_are() {
    for (text, line, column, says) in [
        ("no map\n\n", 1, 1, "this is not a Tiled map"),
        (&tmx("orthogonal", TILES, &csv("1,2,1,\n3, x,2")), 12, 4, "\"x\" in column 1 of row 1 is not a number"),
    ] {
        let errors = error("a.tmx", text);
        let [error] = errors.list() else { panic!("{errors}") };
        let place = error.location.as_ref().unwrap();
        assert_eq!((place.line, place.column), (line, column), "{errors}");
        assert!(error.message.contains(says), "{errors}");
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
    let layer = format!("<layer id=\"2\"{attributes} width=\"3\" height=\"2\">{}</layer></map>", csv(cells));
    tmx(orientation, TILES, &csv("1,1,1,1,1,1")).replace("</map>", &layer)
}

#[test]
fn a_moved_layer_that_is_empty_or_unused_is_ignored() {
    let moved = " offsetx=\"16\" offsety=\"5.5\"";
    assert_eq!(rows(&read(&with_layer("orthogonal", moved, "0,0,0,0,0,0"))).0, ["GGG", "GGG"]);
    let options = ImportOptions { tile_mappings: vec!["land:3=nothing".parse().unwrap()], ..ImportOptions::default() };
    let unused = with_layer("orthogonal", moved, "4,0,0,0,4,0");
    assert!(import_with("a.tmx", unused.as_bytes(), &tileset(), &options).is_ok());
    let used = error("a.tmx", &with_layer("orthogonal", moved, "0,0,0,0,2,0"));
    assert!(used.to_string().contains("the layer is moved by 16,5.5 pixels"), "{used}");
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
        let errors = error("a.tmx", &with_layer(orientation, attributes, "2,0,0,0,0,0"));
        assert!(errors.to_string().contains("the layer is moved by"), "{attributes}: {errors}");
    }
}

#[test]
fn staggered_maps_have_the_neighbours_that_tiled_shows() {
    // In Tiled, every second row is half a tile further right, so the first cell of the second row touches the first two
    // cells above it.
    for (cells, are_neighbours) in
        [("3,1,1,3,1,1", true), ("1,3,1,3,1,1", true), ("3,1,1,1,3,1", false), ("3,3,1,1,1,1", false)]
    {
        let map = read(&tmx("staggered\" staggeraxis=\"y\" staggerindex=\"odd", TILES, &csv(cells)));
        let (base, _) = rows(&map);
        let outside = base.concat().chars().filter(|&char| char == '~').count();
        assert_eq!(outside, map.size().area() - 6, "the corners are water: {base:?}");
        let walls: Vec<_> = map.overlay().iter().filter(|(_, id)| id.is_some()).map(|(cell, _)| cell).collect();
        let [a, b] = walls[..] else { panic!("{walls:?}") };
        assert_eq!((a.x - b.x).abs() + (a.y - b.y).abs() == 1, are_neighbours, "{cells}: {walls:?}");
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
