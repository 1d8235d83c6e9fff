//! The worlds of commands, and their pictures for animations, in which the map may change.

use emberwalk::agent_images::AgentImages;
use emberwalk_map::Map;
use emberwalk_picture::paint::{FigurePictures, PictureZoom};
use emberwalk_picture::scene::{Scene, Warming};
use emberwalk_world::{Order, World};
use image::RgbaImage;

use super::error::CliError;

/// The world on a map after these orders at its start.
///
/// # Errors
/// One of them is not possible.
pub fn world_after(map: &Map, orders: impl IntoIterator<Item = Order>) -> Result<World, CliError> {
    let mut world = World::on(map.clone());
    for order in orders {
        world.apply(&order).map_err(|error| CliError::Message(error.to_string()))?;
    }
    Ok(world)
}

/// Paints a world again and again, and keeps the picture below the figures as long as the map stays the same.
pub struct Ground<'a> {
    scene: &'a Scene,
    zoom: PictureZoom,
    pictures: Option<FigurePictures<'a>>,
}

impl<'a> Ground<'a> {
    /// For pictures of maps with this scene.
    pub fn new(scene: &'a Scene, zoom: PictureZoom) -> Self {
        Self { scene, zoom, pictures: None }
    }

    /// Paints a world as it is now.
    pub fn paint(&mut self, images: &AgentImages, world: &World) -> RgbaImage {
        let map = world.map();
        let figures = images.painted_in_picture(map, world.figures());
        self.pictures.take_if(|pictures| !pictures.show(map));
        let pictures = self.pictures.get_or_insert_with(|| FigurePictures::new(map, self.scene, self.zoom));
        pictures.paint(&figures, world.route(), warming(world), world.day().start)
    }
}

/// How near the announced eruption of a world is, if there is one.
pub fn warming(world: &World) -> Option<Warming> {
    world.announced().map(|left| Warming::before(left.seconds()))
}
