//! Long work that is done in parts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::{Rgb, RgbImage};

use emberwalk_formats::import::{import, import_in_parts};
use emberwalk_formats::picture::PictureSolver;
use emberwalk_generate::{GenerateProgress, MapKind, MapSpec, generate, generate_in_parts};
use emberwalk_map::parts::{counted, in_parts};
use emberwalk_map::terrain::Tileset;
use emberwalk_map::{CellEdit, Edges, Map, MapContent};
use emberwalk_path::grid::{Cell, Size};

const SIDE: usize = 200;

/// Returns the text of a map with woods, volcanoes and hills.
fn text() -> String {
    let rows = |char: &dyn Fn(usize, usize) -> char| -> Vec<String> {
        (0..SIDE).map(|y| (0..SIDE).map(|x| char(x, y)).collect()).collect()
    };
    let base = rows(&|x, y| if (x / 7 + y / 5) % 3 == 0 { 'S' } else { 'G' });
    let overlay = rows(&|x, y| match (x % 40, y % 40) {
        (20, 20) => 'V',
        _ if (x * 7 + y * 3) % 11 == 0 => 't',
        _ => '.',
    });
    let heights = rows(&|x, y| if (x + y) % 60 < 20 { '1' } else { '0' });
    format!("(name: \"Parts\", base: {base:?}, overlay: {overlay:?}, heights: {heights:?})")
}

#[test]
fn a_map_is_read_changed_and_saved_in_parts_and_is_the_same() {
    let (tileset, text) = (Arc::new(Tileset::load(None).unwrap()), text());
    let (content, parts) = in_parts(MapContent::read("parts.ron", &text, &tileset));
    let (content, whole) = (content.unwrap(), Map::parse("parts.ron", &text, &tileset).unwrap());
    assert!(content.is_same(whole.content()) && parts > 6 * SIDE, "{parts} parts");

    let (mut map, parts) = in_parts(Map::make(content));
    let same_costs = |one: &Map, other: &Map| {
        let cells = one.size().cells();
        cells.into_iter().all(|cell| one.cost(cell) == other.cost(cell))
            && one.costs().level(Cell::new(9, 9)) == other.costs().level(Cell::new(9, 9))
    };
    assert!(same_costs(&map, &whole) && parts > SIDE / 64, "{parts} parts");

    let (snow, mut changed) = (tileset.find('S').unwrap(), whole);
    let edits: Vec<_> = map.size().cells().map(|cell| CellEdit::base(cell, snow)).collect();
    let (undo, parts) = in_parts(map.apply_in_parts(&edits));
    assert_eq!(undo, changed.apply(&edits));
    assert!(same_costs(&map, &changed) && parts > 8, "{parts} parts");

    let (saved, parts) = in_parts(map.patch_in_parts("parts.ron", text.as_bytes()));
    assert_eq!(saved, changed.patch("parts.ron", text.as_bytes()));
    assert!(parts > 6 * SIDE, "{parts} parts");

    let edges = Edges { north: 900, west: -3, ..Edges::default() };
    let (resized, parts) = in_parts(map.resized_in_parts(edges, snow));
    let (resized, whole) = (resized.unwrap(), changed.resized(edges, snow).unwrap());
    assert!(same_costs(&resized, &whole) && resized.is_same(&whole) && parts > 30, "{parts} parts");
}

#[test]
fn maps_are_generated_in_parts_and_are_the_same() {
    for &(name, kind) in MapKind::NAMES {
        let spec = MapSpec { kind, size: Size::new(250, 200), seed: 4, hills: 3, name: None };
        let (done, mut stages) = (AtomicUsize::new(0), Vec::new());
        let mut on_progress = |now: GenerateProgress| stages.push((now.stage, done.load(Ordering::Relaxed)));
        let work = generate_in_parts(&spec, &mut on_progress);
        let (text, parts) = in_parts(counted(work, |parts| done.store(parts, Ordering::Relaxed)));
        assert!(text == generate(&spec, &mut |_| {}), "{name}");
        stages.push(("", parts));
        // One pause follows each report. Walls are few, and rivers are added at once while a thread does other
        // work.
        let in_one_piece = stages.windows(2).filter(|stages| stages[1].1 - stages[0].1 < 3);
        let in_one_piece: Vec<_> = in_one_piece.map(|stages| stages[0].0).collect();
        let may_be = ["adding rivers", "building walls"];
        assert!(in_one_piece.iter().all(|stage| may_be.contains(stage)), "{name}: {in_one_piece:?}");
    }
}

#[test]
fn a_map_is_imported_in_parts_and_is_the_same() {
    let tileset = Arc::new(Tileset::load(None).unwrap());
    let row = format!("{}\n", ".W".repeat(SIDE));
    let header = format!("type octile\nheight {SIDE}\nwidth {}\nmap\n", 2 * SIDE);
    let cells = format!("{}1", "1,".repeat(2 * SIDE * SIDE - 1));
    let layer = format!(r#"<layer width="{}" height="{SIDE}"><data encoding="csv">{cells}</data></layer>"#, 2 * SIDE);
    let tiles = r#"<tileset firstgid="1" name="t" tilecount="1"><tile id="0" class="grass"/></tileset>"#;
    let tmx =
        format!(r#"<map orientation="orthogonal" width="{}" height="{SIDE}">{tiles}{layer}{layer}</map>"#, 2 * SIDE);
    for (file, text, least) in
        [("a.txt", row.repeat(SIDE), SIDE), ("b.map", header + &row.repeat(SIDE), SIDE), ("c.tmx", tmx, 5)]
    {
        let (content, parts) = in_parts(import_in_parts(file, text.as_bytes(), None, &tileset, &[]));
        let whole =
            import(file, text.as_bytes(), None, &tileset).unwrap_or_else(|faults| panic!("{:?}", faults.list()));
        assert!(content.unwrap().is_same(&whole) && parts > least, "{file}: {parts} parts");
        let (written, parts) = in_parts(whole.to_ron_in_parts());
        assert!(written == whole.to_ron() && parts > 2 * SIDE, "{file}: {parts} parts");
    }
}

#[test]
fn a_picture_is_solved_in_parts_and_is_the_same() {
    let side = SIDE as u32;
    let is_wall = |x: u32, y: u32| y % 10 == 5 && x != if y % 20 == 5 { 0 } else { side - 1 };
    let mut picture = RgbImage::from_fn(side, side, |x, y| Rgb([if is_wall(x, y) { 0 } else { 255 }; 3]));
    let mut same = picture.clone();
    let (solution, parts) = in_parts(PictureSolver::default().solve_in_parts(&mut picture, |_| {}));
    let whole = PictureSolver::default().solve(&mut same, |_| {});
    assert!(solution.path.is_some() && picture == same);
    assert_eq!((solution.path, solution.closed), (whole.path, whole.closed));
    // One for each row, and some in which about two thousand cells are closed.
    assert!(parts > SIDE + 10, "{parts} parts");
}
