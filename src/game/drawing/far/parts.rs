//! Divides the picture of a map into square parts when the view is zoomed far out.

use bevy::prelude::*;

use crate::game::world::open_map::OpenMap;
use crate::game::world::terrain_changed::TerrainChanged;
use emberwalk_picture::iso::Projection;
use emberwalk_picture::paint::PicturePart;
use emberwalk_picture::scene::Scene;

use crate::game::viewport::Viewport;

/// The width and height of the picture of a part in pixels.
const SIDE: u32 = 256;

/// How many times smaller a rough picture is.
const ROUGH: u32 = 2;

/// From this reduction on, a pixel of a rough picture covers several cells.
const MANY_CELLS: u32 = 32;

/// The maximum number of times that a picture is halved. The largest map then fits into one picture.
const MAX_HALVINGS: f32 = 10.0;

/// From this number of edits on, finding the affected parts would take too long.
const MANY: usize = 10_000;

/// The parts of a map's picture. A part is identified by its column and row.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct FarParts {
    map: Projection,
    reduction: u32,
}

impl FarParts {
    /// The parts for the view; `None` if the view is close enough for tiles and sprites.
    pub(in crate::game) fn of_view(map: Projection, view: &Viewport) -> Option<Self> {
        let halvings = (1.0 / view.zoom()).log2().floor().clamp(0.0, MAX_HALVINGS);
        view.is_far(map).then(|| Self { map, reduction: 1 << halvings as u32 })
    }

    /// The parts with this reduction.
    pub(in crate::game) fn with_reduction(map: Projection, reduction: u32) -> Self {
        Self { map, reduction }
    }

    /// How many map pixels become one picture pixel, in each direction.
    pub(in crate::game) fn reduction(self) -> u32 {
        self.reduction
    }

    /// The width and height of a part in pixels of the map.
    pub fn side(self) -> i32 {
        (SIDE * self.reduction) as i32
    }

    /// The top left corner of a part as a map point, so that parts stay with their cells when the highest level
    /// changes.
    pub fn corner(self, part: IVec2) -> IVec2 {
        part * self.side() + self.headroom()
    }

    /// The number of samples per pixel of a rough picture, in each direction. Where a pixel covers many cells, a single
    /// sample would not represent them.
    pub(in crate::game) fn rough_samples(self) -> u32 {
        if self.reduction < MANY_CELLS { 1 } else { 2 }
    }

    /// The part of the map's picture that a part shows.
    pub fn picture(self, part: IVec2, is_fine: bool) -> PicturePart {
        let times = if is_fine { 1 } else { ROUGH };
        let size = SIDE / times;
        PicturePart { corner: self.corner(part).into(), size: (size, size), downscale: self.reduction * times }
    }

    /// The visible parts of the map, the nearest to the middle of the view first.
    pub(in crate::game) fn in_view(self, view: &Viewport) -> Vec<IVec2> {
        let rect = view.visible_rect();
        let (width, height) = self.map.picture_size();
        let margin = self.map.tile().size().0 as i32;
        let picture = [IVec2::splat(-margin), IVec2::new(width as i32, height as i32) + margin];
        let first = rect.min.floor().as_ivec2().max(picture[0]) - self.headroom();
        let last = rect.max.ceil().as_ivec2().min(picture[1]) - self.headroom() - 1;
        let mut parts: Vec<_> = self.between(first, last).collect();
        let middle = rect.center() - self.headroom().as_vec2();
        let distance = |part: &IVec2| ((part.as_vec2() + 0.5) * self.side() as f32).distance_squared(middle);
        parts.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        parts
    }

