//! Overlays, and pictures with overlays and at other sizes.

use emberwalk_map::Map;
use emberwalk_path::grid::{Cell, Size};
use emberwalk_path::trace::Recording;
use emberwalk_path::{Algorithm, Field, FieldQuery, Options, Planner, RouteQuery};
use emberwalk_picture::overlay::{
    CellMark, CostOverlay, DistanceOverlay, End, Label, LevelOverlay, MarkStyle, Overlay, SearchOverlay,
};
use emberwalk_picture::paint::{Backdrop, PaintOptions, PictureZoom, paint, picture_size};
use emberwalk_picture::scene::{Look, TerrainPart, projection, terrain_at_zoom};
use image::RgbaImage;

use crate::support::scene_fixture::BUNDLED;
use crate::support::{Random, bundled};

/// Marks a single cell.
struct Single(Cell, MarkStyle);

impl Overlay for Single {
    fn mark(&self, cell: Cell) -> CellMark {
        if cell == self.0 {
            CellMark { style: self.1, colour: [255, 0, 0], ..CellMark::default() }
        } else {
            CellMark::default()
        }
    }

    fn label(&self, _: Cell) -> Option<Label> {
        None
    }
}

fn painted(map: &Map, overlay: Option<&dyn Overlay>, zoom: &str) -> RgbaImage {
    let zoom: PictureZoom = zoom.parse().unwrap();
    let options = PaintOptions { overlay, zoom, ..PaintOptions::default() };
    paint(map, &BUNDLED.plain, &options)
}

fn recording(map: &Map, algorithm: Algorithm) -> Recording {
    let query = RouteQuery::new(map.start().unwrap(), map.castle().unwrap());
    let options = Options::default().with_algorithm(algorithm);
    Recording::new(&mut Planner::new(), map.costs(), &query.with_options(options)).unwrap()
}

#[test]
fn a_mark_changes_the_pixels_of_its_cell_and_no_others() {
    let map = bundled("figures/road");
    let nothing = painted(&map, Some(&Single(Cell::new(3, 4), MarkStyle::None)), "2");
    for style in [
        MarkStyle::Value,
        MarkStyle::Closed,
        MarkStyle::Open,
        MarkStyle::Expanded,
        MarkStyle::Blocked,
        MarkStyle::Ribbons,
    ] {
        let marked = painted(&map, Some(&Single(Cell::new(3, 4), style)), "2");
        let mut changed = 0;
        for (x, y, pixel) in marked.enumerate_pixels() {
            let cell = projection(&map).cell_at_zoom((f64::from(x) + 0.5, f64::from(y) + 0.5), 2.0);
            let is_changed = pixel != nothing.get_pixel(x, y);
            assert!(!is_changed || cell == Some(Cell::new(3, 4)), "{style:?} at {x},{y} of {cell:?}");
            changed += u32::from(is_changed);
        }
        assert!(changed > 2500, "{style:?} changes {changed} of 2704 pixels");
    }
}

#[test]
fn on_hills_a_mark_changes_the_ground_of_its_cell_and_no_face() {
    let size = Size::new(8, 7);
    let map = BUNDLED.random_map(size, 4).with_levels(Random(9).levels(size).into()).unwrap();
    let nothing = painted(&map, Some(&Single(Cell::new(-1, 0), MarkStyle::None)), "2");
    let mut hidden = 0;
    for cell in size.cells().step_by(3) {
        let marked = painted(&map, Some(&Single(cell, MarkStyle::Value)), "2");
        let mut changed = 0;
        let mut seen = 0;
        for (x, y, pixel) in marked.enumerate_pixels() {
            let is_seen = terrain_at_zoom(&map, (f64::from(x) + 0.5, f64::from(y) + 0.5), 2.0)
                == Some((cell, TerrainPart::Ground));
            let is_changed = pixel != nothing.get_pixel(x, y);
            assert!(!is_changed || is_seen, "{cell}: {x},{y} of\n{}", map.to_ron());
            changed += u32::from(is_changed);
            seen += u32::from(is_seen);
        }
        assert!(changed * 10 >= seen * 8, "{cell}: {changed} of {seen}");
        hidden += u32::from(seen < 2704);
    }
    assert!(hidden > 2, "{hidden} cells are behind others");
}

#[test]
fn levels_are_written_on_their_cells() {
    let size = Size::new(6, 5);
    let map = BUNDLED.random_map(size, 4).with_levels(Random(3).levels(size).into()).unwrap();
    let overlay = LevelOverlay::new(&map);
    for cell in size.cells() {
        assert_eq!(overlay.label(cell), Some(Label::Count(map.level(cell).into())));
        let same = size.cells().filter(|other| overlay.mark(*other).colour == overlay.mark(cell).colour);
        assert!(same.into_iter().all(|other| map.level(other) == map.level(cell)));
    }
}

#[test]
fn a_search_overlay_marks_closed_and_open_cells() {
    let map = bundled("valley");
    let recording = recording(&map, Algorithm::AStar);
    for position in [1, recording.len() / 2, recording.len()] {
        let overlay = SearchOverlay::new(&recording, position);
        let moment = recording.at(position);
        let count = |style| map.size().cells().filter(|cell| overlay.mark(*cell).style == style).count();
        let sizes = moment.sizes();
        let expanded = count(MarkStyle::Expanded);
        assert_eq!(expanded, usize::from(position > 1 && position < recording.len()), "at {position}");
        assert_eq!((count(MarkStyle::Open), count(MarkStyle::Closed) + expanded), (sizes.open, sizes.closed));
    }
    let goal = map.castle().unwrap();
    let overlay = SearchOverlay::new(&recording, recording.len());
    let Some(Label::Search { f, g, h, parent: Some(_) }) = overlay.label(goal) else { panic!("the goal has a label") };
    assert_eq!((f, g, h), (g, recording.result().cost().unwrap().tiles(), 0.0));
}

