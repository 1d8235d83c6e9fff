//! The traffic of a town as an overlay on its map.

use emberwalk_path::grid::{Cell, Direction};
use emberwalk_picture::overlay::{CellMark, Label, MarkStyle, Overlay, Ribbons};
use emberwalk_world::town::{CellFlow, Flow, Town};

/// The mean waiting time at which the colour is the darkest, in seconds.
const LONGEST: f64 = 3.0;

/// The colours for cells that were entered, from few visits to many: lighter is more.
const FLOW: [[u8; 3]; 5] = [[34, 60, 92], [32, 104, 130], [42, 150, 148], [120, 200, 150], [214, 236, 168]];

/// The colours for cells in which agents had to wait, from short to long: darker is longer.
const WAITS: [[u8; 3]; 4] = [[250, 206, 92], [246, 150, 56], [226, 84, 44], [176, 30, 44]];

/// A ribbon joins two cells if at least one in this many steps through the less visited cell leads to the other. With a
/// ribbon for every step, places would be covered.
const OF_STEPS: u32 = 10;

/// The widths of ribbons, from few visits to many, in hundredths of the side of a cell.
const NARROWEST: f64 = 10.0;
const WIDEST: f64 = 36.0;

/// How often agents entered each cell in the last minute, as ribbons along their routes. Cells in which they had to
/// wait are dotted, in warm colours.
#[derive(Clone, Copy, Debug)]
pub struct TrafficOverlay<'a> {
    flow: &'a Flow,
    most_entries: u32,
}

impl<'a> TrafficOverlay<'a> {
    /// The traffic of a town.
    pub fn new(town: &'a Town) -> Self {
        let flow = town.flow();
        Self { flow, most_entries: flow.cells().map(|(_, cell)| cell.entries).max().unwrap_or_default() }
    }

    /// How often the cell with the most traffic was entered.
    pub fn most_entries(&self) -> u32 {
        self.most_entries
    }

    /// The colours for cells that were entered, from few visits to many.
    pub const fn flow_colours() -> &'static [[u8; 3]] {
        &FLOW
    }

    /// The colours for cells in which agents had to wait, from short to long.
    pub const fn wait_colours() -> &'static [[u8; 3]] {
        &WAITS
    }
}

impl Overlay for TrafficOverlay<'_> {
    fn mark(&self, cell: Cell) -> CellMark {
        let flow = self.flow.at(cell);
        if flow.is_queue() {
            let colour = colour_of(&WAITS, flow.mean_wait() / LONGEST);
            return CellMark { style: MarkStyle::Closed, colour, ..CellMark::default() };
        }
        let share = f64::from(flow.entries) / f64::from(self.most_entries.max(1));
        // Otherwise half of the colours would be for the few cells of the main streets.
        let share = share.sqrt();
        let directions = Direction::ALL.into_iter().filter(|direction| {
            let through = |flow: CellFlow| flow.entries + flow.left;
            let least = through(flow).min(through(self.flow.at(cell + *direction)));
            flow.steps[*direction as usize] * OF_STEPS > least
        });
        let ribbons = Ribbons {
            directions: directions.fold(0, |bits, direction| bits | 1 << direction as u8),
            width: (NARROWEST + share * (WIDEST - NARROWEST)) as u8,
        };
        CellMark { style: MarkStyle::Ribbons, colour: colour_of(&FLOW, share), ribbons, ..CellMark::default() }
    }

    fn is_on_ground(&self) -> bool {
        true
    }

    fn label(&self, cell: Cell) -> Option<Label> {
        Some(self.flow.at(cell).entries).filter(|entries| *entries > 0).map(Label::Count)
    }
}

/// The colour of a value from 0 to 1.
fn colour_of(colours: &[[u8; 3]], value: f64) -> [u8; 3] {
    let at = (value * colours.len() as f64) as usize;
    colours[at.min(colours.len() - 1)]
}
