//! Which images are drawn on a cell.

use std::collections::HashSet;

use emberwalk_map::terrain::TileMetrics;
use emberwalk_map::{CellEdit, Hour, Map};
use emberwalk_path::grid::{Cell, Direction, Size};
use emberwalk_picture::iso::Projection;
use emberwalk_picture::paint::{FigurePictures, PaintOptions, PictureZoom, paint};
use emberwalk_picture::scene::{ImageStack, Look, Warming, projection};

use crate::support::Random;
use crate::support::scaled_tilesets as set;
use crate::support::scene_fixture::{BUNDLED, Stage};

/// The names of the edge images of a cell on a map of 3 x 3 cells.
fn edges(base: [&str; 3], cell: (i32, i32)) -> Vec<String> {
    let map = BUNDLED.map(&base, &["...", "...", "..."]);
    let stack = BUNDLED.scene.edges(map.layers(), cell.into());
    // The first and second images of an edge are equivalent.
    BUNDLED.names(stack.images()).into_iter().map(|name| name.trim_end_matches('b').to_owned()).collect()
}

#[test]
fn walls_and_roads_join_for_all_sixteen_neighbour_masks() {
    for bits in 0..16 {
        let sides: Vec<_> = (0..4).filter(|k| bits >> k & 1 == 1).map(|k| Direction::SIDES[k]).collect();
        let suffix: String = sides.iter().map(|side| side.letters()).collect();
        let middle = Cell::new(1, 1);
        for (thing, name) in [('W', "L2_WallStone"), ('R', "L2_RoadDirt"), ('B', "L2_BridgeWood")] {
            let mut things = vec![(middle, thing)];
            things.extend(sides.iter().map(|side| (middle + *side, thing)));
            // Corners never count.
            things.extend(Direction::CORNERS.map(|corner| (middle + corner, thing)));
            let map = BUNDLED.uniform_map('G', Size::new(3, 3), &things);
            for look in [Look::Plain, Look::Full] {
                let flat = BUNDLED.in_look(look).flat(map.layers(), middle);
                let image = flat.images().last().or(BUNDLED.in_look(look).standing(map.layers(), middle).first());
                assert_eq!(BUNDLED.assets.name(*image.unwrap()), format!("{name}{suffix}"), "{look:?}");
            }
        }
    }
}

#[test]
fn terrain_joins_only_listed_neighbours_on_the_map() {
    let map = BUNDLED.uniform_map('G', Size::new(2, 1), &[(Cell::new(0, 0), 'W'), (Cell::new(1, 0), 'R')]);
    assert_eq!(BUNDLED.names(BUNDLED.scene.standing(map.layers(), Cell::new(0, 0))), ["L2_WallStone"]);
    let road = BUNDLED.scene.flat(map.layers(), Cell::new(1, 0));
    assert_eq!(BUNDLED.names(road.images()), ["L2_RoadDirt"]);
}

#[test]
fn a_road_joins_a_bridge_and_the_shadow_is_below_it() {
    let things = [(Cell::new(0, 0), 'R'), (Cell::new(1, 0), 'B'), (Cell::new(2, 0), 'R')];
    let map = BUNDLED.uniform_map('~', Size::new(3, 1), &things);
    let names = |look, x| BUNDLED.in_look(look).flat(map.layers(), Cell::new(x, 0));
    assert_eq!(BUNDLED.names(names(Look::Full, 0).images()), ["L2_RoadDirtE"]);
    assert_eq!(BUNDLED.names(names(Look::Full, 1).images()), ["L2_BridgeWoodEW_sh", "L2_BridgeWoodEW"]);
    assert_eq!(BUNDLED.names(names(Look::Plain, 1).images()), ["L2_BridgeWoodEW"]);
}

#[test]
fn higher_ground_overlaps_the_edge_of_lower_ground() {
    assert_eq!(edges(["GGG", "GSG", "GGG"], (1, 1)), ["L1_EdgeGrassNESW"]);
    assert_eq!(edges(["GGG", "GSG", "GGG"], (1, 0)), [""; 0], "snow leaves grass alone");
    assert_eq!(edges(["DDD", "DSD", "DDD"], (1, 0)), ["L1_EdgeSnowS"]);
    assert_eq!(edges(["DSD", "DDG", "DDD"], (1, 1)), ["L1_EdgeSnowN", "L1_EdgeGrassE"], "by rank");
}

