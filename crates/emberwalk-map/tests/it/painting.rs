//! Painting: brushes, fills, clippings, undo and redo.

use emberwalk_map::editing::{
    Area, Brush, BrushSize, Clipping, History, PaintRefusal, Painted, Step, brush, brush_line, carry, cut, file_stem,
    fill, line, new_file_names, paint, paste, shift,
};
use emberwalk_map::terrain::{Layer, Tileset};
use emberwalk_map::{BundledMap, CellEdit, Edges, Map};
use emberwalk_path::grid::{Cell, Size};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::foreign::rows;
use crate::support::{Random, bundled, map, tileset};

fn terrain(char: char) -> Brush {
    Brush::Terrain(tileset().find(char).unwrap())
}

fn cells(cells: &[(i32, i32)]) -> Vec<Cell> {
    cells.iter().map(|&cell| cell.into()).collect()
}

fn texts(painted: &Painted) -> Vec<String> {
    painted.refusals.iter().map(PaintRefusal::to_string).collect()
}

/// Paints cells as a part of the current stroke.
fn draw(map: &mut Map, history: &mut History, cells: impl IntoIterator<Item = Cell>, char: char) {
    let edits = paint(map, cells, terrain(char)).edits;
    apply(map, history, &edits);
}

/// Applies edits as a part of the current stroke.
fn apply(map: &mut Map, history: &mut History, edits: &[CellEdit]) {
    if !map.apply(edits).unwrap_or_else(|error| panic!("{error}")).is_empty() {
        history.open_stroke();
    }
}

/// Undoes or redoes a stroke; returns whether there is one.
fn step(map: &mut Map, history: &mut History, step: Step) -> bool {
    history.record(map.content());
    let Some((version, _)) = history.neighbour(step) else { return false };
    let version = version.with_tileset(map.tileset()).unwrap();
    map.change_to(&version).unwrap();
    history.go(step, version);
    true
}

fn undo(map: &mut Map, history: &mut History) -> bool {
    step(map, history, Step::Undo)
}

fn redo(map: &mut Map, history: &mut History) -> bool {
    step(map, history, Step::Redo)
}

/// Resizes the map as a separate step.
fn resize(map: &mut Map, history: &mut History, edges: Edges, ground: char) {
    *map = map.resized(edges, tileset().find(ground).unwrap()).unwrap();
    history.record_change(map.content(), 1, edges);
}

/// The history of a saved map.
fn history(map: &Map) -> History {
    History::new(map.content().clone())
}

/// A map of one terrain.
fn plain(width: usize, height: usize) -> Map {
    map(&vec!["G".repeat(width); height], &vec![".".repeat(width); height])
}

#[test]
fn brushes_are_squares_around_their_cell() {
    let sizes: Vec<_> = BrushSize::ALL.iter().map(|size| size.cells()).collect();
    assert_eq!(sizes, [1, 3, 5, 7]);
    let area = brush(Cell::new(2, 3), BrushSize::Three);
    assert_eq!((area.first(), area.last(), area.cells().count()), (Cell::new(1, 2), Cell::new(3, 4), 9));
    assert_eq!(brush(Cell::new(2, 3), BrushSize::One).cells().collect::<Vec<_>>(), [Cell::new(2, 3)]);
    assert_eq!((BrushSize::Seven.larger(), BrushSize::One.smaller()), (BrushSize::Seven, BrushSize::One));
    assert_eq!((BrushSize::One.larger(), BrushSize::Seven.smaller()), (BrushSize::Three, BrushSize::Five));
    let far = brush(Cell::new(i32::MAX, i32::MIN), BrushSize::Seven);
    assert!(far.contains(Cell::new(i32::MAX, i32::MIN)) && far.on_map(Size::new(4096, 4096)).is_none());
}

#[test]
fn lines_have_no_gaps() {
    for (x, y) in (-6..7).flat_map(|x| (-6..7).map(move |y| (x, y))) {
        let from = Cell::new(1, 2);
        let to = Cell::new(1 + x, 2 + y);
        let line = line(from, to);
        assert_eq!((line.first(), line.last()), (Some(&from), Some(&to)));
        assert_eq!(line.len() as i32, x.abs() + y.abs() + 1, "no cell is there twice");
        assert!(line.windows(2).all(|pair| pair[0].distance_squared(pair[1]) == 1), "{line:?}");
        // The middle of every cell is at most half a diagonal away from the straight line.
        let distance = |cell: &Cell| {
            f64::from((cell.x - from.x) * y - (cell.y - from.y) * x).abs() / f64::from(x).hypot(f64::from(y))
        };
        assert!(line.iter().all(|cell| from == to || distance(cell) <= 0.7072), "{line:?}");
        for size in BrushSize::ALL {
            let mut expected: Vec<_> = line.iter().flat_map(|&cell| brush(cell, size).cells()).collect();
            let mut painted = brush_line(from, to, size);
            expected.sort();
            expected.dedup();
            painted.sort();
            assert_eq!(painted, expected);
        }
    }
}

