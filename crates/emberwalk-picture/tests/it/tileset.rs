//! The tileset file, and the diagnostics of invalid files.

use std::sync::Arc;

use emberwalk_map::Map;
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_map::terrain::{CliffImageNames, Cost, Layer, PickedBy, Tileset};
use emberwalk_path::ClimbRule;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_picture::tiles::TileImages;
use image::RgbaImage;

use crate::support::{file, tileset};

/// The text of the embedded tileset without the comment at its start, which replacements could match too.
fn source() -> String {
    let text = std::fs::read_to_string(file("assets/tileset.ron")).unwrap();
    text[text.find("\n(").unwrap()..].to_owned()
}

/// Parses the embedded tileset with one part of its text replaced.
fn parse_with(part: &str, other: &str) -> Result<Tileset, Diagnostics> {
    let source = source();
    assert!(source.contains(part), "{part}");
    Tileset::parse("tileset.ron", &source.replacen(part, other, 1))
}

/// The messages of the diagnostics for the embedded tileset with one part of its text replaced.
fn messages(part: &str, other: &str) -> Vec<String> {
    let diagnostics = parse_with(part, other).err().unwrap_or_else(|| panic!("{other}: no diagnostic"));
    diagnostics.list().iter().map(|diagnostic| diagnostic.message.clone()).collect()
}

#[test]
fn the_embedded_tileset_has_the_documented_terrains() {
    let tileset = tileset();
    let cost = |char| tileset[tileset.find(char).unwrap()].cost;
    for (char, expected) in [
        ('G', Cost::Enter(1.0)),
        ('S', Cost::Enter(3.0)),
        ('D', Cost::Enter(1.5)),
        ('~', Cost::Impassable),
        ('R', Cost::Times(0.5)),
        ('B', Cost::Enter(0.5)),
        ('F', Cost::Times(2.0)),
        ('T', Cost::Impassable),
        ('W', Cost::Impassable),
        ('M', Cost::Impassable),
        ('v', Cost::Impassable),
        ('V', Cost::Impassable),
        ('t', Cost::Times(1.0)),
        ('1', Cost::Times(1.0)),
        ('2', Cost::Times(1.0)),
        ('P', Cost::Enter(0.75)),
        ('g', Cost::Enter(1.0)),
        ('H', Cost::Impassable),
        ('h', Cost::Impassable),
        ('s', Cost::Impassable),
        ('w', Cost::Impassable),
        ('C', Cost::Impassable),
        ('m', Cost::Impassable),
        ('o', Cost::Times(1.5)),
        ('f', Cost::Times(1.5)),
        ('e', Cost::Times(1.5)),
        ('l', Cost::Times(1.5)),
    ] {
        assert_eq!(cost(char), expected, "{char}");
    }
    assert_eq!(tileset.iter().count(), 27);
    assert_eq!(tileset.layer(Layer::Base).map(|(_, terrain)| terrain.char).collect::<String>(), "GSD~P");
    assert_eq!((tileset.find('.'), tileset.find(' '), tileset.find('x')), (None, None, None));
    let dormant = tileset.find('v').unwrap();
    let erupting = tileset.find('V').unwrap();
    assert_eq!((tileset.erupted(dormant), tileset.calmed(erupting)), (Some(erupting), Some(dormant)));
    assert_eq!((tileset.erupted(erupting), tileset.calmed(dormant)), (None, None));
    let by_picture = tileset.iter().filter(|(_, terrain)| terrain.picked_by == PickedBy::Picture);
    assert_eq!(by_picture.map(|(_, terrain)| terrain.char).collect::<String>(), "vVt12Cm");
}

#[test]
fn only_what_stands_is_picked_by_its_picture() {
    for (part, flat) in [("image: \"L1_Water01\"", "'~'"), ("image: \"L2_RoadDirt\"", "'R'")] {
        let other = format!("picked_by: picture, {part}");
        assert_eq!(messages(part, &other), [format!("terrain {flat}: it cannot be picked by its picture")]);
        assert!(parse_with(part, &format!("picked_by: ground, {part}")).is_ok());
    }
    assert_eq!(messages("picked_by: picture", "picked_by: pictures"), ["unknown value `pictures`"]);
}

