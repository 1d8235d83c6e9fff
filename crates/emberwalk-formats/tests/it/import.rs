//! Importing maps from other formats.

use std::fs;

use emberwalk_formats::import::{ImportFormat, ImportOptions, import, import_with};
use emberwalk_formats::picture::PictureWalls;
use emberwalk_map::Map;
use image::{ImageFormat, Rgb, RgbImage};

use crate::support::foreign::{TILES, csv, grass_with, rows, tmx};
use crate::support::mazes::bytes;
use crate::support::tileset;

fn read(file: &str, bytes: impl AsRef<[u8]>) -> Map {
    import(file, bytes.as_ref(), None, &tileset()).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"))
}

fn diagnostics(file: &str, bytes: impl AsRef<[u8]>) -> String {
    let diagnostics = import(file, bytes.as_ref(), None, &tileset()).map(|map| map.to_ron()).unwrap_err().to_string();
    // Line breaks do not matter.
    diagnostics.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a map that must be possible to import with these options.
fn read_with(file: &str, bytes: &[u8], options: &ImportOptions) -> Map {
    Map::of_content(import_with(file, bytes, &tileset(), options).unwrap().content)
}

/// The PNG file of a picture in which a letter has this colour.
fn png(rows: &[&str], colour: impl Fn(u8) -> [u8; 3]) -> Vec<u8> {
    let letter = |x: u32, y: u32| rows[y as usize].as_bytes()[x as usize];
    let picture = RgbImage::from_fn(rows[0].len() as u32, rows.len() as u32, |x, y| Rgb(colour(letter(x, y))));
    bytes(picture, ImageFormat::Png)
}

fn overlay(map: &Map) -> Vec<String> {
    rows(map).1
}

#[test]
fn names_and_descriptions_of_other_formats_are_cleaned() {
    assert_eq!(read("maps/\u{1b}[31mred\u{202e}\n.txt", "WM H").name(), "[31mred");
    assert_eq!(read("\u{200f}.txt", "WM H").name(), "Imported map");
    assert_eq!(read(&format!("{}.map", "é".repeat(300)), "type octile\nheight 1\nwidth 1\nmap\n.\n").name().len(), 400);
    let properties = |name: &str, about: &str| {
        let properties = format!(
            "<properties><property name=\"name\">{name}</property><property name=\"about\">{about}</property></properties>"
        );
        read("village.tmx", grass_with("orthogonal", &properties))
    };
    let map = properties("two\nlines\\u{0} &#x202e;or", "two\nlines\\u{0} &#x202e;or");
    assert_eq!((map.name(), map.about()), ("two lines or", Some("two\nlines or")));
    let map = properties(&"n".repeat(70_000), &"a".repeat(70_000));
    assert_eq!((map.name().len(), map.about().map(str::len)), (200, Some(2000)));
    assert!(Map::parse("a.ron", &map.to_ron(), &tileset()).is_ok());
}

#[test]
fn short_lines_of_text_maps_are_filled_with_grass() {
    let map = read("dir/cave.txt", "WWW\r\nW H.x\r\n\r\nM");
    assert_eq!(map.name(), "cave");
    assert_eq!(
        rows(&map),
        (vec!["GGGGG".to_owned(); 4], vec!["WWW..".into(), "W.2..".into(), ".....".into(), "1....".into()])
    );
    assert_eq!(overlay(&read("a", "WM\r\rW\r")), ["W1", "..", "W."], "lines may end in CR");
    assert_eq!(overlay(&read("a", "\u{feff}WéW\n")), ["W.W"], "a character is a cell");
    assert_eq!(overlay(&import("a", b"whm", Some(ImportFormat::Text), &tileset()).unwrap()), ["..."], "case counts");
    assert_eq!((read("a", "M").castle(), read("a", "H").tent()), (None, None));
}

#[test]
fn text_maps_have_at_most_one_hero_and_one_monster() {
    let text = diagnostics("a.txt", "WHW\nM H\n HM");
    assert!(text.contains("a second hero at 2,1") && text.contains("a second hero at 1,2"), "{text}");
    assert!(text.contains("a second monster at 2,2") && text.contains("the first is at 0,1"), "{text}");
    assert!(text.contains("a.txt:2:3"), "{text}");
    for (text, expected) in [
        (String::new(), "no characters"),
        ("\n\n".into(), "no characters"),
        (" ".repeat(4097), "more than 4096 characters"),
        ("x\n".repeat(4097), "more than 4096 lines"),
    ] {
        assert!(diagnostics("a.txt", &text).contains(expected), "{expected}");
    }
    assert!(diagnostics("a.txt", [b'W', 0xff]).contains("not UTF-8"));
    assert_eq!(read("a.txt", "W\n".repeat(4096)).size().height, 4096);
}

#[test]
fn a_text_without_wall_hero_or_monster_is_no_map_unless_it_is_asked_for() {
    for text in ["dear reader,\nthis is a letter", "{}", "   \n  ", "type: cave"] {
        let message = diagnostics("a.txt", text);
        assert!(message.contains("a.txt: this is not a text map: it has no W, H or M"), "{message}");
        assert!(message.contains("Moving AI") && message.contains("PNG") && message.contains(".tmx"), "{message}");
        let map = import("a.txt", text.as_bytes(), Some(ImportFormat::Text), &tileset()).unwrap();
        assert!(overlay(&map).concat().chars().all(|char| char == '.'));
    }
    for text in ["W", "H", "M"] {
        assert_eq!(read("a.txt", text).size().area(), 1);
    }
}

#[test]
fn a_map_that_comes_from_no_file_is_not_named_after_one() {
    assert_eq!(read("<stdin>", "WM H").name(), "Imported map");
    assert_eq!(read("<stdin>", grass_with("orthogonal", "")).name(), "Imported map");
    for property in
        ["value=\"Inn\"/>", "value=\"Inn\">\n</property>", ">Inn</property>", " type=\"string\" value=\"Inn\"/>"]
    {
        let properties = format!("<properties>\n<property name=\"name\" {property}\n</properties>");
        assert_eq!(read("<stdin>", grass_with("orthogonal", &properties)).name(), "Inn", "{property}");
    }
}

#[test]
fn moving_ai_letters_become_terrain() {
    let map = read("arena.map", "type octile\nheight 2\nwidth 4\nmap\n.GST\nW@O.\n");
    assert_eq!(rows(&map), (vec!["GGSG".replace('S', "D"), "~GGG".into()], vec!["...T".into(), ".MM.".into()]));
    assert_eq!((map.tent(), map.castle(), map.name()), (None, None, "arena"));
    let league = read("league.map", "type octile\nheight 1\nwidth 4\nmap\n.ES@\n");
    assert_eq!(rows(&league), (vec!["GGDG".into()], vec!["...M".into()]), "endpoints and stations are passable");
    let text = diagnostics("a.map", "type octile\nheight 1\nwidth 4\nmap\nx.xZ\n");
    assert!(text.contains("'Z' (first at 3,0), 'x' (first at 0,0)") && text.contains("T thicket"), "{text}");
    assert!(diagnostics("a.map", "type octile\nheight 1\nwidth 4\nmap\n...\n").contains("a.map:5:1"));
}

#[test]
fn prose_and_maps_in_lower_case_are_refused() {
    for (text, says) in [
        ("Dear Mr. Hill,\nI hope this finds you Well.", "this is not a text map: most of its characters are letters"),
        ("wwwww\nwm hw\nwwwww", "write W, H and M in upper case"),
    ] {
        let error = import("a.txt", text.as_bytes(), None, &tileset()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        assert!(import("a.txt", text.as_bytes(), Some(ImportFormat::Text), &tileset()).is_ok(), "{text}");
    }
}

#[test]
fn pictures_have_tent_and_castle_in_free_corners() {
    let map = |rows: &[&str]| {
        let red = |letter| if letter == b'W' { 0 } else { 1 };
        overlay(&read("maze.png", png(rows, |letter| [red(letter), 200, 200])))
    };
    assert_eq!(map(&[".W.", "..."]), ["1W.", "..2"]);
    assert_eq!(map(&["WW", "WW"]), ["WW", "WW"]);
    assert_eq!(map(&["."]), ["1"], "one cell cannot be both");
}

#[test]
fn the_format_follows_the_content_and_then_the_extension() {
    for (file, bytes, format) in [
        ("a", &b"WWW"[..], ImportFormat::Text),
        ("a.map", b"WWW", ImportFormat::MovingAi),
        ("a.tmx", b"WWW", ImportFormat::Tmx),
        ("a.png", b"WWW", ImportFormat::Picture),
        ("a.JPG", b"", ImportFormat::Picture),
        ("a.txt", b"\x89PNG\r\n\x1a\n\0", ImportFormat::Picture),
        ("a.txt", b"BM W", ImportFormat::Text),
        ("a.txt", b"BM\x10\0\0\0", ImportFormat::Picture),
        ("a.txt", b" <?xml version=\"1.0\"?><map/>", ImportFormat::Tmx),
        ("a.txt", b"\xef\xbb\xbf<map>", ImportFormat::Tmx),
        ("a.png", b"type octile\n", ImportFormat::MovingAi),
        ("a.txt", b"typeWriter", ImportFormat::Text),
    ] {
        assert_eq!(ImportFormat::detect(file, bytes), format, "{file} {bytes:?}");
    }
}

#[test]
fn groups_hidden_layers_and_map_properties_are_read() {
    let text = grass_with(
        "orthogonal",
        r#"<objectgroup id="9"><object id="1" template="none.tx"/></objectgroup>
           <group id="3"><properties><property name="x" value="y"/></properties>
             <layer id="2" name="b" width="3" height="2" visible="0"><data encoding="csv">0,2,3,0,0,0</data></layer>
             <imagelayer id="8"><image source="sky.png" width="1" height="1"/></imagelayer>
           </group>
           <properties><property name="name" value="Two &amp; one"/><property name="about">
             <!-- c -->many lines</property></properties>"#,
    );
    let map = read("a.tmx", text);
    assert_eq!(rows(&map), (vec!["G~G".to_owned(), "GGG".into()], vec!["..W".to_owned(), "...".into()]));
    assert_eq!(map.name(), "Two & one");
}

#[test]
fn infinite_maps_have_the_extent_of_their_tiles() {
    let text = tmx(
        "orthogonal",
        TILES,
        r#"<data encoding="csv"><chunk x="-16" y="-2" width="2" height="2">
0,2,
0,3
</chunk><chunk x="-14" y="-1" width="1" height="1">1</chunk></data>"#,
    );
    let text =
        text.replace("tilewidth=\"32\" tileheight=\"32\">\n ", "tilewidth=\"32\" tileheight=\"32\" infinite=\"1\">");
    let map = read("a.tmx", &text);
    assert_eq!(rows(&map), (vec!["~G".to_owned(), "GG".into()], vec!["..".to_owned(), "W.".into()]));
    let empty = text.replace("0,2,", "0,0,").replace("0,3", "0,0").replace(">1<", ">0<");
    assert!(diagnostics("a.tmx", empty).contains("the map has no tiles"));
    let far = text.replace("x=\"-16\"", "x=\"-9999\"");
    assert!(diagnostics("a.tmx", far).contains("9985 columns"));
    for far in ["x=\"2147483647\"", "x=\"-2147483648\"", "x=\"\"", "", "x=\"a\""] {
        assert!(diagnostics("a.tmx", text.replace("x=\"-16\"", far)).contains("x is"), "{far}");
    }
}

/// A Tiled map of 3 x 2 cells with two layers: grass, and a layer with water at 0,0. The layer and its group
/// have these attributes.
fn with_moved_layer(orientation: &str, group: &str, layer: &str) -> String {
    let moved = format!(
        "<group id=\"3\"{group}>\n<layer id=\"2\" name=\"moved\"{layer} width=\"3\" height=\"2\">{}</layer></group>",
        csv("2,0,0,0,0,0")
    );
    grass_with(orientation, &moved)
}

#[test]
fn layers_that_are_moved_by_whole_cells_are_where_tiled_shows_them() {
    for (group, layer, expected) in [
        ("", "", ["~GG", "GGG"]),
        ("", " offsetx=\"64\" offsety=\"32\"", ["GGG", "GG~"]),
        (" offsetx=\"32\"", " offsety=\"32\"", ["GGG", "G~G"]),
        (" offsetx=\"8.5\"", " offsetx=\"23.5\"", ["G~G", "GGG"]),
        (" offsetx=\"8.5\" offsety=\"-3\"", " offsetx=\"-8.5\" offsety=\"3\"", ["~GG", "GGG"]),
        ("", " x=\"2\" y=\"1\"", ["GGG", "GG~"]),
        ("", " x=\"1\" offsetx=\"-32\" offsety=\"0\"", ["~GG", "GGG"]),
        (" parallaxx=\"0.5\"", " opacity=\"0.5\" tintcolor=\"#ff0000\"", ["~GG", "GGG"]),
    ] {
        let map = read("a.tmx", with_moved_layer("orthogonal", group, layer));
        assert_eq!(rows(&map).0, expected, "{group} {layer}");
    }
    // One column further is half a tile to the right and half a tile down.
    for (layer, expected) in [
        ("", ["G~", "GG", "GG"]),
        (" offsetx=\"16\" offsety=\"16\"", ["GG", "G~", "GG"]),
        (" offsetx=\"-16\" offsety=\"16\"", ["~G", "GG", "GG"]),
        (" offsety=\"32\"", ["GG", "~G", "GG"]),
        (" offsetx=\"16\" offsety=\"48\"", ["GG", "GG", "~G"]),
    ] {
        let map = read("a.tmx", with_moved_layer("isometric", "", layer));
        assert_eq!(rows(&map).0, expected, "{layer}");
    }
    let chunk = r#"<data encoding="csv"><chunk x="-16" y="0" width="1" height="1">1</chunk></data>"#;
    let infinite = tmx("orthogonal", TILES, chunk).replace("<map", "<map infinite=\"1\"");
    let more = format!("<layer id=\"2\" name=\"b\" offsetx=\"64\">{}</layer></map>", chunk.replace(">1<", ">2<"));
    assert_eq!(rows(&read("a.tmx", infinite.replace("</map>", &more))).0, ["GG~"]);
}

#[test]
fn layers_that_are_moved_by_parts_of_cells_or_off_the_map_are_refused() {
    for (orientation, group, layer, expected) in [
        (
            "orthogonal",
            "",
            " offsety=\"-8\"",
            "the layer is moved by 0,-8 pixels, which are not whole cells of 32 x 32",
        ),
        ("orthogonal", " offsetx=\"33\"", " offsety=\"32\"", "the layer and its groups are moved by 33,32 pixels"),
        ("isometric", "", " offsetx=\"16\"", "the layer is moved by 16,0 pixels"),
        (
            "isometric",
            "",
            " offsety=\"-148\"",
            "the layer is moved by 0,-148 pixels, to level 10, but the highest level is 9",
        ),
        ("isometric", "", " offsety=\"-5\"", "the height of one to nine levels"),
        ("orthogonal", "", " offsetx=\"96\"", "1 tile of the layer is outside the map, the first at 3,0 in Tiled"),
        ("orthogonal", "", " y=\"-1\"", "1 tile of the layer is outside the map, the first at 0,-1 in Tiled"),
    ] {
        let message = diagnostics("a.tmx", with_moved_layer(orientation, group, layer));
        assert!(message.contains(expected) && message.contains("a.tmx:15:1"), "{message}");
        assert!(message.contains("name=\"moved\""), "the line shows the layer: {message}");
    }
    let unused =
        with_moved_layer("orthogonal", "", "").replace("</map>", "<objectgroup id=\"4\" offsetx=\"5\"/></map>");
    assert_eq!(rows(&read("a.tmx", unused)).0, ["~GG", "GGG"]);
    let without_size = with_moved_layer("orthogonal", "", " offsetx=\"32\"");
    let without_size = without_size.replacen(" tilewidth=\"32\"", "", 1);
    assert!(diagnostics("a.tmx", without_size).contains("not whole cells of 0 x 32 pixels"));
}

#[test]
fn all_unknown_tiles_are_reported_at_once() {
    let text = tmx("orthogonal", TILES, &csv("1,4,5,6,9,2"));
    let message = diagnostics("a.tmx", &text);
    assert!(message.contains("4 tiles have no known terrain: land 3-5, 8"), "{message}");
    assert!(
        message.contains("--tile \"land:3-5,8=grass\"") && message.contains("the terrains are grass,"),
        "{message}"
    );
}

#[test]
fn external_tilesets_and_tiles_with_own_images_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.tmx");
    let file = file.to_str().unwrap();
    let tiles = r#"<tileset firstgid="1" source="sub/land.tsx"/>"#;
    let text = tmx("orthogonal", tiles, &csv("1,2,3,4,5,6"));
    let message = diagnostics(file, &text);
    assert!(message.contains("land.tsx: there is no such file"), "{message}");
    assert!(message.contains("a.tmx:3 uses this tileset"), "{message}");
    let images =
        ["x/L1_Terrain001.png", "l2_roaddirtew.PNG", "stone_wall-02.png", "Castle.png", "L1_Water01b.png", "None1.png"];
    let tile = |(id, image): (usize, &&str)| {
        format!("<tile id=\"{id}\"><image source=\"{image}\" width=\"9\" height=\"9\"/></tile>")
    };
    let tiles: String = images.iter().enumerate().map(tile).collect();
    let tsx = format!(
        "<tileset version=\"1.10\" name=\"l\" tilewidth=\"9\" tileheight=\"9\" tilecount=\"6\" columns=\"0\">{tiles}</tileset>"
    );
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/land.tsx"), &tsx).unwrap();
    let text = text.replace("5,6", "5,0");
    let expected = (vec!["GGG".to_owned(), "G~G".into()], vec![".RW".to_owned(), "2..".into()]);
    assert_eq!(rows(&read(file, &text)), expected);
    for (opening, closing) in [("", ""), ("\n  <!-- land -->\n ", ""), ("", "\n <editorsettings></editorsettings>")] {
        let tiles = format!("<tileset firstgid=\"1\" source=\"sub/land.tsx\">{opening}</tileset>{closing}");
        let text = tmx("orthogonal", &tiles, &csv("1,2,3,4,5,0"));
        assert_eq!(rows(&read(file, &text)), expected, "a tileset that is not closed by its own tag");
    }
    let map_as_tileset = tmx("orthogonal", "", "");
    fs::write(folder.path().join("sub/b.tmx"), &map_as_tileset).unwrap();
    let message = diagnostics(file, text.replace("land.tsx", "b.tmx"));
    assert!(message.contains("a Tiled tileset begins with <tileset>, but here is <map>"), "{message}");
    let message = diagnostics("land.tsx", &tsx);
    assert!(message.contains("this is a Tiled tileset, not a map") && message.contains("land.tsx:1:1"), "{message}");
    let own = text.replace("sub/land.tsx", "a.tmx");
    assert!(diagnostics(file, own).contains("a map cannot be its own tileset"));
    fs::write(folder.path().join("sub/land.tsx"), "<tileset").unwrap();
    assert!(diagnostics(file, &text).contains("land.tsx"));
    fs::remove_file(folder.path().join("sub/land.tsx")).unwrap();
    fs::create_dir(folder.path().join("sub/land.tsx")).unwrap();
    assert!(diagnostics(file, &text).contains("this is not a file"));
}

#[test]
fn files_that_a_map_names_elsewhere_are_used_but_not_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("maps/sub")).unwrap();
    let file = path("maps/a.tmx").to_str().unwrap().to_owned();
    let map = |source: &str| {
        tmx("orthogonal", &format!("<tileset firstgid=\"1\" source=\"{source}\"/>"), &csv("1,1,1,1,1,1"))
    };
    let tsx = TILES.replace(" firstgid=\"1\"", "");
    for (content, line, reason) in [
        (b"root:secret\n\n".as_slice(), 1, "this is not a Tiled tileset, which begins with <tileset>"),
        (b"\n<secret/>", 2, "a Tiled tileset begins with <tileset>, but this file with another element"),
        (b"\n\n<tileset firstgid=\"secret\"/>", 3, "firstgid is wrong: it must be a number from 1 to 268435455"),
        (b"<tileset>\n<secret>\n</tileset>", 2, "this is not valid XML: another closing tag was expected"),
        (b"<tileset name=\"&secret;\"/>", 1, "this is not valid XML: unknown entity; a plain `&` is written `&amp;`"),
        (b"secret\xff", 1, "the text is not UTF-8: byte 0xff"),
    ] {
        fs::write(path("outside.tsx"), content).unwrap();
        fs::write(path("maps/sub/inside.tsx"), content).unwrap();
        let absolute = path("outside.tsx").display().to_string();
        for source in ["../outside.tsx", "sub/../../outside.tsx", absolute.as_str()] {
            let errors = import(&file, map(source).as_bytes(), None, &tileset()).map(|_| ()).unwrap_err();
            let [error] = errors.list() else { panic!("{errors}") };
            assert_eq!((error.message.as_str(), error.location.as_ref().map(|place| place.line)), (reason, Some(line)));
            assert!(errors.file().contains("outside.tsx"), "{errors}");
            assert!(
                !errors.to_string().contains("secret") && !errors.json().any(|row| row.contains("secret")),
                "{errors}"
            );
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("outside.tsx"), path("maps/link.tsx")).unwrap();
            assert!(!diagnostics(&file, map("link.tsx")).contains("secret"));
            fs::remove_file(path("maps/link.tsx")).unwrap();
        }
        assert!(diagnostics(&file, map("sub/inside.tsx")).contains("secret"), "what is beside the map is quoted");
    }
    fs::write(path("outside.tsx"), tsx).unwrap();
    assert_eq!(rows(&read(&file, map("../outside.tsx"))).0, ["GGG", "GGG"]);
}

