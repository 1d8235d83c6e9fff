//! The images of people and of the traveller, in all their poses.

use emberwalk_map::terrain::{MarkImageNames, PeopleKind};
use emberwalk_path::grid::Direction;

use super::{ImageId, TileImages};

/// The images of a figure. Images that a tileset lacks are not drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureImages {
    idle: [Vec<ImageId>; 8],
    walk: [Vec<ImageId>; 8],
    at_rest: [Vec<ImageId>; 8],
    /// The shadow, the same in all poses.
    pub shadow: Option<ImageId>,
}

impl FigureImages {
    /// The images of the player's traveller.
    pub fn of_traveller(tiles: &TileImages, marks: &MarkImageNames) -> Self {
        Self {
            idle: in_each_direction(tiles, &marks.idle),
            walk: in_each_direction(tiles, &marks.walk),
            at_rest: in_each_direction(tiles, &marks.idle),
            shadow: marks.shadow.as_ref().and_then(|name| tiles.find(name)),
        }
    }

    /// The images of a kind of people, with the traveller's shadow if it has none of its own.
    pub fn of_people(tiles: &TileImages, kind: &PeopleKind, marks: &MarkImageNames) -> Self {
        let idle = std::slice::from_ref(&kind.idle);
        Self {
            idle: in_each_direction(tiles, idle),
            walk: in_each_direction(tiles, &kind.walk),
            at_rest: in_each_direction(tiles, if kind.at_rest.is_empty() { idle } else { &kind.at_rest }),
            shadow: kind.shadow.as_ref().or(marks.shadow.as_ref()).and_then(|name| tiles.find(name)),
        }
    }

    /// Whether there is an image of a standing figure.
    pub fn are_known(&self) -> bool {
        self.idle.iter().all(|frames| !frames.is_empty())
    }

    /// The image of a standing figure, in an animation frame.
    pub fn idle(&self, facing: Direction, frame: usize) -> Option<ImageId> {
        cycle(&self.idle[facing as usize], frame)
    }

    /// The image of a figure that rests at a goal, in an animation frame.
    pub fn at_rest(&self, facing: Direction, frame: usize) -> Option<ImageId> {
        cycle(&self.at_rest[facing as usize], frame)
    }

    /// The image of a walking figure. `progress` is the finished part of the step, 0 to 1; every step plays all frames
    /// once.
    pub fn walk(&self, facing: Direction, progress: f64) -> Option<ImageId> {
        let frames = &self.walk[facing as usize];
        cycle(frames, (progress * frames.len() as f64) as usize)
    }
}

/// The images whose names have `*` in place of the direction.
fn in_each_direction(tiles: &TileImages, names: &[String]) -> [Vec<ImageId>; 8] {
    Direction::ALL
        .map(|direction| names.iter().filter_map(|name| tiles.find(&name.replace('*', direction.letters()))).collect())
}

/// A frame of a repeating animation.
fn cycle(frames: &[ImageId], frame: usize) -> Option<ImageId> {
    frames.get(frame.checked_rem(frames.len())?).copied()
}