#[test]
fn a_rectangle_is_cut_at_the_edge_of_the_map() {
    let size = Size::new(4, 3);
    let area = Area::between(Cell::new(-2, 2), Cell::new(1, 9));
    assert_eq!(area.on_map(size), Some(Area::between(Cell::new(0, 2), Cell::new(1, 2))));
    assert_eq!(Area::between(Cell::new(4, 0), Cell::new(9, 9)).on_map(size), None);
    assert_eq!(Area::of_map(size).cells().collect::<Vec<_>>(), size.cells().collect::<Vec<_>>());
}

#[test]
fn a_fill_takes_the_connected_cells_of_one_terrain() {
    for seed in 0..100 {
        let mut random = Random(seed);
        let width = 1 + random.below(12);
        let height = 1 + random.below(12);
        let (base, overlay) = random.rows(width, height);
        let map = map(&base, &overlay);
        let start = Cell::new(random.below(width) as i32, random.below(height) as i32);
        for layer in [Layer::Base, Layer::Overlay] {
            let terrain = |cell: Cell| match layer {
                Layer::Base => map.base().get(cell).copied().map(Some),
                Layer::Overlay => map.overlay().get(cell).copied(),
            };
            // One cell after another, without runs.
            let mut expected = vec![start];
            let mut open = vec![start];
            while let Some(cell) = open.pop() {
                for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                    let next = Cell::new(cell.x + x, cell.y + y);
                    if terrain(next) == terrain(start) && !expected.contains(&next) {
                        expected.push(next);
                        open.push(next);
                    }
                }
            }
            expected.sort_by_key(|cell| (cell.y, cell.x));
            let filled = fill(&map, start, layer, expected.len());
            assert_eq!(filled.as_ref(), Some(&expected), "seed {seed}, {start}\n{}", map.to_ron());
            assert_eq!(fill(&map, start, layer, expected.len() - 1), None, "one more than that");
        }
    }
    assert_eq!(fill(&plain(2, 2), Cell::new(2, 0), Layer::Base, 9), Some(Vec::new()));
}

#[test]
fn a_terrain_is_painted_in_its_layer() {
    let mut map = map(&["GGG", "SSS"], &[".R.", "F.."]);
    map.apply(&paint(&map, brush(Cell::new(1, 0), BrushSize::Three).cells(), terrain('~')).edits).unwrap();
    map.apply(&paint(&map, cells(&[(0, 0), (1, 0), (0, 1)]), terrain('W')).edits).unwrap();
    map.apply(&paint(&map, cells(&[(1, 0), (2, 0)]), Brush::Eraser).edits).unwrap();
    assert_eq!(rows(&map), (vec!["~~~".into(), "~~~".into()], vec!["W..".into(), "W..".into()]));
    let again = paint(&map, map.size().cells(), terrain('~'));
    assert_eq!((again.edits.len(), again.refusals.len()), (0, 0), "nothing is different");
    assert_eq!(terrain('1').size(&tileset(), BrushSize::Seven), BrushSize::One);
    assert_eq!(terrain('W').size(&tileset(), BrushSize::Seven), BrushSize::Seven);
}

#[test]
fn painting_leaves_tent_and_castle_standing() {
    let mut map = map(&["GGGG"], &["1R2."]);
    let water = paint(&map, map.size().cells(), terrain('~'));
    assert_eq!(texts(&water), ["the tent cannot stand on water", "the castle cannot stand on water"]);
    map.apply(&water.edits).unwrap();
    let wall = paint(&map, brush(Cell::new(0, 0), BrushSize::Three).cells(), terrain('W'));
    assert_eq!(texts(&wall), ["that is beyond the edge of the map", "the tent stands there: move or erase it first"]);
    map.apply(&wall.edits).unwrap();
    assert_eq!(rows(&map), (vec!["G~G~".into()], vec!["1W2.".into()]));
    let snow = paint(&map, cells(&[(0, 0)]), terrain('S'));
    assert_eq!((snow.edits.len(), snow.refusals.len()), (1, 0), "other passable ground is no problem");
    let erased = paint(&map, map.size().cells(), Brush::Eraser);
    map.apply(&erased.edits).unwrap();
    assert_eq!((map.tent(), map.castle()), (None, None), "only the eraser removes them");
}