#[test]
fn a_corner_piece_is_drawn_only_without_its_two_side_pieces() {
    assert_eq!(edges(["GSG", "SSS", "SSG"], (1, 1)), ["L1_EdgeGrass_NE_SE_NW"]);
    assert_eq!(edges(["GGG", "SSS", "SSG"], (1, 1)), ["L1_EdgeGrass_SE", "L1_EdgeGrassN"]);
    assert_eq!(edges(["SSG", "SSG", "SSG"], (1, 1)), ["L1_EdgeGrassE"]);
}

#[test]
fn all_land_shares_a_shore_and_each_ground_has_its_own_bank() {
    assert_eq!(edges(["~G~", "~~~", "~D~"], (1, 1)), ["L1_ShoreNS", "L1_BankSandS", "L1_BankGrassN", "L1_Foam1NS"]);
    assert_eq!(
        edges(["~~S", "~~~", "G~~"], (1, 1)),
        ["L1_Deep_SE_NW", "L1_Shore_NE_SW", "L1_BankSnow_NE", "L1_BankGrass_SW", "L1_Foam1_NE_SW"]
    );
    assert_eq!(edges(["~G~", "~~~", "~D~"], (1, 0)), [""; 0], "water never overlaps land");
}

#[test]
fn the_ground_continues_beyond_the_map() {
    assert_eq!(edges(["~~~", "~~~", "~~G"], (0, 0)), ["L1_Deep_NE_SE_SW_NW", "L1_Deep_NE_SW_NW"]);
    assert_eq!(edges(["GSS", "SSS", "SSS"], (0, 1)), ["L1_EdgeGrassN"]);
}

#[test]
fn meadows_are_only_on_grass() {
    let map = BUNDLED.uniform_map('G', Size::new(64, 64), &[]);
    let name = |cell| BUNDLED.names(BUNDLED.scene.ground(map.layers(), cell))[0];
    let meadow = |cell: &Cell| name(*cell).starts_with("L1_Meadow");
    let share = map.size().cells().filter(meadow).count();
    assert!((400..2000).contains(&share), "{share} of 4096 cells");
    for cell in map.size().cells() {
        let edges = BUNDLED.scene.edges(map.layers(), cell);
        let neighbours =
            Direction::ALL.map(|direction| cell + direction).into_iter().filter(|near| map.size().contains(*near));
        let touches_grass = neighbours.into_iter().any(|near| !meadow(&near));
        assert_eq!(!edges.is_empty(), meadow(&cell) && touches_grass, "grass covers the edge of its meadow at {cell}");
        assert!(BUNDLED.names(edges.images()).iter().all(|name| name.starts_with("L1_EdgeGrass")));
    }
    // Other ground has an edge towards grass, with or without a meadow.
    let mixed =
        BUNDLED.map(&["GSGSGSGSGSGSGSGSGSGSGSGSGSGSGSGSGSGSGSGS"], &["........................................"]);
    for cell in mixed.size().cells() {
        let edges = BUNDLED.scene.edges(mixed.layers(), cell);
        assert!(BUNDLED.names(edges.images()).iter().all(|name| name.starts_with("L1_EdgeGrass")), "{cell}");
    }
}

#[test]
fn the_second_edge_image_is_used_about_half_the_time() {
    let rows: Vec<String> = (0..40).map(|y| if y % 2 == 0 { "S".repeat(40) } else { "D".repeat(40) }).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let empty = ["."; 40].map(|dot| dot.repeat(40));
    let map = BUNDLED.map(&rows, &empty.each_ref().map(String::as_str));
    let stacks =
        map.size().cells().map(|cell| BUNDLED.scene.edges(map.layers(), cell)).filter(|edges| !edges.is_empty());
    let stacks: Vec<ImageStack> = stacks.collect();
    let seconds = stacks.iter().filter(|stack| BUNDLED.names(stack.images())[0].ends_with('b')).count();
    assert!(stacks.len() == 800 && (320..480).contains(&seconds), "{seconds} of {}", stacks.len());
}

