//! Files of the Moving AI benchmarks.

use emberwalk_formats::moving_ai::{OctileMap, Scenario, TerrainCosts, TerrainCostsError};
use emberwalk_map::diagnostics::Diagnostics;
use emberwalk_path::Diagonal;
use emberwalk_path::grid::Size;

use crate::support::foreign::{MAP, SCENARIO};

/// Line and message of each diagnostic.
fn messages(diagnostics: &Diagnostics) -> Vec<String> {
    let line = |k: usize| diagnostics.list()[k].location.as_ref().expect("a place in the text").line;
    (0..diagnostics.list().len()).map(|k| format!("{} {}", line(k), diagnostics.list()[k].message)).collect()
}

fn map_messages(text: &str) -> Vec<String> {
    messages(&OctileMap::parse("bad.map", text).expect_err(text))
}

fn scenario_messages(text: &str) -> Vec<String> {
    messages(&Scenario::parse("bad.scen", text, Size::new(5, 4)).expect_err(text))
}

#[test]
fn any_line_endings_and_whitespace_are_accepted() {
    let map = OctileMap::parse("a.map", MAP).unwrap();
    let forms = [
        MAP.replace('\n', "\r\n"),
        MAP.replace('\n', "\r"),
        MAP.replace("octile", "tile"),
        MAP.replace("octile", "octile-corner"),
        format!("\n{}\n\n", MAP.replace('\n', "\n\n")),
        MAP.trim_end().to_owned(),
        MAP.replace("height 4\nwidth 5", "width\t5 \n  height   4"),
        MAP.replace('\n', " \n"),
    ];
    forms.iter().for_each(|text| assert_eq!(OctileMap::parse("a.map", text).as_ref(), Ok(&map), "{text}"));
    let read = |text: &str| Scenario::parse("a.scen", text, map.size());
    let scenario = read(SCENARIO).unwrap();
    let forms = [
        SCENARIO.replace('\n', "\r\n"),
        SCENARIO.replace('\n', "\r"),
        SCENARIO.replace("\t5\t4\t", "\t1\t1\t"),
        SCENARIO.replace('\t', "  "),
        SCENARIO.replace('\n', "\n \n"),
        SCENARIO.replace("version 1\n", ""),
        SCENARIO.replace("version 1", "version 1.0"),
        SCENARIO.replace("gate.map", "maps/the old gate.map"),
    ];
    for text in &forms {
        let found = read(text).unwrap();
        assert_eq!((found.problems(), found.map_size()), (scenario.problems(), scenario.map_size()), "{text}");
    }
    assert_eq!(read(&forms[7]).unwrap().map_name(), "maps/the old gate.map");
    assert_eq!(scenario.problems()[1].bucket, 1);
    assert_eq!((scenario.problems()[1].to, scenario.problems()[1].length), ((3, 0).into(), 4.41421));
}

#[test]
fn errors_in_maps_have_line_numbers() {
    assert_eq!(map_messages(""), ["1 the file ends before the line `map`"]);
    assert_eq!(map_messages("type octile\nheight 1\n"), ["3 the file ends before the line `map`"]);
    assert_eq!(map_messages("(name: \"x\")"), ["1 this is not a line of a map's header"]);
    assert_eq!(
        map_messages("map\n."),
        ["type", "height", "width"].map(|name| format!("1 no line `{name}` before the line `map`"))
    );
    for rows in ["", "0123\n4567\n"] {
        assert_eq!(map_messages(&format!("{}{rows}", MAP.replace("octile", "hex"))), ["1 unknown type 'hex'"]);
    }
    for (name, says) in [("hex", "the types `octile`, `tile` and"), ("Octile", "did you mean `octile`?")] {
        let errors = OctileMap::parse("a.map", &MAP.replace("octile", name)).unwrap_err();
        assert!(errors.list()[0].help.as_ref().is_some_and(|help| help.contains(says)), "{errors}");
    }
    let corners = MAP.replace("octile", "octile-corner").replace("map\n", "map\n22222\n22222\n22222\n22222\n");
    assert_eq!(
        map_messages(&corners),
        ["9 the map has the heights of corners before its letters, which cannot be read"]
    );
    assert_eq!(map_messages(SCENARIO), ["1 this is a scenario, not a map"]);
    assert_eq!(map_messages("agents:\nmap:\n"), ["1 this is a MAPF instance, not a Moving AI map"]);
    assert_eq!(map_messages("<map/>"), ["1 this is a Tiled map, not a Moving AI map"]);
    assert_eq!(
        map_messages(&MAP.replace("..GSW", "..G").replace('\n', "\r")),
        ["6 row 1 has 3 letters; the width is 5"]
    );
    assert_eq!(map_messages(&MAP.replace("width 5", "width 5\nwidth 5")), ["4 a second line `width`"]);
    for side in ["0", "4097", "-1", "five", "99999999999999999999", "4.0"] {
        assert_eq!(
            map_messages(&MAP.replace("height 4", &format!("height {side}")))[0],
            format!("2 a map has 1 to 4096 rows, not '{side}'")
        );
        assert_eq!(
            map_messages(&MAP.replace("width 5", &format!("width {side}")))[0],
            format!("3 a map has 1 to 4096 columns, not '{side}'")
        );
    }
    assert_eq!(map_messages(&MAP.replace("height 4", "height 4096")), ["9 the map ends after 4 of 4096 rows"]);
    assert_eq!(map_messages(&MAP.replace("height 4", "height 3")), ["8 there are more rows than the height of 3"]);
    assert_eq!(map_messages(&MAP.replace("..GSW", "..GSWW")), ["6 row 1 has 6 letters; the width is 5"]);
    assert_eq!(
        map_messages(&MAP.replace("..GSW", "..火S\u{7}")),
        ["6 '火' at 2,1 is not a letter", "6 '\\u{7}' at 4,1 is not a letter"]
    );
}