#[test]
fn raising_and_lowering_are_brushes() {
    let mut map = map(&["GGG", "GGG"], &["1W.", "..2"]);
    for (brush, cell, levels) in [
        (Brush::Raise, None, ["111", "111"]),
        (Brush::Raise, Some((0, 0)), ["222", "222"]),
        (Brush::Lower, Some((2, 1)), ["111", "111"]),
        (Brush::Lower, None, ["000", "000"]),
    ] {
        let cells = cell
            .map_or_else(|| map.size().cells().collect(), |cell| brush.fill(&map, cell.into(), usize::MAX).unwrap());
        assert_eq!(brush.size(&tileset(), BrushSize::Three), BrushSize::Three);
        map.apply(&paint(&map, cells, brush).edits).unwrap();
        let level = |x, y| char::from(b'0' + map.level(Cell::new(x, y)));
        assert_eq!([0, 1].map(|y| (0..3).map(|x| level(x, y)).collect::<String>()), levels, "{brush:?}, {cell:?}");
    }
    assert_eq!(rows(&map).1, ["1W.", "..2"], "what is on the cells stays");
    assert_eq!(texts(&paint(&map, map.size().cells(), Brush::Lower)), ["it cannot be lower: 0 is the lowest level"]);
}

#[test]
fn there_is_one_tent_and_a_second_one_is_refused() {
    let with_tent = map(&["GG~G"], &["1..2"]);
    let places = || cells(&[(1, 0), (2, 0), (3, 0), (4, 0)]);
    let second = paint(&with_tent, places(), terrain('1'));
    let unsuitable = [
        "the tent cannot stand on water",
        "the castle stands there: move or erase it first",
        "that is beyond the edge of the map",
    ];
    assert_eq!(texts(&second)[..3], unsuitable);
    assert_eq!(texts(&second)[3..], ["there is a tent at 0,0: drag it, or erase it first"]);
    assert!(second.edits.is_empty());
    assert_eq!(texts(&paint(&with_tent, cells(&[(0, 0)]), terrain('1'))), [""; 0], "that is the same tent");
    let mut without = map(&["GG~G"], &["...2"]);
    let first = paint(&without, places(), terrain('1'));
    assert_eq!(texts(&first), unsuitable);
    without.apply(&first.edits).unwrap();
    assert_eq!(without.tent(), Some(Cell::new(1, 0)));
}

#[test]
fn tent_and_castle_are_carried_to_where_they_can_stand() {
    let mut map = map(&["GG~G"], &["1.F2"]);
    let carried = |map: &Map, from: i32, to: i32| carry(map, Cell::new(from, 0), Cell::new(to, 0));
    for (to, reason) in [
        (2, "the tent cannot stand on water"),
        (3, "the castle stands there: move or erase it first"),
        (4, "that is beyond the edge of the map"),
    ] {
        assert_eq!((texts(&carried(&map, 0, to)), carried(&map, 0, to).edits.len()), (vec![reason.to_owned()], 0));
    }
    assert!(carried(&map, 0, 0).edits.is_empty() && carried(&map, 2, 1).edits.is_empty(), "a forest stays");
    map.apply(&carried(&map, 0, 1).edits).unwrap();
    assert_eq!(rows(&map).1, [".1F2"]);
}

#[test]
fn a_clipping_is_pasted_with_both_layers() {
    let mut map = map(&["GSD~", "GGGG"], &["RF..", "..W."]);
    let copied = Clipping::copy(&map, Area::between(Cell::new(-5, -5), Cell::new(1, 0))).unwrap();
    assert_eq!((copied.size(), copied.get(Cell::new(1, 0))), (Size::new(2, 1), Some(('S', Some('F')))));
    let pasted = paste(&map, &copied, Cell::new(2, 1));
    map.apply(&pasted.edits).unwrap();
    assert_eq!(rows(&map), (vec!["GSD~".into(), "GGGS".into()], vec!["RF..".into(), "..RF".into()]));
    let over = paste(&map, &copied, Cell::new(-1, 1));
    assert_eq!(texts(&over), ["that is beyond the edge of the map"]);
    map.apply(&over.edits).unwrap();
    assert_eq!(rows(&map), (vec!["GSD~".into(), "SGGS".into()], vec!["RF..".into(), "F.RF".into()]));
    assert!(Clipping::copy(&map, Area::between(Cell::new(4, 0), Cell::new(9, 9))).is_none());
    let small = Tileset::parse("small.ron", &tileset().source().replace("'F'", "'x'")).unwrap();
    let other = Map::parse("x.ron", "(name: \"x\", base: [\"GG\"], overlay: [\"..\"])", &small.into()).unwrap();
    let unknown = paste(&other, &copied, Cell::new(0, 0));
    assert!(texts(&unknown).contains(&"the tileset has no terrain 'F' for this layer".to_owned()));
}