#[test]
fn invalid_tiled_maps_are_reported_with_a_correction() {
    let good = grass_with("orthogonal", "");
    let deep = format!("{}{}", "<group>".repeat(99_999), "</group>".repeat(99_999));
    let six = csv("1,1,1,1,1,1");
    // One MiB of zeros, compressed to a thousandth.
    let bomb = format!("eNrtwTEBAAAAwqD1T20IX6A{}D4DAPAAAQ==", "A".repeat(1354));
    for (what, from, to, expected) in [
        ("spherical", "orthogonal", "spherical", "the map is spherical"),
        ("kinds", "orthogonal", "spherical", "orthogonal, isometric, staggered and hexagonal maps can be imported"),
        ("zstd", "encoding=\"csv\"", "encoding=\"base64\" compression=\"zstd\"", "Tile Layer Format: CSV"),
        ("unknown", "encoding=\"csv\"", "encoding=\"rot13\"", "written as rot13"),
        ("short", "1,1,1,1,1,1", "1,1,1,1,1", "the layer has 5 cells, but its width and height say 6"),
        ("long", "1,1,1,1,1,1", "1,1,1,1,1,1,1", "the layer has 7 cells"),
        (
            "letters",
            "1,1,1,1,1,1",
            "1,1,x,1,1,1",
            "the layer's data are invalid: \"x\" in column 2 of row 0 is not a number",
        ),
        ("wide", "width=\"3\" height=\"2\" tile", "width=\"5000\" height=\"2\" tile", "from 1 to 4096"),
        ("no width", "width=\"3\" height=\"2\" tile", "height=\"2\" tile", "width is missing"),
        ("deep", "<layer", &format!("{deep}<layer"), "too deeply"),
        ("unclosed", "</map>", "", "the file ends before"),
        ("not closed", "</layer>", "", "this is not valid XML: expected `</layer>`, not `</map>`"),
        ("surplus", "</map>", "</map></map>", "this is not valid XML: `</map>` closes nothing"),
        ("no quotes", "width=\"3\" height=\"2\" tile", "width=3 height=\"2\" tile", "is not in quotes"),
        ("no value", "width=\"3\" height=\"2\" tile", "width height=\"2\" tile", "an attribute has no `=`"),
        ("twice", "width=\"3\" height=\"2\" tile", "width=\"3\" width=\"2\" tile", "an attribute is written twice"),
        ("plain &", "width=\"3\" height=\"2\" tile", "width=\"3\" class=\"a & b\" tile", "is written `&amp;`"),
        (
            "unknown",
            "width=\"3\" height=\"2\" tile",
            "width=\"3\" class=\"&eacute;\" tile",
            "unknown entity `&eacute;`",
        ),
        (
            "bomb",
            "encoding=\"csv\">\n1,1,1,1,1,1",
            &format!("encoding=\"base64\" compression=\"zlib\">{bomb}"),
            "the layer's data are invalid: they have far more than 3 x 2 cells",
        ),
        ("no tileset", TILES, "", "the layer has a tile with the global id 1, which is in no tileset of the map"),
        ("no first id", "firstgid=\"1\"", "firstgid=\"2\"", "the global id 1"),
        ("no map", "<map", "<world", "a Tiled map begins with <map>, but here is <world>"),
        ("offset", "name=\"a\"", "name=\"a\" offsetx=\"1e999\"", "offsetx is \"1e999\""),
        ("place", "name=\"a\"", "name=\"a\" x=\"1.5\"", "x is \"1.5\""),
    ] {
        assert!(good.contains(from), "{what}");
        let bad = good.replacen(from, to, 1);
        let result = import("a.tmx", bad.as_bytes(), None, &tileset()).map(|map| map.to_ron());
        let message = result.unwrap_err().to_string();
        assert!(message.contains(expected), "{what}\n{message}");
    }
    let inner = format!("<layer width=\"1\" height=\"1\"><data encoding=\"csv\">9</data></layer>{six}");
    assert_eq!(
        overlay(&read("a.tmx", tmx("orthogonal", TILES, &inner))),
        ["...", "..."],
        "a layer has no inner layers"
    );
    // Small files that would take much time or memory.
    let layers = "<layer width=\"1\" height=\"1\"/>".repeat(20_000);
    let large = good.replacen("width=\"3\" height=\"2\" tile", "width=\"4096\" height=\"4096\" tile", 1);
    assert_eq!(read("a.tmx", large.replace("</map>", &format!("{layers}</map>"))).size().height, 4096);
    let chunk = |k: i32| {
        let row = format!("<chunk x=\"0\" y=\"{k}\" width=\"4096\" height=\"1\">");
        // 4096 empty cells.
        format!("{row}eNrtwTEBAAAAwqD1T20MH6AAAAAAAAAAAAAAAAAAAACAtwFAAAAB</chunk>")
    };
    let chunks: String = (0..20_481).map(chunk).collect();
    let data = format!("<data encoding=\"base64\" compression=\"zlib\">{chunks}</data>");
    let infinite = tmx("orthogonal", TILES, &data).replace("<map version", "<map infinite=\"1\" version");
    let message = diagnostics("a.tmx", infinite);
    assert!(message.contains("the layers have too many cells"), "{message}");
    let castles = TILES.replace("stone wall", "castle");
    let message = diagnostics("a.tmx", tmx("isometric", &castles, &csv("1,3,3,1,1,3")));
    assert!(
        message.contains("3 cells are a castle, for instance those at") && message.contains("in Tiled"),
        "{message}"
    );
    let message = diagnostics("a.tmx", good.replace("encoding=\"csv\"", "encoding=\"base64\" compression=\"zstd\""));
    assert!(message.contains("a.tmx:10:"), "the place of the error: {message}");
}

