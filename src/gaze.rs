//! The directions in which resting people look: at the stall or well beside them, or at a companion.

use std::collections::HashSet;

use emberwalk_map::Layers;
use emberwalk_map::terrain::Place;
use emberwalk_path::grid::{Cell, Direction};
use emberwalk_world::town::TownFigure;

/// How far they look, in columns and rows. They stand up to two cells away from their places.
pub const FAR: i32 = 2;

/// The cells in which people rest.
pub struct RestingPeople(HashSet<Cell>);

impl RestingPeople {
    /// The cells of the resting people among some figures. The player's traveller is nobody's companion.
    pub fn of(figures: &[TownFigure]) -> Self {
        let resting = figures.iter().filter(|figure| figure.is_resting && figure.kind.is_some());
        Self(resting.map(|figure| figure.cell).collect())
    }

    /// The direction in which a person looks. People who walk or wait, and the player's traveller, look in the
    /// direction of their last step.
    pub fn facing(&self, map: &Layers, figure: &TownFigure) -> Direction {
        if !figure.is_resting || figure.kind.is_none() {
            return figure.facing;
        }
        let has_wares = |cell: Cell| {
            let terrain = map.overlay_id(cell).or_else(|| map.base_id(cell));
            let place = terrain.and_then(|terrain| map.tileset()[terrain].place);
            matches!(place, Some(Place::Stall | Place::Well))
        };
        let nearest = |is_there: &dyn Fn(Cell) -> bool| {
            let offsets = (-FAR..=FAR).flat_map(|dy| (-FAR..=FAR).map(move |dx| (dx, dy)));
            let there = offsets.filter(|offset| *offset != (0, 0) && is_there(figure.cell + *offset));
            // Of equally near things, people look at the thing for which they have to turn least.
            let ahead = figure.facing.offset();
            there.min_by_key(|(dx, dy)| (dx * dx + dy * dy, -(ahead.0 * dx + ahead.1 * dy)))
        };
        nearest(&has_wares)
            .or_else(|| nearest(&|cell| self.0.contains(&cell)))
            .and_then(towards)
            .unwrap_or(figure.facing)
    }
}

/// The direction nearest to an offset.
fn towards((dx, dy): (i32, i32)) -> Option<Direction> {
    let is_small = |one: i32, other: i32| 2 * one.abs() < other.abs();
    let x = if is_small(dx, dy) { 0 } else { dx.signum() };
    let y = if is_small(dy, dx) { 0 } else { dy.signum() };
    Direction::from_offset((x, y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use emberwalk_map::Map;
    use emberwalk_map::terrain::Tileset;
    use std::sync::Arc;

    fn figure(cell: (i32, i32), is_resting: bool, kind: Option<usize>) -> TownFigure {
        let facing = Direction::N;
        TownFigure { agent: 0.into(), kind, cell: cell.into(), leaving: None, facing, is_waiting: false, is_resting }
    }

    #[test]
    fn people_who_rest_look_at_a_stall_or_a_companion() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let stall = tileset.iter().find(|(_, terrain)| terrain.place == Some(Place::Stall)).unwrap().1.char;
        let rows = [".........".to_owned(), format!("..{stall}......"), ".........".to_owned()];
        let text = format!("(name: \"a\", base: {:?}, overlay: {rows:?})", ["GGGGGGGGG"; 3]);
        let map = Map::parse("a.ron", &text, &tileset).unwrap();
        let figures = [
            figure((3, 1), true, Some(0)),
            figure((1, 2), true, Some(0)),
            figure((6, 0), true, Some(0)),
            figure((8, 1), true, Some(0)),
            figure((2, 0), false, Some(0)),
            figure((1, 1), true, None),
            figure((5, 2), true, None),
        ];
        let resting = RestingPeople::of(&figures);
        let facing = figures.each_ref().map(|figure| resting.facing(&map, figure));
        use Direction::{N, NE, NW, SE, W};
        assert_eq!(facing, [W, NE, SE, NW, N, N, N], "nobody looks at the player's traveller");
    }

    #[test]
    fn somebody_alone_keeps_looking_ahead() {
        let tileset = Arc::new(Tileset::load(None).unwrap());
        let map = Map::parse("a.ron", "(name: \"a\", base: [\"GGG\"], overlay: [\"...\"])", &tileset).unwrap();
        let alone = figure((1, 0), true, Some(0));
        assert_eq!(RestingPeople::of(&[alone]).facing(&map, &alone), Direction::N);
    }
}
