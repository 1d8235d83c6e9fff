//! Finds the cell that the player points at.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::game::viewport::Viewport;
use crate::game::world::map_images::MapImages;
use crate::game::world::open_map::OpenMap;
use emberwalk_path::grid::Cell;
use emberwalk_picture::scene::terrain_at_zoom;

/// The things that can be picked on the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::game) enum Picking {
    /// The pictures of landmarks, and the ground and its faces elsewhere.
    #[default]
    Pictures,
    /// Only the ground and its faces.
    Ground,
}

/// The map in which a cell is picked, and its pictures.
#[derive(SystemParam)]
pub(in crate::game) struct Picker<'w> {
    pub map: Res<'w, OpenMap>,
    images: Res<'w, MapImages>,
}

impl Picker<'_> {
    /// The cell that is picked at a window point; `None` off the map.
    pub fn cell_at(&self, window_point: Vec2, view: &Viewport, picking: Picking) -> Option<Cell> {
        let landmark = match picking {
            Picking::Pictures => {
                let point = view.exact_map_point(window_point);
                self.images.scene().landmark_at(&self.map, point)
            }
            Picking::Ground => None,
        };
        landmark.or_else(|| self.terrain_at(window_point, view))
    }

    /// The cell whose ground or face is at a window point, or would be there if the map were larger. `None`
    /// only very far from the map.
    pub(in crate::game) fn ground_at(&self, window_point: Vec2, view: &Viewport) -> Option<Cell> {
        let seen = self.terrain_at(window_point, view);
        seen.or_else(|| view.unbounded_cell_at(window_point, self.map.projection()))
    }

    /// The cell whose ground or face is at a window point; `None` off the map.
    fn terrain_at(&self, window_point: Vec2, view: &Viewport) -> Option<Cell> {
        let seen = terrain_at_zoom(&self.map, view.scaled_map_point(window_point).into(), view.zoom());
        seen.map(|(cell, _)| cell)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use bevy::ecs::system::RunSystemOnce;

    use super::*;
    use crate::game::action::Zoom;
    use crate::game::world::loader::MapVersion;
    use emberwalk_map::Map;
    use emberwalk_map::terrain::Tileset;
    use emberwalk_picture::scene::{Look, raised_corner};
    use emberwalk_picture::tiles::TileImages;

    /// Draws the faces and the ground of all cells as a painter does. Returns the cell that is drawn last at each pixel
    /// of the picture.
    fn painted(map: &Map, images: &MapImages) -> HashMap<(i32, i32), Cell> {
        let mut cells = HashMap::new();
        for cell in emberwalk_picture::scene::projection(map).back_to_front() {
            let (left, top) = raised_corner(map, cell);
            let faces = images.scene().faces(map, cell).map(|face| (face.image, i32::from(face.below)));
            let ground = images.scene().ground(map, cell).first().map(|image| (*image, 0));
            for (image, below) in faces.chain(ground) {
                let opaque = images.tiles().image(image).enumerate_pixels().filter(|(.., pixel)| pixel.0[3] > 0);
                cells.extend(opaque.map(|(x, y, _)| ((left + x as i32, top + y as i32 + 12 * below), cell)));
            }
        }
        cells
    }

    #[test]
    fn the_cell_under_each_pixel_of_the_window_is_drawn_there() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let images = TileImages::load(&tileset, None).unwrap();
        let text = r#"(name: "a", base: ["GGSS", "GDD~", "G~GG"], overlay: ["....", "....", "...."],
            heights: ["0294", "5130", "0061"])"#;
        let map = Map::parse("a.ron", text, &tileset).unwrap();
        let mut app = App::new();
        MapVersion::of_map(map.clone(), images.into()).insert(&mut app, Look::Plain);
        let painted = painted(&map, app.world().resource::<MapImages>());
        for zoom in [0.25, 0.5, 1.0, 2.0, 4.0] {
            let mut view = Viewport::default();
            while view.zoom() != zoom {
                view.zoom_towards(if view.zoom() < zoom { Zoom::In } else { Zoom::Out }, Some(Vec2::ZERO));
            }
            let window = UVec2::from(emberwalk_picture::scene::projection(&map).picture_size()).as_vec2() * zoom;
            let points: Vec<Vec2> = (0..window.y as i32)
                .flat_map(|y| (0..window.x as i32).map(move |x| IVec2::new(x, y).as_vec2() + 0.5))
                .collect();
            let asked = points.clone();
            let pick = move |picker: Picker| -> Vec<_> {
                asked.iter().map(|at| picker.cell_at(*at, &view, Picking::Ground)).collect()
            };
            let picked = app.world_mut().run_system_once(pick).unwrap();
            let mut on_edges = 0;
            let mut on_corners = 0;
            for (point, picked) in points.iter().zip(picked) {
                let (x, y) = (point / zoom).floor().as_ivec2().into();
                // Images overlap by a pixel, and three of them at corners.
                let near = |by: i32| {
                    let pixels = (-by..=by).flat_map(|dy| (-by..=by).map(move |dx| (x + dx, y + dy)));
                    pixels.map(|pixel| painted.get(&pixel).copied()).any(|cell| cell == picked)
                };
                // Below zoom 1 a pixel may be exactly on the lower edge of a face, which belongs to no cell.
                assert!(near(2) || zoom < 1.0, "{point} at zoom {zoom}: {picked:?}");
                on_edges += usize::from(!near(0));
                on_corners += usize::from(!near(1));
            }
            let count = points.len();
            assert!(
                on_edges * 12 < count && on_corners * 500 < count,
                "{on_edges}, {on_corners}, {count} at zoom {zoom}"
            );
        }
    }
}