#[test]
fn other_formats_are_not_mistaken_for_text_maps() {
    let own = read("cave.txt", "WM H").to_ron();
    assert!(diagnostics("a.txt", &own).contains("this is already an Emberwalk map"));
    assert!(diagnostics("a.tmj", r#" {"layers": []}"#).contains("name that ends in .tmx"));
    assert!(
        import("a.txt", own.as_bytes(), Some(ImportFormat::Text), &tileset()).is_ok(),
        "a format that is asked for is used"
    );
}

#[test]
fn a_truncated_tiled_map_is_reported() {
    for text in ["<>é", "<map>火", "<map", "<map><!-- é", "<map width=\"é"] {
        assert!(diagnostics("a.tmx", text).contains("a.tmx:1:"), "{text}");
    }
}

#[test]
fn walls_of_a_text_map_do_not_vanish() {
    for (text, says) in [
        ("####\n#MH#\n####", "the text has '#' where other maps have walls, but here a wall is W"),
        ("WWWW\nWM H\n##WW", "the text has '#'"),
        ("XXXX\nXMHX", "the text has 'X'"),
        ("████\nM  H", "the text has '█'"),
        ("WWW#W\nWM HW\nWWWWW", "emberwalk import a.txt --walls \"#W\" -o my.ron"),
        ("+---+\n|M H|\n+---+", "emberwalk import a.txt --walls \"+-|\" -o my.ron"),
        ("#####\n#M.H#\n##@##", "emberwalk import a.txt --walls \"#@\" -o my.ron"),
        ("~~~\nM H\n~~~", "the text has '~'"),
        ("\\\\\\\n\\MH\\", "--walls '\\' -o"),
        ("\"\"\"\n\"MH\"", "--walls '\"' -o"),
        ("####\n#  #\n####", "the text has '#'"),
    ] {
        for format in [None, Some(ImportFormat::Text)] {
            let options = ImportOptions { format, ..ImportOptions::default() };
            let error =
                import_with("a.txt", text.as_bytes(), &tileset(), &options).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(says) && error.contains("--walls W"), "{error}");
        }
    }
    let walls = |walls: &str, text: &str| {
        let options = ImportOptions { walls: Some(walls.to_owned()), ..ImportOptions::default() };
        overlay(&read_with("a.txt", text.as_bytes(), &options))
    };
    assert_eq!(walls("#", "###\n#MH\nW##"), ["WWW", "W12", ".WW"]);
    assert_eq!(walls("W", "W##\nWMH"), ["W..", "W12"]);
    assert_eq!(walls("#X", "#X\nMH"), ["WW", "12"]);
    assert_eq!(overlay(&read("a.txt", "W x+-|\nM H 1O")), ["W.....", "1.2..."], "a text with W has other things too");
}

#[test]
fn pictures_have_tent_and_castle_in_the_openings_of_their_border() {
    let picture = |wall: u8| png(&["W.W", "W..", "WWW"], |letter| [if letter == b'.' { 255 } else { wall }; 3]);
    assert_eq!(overlay(&read("a.png", picture(0))), ["W1W", "W.2", "WWW"]);
    let grey = |threshold| {
        let options =
            ImportOptions { picture_walls: PictureWalls { threshold, inverted: false }, ..ImportOptions::default() };
        overlay(&read_with("a.png", &picture(34), &options))
    };
    assert_eq!(grey(34), ["W1W", "W.2", "WWW"]);
    assert_eq!(grey(33), ["1..", "...", "..2"]);
}