    /// The parts whose pictures show a change; `None` if this may be all of them.
    pub(in crate::game) fn changed_by<'a>(
        self,
        change: &'a TerrainChanged,
        map: &OpenMap,
        scene: &Scene,
    ) -> Option<impl Iterator<Item = IVec2> + 'a> {
        let tile = self.map.tile();
        // Shadows and light extend over some cells, hills hide the cells behind them, and tall images are a few tiles
        // high.
        let reach = 2 * scene.reach_of_changes() * tile.half_step().0 + 4 * tile.size().0 as i32;
        let reach = reach + tile.level() * i32::from(change.top(map));
        (change.undo.len() < MANY).then(|| {
            change.cells().flat_map(move |cell| {
                let at = IVec2::from(self.map.corner(cell)) - self.headroom();
                self.between(at - reach, at + reach)
            })
        })
    }

    /// The parts between two map points of the picture without headroom.
    fn between(self, first: IVec2, last: IVec2) -> impl Iterator<Item = IVec2> {
        let [first, last] = [first, last].map(|at| at.div_euclid(IVec2::splat(self.side())));
        (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| IVec2::new(x, y)))
    }

    fn headroom(self) -> IVec2 {
        IVec2::new(0, self.map.headroom())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::action::Zoom;
    use emberwalk_map::terrain::TileMetrics;
    use emberwalk_path::grid::{Cell, Size};

    /// Views of maps of every size, from the fitted view to the closest view that is drawn with pictures.
    fn views() -> impl Iterator<Item = (Projection, Viewport)> {
        let maps = [(4096, 4096), (4096, 1), (4096, 5), (300, 4000), (512, 512)];
        let windows = [(320, 240), (1280, 720), (3840, 2160)];
        maps.into_iter()
            .flat_map(move |(width, height)| windows.map(|window| (Size::new(width, height), window)))
            .flat_map(|(size, window)| {
                let map = Projection::new(size, TileMetrics::CLASSIC).with_top(9);
                let mut view = Viewport::default();
                view.resize(window.into(), map, Vec2::ZERO);
                view.fit(map);
                let zoomed = (0..10).map(move |steps| {
                    let mut view = view;
                    (0..steps).for_each(|_| view.zoom_towards(Zoom::In, None));
                    (map, view)
                });
                let out = (1..4).map(move |steps| {
                    let mut view = view;
                    (0..steps).for_each(|_| view.zoom_towards(Zoom::Out, None));
                    (map, view)
                });
                zoomed.chain(out)
            })
    }

    #[test]
    fn a_view_has_few_pictures_that_are_as_fine_as_the_window() {
        let mut far = 0;
        for (map, view) in views() {
            let Some(parts) = FarParts::of_view(map, &view) else { continue };
            far += 1;
            let window = view.layout().area().as_vec2();
            let most = ((window * 2.0 / SIDE as f32).ceil() + 1.0).element_product();
            let count = parts.in_view(&view).len();
            assert!((1..=most as usize).contains(&count), "{count} pictures in {window}");
            let pixels = view.zoom() * parts.reduction() as f32;
            assert!((0.5..=1.0).contains(&pixels), "a pixel of a picture is {pixels} of the window: {view:?}");
        }
        assert!(far > 60, "{far}");
    }

    #[test]
    fn the_parts_in_the_view_show_every_cell_that_is_seen() {
        for (map, view) in views() {
            let Some(parts) = FarParts::of_view(map, &view) else { continue };
            let in_view = parts.in_view(&view);
            let width = map.size().width as i32;
            let height = map.size().height as i32;
            let seen = view.visible_rect();
            for cell in
                (0..=40).flat_map(|y| (0..=40).map(move |x| Cell::new((width - 1) * x / 40, (height - 1) * y / 40)))
            {
                let at = IVec2::from(map.centre(cell));
                let is_shown = |part: &IVec2| {
                    let corner = parts.corner(*part);
                    at.cmpge(corner).all() && at.cmplt(corner + parts.side()).all()
                };
                assert_eq!(
                    seen.contains(at.as_vec2()),
                    seen.contains(at.as_vec2()) && in_view.iter().any(is_shown),
                    "{cell}"
                );
            }
        }
    }
}