#[test]
fn variants_follow_their_weights_and_forests_on_snow_are_snowy() {
    let size = Size::new(60, 60);
    let woods: Vec<(Cell, char)> = size.cells().map(|cell| (cell, 'F')).collect();
    let map = BUNDLED.uniform_map('S', size, &woods);
    let names = |look| {
        size.cells()
            .map(move |cell| (cell, look))
            .map(|(cell, look)| BUNDLED.names(BUNDLED.in_look(look).standing(map.layers(), cell))[0].to_owned())
    };
    let full: Vec<String> = names(Look::Full).collect();
    for variant in full.iter().collect::<HashSet<_>>() {
        assert!(variant.starts_with("L2_ForestPineSnow01"), "{variant}");
        let count = full.iter().filter(|name| *name == variant).count();
        assert!((780..1020).contains(&count), "{variant}: {count} of 3600");
    }
    assert!(names(Look::Plain).all(|name| name == "L2_ForestPine01"));
}

#[test]
fn the_castle_faces_the_road() {
    let castle = Cell::new(1, 1);
    for (roads, expected) in [
        (&[][..], "L2_Castle01"),
        (&[Direction::S], "L2_Castle01"),
        (&[Direction::N], "L2_Castle01N"),
        (&[Direction::W], "L2_Castle01W"),
        (&[Direction::W, Direction::E, Direction::N], "L2_Castle01E"),
        (&[Direction::SW], "L2_Castle01"),
    ] {
        let mut things = vec![(castle, '2')];
        things.extend(roads.iter().map(|side| (castle + *side, 'R')));
        let map = BUNDLED.uniform_map('G', Size::new(3, 3), &things);
        assert_eq!(BUNDLED.names(BUNDLED.scene.standing(map.layers(), castle)), [expected], "{roads:?}");
        assert_eq!(BUNDLED.names(BUNDLED.plain.standing(map.layers(), castle)), ["L2_Castle01"]);
    }
}

#[test]
fn the_slab_is_drawn_along_two_sides() {
    let map = BUNDLED.map(&["GGG", "~GG", "GG~"], &["...", "...", "..."]);
    let slab = |x, y| -> Vec<String> {
        let images: Vec<_> = BUNDLED.scene.slab(&map, Cell::new(x, y)).collect();
        BUNDLED.names(&images).into_iter().map(|name| name.trim_end_matches(['b', 'c']).to_owned()).collect()
    };
    assert_eq!(slab(0, 0), ["L0_SlabW"]);
    assert_eq!(slab(0, 1), ["L0_SlabWaterW"]);
    assert_eq!(slab(0, 2), ["L0_SlabW", "L0_SlabS"]);
    assert_eq!(slab(2, 2), ["L0_SlabWaterS"]);
    assert_eq!(slab(1, 1), [""; 0]);
    assert_eq!(slab(2, 0), [""; 0]);
}

#[test]
fn marks_follow_the_route_but_not_on_its_endpoints() {
    let route = [(1, 1), (2, 1), (3, 0), (4, 0)].map(Cell::from);
    let marks: Vec<_> = BUNDLED.scene.route_marks(&route).collect();
    let images: Vec<_> = marks.iter().map(|mark| mark.image).collect();
    assert_eq!(BUNDLED.names(&images), ["L2_RouteE", "L2_RouteNE", "L2_RouteNE", "L2_RouteNE", "L2_RouteE"]);
    assert_eq!(marks.iter().map(|mark| mark.along as usize).collect::<Vec<_>>(), [0, 1, 1, 1, 2]);
    assert_eq!(marks[0].feet, (1.75, 1.0));
    assert_eq!(BUNDLED.scene.route_marks(&route[..1]).count() + BUNDLED.scene.route_marks(&[]).count(), 0);
}

