//! What most tests of the game use.

pub use emberwalk::game::action::half::Half;
pub use emberwalk::game::action::{
    Action, Answer, BrushChange, OverlayChoice, Playback, SelectionChange, Stroke, Tool, Zoom,
};
pub use emberwalk::game::journey::planning::{PlanningOptions, Reach};
pub use emberwalk::game::screen::mode::{GameMode, Screen, SearchPage};
pub use emberwalk::game::world::open_map::OpenMap;
pub use emberwalk::game::world::pointed_cells::TileCursor;
pub use emberwalk::game::world::question::{Leaving, OpenQuestion};
pub use emberwalk::game::world::request::{MapRequest, RequestedEndpoints};
pub use emberwalk_map::editing::Brush;
pub use emberwalk_map::{CellEdit, Map};
pub use emberwalk_path::grid::{Cell, Direction, Size};
pub use emberwalk_path::{Algorithm, Corners, Heuristic, HeuristicScale, Moves, Options, Planner, RouteQuery};

pub use crate::files::Files;
pub use crate::play::{FRAME, Game, at};