#[test]
fn a_selection_is_cut_and_moved_over_itself() {
    let before = map(&["GSDG", "GGGG"], &["RFW.", "...1"]);
    let area = Area::between(Cell::new(0, 0), Cell::new(2, 0));
    let mut after = before.clone();
    after.apply(&shift(&before, area, Cell::new(1, 0)).edits).unwrap();
    assert_eq!(rows(&after), (vec!["GGSD".into(), "GGGG".into()], vec![".RFW".into(), "...1".into()]));
    let mut after = before.clone();
    let moved = shift(&before, area, Cell::new(-1, 0));
    after.apply(&moved.edits).unwrap();
    assert_eq!(rows(&after).1, ["FW..", "...1"]);
    assert_eq!(texts(&moved), ["that is beyond the edge of the map"]);
    let mut after = before.clone();
    after.apply(&cut(&before, Area::of_map(before.size())).edits).unwrap();
    assert_eq!(rows(&after), (rows(&before).0, vec!["....".into(), "....".into()]));
    // A selection that begins off the map keeps its distance from the pointer.
    let mut after = before.clone();
    after.apply(&shift(&before, Area::between(Cell::new(-1, 0), Cell::new(1, 0)), Cell::new(0, 1)).edits).unwrap();
    assert_eq!(rows(&after).1, ["..W.", ".RF1"]);
    assert!(shift(&before, Area::between(Cell::new(9, 9), Cell::new(9, 9)), Cell::new(0, 0)).edits.is_empty());
}

#[test]
fn tent_and_castle_move_with_a_clipping() {
    let before = map(&["GGG~", "GGGG"], &["12..", "...."]);
    let apply = |painted: &Painted| {
        let mut after = before.clone();
        after.apply(&painted.edits).unwrap();
        rows(&after).1
    };
    let both = Clipping::copy(&before, Area::between(Cell::new(0, 0), Cell::new(1, 0))).unwrap();
    let tent = Clipping::copy(&before, Area::between(Cell::new(0, 0), Cell::new(0, 0))).unwrap();
    let empty = Clipping::copy(&before, Area::between(Cell::new(3, 0), Cell::new(3, 0))).unwrap();
    assert_eq!(apply(&paste(&before, &both, Cell::new(2, 1))), ["....", "..12"]);
    assert_eq!(apply(&paste(&before, &both, Cell::new(1, 0))), [".12.", "...."], "over itself");
    assert_eq!(
        apply(&paste(&before, &both, Cell::new(3, 1))),
        [".2..", "...1"],
        "the castle is over the edge and stays"
    );
    let onto = paste(&before, &tent, Cell::new(1, 0));
    assert_eq!(texts(&onto), ["the castle stands there: move or erase it first"]);
    assert_eq!(apply(&onto), ["12..", "...."]);
    let drowned = paste(&before, &empty, Cell::new(0, 0));
    assert_eq!(texts(&drowned), ["the tent cannot stand on water"]);
    assert_eq!(drowned.edits, []);
    let area = Area::between(Cell::new(0, 0), Cell::new(1, 0));
    assert_eq!(apply(&shift(&before, area, Cell::new(-1, 1))), ["1...", "2..."], "the tent is over the edge and stays");
    let mut cut_off = before.clone();
    cut_off.apply(&cut(&before, area).edits).unwrap();
    assert_eq!((cut_off.tent(), cut_off.castle()), (None, None));
    cut_off.apply(&paste(&cut_off, &both, Cell::new(0, 1)).edits).unwrap();
    assert_eq!(rows(&cut_off).1, ["....", "12.."]);
}