#[test]
fn errors_in_scenarios_have_line_numbers() {
    assert_eq!(scenario_messages(""), ["1 the file has no problems"]);
    assert_eq!(scenario_messages("version 1\n"), ["2 the file has no problems"]);
    assert_eq!(scenario_messages(MAP), ["1 this is a map, not a scenario"]);
    assert_eq!(scenario_messages("agents:\nmap:\n"), ["1 this is a MAPF instance, not a Moving AI scenario"]);
    assert_eq!(
        scenario_messages("0 a 10 8 0 0 9 7 2\n0 a 5 4 0 0 0 2 2"),
        ["2 a problem for a map of 5 x 4 cells; this one has 10 x 8"]
    );
    assert_eq!(scenario_messages("0 a 10 8 0 0 10 7 2"), ["1 the goal 10,7 is not on the map, which is 10 x 8"]);
    assert_eq!(scenario_messages("0 a 10 4 0 0 0 2 2"), ["1 a problem for a map of 10 x 4 cells; this one has 5 x 4"]);
    assert_eq!(scenario_messages("0 a 0 0 0 0 0 2 2"), ["1 a problem for a map of 0 x 0 cells; this one has 5 x 4"]);
    assert_eq!(
        scenario_messages("0 a 5000 4000 0 0 0 2 2"),
        ["1 a problem for a map of 5000 x 4000 cells; this one has 5 x 4"]
    );
    assert_eq!(scenario_messages("version 2\n0 a 5 4 0 0 0 2 2"), ["1 unknown version"]);
    assert_eq!(
        scenario_messages("0 a 5 4 0 0 0 2\n0 a 5 4 0 0 0 2 2\nx"),
        ["1 the line has 8 of 9 fields", "3 the line has 1 of 9 fields"]
    );
    assert_eq!(
        scenario_messages("0 a 4 5 0 0 0 2 2\n0 a 4 5 0 0 0 2 2"),
        ["1 a problem for a map of 4 x 5 cells; this one has 5 x 4"]
    );
    assert_eq!(
        scenario_messages("0 a 5 4 5 0 0 4 2\n0 a 5 4 -1 0 2147483647 -2147483648 2"),
        [
            "1 the start 5,0 is not on the map, which is 5 x 4",
            "1 the goal 0,4 is not on the map, which is 5 x 4",
            "2 the start -1,0 is not on the map, which is 5 x 4",
            "2 the goal 2147483647,-2147483648 is not on the map, which is 5 x 4",
        ]
    );
    assert_eq!(
        scenario_messages("b a 5 4 x 0 0 2 2\n0 a 5 4 0 0 0 9999999999 2"),
        [
            "1 the bucket is a whole number from 0 to 4294967295, not 'b'",
            "1 columns and rows of the start are whole numbers from 0 to 4095, not 'x'",
            "2 columns and rows of the goal are whole numbers from 0 to 4095, not '9999999999'",
        ]
    );
    assert_eq!(
        scenario_messages("0 a 99999999999 4 0 0 0 2 2"),
        ["1 the width is a whole number from 1 to 4096, not '99999999999'"]
    );
    for length in ["-1", "nan", "inf", "1e999"] {
        let message = format!("1 a length must be finite and not negative, not {length}");
        assert_eq!(scenario_messages(&format!("0 a 5 4 0 0 0 2 {length}")), [message]);
    }
    assert_eq!(scenario_messages("0 a 5 4 0 0 0 2 far"), ["1 the length is a number, not 'far'"]);
}

