//! Finds the cell whose ground or face is visible at a point of a map's picture.

use super::projection;
use emberwalk_map::Layers;
use emberwalk_path::grid::{Cell, Direction};

/// The visible part of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerrainPart {
    /// Its ground.
    Ground,
    /// Its side to the west or to the south, where it is raised.
    Face(Direction),
}

/// No picture contains points that are farther from its corner than this, in pixels.
pub(super) const FAR: f64 = (1 << 24) as f64;

/// The cell whose terrain is visible at a point of the map's picture, ignoring standing images; `None` off the map.
///
/// The diamond of a cell has the size of a [step](emberwalk_map::terrain::TileMetrics::step), and a face is the
/// parallelogram under one of its two lower edges. A diamond includes its upper left and lower left edges, a face its
/// left and upper edges. The nearest diamond or face wins.
///
/// ```
/// use emberwalk_map::Map;
/// use emberwalk_picture::scene::{TerrainPart, terrain_at};
/// use emberwalk_map::terrain::Tileset;
/// let text = r#"(name: "Hill", base: ["GG"], overlay: [".."], heights: ["02"])"#;
/// let map = Map::parse("hill.ron", text, &Tileset::load(None)?.into())?;
/// let hill = (1, 0).into();
/// assert_eq!(terrain_at(&map, (53.0, 40.0)), Some((hill, TerrainPart::Ground)));
/// assert!(matches!(terrain_at(&map, (40.0, 60.0)), Some((cell, TerrainPart::Face(_))) if cell == hill));
/// # Ok::<(), emberwalk_map::diagnostics::Diagnostics>(())
/// ```
pub fn terrain_at(map: &Layers, point: (f64, f64)) -> Option<(Cell, TerrainPart)> {
    terrain_at_zoom(map, point, 1.0)
}

/// The cell whose terrain is visible at a point of the picture scaled by `zoom`. This is exact where dividing the point
/// by the zoom would round it to the other side of an edge.
pub fn terrain_at_zoom(map: &Layers, point: (f64, f64), zoom: f32) -> Option<(Cell, TerrainPart)> {
    let flat = projection(map);
    if map.top() == 0 {
        return flat.cell_at_zoom(point, zoom).map(|cell| (cell, TerrainPart::Ground));
    }
    let zoom = f64::from(zoom);
    let x = point.0 / zoom;
    let y = point.1 / zoom;
    if !(x.abs() < FAR && y.abs() < FAR) {
        return None;
    }
    let tile = flat.tile();
    let (across, down) = tile.half_step();
    let (right, below) = tile.ground_centre();
    let left = x.floor() as i32 - right;
    let top = y.floor() as i32 - below;
    // The corners, at level 0, of the cells that may be visible there.
    let columns = left - across..left + across + 2;
    let rows = top - 2 * down..top + 4 * down + flat.headroom();
    let near = flat.cells_with_corners(columns, rows).rev();
    near.filter(|cell| map.size().contains(*cell)).find_map(|cell| {
        let raised = flat.at_level(map.level(cell));
        // Most of these cells are below the point in the picture.
        if y < f64::from(raised.centre(cell).1 - down) - 1.0 {
            return None;
        }
        let level = map.level(cell);
        if raised.unbounded_cell_at_zoom(point, zoom) == Some(cell) {
            return Some((cell, TerrainPart::Ground));
        }
        let height = |side: Direction| tile.level() * i32::from(level.saturating_sub(map.level(cell + side)));
        let side = raised.side_at_zoom(cell, [height(Direction::W), height(Direction::S)], point, zoom)?;
        Some((cell, TerrainPart::Face(side)))
    })
}