/// Something that a user does.
#[derive(Clone, Debug)]
enum Act {
    Paint { terrain: usize, from: (i32, i32), to: (i32, i32), size: usize },
    Erase { from: (i32, i32), to: (i32, i32) },
    Raise { from: (i32, i32), to: (i32, i32), by: i8 },
    Level { at: (i32, i32), by: i8 },
    Fill { terrain: usize, at: (i32, i32) },
    Copy { from: (i32, i32), to: (i32, i32) },
    Paste { at: (i32, i32) },
    Cut { from: (i32, i32), to: (i32, i32) },
    Shift { from: (i32, i32), to: (i32, i32), at: (i32, i32) },
    Resize { edges: [i32; 4], ground: usize },
    Rename { name: String, about: Option<String> },
    Undo,
    Redo,
}

fn act() -> impl Strategy<Value = Act> {
    let cell = || (-2..9, -2..8);
    prop_oneof![
        6 => (0..20_usize, cell(), cell(), 0..4_usize)
            .prop_map(|(terrain, from, to, size)| Act::Paint { terrain, from, to, size }),
        1 => (cell(), cell()).prop_map(|(from, to)| Act::Erase { from, to }),
        2 => (cell(), cell(), -2..3_i8).prop_map(|(from, to, by)| Act::Raise { from, to, by }),
        1 => (cell(), -2..3_i8).prop_map(|(at, by)| Act::Level { at, by }),
        1 => (0..20_usize, cell()).prop_map(|(terrain, at)| Act::Fill { terrain, at }),
        2 => (cell(), cell()).prop_map(|(from, to)| Act::Copy { from, to }),
        3 => cell().prop_map(|at| Act::Paste { at }),
        1 => (cell(), cell()).prop_map(|(from, to)| Act::Cut { from, to }),
        3 => (cell(), cell(), cell()).prop_map(|(from, to, at)| Act::Shift { from, to, at }),
        2 => ([-2..3, -2..3, -2..3, -2..3], 0..20_usize).prop_map(|(edges, ground)| Act::Resize { edges, ground }),
        1 => ("[a\"\\\\\0]{0,2}", proptest::option::of("[b\n\u{202e}]{0,2}")).prop_map(|(name, about)| Act::Rename { name, about }),
        4 => Just(Act::Undo),
        2 => Just(Act::Redo),
    ]
}

fn level_brush(by: i8) -> Brush {
    if by > 0 { Brush::Raise } else { Brush::Lower }
}