#[test]
fn a_preview_is_marked_only_where_it_leaves_the_planned_route() {
    let preview: Vec<_> = (0..6).map(|x| Cell::new(x, 2)).collect();
    let marks_beside = |route: &[Cell]| BUNDLED.scene.preview_marks(&preview, route).collect::<Vec<_>>();
    let alone = marks_beside(&[]);
    let images: Vec<_> = alone.iter().map(|mark| mark.image).collect();
    assert!(BUNDLED.names(&images).iter().all(|name| *name == "L2_RoutePreview"));
    assert_eq!(alone.len(), BUNDLED.scene.route_marks(&preview).count());
    let turns_off = [(0, 2), (1, 2), (2, 2), (3, 3)].map(Cell::from);
    let back = turns_off.iter().rev().copied().collect::<Vec<_>>();
    for route in [&turns_off[..], &back] {
        let marks = marks_beside(route);
        assert!(!marks.is_empty() && marks.iter().all(|mark| mark.feet.0 > 2.0), "{marks:?}");
    }
    // The middle marks of two crossing diagonal steps are in the same place.
    let diagonal = [(0, 0), (1, 1), (2, 2)].map(Cell::from);
    let crossing = [(0, 1), (1, 0)].map(Cell::from);
    let marks = |route: &[Cell]| BUNDLED.scene.preview_marks(&diagonal, route).count();
    assert_eq!(marks(&crossing), marks(&[]) - 1);
}

/// The darkest shadow on each pixel of a map's picture, computed without cells.
fn shadows(stage: &Stage, map: &Map) -> Vec<u8> {
    let projection = projection(map);
    let (width, height) = projection.picture_size();
    let mut dark = vec![0; (width * height) as usize];
    for cell in map.size().cells() {
        let standing = stage.scene.standing(map.layers(), cell).first();
        let Some(shadow) = standing.and_then(|image| stage.assets.shadow(*image)) else { continue };
        let image = stage.assets.image(shadow);
        let (left, top) = projection.tile().align_image(projection.corner(cell), image.dimensions());
        for (i, j, pixel) in image.enumerate_pixels() {
            let x = left + i as i32;
            let y = top + j as i32;
            if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
                let darkest = &mut dark[(y * width as i32 + x) as usize];
                *darkest = pixel.0[3].max(*darkest);
            }
        }
    }
    dark
}

#[test]
fn each_ground_pixel_has_the_darkest_shadow_that_falls_on_it() {
    assert_shade_is_correct(&BUNDLED, TileMetrics::CLASSIC);
    for (width, height) in [(32, 32), (64, 48), (70, 90)] {
        let folder = set::bare(width, height);
        assert_shade_is_correct(&Stage::new(Some(folder.path())), TileMetrics::new(width, height).unwrap());
    }
}

fn assert_shade_is_correct(stage: &Stage, tile: TileMetrics) {
    let mut maps =
        vec![Map::open("valley".as_ref(), &stage.tileset).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))];
    maps.push(stage.random_map(Size::new(13, 9), 5));
    let (wide, high) = tile.size();
    let high = high as i32;
    let box_high = 2 * wide.div_ceil(4) as i32;
    let wide = wide as i32;
    let box_pixels = || (0..wide).flat_map(|i| (0..box_high).map(move |j| (i, j)));
    for mut map in maps {
        map.calm_all();
        let projection = projection(&map);
        let (width, _) = projection.picture_size();
        let dark = shadows(stage, &map);
        let mut seen = vec![false; dark.len()];
        let mut covered = 0;
        for cell in map.size().cells() {
            let shade = stage.scene.shading_key(&map, cell).map(|key| stage.scene.shading_image(&key));
            let (left, top) = projection.corner(cell);
            for (i, j) in box_pixels() {
                let x = left + i;
                let y = top + high - box_high + j;
                let cover = shade.as_ref().map_or(0, |shade| shade.get_pixel(i as u32, j as u32).0[3]);
                if is_drawn(wide, i, j) && owner(projection, x, y) == Some(cell) {
                    let index = (y * width as i32 + x) as usize;
                    assert_eq!(cover, dark[index], "pixel {x},{y} of {cell}, {tile:?}");
                    assert!(!std::mem::replace(&mut seen[index], true), "pixel {x},{y} belongs to one cell");
                    covered += usize::from(cover > 0);
                } else {
                    assert_eq!(cover, 0, "pixel {x},{y} is not of {cell}, {tile:?}");
                }
            }
        }
        assert!(covered > 400, "there are shadows at all: {covered}");
        let mut ground = vec![false; seen.len()];
        for (left, top) in map.size().cells().map(|cell| projection.corner(cell)) {
            for (i, j) in box_pixels() {
                let index = (top + high - box_high + j) * width as i32 + left + i;
                ground[index as usize] |= is_drawn(wide, i, j);
            }
        }
        assert!(ground == seen, "all ground is covered once, and nothing else");
    }
}