#[test]
fn start_and_goal_are_marked_from_the_beginning() {
    let map = bundled("valley");
    let recording = recording(&map, Algorithm::Dijkstra);
    let start = map.start().unwrap();
    let goal = map.castle().unwrap();
    for position in [0, 7, recording.len()] {
        let overlay = SearchOverlay::new(&recording, position);
        let ends: Vec<_> = map.size().cells().filter(|cell| overlay.mark(*cell).end != End::None).collect();
        assert_eq!(ends.len(), 2);
        assert_eq!([start, goal].map(|cell| overlay.mark(cell).end), [End::Start, End::Goal]);
    }
}

#[test]
fn overlays_of_costs_have_the_numbers_of_the_map() {
    let map = bundled("figures/eruption");
    let start = map.start().unwrap();
    let goal = map.castle().unwrap();
    let costs = CostOverlay::new(map.costs());
    let mut field = Field::new();
    field.compute(map.costs(), &FieldQuery::routes_to(goal)).unwrap();
    let distance = DistanceOverlay::new(&field, map.size());
    let query = RouteQuery::new(start, goal);
    let cost = Planner::new().plan(map.costs(), &query).unwrap().cost().unwrap().tiles();
    assert_eq!(distance.label(start), Some(Label::Number(cost)));
    for cell in map.size().cells() {
        let entry = map.costs().get(cell).map(|cost| cost.tiles());
        assert_eq!(costs.label(cell), entry.map(Label::Number));
        let is_blocked = costs.mark(cell).style == MarkStyle::Blocked;
        assert_eq!((is_blocked, distance.label(cell).is_none()), (entry.is_none(), entry.is_none()), "{cell}");
    }
    let (low, high) = costs.range();
    let mark = |tiles: f64| {
        let cell = map.size().cells().find(|cell| map.costs().get(*cell).is_some_and(|cost| cost.tiles() == tiles));
        costs.mark(cell.unwrap()).colour.map(u32::from).iter().sum::<u32>()
    };
    assert!(low < high && mark(low) < mark(high), "the expensive ones are lighter");
}

#[test]
fn a_picture_at_another_zoom_shows_the_same() {
    let map = bundled("figures/snow");
    let at_one = painted(&map, None, "1");
    let at_three = painted(&map, None, "3");
    assert!(at_three.enumerate_pixels().all(|(x, y, pixel)| pixel == at_one.get_pixel(x / 3, y / 3)));
    let quarter = painted(&map, None, "1/4");
    let Size { width, height } = Size::new(at_one.width().div_ceil(4), at_one.height().div_ceil(4));
    assert_eq!((quarter.width(), quarter.height()), (width, height));
    let (width, height) = picture_size(&map, Look::Plain);
    assert_eq!((at_one.width(), at_one.height()), (width, height));
    // Opaque in the middle, where the map is.
    assert_eq!(quarter.get_pixel(quarter.width() / 2, quarter.height() / 2).0[3], 255);
}

#[test]
fn numbers_are_written_from_zoom_2_on() {
    let map = bundled("figures/road");
    let costs = CostOverlay::new(map.costs());
    let light_pixels = |zoom| {
        let picture = painted(&map, Some(&costs), zoom);
        picture.pixels().filter(|pixel| pixel.0 == [255, 250, 235, 255]).count()
    };
    assert_eq!(light_pixels("1"), 0);
    assert!(light_pixels("2") > 1000, "{}", light_pixels("2"));
    assert!(light_pixels("4") > 3 * light_pixels("2"), "as large at zoom 4 as at zoom 2");
}

#[test]
fn pictures_on_one_backdrop_are_those_that_are_painted_one_by_one() {
    let map = bundled("figures/road");
    let recording = recording(&map, Algorithm::AStar);
    let goal = FieldQuery::routes_to(map.castle().unwrap());
    let mut field = Field::new();
    field.compute(map.costs(), &goal).unwrap();
    let distance = DistanceOverlay::new(&field, map.size());
    let seed = 20261120;
    let mut random = Random(seed);
    for (look, zoom) in [(Look::Full, "1/2"), (Look::Plain, "1"), (Look::Full, "2")] {
        let zoom: PictureZoom = zoom.parse().unwrap();
        let scene = BUNDLED.in_look(look);
        let backdrop = Backdrop::new(&map, scene, emberwalk_map::Hour::NOON, zoom);
        let mut pictures = backdrop.pictures();
        for _ in 0..6 {
            let search = SearchOverlay::new(&recording, random.below(recording.len() + 1));
            let overlay: &dyn Overlay = if random.below(3) == 0 { &distance } else { &search };
            let cells = recording.result().cells();
            let route = (random.below(2) == 0).then(|| &cells[..random.below(cells.len() + 1)]);
            let options = PaintOptions { route, overlay: Some(overlay), zoom, ..PaintOptions::default() };
            let alone = paint(&map, scene, &options);
            assert!(pictures.paint(overlay, route) == alone, "seed {seed}, {look:?}, zoom {zoom}");
        }
    }
}