#[test]
fn invalid_values_are_reported() {
    for (part, other, message) in [
        ("enter(1)", "enter(0)", "terrain 'G': a cost of 0"),
        ("enter(1)", "enter(-1)", "terrain 'G': a cost of -1"),
        ("enter(1)", "enter(NaN)", "terrain 'G': a cost of NaN"),
        ("enter(1)", "enter(inf)", "terrain 'G': a cost of inf"),
        ("enter(1)", "enter(0.0156)", "terrain 'G': a cost of 0.0156"),
        ("times(0.5)", "times(1000.1)", "terrain 'R': a cost of 1000.1"),
        ("enter(3)", "times(3)", "terrain 'S': ground cannot multiply a cost, because there is nothing below it"),
        ("char: 'S'", "char: 'G'", "'G' stands for both grass and snow"),
        ("char: 'D'", "char: '.'", "terrain '.': '.' cannot stand for a terrain"),
        ("char: 'D'", "char: ' '", "terrain ' ': ' ' cannot stand for a terrain"),
        ("char: 'D'", "char: '\\n'", "terrain '\\n': '\\n' cannot stand for a terrain"),
        ("name: \"sand\"", "name: \" \"", "terrain 'D': a terrain needs a name"),
        ("joins: ['W', 'g']", "joins: ['y']", "terrain 'W': there is no terrain 'y'"),
        ("joins: ['W', 'g']", "joins: ['G']", "terrain 'W': 'G' (grass) belongs to the other layer"),
        ("erupts_to: 'V'", "erupts_to: 'X'", "terrain 'v': there is no terrain 'X'"),
        ("erupts_to: 'V'", "erupts_to: 'v'", "terrain 'v': only an overlay can erupt, and only into another overlay"),
        (
            "erupts_to: 'V'",
            "erupts_to: '2'",
            "terrain 'v': the start and the goal cannot erupt, and nothing can erupt into them",
        ),
        ("on: {'S'", "on: {'W'", "terrain 'F': 'W' (stone wall) belongs to the other layer"),
        ("towards: ['R', 'B']", "towards: ['R', 'b']", "terrain '2': there is no terrain 'b'"),
        ("from: 5,", "from: 4.5,", "terrain 'V': the influence would be negative beyond a distance of 4.5"),
        ("from: 5,", "from: NaN,", "terrain 'V': the influence would be negative beyond a distance of NaN"),
        ("reach: 4.5", "reach: -1", "terrain 'V': a reach of -1 cells is out of range"),
        ("reach: 4.5", "reach: inf", "terrain 'V': a reach of inf cells is out of range"),
        ("by: 2)", "by: 0)", "terrain 'V': a factor of 0 at the centre of the influence"),
        ("by: 2)", "by: 2000)", "terrain 'V': a factor of 10000 at the centre of the influence"),
        ("frequency: 0.23", "frequency: 0", "terrain 'G': a frequency of 0 waves per cell is out of range"),
        ("above: 0.56", "above: NaN", "terrain 'G': a threshold of NaN is out of range"),
        ("weight: 18", "weight: 0", "terrain 'G': a weight must be from 1 to 1000"),
        ("(frames: [\"L1_Terrain010\"])", "(frames: [])", "terrain 'D': a variant has no frames"),
        ("role: goal,", "role: goal, cost: closed,", "duplicate field `cost`"),
        ("cost: times(1), role: goal", "cost: closed, role: goal", "terrain '2': the castle must be passable"),
        (
            "layer: base, cost: closed",
            "layer: base, role: start, cost: closed",
            "terrain '~': only an overlay can be the start or the goal",
        ),
        ("width: 54", "width: 55", "a tile cannot have 55 x 54 pixels"),
        ("width: 54", "width: 0", "a tile cannot have 0 x 54 pixels"),
        ("width: 54", "width: 300", "a tile cannot have 300 x 54 pixels"),
        ("height: 54", "height: 27", "a tile cannot have 54 x 27 pixels"),
        ("height: 54", "height: 4000000000", "a tile cannot have 54 x 4000000000 pixels"),
        ("height: 54)", "height: 54, level: 0)", "a level cannot have 0 pixels"),
        ("height: 54)", "height: 54, level: 41)", "a level cannot have 41 pixels"),
        ("up: 1.0", "up: 1e9", "`up` of 1000000000 is out of range"),
        ("up: 1.0", "up: -0.1", "`up` of -0.1 is out of range"),
        ("up: 1.0", "up: NaN", "`up` of NaN is out of range"),
        ("down: 0.0", "down: 10.01", "`down` of 10.01 is out of range"),
        ("most: 1)", "most: -1)", "`most` of -1 levels is out of range"),
        ("most: 1)", "most: 10)", "`most` of 10 levels is out of range"),
        ("most: 1)", "most: 1.5)", "`most` of 1.5 levels is out of range"),
        ("most: 1)", "up_most: 10)", "`up_most` of 10 levels is out of range"),
        ("most: 1)", "most: 1, down_most: -2)", "`down_most` of -2 levels is out of range"),
        ("most: 1)", "max: 1)", "unknown field `max`"),
        (
            "joins: ['W', 'g']",
            "ramp: (west: [\"x\"])",
            "terrain 'W': only an overlay that joins its neighbours has ramps",
        ),
        ("flat: true", "flat: true, cliff: (west: [\"x\"])", "terrain 'R': only ground has sides where it is raised"),
        ("flat: true", "flat: yes", "expected `true` or `false`"),
        ("flat: true", "flatt: true", "unknown field `flatt`"),
    ] {
        let messages = messages(part, other);
        assert!(messages.iter().any(|found| found.starts_with(message)), "{other}: {messages:?}");
        let about_cost = message.contains("must be passable") || message.contains("only an overlay");
        assert!(messages.len() == 1 || about_cost || other.starts_with("char"), "{other}: {messages:?}");
    }
}

