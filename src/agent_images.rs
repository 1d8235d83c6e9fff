//! The images of agents, in their poses: the player's traveller, and all kinds of people.

use crate::gaze::RestingPeople;
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

    /// The image of an agent in its pose; `frame` counts the frames of standing agents.
    fn pose(&self, figure: &TownFigure, frame: usize) -> Option<ImageId> {
        let images = self.of(figure.kind);
        // Agents do not all move at the same time.
        let frame_at_rest = frame + figure.agent.index();
        match figure.leaving {
            Some((_, progress)) => images.walk(figure.facing, progress),
            None if figure.is_resting && figure.kind.is_some() => images.at_rest(figure.facing, frame_at_rest),
            None => images.idle(figure.facing, frame),
        }
    }

    /// Agents as they are painted together on a map, each with its figure. Resting people look at stalls, wells and
    /// companions near them, even at people outside of `drawn`. `frame` counts the frames of standing agents. Agents
    /// without an image in the tileset are left out.
    pub fn painted_together(
        &self,
        map: &Layers,
        mut figures: Vec<TownFigure>,
        drawn: impl Fn(&TownFigure) -> bool,
        frame: usize,
    ) -> Vec<(TownFigure, PaintedFigure)> {
        let resting = RestingPeople::of(&figures);
        figures.retain(drawn);
        figures.iter_mut().for_each(|figure| figure.facing = resting.facing(map, figure));
        figures.into_iter().filter_map(|figure| Some((figure, self.painted(map, &figure, frame)?))).collect()
    }

    /// All agents as they are painted in a still picture of a map.
    pub fn painted_in_picture(&self, map: &Layers, figures: Vec<TownFigure>) -> Vec<PaintedFigure> {
        self.painted_together(map, figures, |_| true, 0).into_iter().map(|(_, painted)| painted).collect()
    }

    /// An agent as it is painted on a map; `None` if the tileset has no image of it. Only the player's traveller is
    /// seen through objects that hide it.
    pub fn painted(&self, map: &Layers, figure: &TownFigure, frame: usize) -> Option<PaintedFigure> {
        let image = self.pose(figure, frame)?;
        let (feet, footing) = Footing::of_figure(map, figure.cell, figure.leaving);
        let shadow = self.of(figure.kind).shadow;
        let lantern = figure.kind.is_none_or(|kind| map.tileset().people().get(kind).is_some_and(|kind| kind.lantern));
        Some(PaintedFigure { image, shadow, feet, footing, shines_through: figure.kind.is_none(), lantern })
    }
}