/// Performs an act as a window would.
fn perform(act: &Act, map: &mut Map, history: &mut History, clipping: &mut Option<Clipping>) {
    let tileset = map.tileset().clone();
    let nth = |number: &usize| tileset.iter().nth(number % tileset.iter().count()).unwrap().0;
    let area = |from: &(i32, i32), to: &(i32, i32)| Area::between((*from).into(), (*to).into());
    let painted = match act {
        Act::Paint { terrain, from, to, size } => {
            let brush = Brush::Terrain(nth(terrain));
            let size = brush.size(&tileset, BrushSize::ALL[*size]);
            paint(map, brush_line((*from).into(), (*to).into(), size), brush)
        }
        Act::Erase { from, to } => paint(map, line((*from).into(), (*to).into()), Brush::Eraser),
        Act::Raise { from, to, by } => paint(map, line((*from).into(), (*to).into()), level_brush(*by)),
        Act::Level { at, by } => {
            paint(map, Brush::Raise.fill(map, (*at).into(), usize::MAX).unwrap(), level_brush(*by))
        }
        Act::Fill { terrain, at } => {
            let brush = Brush::Terrain(nth(terrain));
            paint(map, brush.fill(map, (*at).into(), usize::MAX).unwrap(), brush)
        }
        Act::Copy { from, to } => {
            *clipping = Clipping::copy(map, area(from, to));
            return;
        }
        Act::Paste { at } => match clipping {
            Some(clipping) => paste(map, clipping, (*at).into()),
            None => return,
        },
        Act::Cut { from, to } => {
            *clipping = Clipping::copy(map, area(from, to));
            cut(map, area(from, to))
        }
        Act::Shift { from, to, at } => shift(map, area(from, to), (*at).into()),
        Act::Resize { edges: [north, east, south, west], ground } => {
            let edges = Edges { north: *north, east: *east, south: *south, west: *west };
            // Impossible edits are refused, and change nothing.
            if let Ok(resized) = map.resized(edges, nth(ground)) {
                *map = resized;
                history.record_change(map.content(), 1, edges);
            }
            return;
        }
        Act::Rename { name, about } => {
            map.set_name_and_about(name.clone(), about.clone());
            history.record(map.content());
            return;
        }
        Act::Undo => {
            undo(map, history);
            return;
        }
        Act::Redo => {
            redo(map, history);
            return;
        }
    };
    let (first, second) = painted.edits.split_at(painted.edits.len() / 2);
    // Between the halves, tent and castle may be in two places.
    let in_two = tileset.iter().all(|(id, terrain)| {
        terrain.role.is_none() || painted.edits.iter().all(|edit| *edit != CellEdit::overlay(edit.cell, Some(id)))
    });
    let parts: &[&[CellEdit]] = if in_two { &[first, second] } else { &[&painted.edits] };
    for edits in parts {
        apply(map, history, edits);
    }
    history.record(map.content());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_sequence_of_acts_makes_an_invalid_map(seed in 0..1000_u64, acts in vec(act(), 1..40)) {
        let (base, overlay) = Random(seed).rows(7, 6);
        let mut map = map(&base, &overlay);
        if seed % 3 > 0 {
            map = map.with_levels(Random(seed).levels(Size::new(7, 6)).into()).unwrap();
        }
        let mut history = history(&map);
        let mut clipping = None;
        let mut states = vec![map.clone()];
        for act in &acts {
            let done = history.len();
            perform(act, &mut map, &mut history, &mut clipping);
            let again = Map::parse("x.ron", &map.to_ron(), &tileset());
            let again = again.unwrap_or_else(|diagnostics| panic!("{act:?}\n{diagnostics}"));
            prop_assert!(again.is_same(&map));
            prop_assert_eq!((again.tent(), again.castle()), (map.tent(), map.castle()));
            prop_assert!(map.size().cells().all(|cell| map.cost(cell) == again.cost(cell)));
            if matches!(act, Act::Undo | Act::Redo) {
                prop_assert!(map.is_same(&states[history.len()]), "after {:?}", act);
            } else if history.len() > done {
                states.truncate(done + 1);
                states.push(map.clone());
            } else {
                prop_assert!(map.is_same(&states[done]), "nothing happened");
            }
            prop_assert_eq!(history.is_unsaved(), !history.is_empty());
        }
        while undo(&mut map, &mut history) {
            prop_assert!(map.is_same(&states[history.len()]));
        }
        prop_assert!(map.is_same(&states[0]));
        // Undone strokes can be redone in the same order.
        while redo(&mut map, &mut history) {
            let expected = &states[history.len()];
            prop_assert!(map.is_same(expected) && (map.tent(), map.castle()) == (expected.tent(), expected.castle()));
            prop_assert!(map.size().cells().all(|cell| map.cost(cell) == expected.cost(cell)));
        }
    }
}

#[test]
fn the_history_knows_whether_there_is_something_to_save() {
    let mut map = plain(4, 4);
    let mut history = history(&map);
    let stroke = |map: &mut Map, history: &mut History, x: i32| {
        draw(map, history, [Cell::new(x, 0)], 'S');
        assert!(history.is_unsaved() && history.can_undo(), "also during the stroke");
        assert!(history.record(map.content()));
    };
    assert!(!history.is_unsaved() && !history.can_undo() && !history.can_redo());
    stroke(&mut map, &mut history, 0);
    stroke(&mut map, &mut history, 1);
    assert_eq!(history.strokes_to_save(), Some(2));
    history.mark_saved();
    assert!(!history.is_unsaved() && history.strokes_to_save().is_none());
    undo(&mut map, &mut history);
    assert!(history.is_unsaved() && history.strokes_to_save() == Some(1), "undone past the saved version");
    redo(&mut map, &mut history);
    assert!(!history.is_unsaved(), "and back");
    undo(&mut map, &mut history);
    stroke(&mut map, &mut history, 2);
    assert!(history.is_unsaved() && !history.can_redo(), "as many strokes, but others");
    undo(&mut map, &mut history);
    undo(&mut map, &mut history);
    assert!(history.is_unsaved() && !history.can_undo() && history.strokes_to_save() == Some(1));
    assert!(!undo(&mut map, &mut history));
    // Strokes that are undone together count as many.
    draw(&mut map, &mut history, [Cell::new(3, 3)], 'D');
    history.mark_saved();
    assert!(history.is_unsaved(), "the stroke is open");
    history.record_change(map.content(), 12, Edges::default());
    stroke(&mut map, &mut history, 0);
    assert_eq!((history.strokes_to_save(), history.len()), (Some(13), 2));
}