#[test]
fn only_valid_letter_costs_are_parsed() {
    let costs = |text: &str| text.parse::<TerrainCosts>();
    let weighted = costs("T=1.5, S = 2,.=0.5").unwrap();
    let tiles: Vec<_> = b".GSTW@Ox".iter().map(|&letter| weighted.cost(letter).map(|cost| cost.tiles())).collect();
    let one = Some(1.0);
    assert_eq!(tiles, [Some(0.5), one, Some(2.0), Some(1.5), one, None, None, one]);
    let plain: Vec<_> = b".GSTW@Ox".iter().map(|&letter| TerrainCosts::default().cost(letter).is_some()).collect();
    assert_eq!(plain, [true, true, true, false, false, false, false, false]);
    for text in ["", "T", "T=", "=2", "TT=2", "T=2,", "T=x", "é=2", "T==2", " =2"] {
        assert!(matches!(costs(text), Err(TerrainCostsError::Form(_))), "{text:?}");
    }
    assert_eq!(costs("O=2"), Err(TerrainCostsError::OutOfBounds('O')));
    assert_eq!(costs("T=2,T=2"), Err(TerrainCostsError::Twice('T')));
    for text in ["T=0", "T=-1", "T=nan", "T=inf", "T=4097", "T=1e-9"] {
        assert!(matches!(costs(text), Err(TerrainCostsError::Cost(_))), "{text:?}");
    }
}

#[test]
fn only_the_first_thousand_of_very_many_errors_are_listed() {
    let text = format!("type octile\nheight 200\nwidth 4096\nmap\n{}", format!("{}\n", "é".repeat(4096)).repeat(200));
    let diagnostics = OctileMap::parse("a.map", &text).unwrap_err();
    assert_eq!(diagnostics.list().len(), 1001);
}

#[test]
fn the_largest_map_is_parsed() {
    let text = format!("type octile\nheight 4096\nwidth 4096\nmap\n{}", format!("{}\n", ".".repeat(4096)).repeat(4096));
    let map = OctileMap::parse("a.map", &text).unwrap();
    let grid = map.cost_grid(&TerrainCosts::default(), Diagonal::SQRT_2);
    assert!(grid.is_passable((4095, 4095).into()));
}

#[test]
fn scenarios_may_be_for_a_map_at_another_scale() {
    let map = OctileMap::parse("a.map", MAP).unwrap();
    let scenario = |text: &str, size: Size| Scenario::parse("a.scen", text, size).unwrap();
    let doubled = scenario("0 a 10 8 0 0 9 7 2", map.size());
    assert_eq!(doubled.map_size(), Size::new(10, 8));
    let large = map.clone().scaled_to(doubled.map_size());
    let is_same =
        |cell: emberwalk_path::grid::Cell| large.letters()[cell] == map.letters()[(cell.x / 2, cell.y / 2).into()];
    assert!(large.size().cells().all(is_same));
    let halved = scenario("0 a 5 4 0 0 4 3 2", large.size());
    assert_eq!(large.clone().scaled_to(halved.map_size()), map);
    assert_eq!(scenario(SCENARIO, map.size()).map_size(), map.size());
}

#[test]
fn lengths_are_as_precise_as_they_are_written() {
    let precisions = |lengths: &str| {
        let problem = |length: &str| format!("0 a 5 4 0 0 0 2 {length}\n");
        let text: String = lengths.split(' ').map(problem).collect();
        let scenario = Scenario::parse("a.scen", &text, Size::new(5, 4)).unwrap();
        scenario.problems().iter().map(|problem| (problem.precision * 1e6).round() as u32).collect::<Vec<_>>()
    };
    assert_eq!(precisions("2.41 2.4 2"), [10_000, 10_000, 10_000]);
    assert_eq!(precisions("2.41421 2.4 2.41"), [10, 10_000, 10_000]);
    assert_eq!(precisions("2.4 2"), [100_000, 100_000]);
    assert_eq!(precisions("2"), [0]);
    assert_eq!(precisions("2.000000000000000000000000000001"), [0]);
}

#[test]
fn a_length_is_right_if_rounding_or_cutting_off_can_give_it() {
    let is_right = |written: &str, cost: f64| {
        let scenario = Scenario::parse("a.scen", &format!("0 a 5 4 0 0 0 2 {written}\n"), Size::new(5, 4)).unwrap();
        scenario.problems()[0].is_length(cost)
    };
    let route = 1.0 + std::f64::consts::SQRT_2;
    for (written, right) in
        [("2.4", true), ("2.5", false), ("2.3", false), ("2.41", true), ("2.42", false), ("2.41421", true)]
    {
        assert_eq!(is_right(written, route), right, "{written}");
    }
    assert!(is_right("2.5", 2.46) && is_right("2.4", 2.46), "rounded, and cut off");
    assert!(is_right("2", 2.0) && !is_right("2", route));
}
