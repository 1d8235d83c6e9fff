//! The images of agents, in their poses: the player's traveller, and all kinds of people.

use emberwalk_map::Layers;
use emberwalk_map::terrain::Tileset;
use emberwalk_picture::paint::PaintedFigure;
use emberwalk_picture::scene::Footing;
use emberwalk_picture::tiles::{FigureImages, ImageId, TileImages};
use emberwalk_world::town::TownFigure;

/// The images of all agents.
#[derive(Clone, Debug, Default)]
pub struct AgentImages {
    player: FigureImages,
    people: Vec<FigureImages>,
}

impl AgentImages {
    /// Finds the images of a tileset.
    pub fn find(tiles: &TileImages, tileset: &Tileset) -> Self {
        let marks = tileset.marks();
        let people = tileset.people().iter().map(|kind| FigureImages::of_people(tiles, kind, marks));
        Self { player: FigureImages::of_traveller(tiles, marks), people: people.collect() }
    }

    /// The images of a kind of people, or of the player's traveller. People without images look like the traveller.
    pub fn of(&self, kind: Option<usize>) -> &FigureImages {
        let people = kind.and_then(|kind| self.people.get(kind));
        people.filter(|images| images.are_known()).unwrap_or(&self.player)
    }

    /// The image of an agent in its pose; `idle_frame` counts the frames of those who stand.
    pub fn pose(&self, figure: &TownFigure, idle_frame: usize) -> Option<ImageId> {
        let images = self.of(figure.kind);
        match figure.leaving {
            Some((_, progress)) => images.walk(figure.facing, progress),
            None => images.idle(figure.facing, idle_frame),
        }
    }

    /// An agent as it is painted on a map; `None` if the tileset has no image of it. Only the player's is seen
    /// through what hides it.
    pub fn painted(&self, map: &Layers, figure: &TownFigure, idle_frame: usize) -> Option<PaintedFigure> {
        let image = self.pose(figure, idle_frame)?;
        let (feet, footing) = Footing::of_figure(map, figure.cell, figure.leaving);
        let shadow = self.of(figure.kind).shadow;
        let lantern = figure.kind.is_none_or(|kind| map.tileset().people().get(kind).is_some_and(|kind| kind.lantern));
        Some(PaintedFigure { image, shadow, feet, footing, shines_through: figure.kind.is_none(), lantern })
    }
}