#[test]
fn all_errors_are_reported_at_once_each_at_its_place() {
    let source = source()
        .replacen("enter(1)", "enter(0)", 1)
        .replacen("joins: ['W', 'g']", "joins: ['y']", 1)
        .replace("by: 1.1", "by: 0.001");
    let diagnostics = Tileset::parse("my/tileset.ron", &source).unwrap_err();
    let marked: Vec<_> = diagnostics
        .list()
        .iter()
        .map(|diagnostic| &source[diagnostic.location.as_ref().unwrap().span.clone()])
        .collect();
    assert_eq!(marked, ["cost: enter(0)", "joins: ['y']", "by: 0.001"]);
    assert!(diagnostics.to_string().contains("my/tileset.ron:"), "{diagnostics}");
}

#[test]
fn a_tileset_needs_passable_ground() {
    let costs = ["enter(1)", "enter(3)", "enter(1.5)", "enter(0.75)"];
    let source = costs.iter().fold(source(), |source, cost| source.replace(cost, "closed"));
    let diagnostics = Tileset::parse("tileset.ron", &source).unwrap_err();
    assert_eq!(diagnostics.list()[0].message, "no ground is passable");
    assert!(Tileset::parse("tileset.ron", "(terrains: [])").is_err());
}

#[test]
fn a_terrain_a_cost_a_join_and_an_influence_can_be_added_without_code() {
    let terrains = "terrains: [\n(char: 'L', name: \"lava\", layer: base, cost: enter(8), image: \"L1_Terrain010\",\
                    influence: (effect: multiply, reach: 1, from: 2, by: 3)),\
                    (char: 'p', name: \"path\", layer: overlay, cost: times(0.75), flat: true, joins: ['p', 'R'], image: \"L2_RoadDirt\"),";
    let tileset = Arc::new(parse_with("terrains: [", terrains).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}")));
    let text = "(name: \"x\", base: [\"LG\", \"GG\"], overlay: [\"..\", \".p\"])";
    let map = Map::parse("x.ron", text, &tileset).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
    let messages = |x, y| map.explain(Cell::new(x, y)).unwrap().to_string();
    assert_eq!(messages(0, 0), "lava 8 × lava 6 = 48");
    assert_eq!(messages(1, 0), "grass 1 × lava 3 = 3");
    assert_eq!(messages(1, 1), "grass 1 × path 1/1.33 = 0.75");
}