#[test]
fn a_map_that_was_never_saved_stays_unsaved_until_it_is() {
    let mut map = plain(4, 4);
    let mut history = History::never_saved(map.content().clone());
    assert!(history.is_unsaved() && history.strokes_to_save() == Some(0));
    draw(&mut map, &mut history, [Cell::new(1, 1)], 'S');
    undo(&mut map, &mut history);
    assert!(history.is_unsaved() && !history.can_undo());
    history.mark_saved();
    assert!(!history.is_unsaved());
    redo(&mut map, &mut history);
    assert_eq!(history.strokes_to_save(), Some(1));
}

#[test]
fn a_stroke_that_changes_nothing_is_none() {
    let mut map = plain(3, 3);
    let mut history = history(&map);
    for char in ['S', 'D', 'G'] {
        draw(&mut map, &mut history, [Cell::new(1, 1)], char);
    }
    assert!(!history.record(map.content()) && history.is_empty() && !history.is_unsaved());
    // But all cells may move without a visible difference.
    resize(&mut map, &mut history, Edges { west: 1, east: -1, ..Edges::default() }, 'G');
    assert_eq!(history.len(), 1);
    let (version, added) = history.neighbour(Step::Undo).unwrap();
    assert!(version.is_same(&plain(3, 3)));
    assert_eq!((added.west, added.east), (-1, 1));
}

#[test]
fn undo_says_what_changed() {
    let mut map = plain(3, 3);
    let mut history = history(&map);
    let edges = Edges { west: 2, south: -1, ..Edges::default() };
    resize(&mut map, &mut history, edges, 'D');
    map.set_name_and_about("other".into(), Some("new".into()));
    history.record(map.content());
    // A stroke that is not finished is undone too.
    draw(&mut map, &mut history, [Cell::new(0, 0)], 'S');
    assert!(history.record(map.content()));
    let before = history.neighbour(Step::Undo).unwrap().0.clone();
    let snow = CellEdit::base(Cell::new(0, 0), tileset().find('S').unwrap());
    assert_eq!(map.change_to(&before), Ok(vec![snow]), "these edits undo that");
    history.go(Step::Undo, before.as_ref().clone());
    assert!(undo(&mut map, &mut history));
    assert_eq!((map.name(), map.about()), ("test", None));
    assert_eq!(history.neighbour(Step::Undo).unwrap().1, edges.reversed());
    assert!(undo(&mut map, &mut history) && map.is_same(&plain(3, 3)));
    assert_eq!(history.neighbour(Step::Redo).unwrap().1, edges);
    assert!(redo(&mut map, &mut history));
    assert_eq!(map.size(), Size::new(5, 2));
}

#[test]
fn a_version_survives_another_tileset_as_long_as_its_terrain_is_there() {
    let mut map = plain(3, 3);
    let mut history = history(&map);
    draw(&mut map, &mut history, [Cell::new(1, 1)], 'S');
    undo(&mut map, &mut history);
    let source = tileset().source().to_owned();
    let entry = |char: char| source.find(&format!("        (\n            char: '{char}'")).unwrap();
    let grass = entry('G');
    let snow = entry('S');
    let sand = entry('D');
    // Snow comes before grass, so their ids differ.
    let moved = [&source[..grass], &source[snow..sand], &source[grass..snow], &source[sand..]].concat();
    let moved = Tileset::parse("moved.ron", &moved).unwrap_or_else(|diagnostics| panic!("\n{diagnostics}"));
    assert_ne!(moved.find('S'), tileset().find('S'));
    let mut again = Map::parse("x.ron", &map.to_ron(), &moved.into()).unwrap();
    let mut other = history.clone();
    other.replace_current(again.content().clone());
    assert!(redo(&mut again, &mut other));
    assert_eq!(again.base_at(Cell::new(1, 1)).unwrap().name, "snow");
    assert!(undo(&mut again, &mut other) && again.base_at(Cell::new(1, 1)).unwrap().name == "grass");
    let without = Tileset::parse("without.ron", &source.replace("'S'", "'x'")).unwrap().into();
    assert!(history.neighbour(Step::Redo).unwrap().0.with_tileset(&without).is_err());
}

/// A map whose ground is noise of two terrains, so that fills have the most ragged shapes.
fn noise(side: usize) -> Map {
    let mut random = Random(5);
    let base: Vec<String> =
        (0..side).map(|_| (0..side).map(|_| if random.below(100) < 62 { 'G' } else { 'S' }).collect()).collect();
    map(&base, &vec![".".repeat(side); side])
}

