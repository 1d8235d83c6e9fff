//! The picture below the figures of an animation in which the map may change.

use emberwalk_picture::paint::{FigurePictures, PictureZoom};
use emberwalk_picture::scene::Scene;
use emberwalk_world::World;

/// The picture below the figures, as long as the map stays the same.
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

    /// Pictures of the map of a world as it is now.
    pub fn pictures(&mut self, world: &World) -> &FigurePictures<'a> {
        let map = world.map();
        self.pictures.take_if(|pictures| !pictures.show(map));
        self.pictures.get_or_insert_with(|| FigurePictures::new(map, self.scene, self.zoom))
    }
}
