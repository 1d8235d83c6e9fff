//! How travellers look: where they are drawn, and in which pose.

use emberwalk_map::Layers;
use emberwalk_map::terrain::Tileset;
use emberwalk_path::crowd::AgentId;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_picture::paint::PaintedFigure;
use emberwalk_picture::scene::{Footing, feet};
use emberwalk_picture::tiles::{FigureImages, ImageId, TileImages};

use super::{Counts, Town};

/// A traveller as it looks at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TownFigure {
    /// The agent; `None` for a traveller that is alone.
    pub agent: Option<AgentId>,
    /// The position of the kind in the tileset; `None` for the player's traveller.
    pub kind: Option<usize>,
    /// The cell where it stands, or which it enters.
    pub cell: Cell,
    /// During a step, the cell that it leaves and the finished part of the step, 0 to 1.
    pub leaving: Option<(Cell, f64)>,
    /// Where it looks.
    pub facing: Direction,
    /// Whether it has [waited](Counts) on its way for a while.
    pub is_waiting: bool,
}

impl TownFigure {
    /// The position of the feet in columns and rows. Whole numbers are the centres of cells.
    pub fn feet(&self) -> (f64, f64) {
        feet(self.cell, self.leaving)
    }
}

/// The images of all travellers.
#[derive(Clone, Debug, Default)]
pub struct TravellerImages {
    player: FigureImages,
    people: Vec<FigureImages>,
}

impl TravellerImages {
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

    /// The image of a traveller in its pose; `idle_frame` counts the frames of those who stand.
    pub fn pose(&self, figure: &TownFigure, idle_frame: usize) -> Option<ImageId> {
        let images = self.of(figure.kind);
        match figure.leaving {
            Some((_, progress)) => images.walk(figure.facing, progress),
            None => images.idle(figure.facing, idle_frame),
        }
    }

    /// A traveller as it is painted on a map; `None` if the tileset has no image of it. Only the player's is seen
    /// through what hides it.
    pub fn painted(&self, map: &Layers, figure: &TownFigure, idle_frame: usize) -> Option<PaintedFigure> {
        let image = self.pose(figure, idle_frame)?;
        let (feet, footing) = Footing::of_figure(map, figure.cell, figure.leaving);
        let shadow = self.of(figure.kind).shadow;
        Some(PaintedFigure { image, shadow, feet, footing, shines_through: figure.kind.is_none() })
    }
}

impl Town {
    /// The figure of a traveller.
    pub fn figure(&self, agent: AgentId) -> Option<TownFigure> {
        let state = self.crowd.state(agent)?;
        let person = self.person(agent);
        let now = self.crowd.now();
        let step = state.step.filter(|step| step.start < now);
        Some(TownFigure {
            agent: Some(agent),
            kind: person.map(|person| person.kind),
            cell: step.map_or(state.cell, |step| step.to),
            leaving: step.map(|step| (step.from, f64::from(step.progress(now)))),
            facing: state.facing.unwrap_or(Direction::SW),
            is_waiting: step.is_none() && Counts::is_waiting(&self.crowd, agent),
        })
    }

    /// The figures of all travellers. O(travellers).
    pub fn figures(&self) -> impl Iterator<Item = TownFigure> {
        self.crowd.agents().filter_map(|(agent, _)| self.figure(agent))
    }
}