/// Whether a pixel in the box around a tile's ground is drawn: rows of 2, 6, 10 ... 54 pixels in a classic one, which
/// overlaps its neighbours, and of 2, 6 ... 62, 62 ... 2 in one of 64, which does not.
fn is_drawn(wide: i32, i: i32, j: i32) -> bool {
    let reach = if wide % 4 == 0 { wide } else { wide + 1 };
    (2 * i - (wide - 1)).abs() + 2 * (2 * j - (2 * ((wide + 3) / 4) - 1)).abs() <= reach
}

/// The cell whose shading covers a pixel: the cell whose diamond contains it or, beyond the edge of the map,
/// the nearest cell.
fn owner(projection: Projection, x: i32, y: i32) -> Option<Cell> {
    let Size { width, height } = projection.size();
    let cell = projection.unbounded_cell_at((f64::from(x) + 0.5, f64::from(y) + 0.5))?;
    Some(Cell::new(cell.x.clamp(0, width as i32 - 1), cell.y.clamp(0, height as i32 - 1)))
}

#[test]
fn the_light_of_an_eruption_fades_with_distance() {
    let volcano = Cell::new(8, 8);
    let map = BUNDLED.uniform_map('G', Size::new(17, 17), &[(volcano, 'V')]);
    let tint = |x: i32| BUNDLED.scene.tint(&map, Cell::new(x, 8));
    assert_eq!(tint(8), [1.0; 3]);
    let two = BUNDLED.uniform_map('G', Size::new(17, 17), &[(volcano, 'V'), (Cell::new(9, 8), 'V')]);
    assert_eq!(BUNDLED.scene.tint(&two, volcano), [1.0; 3], "a volcano has its own glow, even next to another");
    assert!((9..12).all(|x| tint(x)[0] > tint(x + 1)[0] && tint(x)[2] < tint(x + 1)[2]), "warmer when nearer");
    assert_eq!(tint(13), [1.0; 3]);
    let calm = BUNDLED.uniform_map('G', Size::new(17, 17), &[(volcano, 'v')]);
    assert_eq!(BUNDLED.scene.tint(&calm, Cell::new(9, 8)), [1.0; 3]);
    let mean = |x: i32| {
        let key = BUNDLED.scene.shading_key(&map, Cell::new(x, 10))?;
        let tile = BUNDLED.scene.shading_image(&key);
        Some(tile.pixels().map(|pixel| u32::from(pixel.0[3])).sum::<u32>())
    };
    assert!((8..12).all(|x| mean(x) > mean(x + 1)));
    assert_eq!(mean(14), None);
    let projection = projection(&map);
    for cell in map.size().cells() {
        let Some(key) = BUNDLED.scene.shading_key(&map, cell).filter(|_| cell.x > 10) else { continue };
        let (left, top) = projection.corner(cell);
        for (i, j, pixel) in BUNDLED.scene.shading_image(&key).enumerate_pixels() {
            let x = left + i as i32;
            let y = top + 26 + j as i32;
            let (x, y) = projection.position_at((f64::from(x) + 0.5, f64::from(y) + 0.5));
            assert!(pixel.0[3] == 0 || (x - 8.0).hypot(y - 8.0) < 5.0, "no light at {x},{y}");
        }
    }
}