#[test]
fn steps_and_levels_have_defaults() {
    let text = r#"(terrains: [(char: 'G', name: "grass", layer: base, cost: enter(1), image: "x")])"#;
    let parse = |text: &str| Tileset::parse("a.ron", text).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let bare = parse(text);
    assert_eq!(bare.climb(), ClimbRule::new(1.0, 0.0, 1).unwrap());
    assert_eq!((bare.tile().level(), bare.cliff()), (12, &CliffImageNames::default()));
    let other = parse(
        &text.replace("(terrains", "(climb: (down: 2.5, most: 9), tile: (width: 64, height: 48, level: 16), terrains"),
    );
    assert_eq!(other.climb(), ClimbRule::new(1.0, 2.5, 9).unwrap());
    assert_eq!(other.tile().level(), 16);
}

/// A limit of one way takes the place of the limit of both.
#[test]
fn steps_up_and_down_can_have_different_limits() {
    let climb = |limits: &str| {
        let terrain = r#"(char: 'G', name: "grass", layer: base, cost: enter(1), image: "x")"#;
        let text = format!("(climb: ({limits}), terrains: [{terrain}])");
        let tileset = Tileset::parse("a.ron", &text).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        (tileset.climb().up_most(), tileset.climb().down_most())
    };
    assert_eq!(climb("up_most: 0, down_most: 2"), (0, 2));
    assert_eq!(climb("down_most: 2"), (1, 2));
    assert_eq!(climb("most: 3, up_most: 2"), (2, 3));
    assert_eq!(climb("down_most: 0, most: 3, up_most: 2"), (2, 0));
}

#[test]
fn ground_without_faces_shows_its_own_colour_darkened() {
    let source = tileset().source().to_owned();
    let start = source.find("    cliff: (\n        west").expect("the tileset has faces");
    let end = start + source[start..].find("\n    ),\n").unwrap() + "\n    ),\n".len();
    let without = Tileset::parse("a.ron", &format!("{}{}", &source[..start], &source[end..])).unwrap();
    let images = TileImages::load(&without, None).unwrap();
    let grass = images.image(images.find("L1_Terrain001").unwrap());
    let mean = |image: &RgbaImage| {
        let opaque: Vec<_> = image.pixels().filter(|pixel| pixel.0[3] == 255).collect();
        [0, 1, 2].map(|k| opaque.iter().map(|pixel| u32::from(pixel.0[k])).sum::<u32>() / opaque.len() as u32)
    };
    let [west, south] =
        [Direction::W, Direction::S].map(|side| images.image(images.plain_face("L1_Terrain001", side).unwrap()));
    for k in 0..3 {
        assert!(mean(west)[k] < mean(south)[k] && mean(south)[k] < mean(grass)[k], "channel {k}");
    }
    // Each column of a face is one level high and ends where the ground ends.
    for (face, columns) in [(west, 0..27), (south, 27..54)] {
        for i in 0..54 {
            let rows: Vec<u32> = (0..54).filter(|j| face.get_pixel(i, *j).0[3] > 0).collect();
            let ground = (0..54).filter(|j| grass.get_pixel(i, *j).0[3] > 0).max();
            let expected = ground.filter(|_| columns.contains(&i)).map(|ground| (ground - 11..=ground).collect());
            assert_eq!(Some(rows).filter(|rows| !rows.is_empty()), expected, "column {i}");
        }
    }
    assert_eq!(images.plain_face("L1_Terrain035", Direction::W), None, "snow has faces of its own");
}
