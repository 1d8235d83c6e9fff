//! The player's traveller as a figure like those of a town.

use crate::game::journey::traveller::TravellerItem;
use emberwalk_world::town::TownFigure;

/// The figure of the player's traveller; `None` on a map without a passable cell.
pub(super) fn player_figure(traveller: &TravellerItem) -> Option<TownFigure> {
    Some(TownFigure {
        agent: None,
        kind: None,
        cell: traveller.origin()?,
        leaving: traveller.leaving(),
        facing: traveller.facing(),
        is_waiting: false,
        is_resting: traveller.leaving().is_none(),
    })
}