#[test]
fn ground_cracks_before_an_eruption_the_brighter_the_nearer_it_is() {
    let volcano = Cell::new(8, 8);
    let shading = |ground: char, cell: (i32, i32), seconds: f64| {
        let map = BUNDLED.uniform_map(ground, Size::new(17, 17), &[(volcano, 'v')]);
        let key = BUNDLED.scene.warming_key(&map, cell.into(), Warming::before(seconds))?;
        Some(BUNDLED.scene.shading_image(&key))
    };
    let brightness = |cell: (i32, i32), seconds: f64| {
        let image = shading('G', cell, seconds).unwrap();
        image.pixels().map(|pixel| u32::from(pixel.0[0]) * u32::from(pixel.0[3])).sum::<u32>()
    };
    let nearer = [20.0, 9.0, 5.0, 3.0, 1.5, 0.5].map(|seconds| brightness((8, 10), seconds));
    assert!(nearer.is_sorted_by(|before, after| before < after), "{nearer:?}");
    assert!(brightness((8, 9), 0.0) > brightness((8, 12), 0.0), "the brighter the nearer");
    let covered = |ground: char| shading(ground, (9, 9), 5.0).unwrap().pixels().filter(|pixel| pixel.0[3] > 0).count();
    assert!(covered('S') > 2 * covered('G'), "slush on {} pixels, cracks on {}", covered('S'), covered('G'));
    assert_eq!((shading('G', (15, 8), 0.0), shading('~', (8, 10), 0.0)), (None, None));
    let map = BUNDLED.uniform_map('G', Size::new(17, 17), &[(volcano, 'v')]);
    let announced = Warming::before(0.0);
    assert_eq!(BUNDLED.in_look(Look::Plain).warming_key(&map, Cell::new(8, 10), announced), None);
    let paint = |map: &Map, warming| paint(map, &BUNDLED.scene, &PaintOptions { warming, ..PaintOptions::default() });
    assert!(paint(&map, Some(announced)) != paint(&map, None));
    let none = BUNDLED.uniform_map('G', Size::new(17, 17), &[(volcano, 'V')]);
    assert!(paint(&none, Some(announced)) == paint(&none, None), "no volcano is dormant");
    let animated = FigurePictures::new(&map, &BUNDLED.scene, PictureZoom::default());
    assert!(animated.paint(&[], &[], Some(announced), Hour::default()) == paint(&map, Some(announced)));
}

#[test]
fn water_is_lit_but_gets_no_ash() {
    let volcano = (Cell::new(3, 3), 'V');
    let opaque = |ground| {
        let map = BUNDLED.uniform_map(ground, Size::new(7, 7), &[volcano]);
        let key = BUNDLED.scene.shading_key(&map, Cell::new(3, 4)).expect("next to the volcano it is light");
        BUNDLED.scene.shading_image(&key).pixels().filter(|pixel| pixel.0[3] > 215).count()
    };
    assert_eq!(opaque('~'), 0);
    assert!(opaque('G') > 300 && opaque('S') > 300);
}

#[test]
fn a_change_affects_no_cell_beyond_the_documented_distance() {
    let mut random = Random(11);
    let mut redrawn = 0;
    let mut relit = 0;
    for round in 0..60 {
        let size = Size::new(9 + round % 12, 21 - round % 10);
        let before = BUNDLED.random_map(size, u64::from(round));
        let cell = Cell::new(random.below(size.width as usize) as i32, random.below(size.height as usize) as i32);
        let mut after = before.clone();
        let overlay = [".", "R", "B", "W", "F", "M", "V", "v"][random.below(8)].chars().next().unwrap();
        after.set_overlay(cell, BUNDLED.tileset.find(overlay)).unwrap();
        if round % 2 == 0 {
            let base = ['G', 'S', 'D', '~'][random.below(4)];
            after.apply(&[CellEdit::base(cell, BUNDLED.tileset.find(base).unwrap())]).unwrap();
        }
        let scene = &BUNDLED.scene;
        let near: HashSet<_> = scene.images_affected_by(size, cell).collect();
        assert!(near.iter().all(|cell| size.contains(*cell)));
        let reach = scene.reach_of_changes();
        let is_far = |at: Cell| (at.x - cell.x).abs() <= reach && (at.y - cell.y).abs() <= reach;
        for at in size.cells() {
            let looks = |map: &Map| {
                let ground = scene.ground(map.layers(), at);
                let standing = scene.standing(map.layers(), at);
                (ground, standing, scene.edges(map.layers(), at), scene.flat(map.layers(), at))
            };
            let light = |map| (scene.shading_key(map, at), scene.tint(map, at));
            if looks(&before) != looks(&after) {
                assert!(near.contains(&at), "round {round}: {cell} changed the look of {at}");
                redrawn += 1;
            }
            if light(&before) != light(&after) {
                assert!(is_far(at), "round {round}: {cell} changed the light of {at}");
                relit += 1;
            }
        }
    }
    assert!(redrawn > 60 && relit > 600, "{redrawn} and {relit} changes are enough to tell");
}