#[test]
fn versions_share_what_is_the_same_in_them() {
    let mut map = noise(512);
    let mut history = history(&map);
    let before = map.clone();
    // A stroke of a brush.
    for number in 0..1000 {
        let cell = Cell::new(number % 500, 7 * (number / 500));
        let char = if number % 2 == 0 { 'D' } else { '~' };
        draw(&mut map, &mut history, brush(cell, BrushSize::Seven).cells(), char);
        assert!(history.record(map.content()));
    }
    println!("1000 strokes of a brush: {} bytes", history.bytes());
    assert!(history.len() == 1000 && history.bytes() < 64 << 20, "{} bytes", history.bytes());
    let latest = map.clone();
    let bytes = history.bytes();
    while undo(&mut map, &mut history) {}
    assert!(map.is_same(&before));
    while redo(&mut map, &mut history) {}
    assert!(map.is_same(&latest));
    // After undo and redo, versions share as much memory as before.
    draw(&mut map, &mut history, [Cell::new(500, 500)], '~');
    history.record(map.content());
    assert!(history.bytes() - bytes < 100_000, "{} bytes more", history.bytes() - bytes);
    // A fill changes one layer.
    let start = map.size().cells().find(|&cell| map.base_at(cell).unwrap().char == 'G').unwrap();
    let bytes = history.bytes();
    let cells = fill(&map, start, Layer::Base, usize::MAX).unwrap();
    draw(&mut map, &mut history, cells, 'D');
    history.record(map.content());
    assert!(history.bytes() - bytes <= 512 * 512 + 1000, "{} bytes more", history.bytes() - bytes);
}

#[test]
fn the_oldest_versions_are_dropped_before_memory_runs_out() {
    let mut map = plain(128, 128);
    let mut history = history(&map).with_max_bytes(200_000);
    let tileset = tileset();
    let overlays: Vec<_> = ".RBFTWMvVt".chars().map(|char| tileset.find(char)).collect();
    let mut random = Random(1);
    let mut strokes = 0;
    while history.len() == strokes {
        assert!(strokes < 50, "{} bytes", history.bytes());
        let edits: Vec<_> = map.size().cells().map(|cell| CellEdit::overlay(cell, random.pick(&overlays))).collect();
        apply(&mut map, &mut history, &edits);
        history.record(map.content());
        strokes += 1;
    }
    assert!(history.bytes() <= 200_000 && history.len() > 9, "{}: at most 20,000 bytes each", history.len());
    let latest = map.clone();
    let kept = history.len();
    for _ in 0..kept {
        assert!(undo(&mut map, &mut history));
    }
    assert!(history.is_unsaved() && !history.can_undo(), "the version before the dropped strokes was the saved one");
    for _ in 0..kept {
        assert!(redo(&mut map, &mut history));
    }
    assert!(map.is_same(&latest));
    // Even a stroke that is too large by itself can be undone.
    let mut small = self::history(&map).with_max_bytes(10);
    let before = map.clone();
    draw(&mut map, &mut small, Size::new(128, 128).cells(), 'S');
    assert!(undo(&mut map, &mut small) && map.is_same(&before));
}

#[test]
fn a_map_without_a_file_gets_a_free_name() {
    let named = |name: &str| {
        let mut map = plain(1, 1);
        map.set_name_and_about(name.into(), None);
        file_stem(&map, None)
    };
    assert_eq!(file_stem(&bundled("valley"), BundledMap::find("valley")), "valley");
    assert_eq!(file_stem(&bundled("figures/road"), BundledMap::find("figures/road")), "road");
    assert_eq!(named("The Valley, 2nd_try-out"), "The-Valley--2nd_try-out");
    assert_eq!(named("../../etc/passwd?"), "------etc-passwd-");
    assert_eq!((named("").as_str(), named("Ölberg").as_str()), ("map", "Ölberg"));
    assert_eq!(named(&"ä".repeat(300)).len(), 200);
    let names: Vec<_> = new_file_names("maps".as_ref(), "road").take(3).collect();
    assert_eq!(names, ["maps/road.ron", "maps/road-2.ron", "maps/road-3.ron"].map(std::path::PathBuf::from));
    let folder = tempfile::tempdir().unwrap();
    let save =
        || emberwalk_map::output_file::write_new(new_file_names(folder.path(), "road"), b"new").unwrap().unwrap();
    assert_eq!([save(), save()], [folder.path().join("road.ron"), folder.path().join("road-2.ron")]);
}
